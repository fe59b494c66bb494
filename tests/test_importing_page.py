"""What docs/importing.md shows is imported as it says, and its tables are those of the code."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from doc_pages import blocks, page, quoted, rows, section
from fakes import FakeEmbedder
from graphmem import cli
from graphmem.cli import session
from graphmem.memory import Memory
from graphmem.transfer import FORMATS
from graphmem.transfer.code import unparsed
from graphmem.transfer.code.languages import LANGUAGES
from graphmem.transfer.code.links import WEIGHTS
from graphmem.transfer.code.outlines.definition import KINDS
from graphmem.transfer.markdown.decision_records import STATUSES
from graphmem.transfer.markdown.entity import (
    ATTRIBUTES,
    ENTITY_FIELDS,
    OBSERVATIONS,
    OF_A_NOTE,
)
from neo4j_servers import until
from note_folders import ends, read, write

PAGE = page("importing")
CALLED = {
    "JavaScript": {"javascript"},
    "TypeScript": {"typescript", "tsx"},
    "C++": {"cpp"},
    "C#": {"csharp"},
}


def between(text: str, start: str, end: str) -> str:
    """A piece of a text, wherever its lines break."""
    return " ".join(text.split()).partition(start)[2].partition(end)[0]


def run(code: str, memory: Memory, **names: object) -> None:
    known = {"memory": memory, **names}
    exec(compile(code, "docs/importing.md", "exec"), known)  # noqa: S102 - our own page


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """The notes of the page."""
    (note,) = blocks(section(PAGE, "Markdown"), "markdown")
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "Berth booking.md").write_text(note, encoding="utf-8")
    for name in ("Session store", "Price list"):
        (folder / f"{name}.md").write_text("Another note.", encoding="utf-8")
    return folder


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """The code of the page."""
    folder = tmp_path / "code"
    folder.mkdir()
    for name in ("store.py", "app.py"):
        (source,) = blocks(section(PAGE, "Source code"), f"python {name}")
        (folder / name).write_text(source, encoding="utf-8")
    return folder


# Every format


def test_the_table_has_every_format_and_says_whether_it_removes() -> None:
    told = {quoted(row[0])[0]: row[-1] for row in rows(PAGE, "format")}
    assert told == {name: "yes" if one.whole else "no" for name, one in FORMATS.items()}


def test_the_format_that_links_mentions_by_itself_is_named() -> None:
    assert [name for name, one in FORMATS.items() if one.mentions] == ["forgeplan"]


def test_the_hook_of_the_page_imports_what_is_committed(
    memory: Memory, code: Path, environment: dict[str, str]
) -> None:
    programs = os.pathsep.join([str(Path(sys.executable).parent), environment["PATH"]])
    variables = environment | {"PATH": programs, "GRAPHMEM_PROJECT": str(memory.project)}

    def git(*arguments: str) -> None:
        author = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org"]
        subprocess.run(["git", *author, *arguments], cwd=code, env=variables, check=True)

    git("init", "--quiet")
    (hook,) = blocks(PAGE, "sh post-commit")
    (code / ".git/hooks/post-commit").write_text(hook, encoding="utf-8")
    (code / ".git/hooks/post-commit").chmod(0o755)
    git("add", "--all")
    git("commit", "--quiet", "--message=Log in")
    log = code / ".git/graphmem.log"
    until(lambda: log.exists() and "entities: 5 created" in log.read_text(encoding="utf-8"))
    assert memory.get("app.py::login")[0].kind == "Function"


# Markdown


def test_the_notes_of_the_page_become_what_it_says(memory: Memory, notes: Path) -> None:
    assert not memory.import_("markdown", notes).refused
    (example,) = blocks(section(PAGE, "Markdown"), "python")
    run(example, memory)


def test_the_decision_records_of_the_page_become_what_it_says(
    memory: Memory, tmp_path: Path
) -> None:
    text = section(PAGE, "Decision records")
    places = ("adr/0001-use-rabbitmq.md", "adr/0002-use-an-outbox.md")
    records = {place: blocks(text, f"markdown {place}")[0] for place in places}
    (example,) = blocks(text, "python")
    run(example, memory, records=write(tmp_path, records))


def test_the_statuses_of_decision_records_are_those_of_the_page() -> None:
    told = between(section(PAGE, "Decision records"), "is one of", ", as it stands")
    assert set(quoted(told)) == STATUSES | {"superseded"}


def test_the_tables_of_the_page_become_what_it_says(memory: Memory, tmp_path: Path) -> None:
    for name in ("people.csv", "links.csv"):
        (table,) = blocks(section(PAGE, "Tables"), f"csv {name}")
        (tmp_path / name).write_text(table, encoding="utf-8")
    (example,) = blocks(section(PAGE, "Tables"), "python")
    run(example, memory, folder=tmp_path)


def test_every_field_of_front_matter_is_listed() -> None:
    told = between(section(PAGE, "Markdown"), "all optional:", "They are")
    assert set(quoted(told)) == {*OF_A_NOTE, OBSERVATIONS, ATTRIBUTES, *ENTITY_FIELDS}


def test_a_note_a_link_and_a_tag_that_are_gone_are_removed(memory: Memory, notes: Path) -> None:
    memory.import_("markdown", notes)
    (notes / "Price list.md").unlink()
    (notes / "Berth booking.md").write_text("---\ntags: [harbour]\n---\nGuests book berths.")
    assert not memory.import_("markdown", notes).refused
    (page,) = memory.get("Berth booking")
    assert (page.entity.tags, page.entity.text) == (("harbour",), "Guests book berths.")
    assert page.neighbours == ()
    assert memory.get("Price list")[0].status == "removed"


def test_front_matter_of_other_tools_is_read_as_it_is_meant(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "post.md").write_text(
        "---\ntags: a, b\naliases: Mole\ntitle: 2026\ntype: Journal\nproject: x\nproject_: y\n"
        "due date?: soon\nmixed: [1, a, null]\nstatus: 1.10\n---\nText."
    )
    (tmp_path / "typed.md").write_text(
        "---\nkind: Day\ntype: [a]\nsource:\ntags: [2026, x, true, ~, '']\nname:\n---\n"
    )
    assert not memory.import_("markdown", tmp_path).refused
    post, typed = (memory.get(name)[0].entity for name in ("post", "typed"))
    assert (post.tags, post.aliases, post.title) == (("a", "b"), ("Mole",), "2026")
    assert (post.kind, post.status) == ("Journal", "1.10")
    assert post.attributes == {
        "project_": "y", "project__": "x", "due date_": "soon", "mixed": ["1", "a"]
    }  # fmt: skip
    assert (typed.kind, typed.tags) == ("Day", ("2026", "x", "true"))
    assert (typed.source, typed.attributes) == ("typed.md", {"type_": ["a"]})
    (tmp_path / "sure.md").write_text("---\nconfidence: high\n---\n")
    (tmp_path / "odd.md").write_text("---\ntags: [{a: b}]\n---\n")
    odd, sure = memory.import_("markdown", tmp_path).refused
    assert "confidence must be a number" in str(sure.reason)
    assert "tags[0] must be text" in str(odd.reason)


# A folder of notes


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """The vault of the page."""
    text = section(PAGE, "A folder of notes")
    (home,) = blocks(text, "markdown Home.md")
    write(tmp_path, {"Home.md": home})
    for path in quoted(between(text, "and the notes", ":")):
        write(tmp_path, {path: "Another note."})
    return tmp_path


def test_the_vault_of_the_page_becomes_what_it_says(memory: Memory, vault: Path) -> None:
    (example,) = blocks(section(PAGE, "A folder of notes"), "python")
    run(example, memory, vault=vault)


def test_the_links_of_the_page_lead_where_it_says(tmp_path: Path) -> None:
    """A note in a folder of its own has every link of the table."""
    paths = ("README.md", "guides/README.md", "b/deep/README.md", "Tides.md", "a/other note.md")
    write(tmp_path, dict.fromkeys(paths, "Text."))
    expected = {
        "[[guides/README]]": "guides/README", "[[guides/README.md]]": "guides/README",
        "[[../README]]": "README", "[[README]]": "README", "[[deep/README]]": "b/deep/README",
        "[[Mole]]": "Mole", "[[README#section]]": "README", "[[README#^block]]": "README",
        "[[README^block]]": "README", "[[README|shown]]": "README", "![[Tides]]": "Tides",
        "[text](../a/other%20note.md#part)": "other note", "[text](/README.md)": "README",
        "[text](Tides.md)": "Tides", "[text](guides)": "guides/README",
        "[text](guides/)": "guides/README",
    }  # fmt: skip
    messages = [
        link for row in rows(section(PAGE, "A folder of notes"), "link") for link in quoted(row[0])
    ]
    assert [link.replace("\\", "") for link in messages] == [*expected]
    for link in messages:
        leads_to = ends(read(tmp_path, {"notes/from.md": link}), "notes/from.md")
        assert leads_to == [expected[link.replace("\\", "")]]


# Source code


def test_the_code_of_the_page_becomes_what_it_says(memory: Memory, code: Path) -> None:
    report = memory.import_("code", code)
    assert not report.refused
    text = section(PAGE, "Source code")
    told = between(text, "The entities are", "The last of them")
    assert {item.name for item in report.items if item.what == "entity"} == set(quoted(told))
    for example in blocks(text, "python"):
        run(example, memory)
    attributes = {name for one in told.split(",") for name in attributes_of(memory, quoted(one))}
    assert attributes == {name for row in rows(text, "attribute") for name in quoted(row[0])}


def attributes_of(memory: Memory, names: list[str]) -> set[str]:
    return {name for page in memory.get(names) for name in page.entity.attributes}


@pytest.mark.usefixtures("environment")
def test_the_commands_of_the_page_find_the_caller(
    memory: Memory, project: str, code: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.import_("code", code)
    monkeypatch.setattr(session, "embedder", lambda *_, **__: FakeEmbedder())
    monkeypatch.setenv("GRAPHMEM_PROJECT", project)
    (block,) = blocks(section(PAGE, "Source code"), "console")
    for line in block.splitlines():
        assert cli.main(shlex.split(line, comments=True)[1:]) == 0


def test_the_languages_and_their_files_are_listed() -> None:
    told = {row[0]: quoted(row[1].partition(";")[0]) for row in rows(PAGE, "language")}
    suffixes = {language.name: language.suffixes for language in LANGUAGES}
    for called, files in told.items():
        names = CALLED.get(called, {called.lower()})
        assert set(files) == {suffix for name in names for suffix in suffixes.pop(name)}
    assert suffixes == {}


def test_the_files_that_are_read_as_they_are_are_listed() -> None:
    section = PAGE.split("### Files in other languages")[1].split("\n## ")[0]
    listed_suffixes, listed_names = (
        set(re.findall(r"`([^`]+)`", item.split("\n\n")[0])) for item in section.split("\n- ")[1:]
    )
    assert listed_suffixes == {end for ends in unparsed.SUFFIXES.values() for end in ends}
    assert {name.lower() for name in listed_names} == {
        name for names in unparsed.NAMES.values() for name in names
    }


def test_the_kinds_and_relations_of_code_are_listed() -> None:
    text = section(PAGE, "Source code")
    kinds = between(text, "- **Kinds** are", "What is")
    assert set(quoted(kinds)) == {"File", "Method", *filter(None, KINDS.values())}
    told = {quoted(row[0])[0]: float(row[-1].partition(";")[0]) for row in rows(text, "relation")}
    assert told == WEIGHTS
