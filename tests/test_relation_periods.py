"""Relations of one type between the same entities stand side by side if they begin differently."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import neo4j
import pytest

from agents import agent_of, checkout
from concurrent_calls import at_once
from fakes import FakeEmbedder
from graphmem import cli
from graphmem.cli import session as cli_session
from graphmem.errors import InvalidInput
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.migrations.periods import note_relation_beginnings
from graphmem.migrations.prefix import prefix_properties
from graphmem.model import Report
from stores import lines_of

WINTER: dict[str, Any] = {"valid_from": "2024-01-01", "valid_until": "2024-06-30"}
SUMMER: dict[str, Any] = {"valid_from": "2024-07-01"}
ALICE: dict[str, object] = {"from": "Alice", "relation": "LEADS", "to": "Museum"}


@pytest.fixture
def people(memory: Memory) -> Memory:
    """Two entities without a relation."""
    memory.remember([{"name": "Alice", "kind": "Person"}, {"name": "Museum"}])
    return memory


@pytest.fixture
def led(people: Memory) -> Memory:
    """The same, with two periods of a relation and one that has none."""
    people.link("Alice", "LEADS", "Museum", note="first", **WINTER)
    people.link("Alice", "LEADS", "Museum", note="second", **SUMMER)
    people.link("Alice", "LEADS", "Museum", note="always")
    return people


def relations(memory: Memory, project: str | None = None) -> list[dict[str, Any]]:
    """The lines of relations in an export, without when they were made."""
    lines: list[dict[str, Any]] = [dict(line) for line in memory.export(project=project)]
    for line in lines:
        line.pop("created_at", None)
    return [line for line in lines if line["type"] == "relation"]


def notes(memory: Memory) -> list[object]:
    return [line.get("note") for line in relations(memory)]


def outcomes(report: Report) -> list[str]:
    return [item.outcome for item in report.items]


# Side by side


def test_two_relations_that_begin_at_different_times_coexist(led: Memory) -> None:
    line = {"type": "relation", **ALICE}
    assert relations(led) == [
        line | {"note": "always"},
        line | {"note": "first", **WINTER},
        line | {"note": "second", **SUMMER},
    ]


def test_both_ends_show_every_period(led: Memory) -> None:
    for name in ("Alice", "Museum"):
        neighbours = led.get(name)[0].neighbours
        assert [
            (relation.note, relation.valid_from, relation.valid_until) for relation in neighbours
        ] == [
            ("always", None, None),
            ("first", date(2024, 1, 1), date(2024, 6, 30)),
            ("second", date(2024, 7, 1), None),
        ]


def test_the_same_beginning_is_the_same_relation(led: Memory) -> None:
    assert outcomes(led.link("Alice", "LEADS", "Museum", note="first", **WINTER)) == ["unchanged"]
    for beginning in ("2024-01-01T00:00:00Z", "2024-01-01T02:00:00+02:00", date(2024, 1, 1)):
        report = led.link("Alice", "LEADS", "Museum", valid_from=beginning, note=str(beginning))
        assert outcomes(report) == ["updated"]
    assert len(relations(led)) == 3


def test_a_period_that_begins_at_a_moment_keeps_it(people: Memory) -> None:
    beginning = datetime(2024, 1, 1, 8, 30, tzinfo=UTC)
    people.link("Alice", "LEADS", "Museum", valid_from=beginning)
    assert people.get("Alice")[0].neighbours[0].valid_from == beginning
    assert relations(people)[0]["valid_from"] == "2024-01-01T08:30:00Z"


def test_an_end_that_is_given_later_is_added(people: Memory) -> None:
    people.link("Alice", "LEADS", "Museum", note="kept", **SUMMER)
    report = people.link("Alice", "LEADS", "Museum", **SUMMER, valid_until="2025-01-01")
    assert outcomes(report) == ["updated"]
    assert relations(people)[0].items() >= {
        "note": "kept", "valid_from": "2024-07-01", "valid_until": "2025-01-01",
    }.items()  # fmt: skip


def test_a_search_shows_when_the_links_held_that_led_to_a_hit(led: Memory) -> None:
    hits = led.search("alice", mode="keyword", at="any").hits
    (reached,) = [hit for hit in hits if hit.origin == "expanded"]
    assert [(via.note, via.valid_from, via.valid_until) for via in reached.via] == [
        ("always", None, None),
        ("first", date(2024, 1, 1), date(2024, 6, 30)),
        ("second", date(2024, 7, 1), None),
    ]
    assert reached.to_json()["via"][1].items() >= WINTER.items()  # type: ignore[index]
    text = led.context("alice", at="any").text
    assert "linked: Alice -LEADS-> this (2024-01-01 to 2024-06-30, first)" in text


def test_many_at_once_make_each_period_once(people: Memory) -> None:
    def link() -> None:
        for month in range(1, 6):
            people.link("Alice", "LEADS", "Museum", valid_from=f"2024-{month:02}-01")

    at_once(*[link] * 4)
    assert [line["valid_from"] for line in relations(people)] == [
        f"2024-{month:02}-01" for month in range(1, 6)
    ]


# What is refused


@pytest.mark.parametrize(
    ("period", "sentence"),
    [
        (
            {"valid_from": "2024-07-01", "valid_until": "2024-06-30"},
            "valid_until must not be before valid_from, which is 2024-07-01, got '2024-06-30'",
        ),
        ({"valid_from": "soon"}, "relations[0].valid_from must be a date such as 2026-03-01"),
        ({"valid_until": 5}, "relations[0].valid_until must be a date such as 2026-03-01"),
        ({"valid_from": ""}, "relations[0].valid_from must be a date such as 2026-03-01"),
        ({"attributes": {"graphmem_since": "x"}}, "must not use one of graphmem's own names"),
    ],
)
def test_a_period_that_cannot_be_is_refused_alone(
    people: Memory, period: dict[str, object], sentence: str
) -> None:
    report = people.remember(relations=[ALICE | period, ALICE | {"relation": "KNOWS"}])
    assert outcomes(report) == ["refused", "created"]
    assert sentence in str(report.items[0].reason)


# Taking away


@pytest.mark.parametrize(
    ("beginning", "left"),
    [
        ("2024-01-01", ["always", "second"]),
        ("2024-01-01T00:00:00Z", ["always", "second"]),
        ("", ["first", "second"]),
        ("2023-01-01", ["always", "first", "second"]),
        (None, []),
    ],
)
def test_one_period_or_all_are_unlinked(
    led: Memory, beginning: str | None, left: list[str]
) -> None:
    assert len(led.unlink("Alice", "Museum", "LEADS", valid_from=beginning).items) == 3 - len(left)
    assert notes(led) == left


def test_an_unlinked_period_of_an_import_stays_away_and_the_others_come_back(
    people: Memory, tmp_path: Path, whole: Callable[..., Report]
) -> None:
    lines = [ALICE | WINTER, ALICE | SUMMER, ALICE]
    file = tmp_path / "a.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    whole(tmp_path)
    people.unlink("Alice", "Museum", valid_from="2024-01-01")
    whole(tmp_path)
    assert [line.get("valid_from") for line in relations(people)] == [None, "2024-07-01"]
    people.unlink("Alice", "Museum", valid_from="")
    whole(tmp_path)
    assert [line.get("valid_from") for line in relations(people)] == ["2024-07-01"]
    people.link("Alice", "LEADS", "Museum", valid_from="2024-01-01")
    whole(tmp_path)
    assert [line.get("valid_from") for line in relations(people)] == ["2024-01-01", "2024-07-01"]


# Who said what


def test_an_import_takes_back_the_periods_it_no_longer_asserts(
    people: Memory, tmp_path: Path, whole: Callable[..., Report]
) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text("\n".join(map(json.dumps, [ALICE | WINTER, ALICE | SUMMER])))
    whole(tmp_path)
    people.link("Alice", "LEADS", "Museum", note="by hand")
    file.write_text(json.dumps(ALICE | SUMMER))
    report = whole(tmp_path)
    (removed,) = [item.name for item in report.items if item.outcome == "removed"]
    assert removed == "alice -[LEADS from 2024-01-01]-> museum"
    assert [line.get("valid_from") for line in relations(people)] == [None, "2024-07-01"]


def test_the_later_word_on_an_end_counts_and_the_other_comes_back(
    people: Memory, tmp_path: Path, whole: Callable[..., Report]
) -> None:
    file = tmp_path / "a.jsonl"
    people.link("Alice", "LEADS", "Museum", **WINTER)
    for end in ("2024-05-31", "2024-05-31T12:00:00Z"):
        file.write_text(json.dumps(ALICE | WINTER | {"valid_until": end}))
        whole(tmp_path)
        assert [line["valid_until"] for line in relations(people)] == [end]
    file.write_text("")
    whole(tmp_path)
    assert [line["valid_until"] for line in relations(people)] == ["2024-06-30"]


def test_every_period_and_word_survives_an_export_of_all(
    led: Memory, tmp_path: Path, whole: Callable[..., Report]
) -> None:
    folder = tmp_path / "facts"
    folder.mkdir()
    lines = [ALICE | WINTER | {"valid_until": "2024-05-31"}, ALICE | {"valid_from": "2020-02-02"}]
    (folder / "a.jsonl").write_text("\n".join(map(json.dumps, lines)))
    whole(folder)
    led.unlink("Alice", "Museum", valid_from="2020-02-02")
    project = str(led.project)
    own = list(lines_of(led, project))
    backup = tmp_path / "all.jsonl"
    copy = f"{project}-copy"
    backup.write_text("\n".join(map(json.dumps, own)).replace(project, copy))
    assert led.import_("jsonl", backup, everything=True).refused == ()
    assert relations(led, copy) == relations(led)
    for before, after in zip(own, lines_of(led, copy), strict=True):
        words = json.loads(json.dumps(after["provenance"]).replace(copy, project))
        written = {"updated_at": None}  # the moment of the import, on entities
        assert words | written == dict(before["provenance"]) | written  # type: ignore[call-overload]


def test_lines_of_an_export_bring_every_period_back(led: Memory, tmp_path: Path) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_text("\n".join(map(json.dumps, led.export())))
    copy = f"{led.project}-copy"
    assert led.import_("jsonl", file, project=copy).refused == ()
    assert relations(led, copy) == relations(led)


# Older stores


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            {"valid_from": "soon", "valid_until": 7, "valid_until_": 8, "own": 1},
            {"valid_from_": "soon", "valid_until_": 8, "valid_until__": 7, "own": 1},
        ),
        ({"valid_from_": 8, "valid_from__": 9}, {"valid_from_": 8, "valid_from__": 9}),
        (
            {"valid_from": 7, "valid_from_": 8, "valid_from__": 9},
            {"valid_from___": 7, "valid_from_": 8, "valid_from__": 9},
        ),
        ({"valid_from": 7, "valid_from__": 9}, {"valid_from_": 7, "valid_from__": 9}),
    ],
)
def test_relations_without_a_noted_beginning_get_none_and_keep_their_attributes(
    people: Memory,
    graph: Graph,
    session: neo4j.Session,
    before: dict[str, object],
    after: dict[str, object],
) -> None:
    key = str(people.get("Alice")[0].key)
    people.link("Alice", "KNOWS", "Museum")
    words = {f"attribute/{name}": {"caller": [1, value]} for name, value in before.items()}
    session.run(
        "MATCH (:Entity {key: $key})-[link:KNOWS]->() REMOVE link.graphmem_since "
        "SET link += $before, link.assertions = $words",
        key=key,
        before=before,
        words=json.dumps(words, separators=(",", ":")),
    ).consume()
    assert graph.write(lambda transaction: note_relation_beginnings(transaction, [key]))
    assert graph.write(lambda transaction: prefix_properties(transaction, [key]))
    (line,) = relations(people)
    assert line["attributes"] == after
    (provenance,) = [
        line["provenance"]
        for line in lines_of(people, str(people.project))
        if line["type"] == "relation"
    ]
    assert provenance["assertions"].keys() == {f"attribute/{name}" for name in after}  # type: ignore[index]
    assert outcomes(people.link("Alice", "KNOWS", "Museum", note="again")) == ["updated"]
    assert len(relations(people)) == 1


# The other interfaces


def test_the_terminal_links_shows_and_unlinks_a_period(
    led: Memory, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli_session, "embedder", lambda *_, **__: FakeEmbedder())

    def run(*words: str) -> str:
        assert cli.main([*words, "--project", str(led.project)]) == 0
        return capsys.readouterr().out

    run("link", "Alice", "LEADS", "Museum", "--valid-from", "2025-01-01")
    shown = run("show", "Alice")
    assert "LEADS to Museum  Thing  2024-01-01 to 2024-06-30 — first" in shown
    assert "LEADS to Museum  Thing  from 2025-01-01" in shown
    assert "⟵ LEADS from Alice  2024-01-01 to 2024-06-30" in run(
        "search", "--any-time", "alice", "--mode", "keyword"
    )
    run("unlink", "Alice", "Museum", "--valid-from", "2025-01-01")
    run("unlink", "Alice", "Museum", "--valid-from", "")
    assert notes(led) == ["first", "second"]


def test_an_agent_links_a_period(
    environment: dict[str, str], people: Memory, tmp_path: Path
) -> None:
    with agent_of(environment, checkout(tmp_path / "checkout", "example.org/a/b")) as agent:
        for period in (WINTER, SUMMER, SUMMER):
            agent.call("link", **ALICE, **period, project=people.project)
        (page,) = agent.call("get", names=["Alice"], project=people.project)["entities"]
    assert [relation.get("valid_from") for relation in page["relations"]] == [
        "2024-01-01",
        "2024-07-01",
    ]
    assert page["relations"][0]["valid_until"] == "2024-06-30"


@pytest.mark.parametrize(
    ("first", "last", "day", "holds"),
    [
        (None, None, "2024-06-30", True),
        ("2024-01-01", "2024-06-30", "2024-06-30", True),
        ("2024-01-01", "2024-06-30", "2024-07-01", False),
        ("2024-01-01", "2024-06-30", "2023-12-31", False),
        ("2024-01-01T10:00:00Z", None, "2024-01-01", True),
        (None, "2024-06-30T10:00:00Z", "2024-06-30", True),
        (None, "2024-06-30T10:00:00Z", "2024-07-01", False),
        ("2024-01-01", "2024-06-30", "any", True),
        ("2024-01-01", "2024-06-30", "now", False),
        ("2024-01-01", None, "now", True),
    ],
)
def test_a_relation_leads_on_the_days_on_which_it_holds(
    memory: Memory,
    first: str | None,
    last: str | None,
    day: str,
    holds: bool,  # noqa: FBT001 - a table
) -> None:
    memory.remember([{"name": "Anna", "text": "She rows."}, {"name": "The club"}])
    memory.link("Anna", "MEMBER_OF", "The club", valid_from=first, valid_until=last)
    names = [hit.name for hit in memory.search("rows", at=day).hits]
    assert ("The club" in names) == holds


@pytest.mark.parametrize("day", ["", "soon", "2024-13-01", "this week", 5, True, {}])
def test_a_day_that_is_none_is_refused(memory: Memory, day: Any) -> None:  # noqa: ANN401 - what a caller may hand over
    with pytest.raises(InvalidInput, match="at must be"):
        memory.search("rows", at=day)
