"""An export of all projects is a backup for any server: it keeps who asserted what."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphmem.errors import InvalidInput
from graphmem.memory import Memory
from graphmem.model import Report
from graphmem.model.provenance import Provenance
from stores import lines_of

# It has 150 characters as it is written, and 300 with its case folded.
LONG = "ß" * 150


@pytest.fixture
def backup(memory: Memory, tmp_path: Path, whole: Callable[..., Report]) -> Path:
    """A project that two imports, a person and an agent wrote, as lines of an export of all."""
    folder = tmp_path / "facts"
    folder.mkdir()
    lines: list[dict[str, object]] = [
        {"name": "A", "title": "From the file", "tags": [LONG, "x"],
         "observations": ["read", "both", "refuted"],
         "attributes": {"day": {"date": "2026-03-01"}}},
        {"name": "B", "text": "A text."},
        {"name": "C", "status": "active"},
        {"from": "A", "relation": "USES", "to": "B", "note": "from the file"},
        {"from": "A", "relation": "NEEDS", "to": "B"},
    ]  # fmt: skip
    file = folder / "a.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    whole(folder)
    memory.remember(
        [{"name": "A", "title": "By hand", "tags": ["x", "y"], "observations": ["seen", "both"],
          "attributes": {"day": 5}}, {"name": "Hidden"}]
    )  # fmt: skip
    refuted = next(o for o in memory.get("A")[0].entity.observations if o.text == "refuted")
    memory.edit({"name": "A", "remove": {"observations": [refuted.id]}})
    memory.link("A", "USES", "B", note="by hand")
    memory.unlink("A", "B", "NEEDS")
    memory.forget(["Hidden", "B"])
    file.write_text("\n".join(map(json.dumps, [*lines[:2], *lines[3:]])))
    whole(folder)
    path = tmp_path / "all.jsonl"
    path.write_text("\n".join(map(json.dumps, lines_of(memory, str(memory.project)))))
    return path


def moved(path: Path, project: str) -> Path:
    """The same lines as those of another project."""
    before = json.loads(path.read_text().partition("\n")[0])["project"]
    path.write_text(path.read_text().replace(before, project))
    return path


def state(memory: Memory, project: str) -> list[Any]:
    """The lines of a project without what names it and when they were written."""
    lines: list[Any] = json.loads(
        json.dumps(list(lines_of(memory, project))).replace(f"{project}#", "#")
    )
    for line in lines:
        del line["project"]
        line["provenance"].pop("updated_at", None)
    return lines


def test_an_export_of_all_has_the_lines_of_each_project(
    memory: Memory, backup: Path, project: str
) -> None:
    memory.remember([{"name": "Elsewhere"}], project=f"{project}-2")
    exported = list(memory.export_all(history=False))
    own = [line for line in exported if line["project"] == project]
    assert own == [json.loads(line) for line in backup.read_text().splitlines()]
    assert "Elsewhere" in {line.get("name") for line in exported}


def test_every_word_of_everybody_is_restored(memory: Memory, backup: Path, project: str) -> None:
    copy = f"{project}-copy"
    report = memory.import_("jsonl", moved(backup, copy), everything=True)
    assert report.refused == ()
    assert report.counts("entity")["created"] == 4
    assert state(memory, copy) == state(memory, project)
    again = memory.import_("jsonl", backup, everything=True)
    assert {item.outcome for item in again.items} == {"unchanged"}


def test_a_restored_store_goes_on_as_the_one_before(
    memory: Memory, backup: Path, project: str
) -> None:
    copy = f"{project}-copy"
    memory.import_("jsonl", moved(backup, copy), everything=True)
    memory.remember([{"name": "A", "title": "Later"}], project=copy)
    memory.import_("jsonl", backup, everything=True)
    assert memory.get("A", project=copy)[0].entity.title == "Later"


def test_an_export_of_all_beside_what_is_there_loses_neither(
    memory: Memory, backup: Path, project: str
) -> None:
    copy = f"{project}-copy"
    memory.remember([{"name": "A", "tags": ["own"], "observations": ["own"]}], project=copy)
    memory.import_("jsonl", moved(backup, copy), everything=True)
    entity = memory.get("A", project=copy)[0].entity
    assert set(entity.tags) == {"own", "x", "y", LONG}
    assert {o.text for o in entity.observations} == {"own", "read", "seen", "both"}


def test_without_being_asked_no_line_goes_to_another_project(memory: Memory, backup: Path) -> None:
    report = memory.import_("jsonl", backup)
    assert {item.outcome for item in report.items} == {"refused"}
    assert "--all" in str(report.items[0].reason)


def test_a_project_with_the_name_of_the_own_repository_is_another_one(
    memory: Memory, backup: Path, project: str
) -> None:
    short = project.rpartition("/")[2]
    before = state(memory, project)
    report = memory.import_("jsonl", moved(backup, short), everything=True)
    assert report.refused == ()
    assert state(memory, short) == before
    assert {item.outcome for item in memory.import_("jsonl", backup, everything=True).items} == {
        "unchanged"
    }


def test_nobody_else_says_who_asserted_what(memory: Memory, tmp_path: Path) -> None:
    forged = {"type": "entity", "name": "A", "provenance": {"asserted_by": ["caller"]}}
    assert memory.remember([forged]).refused
    (tmp_path / "forged.jsonl").write_text(json.dumps(forged))
    assert memory.import_("jsonl", tmp_path / "forged.jsonl").refused
    assert memory.import_("jsonl", tmp_path / "forged.jsonl", everything=True).refused


@pytest.mark.parametrize(
    "broken",
    [
        "text",
        {"asserted_by": []},
        {"asserted_by": ["a\nb"]},
        {"asserted_by": ["a"], "more": 1},
        {"asserted_by": ["a"], "assertions": {"title": 5}},
        {"asserted_by": ["a"], "assertions": {"nothing/": {"a": [1]}}},
        {"asserted_by": ["a"], "assertions": {"title/": {"a": []}}},
        {"asserted_by": ["a"], "assertions": {"title/": {"a": [-1]}}},
        {"asserted_by": ["a"], "assertions": {"title/": {"a": [10**18]}}},
        {"asserted_by": ["a"], "assertions": {"title/": {"a": [253_402_300_799_999_999]}}},
        {"asserted_by": ["a"], "assertions": {"title/": {"a": [True]}}},
        {"asserted_by": ["a"], "assertions": {"kind/": {"a": [1, "x" * 40_000]}}},
        {"asserted_by": ["a"], "assertions": {"attribute/x": {"a": [1, {"no": 1}]}}},
        {"asserted_by": ["a"], "assertions": {"attribute/project": {"a": [1, "@user"]}}},
        {"asserted_by": ["a"], "assertions": {"attribute/key": {"a": [1, "@user#a"]}}},
        {"asserted_by": ["a"], "assertions": {"attribute/graphmem_filters": {"a": [1, "x"]}}},
        {"asserted_by": ["a"], "assertions": {"attribute/": {"a": [1, "x"]}}},
        {"asserted_by": ["a"], "assertions": {"tag/": {"a": [1, "x"]}}},
        {"asserted_by": ["a"], "assertions": {f"alias/{'x' * 6000}": {"a": [1, "x"]}}},
        {"asserted_by": ["a"], "assertions": {"title/more": {"a": [1, "x"]}}},
        {"asserted_by": ["a"], "assertions": {"title/": {}}},
        {"asserted_by": ["a"], "assertions": ["title"]},
        {"asserted_by": ["a"], "observed_by": "a"},
        {"asserted_by": ["a"], "use": {"other": 1}},
        {"asserted_by": ["a"], "use": {"access_count": "many"}},
        {"asserted_by": ["a"], "use": {"access_count": [1]}},
        {"asserted_by": ["a"], "use": {"access_count": -1}},
        {"asserted_by": ["a"], "use": {"access_count": 2**63 - 1}},
        {"asserted_by": ["a"], "updated_at": "soon"},
    ],
)
def test_provenance_that_cannot_be_is_refused(broken: object) -> None:
    with pytest.raises(InvalidInput):
        Provenance.from_json("provenance", broken)
