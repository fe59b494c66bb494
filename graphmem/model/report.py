"""What a write did, item by item."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from graphmem.errors import DatabaseError, GraphmemError
from graphmem.model.json_object import HIDDEN, OPTIONAL, JsonObject

Outcome = Literal["created", "updated", "unchanged", "removed", "refused"]
Sort = Literal["entity", "relation"]


@dataclass(frozen=True, slots=True)
class Item(JsonObject):
    """One thing a write was asked to do, and what became of it.

    Args:
        what: `entity` or `relation`.
        name: The entity's name, or `A -[TYPE]-> B`.
        outcome: created, updated, unchanged, removed (by `purge` or `unlink`, or by an import
            whose source lacks it now) or refused.
        reason: Why it was refused; None otherwise.
        place: Where it came from, such as `decisions/redis.md:12`; None when it was an argument.
    """

    what: Literal["entity", "relation"]
    name: str
    outcome: Outcome
    reason: str | None = field(default=None, metadata=OPTIONAL)
    place: str | None = field(default=None, metadata=OPTIONAL)


@dataclass(frozen=True, slots=True)
class Report(JsonObject):
    """The items of one write, entities first, each in the order they were given.

    Args:
        project: The project written to.
        items: One per entity and relation asked for; of a large import the first 100,000 that were
            refused, as many that were removed, and the first 10,000 of the others.
        dry_run: True when nothing was written and the outcomes are what would have happened.
        entities: How many entities were asked for, by outcome; every outcome is a key.
        relations: How many relations, likewise.
        omitted: How many items are left out.
        withheld: Entities that an import no longer asserts and that it was not allowed to remove.
        notes: Sentences for the caller, such as how many passages wait for the model.
        omitted_counts: How many items are left out, by what they are and their outcome.
    """

    project: str
    dry_run: bool = field(default=False, kw_only=True)
    entities: dict[Outcome, int] = field(init=False)
    relations: dict[Outcome, int] = field(init=False)
    items: tuple[Item, ...]
    omitted: int = field(init=False)
    withheld: int = field(default=0, kw_only=True)
    notes: tuple[str, ...] = field(default=(), kw_only=True)
    omitted_counts: Mapping[tuple[Sort, Outcome], int] = field(
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

    def counts(self, what: Sort) -> dict[Outcome, int]:
        """Count what was asked for of one sort by outcome; every outcome is a key."""
        shown = Counter(item.outcome for item in self.items if item.what == what)
        outcomes: tuple[Outcome, ...] = ("created", "updated", "unchanged", "removed", "refused")
        return {
            outcome: shown[outcome] + self.omitted_counts.get((what, outcome), 0)
            for outcome in outcomes
        }


class PartialWrite(DatabaseError):
    """A write failed after some of its batches were written; they stay.

    Args:
        report: What was written and refused before; an item for everything that was come to.
        error: Why it went no further.
    """

    def __init__(self, report: Report, error: GraphmemError) -> None:
        self.report = report
        counts = [
            sum(by_outcome.values()) - by_outcome["refused"]
            for by_outcome in (report.entities, report.relations)
        ]
        super().__init__(
            f"{error}; {_counted(counts[0], 'entity', 'entities')} and "
            f"{_counted(counts[1], 'relation', 'relations')} were written before that and stay, "
            "so run the same again once the cause is fixed"
        )


def _counted(count: int, singular: str, plural: str) -> str:
    return f"{count:,} {singular if count == 1 else plural}"
