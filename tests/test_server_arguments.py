"""Wrong arguments of tools are named, and what agents send is understood."""

import json
from collections.abc import Callable

import fastmcp
import pytest

from graphmem.arguments import as_list
from graphmem.errors import GraphmemError
from graphmem.memory.writing.remembering import Input
from graphmem.model import Item
from graphmem.server import parameters
from graphmem.server.agent_text import answer_for_agents
from stub_memories import Stub, listed, refusal


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("search", {"query": "a", "limit": 500}, "limit must be at most 200, got 500"),
        ("search", {"query": "a", "limit": 0}, "limit must be at least 1, got 0"),
        ("search", {"query": "a", "limit": "many"}, "limit must be a whole number, got 'many'"),
        ("search", {"query": "a", "limit": 1e300}, "limit must be a smaller whole number, got 1e+"),
        ("search", {"query": "a", "limit": True}, "limit must be a whole number, got True"),
        ("search", {"query": "a", "min_score": True}, "min_score must be a number, got True"),
        ("search", {"query": "a", "limit": 5.5}, "limit must be a whole number, got 5.5"),
        ("search", {"query": "a", "mode": "psychic"}, "'hybrid', 'keyword' or 'semantic'"),
        (
            "search",
            {"query": "a", "scope": "all"},
            "scope must be 'layers' or 'project', got 'all'",
        ),
        ("search", {"query": "a", "min_score": 2}, "min_score must be at most 1, got 2"),
        ("search", {"query": "a" * 10_001}, "at most 10000 characters"),
        ("search", {"query": "a", "kinds": [1]}, "kinds[0] must be text, got 1"),
        ("search", {"query": "a", "tags": ["t"] * 21}, "tags must have at most 20 items"),
        ("search", {}, "query is required"),
        ("search", {"query": None}, "query must be text"),
        ("search", {"query": "a", "colour": None}, "colour is not a parameter of this tool"),
        ("search", {"query": "a", "colour": "red"}, "colour is not a parameter of this tool"),
        ("get", {"name": "a"}, "names, project; did you mean `names` for `name`?"),
        ("search", {"query": "a", "entityType": "b"}, "did you mean `kinds` for `entityType`?"),
        ("search", {"query": "a", "top_k": 3}, "did you mean `limit` for `top_k`?"),
        ("search", {"query": "a", "projct": "b"}, "did you mean `project` for `projct`?"),
        (
            "link",
            {"source": "a", "target": "b", "relationType": "R"},
            "did you mean `from` for `source`, `to` for `target`, `relation` for `relationType`?",
        ),
        (
            "link",
            {"from": "a", "relation": "R", "to": "b", "observations": ["c"]},
            "did you mean `note` for `observations`?",
        ),
        (
            "change",
            {"action": "rename", "name": "a", "new_name": "b"},
            "did you mean `to` for `new_name`?",
        ),
        ("change", {"action": "merge", "name": "a", "into": "b"}, "`to` for `into`?"),
        ("search", {"q": "a"}, "did you mean `query` for `q`?"),
        ("context", {"query": "a", "max_tokens": 9}, "`budget` for `max_tokens`?"),
        (
            "remember",
            {"observations": ["a"], "names": 1},
            "stubs; `observations` may be in an object of `entities`",
        ),
        (
            "remember",
            {"name": "a", "text": "b"},
            "`name` and `text` may be in an object of `entities`",
        ),
        (
            "remember",
            {"from": "a", "to": "b"},
            "`to` may be in an object of `relations`",
        ),
        (
            "search",
            {"query": "a", "follow": "CALLS"},
            'follow must be an object, such as {"types": ["CALLS"], "direction": "out"}, got',
        ),
        ("context", {"query": "a", "budget": 255}, "budget must be at least 256, got 255"),
        ("context", {"query": "a", "budget": 32_769}, "at most 32768, got 32769"),
        ("remember", {}, "entities or relations must be given"),
        ("get", {"names": []}, "names must have at least 1 item, got []"),
        ("get", {"names": ["a" * 714]}, "names[0] must have at most 713 characters, got 'aaa"),
        ("link", {"from": "a", "to": "b"}, "relation is required"),
        ("remember", {"entities": 7}, "entities must be a list, got 7"),
        ("remember", {"entities": '[{"name": "{a}",]'}, "its JSON text, which this is not (Expec"),
        ("remember", {"entities": [{}] * 201}, "at most 200 items"),
    ],
)
def test_a_wrong_argument_is_named(tool: str, arguments: dict[str, object], told: str) -> None:
    message = refusal(tool, arguments)
    assert told in message
    assert "pydantic" not in message
    assert "type=" not in message
    assert len(message) < 400


