"""Searches find entities, observations and relations while they hold."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from ferries import SPRING, hit_names, names, periods, remember_ferry, texts
from graphmem.errors import InvalidInput
from graphmem.memory import Memory
from graphmem.model import Answer


@pytest.fixture
def ferry(memory: Memory) -> Memory:
    return remember_ferry(memory)


SPRING_DAYS = (date(2024, 3, 1), date(2024, 5, 31))
APRIL, JUNE = "2024-04-15", "2024-06-15"


# Whether something holds


# What a search finds


def test_a_search_finds_only_what_is_valid_now_by_default(ferry: Memory) -> None:
    assert hit_names(ferry, "sails to the island") == {"Old ferry", "Quay"}
    assert hit_names(ferry, "sails to the island", at=APRIL) == {
        "Old ferry",
        "Spring ferry",
        "Quay",
    }
    assert hit_names(ferry, "sails to the island", at="any") == {
        "Old ferry",
        "Spring ferry",
        "Quay",
    }
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    ferry.remember([{"name": "Next ferry", "text": "It sails to Sweden.", "valid_from": tomorrow}])
    assert "Next ferry" not in hit_names(ferry, "Sweden")
    assert "Next ferry" in hit_names(ferry, "Sweden", at=tomorrow + timedelta(days=1))


def test_an_invalid_entity_is_found_neither_by_name_nor_by_links(ferry: Memory) -> None:
    assert hit_names(ferry, "spring ferry", mode="keyword", expand=False) == {"Old ferry"}
    assert "Spring ferry" not in hit_names(ferry, "mooring of stone", mode="keyword")
    ferry.remember(
        [{"name": "Buoy", "text": "Red."}],
        [{"from": "Spring ferry", "relation": "PASSES", "to": "Buoy"}],
    )
    for option, leads in (
        ({"at": JUNE}, False),
        ({"at": APRIL}, True),
        ({"kinds": ["Thing"]}, False),
    ):
        assert ("Buoy" in hit_names(ferry, "spring", mode="keyword", **option)) == leads, option
    assert hit_names(ferry, "spring", mode="keyword", kinds=["Thing"], at=APRIL) == {"Buoy"}


def test_a_shared_name_means_the_entity_that_is_valid(ferry: Memory) -> None:
    ferry.remember(
        [
            {"name": "Line 1 of 2023", "aliases": ["the line"], "valid_until": "2023-12-31"},
            {"name": "Line 1", "aliases": ["the line"]},
        ]
    )
    (hit,) = ferry.search("the line", mode="keyword", explain=True, expand=False).hits
    assert hit.explanation is not None
    assert [leg.raw for leg in hit.explanation.legs if leg.leg == "name"] == [1.0]


@pytest.mark.parametrize("mode", ["hybrid", "keyword", "semantic"])
def test_an_observation_is_found_and_shown_while_it_holds(ferry: Memory, mode: Any) -> None:  # noqa: ANN401
    option = {"mode": mode, "expand": False, "detail": "full"}
    then = ferry.search("crane broken", at=APRIL, **option)
    assert texts(then)[0] == "The crane is broken."
    passage = then.hits[0].passages[0]
    assert (passage.valid_from, passage.valid_until) == SPRING_DAYS
    assert passage.to_json().items() >= SPRING.items()
    assert "The crane is broken." not in texts(ferry.search("crane broken", **option))
    assert texts(ferry.search("crane yellow", **option))[0] == "The crane is yellow."


def test_a_hit_that_its_name_led_to_shows_what_holds(ferry: Memory) -> None:
    answer = ferry.search("quay", mode="keyword", expand=False, detail="full")
    assert texts(answer) == ["A mooring of stone.", "The crane is yellow."]
    assert (
        len(texts(ferry.search("quay", mode="keyword", expand=False, detail="full", at=APRIL))) == 3
    )


@pytest.mark.parametrize(
    ("query", "june", "april"),
    [
        ("crane AND broken", set(), {"Quay"}),
        ('"crane is broken"', set(), {"Quay"}),
        ("broken OR yellow", {"Quay"}, {"Quay"}),
        ("mooring AND yellow", {"Quay"}, {"Quay"}),
        ("quay AND broken", set(), {"Quay"}),
        ("brok*", set(), {"Quay"}),
        ("sails NOT old", set(), {"Spring ferry"}),
    ],
)
def test_operators_match_only_valid_observations(
    ferry: Memory, query: str, june: set[str], april: set[str]
) -> None:
    assert hit_names(ferry, query, at=JUNE, expand=False) == june
    assert hit_names(ferry, query, at=APRIL, expand=False) == april


def test_filters_match_only_valid_observations(ferry: Memory) -> None:
    ferry.remember([{"name": "Spring ferry", "attributes": {"cost": 5}, "tags": ["white"]}])
    for filters in (
        {"kinds": ["ship"]}, {"tags": ["white"]}, {"where": {"attributes": {"cost": {">": 1}}}},
        {"where": {"attributes": {"cost": 5}}},
    ):  # fmt: skip
        option: dict[str, Any] = {**filters, "expand": False}
        assert "Spring ferry" not in hit_names(ferry, "sails to the island", **option)
        assert "Spring ferry" in hit_names(ferry, "sails to the island", at=APRIL, **option)


def test_expired_passages_do_not_displace_valid_ones(memory: Memory) -> None:
    day = date(2023, 1, 1)
    past = [{"text": f"tide level {n}", "valid_from": day, "valid_until": day} for n in range(300)]
    memory.remember(
        [
            {"name": "Gauge", "observations": past},
            *({"name": f"Gauge {n}", "observations": [past[n]]} for n in range(150)),
            *({"name": f"Sluice {n}", "text": f"The level of the tide at {n}."} for n in range(12)),
        ]
    )
    wanted = {f"Sluice {n}" for n in range(12)}
    for mode in ("keyword", "hybrid", "semantic"):
        answer = memory.search("tide level", mode=mode, limit=12, expand=False)
        assert set(names(answer)) == wanted, mode
    assert set(names(memory.search("tide AND level", limit=12, expand=False))) == wanted
    assert len(names(memory.search("tide level", at="2023-01-01", limit=50, expand=False))) == 50


def test_suggestions_come_from_valid_observations(memory: Memory) -> None:
    memory.remember([{"name": "A", "observations": [{"text": "The chandlery.", **SPRING}]}])
    assert memory.search("chandlrey", mode="keyword").notes == ()
    (note,) = memory.search("chandlrey", mode="keyword", at="any").notes
    assert "`chandlery`" in note


def test_listings_and_contexts_show_what_is_valid(ferry: Memory) -> None:
    assert set(names(ferry.recent(scope="project"))) == {"Old ferry", "Quay"}
    assert ferry.recent(at=APRIL, scope="project").total == 3
    assert names(ferry.search("", kinds=["Ship"])) == ["Old ferry"]
    assert set(names(ferry.search("", kinds=["Ship"], at="any"))) == {"Old ferry", "Spring ferry"}
    assert "broken" not in ferry.context("crane broken").text
    then = ferry.context("crane broken sails to the island", at=APRIL).text
    assert "## Spring ferry (Ship, valid from 2024-03-01 to 2024-05-31)" in then
    assert "valid from 2024-03-01 to 2024-05-31]\n> The crane is broken." in then
    hits = ferry.recent(at=APRIL, scope="project").hits
    (listed,) = [hit for hit in hits if hit.name == "Spring ferry"]
    assert (listed.valid_from, listed.valid_until) == SPRING_DAYS


def test_counts_and_entity_pages_include_what_is_not_valid(ferry: Memory) -> None:
    assert ferry.stats().entities == ferry.overview().entities == 3
    (page,) = ferry.get("Spring ferry")
    assert (page.entity.valid_from, page.entity.valid_until) == SPRING_DAYS
    assert page.to_json().items() >= SPRING.items()
    assert periods(ferry, "Quay") == [
        ("The crane is broken.", *SPRING_DAYS),
        ("The crane is yellow.", None, None),
    ]
    assert {neighbour.name for neighbour in ferry.get("Quay")[0].neighbours} == {
        "Old ferry",
        "Spring ferry",
    }


def test_a_cursor_belongs_to_one_moment(ferry: Memory) -> None:
    for page in (
        ferry.search("sails to the island", limit=1, at=APRIL),
        ferry.recent(limit=1, at=APRIL),
    ):
        assert page.cursor is not None
        option: dict[str, Any] = {"limit": 1, "cursor": page.cursor}

        def more(page: Answer = page, **options: Any) -> Answer:  # noqa: ANN401
            return ferry.search(page.query, **options) if page.query else ferry.recent(**options)

        assert more(at=APRIL, **option).hits[0].key != page.hits[0].key
        for at in (JUNE, "any", None):
            with pytest.raises(InvalidInput, match="cursor"):
                more(at=at, **option)
