"""A relation that replaces others of its type: these end when it begins."""

import threading
from datetime import UTC, date, datetime, timedelta

import pytest

from concurrent_calls import at_once
from graphmem.graph import Graph, Row
from graphmem.memory import Memory
from graphmem.model.period import period

NAMES = ("Ana", "Ben", "Acme", "Beta", "Gamma")


def today() -> date:
    return datetime.now(UTC).date()


@pytest.fixture
def people(memory: Memory) -> Memory:
    """Ana, who works at Acme, and others."""
    memory.remember([{"name": name} for name in NAMES])
    memory.link("Ana", "WORKS_AT", "Acme", note="since the start")
    return memory


def links(memory: Memory, name: str) -> dict[str, str]:
    """Where the relations of an entity lead, each with its period."""
    return {
        f"{link.relation} {link.direction} {link.name}": period(link.valid_from, link.valid_until)
        for link in memory.get(name)[0].neighbours
    }


def followed(memory: Memory, query: str, at: str | None = None) -> set[str]:
    hits = memory.search(query, mode="keyword", at=at or "now").hits
    return {hit.name for hit in hits} - {query}


def test_replaced_relations_end_the_day_before(people: Memory) -> None:
    people.link("Ana", "KNOWS", "Acme")
    people.link("Ben", "WORKS_AT", "Acme")
    report = people.link("Ana", "WORKS_AT", "Beta", valid_from="2026-03-01", replaces="from")

    assert [(item.name, item.outcome) for item in report.items] == [
        ("Ana -[WORKS_AT from 2026-03-01]-> Beta", "created"),
        ("Ana -[WORKS_AT]-> Acme", "updated"),
    ]
    assert report.notes == ("Ana -[WORKS_AT]-> Acme ended 2026-02-28, since it was replaced",)
    assert links(people, "Ana") == {
        "WORKS_AT out Acme": "until 2026-02-28",
        "WORKS_AT out Beta": "from 2026-03-01",
        "KNOWS out Acme": "",
    }
    assert links(people, "Ben") == {"WORKS_AT out Acme": ""}
    assert people.get("Ana")[0].neighbours[0].note in {None, "since the start"}
    people.unlink("Ana", "Acme", "KNOWS")
    assert followed(people, "Ana") == {"Beta"}
    assert followed(people, "Ana", "2026-02-28") == {"Acme"}


def test_a_relation_without_a_beginning_begins_today(people: Memory) -> None:
    before = today()
    people.link("Ana", "WORKS_AT", "Beta", replaces="from")
    expected = links(people, "Ana")

    assert expected in [
        {
            "WORKS_AT out Acme": f"until {day - timedelta(days=1)}",
            "WORKS_AT out Beta": f"from {day}",
        }
        for day in (before, today())  # midnight may lie between them
    ]
    again = people.link("Ana", "WORKS_AT", "Beta", replaces="from", note="leads sales")
    assert [item.outcome for item in again.items] == ["updated"]
    assert links(people, "Ana") == expected
    same = people.link("Ana", "WORKS_AT", "Beta", replaces="from")
    assert [item.outcome for item in same.items] == ["unchanged"]


def test_a_relation_that_already_exists_remains_the_only_one(people: Memory) -> None:
    people.link("Ana", "WORKS_AT", "Beta")
    before = today()
    report = people.link("Ana", "WORKS_AT", "Beta", replaces="from")

    assert [item.outcome for item in report.items] == ["unchanged", "updated"]
    assert links(people, "Ana") in [
        {"WORKS_AT out Acme": f"until {day - timedelta(days=1)}", "WORKS_AT out Beta": ""}
        for day in (before, today())  # midnight may lie between them
    ]


def test_returning_to_an_earlier_target_makes_a_second_period(people: Memory) -> None:
    people.link("Ana", "WORKS_AT", "Beta", valid_from="2026-03-01", replaces="from")
    people.link("Ana", "WORKS_AT", "Acme", valid_from="2026-06-01", replaces="from")

    periods = sorted(
        (link.name, period(link.valid_from, link.valid_until))
        for link in people.get("Ana")[0].neighbours
    )
    assert periods == [
        ("Acme", "from 2026-06-01"),
        ("Acme", "until 2026-02-28"),
        ("Beta", "2026-03-01 to 2026-05-31"),
    ]


