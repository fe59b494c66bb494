"""Calls of what other calls give."""

import re
from pathlib import Path

import pytest

from code_folders import read, write
from graphmem.transfer.code.expressions import path_of_expression

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
def test_the_path_of_an_expression(text: str, path: tuple[str, ...] | None) -> None:
    assert path_of_expression(text) == path
