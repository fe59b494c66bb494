"""The text of an answer, for models, leaves out what tells them nothing."""

import asyncio
import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

import pytest
from fastmcp import Client
from mcp_types import CallToolResult, Implementation, TextContent, Tool

from graphmem.model import Answer, Hit, Item, Passage, Report
from graphmem.model.answer import Explanation, Via
from graphmem.model.exploration import Exploration, ExploredEntity
from graphmem.model.history import Change, Changes, Difference, History, Revision
from graphmem.server import LazyMemory, build, text_only_clients
from graphmem.server.concise_json import concise_json
from sample_hits import made_hit

if TYPE_CHECKING:
    from graphmem.memory import Memory

WRITTEN = datetime(2026, 3, 1, 10, tzinfo=UTC)
LATER = datetime(2026, 3, 2, tzinfo=UTC)


def hit(**changed: Any) -> Hit:  # noqa: ANN401 - any field of a hit
    passages = (Passage("a text", WRITTEN, None), Passage("a newer one", LATER, "review"))
    fields = {"key": "p#redis cache", "name": "Redis cache", "project": "p", "title": None}
    dates = {"created_at": WRITTEN, "updated_at": WRITTEN}
    return replace(made_hit("a", *passages), **(fields | dates | {"tags": ()} | changed))


def answer(*hits: Hit) -> Answer:
    return Answer(
        query="q", project="p", mode="hybrid", hits=hits, total=len(hits), degraded=None,
        took_ms={"total": 1.0},
    )  # fmt: skip


def lean_hit(one: Hit) -> dict[str, Any]:
    lean_answer: dict[str, Any] = concise_json(answer(one).to_json())
    return dict(lean_answer["hits"][0])


def test_a_hit_shows_what_identifies_it() -> None:
    kept = lean_hit(hit())
    assert kept == {
        "name": "Redis cache", "kind": kept["kind"], "score": kept["score"],
        "passages": [
            {"text": "a text"},
            {"text": "a newer one", "created_at": "2026-03-02T00:00:00Z", "source": "review"},
        ],
        "created_at": "2026-03-01T10:00:00Z",
    }  # fmt: skip


def test_dates_of_writing_are_told_to_the_second() -> None:
    finely = [WRITTEN.replace(microsecond=part) for part in (365_103, 365_104, 365_105)]
    passages = (Passage("a text", finely[1], None), Passage("a newer one", LATER, None))
    whole = hit(created_at=finely[0], updated_at=finely[2], passages=passages)
    kept = lean_hit(whole)
    assert kept["created_at"] == "2026-03-01T10:00:00Z"
    assert "updated_at" not in kept
    assert kept["passages"][0] == {"text": "a text"}
    assert whole.to_json()["created_at"] == "2026-03-01T10:00:00.365103Z"


def test_the_moment_of_a_change_is_whole_since_it_may_be_searched_as_of() -> None:
    change = Change("c", WRITTEN.replace(microsecond=365_103), "me", "remember", names=("a",))
    kept: Any = concise_json(Changes("p", (change,)).to_json())
    assert kept["changes"][0]["at"] == "2026-03-01T10:00:00.365103Z"


def test_a_hit_shows_fields_with_unusual_values() -> None:
    unusual = {"status": "superseded", "title": "A title", "tags": ("infra",)}
    kept = lean_hit(hit(updated_at=LATER, **unusual))
    assert (kept["status"], kept["title"], kept["tags"]) == ("superseded", "A title", ["infra"])
    assert kept["updated_at"] == "2026-03-02T00:00:00Z"


def test_the_key_of_a_hit_stays_where_its_name_does_not_give_it() -> None:
    assert lean_hit(hit(name="Session cache"))["key"] == "p#redis cache"
    shared = lean_hit(hit(project="@user", key="@user#redis cache"))
    assert (shared["project"], shared["key"]) == ("@user", "@user#redis cache")


def test_a_link_that_led_to_a_hit_stays_without_its_figures() -> None:
    via = Via("Seed", "USES", "out", "why", 1.0, 0.5)
    kept = lean_hit(hit(origin="expanded", via=(via, replace(via, note=None, weight=0.5))))
    assert kept["origin"] == "expanded"
    assert kept["via"] == [
        {"from": "Seed", "relation": "USES", "direction": "out", "note": "why"},
        {"from": "Seed", "relation": "USES", "direction": "out", "weight": 0.5},
    ]


def test_what_is_explored_is_linked_to_the_start_unless_it_names_another() -> None:
    near = ExploredEntity("b", "Thing", 1, "a", "USES", "out", None, 1.0)
    far = ExploredEntity("c", "Thing", 2, "b", "USES", "in", "why", 0.5)
    kept: Any = concise_json(Exploration("p", "a", None, (near, far)).to_json())
    assert kept["entities"] == [
        {"name": "b", "kind": "Thing", "depth": 1, "relation": "USES", "direction": "out"},
        {
            "name": "c", "kind": "Thing", "depth": 2, "from": "b", "relation": "USES",
            "direction": "in", "note": "why", "weight": 0.5,
        },
    ]  # fmt: skip


