"""A small graph on which fragments of the statements of a search are run by themselves."""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

import neo4j
import pytest

from fakes import vector
from graphmem import statements, text
from graphmem.graph import Graph, Target
from graphmem.memory import Memory

PROJECT = "example.org/tests/search-parts"
START = datetime(2026, 1, 1, tzinfo=UTC)
SCOPE = [[text.token("project", PROJECT)], [text.token("live", "True")]]
NO_FILTERS: dict[str, Any] = {
    "required": SCOPE, "forbidden": [], "comparisons": [], "relations": [],
    "passage_required": SCOPE,
}  # fmt: skip
WEIGHTS = {
    "text": 0.95, "saturation": 35.0, "vector": 0.25, "vector_excess": 0.1, "cosine_low": 0.3,
    "cosine_high": 0.9, "name": 0.8, "name_share": 4.0, "link": 0.5, "seed_exponent": 2.0,
    "seed_damping": 0.5, "neighbour_damping": 1.0,
}  # fmt: skip
VECTOR = vector("harbour pier", 384)
IN_SCOPE = " ".join(f"+filters:{token}" for (token,) in SCOPE)
HARBOUR_IN_SCOPE = [{"index": "graphmem_passage_exact", "query": f"+text:harbour {IN_SCOPE}"}]
Part = Callable[..., list[dict[str, Any]]]


def fill_harbour(memory: Memory) -> None:
    """Six entities and buoys: Quay is linked with Boat, Crane and Rope; Wreck was forgotten."""
    memory.remember(
        [
            {"name": "Quay", "text": "harbour pier", "kind": "Place", "tags": ["old", "stone"],
             "created_at": START.isoformat(),
             "attributes": {"cost": 5, "owner": "Ops", "day": date(2026, 1, 5)}},
            {"name": "Boat", "text": "harbour berth", "kind": "Ship", "tags": ["old"],
             "attributes": {"cost": 7}},
            {"name": "Crane", "text": "harbour engine", "kind": "Machine",
             "attributes": {"cost": 9}},
            {"name": "Rope", "text": "hemp"},
            {"name": "Red Rope", "text": "hemp too", "observations": ["hemp spare", "hemp store"]},
            {"name": "Wreck", "text": "harbour ground"},
            *({"name": f"Buoy {i}", "text": "channel marker"} for i in range(4)),
            {"name": "Buoy Ann", "aliases": ["Bell", "Fog", "North Mark"]},
            {"name": "Buoy Bea", "aliases": ["Bell"]},
            {"name": "Buoy Cy", "aliases": ["Nor"]},
            {"name": "Buoy Di", "aliases": ["Rip"]},
            {"name": "Buoy Eve", "aliases": ["rIp"]},
            {"name": "Buoy Fay", "aliases": ["riP"]},
            *({"name": f"Buoy {age}"} for age in ("Oldest", "Old", "New")),
        ],
        [
            {"from": "Quay", "relation": "HOLDS", "to": "Boat", "weight": 0.9},
            {"from": "Crane", "relation": "STANDS_ON", "to": "Quay", "weight": 0.8},
            {"from": "Quay", "relation": "KEEPS", "to": "Rope", "weight": 0.7},
            {"from": "Quay", "relation": "HIDES", "to": "Wreck", "weight": 0.6},
            {"from": "Buoy 0", "relation": "MARKS", "to": "Crane", "confidence": 0.5},
            *({"from": f"Buoy {i}", "relation": "MARKS", "to": "Boat",
               "created_at": (START + timedelta(days=i)).isoformat()} for i in range(3)),
            {"from": "Crane", "relation": "MARKS", "to": "Buoy 3"},
            {"from": "Buoy 3", "relation": "TOUCHES", "to": "Buoy 3"},
        ],
    )  # fmt: skip
    memory.forget(["Wreck"])
    memory.supersede("Buoy Oldest", "Buoy Old")
    memory.supersede("Buoy Old", "Buoy New")


@pytest.fixture(scope="module")
def harbour_part(graph: Graph, memory_of: Callable[[str], Memory]) -> Iterator[Part]:
    """Runs a fragment there: what comes before it, what stands after it, and its fields."""
    fill_harbour(memory_of(PROJECT))
    target: Target = graph._target
    assert target.password is not None
    with (
        neo4j.GraphDatabase.driver(
            target.uri, auth=(target.username, target.password), notifications_min_severity="OFF"
        ) as driver,
        driver.session(database=target.database, default_access_mode=neo4j.READ_ACCESS) as session,
    ):

        def run(
            name: str,
            fields: Mapping[str, Any],
            *,
            before: str = "",
            after: str = "",
            **ins: Any,  # noqa: ANN401 - what the fragment takes
        ) -> list[dict[str, Any]]:
            assembled = statements.assembled(f"{before}\n// include search/{name}\n{after}")
            return session.run(f"CYPHER 25\n{assembled}", search=dict(fields), **ins).data()

        yield run


TAG = {name: text.token("tag", name) for name in ("old", "stone", "new")}
TICK = timedelta(microseconds=1)
