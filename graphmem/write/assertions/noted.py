"""What a revision has noted as JSON, which somebody may have damaged by hand. Pure."""

import json
from typing import Any

from graphmem import text
from graphmem.errors import DatabaseError


def noted(before: object) -> dict[str, Any] | None:
    """What was there before a revision, by path; None where its record cannot be read."""
    try:
        state = json.loads(before) if isinstance(before, str) else None
    except (ValueError, RecursionError):
        return None
    return state if isinstance(state, dict) else None


def required(before: object, key: str) -> dict[str, Any]:
    """What was there before a revision, by path, for whom its record has to be whole.

    Args:
        before: As the revision has it.
        key: The key of its entity.

    Raises:
        DatabaseError: The record cannot be read.
    """
    state = noted(before)
    if state is None:
        name = text.name_of(key)
        raise DatabaseError(
            f"the record of a change of {name} cannot be read, since something else than graphmem "
            "has changed it; `graphmem purge NAME --history` deletes the history of an entity, and "
            "a backup may have it"
        )
    return state
