"""memcp's tools, called by a real MCP client; what runs in the background, by the tools alone."""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from agents import Agent, agent_of, checkout, serving
from fakes import FakeEmbedder
from graphmem.adapters.memcp.profile.parameters import EntityGiven
from graphmem.adapters.memcp.profile.reflection import upkeep_of
from graphmem.adapters.memcp.profile.tools import Tools
from graphmem.embedding import BackgroundEmbedder, Vector
from graphmem.errors import InvalidInput
from graphmem.graph import Graph, Transaction
from graphmem.memory import Memory
from graphmem.read import duplicates as reading
from graphmem.read import traversal
from memories import memory_with

REMOTE = "git.example.org/tests/memcp-shop"
AUTH = {
    "name": "auth-service", "type": "service", "labels": ["backend", "security"],
    "content": "Signs people in and hands out tokens.", "confidence": 0.9, "source": "a talk",
}  # fmt: skip
USERS = {"name": "user-store", "type": "service", "labels": ["backend"], "content": "Holds people."}
MAIL = {"name": "mailer", "type": "tool", "labels": ["mail"], "content": "Writes letters."}
USES = {"from": "auth-service", "to": "user-store", "type": "depends_on", "weight": 0.8}


@pytest.fixture(scope="module")
def agent(
    real_model: BackgroundEmbedder,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Agent]:
    folder = checkout(tmp_path_factory.mktemp("memcp"), REMOTE)
    with serving(real_model, "memcp", folder=folder) as agent:
        yield agent


@pytest.fixture
def context(agent: Agent, project: str) -> str:
    """A context with two linked entities and one apart."""
    agent.call("remember", entities=[AUTH, USERS, MAIL], relations=[USES], context=project)
    return project


@pytest.fixture
def tools(memory: Memory) -> Iterator[Tools]:
    """The tools over a memory in this process, with the fake model."""
    yield Tools(lambda: memory)
    upkeep_of(memory).close()


def names(answer: dict[str, Any]) -> list[str]:
    return [one["name"] for one in answer["entities"]]


def entity(agent: Agent, written: str, context: str = "") -> dict[str, Any] | None:
    found = agent.call("get_entity", id=written, context=context)["result"]
    assert found is None or isinstance(found, dict)
    return found


def errors(agent: Agent, tool: str, **arguments: object) -> dict[str, Any]:
    """What a call that is an error tells all the same."""
    result = agent.portal.call(
        lambda: agent.client.call_tool(tool, arguments, raise_on_error=False)
    )
    assert result.is_error
    return dict(result.structured_content or {})


# search


def test_search_gives_entities_and_their_count(agent: Agent, context: str) -> None:
    answer = agent.call("search", query="letters", context=context)
    assert (answer["count"], answer["context"]) == (1, context)
    (found,) = answer["entities"]
    assert {key: found[key] for key in ("name", "type", "labels", "content", "context")} == {
        "name": "mailer", "type": "tool", "labels": ["mail"], "content": "Writes letters.",
        "context": context,
    }  # fmt: skip
    assert 0 < found["score"] <= 1
    assert found["origin"] == "direct"


def test_search_names_the_link_that_led_to_a_neighbour(agent: Agent, context: str) -> None:
    first, second = agent.call("search", query="signs", context=context)["entities"]
    assert (first["name"], first["origin"], first["via"]) == ("auth-service", "direct", [])
    assert (second["name"], second["origin"]) == ("user-store", "expanded")
    assert second["via"] == [
        {
            "from": "auth-service",
            "relation": "depends_on",
            "direction": "out",
            "weight": 0.8,
            "note": None,
        }
    ]
    assert second["score"] < first["score"]


def test_search_of_nothing_gives_an_empty_list_and_no_count(agent: Agent, context: str) -> None:
    answer = agent.call("search", query="zzz qqq", context=context)
    assert (answer["entities"], answer["count"], answer["total"]) == ([], 0, 0)


def test_search_asks_for_any_of_the_labels(agent: Agent, context: str) -> None:
    def found(labels: object) -> set[str]:
        return set(
            names(agent.call("search", query="people letters", labels=labels, context=context))
        )

    assert found([]) == found(None) == {"auth-service", "user-store", "mailer"}
    assert found(["mail", "security"]) == {"auth-service", "mailer"}
    assert found(["BACKEND"]) == {"auth-service", "user-store"}
    assert found("mail") == found('["mail"]') == {"mailer"}
    assert found(["unknown"]) == set()


@pytest.mark.parametrize(
    ("limit", "count"), [(0, 10), (-5, 10), (None, 10), (1, 1), (12, 12), (100, 14)]
)
def test_search_gives_ten_unless_asked_for_others(
    agent: Agent, memory: Memory, project: str, limit: int | None, count: int
) -> None:
    memory.remember([{"name": f"n{n}", "text": f"letter {n}"} for n in range(14)])
    answer = agent.call("search", query="letter", limit=limit, context=project)
    assert (answer["count"], answer["total"]) == (count, 14)


def test_search_keeps_to_its_context(agent: Agent, context: str, memory: Memory) -> None:
    memory.remember([{"name": "shared", "text": "letters"}], project="@user")
    assert names(agent.call("search", query="letters", context=context)) == ["mailer"]
    assert agent.call("search", query="letters", context=f"{context}-other")["count"] == 0
    memory.forget("shared", project="@user")


