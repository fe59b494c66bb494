"""Importing and exporting: nothing is lost, nothing is doubled, what is refused has its place."""

import json
import os
import re
from datetime import date
from pathlib import Path

import pytest

from graphmem.errors import InvalidInput
from graphmem.memory import Memory
from graphmem.model import Item
from graphmem.model.entity import _ENTITY_FIELDS
from graphmem.transfer import FORMATS
from graphmem.transfer.markdown.entity import ENTITY_FIELDS
from graphmem.transfer.markdown.references import read_note_text

ENTITY = {
    "type": "entity", "name": "Redis cache", "kind": "Decision", "title": "Cache sessions in Redis",
    "text": "Long text …\n\nwith  two paragraphs\n",
    "observations": ["one line", {"text": "said", "created_at": "2026-03-01T10:00:00Z",
                                  "source": "review", "confidence": 0.5}],
    "aliases": ["ADR-7"], "tags": ["infra"], "status": "active", "category": "architecture",
    "confidence": 0.9, "created_at": "2026-02-01T00:00:00Z", "source": "wiki",
    "attributes": {"owner": "ops", "cost": 1.5, "lines": [1, 2], "open": True,
                   "day": {"date": "2026-03-01"}, "at": {"datetime": "2026-03-01T10:00:00+00:00"}},
}  # fmt: skip
RELATION = {
    "type": "relation", "from": "Redis cache", "relation": "DEPENDS_ON", "to": "Session store",
    "note": "hot", "weight": 0.5, "confidence": 0.8, "source": "wiki",
    "created_at": "2026-02-02T00:00:00Z", "attributes": {"since": 2024},
}  # fmt: skip

NOTE = """---
kind: Decision
aliases: [ADR-7]
created_at: 2026-03-01
relations:
  - {relation: DEPENDS_ON, to: Session store, note: hot}
owner: ops
---
See [[Session store]], [[Очередь|the queue]] and `[[not a link]]`.

    [[nor this]]
"""


def jsonl(path: Path, *lines: object) -> Path:
    written = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(written), encoding="utf-8")
    return path


def test_front_matter_may_have_every_field_of_an_entity_that_is_no_text() -> None:
    of_a_note = {"type", "name", "text", "observations", "attributes"}
    assert {*ENTITY_FIELDS} == _ENTITY_FIELDS - of_a_note


def test_nested_front_matter_becomes_json(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "menu.md").write_text(
        "---\nmenu: {overview: {weight: 1}}\nsteps: [[a, b], {since: 2026-03-01}]\n"
        "day: {date: 2026-03-01}\nhabits: {2026-03-01: [{2026-03-02: x}]}\n---\nText."
    )
    assert not memory.import_("markdown", tmp_path).refused
    entity = memory.get("menu")[0].entity
    assert entity.attributes == {
        "menu": '{"overview": {"weight": 1}}',
        "steps": '[["a", "b"], {"since": "2026-03-01"}]',
        "day": date(2026, 3, 1),
        "habits": '{"2026-03-01": [{"2026-03-02": "x"}]}',
    }


def test_export_and_import_give_the_same_project_again(
    memory: Memory, project: str, tmp_path: Path
) -> None:
    memory.remember([ENTITY, {"name": "Session store"}, {"name": "Очередь"}], [RELATION])
    memory.forget("Очередь")
    first = list(memory.export())
    path = jsonl(tmp_path / "all.jsonl", *first)
    report = memory.import_("jsonl", path, project=f"{project}-2")
    assert not report.refused
    assert list(memory.export(project=f"{project}-2")) == first
    again = memory.import_("jsonl", path, project=f"{project}-2")
    assert {item.outcome for item in again.items} == {"unchanged"}


def test_an_export_keeps_every_field(memory: Memory) -> None:
    memory.remember([ENTITY, {"name": "Session store"}], [RELATION])
    lines = {line["name"]: line for line in memory.export() if line["type"] == "entity"}
    exported = lines["Redis cache"]
    observations = exported["observations"]
    assert isinstance(observations, list)
    assert observations[0].pop("created_at") is not None
    assert {**exported, "observations": ["one line", *observations[1:]]} == ENTITY
    assert [line for line in memory.export() if line["type"] == "relation"] == [RELATION]


