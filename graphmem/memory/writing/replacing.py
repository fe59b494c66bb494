"""Relations that replace others of their type, such as a new employer: these end when it begins.

One that begins before another one of the type ends when that begins.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from graphmem import read, text
from graphmem.graph import Graph, Reader, Transaction, rehearse
from graphmem.memory.writing.unlinking import relation_items
from graphmem.model import Item, Relation, limits, stored_values
from graphmem.model.identity import RelationIdentity
from graphmem.model.period import PERIOD, Day, day_text
from graphmem.model.report import Outcome
from graphmem.write import WriteOptions
from graphmem.write.deleting.relations import delete_selected
from graphmem.write.relations import RelationWrite, put

# The most relations that one replaces: of a type that has more, an entity has several at a time.
MOST_REPLACED = 20
# Relations of the type that are looked through.
_SEEN = 1000


@dataclass(frozen=True, slots=True)
class Replacement:
    """A relation that replaces others.

    Args:
        relation: It, with the day or moment on which it begins.
        identity: Its identity.
        others: Those that hold then, with what is stored of them.
        following: The first of those that begin later; None if there is none.
    """

    relation: Relation
    identity: RelationIdentity
    others: Mapping[RelationIdentity, Mapping[str, Any]]
    following: RelationIdentity | None

    @property
    def beginning(self) -> Day:
        """The day or moment on which it begins."""
        return self.relation.valid_from or datetime.now(UTC).date()

    @property
    def last(self) -> Day:
        """The last day, or the moment, until which the others hold."""
        return _last_before(self.beginning)

    def others_of(
        self, stored: Mapping[RelationIdentity, Mapping[str, Any]]
    ) -> dict[RelationIdentity, Mapping[str, Any]]:
        """Those of some relations beside it that hold when it begins."""
        return {
            identity: properties
            for identity, properties in stored.items()
            if identity != self.identity and _holds(properties, self.beginning)
        }

    def following_of(
        self, stored: Mapping[RelationIdentity, Mapping[str, Any]]
    ) -> tuple[RelationIdentity, Day] | None:
        """The first of some relations that begins later, and the last day before.

        None if there is none, or if it has ended by then itself.
        """
        beginnings = {
            identity: first
            for identity, properties in stored.items()
            if (first := stored_values.bound(properties.get("valid_from"))) is not None
            and _moment(first) > _moment(self.beginning)
        }
        if not beginnings:
            return None
        following = min(beginnings, key=lambda other: (_moment(beginnings[other]), other))
        last = _last_before(beginnings[following])
        own_last = stored_values.bound(stored.get(self.identity, {}).get("valid_until"))
        has_ended = own_last is not None and _end_of(own_last) <= _end_of(last)
        return None if has_ended else (following, last)

    @property
    def refusal(self) -> str | None:
        """Why it is not written; None if it may be."""
        if len(self.others) <= MOST_REPLACED:
            return None
        return (
            f"replaces {self.relation.replaces!r} would end {len(self.others):,} relations of the "
            f"type {self.relation.relation}, and may end {MOST_REPLACED}: of this type an entity "
            "has several at a time. End the right one by its `valid_until`"
        )


def replacement_of(
    graph: Graph, relation: Relation, ends_of: Mapping[str, read.Resolved]
) -> Replacement | None:
    """Find what a relation replaces; None if one of its ends leads nowhere.

    One without a beginning begins today, unless one like it holds already, which is then updated.
    Before one that begins later, it ends.

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
    replacement = Replacement(
        relation=relation,
        identity=RelationIdentity.between(start, end, relation),
        others={},
        following=None,
    )
    following, last = replacement.following_of(stored) or (None, relation.valid_until)
    return replace(
        replacement,
        relation=replace(relation, valid_until=last),
        others=replacement.others_of(stored),
        following=following,
    )


