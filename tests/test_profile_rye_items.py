"""`rye_search` by its parts: marks in words, nearness, fullness, what an item says of itself."""

import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fakes import FakeEmbedder
from graphmem.adapters.rye.profile.proximity import are_near
from graphmem.adapters.rye.profile.tools import Fuzzy as Forgiving
from graphmem.adapters.rye.profile.tools import Proximity, Tools
from graphmem.adapters.rye.profile.words import Text
from graphmem.errors import InvalidInput, NotFound
from graphmem.graph import Graph
from graphmem.lucene import Fuzzy, Pattern, Piece
from graphmem.memory import Memory
from memories import memory_with
from rye_items import Tree, ids

SAID = Text("Read rye/file-system/read in v1.2, and a file_system tool. fileSystem")
YAML_TOOL = "version: 1.2.0\ntool_type: graph\ndescription: Walks\n"


@pytest.fixture(scope="module")
def memory(graph: Graph, tmp_path_factory: pytest.TempPathFactory) -> Memory:
    """A memory whose project holds a tree."""
    memory = memory_with(FakeEmbedder(), graph, f"example.org/tests/{uuid.uuid4().hex}")
    tree = Tree(tmp_path_factory.mktemp("tree"))
    tree.knowledge("marks/one", body="Look at the file-system tools of v1.2 here.")
    tree.knowledge("marks/two", body="A system of one file, v1 alone.")
    tree.knowledge("marks/file-system/three", body="Nothing.")
    tree.knowledge("full/harbour", body="Nothing.")
    tree.knowledge("full/harbour_tool", body="Nothing.")
    tree.knowledge("full/a_harbour_tool", body="Nothing.")
    tree.knowledge("near/three", body="heron one two three egret one two three crane")
    tree.file("knowledge/near/two.md", "---\ntitle: Heron\n---\nAn egret.\n")
    tree.knowledge("near/beside", body="heron and egret")
    tree.knowledge("state/said", more="status: active\n")
    tree.knowledge("state/silent")
    tree.knowledge("state/old", more="status: Deprecated\n")
    tree.knowledge("topmost", category="harbours", body="Nothing.")
    tree.knowledge("split/content", body="An osprey by the lagoon.")
    tree.knowledge("split/osprey", title="Lagoon", body="Nothing.")
    tree.knowledge("letters/exact", body="Some cormorant.")
    tree.knowledge("letters/nearly", body="Some cormorent.")
    tree.tool("own/short", version="1.2.0")
    tree.tool("own/long", version="1.10.0")
    tree.file("tools/own/walk.yaml", YAML_TOOL)
    tree.file("tools/own/run.yaml", YAML_TOOL.replace("1.2.0", "1.10"))
    assert not memory.import_("rye", tree.folder).refused
    return memory


Search = Callable[..., dict[str, Any]]


@pytest.fixture
def search(memory: Memory, tmp_path: Path) -> Search:
    """The tool itself; knowledge where no scope is given."""
    tools = Tools(lambda: memory)

    def searched(query: str = "", scope: str = "knowledge", **more: Any) -> dict[str, Any]:  # noqa: ANN401 - the tool's own arguments
        return tools.rye_search(query, scope, str(tmp_path), limit=200, **more).model_dump()

    return searched


def pattern(written: str) -> Pattern:
    pieces: list[Piece] = []
    for mark in written:
        wild = mark in "*?"
        if pieces and not wild and not pieces[-1].wild:
            pieces[-1] = Piece(pieces[-1].text + mark)
        else:
            pieces.append(Piece(mark, wild=wild))
    return Pattern(tuple(pieces))


# Marks inside words


@pytest.mark.parametrize(
    ("written", "places"),
    [
        ("file-sys*", [2, 10]), ("*file-system*", [2, 10]), ("rye/file*", [1]), ("v1.*", [6]),
        ("v1.?", [6]), ("*/file-system/*", [1]), ("*-system", [2, 10]), ("file_sys*", [10]),
        ("read.*", []), ("in.*", []), ("system-file*", []), ("-read*", [0, 4]),
    ],
)  # fmt: skip
def test_a_pattern_with_marks_is_words_beside_each_other(written: str, places: list[int]) -> None:
    assert SAID.places(pattern(written)) == places


