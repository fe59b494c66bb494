"""The Neo4j that graphmem runs itself: one private server for all graphmem processes of a user.

`server` is what callers see. It starts a keeper, a detached process that owns the JVM and starts it
again when it fails (`running`); the two speak through files in one folder and two locks (`home`).
`machine` finds what to run: a Java, and the jars. `backup` works on the store while the server is
stopped. `browsing` is what a person needs to look at the store, `checks` what can be said of it
without a start, `answers` what callers get. Callers know the server by its certificate, so that
nothing secret reaches a process that took its port.
The Neo4j driver is not used here: what comes out is a `Connection`.
"""

from graphmem.neo4j_process.answers import Connection, ServerStatus
from graphmem.neo4j_process.machine.jars import VERSION, fetch_jars
from graphmem.neo4j_process.running.launch import Preparation
from graphmem.neo4j_process.running.plans_ahead import await_plan
from graphmem.neo4j_process.server import (
    ensure_running,
    is_ready,
    is_served,
    status,
    stop,
    store_notes,
    touch,
)

__all__ = [
    "VERSION",
    "Connection",
    "Preparation",
    "ServerStatus",
    "await_plan",
    "ensure_running",
    "fetch_jars",
    "is_ready",
    "is_served",
    "status",
    "stop",
    "store_notes",
    "touch",
]
