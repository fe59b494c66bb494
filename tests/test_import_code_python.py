"""Importing Python: what imports, calls and inherits what."""

from pathlib import Path

import pytest

from code_folders import links, read, write

PYTHON = {
    "app/__init__.py": "from .db import Store\n",
    "app/db.py": (
        "class Store:\n"
        "    def get(self, key): return self.load(key)\n"
        "    def load(self, key): ...\n"
        "def connect() -> Store: return Store()\n"
    ),
    "app/config.py": "def load(): ...\n",
}


@pytest.mark.parametrize(
    ("source", "link"),
    [
        ("def a(): b()\ndef b(): ...", "app/a.py::a CALLS app/a.py::b"),
        ("from app.config import load\nload()", "app/a.py CALLS app/config.py::load"),
        ("from .config import load as l\nl()", "app/a.py CALLS app/config.py::load"),
        ("from . import config\nconfig.load()", "app/a.py CALLS app/config.py::load"),
        ("import app.config\napp.config.load()", "app/a.py CALLS app/config.py::load"),
        ("import app.config as c\nc.load()", "app/a.py CALLS app/config.py::load"),
        ("from app.db import *\nconnect()", "app/a.py CALLS app/db.py::connect"),
        ("from app import Store\nStore()", "app/a.py CALLS app/db.py::Store"),
        ("from app import Store\nclass A(Store): ...", "app/a.py::A INHERITS app/db.py::Store"),
        ("import app\nclass A(app.Store): ...", "app/a.py::A INHERITS app/db.py::Store"),
        (
            "from app import Store\ndef a(store: Store): store.get(1)",
            "app/a.py::a CALLS app/db.py::Store.get",
        ),
        (
            "from app import Store\ndef a(store: 'Store | None'): store.get(1)",
            "app/a.py::a CALLS app/db.py::Store.get",
        ),
        (
            "from app.db import connect\ndef a():\n    s = connect()\n    s.get(1)",
            "app/a.py::a CALLS app/db.py::Store.get",
        ),
        (
            "from app import Store\nclass A(Store):\n  def a(self): self.get(1)",
            "app/a.py::A.a CALLS app/db.py::Store.get",
        ),
        (
            "from app import Store\nclass A(Store):\n  def get(self, k): return super().get(k)",
            "app/a.py::A.get CALLS app/db.py::Store.get",
        ),
        (
            (
                "from app import Store\nclass A:\n  def __init__(self, s: Store): self.s = s\n"
                "  def a(self): self.s.get(1)"
            ),
            "app/a.py::A.a CALLS app/db.py::Store.get",
        ),
        ("from app import config", "app/a.py IMPORTS app/config.py"),
        ("from app.db import UNKNOWN", "app/a.py IMPORTS app/db.py"),
    ],
)
def test_links_of_python(tmp_path: Path, source: str, link: str) -> None:
    assert link in links(tmp_path, PYTHON | {"app/a.py": source})


@pytest.mark.parametrize(
    "source",
    [
        "print(len('x'))",
        "import os\ndef join(): ...\nos.path.join('a')",
        "def join(): ...\n','.join('a')",
        "from elsewhere import load\nload()",
        "import json\njson.load(1)",
        "def a(store): store.get(1)",
        "def a(): return [get(1)]",
        "from .... import far\nfar()",
        "class A(Exception): ...",
        "from requests import Session\ndef a(s: Session): s.get(1)",
        "def a(): a()",
    ],
)
def test_python_links_nothing_that_is_elsewhere_or_ambiguous(tmp_path: Path, source: str) -> None:
    before = links(tmp_path / "before", PYTHON)

    assert links(tmp_path / "after", PYTHON | {"app/a.py": source}) == before


