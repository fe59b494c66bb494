"""A path imported again: what it says no more is marked or deleted, all else stays as it is."""

import json
import os
import re
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from fakes import FakeEmbedder
from graphmem.embedding import Vector
from graphmem.errors import InvalidInput
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.memory.imports import run, waiting
from graphmem.memory.imports.project import ProjectImport
from graphmem.memory.imports.run import ROWS, repository_around
from graphmem.model import Entity, Item, Relation, Report
from graphmem.progress import Progress
from graphmem.transfer import FORMATS, Format, Row
from graphmem.write import Held
from memories import memory_with
from stores import lines_of

# Far more than are taken in the moment in which an import is left.
MOST_STEPS = 10_000_000
RELATION = re.compile(r"(.+) -(\w+)-> (.+)")


def rows(path: Path, progress: Progress) -> Iterator[Row]:
    """A small format: `Name: text`, `A -TYPE-> B`, or `!` for a line that cannot be read."""
    files = sorted(path.glob("*.txt"))
    progress.advance("Reading files", len(files), len(files))
    for file in files:
        for number, line in enumerate(file.read_text().splitlines(), 1):
            place = f"{file.name}:{number}"
            if line.startswith("!"):
                yield Row(place, Item("entity", line, "refused", "it cannot be read"))
            elif match := RELATION.fullmatch(line):
                yield Row(place, Relation(match[1], match[2], match[3]))
            else:
                name, _, text = line.partition(": ")
                yield Row(place, Entity(name, text=text or None, source=file.name))


