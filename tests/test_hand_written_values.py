"""A value that somebody wrote by hand in Cypher stops no call, and a comparison names it."""

from collections.abc import Callable
from datetime import UTC, datetime

import neo4j
import pytest

from fakes import DEFAULT_IDENTITY
from graphmem import text
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.write.repair.comparing import compare

ENTITY = "MATCH (n:Entity {project: $project, name: 'Pier'}) SET "
PASSAGE = "MATCH (:Entity {project: $project, name: 'Pier'})-[:HAS_PASSAGE]->(n) SET "
RELATION = "MATCH (:Entity {project: $project, name: 'Pier'})-[n:NEAR]->() SET "


@pytest.fixture
def pier(memory: Memory) -> Memory:
    memory.remember(
        [
            {"name": "Pier", "kind": "Place", "text": "A long jetty.", "tags": ["wood"],
             "observations": ["The jetty was mended in May."]},
            {"name": "Otter", "kind": "Animal", "text": "Lives under the jetty."},
        ],
        [{"from": "Pier", "relation": "NEAR", "to": "Otter", "note": "by the jetty"}],
    )  # fmt: skip
    return memory


CALLS: dict[str, Callable[[Memory], object]] = {
    "search": lambda memory: memory.search("long jetty", explain=True),
    "strict": lambda memory: memory.search("jetty AND long"),
    "filtered": lambda memory: memory.search("jetty", tags=["wood"], kinds=["Place"]),
    "as_of": lambda memory: memory.search("jetty", as_of=datetime.now(UTC)),
    "recent": lambda memory: memory.recent(),
    "context": lambda memory: memory.context("jetty"),
    "get": lambda memory: memory.get(["Pier", "Otter"]),
    "explore": lambda memory: memory.explore("Otter"),
    "overview": lambda memory: memory.overview(),
    "export": lambda memory: list(memory.export(history=True)),
    "history": lambda memory: memory.history("Pier"),
    "duplicates": lambda memory: memory.duplicates(),
    "remember": lambda memory: memory.remember(
        [
            {
                "name": "Pier",
                "text": "A longer jetty.",
                "tags": ["iron"],
                "observations": ["It sways."],
            }
        ]
    ),
    "link": lambda memory: memory.link("Pier", "NEAR", "Otter", note="under the jetty"),
    "rename": lambda memory: memory.rename("Pier", "Jetty"),
    "forget": lambda memory: memory.forget("Jetty"),
}


def found_by_hand(graph: Graph, project: str) -> dict[str, int]:
    """What `graphmem doctor` would name of the entity."""
    rows = graph.read(
        "read/compared_entities",
        keys=[text.key(project, "Pier")],
        property="embedding",
        dimensions=DEFAULT_IDENTITY.dimensions,
    )
    return compare(rows[0], datetime.now(UTC)).sorts


@pytest.mark.parametrize(
    "change",
    [
        ENTITY + "n.live = 'yes'",
        ENTITY + "n.live = null",
        ENTITY + "n.created_at = 'soon', n.updated_at = null",
        ENTITY + "n.kind = 7, n.status = [1]",
        ENTITY + "n.tags = [1, 2], n.aliases = 'Mole', n.category = 5, n.title = 3",
        ENTITY + "n.graphmem_assertions = 'x', n.asserted_by = 7, n.graphmem_filters = 1",
        ENTITY + "n.confidence = 'high', n.valid_from = 'soon'",
        PASSAGE + "n.text = null",
        PASSAGE + "n.text = 7",
        PASSAGE + "n.position = 'first'",
        PASSAGE + "n.position = -0.5",
        PASSAGE + "n.embedding = [1.0, 2.0]",
        PASSAGE + "n.embedding = 'near'",
        PASSAGE + "n.origin = 3, n.created_at = 'soon', n.confidence = 'high', n.source = 4",
    ],
)
def test_a_value_written_by_hand_stops_no_call_and_is_named(
    pier: Memory, graph: Graph, session: neo4j.Session, project: str, change: str
) -> None:
    assert found_by_hand(graph, project) == {}
    session.run(change, project=project).consume()
    assert found_by_hand(graph, project)
    for name, call in CALLS.items():
        try:
            call(pier)
        except Exception as error:
            error.add_note(f"in {name} after {change}")
            raise


@pytest.mark.parametrize(
    "value", ["n.note = 7", "n.weight = 'much', n.confidence = 9", "n.note = [1]"]
)
def test_a_value_of_a_relation_written_by_hand_stops_no_call(
    pier: Memory, session: neo4j.Session, project: str, value: str
) -> None:
    session.run(RELATION + value, project=project).consume()
    for call in CALLS.values():
        call(pier)