@pytest.mark.parametrize("name", ["parent", "static", "base"])
def test_what_names_a_type_in_php_or_csharp_is_a_function_elsewhere(
    tmp_path: Path, name: str
) -> None:
    files = {
        "a.py": f"def {name}(): ...\nclass Top:\n  def run(self): ...\n"
        f"class A(Top):\n  def run(self):\n    {name}()\n    {name}.run()\n",
    }

    assert links(tmp_path, files) == {
        f"a.py::A.run CALLS a.py::{name}",
        "a.py::A.run OVERRIDES a.py::Top.run",
        "a.py::A INHERITS a.py::Top",
    }


def test_a_module_is_known_by_the_name_of_the_folder_that_is_imported(tmp_path: Path) -> None:
    files = {
        "app/__init__.py": "",
        "app/a.py": "from app.b import c\nc()",
        "app/b.py": "def c(): ...",
    }
    write(tmp_path, files)

    assert "a.py CALLS b.py::c" in read(tmp_path / "app").links


def test_of_two_modules_of_one_name_the_nearer_is_meant(tmp_path: Path) -> None:
    files = {
        "one/tools.py": "def make(): ...", "one/a.py": "from tools import make\nmake()",
        "two/tools.py": "def make(): ...", "three/a.py": "from tools import make\nmake()",
    }  # fmt: skip
    all_links = links(tmp_path, files)

    assert all_links == {
        "one/a.py IMPORTS one/tools.py", "one/a.py CALLS one/tools.py::make",
    }  # fmt: skip


def test_a_method_of_a_telling_name_is_linked_with_half_the_weight(tmp_path: Path) -> None:
    files = {
        "a.py": "class Store:\n  def load_tokens(self): ...\n  def get(self): ...",
        "b.py": "import a\ndef read(store): return store.load_tokens() or store.get()",
    }
    code = read(write(tmp_path, files))

    (call,) = [relation for relation in code.relations if relation.relation == "CALLS"]
    assert (call.start, call.end, call.weight) == ("b.py::read", "a.py::Store.load_tokens", 0.5)


@pytest.mark.parametrize(
    ("source", "end"),
    [
        ("from app.config import load\ndef a(): run(load)", "app/config.py::load"),
        ("from app.config import load\ndef a(x): run(key=load)", "app/config.py::load"),
        ("from app import config\ndef a(): run(x, config.load)", "app/config.py::load"),
        ("def a(): map(b, [])\ndef b(x): ...", "app/a.py::b"),
        ("def a(): run(job=b)\ndef b(x): ...", "app/a.py::b"),
    ],
)
def test_what_gets_a_function_as_an_argument_calls_it(
    tmp_path: Path, source: str, end: str
) -> None:
    relations = read(write(tmp_path, PYTHON | {"app/a.py": source})).relations
    (call,) = [
        relation
        for relation in relations
        if (relation.start, relation.relation) == ("app/a.py::a", "CALLS")
    ]
    assert (call.end, call.weight) == (end, 0.5)


def test_a_method_is_passed_on_by_its_object(tmp_path: Path) -> None:
    source = (
        "from functools import partial\n"
        "class A:\n"
        "    def a(self): partial(self.b, 1); run(job=self.c); self.d(self.d); run(self.rows)\n"
        "    def b(self, x): ...\n"
        "    def c(self): ...\n"
        "    def d(self, x): ...\n"
    )
    relations = read(write(tmp_path, {"a.py": source})).relations
    weights = {
        relation.end: relation.weight for relation in relations if relation.relation == "CALLS"
    }
    assert weights == {"a.py::A.b": 0.5, "a.py::A.c": 0.5, "a.py::A.d": 1.0}


