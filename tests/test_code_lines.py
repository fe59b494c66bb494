"""A query that names lines of code, as a stack trace does, is told the symbols there."""

from pathlib import Path

import pytest

from graphmem.memory import Memory
from graphmem.search.code_lines import LINES, CodeLine, code_lines

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
        ("why does version 1.2 fail at 12:30? field:word a:5", []),
        ("x" * 10_000, []),
        ("a." * 5_000 + ":", []),
    ],
)
def test_lines_are_read_as_tools_write_them(query: str, lines: list[tuple[str, int]]) -> None:
    assert code_lines(query) == [CodeLine(*line) for line in lines]


def test_a_long_trace_names_so_many_lines() -> None:
    trace = "\n".join(f"app/file{number}.py:{number}" for number in range(1, 30))
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


def test_a_symbol_that_is_hidden_or_of_another_project_is_not_named(code: Memory) -> None:
    other = code.search("app/store.py:5", mode="keyword", project="example.org/tests/nothing")
    code.forget("app/store.py::Store.get")
    assert not any("Store.get" in note for note in other.notes)
    assert code.search("app/store.py:5", mode="keyword").notes[0].endswith("`app/store.py::Store`")
