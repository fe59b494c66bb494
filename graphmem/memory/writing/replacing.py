"""Relations that replace others of their type, such as a new employer: these end when it begins."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from graphmem import read, text
from graphmem.graph import Graph
from graphmem.memory.writing.naming import relation_items
from graphmem.model import Item, Relation, limits, stored_values
from graphmem.model.identity import RelationIdentity
from graphmem.model.period import PERIOD, Day
from graphmem.write import WriteOptions, delete_relations, write_relations

# The most relations that one replaces: of a type that has more, an entity has several at a time.
MOST = 20
# Relations of the type that are looked through.
_SEEN = 1000


@dataclass(frozen=True, slots=True)
class Replacement:
    """A relation that replaces others.

    Args:
        relation: It, with the day or moment on which it begins.
        others: Those that hold then, with what is stored of them.
        last: The last day, or the moment, until which these hold.
    """

    relation: Relation
    others: Mapping[RelationIdentity, Mapping[str, Any]]
    last: Day

    @property
    def refusal(self) -> str | None:
        """Why it is not written; None if it may be."""
        if len(self.others) <= MOST:
            return None
        return (
            f"replaces {self.relation.replaces!r} would end {len(self.others):,} relations of the "
            f"type {self.relation.relation}, and may end {MOST}: of this type an entity has "
            "several at a time. End the right one by its `valid_until`"
        )


def replacement_of(
    graph: Graph, relation: Relation, ends_of: Mapping[str, read.Resolved]
) -> Replacement | None:
    """Find what a relation replaces; None if one of its ends leads nowhere.

    One without a beginning begins today, unless one like it holds already, which is then updated.

    Args:
        graph: The store.
        relation: The relation, with `replaces`.
        ends_of: What each name leads to.
    """
    start, end = ends_of[relation.start].key, ends_of[relation.end].key
    if start is None or end is None:
        return None
    starts = relation.replaces == "from"
    rows = graph.read(
        "read/relations_beside",
        key=start if starts else end, relation=relation.relation, starts=starts, limit=_SEEN,
    )  # fmt: skip
    stored = {RelationIdentity.of_row(row): row["stored"] for row in rows}
    today = datetime.now(UTC).date()
    if relation.valid_from is None:
        beginnings = [
            stored_values.bound(properties.get("valid_from"))
            for identity, properties in sorted(stored.items(), key=lambda pair: pair[0])
            if (identity.start, identity.end) == (start, end) and _holds(properties, today)
        ]
        relation = replace(relation, valid_from=beginnings[0] if beginnings else today)
    beginning = today if relation.valid_from is None else relation.valid_from
    own_identity = RelationIdentity.between(start, end, relation)
    return Replacement(
        relation=relation,
        others={
            identity: properties
            for identity, properties in stored.items()
            if identity != own_identity and _holds(properties, beginning)
        },
        last=beginning if isinstance(beginning, datetime) else beginning - timedelta(days=1),
    )


def end_others(
    graph: Graph, replacement: Replacement, options: WriteOptions
) -> Iterator[tuple[Item, str]]:
    """End the relations that one replaces, and delete those that would end before they begin.

    Yields:
        An item for each, and a sentence that says what became of it.
    """
    lasting: dict[RelationIdentity, Relation] = {}
    for identity, properties in replacement.others.items():
        first = stored_values.bound(properties.get("valid_from"))
        if first is None or _moment(first) <= limits.end_of("valid_until", replacement.last):
            lasting[identity] = Relation(
                text.name_of(identity.start), identity.relation, text.name_of(identity.end),
                valid_from=first, valid_until=replacement.last,
            )  # fmt: skip
    outcomes = write_relations(graph, lasting, options)
    for item in relation_items(graph, outcomes):
        yield item, f"{item.name} ended {replacement.last.isoformat()}, since it was replaced"
    unlasting = sorted(replacement.others.keys() - lasting.keys())
    if not options.dry_run:
        unlasting = [
            identity
            for other in unlasting
            for identity in delete_relations(
                graph, other.start, other.end, other.relation, other.since
            )
        ]
    for item in relation_items(graph, dict.fromkeys(unlasting, "removed")):
        yield item, f"{item.name} was deleted, since it began when it was replaced"


def _holds(properties: Mapping[str, Any], day: Day) -> bool:
    first, last = (stored_values.bound(properties.get(name)) for name in PERIOD)
    moment = _moment(day)
    return (first is None or _moment(first) <= moment) and (
        last is None or limits.end_of("valid_until", last) >= moment
    )


def _moment(day: Day) -> datetime:
    return limits.moment("valid_from", day)