@pytest.mark.parametrize(
    "source",
    [
        "def a(load): run(load)",
        "def a():\n    load = other()\n    run(load)",
        "def a():\n    x, load = other()\n    run(load)",
        "def a():\n    for load in other(): run(load)",
        "def a():\n    with other() as load: run(load)",
        "def a():\n    def load(): ...\n    run(load)",
        "def a(): run(lambda load: other(load))",
        "def a():\n    config = other()\n    run(config.load)",
        "def a(x):\n    run(x.load)",
        "def a():\n    run(load)\n" + "    other(1)\n" * 2000,
        "def a(): run(Store)",
    ],
)
def test_a_variable_that_is_passed_on_is_no_function(tmp_path: Path, source: str) -> None:
    imports = "from app import Store, config\nfrom app.config import load\n"
    all_links = links(tmp_path, PYTHON | {"app/a.py": f"{imports}{source}"})
    assert not {link for link in all_links if link.startswith("app/a.py::a CALLS")}


OVERLOADS = """from typing import TYPE_CHECKING, overload
import typing
class Store:
    def get(self, key): ...
    def close(self): ...
@overload
def opened(name: str) -> Store: ...
@typing.overload
def opened(name: str, mode: str) -> Store: ...
@overload
def opened(name: bytes) -> "Store": ...
@overload
def opened(name: int) -> Store: ...
def opened(name, mode=None):
    \"\"\"Open a store.\"\"\"
    return load(name, mode)
class Opener(Protocol):
    @overload
    def open(self, name: str) -> Store: ...
    @overload
    def open(self, name: bytes) -> Store: ...
    @overload
    def file(self, name: str) -> str: ...
    @overload
    def file(self, name: bytes) -> Store: ...
    @property
    def mode(self): ...
    @mode.setter
    def mode(self, mode): ...
"""


def test_a_function_and_its_overloads_are_one(tmp_path: Path) -> None:
    code = read(write(tmp_path, {"a.py": OVERLOADS}))

    assert [symbol[1] for symbol in code.symbols("a.py")] == [
        "Store", "Store.get", "Store.close", "opened", "Opener", "Opener.open", "Opener.file",
        "Opener.mode", "Opener.mode",
    ]  # fmt: skip
    assert '"""Open a store."""' in str(code.entities["a.py::opened"].text)
    assert "mode: str" in str(code.entities["a.py"].text)


@pytest.mark.parametrize(
    ("body", "callees"),
    [
        ("opened('a').get(1)", {"opened", "Store.get"}),
        ("with opened(b'a') as store:\n        store.get(1)", {"opened", "Store.get"}),
        ("opener.open('a').get(1)", {"Opener.open", "Store.get"}),
        ("opener.file('a').get(1)", {"Opener.file"}),
    ],
)
def test_an_overloaded_function_gives_what_all_of_its_overloads_give(
    tmp_path: Path, body: str, callees: set[str]
) -> None:
    source = f"{OVERLOADS}def run(opener: Opener):\n    {body}\n"
    assert {
        link.removeprefix("a.py::run CALLS a.py::")
        for link in links(tmp_path, {"a.py": source})
        if link.startswith("a.py::run CALLS ")
    } == callees


@pytest.mark.parametrize("condition", ["TYPE_CHECKING", "typing.TYPE_CHECKING"])
def test_of_two_classes_the_one_that_type_checkers_read_is_meant(
    tmp_path: Path, condition: str
) -> None:
    factory = (
        f"if {condition}:\n"
        "    class Factory(Protocol):\n"
        "        def __call__(self, name: str) -> Store: ...\n"
        "    Address = str\n"
        "else:\n"
        "    class Factory:\n"
        "        def build(self): ...\n"
        "    class Address:\n"
        "        def parse(self): ...\n"
        "def run(factory: Factory):\n"
        "    factory('a').get(1)\n"
    )

    code = read(write(tmp_path, {"a.py": OVERLOADS + factory}))

    assert "a.py::run CALLS a.py::Store.get" in code.links
    assert {symbol[1] for symbol in code.symbols("a.py")} >= {
        "Factory", "Factory.__call__", "Address", "Address.parse",
    }  # fmt: skip
    assert "a.py::Factory.build" not in code.entities
    assert "def build(self)" in str(code.entities["a.py"].text)
