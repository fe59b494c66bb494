"""Where the statements of a search run: in the store as it is, or as a transaction rewrote it."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Protocol, TypeVar

from graphmem.graph import Reader
from graphmem.search.request import Rewritten

Result = TypeVar("Result")


class SearchTarget(Protocol):
    """Runs the statements of a search, and tells what the vector index cannot see of the store."""

    def turn(self) -> AbstractContextManager[None]:
        """Wait until a search may begin here, before it takes the slot of another one; get ready.

        Raises:
            DatabaseTimeout: Too many others were before this one.
        """

    def run(self, work: Callable[[Reader, Rewritten | None], Result]) -> Result:
        """Run a function that searches, perhaps more than once from its start, and give its value.

        Raises:
            DatabaseError: What the function raised, in our words; nothing can be read there then.
        """


@dataclass(frozen=True, slots=True)
class Present:
    """The store as it is.

    Args:
        graph: A connection to it.
    """

    graph: Reader

    def turn(self) -> AbstractContextManager[None]:
        """Nobody has to wait."""
        return nullcontext()

    def run(self, work: Callable[[Reader, Rewritten | None], Result]) -> Result:
        """Run a function that searches once."""
        return work(self.graph, None)
