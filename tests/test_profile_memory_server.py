"""The nine tools of MCP's reference memory server, called by a real MCP client."""

import json
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import memory_server_items
from agents import Agent, agent_of
from graphmem.memory import Memory
from graphmem.model.page import Page
from memory_server_items import ANNA, FEED, NOTHING, WORKS, link, names, node, opened
from profile_servers import server_of

PROJECT = f"example.org/tests/memory-server-{uuid.uuid4().hex}"
READING = {"read_graph", "search_nodes", "open_nodes"}
WRITING = {
    "create_entities", "create_relations", "add_observations",
    "delete_entities", "delete_observations", "delete_relations",
}  # fmt: skip


served, project, agent = server_of("memory-server", PROJECT)
anna = memory_server_items.anna


def hide_kite(memory: Memory, status: str) -> None:
    """Remember an entity that is hidden, though no tool deleted it."""
    memory.remember(
        [{"name": "Old kite", "kind": "toy", "text": "Flies", "status": status, "tags": ["toys"],
          "observations": ["Is red", "Has a tail"]}],
        [{"from": "Anna Weber", "relation": "FLIES", "to": "Old kite", "note": "since 2019"}],
    )  # fmt: skip


def relations_of(page: Page) -> list[tuple[str, str, str]]:
    return [
        (neighbour.relation, neighbour.direction, neighbour.name) for neighbour in page.neighbours
    ]


# What it looks like


def test_the_nine_tools_are_offered_with_the_original_parameters(agent: Agent) -> None:
    tools = {tool.name: tool for tool in agent.portal.call(agent.client.list_tools)}
    assert tools.keys() == READING | WRITING
    assert all(tool.description for tool in tools.values())
    schema = tools["create_entities"].input_schema["properties"]["entities"]
    assert schema["maxItems"] == 1000
    assert schema["items"]["properties"].keys() == {"name", "entityType", "observations"}
    relation = tools["delete_relations"].input_schema["properties"]["relations"]["items"]
    assert relation["required"] == ["from", "to", "relationType"]
    assert "entityNames" in tools["delete_entities"].input_schema["properties"]
    assert all("additionalProperties" not in tool.input_schema for tool in tools.values())
    for name, tool in tools.items():
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is (name in READING)
        assert bool(tool.annotations.destructive_hint) is name.startswith("delete")


def test_a_read_only_server_offers_no_tool_that_writes(
    anna: Agent, environment: dict[str, str], tmp_path: Path
) -> None:
    options = ("--profile", "memory-server", "--project", PROJECT, "--read-only")
    with agent_of(environment, tmp_path, *options) as reader:
        assert reader.tools() == READING
        assert opened(reader, "Tide feed") == opened(anna, "Tide feed")


def test_the_texts_are_the_lists_and_sentences_of_the_original(agent: Agent) -> None:
    assert json.loads(agent.text("create_entities", entities=[ANNA, FEED])) == [ANNA, FEED]
    assert json.loads(agent.text("create_relations", relations=[WORKS])) == [WORKS]
    addition = {"entityName": "Tide feed", "contents": ["Slow"]}
    assert json.loads(agent.text("add_observations", observations=[addition])) == [
        {"entityName": "Tide feed", "addedObservations": ["Slow"]}
    ]
    text = agent.text("read_graph")
    assert text.startswith('{\n  "entities": [\n    {\n      "name": "Anna Weber"')
    assert json.loads(text) == agent.call("read_graph")
    gone = {"entityName": "Tide feed", "observations": ["Slow"]}
    calls: list[tuple[str, dict[str, object]]] = [
        ("Observations", {"deletions": [gone]}),
        ("Relations", {"relations": [WORKS]}),
        ("Entities", {"entityNames": ["Tide feed"]}),
    ]
    for what, arguments in calls:
        sentence = f"{what} deleted successfully"
        tool = f"delete_{what.casefold()}"
        assert agent.text(tool, **arguments) == sentence
        assert agent.call(tool, **arguments) == {"success": True, "message": sentence}
    assert agent.call("read_graph") == {"entities": [ANNA], "relations": []}


# Creating


