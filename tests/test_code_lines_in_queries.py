"""A query that names lines of code, as a stack trace does, is told the symbols there."""

import io
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from rich.console import Console

from graphmem.cli import answers, listings
from graphmem.cli.output import TextOutput
from graphmem.errors import NotFound
from graphmem.memory import Memory
from graphmem.model import Answer
from graphmem.model.answer import Mode
from graphmem.search.code.lines import LINES, CodeLine, code_lines
from sample_hits import made_hit

STORE = """\
class Store:
    def get(self, key):
        def read():
            return self.rows[key]
        return read()


def open_store():
    return Store()
"""


@pytest.mark.parametrize(
    ("query", "lines"),
    [
        ("what is app/store.py:4 for", [("app/store.py", 4)]),
        ("app/store.py:4:12 and app/store.py#L9", [("app/store.py", 4), ("app/store.py", 9)]),
        ('File "/srv/my app/store.py", line 4, in get', [("/srv/my app/store.py", 4)]),
        ("at get (/srv/app/store.ts:10:5)", [("/srv/app/store.ts", 10)]),
        (r"C:\srv\store.py:4", [(r"\srv\store.py", 4)]),
        ("store.py:4 store.py:4", [("store.py", 4)]),
        ("at org.x.Foo.bar(Foo.java:12)", [("org/x/Foo.java", 12)]),
        (
            "\tat app//org.x.Foo$Bar.<init>(Foo.java:12) ~[x.jar:1.0]\n\tat FooKt.main(Foo.kt:3)",
            [("org/x/Foo.java", 12), ("Foo.kt", 3)],
        ),
        ("at show (http://localhost:5173/src/App.tsx?t=17:9:5)", [("src/App.tsx", 9)]),
        ("show@https://www.example.org:8443/src/App.tsx:9:5", [("src/App.tsx", 9)]),
        ("src/store.ts(12,5): error TS2304: Cannot find name", [("src/store.ts", 12)]),
        (r"at App.Store.Get(String key) in C:\src\Store.cs:line 42", [(r"\src\Store.cs", 42)]),
        (r"#0 /srv/app/Store.php(42): App\Store->get('x')", [("/srv/app/Store.php", 42)]),
        ("PHP Warning: no key in /srv/app/Store.php on line 7", [("/srv/app/Store.php", 7)]),
        ("app/store.rb:42:in 'Store#get'", [("app/store.rb", 42)]),
        ("lines 4-9 of app/store.py, line 5 in `db.py`.", [("app/store.py", 4), ("db.py", 5)]),
        ("store.py line 4", [("store.py", 4)]),
        ("in `app/store.py`, lines 4-9", [("app/store.py", 4)]),
        ("store.py at line 4", [("store.py", 4)]),
        ("store.py:L4 and db.py#L5-L9", [("store.py", 4), ("db.py", 5)]),
        ("> /srv/app/store.py(4)get()", [("/srv/app/store.py", 4)]),
        ("store.cpp(4): error C2065", [("store.cpp", 4)]),
        ("call conn.read(42) and Store.php (8)", []),
        ("outline 4 of store.py, e.g. line 5, baseline 6", []),
        ("webpack-internal:///./src/store.ts:4:7", [("///./src/store.ts", 4)]),
        ("why does version 1.2 fail at 12:30? field:word a:5", []),
        ("x" * 10_000, []),
        ("a." * 5_000 + ":", []),
        ("a." * 50_000 + "(", []),
        ("a(" * 50_000, []),
        ("a.b?" * 25_000, []),
        ("line 1 of " * 20_000, []),
        ("lines 1 in a," * 20_000, []),
        ("a.py, " * 20_000, []),
        ("a.py(" * 20_000, []),
    ],
)
def test_lines_are_read_as_tools_write_them(query: str, lines: list[tuple[str, int]]) -> None:
    assert code_lines(query) == [CodeLine(*line) for line in lines]


def test_a_long_trace_names_so_many_lines() -> None:
    trace = "\n".join(f"app/file{number}.py:{number}" for number in range(1, 60))
    assert len(code_lines(trace)) == LINES


@pytest.fixture
def code(memory: Memory, tmp_path: Path) -> Memory:
    """A project with two files of the same name."""
    for folder in ("app", "other"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "store.py").write_text(STORE, encoding="utf-8")
    memory.import_("code", tmp_path)
    return memory


