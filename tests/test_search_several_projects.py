"""A search over several projects, or all of them, names the project of each hit."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from fakes import FakeEmbedder
from graphmem import cli
from graphmem.cli import session
from graphmem.errors import InvalidInput
from graphmem.memory import Memory
from graphmem.memory.access import Access
from graphmem.memory.searches import scopes
from graphmem.model import Answer
from graphmem.model.filters import MOST_PROJECTS_BY_NAME

MakeMemory = Callable[[str], Memory]


def hits(answer: Answer) -> set[tuple[str, str]]:
    return {(hit.project.rpartition("/")[2], hit.name) for hit in answer.hits}


@pytest.fixture
def three(memory_of: MakeMemory, project: str) -> list[Memory]:
    """Projects `a`, `b` and `c`, each with a quay, on which a boat of its own lies."""
    memories = [memory_of(f"{project}/{name}") for name in "abc"]
    for memory in memories:
        own = str(memory.project)[-1]
        memory.remember(
            [
                {"name": "Quay", "text": "A jetty of granite.", "tags": [own]},
                {"name": f"Boat {own}", "kind": "Ship"},
            ],
            [{"from": f"Boat {own}", "relation": "LIES_AT", "to": "Quay"}],
        )
    return memories


def names(three: list[Memory], *which: int) -> list[str]:
    return [str(three[number].project) for number in which]


def test_named_projects_are_searched_and_no_others(three: list[Memory]) -> None:
    answer = three[0].search("granite jetty", projects=names(three, 2, 0), scope="project")

    assert hits(answer) == {("a", "Quay"), ("c", "Quay"), ("a", "Boat a"), ("c", "Boat c")}
    assert (answer.project, answer.projects) == (names(three, 2)[0], tuple(names(three, 2, 0)))
    assert answer.to_json()["projects"] == names(three, 2, 0)


def test_links_are_followed_within_each_project(three: list[Memory]) -> None:
    answer = three[0].search("granite jetty", projects=names(three, 0, 1), scope="project")
    boats = {hit.name: hit.via[0].seed for hit in answer.hits if hit.kind == "Ship"}

    assert boats == {"Boat a": "Quay", "Boat b": "Quay"}
    assert answer.to_json()["hits"]


def test_filters_operators_and_listings_hold_over_all_of_them(three: list[Memory]) -> None:
    options: dict[str, Any] = {"projects": names(three, 0, 1), "scope": "project"}
    memory = three[2]

    assert hits(memory.search("granite", kinds=["Ship"], **options)) == {
        ("a", "Boat a"), ("b", "Boat b"),
    }  # fmt: skip
    strict = memory.search("granite AND jetty", expand=False, tags=["b"], **options)
    assert hits(strict) == {("b", "Quay")}
    assert hits(memory.search("", kinds=["Ship"], **options)) == {("a", "Boat a"), ("b", "Boat b")}
    recent = memory.recent(limit=3, **options)
    assert [hit.name for hit in recent.hits] == ["Boat b", "Quay", "Boat a"]
    rest = memory.recent(limit=3, cursor=recent.cursor, **options)
    assert (hits(rest), rest.projects) == ({("a", "Quay")}, tuple(names(three, 0, 1)))


def test_pages_of_several_projects_follow_each_other(three: list[Memory]) -> None:
    options: dict[str, Any] = {"projects": names(three, 0, 1, 2), "scope": "project", "limit": 2}
    first = three[0].search("granite jetty", **options)
    second = three[0].search("granite jetty", cursor=first.cursor, **options)

    assert not {hit.key for hit in first.hits} & {hit.key for hit in second.hits}
    with pytest.raises(InvalidInput, match="cursor"):
        three[0].search("granite jetty", **{**options, "projects": names(three, 0, 1)},
                        cursor=first.cursor)  # fmt: skip


def test_one_name_is_a_search_of_that_project(three: list[Memory]) -> None:
    answer = three[0].search("granite", projects=names(three, 1))
    same = three[0].search("granite", project=names(three, 1)[0])

    assert (answer.hits, answer.project, answer.projects) == (same.hits, same.project, ())
    assert three[0].search("granite", projects=names(three, 1, 1)).projects == ()


def test_all_projects_are_searched_the_own_first(three: list[Memory]) -> None:
    answer = three[1].search("granite jetty", projects="*", tags=["a", "b", "c"], limit=200)

    assert hits(answer) >= {("a", "Quay"), ("b", "Quay"), ("c", "Quay")}
    assert answer.project == names(three, 1)[0]
    assert set(names(three, 0, 1, 2)) <= set(answer.projects)
    assert not {"@user", "@system"} & set(answer.projects)


def test_a_bound_memory_searches_no_other_project(three: list[Memory]) -> None:
    own, other = names(three, 0, 1)
    bound = Memory(three[0].graph, three[0].model, own, access=Access(own, frozenset()))

    with pytest.raises(InvalidInput, match=r"projects\[1\] must be"):
        bound.search("granite", projects=[own, other])
    everything = bound.search("granite jetty", projects="*", scope="project")
    assert {hit.project for hit in everything.hits} == {own}
    assert everything.projects == ()


def test_a_limited_memory_searches_no_other_project_however_many_it_reaches(
    three: list[Memory],
) -> None:
    own, other = names(three, 0, 1)
    reach = [own, other, *(f"{own}/{number}" for number in range(MOST_PROJECTS_BY_NAME))]
    limited = three[0].limited(reach)
    options: dict[str, Any] = {"projects": "*", "scope": "project"}

    for answer in (
        limited.search("granite jetty", **options),
        limited.search("granite jetty", mode="keyword", **options),
        limited.search("granite jetty", tags=["a", "b", "c"], limit=200, **options),
        limited.search("granite AND jetty", expand=False, **options),
        limited.search("", tags=["a", "b", "c"], limit=200, **options),
        limited.recent(limit=200, **options),
    ):
        assert {hit.project for hit in answer.hits} == {own, other}
    with pytest.raises(InvalidInput, match="query must not be blank"):
        limited.search("", **options)


def test_a_limited_memory_is_offered_no_word_of_another_project(three: list[Memory]) -> None:
    word = "".join(chr(ord("a") + int(digit, 16)) for digit in names(three, 0)[0].split("/")[-2])
    three[2].remember([{"name": word}])
    misspelt = f"{word}q"
    alone = three[2].search(misspelt, mode="keyword", fuzzy_names=False)
    assert word in alone.notes[-1]

    limited = three[0].limited(
        [f"{names(three, 0)[0]}/{n}" for n in range(MOST_PROJECTS_BY_NAME + 1)]
    )
    answer = limited.search(misspelt, mode="keyword", fuzzy_names=False, projects="*")
    assert answer.notes == ()


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ([], r"projects must be a list of projects, or `\*` for all"),
        ("a", "projects must be a list of projects"),
        (7, "projects must be a list"),
        (["a", "b#c"], r"projects\[1\] must not contain"),
        (["a", 7], r"projects\[1\] must"),
        ([f"p{number}" for number in range(101)], "projects must be at most 100, got 101"),
    ],
)
def test_an_invalid_list_of_projects_is_refused(memory: Memory, value: Any, sentence: str) -> None:  # noqa: ANN401
    with pytest.raises(InvalidInput, match=sentence):
        memory.search("granite", projects=value)
    with pytest.raises(InvalidInput, match=sentence):
        memory.recent(projects=value)


def test_one_project_and_several_are_not_given_together(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="projects cannot be combined with project"):
        memory.search("granite", project="a", projects=["b", "c"])


def test_as_many_projects_as_allowed_and_the_longest_query_fit_into_a_statement(
    three: list[Memory],
) -> None:
    many = [*names(three, 0, 1), *(f"{three[0].project}/{number}" for number in range(98))]
    assert len(many) == scopes.MOST_PROJECTS
    words = " ".join(f"word{number}" for number in range(80))

    for query in (f"granite {words}", f"granite AND NOT ({words})", f'"a jetty" {words}'):
        answer = three[2].search(query, projects=many, kinds=["Thing"], tags=["a", "b"])
        assert hits(answer) == {("a", "Quay"), ("b", "Quay")}, query


def test_all_projects_may_be_more_than_can_be_named(
    three: list[Memory], memory_of: MakeMemory, project: str
) -> None:
    for number in range(scopes.MOST_PROJECTS + 5):
        memory_of(f"{project}/many/{number:03}").remember([{"name": "Pier", "tags": [project]}])
    layer = memory_of("@user")
    layer.remember([{"name": "Pier of all", "kind": "Thing", "tags": [project]}])

    for scope, more in (("project", set[str]()), ("layers", {"Pier of all"})):
        options: dict[str, Any] = {"projects": "*", "scope": scope, "tags": [project]}
        answer = three[0].search("pier", limit=200, **options)
        assert len(answer.hits) == scopes.MOST_PROJECTS + 5 + len(more)
        assert len({hit.project for hit in answer.hits}) == len(answer.hits)
        strict = three[0].search("pier AND NOT quay", limit=200, **options)
        assert {hit.name for hit in strict.hits} == {"Pier", *more}
        assert three[0].recent(**options).total == len(answer.hits)
    plain = three[0].search("pier", projects="*", scope="project", limit=200)
    assert {hit.name for hit in plain.hits} >= {"Pier"}
    assert not {hit.project for hit in plain.hits} & {"@user", "@system"}
    layer.forget("Pier of all")


# In the terminal


def test_the_terminal_names_the_project_of_each_hit(
    three: list[Memory], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(session, "embedder", lambda *_, **__: FakeEmbedder())
    a, b = names(three, 0, 1)
    both = ("--project", a, "--project", b, "--scope", "project")

    assert cli.main(["search", "granite", "--mode", "keyword", *both]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0] == f"4 hits in {a} and {b} for “granite”"
    assert f"Quay  Thing  in {a}  #a" in out
    assert f"Quay  Thing  in {b}  #b" in out

    assert cli.main(["recent", "--limit", "2", *both]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0] == f"2 of 4 entities in {a} and {b}, last changed first (UTC)"
    assert f"Boat b  Ship  in {b}" in out

    assert cli.main(["search", "granite", "--all-projects", "--json", "--tag", "a"]) == 0
    assert set(names(three, 0, 1, 2)) <= set(json.loads(capsys.readouterr().out)["projects"])