@pytest.mark.parametrize(
    ("written", "distance", "places"),
    [
        ("file-sytem", 1, [2, 10]), ("flie/sytem", 1, []), ("flie/sytem", 2, [2, 10]),
        ("file-sytem", 2, [2, 10]), ("a/b", 2, []), ("v2.2", 2, []), ("raed", 1, [0, 4]),
    ],
)  # fmt: skip
def test_letters_of_a_word_with_marks_may_differ_so_many_in_all(
    written: str, distance: int, places: list[int]
) -> None:
    assert SAID.places(Fuzzy(written, distance)) == places


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("file-sys*", {"marks/one", "marks/file-system/three"}),
        ("*file-system*", {"marks/one", "marks/file-system/three"}),
        ("marks/file*", {"marks/file-system/three"}),
        ("v1.*", {"marks/one"}),
        ("content:v1.*", {"marks/one"}),
        ("description:not* OR content:tool*", {"marks/one"}),
        ("f?le-sys* tools", {"marks/one"}),
        ("knowledge/no*", set()),
    ],
)
def test_rye_search_finds_patterns_with_marks(search: Search, query: str, found: set[str]) -> None:
    answer = search(query, scope="knowledge.marks")
    assert (set(ids(answer)), answer.get("notes")) == (found, None)


def test_rye_search_takes_patterns_and_nearly_words_in_its_fields(search: Search) -> None:
    for query in ("content:tool*", "content:toosl~2"):
        answer = search(query, scope="knowledge.marks")
        assert (ids(answer), answer.get("notes")) == (["marks/one"], None)


def test_rye_search_forgives_letters_in_words_with_marks(search: Search) -> None:
    found = search("file-sytem", scope="knowledge.marks", fuzzy=Forgiving(enabled=True))
    assert set(ids(found)) == {"marks/one", "marks/file-system/three"}
    assert search("file-sytem")["total"] == 0


# Order


def test_rye_search_puts_the_fullest_field_first(search: Search) -> None:
    found = search(fields={"name": "harbour"})
    assert ids(found) == ["full/harbour", "full/harbour_tool", "full/a_harbour_tool"]
    scores = [result["score"] for result in found["results"]]
    assert scores == sorted(set(scores), reverse=True)
    assert ids(search(fields={"name": "harb*"}))[0] == "full/harbour"


def test_rye_search_counts_a_nearly_word_less_than_the_word(search: Search) -> None:
    found = search("cormorent", fuzzy=Forgiving(enabled=True))
    assert ids(found) == ["letters/nearly", "letters/exact"]
    found = search("cormorant", fuzzy=Forgiving(enabled=True))
    assert ids(found) == ["letters/exact", "letters/nearly"]
    first, second = (result["score"] for result in found["results"])
    assert second < first


def test_rye_search_puts_any_one_field_above_the_two_best_together(search: Search) -> None:
    assert ids(search("osprey lagoon")) == ["split/content", "split/osprey"]


# Nearness


@pytest.mark.parametrize(
    ("sets", "distance", "found"),
    [
        ([[0], [6]], 5, True),
        ([[0], [7]], 5, False),
        ([[6], [0], [12]], 5, False),
        ([[3], [0], [6]], 5, True),
        ([[0, 20], [26], [21]], 5, True),
        ([[0], []], 5, False),
        ([[4], [4]], 0, True),
    ],
)
def test_terms_are_near_where_any_two_are(
    sets: list[list[int]],
    distance: int,
    found: bool,  # noqa: FBT001 - a table
) -> None:
    assert are_near(sets, distance) is found


@pytest.mark.parametrize(
    ("query", "distance", "found"),
    [
        ("heron egret", 5, {"near/three", "near/beside"}),
        ("heron egret", 1, {"near/beside"}),
        ("heron egret crane", 7, {"near/three"}),
        ("egret heron crane", 6, set()),
        ("heron egret crane", 500, {"near/three"}),
        ("heron OR egret", 1, {"near/beside"}),
        ("(heron egret) OR crane", 1, {"near/beside", "near/three"}),
        ("heron (crane OR egret)", 1, {"near/beside"}),
        ("content:(heron egret)", 1, {"near/beside"}),
        ("title:heron content:egret", 0, {"near/two"}),
        ("heron egret NOT crane", 5, {"near/beside"}),
    ],
)
def test_rye_search_wants_all_terms_near_each_other(
    search: Search, query: str, distance: int, found: set[str]
) -> None:
    near = Proximity(enabled=True, max_distance=distance)
    answer = search(query, scope="knowledge.near", proximity=near)
    assert set(ids(answer)) == found
    assert "proximity" not in str(answer.get("notes")) or query == "title:heron content:egret"


def test_rye_search_wants_the_terms_of_a_field_near_each_other(search: Search) -> None:
    near = Proximity(enabled=True, max_distance=1)
    found = search(fields={"content": "heron egret"}, proximity=near)
    assert ids(found) == ["near/beside"]
    forgiving = Forgiving(enabled=True)
    found = search(fields={"content": "heron egrets"}, proximity=near, fuzzy=forgiving)
    assert ids(found) == ["near/beside"]