def test_search_says_the_same_each_time(agent: Agent, context: str) -> None:
    first = agent.text("search", query="zz people tokens letters", labels=["mail", "backend"],
                       context=context)  # fmt: skip
    for _ in range(3):
        again = agent.text("search", query="zz people tokens letters", labels=["mail", "backend"],
                           context=context)  # fmt: skip
        assert again == first


def test_search_shows_the_beginning_of_a_long_content(agent: Agent, project: str) -> None:
    long = {"name": "long", "content": "letters " * 2000}
    agent.call("remember", entities=[long], context=project)
    (found,) = agent.call("search", query="letters", context=project)["entities"]
    assert len(found["content"]) == 2001
    whole = entity(agent, "long", project)
    assert whole is not None
    assert whole["content"] == long["content"]


def test_search_hides_what_is_superseded(agent: Agent, context: str, memory: Memory) -> None:
    memory.remember([{"name": "mailer", "status": "superseded"}])
    assert agent.call("search", query="letters", context=context)["count"] == 0


@dataclass
class Scripted(FakeEmbedder):
    """A model that puts entities as near to every query as their names say."""

    def query(self, text: str) -> Vector:
        del text
        return [1.0, *[0.0] * 383]

    def documents(
        self, texts: Sequence[str], *, advance: Callable[[int], None] = lambda _: None
    ) -> list[Vector]:
        advance(len(texts))
        near = {"A": 0.5, "B": 0.0, "C": 0.8, "D": 0.7}
        return [self._at(near[text.splitlines()[0]]) for text in texts]

    def _at(self, cosine: float) -> Vector:
        return [cosine, (1 - cosine**2) ** 0.5, *[0.0] * 382]


def test_search_fuses_by_reciprocal_ranks_with_k_60(graph: Graph, project: str) -> None:
    memory = memory_with(Scripted(), graph, project)
    words = {"A": "word word word", "B": "word word other", "C": "word other other", "D": "x y z"}
    memory.remember([{"name": name, "text": text} for name, text in words.items()])
    answer = Tools(lambda: memory).search("word")
    both, one = 1 / 61 + 1 / 63, 1 / 62
    assert [(found.name, round(found.score, 9)) for found in answer.entities] == [
        ("A", round(both, 9)), ("C", round(both, 9)), ("B", round(one, 9)), ("D", round(one, 9)),
    ]  # fmt: skip
    upkeep_of(memory).close()


def test_search_without_a_model_answers_by_words_and_says_so(graph: Graph, project: str) -> None:
    memory = memory_with(FakeEmbedder(state="failed", reason="no torch"), graph, project)
    memory.remember([{"name": "mailer", "text": "letters"}])
    answer = Tools(lambda: memory).search("letters")
    assert [found.name for found in answer.entities] == ["mailer"]
    assert "no torch" in (answer.degraded or "")
    upkeep_of(memory).close()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, ["query", "is required"]),
        ({"query": ""}, ["query", "blank"]),
        ({"query": " \n"}, ["query", "blank"]),
        ({"query": " ", "labels": ["role"]}, ["query must not be blank, got ' '"]),
        ({"query": None}, ["query", "text"]),
        ({"query": "x" * 10_001}, ["query", "10000"]),
        ({"query": "x", "limit": 101}, ["limit", "101", "100"]),
        ({"query": "x", "limit": "many"}, ["limit", "'many'"]),
        ({"query": "x", "limit": 1.5}, ["limit", "1.5"]),
        ({"query": "x", "labels": [1]}, ["labels[0]", "1", "text"]),
        ({"query": "x", "labels": [" "]}, ["labels[0]", "blank"]),
        ({"query": "x", "labels": ["a"] * 21}, ["labels", "20"]),
        ({"query": "x", "context": "a#b"}, ["context", "'a#b'"]),
        ({"query": "x", "context": "@nobody"}, ["context", "@user"]),
        ({"query": "x", "context": "c" * 201}, ["context", "200"]),
        ({"query": "x", "project": "y"}, ["project", "not a parameter"]),
    ],
)
def test_search_refuses_what_is_not_allowed(
    agent: Agent, arguments: dict[str, object], words: list[str]
) -> None:
    refusal = agent.refusal("search", **arguments)
    assert [word for word in words if word not in refusal] == []


def test_search_reads_any_query(agent: Agent, context: str) -> None:
    for query in ('"', "((", "a:b", "\x00\x07 x", "* ?", "AND", "x" * 10_000):
        assert agent.call("search", query=query, context=context)["count"] >= 0


# remember


def test_remember_reports_each_entity_and_relation(agent: Agent, project: str) -> None:
    said = agent.call("remember", entities=[AUTH, USERS], relations=[USES], context=project)
    assert (said["created"], said["updated"], said["relations_created"]) == (2, 0, 1)
    first = said["entities"][0]
    assert (first["name"], first["action"], first["confidence"]) == ("auth-service", "created", 0.9)
    again = agent.call("remember", entities=[AUTH, USERS], relations=[USES], context=project)
    assert (again["created"], again["updated"], again["relations_created"]) == (0, 2, 0)


def test_remember_of_the_same_name_updates_and_unites_the_labels(
    agent: Agent, context: str
) -> None:
    again = {"name": "Auth-Service", "labels": ["Security", "login"], "content": "Signs in."}
    said = agent.call("remember", entities=[again], context=context)
    (found,) = said["entities"]
    assert (found["action"], found["content"], found["type"]) == ("updated", "Signs in.", "service")
    assert found["labels"] == ["backend", "security", "login"]
    assert found["confidence"] == 0.9
    assert entity(agent, "auth-service", context)
    assert (
        agent.call("search", query="signs", context=context)["entities"][0]["labels"]
        == found["labels"]
    )


