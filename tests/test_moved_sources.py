"""A file that is moved, or a note that is renamed: what callers said of it goes with it."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from code_folders import write
from graphmem.graph import Graph, Row
from graphmem.memory import Memory
from graphmem.model import Report
from graphmem.write.deleting.same_entities import Beginning, matches, matches_by_text

STORE = """def opened(path):
    return Store(path)


class Store:
    def get(self, key):
        return self.rows[key]

    def close(self): ...
"""
OTHER = "class Pool:\n    def close(self): ...\n"
PLAN = """Ana looks after the basin and the berths on the north side of the harbour.

From the first of May she counts the tides from the sill, twice a day, and writes them down for
the office, which tells the guests when the gate opens. On Sundays Bo does it.
"""
TIDES = "Tides are counted from the sill of the inner basin."


@pytest.fixture
def code(memory: Memory, tmp_path: Path) -> Path:
    """A folder of code whose `Store.get` a decision concerns, imported."""
    write(tmp_path, {"store.py": STORE, "other.py": OTHER})
    memory.import_("code", tmp_path)
    decide(memory, "store.py::Store.get")
    return tmp_path


def decide(memory: Memory, *names: str) -> None:
    """Link a decision to entities."""
    memory.remember(
        [{"name": "Be quick", "kind": "Decision"}],
        [
            {"from": "Be quick", "relation": "CONCERNS", "to": name, "note": "slow in May"}
            for name in names
        ],
    )


def concerned(memory: Memory) -> dict[str, str | None]:
    """What the decision concerns and is still there, with the notes of the links."""
    links = memory.get("Be quick")[0].neighbours
    return {link.name: link.note for link in links if link.status is None}


def moves(report: Report) -> str:
    """What a report says of what has moved; empty where it says nothing of it."""
    (note,) = [note for note in report.notes if "another name in the source" in note] or [""]
    return note


def test_links_go_with_a_symbol_whose_file_is_moved(memory: Memory, code: Path) -> None:
    (code / "store.py").rename(code / "session.py")
    report = memory.import_("code", code)

    assert moves(report) == (
        "1 entity that people or agents wrote about has another name in the source, which has what "
        "they wrote now: 'store.py::Store.get' is 'session.py::Store.get'"
    )
    assert report.notes == (moves(report),)
    assert concerned(memory) == {"session.py::Store.get": "slow in May"}
    assert memory.get("store.py::Store.get")[0].status == "removed"
    again = memory.import_("code", code)
    assert {item.outcome for item in again.items} == {"unchanged"}
    assert again.notes == ()


def test_what_callers_say_of_a_symbol_goes_with_it(memory: Memory, code: Path) -> None:
    memory.remember(
        [
            {
                "name": "store.py::Store.get",
                "tags": ["hot"],
                "aliases": ["the getter"],
                "attributes": {"owner": "ops"},
                "observations": ["It needs the lock."],
            }
        ]
    )
    (code / "store.py").rename(code / "session.py")
    report = memory.import_("code", code)

    reasons = {item.name: item.outcome for item in report.items if item.outcome == "removed"}
    assert reasons["store.py::Store.get"] == "removed"
    page = memory.get("session.py::Store.get")[0]
    assert page.entity.tags == ("hot",)
    assert "the getter" in page.entity.aliases
    assert not {"store.py::Store.get", "store.py::store.get"} & set(page.entity.aliases)
    assert page.entity.attributes["owner"] == "ops"
    assert page.entity.attributes["path"] == "session.py"
    assert [observation.text for observation in page.entity.observations] == ["It needs the lock."]
    assert memory.search("needs the lock").hits[0].name == "session.py::Store.get"
    assert memory.stats().pending == 0
    assert {item.outcome for item in memory.import_("code", code).items} == {"unchanged"}


def test_what_a_move_carries_is_undone_with_the_import(memory: Memory, code: Path) -> None:
    memory.remember([{"name": "store.py::Store.get", "observations": ["It needs the lock."]}])
    (code / "store.py").rename(code / "session.py")
    memory.import_("code", code)
    (change,) = memory.changes("2026-01-01").changes[:1]
    assert change.verb == "import"
    memory.undo(change.id)

    assert concerned(memory) == {"store.py::Store.get": "slow in May"}
    page = memory.get("store.py::Store.get")[0]
    assert page.status == "active"
    assert [observation.text for observation in page.entity.observations] == ["It needs the lock."]


def test_links_go_back_with_a_file_that_is_moved_back(memory: Memory, code: Path) -> None:
    memory.remember([{"name": "store.py::Store.get", "observations": ["It needs the lock."]}])
    for old, new in (("store.py", "session.py"), ("session.py", "store.py")) * 2:
        (code / old).rename(code / new)
        report = memory.import_("code", code)
        assert moves(report)
        assert concerned(memory) == {f"{new}::Store.get": "slow in May"}
        page = memory.get(f"{new}::Store.get")[0]
        assert [observation.text for observation in page.entity.observations] == [
            "It needs the lock."
        ]
    assert {item.outcome for item in memory.import_("code", code).items} == {"unchanged"}


def test_a_symbol_that_is_edited_as_it_is_moved_is_known_by_its_file(
    memory: Memory, code: Path
) -> None:
    decide(memory, "store.py", "store.py::opened")
    source = STORE.replace("self.rows[key]", "self.rows.get(key)")
    (code / "store.py").unlink()
    write(code, {"lib/session.py": f"import os\n\nprint(os.name)\n\n\n{source}"})
    memory.import_("code", code)

    assert set(concerned(memory)) == {
        "lib/session.py", "lib/session.py::opened", "lib/session.py::Store.get",
    }  # fmt: skip


def test_a_new_file_of_the_old_name_is_an_entity_of_its_own(memory: Memory, code: Path) -> None:
    (code / "store.py").rename(code / "session.py")
    memory.import_("code", code)
    write(code, {"store.py": "class Store:\n    def get(self): return 1\n"})
    memory.import_("code", code)

    assert set(concerned(memory)) == {"session.py::Store.get"}
    assert memory.get("store.py::Store.get")[0].status == "active"
    assert memory.get("store.py::Store.get")[0].name == "store.py::Store.get"


def test_links_go_with_a_symbol_that_is_given_another_name(memory: Memory, code: Path) -> None:
    write(code, {"store.py": STORE.replace("get", "fetch")})
    report = memory.import_("code", code)

    assert moves(report).endswith("'store.py::Store.get' is 'store.py::Store.fetch'")
    assert concerned(memory) == {"store.py::Store.fetch": "slow in May"}
    (code / "store.py").unlink()
    write(code, {"session.py": STORE.replace("get", "read")})
    memory.import_("code", code)
    assert concerned(memory) == {"session.py::Store.read": "slow in May"}


def test_what_is_gone_keeps_its_links_hidden_and_they_are_named(memory: Memory, code: Path) -> None:
    write(code, {"store.py": STORE.replace("get(self, key)", "fetch(self, key=None)")})
    report = memory.import_("code", code)

    assert not moves(report)
    assert report.notes[0].startswith("1 relation that people or agents wrote is hidden")
    (link,) = memory.get("Be quick")[0].neighbours
    assert (link.name, link.note, link.status) == ("store.py::Store.get", "slow in May", "removed")
    assert [*memory.get_as_of("Be quick", datetime.now(UTC)).neighbours] == [link]
    assert memory.explore("Be quick").notes == (
        "Be quick is linked to nothing that searches show",
        "1 relation leads to something that is removed: CONCERNS 'store.py::Store.get'",
    )
    assert len(memory.explore("Be quick", direction="in").notes) == 1
    write(code, {"store.py": STORE})
    memory.import_("code", code)
    assert set(concerned(memory)) == {"store.py::Store.get"}


def test_a_merge_by_hand_leaves_the_text_that_the_source_no_longer_has(
    memory: Memory, code: Path
) -> None:
    changed = STORE.replace("get(self, key):\n        return", "fetch(self, one):\n        yield")
    (code / "store.py").write_text(changed.replace("self.rows[key]", "self.pages(one)"))
    assert moves(memory.import_("code", code)) == ""
    memory.merge("store.py::Store.get", "store.py::Store.fetch")

    fetch = memory.get("store.py::Store.fetch")[0].entity
    assert (fetch.observations, "self.pages(one)" in str(fetch.text)) == ((), True)
    assert concerned(memory) == {"store.py::Store.fetch": "slow in May"}
    memory.undo("last")
    (before,) = memory.get("store.py::Store.get")
    assert (before.status, "self.rows[key]" in str(before.entity.text)) == ("removed", True)


def test_a_copy_that_was_there_before_gets_nothing(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, {"a.py": STORE, "b.py": STORE})
    memory.import_("code", tmp_path)
    decide(memory, "a.py::Store.get")
    (tmp_path / "a.py").unlink()

    assert not moves(memory.import_("code", tmp_path, allow_removals=True))
    assert concerned(memory) == {}


def test_links_that_are_not_removed_yet_have_moved_already(memory: Memory, tmp_path: Path) -> None:
    files = {f"old/m{i}.py": f"def moor{i}():\n    return {i}\n" for i in range(15)}
    memory.import_("code", write(tmp_path, files))
    decide(memory, "old/m3.py::moor3")
    (tmp_path / "old").rename(tmp_path / "new")
    report = memory.import_("code", tmp_path)

    assert report.withheld == 30
    assert moves(report)
    assert concerned(memory) == {"new/m3.py::moor3": "slow in May"}
    assert memory.get("old/m3.py::moor3")[0].status == "active"
    memory.import_("code", tmp_path, allow_removals=True)
    assert concerned(memory) == {"new/m3.py::moor3": "slow in May"}


def test_links_go_with_what_an_interrupted_import_brought(
    memory: Memory, code: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt_before_removing(memory, code, monkeypatch)

    assert moves(memory.import_("code", code))
    assert concerned(memory) == {"session.py::Store.get": "slow in May"}


def test_a_copy_that_a_finished_import_brought_gets_nothing(
    memory: Memory, code: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt_before_removing(memory, code, monkeypatch)
    write(code, {"store.py": STORE})
    memory.import_("code", write(code, {"more.py": OTHER}))
    (code / "store.py").unlink()

    assert not moves(memory.import_("code", code, allow_removals=True))
    assert concerned(memory) == {}


def interrupt_before_removing(memory: Memory, code: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rename the file and import it, up to where what is gone is looked for."""
    read = Graph.read

    def interrupt(self: Graph, name: str, **parameters: object) -> list[Row]:
        if name == "read/asserted_entities":
            raise KeyboardInterrupt
        return read(self, name, **parameters)

    (code / "store.py").rename(code / "session.py")
    with monkeypatch.context() as patches:
        patches.setattr(Graph, "read", interrupt)
        with pytest.raises(KeyboardInterrupt):
            memory.import_("code", code)


