"""What a write did, item by item."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from graphmem.errors import DatabaseError, GraphmemError

Outcome = Literal["created", "updated", "unchanged", "removed", "refused"]
Sort = Literal["entity", "relation"]


@dataclass(frozen=True, slots=True)
class Item:
    """One thing a write was asked to do, and what became of it.

    Args:
        what: `entity` or `relation`.
        name: The entity's name, or `A -[TYPE]-> B`.
        outcome: created, updated, unchanged, removed (an import no longer says it) or refused.
        reason: Why it was refused; None otherwise.
        place: Where it came from, such as `decisions/redis.md:12`; None when it was an argument.
    """

    what: Literal["entity", "relation"]
    name: str
    outcome: Outcome
    reason: str | None = None
    place: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The items of one write, entities first, each in the order they were given.

    Args:
        project: The project written to.
        items: One per entity and relation asked for; of a large import the refused and removed
            ones and the first 10,000 of the others.
        dry_run: True when nothing was written and the outcomes are what would have happened.
        notes: Sentences for the caller, such as how many passages wait for the model.
        omitted: How many items are left out, by what they are and their outcome.
        withheld: Entities that an import no longer asserts and that it was not allowed to remove.
    """

    project: str
    items: tuple[Item, ...]
    dry_run: bool = False
    notes: tuple[str, ...] = ()
    omitted: Mapping[tuple[Sort, Outcome], int] = field(default_factory=dict)
    withheld: int = 0

    @property
    def changes(self) -> bool:
        """Whether anything was created, updated or removed."""
        changing: set[Outcome] = {"created", "updated", "removed"}
        return any(item.outcome in changing for item in self.items) or any(
            outcome in changing for _, outcome in self.omitted
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
            outcome: shown[outcome] + self.omitted.get((what, outcome), 0) for outcome in outcomes
        }

    def to_json(self) -> dict[str, object]:
        """Write counts and items as JSON values."""
        return {
            "project": self.project,
            "dry_run": self.dry_run,
            "entities": self.counts("entity"),
            "relations": self.counts("relation"),
            "items": [
                {
                    key: value
                    for key, value in (
                        ("what", item.what),
                        ("name", item.name),
                        ("outcome", item.outcome),
                        ("reason", item.reason),
                        ("place", item.place),
                    )
                    if value is not None
                }
                for item in self.items
            ],
            "omitted": sum(self.omitted.values()),
            "withheld": self.withheld,
            "notes": list(self.notes),
        }


class PartialWrite(DatabaseError):
    """A write failed after some of its batches were written; they stay.

    Args:
        report: What was written and refused before; an item for everything that was come to.
        error: Why it went no further.
    """

    def __init__(self, report: Report, error: GraphmemError) -> None:
        self.report = report
        sorts: tuple[Sort, ...] = ("entity", "relation")
        counted = [report.counts(sort) for sort in sorts]
        counts = [sum(one.values()) - one["refused"] for one in counted]
        super().__init__(
            f"{error}; {_counted(counts[0], 'entity', 'entities')} and "
            f"{_counted(counts[1], 'relation', 'relations')} were written before that and stay, "
            "so once the cause is gone the same can be said again whole"
        )


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"
