"""Links two entities by a relation that replaces others of its type, such as a new employer."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from graphmem import text
from graphmem.errors import InvalidInput
from graphmem.graph import Graph
from graphmem.memory.writing.naming import relation_items
from graphmem.memory.writing.planned import Planned, resolved
from graphmem.memory.writing.remembering import Input
from graphmem.model import Item, Relation, Report, limits
from graphmem.model.identity import RelationIdentity
from graphmem.model.period import Day
from graphmem.write import WriteOptions, delete_relations, write_relations

# The end that a relation shares with those that it replaces.
SharedEnd = Literal["from", "to"]
SHARED_ENDS: tuple[SharedEnd, ...] = ("from", "to")
# The most relations that one replaces: of a type that has more, an entity has several at a time.
REPLACED = 20
# Relations of the type that are looked through.
_SEEN = 1000


def link_replacing(
    graph: Graph,
    assertions: Input,
    shared_end: SharedEnd,
    options: WriteOptions,
    write: Callable[[Input], Report],
) -> Report:
    """Write a relation, then end the others of its type that hold when it begins.

    One without a beginning begins today, unless one like it holds already, which is then updated.

    Args:
        graph: The store.
        assertions: The relation.
        shared_end: Whether the others start where it starts, or end where it ends.
        options: The project.
        write: Writes the relation.

    Returns:
        An item for the relation, and one for each that it replaces: updated if it has an end now,
        removed if it would have ended before it began.

    Raises:
        InvalidInput: More than 20 relations would end.
    """
    (relation,) = assertions.relations
    if isinstance(relation, Item):
        return write(assertions)
    ends = resolved(graph, options.project, [relation], Planned())
    start, end = ends[relation.start].key, ends[relation.end].key
    if start is None or end is None:
        return write(assertions)
    rows = graph.read(
        "read/relations_beside",
        key=start if shared_end == "from" else end,
        relation=relation.relation,
        starts=shared_end == "from",
        limit=_SEEN,
    )
    relations = {RelationIdentity.of_row(row): row["stored"] for row in rows}
    relation = _with_beginning(relation, start, end, relations)
    identity = RelationIdentity.between(start, end, relation)
    beginning = _beginning(relation, relations.get(identity, {}))
    replaced = {
        other: properties
        for other, properties in relations.items()
        if other != identity and _holds(properties, beginning)
    }
    if len(replaced) > REPLACED:
        raise InvalidInput(
            "replaces", shared_end,
            f"would end {len(replaced):,} relations of the type {relation.relation}, and may end "
            f"{REPLACED}",
            hint="Of this type an entity has several at a time; end the right one by its "
            "`valid_until`.",
        )  # fmt: skip
    report = write(Input((), (relation,)))
    if report.refused:
        return report
    last = beginning if isinstance(beginning, datetime) else beginning - timedelta(days=1)
    return replace(report, items=(*report.items, *_ended(graph, replaced, last, options)))


def _with_beginning(
    relation: Relation,
    start: str,
    end: str,
    relations: Mapping[RelationIdentity, Mapping[str, Any]],
) -> Relation:
    """The relation as the one like it that holds today, else as one that begins today."""
    if relation.valid_from is not None:
        return relation
    today = datetime.now(UTC).date()
    for identity, properties in sorted(relations.items()):
        if (identity.start, identity.end) == (start, end) and _holds(properties, today):
            return replace(relation, valid_from=properties.get("valid_from"))
    return replace(relation, valid_from=today)


def _beginning(relation: Relation, stored: Mapping[str, Any]) -> Day:
    """When the others end: the beginning of the relation; today if it has always been there."""
    given = relation.valid_from or stored.get("valid_from")
    return datetime.now(UTC).date() if given is None else given


def _holds(properties: Mapping[str, Any], day: Day) -> bool:
    first, last = properties.get("valid_from"), properties.get("valid_until")
    moment = limits.moment("valid_from", day)
    return (first is None or limits.moment("valid_from", first) <= moment) and (
        last is None or limits.end_of("valid_until", last) >= moment
    )


def _ended(
    graph: Graph,
    relations: Mapping[RelationIdentity, Mapping[str, Any]],
    last: Day,
    options: WriteOptions,
) -> Iterator[Item]:
    """End relations, and delete those that begin after their end."""
    lasting: dict[RelationIdentity, Relation] = {}
    for identity, properties in relations.items():
        first = properties.get("valid_from")
        if first is None or limits.moment("valid_from", first) <= limits.end_of("last", last):
            lasting[identity] = Relation(
                text.name_of(identity.start), identity.relation, text.name_of(identity.end),
                valid_from=first, valid_until=last,
            )  # fmt: skip
    outcomes = write_relations(graph, lasting, options)
    reason = f"ended {last.isoformat()}, since it was replaced"
    for item in relation_items(graph, outcomes):
        yield replace(item, reason=reason)
    for identity in sorted(relations.keys() - lasting.keys()):
        deleted_identities = delete_relations(
            graph, identity.start, identity.end, identity.relation, identity.since
        )
        yield from relation_items(graph, dict.fromkeys(deleted_identities, "removed"))
