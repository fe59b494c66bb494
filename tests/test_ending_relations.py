"""A `valid_until` alone ends the relation that holds then, whenever that one began."""

from pathlib import Path

import pytest

from graphmem.memory import Memory
from graphmem.model.period import period


@pytest.fixture
def anna(memory: Memory) -> Memory:
    """Anna, who has worked in a team since 2025."""
    memory.remember([{"name": "Anna"}, {"name": "Team Net"}])
    memory.link("Anna", "WORKS_IN", "Team Net", valid_from="2025-01-01", note="on call")
    return memory


def periods(memory: Memory) -> list[str]:
    neighbours = memory.get("Anna")[0].neighbours
    return sorted(period(link.valid_from, link.valid_until) for link in neighbours)


def test_an_end_alone_ends_the_relation_that_has_begun(anna: Memory) -> None:
    report = anna.link("Anna", "WORKS_IN", "Team Net", valid_until="2026-10-31")

    assert [(item.name, item.outcome) for item in report.items] == [
        ("Anna -[WORKS_IN from 2025-01-01]-> Team Net", "updated")
    ]
    assert periods(anna) == ["2025-01-01 to 2026-10-31"]
    assert anna.get("Anna")[0].neighbours[0].note == "on call"
    again = anna.link("Anna", "WORKS_IN", "Team Net", valid_until="2026-10-31")
    assert [item.outcome for item in again.items] == ["unchanged"]
    anna.link("Anna", "WORKS_IN", "Team Net", valid_until="2026-09-30")
    assert periods(anna) == ["2025-01-01 to 2026-09-30"]


def test_the_end_is_undone_like_any_change(anna: Memory) -> None:
    anna.remember((), [{"from": "Anna", "relation": "WORKS_IN", "to": "Team Net",
                        "valid_until": "2026-10-31"}])  # fmt: skip
    assert periods(anna) == ["2025-01-01 to 2026-10-31"]
    anna.undo("last")
    assert periods(anna) == ["from 2025-01-01"]


def test_one_without_a_beginning_that_has_ended_is_not_the_one_meant(memory: Memory) -> None:
    memory.remember([{"name": "Anna"}, {"name": "Team Net"}])
    memory.link("Anna", "WORKS_IN", "Team Net", valid_until="2024-01-01")
    memory.link("Anna", "WORKS_IN", "Team Net", valid_from="2025-01-01")
    memory.link("Anna", "WORKS_IN", "Team Net", valid_until="2026-10-31")
    assert sorted(periods(memory)) == ["2025-01-01 to 2026-10-31", "until 2024-01-01"]
    again = memory.link("Anna", "WORKS_IN", "Team Net", valid_until="2024-01-01")
    assert [item.outcome for item in again.items] == ["unchanged"]


def test_of_several_that_hold_then_none_is_ended(anna: Memory) -> None:
    anna.link("Anna", "WORKS_IN", "Team Net", valid_from="2026-01-01", valid_until="2026-12-31")
    report = anna.link("Anna", "WORKS_IN", "Team Net", valid_until="2026-10-31")

    (item,) = report.items
    assert item.outcome == "refused"
    assert item.reason == (
        "valid_until 2026-10-31 may end several of these relations, those from 2025-01-01 and from "
        "2026-01-01; give the `valid_from` of the one that it ends"
    )
    assert periods(anna) == ["2026-01-01 to 2026-12-31", "from 2025-01-01"]
    anna.link("Anna", "WORKS_IN", "Team Net", valid_until="2025-10-31")
    assert periods(anna) == ["2025-01-01 to 2025-10-31", "2026-01-01 to 2026-12-31"]


def test_one_without_a_beginning_is_the_one_meant(anna: Memory) -> None:
    anna.link("Anna", "WORKS_IN", "Team Net")
    anna.link("Anna", "WORKS_IN", "Team Net", valid_until="2026-10-31")

    assert periods(anna) == ["from 2025-01-01", "until 2026-10-31"]


def test_what_does_not_hold_then_is_not_ended(anna: Memory) -> None:
    anna.link("Anna", "WORKS_IN", "Team Net", valid_until="2024-10-31")

    assert periods(anna) == ["from 2025-01-01", "until 2024-10-31"]


def test_an_import_states_which_relation_it_means(anna: Memory, tmp_path: Path) -> None:
    table = tmp_path / "links.csv"
    table.write_text("from,relation,to,valid_until\nAnna,WORKS_IN,Team Net,2026-10-31\n")
    anna.import_("csv", table)

    assert periods(anna) == ["from 2025-01-01", "until 2026-10-31"]