@pytest.mark.parametrize(
    ("query", "places"),
    [
        ("app/store.py:5", {"line 5 of app/store.py": "app/store.py::Store.get"}),
        (
            "in /srv/other/store.py:9",
            {"line 9 of /srv/other/store.py": "other/store.py::open_store"},
        ),
        (
            "./app/store.py:1 ../other/store.py#L1",
            {
                "line 1 of ./app/store.py": "app/store.py::Store",
                "line 1 of ../other/store.py": "other/store.py::Store",
            },
        ),
    ],
)
def test_the_innermost_symbol_at_a_line_is_noted(
    code: Memory, query: str, places: dict[str, str]
) -> None:
    note = "; ".join(f"{place} is in `{name}`" for place, name in places.items())
    assert code.search(query, mode="keyword").notes[:1] == (note,)


@pytest.mark.parametrize(
    "query", ["app/store.py:7", "app/store.py:99", "gone/cellar.py:1", "a.b:1"]
)
def test_a_line_without_a_known_symbol_is_passed_over(code: Memory, query: str) -> None:
    assert not any("is in `" in note for note in code.search(query, mode="keyword").notes)


@pytest.mark.parametrize(
    ("query", "note"),
    [
        (
            "app/store.py:7",
            "line 7 of `app/store.py` is outside of its functions, classes and other symbols",
        ),
        ("/srv/x/app/store.py:99", "`app/store.py` has 9 lines, so there is no line 99"),
        (
            "line 5 of store.py",
            "store.py may mean `app/store.py` or `other/store.py`; name a folder of it, too",
        ),
        ("gone/cellar.py:1", None),
    ],
)
def test_a_line_at_which_no_symbol_is_known_is_noted_with_the_reason(
    code: Memory, query: str, note: str | None
) -> None:
    first = code.search(query, mode="keyword", limit=1)
    assert first.notes[:1] == (() if note is None else (note,))
    if first.cursor:
        following = code.search(query, mode="keyword", limit=1, cursor=first.cursor)
        assert note not in following.notes


def test_a_symbol_that_is_hidden_or_of_another_project_is_not_named(code: Memory) -> None:
    other = code.search("app/store.py:5", mode="keyword", project="example.org/tests/nothing")
    code.forget("app/store.py::Store.get")
    assert not any("Store.get" in note for note in other.notes)
    assert code.search("app/store.py:5", mode="keyword").notes[0].endswith("`app/store.py::Store`")


JAVA = """\
package org.x;

class Foo {
  void bar() {
    run();
  }
}
"""


@pytest.fixture
def modules(memory: Memory, tmp_path: Path) -> Memory:
    """A project whose files lie deeper than their names in traces say."""
    files = {
        "core/src/main/java/org/x/Foo.java": JAVA,
        "core/src/main/java/org/y/Foo.java": JAVA.replace("bar", "other"),
        "web/src/App.tsx": "export function App() {\n  return 1;\n}\n",
        "web/src/index.ts": "export function start() {\n}\n",
        "store.py": "def top(): ...\n",
        "app/store.py": STORE,
        "lib/only.py": STORE,
    }
    for path, content in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content, encoding="utf-8")
    memory.import_("code", tmp_path)
    return memory


@pytest.mark.parametrize(
    ("query", "note"),
    [
        (
            "at org.x.Foo.bar(Foo.java:5)",
            "line 5 of org/x/Foo.java is in `core/src/main/java/org/x/Foo.java::Foo.bar`",
        ),
        (
            "at App (http://localhost:5173/src/App.tsx?t=17:2:5)",
            "line 2 of src/App.tsx is in `web/src/App.tsx::App`",
        ),
        ("only.py:4", "line 4 of only.py is in `lib/only.py::Store.get`"),
    ],
)
def test_a_line_is_found_by_the_end_of_a_path(modules: Memory, query: str, note: str) -> None:
    assert modules.search(query, mode="keyword").notes[:1] == (note,)


@pytest.mark.parametrize("query", ["Foo.java:5", "store.py:4", "at z.Foo.bar(Foo.java:5)"])
def test_a_path_that_may_be_another_names_no_symbol(modules: Memory, query: str) -> None:
    assert not any("is in `" in note for note in modules.search(query, mode="keyword").notes)


STORE_GET = "app/store.py::Store.get"


