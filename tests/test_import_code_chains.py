"""Calls of what calls give and collections hold, and of variables in their scopes."""

import re
from pathlib import Path

import pytest

from code_folders import read, write
from graphmem.transfer.code.outlines.expressions import path_of_expression
from graphmem.transfer.code.outlines.type_parts import parts_of

# A store gives a row, and a row is saved: what `run` calls, in each language.
TYPES = {
    "a.py": (
        "class Row:\n  def save(self): ...\n"
        "class Store:\n  @classmethod\n  def open(cls, path) -> 'Store': ...\n"
        "  def row(self, key) -> Row: ...\n"
    ),
    "a.ts": (
        "export class Row { save() {} }\nexport class Store {\n"
        "  static open(path: string): Store { return new Store() }\n"
        "  async row(key: string): Promise<Row> { return new Row() }\n}\n"
    ),
    "A.java": (
        "class Row { void save() {} }\nclass Store {\n"
        "  static Store open(String path) { return null; }\n"
        "  Row row(String key) { return null; }\n}\n"
    ),
    "a.kt": (
        "class Row { fun save() {} }\nclass Store {\n  fun row(key: String): Row = TODO()\n}\n"
        "fun make(path: String): Store = TODO()\n"
    ),
    "A.cs": (
        "class Row { public void Save() {} }\nclass Store {\n"
        "  public static Store Open(string path) => null;\n"
        "  public async Task<Row> Find(string key) => null;\n}\n"
    ),
    "a.go": (
        "package a\ntype Row struct{}\nfunc (r *Row) Save() {}\ntype Store struct{}\n"
        "func Open(path string) (*Store, error) { return nil, nil }\n"
        "func (s *Store) Row(key string) *Row { return nil }\n"
    ),
    "src/lib.rs": (
        "pub struct Row;\nimpl Row { pub fn save(&self) {} }\npub struct Store;\nimpl Store {\n"
        "  pub fn open(path: &str) -> Result<Self, Error> { todo!() }\n"
        "  pub fn with(self, key: &str) -> Self { self }\n"
        "  pub async fn row(&self, key: &str) -> Option<Row> { todo!() }\n}\n"
    ),
    "a.php": (
        "<?php\nclass Row { function save() {} }\nclass Store {\n"
        "  static function open($path): static { }\n  function row($key): Row { }\n}\n"
    ),
    "a.cpp": (
        "class Row { public: void save() {} };\nclass Store { public:\n"
        "  static Store* open(int path) { return 0; }\n  Row* row(int key) { return 0; }\n};\n"
    ),
    "a.swift": (
        "class Row { func save() {} }\nclass Store {\n"
        "  static func open(_ path: String) -> Store { fatalError() }\n"
        "  func row(_ key: String) -> Row? { nil }\n}\n"
    ),
}
# A file, what is added to it, and the last names of what its function `run` calls.
CALLS = [
    ("a.py", "def run():\n  Store.open('a)').row(f(1)).save()\n", "open row save"),
    ("a.py", "def run():\n  row = Store.open('a').row(2)\n  row.save()\n", "open row save"),
    ("a.py", "def run(make):\n  make().row(2).save()\n", ""),
    ("a.py", "def run(store: Store):\n  store().row(2)\n", ""),
    ("a.ts", "async function run() { (await Store.open('a').row('b')).save() }", "open row save"),
    (
        "a.ts",
        (
            "async function run() {\n  const row = await Store.open('a')\n    .row('b')\n"
            "  row!.save()\n}"
        ),
        "open row save",
    ),
    ("a.ts", "async function run() { (await new Store().row(`(`)).save() }", "store row save"),
    ("A.java", 'class Main { void run() { Store.open("(").row("b").save(); } }', "open row save"),
    (
        "A.java",
        'class Main { void run() { var row = Store.open("a").row("b"); row.save(); } }',
        "open row save",
    ),
    ("a.kt", 'fun run() { make("a").row("b").save() }', "make row save"),
    ("a.kt", 'fun run() { val row = make("a").row("b")\n  row.save() }', "make row save"),
    (
        "A.cs",
        'class Main { async Task run() { (await Store.Open("a").Find("b")).Save(); } }',
        "open find save",
    ),
    (
        "A.cs",
        (
            "class Main { async Task run() {\n"
            '  var row = await Store.Open("a").Find("b").ConfigureAwait(false);\n  row.Save(); } }'
        ),
        "open find save",
    ),
    ("a.go", 'func run(s *Store) { s.Row("(").Save() }', "row save"),
    (
        "a.go",
        'func run() {\n  s, err := Open("a")\n  row := s.Row("b")\n  row.Save()\n}',
        "open row save",
    ),
    (
        "src/lib.rs",
        'async fn run() { Store::open("a").unwrap().with("c").row("b").await.unwrap().save(); }',
        "open with row save",
    ),
    (
        "src/lib.rs",
        'async fn run() {\n  let row = Store::open("a")?.row("b").await?;\n  row.save();\n}',
        "open row save",
    ),
    ("a.php", "function run() { Store::open('(')->row('b')->save(); }", "open row save"),
    (
        "a.php",
        "function run() { $row = (new Store())->row('b'); $row->save(); }",
        "store row save",
    ),
    ("a.cpp", "void run() { Store::open(1)->row(2)->save(); }", "open row save"),
    ("a.cpp", "void run() { auto row = Store::open(1)->row(2); row->save(); }", "open row save"),
    ("a.swift", 'func run() { Store.open("a").row("b")?.save() }', "open row save"),
]


