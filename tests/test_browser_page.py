"""The queries of docs/browser.md find what they promise, and changes by hand do what it says."""

import json
import math
import re
from collections.abc import Callable
from pathlib import Path

import neo4j
import pytest

from doc_pages import page
from fakes import FakeEmbedder
from graphmem import write
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.memory.store.model import StoreModel
from graphmem.model.answer import SORTS

ROOT = Path(__file__).parents[1]
PAGE = page("browser")
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
    assert [row["name"] for row in rows("Decisions without")] == ["Loose end"]
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


def test_a_weight_that_is_no_number_from_0_to_1_counts_as_1(
    session: neo4j.Session, memory: Memory, project: str
) -> None:
    memory.remember(
        [{"name": "Pier", "text": "A long jetty."}, {"name": "Otter"}],
        [{"from": "Otter", "relation": "LIVES_UNDER", "to": "Pier"}],
    )
    (before,) = [hit.score for hit in memory.search("jetty").hits if hit.name == "Otter"]
    for weight in ("high", -1, 7, math.nan, math.inf):
        session.run(
            "MATCH (:Entity {project: $project})-[relation:LIVES_UNDER]->()"
            " SET relation.weight = $weight, relation.confidence = true",
            project=project,
            weight=weight,
        ).consume()
        (otter,) = [hit for hit in memory.search("jetty").hits if hit.name == "Otter"]
        assert (otter.score, otter.via[0].weight) == (before, 1.0)
        assert [step.weight for step in memory.explore("Pier").entities] == [1.0]
    # Others export the whole store, and no import takes such values.
    session.run(
        "MATCH (:Entity {project: $project})-[relation:LIVES_UNDER]->()"
        " REMOVE relation.weight, relation.confidence",
        project=project,
    ).consume()


def test_no_value_written_by_hand_stops_a_search(
    session: neo4j.Session, memory: Memory, project: str
) -> None:
    memory.remember(
        [{"name": "Pier", "text": "A long jetty."}, {"name": "Otter"}],
        [{"from": "Otter", "relation": "LIVES_UNDER", "to": "Pier"}],
    )
    session.run(
        "MATCH (otter:Entity {project: $project})-[relation:LIVES_UNDER]->(pier)"
        "-[:HAS_PASSAGE]->(passage)"
        " SET pier.title = 2026, pier.tags = 7, pier.created_at = 'yesterday', pier.source = 3,"
        " pier.updated_at = 'today', pier.valid_until = '2020-01-01', pier.kind = null,"
        " otter.name = 5, relation.note = 9, relation.valid_from = 'May', relation.age = time(),"
        " passage.created_at = 'old', passage.source = 5",
        project=project,
    ).consume()
    try:
        for sort in SORTS:
            pier, otter = sorted(
                memory.search("jetty", sort=sort, explain=True).hits, key=lambda hit: hit.origin
            )
        json.dumps([pier.to_json(), otter.to_json()])
        assert (pier.title, pier.tags, pier.created_at, pier.valid_until) == (
            "2026", ("7",), None, None,
        )  # fmt: skip
        assert (otter.name, otter.via[0].note) == ("5", "9")
        assert memory.search("jetty", where={"source": "quay"}).hits == ()
        assert memory.recent().total == 2
        assert "A long jetty." in memory.context("jetty").text
        assert [entity.kind for entity in memory.overview().recent] == [otter.kind]
        assert memory.get("Pier")[0].entity.kind == "Thing"
    finally:  # others export the whole store
        session.run(
            "MATCH (entity:Entity {project: $project}) "
            "OPTIONAL MATCH (entity)-[:HAS_PASSAGE]->(passage) DETACH DELETE entity, passage",
            project=project,
        ).consume()