@pytest.mark.parametrize(
    "query",
    [
        "app/store.py:5",
        "why does /srv/x/app/store.py:5 fail",
        r"C:\x\app\store.py:5",
        "https://example.org/x/blob/main/app/store.py#L5",
        'File "/srv/app/store.py", line 5, in get',
        "get in app/store.py",
        "what does `get` of app/store.py return",
        "app.store.Store.get",
        "app.store.Store.get(key)",
        'mock.patch("app.store.Store.get")',
        "FAILED app/store.py::Store::get[first] - KeyError",
        "FAILED x/app/store.py::Store::get",
    ],
)
def test_a_symbol_named_by_its_line_file_or_module_comes_first(code: Memory, query: str) -> None:
    answer = code.search(query, limit=5, explain=True)
    assert answer.hits[0].name == STORE_GET
    assert answer.hits[0].matched.name > 0.5


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("from app.store import open_store", "app/store.py::open_store"),
        ("from other.store import Store", "other/store.py::Store"),
        ("import app.store", "app/store.py"),
        ("from app import store", "app/store.py"),
        (r"app\store.py", "app/store.py"),
        (r"C:\srv\other\store.py", "other/store.py"),
        ("/srv/other/store.py", "other/store.py"),
        ("diff --git a/app/store.py b/app/store.py", "app/store.py"),
    ],
)
def test_a_file_or_what_is_imported_from_it_comes_first(
    code: Memory, query: str, name: str
) -> None:
    assert code.search(query, limit=5).hits[0].name == name


def test_a_trace_of_java_leads_to_the_method_and_not_to_its_class(modules: Memory) -> None:
    trace = 'Exception in thread "main" x.Closed: no port\n\tat org.x.Foo.bar(Foo.java:5)'
    answer = modules.search(trace)
    assert answer.hits[0].name == "core/src/main/java/org/x/Foo.java::Foo.bar"


def test_java_calls_a_member_by_package_and_class(modules: Memory) -> None:
    for query in ("org.x.Foo.bar", "org.x.Foo.bar()", "import static org.x.Foo.bar;"):
        assert modules.search(query).hits[0].name == "core/src/main/java/org/x/Foo.java::Foo.bar"


def test_a_script_is_imported_by_a_path_without_suffix(modules: Memory) -> None:
    answer = modules.search("import { start } from './src/index'")
    assert answer.hits[0].name == "web/src/index.ts::start"


@pytest.mark.parametrize("mode", ["hybrid", "keyword"])
def test_the_innermost_line_of_a_trace_comes_first(code: Memory, mode: Mode) -> None:
    frames = [
        ("app/store.py::open_store", '  File "/srv/app/store.py", line 9, in open_store'),
        ("other/store.py::Store.get", '  File "/srv/other/store.py", line 4, in read'),
    ]
    for inner, outer in (frames, frames[::-1]):
        lines = [outer[1], inner[1], "KeyError: 'anchor'"]
        names = [hit.name for hit in code.search("\n".join(lines), mode=mode).hits]
        assert names[0] == inner[0]
        assert outer[0] in names
    in_rust = "panicked at app/store.py:5:9\n  at other/store.py:9:13"
    assert code.search(in_rust, mode=mode).hits[0].name == STORE_GET


def test_the_next_page_of_a_search_for_a_line_goes_on(code: Memory) -> None:
    pages = [code.search("app/store.py:5", limit=2)]
    while pages[-1].cursor:
        pages.append(code.search("app/store.py:5", limit=2, cursor=pages[-1].cursor))
    names = [hit.name for page in pages for hit in page.hits]
    assert names[0] == STORE_GET
    assert len(names) == len(set(names)) == pages[0].total
    assert [bool(page.notes) for page in pages] == [True, *([False] * (len(pages) - 1))]


def test_a_line_of_a_hidden_file_leads_nowhere(code: Memory) -> None:
    for name in (STORE_GET, "app/store.py::Store", "app/store.py"):
        code.forget(name)
    names = [hit.name for hit in code.search("get in app/store.py").hits]
    assert not {STORE_GET, "app/store.py"} & set(names)


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("app/store.py:5", STORE_GET),
        ("/srv/x/app/store.py:5:9", STORE_GET),
        ("app.store.Store.get", STORE_GET),
        ("get in app/store.py", STORE_GET),
        ("FAILED app/store.py::Store::get[1]", STORE_GET),
        ("app/store.py:7", "app/store.py"),
        (r"C:\srv\other\store.py", "other/store.py"),
        ("https://example.org/x/blob/main/app/store.py", "app/store.py"),
    ],
)
def test_code_is_shown_and_explored_by_its_place(code: Memory, place: str, name: str) -> None:
    (page,) = code.get(place)
    assert page.entity.name == name
    assert code.explore(place).name == name
    assert code.history(place).name == name


