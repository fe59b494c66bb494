"""Searches without a question list what passes the filters, last changed first."""

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest

from graphmem import cli, text
from graphmem.errors import InvalidInput
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.model import Answer
from graphmem.model.filters import Filters
from graphmem.search import cursor as cursors
from graphmem.search.plan import Plan

LONG_AGO = "1999-12-31"


def names(answer: Answer) -> list[str]:
    return [hit.name for hit in answer.hits]


def recent(memory: Memory, **options: Any) -> Answer:  # noqa: ANN401 - those of `Memory.recent`
    """What changed last in the memory's own project; other tests write to the layers."""
    return memory.recent(scope="project", **options)


@pytest.fixture
def dated(memory: Memory) -> Memory:
    """Five entities that were remembered one after the other, of which one is forgotten."""
    said: list[dict[str, Any]] = [
        {"name": "Quay", "kind": "Place", "tags": ["Stone"], "text": "Boats lie here.",
         "created_at": LONG_AGO, "attributes": {"cost": 5}},
        {"name": "Boat", "kind": "Ship", "observations": ["It leaks.", "It was mended."]},
        {"name": "Crane", "kind": "Machine", "tags": ["iron"], "attributes": {"cost": 9}},
        {"name": "Wreck", "kind": "Ship"},
        {"name": "Rope", "kind": "Thing", "tags": ["hemp", "stone"]},
    ]  # fmt: skip
    for entity in said:
        memory.remember([entity])
    memory.forget("Wreck")
    return memory


def test_what_changed_last_comes_first_and_the_forgotten_are_left_out(dated: Memory) -> None:
    answer = recent(dated)

    assert names(answer) == ["Rope", "Crane", "Boat", "Quay"]
    assert (answer.total, answer.total_exact, answer.cursor) == (4, True, None)
    assert (answer.query, answer.project) == ("", dated.project)
    assert names(recent(dated, status=["forgotten"])) == ["Wreck"]


def test_a_change_moves_an_entity_to_the_front(dated: Memory) -> None:
    dated.remember([{"name": "Quay", "title": "The old quay"}])
    assert names(recent(dated))[0] == "Quay"

    dated.remember([{"name": "Boat", "kind": "Ship"}])  # changes nothing
    assert names(recent(dated))[0] == "Quay"


def test_a_hit_is_direct_scores_nothing_and_has_its_first_passages(dated: Memory) -> None:
    boat = recent(dated, kinds=["ship"]).hits[0]

    assert (boat.origin, boat.score, boat.via, boat.explanation) == ("direct", 0.0, (), None)
    assert [passage.text for passage in boat.passages] == ["It leaks.", "It was mended."]
    assert recent(dated, detail="names").hits[0].passages == ()


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"kinds": ["PLACE", "ship"]}, ["Boat", "Quay"]),
        ({"tags": ["stone"]}, ["Rope", "Quay"]),
        ({"until": LONG_AGO}, ["Quay"]),
        ({"since": "2000-01-01"}, ["Rope", "Crane", "Boat"]),
        ({"where": {"attributes": {"cost": {">": 5}}}}, ["Crane"]),
        ({"where": {"attributes": {"cost": 5}}}, ["Quay"]),
        ({"where": {"tags_none": ["stone"]}}, ["Crane", "Boat"]),
        ({"where": {"updated_at": {"<": LONG_AGO}}}, []),
        ({"where": {"lacks_relation": "HOLDS"}}, ["Rope", "Crane", "Boat", "Quay"]),
    ],
)
def test_filters_are_those_of_a_search(
    dated: Memory, filters: dict[str, Any], expected: list[str]
) -> None:
    assert names(recent(dated, **filters)) == expected
    assert names(dated.search("", scope="project", **filters)) == expected
    assert names(dated.search(" \n", scope="project", **filters)) == expected


def test_pages_follow_each_other_and_the_same_cursor_gives_the_same_page(dated: Memory) -> None:
    first = recent(dated, limit=2)
    second = recent(dated, limit=2, cursor=first.cursor)

    assert (names(first), names(second)) == (["Rope", "Crane"], ["Boat", "Quay"])
    assert (second.total, second.cursor) == (4, None)
    assert recent(dated, limit=2, cursor=first.cursor).hits == second.hits
    assert recent(dated, limit=2).hits == first.hits


def test_a_page_goes_on_where_the_one_before_ended_whatever_changes(dated: Memory) -> None:
    first = recent(dated, limit=2)
    dated.remember([{"name": "Crane", "title": "The new crane"}, {"name": "Anchor"}])

    assert names(recent(dated, limit=2, cursor=first.cursor)) == ["Boat", "Quay"]


def test_entities_of_one_moment_are_ordered_by_key_over_pages(memory: Memory) -> None:
    memory.remember([{"name": f"{number:02}"} for number in range(25)])
    seen: list[str] = []
    cursor = None
    while True:
        answer = recent(memory, limit=4, cursor=cursor)
        seen += names(answer)
        cursor = answer.cursor
        if cursor is None:
            break

    assert seen == [f"{number:02}" for number in range(25)]


def test_an_empty_project_has_no_hits_and_no_next_page(memory: Memory) -> None:
    assert (recent(memory).hits, recent(memory).total, recent(memory).cursor) == ((), 0, None)
    assert memory.search("", kinds=["Ship"]).total == 0