def test_relations_may_come_before_their_entities(memory: Memory, tmp_path: Path) -> None:
    path = jsonl(
        tmp_path / "x.jsonl", RELATION, ENTITY, {"type": "entity", "name": "Session store"}
    )
    assert not memory.import_("jsonl", path).refused


def test_a_corrupt_line_is_reported_with_its_number_and_the_others_load(
    memory: Memory, tmp_path: Path
) -> None:
    path = jsonl(
        tmp_path / "x.jsonl",
        ENTITY,
        "{not json",
        "",
        '{"type": "entity"}',
        '{"type": "thing", "name": "x"}',
        "[" * 100_000,
        "[1]",
        RELATION,
    )
    report = memory.import_("jsonl", path)
    refused = [item.place for item in report.refused]
    assert refused == [f"x.jsonl:{n}" for n in (2, 4, 5, 6, 7, 8)]
    assert "Session store" in (report.refused[-1].reason or "")
    assert memory.get("ADR-7")[0].entity.title == "Cache sessions in Redis"


def test_a_line_without_a_type_is_told_that_it_needs_one(memory: Memory, tmp_path: Path) -> None:
    [item] = memory.import_("jsonl", jsonl(tmp_path / "x.jsonl", {"name": "Alice"})).refused
    assert (item.reason or "").startswith("type is required in every line: ")


