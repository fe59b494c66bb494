"""Stores of private servers for tests: what is written into one, and what it holds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from graphmem.memory import exporting
from graphmem.memory.store.connecting import connect
from graphmem.progress import SILENT
from neo4j_servers import ROOT, variables_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import neo4j

    from graphmem.graph import Graph
    from graphmem.memory import Memory
    from graphmem.settings import Settings

# Some 2 MB each; a server that never refuses one shall not fill the machine.
MOST_FILLED = 500
FILLING = "UNWIND range(1, 2000) AS i CREATE (:Filler {words: $words})"


def put(settings: Settings, *names: str) -> None:
    """Write one entity for each name, the least there can be."""
    with connect(settings, read_only=False, progress=SILENT) as graph:
        graph.write(lambda transaction: transaction.run("write/lock_entities", keys=sorted(names)))


def count(settings: Settings) -> int:
    """Count the entities of a store, by a statement that a new server plans at once.

    Like every read, it looks for the server again when the connection broke or was refused.
    """
    with connect(settings, read_only=True, progress=SILENT) as graph:
        return graph._with_retries(lambda: _count_once(graph))


def _count_once(graph: Graph) -> int:
    with graph._session("READ") as session:
        return int(session.run("MATCH (:Entity) RETURN count(*)").single(strict=True)[0])


def run(settings: Settings, text: str, **parameters: object) -> None:
    """Run a statement of the test's own; its errors are the driver's."""
    with connect(settings, read_only=False, progress=SILENT) as graph:
        graph._pool.driver.execute_query(text, parameters)


def fill(settings: Settings) -> None:
    """Write nodes that do not matter, until the server refuses one."""
    for _ in range(MOST_FILLED):
        run(settings, FILLING, words="x" * 1000)
    pytest.fail("no write was refused")


def is_blocked(graph: Graph) -> bool:
    """Whether a transaction waits for the lock of another."""
    with graph._pool.driver.session(database=graph._target.database) as session:
        rows = session.run("SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked'")
        return rows.peek() is not None


def lines_of(memory: Memory, project: str) -> Iterator[dict[str, object]]:
    """What an export of all without history has of one project, not looking at the others."""
    return exporting.whole(memory.graph, project, history=False)


def graphmem(
    settings: Settings, *arguments: str, stdin: int = subprocess.DEVNULL
) -> subprocess.Popen[str]:
    """Start the command line on a home."""
    return subprocess.Popen(
        [sys.executable, "-m", "graphmem", *arguments],
        cwd=ROOT,
        env=os.environ | variables_of(settings),
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def put_as_before(
    memory: Memory,
    session: neo4j.Session,
    said: str,
    attributes: Mapping[str, object],
    words: Mapping[str, object],
) -> str:
    """Put an entity `A` with what an earlier version stored as attributes; gives its key.

    Args:
        memory: Of its project.
        session: At the same server.
        said: Its text.
        attributes: By name, whatever they are called.
        words: Who said what of them, by fact, as it is stored.
    """
    memory.remember([{"name": "A", "text": said}])
    key = str(memory.get("A")[0].key)
    session.run(
        "MATCH (entity:Entity {key: $key}) SET entity += $attributes, "
        "entity.graphmem_assertions = $record",
        key=key,
        attributes=dict(attributes),
        record=json.dumps({"text/": {"caller": [1]}, **words}) if words else None,
    ).consume()
    return key
