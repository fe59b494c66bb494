"""What was changed in some projects after a moment, and how each entity was before."""

import itertools
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Self

from graphmem.graph import Reader, Row
from graphmem.model.identity import RelationIdentity
from graphmem.model.paths import CREATED_IN, WHOLE
from graphmem.write.assertions.noted import required
from graphmem.write.assertions.states import State
from graphmem.write.history.effects import created_rows
from graphmem.write.time_travel.limits import MOST_REVISIONS, Amount


@dataclass(frozen=True, slots=True)
class LaterChanges:
    """The changes that began, or went on, after a moment.

    Args:
        moment: The moment.
        rows: Rows of `read/changes_after`.
    """

    moment: datetime
    rows: Sequence[Row]

    @classmethod
    def of(cls, reader: Reader, projects: Sequence[str], moment: datetime) -> Self:
        """Read the changes of some projects."""
        return cls(
            moment, reader.read("read/changes_after", projects=list(projects), moment=moment)
        )

    @property
    def ids(self) -> list[str]:
        """The ids of all changes, in the order in which they began."""
        return [row["id"] for row in self.rows]

    @property
    def ends(self) -> dict[str, datetime]:
        """The moment until which each change went on, by its id."""
        return {row["id"]: row["last_at"] for row in self.rows}

    @property
    def beginnings(self) -> dict[str, datetime]:
        """When each change began, by its id, of those that began after the moment."""
        return {row["id"]: row["at"] for row in self.rows if row["is_after"]}

    @property
    def ids_by_project(self) -> dict[str, list[str]]:
        """By project, the sorted ids of the changes that began after the moment."""
        pairs = sorted((row["project"], row["id"]) for row in self.rows if row["is_after"])
        return {
            project: [change_id for _, change_id in group]
            for project, group in itertools.groupby(pairs, key=lambda pair: pair[0])
        }


@dataclass(slots=True)
class ChangedEntity:
    """What happened to an entity, and to the relations that begin at it, after a moment.

    Args:
        before: What was there at the moment, by path, as far as it was changed since.
        befores: The same as each revision has noted it, the newest first.
        first_changed: When it was changed for the first time since; None if it was only created.
        created: When it was created, for the last time; None if that was before.
        created_relations: The relations that begin at it and were created since.
        revisions: How often it was changed since.
    """

    before: State = field(default_factory=dict)
    befores: list[State] = field(default_factory=list)
    first_changed: datetime | None = None
    created: datetime | None = None
    created_relations: list[RelationIdentity] = field(default_factory=list)
    revisions: int = 0

    def add_revision(self, row: Row) -> None:
        """Add a revision, which has to be older than those before."""
        self.befores.append(required(row["before"], row["key"]))
        self.before |= self.befores[-1]
        self.first_changed = row["at"]
        self.revisions += 1

    def existed(self, state: State, later_changes: Container[str]) -> bool:
        """Whether it existed at the moment.

        It did if it was created before, or if it was deleted and created again since.

        Args:
            state: Its state at the moment, in which a damaged history leaves paths out.
            later_changes: The ids of the changes that began since.
        """
        if self.created is not None:
            was_changed_before = (
                self.first_changed is not None and self.first_changed < self.created
            )
            if not was_changed_before:
                return False
        return state.keys() >= set(WHOLE) and self.before.get(CREATED_IN) not in later_changes


def changed_entities(
    reader: Reader, changes: LaterChanges, amount: Amount
) -> dict[str, ChangedEntity]:
    """What the changes did to entities, by their keys.

    Args:
        reader: The store.
        changes: The changes.
        amount: Gets the entities, before what was created of them is read.

    Raises:
        InvalidInput: Too much has changed.
    """
    entities: dict[str, ChangedEntity] = {}
    # Of each entity the newest revision first.
    revision_rows = reader.read(
        "read/revisions_after",
        changes=changes.ids, moment=changes.moment, limit=MOST_REVISIONS,
    )  # fmt: skip
    for row in revision_rows:
        entities.setdefault(row["key"], ChangedEntity()).add_revision(row)
    created_keys = {
        project: [
            row["key"] for row in reader.read("read/created_keys", project=project, changes=ids)
        ]
        for project, ids in changes.ids_by_project.items()
    }
    amount.add_entities(sorted(entities.keys() | itertools.chain(*created_keys.values())))
    beginnings = changes.beginnings
    for project, keys in created_keys.items():
        for row in created_rows(reader, keys, changes.ids_by_project[project]):
            entity = entities.setdefault(row["key"], ChangedEntity())
            entity.created_relations += map(RelationIdentity.of_row, row["relations"])
            if row["is_new"]:
                entity.created = beginnings[row["change"]]
    return entities