@pytest.mark.parametrize(("file", "source", "names"), CALLS)
def test_what_a_call_gives_is_called(file: str, source: str, names: str, tmp_path: Path) -> None:
    assert called_by_run(tmp_path, file, TYPES[file] + source) == {*names.split()}


# Likewise, of what a collection, a mapping or one of several results holds.
HELD = [
    ("a.py", "def run(rows: list[Row]):\n  for row in rows:\n    row.save()\n", "save"),
    ("a.py", "def run(rows: dict[str, Row]):\n  [r.save() for r in rows.values()]\n", "save"),
    ("a.py", "def run(rows: dict[str, Row]):\n  for row in rows: row.save()\n", ""),
    ("a.py", "def f() -> tuple[int, Row]: ...\ndef run():\n  n, r = f()\n  r.save()\n", "f save"),
    (
        "a.py",
        "class A:\n  rows: list[Row]\n  def run(self):\n    for r in self.rows: r.save()\n",
        "save",
    ),
    ("a.py", "class A:\n  rows: list[Row]\ndef run(a: A):\n  for r in a.rows: r.save()\n", "save"),
    (
        "a.ts",
        "class A { rows: Row[] }\nfunction run(a: A) { for (const r of a.rows) r.save() }",
        "save",
    ),
    ("a.ts", "function f(): Row[] {}\nfunction run() { f().save() }", "f"),
    (
        "a.ts",
        "function f(): [Store, Row] {}\nfunction run() { const [, b] = f(); b.save() }",
        "f save",
    ),
    ("A.cs", "class Main { (Row, Store) F() {} void run() { F().Save(); } }", "f"),
    (
        "src/lib.rs",
        "fn f() -> Option<Row> {}\nfn run() { f().take(); f().unwrap().save(); }",
        "f save",
    ),
    (
        "A.java",
        "class Main { Optional<Row> f() {} void run() { f().map(1); f().get().save(); } }",
        "f save",
    ),
    ("a.ts", "function run(rows: Row[]) { for (const row of rows) row.save() }", "save"),
    (
        "a.ts",
        "function run(rows: Row[]) { rows.filter((r) => 1).map(async (r) => { r.save() }) }",
        "save",
    ),
    (
        "a.ts",
        "function f(): [Store, Row] {}\nfunction run() { const [a, b] = f(); b.save() }",
        "f save",
    ),
    (
        "a.ts",
        "function run(rows: Map<string, Row>) { for (const row of rows.values()) row.save() }",
        "save",
    ),
    ("a.ts", "function run(rows: Map<string, Row>) { for (const row of rows) row.save() }", ""),
    (
        "A.java",
        "class Main { void run(List<Row> rows) { for (var row : rows) row.save(); } }",
        "save",
    ),
    (
        "A.java",
        "class Main { void run(List<Row> rows) { rows.stream().map(r -> r.save()); } }",
        "save",
    ),
    ("a.ts", "function run(a: Row) { const { save } = a; save() }", "save"),
    (
        "a.ts",
        "async function run() { const { row: b = 1 } = await Store.open('a'); b() }",
        "open row",
    ),
    (
        "a.ts",
        "async function run() { const { row: b } = await Store.open('a'); b('') }",
        "open row",
    ),
    ("a.ts", "const { save } = require('./b')\nfunction run() { save() }", ""),
    ("a.kt", "fun run(rows: List<Row>) { for (row in rows) { row.save() } }", "save"),
    ("a.kt", "fun run(rows: List<Row>) { rows.forEach { row -> row.save() } }", "save"),
    (
        "A.cs",
        "class Main { void run(List<Row> rows) { foreach (var row in rows) row.Save(); } }",
        "save",
    ),
    (
        "A.cs",
        "class Main { void run(IList<Row> rows) { rows.Select(row => row.Save()); } }",
        "save",
    ),
    (
        "a.go",
        "func run(rows []*Row) {\n  for _, row := range rows {\n    row.Save()\n  }\n}",
        "save",
    ),
    (
        "a.go",
        "func run(m map[string]*Row) {\n  for _, row := range m {\n    row.Save()\n  }\n}",
        "save",
    ),
    (
        "a.go",
        "func f() (n int, r *Row, e error) { }\nfunc run() {\n  _, r, err := f()\n  r.Save()\n}",
        "f save",
    ),
    (
        "a.go",
        "func f() (e error, n int, r *Row) { }\nfunc run() {\n  e, _, r := f()\n  r.Save()\n}",
        "f save",
    ),
    (
        "a.go",
        "func f() (row *Row, err error) { }\nvar row = f()\nfunc run() {\n  row.Save()\n}",
        "save",
    ),
    ("src/lib.rs", "fn run(rows: Vec<Row>) { for row in &rows { row.save(); } }", "save"),
    ("src/lib.rs", "fn run(rows: &[Row]) { rows.iter().for_each(|row| row.save()); }", "save"),
    (
        "src/lib.rs",
        "fn f() -> (Store, Row) {}\nfn run() { let (a, mut b) = f(); b.save(); }",
        "f save",
    ),
    ("a.cpp", "void run(std::vector<Row>& rows) { for (auto& row : rows) row.save(); }", "save"),
    ("a.cpp", "void run() { for (Row* row : rows()) row->save(); }", "save"),
    ("a.go", "func run() {\n  var row = &Row{}\n  row.Save()\n}", "save"),
    ("a.go", "func run() {\n  var s Store = Row{}\n  s.Row(1)\n}", "row"),
    (
        "a.go",
        "func f() []*Row { }\nfunc run() {\n  rs := f()\n  for _, r := range rs { r.Save() }\n}",
        "f save",
    ),
]
# Likewise, of variables that have the name of another one in the same function.
SCOPES = [
    ("a.go", "func run(s *Store) {\n  f(func(s Row) { s.Save() })\n  s.Row(1)\n}", "save row"),
    (
        "a.go",
        "func run(s *Store) {\n  if s := s.Row(1); s != nil {\n    s.Save()\n  }\n  s.Row(2)\n}",
        "save row",
    ),
    ("a.ts", "function run(a: Store) { f((a: Row) => a.save()); a.row('') }", "save row"),
    (
        "a.ts",
        "function run() { { const a = new Row(); a.save() } { const a = new Store(); a.row('') } }",
        "row save store",
    ),
    ("a.py", "def run(a: Store):\n  f = lambda a: a.save()\n  a.row(1)\n", "row"),
    ("a.py", "def run(a: Store):\n  def f(a: Row): a.save()\n  a.row(1)\n", "row save"),
    ("a.py", "def run():\n  a = Store.open('')\n  a = a.open(1)\n  a.row(2)\n", "open row"),
    ("a.py", "def run():\n  a = Store.open('')\n  a = a.row(1)\n  a.save()\n", "open row save"),
    (
        "a.py",
        "def run(b):\n  a = Store.open('')\n  if b:\n    a = a.row(1)\n  a.save()\n",
        "open",
    ),
    ("a.py", "a: Store\ndef run(a):\n  a.row(1)\n", ""),
    ("a.ts", "function run(a: Row) { const b = { m(a: Store) {} }; a.save() }", "save"),
    (
        "a.ts",
        "function run(a: Row) { switch (1) { case 1: const a = new Store() } a.save() }",
        "store save",
    ),
    ("a.ts", "function run() { if (1) { var a = new Row() } a.save() }", "row save"),
    (
        "a.go",
        "func run(s *Store) {\n  if s := s.Row(1); s != nil {\n    s.Save()\n  }\n}",
        "save row",
    ),
    (
        "a.go",
        "func run(r *Row) {\n  r.Save()\n  {\n    r := Store{}\n    r.Row(1)\n  }\n}",
        "save row",
    ),
    (
        "A.java",
        "class Main { Store a; void run(List<Row> b) { b.forEach(a -> a.x()); a.row(1); } }",
        "row",
    ),
    (
        "A.java",
        "class Main { void run(Row a) { new X() { void m(Store a) {} }; a.save(); } }",
        "save",
    ),
    ("a.kt", "fun run(a: Row) { fun m(a: Store) {}\n a.save() }", "save"),
    ("a.kt", "fun f(): Row = TODO()\nfun run() { val f = f()\n f.save() }", "f save"),
    (
        "a.kt",
        "class A(val a: Store) {\n  fun run() {\n    val a = a.row(1)\n    a.save()\n  }\n}",
        "row save",
    ),
    ("src/lib.rs", "fn run(a: Store) { let a = a.with(1); let a = a.row(2); }", "with row"),
    (
        "A.java",
        "class Main { void run() { { Row a = f(); a.save(); } Store a = g(); a.row(1); } }",
        "row save",
    ),
    ("src/lib.rs", "fn run(a: Store) { let f = |a: Row| a.save(); a.with(1); }", "save with"),
    ("a.cpp", "void run(Store* a) { for (Row* a : f(a)) { a->save(); } a->row(1); }", "row save"),
]