def test_remember_gives_a_new_entity_a_type_and_a_confidence(agent: Agent, project: str) -> None:
    said = agent.call("remember", entities={"name": "x", "content": "y"}, context=project)
    assert (said["entities"][0]["type"], said["entities"][0]["confidence"]) == ("concept", 1.0)


def test_remember_takes_the_same_name_in_two_contexts_for_two_entities(
    agent: Agent, project: str
) -> None:
    for number in "12":
        said = {"name": "same", "content": f"number {number}"}
        agent.call("remember", entities=[said], context=f"{project}/{number}")
    for number in "12":
        found = entity(agent, "same", f"{project}/{number}")
        assert found is not None
        assert (found["content"], found["context"]) == (f"number {number}", f"{project}/{number}")


def test_remember_keeps_names_of_other_scripts_apart(agent: Agent, project: str) -> None:
    said = [{"name": name, "content": name} for name in ("Аутентификация", "Авторизация", "認証")]
    assert agent.call("remember", entities=said, context=project)["created"] == 3
    assert agent.call("list_types", context=project)["types"] == [{"type": "concept", "count": 3}]


def test_remember_of_a_relation_to_a_missing_entity_is_an_error(agent: Agent, context: str) -> None:
    assert "nobody" in agent.refusal(
        "remember",
        relations=[{"from": "mailer", "to": "nobody", "type": "uses"}],
        context=context,
    )
    told = errors(
        agent,
        "remember",
        entities=[{"name": "new", "content": "x"}],
        relations=[{**USES, "to": "nobody"}, {**USES, "to": "new"}],
        context=context,
    )
    assert (told["created"], told["relations_created"]) == (1, 1)
    assert len(told["relation_errors"]) == 1
    assert "no entity 'nobody'" in told["relation_errors"][0]


def test_remember_takes_ids_for_names(agent: Agent, context: str) -> None:
    joined = {"from": "entity:mailer", "to": "AUTH-SERVICE", "type": "asks"}
    said = agent.call("remember", relations=[joined], context=context)
    assert said["relations_created"] == 1
    again = agent.call(
        "remember", entities=[{"id": "entity:mailer", "content": "x"}], context=context
    )
    assert again["entities"][0]["action"] == "updated"


def test_remember_takes_ends_with_their_context(agent: Agent, context: str) -> None:
    short = context.rpartition("/")[2]
    for number, mark in enumerate((context, short, f"entity:⟨{short}")):
        end = f"{mark}:mailer" + ("⟩" if "⟨" in mark else "")
        joined = {"from": end, "to": f"{context}:auth-service", "type": f"asks{number}"}
        said = agent.call("remember", relations=[joined], context=context)
        assert said["relations_created"] == 1, end
    new = {"name": "ns:new", "content": "x"}
    joined = {"from": f"{context}:ns:new", "to": "ns:new", "type": "is"}
    said = agent.call("remember", entities=[new], relations=[joined], context=context)
    assert (said["created"], said["relations_created"]) == (1, 1)


def test_search_names_the_note_of_a_link(agent: Agent, context: str, memory: Memory) -> None:
    memory.remember(relations=[{"from": "auth-service", "relation": "depends_on",
                                "to": "user-store", "note": "for passwords"}])  # fmt: skip
    _, second = agent.call("search", query="signs", context=context)["entities"]
    assert second["via"][0]["note"] == "for passwords"
    seen = agent.call("traverse", start="auth-service", context=context)["connected"]
    assert seen[0]["via"]["note"] == "for passwords"


def test_remember_brings_back_what_was_forgotten(agent: Agent, context: str) -> None:
    agent.call("forget", ids=["mailer"], context=context)
    agent.call("remember", entities=[MAIL], context=context)
    assert names(agent.call("search", query="letters", context=context)) == ["mailer"]


@pytest.mark.parametrize("name", ["user-store", "people-store"])
def test_remember_updates_a_renamed_entity_by_either_name(
    agent: Agent, context: str, memory: Memory, name: str
) -> None:
    agent.call("remember", entities=[USERS | {"confidence": 0.4}], context=context)
    memory.rename("user-store", "people-store")
    said = agent.call("remember", entities=[{"name": name, "content": "Full."}], context=context)
    assert (names(said), said["created"], said["updated"]) == (["people-store"], 0, 1)
    found = entity(agent, "people-store", context)
    assert found is not None
    assert found["content"] == said["entities"][0]["content"] == "Full."
    assert (found["type"], found["confidence"]) == ("service", 0.4)


