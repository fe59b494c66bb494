"""Importing code: which files are read, which hold tests, which are refused."""

import json
from collections import Counter
from pathlib import Path

import pytest

from code_folders import read, write
from graphmem.errors import InvalidInput
from graphmem.search.code.paths import SEPARATORS
from graphmem.transfer.code.entities import UNPARSED_BYTES
from graphmem.transfer.code.files.folder import FILE_BYTES, LINE_BYTES, LONG_LINES_BYTES
from graphmem.transfer.code.languages import LANGUAGES
from graphmem.transfer.code.unparsed import SUFFIXES


@pytest.mark.parametrize(
    "path",
    [
        "a_test.go", "test_a.py", "a_test.py", "conftest.py", "tests/helper.py", "a.test.ts",
        "a.spec.tsx", "__tests__/a.js", "test/a.mjs", "src/test/java/A.java", "ATest.java",
        "TestA.java", "a_test.rs", "tests/a.rs", "src/tests.rs", "test_a.c", "a_test.cc",
        "tests/a.cpp", "types/a.test-d.ts", "a.spec-d.tsx",
    ],
)  # fmt: skip
def test_a_file_holds_tests_by_its_path(tmp_path: Path, path: str) -> None:
    assert read(write(tmp_path, {path: ""})).entities[path].attributes["test"] is True


@pytest.mark.parametrize(
    "path",
    ["attest.go", "contest.py", "latest/a.py", "testing.ts", "Testament.java", "testdata/a.go",
     "protest.rs", "test.go"],
)  # fmt: skip
def test_a_file_that_only_sounds_like_tests_holds_none(tmp_path: Path, path: str) -> None:
    assert read(write(tmp_path, {path: ""})).entities[path].attributes["test"] is False


# Which files are read


def test_what_git_ignores_is_not_read(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".gitignore": "build/\n*.gen.py\n!kept.gen.py\n/root.py\n",
            "root.py": "", "build/a.py": "", "a.gen.py": "", "kept.gen.py": "",
            "sub/.gitignore": "own.py\n!b.gen.py\n",
            "sub/own.py": "", "sub/root.py": "", "sub/b.gen.py": "", "own.py": "",
        },
    )  # fmt: skip

    assert set(read(tmp_path).entities) == {
        "kept.gen.py", "own.py", "sub/b.gen.py", "sub/root.py",
    }  # fmt: skip


def test_what_the_repository_above_ignores_is_not_read(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".git/info/exclude": "secret.py\n", ".gitignore": "/src/made.py\n",
            "src/made.py": "", "src/a.py": "", "src/secret.py": "", "src/deep/made.py": "",
        },
    )  # fmt: skip

    assert set(read(tmp_path / "src").entities) == {"a.py", "deep/made.py"}


def test_an_ignored_folder_is_read_when_it_is_asked_for(tmp_path: Path) -> None:
    write(tmp_path, {".git/HEAD": "", ".gitignore": "build/\n", "build/a.py": ""})

    assert set(read(tmp_path / "build").entities) == {"a.py"}


def test_hidden_and_vendored_folders_links_and_other_files_are_left_out(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a.py": "", ".venv/b.py": "", "node_modules/c/c.js": "", "vendor/d.go": "",
            "notes.md": "", "data.json": "", "x.PY": "", ".hidden.py": "",
        },
    )  # fmt: skip
    (tmp_path / "link.py").symlink_to(tmp_path / "a.py")
    (tmp_path / "round").symlink_to(tmp_path, target_is_directory=True)

    assert set(read(tmp_path).entities) == {"a.py", "x.PY", ".hidden.py"}


def test_a_search_knows_what_every_language_writes_between_a_type_and_its_member() -> None:
    assert {language.separator for language in LANGUAGES} == {*SEPARATORS}


def test_no_suffix_is_that_of_two_languages() -> None:
    suffixes = [suffix for language in LANGUAGES for suffix in language.suffixes]
    suffixes += [suffix for of_language in SUFFIXES.values() for suffix in of_language]

    assert [suffix for suffix, count in Counter(suffixes).items() if count > 1] == []


