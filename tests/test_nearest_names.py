"""An agent that gives a name of no entity is told the names that it may have meant."""

from collections.abc import Callable
from typing import Any

import pytest

from graphmem.errors import NotFound
from graphmem.memory import Memory
from graphmem.server.tools import Tools

STEP = "search for it, or remember it first"


@pytest.fixture
def tools(memory: Memory) -> dict[str, Callable[..., Any]]:
    """The tools over a project of two entities, by name."""
    memory.remember([{"name": "Lena Brandt", "kind": "Person"}, {"name": "Redis cache"}])
    return {offer.name: offer.tool for offer in Tools(lambda: memory).offers()}


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("get", (("Leena Brandt",),)),
        ("explore", ("Leena Brandt",)),
        ("history", ("Leena Brandt",)),
        ("change", ("rename", "Leena Brandt", "Lena")),
    ],
)
def test_an_error_names_what_is_called_almost_so(
    tools: dict[str, Callable[..., Any]], project: str, tool: str, arguments: tuple[object, ...]
) -> None:
    with pytest.raises(NotFound) as raised:
        tools[tool](*arguments)
    assert str(raised.value) == (
        f"there is no entity 'Leena Brandt' in {project}; it may be 'Lena Brandt', else remember "
        "it first"
    )


def test_a_refused_item_names_it_too(tools: dict[str, Callable[..., Any]]) -> None:
    reports = [
        tools["link"]("Redis cache", "OWNED_BY", "Leena Brandt"),
        tools["forget"](["Leena Brandt"]),
        tools["remember"](
            relations=[{"from": "Leena Brandt", "relation": "OWNS", "to": "Redis cache"}]
        ),
    ]
    for report in reports:
        (refused,) = report.refused
        assert "it may be 'Lena Brandt', else remember it first" in refused.reason


def test_a_note_on_one_of_several_names_does(tools: dict[str, Callable[..., Any]]) -> None:
    (note,) = tools["get"](("Redis cache", "Leena Brandt")).notes
    assert "it may be 'Lena Brandt'" in note


def test_what_the_call_names_itself_is_not_offered(tools: dict[str, Callable[..., Any]]) -> None:
    with pytest.raises(NotFound, match=STEP):
        tools["change"]("supersede", "Redis cache", "Valkey cache")


@pytest.mark.parametrize("name", ["Kubernetes", "An AND (OR", "📦", "?" * 500])
def test_nothing_is_offered_where_no_word_is_shared(
    tools: dict[str, Callable[..., Any]], name: str
) -> None:
    with pytest.raises(NotFound, match=STEP):
        tools["get"]((name,))


def test_an_entity_of_another_project_is_not_offered(
    memory: Memory, tools: dict[str, Callable[..., Any]]
) -> None:
    other = f"{memory.project}-2"
    memory.remember([{"name": "Leena Brandt the second"}], project=other)
    with pytest.raises(NotFound) as raised:
        tools["get"](("Leena Brandtt Lena",), project=memory.project)
    assert "second" not in str(raised.value)
