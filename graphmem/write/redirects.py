"""Redirects: keys of former names, and of merged entities, that resolve to another entity.

An entity keeps its key when it is renamed, so its relations stay. The key of its new name belongs
to no entity: it redirects to the key of the first name.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graphmem import text
from graphmem.batches import batches
from graphmem.errors import Conflict, shortened
from graphmem.graph import Graph, Transaction
from graphmem.model import Entity
from graphmem.write.pending_entity import PendingEntity

PAGE = 1000


class Redirected(Conflict):
    """Some keys were redirected to other entities while a write was prepared.

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
        """The entities by their present keys, in batches in which each key stands once."""
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
    """Which of the names in a call redirect to an entity of another name.

    Args:
        names: By the folded name that is given, the name that has the entity's key.
    """

    names: Mapping[str, str]

    @classmethod
    def of(cls, graph: Graph, project: str, names: Iterable[str]) -> "Redirects":
        """Look up names, a page of them at a time."""
        targets = targets_of(graph, {text.key(project, name) for name in names})
        return cls({text.name_of(key): text.name_of(target) for key, target in targets.items()})

    def __call__(self, entity: Entity) -> Entity:
        """The entity under the name that has its key."""
        name = self.names.get(text.normalised(entity.name))
        return entity if name is None else replace(entity, name=name)


def targets_of(graph: Graph, keys: Iterable[str]) -> dict[str, str]:
    """The keys to which some keys redirect, by these keys; read a page at a time."""
    return {
        row["key"]: row["target"]
        for page in batches(sorted(set(keys)), most=PAGE)
        for row in graph.read("read/redirects", keys=page)
        if row["target"] is not None  # or it is deleted meanwhile
    }


def put(transaction: Transaction, rows: Sequence[Mapping[str, Any]]) -> None:
    """Make keys redirect to entities; see `write/put_redirects`."""
    if rows:
        transaction.run("write/put_redirects", rows=list(rows))
