"""The links between what code is imported: what calls, inherits from and imports what.

A name is linked to what the folder itself says it means. What is not in the folder, or might be one
of several, is linked to nothing.
"""

from pathlib import Path

import pytest

from code_folders import read, write


def links(tmp_path: Path, files: dict[str, str]) -> set[str]:
    return read(write(tmp_path, files)).links


# Python


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
def test_python(tmp_path: Path, source: str, link: str) -> None:
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
    found = links(tmp_path, files)

    assert found == {
        "one/a.py IMPORTS one/tools.py", "one/a.py CALLS one/tools.py::make",
    }  # fmt: skip


def test_a_method_of_a_telling_name_is_linked_with_half_the_weight(tmp_path: Path) -> None:
    files = {
        "a.py": "class Store:\n  def load_tokens(self): ...\n  def get(self): ...",
        "b.py": "import a\ndef read(store): return store.load_tokens() or store.get()",
    }
    found = read(write(tmp_path, files))

    (call,) = [one for one in found.relations if one.relation == "CALLS"]
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
    (call,) = [one for one in relations if (one.start, one.relation) == ("app/a.py::a", "CALLS")]
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
    weights = {one.end: one.weight for one in relations if one.relation == "CALLS"}
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
    found = links(tmp_path, PYTHON | {"app/a.py": f"{imports}{source}"})
    assert not {link for link in found if link.startswith("app/a.py::a CALLS")}


# JavaScript and TypeScript


SCRIPTS = {
    "lib/index.ts": "export { Repo } from './repo';\nexport * from './make';\n",
    "lib/repo.ts": "export class Repo { get(id: string) { return this.load(id); } load(id) {} }",
    "lib/make.ts": (
        "import { Repo } from './repo.js';\n"
        "export async function makeRepo(): Promise<Repo> { return new Repo(); }\n"
        "export default function main() {}\n"
    ),
    "lib/old.js": "function three() {}\nexports.four = function () { three(); };\n",
}


@pytest.mark.parametrize(
    ("source", "link"),
    [
        ("import { Repo } from './lib';\nnew Repo();", "a.ts CALLS lib/repo.ts::Repo"),
        ("import { makeRepo as m } from './lib/index';\nm();", "a.ts CALLS lib/make.ts::makeRepo"),
        ("import * as l from './lib';\nl.makeRepo();", "a.ts CALLS lib/make.ts::makeRepo"),
        ("import run from './lib/make';\nrun();", "a.ts CALLS lib/make.ts::main"),
        ("const { four } = require('./lib/old');\nfour();", "a.ts CALLS lib/old.js::four"),
        ("const old = require('./lib/old');\nold.four();", "a.ts CALLS lib/old.js::four"),
        ("import './lib/old';", "a.ts IMPORTS lib/old.js"),
        ("const later = import('./lib/old');", "a.ts IMPORTS lib/old.js"),
        (
            "import { Repo } from './lib';\nclass A extends Repo { a() { this.get('1'); } }",
            "a.ts::A.a CALLS lib/repo.ts::Repo.get",
        ),
        (
            "import type { Repo } from './lib';\ninterface A extends Repo {}",
            "a.ts::A INHERITS lib/repo.ts::Repo",
        ),
        (
            (
                "import { Repo } from './lib';\nclass A { constructor(private r: Repo) {}\n"
                "a() { this.r.get('1'); } }"
            ),
            "a.ts::A.a CALLS lib/repo.ts::Repo.get",
        ),
        (
            (
                "import { makeRepo } from './lib';\n"
                "async function a() { const r = await makeRepo(); r.get('1'); }"
            ),
            "a.ts::a CALLS lib/repo.ts::Repo.get",
        ),
    ],
)
def test_scripts(tmp_path: Path, source: str, link: str) -> None:
    assert link in links(tmp_path, SCRIPTS | {"a.ts": source})


@pytest.mark.parametrize(
    ("source", "link"),
    [
        ("import run from './lib/make';\nstart(run);", "a.tsx CALLS lib/make.ts::main"),
        ("import * as l from './lib';\nstart(l.makeRepo);", "a.tsx CALLS lib/make.ts::makeRepo"),
        ("class A { a() { on('x', this.b); } b() {} }", "a.tsx::A.a CALLS a.tsx::A.b"),
        ("class A { a() { on('x', this.b.bind(this)); } b() {} }", "a.tsx::A.a CALLS a.tsx::A.b"),
        (
            "class A { a() { return <button onClick={this.b}/>; } b() {} }",
            "a.tsx::A.a CALLS a.tsx::A.b",
        ),
        (
            "function a() { return <button onClick={save}/>; }\nfunction save() {}",
            "a.tsx::a CALLS a.tsx::save",
        ),
    ],
)
def test_scripts_pass_functions_on(tmp_path: Path, source: str, link: str) -> None:
    assert link in links(tmp_path, SCRIPTS | {"a.tsx": source})


