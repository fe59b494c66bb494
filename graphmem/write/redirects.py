"""Redirects: keys of former names, and of merged entities, that resolve to another entity.

An entity keeps its key when it is renamed, so everything that was linked to it stays so. The key of
its new name is no entity's: it leads to the one that is called so.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graphmem import text
from graphmem.errors import Conflict, shortened
from graphmem.graph import Graph, Transaction
from graphmem.model import Entity
from graphmem.write.pending_entity import PendingEntity

PAGE = 1000


class Redirected(Conflict):
    """Some keys lead to other entities since a moment ago.

    Args:
        targets: By those keys, where they lead.
    """

    def __init__(self, targets: Mapping[str, str]) -> None:
        names = ", ".join(shortened(text.name_of(key)) for key in sorted(targets))
        super().__init__(f"{names} was renamed or merged meanwhile; look it up, and try again")
        self.targets = targets

    def followed(
        self, pending_entities: Mapping[str, PendingEntity]
    ) -> list[dict[str, PendingEntity]]:
        """What is to be written, by the keys that these lead to; what meets another one apart."""
        first: dict[str, PendingEntity] = {}
        later: list[dict[str, PendingEntity]] = []
        for key, pending in pending_entities.items():
            target = self.targets.get(key, key)
            if target in first:
                later.append({target: replace(pending, again=True)})
            else:
                first[target] = pending
        return [first, *later]


@dataclass(frozen=True, slots=True)
class Redirects:
    """Where the names that a call gives lead, as far as they are not those of entities.

    Args:
        names: By the folded name that is given, the name that has the entity's key.
    """

    names: Mapping[str, str]

    @classmethod
    def of(cls, graph: Graph, project: str, names: Iterable[str]) -> "Redirects":
        """Look up names, a page of them at a time."""
        keys = sorted({text.key(project, name) for name in names})
        targets = {
            row["key"]: row["target"]
            for start in range(0, len(keys), PAGE)
            for row in graph.read("read/redirects", keys=keys[start : start + PAGE])
            if row["target"] is not None  # or it is deleted meanwhile
        }
        return cls({text.name_of(key): text.name_of(target) for key, target in targets.items()})

    def __call__(self, entity: Entity) -> Entity:
        """The entity under the name that has its key."""
        name = self.names.get(text.normalised(entity.name))
        return entity if name is None else replace(entity, name=name)


def put(transaction: Transaction, rows: Sequence[Mapping[str, Any]]) -> None:
    """Have keys lead to entities; see `write/put_redirects`."""
    if rows:
        transaction.run("write/put_redirects", rows=list(rows))
