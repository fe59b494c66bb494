"""What a name, a text or an attribute may be, checked before the database sees a value.

A string over 32,766 bytes in a property of a vector index's filter makes the store unusable, so
every value that reaches an index is bounded here.
"""

import math
import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import TypeVar

from graphmem.errors import InvalidInput
from graphmem.model.visible import visible

NAME_CHARACTERS = 512
LABEL_CHARACTERS = 200
LABEL_BYTES = 512
MEBIBYTE = 1024 * 1024
TEXT_BYTES = MEBIBYTE
LIST_ITEMS = 1000
ATTRIBUTES = 200
# Each is a filter token of 23 bytes, and a path up to 16 of them.
VALUES = 2000
# The texts of all attributes of an entity or relation, or a relation's note.
ATTRIBUTE_BYTES = MEBIBYTE
# What an entity holds in all; see `model.accumulated`.
OBSERVATIONS = 5000
CONTENT_BYTES = 4 * MEBIBYTE

# Bidirectional controls change what a person sees without changing what is stored.
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_RELATION_RESERVED = frozenset({"HAS_PASSAGE"})
_KIND_RESERVED = frozenset(
    {
        "Entity", "Passage", "Graphmem", "GraphmemChange", "GraphmemRedirect", "GraphmemRequest",
        "GraphmemRevision",
    }
)  # fmt: skip
_INT64 = 2**63
_DAY = re.compile(r"\d{4}-?(\d{2}-?\d{2}|W\d{2}-?\d)")
# What `fromisoformat` takes, though it is no moment: digits alone beyond those of a day, such as
# milliseconds since 1970, of which any may be the mark before the time; and a week without a day.
_NO_MOMENT = re.compile(r"\s*(\d{9}|\d{4}-?W\d{2}(?!-?\d))")

Scalar = str | int | float | bool | date | datetime
Attribute = Scalar | list[Scalar]

Checked = TypeVar("Checked")


def or_none(check: Callable[[str, object], Checked], value: object) -> Checked | None:
    """What a check of this module gives for a value; None for None, and where it refuses it."""
    try:
        return None if value is None else check("value", value)
    except InvalidInput:
        return None


