"""Who asserted what, as a JSON line of `graphmem export --all` carries it."""

import json
import unicodedata
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from graphmem.errors import InvalidInput
from graphmem.model import limits
from graphmem.model.entity_fields import ENTITY_FIELDS
from graphmem.model.json_object import (
    HIDDEN,
    OPTIONAL,
    JsonField,
    JsonObject,
    as_json,
    compact_json,
    plain,
    to_json_value,
)
from graphmem.model.parsing import optional
from graphmem.model.relation_fields import RELATION_FIELDS
from graphmem.model.reserved import RESERVED_ATTRIBUTES

CALLER = "caller"
# The author of what an import brought in before authors were noted, or of the oldest of very many
# imports; see `Ledger.without_unknown`.
UNKNOWN = "unknown"
# How authors begin that are imports of source code.
CODE = "code:"
# The attributes that code has, whichever import brought it: where it stands in its file.
FIRST_LINE, LAST_LINE = "start_line", "end_line"

AUTHORS = 100
AUTHOR_CHARACTERS = 5000
UNLINKED = 1000
# More revisions than any entity has; larger whole numbers may lose digits in JSON.
MOST_REVISIONS = 2**53
MOST_USES = 2**31
# Microseconds since 1970 up to the end of the year 8999. A new word comes a moment after the last,
# and the years after it are room for those that follow.
_LAST = 221_845_391_999_999_999

_CHECKS: Mapping[str, Callable[[str, object], object]] = {
    **{row.name: row.check for row in ENTITY_FIELDS},
    "alias": limits.name,
    "tag": limits.label,
    "attribute": limits.attribute,
    **{row.name: row.check for row in RELATION_FIELDS if row.is_fact},
    "observation": limits.text,
}
# Sorts of which an entity has several facts: the name of each is its folded value, which may be
# longer than the value, or the id of an observation.
_LISTED = frozenset({"alias", "tag", "observation"})
_FIELDS = frozenset(
    {
        "asserted_by", "assertions", "observed_by", "unlinked", "updated_at", "use", "key",
        "revision", "change", "history_from",
    }
)  # fmt: skip


def _moments_as_text(use: Mapping[str, Any]) -> dict[str, object]:
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in use.items()
    }


@dataclass(frozen=True, slots=True)
class Provenance(JsonObject):
    """Who asserted an entity or relation, and every word that was said of it.

    Args:
        asserted_by: Its authors, the first one first.
        record: The words of several authors, as the store keeps them; None for a sole author.
        observed_by: The authors of each observation, in the order of the observations.
        unlinked: Relations that a caller took away although an import asserts them.
        updated_at: The moment of the last change.
        use: When and how often it was found, where that is tracked.
        key: The folded name in the entity's key, where the entity has another name by now.
        revision: The number of its revision in an export with history; otherwise None.
        change: The change that made it, likewise; empty where that is not known.
        history_from: From when on its history is whole; None where all of it is.
        called: What it is called, where an import asserts it by the name of its key.
    """

    asserted_by: tuple[str, ...]
    record: str | None = field(
        default=None,
        metadata=as_json(JsonField(name="assertions", write=json.loads, is_optional=True)),
    )
    observed_by: tuple[tuple[str, ...], ...] = field(default=(), metadata=OPTIONAL)
    unlinked: tuple[str, ...] = field(default=(), metadata=OPTIONAL)
    updated_at: datetime | None = field(
        default=None, metadata=as_json(JsonField(write=datetime.isoformat, is_optional=True))
    )
    use: Mapping[str, Any] = field(
        default_factory=dict, metadata=as_json(JsonField(write=_moments_as_text, is_optional=True))
    )
    key: str | None = field(default=None, metadata=OPTIONAL)
    revision: int | None = field(default=None, metadata=OPTIONAL)
    change: str | None = field(default=None, metadata=OPTIONAL)
    history_from: datetime | None = field(default=None, metadata=OPTIONAL)
    called: str | None = field(default=None, metadata=HIDDEN)

    @classmethod
    def from_json(
        cls, argument: str, value: object, *, reserved: Container[str] = RESERVED_ATTRIBUTES
    ) -> "Provenance":
        """Read and check what `to_json` wrote.

        Args:
            argument: What it is called in errors.
            value: An object of its fields.
            reserved: What no attribute may be called: by default that of an entity.

        Raises:
            InvalidInput: naming the field that is not allowed.
        """
        if not isinstance(value, Mapping) or not value.keys() <= _FIELDS:
            fields = ", ".join(sorted(_FIELDS))
            raise InvalidInput(argument, value, f"must be an object with the fields {fields}")
        observed_by = value.get("observed_by") or []
        if not isinstance(observed_by, list):
            raise InvalidInput(f"{argument}.observed_by", observed_by, "must be a list of lists")
        return cls(
            asserted_by=checked_authors(f"{argument}.asserted_by", value.get("asserted_by")),
            record=checked_record(
                f"{argument}.assertions", value.get("assertions"), reserved=reserved
            ),
            observed_by=tuple(
                checked_authors(f"{argument}.observed_by", authors) for authors in observed_by
            ),
            unlinked=checked_texts(f"{argument}.unlinked", value.get("unlinked") or []),
            updated_at=optional(limits.moment, f"{argument}.updated_at", value),
            use=_use(f"{argument}.use", value.get("use") or {}),
            **_history(argument, value),
        )