@pytest.mark.parametrize(
    "source",
    [
        "function a(main) { start(main); }",
        "const a = main => start(main);",
        "function a() { const main = other(); start(main); }",
        "function a() { const { main } = other(); start(main); }",
        "function a() { for (const main of other()) { start(main); } }",
    ],
)
def test_a_variable_of_a_script_that_is_passed_on_is_no_function(
    tmp_path: Path, source: str
) -> None:
    found = links(tmp_path, SCRIPTS | {"a.ts": f"import main from './lib/make';\n{source}"})
    assert "a.ts::a CALLS lib/make.ts::main" not in found


def test_a_component_is_called_where_it_is_shown(tmp_path: Path) -> None:
    files = {
        "button.tsx": "export const SaveButton = () => <button/>;",
        "page.jsx": "import { SaveButton } from './button';\n"
        "export function Page() { return <div><SaveButton/></div>; }",
    }

    assert "page.jsx::Page CALLS button.tsx::SaveButton" in links(tmp_path, files)


@pytest.mark.parametrize(
    "source",
    [
        "import {{ {} }} from './icons';\n{}",
        "const {{ {} }} = require('./icons');\n{}",
    ],
)
def test_thousands_of_names_are_imported_at_once(tmp_path: Path, source: str) -> None:
    names = [f"show{number}" for number in range(1_500)]
    files = {
        "icons.ts": "\n".join(f"export function {name}() {{}}" for name in names),
        "page.ts": source.format(",\n".join(names), "\n".join(f"{name}();" for name in names)),
        "index.ts": "export {\n" + ",\n".join(names) + "\n} from './icons';",
        "use.ts": f"import {{ {names[-1]} as last }} from '.';\nlast();",
    }

    calls = {f"page.ts CALLS icons.ts::{name}" for name in names}
    assert calls | {f"use.ts CALLS icons.ts::{names[-1]}"} <= links(tmp_path, files)


def test_a_component_that_a_call_makes_of_a_function_is_one(tmp_path: Path) -> None:
    files = {
        "button.tsx": (
            "// Saves.\nconst SaveButton = React.forwardRef<A, B>(({ name }, ref) => {\n"
            "  return useTide();\n});\n"
            "SaveButton.displayName = 'SaveButton';\nexport { SaveButton };\n"
            "export const Menu = memo(forwardRef(function Menu(props, ref) { return null; }));\n"
            "export const useTide = create((set) => ({ height: 3 }));\n"
            "const rows = items.map((item) => item.name);\n"
            "const ROWS = items.map((item) => item);\n"
            "const Table = pgTable('rows', () => 1);\n"
        ),
        "page.jsx": "import { Menu, SaveButton } from './button';\n"
        "export function Page() { return <div><SaveButton/><Menu/></div>; }",
        "store.ts": "export const useStore = create(() => ({}));\nconst Tree = lazy(() => Tree);",
    }

    assert {
        "page.jsx::Page CALLS button.tsx::SaveButton",
        "page.jsx::Page CALLS button.tsx::Menu",
        "button.tsx::SaveButton CALLS button.tsx::useTide",
    } <= links(tmp_path, files)
    component, *others = read(tmp_path).symbols("button.tsx")
    assert component == ("Function", "SaveButton", 2, 4)
    assert [name for _, name, _, _ in others] == ["Menu", "useTide", "ROWS"]
    assert [name for _, name, _, _ in read(tmp_path).symbols("store.ts")] == ["useStore"]
    entity = read(tmp_path).entities["button.tsx::SaveButton"]
    assert entity.title == "const SaveButton = React.forwardRef<A, B>(({ name }, ref)"
    assert entity.text is not None
    assert entity.text.startswith("// Saves.\nconst SaveButton")


@pytest.mark.parametrize(
    "passed_on", ["export { default } from './menu';", "export { Menu as default } from './menu';"]
)
def test_a_module_passes_on_the_default_of_another(tmp_path: Path, passed_on: str) -> None:
    files = {
        "menu/index.ts": passed_on,
        "menu/menu.ts": "export function Menu() {}\nexport default Menu;",
        "a.ts": "import show from './menu';\nshow();",
    }
    assert "a.ts CALLS menu/menu.ts::Menu" in links(tmp_path, files)