def test_incoming_relations_of_the_type_are_replaced_too(people: Memory) -> None:
    people.link("Ana", "LEADS", "Acme")
    people.link("Ana", "LEADS", "Gamma")
    people.link("Ben", "LEADS", "Acme", valid_from="2026-03-01", replaces="to")

    assert links(people, "Acme") == {
        "WORKS_AT in Ana": "", "LEADS in Ana": "until 2026-02-28",
        "LEADS in Ben": "from 2026-03-01",
    }  # fmt: skip
    assert links(people, "Gamma") == {"LEADS in Ana": ""}


def test_relations_that_ended_or_begin_later_are_kept_and_bound_the_new_one(people: Memory) -> None:
    people.link("Ana", "WORKS_AT", "Acme", valid_until="2026-01-31")
    people.link("Ana", "WORKS_AT", "Gamma", valid_from="2026-09-01")
    report = people.link("Ana", "WORKS_AT", "Beta", valid_from="2026-03-01", replaces="from")

    assert [item.outcome for item in report.items] == ["created"]
    (note,) = report.notes
    assert note == (
        "Ana -[WORKS_AT from 2026-03-01]-> Beta ends 2026-08-31, since Ana -[WORKS_AT from "
        "2026-09-01]-> Gamma follows"
    )
    expected = {
        "WORKS_AT out Acme": "until 2026-01-31",
        "WORKS_AT out Beta": "2026-03-01 to 2026-08-31",
        "WORKS_AT out Gamma": "from 2026-09-01",
    }
    assert links(people, "Ana") == expected
    again = people.link("Ana", "WORKS_AT", "Beta", valid_from="2026-03-01", replaces="from")
    assert [item.outcome for item in again.items] == ["unchanged"]
    assert again.notes == ()
    assert links(people, "Ana") == expected


def test_an_ended_relation_is_not_prolonged_by_its_successor(people: Memory) -> None:
    people.link("Ana", "WORKS_AT", "Beta", valid_from="2025-03-01", valid_until="2025-04-30")
    people.link("Ana", "WORKS_AT", "Gamma", valid_from="2025-09-01")
    people.link("Ana", "WORKS_AT", "Beta", valid_from="2025-03-01", replaces="from")

    assert links(people, "Ana")["WORKS_AT out Beta"] == "2025-03-01 to 2025-04-30"


def test_a_relation_ends_at_the_moment_its_successor_begins(people: Memory) -> None:
    people.link("Ana", "WORKS_AT", "Gamma", valid_from="2026-09-01T12:00:00Z")
    relation = {"from": "Ana", "relation": "WORKS_AT", "to": "Beta", "replaces": "from"}
    relation |= {"valid_from": "2026-09-01"}
    planned = people.remember(relations=[relation], dry_run=True)
    assert "Beta ends 2026-09-01T12:00:00Z, since" in planned.notes[-1]
    written = people.remember(relations=[relation])
    assert written.notes == planned.notes

    assert links(people, "Ana")["WORKS_AT out Beta"] == "2026-09-01 to 2026-09-01T12:00:00Z"


def test_a_relation_that_would_end_before_it_begins_is_deleted(people: Memory) -> None:
    people.link("Ana", "WORKS_AT", "Gamma", valid_from="2026-03-01")
    report = people.link("Ana", "WORKS_AT", "Beta", valid_from="2026-03-01", replaces="from")

    assert ("Ana -[WORKS_AT from 2026-03-01]-> Gamma", "removed") in {
        (item.name, item.outcome) for item in report.items
    }
    assert (
        "Ana -[WORKS_AT from 2026-03-01]-> Gamma was deleted, since it began when it was replaced"
        in report.notes
    )
    assert "WORKS_AT out Gamma" not in links(people, "Ana")