def test_a_setting_for_other_servers_makes_no_argument_strict(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fastmcp.settings, "strict_input_validation", True)
    stub = Stub(GraphmemError("the memory was called"))
    assert refusal("remember", {"entities": [{"name": "a"}]}, stub) == "the memory was called"


def test_notes_and_reasons_name_what_agents_have() -> None:
    item = {"what": "entity", "reason": "read it again with `get` (`graphmem show`)"}
    note = "link by it and unlink the other"
    told = answer_for_agents({"items": [item, {"what": "entity"}], "notes": [note], "project": "p"})
    assert told == {
        "items": [{"what": "entity", "reason": "read it again with `get`"}, {"what": "entity"}],
        "notes": ["link by it and remove the other by `link` with `remove`"],
        "project": "p",
    }


def test_the_name_of_a_wrong_argument_is_shown_as_a_value_is() -> None:
    hidden, long = refusal("get", {"names": "a", "b\u202e\x1b[31m\n": 1, "c" * 100_000: 1}).split(
        "\n"
    )[:2]
    assert hidden == r"'b\u202e\x1b[31m\n' is not a parameter of this tool"
    assert long.startswith("'ccc")
    assert len(long) < 120


@pytest.mark.parametrize(
    ("profile", "tool", "arguments", "told"),
    [
        (
            "memory-server",
            "create_entities",
            {"entities": ["Mole"]},
            "entities[0] must be an object, got 'Mole'",
        ),
        (
            "memcp",
            "remember",
            {"entities": [{"name": "a", "kind": "b"}]},
            (
                "entities[0].kind is not a field that this tool takes\n"
                "The fields of entities[0] are name, id, content, type, labels, confidence, source;"
                " did you mean `type` for `kind`?"
            ),
        ),
        (
            "rye",
            "rye_search",
            {"query": "a", "scope": "tool", "project_path": "/", "fuzzy": {"letters": 1}},
            (
                "fuzzy.letters is not a field that this tool takes\n"
                "The fields of fuzzy are enabled, max_distance"
            ),
        ),
        (
            "rye",
            "rye_search",
            {"query": "a", "scope": "tool", "project_path": "/", "fields": {"text": "b"}},
            (
                "fields.text must be 'title', 'name', 'description', 'category' or 'content', "
                "got 'text'"
            ),
        ),
    ],
)
def test_a_wrong_field_of_an_argument_is_refused_with_the_known_ones(
    profile: str, tool: str, arguments: dict[str, object], told: str
) -> None:
    assert refusal(tool, arguments, profiles=[profile]) == told


@pytest.mark.parametrize(
    ("tool", "required"),
    [
        ("search", {"query": "a"}),
        ("context", {"query": "a"}),
        ("get", {"names": ["a"]}),
        ("overview", {}),
        ("remember", {"entities": [{"name": "a"}]}),
        ("link", {"from": "a", "relation": "R", "to": "b"}),
        ("forget", {"names": ["a"]}),
    ],
)
@pytest.mark.parametrize("nothing", [None, "", "null"])
def test_nothing_for_what_need_not_be_given_is_as_if_it_were_not(
    tool: str, required: dict[str, object], nothing: str | None
) -> None:
    # Clients of strict schemas make their model give every argument.
    (schema,) = (one["inputSchema"] for one in listed() if one["name"] == tool)
    nothings = dict.fromkeys(schema["properties"], nothing)
    # The memory knows nothing, so that a call which reaches it fails in its own way.
    reached = Stub(GraphmemError("reached"))
    message = refusal(tool, {**nothings, **required}, reached)
    assert message == refusal(tool, required, reached)
    assert " must " not in message


