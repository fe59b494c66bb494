"""Request ids: a write whose answer was lost happens once, and its outcome is known.

Every write marks a node of its writer with a number, first in its own transaction. When the answer
to the commit is lost, the next try marks the same node: it waits for the lock of a try that still
commits, then reads whether the number is there. A writer keeps its node for its next writes, so
that a write adds nothing to the store; few writers exist, and nodes of those that are gone are
swept.
"""

import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from neo4j import exceptions

from graphmem.errors import DatabaseError, SchemaMismatch
from graphmem.graph.transaction import Transaction

Result = TypeVar("Result")

# A writer that rested for longer takes a new node, long before its old one may be swept.
REST_SECONDS = 600.0
SWEEP_MINUTES = 60
SWEEP_LIMIT = 100

# The server's own commit broke off: only its log knows whether the write will be there.
_BROKEN_OFF = frozenset({"Neo.DatabaseError.Transaction.TransactionCommitFailed"})


@dataclass(slots=True)
class Writer:
    """One writer's node, which one transaction at a time marks.

    Args:
        id: The node's id, known to nobody else.
        number: How many writes it was taken for.
        used: When it was given back, in seconds since the epoch.
        fresh: Whether it was never written with.
        committing: Whether a commit was sent whose outcome is not known yet.
    """

    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    number: int = 0
    used: float = 0.0
    fresh: bool = True
    committing: bool = False


class Writers:
    """The writers of one connection: as many as ever wrote at the same moment."""

    def __init__(self) -> None:
        self._free: list[Writer] = []
        self._changing = threading.Lock()

    @contextmanager
    def lent(self) -> Iterator[Writer]:
        """Lend a writer for one write, never one whose commit may still be under way."""
        with self._changing:
            earliest_use = time.time() - REST_SECONDS
            self._free = [writer for writer in self._free if writer.used > earliest_use]
            writer = self._free.pop() if self._free else Writer()
        writer.number += 1
        try:
            yield writer
        finally:
            if not writer.committing:
                writer.used = time.time()
                with self._changing:
                    self._free.append(writer)


class Once(Generic[Result]):
    """A unit of work that happens once, however often its transaction is tried.

    Args:
        writer: Whose node is marked.
        work: The statements; run again only where the try before is known to have left nothing.
        newest: The newest version of a store that the work can write to; None for any.
    """

    def __init__(
        self, writer: Writer, work: Callable[[Transaction], Result], newest: int | None = None
    ) -> None:
        self._writer = writer
        self._work = work
        self._newest = newest
        self._returned: list[Result] = []
        self.uncertain = False

    def __call__(self, transaction: Transaction) -> Result:
        """Run the work, or give what the try returned that was committed.

        Raises:
            SchemaMismatch: A newer graphmem brought the store to its own version meanwhile.
        """
        mark = transaction.run("write/mark_request", id=self._writer.id, number=self._writer.number)
        if not mark[0]["done"]:
            self._check_version(mark[0]["version"])
            self._writer.committing = self.uncertain = False
            self._returned = [self._work(transaction)]
            self._writer.committing = True
        return self._returned[0]

    def _check_version(self, version: int | None) -> None:
        if self._newest is not None and version is not None and version > self._newest:
            raise SchemaMismatch(
                f"the store has version {version} now, since a newer graphmem opened it, and this "
                f"process writes version {self._newest}: nothing was written; restart this process "
                "with the newer graphmem"
            )

    def failed(self, error: DatabaseError) -> None:
        """Hear how a try ended: only a refusal by the server itself says that nothing was kept."""
        cause = error.__cause__
        is_refusal = isinstance(cause, exceptions.Neo4jError) and cause.code not in _BROKEN_OFF
        if self._writer.committing and not is_refusal:
            self.uncertain = True

    def succeeded(self) -> None:
        """Hear that the commit was acknowledged."""
        self._writer.committing = self._writer.fresh = False
