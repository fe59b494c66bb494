"""Where the database is, and the driver's errors in our words, never with a password."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from neo4j import exceptions

from graphmem.errors import (
    ASK_DOCTOR,
    DatabaseError,
    DatabaseMemory,
    DatabaseTimeout,
    DatabaseUnavailable,
    GraphmemError,
    IndexNotReady,
)
from graphmem.graph.reasons import reason_of

_BEHIND_PORT = re.compile("[/?#]")
_NO_PORT = re.compile(r":(?!\d+\Z)[^:\]]*\Z")
# What the driver says when it is used after it was closed.
_CLOSED = "Driver closed"
# An index that is there and cannot answer yet, and one that is missing: of vectors, of texts.
_POPULATING = "51N63"
_NO_INDEX = "22N69"
_NO_TEXT_INDEX = "no such fulltext schema index"
_TIMED_OUT = frozenset(
    {
        "Neo.ClientError.Transaction.TransactionTimedOut",
        "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration",
        "Neo.ClientError.Transaction.LockClientStopped",
    }
)
# The server answers, the database in it does not: a full disk, or an error it broke off at.
_OFFLINE = frozenset(
    {
        "Neo.TransientError.General.DatabaseUnavailable",
        "Neo.DatabaseError.Transaction.TransactionStartFailed",
    }
)
# How a server says that the log of its transactions takes no more: the first write on a full disk.
_LOG_IS_CLOSED = "Could not append transaction"
_FULL_DISK = (
    "the database could not write this change to its disk, which is probably full: free at least "
    "100 MiB and repeat the call; what was stored before is kept"
)
# What it says when the log has a change that the store then does not take.
_STORE_IS_CLOSED = "Could not apply the transaction"
_BROKEN_OFF = (
    "the database broke off while it wrote this change; if its disk is full, free at least 100 MiB"
)
_NO_DATABASE = "Neo.ClientError.Database.DatabaseNotFound"
_EXPIRED = "Neo.ClientError.Security.CredentialsExpired"
_OUT_OF_MEMORY = frozenset(
    {
        "Neo.TransientError.General.MemoryPoolOutOfMemoryError",
        "Neo.TransientError.General.TransactionOutOfMemoryError",
    }
)


@dataclass(frozen=True, slots=True)
class Target:
    """Where the database is and who asks; the password stays out of the repr.

    Args:
        uri: The server's address.
        username: The user.
        password: Their password; None to send none.
        database: The database's name.
        certificate: The only one, as PEM, whose owner is spoken to, encrypted; None to do what the
            scheme of `uri` says.
    """

    uri: str
    username: str
    password: str | None
    database: str
    certificate: str | None = None

    def __repr__(self) -> str:
        """Name the server without the password."""
        return f"Target({self.address!r}, {self.username!r}, database={self.database!r})"

    @property
    def address(self) -> str:
        """The scheme, host and port of the URI; what else stands there may be a password."""
        scheme, separator, location = self.uri.rpartition("://")
        host_and_port = _BEHIND_PORT.split(location.rpartition("@")[2])[0]
        return f"{scheme}{separator}{_NO_PORT.sub('', host_and_port)}"

    @property
    def has_user_info(self) -> bool:
        """Whether something stands before an `@` of the URI, which may be a password.

        It may be one that holds a `?`, and no parameter of a route needs an `@`.
        """
        return "@" in self.uri


@contextmanager
def _original_error() -> Iterator[None]:
    """Raise what ended a transaction while its rows were read, not that its result has failed."""
    try:
        yield
    except exceptions.ResultFailedError as error:
        if isinstance(error.__cause__, exceptions.Neo4jError):
            raise error.__cause__ from None
        raise


def _out_of_memory() -> DatabaseMemory:
    return DatabaseMemory(
        "the database needed more memory than it is allowed; narrow the search, write less at "
        "once, or raise GRAPHMEM_NEO4J_HEAP and run `graphmem db stop`, since a server that runs "
        "keeps the heap that it has (a Neo4j of your own: `server.memory.heap.max_size`)"
    )


@contextmanager
def memory_at_once() -> Iterator[None]:
    """Raise a lack of memory in our words, which the driver does not try again for 15 seconds."""
    try:
        with _original_error():
            yield
    except exceptions.Neo4jError as error:
        if error.code in _OUT_OF_MEMORY:
            raise _out_of_memory() from error
        raise


@contextmanager
def our_errors(target: Target) -> Iterator[None]:
    """Raise ours in place of the driver's errors, which stay as the cause."""
    try:
        with _original_error():
            yield
    except GraphmemError:
        raise
    except exceptions.AuthError as error:
        remedy = "check NEO4J_USERNAME and NEO4J_PASSWORD"
        if target.certificate is not None:
            remedy = (
                "put the password's file of GRAPHMEM_HOME back, or run `graphmem db "
                "reset-password`, which changes nothing that is stored"
            )
        raise DatabaseError(
            f"{target.address} refused the user name or password; {remedy}"
        ) from error
    except (
        exceptions.ServiceUnavailable,
        exceptions.SessionExpired,
        exceptions.ConnectionAcquisitionTimeoutError,
        OSError,
    ) as error:
        reason = reason_of(error, is_private=target.certificate is not None) or _first_line(
            error, target
        )
        raise DatabaseUnavailable(
            f"no Neo4j answers at {target.address} ({reason}){ASK_DOCTOR}"
        ) from error
    except exceptions.Neo4jError as error:
        if error.code == _EXPIRED:
            raise DatabaseError(
                f"{target.address} wants a new password for the user `{target.username}` first: "
                "log in once with Neo4j Browser or cypher-shell, which ask for one, and set "
                "NEO4J_PASSWORD to it"
            ) from error
        raise _refusal(error, target) from error
    except (exceptions.DriverError, ValueError) as error:
        if str(error) == _CLOSED:
            raise DatabaseError("the memory is closed; open it again") from error
        raise DatabaseError(f"{target.address}: {_first_line(error, target)}") from error


