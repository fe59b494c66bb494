"""Transactions that are rolled back: what would be, looked at by whoever made it so."""

from collections.abc import Callable
from typing import Any, Never, TypeVar

from graphmem.graph.connection import Graph
from graphmem.graph.errors import memory_at_once
from graphmem.graph.transaction import Transaction

Result = TypeVar("Result")

# Time limits of a statement that all of it may take: fewer than a write, which may wait for it.
LIMITS = 2


class _Rehearsed(Exception):
    """Ends a transaction without a commit, with what its function gave."""

    def __init__(self, result: Any) -> None:  # noqa: ANN401 - whatever a function gives
        super().__init__()
        self.result = result


def rehearse(graph: Graph, work: Callable[[Transaction], Result]) -> Result:
    """Run a function in one transaction, roll it back, and give what the function gave.

    Nothing that it writes stays or is seen by anybody else; until its end it holds the locks of a
    write. A write that waits for them from its beginning outlasts it.

    Raises:
        DatabaseTimeout: It took longer than twice the time limit of a statement.
        DatabaseMemory: It needed more memory than the database is allowed.
        DatabaseUnavailable: No server answers.
        DatabaseError: The server refused a statement, or the store is open for reading only.
    """

    def run_and_roll_back(transaction: Transaction) -> Never:
        with memory_at_once():
            result = work(transaction)
        raise _Rehearsed(result)

    try:
        graph.alter(run_and_roll_back, seconds=LIMITS * graph.timeout)
    except _Rehearsed as rehearsal:
        result: Result = rehearsal.result
        return result
