"""When something is valid: from a day or moment, until another one, or always."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Self

from graphmem.errors import InvalidInput
from graphmem.model import limits
from graphmem.model.json_object import iso

# `datetime` is a `date` to Python; the two are told apart where it matters.
Day = date | datetime

# The fields that say when an entity, an observation or a relation is valid.
PERIOD = ("valid_from", "valid_until")
# When a hit must be valid if no day or moment is given.
NOW = "now"
ANY_TIME = "any"
# The beginning in the identity of a relation that has none.
ALWAYS = ""
_MIDNIGHT = "T00:00:00Z"


def since(valid_from: Day | None) -> str:
    """The beginning as it is in an identity: a moment in UTC as text, a day as its midnight."""
    return ALWAYS if valid_from is None else str(iso(limits.moment("valid_from", valid_from)))


def period(valid_from: Day | None, valid_until: Day | None) -> str:
    """Write a period for people: `2024-01-01 to 2024-06-30`; empty where there is none."""
    first, last = (day_text(day) for day in (valid_from, valid_until))
    if first and last:
        return f"{first} to {last}"
    return f"from {first}" if first else f"until {last}" if last else ""


def is_dated(fields: Mapping[str, object]) -> bool:
    """Whether an entity, an observation or a relation has a period."""
    return any(fields.get(name) is not None for name in PERIOD)


def validity(valid_from: Day | None, valid_until: Day | None) -> str:
    """Write a period for people: `valid from 2024-01-01 to 2024-06-30`; empty if there is none."""
    phrase = period(valid_from, valid_until)
    return f"valid {'from ' if valid_from and valid_until else ''}{phrase}" if phrase else ""


@dataclass(frozen=True, slots=True)
class Time:
    """The time that a question is about: a moment, or all moments of a day.

    Args:
        day: The day, in UTC; what is valid until a day is valid until its end.
        first: The moment, or the first one of the day.
        last: The moment, or the last one of the day.
    """

    day: date
    first: datetime
    last: datetime

    @classmethod
    def of(cls, value: Day) -> Self:
        """The time that a day or moment stands for."""
        first = limits.moment("at", value)
        last = limits.end_of("at", value)
        return cls(first.date(), first, last)

    def is_in(self, valid_from: Day | None, valid_until: Day | None) -> bool:
        """Whether a part of it is in a period, as the statements test it."""
        has_begun = valid_from is None or limits.moment("valid_from", valid_from) <= self.last
        if not has_begun or valid_until is None:
            return has_begun
        return limits.end_of("valid_until", valid_until) >= self.first


def time_parameter(time: Time | None) -> dict[str, dict[str, object]]:
    """The field `.at` of a statement's parameter; None for any time."""
    if time is None:
        return {"at": {"day": None, "first": None, "last": None}}
    return {"at": {"day": time.day, "first": time.first, "last": time.last}}


def relation_name(start: str, relation: str, end: str, beginning: str = ALWAYS) -> str:
    """Write a relation for people: `start -[TYPE]-> end`, or `start -[TYPE from 2024-01-01]-> end`.

    Args:
        start: The name of the entity where it begins.
        relation: Its type.
        end: The name of the entity where it ends.
        beginning: As `since` gives it.
    """
    return f"{start} -[{relation}{dated(beginning)}]-> {end}"


def dated(beginning: str) -> str:
    """Write when a relation begins, behind its type or end: ` from 2024-01-01`; empty if always.

    Args:
        beginning: As `since` gives it.
    """
    return f" from {beginning.removesuffix(_MIDNIGHT)}" if beginning else ""


def check_period(argument: str, fields: Mapping[str, object]) -> None:
    """Check that a period does not end before it begins; a day lasts until its end.

    Args:
        argument: What the entity, observation or relation is called in the error.
        fields: Its checked fields.

    Raises:
        InvalidInput: It does.
    """
    first, last = fields.get("valid_from"), fields.get("valid_until")
    if not isinstance(first, date) or not isinstance(last, date):
        return
    if limits.end_of("valid_until", last) < limits.moment("valid_from", first):
        raise InvalidInput(
            f"{argument}.valid_until",
            day_text(last),
            f"must not be before valid_from, which is {day_text(first)}",
        )


def day_text(day: Day | None) -> str:
    """Write a day or moment as JSON has it; empty for None."""
    if day is None:
        return ""
    return str(iso(day)) if isinstance(day, datetime) else day.isoformat()
