"""Code in a store: imported again, edited, removed, found, and left out."""

from pathlib import Path

import pytest

from code_folders import write
from code_sources import PYTHON
from graphmem.memory import Memory
from graphmem.transfer.code import entities
from graphmem.transfer.code.files.folder import LINE_BYTES


def test_an_import_says_what_it_left_out_and_takes_back_what_it_held(
    memory: Memory, tmp_path: Path
) -> None:
    files = {f"lib{i}.js": "function dock() {}\n" for i in range(7)}
    memory.import_("code", write(tmp_path, {**files, "a.py": "def moor(): ..."}))
    minified = "x;" * LINE_BYTES
    write(tmp_path, dict.fromkeys(files, minified))
    report = memory.import_("code", tmp_path, allow_removals=True)

    assert not report.refused
    assert report.entities["removed"] == 14
    (note,) = report.notes
    assert note.startswith(
        "7 files were left out as minified, with much of it on lines of more than 5,000 bytes"
    )
    assert note.endswith("'lib0.js', 'lib1.js', 'lib2.js', 'lib3.js', 'lib4.js', …")
    write(tmp_path, {name: "" for name in files if name != "lib3.js"})
    again = memory.import_("code", tmp_path)
    assert again.notes[0].startswith("1 file was left out as minified")


# In the store


def test_a_second_import_changes_nothing(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, {"a.py": PYTHON, "b.py": "from a import validate_token\nvalidate_token('x')\n"})
    first = memory.import_("code", tmp_path)

    assert not first.refused
    again = memory.import_("code", tmp_path)
    assert {item.outcome for item in again.items} == {"unchanged"}


def test_other_aliases_leave_what_people_added(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"Client.java": "class Client { Client(int port) { open(port); } }"})
    constructor = "Client.java::Client.Client"
    with monkeypatch.context() as earlier:
        earlier.setattr(entities, "_aliases", lambda symbol, *_: [f"{symbol.short}()"])
        memory.import_("code", tmp_path)
    memory.remember([{"name": "Timeouts", "text": "Why they are short."}])
    memory.remember([{"name": constructor, "aliases": ["dial"], "observations": ["Opens twice."]}])
    memory.link("Timeouts", "ABOUT", constructor)

    report = memory.import_("code", tmp_path)

    page = memory.get(constructor)[0]
    assert [item.name for item in report.items if item.outcome == "updated"] == [constructor]
    assert set(page.entity.aliases) == {"Client.Client", "dial"}
    assert "Opens twice." in [observation.text for observation in page.entity.observations]
    assert "Timeouts" in {link.name for link in page.neighbours}
    assert memory.get("Client()")[0].name == "Client.java::Client"


def test_an_edit_touches_what_it_changed(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, {"a.py": PYTHON, "b.py": "def other(): ...\n"})
    memory.import_("code", tmp_path)
    write(tmp_path, {"b.py": "def other(): ...\n\ndef more(): other()\n"})

    report = memory.import_("code", tmp_path)
    changed = {(item.name, item.outcome) for item in report.items if item.outcome != "unchanged"}
    assert changed == {
        ("b.py", "updated"),
        ("b.py::more", "created"),
        ("b.py -[CONTAINS]-> b.py::more", "created"),
        ("b.py::more -[CALLS]-> b.py::other", "created"),
    }


def test_what_is_gone_from_the_code_is_removed(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "def one(): two()\ndef two(): ...\n", "b.py": "def three(): ...\n"})
    memory.import_("code", tmp_path)
    write(tmp_path, {"a.py": "def one(): ...\ndef two(): ...\n"})
    (tmp_path / "b.py").unlink()

    report = memory.import_("code", tmp_path)
    removed = {item.name for item in report.items if item.outcome == "removed"}
    assert removed == {"b.py", "b.py::three", "a.py::one -[CALLS]-> a.py::two"}