@pytest.mark.parametrize(
    "source",
    [
        "import { map } from 'lodash';\nmap();",
        "import x from './missing';\nx();",
        "fetch('x'); console.log(1);",
        "function a(repo) { repo.get(1); }",
    ],
)
def test_scripts_link_nothing_that_is_elsewhere(tmp_path: Path, source: str) -> None:
    before = links(tmp_path / "before", SCRIPTS)

    assert links(tmp_path / "after", SCRIPTS | {"a.ts": source}) == before


PACKAGES = {
    "package.json": '{"private": true, "workspaces": ["packages/*", "apps/*"]}',
    "packages/store/package.json": '{"name": "@shop/store", "main": "./dist/index.cjs"}',
    "packages/store/src/index.ts": "export * from './open.js';",
    "packages/store/src/open.ts": "export function openStore() {}",
    "packages/store/src/adapters/disk.ts": "export function openDisk() {}",
    "packages/till/package.json": '{"name": "till", "main": "lib/main.js"}',
    "packages/till/lib/main.ts": "export function openTill() {}",
    "packages/till/button.tsx": "export function PayButton() {}",
    "packages/odd/package.json": "{",
    "apps/web/package.json": '{"name": "web"}',
    "apps/web/src/lib/theme.ts": "export function useTheme() {}",
    "apps/web/components/menu.tsx": "export function showMenu() {}",
    "apps/one/package.json": '{"name": "twin"}',
    "apps/one/index.ts": "export function first() {}",
    "apps/two/package.json": '{"name": "twin"}',
    "apps/two/index.ts": "export function second() {}",
}


@pytest.mark.parametrize(
    ("source", "end"),
    [
        ("import { openStore } from '@shop/store';", "packages/store/src/open.ts::openStore"),
        (
            "import { openDisk } from '@shop/store/adapters/disk';",
            "packages/store/src/adapters/disk.ts::openDisk",
        ),
        ("import { openTill } from 'till';", "packages/till/lib/main.ts::openTill"),
        ("import { PayButton } from 'till/button';", "packages/till/button.tsx::PayButton"),
        ("import { useTheme } from '@/lib/theme';", "apps/web/src/lib/theme.ts::useTheme"),
        ("import { showMenu } from '~/components/menu';", "apps/web/components/menu.tsx::showMenu"),
    ],
)
def test_an_import_names_a_package_of_the_folder(tmp_path: Path, source: str, end: str) -> None:
    name = end.rpartition("::")[2]
    page = {"apps/web/src/pages/start.ts": f"{source}\n{name}();"}

    assert f"apps/web/src/pages/start.ts CALLS {end}" in links(tmp_path, PACKAGES | page)


@pytest.mark.parametrize(
    "source",
    [
        "import { first } from 'twin';\nfirst();",
        "import { openTill } from 'till/missing';\nopenTill();",
        "import { openStore } from '@shop';\nopenStore();",
        "import { openTill } from 'tills';\nopenTill();",
        "import { second } from '../../../../../apps/two';\nsecond();",
    ],
)
def test_an_import_of_no_package_of_the_folder_leads_nowhere(tmp_path: Path, source: str) -> None:
    page = {"apps/web/src/pages/start.ts": source}

    assert links(tmp_path, PACKAGES | page) == {
        "packages/store/src/index.ts IMPORTS packages/store/src/open.ts"
    }


def test_a_package_is_known_where_only_its_sources_are_imported(tmp_path: Path) -> None:
    files = {
        ".git/HEAD": "",
        "package.json": '{"name": "shop"}',
        "src/app/start.ts": "import { useTheme } from '@/theme';\nuseTheme();",
        "src/theme.ts": "export function useTheme() {}",
    }
    write(tmp_path, files)

    assert "app/start.ts CALLS theme.ts::useTheme" in read(tmp_path / "src").links


# Go


GO = {
    "go.mod": "module example.com/shop\n\ngo 1.22\n",
    "internal/till/till.go": (
        "package till\n\ntype Till struct { store Store }\n\n"
        "func New() *Till { return &Till{} }\n"
        "func (t *Till) Add() { t.store.Put(); t.close() }\n"
    ),
    "internal/till/store.go": (
        "package till\n\ntype Store struct{}\nfunc (s *Store) Put() {}\nfunc (t *Till) close() {}\n"
    ),
}


