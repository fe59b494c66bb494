"""Nearness: the terms of a query, or of one alternative of it, within so many words of each other.

Terms are those that must all be there: `a b`, `a AND (b OR c)` with b or c for the second, and for
`(a b) OR (c d)` the terms of either side. Bare alternatives, `a OR b`, are terms together, as in
RyeOS. What stands under NOT is none. Terms of a field must be near each other in that field, the
others in any one.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, product

from graphmem import lucene
from graphmem.adapters.rye.profile.item import Item, field_of
from graphmem.adapters.rye.profile.typos import is_one_term

# A query of many alternatives in each of many places has millions of readings.
READINGS = 64


@dataclass(frozen=True, slots=True)
class Term:
    """Leaves of which any will do, and the field they are looked for in; None for any."""

    leaves: tuple[lucene.Node, ...]
    field: str | None


Reading = tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Nearness:
    """What must be near: for the query and each field its readings, one of which must hold."""

    readings_by_part: tuple[tuple[Reading, ...], ...]
    distance: int

    @classmethod
    def of(
        cls, query: lucene.Node | None, fields: Mapping[str, lucene.Node], distance: int
    ) -> "Nearness":
        """Read it from a query and those of the fields.

        Args:
            query: The query; None for everything.
            fields: A query for each field.
            distance: The most words between two terms.
        """
        nodes = [node for node in (query,) if node is not None]
        nodes += [lucene.Field(name, node) for name, node in fields.items()]
        return cls(tuple(_readings_of_query(node) for node in nodes), distance)

    @property
    def is_asked(self) -> bool:
        """Whether any reading has two terms; nothing is near by itself."""
        return any(len(reading) > 1 for readings in self.readings_by_part for reading in readings)

    def holds(self, item: Item) -> bool:
        """Whether an item that matches has its terms near each other."""
        return all(
            any(self._near(item, reading) for reading in readings)
            for readings in self.readings_by_part
        )

    def _near(self, item: Item, reading: Reading) -> bool:
        by_field: dict[str | None, list[Term]] = {}
        for term in reading:
            by_field.setdefault(term.field, []).append(term)
        return all(
            any(
                are_near(
                    [{p for leaf in term.leaves for p in text.places(leaf)} for term in terms],
                    self.distance,
                )
                for text in (item.fields.values() if field is None else (item.fields[field],))
            )
            for field, terms in by_field.items()
        )


def are_near(sets: Sequence[Collection[int]], distance: int) -> bool:
    """Whether a place of each set can be taken with so many words between any two at most."""
    occurrences = sorted((place, index) for index, places in enumerate(sets) for place in places)
    counts = [0] * len(sets)
    start, sets_without_place = 0, len(sets)
    for place, index in occurrences:
        sets_without_place -= counts[index] == 0
        counts[index] += 1
        while place - occurrences[start][0] > distance + 1:
            dropped_set = occurrences[start][1]
            counts[dropped_set] -= 1
            sets_without_place += counts[dropped_set] == 0
            start += 1
        if not sets_without_place:
            return True
    return not sets


def _readings_of_query(node: lucene.Node, field: str | None = None) -> tuple[Reading, ...]:
    """The readings of a whole query: bare alternatives are terms together."""
    if isinstance(node, lucene.Field) and field_of(node.name) is not None:
        return _readings_of_query(node.node, field_of(node.name))
    is_bare = isinstance(node, lucene.AnyOf) and all(is_one_term(child) for child in node.nodes)
    if isinstance(node, lucene.AnyOf) and is_bare and not is_one_term(node):
        return (tuple(_term(child, field) for child in node.nodes),)
    return _readings(node, field)


def _readings(node: lucene.Node, field: str | None) -> tuple[Reading, ...]:
    match node:
        case lucene.AllOf(nodes):
            parts = (_readings(child, field) for child in nodes)
            combinations = (tuple(chain.from_iterable(readings)) for readings in product(*parts))
            return tuple(islice(combinations, READINGS))
        case lucene.AnyOf(nodes) if not all(is_one_term(child) for child in nodes):
            return tuple(islice(chain(*(_readings(child, field) for child in nodes)), READINGS))
        case lucene.Field(name, child):
            known_field = field_of(name)
            return ((),) if known_field is None else _readings(child, known_field)
        case _ if isinstance(node, lucene.Not) or lucene.is_everything(node):
            return ((),)
        case _:
            return ((_term(node, field),),)


def _term(node: lucene.Node, field: str | None) -> Term:
    return Term(tuple(lucene.leaves(node)), field)
