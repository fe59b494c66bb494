"""Cuts what is sent or read at once by its number, and by its bytes where these may be many."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from typing import TypeVar

# What one statement is given, or one answer holds, where a single item is not larger itself.
STATEMENT_BYTES = 8 * 1024 * 1024
# What one transaction writes in all; several times as much is held of it while it is committed.
TRANSACTION_BYTES = 32 * 1024 * 1024
# A number, a moment or a name takes no more.
_PLAIN = 16

_Item = TypeVar("_Item")


def batches(
    items: Iterable[_Item],
    size_of: Callable[[_Item], int] = lambda _: 0,
    *,
    most: int,
    most_bytes: int = STATEMENT_BYTES,
) -> Iterator[list[_Item]]:
    """Cut items into lists, in their order; an item larger than a list may be stands alone.

    Args:
        items: What is cut; taken one by one, and given as soon as a list is full by number.
        size_of: How many bytes an item counts for; by default only the number counts.
        most: The most items of a list, at least 1.
        most_bytes: The most bytes of a list of several items.
    """
    batch: list[_Item] = []
    total = 0
    for item in items:
        size = size_of(item)
        if batch and total + size > most_bytes:
            yield batch
            batch, total = [], 0
        batch.append(item)
        total += size
        if len(batch) == most:
            yield batch
            batch, total = [], 0
    if batch:
        yield batch


def size(value: object) -> int:
    """About how many bytes a statement's parameter takes: its texts as UTF-8, 16 for what is plain.

    An embedding counts as 16 bytes a dimension, which is what a server holds of it while it reads.
    """
    if isinstance(value, str):
        return len(value) if value.isascii() else len(value.encode("utf-8", "surrogatepass"))
    if isinstance(value, Mapping):
        return sum(size(name) + size(item) for name, item in value.items())
    if isinstance(value, list | tuple) and not (value and isinstance(value[0], float)):
        return sum(map(size, value))
    return _PLAIN * len(value) if isinstance(value, Sized) else _PLAIN