def test_a_dry_run_moves_nothing(memory: Memory, code: Path) -> None:
    (code / "store.py").rename(code / "session.py")
    memory.import_("code", code, dry_run=True)

    assert set(concerned(memory)) == {"store.py::Store.get"}


def test_a_link_between_both_names_stays_between_them(memory: Memory, code: Path) -> None:
    write(code, {"session.py": STORE})
    memory.import_("code", code)
    memory.link("session.py::Store.get", "REPLACES", "store.py::Store.get")
    (code / "session.py").unlink()
    memory.import_("code", code)
    (code / "store.py").rename(code / "session.py")
    memory.import_("code", code)

    assert set(concerned(memory)) == {"session.py::Store.get"}
    links = {
        (link.relation, link.direction, link.name)
        for link in memory.get("store.py::Store.get")[0].neighbours
    }
    assert ("REPLACES", "in", "session.py::Store.get") in links


def test_what_another_import_says_stays_where_it_is(
    memory: Memory, code: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    table = tmp_path_factory.mktemp("table") / "owners.csv"
    table.write_text("name,owner,tags\nstore.py::Store.get,ops,hot\n")
    memory.import_("csv", table)
    (code / "store.py").rename(code / "session.py")
    memory.import_("code", code)

    assert concerned(memory) == {"session.py::Store.get": "slow in May"}
    assert memory.get("session.py::Store.get")[0].entity.tags == ()
    page = memory.get("store.py::Store.get")[0]
    assert (page.status, page.entity.tags, page.entity.text) == ("active", ("hot",), None)


def test_a_link_joins_the_one_that_the_new_name_has(memory: Memory, code: Path) -> None:
    write(code, {"session.py": STORE})
    memory.import_("code", code)
    memory.link("Be quick", "CONCERNS", "session.py::Store.get", note="slow in June")
    memory.link("Be quick", "CONCERNS", "store.py::Store.get", weight=0.5)
    (code / "session.py").unlink()
    memory.import_("code", code)
    (code / "store.py").rename(code / "session.py")
    memory.import_("code", code)

    (link,) = memory.get("Be quick")[0].neighbours
    assert (link.name, link.note, link.weight) == ("session.py::Store.get", "slow in June", 0.5)


def test_whose_link_it_is_cannot_be_told_if_two_of_one_text_are_gone(
    memory: Memory, code: Path
) -> None:
    write(code, {"session.py": STORE})
    memory.import_("code", code)
    (code / "session.py").unlink()
    (code / "store.py").rename(code / "lib.py")
    memory.import_("code", code)

    assert concerned(memory) == {}


def test_links_go_with_a_note_that_is_renamed(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, {"Tides.md": TIDES, "Berths.md": "Guests pay. See [[Tides]]."})
    memory.import_("markdown", tmp_path)
    decide(memory, "Tides")
    (tmp_path / "Tides.md").rename(tmp_path / "Tide tables.md")
    write(tmp_path, {"Berths.md": "Guests pay. See [[Tide tables]]."})
    report = memory.import_("markdown", tmp_path)

    assert moves(report).endswith("'Tides' is 'Tide tables'")
    assert concerned(memory) == {"Tide tables": "slow in May"}


@pytest.mark.parametrize("status", ["deprecated", "superseded"])
def test_links_go_with_a_hidden_note_that_is_renamed(
    memory: Memory, tmp_path: Path, status: str
) -> None:
    write(tmp_path, {"Tides.md": f"---\nstatus: {status}\n---\n{TIDES}"})
    memory.import_("markdown", tmp_path)
    decide(memory, "Tides")
    (tmp_path / "Tides.md").rename(tmp_path / "Tide tables.md")
    assert moves(memory.import_("markdown", tmp_path)).endswith("'Tides' is 'Tide tables'")
    assert [link.name for link in memory.get("Tide tables")[0].neighbours] == ["Be quick"]
    assert memory.get("Tides")[0].status == "removed"


def test_links_go_with_a_note_that_is_renamed_and_edited(memory: Memory, tmp_path: Path) -> None:
    for name in ("Ana", "Ben", "Cem"):
        write(tmp_path, {f"{name}.md": f"# {name}\n\n{PLAN.replace('Ana', name)}"})
    memory.import_("markdown", tmp_path)
    decide(memory, "Ana")
    (tmp_path / "Ana.md").unlink()
    (tmp_path / "Ben.md").unlink()
    edited = PLAN.replace("first of May", "third of June")
    write(tmp_path, {"Ana Lind.md": f"# Ana Lind\n\nShe left.\n\n{edited}", "Dee.md": TIDES * 5})
    report = memory.import_("markdown", tmp_path)

    assert moves(report).endswith("'Ana' is 'Ana Lind'")
    assert concerned(memory) == {"Ana Lind": "slow in May"}


@pytest.mark.parametrize(
    ("earlier", "later"), [("", "Jürgen Müller"), ("", "JM"), ("JM", "JM"), ("JM", "Jürgen Müller")]
)
def test_links_in_notes_lead_to_the_note_that_has_the_name_as_an_alias_now(
    memory: Memory, tmp_path: Path, earlier: str, later: str
) -> None:
    def note(alias: str) -> str:
        return f"---\naliases: [{alias}]\n---\nLeads the harbour." if alias else "Leads."

    (tmp_path / "Jürgen Müller.md").write_text(note(earlier))
    (tmp_path / "Log.md").write_text("With [[Jürgen Müller]] and [[JM]].")
    memory.import_("markdown", tmp_path)
    (tmp_path / "Jürgen Müller.md").unlink()
    (tmp_path / "Müller, Jürgen.md").write_text(note(later))
    assert memory.import_("markdown", tmp_path, dry_run=True).refused == ()
    assert memory.import_("markdown", tmp_path).refused == ()
    assert "Müller, Jürgen" in {link.name for link in memory.get("Log")[0].neighbours}
    assert not memory.import_("markdown", tmp_path).changes


def test_links_in_notes_lead_at_once_to_the_note_that_has_what_callers_said(
    memory: Memory, tmp_path: Path
) -> None:
    write(tmp_path, {"Tides.md": TIDES, "Berths.md": "Guests pay. See [[Tides]]."})
    memory.import_("markdown", tmp_path)
    memory.remember([{"name": "Tides", "observations": ["Bo counts them on Sundays."]}])
    (tmp_path / "Tides.md").unlink()
    write(tmp_path, {"Tide tables.md": f"---\naliases: [Tides]\n---\n{TIDES}"})
    assert moves(memory.import_("markdown", tmp_path)).endswith("'Tides' is 'Tide tables'")
    (link,) = memory.get("Berths")[0].neighbours
    assert (link.name, link.status) == ("Tide tables", None)
    assert not memory.import_("markdown", tmp_path).changes


def test_links_in_notes_lead_to_what_somebody_else_calls_so(memory: Memory, tmp_path: Path) -> None:
    memory.remember([{"name": "Ana"}])
    (tmp_path / "Weber.md").write_text("---\naliases: [Ana]\n---\nLeads.")
    (tmp_path / "Log.md").write_text("With [[Ana]].")
    memory.import_("markdown", tmp_path)
    assert [link.name for link in memory.get("Log")[0].neighbours] == ["Ana"]


def test_links_in_notes_to_a_note_that_is_deleted_are_named(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, {"Tides.md": TIDES, "Berths.md": "Guests pay. See [[Tides]]."})
    memory.import_("markdown", tmp_path)
    (tmp_path / "Tides.md").unlink()
    for _ in range(2):
        (note,) = memory.import_("markdown", tmp_path).notes
        assert note == "1 link leads to a note that does not exist: 'Tides'"
    (tmp_path / "Tides.md").write_text(TIDES)
    assert memory.import_("markdown", tmp_path).notes == ()
    assert [link.name for link in memory.get("Berths")[0].neighbours] == ["Tides"]


def test_a_note_that_is_renamed_in_case_alone_takes_the_new_spelling(
    memory: Memory, tmp_path: Path
) -> None:
    write(tmp_path, {"notes/Foo.md": TIDES, "notes/Bar.md": "See [[Foo]].", "notes/Quay.md": "Q."})
    memory.import_("markdown", tmp_path)
    decide(memory, "Foo")
    memory.remember([{"name": "Foo", "tags": ["basin"]}])
    memory.rename("Quay", "QUAY")
    for name in ("Foo", "Quay"):
        (tmp_path / f"notes/{name}.md").rename(tmp_path / f"notes/{name.lower()}.md")
    report = memory.import_("markdown", tmp_path)
    assert not report.refused
    assert concerned(memory) == {"foo": "slow in May"}
    (page,) = memory.get("FOO")
    assert (page.entity.name, page.entity.text, page.entity.tags) == ("foo", TIDES, ("basin",))
    assert page.entity.aliases == ()
    assert {link.name for link in page.neighbours} == {"Be quick", "Bar"}
    assert memory.search("foo", mode="keyword").hits[0].name == "foo"
    assert memory.get("quay")[0].entity.name == "QUAY"
    assert {item.outcome for item in memory.import_("markdown", tmp_path).items} == {"unchanged"}

    memory.undo("last")
    assert memory.get("foo")[0].entity.name == "Foo"
    assert concerned(memory) == {"Foo": "slow in May"}
    assert len(memory.history("Foo").revisions) >= 4  # made, tagged, respelt, undone


def test_rows_of_a_table_with_one_text_are_not_the_same(memory: Memory, tmp_path: Path) -> None:
    table = tmp_path / "people.csv"
    table.write_text("name,text\nAna,Leads the harbour office.\n")
    memory.import_("csv", table)
    decide(memory, "Ana")
    table.write_text("name,text\nBen,Leads the harbour office.\n")

    assert not moves(memory.import_("csv", table))
    assert concerned(memory) == {}


def test_an_entity_that_would_hold_too_much_gets_nothing(
    memory: Memory, code: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.remember([{"name": "store.py::Store.get", "observations": ["It needs the lock."]}])
    (code / "store.py").rename(code / "session.py")
    monkeypatch.setattr("graphmem.write.deleting.carrying_over.refusal", lambda *_: "too much")
    report = memory.import_("code", code)

    assert not moves(report)
    assert [
        observation.text for observation in memory.get("store.py::Store.get")[0].entity.observations
    ] == ["It needs the lock."]


def test_what_is_renamed_by_somebody_meanwhile_stays_as_they_left_it(
    memory: Memory, code: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Graph.read
    merged: list[str] = []

    def merge_first(self: Graph, name: str, **parameters: object) -> list[Row]:
        rows = read(self, name, **parameters)
        if name == "read/appeared_texts" and not merged:
            merged.append(name)
            memory.merge("store.py::Store.get", "other.py::Pool.close")
        return rows

    (code / "store.py").rename(code / "session.py")
    monkeypatch.setattr(Graph, "read", merge_first)
    report = memory.import_("code", code)

    assert merged
    assert not moves(report)
    assert set(concerned(memory)) == {"other.py::Pool.close"}


# Which one is which


def beginnings(**texts: str) -> list[Beginning]:
    """Functions of these names and texts; `__` stands for the mark before a symbol."""
    return [
        Beginning(f"p#{name.replace('__', '::')}", "Function", content)
        for name, content in texts.items()
    ]


def same_entities_of(gone: list[Beginning], appeared: list[Beginning]) -> dict[str, str]:
    return {
        old.removeprefix("p#"): new.removeprefix("p#")
        for old, new in matches(gone, appeared).items()
    }


def test_one_of_several_with_the_same_text_is_recognised_by_its_symbol() -> None:
    gone = beginnings(a__Pool_close="pass", a__Store_close="pass", a__x="pass")
    appeared = beginnings(b__Store_close="pass", b__Pool_close="pass", b__y="pass")

    assert same_entities_of(gone, appeared) == {
        "a::Pool_close": "b::Pool_close", "a::Store_close": "b::Store_close",
    }  # fmt: skip


def test_two_symbols_with_the_same_text_and_name_are_ambiguous() -> None:
    gone = beginnings(a__main="pass", b__main="pass")

    assert same_entities_of(gone, beginnings(c__main="pass")) == {}
    assert same_entities_of(beginnings(c__main="pass"), gone) == {}


def test_an_entity_of_another_kind_or_text_is_not_the_moved_one() -> None:
    kinds = [Beginning("p#a", "Class", "pass"), Beginning("p#b", "Function", "pass")]

    assert same_entities_of(kinds[:1], kinds[1:]) == {}
    assert same_entities_of(beginnings(a="pass"), beginnings(b="return")) == {}
    assert (
        same_entities_of([Beginning("p#a", "File", None)], [Beginning("p#b", "File", None)]) == {}
    )


def test_the_rest_of_a_file_follows_most_of_its_symbols() -> None:
    gone = beginnings(a="import b", a__one="1", a__two="2", a__three="3", a__old="4")
    appeared = beginnings(b="import c", b__one="1", b__two="2", c__three="3", b__old="four")

    assert same_entities_of(gone, appeared) == {
        "a::one": "b::one", "a::two": "b::two", "a::three": "c::three", "a": "b",
        "a::old": "b::old",
    }  # fmt: skip


def test_a_file_that_was_split_in_halves_follows_neither() -> None:
    gone = beginnings(a="import b", a__one="1", a__two="2")
    appeared = beginnings(b="import c", b__one="1", c="import c", c__two="2")

    assert same_entities_of(gone, appeared) == {"a::one": "b::one", "a::two": "c::two"}


def test_a_symbol_takes_over_from_at_most_one_other() -> None:
    gone = beginnings(a__one="1", a__two="2", b__one="one", b__two="two")
    appeared = beginnings(c__one="1", c__two="two")

    assert sorted(same_entities_of(gone, appeared).values()) == ["c::one", "c::two"]


def notes(**texts: str) -> list[Beginning]:
    return [Beginning(f"p#{name}", "Note", content) for name, content in texts.items()]


def like(gone: list[Beginning], appeared: list[Beginning]) -> dict[str, str]:
    """By the names of what is gone, those of what has appeared in its place."""
    return {
        old.removeprefix("p#"): new.removeprefix("p#")
        for old, new in matches_by_text(gone, appeared, {}, {entity.key for entity in gone}).items()
    }


def words(count: int, first: int = 0) -> str:
    return " ".join(f"w{number}" for number in range(first, first + count))


def test_a_note_is_known_by_three_quarters_of_its_words() -> None:
    assert like(notes(a=words(40)), notes(b=words(30), c=words(40, 20))) == {"a": "b"}
    assert like(notes(a=words(40)), notes(b=words(29))) == {}
    assert like(notes(a=words(30)), notes(b=words(40))) == {"a": "b"}
    assert like(notes(a=words(30)), notes(b=words(41))) == {}
    assert like(notes(a=words(19)), notes(b=words(19))) == {}


def test_a_note_goes_to_the_one_that_is_most_like_it_and_nothing_else_is() -> None:
    assert like(notes(a=words(40)), notes(b=words(38), c=words(36))) == {"a": "b"}
    assert like(notes(a=words(40)), notes(b=words(38), c=words(38))) == {}
    assert like(notes(a=words(36), b=words(38)), notes(c=words(40))) == {"b": "c"}
    assert like(notes(a=words(38), b=words(38)), notes(c=words(40))) == {}
    files = [Beginning(f"p#{name}", "File", words(40)) for name in "ab"]
    assert like(files[:1], files[1:]) == {}
    other = [Beginning("p#b", "Person", words(40))]
    assert like(notes(a=words(40)), other) == {}


def test_a_symbol_of_another_name_is_known_in_its_file_alone() -> None:
    gone = beginnings(a__get="def get(x): return get_all(x)")
    appeared = beginnings(a__fetch="def fetch(x): return get_all(x)")

    assert like(gone, appeared) == {"a::get": "a::fetch"}
    assert like(gone, beginnings(b__fetch="def fetch(x): return get_all(x)")) == {}
    assert like(gone, beginnings(a__fetch="def fetch(x): return fetch_all(x)")) == {}
    twins = beginnings(
        a__fetch="def fetch(x): return get_all(x)", a__read="def read(x): return get_all(x)"
    )
    assert like(gone, twins) == {}
    moved = {"p#a::put": "p#b::put"}
    elsewhere = beginnings(b__fetch="def fetch(x): return get_all(x)")
    assert matches_by_text(gone, elsewhere, moved, ()) == {"p#a::get": "p#b::fetch"}
