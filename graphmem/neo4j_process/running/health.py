"""Is the database online? A server whose database broke off still answers on its ports.

Asked over HTTP, with the password, which is sent only over a connection whose other end is held by
the server's own process: whoever else may listen on that port is handed nothing.
"""

from __future__ import annotations

import base64
import json
import time
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Literal

from graphmem import statements
from graphmem.errors import StartFailed
from graphmem.neo4j_process.home import password
from graphmem.neo4j_process.home.configuration import HOST
from graphmem.neo4j_process.home.paths import DATABASE
from graphmem.neo4j_process.machine import processes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from graphmem.neo4j_process.home.paths import Home
    from graphmem.neo4j_process.home.state import State

# What a database answers that only a new start of the server brings back.
BROKEN = frozenset(
    {
        "Neo.DatabaseError.Transaction.TransactionStartFailed",
        "Neo.TransientError.General.DatabaseUnavailable",
    }
)
ANSWER_SECONDS = 10.0
ACCEPT_SECONDS = 2.0
# A cold server on a busy machine takes long.
PLAN_SECONDS = 120.0
POLL_SECONDS = 0.02
Reply = dict[str, Any]
DENIED = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND})


@dataclass(frozen=True, slots=True)
class DatabaseHealth:
    """What was learnt of the database.

    Args:
        status: `online`; `starting`; `broken`, and only a new start helps; `silent`, when no
            answer came in time; `unknown`, when the server does not let us ask.
        reason: Why it is broken, in the server's words.
    """

    status: Literal["online", "starting", "broken", "silent", "unknown"]
    reason: str = ""


def examine(home: Home, state: State) -> DatabaseHealth:
    """Ask the server whether its database is online; takes milliseconds, at most some seconds.

    Args:
        home: Its home, for the password.
        state: The server and its ports.
    """
    reply = _ask(home, state, DATABASE, "read/ping", {})
    if isinstance(reply, DatabaseHealth):
        return reply
    codes = {error.get("code") for error in reply.get("errors") or ()}
    return _cause(home, state) if codes & BROKEN else DatabaseHealth("online")


def store_notes(home: Home, state: State) -> Mapping[str, Any] | None:
    """What the store notes of itself, empty where it notes nothing; None where it does not answer.

    Args:
        home: Its home, for the password.
        state: The server and its ports.
    """
    reply = _ask(home, state, DATABASE, "read/store", {})
    if isinstance(reply, DatabaseHealth) or reply.get("errors"):
        return None
    rows = reply.get("data", {}).get("values", [])
    return dict(rows[0][0]) if rows else {}


def plan(home: Home, state: State, statement: str, parameters: Mapping[str, object]) -> bool:
    """Run a read statement so that the server has its plan; tell whether it could.

    Args:
        home: Its home, for the password.
        state: The server and its ports.
        statement: Its name.
        parameters: Of the types that later calls give; a plan is for types.
    """
    reply = _ask(home, state, DATABASE, statement, parameters, seconds=PLAN_SECONDS)
    return not isinstance(reply, DatabaseHealth) and not reply.get("errors")


def _cause(home: Home, state: State) -> DatabaseHealth:
    """Ask the system database what is wrong with the other one."""
    reply = _ask(home, state, "system", "schema/database_state", {"database": DATABASE})
    rows = [] if isinstance(reply, DatabaseHealth) else reply.get("data", {}).get("values", [])
    status, message = map(str, rows[0]) if rows else ("unavailable", "")
    if status == "starting":
        return DatabaseHealth("starting")
    return DatabaseHealth("broken", message or f"it is {status}")


def _ask(
    home: Home,
    state: State,
    database: str,
    statement: str,
    parameters: Mapping[str, object],
    *,
    seconds: float = ANSWER_SECONDS,
) -> Reply | DatabaseHealth:
    import http.client  # noqa: PLC0415 - for weight: who meets a server that runs asks nothing

    loaded = statements.load(statement)
    body = {"statement": loaded.sent_text, "parameters": loaded.sent_parameters(parameters)}
    connection = http.client.HTTPConnection(HOST, state.ports.http, timeout=seconds)
    try:
        connection.connect()
        if not _is_held_by(state, connection.sock.getsockname()[1]):
            return DatabaseHealth("silent")
        connection.request(
            "POST", f"/db/{database}/query/v2", json.dumps(body), _headers(password.read(home))
        )
        answer = connection.getresponse()
        if answer.status in DENIED:
            return DatabaseHealth("unknown")
        reply = json.loads(answer.read())
    except StartFailed:
        return DatabaseHealth("unknown")
    except (OSError, http.client.HTTPException, ValueError):
        return DatabaseHealth("silent")
    finally:
        connection.close()
    return reply if isinstance(reply, dict) else DatabaseHealth("unknown")


def _is_held_by(state: State, port: int) -> bool:
    """Wait until the server's own process has accepted our connection; tell whether it has."""
    deadline = time.monotonic() + ACCEPT_SECONDS
    while not processes.holds_connection(state.server, state.ports.http, port):
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True


def _headers(secret: str) -> dict[str, str]:
    login = base64.b64encode(f"{password.USERNAME}:{secret}".encode()).decode()
    return {
        "Authorization": f"Basic {login}",
        "Content-Type": "application/json",
        "Accept": "application/json",
    }