@pytest.mark.parametrize(("file", "source", "names"), HELD)
def test_what_a_collection_holds_is_called(
    file: str, source: str, names: str, tmp_path: Path
) -> None:
    assert called_by_run(tmp_path, file, TYPES[file] + source) == {*names.split()}


@pytest.mark.parametrize(("file", "source", "names"), SCOPES)
def test_a_variable_hides_the_one_of_its_name_around_it(
    file: str, source: str, names: str, tmp_path: Path
) -> None:
    assert called_by_run(tmp_path, file, TYPES[file] + source) == {*names.split()}


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("list[Row]", "[]=Row"),
        ("Optional[List['Row']]", "[]=Row"),
        ("dict[str, a.Row]", "[:]=a.Row"),
        ("tuple[Store, Row]", "[0]=Store [1]=Row"),
        ("tuple[Row, ...]", "[]=Row"),
        ("Promise<Row[]>", "[]=Row"),
        ("readonly Row[] | null", "[]=Row"),
        ("[]*a.Row", "[]=a.Row"),
        ("map[string][]Row", "[]=Row"),
        ("(s *Store, row []Row, err error)", "[0]=Store [1]=Row [2]=error"),
        ("chan Row", "[]=Row"),
        ("&'a [Row]", "[]=Row"),
        ("[Row; 4]", "[]=Row"),
        ("Result<(Store, Row), Error>", "[0]=Store [1]=Row"),
        ("Arc<Vec<Row>>", "[]=Row"),
        ("const std::vector<Row>&", "[]=Row"),
        ("HashMap<String, Row>", "[:]=Row"),
        ("Row", ""),
        ("Page<Row>", ""),
        ("", ""),
        ("list[" * 200, ""),
    ],
)
def test_the_parts_of_a_type_are_read(text: str, parts: str) -> None:
    assert " ".join(f"{mark}={'.'.join(path)}" for mark, path in parts_of(text)) == parts