@pytest.mark.parametrize(
    ("path", "language", "test"),
    [
        ("web/site.LESS", "less", False),
        ("Dockerfile", "dockerfile", False),
        ("tools/makefile", "make", False),
        ("app/login.dart", "dart", False),
        ("spec/login_spec.lua", "lua", True),
        ("app/LoginTests.scala", "scala", True),
        ("db/latest_spec.sql", "sql", True),
        ("db/contest.sql", "sql", False),
    ],
)
def test_a_file_in_another_language_is_read_as_it_is(
    tmp_path: Path, path: str, language: str, *, test: bool
) -> None:
    content = "# Builds it.\nall: { color: red }\n"
    code = read(write(tmp_path, {path: content, "a.py": "import web"}))

    file = code.entities[path]
    assert (file.kind, file.text) == ("File", content.strip())
    assert file.attributes["language"] == language
    assert file.attributes["test"] is test
    assert set(code.entities) == {path, "a.py"}
    assert not code.relations


def test_of_a_long_file_in_another_language_the_beginning_is_read(tmp_path: Path) -> None:
    code = read(write(tmp_path, {"a.sql": "SELECT 'ü';\n" * 10_000}))

    text = code.entities["a.sql"].text
    assert text is not None
    assert len(text.encode()) in range(UNPARSED_BYTES - 2, UNPARSED_BYTES + 1)