def test_an_unknown_tool_is_refused_with_the_known_ones() -> None:
    assert refusal("Search", {}) == (
        "there is no tool 'Search'; the tools are search, context, get, explore, overview, "
        "remember, link, forget, change, history"
    )


def test_the_known_fields_are_named_once_however_many_are_wrong() -> None:
    message = refusal("overview", {"colour": 1, "shade": 2})
    assert message == (
        "colour is not a parameter of this tool\nshade is not a parameter of this tool\n"
        "The parameters of overview are project"
    )


@pytest.mark.parametrize(
    ("tool", "arguments", "owners"),
    [
        ("explore", {"name": "a", "at": "2026-03-01"}, "`at` is one of search, context"),
        ("get", {"names": ["a"], "as_of": "monday"}, "`as_of` is one of search, explore, history"),
        ("history", {"until": "monday", "colour": 1}, "`until` is one of search, context"),
    ],
)
def test_a_parameter_of_other_tools_is_refused_with_their_names(
    tool: str, arguments: dict[str, object], owners: str
) -> None:
    assert refusal(tool, arguments).endswith(f", project; {owners}")


def test_of_very_many_wrong_arguments_the_first_five_are_named() -> None:
    message = refusal("get", {"names": list(range(40))})
    assert message.splitlines() == [f"names[{i}] must be text, got {i}" for i in range(5)]


def test_an_error_shows_nothing_that_no_person_sees() -> None:
    error = GraphmemError("there is no entity 'a\u202eb\x1b[31m'")
    assert refusal("overview", {}, Stub(error)) == "there is no entity 'ab[31m'"


def test_every_wrong_argument_is_named() -> None:
    message = refusal("search", {"query": "a", "limit": 0, "min_score": 9})
    assert [line.partition(" must ")[0] for line in message.splitlines()] == ["limit", "min_score"]


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ("Redis cache", ["Redis cache"]),
        ('["a", "b"]', ["a", "b"]),
        ("[draft] Redis cache", ["[draft] Redis cache"]),
        ('"[\\"a\\", \\"b\\"]"', ["a", "b"]),
        ('"[draft] Redis cache"', ['"[draft] Redis cache"']),
        ('"[draft]"', ['"[draft]"']),
        ('{"name": "a"}', [{"name": "a"}]),
        ({"name": "a"}, [{"name": "a"}]),
        (None, []),
        (["a"], ["a"]),
        (7, 7),
    ],
)
def test_what_agents_send_for_a_list_is_understood(sent: object, meant: object) -> None:
    assert as_list(sent) == meant


@pytest.mark.parametrize("written", [list, json.dumps])
def test_what_agents_send_for_objects_is_understood(written: Callable[[object], object]) -> None:
    sent = ['{"name": "a"}', "b", {"name": "c"}]
    assert parameters.objects(written(sent)) == [{"name": "a"}, "b", {"name": "c"}]


def test_an_item_of_another_shape_is_refused_with_the_field_that_is_meant() -> None:
    read = Input.read(
        [{"name": "a", "type": "Person"}, {"title": "no name"}, "b"],  # type: ignore[list-item]
        [{"from": "a", "type": "KNOWS", "to": "b"}],
    )
    refused = [item for item in (*read.entities, *read.relations) if isinstance(item, Item)]
    assert [item.name for item in refused] == ["a", "?", "b", "a -[?]-> b"]
    assert "is its `kind`" in str(refused[0].reason)
    assert "is its `relation`" in str(refused[3].reason)