@pytest.mark.parametrize(
    "declaration",
    [
        "Row* const row_ GUARDED_BY(mutex_);",
        "Row row_ GUARDED_BY(a) GUARDED_BY(b) = Row();",
        "void f(int a)\n      EXCLUSIVE_LOCKS_REQUIRED(mutex_);\n  Row* row_;",
        "void f() UNLOCK_FUNCTION() { g(); }\n  ABSL_PT_GUARDED_BY(a) Row* row_;",
        "Row& row_;\n  void f() const LOCKS_EXCLUDED(mutex_) { g(); }",
    ],
)
def test_macros_behind_declarations_of_cpp_are_passed_over(
    declaration: str, tmp_path: Path
) -> None:
    source = (
        f"{TYPES['a.cpp']}class Main {{\n  void run() {{ row_->save(); }}\n  {declaration}\n}};\n"
    )
    assert called_by_run(tmp_path, "a.cpp", source) == {"save"}


@pytest.mark.parametrize(
    "statement",
    [
        "return RELEASE(1);",
        "SAFE_RELEASE(a);",
        "if (a) SAFE_RELEASE(a);",
        "if (a) b(); else MUTEX_LOCK(2);",
        "int a = GET_ATTRIBUTE(3);",
        "ASSERT_MY_LOCK(a);",
    ],
)
def test_calls_of_macros_in_cpp_are_none_of_those(statement: str, tmp_path: Path) -> None:
    (name,) = re.findall(r"[A-Z_]+(?=\()", statement)
    source = f"#define {name}(x) x\nint run() {{ {statement} }}\n"
    assert called_by_run(tmp_path, "a.cpp", source) == {name.lower()}


