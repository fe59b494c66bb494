"""What the values of Python are: what functions give, other names of types, and what is asked."""

from pathlib import Path

import pytest

from code_folders import links

STORES = """class Store:
    def get(self, key): ...
    def copied(self):
        return type(self)()
    def named(self, name):
        return self
    @classmethod
    def opened(cls):
        return cls()
    @property
    def own(self):
        return self.kept()
    def kept(self):
        return Store()
class Deep(Store):
    def dive(self): ...
class Other:
    def get(self, key): ...
    def dive(self): ...
def either(x):
    return Store() if x else None
def mixed(x):
    if x:
        return Store()
    return Other()
def unknown(x):
    if x:
        return Store()
    return load(x)
def handed_on(x):
    store = Store()
    return store
def made_by():
    return handed_on(1)
def around():
    def inside():
        return Other()
    return Store()
def several():
    return everything()
def everything() -> list[Store]: ...
renamed = Store
"""
USES = [
    ("either(1).get(2)", "Store.get"),
    ("store = either(1)\n    store.get(2)", "Store.get"),
    ("handed_on(1).get(2)", "Store.get"),
    ("made_by().get(2)", "Store.get"),
    ("around().get(2)", "Store.get"),
    ("Deep().named('a').dive()", "Deep.dive"),
    ("Deep.opened().dive()", "Deep.dive"),
    ("Store().own.get(1)", "Store.get"),
    ("for each in several():\n        each.get(1)", "Store.get"),
    ("renamed().get(1)", "Store.get"),
    ("renamed.opened()", "Store.opened"),
    ("assert isinstance(x, Store)\n    x.get(1)", "Store.get"),
    ("if isinstance(x, Store):\n        x.get(1)", "Store.get"),
    ("y = Store()\n    y.get(1)\n    y = 3", "Store.get"),
    ("y = Store()\n    y = Other()\n    y.dive()", "Other.dive"),
    ("y = Other()\n    y.get(1)\n    y = Store()", "Other.get"),
    ("for y in several():\n        pass\n    y = Other()\n    y.get(1)", "Other.get"),
]
NO_USES = [
    "assert not isinstance(x, Store)\n    x.get(1)",
    "mixed(1).get(2)",
    "unknown(1).get(2)",
    "Store().copied().get(2)",
    "if isinstance(x, Store) or isinstance(x, Other):\n        x.get(1)",
    "y = Store()\n    if x:\n        y = Other()\n    y.get(1)",
    "y = Store()\n    while y:\n        y.get(1)\n        y = Other()",
]


def gets(folder: Path, body: str) -> set[str]:
    """What a function of this body calls, without what it makes of types and functions."""
    code = f"from stores import *\nfrom stores import renamed\ndef run(x):\n    {body}\n"
    prefix = "run.py::run CALLS stores.py::"
    ends = (
        link.removeprefix(prefix)
        for link in links(folder, {"stores.py": STORES, "run.py": code})
        if link.startswith(prefix)
    )
    return {end for end in ends if end.endswith((".get", ".dive", ".opened"))}


@pytest.mark.parametrize(("body", "callee"), USES)
def test_a_method_is_called_on_what_a_value_is(tmp_path: Path, body: str, callee: str) -> None:
    assert callee in gets(tmp_path, body)
    others = {"get", "dive", "opened"} - {callee.partition(".")[2]}
    assert {end for end in gets(tmp_path, body) if end.partition(".")[2] not in others} == {callee}


@pytest.mark.parametrize("body", NO_USES)
def test_a_value_that_may_be_another_is_not_guessed(tmp_path: Path, body: str) -> None:
    assert gets(tmp_path, body) == set()


def test_a_class_has_a_type_under_another_name(tmp_path: Path) -> None:
    code = (
        "from stores import Store\n"
        "class Base:\n"
        "    store_class = Store\n"
        "    def run(self):\n"
        "        self.store_class().get(1)\n"
        "        self.store_class.opened()\n"
    )

    all_links = links(tmp_path, {"stores.py": STORES, "run.py": code})

    assert "run.py::Base.run CALLS stores.py::Store" in all_links
    assert "run.py::Base.run CALLS stores.py::Store.opened" in all_links


def test_an_object_that_asks_for_its_own_type_is_still_of_its_class(tmp_path: Path) -> None:
    code = (
        "class Base:\n"
        "    def run(self):\n"
        "        is_deep = isinstance(self, Deep)\n"
        "        self.close()\n"
        "    def close(self): ...\n"
        "class Deep(Base):\n"
        "    def close(self): ...\n"
    )

    assert "run.py::Base.run CALLS run.py::Base.close" in links(tmp_path, {"run.py": code})


def test_names_for_each_other_end(tmp_path: Path) -> None:
    assert links(tmp_path, {"a.py": "a = b\nb = a\na()\n"}) == set()


CALLED_OBJECTS = """from stores import Store, Other
class Maker:
    def __call__(self, name) -> Store: ...
class Deeper(Maker): ...
class Silent: ...
class Holder:
    def __init__(self, maker: Deeper):
        self.maker = maker
    def run(self):
        self.maker('a').get(1)
def run(maker: Maker, deeper: Deeper, silent: Silent):
"""


@pytest.mark.parametrize(
    ("body", "gets"),
    [
        ("maker('a').get(1)", True),
        ("deeper('a').get(1)", True),
        ("store = maker('a')\n    store.get(1)", True),
        ("Maker()('a').get(1)", True),
        ("silent('a').get(1)", False),
        ("Maker('a').get(1)", False),
    ],
)
def test_the_call_of_an_object_gives_what_its_method_of_calls_gives(
    tmp_path: Path, body: str, *, gets: bool
) -> None:
    code = f"{CALLED_OBJECTS}    {body}\n"

    of_folder = links(tmp_path, {"stores.py": STORES, "run.py": code})

    assert ("run.py::run CALLS stores.py::Store.get" in of_folder) is gets
    assert "run.py::Holder.run CALLS stores.py::Store.get" in of_folder


def test_calls_of_objects_that_call_each_other_end(tmp_path: Path) -> None:
    code = (
        "class A:\n    __call__ = B\nclass B:\n    __call__ = A\n"
        "def run(a: A):\n    a(1).get(2)\n    a(1)(2).get(3)\n"
    )

    assert links(tmp_path, {"a.py": code}) == set()
