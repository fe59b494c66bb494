"""What the memory server's tools read of a large graph, and what they refuse to write."""

import json
import uuid
from typing import Any

import pytest

import memory_server_items
from agents import Agent
from graphmem.memory import Memory
from graphmem.model import accumulated
from memory_server_items import ANNA, FEED, NOTHING, WORKS, link, names, node, opened
from profile_servers import server_of

PROJECT = f"example.org/tests/memory-server-{uuid.uuid4().hex}"


served, project, agent = server_of("memory-server", PROJECT)
anna = memory_server_items.anna


def pages(agent: Agent) -> list[dict[str, Any]]:
    """Every page of the whole graph, read as its notes say."""
    answers = [agent.call("read_graph")]
    while "after=" in (note := answers[-1].get("note", "")):
        after = json.JSONDecoder().raw_decode(note.partition("after=")[2])[0]
        answers.append(agent.call("read_graph", after=after))
    return answers


# Searching


@pytest.mark.parametrize(
    "query",
    ["sea", "ANNA", "webe", "Anna Weber likes", "a hot drink", "person", "Person", "note: tea"],
)
def test_search_finds_words_their_beginnings_meanings_and_types(anna: Agent, query: str) -> None:
    answer = anna.call("search_nodes", query=query)
    assert answer["entities"][0] == ANNA
    assert answer["relations"] == [WORKS]
    assert answer.keys() == NOTHING.keys()


def test_search_gives_the_relations_around_what_it_found(anna: Agent) -> None:
    knows = link("Anna Weber", "knows", "Bo")
    anna.call("create_entities", entities=[node("Bo", "tailor"), node("Cy", "tailor")])
    anna.call("create_relations", relations=[knows, link("Cy", "knows", "Bo")])
    answer = anna.call("search_nodes", query="tea sea")
    assert names(answer)[0] == "Anna Weber"
    assert sorted(answer["relations"], key=str) == [knows, WORKS]
    tailors = anna.call("search_nodes", query="tailor")
    assert sorted(names(tailors)) == ["Bo", "Cy"]
    assert tailors["relations"][0] == link("Cy", "knows", "Bo")


def test_search_of_nothing_reads_the_graph_and_a_strange_word_finds_nothing(anna: Agent) -> None:
    assert anna.call("search_nodes", query=" ") == anna.call("read_graph")
    assert anna.call("search_nodes", query="zzqqxx") == NOTHING


def test_search_gives_the_twenty_best_and_says_that_there_are_more(
    agent: Agent, memory: Memory
) -> None:
    memory.remember([{"name": f"Tide {n}", "kind": "gauge", "text": "water"} for n in range(30)])
    answer = agent.call("search_nodes", query="water")
    assert len(answer["entities"]) == 20
    assert answer["note"].startswith("More entities match than these 20")


@pytest.mark.parametrize(
    "query", ["*", '"', "((", "AND", "x" * 10_000, "\x00\x07", "a~9 b^2 [c TO d]", "человек", "🦀"]
)
def test_search_reads_any_query(anna: Agent, query: str) -> None:
    assert anna.call("search_nodes", query=query).keys() == NOTHING.keys()


# Large graphs


def test_a_large_graph_comes_in_pages_with_every_entity_and_relation_once(
    agent: Agent, memory: Memory
) -> None:
    made = [f"Gauge {n:03}" for n in range(400)]
    memory.remember(
        [{"name": name, "kind": "gauge", "observations": ["x" * 200]} for name in made],
        [{"from": name, "relation": "FEEDS", "to": "Ghost"} for name in made]
        + [{"from": made[0], "relation": "NEAR", "to": name} for name in made[1:290]],
        stubs=True,
    )
    answers = pages(agent)
    assert len(answers) > 2
    assert all(len(json.dumps(answer)) < 90_000 for answer in answers)
    assert [name for answer in answers for name in names(answer)] == made
    relations = [json.dumps(relation) for answer in answers for relation in answer["relations"]]
    assert len(relations) == len(set(relations)) == 400 + 289
    assert "note" not in answers[-1]
    reply = agent.call("search_nodes", query="gauge 000")
    assert len(reply["relations"]) == 300
    assert reply["note"].endswith("open_nodes gives those of an entity by its name.")
    assert len(opened(agent, made[0])["relations"]) == 290


def test_a_very_long_entity_is_whole_only_where_it_is_opened(agent: Agent) -> None:
    wide = node("Wide", "log", *(f"{n} {'x' * 1000}" for n in range(100)))
    long = node("Long", "log", "y" * 100_000)
    agent.call("create_entities", entities=[wide, long])
    for answer in [*pages(agent), agent.call("search_nodes", query="log")]:
        assert len(json.dumps(answer)) < 90_000
        assert "says more than is shown" in answer["note"]
    assert [name for answer in pages(agent) for name in names(answer)] == ["Long", "Wide"]
    assert opened(agent, "Wide", "Long") == {"entities": [wide, long], "relations": []}


def test_pages_go_on_behind_names_that_nobody_sees(agent: Agent) -> None:
    made = [node(f"Log {mark}", "log", "y" * 30_000) for mark in ("\U000e0041", "%41", "ж", "🦀")]
    agent.call("create_entities", entities=made)
    assert [len(names(answer)) for answer in pages(agent)] == [1, 1, 1, 1]


