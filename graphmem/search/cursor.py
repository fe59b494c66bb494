"""A cursor: where a page ended, and of which search, as one word a caller hands back."""

import base64
import binascii
import json
from dataclasses import replace

from graphmem import text
from graphmem.errors import InvalidInput
from graphmem.search.plan import After, Filters, Plan


def written(query: str, filters: Filters, plan: Plan, after: After) -> str:
    """Write where a page ended."""
    fields = [
        _search(query, filters, plan),
        after.sort_value,
        after.sort_name,
        after.key,
        after.seen,
    ]
    return base64.urlsafe_b64encode(json.dumps(fields).encode()).decode().rstrip("=")


def read(cursor: str, query: str, filters: Filters, plan: Plan) -> After:
    """Read a cursor of the same search.

    Raises:
        InvalidInput: It is no cursor, or one of another search.
    """
    expected = "must be the `cursor` of an answer to the same search"
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        search, sort_value, sort_name, key, seen = json.loads(
            base64.urlsafe_b64decode(padded.encode())
        )
        after = After(float(sort_value), str(sort_name), str(key), int(seen))
    except (ValueError, TypeError, RecursionError, binascii.Error, UnicodeError):
        raise InvalidInput("cursor", cursor, expected) from None
    if search != _search(query, filters, plan):
        raise InvalidInput("cursor", cursor, expected)
    return after


def _search(query: str, filters: Filters, plan: Plan) -> str:
    """A digest of everything that decides the order."""
    same = replace(plan, after=None, limit=0, passages=0, explain=False, highlight=False)
    return text.digest(query, filters, same)