def test_remember_updates_a_merged_entity_by_the_name_that_went(
    agent: Agent, context: str, memory: Memory
) -> None:
    memory.merge("mailer", "auth-service")
    given = {"name": "mailer", "content": "Signs and mails."}
    said = agent.call("remember", entities=[given], context=context)
    assert (names(said), said["created"], said["updated"]) == (["auth-service"], 0, 1)
    found = entity(agent, "auth-service", context)
    assert found is not None
    assert (found["type"], found["confidence"]) == ("service", 0.9)
    assert found["content"] == "Signs and mails."


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, ["entities", "at least one"]),
        ({"entities": [], "relations": None}, ["entities", "at least one"]),
        ({"entities": [{"content": "x"}]}, ["entities[0].name", "blank"]),
        ({"entities": [{"name": " "}]}, ["entities[0].name", "blank"]),
        ({"entities": [MAIL, {"name": "a", "confidence": 1.5}]}, ["entities[1].confidence", "1.5"]),
        ({"entities": [{"name": "a", "colour": "red"}]}, ["entities[0].colour"]),
        ({"entities": [{"name": "n" * 513}]}, ["entities[0].name", "512"]),
        ({"entities": ["a"]}, ["entities[0]", "'a'"]),
        ({"entities": [MAIL] * 201}, ["entities", "200"]),
        ({"entities": [{"name": "a", "labels": "l" * 201}]}, ["entities[0].labels[0]", "200"]),
        ({"relations": [{"from": "a", "type": "b"}]}, ["relations[0].to", "is required"]),
        ({"relations": [{"from": "a", "to": "b", "type": ""}]}, ["relations[0].type"]),
        ({"relations": [{**USES, "weight": 2}]}, ["relations[0].weight", "2", "1"]),
        ({"entities": [{"name": "a", "type": "Entity"}]}, ["[0].type ", "graphmem's own"]),
        ({"entities": [{"name": "a", "labels": [" "]}]}, ["entities[0].labels[0] ", "blank"]),
        ({"entities": [{"name": "a\x07b"}]}, ["control"]),
        ({"relations": [{**USES, "type": "HAS_PASSAGE"}]}, ["[0].type ", "graphmem's own"]),
    ],
)
def test_remember_refuses_what_is_not_allowed(
    agent: Agent, project: str, arguments: dict[str, object], words: list[str]
) -> None:
    refusal = agent.refusal("remember", **arguments, context=project)
    assert [word for word in words if word not in refusal] == []
    assert agent.call("list_types", context=project)["count"] == 0


# get_entity


def test_get_entity_takes_an_id_and_a_name_alike(agent: Agent, context: str) -> None:
    found = entity(agent, "auth-service", context)
    assert found is not None
    for written in (
        "entity:auth-service", "AUTH-SERVICE", " auth-service ", "entity:⟨auth-service⟩",
        f"{context}#auth-service", found["id"], f"{context}:auth-service",
    ):  # fmt: skip
        assert entity(agent, written, context) == found
    assert entity(agent, found["id"]) == found


def test_get_entity_reads_it_whole(agent: Agent, context: str) -> None:
    found = entity(agent, "auth-service", context)
    assert found is not None
    assert {key: found[key] for key in AUTH} == AUTH
    assert (found["access_count"], found["accessed"], found["decay_weight"]) == (0, None, 1.0)


@pytest.mark.parametrize(
    "written",
    ["nobody", "entity:nobody", "entity:", "a#b", "#", "x#", " ", "a:b:c", "@x#y", "'\"\\"],
)
def test_get_entity_gives_null_where_there_is_none(
    agent: Agent, context: str, written: str
) -> None:
    assert entity(agent, written, context) is None


def test_get_entity_gives_null_for_what_was_forgotten(agent: Agent, context: str) -> None:
    agent.call("forget", ids=["mailer"], context=context)
    assert entity(agent, "mailer", context) is None
    # Many clients show a model the text alone.
    assert agent.text("get_entity", id="mailer", context=context) == "null"


def test_get_entity_finds_names_with_marks_of_ids(agent: Agent, project: str) -> None:
    for name in ("C#", "F# & #tags", "entity:of its own", "`quoted`", "ns:thing"):
        agent.call("remember", entities=[{"name": name, "content": name}], context=project)
        found = entity(agent, name, project)
        assert found is not None
        assert found["content"] == name
        assert entity(agent, found["id"]) == found


# forget


def test_forget_hides_and_counts(agent: Agent, context: str) -> None:
    said = agent.call("forget", ids=["entity:mailer", "mailer", "user-store"], context=context)
    assert said == {"deleted": 2, "message": "Deleted 2 entities"}
    assert agent.call("forget", ids="mailer", context=context)["deleted"] == 0
    assert agent.call("search", query="letters people", context=context)["count"] == 1


def test_forget_of_an_unknown_id_counts_nothing(agent: Agent, context: str) -> None:
    for ids in (["nobody"], "entity:nobody", ["x#y", "#"]):
        assert agent.call("forget", ids=ids, context=context)["deleted"] == 0
    assert "ids" in agent.refusal("forget", ids=[], context=context)


# list_labels, list_types


def test_list_labels_counts_the_living_the_commonest_first(agent: Agent, context: str) -> None:
    assert agent.call("list_labels", context=context) == {
        "labels": [
            {"label": "backend", "count": 2},
            {"label": "mail", "count": 1},
            {"label": "security", "count": 1},
        ],
        "count": 3,
    }
    agent.call("forget", ids=["auth-service", "mailer"], context=context)
    assert agent.call("list_labels", context=context)["labels"] == [
        {"label": "backend", "count": 1}
    ]


def test_list_types_counts_the_living_the_commonest_first(agent: Agent, context: str) -> None:
    assert agent.call("list_types", context=context) == {
        "types": [{"type": "service", "count": 2}, {"type": "tool", "count": 1}],
        "count": 2,
    }
    assert agent.call("list_types", context=f"{context}-other") == {"types": [], "count": 0}


# traverse, find_path


@pytest.fixture
def chain(memory: Memory, project: str) -> str:
    """Seven entities in a row, a shortcut of two relations, a forgotten one, and one apart."""
    row = [f"n{number}" for number in range(7)]
    said = [
        {"name": name, "kind": "node", "text": name} for name in [*row, "short", "dead", "apart"]
    ]
    joined: list[dict[str, object]] = [
        {"from": one, "relation": "next", "to": other, "weight": 0.5}
        for one, other in pairwise(row)
    ]
    joined += [
        {"from": "n4", "relation": "jumps", "to": "short"},
        {"from": "short", "relation": "jumps", "to": "n1"},
        {"from": "n0", "relation": "next", "to": "dead"},
        {"from": "dead", "relation": "next", "to": "n6"},
    ]
    assert not memory.remember(said, joined).refused
    memory.forget("dead")
    return project


