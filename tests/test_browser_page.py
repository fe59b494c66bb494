"""The queries of docs/browser.md find what they promise, and changes by hand do what it says."""

import re
from collections.abc import Callable
from pathlib import Path

import neo4j
import pytest

from fakes import FakeEmbedder
from graphmem import write
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.memory.store.model import StoreModel

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "browser.md").read_text(encoding="utf-8")
QUERIES = re.findall(r"^([A-Z][^\n]*)\n\n```cypher\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
DEMO = "graphmem-demo"

# Gives the rows of the query whose description begins with some words.
Rows = Callable[[str], list[neo4j.Record]]


@pytest.fixture
def rows(session: neo4j.Session, memory: Memory, graph: Graph, project: str) -> Rows:
    """Runs the page's queries on the sample, to which a decision was added that waits."""
    memory.import_("markdown", ROOT / "examples" / "sample")
    away = FakeEmbedder(state="failed", reason="the model is away")
    waiting = Memory(graph, StoreModel(graph, away, wait_for_model=False, read_only=True), project)
    waiting.remember([{"name": "Loose end", "kind": "Decision", "text": "Nobody decided it."}])

    def run(beginning: str) -> list[neo4j.Record]:
        (query,) = [text for title, text in QUERIES if title.startswith(beginning)]
        assert DEMO in query
        return list(session.run(query.replace(DEMO, project)))

    return run


def test_every_query_finds_what_it_promises(rows: Rows) -> None:
    assert len(QUERIES) == 9
    entity, *more = rows("Everything about one entity")
    assert entity["entity"]["name"] == "Redis cache"
    assert {"HAS_PASSAGE", "SUPERSEDES"} <= {
        relation.type for row in (entity, *more) for relation in row["relations"].relationships
    }
    paths = [row["path"] for row in rows("Two paths")]
    assert len(paths) == 2
    for path in paths:
        assert (path.start_node["name"], path.end_node["name"]) == ("Redis cache", "Pagoluz")
    hubs = rows("Hubs")
    assert (len(hubs), hubs[0]["name"]) == (10, "Platform team")
    assert [row["name"] for row in rows("Orphans")] == ["Loose end"]
    changed = rows("What changed")
    assert (len(changed), changed[0]["name"]) == (100, "Loose end")
    assert changed[0]["authors"] == ["caller"]
    assert [row["name"] for row in rows("Decisions nobody owns")] == ["Loose end"]
    assert [dict(row) for row in rows("What waits")] == [{"name": "Loose end", "passages": 1}]
    assert len(rows("One project")) > 100
    mentions = [row["mention"] for row in rows("Links out of texts")]
    assert len(mentions) > 10
    assert {relation.type for path in mentions for relation in path.relationships} == {"MENTIONS"}


def test_a_field_changed_by_hand_is_stale_until_the_store_is_repaired(
    session: neo4j.Session, memory: Memory, project: str
) -> None:
    memory.remember([{"name": "Pier", "text": "A long jetty."}])
    session.run(
        "MATCH (entity:Entity {project: $project}) SET entity.tags = ['wood']", project=project
    ).consume()
    (page,) = memory.get("Pier")
    assert page.entity.tags == ("wood",)
    assert memory.search("jetty", tags=["wood"]).hits == ()
    assert write.repair(memory.graph, writes=True).total
    assert [hit.name for hit in memory.search("jetty", tags=["wood"]).hits] == ["Pier"]


def test_a_note_of_a_relation_changed_by_hand_is_used_at_once(
    session: neo4j.Session, memory: Memory, project: str
) -> None:
    memory.remember(
        [{"name": "Pier", "text": "A long jetty."}, {"name": "Otter"}],
        [{"from": "Otter", "relation": "LIVES_UNDER", "to": "Pier"}],
    )
    session.run(
        "MATCH (:Entity {project: $project})-[relation:LIVES_UNDER]->()"
        " SET relation.note = 'since May'",
        project=project,
    ).consume()
    (otter,) = [hit for hit in memory.search("jetty").hits if hit.name == "Otter"]
    assert [via.note for via in otter.via] == ["since May"]


def test_a_weight_that_is_no_number_counts_as_one(
    session: neo4j.Session, memory: Memory, project: str
) -> None:
    memory.remember(
        [{"name": "Pier", "text": "A long jetty."}, {"name": "Otter"}],
        [{"from": "Otter", "relation": "LIVES_UNDER", "to": "Pier"}],
    )
    (before,) = [hit.score for hit in memory.search("jetty").hits if hit.name == "Otter"]
    session.run(
        "MATCH (:Entity {project: $project})-[relation:LIVES_UNDER]->()"
        " SET relation.weight = 'high', relation.confidence = true",
        project=project,
    ).consume()
    (otter,) = [hit for hit in memory.search("jetty").hits if hit.name == "Otter"]
    assert (otter.score, otter.via[0].weight) == (before, 1.0)
    # Others export the whole store, and no import takes such values.
    session.run(
        "MATCH (:Entity {project: $project})-[relation:LIVES_UNDER]->()"
        " REMOVE relation.weight, relation.confidence",
        project=project,
    ).consume()
