"""Decision records are imported with their status, their date and what they replace."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphmem.memory import Memory
from graphmem.model import Relation
from graphmem.transfer.markdown.supersessions import MOST_STEPS
from note_folders import entities, read, refusals, write

# As adr-tools and people write them: the title, the date, a section on the status.
RECORD = (
    "# {title}\n\nDate: 2025-03-01\n\n## Status\n\n{status}\n\n## Context\n\nWe carry invoices.\n"
)


def record(title: str, status: str = "Accepted") -> str:
    return RECORD.format(title=title, status=status)


def replaced(folder: Path, notes: dict[str, str]) -> set[tuple[str, str]]:
    """What replaces what, by the names of the notes."""
    values = [row.value for row in read(folder, notes)]
    return {
        (value.start, value.end)
        for value in values
        if isinstance(value, Relation) and value.relation == "SUPERSEDES"
    }


def status_of(folder: Path, content: str, name: str = "adr/0001-a.md") -> str | None:
    return entities(read(folder, {name: content}))[name].status


def test_a_record_has_its_status_date_and_number(tmp_path: Path) -> None:
    notes = {"adr/0003-use-kafka.md": record("3. Use Kafka"), "adr/README.md": record("Records")}
    entities_by_name = entities(read(tmp_path, notes))
    kafka = entities_by_name["adr/0003-use-kafka.md"]
    assert (kafka.kind, kafka.title, kafka.status) == ("Decision", "3. Use Kafka", "accepted")
    assert kafka.created_at == datetime(2025, 3, 1, tzinfo=UTC)
    assert kafka.aliases == ("ADR-0003", "ADR-3")
    other = entities_by_name["adr/README.md"]
    assert (other.kind, other.status, other.created_at, other.aliases) == (None, None, None, ())


@pytest.mark.parametrize(
    ("path", "kind", "aliases"),
    [
        ("adr/0003-a.md", "Decision", ("ADR-0003", "ADR-3")),
        ("docs/Architecture_Decisions/backend/12-a.md", "Decision", ("ADR-12",)),
        ("notes/ADR032-a.md", "Decision", ("ADR-032", "ADR-32")),
        ("decisions/dec-7.md", "Decision", ("DEC-7",)),
        ("adr/20250301-a.md", "Decision", ()),
        ("adr/2nd-a.md", None, ()),
        ("adr/template.md", None, ()),
        ("rfcs/0003-a.md", None, ()),
    ],
)
def test_numbered_notes_are_decisions_in_their_folders_or_by_their_names(
    tmp_path: Path, path: str, kind: str | None, aliases: tuple[str, ...]
) -> None:
    entity = entities(read(tmp_path, {path: record("A")}))[path]
    assert (entity.kind, entity.aliases) == (kind, aliases)


def test_a_number_is_called_after_its_folder(tmp_path: Path) -> None:
    notes = {"rfcs/0001-a.md": record("A"), "rfcs/0002-b.md": record("B", "Supersedes RFC 1")}
    assert replaced(tmp_path, notes) == {("0002-b", "0001-a")}
    notes["rfcs/0002-b.md"] = record("B", "Supersedes ADR 1\n\n- Replaces 1 service")
    assert replaced(tmp_path, notes) == set()


def test_a_number_shared_by_two_records_is_no_alias(tmp_path: Path) -> None:
    notes = {"a/adr/0001-a.md": record("A"), "b/adr/0001-b.md": record("B")}
    notes["a/adr/0002-c.md"] = record("C", "Supersedes ADR-1")
    assert replaced(tmp_path, notes) == {("0002-c", "0001-a")}
    entities_by_name = entities(read(tmp_path))
    assert [entity.aliases for entity in entities_by_name.values()] == [
        (),
        ("ADR-0002", "ADR-2"),
        (),
    ]


def test_front_matter_wins_over_the_text(tmp_path: Path) -> None:
    front = "---\nkind: Rule\nstatus: Draft\ncreated_at: 2024-01-01\n---\n"
    entity = entities(read(tmp_path, {"adr/0001-a.md": front + record("A")}))["adr/0001-a.md"]
    assert (entity.kind, entity.status) == ("Rule", "Draft")
    assert entity.created_at == datetime(2024, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("- Status: accepted", "accepted"),
        ("* Status: proposed <!-- optional -->", "proposed"),
        ("**Status:** Accepted, 2026-09-05; the store superseded by [2](0002-b.md)", "accepted"),
        ("> **Status**: ✅ Accepted", None),
        ("> ✅ **Status**: Accepted", "accepted"),
        ("| Status | Rejected |", "rejected"),
        ("Status: Superseded by M14", "superseded"),
        ("Status: Superceded", "superseded"),
        ("Status: superseded (see below)", "superseded"),
        ("Superseded by: ADR 2", "superseded"),
        ("Status: Superseded in part by ADR 2", None),
        ("_Partly superseded by [2](0002-b.md)_", None),
        ("* Status: [proposed | rejected | accepted | superseded by [2](0002-b.md)]", None),
        ("* Status: proposed | rejected", None),
        ("Status: Dead", None),
        ("Status:", None),
        ("This was superseded by ADR 2.", None),
        ("```\nStatus: accepted\n```", None),
        ("Status: accepted" + " " * 2000, None),
    ],
)
def test_the_status_is_a_field_below_the_title(
    tmp_path: Path, line: str, status: str | None
) -> None:
    assert status_of(tmp_path, f"# A\n\n{line}\n\n## Context\n\nText.\n") == status
    # Below other headings it is about something else.
    assert status_of(tmp_path, f"# A\n\n## Context\n\n{line}\n") is None
    # A note without a number is no record.
    assert status_of(tmp_path, f"# A\n\n{line}\n", "adr/overview.md") is None


@pytest.mark.parametrize(
    ("section", "status"),
    [
        ("## Status\n\nAccepted", "accepted"),
        ("# 2. Status:\n\nProposed", "proposed"),
        ("Status\n------\n\nApproved by all", "approved"),
        ("## Status\n\nAccepted\n\nSuperceded by [2. B](0002-b.md)", "superseded"),
        ("## Status\n\nOPEN\n\nAmended by [2. B](0002-b.md)", None),
        ("## Statuses\n\nAccepted", None),
        ("## Status\n\nWhat was accepted before", None),
    ],
)
def test_the_status_is_a_section(tmp_path: Path, section: str, status: str | None) -> None:
    assert status_of(tmp_path, f"# A\n\n{section}\n\n## Context\n\nDeprecated") == status


@pytest.mark.parametrize(
    "statement",
    [
        "Superseded by [2. B](0002-b.md)",
        "Superceded by [2. B](./0002-b.md#context).",
        "Superseded by ADR-2",
        "superseded by ADR 0002 on 2026-07-21",
        "Superseded by 0002",
        "Superseded by [[0002-b]]",
        "Superseded by [[ADR-2]]",
        "Replaced by decision 2",
    ],
)
def test_what_is_replaced_names_what_replaces_it(tmp_path: Path, statement: str) -> None:
    notes = {"adr/0001-a.md": record("A", statement), "adr/0002-b.md": record("B")}
    assert replaced(tmp_path, notes) == {("0002-b", "0001-a")}
    rows = read(tmp_path)
    assert entities(rows)["adr/0001-a.md"].status == "superseded"
    # The file of what replaces says so, and the link in the text is no second relation.
    relations = [(row.place, row.value) for row in rows if isinstance(row.value, Relation)]
    assert [(place, relation.relation) for place, relation in relations] == [
        ("adr/0002-b.md", "SUPERSEDES")
    ]


@pytest.mark.parametrize(
    "statement",
    [
        "Superseded by #2",
        "Superseded by M2",
        "Superseded by RFC 2",
        "Superseded by 2 others",
        "Superseded by version 2",
        "Superseded by ADR-3",
        "Superseded by 2026-03-02",
        "Superseded by [the team](https://example.org/2)",
        "Superseded by [itself](0001-a.md)",
    ],
)
def test_what_is_no_record_of_the_folder_replaces_nothing(tmp_path: Path, statement: str) -> None:
    notes = {"adr/0001-a.md": record("A", statement), "adr/0002-b.md": record("B")}
    assert replaced(tmp_path, notes) == set()
    assert entities(read(tmp_path))["adr/0001-a.md"].status == "superseded"


@pytest.mark.parametrize(
    "content",
    [
        record("B", "Accepted\n\nSupersedes [1. A](0001-a.md)"),
        "# B\n\n- Status: accepted\n- Supersedes: ADR-0001\n",
        "# B\n\nText.\n\n## Links\n\n- Supersedes [1. A](0001-a.md)\n",
        "---\nsupersedes: ADR-1\n---\n# B\n",
        "---\nsupersedes: [0001-a.md]\n---\n# B\n",
        "---\nsupersedes: ['ADR-0001: A']\n---\n# B\n",
        "---\nsupersedes: [[0001-a]]\n---\n# B\n",
        "---\nSupersedes: 1\nstatus: accepted\n---\n# B\n",
    ],
)
def test_what_replaces_names_what_it_replaces(tmp_path: Path, content: str) -> None:
    notes = {"adr/0001-a.md": record("A"), "adr/0002-b.md": content}
    assert replaced(tmp_path, notes) == {("0002-b", "0001-a")}
    # What is said to be accepted still is found.
    assert entities(read(tmp_path))["adr/0001-a.md"].status == "accepted"


@pytest.mark.parametrize("value", ["null", "~", "none", "N/A", "[]", "''", "'-'"])
def test_an_empty_field_replaces_nothing(tmp_path: Path, value: str) -> None:
    front = f"---\nsupersedes: {value}\nsuperseded_by: {value}\n---\n"
    assert replaced(tmp_path, {"adr/0001-a.md": f"{front}# A\n"}) == set()
    assert refusals(read(tmp_path)) == {}


def test_any_note_may_say_in_front_matter_what_replaces_it(tmp_path: Path) -> None:
    notes = {
        "Tides.md": "---\nsuperseded-by: Tide tables\n---\nText.",
        "Fog.md": "---\nstatus: superseded by [[Signals]]\n---\nText.",
        "Signals.md": "Status: accepted",
    }
    assert replaced(tmp_path, notes) == {("Tide tables", "Tides"), ("Signals", "Fog")}
    entities_by_name = entities(read(tmp_path))
    assert entities_by_name["Fog.md"].status == "superseded"
    assert (entities_by_name["Tides.md"].status, entities_by_name["Signals.md"].status) == (
        None,
        None,
    )


def test_what_replaces_a_record_replaces_all_that_this_one_replaced(tmp_path: Path) -> None:
    notes = {
        "adr/0001-a.md": record("A", "Superseded by ADR-2"),
        "adr/0002-b.md": record("B", "Superseded by ADR-3\n\nSupersedes ADR-1"),
        "adr/0003-c.md": record("C"),
        "adr/0004-d.md": record("D", "Supersedes ADR-5"),
        "adr/0005-e.md": record("E", "Supersedes ADR-4"),
    }
    pairs = {("0002-b", "0001-a"), ("0003-c", "0002-b"), ("0003-c", "0001-a")}
    assert replaced(tmp_path, notes) == pairs | {("0004-d", "0005-e"), ("0005-e", "0004-d")}


def test_many_steps_are_followed_and_no_more(tmp_path: Path) -> None:
    notes = {f"adr/{n:04}.md": record("A", f"Supersedes {n - 1:04}") for n in range(1, 61)}
    of_last = {end for start, end in replaced(tmp_path, notes) if start == "0060"}
    assert of_last == {f"{n:04}" for n in range(60 - MOST_STEPS, 60)}


def test_a_search_for_the_first_decision_leads_to_the_last(memory: Memory, tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "adr/0001-a.md": record("Queues", "Superseded by [2](0002-b.md)") + "Zebra policy.",
            "adr/0002-b.md": record("Topics", "Superseded by [3](0003-c.md)"),
            "adr/0003-c.md": record("Outbox"),
        },
    )
    for outcome in ("created", "unchanged"):
        report = memory.import_("markdown", tmp_path)
        assert {(item.what, item.outcome) for item in report.items} == {
            ("entity", outcome),
            ("relation", outcome),
        }
    (hit,) = memory.search("zebra policy").hits
    assert (hit.name, [link.seed for link in hit.via]) == ("0003-c", ["0001-a"])
    (page,) = memory.get("ADR-3")
    assert {(link.relation, link.name, link.status) for link in page.neighbours} == {
        ("SUPERSEDES", "0001-a", "superseded"),
        ("SUPERSEDES", "0002-b", "superseded"),
    }
