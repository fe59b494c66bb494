"""Transactions that are rolled back: what would be, looked at by whoever made it so."""

from collections.abc import Callable
from typing import Any, Never, TypeVar

from graphmem.graph.connection import Graph
from graphmem.graph.transaction import Transaction

Result = TypeVar("Result")


class _Rehearsed(Exception):
    """Ends a transaction without a commit, with what its function gave."""

    def __init__(self, result: Any) -> None:  # noqa: ANN401 - whatever a function gives
        super().__init__()
        self.result = result


def rehearse(graph: Graph, work: Callable[[Transaction], Result]) -> Result:
    """Run a function in one transaction, roll it back, and give what the function gave.

    Nothing that it writes stays or is seen by anybody else; until its end it holds the locks of a
    write.

    Raises:
        DatabaseTimeout: A statement took longer than the time limit.
        DatabaseUnavailable: No server answers.
        DatabaseError: The server refused a statement, or the store is open for reading only.
    """

    def whole(transaction: Transaction) -> Never:
        raise _Rehearsed(work(transaction))

    try:
        graph.alter(whole)
    except _Rehearsed as ended:
        result: Result = ended.result
        return result