def test_go(tmp_path: Path) -> None:
    main = (
        'package main\n\nimport (\n\t"fmt"\n\t"os"\n\tt "example.com/shop/internal/till"\n)\n\n'
        "type Shop struct { t.Till }\n"
        "func main() { till := t.New(); till.Add(); fmt.Println(1); var f os.File; f.Close() }\n"
    )
    till, store = "internal/till/till.go", "internal/till/store.go"

    assert links(tmp_path, GO | {"cmd/main.go": main}) == {
        f"cmd/main.go IMPORTS {till}",
        f"cmd/main.go::Shop INHERITS {till}::Till",
        f"cmd/main.go::main CALLS {till}::New",
        f"cmd/main.go::main CALLS {till}::Till.Add",
        f"{till}::Till.Add CALLS {store}::Store.Put",
        f"{till}::Till.Add CALLS {store}::Till.close",
    }


def test_a_method_of_go_stands_in_its_type_wherever_that_is(tmp_path: Path) -> None:
    found = read(write(tmp_path, GO))

    till, store = "internal/till/till.go", "internal/till/store.go"
    assert f"{till}::Till CONTAINS {store}::Till.close" in found.contains


def test_a_module_of_go_is_known_from_below(tmp_path: Path) -> None:
    main = 'package a\n\nimport "example.com/shop/internal/till"\n\nfunc A() { till.New() }\n'
    write(tmp_path, GO | {"internal/a/a.go": main, ".git/HEAD": ""})

    assert "a/a.go::A CALLS till/till.go::New" in read(tmp_path / "internal").links


# Java


def test_java(tmp_path: Path) -> None:
    main, test = "src/main/java/com/ex/", "src/test/java/com/ex/"
    files = {
        f"{main}shop/Shop.java": (
            "package com.ex.shop;\nimport com.ex.till.Till;\nimport java.util.List;\n"
            "public class Shop extends Base implements Opens {\n"
            "  private final Till till = new Till();\n"
            "  void sell(List<Till> all) {"
            " till.add(); log(); all.add(till); Till.count(); }\n}\n"
        ),
        f"{main}shop/Base.java": "package com.ex.shop;\nclass Base { void log() {} }\n"
        "interface Opens { void open(); }\n",
        f"{main}till/Till.java": "package com.ex.till;\npublic class Till {\n"
        "  void add() {}\n  static int count() { return 1; }\n}\n",
        f"{test}shop/ShopTest.java": "package com.ex.shop;\n"
        "class ShopTest { void sells() { var shop = new Shop(); shop.sell(null); } }\n",
    }
    shop, base, till = f"{main}shop/Shop.java", f"{main}shop/Base.java", f"{main}till/Till.java"
    tests = f"{test}shop/ShopTest.java"

    assert links(tmp_path, files) == {
        f"{shop} IMPORTS {till}",
        f"{shop}::Shop INHERITS {base}::Base",
        f"{shop}::Shop INHERITS {base}::Opens",
        f"{shop}::Shop CALLS {till}::Till",
        f"{shop}::Shop.sell CALLS {till}::Till.add",
        f"{shop}::Shop.sell CALLS {till}::Till.count",
        f"{shop}::Shop.sell CALLS {base}::Base.log",
        f"{tests}::ShopTest.sells CALLS {shop}::Shop",
        f"{tests}::ShopTest.sells CALLS {shop}::Shop.sell",
    }


# Rust


def test_rust(tmp_path: Path) -> None:
    files = {
        "Cargo.toml": '[package]\nname = "my-shop"\n',
        "src/lib.rs": (
            "mod till;\npub mod items;\npub use till::Till;\n"
            "pub trait Sells { fn sell(&self); }\n"
            "impl Sells for Till { fn sell(&self) { self.add(); helper(); } }\n"
            "fn helper() { let t = Till::new(); t.add(); std::mem::drop(t); }\n"
            "#[cfg(test)]\nmod tests { use super::*;\n#[test]\nfn sells() { helper(); } }\n"
        ),
        "src/till.rs": (
            "use crate::items::{price, Item as Thing};\n"
            "pub struct Till { item: Thing }\n"
            "impl Till {\n  pub fn new() -> Self { todo!() }\n"
            "  pub fn add(&self) { price(); self.item.cost(); }\n}\n"
        ),
        "src/items.rs": (
            "pub struct Item;\nimpl Item { pub fn cost(&self) { super::helper(); } }\n"
            "pub fn price() {}\n"
        ),
        "tests/shop.rs": (
            "use my_shop::{items::price, Till};\n#[test]\n"
            "fn works() { Till::new().add(); price(); }\n"
        ),
    }

    assert links(tmp_path, files) == {
        "src/lib.rs IMPORTS src/till.rs",
        "src/lib.rs IMPORTS src/items.rs",
        "src/till.rs IMPORTS src/items.rs",
        "tests/shop.rs IMPORTS src/items.rs",
        "tests/shop.rs IMPORTS src/till.rs",
        "src/lib.rs::Till::sell CALLS src/till.rs::Till::add",
        "src/lib.rs::Till::sell OVERRIDES src/lib.rs::Sells::sell",
        "src/lib.rs::Till::sell CALLS src/lib.rs::helper",
        "src/lib.rs::helper CALLS src/till.rs::Till::new",
        "src/lib.rs::helper CALLS src/till.rs::Till::add",
        "src/lib.rs::tests::sells CALLS src/lib.rs::helper",
        "src/till.rs::Till::add CALLS src/items.rs::price",
        "src/till.rs::Till::add CALLS src/items.rs::Item::cost",
        "src/items.rs::Item::cost CALLS src/lib.rs::helper",
        "tests/shop.rs::works CALLS src/till.rs::Till::new",
        "tests/shop.rs::works CALLS src/till.rs::Till::add",
        "tests/shop.rs::works CALLS src/items.rs::price",
    }