def test_traverse_explores_both_directions_the_nearest_first(agent: Agent, chain: str) -> None:
    seen = agent.call("traverse", start="entity:n1", context=chain)
    assert (seen["name"], seen["count"], seen["complete"]) == ("n1", 5, True)
    assert [(one["name"], one["depth"], one["via"]) for one in seen["connected"]] == [
        (
            "short",
            1,
            {"from": "n1", "relation": "jumps", "direction": "in", "weight": 1.0, "note": None},
        ),
        (
            "n0",
            1,
            {"from": "n1", "relation": "next", "direction": "in", "weight": 0.5, "note": None},
        ),
        (
            "n2",
            1,
            {"from": "n1", "relation": "next", "direction": "out", "weight": 0.5, "note": None},
        ),
        (
            "n4",
            2,
            {"from": "short", "relation": "jumps", "direction": "in", "weight": 1.0, "note": None},
        ),
        (
            "n3",
            2,
            {"from": "n2", "relation": "next", "direction": "out", "weight": 0.5, "note": None},
        ),
    ]


def test_traverse_keeps_to_relation_types_and_depth(agent: Agent, chain: str) -> None:
    def seen(**options: object) -> list[str]:
        found = agent.call("traverse", start="n1", context=chain, **options)
        return [one["name"] for one in found["connected"]]

    assert seen(relation_types=["jumps"]) == ["short", "n4"]
    assert seen(relation_types="next", depth=1) == ["n0", "n2"]
    assert seen(relation_types=["other"]) == []
    assert len(seen(depth=0)) == len(seen(depth=None)) == 5
    assert set(seen(depth=10)) == {"n0", "n2", "n3", "n4", "n5", "n6", "short"}


def test_traverse_of_a_hub_gives_a_hundred_and_says_so(
    agent: Agent, memory: Memory, project: str
) -> None:
    memory.remember(
        [{"name": "hub"}, *({"name": f"leaf {n}"} for n in range(120))],
        [
            {"from": "hub", "relation": "has", "to": f"leaf {n}", "weight": n / 120}
            for n in range(120)
        ],
    )
    seen = agent.call("traverse", start="hub", context=project)
    assert (seen["count"], seen["complete"]) == (50, False)
    assert [one["name"] for one in seen["connected"]][:2] == ["leaf 119", "leaf 118"]


def test_traverse_of_a_missing_entity_is_an_error(agent: Agent, context: str) -> None:
    assert "start: there is no entity 'nobody'" in agent.refusal(
        "traverse", start="nobody", context=context
    )
    assert "start" in agent.refusal("traverse", start=" ", context=context)
    assert "depth" in agent.refusal("traverse", start="mailer", depth=11, context=context)


def test_find_path_gives_the_shortest_way(agent: Agent, chain: str) -> None:
    found = agent.call("find_path", **{"from": "n0", "to": "entity:n5"}, context=chain)
    assert (found["path_found"], found["length"]) == (True, 4)
    assert [one.rpartition("#")[2] for one in found["path"]] == ["n0", "n1", "short", "n4", "n5"]
    assert found["steps"][1] == {
        "from": "n1", "relation": "jumps", "direction": "in", "weight": 1.0, "note": None,
        "to": "short",
    }  # fmt: skip


def test_find_path_keeps_to_its_depth_and_to_the_living(agent: Agent, chain: str) -> None:
    def length(start: str, to: str, **options: object) -> int | None:
        arguments = {"from": start, "to": to, "context": chain, **options}
        found = agent.call("find_path", **arguments)
        return found["length"] if found["path_found"] else None

    assert length("n0", "n6") == 5
    assert length("n0", "n6", max_depth=4) is None
    assert length("n0", "n1", max_depth=1) == 1
    assert length("n0", "n5", max_depth=0) == 4
    assert length("n3", "n3") == 0
    assert length("n0", "apart", max_depth=20) is None


def test_find_path_says_that_there_is_none(agent: Agent, chain: str) -> None:
    found = agent.call("find_path", **{"from": "n0", "to": "apart"}, context=chain)
    assert (found["path_found"], found["path"], found["steps"]) == (False, [], [])
    assert "at most 5 relations" in found["message"]


def test_find_path_between_missing_entities_is_an_error(agent: Agent, chain: str) -> None:
    def refusal(**arguments: object) -> str:
        return agent.refusal("find_path", **arguments, context=chain)

    assert "from: there is no entity 'nobody'" in refusal(**{"from": "nobody", "to": "n1"})
    assert "to: there is no entity 'nobody'" in refusal(**{"from": "n1", "to": "nobody"})
    assert "max_depth" in refusal(**{"from": "n1", "to": "n2", "max_depth": 21})
    assert "from is required" in refusal(to="n1")