def test_the_source_of_a_relation_is_left_out_where_it_is_that_of_the_entity() -> None:
    relation = {"relation": "CALLS", "direction": "out", "name": "b", "source": "a.py"}
    other = relation | {"source": "b.py"}
    note = {"text": "slow", "source": "a.py"}
    page = {"name": "a", "source": "a.py", "observations": [note], "relations": [relation, other]}
    assert concise_json(page) == page | {
        "relations": [{name: relation[name] for name in ("relation", "direction", "name")}, other]
    }


def test_an_explained_score_keeps_its_figures() -> None:
    explained = hit(explanation=Explanation((), None, 0.0, "direct"))
    whole = explained.to_json()
    kept = lean_hit(explained)
    assert (kept["matched"], kept["explain"]) == (whole["matched"], whole["explain"])


def test_an_answer_without_hits_says_so() -> None:
    assert concise_json(answer().to_json()) == {"project": "p", "count": 0, "total": 0, "hits": []}


def test_a_report_counts_what_happened() -> None:
    report = Report("p", (Item("entity", "a", "created"), Item("entity", "b", "refused", "why")))
    assert concise_json(report.to_json()) == {
        "project": "p", "entities": {"created": 1, "refused": 1},
        "items": [
            {"what": "entity", "name": "a", "outcome": "created"},
            {"what": "entity", "name": "b", "outcome": "refused", "reason": "why"},
        ],
    }  # fmt: skip


@pytest.mark.parametrize("before", [{}, {"weight": 1.0, "note": None}, 0, False, ""])
def test_values_of_a_history_are_whole(before: object) -> None:
    differences = (Difference("the relation USES to b", before, None),)
    revision = Revision(2, "c", WRITTEN, "me", "unlink", differences)
    kept: Any = concise_json(History("p#a", "a", "p", (revision,)).to_json())
    assert kept["revisions"][0]["differences"] == [
        {"field": "the relation USES to b", "before": before}
    ]


def test_a_listing_of_changes_leaves_out_empty_fields() -> None:
    change = Change("c", WRITTEN, "me", "remember", created=1, names=("a",))
    kept: Any = concise_json(Changes("p", (change,)).to_json())
    assert kept["changes"][0].keys() == {"id", "at", "by", "verb", "created", "names"}
    assert concise_json(Changes("p", ()).to_json()) == {"project": "p", "changes": []}


def test_names_and_values_of_callers_are_whole() -> None:
    fields = {
        "project": "p", "attributes": {"weight": 1.0, "status": "active", "x": []},
        "tags": {"weight": 1, "removed": 0}, "kinds": {"created": 0},
    }  # fmt: skip
    assert concise_json(fields) == fields


class Searching:
    """A memory that finds one hit."""

    def search(self, *_: object, **__: object) -> Answer:
        return answer(hit())

    def close(self) -> None:
        pass


def tools_and_answer(
    client: str, profiles: tuple[str, ...] = ()
) -> tuple[dict[str, Tool], CallToolResult | None]:
    """The tools that a client is told, and its search where there is one."""

    async def ask() -> tuple[dict[str, Tool], CallToolResult | None]:
        opening = LazyMemory(lambda: cast("Memory", Searching()), seconds=10)
        info = Implementation(name=client, version="1")
        async with Client(build(opening, profiles=profiles), client_info=info) as session:
            tools = {tool.name: tool for tool in await session.list_tools()}
            if "search" not in tools:
                return tools, None
            return tools, await session.call_tool_mcp("search", {"query": "q"})

    return asyncio.run(ask())


def test_programs_get_every_field() -> None:
    tools, result = tools_and_answer("a script")
    assert result is not None
    assert isinstance(result.content[0], TextContent)
    assert result.structured_content == answer(hit()).to_json()
    assert json.loads(result.content[0].text) == concise_json(answer(hit()).to_json())
    assert tools["search"].output_schema


@pytest.mark.parametrize("client", sorted(text_only_clients.CLIENTS))
def test_clients_that_show_a_model_the_fields_get_the_text_alone(client: str) -> None:
    tools, result = tools_and_answer(client)
    assert result is not None
    assert isinstance(result.content[0], TextContent)
    assert json.loads(result.content[0].text) == concise_json(answer(hit()).to_json())
    assert result.structured_content is None
    assert not any(tool.output_schema for tool in tools.values())


def test_the_tools_of_a_profile_answer_every_client_as_theirs_do() -> None:
    tools, _ = tools_and_answer("claude-code", ("memory-server",))
    assert tools["read_graph"].output_schema
