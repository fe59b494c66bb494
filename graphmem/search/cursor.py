"""A cursor: where a page ended, and of which search, as one word a caller hands back."""

import base64
import struct
from dataclasses import dataclass, replace

from graphmem import text
from graphmem.errors import InvalidInput
from graphmem.model.answer import MOST_HITS
from graphmem.model.filters import Filters
from graphmem.search.plan import After, Plan, SecondPass

_EXPECTED = "must be the `cursor` of an answer to the same search"
# Whole numbers that the database takes are smaller.
_LARGEST = 2**63
# A list of the database has fewer places.
_MOST_PLACES = 2**31
# What decoding raises for a text that is no cursor.
_NO_CURSOR = (ValueError, TypeError, struct.error)
# What begins a cursor, which is bytes: it has the key without the first project, or whole.
_RANKED_FORMS = (b"\x02", b"\x03")
_SECOND_PASS_FORMS = (b"\x08", b"\x09")
_RERANKED_FORMS = (b"\x04", b"\x05")
_CHANGED_FORMS = (b"\x06", b"\x07")
# What stands behind it: a digest of the search, and what the last hit was sorted by, how many hits
# came until then, or when it changed.
_HEAD = struct.Struct(">8sd")
_RERANKED_HEAD = struct.Struct(">8sh")
_CHANGED_HEAD = struct.Struct(">8sq")


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
    head = _HEAD.pack(_search(query, filters, plan), position.sort_value)
    names = f"{position.seen},{len(position.sort_name)},{position.sort_name}"
    forms = _RANKED_FORMS
    if begins := position.second_pass:
        names = f"{begins.hits_before},{begins.limit},{names}"
        forms = _SECOND_PASS_FORMS
    return _with_key(forms, head + names.encode(), position.key, filters)


def encode_rerank(query: str, filters: Filters, plan: Plan, position: RerankPosition) -> str:
    """Write where a page within the reranked hits ended."""
    head = _RERANKED_HEAD.pack(_search(query, filters, plan), position.offset)
    return _with_key(_RERANKED_FORMS, head, position.key, filters)


def decode_rerank(cursor: str, query: str, filters: Filters, plan: Plan) -> RerankPosition | None:
    """Read the cursor of a page within the reranked hits; None for any other cursor.

    Raises:
        InvalidInput: It is one of another search.
    """
    try:
        search, offset, key = _fields(_RERANKED_FORMS, _RERANKED_HEAD, cursor, filters)
    except _NO_CURSOR:
        return None
    if search != _search(query, filters, plan) or offset < 1:
        raise InvalidInput("cursor", cursor, _EXPECTED)
    return RerankPosition(offset, key)


def encode_change(filters: Filters, plan: Plan, position: ChangePosition) -> str:
    """Write where a page of what changed last ended."""
    head = _CHANGED_HEAD.pack(_listing(filters, plan), position.changed)
    return _with_key(_CHANGED_FORMS, head, position.key, filters)


def decode_change(cursor: str, filters: Filters, plan: Plan) -> ChangePosition:
    """Read the cursor of a page of what changed last.

    Raises:
        InvalidInput: It is no cursor, or one of another listing.
    """
    try:
        listing, changed, key = _fields(_CHANGED_FORMS, _CHANGED_HEAD, cursor, filters)
    except _NO_CURSOR:
        raise InvalidInput("cursor", cursor, _EXPECTED) from None
    if listing != _listing(filters, plan):
        raise InvalidInput("cursor", cursor, _EXPECTED)
    return ChangePosition(changed, key)


def decode(cursor: str, query: str, filters: Filters, plan: Plan) -> After:
    """Read a cursor of the same search.

    Raises:
        InvalidInput: It is no cursor, or one of another search.
    """
    try:
        search, position = _position(_bytes(cursor), filters)
    except _NO_CURSOR:
        raise InvalidInput("cursor", cursor, _EXPECTED) from None
    if search != _search(query, filters, plan) or abs(position.seen) >= _LARGEST:
        raise InvalidInput("cursor", cursor, _EXPECTED)
    return position


def _position(content: bytes, filters: Filters) -> tuple[bytes, After]:
    form, rest = content[:1], content[1:]
    if form not in _RANKED_FORMS + _SECOND_PASS_FORMS:
        raise ValueError
    search, sort_value = _HEAD.unpack(rest[: _HEAD.size])
    names = rest[_HEAD.size :].decode()
    second_pass = None
    if form in _SECOND_PASS_FORMS:
        hits_before, limit, names = names.split(",", 2)
        second_pass = _second_pass(int(hits_before), int(limit))
    seen, length, names = names.split(",", 2)
    sort_name, key = names[: int(length)], names[int(length) :]
    is_shortened = form in {_RANKED_FORMS[0], _SECOND_PASS_FORMS[0]}
    whole_key = filters.projects[0] + key if is_shortened else key
    return search, After(sort_value, sort_name, whole_key, int(seen), second_pass)


def _second_pass(hits_before: int, limit: int) -> SecondPass:
    """Where the second pass begins; `ValueError` for what no search gives."""
    if not (0 <= hits_before < _MOST_PLACES and 0 < limit <= MOST_HITS):
        raise ValueError
    return SecondPass(hits_before, limit)


def _search(query: str, filters: Filters, plan: Plan) -> bytes:
    """A digest of everything that decides the order, 8 bytes."""
    plan_of_all_pages = replace(
        plan, after=None, limit=0, passages=0, explain=False, highlight=False
    )
    return _short(text.digest(query, filters, plan_of_all_pages))


def _listing(filters: Filters, plan: Plan) -> bytes:
    """A digest of everything that decides what is listed, and in which order, 8 bytes."""
    return _short(text.digest(filters, plan.at, plan.as_of))


def _short(digest: str) -> bytes:
    return bytes.fromhex(digest)[:8]


def _with_key(forms: tuple[bytes, bytes], head: bytes, key: str, filters: Filters) -> str:
    """A cursor of its form, a head and a key."""
    rest = key.removeprefix(filters.projects[0])
    return _as_word(forms[rest == key] + head + rest.encode())


def _fields(
    forms: tuple[bytes, bytes], head: struct.Struct, cursor: str, filters: Filters
) -> tuple[bytes, int, str]:
    """The digest, number and key of what `_with_key` wrote; `_NO_CURSOR` for another form."""
    content = _bytes(cursor)
    if content[:1] not in forms:
        raise ValueError
    digest, number = head.unpack(content[1 : 1 + head.size])
    rest = content[1 + head.size :].decode()
    return digest, number, filters.projects[0] + rest if content[:1] == forms[0] else rest


def _as_word(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def _bytes(cursor: str) -> bytes:
    return base64.urlsafe_b64decode((cursor + "=" * (-len(cursor) % 4)).encode())
