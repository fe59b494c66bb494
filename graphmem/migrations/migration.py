"""What a migration is."""

from collections.abc import Callable
from dataclasses import dataclass

from graphmem.graph import Transaction


@dataclass(frozen=True, slots=True)
class Migration:
    """A step from one version of a store to the next.

    Args:
        number: The version of a store that has had it.
        title: What it does, as a progress line goes on after a colon.
        change: Changes a page of entities, given their keys in order, in a transaction that holds
            the lock of the store. It must find out by itself what is left to do, since a page may
            come again: after a kill, when its transaction is tried again, and until the function
            says that the page is finished. It bounds what one call changes. None where what is
            stored stays as it is, and older versions would misread what is stored from then on.
    """

    number: int
    title: str
    change: Callable[[Transaction, list[str]], bool] | None
