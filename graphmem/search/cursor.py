"""A cursor: where a page ended, and of which search, as one word a caller hands back."""

import base64
import binascii
import json
import struct
from dataclasses import dataclass, replace
from typing import Any

from graphmem import text
from graphmem.errors import InvalidInput
from graphmem.model.filters import Filters
from graphmem.search.plan import After, Plan

_EXPECTED = "must be the `cursor` of an answer to the same search"
# Whole numbers that the database takes are smaller.
_LARGEST = 2**63
# What decoding raises for a text that is no cursor.
_NO_CURSOR = (
    ValueError, TypeError, OverflowError, RecursionError, binascii.Error, UnicodeError,
    struct.error,
)  # fmt: skip
# What begins a short cursor, which is bytes: it has the key without the first project, or whole.
# That of any other begins the text of a list.
_RANKED_FORMS = (b"\x02", b"\x03")
_SECOND_PASS_FORMS = (b"\x08", b"\x09")
_RERANKED_FORMS = (b"\x04", b"\x05")
_CHANGED_FORMS = (b"\x06", b"\x07")
# What stands behind it: a digest of the search, and what the last hit was sorted by, how many hits
# came until then, or when it changed.
_HEAD = struct.Struct(">8sd")
_RERANKED_HEAD = struct.Struct(">8sh")
_CHANGED_HEAD = struct.Struct(">8sq")
# The first field of the cursor of a reranked page, as earlier versions wrote it.
RERANKED = "reranked"
# That of a listing of what changed last.
CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class RerankPosition:
    """Where a page within the reranked hits ended.

    Args:
        offset: How many hits came until then.
        key: The last one of them.
    """

    offset: int
    key: str


@dataclass(frozen=True, slots=True)
class ChangePosition:
    """Where a page of what changed last ended.

    Args:
        changed: When the last entity of it changed, in microseconds since 1970.
        key: Its key.
    """

    changed: int
    key: str


def encode(query: str, filters: Filters, plan: Plan, position: After) -> str:
    """Write where a page ended, in few bytes, since models read it."""
    head = _HEAD.pack(_short_search(query, filters, plan), position.sort_value)
    names = f"{position.seen},{len(position.sort_name)},{position.sort_name}"
    forms = _SECOND_PASS_FORMS if position.second_pass else _RANKED_FORMS
    return _with_key(forms, head + names.encode(), position.key, filters)


def encode_rerank(query: str, filters: Filters, plan: Plan, position: RerankPosition) -> str:
    """Write where a page within the reranked hits ended."""
    head = _RERANKED_HEAD.pack(_short_search(query, filters, plan), position.offset)
    return _with_key(_RERANKED_FORMS, head, position.key, filters)


def decode_rerank(cursor: str, query: str, filters: Filters, plan: Plan) -> RerankPosition | None:
    """Read the cursor of a page within the reranked hits; None for any other cursor.

    Raises:
        InvalidInput: It is one of another search.
    """
    try:
        kind, search, offset, key = _fields(
            RERANKED, _RERANKED_FORMS, _RERANKED_HEAD, cursor, filters
        )
        position = RerankPosition(int(offset), str(key))
    except _NO_CURSOR:
        return None
    if kind != RERANKED:
        return None
    searches = (_short_search(query, filters, plan), _search(query, filters, plan))
    if search not in searches or position.offset < 1:
        raise InvalidInput("cursor", cursor, _EXPECTED)
    return position


def encode_change(filters: Filters, plan: Plan, position: ChangePosition) -> str:
    """Write where a page of what changed last ended."""
    head = _CHANGED_HEAD.pack(_short(_listing(filters, plan)), position.changed)
    return _with_key(_CHANGED_FORMS, head, position.key, filters)


