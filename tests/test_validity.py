"""Entities, observations and relations are found while they hold, and are kept for good."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import neo4j
import pytest

from agents import agent_of, checkout
from fakes import FakeEmbedder
from graphmem import cli
from graphmem.cli import session as cli_session
from graphmem.errors import InvalidInput
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.migrations.validity import attributes_to_periods
from graphmem.model import Answer, Report
from graphmem.model.period import Time, validity
from graphmem.search.plan import Plan
from graphmem.search.statement import time_of
from graphmem.write.repair.comparing import compare
from stores import lines_of, put_as_before

SPRING: dict[str, Any] = {"valid_from": "2024-03-01", "valid_until": "2024-05-31"}
SPRING_DAYS = (date(2024, 3, 1), date(2024, 5, 31))
APRIL, JUNE = "2024-04-15", "2024-06-15"


def names(answer: Answer) -> list[str]:
    return [hit.name for hit in answer.hits]


def texts(answer: Answer) -> list[str]:
    return [passage.text for hit in answer.hits for passage in hit.passages]


def found(memory: Memory, query: str, **options: Any) -> set[str]:  # noqa: ANN401 - as `search` has them
    return set(names(memory.search(query, limit=50, **options)))


def line(memory: Memory, name: str) -> dict[str, Any]:
    """An entity as an export has it."""
    (one,) = [dict(line) for line in memory.export() if line.get("name") == name]
    return one


def periods(memory: Memory, name: str) -> list[tuple[str, date | None, date | None]]:
    """The observations of an entity, with when they hold."""
    entity = memory.get(name)[0].entity
    return [(one.text, one.valid_from, one.valid_until) for one in entity.observations]


def outcomes(report: Report) -> list[str]:
    return [item.outcome for item in report.items]


def reason(report: Report) -> str:
    (item,) = report.refused
    return str(item.reason)


@pytest.fixture
def ferry(memory: Memory) -> Memory:
    """A ferry that sailed in spring and one that always does, which are linked with a quay."""
    memory.remember(
        [
            {"name": "Spring ferry", "kind": "Ship", "text": "It sails to the island.", **SPRING},
            {"name": "Old ferry", "kind": "Ship", "text": "It sails to the island."},
            {
                "name": "Quay",
                "kind": "Place",
                "text": "A mooring of stone.",
                "observations": [
                    {"text": "The crane is broken.", **SPRING},
                    "The crane is yellow.",
                ],
            },
        ],
        [
            {"from": "Spring ferry", "relation": "MOORS_AT", "to": "Quay"},
            {"from": "Old ferry", "relation": "MOORS_AT", "to": "Quay"},
        ],
    )
    return memory


# Whether something holds

BOUNDS = (None, "2024-03-01", "2024-03-01T10:00:00Z", "2024-03-02", "2024-03-02T10:00:00+02:00")
TIMES = (
    "2024-02-29", "2024-03-01", "2024-03-01T09:59:59Z", "2024-03-01T10:00:00Z",
    "2024-03-01T23:59:59.999999Z", "2024-03-02T00:00:00Z", "2024-03-02T08:00:00Z",
    "2024-03-02T08:00:00.000001Z", "2024-03-02", "2024-03-03", "now", "any",
)  # fmt: skip


def span(written: str) -> tuple[datetime, datetime]:
    """The first and the last moment of a day or moment."""
    if len(written) > len("2024-03-01"):
        moment = datetime.fromisoformat(written)
        return moment, moment
    day = date.fromisoformat(written)
    return datetime.combine(day, time.min, UTC), datetime.combine(day, time.max, UTC)


def holds(first: str | None, last: str | None, at: str) -> bool:
    """Whether a period and a time have a moment in common."""
    if at == "any":
        return True
    start, end = (datetime.now(UTC),) * 2 if at == "now" else span(at)
    return (first is None or span(first)[0] <= end) and (last is None or span(last)[1] >= start)


@pytest.mark.parametrize("period", [{"valid_until": "2020-01-01"}, {"valid_from": "2999-01-01"}])
def test_an_entity_is_there_while_its_only_observation_is_not_valid(
    memory: Memory, project: str, period: dict[str, str]
) -> None:
    memory.remember(
        [
            {"name": "Old pier", "observations": [{"text": "It is shut.", **period}]},
            {"name": "Quay"},
        ]
    )
    search = partial(memory.search, scope="project", expand=False, mode="keyword")
    assert {hit.name for hit in search("*").hits} == {"Old pier", "Quay"}
    for query in ("Old NOT zebra", "name:Old AND pier", "zebra OR old*"):
        (hit,) = search(query).hits
        assert (hit.name, hit.passages) == ("Old pier", ())
    assert search("shut NOT zebra").hits == search("pier AND shut").hits == ()
    (then,) = search("shut NOT zebra", at="any").hits
    assert then.passages[0].text == "It is shut."
    memory.rename_project(project, f"{project}-moved")
    moved = search("Old NOT zebra", project=f"{project}-moved")
    assert [hit.name for hit in moved.hits] == ["Old pier"]


def test_relations_of_another_time_do_not_weaken_a_link(memory: Memory) -> None:
    others = [{"name": f"Boat {number}"} for number in range(3)]
    links = [
        {"from": boat["name"], "relation": "USES", "to": "Quay", "valid_until": "2020-01-01"}
        for boat in others
    ]
    links.append({"from": "Harbour", "relation": "USES", "to": "Quay"})
    memory.remember([{"name": "Harbour"}, {"name": "Quay"}, *others], links)
    assert _relations_at_quay(memory, "now") == 1
    assert _relations_at_quay(memory, "2019-01-01") == _relations_at_quay(memory, "any") == 4
    # More than are read, so that the one that is followed may not be among them.
    ended = [
        {"from": "Boat 0", "relation": "USES", "to": "Quay", "valid_until": "2020-01-01",
         "valid_from": f"{1700 + number}-01-01"}
        for number in range(300)
    ]  # fmt: skip
    memory.remember(relations=ended)
    assert _relations_at_quay(memory, "now") == 1


def _relations_at_quay(memory: Memory, at: str) -> int:
    """How many relations are counted at the quay, to which the harbour leads."""
    answer = memory.search("harbour", mode="keyword", explain=True, scope="project", at=at)
    (quay,) = [hit for hit in answer.hits if hit.name == "Quay"]
    assert quay.explanation is not None
    assert quay.explanation.link is not None
    return quay.explanation.link.neighbour_relations


def test_what_an_entity_says_with_and_without_a_period_counts_once(memory: Memory) -> None:
    told = ["The quay is open.", {"text": "The quay was open.", "valid_from": "2020-01-01"}]
    memory.remember([{"name": "Quay", "observations": told}])
    (hit,) = memory.search("quay AND open", mode="keyword", explain=True, scope="project").hits
    assert hit.explanation is not None
    assert [leg.leg for leg in hit.explanation.legs] == ["name", "text"]


def test_all_that_may_hold_is_found_at_every_time_at_which_it_does(memory: Memory) -> None:
    cases = {
        f"case {number}": (first, last)
        for number, (first, last) in enumerate(
            (first, last)
            for first in BOUNDS
            for last in BOUNDS
            if not (first and last) or span(last)[1] >= span(first)[0]
        )
    }
    entities: list[dict[str, object]] = []
    relations: list[dict[str, object]] = []
    for name, (first, last) in cases.items():
        period = {"valid_from": first, "valid_until": last}
        entities += [
            {"name": name, "text": "A lantern.", **period},
            {"name": f"noted {name}", "observations": [{"text": "A beacon.", **period}]},
            {"name": f"linked {name}"},
        ]
        relations.append({"from": "Lighthouse", "relation": name, "to": f"linked {name}", **period})
    entities.append({"name": "Lighthouse", "text": "Whale oil."})
    assert not memory.remember(entities, relations).refused
    for at in TIMES:
        wanted = {name for name, period in cases.items() if holds(*period, at)}
        option: dict[str, Any] = {"at": at, "mode": "keyword"}
        assert found(memory, "lantern", **option) == wanted, at
        assert found(memory, "beacon", **option) == {f"noted {name}" for name in wanted}, at
        linked = {f"linked {name}" for name in wanted}
        assert found(memory, "whale oil", **option) == {"Lighthouse", *linked}, at


def test_a_day_is_all_of_its_moments() -> None:
    day = Time.of(date(2024, 3, 1))
    assert (day.day, day.first, day.last) == (date(2024, 3, 1), *span("2024-03-01"))


def test_a_moment_is_itself_in_any_zone() -> None:
    moment = datetime.fromisoformat("2024-03-02T01:00:00+02:00")
    assert Time.of(moment) == Time(date(2024, 3, 1), moment, moment)


def test_what_holds_is_said_in_words() -> None:
    first, last = SPRING_DAYS
    assert validity(None, None) == ""
    assert validity(first, last) == "valid from 2024-03-01 to 2024-05-31"
    assert validity(first, None) == "valid from 2024-03-01"
    assert validity(None, last) == "valid until 2024-05-31"


# What a search finds


def test_by_default_what_does_not_hold_now_is_not_found(ferry: Memory) -> None:
    assert found(ferry, "sails to the island") == {"Old ferry", "Quay"}
    assert found(ferry, "sails to the island", at=APRIL) == {"Old ferry", "Spring ferry", "Quay"}
    assert found(ferry, "sails to the island", at="any") == {"Old ferry", "Spring ferry", "Quay"}
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    ferry.remember([{"name": "Next ferry", "text": "It sails to Sweden.", "valid_from": tomorrow}])
    assert "Next ferry" not in found(ferry, "Sweden")
    assert "Next ferry" in found(ferry, "Sweden", at=tomorrow + timedelta(days=1))


def test_it_is_found_neither_by_its_name_nor_by_a_link_nor_does_it_lead_on(ferry: Memory) -> None:
    assert found(ferry, "spring ferry", mode="keyword", expand=False) == {"Old ferry"}
    assert "Spring ferry" not in found(ferry, "mooring of stone", mode="keyword")
    ferry.remember(
        [{"name": "Buoy", "text": "Red."}],
        [{"from": "Spring ferry", "relation": "PASSES", "to": "Buoy"}],
    )
    for option, leads in (
        ({"at": JUNE}, False),
        ({"at": APRIL}, True),
        ({"kinds": ["Thing"]}, False),
    ):
        assert ("Buoy" in found(ferry, "spring", mode="keyword", **option)) == leads, option
    assert found(ferry, "spring", mode="keyword", kinds=["Thing"], at=APRIL) == {"Buoy"}


def test_a_name_of_two_belongs_to_the_one_that_holds(ferry: Memory) -> None:
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
    shown = ferry.search("quay", mode="keyword", expand=False, detail="full")
    assert texts(shown) == ["A mooring of stone.", "The crane is yellow."]
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
def test_operators_look_at_what_holds(
    ferry: Memory, query: str, june: set[str], april: set[str]
) -> None:
    assert found(ferry, query, at=JUNE, expand=False) == june
    assert found(ferry, query, at=APRIL, expand=False) == april


def test_filters_are_asked_of_what_holds(ferry: Memory) -> None:
    ferry.remember([{"name": "Spring ferry", "attributes": {"cost": 5}, "tags": ["white"]}])
    for filters in (
        {"kinds": ["ship"]}, {"tags": ["white"]}, {"where": {"attributes": {"cost": {">": 1}}}},
        {"where": {"attributes": {"cost": 5}}},
    ):  # fmt: skip
        option: dict[str, Any] = {**filters, "expand": False}
        assert "Spring ferry" not in found(ferry, "sails to the island", **option)
        assert "Spring ferry" in found(ferry, "sails to the island", at=APRIL, **option)


def test_what_is_past_does_not_fill_the_place_of_what_holds(memory: Memory) -> None:
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


def test_a_suggestion_is_a_word_of_what_holds(memory: Memory) -> None:
    memory.remember([{"name": "A", "observations": [{"text": "The chandlery.", **SPRING}]}])
    assert memory.search("chandlrey", mode="keyword").notes == ()
    (note,) = memory.search("chandlrey", mode="keyword", at="any").notes
    assert "`chandlery`" in note


def test_lists_and_contexts_hold_what_holds(ferry: Memory) -> None:
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


def test_counts_and_pages_hold_everything(ferry: Memory) -> None:
    assert ferry.stats().entities == ferry.overview().entities == 3
    (page,) = ferry.get("Spring ferry")
    assert (page.entity.valid_from, page.entity.valid_until) == SPRING_DAYS
    assert page.to_json().items() >= SPRING.items()
    assert periods(ferry, "Quay") == [
        ("The crane is broken.", *SPRING_DAYS),
        ("The crane is yellow.", None, None),
    ]
    assert {one.name for one in ferry.get("Quay")[0].neighbours} == {"Old ferry", "Spring ferry"}


def test_a_cursor_is_of_one_time(ferry: Memory) -> None:
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


# Saying when something holds


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"valid_from": "soon"}, "entities[0].valid_from must be a date such as 2026-03-01"),
        ({"valid_until": 5}, "entities[0].valid_until must be a date"),
        ({"valid_from": ""}, "entities[0].valid_from must be a date"),
        (
            {"valid_from": "2024-07-01", "valid_until": "2024-06-30"},
            "entities[0].valid_until must not be before valid_from, which is 2024-07-01, got",
        ),
        (
            {"observations": [{"text": "x", "valid_until": ["2024"]}]},
            "entities[0].observations[0].valid_until must be a date",
        ),
        (
            {"observations": [{"text": "x", "valid_from": JUNE, "valid_until": APRIL}]},
            "entities[0].observations[0].valid_until must not be before valid_from",
        ),
        ({"attributes": {"valid_until": "x"}}, "must not use one of graphmem's own names"),
        (
            {"observations": [{"text": "x", "unset": ["valid_until"]}]},
            "entities[0].observations[0].unset must be given with the `id` of an observation",
        ),
        (
            {"observations": [{"id": "x", "unset": ["text"]}]},
            "must name fields of source, confidence, valid_from, valid_until",
        ),
    ],
)
def test_a_period_that_cannot_be_is_refused_alone(
    memory: Memory, fields: dict[str, object], sentence: str
) -> None:
    report = memory.remember([{"name": "A", **fields}, {"name": "B"}])
    assert outcomes(report) == ["refused", "created"]
    assert sentence in reason(report)


def test_a_period_is_closed_and_opened_again(ferry: Memory) -> None:
    assert outcomes(ferry.remember([{"name": "Old ferry", "valid_until": "2024-05-31"}])) == [
        "updated"
    ]
    assert "Old ferry" not in found(ferry, "sails to the island")
    ferry.edit({"name": "Old ferry", "unset": ["valid_until"]})
    assert ferry.get("Old ferry")[0].entity.valid_until is None
    assert "Old ferry" in found(ferry, "sails to the island")
    assert outcomes(ferry.remember([{"name": "Spring ferry", **SPRING}])) == ["unchanged"]
    report = ferry.remember([{"name": "Spring ferry", "valid_until": "2024-02-01"}])
    assert "entity.valid_until must not be before valid_from, which is 2024-03-01" in reason(report)


def test_an_observation_is_closed_by_its_id_alone(ferry: Memory) -> None:
    one = ferry.get("Quay")[0].entity.observations[1]
    said = {"name": "Quay", "observations": [{"id": one.id, "valid_until": "2024-05-31"}]}
    assert outcomes(ferry.edit(said)) == ["updated"]
    assert outcomes(ferry.edit(said)) == ["unchanged"]
    (closed,) = [o for o in ferry.get("Quay")[0].entity.observations if o.id == one.id]
    assert (closed.text, closed.created_at) == (one.text, one.created_at)
    assert found(ferry, "yellow", expand=False, mode="keyword") == set()
    ferry.edit({"name": "Quay", "observations": [{"id": one.id, "unset": ["valid_until"]}]})
    assert found(ferry, "yellow", expand=False, mode="keyword") == {"Quay"}
    early = {"id": one.id, "valid_from": JUNE}
    ferry.edit({"name": "Quay", "observations": [early]})
    report = ferry.edit({"name": "Quay", "observations": [{"id": one.id, "valid_until": APRIL}]})
    assert "observation.valid_until must not be before valid_from" in reason(report)
    report = ferry.edit({"name": "Quay", "observations": [{"id": "none", "valid_until": APRIL}]})
    assert "it has no observation with the id 'none'" in reason(report)


def test_what_replaces_an_observation_holds_when_that_did(ferry: Memory) -> None:
    one = ferry.get("Quay")[0].entity.observations[0]
    ferry.edit({"name": "Quay", "observations": [{"id": one.id, "text": "The crane is rusty."}]})
    assert periods(ferry, "Quay")[0] == ("The crane is rusty.", *SPRING_DAYS)
    ferry.remember([{"name": "Quay", "observations": [{"text": "The crane is rusty."}]}])
    assert periods(ferry, "Quay")[0] == ("The crane is rusty.", *SPRING_DAYS)


def test_the_store_is_as_it_would_be_written_anew(ferry: Memory, graph: Graph) -> None:
    one = ferry.get("Quay")[0].entity.observations[1]
    key = ferry.get("Quay")[0].key

    def differences() -> dict[str, int]:
        rows = graph.read(
            "read/compared_entities", keys=[key], property="embedding", dimensions=None
        )
        return compare(rows[0], datetime.now(UTC)).sorts

    assert differences() == {}
    for change in ({"valid_until": APRIL}, {"unset": ["valid_until"]}):
        ferry.edit({"name": "Quay", "observations": [{"id": one.id, **change}]})
        assert differences() == {}
    ferry.edit({"name": "Quay", **SPRING})
    assert differences() == {}


# Who said it


def test_an_import_and_a_caller_each_have_a_word_on_when_something_holds(
    memory: Memory, tmp_path: Path, whole: Callable[..., Report]
) -> None:
    file = tmp_path / "a.jsonl"

    def write(**fields: object) -> Report:
        noted = {"observations": [{"text": "It leaks.", **fields}]}
        file.write_text(json.dumps({"name": "Tug", **noted, **fields}))
        return whole(tmp_path)

    write(**SPRING)
    before = line(memory, "Tug")
    assert before.items() >= SPRING.items()
    assert outcomes(write(**SPRING)) == ["unchanged"]
    assert line(memory, "Tug") == before
    write(valid_from="2024-03-01")
    assert line(memory, "Tug").get("valid_until") is None
    assert periods(memory, "Tug") == [("It leaks.", date(2024, 3, 1), None)]
    memory.remember(
        [
            {
                "name": "Tug",
                "valid_until": "2024-04-30",
                "observations": [{"text": "It leaks.", "valid_until": "2024-04-30"}],
            }
        ]
    )
    write(valid_from="2024-03-01", valid_until="2024-12-31")
    # The later word counts of a field; an observation of both keeps what a caller said of it.
    assert line(memory, "Tug")["valid_until"] == "2024-12-31"
    assert periods(memory, "Tug") == [("It leaks.", date(2024, 3, 1), date(2024, 4, 30))]
    write()
    assert line(memory, "Tug")["valid_until"] == "2024-04-30"
    assert "valid_from" not in line(memory, "Tug")


def test_lines_of_an_export_bring_every_period_back(ferry: Memory, tmp_path: Path) -> None:
    ferry.remember([{"name": "Old ferry", "valid_from": "2020-01-01T08:30:00Z"}])
    file, copy = tmp_path / "lines.jsonl", f"{ferry.project}-copy"
    file.write_text("\n".join(map(json.dumps, ferry.export())))
    assert not ferry.import_("jsonl", file, project=copy).refused
    assert list(ferry.export(project=copy)) == list(ferry.export())
    assert line(ferry, "Old ferry")["valid_from"] == "2020-01-01T08:30:00Z"
    again = ferry.import_("jsonl", file, project=copy)
    assert set(outcomes(again)) == {"unchanged"}


def test_every_word_survives_an_export_of_all(
    memory: Memory, tmp_path: Path, whole: Callable[..., Report]
) -> None:
    folder = tmp_path / "facts"
    folder.mkdir()
    said = {"name": "Tug", "observations": [{"text": "It leaks.", **SPRING}], **SPRING}
    (folder / "a.jsonl").write_text(json.dumps(said))
    whole(folder)
    memory.remember([{"name": "Tug", "valid_until": "2024-12-31"}])
    project = str(memory.project)
    own = list(lines_of(memory, project))
    backup, copy = tmp_path / "all.jsonl", f"{project}-copy"
    backup.write_text("\n".join(map(json.dumps, own)).replace(project, copy))
    assert not memory.import_("jsonl", backup, everything=True).refused
    (there,) = lines_of(memory, copy)
    words = dict(own[0]["provenance"]) | {"updated_at": None}  # type: ignore[call-overload]
    assert dict(there["provenance"]) | {"updated_at": None} == words  # type: ignore[call-overload]
    assert {**there, "provenance": 0, "project": 0} == {**own[0], "provenance": 0, "project": 0}


def test_front_matter_says_when_a_page_holds(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "Pier.md").write_text("---\nvalid_until: 2024-05-31\n---\nA long pier.\n")
    memory.import_("markdown", tmp_path)
    assert line(memory, "Pier")["valid_until"] == "2024-05-31"
    assert found(memory, "pier") == set()


# Looking back and reshaping


def test_history_tells_of_periods_and_undo_restores_them(ferry: Memory) -> None:
    before = {name: line(ferry, name) for name in ("Spring ferry", "Quay")}
    one = ferry.get("Quay")[0].entity.observations[0]
    then = ferry.get("Quay")[0].entity.updated_at
    assert then is not None
    ferry.edit({"name": "Spring ferry", "valid_until": "2024-12-31", "unset": ["valid_from"]})
    (revision, _) = ferry.history("Spring ferry").revisions[:2]
    told = {one.field: (one.before, one.after) for one in revision.differences}
    assert told == {"valid_from": ("2024-03-01", None), "valid_until": ("2024-05-31", "2024-12-31")}
    ferry.edit({"name": "Quay", "observations": [{"id": one.id, "unset": ["valid_until"]}]})
    (noted,) = ferry.history("Quay").revisions[0].differences
    assert noted.before == "The crane is broken. (2024-03-01 to 2024-05-31)"
    assert noted.after == "The crane is broken. (from 2024-03-01)"
    (past, _) = ferry.get_as_of("Quay", then).entity.observations
    assert (past.valid_from, past.valid_until) == SPRING_DAYS
    for name, earlier in before.items():
        ferry.undo(str(ferry.history(name).revisions[0].change))
        assert line(ferry, name) == earlier
    assert "Spring ferry" not in found(ferry, "sails to the island", at=JUNE)


def test_what_was_known_to_hold_is_found_as_it_was_known(memory: Memory) -> None:
    memory.remember([{"name": "Rota", "text": "Ana cooks.", "observations": ["She likes soup."]}])
    (page,) = memory.get("Rota")
    one = page.entity.observations[0].id
    closed = {"observations": [{"id": one, "valid_until": "2020-01-01"}]}
    memory.edit({"name": "Rota", "valid_until": "2020-01-01", **closed})
    option: dict[str, Any] = {"as_of": page.updated_at, "mode": "keyword"}
    assert found(memory, "ana cooks") == set()
    assert found(memory, "ana cooks", **option) == {"Rota"}
    assert texts(memory.search("soup", **option))[0] == "She likes soup."
    assert found(memory, "ana cooks", at="2019-01-01") == {"Rota"}


def test_what_was_known_at_a_moment_is_asked_to_hold_then() -> None:
    moment = datetime(2024, 4, 15, tzinfo=UTC)
    assert time_of(Plan(as_of=moment))["at"]["first"] == moment
    assert time_of(Plan(as_of=moment, at="any"))["at"]["first"] is None
    assert time_of(Plan(as_of=moment, at=date(2024, 6, 1)))["at"]["day"] == date(2024, 6, 1)


def test_a_merge_ends_no_relation_that_still_holds(memory: Memory) -> None:
    memory.remember(
        [{"name": "Old ferry"}, {"name": "Ferry"}, {"name": "Pier"}],
        [
            {"from": "Old ferry", "relation": "USES", "to": "Pier", "valid_until": "2024-06-01"},
            {"from": "Ferry", "relation": "USES", "to": "Pier", "note": "every day"},
        ],
    )
    memory.merge("Old ferry", "Ferry")
    (neighbour,) = memory.get("Ferry")[0].neighbours
    assert (neighbour.name, neighbour.note, neighbour.valid_until) == ("Pier", "every day", None)
    assert "Pier" in {entity.name for entity in memory.explore("Ferry").entities}


def test_what_comes_of_a_merge_holds_when_it_did(ferry: Memory) -> None:
    quay, spring = line(ferry, "Quay"), line(ferry, "Spring ferry")
    ferry.remember(
        [
            {
                "name": "Spring ferry",
                "observations": [{"text": "In May.", "valid_from": "2024-05-01"}],
            }
        ]
    )
    spring = line(ferry, "Spring ferry")
    ferry.merge("Spring ferry", "Quay")
    assert "valid_until" not in line(ferry, "Quay")
    assert periods(ferry, "Quay")[2:] == [
        ("In May.", date(2024, 5, 1), None),
        ("It sails to the island.", *SPRING_DAYS),
    ]
    assert "Quay" not in found(ferry, "sails to the island", expand=False, mode="keyword")
    assert "Quay" in found(ferry, "sails to the island", expand=False, mode="keyword", at=APRIL)
    ferry.undo("last")
    assert (line(ferry, "Quay"), line(ferry, "Spring ferry")) == (quay, spring)


def test_an_entity_without_a_text_takes_none_of_another_time(ferry: Memory) -> None:
    ferry.remember([{"name": "Ferry"}, {"name": "Ferry of spring", "text": "White.", **SPRING}])
    ferry.merge("Ferry of spring", "Ferry")
    assert line(ferry, "Ferry").get("text") is None
    assert periods(ferry, "Ferry") == [("White.", *SPRING_DAYS)]
    ferry.remember(
        [{"name": "Ship", **SPRING}, {"name": "Ship of spring", "text": "Red.", **SPRING}]
    )
    ferry.merge("Ship of spring", "Ship")
    assert line(ferry, "Ship")["text"] == "Red."


def test_other_names_projects_and_successors_change_no_period(ferry: Memory, graph: Graph) -> None:
    noted = periods(ferry, "Quay")
    ferry.rename("Spring ferry", "Ferry of spring")
    assert line(ferry, "Ferry of spring").items() >= SPRING.items()
    ferry.supersede("Ferry of spring", "Old ferry")
    assert line(ferry, "Ferry of spring").items() >= SPRING.items()
    assert found(ferry, "spring", mode="keyword") == set()
    assert found(ferry, "spring", mode="keyword", at=APRIL) >= {"Old ferry"}
    other = f"{ferry.project}-moved"
    ferry.rename_project(str(ferry.project), other)
    moved = ferry.get("Quay", project=other)[0]
    assert [(o.text, o.valid_from, o.valid_until) for o in moved.entity.observations] == noted
    assert found(ferry, "crane AND broken", project=other) == set()
    assert found(ferry, "crane AND broken", project=other, at=APRIL, expand=False) == {"Quay"}
    rows = graph.read(
        "read/compared_entities", keys=[moved.key], property="embedding", dimensions=None
    )
    assert compare(rows[0], datetime.now(UTC)).sorts == {}


# Older stores


def test_attributes_of_an_older_store_become_periods_or_get_another_name(
    memory: Memory, graph: Graph, session: neo4j.Session
) -> None:
    memory.remember([{"name": name, "attributes": {"own": 1}} for name in "ABC"])
    keys = [str(memory.get(name)[0].key) for name in "ABC"]
    words = {
        "attribute/valid_until": {"caller": [2], "a:file": [1, {"date": "2025-01-01"}]},
        "attribute/own": {"caller": [1]},
    }
    for key, period, record in (
        (keys[0], {"valid_from": date(2024, 3, 1), "valid_until": "2024-05-31"}, None),
        (keys[1], {"valid_until": "next spring", "valid_from": [1, 2]}, None),
        (keys[2], {"valid_until": date(2024, 5, 31)}, json.dumps(words)),
    ):
        session.run(
            "MATCH (entity:Entity {key: $key}) SET entity += $period, "
            "entity.graphmem_assertions = $record",
            key=key, period=period, record=record,
        ).consume()  # fmt: skip
    for _ in range(2):
        assert graph.write(lambda transaction: attributes_to_periods(transaction, keys))
        assert line(memory, "A").items() >= {**SPRING, "attributes": {"own": 1}}.items()
        assert line(memory, "B")["attributes"] == {
            "own": 1, "valid_until_": "next spring", "valid_from_": [1, 2],
        }  # fmt: skip
        assert line(memory, "C")["valid_until"] == "2024-05-31"
        rows = graph.read(
            "read/compared_entities", keys=keys, property="embedding", dimensions=None
        )
        assert [compare(row, datetime.now(UTC)).sorts for row in rows] == [{}, {}, {}]
    memory.edit({"name": "C", "unset": ["valid_until"]})
    assert "valid_until" not in line(memory, "C")
    assert "A" not in found(memory, "a")


@pytest.mark.parametrize(
    ("attributes", "record", "expected"),
    [
        ({"valid_from": "soon", "valid_from_": "mine"}, {},
         {"valid_from_": "mine", "valid_from__": "soon"}),
        ({"valid_from": "soon", "valid_from_": "mine", "valid_from__": 3,
          "valid_until": "2999-01-01"}, {},
         {"valid_from_": "mine", "valid_from__": 3, "valid_from___": "soon"}),
        # Nobody's word on an attribute that is not there any more becomes one on this.
        ({"valid_until": [1]}, {"attribute/valid_until_": {"a:file": [1, None]},
                                "attribute/valid_until": {"caller": [2]}}, {"valid_until__": [1]}),
        ({"valid_from": "2999-06-01", "valid_until": "2024-03-01"}, {},
         {"valid_from_": "2999-06-01", "valid_until_": "2024-03-01"}),
        ({"valid_from": date(2999, 6, 1), "valid_until": date(2999, 5, 31)},
         {"attribute/valid_from": {"caller": [2]}, "attribute/valid_until": {"a:file": [1]}},
         {"valid_from_": {"date": "2999-06-01"}, "valid_until_": {"date": "2999-05-31"}}),
        # What counts is a period, what is behind it is none.
        ({"valid_from": "2024-06-01", "valid_until": "2999-05-31"},
         {"attribute/valid_from": {"caller": [2], "a:file": [1, "2024-01-01"]},
          "attribute/valid_until": {"caller": [2], "a:file": [1, "2023-01-01"]}},
         {"valid_from_": "2024-06-01", "valid_until_": "2999-05-31"}),
        ({"valid_from": "2024-06-01", "valid_until": "2024-06-01T12:00:00Z"}, {}, {}),
    ],
)  # fmt: skip
def test_no_attribute_of_an_older_store_is_lost_or_hides_its_entity(
    memory: Memory,
    session: neo4j.Session,
    attributes: dict[str, Any],
    record: dict[str, Any],
    expected: dict[str, Any],
) -> None:
    graph = memory.graph
    key = put_as_before(memory, session, "A mooring of stone.", attributes, record)
    for _ in range(2):
        assert graph.write(lambda transaction: attributes_to_periods(transaction, [key]))
        told = line(memory, "A")
        assert told.get("attributes", {}) == expected
        is_past = not expected
        assert found(memory, "mooring of stone", at="any") == {"A"}
        assert found(memory, "mooring of stone") == (set() if is_past else {"A"})
        rows = graph.read(
            "read/compared_entities", keys=[key], property="embedding", dimensions=None
        )
        assert [compare(row, datetime.now(UTC)).sorts for row in rows] == [{}]


def test_bringing_a_store_up_to_date_is_no_change_of_its_entities(
    memory: Memory, graph: Graph, session: neo4j.Session
) -> None:
    memory.remember([{"name": name, "attributes": {"own": 1}} for name in "AB"])
    then = datetime.now(UTC)
    memory.edit({"name": "A", "title": "A title"})
    before = {name: memory.get(name)[0] for name in "AB"}
    keys = [str(page.key) for page in before.values()]
    for key, valid_from in zip(keys, ("soon", "2024-03-01"), strict=True):
        session.run(
            "MATCH (entity:Entity {key: $key}) SET entity.valid_from = $valid_from",
            key=key, valid_from=valid_from,
        ).consume()  # fmt: skip
    assert graph.write(lambda transaction: attributes_to_periods(transaction, keys))

    assert [change.verb for change in memory.changes("2000-01-01").changes] == ["edit", "remember"]
    assert [revision.verb for revision in memory.history("A").revisions] == ["edit", "remember"]
    for name, page in before.items():
        after = memory.get(name)[0]
        assert (after.entity.updated_at, after.revision) == (page.entity.updated_at, page.revision)
    assert memory.get_as_of("A", then).entity.title is None
    assert memory.undo("last").entities["updated"] == 1
    told = line(memory, "A")
    assert "title" not in told
    assert told["attributes"] == {"own": 1, "valid_from_": "soon"}


# The other interfaces


def test_the_terminal_says_asks_and_shows_when_something_holds(
    ferry: Memory, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli_session, "embedder", lambda *_, **__: FakeEmbedder())

    def run(*words: str, code: int = 0) -> str:
        assert cli.main([*words, "--project", str(ferry.project)]) == code
        captured = capsys.readouterr()
        return " ".join((captured.out + captured.err).split())

    run(
        "remember", "Tug", "--valid-from", "2024-03-01", "--valid-until", "2024-05-31",
        "--observation", "It leaks.", "--observation-until", "2024-04-30",
    )  # fmt: skip
    assert line(ferry, "Tug").items() >= SPRING.items()
    shown = run("show", "Tug")
    assert "valid from 2024-03-01 to 2024-05-31" in shown
    assert "valid until 2024-04-30" in shown
    nothing = run("search", "tug leaks", "--no-expand", code=1)
    assert nothing.startswith("No hits in ")
    assert "the entity `Tug` is valid from 2024-03-01 to 2024-05-31" in nothing
    hit = run("search", "tug leaks", "--at", APRIL)
    assert "valid from 2024-03-01 to 2024-05-31" in hit
    assert "valid until 2024-04-30" in hit
    assert "Tug" in run("search", "tug leaks", "--any-time", "--json")
    assert "Tug" not in run("recent")
    assert "Tug" in run("recent", "--at", APRIL)
    assert "leaks" in run("context", "tug leaks", "--any-time")
    assert "leaks" in run("view", "tug leaks", "--at", APRIL, "--json")
    for command in ("search", "context", "view"):
        said = run(command, "tug", "--at", APRIL, "--any-time", code=2)
        assert "--any-time cannot be combined with --at" in said
        assert "at must be a day such as 2026-03-01" in run(command, "tug", "--at", "soon", code=2)
    assert "--at is for searches" in run("view", "--entity", "Tug", "--at", APRIL, code=2)
    assert "--observation-until must be given with --observation" in run(
        "remember", "Tug", "--observation-until", APRIL, code=2
    )
    one = ferry.get("Tug")[0].entity.observations[0].id
    run(
        "edit", "Tug", "--set", "valid_until=2030-01-01", "--observation-until", f"{one}=2024-05-01"
    )
    assert periods(ferry, "Tug") == [("It leaks.", None, date(2024, 5, 1))]
    run("edit", "Tug", "--unset", "valid_until", "--observation-until", f"{one}=")
    assert periods(ferry, "Tug") == [("It leaks.", None, None)]
    assert "valid_until" not in line(ferry, "Tug")


def test_an_agent_says_and_asks_when_something_holds(
    environment: dict[str, str], memory: Memory, tmp_path: Path
) -> None:
    own = {"project": memory.project}
    tug = {"name": "Tug", "text": "It pulls.", **SPRING}
    tug |= {"observations": [{"text": "It leaks.", "valid_until": "2024-04-30"}]}
    with agent_of(environment, checkout(tmp_path / "checkout", "example.org/a/b")) as agent:
        agent.call("remember", entities=[tug], **own)
        assert agent.call("search", query="tug pulls", **own)["hits"] == []
        (hit,) = agent.call("search", query="tug leaks", at=APRIL, **own)["hits"]
        assert hit.items() >= SPRING.items()
        assert hit["passages"][0]["valid_until"] == "2024-04-30"
        assert agent.call("context", query="tug pulls", **own)["hits"] == 0
        assert "It pulls." in agent.call("context", query="tug pulls", at="any", **own)["text"]
        (page,) = agent.call("get", names=["Tug"], **own)["entities"]
        assert page.items() >= SPRING.items()
        closed = {"id": page["observations"][0]["id"], "valid_until": "2024-03-31"}
        agent.call("remember", entities=[{"name": "Tug", "observations": [closed]}], **own)
        (page,) = agent.call("get", names=["Tug"], **own)["entities"]
        assert page["observations"][0]["valid_until"] == "2024-03-31"
        assert "at must be a day" in agent.refusal("search", query="tug", at="soon", **own)
