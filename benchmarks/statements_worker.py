"""Runs the searches of one checkout for `statements.py`, one for each line it is sent."""

import json
import sys
import time
from typing import Any

import attrs
import neo4j
from latency import driver_of, loaded, queries

from graphmem import statements
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.neo4j_process import stop
from graphmem.settings import load

OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "filtered": {"kinds": ["Kind 3"], "tags": ["tag 3", "tag 7"]},
    "strict": {"operator": "and"},
}


def main() -> None:
    """Answer each line with the milliseconds that what it asks for took."""
    names: list[str] = []
    read = Graph.read

    def noted(graph: Graph, name: str, /, **parameters: object) -> Any:  # noqa: ANN401 - as read
        names.append(name)
        return read(graph, name, **parameters)

    Graph.read = noted  # type: ignore[method-assign] # each checkout has statements of its own
    with loaded(int(sys.argv[1])) as memory:
        driver, database = driver_of(memory.graph)
        asked = queries(200)
        planned: dict[str, str] = {}
        with driver, driver.session(
            database=database, default_access_mode=neo4j.READ_ACCESS
        ) as session:  # fmt: skip
            for line in sys.stdin:
                what, kind, number = json.loads(line)
                began = time.perf_counter()
                if what == "search":
                    search(memory, kind, asked[number])
                    planned[kind] = names[-1]
                elif what == "plan":
                    session.run("CALL db.clearQueryCaches()").consume()
                    began = time.perf_counter()
                    plan(session, statements.load(planned[kind]).text)
                elif what == "stop":
                    config = load()
                    stop(attrs.evolve(config, home=config.home / "latency"))
                print((time.perf_counter() - began) * 1000, flush=True)


def search(memory: Memory, kind: str, query: str) -> None:
    """Search two words for what has operators, six otherwise."""
    words = query.split()
    text = " ".join(words[:2]) if kind == "strict" else query
    memory.search(text, scope="project", **OPTIONS[kind])


def plan(session: neo4j.Session, text: str) -> None:
    """Plan a statement; the server must have forgotten it, or it parses the text and no more."""
    session.run(f"EXPLAIN {text}", search={}).consume()


if __name__ == "__main__":
    main()
