"""The one door to the driver: connects, runs the statements of `cypher/`, maps errors to ours.

A read is one auto-commit statement and one round trip, tried again when the connection broke. A
write is a managed transaction, which the driver tries again when the server asks it to.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC
from typing import Any, Self, TypeVar

import neo4j
import neo4j.time
from neo4j import exceptions

from graphmem import queries
from graphmem.errors import DatabaseError, DatabaseUnavailable
from graphmem.graph.errors import Target, our_errors

log = logging.getLogger("graphmem")

Row = dict[str, Any]
Result = TypeVar("Result")
_PLAIN = frozenset({str, int, float, bool, type(None)})

_READ_TRIES = 3
# An index is filled after its statement, a constraint within it: minutes in a store of millions.
_SCHEMA_SECONDS = 600.0
_ALREADY_THERE = frozenset(
    {
        "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists",
        "Neo.ClientError.Schema.IndexAlreadyExists",
        "Neo.ClientError.Schema.ConstraintAlreadyExists",
    }
)


class Transaction:
    """The statements of one managed transaction: all of them happen or none."""

    def __init__(self, inner: neo4j.ManagedTransaction) -> None:
        self._inner = inner

    def run(self, name: str, /, **parameters: object) -> list[Row]:
        """Run a statement by its name and give its rows.

        Raises:
            TypeError: The parameters are not those its header declares.
        """
        query = _checked(name, parameters)
        return [_row(record) for record in self._inner.run(query.text, dict(parameters))]


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
        read_only: Whether writes are refused before they are sent.
    """

    def __init__(
        self,
        find: Callable[[], Target],
        *,
        timeout: float,
        touch: Callable[[], None] = lambda: None,
        read_only: bool = False,
    ) -> None:
        self._find = find
        self.timeout = timeout
        self._touch = touch
        self._read_only = read_only
        self._pool = _opened(find())
        self._changing = threading.Lock()
        self._reconnecting = threading.Lock()
        self._looks = 0
        # In a cluster a read may reach a member that has not seen the write before it.
        clustered = self._target.uri.startswith("neo4j")
        self._bookmarks = neo4j.GraphDatabase.bookmark_manager() if clustered else None
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

        Raises:
            TypeError: The parameters are not those its header declares.
            DatabaseTimeout: It took longer than the time limit.
            DatabaseUnavailable: No server answers, also after trying again.
            DatabaseError: The server refused it.
        """
        query = _checked(name, parameters)
        if query.access != "read":
            raise TypeError(f"{name} is not a reading statement")
        return self._again(
            lambda: self._run_once(query, neo4j.READ_ACCESS, parameters, self.timeout)
        )

    def write(self, work: Callable[[Transaction], Result]) -> Result:
        """Run a function in one managed transaction, which may be tried again from its start.

        Raises:
            DatabaseTimeout: A statement took longer than the time limit.
            DatabaseUnavailable: No server answers.
            DatabaseError: The server refused a statement; nothing was written.
        """
        if self._read_only:
            raise DatabaseError("this graphmem was opened read-only; open it without read_only")

        @neo4j.unit_of_work(timeout=self.timeout * 3, metadata={"app": "graphmem"})
        def unit(inner: neo4j.ManagedTransaction) -> Result:
            return work(Transaction(inner))

        def once() -> Result:
            with self._session(neo4j.WRITE_ACCESS) as session:
                return session.execute_write(unit)

        return self._again(once)

    def define(self, name: str, /, **parameters: object) -> list[Row]:
        """Run one schema statement; one that another process ran at the same moment is a success.

        It may take as long as any statement, and ten minutes in any case.

        Raises:
            DatabaseTimeout: It took longer.
            DatabaseUnavailable: No server answers.
            DatabaseError: The server refused it.
        """
        query = _checked(name, parameters)
        access = neo4j.WRITE_ACCESS if query.access != "read" else neo4j.READ_ACCESS
        try:
            return self._run_once(query, access, parameters, max(self.timeout, _SCHEMA_SECONDS))
        except DatabaseError as error:
            cause = error.__cause__
            if isinstance(cause, exceptions.Neo4jError) and cause.code in _ALREADY_THERE:
                return []
            raise

    def _again(self, work: Callable[[], Result]) -> Result:
        for attempt in range(_READ_TRIES):
            lost = self._pool
            try:
                return work()
            except DatabaseUnavailable:
                if attempt == _READ_TRIES - 1:
                    raise
                log.info("the connection was lost; connecting again")
                time.sleep(0.1 * attempt)
                self._reconnect(lost)
        raise AssertionError("unreachable")

    def _reconnect(self, lost: _Pool) -> None:
        """Look for the target again, unless another thread did since or while this one waited."""
        looks = self._looks
        with self._reconnecting:
            if self._pool is not lost or self._looks != looks:
                return
            try:
                target = self._find()
            finally:
                self._looks += 1
            if target == lost.target:
                return
            opened = _opened(target)
            with self._changing:
                self._pool, lost.replaced = opened, True
                unused = lost.users == 0
        if unused:
            lost.driver.close()

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
                last = pool.replaced and pool.users == 0
            if last:
                pool.driver.close()

    @contextmanager
    def _session(self, access: str) -> Iterator[neo4j.Session]:
        self._touch()
        with (
            self._using() as pool,
            our_errors(pool.target),
            pool.driver.session(
                database=pool.target.database,
                default_access_mode=access,
                bookmark_manager=self._bookmarks,
            ) as it,
        ):
            yield it

    def _run_once(
        self,
        query: queries.Query,
        access: str,
        parameters: Mapping[str, object],
        timeout: float | None,
    ) -> list[Row]:
        statement = neo4j.Query(
            query.text,  # read from our own files, never made of input
            metadata={"app": "graphmem", "statement": query.name},
            timeout=timeout,
        )
        with self._session(access) as session:
            self.statements += 1
            return [_row(record) for record in session.run(statement, dict(parameters))]


def _opened(target: Target) -> _Pool:
    auth = None if target.password is None else (target.username, target.password)
    with our_errors(target):
        driver = neo4j.GraphDatabase.driver(
            target.uri,
            auth=auth,
            connection_timeout=10,
            connection_acquisition_timeout=30,
            max_transaction_retry_time=15,
            initial_retry_delay=0.05,
            user_agent="graphmem",
            notifications_min_severity="OFF",
            warn_notification_severity="OFF",
        )
    return _Pool(target, driver)


def _row(record: neo4j.Record) -> Row:
    return {
        name: _native(value) for name, value in zip(record.keys(), record.values(), strict=True)
    }


def _native(value: Any) -> Any:  # noqa: ANN401 - whatever the database holds
    if type(value) in _PLAIN:
        return value
    if isinstance(value, list):
        return [_native(item) for item in value]
    if isinstance(value, Mapping):
        return {name: _native(item) for name, item in value.items()}
    if isinstance(value, neo4j.time.DateTime):
        return value.to_native().astimezone(UTC)
    return value.to_native() if isinstance(value, neo4j.time.Date) else value


def _checked(name: str, parameters: Mapping[str, object]) -> queries.Query:
    query = queries.load(name)
    if query.parameters != parameters.keys():
        raise TypeError(
            f"{name} takes {sorted(query.parameters)}, not {sorted(parameters)}: "
            "the header of its file says what they mean"
        )
    return query