def test_what_is_created_is_given_back_and_what_is_there_is_skipped(agent: Agent) -> None:
    assert agent.call("create_entities", entities=[ANNA, FEED, FEED]) == {"entities": [ANNA, FEED]}
    other = node("anna  weber", "robot", "Beeps")
    assert agent.call("create_entities", entities=[other, ANNA]) == {"entities": []}
    assert agent.call("create_relations", relations=[WORKS, WORKS]) == {"relations": [WORKS]}
    assert agent.call("create_relations", relations=[WORKS]) == {"relations": []}
    assert agent.call("read_graph") == {"entities": [ANNA, FEED], "relations": [WORKS]}


@pytest.mark.parametrize(
    ("entity", "relation", "addition"),
    [
        (ANNA, WORKS, {"entityName": "Anna Weber", "contents": ["New"]}),
        (
            {"name": "Anna Weber", "type": "person", "contents": ANNA["observations"], "id": 7},
            {"source": "Anna Weber", "target": "Tide feed", "type": "works on", "weight": "high"},
            {"entityName": "Anna Weber", "observations": ["New"], "time": None},
        ),
        (
            ANNA | {"type": "entity", "observations": json.dumps(ANNA["observations"])},
            WORKS | {"type": "relation"},
            {"name": "Anna Weber", "contents": "New"},
        ),
    ],
)
def test_all_spellings_are_read(
    agent: Agent, entity: object, relation: object, addition: object
) -> None:
    assert agent.call("create_entities", entities=[entity], extra=1) == {"entities": [ANNA]}
    assert agent.call("create_relations", relations=json.dumps([relation])) == {
        "relations": [WORKS]
    }
    (result,) = agent.call("add_observations", observations=addition)["results"]
    assert result == {"entityName": "Anna Weber", "addedObservations": ["New"]}
    assert names(opened(agent, "Anna Weber")) == names(agent.call("read_graph", random_string=""))


@pytest.mark.parametrize(
    "kind", ["Entity", "Thing", "", " a  b ", "x" * 900, "人物", "HAS_PASSAGE"]
)
def test_a_type_comes_back_as_it_was_given(agent: Agent, kind: str) -> None:
    entity = node("Kite", kind)
    assert agent.call("create_entities", entities=[entity]) == {"entities": [entity]}
    assert opened(agent, "Kite") == {"entities": [entity], "relations": []}


def test_what_was_imported_and_what_was_created_look_alike(
    agent: Agent, memory: Memory, tmp_path: Path
) -> None:
    entities = [node("Kite", "Entity", "Flies", " "), node("Cord", "tool")]
    made = [link("Kite", "hangs on", "Cord")]
    path = tmp_path / "memory.jsonl"
    lines = [{"type": "entity", **entity} for entity in entities]
    path.write_text("\n".join(map(json.dumps, [*lines, *({"type": "relation", **made[0]},)])))
    memory.import_("memory-server", path, project=(other := f"{PROJECT}-imported"))
    agent.call("create_entities", entities=entities)
    agent.call("create_relations", relations=made)

    def observations_of(name: str) -> list[dict[str, object]]:
        lines = list(memory.export(project=name))
        return [{k: v for k, v in line.items() if k != "created_at"} for line in lines]

    stored = json.dumps([observations_of(PROJECT), observations_of(other)])
    first, second = json.loads(stored)
    for one in [*first, *second]:
        for observation in one.get("observations", ()):
            del observation["created_at"]
    assert first == second


def test_the_end_of_a_relation_need_not_be_there_and_is_no_entity(agent: Agent) -> None:
    agent.call("create_entities", entities=[ANNA])
    assert agent.call("create_relations", relations=[WORKS]) == {"relations": [WORKS]}
    assert agent.call("read_graph") == {"entities": [ANNA], "relations": [WORKS]}
    assert opened(agent, "Tide feed") == NOTHING
    assert agent.call("search_nodes", query="Tide feed")["entities"] == []
    addition = [{"entityName": "Tide feed", "contents": ["Slow"]}]
    assert "Tide feed not found" in agent.refusal("add_observations", observations=addition)
    assert agent.call("create_entities", entities=[FEED]) == {"entities": [FEED]}
    assert opened(agent, "Tide feed") == {"entities": [FEED], "relations": [WORKS]}


