"""Limits the kinds, relation types and names of attributes, which become names of the database.

It has room for 65,536 labels, as many relationship types, and never forgets one. What is left free
is for whatever else uses the server, and for names that are no longer used.
"""

import re
import weakref
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from graphmem.errors import InvalidInput
from graphmem.graph import Graph
from graphmem.model import Entity, Item, Relation
from graphmem.text import normalised

MOST_NAMES = 10_000

_SORTS = ("kinds", "relations", "attributes")
_CALLED = {
    "kinds": ("kind", "kinds"),
    "relations": ("relation", "relation types"),
    "attributes": ("attributes", "names of attributes"),
}
_SEPARATORS = re.compile(r"[\W_]+")

_Name = tuple[str, str]
# Names known to exist, by connection; if a race loses one, it is just looked up again.
_known_by_graph: weakref.WeakKeyDictionary[Graph, set[_Name]] = weakref.WeakKeyDictionary()


def refusals(graph: Graph, values: Sequence[Entity | Relation | Item]) -> dict[int, str]:
    """Why some values cannot be stored, by index: they use a name the store has no room for.

    Names that this process has met cost nothing; others are looked up in one read.

    Args:
        graph: The store.
        values: Checked entities and relations, the first to use a new name gets the room left; an
            Item was refused before and uses none.
    """
    names = [list(_names(value)) for value in values]
    known_names = _known_by_graph.setdefault(graph, set())
    if all(name in known_names for value_names in names for name in value_names):
        return {}
    stored_names = graph.read("read/vocabulary")[0]
    known_names.update((sort, name) for sort in _SORTS for name in stored_names[sort])
    counts = {sort: len(stored_names[sort]) for sort in _SORTS}
    refused: dict[int, str] = {}
    for place, value_names in enumerate(names):
        new_names = [name for name in dict.fromkeys(value_names) if name not in known_names]
        new_counts = {sort: sum(name[0] == sort for name in new_names) for sort in _SORTS}
        names_without_room = [
            name for name in new_names if counts[name[0]] + new_counts[name[0]] > MOST_NAMES
        ]
        if names_without_room:
            refused[place] = _reason(names_without_room[0], counts)
            continue
        known_names.update(new_names)
        for sort, count in new_counts.items():
            counts[sort] += count
    return refused


def names_like(
    graph: Graph, sort: Literal["kinds", "relations"], names: Iterable[str]
) -> dict[str, list[str]]:
    """The store's kinds or relation types that are spelled almost like others, as far as known.

    Args:
        graph: The store.
        sort: Which of them.
        names: Kinds or types that `refusals` has seen.

    Returns:
        For each, those that differ from it by case, spaces and punctuation only, in order.
    """
    spellings: defaultdict[str, set[str]] = defaultdict(set)
    for known_sort, name in _known_by_graph.get(graph, ()):
        if known_sort == sort:
            spellings[_spelling(name)].add(name)
    return {name: sorted(spellings[_spelling(name)] - {name}) for name in names}


def are_alike(relation: str, other: str) -> bool:
    """Whether two relation types differ by case, spaces and punctuation only."""
    return relation != other and _spelling(relation) == _spelling(other)


def _spelling(relation: str) -> str:
    folded = normalised(relation)
    return _SEPARATORS.sub("", folded) or folded


def _names(value: Entity | Relation | Item) -> Iterator[_Name]:
    if isinstance(value, Item):
        return
    if isinstance(value, Relation):
        yield "relations", value.relation
    elif value.kind is not None:
        yield "kinds", value.kind
    for name in value.attributes:
        yield "attributes", name


def _reason(name: _Name, counts: Mapping[str, int]) -> str:
    argument, several = _CALLED[name[0]]
    hint = f"The store has {counts[name[0]]:,} {several}, and {MOST_NAMES:,} is the most."
    return str(InvalidInput(argument, name[1], "must be one that exists already", hint=hint))