@pytest.mark.parametrize("query", ["heron", "", '"heron and"', "NOT heron"])
def test_rye_search_says_that_nearness_needs_two_terms(search: Search, query: str) -> None:
    answer = search(query, proximity=Proximity(enabled=True))
    assert answer["notes"] == ["proximity needs two terms; it was ignored"]
    assert answer["total"] == search(query)["total"]


# What an item says of itself


@pytest.mark.parametrize(
    ("status", "found"),
    [
        ("active", {"state/said"}),
        ("!active", {"state/silent"}),
        ("deprecated", {"state/old"}),
        ("draft", set()),
    ],
)
def test_rye_search_takes_a_status_that_was_never_said_for_missing(
    search: Search, status: str, found: set[str]
) -> None:
    answer = search(scope="knowledge.state", filters={"status": status})
    assert set(ids(answer)) == found


def test_rye_search_hides_the_dead_whatever_the_case_of_their_status(
    search: Search, memory: Memory, tmp_path: Path
) -> None:
    assert set(ids(search(scope="knowledge.state"))) == {"state/said", "state/silent"}
    with pytest.raises(Exception, match="state/old"):
        Tools(lambda: memory).rye_load("knowledge", "state/old", str(tmp_path))


def test_rye_search_knows_the_category_that_an_item_without_a_folder_says(search: Search) -> None:
    for more in (
        {"filters": {"category": "Harbours"}},
        {"filters": {"category": ["harbours"]}},
        {"filters": {"category": ["!x"], "name": "topmost"}},
        {"fields": {"category": "harbours"}},
    ):
        answer = search(**more)
        assert ids(answer) == ["topmost"]
        assert answer["results"][0]["category"] == "harbours"


def test_rye_search_compares_versions_of_tools_in_python_and_yaml(search: Search) -> None:
    found = search(scope="tool.own", filters={"version": ">=1.10"})
    assert set(ids(found)) == {"own/long", "own/run"}


# Renamed items


@pytest.fixture
def renamed(memory_of: Callable[[str], Memory]) -> tuple[Memory, str]:
    """A memory with an item that was renamed from `NAME/old` to `NAME/new`, and NAME."""
    memory, name = memory_of(f"example.org/tests/{uuid.uuid4().hex}"), f"n{uuid.uuid4().hex}"
    memory.remember([{"name": f"tool/{name}/old", "kind": "Tool", "text": "Reads a heron."}])
    memory.rename(f"tool/{name}/old", f"tool/{name}/New")
    return memory, name


@pytest.mark.parametrize("asked", ["New", "new", "old"])
def test_rye_load_reads_a_renamed_item_by_either_id(
    renamed: tuple[Memory, str], tmp_path: Path, asked: str
) -> None:
    memory, name = renamed
    tools = Tools(lambda: memory)
    (found,) = tools.rye_search("heron", "tool", str(tmp_path), space="project").results
    assert found.id == f"{name}/New"
    loaded = tools.rye_load("tool", f"{name}/{asked}", str(tmp_path))
    assert (loaded.id, loaded.content) == (f"{name}/New", "Reads a heron.")


def test_rye_load_prefers_an_item_of_the_id_to_one_that_was_renamed_from_it(
    renamed: tuple[Memory, str], tmp_path: Path
) -> None:
    memory, name = renamed
    tools = Tools(lambda: memory)
    memory.remember([{"name": f"tool/{name}/old", "kind": "Tool", "text": "x"}], project="@user")
    loaded = tools.rye_load("tool", f"{name}/old", str(tmp_path))
    assert (loaded.source, loaded.id) == ("user", f"{name}/old")
    assert tools.rye_load("tool", f"{name}/old", str(tmp_path), "project").id == f"{name}/New"


def test_rye_load_gives_no_entity_that_is_no_item_of_the_type_any_more(
    renamed: tuple[Memory, str], tmp_path: Path
) -> None:
    memory, name = renamed
    memory.rename(f"tool/{name}/New", f"Heron {name}")
    for asked in ("New", "old"):
        with pytest.raises(NotFound, match=f"{name}/{asked}"):
            Tools(lambda: memory).rye_load("tool", f"{name}/{asked}", str(tmp_path))


# Arguments


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"limit": 201}, "limit must be from 1 to 200, got 201"),
        ({"limit": 0}, "limit must be from 1 to 200, got 0"),
        (
            {"fuzzy": Forgiving(enabled=True, max_distance=3)},
            "fuzzy.max_distance must be from 0 to 2, got 3",
        ),
    ],
)
def test_an_error_about_a_range_names_both_bounds(
    memory: Memory, more: dict[str, Any], said: str
) -> None:
    with pytest.raises(InvalidInput) as raised:
        Tools(lambda: memory).rye_search("x", "tool", "/", **more)
    assert str(raised.value) == said