def end_others(
    graph: Graph, replacement: Replacement, options: WriteOptions
) -> Iterator[tuple[Item, str]]:
    """End the relations that one replaces, and delete those that would end before they begin.

    They are looked up again behind the lock of the entity that they have in common: of two that
    replace each other at the same time, one stays.

    Yields:
        An item for each, and a sentence that says what became of it.
    """

    def work(transaction: Transaction) -> _Ended:
        if options.dry_run:
            return _end(transaction, replacement.others, replacement, options)
        identity, relation = replacement.identity, replacement.relation
        common = identity.start if relation.replaces == "from" else identity.end
        transaction.run("write/lock_keys", keys=[common])
        stored = _beside(transaction, identity.start, identity.end, relation)
        own_properties = stored.get(identity)
        if own_properties is None or not _holds(own_properties, replacement.beginning):
            return _Ended({}, [])  # another one has replaced it meanwhile
        ended = _end(transaction, replacement.others_of(stored), replacement, options)
        return replace(ended, following=_end_before(transaction, stored, replacement, options))

    ended = rehearse(graph, work) if options.dry_run else graph.write(work)
    for item in relation_items(graph, ended.outcomes):
        yield item, f"{item.name} ended {day_text(replacement.last)}, since it was replaced"
    for item in relation_items(graph, dict.fromkeys(ended.deleted, "removed")):
        yield item, f"{item.name} was deleted, since it began when it was replaced"
    if ended.following is not None:
        following, last = ended.following
        (item,) = relation_items(graph, {replacement.identity: "updated"})
        yield item, _ends_before(graph, item.name, following, last)


def following_note(graph: Graph, replacement: Replacement) -> str | None:
    """A sentence that says when the relation ends, if another one begins later."""
    last = replacement.relation.valid_until
    if replacement.following is None or last is None:
        return None
    return _ends_before(graph, replacement.relation.display_name, replacement.following, last)


def _ends_before(graph: Graph, name: str, following: RelationIdentity, last: Day) -> str:
    (item,) = relation_items(graph, {following: "unchanged"})
    return f"{name} ends {day_text(last)}, since {item.name} follows"


@dataclass(frozen=True, slots=True)
class _Ended:
    """What became of those that were replaced, and what follows the relation meanwhile."""

    outcomes: dict[RelationIdentity, Outcome]
    deleted: list[RelationIdentity]
    following: tuple[RelationIdentity, Day] | None = None


def _end_before(
    transaction: Transaction,
    stored: Mapping[RelationIdentity, Mapping[str, Any]],
    replacement: Replacement,
    options: WriteOptions,
) -> tuple[RelationIdentity, Day] | None:
    """End the relation before one that has come meanwhile and begins later."""
    following = replacement.following_of(stored)
    if following is not None:
        relation = replace(replacement.relation, valid_until=following[1])
        write = RelationWrite(replacement.identity, relation, datetime.now(UTC))
        put(transaction, [write], options)
    return following


def _end(
    transaction: Transaction,
    others: Mapping[RelationIdentity, Mapping[str, Any]],
    replacement: Replacement,
    options: WriteOptions,
) -> _Ended:
    """End or delete relations."""
    lasting: dict[RelationIdentity, Relation] = {}
    for identity, properties in others.items():
        first = stored_values.bound(properties.get("valid_from"))
        if first is None or _moment(first) <= _end_of(replacement.last):
            lasting[identity] = Relation(
                text.name_of(identity.start), identity.relation, text.name_of(identity.end),
                valid_from=first, valid_until=replacement.last,
            )  # fmt: skip
    now = datetime.now(UTC)
    writes = [RelationWrite(identity, lasting[identity], now) for identity in sorted(lasting)]
    ended = put(transaction, writes, options) if writes else {}
    unlasting = sorted(others.keys() - lasting.keys())
    if options.dry_run or not unlasting:
        return _Ended(ended, unlasting)
    return _Ended(
        ended, delete_selected(transaction, [identity.to_row() for identity in unlasting])
    )


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
    return (first is None or _moment(first) <= moment) and (last is None or _end_of(last) >= moment)


def _last_before(beginning: Day) -> Day:
    """The day before one, or the moment itself."""
    return beginning if isinstance(beginning, datetime) else beginning - timedelta(days=1)


def _end_of(day: Day) -> datetime:
    return limits.end_of("valid_until", day)


def _moment(day: Day) -> datetime:
    return limits.moment("valid_from", day)