@pytest.fixture(autouse=True)
def formats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORMATS, "lines", Format(rows, "a line each", whole=True))
    monkeypatch.setitem(FORMATS, "more", Format(rows, "a line each, not all there is"))


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A folder that is imported: three things in two files, two relations."""
    folder = tmp_path / "notes"
    write(folder, "a.txt", "Redis cache: For sessions.", "Session store: Keeps them.",
          "Redis cache -DEPENDS_ON-> Session store")  # fmt: skip
    write(folder, "b.txt", "Tide feed: Every hour.", "Tide feed -USES-> Redis cache")
    return folder


def write(folder: Path, name: str, *lines: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("\n".join(lines))


def outcomes(report: Report) -> dict[str, str]:
    return {item.name: item.outcome for item in report.items}


def alive(memory: Memory) -> set[str]:
    hits = memory.search("redis session tide hand", mode="keyword", limit=200).hits
    return {hit.name for hit in hits}


def status(memory: Memory, name: str) -> str | None:
    return memory.get(name)[0].entity.status


def links(memory: Memory) -> set[str]:
    return {
        f"{line['from']} {line['relation']} {line['to']}"
        for line in memory.export()
        if line["type"] == "relation"
    }


def test_an_entity_that_is_gone_is_hidden_and_its_file_and_text_are_kept(
    memory: Memory, notes: Path
) -> None:
    memory.import_("lines", notes)
    (notes / "b.txt").unlink()
    report = memory.import_("lines", notes)
    assert outcomes(report) == {
        "Redis cache": "unchanged",
        "Session store": "unchanged",
        "Redis cache -[DEPENDS_ON]-> Session store": "unchanged",
        "Tide feed": "removed",
    }
    assert report.counts("entity")["removed"] == 1
    assert alive(memory) == {"Redis cache", "Session store"}
    gone = memory.get("Tide feed")[0].entity
    assert (gone.status, gone.text, gone.source) == ("removed", "Every hour.", "b.txt")
    assert set(outcomes(memory.import_("lines", notes)).values()) == {"unchanged"}
    assert "Tide feed USES Redis cache" in links(memory)


def test_an_entity_that_is_merged_while_an_import_removes_it_is_the_other_one(
    memory: Memory, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.import_("lines", notes)
    read = Graph.read
    steps: list[str] = []

    def merge_first(self: Graph, name: str, **parameters: object) -> list[Any]:
        rows = read(self, name, **parameters)
        if name == "read/asserted_relations" and not steps:
            steps.append("relations are read")
        elif name == "read/sizes" and steps == ["relations are read"]:
            steps.append("merged")
            memory.merge("Tide feed", "Redis cache")
        return rows

    (notes / "b.txt").unlink()
    with monkeypatch.context() as patch:
        patch.setattr(Graph, "read", merge_first)
        assert not memory.import_("lines", notes).refused
    assert steps[-1] == "merged"
    assert memory.get("Tide feed")[0].name == "Redis cache"
    assert not memory.import_("lines", notes).refused


def test_an_entity_that_returns_lives_again_with_its_relations(memory: Memory, notes: Path) -> None:
    memory.import_("lines", notes)
    kept = (notes / "b.txt").read_text()
    (notes / "b.txt").unlink()
    memory.import_("lines", notes)
    write(notes, "b.txt", kept)
    assert outcomes(memory.import_("lines", notes))["Tide feed"] == "updated"
    assert status(memory, "Tide feed") == "active"
    assert alive(memory) == {"Redis cache", "Session store", "Tide feed"}
    assert "Tide feed USES Redis cache" in links(memory)


def test_a_relation_that_is_gone_is_deleted(memory: Memory, notes: Path) -> None:
    memory.import_("lines", notes)
    write(notes, "b.txt", "Tide feed: Every hour.", "Tide feed -USES-> Session store")
    report = memory.import_("lines", notes)
    assert outcomes(report)["tide feed -[USES]-> redis cache"] == "removed"
    assert report.counts("relation")["removed"] == 1
    assert links(memory) == {
        "Redis cache DEPENDS_ON Session store",
        "Tide feed USES Session store",
    }


def repository(folder: Path, remote: str) -> Path:
    """A repository, whose folder `docs` is imported."""
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    subprocess.run(["git", "remote", "add", "origin", f"git@x:{remote}"], cwd=folder, check=True)
    (folder / "docs").mkdir()
    return folder / "docs"


def test_repositories_that_share_a_project_hide_nothing_of_each_other(
    memory: Memory, tmp_path: Path
) -> None:
    one, two = (repository(tmp_path / name, f"acme/{name}") for name in ("one", "two"))
    write(one, "a.txt", "Redis cache: For sessions.", "Redis cache -USES-> Redis cache")
    write(two, "a.txt", "Tide feed: Every hour.")
    memory.import_("lines", one)
    assert outcomes(memory.import_("lines", two)) == {"Tide feed": "created"}
    assert alive(memory) == {"Redis cache", "Tide feed"}
    assert links(memory) == {"Redis cache USES Redis cache"}
    (two / "a.txt").unlink()
    assert outcomes(memory.import_("lines", two)) == {"Tide feed": "removed"}


def test_what_an_import_said_before_it_named_its_repository_is_still_its_own(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = (repository(tmp_path / name, f"acme/{name}") for name in ("one", "two"))
    lines = ["Redis cache: For sessions.", "Session store: Keeps them.", "Hand: By hand.",
             "Redis cache -USES-> Session store", "Redis cache -NEEDS-> Session store"]  # fmt: skip
    write(one, "a.txt", *lines)
    write(two, "a.txt", "Tide feed: Every hour.")
    with monkeypatch.context() as patch:
        patch.setattr(run, "repository_around", lambda _: None)
        memory.import_("lines", one)
    memory.import_("lines", two)
    memory.import_("lines", one)
    author = f"lines:docs of {repository_around(one)}"
    exported: Iterator[dict[str, Any]] = lines_of(memory, str(memory.project))
    assert {tuple(line["provenance"]["asserted_by"]) for line in exported} == {
        (author,), (f"lines:docs of {repository_around(two)}",),
    }  # fmt: skip
    write(one, "a.txt", lines[0], lines[1], lines[3])
    report = outcomes(memory.import_("lines", one))
    assert report["Hand"] == "removed"
    assert links(memory) == {"Redis cache USES Session store"}
    assert status(memory, "Tide feed") == "active"


def test_links_that_an_import_derives_stay_when_it_names_its_repository(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = repository(tmp_path / "one", "acme/one")
    write(folder, "a.txt", "Redis cache: For sessions.", "Tide feed: Feeds the Redis cache.")
    with monkeypatch.context() as patch:
        patch.setattr(run, "repository_around", lambda _: None)
        memory.import_("lines", folder, mentions=True)
    before = list(memory.export(history=True))
    memory.import_("lines", folder, mentions=True, dry_run=True)
    assert list(memory.export(history=True)) == before
    memory.import_("lines", folder, mentions=True)
    assert list(memory.export(history=True)) != before
    assert links(memory) == {"Tide feed MENTIONS Redis cache"}


def test_a_file_that_cannot_be_read_takes_nothing_with_it(memory: Memory, notes: Path) -> None:
    memory.import_("lines", notes)
    write(notes, "a.txt", "Redis cache: For sessions.")
    write(notes, "b.txt", "! half written")
    report = memory.import_("lines", notes)
    assert [item.place for item in report.refused] == ["b.txt:1"]
    assert alive(memory) == {"Redis cache", "Tide feed"}
    assert links(memory) == {"Tide feed USES Redis cache"}


def test_an_unread_file_is_that_of_an_import_whatever_source_others_named(
    memory: Memory, notes: Path
) -> None:
    memory.import_("lines", notes)
    memory.edit({"name": "Tide feed", "source": "the harbour master"})
    write(notes, "b.txt", "! half written")
    memory.import_("lines", notes)
    feed = memory.get("Tide feed")[0].entity
    assert (feed.text, feed.source) == ("Every hour.", "the harbour master")
    assert "Tide feed USES Redis cache" in links(memory)


def test_an_emptied_folder_takes_everything_with_it(memory: Memory, notes: Path) -> None:
    memory.import_("lines", notes)
    for file in notes.iterdir():
        file.unlink()
    assert memory.import_("lines", notes).counts("entity")["removed"] == 3
    assert alive(memory) == set()


def test_a_dry_run_says_what_would_go_and_nothing_goes(memory: Memory, notes: Path) -> None:
    memory.import_("lines", notes)
    before = list(memory.export())
    write(notes, "b.txt", "New feed: Every minute.", "New feed -USES-> Redis cache")
    said = outcomes(memory.import_("lines", notes, dry_run=True))
    assert {said["Tide feed"], said["New feed"]} == {"removed", "created"}
    assert list(memory.export()) == before
    assert outcomes(memory.import_("lines", notes)) == said


def test_what_callers_said_stays_when_an_imported_folder_is_emptied(
    memory: Memory, notes: Path
) -> None:
    memory.import_("lines", notes)
    memory.remember([{"name": "By hand", "text": "A note made by hand."}])
    memory.link("By hand", "ABOUT", "Redis cache")
    for file in notes.iterdir():
        file.unlink()
    memory.import_("lines", notes)
    assert alive(memory) == {"By hand"}
    assert links(memory) >= {"By hand ABOUT Redis cache"}


def test_of_what_others_speak_of_too_only_what_the_import_said_goes(
    memory: Memory, notes: Path
) -> None:
    memory.import_("lines", notes)
    memory.remember([{"name": "Tide feed", "tags": ["by hand"]}])
    (notes / "b.txt").unlink()
    report = memory.import_("lines", notes)
    assert outcomes(report)["Tide feed"] == "updated"
    assert outcomes(report)["tide feed -[USES]-> redis cache"] == "removed"
    feed = memory.get("Tide feed")[0].entity
    assert (feed.status, feed.text, list(feed.tags)) == ("active", None, ["by hand"])
    assert links(memory) == {"Redis cache DEPENDS_ON Session store"}


def test_a_relation_that_others_made_too_stays_and_is_not_said_to_be_removed(
    memory: Memory, notes: Path
) -> None:
    memory.import_("lines", notes)
    memory.link("Tide feed", "USES", "Redis cache", note="by hand")
    write(notes, "b.txt", "Tide feed: Every hour.")
    report = memory.import_("lines", notes)
    assert set(outcomes(report).values()) == {"unchanged"}
    assert "Tide feed USES Redis cache" in links(memory)


def test_two_paths_of_one_project_do_not_know_of_each_other(
    memory: Memory, notes: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    write(other, "a.txt", "Hand rail: To hold on to.", "Hand rail -NEAR-> Tide feed")
    memory.import_("lines", notes)
    memory.import_("lines", other)
    assert {item.outcome for item in memory.import_("lines", notes).items} == {"unchanged"}
    write(other, "a.txt", "Hand rail: To hold on to.")
    assert outcomes(memory.import_("lines", other)) == {
        "Hand rail": "unchanged",
        "hand rail -[NEAR]-> tide feed": "removed",
    }
    assert alive(memory) == {"Redis cache", "Session store", "Tide feed", "Hand rail"}


def test_the_same_path_in_two_projects_is_two_imports(
    memory: Memory, notes: Path, project: str
) -> None:
    memory.import_("lines", notes)
    memory.import_("lines", notes, project=f"{project}-2")
    (notes / "b.txt").unlink()
    memory.import_("lines", notes, project=f"{project}-2")
    assert status(memory, "Tide feed") == "active"


def test_a_path_is_the_same_one_however_it_is_written(
    memory: Memory, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.import_("lines", notes)
    (notes / "b.txt").unlink()
    monkeypatch.chdir(notes.parent)
    assert outcomes(memory.import_("lines", "./notes/../notes"))["Tide feed"] == "removed"


def test_a_path_may_have_bytes_that_are_no_text(memory: Memory, tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.md").write_text("Text.")
    assert outcomes(memory.import_("markdown", folder)) == {"a": "created", "b": "created"}
    (folder / "b.md").unlink()
    assert outcomes(memory.import_("markdown", folder)) == {"a": "unchanged", "b": "removed"}


def test_a_format_that_is_not_all_there_is_removes_nothing(memory: Memory, notes: Path) -> None:
    memory.import_("more", notes)
    (notes / "b.txt").unlink()
    assert memory.import_("more", notes).counts("entity")["removed"] == 0
    assert alive(memory) == {"Redis cache", "Session store", "Tide feed"}


# What was not seen is not gone


def test_entities_below_an_unreadable_folder_stay(
    memory: Memory, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        Row("a.txt:1", Entity("Above", source="a.txt")),
        Row("deep/b.txt:1", Entity("Below", source="deep/b.txt")),
        Row("deep/er/c.txt:1", Entity("Far below", source="deep/er/c.txt")),
        Row("deeper.txt:1", Entity("Beside", source="deeper.txt")),
    ]
    monkeypatch.setitem(FORMATS, "lines", Format(lambda *_: iter(rows), "rows", whole=True))
    memory.import_("lines", notes)
    rows[:] = [Row("deep/", Item("entity", "deep/", "refused", "cannot be listed"))]
    report = memory.import_("lines", notes)
    assert {name for name, outcome in outcomes(report).items() if outcome == "removed"} == {
        "Above",
        "Beside",
    }
    rows[:] = [Row("./", Item("entity", "./", "refused", "cannot be listed"))]
    assert memory.import_("lines", notes).counts("entity")["removed"] == 0


def test_a_much_smaller_folder_removes_nothing_without_permission(
    memory: Memory, notes: Path
) -> None:
    write(notes, "a.txt", *(f"Thing {number}: A text." for number in range(60)))
    memory.import_("lines", notes)
    write(notes, "a.txt", *(f"Thing {number}: A text." for number in range(30)))
    report = memory.import_("lines", notes)
    assert (report.withheld, report.counts("entity")["removed"]) == (30, 0)
    assert "--allow-removals" in report.notes[0]
    assert memory.stats().statuses == {"active": 61}
    allowed = memory.import_("lines", notes, allow_removals=True)
    assert (allowed.withheld, allowed.counts("entity")["removed"]) == (0, 30)


def test_a_slightly_smaller_folder_removes_what_is_missing(memory: Memory, notes: Path) -> None:
    write(notes, "a.txt", *(f"Thing {number}: A text." for number in range(200)))
    memory.import_("lines", notes)
    write(notes, "a.txt", *(f"Thing {number}: A text." for number in range(170)))
    assert memory.import_("lines", notes).counts("entity")["removed"] == 30


def test_removing_exactly_a_fifth_is_allowed(memory: Memory, notes: Path) -> None:
    (notes / "b.txt").unlink()
    write(notes, "a.txt", *(f"Thing {number}: A text." for number in range(21)))
    memory.import_("lines", notes)
    write(notes, "a.txt", "Thing 0: A text.")
    assert memory.import_("lines", notes).counts("entity")["removed"] == 20


def test_a_relation_that_an_import_took_back_is_there_again_when_that_is_undone(
    memory: Memory, notes: Path
) -> None:
    memory.import_("lines", notes)
    write(notes, "b.txt", "Tide feed: Every hour.")
    assert memory.import_("lines", notes).counts("relation")["removed"] == 1
    assert "Tide feed USES Redis cache" not in links(memory)
    memory.undo("last")
    assert "Tide feed USES Redis cache" in links(memory)


# Batch by batch


def test_relations_find_ends_that_come_much_later(memory: Memory, notes: Path) -> None:
    (notes / "b.txt").unlink()
    names = [f"Thing {number}" for number in range(1200)]
    write(notes, "a.txt", "First -USES-> Thing 1199", "First: Comes first.",
          *(f"{name}: A text." for name in names), "Thing 3 -USES-> Thing 1100")  # fmt: skip
    report = memory.import_("lines", notes)
    assert not report.refused
    assert {"First USES Thing 1199", "Thing 3 USES Thing 1100"} <= links(memory)
    assert {item.outcome for item in memory.import_("lines", notes).items} == {"unchanged"}


def test_an_entity_named_later_counts_more_than_an_alias_that_is_there(
    memory: Memory, notes: Path
) -> None:
    memory.remember([{"name": "Store", "aliases": ["Redis"]}])
    write(notes, "a.txt", "App: An app.", "App -USES-> Redis", "Redis: A database.")
    memory.import_("lines", notes)
    assert "App USES Redis" in links(memory)
    assert "App USES Store" not in links(memory)


def test_an_entity_in_two_batches_of_an_import_is_added_to(
    memory: Memory, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        Row("a.txt:1", Entity("Twice", tags=("one",))),
        *(Row(f"a.txt:{n}", Entity(f"Thing {n}")) for n in range(1100)),
        Row("a.txt:9", Entity("Twice", tags=("two",))),
    ]
    monkeypatch.setitem(FORMATS, "lines", Format(lambda *_: iter(rows), "rows", whole=True))
    memory.import_("lines", notes)
    assert memory.get("Twice")[0].entity.tags == ("one", "two")
    memory.import_("lines", notes)
    assert memory.get("Twice")[0].entity.tags == ("one", "two")


def test_a_large_report_counts_everything_and_keeps_what_matters(
    memory: Memory, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphmem.memory.imports.collecting.MOST_ITEMS", 10)
    (notes / "b.txt").unlink()
    write(notes, "a.txt", *(f"Thing {number}: A text." for number in range(40)), "! broken")
    report = memory.import_("lines", notes)
    assert report.counts("entity") == {
        "created": 40, "updated": 0, "unchanged": 0, "removed": 0, "refused": 1,
    }  # fmt: skip
    assert len(report.items) == 11
    assert report.to_json()["omitted"] == 30


def test_a_report_that_refuses_much_counts_it_all(
    memory: Memory, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphmem.memory.imports.collecting.MOST_NOTABLE_ITEMS", 10)
    write(notes, "a.txt", *(f"! broken {number}" for number in range(40)))
    report = memory.import_("lines", notes)
    assert report.counts("entity")["refused"] == 40
    assert len(report.refused) == 10


def test_projects_that_come_one_after_the_other_are_written_as_they_come(
    memory: Memory, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "ROWS", 20)
    monkeypatch.setattr(run, "MOST_WAITING", Held(50, 10**9))
    names = [f"{memory.project}-{number}" for number in range(8)]
    unwritten: list[int] = []
    others = set(threading.enumerate())
    threads: list[int] = []

    def rows(path: Path, _: Progress) -> Iterator[Row]:
        for place, name in enumerate(names):
            unwritten.append(
                sum(memory.stats(project=earlier).entities == 0 for earlier in names[:place])
            )
            begun = set(threading.enumerate()) - others
            threads.append(sum(thread.name.startswith("graphmem-embed") for thread in begun))
            for number in range(20):
                yield Row(path.name, Entity(f"Thing {number}"), name)
            yield Row(path.name, Relation("Thing 1", "USES", "Thing 2"), name)

    monkeypatch.setitem(FORMATS, "lines", Format(rows, "rows"))
    report = memory.import_("lines", notes)
    assert report.counts("entity")["created"] == 160
    assert report.counts("relation")["created"] == 8
    assert max(unwritten) <= 3
    assert max(threads) <= 4


def test_relations_behind_all_entities_wait_on_disk(
    memory: Memory, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "ROWS", 20)
    monkeypatch.setattr(waiting, "MOST_IN_MEMORY", 50)
    entities = [f"Thing {number}: A text." for number in range(20)]
    relations = [f"Thing {number} -USES{kind}-> Thing 0" for number in range(20)
                 for kind in ("", "_NOT", "_OFTEN", "_ONCE", "_NEVER")]  # fmt: skip
    write(notes, "a.txt", *entities, *relations)
    held: list[int] = []
    add = ProjectImport.add

    def watched(self: ProjectImport, rows: Sequence[tuple[int, Row]]) -> None:
        add(self, rows)
        held.append(self._waiting.count)

    monkeypatch.setattr(ProjectImport, "add", watched)
    report = memory.import_("lines", notes)
    assert report.counts("relation")["created"] == len(relations)
    assert max(held) <= 50


def test_a_file_that_was_not_read_is_known_however_its_name_is_written(
    memory: Memory, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "ﬁle  of　notes.txt"
    source = "ﬁle of　notes.txt"
    rows = [Row(name, Entity("Kept", source=source)), Row("b.txt", Entity("B", source="b.txt"))]
    monkeypatch.setitem(FORMATS, "lines", Format(lambda *_: iter(rows), "rows", whole=True))
    memory.import_("lines", notes)
    rows[:1] = [Row(name, Item("entity", name, "refused", "cannot be read"))]
    assert memory.import_("lines", notes).counts("entity")["removed"] == 0


@pytest.mark.parametrize("path", ["nowhere", "x" * 5000, "nul\0byte"])
def test_a_path_that_cannot_be_is_an_error(memory: Memory, path: str) -> None:
    with pytest.raises(InvalidInput, match="path"):
        memory.import_("lines", path)


class SlowEmbedder(FakeEmbedder):
    """Takes long for its documents, and counts the steps that it took."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = threading.Event()
        self.steps = 0

    def documents(
        self, texts: Sequence[str], *, advance: Callable[[int], None] = lambda _: None
    ) -> list[Vector]:
        self.begun.set()
        for _ in range(MOST_STEPS):
            self.steps += 1
            advance(0)
        return super().documents(texts)


