"""`graphmem view` on a real database, and its picture in a chat."""

import json
import os
import re
from collections.abc import Mapping
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from mcp.client import advertise

from agents import agent_of, checkout
from doc_pages import page as doc_page
from graphmem import cli
from graphmem.cli import screen, view
from graphmem.memory import Memory
from graphmem.read import relations
from graphmem.server import pictures
from terminals import CommandResult, Run, runner

ENTITIES: list[Mapping[str, object]] = [
    {"name": "Redis cache", "kind": "Decision", "text": "Sign-in state lives in memory."},
    {"name": "Zugspitze", "kind": "Service", "text": "Nothing alike here."},
    {"name": "Watzmann", "kind": "Person", "observations": ["Climbs alone."]},
]
RELATIONS: list[Mapping[str, object]] = [
    {"from": "Redis cache", "relation": "DEPENDS_ON", "to": "Zugspitze", "note": "since May"},
    {"from": "Watzmann", "relation": "KNOWS_ABOUT", "to": "Redis cache"},
]
MIME_TYPES = {"mimeTypes": ["text/html;profile=mcp-app"]}


@pytest.fixture
def run(
    environment: dict[str, str],  # noqa: ARG001 - the server runs
    memory: Memory,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Run:
    """Run a command in a project of three entities and two relations."""
    memory.remember(ENTITIES, RELATIONS)
    return runner(memory.project_name(), capsys, monkeypatch)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, empty but for what the tests put there."""
    place = tmp_path / "here"
    place.mkdir()
    monkeypatch.chdir(place)
    return place


def names(ran: CommandResult) -> list[str]:
    return [node["name"] for node in ran.document["nodes"]]


# Without a database


def test_the_page_about_pictures_names_every_option() -> None:
    named = set(re.findall(r"--([a-z][a-z-]+)", doc_page("view")))
    options = {name.strip("_").removesuffix("_file") for name in signature(view.view).parameters}
    assert {option.replace("_", "-").replace("expand", "no-expand") for option in options} == (
        named | {"query"}
    )


@pytest.mark.parametrize(
    ("tokens", "told"),
    [
        ([], "QUERY must be given, or --entity with a name, or --kind"),
        (["x", "--entity", "A"], "--entity cannot be combined with a query, got 'A'"),
        (["--entity", "A", "--kind", "K"], "--kind is for searches and cannot be combined with"),
        (["--entity", "A", "--mode", "keyword"], "--mode is for searches and cannot be combined"),
        (["--entity", "A", "--no-expand"], "--no-expand is for searches and cannot be combined"),
        (["--entity", "A", "--any-time"], "cannot be combined with --entity\n"),
        (["x", "--json", "--open"], "--open cannot be combined with --json"),
        (["x", "--json", "--output", "p.html"], "--output cannot be combined with --json"),
        (["x", "--output", "notes.md"], "must be a new file or an earlier page of `graphmem view`"),
        (["x", "--output", "."], "must be a new file or an earlier page of `graphmem view`"),
        (["x", "--output", "link.html"], "must be a new file or an earlier page"),
        (["x", "--output", os.devnull], "must be a new file or an earlier page"),
    ],
)
def test_invalid_options_are_refused_before_a_database_is_opened(
    tokens: list[str], told: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "notes.md").write_text("my own", encoding="utf-8")
    (folder / "link.html").symlink_to("elsewhere.html")

    assert cli.main(["view", *tokens]) == 2
    assert told in capsys.readouterr().err
    assert (folder / "notes.md").read_text(encoding="utf-8") == "my own"


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Who knows the event bus?", "graphmem-who-knows-the-event-bus.html"),
        ("../../etc/passwd", "graphmem-etc-passwd.html"),
        ("причал 7", "graphmem-причал-7.html"),
        ("हिन्दी सर्वर?", "graphmem-हिन्दी-सर्वर.html"),
        ("???", "graphmem-view.html"),
        ("x" * 500, f"graphmem-{'x' * 50}.html"),
    ],
)
def test_the_file_is_named_after_what_was_asked(title: str, name: str) -> None:
    assert view._default_path(title) == Path(name)


# A search


def test_a_search_becomes_a_page_of_this_folder(run: Run, folder: Path) -> None:
    ran = run("view", "sign-in state", "--mode", "keyword")

    assert (ran.code, ran.out) == (0, "graphmem-sign-in-state.html\n")
    page = (folder / "graphmem-sign-in-state.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "Redis cache" in page
    assert list(folder.iterdir()) == [folder / "graphmem-sign-in-state.html"]


def test_the_json_is_what_the_page_shows(run: Run, folder: Path) -> None:
    ran = run("view", "sign-in state", "--mode", "keyword", "--json")

    assert names(ran) == ["Redis cache", "Watzmann", "Zugspitze"]
    assert [node["role"] for node in ran.document["nodes"]] == ["hit", "neighbour", "neighbour"]
    assert {(link["relation"], link["evidence"] > 0) for link in ran.document["links"]} == {
        ("DEPENDS_ON", True),
        ("KNOWS_ABOUT", True),
    }
    assert ran.document["nodes"][0]["explain"]["legs"]
    assert list(folder.iterdir()) == []


def test_the_options_of_a_search_count(run: Run) -> None:
    asked = ("view", "sign-in state", "--mode", "keyword", "--json")

    assert names(run(*asked, "--no-expand")) == ["Redis cache"]
    assert names(run(*asked, "--kind", "Person")) == ["Watzmann", "Redis cache"]
    assert names(run(*asked, "--limit", "1")) == ["Redis cache"]


def test_a_link_from_what_was_renamed_is_shown(run: Run, memory: Memory) -> None:
    memory.rename("Redis cache", "Session cache")
    asked = ("view", "sign-in state", "--mode", "keyword", "--json")

    ran = run(*asked, "--kind", "Person")
    assert names(ran) == ["Watzmann", "Session cache"]
    assert [link["relation"] for link in ran.document["links"]] == ["KNOWS_ABOUT"]
    assert ran.document["links"][0]["evidence"] > 0


def test_without_a_query_a_kind_shows_what_changed_last(run: Run, folder: Path) -> None:
    assert run("remember", "Zugspitze", "--kind", "Person").code == 0
    ran = run("view", "--kind", "Person", "--json")

    assert names(ran) == ["Zugspitze", "Watzmann"]
    assert all("score" not in node and "matched" not in node for node in ran.document["nodes"])
    assert run("view", "--kind", "Person").out == "graphmem-last-changed.html\n"
    assert (folder / "graphmem-last-changed.html").exists()


def test_relations_between_hits_are_drawn_too(run: Run) -> None:
    assert run("link", "Watzmann", "CLIMBS", "Zugspitze", "--note", "in May").code == 0
    ran = run("view", "sign-in state", "--mode", "keyword", "--json")

    (climbs,) = [link for link in ran.document["links"] if link["relation"] == "CLIMBS"]
    assert (climbs["from"].rpartition("#")[2], climbs["to"].rpartition("#")[2]) == (
        "watzmann",
        "zugspitze",
    )
    assert (climbs["evidence"], climbs["note"]) == (0.0, "in May")


def test_a_search_that_finds_nothing_tells_the_next_step(run: Run, folder: Path) -> None:
    ran = run("view", "qqqq", "--mode", "keyword")

    assert (ran.code, ran.out) == (1, "")
    assert "no page was written" in ran.err
    assert "`graphmem stats`" in ran.err
    assert list(folder.iterdir()) == []

    listed = run("view", "--kind", "Qqqq")
    assert " passes the filters, so no page was written. " in listed.err
    assert "written. No entity is of the kind Qqqq; there are " in listed.err


def test_the_path_of_a_page_is_printed_and_how_to_see_it(run: Run, folder: Path) -> None:
    ran = run("view", "sign-in state", "--mode", "keyword")

    (written,) = folder.iterdir()
    assert ran.out == f"{written.name}\n"
    assert "Open this page in a web browser; with --open, the command does so.\n" in ran.err


def test_a_page_is_written_again_and_another_file_is_not(run: Run, folder: Path) -> None:
    asked = ("view", "sign-in state", "--mode", "keyword")
    for _ in range(2):
        assert run(*asked).code == 0
    mine = folder / "graphmem-sign-in-state.html"
    mine.write_text("<p>my own</p>", encoding="utf-8")

    ran = run(*asked)
    assert ran.code == 2
    assert "Name another file" in ran.err
    assert mine.read_text(encoding="utf-8") == "<p>my own</p>"


def test_the_page_is_opened_in_the_browser_or_the_reason_is_reported(
    run: Run,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[str] = []

    class Program:
        def open(self, address: str) -> bool:
            opened.append(address)
            return True

    asked = ("view", "sign-in state", "--mode", "keyword", "--open")
    monkeypatch.setattr(screen, "browser", Program)
    assert run(*asked).code == 0
    assert opened == [(folder / "graphmem-sign-in-state.html").as_uri()]
    monkeypatch.setattr(screen, "browser", lambda: None)
    assert "Open the file in one." in run(*asked).err


# An entity


def test_an_entity_is_drawn_with_its_neighbours(run: Run) -> None:
    assert run("link", "Watzmann", "CLIMBS", "Zugspitze").code == 0
    ran = run("view", "--entity", "redis cache", "--json")

    assert names(ran) == ["Redis cache", "Watzmann", "Zugspitze"]
    assert sorted(link["relation"] for link in ran.document["links"]) == [
        "CLIMBS",
        "DEPENDS_ON",
        "KNOWS_ABOUT",
    ]
    assert ran.document["nodes"][0]["texts"] == ["Sign-in state lives in memory."]


def test_both_periods_of_a_relation_are_drawn(run: Run, memory: Memory) -> None:
    relation = {"from": "Watzmann", "relation": "WORKS_AT", "to": "Zugspitze"}
    first, second = {"valid_until": "2020-12-31"}, {"valid_from": "2023-01-01"}
    memory.remember(relations=[{**relation, **first}, {**relation, **second}])
    ran = run("view", "--entity", "Watzmann", "--json")

    periods = [link["validity"] for link in ran.document["links"] if link["relation"] == "WORKS_AT"]
    assert periods == ["valid from 2023-01-01", "valid until 2020-12-31"]


def test_neighbours_beyond_the_limit_are_counted(run: Run) -> None:
    ran = run("view", "--entity", "Redis cache", "--limit", "1", "--json")

    assert len(names(ran)) == 2
    assert ran.document["notes"] == [
        "1 of 2 neighbours shown, by the weight of their relations; raise the limit to see more"
    ]


def test_an_unknown_entity_tells_the_next_step(run: Run) -> None:
    ran = run("view", "--entity", "Nobody")

    assert ran.code == 1
    assert "search for it, or remember it first" in ran.err


@pytest.mark.parametrize("limit", ["0", "201"])
def test_a_limit_beyond_the_bounds_is_refused(run: Run, limit: str) -> None:
    for asked in (("x",), ("--entity", "Redis cache")):
        ran = run("view", *asked, "--limit", limit)
        assert (ran.code, "limit must be from 1 to 200" in ran.err) == (2, True)


# Relations between many


def test_relations_of_crowded_entities_are_found_from_both_ends(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relations, "FANOUT", 5)
    leaves = [f"leaf {number}" for number in range(12)]
    links: list[Mapping[str, object]] = [
        *({"from": hub, "relation": "HAS", "to": leaf} for hub in ("A", "B") for leaf in leaves),
        {"from": "A", "relation": "KNOWS", "to": "B", "weight": 0.1, "note": "weakly"},
    ]
    memory.remember(relations=links, stubs=True)
    keys = [f"{memory.project}#{name.casefold()}" for name in ("A", "B", *leaves)]

    shown = relations.between(memory.graph, keys)
    assert len(shown) == len(links)
    (knows,) = [relation for relation in shown if relation.relation == "KNOWS"]
    assert (knows.start, knows.end, knows.weight, knows.note) == (*keys[:2], 0.1, "weakly")
    assert relations.between(memory.graph, []) == []


# In a chat


def tool_meta(agent: Any) -> dict[str, Any]:  # noqa: ANN401 - the tests' own agent
    listed = agent.portal.call(agent.client.list_tools_mcp)
    tools = listed.model_dump(by_alias=True, exclude_none=True)["tools"]
    return {tool["name"]: tool["_meta"] for tool in tools if "_meta" in tool}


@pytest.mark.parametrize("draws", [False, True])
def test_clients_that_show_pages_get_the_picture_and_others_nothing(
    environment: dict[str, str],
    memory: Memory,
    tmp_path: Path,
    draws: bool,  # noqa: FBT001 - a table
) -> None:
    memory.remember(
        [{"name": "Redis cache", "text": "Logins were slow."}, {"name": "Store"}],
        [{"from": "Redis cache", "relation": "DEPENDS_ON", "to": "Store"}],
    )
    extensions = [advertise("io.modelcontextprotocol/ui", MIME_TYPES)] if draws else []
    folder = checkout(tmp_path, "example.org/tests/view")
    asked = {"query": "slow logins", "mode": "keyword", "project": memory.project}
    with agent_of(environment, folder, extensions=extensions) as agent:
        meta = tool_meta(agent)
        resources = [str(one.uri) for one in agent.portal.call(agent.client.list_resources)]
        result = agent.portal.call(agent.client.call_tool, "search", asked)
        nothing = agent.portal.call(agent.client.call_tool, "search", {**asked, "query": "qqqq"})

    assert [hit["name"] for hit in result.structured_content["hits"]] == ["Redis cache", "Store"]
    assert pictures.FIELD not in json.dumps(result.structured_content)
    assert pictures.FIELD not in (nothing.meta or {})
    if not draws:
        assert (meta, resources) == ({}, ["memory://overview"])
        assert pictures.FIELD not in (result.meta or {})
        return
    assert meta == {"search": {"ui": {"resourceUri": "ui://graphmem/picture.html"}}}
    assert set(resources) == {"memory://overview", "ui://graphmem/picture.html"}
    picture = result.meta[pictures.FIELD]
    assert [node["name"] for node in picture["nodes"]] == ["Redis cache", "Store"]
    assert [link["relation"] for link in picture["links"]] == ["DEPENDS_ON"]


def test_a_client_that_shows_pages_reads_the_page(
    environment: dict[str, str], tmp_path: Path
) -> None:
    extensions = [advertise("io.modelcontextprotocol/ui", MIME_TYPES)]
    folder = checkout(tmp_path, "example.org/tests/view")
    with agent_of(environment, folder, extensions=extensions) as agent:
        (page,) = agent.portal.call(agent.client.read_resource, "ui://graphmem/picture.html")

    assert page.mime_type == "text/html;profile=mcp-app"
    assert page.text.startswith("<!doctype html>")
    assert '<script type="application/json" id="picture">null</script>' in page.text


def test_the_help_is_enough(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["view", "--help"]) == 0
    output = capsys.readouterr().out
    for words in ("--entity", "--output", "--open", "--json", "--limit", "--no-expand", "offline"):
        assert words in output
