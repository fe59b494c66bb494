"""What a write did, item by item."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from graphmem.errors import DatabaseError, GraphmemError, quantity
from graphmem.model.entity import Entity, Relation
from graphmem.model.json_object import HIDDEN, OPTIONAL, JsonObject

Outcome = Literal["created", "updated", "unchanged", "removed", "refused"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
# Of what a line, a row or an item is about.
ItemSort = Literal["entity", "relation"]


@dataclass(frozen=True, slots=True)
class Item(JsonObject):
    """The outcome of a write for one entity or relation.

    Args:
        what: `entity` or `relation`.
        name: The entity's name, or `A -[TYPE]-> B`.
        outcome: created, updated, unchanged, removed (by `purge` or `unlink`, by an import if it
            is gone from the source, or by `undo` of what created it) or refused.
        reason: Why it was refused; None otherwise.
        place: Where an import read it, such as `decisions/redis.md:12`; None for an argument.
    """

    what: ItemSort
    name: str
    outcome: Outcome
    reason: str | None = field(default=None, metadata=OPTIONAL)
    place: str | None = field(default=None, metadata=OPTIONAL)


def refused_item(value: Entity | Relation | Item, reason: str) -> Item:
    """The outcome of what is not written; an Item was refused before."""
    match value:
        case Item():
            return value
        case Entity():
            return Item("entity", value.name, "refused", reason)
        case Relation():
            return Item("relation", value.display_name, "refused", reason)


@dataclass(frozen=True, slots=True)
class Report(JsonObject):
    """The items of one write, entities first, each in the order they were given.

    Args:
        project: The project that was written to.
        items: One for each given entity and relation; of a large import the first 100,000 that were
            refused, the first 100,000 that were removed, and the first 10,000 others.
        dry_run: True if nothing was written and the outcomes are what would have happened.
        entities: The number of entities, by outcome; every outcome is a key.
        relations: The number of relations, likewise.
        omitted: How many items are left out.
        withheld: How many entities an import did not remove because that was not allowed.
        notes: Sentences for the caller, such as how many passages wait for the model.
        omitted_counts: How many items are left out, by sort and outcome.
    """

    project: str
    dry_run: bool = field(default=False, kw_only=True)
    entities: dict[Outcome, int] = field(init=False)
    relations: dict[Outcome, int] = field(init=False)
    items: tuple[Item, ...]
    omitted: int = field(init=False)
    withheld: int = field(default=0, kw_only=True)
    notes: tuple[str, ...] = field(default=(), kw_only=True)
    omitted_counts: Mapping[tuple[ItemSort, Outcome], int] = field(
        default_factory=dict, kw_only=True, metadata=HIDDEN
    )

    def __post_init__(self) -> None:
        """Count the items."""
        object.__setattr__(self, "entities", self.counts("entity"))
        object.__setattr__(self, "relations", self.counts("relation"))
        object.__setattr__(self, "omitted", sum(self.omitted_counts.values()))

    @property
    def changes(self) -> bool:
        """Whether anything was created, updated or removed."""
        changing: set[Outcome] = {"created", "updated", "removed"}
        return any(item.outcome in changing for item in self.items) or any(
            outcome in changing for _, outcome in self.omitted_counts
        )

    @property
    def refused(self) -> tuple[Item, ...]:
        """The items that were refused, in order."""
        return tuple(item for item in self.items if item.outcome == "refused")

    def counts(self, what: ItemSort) -> dict[Outcome, int]:
        """Count the items of one sort by outcome; every outcome is a key."""
        shown = Counter(item.outcome for item in self.items if item.what == what)
        return {
            outcome: shown[outcome] + self.omitted_counts.get((what, outcome), 0)
            for outcome in OUTCOMES
        }


class PartialWrite(DatabaseError):
    """A write failed after some of its batches were written; they stay written.

    Args:
        report: What was written and refused before; it has no items for the rest.
        error: Why the write ended.
    """

    def __init__(self, report: Report, error: GraphmemError) -> None:
        self.report = report
        counts = [
            sum(by_outcome.values()) - by_outcome["refused"]
            for by_outcome in (report.entities, report.relations)
        ]
        super().__init__(
            f"{error}; {quantity(counts[0], 'entity', 'entities')} and "
            f"{quantity(counts[1], 'relation', 'relations')} were written before that and stay, "
            "so run the same again once the cause is fixed"
        )
