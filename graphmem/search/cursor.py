"""A cursor: where a page ended, and of which search, as one word a caller hands back."""

import base64
import binascii
import json
from dataclasses import dataclass, replace
from typing import Any

from graphmem import text
from graphmem.errors import InvalidInput
from graphmem.search.plan import After, Filters, Plan

_EXPECTED = "must be the `cursor` of an answer to the same search"
# Whole numbers that the database takes are smaller.
_LARGEST = 2**63
# What decoding raises for a text that is no cursor.
_NO_CURSOR = (
    ValueError, TypeError, OverflowError, RecursionError, binascii.Error, UnicodeError,
)  # fmt: skip
# The first field of the cursor of a reranked page.
RERANKED = "reranked"
# The first field of the cursor of a listing of what changed last.
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
    """Write where a page ended."""
    fields = [
        _search(query, filters, plan),
        position.sort_value,
        position.sort_name,
        position.key,
        position.seen,
    ]
    return _encode(fields)


def encode_rerank(query: str, filters: Filters, plan: Plan, position: RerankPosition) -> str:
    """Write where a page within the reranked hits ended."""
    return _encode([RERANKED, _search(query, filters, plan), position.offset, position.key])


def decode_rerank(cursor: str, query: str, filters: Filters, plan: Plan) -> RerankPosition | None:
    """Read the cursor of a page within the reranked hits; None for any other cursor.

    Raises:
        InvalidInput: It is one of another search.
    """
    try:
        kind, search, offset, key = _decode(cursor)
        position = RerankPosition(int(offset), str(key))
    except _NO_CURSOR:
        return None
    if kind != RERANKED:
        return None
    if search != _search(query, filters, plan) or position.offset < 1:
        raise InvalidInput("cursor", cursor, _EXPECTED)
    return position


def encode_change(filters: Filters, plan: Plan, position: ChangePosition) -> str:
    """Write where a page of what changed last ended."""
    return _encode([CHANGED, _listing(filters, plan), position.changed, position.key])


def decode_change(cursor: str, filters: Filters, plan: Plan) -> ChangePosition:
    """Read the cursor of a page of what changed last.

    Raises:
        InvalidInput: It is no cursor, or one of another listing.
    """
    try:
        kind, listing, changed, key = _decode(cursor)
    except _NO_CURSOR:
        raise InvalidInput("cursor", cursor, _EXPECTED) from None
    is_same_listing = (kind, listing) == (CHANGED, _listing(filters, plan)) and isinstance(key, str)
    if not is_same_listing or not isinstance(changed, int) or abs(changed) >= _LARGEST:
        raise InvalidInput("cursor", cursor, _EXPECTED)
    return ChangePosition(changed, key)


def decode(cursor: str, query: str, filters: Filters, plan: Plan) -> After:
    """Read a cursor of the same search.

    Raises:
        InvalidInput: It is no cursor, or one of another search.
    """
    try:
        search, sort_value, sort_name, key, rank = _decode(cursor)
        position = After(float(sort_value), str(sort_name), str(key), int(rank))
    except _NO_CURSOR:
        raise InvalidInput("cursor", cursor, _EXPECTED) from None
    if search != _search(query, filters, plan) or abs(position.seen) >= _LARGEST:
        raise InvalidInput("cursor", cursor, _EXPECTED)
    return position


def _search(query: str, filters: Filters, plan: Plan) -> str:
    """A digest of everything that decides the order."""
    plan_of_all_pages = replace(
        plan, after=None, limit=0, passages=0, explain=False, highlight=False
    )
    return text.digest(query, filters, plan_of_all_pages)


def _listing(filters: Filters, plan: Plan) -> str:
    """A digest of everything that decides what is listed, and in which order."""
    return text.digest(filters, plan.at, plan.as_of)


def _encode(fields: list[object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(fields).encode()).decode().rstrip("=")


def _decode(cursor: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    base64_text = cursor + "=" * (-len(cursor) % 4)
    fields = json.loads(base64.urlsafe_b64decode(base64_text.encode()))
    json.dumps(fields, ensure_ascii=False).encode()  # fails on what the driver cannot send
    return fields