def test_calls_at_once_make_one_graph(agent: Agent) -> None:
    with ThreadPoolExecutor(6) as pool:
        links = [pool.submit(agent.call, "create_relations", relations=[WORKS]) for _ in range(3)]
        made = [pool.submit(agent.call, "create_entities", entities=[ANNA]) for _ in range(3)]
    assert sorted(len(link.result()["relations"]) for link in links) == [0, 0, 1]
    assert sorted(len(future.result()["entities"]) for future in made) == [0, 0, 1]
    assert agent.call("read_graph") == {"entities": [ANNA], "relations": [WORKS]}


def test_observations_are_added_once(anna: Agent) -> None:
    given = [
        {"entityName": "Anna Weber", "contents": ["Likes tea", "New", "New", " ", ""]},
        {"entityName": "Tide feed", "contents": []},
        {"entityName": "anna weber", "contents": ["New", "Newer"]},
    ]
    added = anna.call("add_observations", observations=given)["results"]
    assert [addition["addedObservations"] for addition in added] == [["New"], [], ["Newer"]]
    (entity,) = opened(anna, "Anna Weber")["entities"]
    assert entity["observations"] == ["Likes tea", "Works at sea", "New", "Newer"]


def test_observations_of_a_missing_entity_are_an_error_and_nothing_is_written(anna: Agent) -> None:
    given = [{"entityName": name, "contents": ["New"]} for name in ("Anna Weber", "Nobody")]
    refusal = anna.refusal("add_observations", observations=given)
    assert refusal == "Entity with name Nobody not found"
    assert opened(anna, "Anna Weber")["entities"] == [ANNA]


# Deleting


def test_deleting_what_is_missing_is_silent(anna: Agent) -> None:
    before = anna.call("read_graph")
    anna.call("delete_entities", entityNames=["Nobody", "", "x\ny", "\x00"])
    deletions = [{"entityName": name, "observations": ["None"]} for name in ("Nobody", "Tide feed")]
    anna.call("delete_observations", deletions=deletions)
    missing = [link("Anna Weber", "knows", "Tide feed"), link("a", "b", "c"), link("", "", "")]
    anna.call("delete_relations", relations=missing)
    assert anna.call("read_graph") == before


def test_a_deleted_entity_takes_its_relations_along_and_undo_brings_both_back(
    anna: Agent, memory: Memory
) -> None:
    before = anna.call("read_graph")
    for _ in range(2):
        anna.call("delete_entities", entityNames=["Anna Weber"])
        assert anna.call("read_graph") == {"entities": [FEED], "relations": []}
        assert opened(anna, "Anna Weber") == NOTHING
    (deleted,) = (entity for entity in before["entities"] if entity["name"] == "Anna Weber")
    gone = {"entityName": "Anna Weber", "observations": deleted["observations"]}
    anna.call("delete_observations", deletions=[gone])
    memory.undo("last")
    assert anna.call("read_graph") == before


def test_what_is_created_again_has_nothing_of_what_was_deleted(anna: Agent, memory: Memory) -> None:
    memory.remember([{"name": "Anna Weber", "text": "Old", "tags": ["old"], "title": "Dr Weber"}])
    anna.call("delete_entities", entityNames=["Anna Weber"])
    robot = node("Anna Weber", "robot", "Beeps")
    assert anna.call("create_entities", entities=[robot]) == {"entities": [robot]}
    assert anna.call("read_graph") == {"entities": [robot, FEED], "relations": []}
    (page,) = memory.get("Anna Weber")
    assert (page.entity.title, page.entity.text, page.entity.tags) == (None, None, ())
    memory.undo("last")
    assert names(anna.call("read_graph")) == ["Tide feed"]
    memory.restore("Anna Weber")
    assert anna.call("read_graph")["relations"] == [WORKS]


def test_a_relation_to_what_was_deleted_does_not_bring_it_back(anna: Agent) -> None:
    anna.call("delete_entities", entityNames=["Anna Weber"])
    knows = link("Tide feed", "was made by", "Anna Weber")
    assert anna.call("create_relations", relations=[knows]) == {"relations": [knows]}
    assert anna.call("read_graph") == {"entities": [FEED], "relations": [knows]}


