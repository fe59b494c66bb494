"""What filters ask for that nothing in the projects has, such as a kind or a relation type."""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from graphmem.graph import Graph, Reader, Row
from graphmem.model.filters import Filters
from graphmem.model.reserved import RESERVED_ATTRIBUTES
from graphmem.model.where import BOUNDS, COMPARISONS, FIELDS_COMPARED, SOURCE, Where
from graphmem.text import normalised

# Values that a note names.
VALUES_IN_NOTE = 12
# The comparisons that no entity passes without the attribute.
PRESENT = frozenset(COMPARISONS) - {"!="}
_NO_ATTRIBUTE = "no entity has the attribute {}"


class _Field(NamedTuple):
    """A field that entities are filtered by.

    Args:
        name: Its name in the store.
        phrase: How a sentence says that nothing has a value of it.
        groups: Lists of values; an entity must have one of each.
    """

    name: str
    phrase: str
    groups: Sequence[Sequence[str]]


def unknown_values(graph: Graph, filters: Filters) -> str | None:
    """A sentence on the first filter whose values nothing has, which names the values there are.

    Kinds, statuses, categories, tags, sources, the names of attributes and the relation types of
    `has_relation` are looked at. A filter that accepts several values is known if one of them is.

    Args:
        graph: The store.
        filters: Those of a search or listing that found nothing.

    Returns:
        The sentence, or None if each of these filters accepts something that is there, or if too
        many projects are searched.

    Raises:
        DatabaseError: The database does not answer, is too slow or refuses.
    """
    if filters.of_whole_store:
        return None
    projects = list(filters.projects)
    for field in _fields(filters):
        if groups := [group for group in field.groups if group]:
            rows = graph.read("read/field_values", projects=projects, field=field.name)
            if note := _note(field.phrase, groups, rows, normalised):
                return note
    if attributes := _attributes(filters.where):
        rows = graph.read("read/attribute_names", projects=projects)
        rows = [row for row in rows if row["value"] not in RESERVED_ATTRIBUTES]
        if note := _note(_NO_ATTRIBUTE, attributes, rows, normalised):
            return note
        if note := _bounds_note(filters.where, rows):
            return note
    related = [rule.types for rule in filters.where.related if rule.wanted and rule.types]
    return _types_note(graph, projects, related) if related else None


def unknown_types(graph: Reader, projects: Sequence[str], types: Sequence[str]) -> str | None:
    """A sentence on relation types to be followed that no relation of some projects has.

    Args:
        graph: The store.
        projects: The projects.
        types: The types; if there is a relation of one of them, all count as known.

    Returns:
        The sentence, which names the types there are; None if one is known, or none is given.

    Raises:
        DatabaseError: The database does not answer, is too slow or refuses.
    """
    given = list(types)
    if not given or any(
        graph.read("read/linking_types", project=project, types=given) for project in projects
    ):
        return None
    return _types_note(graph, projects, [given])


def _types_note(
    graph: Reader, projects: Sequence[str], groups: Sequence[Sequence[str]]
) -> str | None:
    rows = graph.read("read/types_of_projects", projects=list(projects))
    # Relation types differ by case.
    note = _note("no relation is of the type {}", groups, rows, str)
    given = {normalised(name) for group in groups for name in group}
    near_types = [row["value"] for row in rows if normalised(row["value"]) in given]
    if note is None or not near_types:
        return note
    return f"{note}. Case matters in a relation type, so give {' or '.join(near_types)}"


def _fields(filters: Filters) -> tuple[_Field, ...]:
    where = filters.where
    tags = [filters.tags, *((tag,) for tag in where.tags_all)]
    sources = [
        [str(value) for value in condition.values]
        for condition in where.conditions
        if condition.name == SOURCE and condition.comparison in {"=", "in"}
    ]
    return (
        _Field("kind", "no entity is of the kind {}", [filters.kinds]),
        _Field("status", "no entity has the status {}", [filters.statuses]),
        _Field("category", "no entity is of the category {}", [where.categories]),
        _Field("tags", "no entity has the tag {}", tags),
        _Field(SOURCE, "no entity is from the source {}", sources),
    )


def _attributes(where: Where, comparisons: Collection[str] = PRESENT) -> list[tuple[str]]:
    """The names of the custom attributes that an entity must have for these comparisons."""
    fields = {*FIELDS_COMPARED, "name", "category"}
    conditions = (rule for rule in where.conditions if rule.comparison in comparisons)
    return [(rule.name,) for rule in conditions if rule.name not in fields]


def _bounds_note(where: Where, rows: Sequence[Row]) -> str | None:
    """The sentence on an attribute with a bound whose name the store writes otherwise.

    The indexes, which know no bounds, have names without differences of case.
    """
    names = [name for (name,) in _attributes(where, BOUNDS)]
    note = _note(_NO_ATTRIBUTE, [(name,) for name in names], rows, str)
    if note is None:
        return None
    given = set(map(normalised, names))
    near_names = [
        row["value"]
        for row in rows
        if normalised(row["value"]) in given and row["value"] not in names
    ]
    return f"{note}. Case matters where an attribute has a bound, so give {' or '.join(near_names)}"


def _note(
    phrase: str,
    groups: Sequence[Sequence[str]],
    rows: Sequence[Row],
    folded: Callable[[str], str],
) -> str | None:
    """The sentence on the first group of which no value is there."""
    known_values = {folded(row["value"]) for row in rows}
    for group in groups:
        if known_values.isdisjoint(map(folded, group)):
            named = ", ".join(row["value"] for row in rows[:VALUES_IN_NOTE]) or "none"
            others = f" and {len(rows) - VALUES_IN_NOTE} more" if len(rows) > VALUES_IN_NOTE else ""
            return f"{phrase.format(' or '.join(group))}; there are {named}{others}"
    return None
