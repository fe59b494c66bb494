"""`rye_search` as agents of RyeOS call it: a real client, `graphmem serve --profile rye`."""

import json
import shutil
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from agents import Agent, agent_of, checkout, serving
from graphmem.embedding import BackgroundEmbedder
from graphmem.memory import Memory
from rye_items import Tree, ids

PROJECT = "example.org/tests/profile-rye"
KEYS = {"results", "total", "query", "scope", "space", "limit", "offset", "search_type"}
RESULT_KEYS = {"id", "name", "description", "category", "score", "type", "source", "preview"}
WORDS = ("apple", "bread", "cheese")


def plant_project(tree: Tree) -> None:
    """The items of the project space."""
    tree.directive(
        "setup/bootstrap", description="Prepare a new machine.", body="Install what is missing.",
        version="1.2.0", author="Ada", turns=9, more="    <tags>setup</tags>",
    )  # fmt: skip
    tree.directive(
        "setup/create_tool", description="Create a new tool", version="1.10.0", author="Bob",
        body=f"{'Write the next line. ' * 15}Then mention the wombat and rethreading.",
    )  # fmt: skip
    tree.directive(
        "setup/temporary_file", description="Make a temporary file.", version="2.0.0-beta.1",
        body="alpha one two three four five beta",
    )  # fmt: skip
    tree.directive("setup2/other", description="Delete a file.", version="1.9", body="C++ or a/b?")
    tree.directive("top", description="A directive at the top.", body="Search is not working, foo.")
    tree.tool("rye/core/bundler/collect", description="Collect bundles.", version="1.1.0")
    tree.tool("rye/core/system", description="Tell about the machine.", body="bundles")
    tree.tool("rye/core2/other", description="Bundles elsewhere.")
    tree.tool("rye/shell", description="Run a command.")
    tree.knowledge(
        "kept/terms", title="Terms", body="What words mean.",
        more="tags: [api, Words]\ncreated_at: 2026-02-18T12:00:00Z\n",
    )  # fmt: skip
    tree.knowledge(
        "kept/spaces", title="Spaces", body="Where items live.",
        more="tags: api\ncreated_at: 2026-03-01\ncost: 5\n",
    )  # fmt: skip
    tree.knowledge("kept/undated", title="Undated", body="Without a moment.")
    for number, said in enumerate(product((False, True), repeat=len(WORDS))):
        held = " ".join(word for word, is_there in zip(WORDS, said, strict=True) if is_there)
        tree.knowledge(f"grammar/n{number}", title=f"Entry {number}", body=held)
    plant_fields(tree)


def plant_fields(tree: Tree) -> None:
    """Items that hold a word in one field each, and two words in one field or in two."""
    tree.knowledge("fields/e1", title="Quokka", body="Nothing.")
    tree.knowledge("fields/quokka", title="Second", body="Nothing.")
    tree.knowledge("fields/e3", title="Third", body="Nothing.", more="description: a quokka\n")
    tree.knowledge("fields/quokka/e4", title="Fourth", body="Nothing.")
    tree.knowledge("fields/e5", title="Fifth", body="There is a quokka.")
    said = "---\ntitle: Numbat\n---\nWhere a bilby lives.\n"
    tree.file("knowledge/pairs/apart.md", said)
    tree.knowledge("pairs/beside", title="Sixth", body="A numbat and a bilby.")


@pytest.fixture(scope="module")
def agent(
    real_model: BackgroundEmbedder,
    memory_of: Callable[[str], Memory],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Agent]:
    """A client of a server for a project whose three spaces hold items."""
    folder = tmp_path_factory.mktemp("rye")
    trees = {space: Tree(folder / space) for space in (PROJECT, "@user", "@system")}
    plant_project(trees[PROJECT])
    for space in ("@user", "@system"):
        trees[space].directive("setup/bootstrap", description="An older machine.")
        trees[space].directive("common/lyrebird", description=f"A lyrebird of {space[1:]}.")
    trees["@system"].tool("rye/shell", description="Run a command, the built-in way.")
    for space, tree in trees.items():
        assert not memory_of(space).import_("rye", tree.folder).refused
    with serving(real_model, "rye", project=PROJECT) as agent:
        yield agent
    for space, tree in trees.items():  # other tests search the layers as well
        for kind in ("directives", "tools", "knowledge"):
            shutil.rmtree(tree.folder / ".ai" / kind, ignore_errors=True)
        memory_of(space).import_("rye", tree.folder)