def test_a_trait_of_rust_is_inherited_by_what_implements_it(tmp_path: Path) -> None:
    source = "trait Sells: Opens {}\ntrait Opens {}\nstruct Till;\nimpl Sells for Till {}\n"

    assert links(tmp_path, {"src/lib.rs": source}) == {
        "src/lib.rs::Sells INHERITS src/lib.rs::Opens",
        "src/lib.rs::Till INHERITS src/lib.rs::Sells",
    }


# C and C++


def test_c(tmp_path: Path) -> None:
    files = {
        "src/main.c": (
            '#include "list.h"\n#include <stdio.h>\n'
            "static int helper(void) { return 1; }\n"
            'int main(void) { list_new(); helper(); printf("x"); return 0; }\n'
        ),
        "src/list.c": (
            '#include "list.h"\nstatic int helper(void) { return 2; }\n'
            "struct list *list_new(void) { helper(); return 0; }\n"
        ),
        "src/list.h": "struct list { int n; };\nstruct list *list_new(void);\n",
        "src/other.c": "int other(void) { return helper(); }\n",
    }

    assert links(tmp_path, files) == {
        "src/main.c IMPORTS src/list.h",
        "src/list.c IMPORTS src/list.h",
        "src/main.c::main CALLS src/list.c::list_new",
        "src/main.c::main CALLS src/main.c::helper",
        "src/list.c::list_new CALLS src/list.c::helper",
    }


def test_cpp(tmp_path: Path) -> None:
    files = {
        "include/geo/shape.h": (
            "#pragma once\nnamespace geo {\n"
            "class Shape { public: void draw(); };\n"
            "class Square : public Shape { public: double area() { return sq(2); } };\n"
            "double sq(double x);\n}\n"
        ),
        "src/shape.cpp": (
            '#include "geo/shape.h"\n#include <algorithm>\nnamespace geo {\n'
            "void Shape::draw() { sq(2); std::sort(1); }\n"
            "double sq(double x) { return x * x; }\n}\n"
            "int main() { auto s = new geo::Square(); s->draw(); geo::sq(1); }\n"
        ),
    }
    header, source = "include/geo/shape.h", "src/shape.cpp"

    assert links(tmp_path, files) == {
        f"{source} IMPORTS {header}",
        f"{header}::geo::Square INHERITS {header}::geo::Shape",
        f"{header}::geo::Square::area CALLS {source}::geo::sq",
        f"{source}::geo::Shape::draw CALLS {source}::geo::sq",
        f"{source}::main CALLS {header}::geo::Square",
        f"{source}::main CALLS {source}::geo::Shape::draw",
        f"{source}::main CALLS {source}::geo::sq",
    }


def test_of_two_headers_of_one_name_the_published_one_is_meant(tmp_path: Path) -> None:
    files = {
        "include/shop/till.hpp": "int count();",
        "single_include/shop/till.hpp": "int count();",
        "src/mem.h": "",
        "lib/mem.h": "",
        "test/a.cpp": "#include <shop/till.hpp>\n#include <mem.h>\n",
    }
    assert links(tmp_path, files) == {"test/a.cpp IMPORTS include/shop/till.hpp"}


def test_of_headers_of_one_name_that_beside_the_file_is_included(tmp_path: Path) -> None:
    files = {
        "deps/list/sds.h": "int sds();",
        "src/sds.h": "int sds();",
        "src/cli.c": "#include <sds.h>\n",
        "tools/a.c": "#include <sds.h>\n",
        "deps/ae.h": "#include <ae.h>\n",
        "src/ae.h": "int ae();",
    }
    assert links(tmp_path, files) == {"src/cli.c IMPORTS src/sds.h"}