def test_code_is_shown_as_it_was_by_the_place_it_has_now(code: Memory) -> None:
    created = code.get(STORE_GET)[0].updated_at
    assert created is not None
    code.edit({"name": STORE_GET, "title": "Reads a row"})
    then = code.get_as_of("app/store.py:5", created)
    assert (then.entity.name, then.entity.title) == (STORE_GET, "def get(self, key)")
    assert code.get_as_of("get in app/store.py", datetime.now(UTC)).entity.title == "Reads a row"
    with pytest.raises(NotFound, match="ambiguous"):
        code.get_as_of("open_store of store.py", created)
    with pytest.raises(NotFound, match="there is no entity"):
        code.get_as_of("gone/store.py:5", created)


def test_a_place_that_may_be_several_is_told_apart_by_its_names(code: Memory) -> None:
    with pytest.raises(
        NotFound, match=r"ambiguous: it may mean '(app|other)/store.py::open_store'"
    ):
        code.get("open_store of store.py")
    for unknown in ("gone/store.py", "gone/store.py:5", "Store#put", "C:\\gone.py"):
        with pytest.raises(NotFound, match="there is no entity"):
            code.get(unknown)


def test_what_writes_takes_no_place_for_a_name(code: Memory) -> None:
    report = code.forget("app/store.py:5")
    assert [item.outcome for item in report.items] == ["refused"]
    with pytest.raises(NotFound):
        code.edit({"name": "app/store.py:5", "title": "x"})
    with pytest.raises(NotFound):
        code.unlink("app/store.py:5", "app/store.py", "CONTAINS")


def test_the_lines_of_libraries_leave_room_for_those_of_the_project(modules: Memory) -> None:
    libraries = "\n".join(f"at lib.L{n}.run(L{n}.java:{n})" for n in range(1, 31))
    notes = modules.search(f"{libraries}\nat org.x.Foo.bar(Foo.java:5)", mode="keyword").notes
    assert any("Foo.bar`" in note for note in notes)


def test_a_hit_of_code_says_which_lines_it_is(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "store.py").write_text(STORE)
    memory.import_("code", tmp_path)
    memory.remember([{"name": "Poem", "attributes": {"start_line": "first", "end_line": 4}}])
    expected = {
        "store.py": "1-9", "store.py::Store": "1-5", "store.py::Store.get": "2-5",
        "store.py::open_store": "8-9", "Poem": None,
    }  # fmt: skip
    assert {hit.name: hit.lines for hit in memory.recent().hits} == expected
    for name, lines in expected.items():
        (found,) = memory.search(f'"{name}"', limit=1).hits
        assert (found.name, found.lines) == (name, lines)
        assert found.to_json().get("lines") == lines
    context = memory.context("open_store").text
    assert "## store.py::open_store (Function, lines 8-9)" in context


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("src/store.py::Store.get", ["src/store.py::Store.get  Method", "src/store.py:2"]),
        ("src/store.py", ["src/store.py  Method  lines 2-5"]),
    ],
)
@pytest.mark.parametrize("write", [answers.write, listings.write])
def test_the_terminal_says_where_a_symbol_begins_as_editors_open_it(
    capsys: pytest.CaptureFixture[str],
    write: Callable[[Answer, TextOutput], None],
    name: str,
    shown: list[str],
) -> None:
    hit = replace(made_hit(name, kind="Method"), lines="2-5")
    answer = Answer(
        query="", project="p", mode="hybrid", total=1, degraded=None, took_ms={}, hits=(hit,)
    )
    write(answer, TextOutput())
    lines = capsys.readouterr().out.splitlines()[2 : 2 + len(shown)]
    assert [line.removeprefix("  1 0.500").strip() for line in lines] == shown


def test_a_place_in_code_is_not_broken_by_a_narrow_terminal() -> None:
    path = "/".join(["services"] * 12)
    hit = replace(made_hit(f"{path}.py::get"), lines="42-58")
    answer = Answer(
        query="", project="p", mode="hybrid", total=1, degraded=None, took_ms={}, hits=(hit,)
    )
    stream = io.StringIO()
    terminal = Console(file=stream, force_terminal=True, width=40, color_system=None)
    answers.write(answer, TextOutput(terminal))
    assert f"{path}.py:42" in stream.getvalue()


def test_a_link_to_lines_of_code_is_told_the_symbol_there(code: Memory) -> None:
    code.remember([{"name": "Be quick"}])
    (item,) = code.link("Be quick", "CONCERNS", "app/store.py:4").items
    assert item.outcome == "refused"
    assert str(item.reason).endswith(
        "but code is at that place: give the name 'app/store.py::Store.get'"
    )
    (item,) = code.link("Be quick", "CONCERNS", "app/stroe.py:4").items
    assert "at that place" not in str(item.reason)