def unicode_text(argument: str, value: object) -> str:
    """Check that a value is text that UTF-8 can hold: without lone surrogates."""
    if not isinstance(value, str):
        raise InvalidInput(argument, value, "must be text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InvalidInput(argument, value, "must be valid Unicode text") from None
    return value


def _visible(argument: str, value: object) -> str:
    text = unicode_text(argument, value)
    normal = " ".join(unicodedata.normalize("NFKC", text).split())
    if not visible(normal).strip():
        raise InvalidInput(argument, value, "must not be blank")
    if any(unicodedata.category(mark) == "Cc" or mark in _BIDI for mark in normal):
        raise InvalidInput(argument, value, "must not contain control or bidi characters")
    return normal


def name(argument: str, value: object) -> str:
    """Check a name or alias: 1 to 512 characters, spaces collapsed; letters of every script."""
    if len(_visible(argument, value)) > NAME_CHARACTERS:
        raise InvalidInput(argument, value, f"must have at most {NAME_CHARACTERS} characters")
    return " ".join(unicodedata.normalize("NFC", str(value)).split())


def label(argument: str, value: object) -> str:
    """Check a kind, tag, status or category: 1 to 200 characters and at most 512 bytes."""
    checked = _visible(argument, value)
    if len(checked) > LABEL_CHARACTERS or len(checked.encode()) > LABEL_BYTES:
        longest = f"{LABEL_CHARACTERS} characters and {LABEL_BYTES} bytes"
        raise InvalidInput(argument, value, f"must have at most {longest}")
    return checked


def kind(argument: str, value: object) -> str:
    """Check a kind, which becomes a label in Neo4j and so may not be one of graphmem's own."""
    checked = label(argument, value)
    if checked in _KIND_RESERVED:
        raise InvalidInput(argument, value, "must not be one of graphmem's own labels")
    return checked


def relation_type(argument: str, value: object) -> str:
    """Check a relation's type, which becomes a relationship type in Neo4j."""
    checked = label(argument, value)
    if checked in _RELATION_RESERVED:
        raise InvalidInput(argument, value, "must not be one of graphmem's own types")
    return checked


def text(argument: str, value: object) -> str:
    """Check a text: at most 1 MiB as UTF-8. NUL characters are dropped, nothing else changes."""
    checked = unicode_text(argument, value)
    size = utf8_bytes(checked)
    if size > TEXT_BYTES:
        hint = f"This text has {size:,} bytes: split it into several entities."
        raise InvalidInput(
            argument, value, f"must have at most {TEXT_BYTES // MEBIBYTE} MiB", hint=hint
        )
    return checked.replace("\0", "")


def utf8_bytes(text: str) -> int:
    """How many bytes a text takes as UTF-8."""
    return len(text) if text.isascii() else len(text.encode())


def attribute_bytes(value: Attribute) -> int:
    """How many bytes the texts of an attribute's value take as UTF-8."""
    items = value if isinstance(value, list) else [value]
    return sum(utf8_bytes(item) for item in items if isinstance(item, str))


def share(argument: str, value: object) -> float:
    """Check a weight or confidence: a number in [0, 1]."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(argument, value, "must be a number from 0 to 1")
    if not 0 <= value <= 1:
        raise InvalidInput(argument, value, "must be from 0 to 1")
    return float(value)


def moment(argument: str, value: object) -> datetime:
    """Check a moment: ISO 8601 text, a date or a datetime; without a zone it is UTC."""
    parsed: datetime | None = None
    if isinstance(value, datetime):
        parsed = value
    elif isinstance(value, date):
        parsed = datetime(value.year, value.month, value.day, tzinfo=UTC)
    elif isinstance(value, str) and not _NO_MOMENT.match(value):
        with suppress(ValueError):
            parsed = datetime.fromisoformat(value.strip())
    if parsed is None:
        raise InvalidInput(
            argument, value, "must be a date such as 2026-03-01 or 2026-03-01T10:00:00Z"
        )
    try:
        utc = (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC)
        return datetime.combine(utc.date(), utc.time(), UTC)  # the driver takes no subclass
    except (OverflowError, ValueError):
        raise InvalidInput(argument, value, "must be a date in the years 1 to 9999") from None


def end_of(argument: str, value: object) -> datetime:
    """Check a day or moment; see `moment`. Of a day it is the last microsecond."""
    checked = moment(argument, value)
    if not is_day(value):
        return checked
    return checked.replace(hour=23, minute=59, second=59, microsecond=999_999)


def past(argument: str, value: object) -> datetime:
    """Check a day that has begun, or a moment that has come; see `moment`."""
    checked = moment(argument, value)
    if checked > datetime.now(UTC):
        raise InvalidInput(argument, value, "must not lie in the future")
    return checked


def known_then(argument: str, value: object) -> datetime:
    """Check a day or moment whose knowledge is asked for; see `end_of`. Today is the last day."""
    moment = end_of(argument, value)
    if moment > end_of(argument, datetime.now(UTC).date()):
        raise InvalidInput(argument, value, "must not lie in the future")
    return moment


def day_or_moment(argument: str, value: object) -> date | datetime:
    """Check a day, which stays one, or a moment; see `moment`."""
    checked = moment(argument, value)
    return checked.date() if is_day(value) else checked


def is_day(value: object) -> bool:
    """Whether a moment was given as a whole day."""
    if isinstance(value, str):
        return _DAY.fullmatch(value.strip()) is not None
    return isinstance(value, date) and not isinstance(value, datetime)


def names(argument: str, value: object) -> tuple[str, ...]:
    """Check a list of aliases: each a name, doubles dropped, order kept."""
    return _each(argument, value, name)


def labels(argument: str, value: object) -> tuple[str, ...]:
    """Check a list of tags: each a label, doubles dropped, order kept."""
    return _each(argument, value, label)


def _each(argument: str, value: object, check: Callable[[str, object], str]) -> tuple[str, ...]:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise InvalidInput(argument, value, "must be a list of texts")
    items = list(value)
    if len(items) > LIST_ITEMS:
        raise InvalidInput(argument, value, f"must have at most {LIST_ITEMS} items")
    return tuple(dict.fromkeys(check(f"{argument}[{i}]", item) for i, item in enumerate(items)))


_ATTRIBUTE_NAME = re.compile(r"[^\W\d][\w .\-]*")
_WORD = "must begin with a letter or _ and hold only letters, digits, spaces and . - _"


def attributes(argument: str, value: object, *, reserved: Container[str]) -> dict[str, Attribute]:
    """Check custom attributes: scalars or flat lists of one type, under names not graphmem's own.

    At most 200, with 2,000 values and 1 MiB of text in all.
    """
    if not isinstance(value, Mapping):
        raise InvalidInput(argument, value, "must be an object of names and values")
    if len(value) > ATTRIBUTES:
        raise InvalidInput(argument, len(value), f"must have at most {ATTRIBUTES} attributes")
    checked: dict[str, Attribute] = {}
    for key, item in value.items():
        attribute_name = label(f"{argument} name", key)
        if not _ATTRIBUTE_NAME.fullmatch(attribute_name):
            raise InvalidInput(f"{argument} name", key, _WORD)
        if attribute_name in reserved:
            raise InvalidInput(argument, key, "must not use one of graphmem's own names")
        if item is not None:
            checked[attribute_name] = attribute(f"{argument}.{attribute_name}", item)
    count = sum(len(item) if isinstance(item, list) else 1 for item in checked.values())
    if count > VALUES:
        raise InvalidInput(argument, count, f"must have at most {VALUES:,} values in all")
    size = sum(map(attribute_bytes, checked.values()))
    if size > ATTRIBUTE_BYTES:
        raise InvalidInput(
            argument, size, f"must have at most {ATTRIBUTE_BYTES:,} bytes of text in all"
        )
    return checked


def attribute(argument: str, value: object) -> Attribute:
    """Check one attribute's value: text, number, boolean, date, or a flat list of one of them.

    JSON has no dates, so `{"date": "2026-03-01"}` and `{"datetime": "…"}` stand for them.
    """
    if isinstance(value, list | tuple):
        if len(value) > LIST_ITEMS:
            raise InvalidInput(argument, value, f"must have at most {LIST_ITEMS} items")
        items = [_scalar(argument, item) for item in value]
        kinds = {float if isinstance(item, float) else type(item) for item in items}
        if len(kinds) > 1:
            if kinds <= {int, float}:
                return [float(item) for item in items if isinstance(item, int | float)]
            raise InvalidInput(argument, value, "must be a list of values of one type")
        return items
    return _scalar(argument, value)


def _scalar(argument: str, value: object) -> Scalar:
    if isinstance(value, Mapping) and value.keys() in ({"date"}, {"datetime"}):
        ((sort, iso_text),) = value.items()
        moment_value = moment(argument, iso_text)
        return moment_value.date() if sort == "date" else moment_value
    if isinstance(value, str):
        return text(argument, value)
    if isinstance(value, datetime):
        return moment(argument, value)
    if isinstance(value, bool):
        return value
    if isinstance(value, date):
        return date(value.year, value.month, value.day)
    if isinstance(value, int | float):
        return _number(argument, value)
    expected = "must be text, a number, true or false, a date, or a flat list of one of them"
    raise InvalidInput(argument, value, expected)


def _number(argument: str, value: float) -> int | float:
    if isinstance(value, int) and not -_INT64 <= value < _INT64:
        raise InvalidInput(argument, value, "must be a whole number of at most 64 bits")
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidInput(argument, value, "must be a finite number")
    return int(value) if isinstance(value, int) else float(value)
