"""Filters on an item's metadata: equality, bounds, any of a list, dates."""

import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from packaging.version import InvalidVersion, Version

from graphmem import text
from graphmem.adapters.rye.profile.item import Item
from graphmem.arguments import FILTER_VALUES
from graphmem.errors import InvalidInput
from graphmem.importing.fields import moment_or_none
from graphmem.model import limits

MOST_FILTERS = 50
DATES = ("date_from", "date_to")
ALLOWED = "must be text, a number, true or false, or a list of them"

_Compare = Callable[[Any, Any], bool]
_BOUNDS: dict[str, _Compare] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Condition:
    """A value, and how it is compared: `=`, `!` or a bound."""

    comparison: str
    value: str | float | bool

    def holds(self, values: Iterable[object]) -> bool:
        """Whether it is true of an item's values of a field; without any value only `!` is."""
        if self.comparison == "!":
            return not any(_equal(value, self.value) for value in values)
        if self.comparison == "=":
            return any(_equal(value, self.value) for value in values)
        return any(_is_within(value, self.comparison, self.value) for value in values)


@dataclass(frozen=True, slots=True)
class Filters:
    """What an item's metadata must be.

    Args:
        conditions: For each name those of which one must hold.
        since: The earliest moment, or None.
        until: The latest moment, or None.
    """

    conditions: Mapping[str, tuple[_Condition, ...]]
    since: datetime | None = None
    until: datetime | None = None

    @classmethod
    def read(cls, filters: Mapping[str, object]) -> "Filters":
        """Read `{"version": ">=1.10", "tags": ["api", "web"], "author": "!bot", …}`.

        Raises:
            InvalidInput: naming the filter whose value is not allowed.
        """
        if len(filters) > MOST_FILTERS:
            raise InvalidInput("filters", len(filters), f"must have at most {MOST_FILTERS} filters")
        conditions = {
            name: _read_conditions(name, value)
            for name, value in filters.items()
            if name not in DATES
        }
        first, last = (filters.get(name) for name in DATES)
        return cls(
            conditions,
            None if first is None else limits.moment("filters.date_from", first),
            None if last is None else limits.end_of("filters.date_to", last),
        )

    def hold(self, item: Item) -> bool:
        """Whether an item passes."""
        if self.since or self.until:
            item_date = item.date
            if item_date is None:
                return False
            if (self.since and item_date < self.since) or (self.until and item_date > self.until):
                return False
        return all(
            any(condition.holds(values) for condition in conditions)
            for name, conditions in self.conditions.items()
            for values in [item.values(name)]
        )

    @property
    def statuses(self) -> tuple[str, ...]:
        """The statuses asked for; those of items that are hidden by default may be among them."""
        conditions = self.conditions.get("status", ())
        are_equalities = all(condition.comparison == "=" for condition in conditions)
        return tuple(str(condition.value) for condition in conditions) if are_equalities else ()

    @property
    def where(self) -> dict[str, object]:
        """What the search itself can leave out, as `Memory.search` takes it."""
        filters: dict[str, object] = {}
        tags, categories = self._texts("tags"), self._texts("category")
        if len(tags) == 1:
            filters["tags_all"] = tags
        if categories:
            filters["category"] = categories
        return filters

    def _texts(self, name: str) -> list[str]:
        """The values a name must equal one of, where all can stand in a filter of the search."""
        conditions = self.conditions.get(name, ())
        fits = all(
            condition.comparison == "="
            and isinstance(condition.value, str)
            and 0 < len(condition.value.strip()) <= limits.LABEL_CHARACTERS // 2
            and condition.value.isprintable()
            for condition in conditions
        )
        values = [str(condition.value) for condition in conditions]
        return values if fits and len(values) <= FILTER_VALUES else []


def _read_conditions(name: str, values: object) -> tuple[_Condition, ...]:
    value_list = values if isinstance(values, list | tuple) else [values]
    if len(value_list) > limits.LIST_ITEMS:
        raise InvalidInput(
            f"filters.{name}", len(value_list), f"must have at most {limits.LIST_ITEMS} values"
        )
    return tuple(_condition(name, value) for value in value_list)


def _condition(name: str, value: object) -> _Condition:
    if not isinstance(value, str | int | float | bool):
        raise InvalidInput(f"filters.{name}", value, ALLOWED)
    if not isinstance(value, str):
        return _Condition("=", value)
    for comparison in (*_BOUNDS, "!"):
        if value.startswith(comparison):
            operand = value.removeprefix(comparison).strip()
            if not operand:
                raise InvalidInput(
                    f"filters.{name}", value, f"must have a value after `{comparison}`"
                )
            return _Condition(comparison, operand)
    return _Condition("=", value)


def _equal(value: object, operand: object) -> bool:
    if isinstance(value, bool) or isinstance(operand, bool):
        return str(value).casefold() == str(operand).casefold()
    if isinstance(value, int | float):
        return value == _number(operand)
    if isinstance(value, date):
        moment, wanted = moment_or_none(value), moment_or_none(operand)
        if moment is None or wanted is None:
            return False
        return moment.date() == wanted.date() if limits.is_day(operand) else moment == wanted
    return text.normalised(str(value)) == text.normalised(str(operand))


def _is_within(value: object, comparison: str, operand: object) -> bool:
    """Compare as numbers, else as versions, else as dates; what is none of them is never within."""
    compare = _BOUNDS[comparison]
    for convert in (_number, _version, moment_or_none):
        left_side, right_side = convert(value), convert(operand)
        if convert is _number and not isinstance(value, int | float):
            continue
        if left_side is not None and right_side is not None:
            return compare(left_side, right_side)
    return False


def _number(value: object) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        return float(str(value))
    except ValueError:
        return None


def _version(value: object) -> Version | None:
    try:
        return None if isinstance(value, date) else Version(str(value))
    except InvalidVersion:
        return None
