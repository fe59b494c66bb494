"""Wide entities: what would be repeated too often stands once, and every search knows it."""

from collections.abc import Callable
from typing import Any

import neo4j
import pytest

from fakes import FakeEmbedder, vector
from graphmem import text
from graphmem.embedding import document
from graphmem.memory import Memory
from graphmem.search import Weights
from graphmem.write.assertions import shared

PROJECT = "example.org/tests/wide"
NEIGHBOUR = "example.org/tests/wide-neighbour"
QUERY = "harbour berth engine"
PASSAGES = 6


def boat(number: int, **fields: object) -> dict[str, Any]:
    """A boat of several passages; every fifth is rare."""
    rare = number % 5 == 0
    return {
        "name": f"Boat {number}",
        "kind": "Rare" if rare else "Common",
        "title": f"The vessel {number}",
        "category": "docs/rare/deep" if rare else "docs/common",
        "aliases": [f"Hull {number}", f"Keel {number}"],
        "tags": ["every", "seldom" if rare else "often"],
        "attributes": {
            "owner": "Ops" if rare else "dev",
            "cost": number,
            "path": f"src/{'rare' if rare else 'common'}/{number}/file.py",
            "labels": ["one", "two"] if rare else ["one"],
        },
        "observations": [
            f"harbour berth engine {part} of number {number} lies at pier {number % 7}"
            for part in range(PASSAGES)
        ],
        **fields,
    }


BOATS = range(40)
RARE = {f"Boat {number}" for number in BOATS if number % 5 == 0}
ALL = {f"Boat {number}" for number in BOATS}