def test_names_are_opened_once_in_the_order_asked(anna: Agent) -> None:
    answer = opened(anna, "tide feed", "Nobody", "", "Anna Weber", "Tide feed", "\x00")
    assert answer == {"entities": [FEED, ANNA], "relations": [WORKS]}
    assert opened(anna) == NOTHING
    assert anna.call("open_nodes", names="Anna Weber")["entities"] == [ANNA]


def test_a_renamed_entity_is_known_by_both_names(anna: Agent, memory: Memory) -> None:
    memory.rename("Anna Weber", "Anna Stein")
    stein = ANNA | {"name": "Anna Stein"}
    for name in ("Anna Weber", "Anna Stein"):
        assert opened(anna, name)["entities"] == [stein]
        assert anna.call("create_entities", entities=[node(name)]) == {"entities": []}
    assert anna.call("create_relations", relations=[WORKS]) == {"relations": []}
    anna.call("delete_entities", entityNames=["Anna Stein"])
    assert names(anna.call("read_graph")) == ["Tide feed"]


# What is refused


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("create_entities", {}, ["entities", "is required"]),
        ("create_entities", {"entities": [{"name": "x"}]}, ["entities[0].entityType", "required"]),
        ("create_entities", {"entities": [node("")]}, ["entities[0].name", "blank"]),
        ("create_entities", {"entities": [node("ok"), node("x" * 513)]}, ["entities[1]", "512"]),
        ("create_entities", {"entities": [node("a\x07b")]}, ["entities[0].name", "control"]),
        ("create_entities", {"entities": [node("x", "y" * 1001)]}, ["entityType", "1000"]),
        ("create_entities", {"entities": [node("x") | {"name": 5}]}, ["name", "text", "5"]),
        ("create_entities", {"entities": ["x"]}, ["entities[0]"]),
        ("create_entities", {"entities": "no list"}, ["entities"]),
        ("create_entities", {"entities": [node("x")] * 1001}, ["entities", "1000"]),
        ("create_entities", {"entities": [node("x", "y", "z" * 2**20 + "z")]}, ["1 MiB"]),
        ("create_entities", {"entities": [node("x") | {"observations": [5]}]}, ["text", "5"]),
        ("create_entities", {"entities": [node("x", "y", *map(str, range(5001)))]}, ["5,000"]),
        ("create_relations", {"relations": [link("", "b", "c")]}, ["relations[0].from", "blank"]),
        ("create_relations", {"relations": [link("a", "b", " ")]}, ["relations[0].to", "blank"]),
        ("create_relations", {"relations": [link("a", "x" * 201, "c")]}, ["relationType", "200"]),
        ("create_relations", {"relations": [link("a", "HAS_PASSAGE", "c")]}, ["relationType"]),
        ("create_relations", {"relations": [WORKS, {"from": "a"}]}, ["relations[1].to"]),
        ("add_observations", {"observations": [{"entityName": "x"}]}, ["contents", "required"]),
        ("delete_entities", {"entityNames": [1]}, ["entityNames[0]", "text"]),
        ("delete_entities", {}, ["entityNames", "required"]),
        ("delete_observations", {"deletions": [{"observations": []}]}, ["entityName", "required"]),
        ("search_nodes", {}, ["query", "required"]),
        ("search_nodes", {"query": "x" * 10_001}, ["query", "10000"]),
        ("open_nodes", {"names": {"a": 1}}, ["names", "list"]),
        ("read_graph", {"after": 5}, ["after", "text"]),
    ],
)
def test_what_is_not_allowed_is_refused_and_nothing_is_written(
    agent: Agent, tool: str, arguments: dict[str, object], words: list[str]
) -> None:
    refusal = agent.refusal(tool, **arguments)
    assert [word for word in words if word not in refusal] == []
    assert agent.call("read_graph") == NOTHING


def test_too_many_observations_are_refused_with_the_reason(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    bounds = [
        (*names, unit, 500 if unit == "observations" else most)
        for *names, unit, most in accumulated._BOUNDS
    ]
    monkeypatch.setattr(accumulated, "_BOUNDS", bounds)
    agent.call("create_entities", entities=[node("Log", "log", *map(str, range(490)))])
    addition = {"entityName": "Log", "contents": [f"more {n}" for n in range(11)]}
    refusal = agent.refusal("add_observations", observations=[addition])
    assert refusal.startswith("observations cannot be stored: Log: ")
    assert "at most 500 observations" in refusal
    deletion = {"entityName": "Log", "observations": [str(n) for n in range(400)]}
    agent.call("delete_observations", deletions=[deletion])
    (entity,) = opened(agent, "Log")["entities"]
    assert entity["observations"] == [str(n) for n in range(400, 490)]


@pytest.mark.parametrize("name", ["C#", "x" * 512, "🦀 ёж", '"]}) DETACH DELETE', "a:b", "{name}"])
def test_any_visible_name_and_text_comes_back(agent: Agent, name: str) -> None:
    entity = node(name, name[:200], name * 20, '{"a": 1}')
    assert agent.call("create_entities", entities=[entity]) == {"entities": [entity]}
    made = link(name, name[:200], name)
    assert agent.call("create_relations", relations=[made]) == {"relations": [made]}
    assert opened(agent, name) == {"entities": [entity], "relations": [made]}
    agent.call("delete_entities", entityNames=[name])
    assert agent.call("read_graph") == NOTHING