@pytest.fixture
def ask(agent: Agent, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Call `rye_search` with a folder that exists; directives where no scope is given."""

    def asked(query: str = "", **more: object) -> dict[str, Any]:
        options = {"scope": "directive", "project_path": str(tmp_path), "limit": 200} | more
        return agent.call("rye_search", query=query, **options)

    return asked


@pytest.fixture
def refused(agent: Agent, tmp_path: Path) -> Callable[..., str]:
    def asked(**more: object) -> str:
        options = {"query": "file", "scope": "tool", "project_path": str(tmp_path)} | more
        return agent.refusal("rye_search", **options)

    return asked


Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., str]


def project_ids(ask: Ask, query: str = "", **more: object) -> set[str]:
    return set(ids(ask(query, space="project", **more)))


# The answer


def test_the_profile_offers_rye_search_and_what_reads_its_finds(agent: Agent) -> None:
    assert agent.tools() == {"rye_search", "rye_load"}


def test_rye_search_answers_in_its_own_shape(ask: Ask) -> None:
    answer = ask("wombat", space="project", limit=5)
    assert set(answer) == KEYS
    (found,) = answer.pop("results")
    assert set(found) == RESULT_KEYS
    assert answer == {
        "total": 1, "query": "wombat", "scope": "directive", "space": "project",
        "limit": 5, "offset": 0, "search_type": "keyword",
    }  # fmt: skip
    assert 0 < found.pop("score") <= 1
    assert "wombat" in found.pop("preview")
    assert found == {
        "id": "setup/create_tool", "name": "create_tool", "description": "Create a new tool",
        "category": "setup", "type": "directive", "source": "project",
    }  # fmt: skip


def test_rye_search_has_its_own_defaults(agent: Agent, tmp_path: Path) -> None:
    answer = agent.call("rye_search", query="", scope="knowledge", project_path=str(tmp_path))
    assert (answer["space"], answer["limit"], answer["offset"]) == ("all", 10, 0)
    assert len(answer["results"]) == 10


@pytest.mark.parametrize("query", ["", "*", "  "])
def test_rye_search_lists_everything_in_scope(ask: Ask, query: str) -> None:
    answer = ask(query, scope="tool.rye.*", space="project")
    assert ids(answer) == [
        "rye/core/bundler/collect", "rye/core/system", "rye/core2/other", "rye/shell",
    ]  # fmt: skip
    assert answer["search_type"] == "list"
    assert {result["score"] for result in answer["results"]} == {1.0}


def test_rye_search_gives_the_same_bytes_twice(ask: Ask) -> None:
    assert json.dumps(ask("file OR machine")) == json.dumps(ask("file OR machine"))


def test_rye_search_finds_nothing_where_nothing_matches(ask: Ask) -> None:
    answer = ask("platypus")
    assert (answer["results"], answer["total"]) == ([], 0)


# The cases of its page


def test_rye_search_joins_alternatives(ask: Ask) -> None:
    found = project_ids(ask, "create OR bootstrap")
    assert {"setup/bootstrap", "setup/create_tool"} <= found


def test_rye_search_leaves_out_what_stands_under_not(ask: Ask) -> None:
    assert project_ids(ask, "file NOT temporary", scope="directive.setup2.*") == {"setup2/other"}
    assert "setup/temporary_file" not in project_ids(ask, "file NOT temporary")


def test_rye_search_finds_a_phrase(ask: Ask) -> None:
    answer = ask('"Create a new tool"', space="project")
    assert (answer["total"], ids(answer)) == (1, ["setup/create_tool"])


def test_rye_search_finds_the_beginning_of_a_word(ask: Ask) -> None:
    assert project_ids(ask, "boot*") == {"setup/bootstrap"}


def test_rye_search_finds_inside_words(ask: Ask) -> None:
    assert project_ids(ask, "*thread*") == {"setup/create_tool"}
    assert project_ids(ask, "w?mbat") == {"setup/create_tool"}


def test_rye_search_pages_and_keeps_the_total(ask: Ask) -> None:
    whole = ask("", scope="knowledge.grammar.*")
    pages = [ask("", scope="knowledge.grammar.*", limit=3, offset=at) for at in (0, 3, 6, 9)]
    assert [len(page["results"]) for page in pages] == [3, 3, 2, 0]
    assert {page["total"] for page in pages} == {8}
    assert [item_id for page in pages for item_id in ids(page)] == ids(whole)


def test_rye_search_forgives_letters_where_it_is_told_to(ask: Ask) -> None:
    assert "top" in project_ids(ask, "direcive", fuzzy={"enabled": True})
    assert "top" not in project_ids(ask, "direcive")
    assert "top" not in project_ids(ask, "direcive", fuzzy={"enabled": True, "max_distance": 0})
    assert "top" in project_ids(ask, "direcive", fuzzy={"enabled": True, "max_distance": 1})
    assert "top" not in project_ids(ask, "dircive", fuzzy={"enabled": True, "max_distance": 1})
    assert "top" not in project_ids(ask, "direcive", fuzzy={"max_distance": 2})


def test_rye_search_puts_a_match_in_one_field_above_one_in_two(ask: Ask) -> None:
    answer = ask("numbat bilby", scope="knowledge")
    assert ids(answer) == ["pairs/beside", "pairs/apart"]


def test_rye_search_finds_a_word_deep_in_the_body(ask: Ask) -> None:
    assert project_ids(ask, "wombat") == {"setup/create_tool"}


def test_rye_search_filters_by_a_tag_without_case(ask: Ask) -> None:
    found = project_ids(ask, filters={"tags": "API"}, scope="knowledge")
    assert found == {"kept/terms", "kept/spaces"}


def test_rye_search_compares_versions_part_by_part(ask: Ask) -> None:
    found = project_ids(ask, filters={"version": ">=1.10"}, scope="directive.setup.*")
    assert found == {"setup/create_tool", "setup/temporary_file"}


def test_rye_search_takes_an_empty_query_with_fields(ask: Ask) -> None:
    answer = ask("", fields={"name": "bootstrap"})
    assert ids(answer)[0] == "setup/bootstrap"
    assert {result["name"] for result in answer["results"]} == {"bootstrap"}
    assert answer["search_type"] == "keyword"


# The grammar

READINGS: list[tuple[str, Callable[[bool, bool, bool], bool]]] = [
    ("apple OR bread cheese", lambda a, b, c: a or (b and c)),
    ("apple AND NOT bread OR cheese", lambda a, b, c: (a and not b) or c),
    ("apple (bread OR cheese)", lambda a, b, c: a and (b or c)),
    ("apple bread", lambda a, b, c: a and b),  # noqa: ARG005 - a table
    ("NOT(apple)", lambda a, b, c: not a),  # noqa: ARG005
    ("NOT (apple)", lambda a, b, c: not a),  # noqa: ARG005
    ("apple OR(bread)", lambda a, b, c: a or b),  # noqa: ARG005
    ("apple OR (bread)", lambda a, b, c: a or b),  # noqa: ARG005
    ("NOT NOT apple", lambda a, b, c: a),  # noqa: ARG005
    ("NOT apple bread", lambda a, b, c: not a and b),  # noqa: ARG005
    ("apple OR", lambda a, b, c: a),  # noqa: ARG005
    ("OR apple", lambda a, b, c: a),  # noqa: ARG005
    ("apple) bread", lambda a, b, c: a and b),  # noqa: ARG005
    ("((apple", lambda a, b, c: a),  # noqa: ARG005
    ('"bread cheese', lambda a, b, c: b and c),  # noqa: ARG005
    ('"apple cheese', lambda a, b, c: a and c and not b),
    ("content:apple", lambda a, b, c: a),  # noqa: ARG005
    ("NOT content:(apple OR bread)", lambda a, b, c: not (a or b)),  # noqa: ARG005
    ("app* b?ead", lambda a, b, c: a and b),  # noqa: ARG005
]


@pytest.mark.parametrize(("query", "holds"), READINGS, ids=[query for query, _ in READINGS])
def test_rye_search_reads_operators(
    ask: Ask, query: str, holds: Callable[[bool, bool, bool], bool]
) -> None:
    expected = {
        f"grammar/n{number}"
        for number, said in enumerate(product((False, True), repeat=3))
        if holds(*said)
    }
    assert project_ids(ask, query, scope="knowledge.grammar.*") == expected


@pytest.mark.parametrize("query", ["AND", "OR", "()", "AND OR", '""'])
def test_rye_search_finds_nothing_without_words(ask: Ask, query: str) -> None:
    assert ask(query)["total"] == 0


def test_rye_search_takes_operators_in_lower_case_for_words(ask: Ask) -> None:
    assert project_ids(ask, "search not working") == {"top"}
    assert project_ids(ask, "wombat or platypus") == set()


def test_rye_search_reads_an_open_phrase_to_the_end(ask: Ask) -> None:
    assert project_ids(ask, '"a new tool') == {"setup/create_tool"}
    assert project_ids(ask, '"new a tool') == set()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("-wombat", {"setup/create_tool"}),
        ("C++", {"setup2/other"}),
        ("a/b", {"setup2/other"}),
        ("foo:", {"top"}),
    ],
)
def test_rye_search_takes_marks_literally(ask: Ask, query: str, found: set[str]) -> None:
    assert project_ids(ask, query) == found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("name:bootstrap", {"setup/bootstrap"}),
        ("name:machine", set()),
        ("title:create", {"setup/create_tool"}),
        ("description:temporary", {"setup/temporary_file"}),
        ("description:wombat", set()),
        ("content:wombat", {"setup/create_tool"}),
        ("content:(machine OR wombat)", {"setup/create_tool"}),
        ("category:setup2", {"setup2/other"}),
        ("file NOT description:temporary NOT title:create", {"setup2/other"}),
        ("author:ada", {"setup/bootstrap"}),
        ("tag:setup", {"setup/bootstrap"}),
    ],
)
def test_rye_search_looks_for_a_word_in_one_field(ask: Ask, query: str, found: set[str]) -> None:
    assert project_ids(ask, query) == found


# Ranking and order


def test_rye_search_weighs_the_fields(ask: Ask) -> None:
    answer = ask("quokka", scope="knowledge.fields.*")
    assert ids(answer) == [
        "fields/e1", "fields/quokka", "fields/e3", "fields/quokka/e4", "fields/e5",
    ]  # fmt: skip
    scores = [result["score"] for result in answer["results"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


def test_rye_search_orders_equals_by_space_then_id(ask: Ask) -> None:
    answer = ask("*", scope="directive.common.*")
    assert [result["source"] for result in answer["results"]] == ["user", "system"]
    answer = ask("", scope="directive")
    spaces = [result["source"] for result in answer["results"]]
    assert spaces == sorted(spaces, key=["project", "user", "system"].index)
    of_project = [result["id"] for result in answer["results"] if result["source"] == "project"]
    assert of_project == sorted(of_project)


def test_rye_search_sorts_by_name(ask: Ask) -> None:
    answer = ask("", scope="tool", sort_by="name")
    names = [(result["name"], result["source"]) for result in answer["results"]]
    assert names == [
        ("collect", "project"), ("other", "project"), ("shell", "project"), ("shell", "system"),
        ("system", "project"),
    ]  # fmt: skip


def test_rye_search_sorts_by_date_the_undated_last(ask: Ask) -> None:
    answer = ask("", scope="knowledge.kept.*", sort_by="date")
    assert ids(answer) == ["kept/spaces", "kept/terms", "kept/undated"]


# Scope and space


@pytest.mark.parametrize(
    ("scope", "found"),
    [
        ("tool.rye.core.*", {"rye/core/bundler/collect", "rye/core/system"}),
        ("rye.search.tool.rye.core.*", {"rye/core/bundler/collect", "rye/core/system"}),
        ("tool.rye.core", {"rye/core/bundler/collect", "rye/core/system"}),
        ("tool.rye.core.system", {"rye/core/system"}),
        ("tool.rye.co.*", set()),
        ("tool.nowhere.*", set()),
        ("rye.search.tool.*", {"rye/core/bundler/collect", "rye/core/system", "rye/core2/other",
                               "rye/shell"}),
    ],
)  # fmt: skip
def test_rye_search_keeps_to_whole_segments_of_a_scope(
    ask: Ask, scope: str, found: set[str]
) -> None:
    assert project_ids(ask, scope=scope) == found
    assert project_ids(ask, "bundles OR machine OR command", scope=scope) == found


def test_rye_search_finds_a_top_item_by_its_scope(ask: Ask) -> None:
    assert project_ids(ask, scope="directive.top") == {"top"}


@pytest.mark.parametrize("space", ["project", "user", "system"])
def test_rye_search_keeps_to_a_space(ask: Ask, space: str) -> None:
    answer = ask("machine", space=space)
    assert {result["source"] for result in answer["results"]} == {space}
    assert answer["space"] == space


def test_rye_search_tells_what_overrides_what(ask: Ask) -> None:
    answer = ask("machine", scope="directive.setup.*")
    shown = {
        result["source"]: (result.get("shadows"), result.get("shadowed_by"))
        for result in answer["results"]
    }
    assert shown == {
        "project": ([{"space": "user"}, {"space": "system"}], None),
        "user": (None, "project"),
        "system": (None, "project"),
    }
    answer = ask("lyrebird", scope="directive")
    assert [result.get("shadows") for result in answer["results"]] == [[{"space": "system"}], None]
    assert answer["results"][1]["shadowed_by"] == "user"


def test_rye_search_tells_what_overrides_a_find_even_where_that_does_not_match(ask: Ask) -> None:
    (found,) = ask("built-in", scope="tool")["results"]
    assert (found["id"], found["source"], found["shadowed_by"]) == (
        "rye/shell",
        "system",
        "project",
    )


# Fields and filters


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"name": "create"}, {"setup/create_tool"}),
        ({"name": "boot*"}, {"setup/bootstrap"}),
        ({"description": "file", "category": "setup2"}, {"setup2/other"}),
        ({"title": '"create tool"'}, {"setup/create_tool"}),
        ({"description": "file NOT temporary"}, {"setup2/other"}),
        ({"content": "wombat"}, {"setup/create_tool"}),
        ({"content": "prepare"}, set()),
        ({"name": "AND"}, set()),
        ({"name": "", "description": "temporary"}, {"setup/temporary_file"}),
    ],
)
def test_rye_search_asks_each_field_its_own_query(
    ask: Ask, fields: dict[str, str], found: set[str]
) -> None:
    assert project_ids(ask, fields=fields) == found


def test_rye_search_ands_the_query_and_the_fields(ask: Ask) -> None:
    assert project_ids(ask, "file", fields={"name": "other"}) == {"setup2/other"}
    assert project_ids(ask, "wombat", fields={"name": "other"}) == set()


def test_rye_search_forgives_letters_in_fields_as_well(ask: Ask) -> None:
    found = project_ids(ask, fields={"name": "bootsrap"}, fuzzy={"enabled": True})
    assert found == {"setup/bootstrap"}


ALL = {"setup/bootstrap", "setup/create_tool", "setup/temporary_file", "setup2/other", "top"}


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"author": "ADA"}, {"setup/bootstrap"}),
        ({"author": "!ada"}, ALL - {"setup/bootstrap"}),
        ({"author": ["ada", "bob"]}, {"setup/bootstrap", "setup/create_tool"}),
        ({"author": []}, set()),
        ({"category": "Setup"}, {"setup/bootstrap", "setup/create_tool", "setup/temporary_file"}),
        ({"category": ["setup2", "nowhere"]}, {"setup2/other"}),
        ({"name": "Top"}, {"top"}),
        ({"type": "directive"}, ALL),
        ({"missing": "x"}, set()),
        ({"missing": "!x"}, ALL),
        ({"missing": ">1"}, set()),
        ({"version": "<1.10"}, {"setup/bootstrap", "setup2/other", "top"}),
        ({"version": ">1.9", "author": "!bob"}, {"setup/temporary_file"}),
        ({"version": "<=1.2.0"}, {"setup/bootstrap", "top"}),
        ({"version": "2.0.0-beta.1"}, {"setup/temporary_file"}),
        ({"version": ">=2.0.0"}, set()),
        ({"limits.turns": ">5"}, {"setup/bootstrap"}),
        ({"limits.turns": 9}, {"setup/bootstrap"}),
        ({"limits.turns": "9"}, {"setup/bootstrap"}),
        ({"limits.turns": "<10"}, ALL),
        ({"author": ">5"}, set()),
        ({"inputs": "place"}, ALL),
    ],
)
def test_rye_search_filters_by_metadata(ask: Ask, filters: dict[str, Any], found: set[str]) -> None:
    assert project_ids(ask, filters=filters) == found


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"tags": ["words", "x"]}, {"kept/terms"}),
        ({"tags": "!words"}, {"kept/spaces", "kept/undated"}),
        ({"cost": 5}, {"kept/spaces"}),
        ({"cost": ">4.5"}, {"kept/spaces"}),
        ({"date_from": "2026-02-18"}, {"kept/terms", "kept/spaces"}),
        ({"date_from": "2026-02-19"}, {"kept/spaces"}),
        ({"date_to": "2026-02-18"}, {"kept/terms"}),
        ({"date_to": "20260218"}, {"kept/terms"}),
        ({"date_to": "2026-02-18T11:00:00Z"}, set()),
        ({"date_from": "2026-03-01", "date_to": "2026-03-01"}, {"kept/spaces"}),
        ({"created_at": "2026-02-18"}, {"kept/terms"}),
        ({"created_at": ">=2026-02-19"}, {"kept/spaces"}),
        ({"entry_type": "reference", "tags": "api", "title": "terms"}, {"kept/terms"}),
    ],
)
def test_rye_search_filters_by_lists_numbers_and_dates(
    ask: Ask, filters: dict[str, Any], found: set[str]
) -> None:
    assert project_ids(ask, filters=filters, scope="knowledge.kept.*") == found


def test_rye_search_filters_before_it_cuts(ask: Ask) -> None:
    answer = ask("", filters={"author": "!someone"}, space="project", limit=1)
    assert (len(answer["results"]), answer["total"]) == (1, 2)


# Nearness


@pytest.mark.parametrize(
    ("proximity", "found"),
    [
        ({"enabled": True}, True),
        ({"enabled": True, "max_distance": 4}, False),
        ({"enabled": False, "max_distance": 0}, True),
        ({"max_distance": 0}, True),
    ],
)
def test_rye_search_counts_the_words_between(
    ask: Ask,
    proximity: dict[str, Any],
    found: bool,  # noqa: FBT001 - a table
) -> None:
    for query in ("alpha beta", "beta alpha", "beta AND (platypus OR alpha)"):
        assert bool(project_ids(ask, query, proximity=proximity)) is found


def test_rye_search_ignores_nearness_of_one_term(ask: Ask) -> None:
    near = {"enabled": True, "max_distance": 0}
    assert project_ids(ask, "wombat", proximity=near) == {"setup/create_tool"}
    assert project_ids(ask, "wombat", proximity=near, fuzzy={"enabled": True}) == {
        "setup/create_tool"
    }


def test_rye_search_says_what_it_did(ask: Ask) -> None:
    on = {"enabled": True}
    assert ask("x", fuzzy=on)["search_type"] == "fuzzy"
    assert ask("x", proximity=on)["search_type"] == "proximity"
    assert ask("x", fuzzy=on, proximity=on)["search_type"] == "fuzzy+proximity"


# What it refuses, and what it forgives


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"scope": "thing"}, ["scope", "'thing'", "directive, tool or knowledge"]),
        ({"scope": ""}, ["scope", "directive"]),
        ({"scope": "tool."}, ["scope", "'tool.'"]),
        ({"scope": "tool..core"}, ["scope", "'tool..core'"]),
        ({"scope": "tool.*.core"}, ["scope", "tool.rye.core.*"]),
        ({"scope": "rye.execute.tool.x"}, ["scope", "rye.execute.tool.x"]),
        ({"space": "registry"}, ["space", "'registry'", "project"]),
        ({"limit": 0}, ["limit", "0", "1"]),
        ({"limit": 201}, ["limit", "201", "200"]),
        ({"limit": "many"}, ["limit", "'many'"]),
        ({"offset": -1}, ["offset", "-1", "0"]),
        ({"sort_by": "size"}, ["sort_by", "'size'", "date"]),
        ({"fields": {"colour": "x"}}, ["fields", "colour", "title"]),
        ({"fields": {"name": 5}}, ["fields.name", "5"]),
        ({"fields": "name"}, ["fields", "'name'"]),
        ({"filters": {"date_from": "soon"}}, ["filters.date_from", "'soon'", "2026-03-01"]),
        ({"filters": {"date_to": 5}}, ["filters.date_to", "5"]),
        ({"filters": {"version": ">="}}, ["filters.version", "'>='", "value"]),
        ({"filters": {"version": None}}, ["filters.version", "must be text"]),
        ({"filters": {"version": {"a": 1}}}, ["filters.version", "'a'"]),
        ({"filters": [1]}, ["filters", "[1]"]),
        ({"fuzzy": {"enabled": True, "max_distance": 3}}, ["fuzzy.max_distance", "3", "2"]),
        ({"fuzzy": {"enabled": True, "max_distance": -1}}, ["fuzzy.max_distance", "-1", "0"]),
        ({"fuzzy": {"distance": 1}}, ["fuzzy.distance"]),
        ({"proximity": {"enabled": True, "max_distance": -1}}, ["proximity.max_distance", "-1"]),
        ({"query": "x" * 10_001}, ["query", "10000"]),
        ({"fields": {"name": "x" * 10_001}}, ["fields.name", "10000"]),
        ({"project_path": ""}, ["project_path"]),
        ({"query": None}, ["query", "must be text"]),
        ({"colour": "red"}, ["colour", "not a parameter"]),
    ],
)
def test_rye_search_refuses_what_it_cannot_do(
    refused: Refused, arguments: dict[str, Any], named: list[str]
) -> None:
    message = refused(**arguments)
    for word in named:
        assert word in message


def test_rye_search_finds_nothing_in_a_folder_that_does_not_exist(ask: Ask) -> None:
    for path in ("/nowhere/at/all", "nowhere\0", "x" * 4000):
        answer = ask("*", project_path=path)
        assert (answer["results"], answer["total"]) == ([], 0)


def test_rye_search_takes_objects_as_text_or_null(ask: Ask) -> None:
    found = project_ids(ask, fields='{"name": "bootsrap"}', fuzzy='{"enabled": true}', filters=None)
    assert found == {"setup/bootstrap"}


@pytest.mark.parametrize(
    "query",
    ["x" * 10_000, "a " * 5_000, "(" * 5_000, "a* " * 100, ":" * 10_000, "w:" * 5_000,
     "NOT " * 2_500, '"' * 999, "\\" * 9_999, "ё* AND ~2 ^3 {[", "\0\a file", "a~2 " * 50,
     "*a" * 5_000, "description:x " * 700, "name:(a OR NOT b) " * 500],
)  # fmt: skip
def test_rye_search_reads_any_text(ask: Ask, query: str) -> None:
    for more in ({}, {"fuzzy": {"enabled": True}, "fields": {"name": query, "title": query}}):
        assert ask(query, **more)["total"] >= 0


# Projects


def test_rye_search_goes_by_the_path_where_the_server_was_told_no_project(
    environment: dict[str, str], memory_of: Callable[[str], Memory], tmp_path: Path
) -> None:
    remote = "example.org/tests/profile-rye-path"
    tree = Tree(checkout(tmp_path / "here", remote))
    tree.tool("own/kiwi", description="A kiwi of its own.")
    memory_of(remote).import_("rye", tree.folder)
    (tmp_path / "elsewhere").mkdir()
    with agent_of(environment, tmp_path / "elsewhere", "--profile", "rye") as agent:

        def found(path: Path) -> list[str]:
            return ids(agent.call("rye_search", query="kiwi", scope="tool", project_path=str(path)))

        assert found(tree.folder) == ["own/kiwi"]
        assert found(tree.folder / ".ai" / "tools") == ["own/kiwi"]
        assert found(tmp_path / "elsewhere") == []


# Reading what was found


def test_rye_load_reads_an_item_of_the_first_space(agent: Agent, tmp_path: Path) -> None:
    path = str(tmp_path)
    loaded = agent.call(
        "rye_load", item_type="directive", item_id="setup/bootstrap", project_path=path
    )
    assert (loaded["source"], loaded["path"]) == ("project", ".ai/directives/setup/bootstrap.md")
    assert "Install what is missing." in loaded["content"]
    assert loaded["metadata"]["author"] == "Ada"
    older = agent.call(
        "rye_load", item_type="directive", item_id="setup/bootstrap", project_path=path,
        source="system",
    )  # fmt: skip
    assert older["metadata"]["description"] == "An older machine."


def test_rye_load_names_what_it_does_not_find(agent: Agent, tmp_path: Path) -> None:
    for path in (str(tmp_path), "/nowhere"):
        message = agent.refusal(
            "rye_load", item_type="tool", item_id="no/such", project_path=path, source="user"
        )
        assert "'no/such'" in message
        assert "user" in message
