"""Entities walked back to a moment, and which of them a name led to then."""

import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from graphmem import lucene, read, text
from graphmem.errors import InvalidInput, NotFound
from graphmem.graph import Graph, Row
from graphmem.memory.names.code_places import code_named
from graphmem.memory.past.beginning import require_history
from graphmem.memory.past.steps import Step, steps_back
from graphmem.memory.past.walk_back import creation
from graphmem.model.json_object import iso
from graphmem.model.paths import REDIRECT
from graphmem.model.relation_fields import CREATED_BY
from graphmem.write.assertions.noted import required
from graphmem.write.assertions.shape import Stored
from graphmem.write.assertions.states import State, stored_state, word_path
from graphmem.write.entities import snapshots

# The most revisions that are taken back of an entity, and of others that changed links to it.
MOST_REVISIONS = 50_000
# The most entities that are looked at because an alias of theirs was changed.
MOST_ALIASED = 20


@dataclass(frozen=True, slots=True)
class EntityThen:
    """An entity at a moment.

    Args:
        stored: As it is stored; blank where it was merged into another one since.
        moment: The moment.
        later: The steps back over what was changed after it, the newest first.
        earlier_rows: The revisions before it, the newest first.
        created_at: When it was created, as of then; None where that is not recorded.
    """

    stored: Stored
    moment: datetime
    later: Sequence[Step]
    earlier_rows: Sequence[Row]
    created_at: datetime | None

    @classmethod
    def of(cls, graph: Graph, key: str, moment: datetime) -> Self:
        """Walk an entity back.

        Raises:
            NotFound: Its history of that time was deleted.
            InvalidInput: It has changed too often since.
            DatabaseError: A record of its history cannot be read.
        """
        stored = next(entity for _, entity, _ in snapshots(graph, [key]))
        require_history(graph, moment, stored.properties.get("graphmem_history_from"))
        rows = graph.read("read/revisions", keys=[key], limit=MOST_REVISIONS + 1)
        steps = steps_back(stored, rows)
        later = list(itertools.takewhile(lambda step: step.row["at"] > moment, steps))
        require_few(later, moment, "of it")
        for step in later:
            required(step.row["before"], key)
        created_by = later[-1].created_by if later else stored.properties.get(CREATED_BY)
        created = creation(graph, created_by)
        return cls(
            stored, moment, later, rows[len(later) :], None if created is None else created.at
        )

    @property
    def state(self) -> State:
        """Its state at the moment; empty if it did not exist."""
        return self.later[-1].earlier if self.later else stored_state(self.stored)

    @property
    def is_there(self) -> bool:
        """Whether it existed, and was not merged into another one."""
        return bool(self.state) and not self._is_created_later

    @property
    def _is_created_later(self) -> bool:
        return self.created_at is not None and self.created_at > self.moment

    def check(self) -> None:
        """Refuse a moment at which it was not there.

        Raises:
            NotFound: It was created later, was a part of another one, or is deleted.
        """
        name = self.stored.properties.get("name") or text.name_of(self.stored.key)
        if not self.state and not self.later:
            raise NotFound(f"there is no entity {name} any more")
        if not self.state:
            raise NotFound(
                f"{name} did not exist at {iso(self.moment)}: it had been merged into another "
                f"entity, and was restored at {iso(self.later[-1].row['at'])}"
            )
        if self.created_at is not None and self._is_created_later:
            raise NotFound(
                f"{name} did not exist at {iso(self.moment)}; it was created at "
                f"{iso(self.created_at)}"
            )


def entity_at(graph: Graph, project: str, name: str, moment: datetime) -> EntityThen:
    """The entity that a name led to at a moment, or else the one that it leads to now.

    A name that leads to none may say where code is now, such as `app/store.py:120`.

    Raises:
        NotFound: It leads to none, or the one it leads to was not there.
        InvalidInput: The entity has changed too often since.
    """
    clean_name = lucene.clean(name)
    resolved = read.resolve(graph, project, [clean_name])[clean_name]
    is_key = name.startswith(f"{project}#")
    key = name if is_key else text.key(project, clean_name)
    # An entity that has its own name leads nowhere else, and led elsewhere only while it was not
    # there.
    then = EntityThen.of(graph, key, moment) if resolved.key == key else None
    if then is None or not then.is_there:
        former = _former(graph, project, key, moment)
        if former is None and not is_key:
            former = _former_alias(graph, project, clean_name, moment, resolved.key)
        if former is not None:
            return former
    if not resolved.leads_somewhere:
        resolved = code_named(graph, project, clean_name)
    if resolved.key is None:
        raise NotFound(read.not_found(name, resolved, project))
    then = then or EntityThen.of(graph, resolved.key, moment)
    then.check()
    return then


def _former(graph: Graph, project: str, key: str, moment: datetime) -> EntityThen | None:
    """The entity that a key led to at a moment, where that was changed since.

    The first revision since that changed it is one of the entity that a merge took away, or of the
    entity that got the name: unless the key led to another one before.
    """
    path = f"{REDIRECT}{key}"
    rows = graph.read(
        "read/changed_redirect",
        project=project, path=f"{json.dumps(path, ensure_ascii=False)}:", moment=moment,
    )  # fmt: skip
    if not rows:
        return None
    target = required(rows[0]["before"], rows[0]["key"])[path]
    then = EntityThen.of(graph, target or rows[0]["key"], moment)
    return then if then.is_there else None


def _former_alias(
    graph: Graph, project: str, name: str, moment: datetime, present_key: str | None
) -> EntityThen | None:
    """The only entity that had an alias at a moment, if its aliases were changed since.

    Args:
        graph: The store.
        project: The project.
        name: The alias.
        moment: The moment.
        present_key: The key of the entity that the name leads to now.
    """
    path = word_path(("alias", text.normalised(name)))
    rows = graph.read(
        "read/changed_aliases",
        project=project, path=f"{json.dumps(path, ensure_ascii=False)}:", moment=moment,
        limit=MOST_ALIASED,
    )  # fmt: skip
    keys = {row["key"] for row in rows}
    if not keys:
        return None
    entities = [
        EntityThen.of(graph, key, moment)
        for key in sorted(keys | ({present_key} if present_key else set()))
    ]
    named = [then for then in entities if then.is_there and _counts(then.state.get(path))]
    return named[0] if len(named) == 1 else None


def _counts(by_author: Mapping[str, Any] | None) -> bool:
    """Whether anybody said that an entity has an alias."""
    return any(value is not None for _, value in (by_author or {}).values())


def require_few(revisions: Sequence[object], moment: datetime, owner: str) -> None:
    """Refuse to undo too many revisions.

    Raises:
        InvalidInput: There are too many revisions.
    """
    if len(revisions) > MOST_REVISIONS:
        raise InvalidInput(
            "moment",
            iso(moment),
            f"must be later: more than {MOST_REVISIONS:,} revisions {owner} were made since then, "
            "and no more can be undone",
        )
