"""What holds: periods are stated, stored, merged, exported and undone."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from agents import agent_of, checkout
from fakes import FakeEmbedder
from ferries import SPRING, hit_names, line, periods, remember_ferry, texts
from graphmem import cli
from graphmem.cli import session as cli_session
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.model import Report
from graphmem.model.period import Time, validity
from graphmem.search.plan import Plan
from graphmem.search.statement import time_of
from graphmem.write.repair.comparing import compare
from stores import lines_of


@pytest.fixture
def ferry(memory: Memory) -> Memory:
    return remember_ferry(memory)


SPRING_DAYS = (date(2024, 3, 1), date(2024, 5, 31))
APRIL, JUNE = "2024-04-15", "2024-06-15"
# Whether something holds
BOUNDS = (None, "2024-03-01", "2024-03-01T10:00:00Z", "2024-03-02", "2024-03-02T10:00:00+02:00")


def outcomes(report: Report) -> list[str]:
    return [item.outcome for item in report.items]


def reason(report: Report) -> str:
    (item,) = report.refused
    return str(item.reason)


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
        assert hit_names(memory, "lantern", **option) == wanted, at
        assert hit_names(memory, "beacon", **option) == {f"noted {name}" for name in wanted}, at
        linked = {f"linked {name}" for name in wanted}
        assert hit_names(memory, "whale oil", **option) == {"Lighthouse", *linked}, at


def test_a_day_as_a_bound_includes_all_of_its_moments() -> None:
    day = Time.of(date(2024, 3, 1))
    assert (day.day, day.first, day.last) == (date(2024, 3, 1), *span("2024-03-01"))


def test_a_moment_is_the_same_in_any_time_zone() -> None:
    moment = datetime.fromisoformat("2024-03-02T01:00:00+02:00")
    assert Time.of(moment) == Time(date(2024, 3, 1), moment, moment)


def test_a_period_is_described_in_words() -> None:
    first, last = SPRING_DAYS
    assert validity(None, None) == ""
    assert validity(first, last) == "valid from 2024-03-01 to 2024-05-31"
    assert validity(first, None) == "valid from 2024-03-01"
    assert validity(None, last) == "valid until 2024-05-31"


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
    assert "Old ferry" not in hit_names(ferry, "sails to the island")
    ferry.edit({"name": "Old ferry", "unset": ["valid_until"]})
    assert ferry.get("Old ferry")[0].entity.valid_until is None
    assert "Old ferry" in hit_names(ferry, "sails to the island")
    assert outcomes(ferry.remember([{"name": "Spring ferry", **SPRING}])) == ["unchanged"]
    report = ferry.remember([{"name": "Spring ferry", "valid_until": "2024-02-01"}])
    assert "entity.valid_until must not be before valid_from, which is 2024-03-01" in reason(report)


def test_an_observation_is_closed_by_its_id_alone(ferry: Memory) -> None:
    observation = ferry.get("Quay")[0].entity.observations[1]
    said = {"name": "Quay", "observations": [{"id": observation.id, "valid_until": "2024-05-31"}]}
    assert outcomes(ferry.edit(said)) == ["updated"]
    assert outcomes(ferry.edit(said)) == ["unchanged"]
    (closed,) = [o for o in ferry.get("Quay")[0].entity.observations if o.id == observation.id]
    assert (closed.text, closed.created_at) == (observation.text, observation.created_at)
    assert hit_names(ferry, "yellow", expand=False, mode="keyword") == set()
    ferry.edit({"name": "Quay", "observations": [{"id": observation.id, "unset": ["valid_until"]}]})
    assert hit_names(ferry, "yellow", expand=False, mode="keyword") == {"Quay"}
    early = {"id": observation.id, "valid_from": JUNE}
    ferry.edit({"name": "Quay", "observations": [early]})
    report = ferry.edit(
        {"name": "Quay", "observations": [{"id": observation.id, "valid_until": APRIL}]}
    )
    assert "observation.valid_until must not be before valid_from" in reason(report)
    report = ferry.edit({"name": "Quay", "observations": [{"id": "none", "valid_until": APRIL}]})
    assert "it has no observation with the id 'none'" in reason(report)


def test_what_replaces_an_observation_holds_when_that_did(ferry: Memory) -> None:
    observation = ferry.get("Quay")[0].entity.observations[0]
    ferry.edit(
        {"name": "Quay", "observations": [{"id": observation.id, "text": "The crane is rusty."}]}
    )
    assert periods(ferry, "Quay")[0] == ("The crane is rusty.", *SPRING_DAYS)
    ferry.remember([{"name": "Quay", "observations": [{"text": "The crane is rusty."}]}])
    assert periods(ferry, "Quay")[0] == ("The crane is rusty.", *SPRING_DAYS)


def test_the_store_is_as_it_would_be_written_anew(ferry: Memory, graph: Graph) -> None:
    observation = ferry.get("Quay")[0].entity.observations[1]
    key = ferry.get("Quay")[0].key

    def differences() -> dict[str, int]:
        rows = graph.read(
            "read/compared_entities", keys=[key], property="embedding", dimensions=None
        )
        return compare(rows[0], datetime.now(UTC)).sorts

    assert differences() == {}
    for change in ({"valid_until": APRIL}, {"unset": ["valid_until"]}):
        ferry.edit({"name": "Quay", "observations": [{"id": observation.id, **change}]})
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
    assert hit_names(memory, "pier") == set()


# Looking back and reshaping


def test_history_tells_of_periods_and_undo_restores_them(ferry: Memory) -> None:
    before = {name: line(ferry, name) for name in ("Spring ferry", "Quay")}
    observation = ferry.get("Quay")[0].entity.observations[0]
    then = ferry.get("Quay")[0].entity.updated_at
    assert then is not None
    ferry.edit({"name": "Spring ferry", "valid_until": "2024-12-31", "unset": ["valid_from"]})
    (revision, _) = ferry.history("Spring ferry").revisions[:2]
    told = {
        difference.field: (difference.before, difference.after)
        for difference in revision.differences
    }
    assert told == {"valid_from": ("2024-03-01", None), "valid_until": ("2024-05-31", "2024-12-31")}
    ferry.edit({"name": "Quay", "observations": [{"id": observation.id, "unset": ["valid_until"]}]})
    (noted,) = ferry.history("Quay").revisions[0].differences
    assert noted.before == "The crane is broken. (2024-03-01 to 2024-05-31)"
    assert noted.after == "The crane is broken. (from 2024-03-01)"
    (past, _) = ferry.get_as_of("Quay", then).entity.observations
    assert (past.valid_from, past.valid_until) == SPRING_DAYS
    for name, earlier in before.items():
        ferry.undo(str(ferry.history(name).revisions[0].change))
        assert line(ferry, name) == earlier
    assert "Spring ferry" not in hit_names(ferry, "sails to the island", at=JUNE)


def test_what_was_known_to_hold_is_found_as_it_was_known(memory: Memory) -> None:
    memory.remember([{"name": "Rota", "text": "Ana cooks.", "observations": ["She likes soup."]}])
    (page,) = memory.get("Rota")
    one = page.entity.observations[0].id
    closed = {"observations": [{"id": one, "valid_until": "2020-01-01"}]}
    memory.edit({"name": "Rota", "valid_until": "2020-01-01", **closed})
    option: dict[str, Any] = {"as_of": page.updated_at, "mode": "keyword"}
    assert hit_names(memory, "ana cooks") == set()
    assert hit_names(memory, "ana cooks", **option) == {"Rota"}
    assert texts(memory.search("soup", **option))[0] == "She likes soup."
    assert hit_names(memory, "ana cooks", at="2019-01-01") == {"Rota"}


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
    assert "Quay" not in hit_names(ferry, "sails to the island", expand=False, mode="keyword")
    assert "Quay" in hit_names(ferry, "sails to the island", expand=False, mode="keyword", at=APRIL)
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
    assert hit_names(ferry, "spring", mode="keyword") == set()
    assert hit_names(ferry, "spring", mode="keyword", at=APRIL) >= {"Old ferry"}
    other = f"{ferry.project}-moved"
    ferry.rename_project(str(ferry.project), other)
    moved = ferry.get("Quay", project=other)[0]
    assert [(o.text, o.valid_from, o.valid_until) for o in moved.entity.observations] == noted
    assert hit_names(ferry, "crane AND broken", project=other) == set()
    assert hit_names(ferry, "crane AND broken", project=other, at=APRIL, expand=False) == {"Quay"}
    rows = graph.read(
        "read/compared_entities", keys=[moved.key], property="embedding", dimensions=None
    )
    assert compare(rows[0], datetime.now(UTC)).sorts == {}


# The other interfaces


@pytest.fixture
def run(
    ferry: Memory, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., str]:
    """Run a command in the project of the ferry; gives what it shows, in one line."""
    monkeypatch.setattr(cli_session, "embedder", lambda *_, **__: FakeEmbedder())

    def run(*words: str, code: int = 0) -> str:
        assert cli.main([*words, "--project", str(ferry.project)]) == code
        captured = capsys.readouterr()
        return " ".join((captured.out + captured.err).split())

    return run


@pytest.fixture
def tug(run: Callable[..., str]) -> None:
    """An entity with a period that the terminal stores, and with an observation of another."""
    run(
        "remember", "Tug", "--valid-from", "2024-03-01", "--valid-until", "2024-05-31",
        "--observation", "It leaks.", "--observation-until", "2024-04-30",
    )  # fmt: skip


@pytest.mark.usefixtures("tug")
def test_the_terminal_stores_and_shows_when_something_holds(
    ferry: Memory, run: Callable[..., str]
) -> None:
    assert line(ferry, "Tug").items() >= SPRING.items()
    shown = run("show", "Tug")
    assert "valid from 2024-03-01 to 2024-05-31" in shown
    assert "valid until 2024-04-30" in shown


@pytest.mark.usefixtures("tug")
def test_the_terminal_asks_for_what_holds_then_or_at_any_time(run: Callable[..., str]) -> None:
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


@pytest.mark.usefixtures("tug")
def test_the_terminal_changes_and_takes_back_when_something_holds(
    ferry: Memory, run: Callable[..., str]
) -> None:
    one = ferry.get("Tug")[0].entity.observations[0].id
    run(
        "edit", "Tug", "--set", "valid_until=2030-01-01", "--observation-until", f"{one}=2024-05-01"
    )
    assert line(ferry, "Tug")["valid_until"] == "2030-01-01"
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