def test_the_lines_that_another_program_may_write_are_imported(
    memory: Memory, tmp_path: Path
) -> None:
    page = (Path(__file__).parents[1] / "docs" / "exporting.md").read_text(encoding="utf-8")
    [lines] = re.findall(r"^```jsonl\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    report = memory.import_("jsonl", jsonl(tmp_path / "x.jsonl", lines))
    assert [item.outcome for item in report.items] == ["created"] * 3


def test_an_empty_file_imports_nothing_and_the_report_says_so(
    memory: Memory, tmp_path: Path
) -> None:
    path = jsonl(tmp_path / "x.jsonl")
    report = memory.import_("jsonl", path)
    assert report.items == ()
    assert report.notes == (f"{path} holds nothing that is read as jsonl",)
    assert memory.import_("markdown", tmp_path).notes == (
        f"{tmp_path} holds nothing that is read as markdown",
    )
    assert memory.import_("markdown", tmp_path / "x.jsonl").items[0].outcome == "created"


def test_an_unknown_format_or_path_is_an_error(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="jsonl, markdown"):
        memory.import_("word", tmp_path)
    with pytest.raises(InvalidInput, match="path must be a file or folder that can be read"):
        memory.import_("markdown", tmp_path / "nowhere")
    with pytest.raises(InvalidInput, match="a file of JSON lines"):
        memory.import_("jsonl", tmp_path)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_a_pipe_of_a_shell_is_no_path_for_an_import(name: str) -> None:
    read_end, write_end = os.pipe()
    try:
        with pytest.raises(InvalidInput, match="path must be a file or folder, not a pipe"):
            FORMATS[name].read(Path(f"/dev/fd/{read_end}"))
    finally:
        os.close(read_end)
        os.close(write_end)


def test_a_markdown_file_becomes_an_entity_with_its_links(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "Redis cache.md").write_text(NOTE, encoding="utf-8")
    (tmp_path / "Session store.md").write_text("Just text.", encoding="utf-8")
    (tmp_path / "Очередь.md").write_text("Текст.", encoding="utf-8")
    report = memory.import_("markdown", tmp_path)
    assert not report.refused
    page = memory.get("ADR-7")[0]
    assert (page.entity.name, page.entity.kind) == ("Redis cache", "Decision")
    assert page.entity.attributes == {"owner": "ops"}
    assert [(n.relation, n.name, n.note) for n in page.neighbours] == [
        ("DEPENDS_ON", "Session store", "hot"),
        ("MENTIONS", "Очередь", None),
    ]


def test_wiki_links_in_code_are_no_links() -> None:
    content = NOTE.partition("---\n")[2].partition("---\n")[2]
    targets = [link.target for link in read_note_text(content).links]
    assert targets == ["Session store", "Очередь"]


def test_a_second_import_after_an_edit_touches_only_what_changed(
    memory: Memory, tmp_path: Path
) -> None:
    for name in ("One", "Two"):
        (tmp_path / f"{name}.md").write_text(f"---\ntags: [a]\n---\nText of {name}.")
    memory.import_("markdown", tmp_path)
    (tmp_path / "Two.md").write_text("---\ntags: [b]\n---\nText of two, edited.")
    report = memory.import_("markdown", tmp_path)
    assert [(item.name, item.outcome) for item in report.items] == [
        ("One", "unchanged"),
        ("Two", "updated"),
    ]
    assert memory.get("Two")[0].entity.tags == ("b",)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"---\nkind: [\n---\n", "front matter"),
        (b"\xff\xfe\x00", "cannot be read"),
        (b"---\nconfidence: 7\n---\n", "confidence"),
        (b"---\nrelations: nonsense\n---\n", "a list"),
        (b"---\nrelations: [{to: X}]\n---\n", "relation"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_its_place(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    (tmp_path / "bad.md").write_bytes(content)
    refused = [row for row in FORMATS["markdown"].read(tmp_path) if hasattr(row.value, "outcome")]
    assert len(refused) == 1
    assert refused[0].place == "bad.md"
    assert reason in (getattr(refused[0].value, "reason", None) or "")


def test_a_dry_run_reports_and_writes_nothing(memory: Memory, tmp_path: Path) -> None:
    path = jsonl(
        tmp_path / "x.jsonl", ENTITY, {"type": "entity", "name": "Session store"}, RELATION
    )
    report = memory.import_("jsonl", path, dry_run=True)
    assert [item.outcome for item in report.items] == ["created"] * 3
    assert memory.stats().entities == 0


def test_the_projects_own_sample_comes_in_whole(memory: Memory) -> None:
    sample = Path(__file__).parents[1] / "examples" / "sample"
    report = memory.import_("markdown", sample)
    assert not report.refused
    stats = memory.stats()
    assert stats.entities >= 60
    assert stats.relations >= 120
    assert len(stats.types) >= 8


def test_every_format_is_named_once() -> None:
    assert set(FORMATS) == {
        "code", "conversations", "csv", "forge", "forgeplan", "jsonl", "markdown", "memcp",
        "memory-server", "rye",
    }  # fmt: skip


def test_two_files_that_name_themselves_alike_are_told_apart(
    memory: Memory, tmp_path: Path
) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "index.md").write_text(f"---\nname: Index\n---\nfrom {folder}")
    report = memory.import_("markdown", tmp_path)
    assert [item.outcome for item in report.items] == ["created", "refused"]
    assert "a/index.md" in (report.refused[0].reason or "")
    assert memory.import_("markdown", tmp_path).items[0].outcome == "unchanged"


def test_rows_that_break_the_parsers_are_refused_alone(memory: Memory, tmp_path: Path) -> None:
    huge = '{"type": "entity", "name": "x", "attributes": {"a": ' + "9" * 5_000 + "}}"
    report = memory.import_("jsonl", jsonl(tmp_path / "x.jsonl", huge, ENTITY))
    assert [item.outcome for item in report.items] == ["refused", "created"]
    (tmp_path / "deep.md").write_text("---\na: " + "[" * 3_000 + "]" * 3_000 + "\n---\n")
    assert memory.import_("markdown", tmp_path / "deep.md").refused


def test_wiki_links_that_look_like_emphasis_are_links() -> None:
    note_text = read_note_text("[[__init__]] [[*star*]] `[[code]]` [[plain]]")
    assert [link.target for link in note_text.links] == ["__init__", "*star*", "plain"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({"type": "entity", "name": "A", "provenance": {}}, "entity may only have the fields"),
        (
            {"type": "relation", "from": "A", "relation": "USES", "to": "B", "provenance": {}},
            "relation may only have the fields",
        ),
        ({"type": "change", "id": "abc"}, "project is required in a line of the type change"),
        ({"type": "entity", "name": "A", "project": "a#b"}, "project must not contain `#`"),
    ],
)
def test_only_a_line_that_names_its_project_says_who_asserted_what(
    tmp_path: Path, line: dict[str, object], reason: str
) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps(line))
    (row,) = FORMATS["jsonl"].read(tmp_path / "a.jsonl")
    assert isinstance(row.value, Item)
    assert row.value.reason
    assert row.value.reason.startswith(reason)
