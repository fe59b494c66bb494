"""The one door to the driver: connects, runs the statements of `cypher/`, maps errors to ours.

A read is one auto-commit statement and one round trip; a write is a managed transaction, which is
made once, as `requests` tells. Both are tried again when the connection is lost.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Self, TypeVar

import neo4j

from graphmem.errors import DatabaseError, DatabaseUnavailable, GraphmemError, OutcomeUnknown
from graphmem.graph.conflicts import again_if_deadlocked, again_if_overtaken, is_there_already
from graphmem.graph.errors import Target, our_errors
from graphmem.graph.opening import open_driver
from graphmem.graph.planning import Planner
from graphmem.graph.requests import SWEEP_LIMIT, SWEEP_MINUTES, Once, Writers
from graphmem.graph.server_version import old_servers_named
from graphmem.graph.sessions import opened
from graphmem.graph.transaction import Row, Transaction, load_checked, row
from graphmem.progress import SILENT, Progress
from graphmem.statements import Statement

log = logging.getLogger("graphmem")

Result = TypeVar("Result")
Work = Callable[[Transaction], Result]
_READ, _WRITE = neo4j.READ_ACCESS, neo4j.WRITE_ACCESS

_CONNECTION_TRIES = 3
# An index is filled after its statement, a constraint within it: minutes in a store of millions.
_SCHEMA_SECONDS = 600.0


@dataclass(slots=True)
class _Pool:
    """A driver, how many statements use it, and whether another took its place."""

    target: Target
    driver: neo4j.Driver
    users: int = 0
    replaced: bool = False


class Graph:
    """A connection to the database; safe to share between threads.

    One thread connects again for all, and the driver before is closed when its last user is done.

    Args:
        find: Gives the target, starting the private server where that is needed. Called again when
            a connection is lost, so a server that was stopped or killed comes back.
        timeout: Seconds one statement may take.
        touch: Called on every statement; tells the private server that it is in use.
        is_served: Asked before every connection whether the server is still there. Where it is
            not, nobody is spoken to: another process may have taken its port.
        read_only: Whether writes are refused before they are sent.
        newest: The newest version of a store that is written to; None for any.
        progress: Told when a statement takes long because it has yet to be planned.

    Attributes:
        statements: How many statements were run outside of transactions.
    """

    def __init__(
        self,
        find: Callable[[], Target],
        *,
        timeout: float,
        touch: Callable[[], None] = lambda: None,
        is_served: Callable[[Target], bool] = lambda _: True,
        read_only: bool = False,
        newest: int | None = None,
        progress: Progress = SILENT,
    ) -> None:
        self._find = find
        self.timeout = timeout
        self._touch = touch
        self.read_only = read_only
        self._is_served = is_served
        self._pool = self._open_pool(find())
        self._changing = threading.Lock()
        self._reconnecting = threading.Lock()
        self._reconnections = 0
        self._writers = Writers()
        self._newest = newest
        self._planner = Planner(progress)
        # In a cluster a read may reach a member that has not seen the write before it.
        is_cluster = self._target.uri.startswith("neo4j")
        self._bookmarks = neo4j.GraphDatabase.bookmark_manager() if is_cluster else None
        self.statements = 0

    def __enter__(self) -> Self:
        """Give the connection itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the connection."""
        self.close()

    def close(self) -> None:
        """Close every connection of the pool."""
        self._pool.driver.close()

    @property
    def _target(self) -> Target:
        return self._pool.target

    def read(self, name: str, /, **parameters: object) -> list[Row]:
        """Run one reading statement in one round trip and give its rows.

        What could not be planned in time is planned with more, and run again.

        Raises:
            TypeError: The parameters are not those its header declares.
            DatabaseTimeout: It took longer than the time limit.
            DatabaseUnavailable: No server answers, also after trying again.
            DatabaseError: The server refused it.
        """
        statement = load_checked(name, parameters)
        if statement.access != "read":
            raise TypeError(f"{name} is not a reading statement")

        def run(sent: Statement, seconds: float) -> list[Row]:
            return self._with_retries(lambda: self._run_once(sent, _READ, parameters, seconds))

        return self._planner.again_once_planned(run, statement, seconds=self.timeout)

    def run(self, name: str, /, **parameters: object) -> list[Row]:
        """Run one statement as `write` runs a function, and give its rows."""
        return self.write(lambda transaction: transaction.run(name, **parameters))

    def write(self, work: Work[Result]) -> Result:
        """Run a function in one managed transaction, which may be tried again from its start.

        What it writes happens once: where the answer to a commit was lost, it is looked up whether
        the write is there, and then the value the function returned at that try is given.

        Raises:
            DatabaseTimeout: A statement took longer than the time limit.
            DatabaseUnavailable: No server answers.
            SchemaMismatch: A newer graphmem brought the store to its own version meanwhile.
            OutcomeUnknown: The server did not confirm the commit: the connection was lost and
                nothing answers since, or the server broke it off.
            DatabaseError: The server refused a statement; nothing was written.
        """
        with self._writers.lent() as writer:
            once, is_first_write = Once(writer, work, self._newest), writer.fresh
            try:
                value = self._run_managed(once, once.failed)
            except GraphmemError as error:
                if once.uncertain:
                    raise OutcomeUnknown(error) from error
                raise
            once.succeeded()
        if is_first_write:
            self._sweep()
        return value

    def alter(self, work: Work[Result], *, seconds: float | None = None) -> Result:
        """Run a function in one transaction that does not note that it happened; it may twice.

        For schema statements, beside which no other may stand, and for what is rolled back. It may
        take `seconds`; without them as long as a write.

        Raises:
            DatabaseUnavailable: No server answers.
            DatabaseError: The server refused a statement; nothing was written.
        """
        return self._run_managed(work, seconds=seconds)

    def define(self, name: str, /, **parameters: object) -> list[Row]:
        """Run one schema statement; one that another process ran at the same moment is a success.

        It may take as long as any statement, and ten minutes in any case.

        Raises:
            DatabaseTimeout: It took longer.
            DatabaseUnavailable: No server answers.
            DatabaseError: The server refused it.
        """
        statement = load_checked(name, parameters)
        limit = max(self.timeout, _SCHEMA_SECONDS)
        try:
            return again_if_deadlocked(lambda: self._run_once(statement, _WRITE, parameters, limit))
        except DatabaseError as error:
            if is_there_already(error):
                return []
            raise

    def _run_managed(
        self,
        work: Work[Result],
        on_failure: Callable[[DatabaseError], None] = lambda _: None,
        seconds: float | None = None,
    ) -> Result:
        if self.read_only:
            raise DatabaseError(
                "this store was opened read-only; open it without read_only to write"
            )

        @neo4j.unit_of_work(timeout=seconds or self.timeout * 3, metadata={"app": "graphmem"})
        def unit(driver_transaction: neo4j.ManagedTransaction) -> Result:
            return work(Transaction(driver_transaction))

        def run_once() -> Result:
            try:
                with self._session(_WRITE) as session:
                    return session.execute_write(unit)
            except DatabaseError as error:
                on_failure(error)
                raise

        return self._with_retries(lambda: again_if_overtaken(run_once))

    def _sweep(self) -> None:
        limits = {"minutes": SWEEP_MINUTES, "limit": SWEEP_LIMIT}
        statement = load_checked("write/sweep_requests", limits)
        try:
            self._run_once(statement, _WRITE, limits, self.timeout)
        except GraphmemError as error:
            log.info("nodes of writers that are gone could not be swept: %s", error)

    def _with_retries(self, work: Callable[[], Result]) -> Result:
        for attempt in range(_CONNECTION_TRIES - 1):
            lost_pool = self._pool
            try:
                return work()
            except DatabaseUnavailable:
                log.info("the connection was lost; connecting again")
                time.sleep(0.1 * attempt)
                self._reconnect(lost_pool)
        return work()

    def _reconnect(self, lost_pool: _Pool) -> None:
        """Look for the target again, unless another thread did since or while this one waited."""
        reconnections = self._reconnections
        with self._reconnecting:
            if self._pool is not lost_pool or self._reconnections != reconnections:
                return
            try:
                target = self._find()
            finally:
                self._reconnections += 1
            if target == lost_pool.target:
                return
            pool = self._open_pool(target)
            with self._changing:
                self._pool, lost_pool.replaced = pool, True
                is_unused = lost_pool.users == 0
        if is_unused:
            lost_pool.driver.close()

    def _open_pool(self, target: Target) -> _Pool:
        return _Pool(target, open_driver(target, lambda: self._is_served(target)))

    @contextmanager
    def _using(self) -> Iterator[_Pool]:
        with self._changing:
            pool = self._pool
            pool.users += 1
        try:
            yield pool
        finally:
            with self._changing:
                pool.users -= 1
                is_last = pool.replaced and pool.users == 0
            if is_last:
                pool.driver.close()

    @contextmanager
    def _session(self, access: str) -> Iterator[neo4j.Session]:
        self._touch()
        with (
            self._using() as pool,
            our_errors(pool.target),
            old_servers_named(pool.driver, pool.target),
            opened(pool.driver, pool.target.database, access, self._bookmarks) as session,
        ):
            yield session

    def _run_once(
        self,
        statement: Statement,
        access: str,
        parameters: Mapping[str, object],
        timeout: float | None,
    ) -> list[Row]:
        metadata = {"app": "graphmem", "statement": statement.name}
        # The text is made of our own files, never of input.
        driver_query = neo4j.Query(statement.sent_text, metadata, timeout)
        sent = statement.sent_parameters(parameters)
        with self._session(access) as session:
            self.statements += 1
            return [row(record) for record in session.run(driver_query, sent)]