@pytest.fixture(scope="module")
def boats(memory_of: Callable[[str], Memory]) -> Memory:
    """A project, and one beside it, in which every boat is wide; and two that are not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shared, "REPEATED_BYTES", 0)
        memory = memory_of(PROJECT)
        memory.remember(
            [boat(number) for number in BOATS],
            [{"from": "Boat 2", "relation": "TOWS", "to": "Boat 5"}],
        )
        memory_of(NEIGHBOUR).remember([boat(number) for number in BOATS])
    memory.remember(
        [
            {"name": "Buoy", "text": QUERY, "tags": ["buoy"], "kind": "Mark"},
            {"name": "Crane", "text": "lifts", "tags": ["seldom"], "attributes": {"owner": "ops"}},
        ]
    )
    return memory


def key_of(memory: Memory) -> str:
    return text.key(memory.project_name(None), "Boat 1")


def passages(session: neo4j.Session, key: str) -> list[dict[str, Any]]:
    return session.run(
        "MATCH (:Entity {key: $key})-[:HAS_PASSAGE]->(passage)"
        " RETURN passage {.*, node: elementId(passage)} AS passage"
        " ORDER BY passage.position",
        key=key,
    ).value("passage")


def names(memory: Memory, query: str, options: dict[str, Any]) -> set[str]:
    answer = memory.search(query, limit=100, expand=False, **options)
    assert {hit.project for hit in answer.hits} <= {PROJECT}
    return {hit.name for hit in answer.hits}


# What is found

FILTERS: dict[str, tuple[dict[str, Any], set[str]]] = {
    "nothing": ({}, ALL | {"Buoy"}),
    "kind": ({"kinds": ["rare"]}, RARE),
    "tag": ({"tags": ["Seldom"]}, RARE),
    "any tag": ({"tags": ["seldom", "buoy"]}, RARE | {"Buoy"}),
    "all tags": ({"where": {"tags_all": ["every", "seldom"]}}, RARE),
    "all tags, one of none": ({"where": {"tags_all": ["every", "buoy"]}}, set()),
    "no tag": ({"where": {"tags_none": ["seldom"]}}, ALL - RARE | {"Buoy"}),
    "category": ({"where": {"category": "docs/rare/deep"}}, RARE),
    "category below a path": ({"where": {"category": {"under": "docs/rare"}}}, RARE),
    "attribute": ({"where": {"attributes": {"owner": "ops"}}}, RARE),
    "attribute, not": (
        {"where": {"attributes": {"owner": {"!=": "ops"}}}},
        ALL - RARE | {"Buoy"},
    ),
    "attribute, number": ({"where": {"attributes": {"cost": 7}}}, {"Boat 7"}),
    "attribute, item of a list": ({"where": {"attributes": {"labels": "two"}}}, RARE),
    "attribute, less": (
        {"where": {"attributes": {"cost": {"<": 3}}}},
        {"Boat 0", "Boat 1", "Boat 2"},
    ),
    "path": ({"where": {"attributes": {"path": {"under": "src/rare"}}}}, RARE),
    "path, whole segments": ({"where": {"attributes": {"path": {"under": "src/rar"}}}}, set()),
    "name below a path": ({"where": {"name": {"under": "boat 17"}}}, {"Boat 17"}),
    "several": (
        {
            "kinds": ["Rare"],
            "tags": ["every"],
            "where": {"attributes": {"owner": "ops", "cost": [5, 6]}, "tags_none": ["often"]},
        },
        {"Boat 5"},
    ),
}


@pytest.mark.parametrize("case", FILTERS)
@pytest.mark.parametrize("mode", ["hybrid", "keyword", "semantic"])
def test_a_filter_finds_exactly_the_wide_entities_that_pass(
    boats: Memory, case: str, mode: str
) -> None:
    filters, wanted = FILTERS[case]

    assert names(boats, QUERY, filters | {"mode": mode}) - {"Crane"} == wanted


@pytest.mark.parametrize("case", FILTERS)
def test_a_filter_finds_the_same_with_operators(boats: Memory, case: str) -> None:
    filters, wanted = FILTERS[case]

    assert names(boats, "+harbour AND engine", filters) == wanted


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("tag:seldom AND harbour", RARE),
        ("harbour NOT tag:seldom", ALL - RARE | {"Buoy"}),
        ("owner:ops AND harbour", RARE),
        ('alias:"Hull 7"', {"Boat 7"}),
        ("title:vessel AND harbour", ALL),
        ("name:boat AND kind:rare", RARE),
        ('"berth engine 3 of number 9"', {"Boat 9"}),
        # In two of its passages.
        ('"engine 0 of number 12" AND "engine 5 of number 12"', {"Boat 12"}),
    ],
)
def test_operators_look_at_everything_a_wide_entity_says(
    boats: Memory, query: str, wanted: set[str]
) -> None:
    assert names(boats, query, {}) == wanted


@pytest.mark.parametrize("name", ["Boat 7", "Hull 7", "keel 7", "The vessel 7"])
@pytest.mark.parametrize("options", [{}, {"tags": ["often"]}, {"kinds": ["common"]}])
def test_a_wide_entity_is_found_by_its_names(
    boats: Memory, name: str, options: dict[str, Any]
) -> None:
    hit = boats.search(f"what of {name}?", expand=False, **options).hits[0]

    assert (hit.name, hit.project, hit.matched.name > 0) == ("Boat 7", PROJECT, True)


def test_a_name_of_a_wide_entity_that_does_not_pass_finds_nothing(boats: Memory) -> None:
    assert "Boat 7" not in names(boats, "what of Hull 7?", {"tags": ["seldom"]})


def test_few_wide_entities_that_pass_are_found_among_many_that_do_not(boats: Memory) -> None:
    """Every one of the pool's passages is of a wide entity; few of them pass."""
    for mode in ("hybrid", "keyword", "semantic"):
        answer = boats.search(
            QUERY, mode=mode, limit=3, expand=False, where={"attributes": {"cost": [33, 37, 39]}}
        )
        assert {hit.name for hit in answer.hits} == {"Boat 33", "Boat 37", "Boat 39"}


def test_links_lead_to_wide_entities_that_pass(boats: Memory) -> None:
    def reached(tag: str) -> set[str]:
        hits = boats.search("what of Hull 2?", limit=100, tags=[tag]).hits
        return {hit.name for hit in hits if hit.matched.link > 0}

    assert "Boat 5" in reached("every")
    assert "Boat 5" not in reached("often")