def _history(argument: str, value: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that an export with history has, as far as they are given."""
    checks: Mapping[str, Callable[[str, Any], object]] = {
        "key": checked_text,
        "revision": revision_number,
        "change": lambda argument, change: limits.label(argument, change) if change else "",
        "history_from": limits.moment,
    }
    return {
        name: check(f"{argument}.{name}", value[name])
        for name, check in checks.items()
        if value.get(name) is not None
    }


def revision_number(argument: str, value: object, *, least: int = 1) -> int:
    """Check the number of a revision.

    Raises:
        InvalidInput: It is none.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value < MOST_REVISIONS:
        raise InvalidInput(argument, value, f"must be a whole number from {least}")
    return value


def checked_authors(argument: str, value: object) -> tuple[str, ...]:
    """Check a list of authors, at least one.

    Raises:
        InvalidInput: It is none.
    """
    authors = checked_texts(argument, value, AUTHORS)
    if not authors:
        raise InvalidInput(argument, value, "must name at least one author")
    return authors


def checked_texts(argument: str, value: object, most: int = UNLINKED) -> tuple[str, ...]:
    """Check a list of short texts without control characters.

    Raises:
        InvalidInput: It is none, or too long.
    """
    if not isinstance(value, list) or len(value) > most:
        raise InvalidInput(argument, value, f"must be a list of at most {most} texts")
    return tuple(checked_text(argument, item) for item in value)


def checked_text(argument: str, value: object) -> str:
    """Check a short text without control characters.

    Raises:
        InvalidInput: It is none, blank or too long.
    """
    checked = limits.text(argument, value)
    if not checked or len(checked) > AUTHOR_CHARACTERS:
        raise InvalidInput(argument, value, f"must have 1 to {AUTHOR_CHARACTERS} characters")
    if any(unicodedata.category(mark) == "Cc" for mark in checked):
        raise InvalidInput(argument, value, "must not contain control characters")
    return checked


def checked_record(argument: str, value: object, *, reserved: Container[str]) -> str | None:
    """Check the words of several authors; gives them as the store keeps them.

    Attributes may not be called what is `reserved`.

    Raises:
        InvalidInput: naming the fact that is not allowed.
    """
    if value is None:
        return None
    if isinstance(value, list) and set(map(str, value)) <= {"kind", "status"}:
        return json.dumps(value)
    if not isinstance(value, Mapping):
        raise InvalidInput(argument, value, "must be an object of facts")
    checked = {
        str(fact): checked_fact(argument, str(fact), by_author, reserved=reserved)
        for fact, by_author in value.items()
    }
    return compact_json(checked)


def checked_fact(
    argument: str, fact: str, by_author: object, *, reserved: Container[str]
) -> dict[str, list[object]]:
    """Check who says what of a fact, such as `title/`, `tag/infra` or `attribute/owner`.

    Gives each author's word as JSON has it: a moment and, where it is told, a value. An attribute
    may not be called what is `reserved`.

    Raises:
        InvalidInput: naming what is not allowed.
    """
    sort, _, name = fact.partition("/")
    authors = len(by_author) if isinstance(by_author, Mapping) else 0
    if sort not in _CHECKS or not isinstance(by_author, Mapping) or not 1 <= authors <= AUTHORS:
        facts = ", ".join(_CHECKS)
        expected = f"must map each fact ({facts}) to 1 to {AUTHORS} authors"
        raise InvalidInput(argument, fact, expected)
    if sort == "attribute":
        limits.attributes(argument, {name: None}, reserved=reserved)
    elif sort in _LISTED:
        checked_text(argument, name)
    elif name:
        raise InvalidInput(argument, fact, f"must be `{sort}/`, for an entity has one")
    return {
        checked_text(argument, author): _checked_word(argument, sort, word)
        for author, word in by_author.items()
    }


def _checked_word(argument: str, sort: str, word: object) -> list[object]:
    if not isinstance(word, list) or len(word) not in {1, 2}:
        raise InvalidInput(argument, word, "must be a list of a moment and, optionally, a value")
    at = word[0]
    if isinstance(at, bool) or not isinstance(at, int) or not 0 <= at <= _LAST:
        expected = "must be a moment before the year 9000, in microseconds since 1970"
        raise InvalidInput(argument, at, expected)
    if len(word) == 1 or word[1] is None:
        return [at, *word[1:]]
    value: Any = _CHECKS[sort](argument, word[1])
    return [at, plain(value) if sort == "attribute" else to_json_value(value)]


def use_count(argument: str, value: object) -> int:
    """Check how often an entity was found.

    Raises:
        InvalidInput: It is no number that can be counted on.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < MOST_USES:
        raise InvalidInput(argument, value, "must be a whole number from 0")
    return value


_USE: Mapping[str, Callable[[str, object], object]] = {
    "accessed": limits.moment,
    "access_count": use_count,
    "decay_weight": limits.share,
}


def _use(argument: str, value: object) -> dict[str, Any]:
    if not isinstance(value, Mapping) or not value.keys() <= _USE.keys():
        raise InvalidInput(argument, value, f"must be an object with the fields {', '.join(_USE)}")
    return {name: _USE[name](f"{argument}.{name}", item) for name, item in value.items()}
