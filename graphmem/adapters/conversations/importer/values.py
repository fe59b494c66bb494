"""The values of lines and exports, whatever stands there: moments, ids, texts, lists, objects."""

import re
from datetime import UTC, datetime
from typing import Any, TypeGuard

from graphmem.errors import InvalidInput
from graphmem.model import limits

_UUID = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){2})-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)


def moment(argument: str, value: object, *, per_second: int = 1) -> datetime | None:
    """When something was said: ISO 8601, or a number since the beginning of 1970.

    Args:
        argument: What an error calls it.
        value: What stands there.
        per_second: What the number counts: 1 for seconds, 1,000 for milliseconds.

    Raises:
        InvalidInput: It is neither.
    """
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return datetime.fromtimestamp(value / per_second, UTC)
        except (ValueError, OverflowError, OSError):
            unit = "seconds" if per_second == 1 else "milliseconds"
            requirement = f"must be a date such as 2026-03-01T10:00:00Z, or {unit} since 1970"
            hint = "Divide milliseconds by 1,000." if per_second == 1 else None
            raise InvalidInput(argument, value, requirement, hint=hint) from None
    return limits.moment(argument, value)


def identifier(argument: str, value: object) -> str:
    """An id, which is text or a whole number.

    Raises:
        InvalidInput: It is something else, or blank.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise InvalidInput(argument, value, "must be text or a whole number")
    return limits.name(argument, value)


def object_or_empty(value: object) -> dict[str, Any]:
    """A JSON object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def list_or_empty(value: object) -> list[Any]:
    """A JSON list; an empty one for anything else."""
    return value if isinstance(value, list) else []


def is_text(value: object) -> TypeGuard[str]:
    """Whether a value is a text that is not blank."""
    return isinstance(value, str) and bool(value.strip())


def short_id(identity: str) -> str:
    """An id as names show it: of a UUID its first 16 digits, enough in one export, else all."""
    uuid = _UUID.fullmatch(identity)
    return uuid[1] if uuid else identity