def decode_change(cursor: str, filters: Filters, plan: Plan) -> ChangePosition:
    """Read the cursor of a page of what changed last.

    Raises:
        InvalidInput: It is no cursor, or one of another listing.
    """
    try:
        kind, listing, changed, key = _fields(
            CHANGED, _CHANGED_FORMS, _CHANGED_HEAD, cursor, filters
        )
    except _NO_CURSOR:
        raise InvalidInput("cursor", cursor, _EXPECTED) from None
    own_listing = _listing(filters, plan)
    is_same_listing = kind == CHANGED and listing in (_short(own_listing), own_listing)
    if (
        not is_same_listing
        or not isinstance(key, str)
        or not isinstance(changed, int)
        or abs(changed) >= _LARGEST
    ):
        raise InvalidInput("cursor", cursor, _EXPECTED)
    return ChangePosition(changed, key)


def decode(cursor: str, query: str, filters: Filters, plan: Plan) -> After:
    """Read a cursor of the same search.

    Raises:
        InvalidInput: It is no cursor, or one of another search.
    """
    try:
        content = _bytes(cursor)
        is_short = content[:1] in _RANKED_FORMS + _SECOND_PASS_FORMS
        search, position = _short_position(content, filters) if is_short else _listed(cursor)
    except _NO_CURSOR:
        raise InvalidInput("cursor", cursor, _EXPECTED) from None
    searches = (_short_search(query, filters, plan), _search(query, filters, plan))
    if search not in searches or abs(position.seen) >= _LARGEST:
        raise InvalidInput("cursor", cursor, _EXPECTED)
    return position


def _short_position(content: bytes, filters: Filters) -> tuple[bytes, After]:
    form, rest = content[:1], content[1:]
    search, sort_value = _HEAD.unpack(rest[: _HEAD.size])
    seen, length, names = rest[_HEAD.size :].decode().split(",", 2)
    sort_name, key = names[: int(length)], names[int(length) :]
    second_pass = form in _SECOND_PASS_FORMS
    shortened = (_SECOND_PASS_FORMS if second_pass else _RANKED_FORMS)[0]
    whole_key = filters.projects[0] + key if form == shortened else key
    return search, After(sort_value, sort_name, whole_key, int(seen), second_pass)


def _listed(cursor: str) -> tuple[str, After]:
    """Read a cursor as earlier versions wrote it."""
    search, sort_value, sort_name, key, rank = _decode(cursor)
    return str(search), After(float(sort_value), str(sort_name), str(key), int(rank))


def _short_search(query: str, filters: Filters, plan: Plan) -> bytes:
    return _short(_search(query, filters, plan))


def _short(digest: str) -> bytes:
    return bytes.fromhex(digest)[:8]


def _search(query: str, filters: Filters, plan: Plan) -> str:
    """A digest of everything that decides the order."""
    plan_of_all_pages = replace(
        plan, after=None, limit=0, passages=0, explain=False, highlight=False
    )
    return text.digest(query, filters, plan_of_all_pages)


def _listing(filters: Filters, plan: Plan) -> str:
    """A digest of everything that decides what is listed, and in which order."""
    return text.digest(filters, plan.at, plan.as_of)


def _with_key(forms: tuple[bytes, bytes], head: bytes, key: str, filters: Filters) -> str:
    """A cursor of its form, a head and a key."""
    rest = key.removeprefix(filters.projects[0])
    return _as_word(forms[rest == key] + head + rest.encode())


def _fields(
    kind: str, forms: tuple[bytes, bytes], head: struct.Struct, cursor: str, filters: Filters
) -> Any:  # noqa: ANN401 - as for `_decode`
    """The kind, digest, number and key of what `_with_key` or an earlier version wrote."""
    content = _bytes(cursor)
    if content[:1] not in forms:
        return _decode(cursor)
    digest, number = head.unpack(content[1 : 1 + head.size])
    rest = content[1 + head.size :].decode()
    return kind, digest, number, filters.projects[0] + rest if content[:1] == forms[0] else rest


def _decode(cursor: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    fields = json.loads(_bytes(cursor))
    json.dumps(fields, ensure_ascii=False).encode()  # fails on what the driver cannot send
    return fields


def _as_word(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def _bytes(cursor: str) -> bytes:
    return base64.urlsafe_b64decode((cursor + "=" * (-len(cursor) % 4)).encode())