def test_a_wide_entity_ranks_as_a_narrow_one_whose_passage_is_the_same(
    boats: Memory, memory_of: Callable[[str], Memory]
) -> None:
    """What its best passage gives by meaning does not hang on where the filter tokens stand."""
    narrow = memory_of("example.org/tests/not-wide")
    narrow.remember([boat(number) for number in BOATS])
    # Each project has a background of its own.
    weights = Weights(cosine_low=0.3, cosine_high=0.9)
    options: dict[str, Any] = {
        "mode": "semantic", "limit": 100, "expand": False, "weights": weights,
    }  # fmt: skip

    def scores(memory: Memory) -> dict[str, float]:
        answer = memory.search(QUERY, tags=["seldom"], **options)
        return {hit.name: hit.score for hit in answer.hits if hit.name != "Crane"}

    assert scores(boats) == pytest.approx(scores(narrow))


# What is stored


def test_a_small_entity_repeats_its_fields_on_each_passage(
    memory: Memory, session: neo4j.Session
) -> None:
    memory.remember([boat(1)])

    found = passages(session, key_of(memory))

    assert len(found) == PASSAGES
    assert {passage["alias"] for passage in found} == {"Hull 1\nKeel 1"}
    assert len({passage["filters"] for passage in found}) == 1
    assert text.WIDE not in found[0]["filters"]


def test_a_wide_entity_has_its_fields_on_one_passage(
    memory: Memory, session: neo4j.Session
) -> None:
    tags = [f"a tag of some length, number {number}" for number in range(1000)]
    memory.remember([boat(1, tags=tags, observations=[f"part {n}" for n in range(20)])])

    first, *others = passages(session, key_of(memory))

    assert first["tag"] == "\n".join(tags)
    assert len(first["filters"].split()) > 1000
    assert text.WIDE in first["filters"]
    assert {(passage.get("tag"), passage.get("alias")) for passage in others} == {(None, None)}
    assert {passage["names"] for passage in others} == {"Boat 1\nThe vessel 1"}
    assert max(len(passage["filters"].split()) for passage in others) == 7
    assert all(text.WIDE in passage["filters"] for passage in others)
    assert tagged(memory, tags[777]) == ["Boat 1"]


def tagged(memory: Memory, tag: str) -> list[str]:
    return [hit.name for hit in memory.search("harbour part", tags=[tag]).hits]


def test_a_long_title_is_not_repeated_on_thousands_of_passages(
    memory: Memory, session: neo4j.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "REPEATED_BYTES", 0)
    memory.remember([boat(1, title="long " * 50)])

    found = passages(session, key_of(memory))

    assert [passage.get("title") is None for passage in found] == [False, *[True] * (PASSAGES - 1)]
    assert {passage["name"] for passage in found} == {"Boat 1"}