def _refusal(error: exceptions.Neo4jError, target: Target) -> DatabaseError:
    """Our error for one with which the server answered."""
    if error.code in _OUT_OF_MEMORY:
        return _out_of_memory()
    if error.code in _TIMED_OUT:
        return DatabaseTimeout(
            "the database took longer than the time limit; in the first minute after a start, "
            "when it has yet to plan most statements, try again; else narrow the search or "
            "raise GRAPHMEM_QUERY_SECONDS"
        )
    if error.code in _OFFLINE:
        return DatabaseUnavailable(
            f"the database `{target.database}` at {target.address} is not available{ASK_DOCTOR}"
        )
    if error.code == _NO_DATABASE:
        return DatabaseError(
            f"the server at {target.address} has no database `{target.database}`; "
            "check NEO4J_DATABASE"
        )
    if (error.message or "").startswith(_POPULATING):
        return IndexNotReady("an index is still being filled; try again soon")
    return DatabaseError(_words(error.message or "", target))


def _words(message: str, target: Target) -> str:
    """What a server's message means."""
    if target.database.casefold() == "system":
        return (
            "NEO4J_DATABASE must name a database that holds a graph, such as `neo4j`; `system` "
            "holds the users and settings of the server alone"
        )
    if message.startswith(_NO_INDEX) or _NO_TEXT_INDEX in message:
        return (
            "the store lacks an index, as a new one does that was only opened to be read; "
            "`graphmem doctor`, or whatever opens the store to write, creates it"
        )
    if _LOG_IS_CLOSED in message:
        return _FULL_DISK
    if _STORE_IS_CLOSED in message:
        return _BROKEN_OFF
    return f"the database refused the statement: {_first_line(message, target)}"


def _first_line(error: object, target: Target) -> str:
    lines = str(error).replace(target.uri, target.address).splitlines() or [""]
    return lines[0].rstrip(" :)")[:300]
