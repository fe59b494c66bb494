"""How long values are shown by `repr`: by their beginning, and by how much more there is."""

from collections.abc import Iterable, Mapping
from itertools import islice

# What is shown of a list, of a mapping and of a text.
ITEMS, ENTRIES, CHARACTERS = 3, 5, 200


def short_repr(value: object) -> str:
    """Write a value as `repr` does; of a long list, mapping or text only the beginning."""
    if isinstance(value, str):
        more = len(value) - CHARACTERS
        return repr(value) if more <= 0 else f"{value[:CHARACTERS]!r} and {more:,} more characters"
    if isinstance(value, Mapping):
        entries = (f"{name!r}: {short_repr(entry)}" for name, entry in value.items())
        return f"{{{_joined(entries, len(value), ENTRIES)}}}"
    if isinstance(value, list | tuple):
        items = _joined(map(short_repr, value), len(value), ITEMS)
        if isinstance(value, list):
            return f"[{items}]"
        return f"({items},)" if len(value) == 1 else f"({items})"
    return repr(value)


def _joined(parts: Iterable[str], count: int, most: int) -> str:
    shown = list(islice(parts, most))
    if count > most:
        shown.append(f"and {count - most:,} more")
    return ", ".join(shown)
