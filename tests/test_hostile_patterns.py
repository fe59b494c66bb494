"""No pattern, nesting or repetition holds an import: time grows in step with what is read."""

import gzip
import itertools
import json
import lzma
import os
import random
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from pathspec import GitIgnoreSpec
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from code_folders import read, write
from graphmem.errors import InvalidInput, shortened
from graphmem.importing.front_matter import fields_of
from graphmem.importing.json_text import parse
from graphmem.importing.opening import File
from graphmem.importing.prose import prose
from graphmem.importing.reading import lines, streamed_lines
from graphmem.importing.refusing import Refused
from graphmem.model import Entity
from graphmem.transfer import FORMATS
from graphmem.transfer.code.files.licence_headers import without_licence_header
from graphmem.transfer.ignore_rules import PATTERN_CHARACTERS, PATTERNS, ignore_rules
from graphmem.transfer.markdown.references import read_note_text
from hostile_files import SHAPES, Shape, line, reasons

# What memcp says later changes what was said first, so it is given at the end.
STREAMED = [shape for shape in SHAPES if shape.reads_folders and shape.form != "memcp"]
# Four times as much takes four times as long, and sixteen times where it grows with the square.
MOST = 9.0

MARKDOWN: dict[str, Callable[[int], str]] = {
    "quotes": lambda n: ">" * n,
    "quoted lines": lambda n: "> " * 30 + "a\n" + "b\n" * (n // 4),
    "lists": lambda n: "- " * n,
    "open brackets": lambda n: "[" * n,
    "wiki links": lambda n: "[[a|" * n,
    "wiki links with addresses": lambda n: "[[a]](" * (n // 6),
    "embeds": lambda n: "![[a#" * (n // 5),
    "words with a mark": lambda n: "#a " * (n // 3),
    "links": lambda n: "[a](<" * (n // 5),
    "nested links": lambda n: "[" * (n // 8) + "a" + "](b)" * (n // 8),
    "stars": lambda n: "*a _b " * (n // 4),
    "code": lambda n: "`a` " * (n // 4),
    "spaced code": lambda n: "` a ` " * (n // 4),
    "ticks": lambda n: "".join("a" + "`" * k for k in range(1, int(n**0.5))),
    "tags": lambda n: "<a " * (n // 2),
    "comments": lambda n: "a <!-- " * (n // 4),
    "titles": lambda n: '[a](b "' * (n // 8),
    "references": lambda n: "[a]: b\n" * (n // 4),
    "rules": lambda n: "a\n---\n" * (n // 4),
    "roles": lambda n: "{ref}`a <" * (n // 9),
    "templates": lambda n: '{{ "{% link ' * (n // 12),
    "shown notes": lambda n: "--8<-- " * (n // 7),
    "contents": lambda n: "```{toctree}\n---\n" + "a <b\n" * (n // 5),
    "boxes": lambda n: "".join("`" * k + "{note}\n" for k in range(int(n**0.5), 2, -1)),
}
ARTIFACTS: dict[str, Callable[[int], str]] = {
    "rows of a template": lambda n: "{a b}\n{c d}\n## Links\n" + "| ADR-1 | informs |\n" * (n // 8),
    "rows": lambda n: "## Links\n" + "".join(f"| A-{k} | b |\n" for k in range(n // 8)),
    "braces": lambda n: "{a " * n,
    "markers": lambda n: "- " * n + "{",
    "spaces": lambda n: " " * (4 * n) + "{",
    "comments": lambda n: "`<!-- a --> " * (n // 2),
}
ITEMS: dict[str, Callable[[int], str]] = {
    "calls": lambda n: '<load item_type="tool" item_id="a/b">\n' * (n // 8),
    "threads": lambda n: 'directive_name="a/b"\n' * (n // 8),
    "permissions": lambda n: (
        "```xml\n<directive name='x'><permissions><execute>"
        f"{'<tool>a.b</tool>' * (n // 4)}</execute></permissions></directive>\n```\n"
    ),
    "elements": lambda n: f"```xml\n<directive name='x'>{'<a>' * n}{'</a>' * n}</directive>\n```\n",
}
PROGRAMS: dict[str, tuple[str, Callable[[int], str]]] = {
    "one name": ("a.py", lambda n: "def f(): f()\n" * (n // 8)),
    "types of one file": (
        "a.rs",
        lambda n: "".join(f"struct A{k} {{}}\nimpl B for A{k} {{}}\n" for k in range(n // 8)),
    ),
    "classes of classes": (
        "a.py",
        lambda n: "".join(
            f"class C{k}(C{k - 1}):\n def f(self): self.x()\n" for k in range(n // 16)
        ),
    ),
    "an import of many parts": ("A.java", lambda n: f"import a{'.a' * n}.B;\nclass C {{ B b; }}\n"),
    "a namespace of many parts": (
        "A.cs",
        lambda n: (
            f"using X;\nnamespace A{'.A' * (n // 8)};\n"
            + "class C { void M() { F.G(); } }\n" * (n // 80)
        ),
    ),
    "bases of one type": ("A.cs", lambda n: f"class A : B{', B' * n} {{ }}\n"),
    "calls of calls": ("A.kt", lambda n: f"fun f() {{\n  a{'.b()' * (n // 16)}\n}}\n"),
    "macros without a meaning": ("a.c", lambda n: "int (;\n" + "A_B\n" * (n // 4)),
    "macros before a word": ("a.cpp", lambda n: "int (;\n" + "A_B a<b> " * (n // 9)),
    "conditionals": ("a.c", lambda n: "int (;\n" + "#if A\na(\n#endif\n" * (n // 16)),
    "open conditionals": ("a.c", lambda n: "int (;\n" + "#if A\n" * (n // 6)),
    "open comments": ("a.c", lambda n: "int (;\n#define A " + "/* " * (n // 3)),
    "colons": ("a.ts", lambda n: f"function f(a{': ' * 1_000}b) {{}}\n" * (n // 400)),
}


def ratio(work: Callable[[str], object], make: Callable[[int], str], size: int) -> float:
    """How many times as long four times as much takes, in time of this process.

    The smallest of five tries counts: other work on the machine makes a try longer, never shorter.
    """
    small, large = make(size), make(4 * size)
    ratios = []
    for _ in range(5):
        ratios.append(seconds(work, large) / max(seconds(work, small), 0.002))
        if ratios[-1] < MOST:
            break
    return min(ratios)


def seconds(work: Callable[[str], object], given: str) -> float:
    start = time.process_time()
    work(given)
    return time.process_time() - start


def rows_of(form: str, file: str, folder: Path) -> Callable[[str], object]:
    def read_it(content: str) -> object:
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        return list(FORMATS[form].read(folder))

    return read_it


# Time in step with size


@pytest.mark.parametrize("name", MARKDOWN)
@pytest.mark.parametrize("work", [read_note_text, prose], ids=["notes", "prose"])
def test_markdown_takes_a_time_in_step_with_its_size(
    name: str, work: Callable[[str], object]
) -> None:
    assert ratio(work, MARKDOWN[name], 4_000) < MOST


@pytest.mark.parametrize("name", ARTIFACTS)
def test_an_artifact_takes_a_time_in_step_with_its_size(tmp_path: Path, name: str) -> None:
    front = "---\nid: EVID-1\nkind: evidence\n---\n"
    work = rows_of("forgeplan", ".forgeplan/x.md", tmp_path)
    assert ratio(lambda body: work(front + body), ARTIFACTS[name], 40_000) < MOST


@pytest.mark.parametrize("name", ITEMS)
def test_an_item_takes_a_time_in_step_with_its_size(tmp_path: Path, name: str) -> None:
    assert ratio(rows_of("rye", ".ai/directives/x.md", tmp_path), ITEMS[name], 40_000) < MOST


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_takes_a_time_in_step_with_its_size(tmp_path: Path, name: str) -> None:
    file, make = PROGRAMS[name]
    assert ratio(rows_of("code", file, tmp_path), make, 8_000) < MOST


def test_a_licence_header_takes_a_time_in_step_with_its_size() -> None:
    def header(size: int) -> str:
        return f"# https://{'licence' * size} a*\n" + "#* \n" * size

    assert ratio(without_licence_header, header, 8_000) < MOST


def test_what_is_said_again_and_again_takes_a_time_in_step_with_its_size(tmp_path: Path) -> None:
    said = line(id="a", content="x", labels=["b"], observations=["c"]).decode()
    work = rows_of("memcp", "x.jsonl", tmp_path)
    assert ratio(work, lambda n: said * n, 1_000) < MOST
    patterns = line(pattern="a", category="b", tags=["c"]).decode()
    work = rows_of("forge", ".forge/memory/project.jsonl", tmp_path)
    assert ratio(work, lambda n: patterns * n, 1_000) < MOST


# What git ignores


def test_a_gitignore_pattern_of_many_stars_is_matched_fast(tmp_path: Path) -> None:
    patterns = ["*a*a*a*a*a*a*a*a*a*ab", "**/a/**/a/**/a/**/a/**/a/**/b", f"{'*' * 200}b"]
    write(tmp_path, {".gitignore": "\n".join(patterns), f"{'a' * 150}.py": ""})
    (tmp_path / "/".join(["a"] * 40)).mkdir(parents=True)
    (tmp_path / "/".join(["a"] * 40) / "a.py").write_text("")
    assert len(read(tmp_path).entities) == 2


def test_patterns_match_the_same_paths_as_those_of_the_library() -> None:
    chance = random.Random(7)  # noqa: S311 - the same patterns each time
    parts = ["a", "b", "*", "**", "/", "/**/", "?", "[ab]", "!", ".", "\\*"]
    compared = 0
    for _ in range(4_000):
        pattern = "".join(chance.choice(parts) for _ in range(chance.randint(1, 9)))
        own = ignore_rules((), pattern)
        if own.left_out is not None or not pattern.strip("/"):
            continue
        theirs = GitIgnoreSpec([GitIgnoreSpecPattern(pattern)], backend="simple")
        for _ in range(10):
            names = ("".join(chance.choices("ab.*", k=chance.randint(1, 3))) for _ in range(4))
            path = "/".join(itertools.islice(names, chance.randint(1, 4)))
            asked = path + chance.choice(["", "/"])
            assert own.patterns.check_file(asked).include == theirs.check_file(asked).include, (
                pattern
            )
            compared += 1
    assert compared > 20_000


@pytest.mark.parametrize("sort", ["pipe", "link to zeros", "link outside", "too large", "no text"])
def test_a_gitignore_that_is_no_small_plain_file_is_refused_and_the_code_comes_in(
    tmp_path: Path, sort: str
) -> None:
    folder = tmp_path / "folder"
    write(folder, {"a.py": ""})
    path = folder / ".gitignore"
    (tmp_path / "patterns").write_text("a.py\n")
    match sort:
        case "pipe":
            os.mkfifo(path)
        case "link to zeros":
            path.symlink_to("/dev/zero")
        case "link outside":
            path.symlink_to(tmp_path / "patterns")
        case "too large":
            path.write_bytes(b"x\n" * 200_000)
        case _:
            path.write_bytes(b"\xff\n[z-a]\n\\\n" + b"x" * (PATTERN_CHARACTERS + 1))
    found = read(folder)
    assert set(found.entities) == {"a.py"}
    assert set(found.refused) == {".gitignore"}


def test_only_so_many_patterns_are_followed_and_the_rest_is_reported(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "x\n" * PATTERNS + "b.py\n", "a.py": "", "b.py": ""})
    found = read(tmp_path)
    assert set(found.entities) == {"a.py", "b.py"}
    assert f"line {PATTERNS + 1:,}" in found.refused[".gitignore"]


@pytest.mark.parametrize("manifest", ["[" * 5_000, f"x{'.x' * 200_000} = 1", "a = 9" + "9" * 5_000])
def test_no_content_of_a_manifest_stops_an_import(tmp_path: Path, manifest: str) -> None:
    write(tmp_path, {"Cargo.toml": manifest, "src/lib.rs": "fn a() {}\n"})
    assert "src/lib.rs" in read(tmp_path).entities


# The shared readers


@pytest.mark.parametrize(
    ("written", "line", "reason"),
    [
        ('a: 1\nb: !!int ""', 2, "'' is not a valid int"),
        ("a: 1\nday: !!timestamp soon", 2, "'soon' is not a valid timestamp"),
        ("a: &a [1]\nb: *c", 2, "undefined alias"),
        ("a: &a {b: *a}", 1, "contains itself"),
        ("a: {[1]: 2}", 1, "unhashable"),
        ("[a, b]: 1", 1, "the name of a field must be text"),
        ("- a", 1, "name: value"),
        ("a: " + "[" * 101 + "]" * 101, None, "deeper than 100"),
    ],
)
def test_what_is_wrong_with_a_field_is_said_with_its_line(
    written: str, line: int | None, reason: str
) -> None:
    with pytest.raises(Refused, match=reason.replace("'", "['\"]")) as caught:
        fields_of(written, 1)
    assert caught.value.line == line


def test_references_and_merges_stand_for_what_they_name() -> None:
    written = "a: &a {x: 1}\nb: *a\nc: {<<: *a, y: 2}\n<<: *a\nno: yes\nday: 2026-03-01\nv: 1.10\n"
    found = {field.name: field for field in fields_of(written, 1)}
    assert found["b"].value == found["a"].value == {"x": 1}
    assert found["c"].value == {"x": 1, "y": 2}
    assert (found["x"].value, found["no"].value, found["v"].source_text) == (1, "yes", "1.10")


@pytest.mark.parametrize(
    "field",
    [
        lambda n: f'tags: "{" " * n}"',
        lambda n: f"a: {'{{' * (n // 2)}",
        lambda n: "\n" * n,
        lambda n: f"kind: '[[{'a/b#' * (n // 4)}'",
    ],
)
def test_front_matter_takes_a_time_in_step_with_its_size(
    tmp_path: Path, field: Callable[[int], str]
) -> None:
    work = rows_of("markdown", "x.md", tmp_path)
    assert ratio(lambda fields: work(f"---\n{fields}\n---\nText."), field, 40_000) < MOST


def test_a_bad_date_is_one_refused_note(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\ncreated_at: 2026-13-45\n---\nText.")
    (tmp_path / "b.md").write_text("Text.")
    rows = list(FORMATS["markdown"].read(tmp_path))
    (reason,) = reasons(rows).values()
    assert "created_at must be a date" in reason
    assert "got '2026-13-45'" in reason
    assert [row.place for row in rows if isinstance(row.value, Entity)] == ["b.md"]


def test_text_between_rules_is_text(tmp_path: Path) -> None:
    for name, written in (("a", "One\n\n---\n\nTwo\n\n---\n\nThree"), ("b", "---\nOne\n---\nTwo")):
        (tmp_path / f"{name}.md").write_text(written)
    rows = FORMATS["markdown"].read(tmp_path)
    texts = [row.value.text for row in rows if isinstance(row.value, Entity)]
    assert texts == ["One\n\n---\n\nTwo\n\n---\n\nThree", "---\nOne\n---\nTwo"]


def test_a_wiki_link_in_spaced_code_is_no_link() -> None:
    links = read_note_text("`` [[a]] `` [[b]] `[[c\nd]]` [[e]]").links
    assert [link.target for link in links] == ["b", "e"]


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        (b'{"a": 1, "a": 2}', "'a' twice"),
        (b'{"a": ' + b"9" * 5_000 + b"}", "digits"),
        (b"[" * 101 + b"]" * 101, "deeper than 100"),
        (b"[" * 100_000, "deeper than 100"),
        (b'"a"'.decode().encode("utf-16"), "UTF-16"),
        (b'"\xff"', "not UTF-8"),
        (b"{", "not JSON"),
    ],
)
def test_what_is_no_json_is_refused_with_the_reason(written: bytes, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        parse(written)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (gzip.compress(b'{"name": "a"}\n' * 3), "gzip"),
        (lzma.compress(b"a\nb\n"), "xz"),
        (b"PK\x03\x04\n{}\n", "ZIP"),
        (b"\x28\xb5\x2f\xfd\n{}\n", "Zstandard"),
    ],
    ids=["gzip", "xz", "ZIP", "Zstandard"],
)
def test_a_compressed_file_is_refused_once(tmp_path: Path, written: bytes, name: str) -> None:
    path = tmp_path / "export.jsonl"
    path.write_bytes(written)
    for format_ in ("jsonl", "conversations"):
        ((place, reason),) = reasons([*FORMATS[format_].read(path)]).items()
        assert place == "export.jsonl"
        assert reason == (
            f"cannot be read: it is compressed ({name}); unpack it, and import what it contains"
        )


def test_brackets_in_a_text_are_no_nesting() -> None:
    assert parse(json.dumps(["[" * 1_000])) == ["[" * 1_000]
    assert parse("[" * 100 + "]" * 100)


def test_a_line_that_is_too_long_is_refused_and_the_next_one_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"a\n" + b"b" * 3_000_000 + b"\nc\n")
    first, second, third = streamed_lines(File.alone(path), limit=1_000)
    assert (first, third) == ((1, b"a\n"), (3, b"c\n"))
    assert "3,000,001 bytes" in str(second[1])


def test_a_file_whose_lines_are_no_json_is_refused_once(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"no JSON\n" * 1_000)
    (row,) = FORMATS["jsonl"].read(path)
    assert row.place == "x.jsonl"
    path.write_bytes(b"no JSON\n" * 99 + line(type="entity", name="a") + b"no JSON\n" * 200)
    assert len(list(FORMATS["jsonl"].read(path))) == 300


def test_lines_of_one_moment_are_numbered_from_one(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"a\n\nb")
    assert list(lines(File.alone(path))) == [(1, b"a"), (2, b""), (3, b"b")]


def test_an_error_can_be_written_whatever_its_value_is() -> None:
    deep: list[object] = []
    for _ in range(200_000):  # Python 3.13 writes lists that are nested 5,000 deep
        deep = [deep]
    assert shortened(deep) == "<list>"
    assert "<int>" in str(InvalidInput("a", 10**5_000, "smaller"))


# Row by row


def test_json_lines_are_read_one_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    with path.open("wb") as stream:
        for number in range(4_000):
            stream.write(line(type="entity", name=f"n{number}", text="x" * 5_000))
    assert path.stat().st_size > 20_000_000
    tracemalloc.start()
    count = sum(1 for _ in FORMATS["jsonl"].read(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 4_000
    assert peak < 8_000_000


@pytest.mark.parametrize("shape", STREAMED, ids=[shape.own for shape in STREAMED])
def test_what_a_file_says_is_given_before_the_next_one_is_read(
    tmp_path: Path, shape: Shape
) -> None:
    path = shape.put(tmp_path, None).with_name(f"zz{shape.ending}")
    path.write_bytes(shape.other)
    rows = FORMATS[shape.form].read(tmp_path)
    assert isinstance(next(rows).value, Entity)
    path.unlink()
    assert "vanished after" in reasons(list(rows))[shape.place("zz")]