def test_find_path_says_where_it_gave_up(
    memory: Memory, tools: Tools, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.remember(
        [{"name": name} for name in ("hub", "far", *(f"leaf {n}" for n in range(30)))],
        [{"from": "hub", "relation": "has", "to": f"leaf {n}"} for n in range(30)],
    )
    monkeypatch.setattr(traversal, "VISITED", 20)
    assert "among the 20,000 entities" in tools.find_path("hub", "far").message


# reflect, similar


def stale(memory: Memory, name: str, days: int, weight: float = 1.0) -> str:
    """Make as if an entity had last been found so many days ago."""
    key = memory.get(name)[0].entity.key or ""
    with memory.graph._session("WRITE") as session:
        session.run(
            "MATCH (e:Entity {key: $key}) SET e.accessed = datetime() - duration({days: $days}), "
            "e.decay_weight = $weight",
            key=key, days=days, weight=weight,
        )  # fmt: skip
    return key


def test_reflect_takes_a_tenth_of_the_weight_of_what_was_not_found_for_long(
    agent: Agent, context: str, memory: Memory
) -> None:
    stale(memory, "auth-service", 31)
    stale(memory, "mailer", 29)
    said = agent.call("reflect", context=context)
    assert said["action"] == "decay"
    assert said["decay"]["affected"] == 1
    (lost,) = said["decay"]["entities"]
    assert (lost["name"], lost["old_decay_weight"], lost["new_decay_weight"]) == (
        "auth-service", 1.0, 0.9,
    )  # fmt: skip
    weights = [entity(agent, name, context) for name in ("auth-service", "mailer", "user-store")]
    assert [one["decay_weight"] for one in weights if one] == [0.9, 1.0, 1.0]


def test_reflect_that_is_a_dry_run_changes_nothing(
    agent: Agent, context: str, memory: Memory
) -> None:
    stale(memory, "mailer", 40, 0.5)
    before = entity(agent, "mailer", context)
    said = agent.call("reflect", action="decay", dry_run=True, context=context)
    assert (said["decay"]["affected"], said["decay"]["dry_run"]) == (1, True)
    assert said["decay"]["entities"][0]["new_decay_weight"] == 0.45
    assert entity(agent, "mailer", context) == before


def test_reflect_ends_at_a_floor(agent: Agent, context: str, memory: Memory) -> None:
    stale(memory, "mailer", 40, 0.105)
    assert agent.call("reflect", context=context)["decay"]["affected"] == 1
    assert agent.call("reflect", context=context)["decay"]["affected"] == 0
    found = entity(agent, "mailer", context)
    assert found is not None
    assert found["decay_weight"] == 0.1


def test_reflect_counts_what_was_never_found_from_when_it_was_made(
    agent: Agent, memory: Memory, project: str
) -> None:
    memory.remember([{"name": "old", "created_at": "2020-01-01"}, {"name": "new"}])
    said = agent.call("reflect", dry_run=True, context=project)
    assert [one["name"] for one in said["decay"]["entities"]] == ["old"]
    assert (
        agent.call("reflect", dry_run=True, context=project, decay_days=36_500)["decay"]["affected"]
        == 0
    )


def test_reflect_leaves_the_dead_and_other_contexts_alone(
    agent: Agent, context: str, memory: Memory
) -> None:
    stale(memory, "mailer", 40)
    stale(memory, "user-store", 40)
    memory.forget("mailer")
    said = agent.call("reflect", dry_run=True, context=context)
    assert [one["name"] for one in said["decay"]["entities"]] == ["user-store"]
    assert agent.call("reflect", context=f"{context}-other")["decay"]["affected"] == 0


def test_reflect_takes_what_is_not_above_zero_for_its_default(
    agent: Agent, context: str, memory: Memory
) -> None:
    stale(memory, "mailer", 31)
    for days in (0, -3, None):
        said = agent.call("reflect", dry_run=True, context=context, decay_days=days, limit=days)
        assert [one["name"] for one in said["decay"]["entities"]] == ["mailer"]


def test_reflect_may_look_after_every_context(
    agent: Agent, memory: Memory, project: str, doubles: str
) -> None:
    other = f"{project}-other"
    memory.remember([{"name": "old", "created_at": "2020-01-01"}], project=other)
    stale(memory, "zeta", 40)
    agent.call("reflect", **{"global": True})
    weights = [entity(agent, "old", other), entity(agent, "zeta", doubles)]
    assert [one["decay_weight"] for one in weights if one] == [0.9, 0.9]
    own = agent.call("reflect", action="similar", context=doubles)["similar"]
    every = agent.call("reflect", action="similar", **{"global": True})["similar"]
    assert every["count"] >= own["count"] > 0


def test_reflect_of_many_takes_them_all(agent: Agent, memory: Memory, project: str) -> None:
    memory.remember([{"name": f"n{n}", "created_at": "2020-01-01"} for n in range(1100)])
    said = agent.call("reflect", context=project)["decay"]
    assert (said["affected"], len(said["entities"])) == (1100, 100)
    assert (
        agent.call("reflect", context=project)["decay"]["entities"][0]["new_decay_weight"] == 0.81
    )


@pytest.fixture
def doubles(memory: Memory, project: str) -> str:
    """Three entities of one meaning, two of another, one alone, and one that is dead."""
    one, two = "the cache keeps sessions of people who signed in", "letters go out at night only"
    said = [
        {"name": "alpha", "text": one}, {"name": "beta", "text": one},
        {"name": "gamma", "text": f"{one} again"}, {"name": "delta", "text": two},
        {"name": "epsilon", "text": two}, {"name": "zeta", "text": "nothing of the sort"},
        {"name": "eta", "text": one, "status": "superseded"},
    ]  # fmt: skip
    memory.remember(said)
    return project


def test_similar_gives_each_pair_once_the_nearest_first(agent: Agent, doubles: str) -> None:
    found = agent.call("similar", context=doubles)
    pairs = [(one["entity1_name"], one["entity2_name"]) for one in found["pairs"]]
    assert sorted(pairs) == [
        ("alpha", "beta"), ("alpha", "gamma"), ("beta", "gamma"), ("delta", "epsilon"),
    ]  # fmt: skip
    nearness = [one["similarity"] for one in found["pairs"]]
    assert nearness == sorted(nearness, reverse=True)
    assert min(nearness) >= 0.85
    assert (found["count"], found["complete"]) == (4, True)
    assert agent.call("similar", context=doubles) == found


def test_similar_keeps_to_threshold_limit_and_context(agent: Agent, doubles: str) -> None:
    assert agent.call("similar", context=doubles, limit=2)["count"] == 2
    assert agent.call("similar", context=doubles, limit=0)["count"] == 4
    assert agent.call("similar", context=doubles, limit=None, similarity_threshold=None) == (
        agent.call("similar", context=doubles)
    )
    assert agent.call("similar", context=doubles, similarity_threshold=1)["count"] == 0
    assert agent.call("similar", context=f"{doubles}-other") == {
        "pairs": [], "count": 0, "complete": True,
    }  # fmt: skip
    said = agent.call("reflect", action="similar", context=doubles, limit=3)
    assert (said["action"], said["similar"]["count"], said["decay"]) == ("similar", 3, None)


@pytest.mark.usefixtures("doubles")
def test_similar_says_that_not_all_were_compared(
    tools: Tools, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "BATCH", 2)
    assert tools.similar().count == 4
    monkeypatch.setattr(reading, "ENTITIES", 4)
    assert not tools.similar().complete
    monkeypatch.setattr(reading, "ENTITIES", 6)  # as many as live
    assert tools.similar().complete


@pytest.mark.parametrize(
    ("tool", "arguments", "word"),
    [
        ("reflect", {"action": "merge"}, "action"),
        ("reflect", {"decay_days": 36_501}, "decay_days"),
        ("reflect", {"global": "perhaps"}, "global"),
        ("reflect", {"everywhere": True}, "everywhere"),
        ("reflect", {"context": "a#b"}, "context"),
        ("similar", {"similarity_threshold": 1.1}, "similarity_threshold"),
        ("similar", {"limit": 51}, "limit"),
    ],
)
def test_reflect_and_similar_refuse_what_is_not_allowed(
    agent: Agent, tool: str, arguments: dict[str, object], word: str
) -> None:
    assert word in agent.refusal(tool, **arguments)


# Access


def uses(memory: Memory, *names: str) -> list[tuple[int, float]]:
    keys = [page.entity.key or "" for page in memory.get(names)]
    found = upkeep_of(memory).uses(keys)
    return [(found[key].access_count, found[key].decay_weight) for key in keys]


@pytest.fixture
def filled(memory: Memory, tools: Tools) -> Memory:
    del tools  # closes what it noted at the end
    memory.remember(
        [{"name": "auth", "text": "tokens"}, {"name": "users", "text": "people"}],
        [{"from": "auth", "relation": "uses", "to": "users"}],
    )
    return memory


def test_search_notes_the_direct_hits_alone(filled: Memory, tools: Tools) -> None:
    stale(filled, "auth", 40, 0.3)
    stale(filled, "users", 40, 0.3)
    answer = tools.search("tokens")
    assert [found.origin for found in answer.entities] == ["direct", "expanded"]
    assert upkeep_of(filled).tracker.settle()
    assert uses(filled, "auth", "users") == [(1, 1.0), (0, 0.3)]


def test_search_notes_what_it_returned_and_nothing_below_its_limit(
    memory: Memory, tools: Tools
) -> None:
    memory.remember([{"name": f"n{n}", "text": "letter " * (n + 1)} for n in range(3)])
    (first,) = tools.search("letter", limit=1).entities
    upkeep_of(memory).tracker.settle()
    counted = dict(zip(["n0", "n1", "n2"], uses(memory, "n0", "n1", "n2"), strict=True))
    assert {name for name, (count, _) in counted.items() if count} == {first.name}


def test_search_counts_every_find(filled: Memory, tools: Tools) -> None:
    for _ in range(5):
        tools.search("tokens")
    upkeep_of(filled).tracker.settle()
    assert uses(filled, "auth") == [(5, 1.0)]


def test_search_is_the_same_after_it_was_noted(filled: Memory, tools: Tools) -> None:
    first = tools.search("tokens people").model_dump()
    upkeep_of(filled).tracker.settle()
    exported = list(filled.export())
    assert tools.search("tokens people").model_dump() == first
    upkeep_of(filled).tracker.settle()
    assert list(filled.export()) == exported


def test_noting_a_find_changes_nothing_an_entity_says(filled: Memory, tools: Tools) -> None:
    before = filled.get("auth")[0].to_json()
    tools.search("tokens")
    upkeep_of(filled).tracker.settle()
    assert filled.get("auth")[0].to_json() == before


def test_remembering_again_keeps_how_an_entity_was_used(filled: Memory, tools: Tools) -> None:
    tools.search("tokens")
    upkeep_of(filled).tracker.settle()
    again = filled.remember([{"name": "auth", "text": "tokens"}])
    assert again.items[0].outcome == "unchanged"
    filled.remember([{"name": "auth", "text": "tokens, longer", "attributes": {"owner": "ops"}}])
    filled.remember([{"name": "auth", "tags": ["a"]}], overwrite=True)
    assert uses(filled, "auth") == [(1, 1.0)]
    with pytest.raises(InvalidInput, match="access_count"):
        filled.search("tokens", where={"attributes": {"access_count": 1}})


def test_the_marks_of_use_cannot_be_said(memory: Memory) -> None:
    for name in ("accessed", "access_count", "decay_weight"):
        report = memory.remember([{"name": "x", "attributes": {name: 1}}])
        assert "graphmem's own" in (report.items[0].reason or "")


def test_search_does_not_fail_where_a_find_cannot_be_noted(
    filled: Memory, tools: Tools, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(work: Callable[[Transaction], object]) -> object:
        del work
        from graphmem.errors import DatabaseUnavailable  # noqa: PLC0415 - where it is raised

        raise DatabaseUnavailable("no Neo4j answers")

    monkeypatch.setattr(filled.graph, "write", broken)
    with caplog.at_level(logging.WARNING, logger="graphmem"):
        assert tools.search("tokens").count == 2
        assert upkeep_of(filled).tracker.settle()
    assert "could not be noted: no Neo4j answers" in caplog.text
    monkeypatch.undo()
    tools.search("tokens")
    upkeep_of(filled).tracker.settle()
    assert uses(filled, "auth") == [(1, 1.0)]


def test_a_memory_notes_what_waits_before_it_closes_and_nothing_after(
    filled: Memory, tools: Tools
) -> None:
    tools.search("tokens")
    upkeep_of(filled).close()
    assert uses(filled, "auth") == [(1, 1.0)]
    tools.search("tokens")
    assert upkeep_of(filled).tracker.settle()
    assert uses(filled, "auth") == [(1, 1.0)]


def test_a_server_notes_what_it_found_before_it_ends(
    environment: dict[str, str], tmp_path: Path, filled: Memory
) -> None:
    options = ("--profile", "memcp", "--project", str(filled.project))
    with agent_of(environment, tmp_path, *options) as agent:
        assert agent.call("search", query="tokens")["count"] == 2
    assert uses(filled, "auth", "users") == [(1, 1.0), (0, 1.0)]


@pytest.mark.parametrize(("options", "setting"), [(["--read-only"], "true"), ([], "false")])
def test_a_server_that_only_reads_or_is_told_so_notes_nothing(
    environment: dict[str, str], tmp_path: Path, filled: Memory, options: list[str], setting: str
) -> None:
    started = ("--profile", "memcp", "--project", str(filled.project), *options)
    quiet = environment | {"GRAPHMEM_TRACK_ACCESS": setting}
    with agent_of(quiet, tmp_path, *started) as agent:
        assert agent.call("search", query="tokens")["count"] == 2
        if options:
            assert agent.tools() == {
                "search", "get_entity", "list_labels", "list_types", "traverse", "find_path",
                "similar",
            }  # fmt: skip
    assert uses(filled, "auth") == [(0, 1.0)]
    assert (tmp_path / "log").read_text() == ""


# Contexts


def test_the_default_context_is_the_remote_of_the_folder(agent: Agent) -> None:
    assert agent.call("search", query="anything")["context"] == REMOTE


@pytest.mark.parametrize(
    "context",
    [
        "memcp-shop", REMOTE, f"https://{REMOTE}", f"https://{REMOTE}/", f"https://{REMOTE}.git/",
        "git@git.example.org:tests/memcp-shop.git", "ssh://git@git.example.org:22/tests/memcp-shop.git",
        "", "  ", None,
    ],
)  # fmt: skip
def test_a_context_may_be_the_name_of_the_repository_or_its_address(
    agent: Agent, context: str | None
) -> None:
    assert agent.call("search", query="anything", context=context)["context"] == REMOTE


def test_a_context_of_another_owner_is_another_project(agent: Agent) -> None:
    for context, project in (
        ("git.example.org/others/memcp-shop", "git.example.org/others/memcp-shop"),
        ("git@host:a/sub/group/b.git", "host/a/sub/group/b"),
        ("@user", "@user"),
        ("somewhere", "somewhere"),
    ):
        assert agent.call("search", query="anything", context=context)["context"] == project


def test_a_configured_project_comes_before_the_folder_and_an_argument_before_both(
    environment: dict[str, str], tmp_path: Path
) -> None:
    folder = checkout(tmp_path, REMOTE)
    configured = environment | {"GRAPHMEM_PROJECT": "of-the-setting"}
    with agent_of(configured, folder, "--profile", "memcp") as agent:
        assert agent.call("search", query="x")["context"] == "of-the-setting"
        assert agent.call("search", query="x", context="given")["context"] == "given"


def test_without_a_project_every_call_names_its_context(graph: Graph, project: str) -> None:
    memory = memory_with(FakeEmbedder(), graph, None)
    tools = Tools(lambda: memory)
    with pytest.raises(InvalidInput, match="context is required"):
        tools.search("x")
    said = tools.remember((EntityGiven(name="mailer", content="letters"),), context=project)
    assert said.created == 1
    (found,) = tools.search("letters", context=project).entities
    assert tools.get_entity(found.id, context=project) is not None


def test_ten_tools_are_offered_each_with_a_description(agent: Agent) -> None:
    tools = {tool.name: tool for tool in agent.portal.call(agent.client.list_tools)}
    assert sorted(tools) == [
        "find_path", "forget", "get_entity", "list_labels", "list_types", "reflect", "remember",
        "search", "similar", "traverse",
    ]  # fmt: skip
    assert all(tool.description for tool in tools.values())
    assert set(tools["find_path"].input_schema["required"]) == {"from", "to"}
