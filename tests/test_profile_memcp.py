"""memcp's tools that search, write and list, called by a real MCP client."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import memcp_agents
from agents import Agent, agent_of, checkout
from fakes import FakeEmbedder
from graphmem.adapters.memcp.profile.parameters import EntityGiven
from graphmem.adapters.memcp.profile.reflection import upkeep_of
from graphmem.adapters.memcp.profile.tools import Tools
from graphmem.embedding import Vector
from graphmem.errors import InvalidInput
from graphmem.graph import Graph
from graphmem.memory import Memory
from memcp_agents import AUTH, MAIL, REMOTE, USERS, USES, entity, names
from memories import memory_with

agent, context, tools = memcp_agents.agent, memcp_agents.context, memcp_agents.tools


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


def test_search_without_results_gives_an_empty_list_and_no_count(
    agent: Agent, context: str
) -> None:
    answer = agent.call("search", query="zzz qqq", context=context)
    assert (answer["entities"], answer["count"], answer["total"]) == ([], 0, 0)


def test_search_asks_for_any_of_the_labels(agent: Agent, context: str) -> None:
    def labelled(labels: object) -> set[str]:
        return set(
            names(agent.call("search", query="people letters", labels=labels, context=context))
        )

    assert labelled([]) == labelled(None) == {"auth-service", "user-store", "mailer"}
    assert labelled(["mail", "security"]) == {"auth-service", "mailer"}
    assert labelled(["BACKEND"]) == {"auth-service", "user-store"}
    assert labelled("mail") == labelled('["mail"]') == {"mailer"}
    assert labelled(["unknown"]) == set()


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
    reply = agent.call("remember", entities=[AUTH, USERS], relations=[USES], context=project)
    assert (reply["created"], reply["updated"], reply["relations_created"]) == (2, 0, 1)
    first = reply["entities"][0]
    assert (first["name"], first["action"], first["confidence"]) == ("auth-service", "created", 0.9)
    again = agent.call("remember", entities=[AUTH, USERS], relations=[USES], context=project)
    assert (again["created"], again["updated"], again["relations_created"]) == (0, 2, 0)


def test_remember_of_the_same_name_updates_and_unites_the_labels(
    agent: Agent, context: str
) -> None:
    again = {"name": "Auth-Service", "labels": ["Security", "login"], "content": "Signs in."}
    reply = agent.call("remember", entities=[again], context=context)
    (found,) = reply["entities"]
    assert (found["action"], found["content"], found["type"]) == ("updated", "Signs in.", "service")
    assert found["labels"] == ["backend", "security", "login"]
    assert found["confidence"] == 0.9
    assert entity(agent, "auth-service", context)
    assert (
        agent.call("search", query="signs", context=context)["entities"][0]["labels"]
        == found["labels"]
    )


def test_remember_gives_a_new_entity_a_type_and_a_confidence(agent: Agent, project: str) -> None:
    reply = agent.call("remember", entities={"name": "x", "content": "y"}, context=project)
    assert (reply["entities"][0]["type"], reply["entities"][0]["confidence"]) == ("concept", 1.0)


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
    reply = agent.call("remember", relations=[joined], context=context)
    assert reply["relations_created"] == 1
    again = agent.call(
        "remember", entities=[{"id": "entity:mailer", "content": "x"}], context=context
    )
    assert again["entities"][0]["action"] == "updated"


def test_remember_takes_ends_with_their_context(agent: Agent, context: str) -> None:
    short = context.rpartition("/")[2]
    for number, mark in enumerate((context, short, f"entity:⟨{short}")):
        end = f"{mark}:mailer" + ("⟩" if "⟨" in mark else "")
        joined = {"from": end, "to": f"{context}:auth-service", "type": f"asks{number}"}
        reply = agent.call("remember", relations=[joined], context=context)
        assert reply["relations_created"] == 1, end
    new = {"name": "ns:new", "content": "x"}
    joined = {"from": f"{context}:ns:new", "to": "ns:new", "type": "is"}
    reply = agent.call("remember", entities=[new], relations=[joined], context=context)
    assert (reply["created"], reply["relations_created"]) == (1, 1)


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
    reply = agent.call("remember", entities=[{"name": name, "content": "Full."}], context=context)
    assert (names(reply), reply["created"], reply["updated"]) == (["people-store"], 0, 1)
    found = entity(agent, "people-store", context)
    assert found is not None
    assert found["content"] == reply["entities"][0]["content"] == "Full."
    assert (found["type"], found["confidence"]) == ("service", 0.4)


def test_remember_updates_a_merged_entity_by_its_former_name(
    agent: Agent, context: str, memory: Memory
) -> None:
    memory.merge("mailer", "auth-service")
    given = {"name": "mailer", "content": "Signs and mails."}
    reply = agent.call("remember", entities=[given], context=context)
    assert (names(reply), reply["created"], reply["updated"]) == (["auth-service"], 0, 1)
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
    reply = agent.call("forget", ids=["entity:mailer", "mailer", "user-store"], context=context)
    assert reply == {"deleted": 2, "message": "Deleted 2 entities"}
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