def test_the_macros_of_annotations_are_symbols_where_they_are_defined(tmp_path: Path) -> None:
    source = (
        "#define GUARDED_BY(x) ATTRIBUTE(guarded_by(x))\n"
        "#  define  PT_GUARDED_BY(x) ATTRIBUTE(x)\nclass Main { Row* row_ GUARDED_BY(a); };\n"
    )
    symbols = {
        symbol for _, symbol, _, _ in read(write(tmp_path, {"a.cpp": source})).symbols("a.cpp")
    }
    assert symbols == {"GUARDED_BY", "PT_GUARDED_BY", "Main"}


def test_a_test_of_cpp_sees_the_members_of_its_fixture(tmp_path: Path) -> None:
    files = {
        "base.h": "class Base { public: void reopen() {} };\n",
        "a_test.cpp": (
            f'#include "base.h"\n{TYPES["a.cpp"]}namespace shop {{\n'
            "class StoreTest : public Base { public:\n  void put(int a) {}\n  Store* store_;\n};\n"
            "TEST_F(StoreTest, run) {\n  put(1);\n  reopen();\n  store_->row(1)->save();\n}\n}\n"
        ),
    }
    start = "a_test.cpp::shop::StoreTest.run CALLS "
    assert {link for link in read(write(tmp_path, files)).links if " CALLS " in link} == {
        f"{start}a_test.cpp::shop::StoreTest::put",
        f"{start}base.h::Base::reopen",
        f"{start}a_test.cpp::Store::row",
        f"{start}a_test.cpp::Row::save",
    }


def test_a_function_of_rust_is_told_from_the_module_of_its_name(tmp_path: Path) -> None:
    files = {
        "Cargo.toml": '[package]\nname = "shop"\n',
        "src/lib.rs": "pub mod time;\npub use time::sleep;\n",
        "src/time/mod.rs": "mod sleep;\npub use sleep::{sleep, Pause};\n",
        "src/time/sleep.rs": "pub struct Pause;\npub fn sleep<T>(t: T) -> Pause { todo!() }\n"
        "impl Pause { pub fn reset(&self) {} }\n",
        "tests/a.rs": "fn run() {\n  shop::sleep(1);\n  let s = shop::time::sleep::<u8>(2);\n"
        "  s.reset();\n}\n",
    }
    assert {link for link in read(write(tmp_path, files)).links if "tests/a.rs::run" in link} == {
        "tests/a.rs::run CALLS src/time/sleep.rs::sleep",
        "tests/a.rs::run CALLS src/time/sleep.rs::Pause::reset",
    }