def test_a_specialization_of_a_template_is_a_type_of_its_own(tmp_path: Path) -> None:
    source = (
        "struct Base {};\ntemplate <typename T> struct Hash { int mix() { return 1; } };\n"
        "namespace geo {\n// Of texts.\ntemplate <>\nstruct Hash<std::string> : Base {\n"
        "  int get() { return mix(); }\n  int mix() { return side<int>(); }\n};\n}\n"
        "template <typename T> class Hash<\n  T*> { int all() { return 1; } };\n"
        "template <> struct std::hash<Key<int>> { int one() { return 1; } };\n"
        "template <typename T> int side() { return 1; }\n"
        "template <> int side<int>() { return 2; }\n"
        "template <> int* Hash<int>::mix() { return 3; }\n"
    )
    assert links(tmp_path, {"a.cpp": source}) == {
        "a.cpp::geo::Hash<std::string> INHERITS a.cpp::Base",
        "a.cpp::geo::Hash<std::string>::get CALLS a.cpp::geo::Hash<std::string>::mix",
        "a.cpp::geo::Hash<std::string>::mix CALLS a.cpp::side",
    }
    entities = read(tmp_path).entities
    assert {name.removeprefix("a.cpp::"): entity.kind for name, entity in entities.items()} == {
        "a.cpp": "File", "Base": "Struct", "Hash": "Struct", "Hash::mix": "Method",
        "geo::Hash<std::string>": "Struct", "geo::Hash<std::string>::get": "Method",
        "geo::Hash<std::string>::mix": "Method", "Hash< T*>": "Class", "Hash< T*>::all": "Method",
        "std::hash<Key<int>>": "Struct", "std::hash<Key<int>>::one": "Method",
        "side": "Function", "side<int>": "Function", "Hash::mix~2": "Method",
    }  # fmt: skip
    text = entities["a.cpp::geo::Hash<std::string>"].text
    assert text is not None
    assert text.startswith("// Of texts.\ntemplate <>\nstruct Hash<std::string>")


def test_a_macro_before_the_name_of_a_type_hides_nothing(tmp_path: Path) -> None:
    header = (
        "namespace geo {\n"
        "class GEO_API Shape { public: int area() { return 1; } };\n"
        "class GEO_API ALIGNED(8)\n    Square final : public Shape {};\n"
        "struct PACKED Point { int x; };\n"
        "class URL final : public Shape {};\n"
        "struct FOO point = {1};\nclass GEO_API Later;\n}\n"
    )

    assert links(tmp_path, {"shape.hpp": header}) == {
        f"shape.hpp::geo::{name} INHERITS shape.hpp::geo::Shape" for name in ("Square", "URL")
    }
    entities = read(tmp_path).entities
    assert {name.rpartition("geo::")[2] for name in entities if "::" in name} == {
        "Shape", "Shape::area", "Square", "Point", "URL",
    }  # fmt: skip
    assert entities["shape.hpp::geo::Shape"].title == "class GEO_API Shape"


def test_what_a_macro_defines_is_called_by_its_arguments(tmp_path: Path) -> None:
    source = (
        "bool opens() { return true; }\n"
        "// Of GoogleTest.\nTEST(StoreTest, Opens) { opens(); }\n"
        "TEST_F(StoreTest, Closes) {}\n"
        "BOOST_AUTO_TEST_CASE(sorts) {}\n"
        "DEFINE_CALL(read, int fd) {}\n"
        "Store(Disk) {}\nint MAIN(Count) { return 0; }\n"
    )

    assert links(tmp_path, {"store-test.cc": source}) == {
        "store-test.cc::StoreTest.Opens CALLS store-test.cc::opens"
    }
    entities = read(tmp_path).entities
    assert {name.rpartition("::")[2] for name in entities if "::" in name} == {
        "opens", "StoreTest.Opens", "StoreTest.Closes", "sorts", "read", "Store", "MAIN",
    }  # fmt: skip
    test = entities["store-test.cc::StoreTest.Opens"]
    assert (test.title, test.kind) == ("TEST(StoreTest, Opens)", "Function")
    assert test.aliases == ("StoreTest.Opens",)
    assert test.attributes["test"] is True