@pytest.mark.parametrize(("content", "reason"), [(b"\0", "binary"), (b"\xfc", "UTF-8")])
def test_a_file_in_another_language_that_is_no_text_is_refused(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    code = read(write(tmp_path, {"bad.css": content, "good.css": "a {}"}))

    assert set(code.entities) == {"good.css"}
    assert reason in code.refused["bad.css"]


def test_a_file_that_is_no_code_cannot_be_read_alone(tmp_path: Path) -> None:
    write(tmp_path, {"notes.yaml": "a: b"})
    with pytest.raises(
        InvalidInput, match=r"must be a folder, or a file in a language that is read"
    ):
        read(tmp_path / "notes.yaml")


def test_one_file_can_be_read_alone(tmp_path: Path) -> None:
    write(tmp_path, {"sub/a.py": "def alone(): ...", "b.py": ""})

    assert set(read(tmp_path / "sub" / "a.py").entities) == {"a.py", "a.py::alone"}


def test_a_header_is_of_the_language_of_the_others(tmp_path: Path) -> None:
    header = "class Shape { void draw() {} };\n"
    alone = read(write(tmp_path / "c", {"shape.h": "struct shape { int n; };"}))
    beside = read(write(tmp_path / "cpp", {"shape.h": header, "shape.cpp": ""}))

    assert alone.entities["shape.h::shape"].attributes["language"] == "c"
    assert beside.entities["shape.h::Shape::draw"].attributes["language"] == "cpp"


# What is refused


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("x = 1\n".encode("utf-16"), "not UTF-8"),
        ("name = 'Müller'".encode("latin-1"), "not UTF-8"),
        (b"\x7fELF\0\0\1", "binary"),
        (b"x = 1\n" * (FILE_BYTES // 6 + 1), "at most 1 MiB"),
        (b"(\n" * 20_000, "brackets"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_alone(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    code = read(write(tmp_path, {"bad.py": content, "good.py": ""}))

    assert set(code.entities) == {"good.py"}
    assert reason in code.refused["bad.py"]


def test_a_notebook_is_the_text_of_its_cells(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Tides\n", "\n", "How high they are."]},
        {"cell_type": "code", "source": "height = 3\nheight", "outputs": [{"text": ["a plot"]}]},
        {"cell_type": "code", "source": []},
        {"cell_type": "raw", "source": "Notes.\n", "attachments": {"a.png": {}}},
        "no cell",
    ]
    notebook = json.dumps({"cells": cells, "nbformat": 4, "metadata": {"title": "x" * FILE_BYTES}})
    entity = read(write(tmp_path, {"sea/Tides.ipynb": notebook})).entities["sea/Tides.ipynb"]

    assert entity.text == "# Tides\n\nHow high they are.\n\nheight = 3\nheight\n\nNotes."
    assert (entity.kind, entity.attributes["language"]) == ("File", "jupyter")


@pytest.mark.parametrize("notebook", ["", "{", "[]", "{}", '{"cells": {}}', '{"worksheets": []}'])
def test_what_is_no_notebook_is_refused(tmp_path: Path, notebook: str) -> None:
    code = read(write(tmp_path, {"bad.ipynb": notebook, "good.py": ""}))

    assert set(code.entities) == {"good.py"}
    assert set(code.refused) == {"bad.ipynb"}


@pytest.mark.parametrize("name", ["bad.py", "bad.css"])
def test_a_minified_file_is_left_out(tmp_path: Path, name: str) -> None:
    longest = b"#" * LINE_BYTES
    code = read(write(tmp_path, {name: longest + b"#", "good.py": longest}))

    assert set(code.entities) == {"good.py"}
    assert (set(code.left_out), code.refused) == ({name}, {})


def test_a_file_with_a_long_line_among_many_others_is_read(tmp_path: Path) -> None:
    picture = f'PICTURE = "{"x" * LINE_BYTES}"\n'
    code = f"{picture}def draw(): ...\n" + "# Shown.\n" * LINE_BYTES
    read_code = read(write(tmp_path, {"draw.py": code}))

    assert "draw.py::draw" in read_code.entities


def test_a_file_is_minified_with_so_much_on_long_lines(tmp_path: Path) -> None:
    data = f'DATA = "{"x" * LONG_LINES_BYTES}"\n'
    code = read(write(tmp_path, {"data.py": data + "#\n" * LONG_LINES_BYTES}))

    assert set(code.left_out) == {"data.py"}


def test_a_path_that_is_too_long_is_refused(tmp_path: Path) -> None:
    path = f"{'folder/' * 30}a.py"

    assert "200 characters" in read(write(tmp_path, {path: ""})).refused[path]


def test_of_a_file_with_errors_what_can_be_read_is_taken(tmp_path: Path) -> None:
    source = "def good(): ...\n\ndef broken(:\n    ???\n\ndef also_good(): ...\n"

    names = read(write(tmp_path, {"a.py": source})).entities
    assert {"a.py::good", "a.py::also_good"} <= set(names)


@pytest.mark.parametrize("content", [b"", b"\n\n", b"# only this", b"\xef\xbb\xbfx = 1\r\n"])
def test_any_small_file_becomes_an_entity(tmp_path: Path, content: bytes) -> None:
    assert set(read(write(tmp_path, {"a.py": content})).entities) == {"a.py"}


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("a.py", "x = " + "(\n" * 5_000 + "1" + ")\n" * 5_000),
        ("a.js", "function f() {\n" * 5_000 + "}\n" * 5_000),
        ("a.js", "x = a\n" + ".b()\n" * 20_000),
        ("a.go", "package a\nvar x = 1" + " +\n1" * 20_000),
        ("a.java", "class A {\n" * 2_000 + "}\n" * 2_000),
        ("a.rs", "mod a {\n" * 2_000 + "fn f() {}\n" + "}\n" * 2_000),
        ("a.cpp", "namespace a {\n" * 2_000 + "void f() {}\n" + "}\n" * 2_000),
        ("a.c", "'\"{[<\\\n" * 20_000),
        ("a.rs", "fn f() { rows" + ".iter().next()" * 100 + "; }\n"),
        ("a.ts", "namespace a { export function f() {} }\n" + "a." * 900 + "f()\n"),
    ],
)
def test_nothing_is_too_deep_or_too_odd_to_be_read(tmp_path: Path, file: str, content: str) -> None:
    code = read(write(tmp_path, {file: content, "b.py": ""}))

    assert "b.py" in code.entities
    assert {file} == code.refused.keys() | ({file} & code.entities.keys())