def test_a_moment_ends_the_others_at_that_moment(people: Memory) -> None:
    report = people.link(
        "Ana", "WORKS_AT", "Beta", valid_from="2026-03-01T12:00:00Z", replaces="from"
    )

    assert report.notes == (
        "Ana -[WORKS_AT]-> Acme ended 2026-03-01T12:00:00Z, since it was replaced",
    )
    assert links(people, "Ana")["WORKS_AT out Acme"] == "until 2026-03-01T12:00:00Z"


def test_of_two_that_replace_each_other_at_once_one_stays(
    people: Memory, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up = threading.Barrier(2)
    read = graph.read

    def reading(name: str, **parameters: object) -> list[Row]:
        rows = read(name, **parameters)
        if name == "read/relations_beside":
            looked_up.wait()  # neither has written yet
        return rows

    monkeypatch.setattr(graph, "read", reading)
    at_once(
        lambda: people.link("Ana", "WORKS_AT", "Beta", valid_from="2026-03-01", replaces="from"),
        lambda: people.link("Ana", "WORKS_AT", "Gamma", valid_from="2026-03-05", replaces="from"),
    )
    monkeypatch.undo()
    periods = links(people, "Ana")
    lasting = [
        name for name, dates in periods.items() if "until" not in dates and "to" not in dates
    ]
    assert len(lasting) == 1
    assert periods["WORKS_AT out Acme"] in {"until 2026-02-28", "until 2026-03-04"}


def test_a_successor_may_be_created_at_the_same_time(
    people: Memory, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = graph.read

    def reading(name: str, **parameters: object) -> list[Row]:
        rows = read(name, **parameters)
        if name == "read/relations_beside":
            monkeypatch.undo()
            people.link("Ana", "WORKS_AT", "Gamma", valid_from="2026-03-05", replaces="from")
        return rows

    monkeypatch.setattr(graph, "read", reading)
    report = people.link("Ana", "WORKS_AT", "Beta", valid_from="2026-03-01", replaces="from")

    assert [(item.name, item.outcome) for item in report.items][-1] == (
        "Ana -[WORKS_AT from 2026-03-01]-> Beta", "updated",
    )  # fmt: skip
    assert "Beta ends 2026-03-04, since" in report.notes[-1]
    assert links(people, "Ana") == {
        "WORKS_AT out Acme": "until 2026-02-28",
        "WORKS_AT out Beta": "2026-03-01 to 2026-03-04",
        "WORKS_AT out Gamma": "from 2026-03-05",
    }


def test_it_is_one_change_and_can_be_undone(people: Memory) -> None:
    people.link("Ana", "WORKS_AT", "Beta", replaces="from")
    (change,) = people.changes("2026-01-01").changes[:1]
    assert change.verb == "link"
    people.undo(change.id)

    assert links(people, "Ana") == {"WORKS_AT out Acme": ""}


def test_a_relation_that_is_refused_ends_nothing(people: Memory) -> None:
    for end, fields in (("Nobody", {}), ("Beta", {"weight": 2})):
        report = people.link("Ana", "WORKS_AT", end, replaces="from", **fields)  # type: ignore[arg-type] # on purpose
        assert [item.outcome for item in report.items] == ["refused"]
    assert links(people, "Ana") == {"WORKS_AT out Acme": ""}


def test_a_relation_that_ends_itself_replaces_none(people: Memory) -> None:
    (item,) = people.link(
        "Ana", "WORKS_AT", "Beta", valid_from="2020-01-01", valid_until="2020-12-31",
        replaces="from",
    ).items  # fmt: skip

    assert item.outcome == "refused"
    assert "replaces cannot be combined with valid_until" in str(item.reason)
    assert links(people, "Ana") == {"WORKS_AT out Acme": ""}


def test_many_relations_of_a_type_are_not_replaced(people: Memory) -> None:
    names = [f"Shop {number}" for number in range(20)]
    people.remember(
        [{"name": name} for name in names],
        [{"from": "Ana", "relation": "WORKS_AT", "to": name} for name in names],
    )
    (item,) = people.link("Ana", "WORKS_AT", "Beta", replaces="from").items
    assert item.outcome == "refused"
    assert item.reason == (
        "replaces 'from' would end 21 relations of the type WORKS_AT, and may end 20: of this type "
        "an entity has several at a time. End the right one by its `valid_until`"
    )

    assert "WORKS_AT out Beta" not in links(people, "Ana")
    people.unlink("Ana", "Shop 0")
    assert len(people.link("Ana", "WORKS_AT", "Beta", replaces="from").items) == 21


@pytest.mark.parametrize("replaces", ["start", "", True, "both"])
def test_a_replacing_relation_may_not_have_its_own_end(people: Memory, replaces: object) -> None:
    (item,) = people.link("Ana", "WORKS_AT", "Beta", replaces=replaces).items  # type: ignore[arg-type] # on purpose
    assert item.outcome == "refused"
    assert "replaces must be one of from, to" in str(item.reason)
    assert links(people, "Ana") == {"WORKS_AT out Acme": ""}


def test_a_relation_cannot_replace_others_on_the_first_day_of_all(people: Memory) -> None:
    (item,) = people.link("Ana", "WORKS_AT", "Beta", valid_from="0001-01-01", replaces="from").items
    assert item.reason == "valid_from must be a later day with replaces, got '0001-01-01'"
    assert links(people, "Ana") == {"WORKS_AT out Acme": ""}


def test_relations_of_one_call_replace_in_the_order_given(people: Memory) -> None:
    relation = {"from": "Ana", "relation": "WORKS_AT", "replaces": "from"}
    report = people.remember(
        [{"name": "Delta"}],
        [
            {**relation, "to": "Beta", "valid_from": "2026-03-01"},
            {"from": "Ana", "relation": "KNOWS", "to": "Ben"},
            {**relation, "to": "Delta", "valid_from": "2026-06-01"},
        ],
    )

    assert [(item.name, item.outcome) for item in report.items] == [
        ("Delta", "created"),
        ("Ana -[WORKS_AT from 2026-03-01]-> Beta", "created"),
        ("Ana -[KNOWS]-> Ben", "created"),
        ("Ana -[WORKS_AT from 2026-06-01]-> Delta", "created"),
        ("Ana -[WORKS_AT]-> Acme", "updated"),
        ("Ana -[WORKS_AT from 2026-03-01]-> Beta", "updated"),
    ]
    assert links(people, "Ana") == {
        "WORKS_AT out Acme": "until 2026-02-28",
        "WORKS_AT out Beta": "2026-03-01 to 2026-05-31",
        "WORKS_AT out Delta": "from 2026-06-01",
        "KNOWS out Ben": "",
    }


def test_a_dry_run_ends_nothing(people: Memory) -> None:
    people.link("Ana", "WORKS_AT", "Gamma", valid_from="2026-03-01")
    before = links(people, "Ana")
    report = people.remember(
        (),
        [
            {
                "from": "Ana", "relation": "WORKS_AT", "to": "Beta", "valid_from": "2026-03-01",
                "replaces": "from",
            }
        ],
        dry_run=True,
    )  # fmt: skip

    assert [item.outcome for item in report.items] == ["created", "updated", "removed"]
    assert links(people, "Ana") == before


def test_what_an_import_asserts_ends_as_well(
    people: Memory, tmp_path_factory: pytest.TempPathFactory
) -> None:
    table = tmp_path_factory.mktemp("table") / "links.csv"
    table.write_text("from,relation,to\nBen,WORKS_AT,Acme\n")
    people.import_("csv", table)
    people.link("Ben", "WORKS_AT", "Beta", valid_from="2026-03-01", replaces="from")
    people.import_("csv", table)

    assert links(people, "Ben") == {
        "WORKS_AT out Acme": "until 2026-02-28", "WORKS_AT out Beta": "from 2026-03-01",
    }  # fmt: skip