def test_a_test_is_called_by_the_text_that_a_macro_names_it_with(tmp_path: Path) -> None:
    source = (
        "bool opens() { return true; }\n"
        "namespace shop {\n"
        '// Of Catch2.\nTEST_CASE("Opens; {twice}", "[store]") {\n'
        '  SECTION("at night") { opens(); }\n}\n'
        'TEST_CASE_METHOD(StoreFixture, "Closes"\n  " early") {}\n}\n'
        'TEST_SUITE("till") {\nTEST_CASE("counts \\"coins\\", twice") { int MAX(1); }\n}\n'
    )

    assert links(tmp_path, {"store_test.cc": source}) == {
        "store_test.cc::shop::Opens; {twice} CALLS store_test.cc::opens"
    }
    assert read(tmp_path).symbols("store_test.cc") == [
        ("Function", "opens", 1, 1),
        ("Function", "shop::Opens; {twice}", 4, 6),
        ("Function", "shop::StoreFixture.Closes early", 7, 8),
        ("Function", 'counts "coins", twice', 11, 11),
    ]
    test = read(tmp_path).entities["store_test.cc::shop::Opens; {twice}"]
    assert test.text == (
        '// Of Catch2.\nTEST_CASE("Opens; {twice}", "[store]") {\n'
        '  SECTION("at night") { opens(); }\n}'
    )
    assert (test.title, test.attributes["test"]) == ('TEST_CASE("Opens; {twice}", "[store]")', True)


def test_a_function_of_c_is_called_by_the_arguments_of_its_macro(tmp_path: Path) -> None:
    source = (
        "static int read_all(void) { return 1; }\n"
        "SYSCALL_DEFINE2(read, unsigned int, fd, char __user *, buf)\n{\n  read_all();\n}\n"
        "SYSCALL_DEFINE0(fork)\n{\n  read_all();\n}\n"
        "TEST_BEGIN(test_fork) { read_all(); }\nTEST_END\n"
        'MODULE_LICENSE("GPL");\nCHECK(open);\n{ int x; }\n'
        "static int next(void) NEEDS_LOCK(arena->lock) { return 1; }\n"
        "DEFINE_ALL(version, const char *) DEFINE_ALL(edition, const char *) { return 2; }\n"
    )

    assert links(tmp_path, {"calls.c": source}) == {
        f"calls.c::{name} CALLS calls.c::read_all" for name in ("read", "fork", "test_fork")
    }
    assert {name for _, name, _, _ in read(tmp_path).symbols("calls.c")} == {
        "read_all", "read", "fork", "test_fork", "next",
    }  # fmt: skip


def test_a_macro_on_a_line_of_its_own_hides_nothing(tmp_path: Path) -> None:
    source = (
        "GEO_NAMESPACE_BEGIN\ntemplate <typename T>\nclass Box { T get() { return side(); } };\n"
        "GEO_INLINE\nint side() { return 1; }\nint x =\nSIDE_MAX\n+ 1;\nGEO_NAMESPACE_END\n"
    )
    assert links(tmp_path, {"a.cpp": source}) == {"a.cpp::Box::get CALLS a.cpp::side"}


def test_a_type_is_defined_outside_of_the_one_it_belongs_to(tmp_path: Path) -> None:
    source = (
        "class Base {};\nclass Shape { class Impl; };\n"
        "class Shape::Impl : public Base { int area() { return side(); } int side(); };\n"
        "int Shape::Impl::side() { return 1; }\n"
    )
    assert links(tmp_path, {"a.cpp": source}) == {
        "a.cpp::Shape::Impl INHERITS a.cpp::Base",
        "a.cpp::Shape::Impl::area CALLS a.cpp::Shape::Impl::side",
    }


@pytest.mark.parametrize(
    ("path", "base", "heir"),
    [
        ("a.hpp", "class Base { public: Base() {} };\n", "class Heir : public Base {};\n"),
        ("A.java", "class Base { Base() {} }\n", "class Heir extends Base {}\n"),
    ],
)
def test_a_base_is_the_type_and_not_its_constructor(
    tmp_path: Path, path: str, base: str, heir: str
) -> None:
    inherited = {link for link in links(tmp_path, {path: base + heir}) if " INHERITS " in link}

    assert inherited == {f"{path}::Heir INHERITS {path}::Base"}


@pytest.mark.parametrize(
    ("path", "source", "constructor"),
    [
        ("a.py", "class Box:\n  def __init__(self): ...\n", "Box.__init__"),
        ("a.ts", "class Box { constructor() {} }\n", "Box.constructor"),
        ("A.java", "class Box { Box() {} }\n", "Box.Box"),
        ("a.cs", "class Box { Box() {} }\n", "Box.Box"),
        ("a.hpp", "class Box { public: Box(int a) {} };\n", "Box::Box"),
        ("a.php", "<?php class Box { function __construct() {} }\n", "Box::__construct"),
        ("a.rb", "class Box\n  def initialize; end\nend\n", "Box::initialize"),
        ("a.swift", "class Box { init(a: Int) {} }\n", "Box.init"),
    ],
)
def test_a_type_calls_its_constructor(
    tmp_path: Path, path: str, source: str, constructor: str
) -> None:
    assert links(tmp_path, {path: source}) == {f"{path}::Box CALLS {path}::{constructor}"}