@pytest.mark.parametrize("run", ["Row().Save();", "Row a = f(); a.Save();"])
def test_a_type_is_known_where_a_member_has_its_name(run: str, tmp_path: Path) -> None:
    source = (
        f"class Row {{ void Save() {{}} }}\nclass A {{ Row Row() => null; void run() {{ {run} }} }}"
    )
    assert "save" in called_by_run(tmp_path, "A.cs", source)


def test_the_variables_of_a_module_have_types_in_others(tmp_path: Path) -> None:
    files = {
        "shop/context.py": f"{TYPES['a.py']}store: Store\nrow = Store.open('').row(1)\n",
        "shop/run.py": (
            "from shop import context\nfrom shop.context import row, store as kept\n"
            "def run():\n  context.store.row(1)\n  row.save()\n  context.row()\n  kept()\n"
        ),
        "a.ts": f"{TYPES['a.ts']}export const store = new Store()\n",
        "b.ts": "import { store } from './a'\nfunction run() { store.row('') }\n",
    }
    called = {link for link in read(write(tmp_path, files)).links if "run CALLS" in link}
    assert called == {
        "shop/run.py::run CALLS shop/context.py::Store.row",
        "shop/run.py::run CALLS shop/context.py::Row.save",
        "b.ts::run CALLS a.ts::Store.row",
    }


def test_a_module_is_looked_for_where_the_nearest_package_of_its_name_lacks_it(
    tmp_path: Path,
) -> None:
    files = {
        "shop/test/__init__.py": "",
        "shop/test/flows.py": "def flow(): ...\n",
        "test/shop/test/__init__.py": "",
        "test/shop/test_a.py": "from shop.test import flows\ndef run():\n  flows.flow()\n",
    }
    links = read(write(tmp_path, files)).links
    assert "test/shop/test_a.py::run CALLS shop/test/flows.py::flow" in links


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("src/lib.rs", 'fn run() { Store::open("a")%s; }'),
        ("a.ts", "class B { w(a: number): this { return this } }\nfunction run(b: B) { b%s }"),
        ("a.php", "function run() { Store::open('')%s; }"),
    ],
)
def test_long_chains_take_no_longer_a_call(file: str, source: str, tmp_path: Path) -> None:
    call = {"src/lib.rs": ".unwrap().with(1)", "a.ts": ".w(1)", "a.php": "->open(1)"}[file]
    called = called_by_run(tmp_path, file, TYPES[file] + source % (call * 60))
    assert called & {"with", "w", "open"}


def called_by_run(folder: Path, file: str, source: str) -> set[str]:
    """The last names, in lower case, of what the function `run` of a file calls."""
    calls = [
        link.split(" CALLS ")
        for link in read(write(folder, {file: source})).links
        if " CALLS " in link
    ]
    return {
        re.split(r"::|\.", end)[-1].lower() for start, end in calls if re.search(r"\brun$", start)
    }


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('a.b(c(d), ")").e', ("a", "b", "()", "e")),
        ("a(1)(2)", ("a", "()", "()")),
        ("(await a.b()).c", ("a", "b", "()", "c")),
        ("new A(1)", ("A", "()")),
        ("A::new(1)", ("A", "new", "()")),
        ("a<B>(c)", ("a", "()")),
        ("a.b { it.c() }.d", ("a", "b", "()", "d")),
        ("$this->a->b()?->c", ("$this", "$a", "b", "()", "$c")),
        ("a()?.b().await", ("a", "()", "b", "()")),
        ("super(A, self).b", ("super", "b")),
        ("(a, b)", None),
        ("(a or b()).c", None),
        ("(lambda: 1)()", None),
        ("a(" * 30 + ")" * 30, None),
        ("a(" + "1, " * 1000 + ")", None),
        ("a('" + "\\'" * 1000 + ")", None),
        ("", None),
        ("()", None),
    ],
)  # fmt: skip
def test_the_path_of_an_expression_is_read(text: str, path: tuple[str, ...] | None) -> None:
    assert path_of_expression(text) == path
