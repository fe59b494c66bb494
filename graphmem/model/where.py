"""Filters beyond kind, tags and status: checked conditions, all of which must hold."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal, TypeAlias, get_args

from graphmem.errors import InvalidInput, shortened
from graphmem.model import limits
from graphmem.model.intended_names import intended_name
from graphmem.model.reserved import RESERVED_ATTRIBUTES

Comparison: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">=", "in", "under"]
Direction: TypeAlias = Literal["out", "in", "both"]
COMPARISONS: tuple[Comparison, ...] = get_args(Comparison)
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)
CONDITIONS = 20
# Each value is a clause beside those of the query, of which an index takes 1,024.
VALUES = 150

# How deep and how long the paths are that an index knows.
DEEPEST = 16
LONGEST = 4096
BOUNDS = frozenset({"<", "<=", ">", ">="})
MOMENTS = frozenset({"created_at", "updated_at"})
CONFIDENCE = "confidence"
SOURCE = "source"
# Fields that are compared like a custom attribute.
FIELDS_COMPARED = MOMENTS | {CONFIDENCE, SOURCE}
_PATHS = frozenset({"name", "category"})
_READ_BY_NAME = "To read an entity by its name, use `get` (`graphmem show`)."
_OPERATORS = f"one of {', '.join(COMPARISONS)}"
# The argument that filters by each built-in field.
_INSTEAD = {
    "kind": "`kinds`",
    "kinds": "`kinds`",
    "type": "`kinds`",
    "tag": "`tags`, `where.tags_all` or `where.tags_none`",
    "tags": "`tags`, `where.tags_all` or `where.tags_none`",
    "status": "`status`",
    "project": "`project`",
    "since": "`since`",
    "until": "`until`",
    "valid_from": "`at`",
    "valid_until": "`at`",
}
_FIELDS = frozenset(
    {"tags_all", "tags_none", "category", "attributes", "has_relation", "lacks_relation"}
    | FIELDS_COMPARED
    | _PATHS
)


@dataclass(frozen=True, slots=True)
class Condition:
    """A property compared with a value.

    Args:
        name: The property: a custom attribute, `category`, `confidence`, `created_at`,
            `updated_at`, `source`, or for `under` also `name`.
        comparison: `=`, `!=` and `in` compare whole values of any length without case, each item of
            a list by itself; an absent property passes only `!=`. `<`, `<=`, `>`, `>=` compare
            numbers, dates and texts with their own sort, and no list. `under` is true of a path
            that has the value's segments at its beginning, without case; a path has one line and
            at most 4,096 characters, of which the first 16 segments count.
        values: One value; several for `in`. A day is all of its moments, in UTC.
    """

    name: str
    comparison: Comparison
    values: tuple[limits.Scalar, ...]


@dataclass(frozen=True, slots=True)
class RelationCondition:
    """A relation that must be there, or must not be.

    Args:
        types: Any of these; all types where it is empty.
        direction: As seen from the entity.
        wanted: Whether it must be there.
    """

    types: tuple[str, ...] = ()
    direction: Direction = "both"
    wanted: bool = True


@dataclass(frozen=True, slots=True)
class Where:
    """Conditions on an entity, all of which must hold."""

    tags_all: tuple[str, ...] = ()
    tags_none: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    related: tuple[RelationCondition, ...] = ()

    @classmethod
    def from_json(cls, value: object) -> "Where":
        """Read `{"category": "x", "attributes": {"cost": {">": 5}}, "has_relation": {…}, …}`.

        A value stands for `=`, a list for `in`, an object for comparisons.

        Raises:
            InvalidInput: naming the field, its value and what is allowed.
        """
        if not isinstance(value, Mapping):
            raise InvalidInput("where", value, "must be an object")
        unknown = sorted(str(field) for field in value if field not in _FIELDS)
        if unknown:
            expected = f"may only have the fields {', '.join(sorted(_FIELDS))}"
            instead = " and ".join(_instead_of(name, value.get(name)) for name in unknown)
            hint = f"Filter by {instead} instead."
            given = unknown if unknown[1:] else unknown[0]
            raise InvalidInput("where", given, expected, hint=hint)
        attributes = value.get("attributes", {})
        if not isinstance(attributes, Mapping):
            raise InvalidInput("where.attributes", attributes, "must be an object")
        category = value.get("category")
        plain = category is None or isinstance(category, str | list | tuple)
        conditions = [
            *_conditions("where.attributes", _checked_attributes(attributes)),
            *_conditions("where", {name: value[name] for name in FIELDS_COMPARED if name in value}),
            *_conditions("where", {"name": value["name"]} if "name" in value else {}),
            *_conditions("where", {} if plain else {"category": category}),
        ]
        relation_conditions = [
            *_relations("where.has_relation", value.get("has_relation"), wanted=True),
            *_relations("where.lacks_relation", value.get("lacks_relation"), wanted=False),
        ]
        if len(conditions) + len(relation_conditions) > CONDITIONS:
            count = len(conditions) + len(relation_conditions)
            raise InvalidInput("where", count, f"must have at most {CONDITIONS} conditions")
        where = cls(
            tags_all=_labels("where.tags_all", value.get("tags_all")),
            tags_none=_labels("where.tags_none", value.get("tags_none")),
            categories=_labels("where.category", category if plain else None),
            conditions=tuple(conditions),
            related=tuple(relation_conditions),
        )
        labels = len(where.tags_all) + len(where.tags_none) + len(where.categories)
        count = labels + sum(len(condition.values) for condition in where.conditions)
        if count > VALUES:
            raise InvalidInput("where", count, f"must have at most {VALUES} values in all")
        return where


def created_within(start: datetime | None, end: datetime | None) -> tuple[Condition, ...]:
    """The conditions of a span of time in which something was created, both ends included."""
    bounds: tuple[tuple[Comparison, datetime | None], ...] = ((">=", start), ("<=", end))
    return tuple(
        Condition("created_at", comparison, (moment,)) for comparison, moment in bounds if moment
    )


def _instead_of(name: str, value: object) -> str:
    """What filters by a field that there is none of: the argument of it, else an attribute."""
    meant = _INSTEAD.get(name)
    if meant is None and (field := intended_name(name, _FIELDS)) is not None:
        meant = f"`where.{field}`"
    return meant or f"`where.attributes` {shortened({name: value})}"


def _labels(argument: str, value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    return limits.labels(argument, [value] if isinstance(value, str) else value)


def _checked_attributes(attributes: Mapping[str, Any]) -> Mapping[str, Any]:
    for name in attributes:
        if name in RESERVED_ATTRIBUTES and name not in FIELDS_COMPARED | _PATHS:
            instead = _INSTEAD.get(name)
            hint = f"Filter by {instead} instead." if instead else "It cannot be filtered."
            raise InvalidInput("where.attributes", name, "must not be a built-in field", hint=hint)
    return attributes


def _conditions(argument: str, fields: Mapping[str, Any]) -> list[Condition]:
    conditions: list[Condition] = []
    for name, expected in fields.items():
        limits.label(f"{argument} name", name)
        place = f"{argument}.{name}"
        if isinstance(expected, Mapping) and not expected.keys() <= {"date", "datetime"}:
            for comparison, value in expected.items():
                if comparison not in COMPARISONS:
                    raise InvalidInput(place, comparison, f"must use {_OPERATORS}")
                conditions.append(_condition(place, name, comparison, value))
        else:
            several = isinstance(expected, list | tuple)
            conditions.append(_condition(place, name, "in" if several else "=", expected))
    return conditions


def _condition(place: str, name: str, comparison: Comparison, value: object) -> Condition:
    if name == "name" and comparison != "under":
        raise InvalidInput(place, comparison, "must be compared by `under`", hint=_READ_BY_NAME)
    if comparison == "under" and name in FIELDS_COMPARED - {SOURCE}:
        raise InvalidInput(place, comparison, "must not be compared by `under`, which is for paths")
    if comparison == "in" and not isinstance(value, list | tuple):
        raise InvalidInput(place, value, "must be a list of values for `in`")
    checked = limits.attribute(place, value)
    values = tuple(checked) if isinstance(checked, list) else (checked,)
    if not values or (comparison != "in" and len(values) > 1):
        raise InvalidInput(place, value, f"must be one value for `{comparison}`")
    values = _of_field(place, name, values)
    if comparison == "under":
        _check_path(place, value)
    return Condition(name, comparison, values)


def _of_field(
    place: str, name: str, values: tuple[limits.Scalar, ...]
) -> tuple[limits.Scalar, ...]:
    """The values that a built-in field is compared with, each checked as one of that field."""
    if name in MOMENTS:
        return tuple(limits.day_or_moment(place, item) for item in values)
    for item in values:
        if name == SOURCE:
            limits.text(place, item)
        elif name == CONFIDENCE:
            limits.share(place, item)
    return values


def _check_path(place: str, value: object) -> None:
    if not isinstance(value, str) or not 0 < _depth(value) <= DEEPEST or len(value) > LONGEST:
        longest = f"at most {DEEPEST} names deep and {LONGEST:,} characters long"
        raise InvalidInput(place, value, f"must be a path such as a/b, {longest}")


def _depth(path: str) -> int:
    return sum(1 for part in path.split("/") if part.strip())


def _relations(argument: str, value: object, *, wanted: bool) -> list[RelationCondition]:
    if value is None:
        return []
    items = value if isinstance(value, list | tuple) else [value]
    conditions: list[RelationCondition] = []
    for index, item in enumerate(items):
        place = f"{argument}[{index}]"
        fields = {"relation": item} if isinstance(item, str) else item
        if not isinstance(fields, Mapping) or not fields.keys() <= {"relation", "direction"}:
            raise InvalidInput(
                place, item, "must be a type, or an object of relation and direction"
            )
        direction = fields.get("direction", "both")
        if direction not in DIRECTIONS:
            raise InvalidInput(place, direction, f"must be one of {', '.join(DIRECTIONS)}")
        types = _labels(place, fields.get("relation"))
        conditions.append(RelationCondition(types, direction, wanted))
    return conditions


def span(value: date | datetime) -> tuple[datetime, datetime]:
    """The first and the last moment of a day; a moment is its own."""
    return limits.moment("value", value), limits.end_of("value", value)


def comparable(comparison: Comparison, value: limits.Scalar) -> list[limits.Scalar]:
    """The values a bound may be compared as: a text that is a date is one, too.

    A day is compared with moments by its last one where it is the upper end.
    """
    if isinstance(value, datetime) or not isinstance(value, str | date):
        return [value]
    try:
        moment = limits.moment("value", value)
    except InvalidInput:
        return [value]
    day = moment.date()
    if limits.is_day(value):
        moment = span(day)[comparison in {"<=", ">"}]
    return list(dict.fromkeys([value, day, moment]))
