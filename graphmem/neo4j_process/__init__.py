"""The Neo4j that graphmem runs itself: one private server for all graphmem processes of a user.

`server` is what callers see. It starts a `keeper`, a detached process that owns the JVM and starts
it again when it fails (`recovery`); the two speak through files in one `home` and two locks. `jars`
and `java` find what to run, `configuration` says how; `certificate` makes what callers know the
server by, so that nothing secret reaches a process that took its port. `offline` works on the store
while the server is stopped, `archive` is the file of a backup, `users` replaces a lost password,
`browsing` is what a person needs to look at the store.
The Neo4j driver is not used here: what comes out is a `Connection`.
"""

from graphmem.neo4j_process.answers import Connection, ServerStatus
from graphmem.neo4j_process.failures import Failure
from graphmem.neo4j_process.first_plan import await_plan
from graphmem.neo4j_process.jars import VERSION, fetch_jars
from graphmem.neo4j_process.launch import Preparation
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
    "Failure",
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