def test_links_of_callers_to_what_is_renamed_are_named_and_can_be_kept(
    memory: Memory, tmp_path: Path
) -> None:
    write(tmp_path, {"a.py": "def one(): two()\ndef two(): ...\n"})
    memory.import_("code", tmp_path)
    memory.remember(
        [{"name": "Be quick", "kind": "Decision"}],
        [{"from": "Be quick", "relation": "CONCERNS", "to": "a.py::one"}],
    )
    assert not memory.import_("code", tmp_path).notes
    write(tmp_path, {"a.py": "def first(): return two()\ndef two(): ...\n"})

    for dry_run, advice in (
        (True, "the import may carry them over"),
        (False, "`graphmem merge OLD NEW` shows them again"),
    ):
        report = memory.import_("code", tmp_path, dry_run=dry_run)
        (note,) = report.notes
        assert note == (
            "1 relation that people or agents wrote is hidden with what is gone from the source: "
            f"'Be quick -[CONCERNS]-> a.py::one'. Where that has another name now, {advice}"
        )
    assert [link.status for link in memory.get("Be quick")[0].neighbours] == ["removed"]
    memory.merge("a.py::one", "a.py::first")
    assert memory.import_("code", tmp_path).refused == ()
    assert [link.name for link in memory.get("Be quick")[0].neighbours] == ["a.py::first"]


def test_a_file_that_cannot_be_read_takes_nothing_with_it(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "def one_two(): three_four()\ndef three_four(): ...\n"})
    memory.import_("code", tmp_path)
    write(tmp_path, {"a.py": b"\xff\xfe\0"})

    report = memory.import_("code", tmp_path)
    assert [item.outcome for item in report.items] == ["refused"]
    (page,) = memory.get("one_two")
    assert {neighbour.name for neighbour in page.neighbours} == {"a.py", "a.py::three_four"}


def test_the_source_of_a_symbol_is_split_at_its_lines(memory: Memory, tmp_path: Path) -> None:
    comment = "/**\n" + " * Reads what the harbour holds.\n" * 20 + " */\n"
    method = comment + "void read() {\n" + "    harbour();\n" * 30 + "}\n"
    write(tmp_path, {"Pier.java": f"class Pier {{\n{method}}}\n"})
    memory.import_("code", tmp_path)
    hit = next(hit for hit in memory.search("harbour").hits if hit.kind == "Method")

    assert len(hit.passages) > 1
    assert "/**" not in {passage.text.strip() for passage in hit.passages}


def test_a_symbol_is_found_by_the_words_in_its_name(memory: Memory, tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a.go": "package a\n\nfunc validateToken(u string) error { return nil }\n",
            "b.go": "package a\n\nfunc startHTTPServer() { listen() }\n",
        },
    )
    memory.import_("code", tmp_path)

    for query, name in (
        ("validateToken", "a.go::validateToken"),
        ("validate the token of a user", "a.go::validateToken"),
        ("http server", "b.go::startHTTPServer"),
        ("startHTTPServer", "b.go::startHTTPServer"),
    ):
        assert memory.search(query, mode="keyword", kinds=["Function"]).hits[0].name == name


def test_a_dry_run_of_a_folder_below_an_earlier_import_says_what_the_import_does(
    memory: Memory, tmp_path: Path
) -> None:
    files = {f"{folder}/{name}.py": PYTHON for folder in ("src", "test") for name in "ab"}
    root = write(tmp_path, files)
    memory.import_("code", root)
    report = memory.import_("code", root / "src", dry_run=True)
    assert report.refused == ()
    assert report.items == memory.import_("code", root / "src").items


def test_a_dry_run_of_code_writes_nothing(memory: Memory, tmp_path: Path) -> None:
    report = memory.import_("code", write(tmp_path, {"a.py": PYTHON}), dry_run=True)

    assert {item.outcome for item in report.items} == {"created"}
    assert memory.stats().entities == 0
