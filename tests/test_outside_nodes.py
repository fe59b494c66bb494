"""What somebody keeps beside graphmem's entities in the same database stays theirs."""

from collections.abc import Callable

import neo4j
import pytest

from graphmem.memory import Memory

# A town of somebody else's, linked to entities in ways of its own, and one entity below another.
OUTSIDE = (
    "MATCH (otter:Entity {key: $project + '#otter'}), (seal:Entity {key: $project + '#seal'}) "
    "CREATE (otter)-[:LIVES_IN {since: 2020}]->(town:Town {id: 1, name: 'Harbour', text: 'Small.'})"
    "-[:PROTECTS {by: 'law'}]->(otter)-[:HAS_PASSAGE]->(town), (otter)-[:HAS_PASSAGE]->(seal)"
)
LINKS = (
    "MATCH (town:Town)-[link:LIVES_IN|PROTECTS]-(entity:Entity) WHERE entity.project IN $projects "
    "RETURN DISTINCT entity.key AS key, type(link) AS type, properties(link) AS properties, "
    "startNode(link) = town AS leads_out ORDER BY type"
)


@pytest.fixture
def zoo(memory: Memory, session: neo4j.Session, project: str) -> Memory:
    memory.remember(
        [{"name": "Otter", "text": "Swims."}, {"name": "Seal", "text": "Barks."}, {"name": "Crab"}]
    )
    session.run("MATCH (town:Town) DETACH DELETE town").consume()
    session.run(OUTSIDE, project=project).consume()
    return memory


def links(session: neo4j.Session, *projects: str) -> list[tuple[object, ...]]:
    return [tuple(row.values()) for row in session.run(LINKS, projects=list(projects))]


def links_of(key: str) -> list[tuple[object, ...]]:
    """The links of the town as they should be, with the entity of a key."""
    return [
        (key, "LIVES_IN", {"since": 2020}, False),
        (key, "PROTECTS", {"by": "law"}, True),
    ]


def towns(session: neo4j.Session) -> list[dict[str, object]]:
    return [row["town"] for row in session.run("MATCH (t:Town) RETURN properties(t) AS town")]


@pytest.mark.parametrize(
    "change",
    [
        lambda memory: memory.remember([{"name": "Otter", "text": "Dives."}], overwrite=True),
        lambda memory: memory.edit({"name": "Otter", "text": ""}),
        lambda memory: memory.purge("Otter"),
        lambda memory: memory.merge("Otter", "Crab"),
        lambda memory: memory.rename_project(memory.project_name(), f"{memory.project_name()}-2"),
    ],
)
def test_a_change_of_an_entity_leaves_nodes_that_are_no_passages_as_they_are(
    zoo: Memory, session: neo4j.Session, project: str, change: Callable[[Memory], object]
) -> None:
    change(zoo)
    assert towns(session) == [{"id": 1, "name": "Harbour", "text": "Small."}]
    seal_project = project if zoo.stats().entities else f"{project}-2"
    (seal,) = zoo.get(["Seal"], project=seal_project)
    assert seal.entity.text == "Barks."


def test_a_purged_entity_is_gone_with_its_links_to_other_nodes(
    zoo: Memory, session: neo4j.Session, project: str
) -> None:
    assert zoo.purge("Otter").entities["removed"] == 1
    assert [entity.name for entity in zoo.in_layers(["Otter"])] == []
    assert links(session, project) == []


def test_a_merge_keeps_the_links_of_other_nodes(
    zoo: Memory, session: neo4j.Session, project: str
) -> None:
    zoo.merge("Otter", "Crab")
    assert links(session, project) == links_of(f"{project}#crab")


def test_a_renamed_project_keeps_the_links_of_other_nodes_and_leaves_no_entity_behind(
    zoo: Memory, session: neo4j.Session, project: str
) -> None:
    change = zoo.rename_project(project, f"{project}-2")
    assert change.entities == 3
    assert zoo.stats(project=project).entities == 0
    assert links(session, project, f"{project}-2") == links_of(f"{project}-2#otter")


def test_what_is_no_passage_is_neither_read_nor_embedded(zoo: Memory) -> None:
    (otter,) = zoo.get(["Otter"])
    assert (otter.entity.text, list(otter.entity.observations)) == ("Swims.", [])


def test_only_passages_are_counted_as_such_or_wait_for_the_model(zoo: Memory) -> None:
    counts = zoo.stats()
    assert (counts.passages, counts.pending) == (3, 0)
    assert counts.relations == 0