@pytest.mark.parametrize("status", ["deprecated", "superseded", "Deprecated"])
def test_a_relation_to_what_is_hidden_but_not_deleted_leaves_it_as_it_is(
    anna: Agent, memory: Memory, status: str
) -> None:
    hide_kite(memory, status)
    (before,) = memory.get("Old kite")
    replaces = link("Tide feed", "replaces", "old kite")
    shown = link("Tide feed", "replaces", "Old kite")
    assert anna.call("create_relations", relations=[replaces]) == {"relations": [shown]}
    (after,) = memory.get("Old kite")
    assert after.entity == before.entity
    assert relations_of(after) == [*relations_of(before), ("replaces", "in", "Tide feed")]
    assert anna.call("create_relations", relations=[replaces]) == {"relations": []}
    assert anna.call("read_graph") == {"entities": [ANNA, FEED], "relations": [WORKS]}


def test_a_relation_to_what_was_superseded_is_not_in_the_graph(anna: Agent, memory: Memory) -> None:
    hide_kite(memory, "superseded")
    memory.link("Tide feed", "SUPERSEDES", "Old kite")
    assert anna.call("read_graph") == {"entities": [ANNA, FEED], "relations": [WORKS]}


@pytest.mark.parametrize("status", ["deprecated", "superseded"])
def test_what_is_hidden_but_not_deleted_is_created_again_with_what_it_had(
    anna: Agent, memory: Memory, status: str
) -> None:
    hide_kite(memory, status)
    kite = node("old kite", "tool", "Flies", "Is red", "Is torn")
    assert anna.call("create_entities", entities=[kite]) == {"entities": [kite]}
    known = node("Old kite", "tool", "Flies", "Is red", "Has a tail", "Is torn")
    flies = link("Anna Weber", "FLIES", "Old kite")
    assert opened(anna, "Old kite") == {"entities": [known], "relations": [flies]}
    (page,) = memory.get("Old kite")
    assert (page.status, page.entity.text, page.entity.tags) == ("active", "Flies", ("toys",))
    assert anna.call("create_entities", entities=[kite]) == {"entities": []}
    memory.undo("last")
    assert memory.get("Old kite")[0].status == status


def test_what_an_import_removed_keeps_its_texts_and_relations(
    anna: Agent, memory: Memory, tmp_path: Path
) -> None:
    path = tmp_path / "memory.jsonl"
    kept, removed = node("Cord", "tool"), node("Kite", "toy", "Flies")
    path.write_text("\n".join(json.dumps({"type": "entity", **one}) for one in (kept, removed)))
    memory.import_("memory-server", path)
    memory.link("Kite", "HANGS_ON", "Cord")
    path.write_text(json.dumps({"type": "entity", **kept}))
    memory.import_("memory-server", path)
    made = link("Anna Weber", "made", "Kite")
    assert anna.call("create_relations", relations=[made]) == {"relations": [made]}
    (page,) = memory.get("Kite")
    assert (page.status, [observation.text for observation in page.entity.observations]) == (
        "removed",
        ["Flies"],
    )
    created = node("Kite", "toy", "Is red")
    assert anna.call("create_entities", entities=[created]) == {"entities": [created]}
    assert opened(anna, "Kite") == {
        "entities": [node("Kite", "toy", "Flies", "Is red")],
        "relations": [link("Kite", "HANGS_ON", "Cord"), made],
    }


def test_observations_and_relations_are_deleted_alone(anna: Agent) -> None:
    deletion = {"entityName": "Anna Weber", "contents": ["Likes tea", "None"]}
    anna.call("delete_observations", deletions=[deletion, deletion])
    anna.call("delete_relations", relations=[WORKS, WORKS])
    left = [ANNA | {"observations": ["Works at sea"]}, FEED]
    assert anna.call("read_graph") == {"entities": left, "relations": []}


def test_a_text_is_the_first_observation(agent: Agent, memory: Memory) -> None:
    memory.remember([{"name": "Kite", "kind": "toy", "text": "Flies", "observations": ["Red"]}])
    assert opened(agent, "Kite")["entities"] == [node("Kite", "toy", "Flies", "Red")]
    addition = {"entityName": "Kite", "contents": ["Flies"]}
    (result,) = agent.call("add_observations", observations=[addition])["results"]
    assert result["addedObservations"] == []
    agent.call("delete_observations", deletions=[{"entityName": "Kite", "observations": "Flies"}])
    assert opened(agent, "Kite")["entities"] == [node("Kite", "toy", "Red")]
