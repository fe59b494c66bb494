"""Relations that replace others of their type, such as a new employer: these end when it begins."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from graphmem import read, text
from graphmem.graph import Graph, Reader, Transaction, rehearse
from graphmem.memory.writing.naming import relation_items
from graphmem.model import Item, Relation, limits, stored_values
from graphmem.model.identity import RelationIdentity
from graphmem.model.period import PERIOD, Day
from graphmem.model.report import Outcome
from graphmem.write import WriteOptions
from graphmem.write.deleting.relations import delete_selected
from graphmem.write.relations import RelationWrite, put

# The most relations that one replaces: of a type that has more, an entity has several at a time.
MOST = 20
# Relations of the type that are looked through.
_SEEN = 1000


@dataclass(frozen=True, slots=True)
class Replacement:
    """A relation that replaces others.

    Args:
        relation: It, with the day or moment on which it begins.
        identity: Its identity.
        others: Those that hold then, with what is stored of them.
        last: The last day, or the moment, until which these hold.
    """

    relation: Relation
    identity: RelationIdentity
    others: Mapping[RelationIdentity, Mapping[str, Any]]
    last: Day

    @property
    def beginning(self) -> Day:
        """The day or moment on which it begins."""
        return self.relation.valid_from or datetime.now(UTC).date()

    def others_of(
        self, stored: Mapping[RelationIdentity, Mapping[str, Any]]
    ) -> dict[RelationIdentity, Mapping[str, Any]]:
        """Those of some relations beside it that hold when it begins."""
        return {
            identity: properties
            for identity, properties in stored.items()
            if identity != self.identity and _holds(properties, self.beginning)
        }

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
    stored = _beside(graph, start, end, relation)
    today = datetime.now(UTC).date()
    if relation.valid_from is None:
        beginnings = [
            stored_values.bound(properties.get("valid_from"))
            for identity, properties in sorted(stored.items(), key=lambda pair: pair[0])
            if (identity.start, identity.end) == (start, end) and _holds(properties, today)
        ]
        relation = replace(relation, valid_from=beginnings[0] if beginnings else today)
    beginning = today if relation.valid_from is None else relation.valid_from
    replacement = Replacement(
        relation=relation,
        identity=RelationIdentity.between(start, end, relation),
        others={},
        last=beginning if isinstance(beginning, datetime) else beginning - timedelta(days=1),
    )
    return replace(replacement, others=replacement.others_of(stored))


def end_others(
    graph: Graph, replacement: Replacement, options: WriteOptions
) -> Iterator[tuple[Item, str]]:
    """End the relations that one replaces, and delete those that would end before they begin.

    They are looked up again behind the lock of the entity that they have in common: of two that
    replace each other at the same time, one stays.

    Yields:
        An item for each, and a sentence that says what became of it.
    """

    def work(
        transaction: Transaction,
    ) -> tuple[dict[RelationIdentity, Outcome], list[RelationIdentity]]:
        if options.dry_run:
            return _end(transaction, replacement.others, replacement, options)
        identity, relation = replacement.identity, replacement.relation
        common = identity.start if relation.replaces == "from" else identity.end
        transaction.run("write/lock_keys", keys=[common])
        stored = _beside(transaction, identity.start, identity.end, relation)
        own_properties = stored.get(identity)
        if own_properties is None or not _holds(own_properties, replacement.beginning):
            return {}, []  # another one has replaced it meanwhile
        return _end(transaction, replacement.others_of(stored), replacement, options)

    ended, deleted = rehearse(graph, work) if options.dry_run else graph.write(work)
    for item in relation_items(graph, ended):
        yield item, f"{item.name} ended {replacement.last.isoformat()}, since it was replaced"
    for item in relation_items(graph, dict.fromkeys(deleted, "removed")):
        yield item, f"{item.name} was deleted, since it began when it was replaced"


def _end(
    transaction: Transaction,
    others: Mapping[RelationIdentity, Mapping[str, Any]],
    replacement: Replacement,
    options: WriteOptions,
) -> tuple[dict[RelationIdentity, Outcome], list[RelationIdentity]]:
    """End or delete relations; gives the outcomes of those that ended, and those deleted."""
    lasting: dict[RelationIdentity, Relation] = {}
    for identity, properties in others.items():
        first = stored_values.bound(properties.get("valid_from"))
        if first is None or _moment(first) <= limits.end_of("valid_until", replacement.last):
            lasting[identity] = Relation(
                text.name_of(identity.start), identity.relation, text.name_of(identity.end),
                valid_from=first, valid_until=replacement.last,
            )  # fmt: skip
    now = datetime.now(UTC)
    writes = [RelationWrite(identity, lasting[identity], now) for identity in sorted(lasting)]
    ended = put(transaction, writes, options) if writes else {}
    unlasting = sorted(others.keys() - lasting.keys())
    if options.dry_run or not unlasting:
        return ended, unlasting
    return ended, delete_selected(transaction, [identity.to_row() for identity in unlasting])


def _beside(
    reader: Reader, start: str, end: str, relation: Relation
) -> dict[RelationIdentity, Mapping[str, Any]]:
    """The relations of the type that have the same entity where a relation replaces them."""
    starts = relation.replaces == "from"
    rows = reader.read(
        "read/relations_beside",
        key=start if starts else end, relation=relation.relation, starts=starts, limit=_SEEN,
    )  # fmt: skip
    return {RelationIdentity.of_row(row): row["stored"] for row in rows}


def _holds(properties: Mapping[str, Any], day: Day) -> bool:
    first, last = (stored_values.bound(properties.get(name)) for name in PERIOD)
    moment = _moment(day)
    return (first is None or _moment(first) <= moment) and (
        last is None or limits.end_of("valid_until", last) >= moment
    )


def _moment(day: Day) -> datetime:
    return limits.moment("valid_from", day)