def test_an_entity_becomes_wide_and_narrow_again(
    memory: Memory, session: neo4j.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = key_of(memory)
    memory.remember([boat(1)])
    before = passages(session, key)
    monkeypatch.setattr(shared, "REPEATED_BYTES", 0)
    memory.remember([{"name": "Boat 1", "tags": ["more"]}])
    assert [passage.get("tag") is None for passage in passages(session, key)] == [
        False,
        *[True] * 5,
    ]
    assert tagged(memory, "more") == ["Boat 1"]

    monkeypatch.undo()
    memory.remember([boat(1)], overwrite=True)

    after = passages(session, key)
    again = {"created_at": None, "node": None}
    assert [passage | again for passage in after] == [passage | again for passage in before]


def test_an_entity_of_the_older_layout_is_converted_by_its_next_write(
    memory: Memory, session: neo4j.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Earlier every passage repeated everything, however much it was."""
    key = key_of(memory)
    memory.remember([boat(1)])
    before = memory.get("Boat 1")
    monkeypatch.setattr(shared, "REPEATED_BYTES", 0)
    assert tagged(memory, "often") == ["Boat 1"]

    assert memory.remember([boat(1)]).items[0].outcome == "updated"

    assert [passage.get("tag") is None for passage in passages(session, key)] == [
        False,
        *[True] * 5,
    ]
    assert memory.get("Boat 1")[0].to_json() == before[0].to_json() | {
        "updated_at": memory.get("Boat 1")[0].to_json()["updated_at"]
    }
    assert memory.remember([boat(1)]).items[0].outcome == "unchanged"
    assert tagged(memory, "often") == ["Boat 1"]


# What is touched


def touched(session: neo4j.Session, key: str, change: Callable[[], object]) -> int:
    """How many passages a change writes: a write of a shared field takes the mark away."""
    session.run(
        "MATCH (:Entity {key: $key})-[:HAS_PASSAGE]->(passage)"
        " SET passage.alias = 'marked', passage.position = passage.position",
        key=key,
    ).consume()
    change()
    return sum(passage.get("alias") != "marked" for passage in passages(session, key))


@pytest.mark.parametrize("repeated", [0, shared.REPEATED_BYTES])
def test_adding_an_observation_writes_one_passage(
    memory: Memory,
    session: neo4j.Session,
    embedder: FakeEmbedder,
    monkeypatch: pytest.MonkeyPatch,
    repeated: int,
) -> None:
    monkeypatch.setattr(shared, "REPEATED_BYTES", repeated)
    many = [f"noted {number}" for number in range(300)]
    memory.remember([boat(1, observations=many)])
    key = key_of(memory)
    nodes = [passage["node"] for passage in passages(session, key)]
    embedded = len(embedder.embedded)

    def note() -> None:
        memory.remember([{"name": "Boat 1", "observations": ["a thing of today"]}])

    assert touched(session, key, note) == 1
    assert [passage["node"] for passage in passages(session, key)[:-1]] == nodes
    assert len(embedder.embedded) == embedded + 1
    assert memory.search("thing of today").hits[0].passages[0].text == "a thing of today"
    assert memory.search('"thing of today" AND "noted 299"').count == 1


def test_adding_a_tag_to_a_wide_entity_writes_its_first_passage_alone(
    memory: Memory, session: neo4j.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "REPEATED_BYTES", 0)
    memory.remember([boat(1)])

    def tag() -> None:
        memory.remember([{"name": "Boat 1", "tags": ["new"]}])

    assert touched(session, key_of(memory), tag) == 1
    assert tagged(memory, "new") == ["Boat 1"]


def test_another_title_embeds_the_passages_again_and_keeps_them(
    memory: Memory, session: neo4j.Session
) -> None:
    memory.remember([boat(1)])
    key = key_of(memory)
    before = passages(session, key)

    memory.remember([{"name": "Boat 1", "title": "A ferry"}])

    after = passages(session, key)
    assert [passage["node"] for passage in after] == [passage["node"] for passage in before]
    assert [passage["text"] for passage in after] == [passage["text"] for passage in before]
    assert {passage["title"] for passage in after} == {"A ferry"}
    assert not {passage["digest"] for passage in after} & {passage["digest"] for passage in before}
    assert all("pending" not in passage for passage in after)
    titled = [document("Boat 1", "A ferry", passage["text"]) for passage in after]
    assert [passage["embedding"] for passage in after] == [
        pytest.approx(vector(title, 384), abs=1e-6) for title in titled
    ]


def test_true_replaces_1_and_floats_replace_integers(memory: Memory) -> None:
    memory.remember([{"name": "A", "attributes": {"one": 1, "many": [1, 2]}}])

    memory.remember([{"name": "A", "tags": ["x"], "attributes": {"one": True, "many": [1.0, 2.0]}}])

    found = memory.get("A")[0].entity.attributes
    assert (found["one"] is True, repr(found["many"])) == (True, "[1.0, 2.0]")
