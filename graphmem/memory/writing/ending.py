"""The relations that a caller ends by a `valid_until` without the beginning they were given."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from graphmem import read
from graphmem.batches import batches
from graphmem.graph import Graph
from graphmem.model import Item, Relation, limits, stored_values
from graphmem.model.identity import RelationIdentity
from graphmem.model.period import ALWAYS, PERIOD, Day, Time, dated, day_text

# Pairs of ends that are read at once.
PAGE = 1000


def with_beginnings(
    graph: Graph, relations: Sequence[Relation | Item], ends_of: Mapping[str, read.Resolved]
) -> list[Relation | Item]:
    """The same relations; one that has only an end begins when the open one does that it ends.

    That is the one of its type and its ends that begins at a given time and holds on the last day,
    unless one without a beginning does, which is the one meant. Of several, none is taken.

    Args:
        graph: The store.
        relations: What a caller asserts; an Item stands for itself.
        ends_of: What each name leads to.

    Returns:
        As many as were given; where several hold on the last day, an Item that refuses it.
    """
    identities = {
        index: RelationIdentity.between(start, end, relation)
        for index, relation in enumerate(relations)
        if isinstance(relation, Relation)
        and relation.valid_until is not None
        and relation.valid_from is None
        and (start := ends_of[relation.start].key) is not None
        and (end := ends_of[relation.end].key) is not None
    }
    beginnings = _beginnings(graph, list(dict.fromkeys(identities.values())))
    return [
        _begun(relation, beginnings.get(identities[index], {}))
        if isinstance(relation, Relation) and index in identities
        else relation
        for index, relation in enumerate(relations)
    ]


def _beginnings(
    graph: Graph, identities: Sequence[RelationIdentity]
) -> dict[RelationIdentity, dict[str, tuple[Day | None, Day | None]]]:
    """The periods of the stored relations of the same ends and type, by their beginnings."""
    periods: dict[RelationIdentity, dict[str, tuple[Day | None, Day | None]]] = defaultdict(dict)
    for page in batches(identities, most=PAGE):
        links = [
            {name: getattr(one, name) for name in ("start", "end", "relation")} for one in page
        ]
        for row in graph.read("read/relations_between", links=links):
            first, last = (stored_values.bound(row["stored"].get(name)) for name in PERIOD)
            periods[RelationIdentity(row["start"], row["end"], row["relation"])][row["since"]] = (
                first, last,
            )  # fmt: skip
    return periods


def _begun(
    relation: Relation, periods: Mapping[str, tuple[Day | None, Day | None]]
) -> Relation | Item:
    last = relation.valid_until
    if last is None:
        return relation
    moment = Time.of(limits.end_of("valid_until", last))
    open_periods = {
        since: first for since, (first, until) in periods.items() if moment.is_in(first, until)
    }
    if ALWAYS in open_periods:
        return relation
    if len(open_periods) > 1:
        beginnings = " and ".join(dated(since).strip() for since in sorted(open_periods))
        reason = (
            f"valid_until {day_text(last)} may end several of these relations, those {beginnings}"
            "; give the `valid_from` of the one that it ends"
        )
        return Item("relation", relation.display_name, "refused", reason)
    return replace(relation, valid_from=next(iter(open_periods.values()), None))