def test_a_type_calls_neither_its_destructor_nor_its_methods(tmp_path: Path) -> None:
    source = "class Box { init() {} deinit {} func close() {} }\n"

    assert links(tmp_path, {"a.swift": source}) == {"a.swift::Box CALLS a.swift::Box.init"}


# All of them


def test_an_import_says_what_it_takes(tmp_path: Path) -> None:
    found = read(
        write(tmp_path, {"a.py": "def b(): ...\ndef c(): ...", "d.py": "from a import c, b"})
    )

    (link,) = [one for one in found.relations if one.relation == "IMPORTS"]
    assert (link.start, link.end, link.note) == ("d.py", "a.py", "b, c")


@pytest.mark.parametrize(
    ("suffix", "passes_on", "defines", "uses"),
    [
        (
            "ts",
            "export * from './m{}';",
            "export function x() {}",
            "import { x } from './m0';\nx();",
        ),
        (
            "ts",
            "export {{ x }} from './m{}';",
            "export function x() {}",
            "import * as m from './m0';\nm.x();",
        ),
        ("py", "from m{} import *", "def x(): ...", "from m0 import x\nx()"),
        ("py", "from m{} import x", "def x(): ...", "import m0\nm0.x()"),
    ],
)
def test_a_name_is_followed_through_many_modules_and_not_without_end(
    tmp_path: Path, suffix: str, passes_on: str, defines: str, uses: str
) -> None:
    def chain(length: int) -> dict[str, str]:
        modules = {f"m{i}.{suffix}": passes_on.format(i + 1) for i in range(length)}
        return modules | {f"m{length}.{suffix}": defines, f"use.{suffix}": uses}

    call = f"use.{suffix} CALLS m{{}}.{suffix}::x"
    assert call.format(20) in links(tmp_path / "short", chain(20))
    assert call.format(1000) not in links(tmp_path / "long", chain(1000))


def test_names_that_lead_in_a_circle_lead_nowhere(tmp_path: Path) -> None:
    files = {
        "a.py": "from b import x\nx()\nclass A(B): ...\nclass B(A): ...\ny = y2()\ny.go()",
        "b.py": "from a import x\nfrom c import *",
        "c.py": "from b import *\nfrom c import *",
        "d.js": "export * from './d.js';\nimport { q } from './d';\nq();",
        "src/lib.rs": "use self::a::b;\nuse b::a;\nfn f() { a(); b(); }",
    }

    assert {link for link in links(tmp_path, files) if "CALLS" in link} == set()


def test_what_was_refused_is_linked_to_nothing(tmp_path: Path) -> None:
    long = "f" * 600
    found = read(write(tmp_path, {"a.py": f"def {long}(): ...\n{long}()"}))

    assert found.refused or found.entities
    assert all(one.start in found.entities and one.end in found.entities for one in found.relations)


# Constants


@pytest.mark.parametrize(
    ("source", "link"),
    [
        ("import { api } from './client';\napi.post();", "CALLS client.ts::Client.post"),
        ("import { later } from './client';\nlater();", "CALLS client.ts::later"),
        ("import { Base } from './client';\nclass A extends Base {}", "INHERITS client.ts::Base"),
    ],
)
def test_a_constant_leads_to_what_its_value_is(tmp_path: Path, source: str, link: str) -> None:
    client = (
        "export class Client { post() {} }\nexport const api = new Client();\n"
        "export const later = wrap(api.post);\nexport const Base = mix(Client);\n"
    )
    files = {"client.ts": client, "page.ts": f"{source}\n"}

    assert any(one.startswith("page.ts") and one.endswith(link) for one in links(tmp_path, files))
    assert "client.ts::api CALLS client.ts::Client" in links(tmp_path, files)


def test_a_constant_that_is_passed_on_is_not_called(tmp_path: Path) -> None:
    files = {
        "config.py": "READ_TIMEOUT = 30\n",
        "app.py": "from config import READ_TIMEOUT\nMAX = 3\ndef run(): go(READ_TIMEOUT, MAX)\n",
    }

    assert links(tmp_path, files) == {"app.py IMPORTS config.py"}