def test_an_import_that_is_interrupted_does_not_wait_for_the_model(
    graph: Graph, project: str, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = SlowEmbedder()

    def said(*_: object) -> Iterator[Row]:
        for number in range(ROWS):
            yield Row("a.txt", Entity(f"Thing {number}", text="A text."))
        slow.begun.wait()
        raise KeyboardInterrupt

    monkeypatch.setitem(FORMATS, "lines", Format(said, "rows", whole=True))
    with pytest.raises(KeyboardInterrupt):
        memory_with(slow, graph, project).import_("lines", notes)
    assert 0 < slow.steps < MOST_STEPS


def test_a_file_that_names_both_of_a_merged_pair_changes_nothing_when_it_is_read_again(
    memory: Memory, tmp_path: Path
) -> None:
    lines: list[dict[str, object]] = [
        {"name": "A", "tags": ["a"], "title": "The first", "observations": ["One."]},
        {"name": "B", "tags": ["b"], "text": "A text.", "observations": ["Two."]},
        {"name": "C", "tags": ["c"]},
    ]
    path = tmp_path / "facts.jsonl"

    def read() -> list[str]:
        path.write_text("\n".join(json.dumps({"type": "entity", **line}) for line in lines))
        return [item.outcome for item in memory.import_("jsonl", path).items]

    assert read() == ["created"] * 3
    memory.merge("A", "B")
    memory.rename("C", "D")
    read()
    page = memory.get("B")[0]
    assert set(page.entity.tags) == {"a", "b"}
    assert {observation.text for observation in page.entity.observations} == {"One.", "Two."}
    changes = memory.changes("2000-01-01").changes
    for _ in range(2):
        assert read() == ["unchanged"] * 3
    assert memory.get("B")[0] == page
    assert memory.changes("2000-01-01").changes == changes
    # What is no longer said of either goes, and what stays stays.
    lines[0] = {"name": "A", "title": "The first"}
    assert read() == ["updated", "updated", "unchanged"]
    now = memory.get("B")[0].entity
    assert (now.tags, now.text, now.title) == (("b",), "A text.", "The first")
    assert [observation.text for observation in now.observations] == ["Two."]


def test_a_file_that_names_entities_twice_changes_nothing_when_it_is_read_again(
    memory: Memory, tmp_path: Path
) -> None:
    said: list[dict[str, object]] = [
        {},
        {"title": "First", "kind": "Part", "tags": ["a"], "status": "draft"},
        {"title": "Second", "kind": "Idea", "tags": ["A", "b"], "aliases": ["x"]},
        {"text": "A text.", "lead_in": "Before.", "confidence": 0.9, "created_at": "2024-01-01"},
        {"text": "Another.", "confidence": 0.2, "created_at": "2025-01-01", "category": "c"},
        {"observations": ["One.", "Two."], "attributes": {"cost": 1}},
        {
            "observations": ["Two.", "Three."],
            "attributes": {"cost": "1"},
            "valid_from": "2024-01-01",
        },
    ]
    pairs = [
        ({"name": f"Part {i} {j}", **one}, {"name": f"part {i}  {j}", **other})
        for i, one in enumerate(said)
        for j, other in enumerate(said)
    ]
    path = tmp_path / "facts.jsonl"

    def read(*, dry_run: bool = False) -> set[str]:
        rows = [row for rows in zip(*pairs, strict=True) for row in rows]
        path.write_text("\n".join(json.dumps({"type": "entity", **row}) for row in rows))
        report = memory.import_("jsonl", path, dry_run=dry_run)
        assert len(report.items) == len(rows)
        return {item.outcome for item in report.items}

    read()
    before = list(memory.export(history=True))
    assert [read(dry_run=True), read(), read()] == [{"unchanged"}] * 3
    assert list(memory.export(history=True)) == before
    # What neither of the rows says any more goes.
    pairs = [({"name": "Part 2 1", "tags": ["b"]}, {"name": "Part 2 1", "title": "First"})]
    assert (read(dry_run=True), read(), read()) == ({"updated"}, {"updated"}, {"unchanged"})
    now = memory.get("Part 2 1")[0].entity
    assert (now.title, now.tags, now.aliases, now.kind) == ("First", ("b",), (), "Thing")


def test_of_two_rows_of_one_entity_the_later_period_counts(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"

    def read(*lines: dict[str, object]) -> Report:
        path.write_text("\n".join(json.dumps({"type": "entity", **line}) for line in lines))
        return memory.import_("jsonl", path)

    read({"name": "A", "valid_from": "2020-01-01"}, {"name": "B"})
    memory.merge("A", "B")
    read({"name": "A", "valid_from": "2020-01-01"}, {"name": "B", "valid_until": "2021-01-01"})
    now = memory.get("B")[0].entity
    assert (now.valid_from, now.valid_until) == (date(2020, 1, 1), date(2021, 1, 1))
    # Rows that would end before they begin are no one entity.
    report = read(
        {"name": "A", "valid_until": "2019-01-01"}, {"name": "B", "valid_from": "2020-01-01"}
    )
    assert [item.outcome for item in report.items].count("refused") == 1


def test_a_relation_that_a_caller_removed_stays_away_when_its_end_is_merged(
    memory: Memory, notes: Path
) -> None:
    write(notes, "a.txt", "A: One.", "B: Two.", "C: Three.", "A -USES-> B")
    memory.import_("lines", notes)
    memory.unlink("A", "B")
    memory.merge("B", "C")
    memory.import_("lines", notes)
    assert memory.get("A")[0].neighbours == ()
    # What a caller links there afterwards is the import's as well.
    memory.link("A", "USES", "C")
    memory.import_("lines", notes)
    memory.unlink("A", "C")
    memory.import_("lines", notes)
    assert memory.get("A")[0].neighbours == ()


def test_entities_that_were_merged_get_no_link_to_themselves_when_a_file_is_read_again(
    memory: Memory, notes: Path
) -> None:
    write(notes, "a.txt", "A: One.", "B: Two.", "A -USES-> B", "A -CALLS-> A")
    memory.import_("lines", notes)
    memory.merge("B", "A")
    links = {(link.relation, link.direction) for link in memory.get("A")[0].neighbours}
    report = memory.import_("lines", notes)
    assert {(link.relation, link.direction) for link in memory.get("A")[0].neighbours} == links
    (item,) = (item for item in report.items if item.name == "A -[USES]-> B")
    assert (item.outcome, item.reason) == ("unchanged", "its ends are the same entity by now")


def test_what_an_entity_says_stays_when_a_file_names_what_was_merged_into_it(
    memory: Memory, tmp_path: Path
) -> None:
    path = tmp_path / "facts.jsonl"

    def read(**fields: object) -> str:
        path.write_text(json.dumps({"type": "entity", "name": "Other", **fields}))
        return memory.import_("jsonl", path).items[0].outcome

    told = {"title": "Its title", "text": "Its text.", "status": "deprecated", "lead_in": "Before"}
    memory.remember([{"name": "Kept", "title": "My title", "text": "My text."}])
    assert read(**told) == "created"
    memory.merge("Other", "Kept")
    page = memory.get("Kept")[0]
    assert [read(**told) for _ in range(2)] == ["unchanged"] * 2
    assert memory.get("Kept")[0] == page
    now = page.entity
    assert (now.title, now.text, now.status, now.lead_in) == (
        "My title", "My text.", "active", None,
    )  # fmt: skip
    assert [observation.text for observation in now.observations] == ["Its text."]
    # What the file says anew is the latest word, as for every entity of several authors.
    assert read(**told | {"title": "Its new title"}) == "updated"
    now = memory.get("Kept")[0].entity
    assert (now.title, now.text) == ("Its new title", "My text.")


@pytest.mark.parametrize("last", ["A", "B"])
def test_of_a_merged_pair_in_one_file_what_the_one_that_stayed_says_counts(
    memory: Memory, tmp_path: Path, last: str
) -> None:
    path = tmp_path / "facts.jsonl"
    lines: list[dict[str, object]] = [
        {"name": "A", "title": "First", "text": "A text.", "status": "deprecated", "tags": ["a"]},
        {"name": "B", "title": "Second", "text": "Another text."},
    ]
    lines.sort(key=lambda line: line["name"] == last)

    def read() -> list[str]:
        path.write_text("\n".join(json.dumps({"type": "entity", **line}) for line in lines))
        return [item.outcome for item in memory.import_("jsonl", path).items]

    read()
    memory.merge("A", "B")
    page = memory.get("B")[0]
    assert [read() for _ in range(2)] == [["unchanged"] * 2] * 2
    assert memory.get("B")[0] == page
    now = page.entity
    assert (now.title, now.text, now.status, now.tags) == (
        "Second", "Another text.", "active", ("a",),
    )  # fmt: skip
    assert [observation.text for observation in now.observations] == ["A text."]
