"""The links between what code is imported: Go, Java, Rust, and all languages.

A name is linked to what the folder itself says it means. What is not in the folder, or might be one
of several, is linked to nothing.
"""

from pathlib import Path

import pytest

from code_folders import links, read, write

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


def test_links_of_go(tmp_path: Path) -> None:
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
    code = read(write(tmp_path, GO))

    till, store = "internal/till/till.go", "internal/till/store.go"
    assert f"{till}::Till CONTAINS {store}::Till.close" in code.contains


def test_what_a_folder_of_go_has_on_each_platform_is_linked(tmp_path: Path) -> None:
    drawer = "package till\n\ntype Drawer struct{}\nfunc (d Drawer) Pull() {}\n"
    opening = "var DRAWER Drawer = Steel{}\nfunc open() *Till { return nil }\n"
    files = GO | {
        "internal/till/drawer.go": drawer,
        "internal/till/open_linux.go": f"package till\n\n{opening}",
        "internal/till/open_other.go": f"package till\n\n{opening}",
        "internal/till/run.go": "package till\n\nfunc run() { open().Add(); DRAWER.Pull() }\n",
        "internal/other/open.go": "package other\n\nfunc open() {}\n",
    }
    till = "internal/till"

    code = read(write(tmp_path, files))

    assert {link for link in code.links if link.startswith(f"{till}/run.go::run")} == {
        f"{till}/run.go::run CALLS {till}/open_linux.go::open",
        f"{till}/run.go::run CALLS {till}/open_other.go::open",
        f"{till}/run.go::run CALLS {till}/till.go::Till.Add",
        f"{till}/run.go::run CALLS {till}/drawer.go::Drawer.Pull",
    }
    weights = {relation.weight for relation in code.relations if relation.end.endswith("::open")}
    assert 0.5 in weights


def test_a_module_of_go_is_known_from_below(tmp_path: Path) -> None:
    main = 'package a\n\nimport "example.com/shop/internal/till"\n\nfunc A() { till.New() }\n'
    write(tmp_path, GO | {"internal/a/a.go": main, ".git/HEAD": ""})

    assert "a/a.go::A CALLS till/till.go::New" in read(tmp_path / "internal").links


# Java


def test_links_of_java(tmp_path: Path) -> None:
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


def test_links_of_rust(tmp_path: Path) -> None:
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


# All of them


def test_an_import_says_what_it_takes(tmp_path: Path) -> None:
    code = read(
        write(tmp_path, {"a.py": "def b(): ...\ndef c(): ...", "d.py": "from a import c, b"})
    )

    (link,) = [relation for relation in code.relations if relation.relation == "IMPORTS"]
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


def test_a_value_is_followed_through_many_variables_and_not_without_end(tmp_path: Path) -> None:
    def source(length: int) -> str:
        copies = "".join(f"x{number} = x{number - 1}\n" for number in range(1, length))
        return f"class Row:\n  def load(self): ...\nx0 = Row()\n{copies}x{length - 1}.load()\n"

    call = "a.py CALLS a.py::Row.load"
    assert call in links(tmp_path / "short", {"a.py": source(20)})
    assert call not in links(tmp_path / "long", {"a.py": source(1000)})


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
    code = read(write(tmp_path, {"a.py": f"def {long}(): ...\n{long}()"}))

    assert code.refused or code.entities
    assert all(
        relation.start in code.entities and relation.end in code.entities
        for relation in code.relations
    )


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

    assert any(
        found_link.startswith("page.ts") and found_link.endswith(link)
        for found_link in links(tmp_path, files)
    )
    assert "client.ts::api CALLS client.ts::Client" in links(tmp_path, files)


def test_a_constant_that_is_passed_on_is_not_called(tmp_path: Path) -> None:
    files = {
        "config.py": "READ_TIMEOUT = 30\n",
        "app.py": "from config import READ_TIMEOUT\nMAX = 3\ndef run(): go(READ_TIMEOUT, MAX)\n",
    }

    assert links(tmp_path, files) == {"app.py IMPORTS config.py"}


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