def test_layers_are_listed_as_they_are_searched(
    memory: Memory, memory_of: Callable[[str], Memory]
) -> None:
    layer = memory_of("@user")
    layer.remember([{"name": "Habit of all projects", "tags": [str(memory.project)]}])
    memory.remember([{"name": "Own", "tags": [str(memory.project)]}])
    tags = [str(memory.project)]

    assert names(memory.recent(tags=tags)) == ["Own", "Habit of all projects"]
    assert names(memory.recent(tags=tags, scope="project")) == ["Own"]
    layer.forget("Habit of all projects")


def test_a_recent_listing_is_one_statement(dated: Memory, graph: Graph) -> None:
    before = graph.statements
    recent(dated, kinds=["Ship"])
    assert graph.statements == before + 1


def test_what_was_edited_by_hand_is_listed(dated: Memory, session: Any) -> None:  # noqa: ANN401
    session.run(
        "MATCH (entity:Entity {project: $project}) WHERE entity.name = 'Rope'"
        " SET entity.updated_at = null RETURN count(*)",
        project=dated.project,
    ).consume()

    assert names(recent(dated)) == ["Crane", "Boat", "Quay", "Rope"]
    assert recent(dated).hits[-1].updated_at is None


# What is refused


@pytest.mark.parametrize("query", ["", " ", "\n\t"])
def test_a_blank_query_without_filters_is_an_error_that_names_the_way(
    memory: Memory, query: str
) -> None:
    with pytest.raises(InvalidInput, match="query must not be blank") as raised:
        memory.search(query, limit=5, scope="project")
    assert "lists what changed last" in str(raised.value)
    with pytest.raises(InvalidInput, match="query must not be blank"):
        memory.context(query, kinds=["Ship"])


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"sort": "name"}, "sort must be date if there is no query, got 'name'"),
        ({"min_score": 0.5}, "min_score must be 0 if there is no query, got 0.5"),
        ({"limit": 0}, "limit must be from 1 to 200, got 0"),
        ({"cursor": "x"}, "cursor must be the `cursor` of an answer to the same search"),
    ],
)
def test_options_that_need_a_query_are_refused(
    memory: Memory, options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        memory.search("", kinds=["Ship"], **options)


def test_an_unknown_option_is_an_error(memory: Memory) -> None:
    with pytest.raises(TypeError, match="recent has no option mode"):
        memory.recent(mode="keyword")  # type: ignore[call-arg] # the point


def test_the_cursor_of_other_filters_or_of_a_search_is_refused(dated: Memory) -> None:
    listing = recent(dated, limit=1).cursor
    search = dated.search("boat quay crane rope", limit=1).cursor
    assert listing
    assert search

    with pytest.raises(InvalidInput, match="cursor"):
        recent(dated, limit=1, kinds=["Ship"], cursor=listing)
    with pytest.raises(InvalidInput, match="cursor"):
        dated.recent(cursor=search)
    with pytest.raises(InvalidInput, match="cursor"):
        dated.search("boat quay crane rope", cursor=listing)


@pytest.mark.parametrize(
    "fields",
    [
        ["changed"],
        {"changed": 1},
        ["changed", "DIGEST", 2**63, "key"],
        ["changed", "DIGEST", 1.5, "key"],
        ["changed", "DIGEST", 1, None],
        ["reranked", "DIGEST", 1, "key"],
        ["changed", "another", 1, "key"],
        ["changed", "DIGEST", 1, "key"],
    ],
)
def test_a_made_up_cursor_is_refused(fields: Any) -> None:  # noqa: ANN401 - whatever JSON holds
    filters = Filters(("p",))
    good = cursors.encode_change(filters, Plan(), cursors.ChangePosition(1, "key"))
    digest = text.digest(filters, Plan().at, Plan().as_of)
    written = json.dumps(fields).replace("DIGEST", digest).encode()

    assert cursors.decode_change(good, filters, Plan()) == cursors.ChangePosition(1, "key")
    with pytest.raises(InvalidInput, match="cursor must be"):
        cursors.decode_change(base64.urlsafe_b64encode(written).decode(), filters, Plan())


# In the terminal


def test_the_terminal_lists_the_day_of_each_change(
    dated: Memory, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GRAPHMEM_PROJECT", str(dated.project))
    changed = recent(dated, limit=1).hits[0].updated_at
    assert changed is not None

    assert cli.main(["recent", "--limit", "1", "--scope", "project"]) == 0
    output = capsys.readouterr()
    assert output.out.splitlines() == [
        f"1 of 4 entities in {dated.project}, last changed first (UTC)",
        "",
        f"{changed:%Y-%m-%d %H:%M}  Rope  Thing  #hemp #stone",
        "                  Rope",
    ]
    assert "raise --limit" in output.err

    place = ["search", "", "--kind", "place", "--detail", "full", "--scope", "project"]
    assert cli.main(place) == 0
    listed = capsys.readouterr().out
    assert "- Boats lie here." in listed
    assert "Note: without a query, these are the entities that pass the filters" in listed

    assert cli.main(["recent", "--kind", "Nothing"]) == 1
    unknown = "\nNote: no entity is of the kind Nothing; there are Ship, Thing, Machine, Place.\n"
    nothing = f"No entities in {dated.project} pass the filters.\n"
    assert capsys.readouterr().out == nothing + unknown
    assert cli.main(["search", "", "--kind", "Nothing"]) == 1
    assert capsys.readouterr().out == nothing + unknown
    assert cli.main(["search", ""]) == 2
