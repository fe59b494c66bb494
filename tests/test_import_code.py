"""Importing code: what becomes a symbol, what it carries, which files are read, what is refused."""

import json
from collections import Counter
from pathlib import Path

import pytest

from code_folders import read, write
from graphmem.errors import InvalidInput
from graphmem.memory import Memory
from graphmem.search.code.paths import SEPARATORS
from graphmem.transfer.code import entities
from graphmem.transfer.code.entities import UNPARSED_BYTES
from graphmem.transfer.code.files.folder import FILE_BYTES, LINE_BYTES, LONG_LINES_BYTES
from graphmem.transfer.code.languages import LANGUAGES
from graphmem.transfer.code.outlines.definitions import MOST_CONSTANTS
from graphmem.transfer.code.unparsed import SUFFIXES

PYTHON = '''"""Tokens."""
import os

LIMIT = 3


# Asked by every request.
@cached
def validate_token(token: str) -> bool:
    """Whether it is good."""
    return len(token) > LIMIT


class Store(Base):
    """Keeps tokens."""

    path: str

    async def get(self, key: str) -> str:
        def inner() -> None: ...
        return key
'''
SCRIPT = """import { x } from './x';

/** Signs in. */
export async function signIn(name) {
  return x(name);
}
export const signOut = () => {};
exports.legacy = function (a) { return a; };
export class Session extends Base {
  #secret = 1;
  static open() { return 1; }
  close = () => { this.done(); };
}
"""
TYPED = """export interface Opens { open(): void }
export type Name = string;
enum Colour { Red }
export abstract class Shape<T> implements Opens {
  constructor(private readonly name: Name) {}
  open(): void {}
}
namespace Shapes { export function area(): number { return 1; } }
"""
GO = """// Package mcp serves.
package mcp

// Server serves.
type Server struct {
	port int
}

type (
	Handler interface{ Handle() }
	Port int
)

// Start begins.
func (s *Server) Start(ctx context.Context) error {
	return nil
}

func NewServer() *Server { return nil }
"""
JAVA = """package com.example;

import java.util.List;

/** A shop. */
@Service
public class Shop extends Base {
  private int open;

  public Shop() {}

  @Override
  public void sell(int count) { open++; }

  enum State { OPEN }
}

interface Opens { void open(); }
"""
RUST = """//! Tills.

/// Counts.
#[derive(Debug)]
pub struct Till { count: u32 }

pub enum Coin { Penny }

pub trait Counts { fn count(&self) -> u32; }

impl Till {
    pub fn add(&mut self, coin: Coin) { self.count += 1; }
}

macro_rules! coin { () => {} }

#[cfg(test)]
mod tests {
    #[test]
    fn adds() {}
}
"""
C = """#include "list.h"
#define LARGER(a, b) ((a) > (b) ? (a) : (b))

typedef struct node { int value; } node_t;
enum colour { RED };

/* Makes one. */
static struct list *list_new(int size) {
  return 0;
}
"""
CPP = """namespace geo {
class Shape {
 public:
  void draw() const {}
  ~Shape() {}
};
template <typename T>
T twice(T value) { return value; }
}
double geo::Shape::area() { return 1; }
"""


@pytest.mark.parametrize(
    ("file", "source", "symbols"),
    [
        (
            "a.py",
            PYTHON,
            [
                ("Function", "validate_token", 8, 11),
                ("Class", "Store", 14, 21),
                ("Method", "Store.get", 19, 21),
                ("Constant", "LIMIT", 4, 4),
            ],
        ),
        (
            "a.js",
            SCRIPT,
            [
                ("Function", "signIn", 4, 6),
                ("Function", "signOut", 7, 7),
                ("Function", "legacy", 8, 8),
                ("Class", "Session", 9, 13),
                ("Method", "Session.open", 11, 11),
                ("Method", "Session.close", 12, 12),
            ],
        ),
        (
            "a.tsx",
            TYPED,
            [
                ("Interface", "Opens", 1, 1),
                ("Type", "Name", 2, 2),
                ("Enum", "Colour", 3, 3),
                ("Class", "Shape", 4, 7),
                ("Method", "Shape.constructor", 5, 5),
                ("Method", "Shape.open", 6, 6),
                ("Function", "Shapes.area", 8, 8),
                ("Method", "Opens.open", 1, 1),
            ],
        ),
        (
            "a.go",
            GO,
            [
                ("Struct", "Server", 5, 7),
                ("Interface", "Handler", 10, 10),
                ("Type", "Port", 11, 11),
                ("Method", "Server.Start", 15, 17),
                ("Function", "NewServer", 19, 19),
                ("Method", "Handler.Handle", 10, 10),
            ],
        ),
        (
            "A.java",
            JAVA,
            [
                ("Class", "Shop", 6, 16),
                ("Method", "Shop.Shop", 10, 10),
                ("Method", "Shop.sell", 12, 13),
                ("Enum", "Shop.State", 15, 15),
                ("Interface", "Opens", 18, 18),
                ("Method", "Opens.open", 18, 18),
            ],
        ),
        (
            "a.rs",
            RUST,
            [
                ("Struct", "Till", 5, 5),
                ("Enum", "Coin", 7, 7),
                ("Trait", "Counts", 9, 9),
                ("Method", "Till::add", 12, 12),
                ("Macro", "coin", 15, 15),
                ("Function", "tests::adds", 20, 20),
                ("Method", "Counts::count", 9, 9),
            ],
        ),
        (
            "a.c",
            C,
            [
                ("Macro", "LARGER", 2, 2),
                ("Struct", "node_t", 4, 4),
                ("Enum", "colour", 5, 5),
                ("Function", "list_new", 8, 10),
            ],
        ),
        (
            "a.cpp",
            CPP,
            [
                ("Class", "geo::Shape", 2, 6),
                ("Method", "geo::Shape::draw", 4, 4),
                ("Method", "geo::Shape::~Shape", 5, 5),
                ("Function", "geo::twice", 7, 8),
                ("Method", "geo::Shape::area", 10, 10),
            ],
        ),
    ],
)
def test_a_file_becomes_the_symbols_it_defines(
    tmp_path: Path, file: str, source: str, symbols: list[tuple[str, str, int, int]]
) -> None:
    assert read(write(tmp_path, {file: source})).symbols(file) == symbols


# What a symbol carries


def test_a_symbol_is_named_by_its_path_and_carries_where_it_is(tmp_path: Path) -> None:
    found = read(write(tmp_path, {"auth/token.py": PYTHON}))

    symbol = found.entities["auth/token.py::validate_token"]
    assert symbol.source == "auth/token.py"
    assert symbol.title == "def validate_token(token: str) -> bool"
    assert symbol.attributes == {
        "path": "auth/token.py",
        "symbol": "validate_token",
        "language": "python",
        "start_line": 8,
        "end_line": 11,
        "signature": "def validate_token(token: str) -> bool",
        "test": False,
    }


def test_the_text_of_a_function_is_its_comments_and_its_whole_source(tmp_path: Path) -> None:
    found = read(write(tmp_path, {"a.py": PYTHON}))

    assert found.entities["a.py::validate_token"].text == (
        "# Asked by every request.\n"
        "@cached\n"
        "def validate_token(token: str) -> bool:\n"
        '    """Whether it is good."""\n'
        "    return len(token) > LIMIT"
    )


def test_the_text_of_a_class_has_its_methods_signatures_alone(tmp_path: Path) -> None:
    found = read(write(tmp_path, {"a.py": PYTHON}))

    assert found.entities["a.py::Store"].text == (
        "class Store(Base):\n"
        '    """Keeps tokens."""\n\n'
        "    path: str\n\n"
        "    async def get(self, key: str) -> str …"
    )


@pytest.mark.parametrize(
    ("file", "source", "symbol", "comment"),
    [
        ("a.js", SCRIPT, "signIn", "/** Signs in. */"),
        ("a.go", GO, "Server.Start", "// Start begins."),
        ("A.java", JAVA, "Shop", "/** A shop. */"),
        ("a.rs", RUST, "Till", "/// Counts.\n#[derive(Debug)]"),
        ("a.c", C, "list_new", "/* Makes one. */"),
    ],
)
def test_a_doc_comment_belongs_to_what_stands_below_it(
    tmp_path: Path, file: str, source: str, symbol: str, comment: str
) -> None:
    found = read(write(tmp_path, {file: source}))

    assert (found.entities[f"{file}::{symbol}"].text or "").startswith(comment)
    assert comment not in (found.entities[file].text or "")


def test_a_comment_behind_other_code_belongs_to_that(tmp_path: Path) -> None:
    found = read(write(tmp_path, {"a.py": "limit = 3  # few\ndef check(): ...\n"}))

    assert found.entities["a.py::check"].text == "def check(): ..."
    assert found.entities["a.py"].text == "limit = 3  # few"


def test_what_stands_at_module_level_has_a_home(tmp_path: Path) -> None:
    file = read(write(tmp_path, {"auth/token.py": PYTHON})).entities["auth/token.py"]

    assert file.kind == "File"
    assert file.text == '"""Tokens."""\nimport os'
    assert file.aliases == ("token.py", "auth.token")
    assert (file.attributes["start_line"], file.attributes["end_line"]) == (1, 21)


def test_what_a_function_defines_inside_belongs_to_it(tmp_path: Path) -> None:
    found = read(write(tmp_path, {"a.py": PYTHON}))

    assert "def inner()" in (found.entities["a.py::Store.get"].text or "")
    assert not any("inner" in name for name in found.entities)


def test_a_symbol_stands_in_its_type_and_a_type_in_its_file(tmp_path: Path) -> None:
    found = read(write(tmp_path, {"a.py": PYTHON}))

    assert found.contains == {
        "a.py CONTAINS a.py::LIMIT",
        "a.py CONTAINS a.py::validate_token",
        "a.py CONTAINS a.py::Store",
        "a.py::Store CONTAINS a.py::Store.get",
    }


# How it is called


@pytest.mark.parametrize(
    ("source", "aliases"),
    [
        ("def validate_token(): ...", ("validate_token", "a.validate_token")),
        ("def search(): ...", ("search()", "a.search")),
        ("class Server: ...", ("Server()", "a.Server")),
        ("READ_TIMEOUT = 3", ("READ_TIMEOUT", "a.READ_TIMEOUT")),
        ("LIMIT = 3", ("LIMIT()", "a.LIMIT")),
        ("class HttpServer: ...", ("HttpServer", "a.HttpServer")),
        ("class S:\n  def stop(self): ...", ("S.stop", "stop()")),
        ("class S:\n  def stop_all(self): ...", ("S.stop_all", "stop_all")),
    ],
)
def test_a_name_of_one_word_is_no_alias_of_its_own(
    tmp_path: Path, source: str, aliases: tuple[str, ...]
) -> None:
    found = read(write(tmp_path, {"a.py": source}))

    assert list(found.entities.values())[-1].aliases == aliases


@pytest.mark.parametrize(
    ("file", "source", "aliases"),
    [
        ("net/url.py", "def parse(): ...", ("parse()", "url.parse", "net.parse")),
        ("net/__init__.py", "def parse(): ...", ("parse()", "net.parse")),
        ("src/url.py", "def parse(): ...", ("parse()", "url.parse")),
        ("fs/read.rs", "pub fn read() {}", ("read()", "read::read", "fs::read")),
        ("fs/mod.rs", "pub fn read() {}", ("read()", "fs::read")),
        ("async-fs/src/lib.rs", "pub fn read() {}", ("read()", "async_fs::read")),
        ("web/index.ts", "export function open() {}", ("open()", "web.open")),
        ("web/tabs.test-data.ts", "export function open() {}", ("open()", "tabs.open", "web.open")),
        ("client/get.go", "package http\nfunc Get() {}", ("Get()", "http.Get")),
        ("tool/run.go", "package main\nfunc Run() {}", ("Run()",)),
        ("net/url.c", "int parse(void) { return 1; }", ("parse()",)),
        ("net/Url.java", "package org.net;\nclass Url { }", ("Url()", "net.Url")),
        ("Url.java", "class Url { }", ("Url()",)),
        ("tests/test_url.py", "def test_parse(): ...", ("test_parse",)),
        ("a.py", "class Url:\n  def parse(self): ...", ("Url.parse", "parse()")),
    ],
)
def test_what_stands_in_no_type_is_called_by_its_module(
    tmp_path: Path, file: str, source: str, aliases: tuple[str, ...]
) -> None:
    found = read(write(tmp_path, {file: source}))

    assert list(found.entities.values())[-1].aliases == aliases


@pytest.mark.parametrize(
    ("file", "source", "aliases"),
    [
        ("url.py", "", ()),
        ("net/url.py", "", ("url.py", "net.url")),
        ("app/net/url.py", "", ("url.py", "net.url", "app.net.url")),
        ("app/net/__init__.py", "", ("__init__.py", "app.net")),
        ("src/app/url.py", "", ("url.py", "app.url")),
        ("async-fs/src/io/mod.rs", "", ("mod.rs", "async_fs::io")),
        ("fs/read.rs", "pub fn read() {}", ("read.rs",)),
        ("fs/read.rs", "pub struct Read {}", ("read.rs", "fs::read")),
        ("web/.prettierrc.js", "", (".prettierrc.js", "web.prettierrc")),
        ("net/url.go", "package net", ("url.go",)),
        ("net/url.c", "", ("url.c",)),
        ("net/style.css", "", ("style.css",)),
    ],
)
def test_a_module_is_called_as_code_imports_it(
    tmp_path: Path, file: str, source: str, aliases: tuple[str, ...]
) -> None:
    found = read(write(tmp_path, {file: source}))

    assert found.entities[file].aliases == aliases


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("HttpClient.java", "class HttpClient { HttpClient() { open(); } }"),
        ("Client.java", "class Client { Client() { open(); } Client(int port) { open(); } }"),
        ("client.cc", "class Client { public: Client() { open(); } };"),
        ("client.cc", "class Client { public: Client(); };\nClient::Client() { open(); }"),
    ],
)
def test_a_constructor_leaves_its_name_to_its_type(tmp_path: Path, file: str, source: str) -> None:
    found = read(write(tmp_path, {file: source})).entities
    constructors = {name: found[name].aliases for name in found if found[name].kind == "Method"}

    assert constructors
    for name, aliases in constructors.items():
        assert aliases == (name.partition("::")[2].partition("~")[0],)


@pytest.mark.parametrize(
    ("file", "source", "symbol", "aliases"),
    [
        (
            "Cache.java",
            "class Cache { class Entry { void open() { read(); } } }",
            "Cache.Entry.open",
            ("Cache.Entry.open", "Entry.open", "open()"),
        ),
        (
            "geo.cc",
            "namespace geo { class Shape { void drawAll() { } }; }",
            "geo::Shape::drawAll",
            ("geo::Shape::drawAll", "Shape::drawAll", "drawAll"),
        ),
        (
            "store.rb",
            "module Shop\n  class Store\n    def valid?\n      true\n    end\n  end\nend\n",
            "Shop::Store::valid?",
            ("Shop::Store::valid?", "Store::valid?", "valid?()"),
        ),
    ],
)
def test_a_member_is_called_by_its_own_type_too(
    tmp_path: Path, file: str, source: str, symbol: str, aliases: tuple[str, ...]
) -> None:
    found = read(write(tmp_path, {file: source})).entities

    assert found[f"{file}::{symbol}"].aliases == aliases


def test_two_of_one_name_are_told_apart_by_number(tmp_path: Path) -> None:
    source = "class Token: ...\ndef token(): ...\ndef token(): ...\n"

    assert list(read(write(tmp_path, {"a.py": source})).entities) == [
        "a.py", "a.py::Token", "a.py::token~2", "a.py::token~3",
    ]  # fmt: skip


def test_a_name_stays_when_something_else_in_the_file_changes(tmp_path: Path) -> None:
    before = read(write(tmp_path, {"a.py": PYTHON})).entities
    after = read(write(tmp_path, {"a.py": f"import sys\n\ndef other(): ...\n\n{PYTHON}"})).entities

    assert before.keys() < after.keys()


@pytest.mark.parametrize(
    ("others", "language"),
    [
        (["a.c"], "c"),
        (["a.c", "b.cc", "c.py"], "cpp"),
        (["a.php", "b.js"], "php"),
        (["a.php", "b.c"], None),
        (["a.c", "b.asm"], None),
        (["a.py"], None),
    ],
)
def test_a_file_that_is_included_has_the_one_language_of_the_folder_that_includes_any(
    tmp_path: Path, others: list[str], language: str | None
) -> None:
    files = {"Makefile.inc": "a = b", "wait.inc": "int await_tide(void) { return 1; }\n"}
    entities = read(write(tmp_path, {**dict.fromkeys(others, "x = 1"), **files})).entities

    assert "Makefile.inc" not in entities
    included = entities.get("wait.inc")
    assert (included and included.attributes["language"]) == language
    assert ("wait.inc::await_tide" in entities) is (language in {"c", "cpp"})


# Constants


@pytest.mark.parametrize(
    ("file", "source", "constants"),
    [
        (
            "a.py",
            """# Of a request.
READ_TIMEOUT: float = 30  # seconds
READ_TIMEOUT = 40
_T = TypeVar('_T')
limit = 3
X = 1
class Config:
    PORT = 1
def run():
    LOCAL = 1
if run:
    OTHER = 1
""",
            {
                "READ_TIMEOUT": "# Of a request.\nREAD_TIMEOUT: float = 30  # seconds",
            },
        ),
        (
            "a.ts",
            """/** All. */
export const routes = [
  { path: '/', show() {} },
]; // in order
const MAX_ROWS = 3, few = 2;
export const Name = z.string();
export type Name = string;
const store = makeStore();
const NODE_FS = require('fs');
var UI = (function () { function draw() {} return { draw }; })();
export const { a, b } = routes;
function run() { const LOCAL_ROWS = 1; }
""",
            {
                "routes": (
                    "/** All. */\nexport const routes = [\n"
                    "  { path: '/', show() {} },\n]; // in order"
                ),
                "MAX_ROWS": "const MAX_ROWS = 3",
            },
        ),
        (
            "a.go",
            """package a

// Gone.
var ErrGone = errors.New("gone")

const (
\tRed = iota // first
\tgreen
)
var _ Reader = (*File)(nil)
func run() { const local = 1 }
func Gone() {}
var gone = 1
""",
            {
                "ErrGone": '// Gone.\nvar ErrGone = errors.New("gone")',
                "Red": "\tRed = iota // first",
                "green": "\tgreen",
                "gone": "var gone = 1",
            },
        ),
        (
            "a.rs",
            """/// Most.
pub const MAX: usize = 3;
static NAMES: &[&str] = &[];
const _: () = ();
struct Till;
impl Till { const SLOTS: u8 = 4; }
fn run() { const LOCAL: u8 = 1; }
""",
            {
                "MAX": "/// Most.\npub const MAX: usize = 3;",
                "NAMES": "static NAMES: &[&str] = &[];",
                "Till::SLOTS": "const SLOTS: u8 = 4;",
            },
        ),
        (
            "A.java",
            """class A {
  /** Most. */
  @Deprecated public static final int MAX_ROWS = 3; // rows
  static int COUNT_ROWS = 1;
  private static final Logger logger = null;
  static final Comparator<A> BY_SIZE = new Comparator<A>() {
    public int compare(A a, A b) { return 0; }
  };
  void run() { final int LOCAL_ROWS = 1; }
}
interface B { String NAME_B = "b"; }
""",
            {
                "A.MAX_ROWS": (
                    "  /** Most. */\n  @Deprecated public static final int MAX_ROWS = 3; // rows"
                ),
                "A.BY_SIZE": (
                    "  static final Comparator<A> BY_SIZE = new Comparator<A>() {\n"
                    "    public int compare(A a, A b) { return 0; }\n  };"
                ),
                "B.NAME_B": 'String NAME_B = "b";',
            },
        ),
        (
            "a.c",
            """#ifndef A_H
#define A_H 1
/* Most. */
#define MAX_ROWS 3 /* rows */
#define WIDE_ROWS (MAX_ROWS * 2)
#define NAME_ROWS "rows"
#define HAVE_ROWS 1
#define ROW_API __declspec(dllexport)
#define ALLOC_ROWS malloc
#define SUM_ROWS(a) (a)
#define lower_rows 3
static const char *const NAMES[] = {"a"};
static const int limit = 3;
int COUNT_ROWS = 1;
extern const int FAR_ROWS;
int run(void) { const int LOCAL_ROWS = 1; return LOCAL_ROWS; }
#endif
""",
            {
                "MAX_ROWS": "/* Most. */\n#define MAX_ROWS 3 /* rows */",
                "WIDE_ROWS": "#define WIDE_ROWS (MAX_ROWS * 2)",
                "NAME_ROWS": '#define NAME_ROWS "rows"',
                "NAMES": 'static const char *const NAMES[] = {"a"};',
            },
        ),
        (
            "a.cc",
            """namespace log {
constexpr int kMaxRows = 3;  // rows
const Row kNoRows = Row();
inline constexpr std::string_view NAME_ROWS = "rows";
constexpr int keep = 1;
class Log {
  static constexpr int kInside = 1;
  void run() { const int kLocal = 1; }
};
}
""",
            {
                "log::kMaxRows": "constexpr int kMaxRows = 3;  // rows",
                "log::kNoRows": "const Row kNoRows = Row();",
                "log::NAME_ROWS": 'inline constexpr std::string_view NAME_ROWS = "rows";',
            },
        ),
    ],
)
def test_a_constant_is_a_symbol_with_its_comments(
    tmp_path: Path, file: str, source: str, constants: dict[str, str]
) -> None:
    entities = read(write(tmp_path, {file: source})).entities.values()

    symbols = [one for one in entities if one.kind == "Constant"]
    assert {str(one.attributes["symbol"]): one.text for one in symbols} == constants


def test_the_text_of_a_class_keeps_its_constants(tmp_path: Path) -> None:
    source = "class A {\n  static final int MAX_ROWS = 3;\n\n  void run() {\n    go();\n  }\n}\n"
    entities = read(write(tmp_path, {"A.java": source})).entities
    assert entities["A.java::A"].text == (
        "class A {\n  static final int MAX_ROWS = 3;\n\n  void run() …\n}"
    )
    assert entities["A.java::A.MAX_ROWS"].title == "static final int MAX_ROWS = 3;"


@pytest.mark.parametrize(("count", "symbols"), [(MOST_CONSTANTS, MOST_CONSTANTS), (20_000, 0)])
def test_a_table_of_constants_is_the_text_of_its_file(
    tmp_path: Path, count: int, symbols: int
) -> None:
    table = "".join(f"ERROR_{number} = {number}\n" for number in range(count))
    file, *others = read(write(tmp_path, {"a.py": table})).entities.values()
    assert len(others) == symbols
    assert ("ERROR_7 = 7" in (file.text or "")) is not bool(symbols)


def test_a_constant_is_called_by_its_name_and_leaves_functions_theirs(tmp_path: Path) -> None:
    source = "package a\nvar runFinder = 1\nconst Limit = 3\nfunc RunFinder() {}\n"
    found = read(write(tmp_path, {"a.go": source}))

    assert found.entities["a.go::RunFinder"].kind == "Function"
    assert found.entities["a.go::runFinder~2"].aliases == ("runFinder", "a.runFinder")
    assert found.entities["a.go::Limit"].aliases == ("Limit()", "a.Limit")
    assert found.entities["a.go::Limit"].title == "const Limit = 3"


@pytest.mark.parametrize(
    ("file", "source", "functions"),
    [
        ("a.py", "double = lambda x: 2 * x\nNAMES = [lambda: 1]\n", ["double"]),
        ("a.go", "package a\nvar run = func() int { return 1 }\n", ["run"]),
        (
            "a.ts",
            "export const load = again(async () => 1);\nexport const rows = all.map((x) => x);\n",
            ["load"],
        ),
    ],
)
def test_a_function_that_is_assigned_to_a_name_is_one(
    tmp_path: Path, file: str, source: str, functions: list[str]
) -> None:
    symbols = read(write(tmp_path, {file: source})).symbols(file)

    assert [name for kind, name, _, _ in symbols if kind == "Function"] == functions


# Tests are told from implementation


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


def test_a_module_of_tests_in_rust_is_tests(tmp_path: Path) -> None:
    found = read(write(tmp_path, {"a.rs": RUST})).entities

    assert found["a.rs::tests::adds"].attributes["test"] is True
    assert found["a.rs::Till::add"].attributes["test"] is False


# Macros around items


def test_items_inside_of_a_macro_of_rust_are_symbols(tmp_path: Path) -> None:
    source = """cfg_io! {
    /// Reads.
    pub trait Read {
        fn read(&mut self);
    }

    cfg_net! {
        mod tcp;
        pub fn connect() { dial() }
    }
}

pin_project! { pub struct Reply { #[pin] body: u8 } }

impl Reply {
    cfg_io! { pub fn send(&self) { connect() } }
}
"""
    found = read(write(tmp_path, {"lib.rs": source, "tcp.rs": "fn dial() {}\n"}))

    assert found.symbols("lib.rs") == [
        ("Trait", "Read", 3, 5), ("Function", "connect", 9, 9), ("Struct", "Reply", 13, 13),
        ("Method", "Reply::send", 16, 16), ("Method", "Read::read", 4, 4),
    ]  # fmt: skip
    assert str(found.entities["lib.rs::Read"].text).startswith("    /// Reads.\n    pub trait")
    assert found.links == {
        "lib.rs IMPORTS tcp.rs", "lib.rs::Reply::send CALLS lib.rs::connect",
    }  # fmt: skip


def test_what_a_macro_of_rust_reads_in_its_own_way_is_the_text_of_the_file(tmp_path: Path) -> None:
    source = "bitflags! {\n    struct Flags: u32 { const A = 1; }\n}\n\nfn after() {}\n"
    found = read(write(tmp_path, {"a.rs": source}))

    assert found.symbols("a.rs") == [("Function", "after", 5, 5)]
    assert "struct Flags" in str(found.entities["a.rs"].text)


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
    found = read(write(tmp_path, {path: content, "a.py": "import web"}))

    file = found.entities[path]
    assert (file.kind, file.text) == ("File", content.strip())
    assert file.attributes["language"] == language
    assert file.attributes["test"] is test
    assert set(found.entities) == {path, "a.py"}
    assert not found.relations


def test_of_a_long_file_in_another_language_the_beginning_is_read(tmp_path: Path) -> None:
    found = read(write(tmp_path, {"a.sql": "SELECT 'ü';\n" * 10_000}))

    text = found.entities["a.sql"].text
    assert text is not None
    assert len(text.encode()) in range(UNPARSED_BYTES - 2, UNPARSED_BYTES + 1)


@pytest.mark.parametrize(("content", "reason"), [(b"\0", "binary"), (b"\xfc", "UTF-8")])
def test_a_file_in_another_language_that_is_no_text_is_refused(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    found = read(write(tmp_path, {"bad.css": content, "good.css": "a {}"}))

    assert set(found.entities) == {"good.css"}
    assert reason in found.refused["bad.css"]


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
    found = read(write(tmp_path, {"bad.py": content, "good.py": ""}))

    assert set(found.entities) == {"good.py"}
    assert reason in found.refused["bad.py"]


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
    found = read(write(tmp_path, {"bad.ipynb": notebook, "good.py": ""}))

    assert set(found.entities) == {"good.py"}
    assert set(found.refused) == {"bad.ipynb"}


@pytest.mark.parametrize("name", ["bad.py", "bad.css"])
def test_a_minified_file_is_left_out(tmp_path: Path, name: str) -> None:
    longest = b"#" * LINE_BYTES
    found = read(write(tmp_path, {name: longest + b"#", "good.py": longest}))

    assert set(found.entities) == {"good.py"}
    assert (set(found.left_out), found.refused) == ({name}, {})


def test_a_file_with_a_long_line_among_many_others_is_read(tmp_path: Path) -> None:
    picture = f'PICTURE = "{"x" * LINE_BYTES}"\n'
    code = f"{picture}def draw(): ...\n" + "# Shown.\n" * LINE_BYTES
    found = read(write(tmp_path, {"draw.py": code}))

    assert "draw.py::draw" in found.entities


def test_a_file_is_minified_with_so_much_on_long_lines(tmp_path: Path) -> None:
    data = f'DATA = "{"x" * LONG_LINES_BYTES}"\n'
    found = read(write(tmp_path, {"data.py": data + "#\n" * LONG_LINES_BYTES}))

    assert set(found.left_out) == {"data.py"}


def test_an_import_says_what_it_left_out_and_takes_back_what_it_held(
    memory: Memory, tmp_path: Path
) -> None:
    files = {f"lib{i}.js": "function dock() {}\n" for i in range(7)}
    memory.import_("code", write(tmp_path, {**files, "a.py": "def moor(): ..."}))
    minified = "x;" * LINE_BYTES
    write(tmp_path, dict.fromkeys(files, minified))
    report = memory.import_("code", tmp_path, allow_removals=True)

    assert not report.refused
    assert report.entities["removed"] == 14
    (note,) = report.notes
    assert note.startswith(
        "7 files were left out as minified, with much of it on lines of more than 5,000 bytes"
    )
    assert note.endswith("'lib0.js', 'lib1.js', 'lib2.js', 'lib3.js', 'lib4.js', …")
    write(tmp_path, {name: "" for name in files if name != "lib3.js"})
    again = memory.import_("code", tmp_path)
    assert again.notes[0].startswith("1 file was left out as minified")


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
    ],
)
def test_nothing_is_too_deep_or_too_odd_to_be_read(tmp_path: Path, file: str, content: str) -> None:
    found = read(write(tmp_path, {file: content, "b.py": ""}))

    assert "b.py" in found.entities
    assert {file} == found.refused.keys() | ({file} & found.entities.keys())


# In the store


def test_a_second_import_changes_nothing(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, {"a.py": PYTHON, "b.py": "from a import validate_token\nvalidate_token('x')\n"})
    first = memory.import_("code", tmp_path)

    assert not first.refused
    again = memory.import_("code", tmp_path)
    assert {item.outcome for item in again.items} == {"unchanged"}


def test_other_aliases_leave_what_people_added(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"Client.java": "class Client { Client(int port) { open(port); } }"})
    constructor = "Client.java::Client.Client"
    with monkeypatch.context() as earlier:
        earlier.setattr(entities, "_aliases", lambda symbol, *_: [f"{symbol.short}()"])
        memory.import_("code", tmp_path)
    memory.remember([{"name": "Timeouts", "text": "Why they are short."}])
    memory.remember([{"name": constructor, "aliases": ["dial"], "observations": ["Opens twice."]}])
    memory.link("Timeouts", "ABOUT", constructor)

    report = memory.import_("code", tmp_path)

    page = memory.get(constructor)[0]
    assert [item.name for item in report.items if item.outcome == "updated"] == [constructor]
    assert set(page.entity.aliases) == {"Client.Client", "dial"}
    assert "Opens twice." in [observation.text for observation in page.entity.observations]
    assert "Timeouts" in {link.name for link in page.neighbours}
    assert memory.get("Client()")[0].name == "Client.java::Client"


def test_an_edit_touches_what_it_changed(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, {"a.py": PYTHON, "b.py": "def other(): ...\n"})
    memory.import_("code", tmp_path)
    write(tmp_path, {"b.py": "def other(): ...\n\ndef more(): other()\n"})

    report = memory.import_("code", tmp_path)
    changed = {(item.name, item.outcome) for item in report.items if item.outcome != "unchanged"}
    assert changed == {
        ("b.py", "updated"),
        ("b.py::more", "created"),
        ("b.py -[CONTAINS]-> b.py::more", "created"),
        ("b.py::more -[CALLS]-> b.py::other", "created"),
    }


def test_what_is_gone_from_the_code_is_removed(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "def one(): two()\ndef two(): ...\n", "b.py": "def three(): ...\n"})
    memory.import_("code", tmp_path)
    write(tmp_path, {"a.py": "def one(): ...\ndef two(): ...\n"})
    (tmp_path / "b.py").unlink()

    report = memory.import_("code", tmp_path)
    removed = {item.name for item in report.items if item.outcome == "removed"}
    assert removed == {"b.py", "b.py::three", "a.py::one -[CALLS]-> a.py::two"}


def test_links_of_callers_to_what_is_renamed_are_named_and_can_be_kept(
    memory: Memory, tmp_path: Path
) -> None:
    write(tmp_path, {"a.py": "def one(): two()\ndef two(): ...\n"})
    memory.import_("code", tmp_path)
    memory.remember(
        [{"name": "Be quick", "kind": "Decision"}],
        [{"from": "Be quick", "relation": "CONCERNS", "to": "a.py::one"}],
    )
    assert not memory.import_("code", tmp_path).notes
    write(tmp_path, {"a.py": "def first(): return two()\ndef two(): ...\n"})

    for dry_run, advice in (
        (True, "the import may carry them over"),
        (False, "`graphmem merge OLD NEW` shows them again"),
    ):
        report = memory.import_("code", tmp_path, dry_run=dry_run)
        (note,) = report.notes
        assert note == (
            "1 relation that people or agents wrote is hidden with what is gone from the source: "
            f"'Be quick -[CONCERNS]-> a.py::one'. Where that has another name now, {advice}"
        )
    assert memory.get("Be quick")[0].neighbours == ()
    memory.merge("a.py::one", "a.py::first")
    assert memory.import_("code", tmp_path).refused == ()
    assert [link.name for link in memory.get("Be quick")[0].neighbours] == ["a.py::first"]


def test_a_file_that_cannot_be_read_takes_nothing_with_it(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "def one_two(): three_four()\ndef three_four(): ...\n"})
    memory.import_("code", tmp_path)
    write(tmp_path, {"a.py": b"\xff\xfe\0"})

    report = memory.import_("code", tmp_path)
    assert [item.outcome for item in report.items] == ["refused"]
    (page,) = memory.get("one_two")
    assert {one.name for one in page.neighbours} == {"a.py", "a.py::three_four"}


def test_the_source_of_a_symbol_is_split_at_its_lines(memory: Memory, tmp_path: Path) -> None:
    comment = "/**\n" + " * Reads what the harbour holds.\n" * 20 + " */\n"
    method = comment + "void read() {\n" + "    harbour();\n" * 30 + "}\n"
    write(tmp_path, {"Pier.java": f"class Pier {{\n{method}}}\n"})
    memory.import_("code", tmp_path)
    hit = next(hit for hit in memory.search("harbour").hits if hit.kind == "Method")

    assert len(hit.passages) > 1
    assert "/**" not in {passage.text.strip() for passage in hit.passages}


def test_a_symbol_is_found_by_the_words_in_its_name(memory: Memory, tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a.go": "package a\n\nfunc validateToken(u string) error { return nil }\n",
            "b.go": "package a\n\nfunc startHTTPServer() { listen() }\n",
        },
    )
    memory.import_("code", tmp_path)

    for query, name in (
        ("validateToken", "a.go::validateToken"),
        ("validate the token of a user", "a.go::validateToken"),
        ("http server", "b.go::startHTTPServer"),
        ("startHTTPServer", "b.go::startHTTPServer"),
    ):
        assert memory.search(query, mode="keyword", kinds=["Function"]).hits[0].name == name


def test_a_dry_run_of_a_folder_below_an_earlier_import_says_what_the_import_does(
    memory: Memory, tmp_path: Path
) -> None:
    files = {f"{folder}/{name}.py": PYTHON for folder in ("src", "test") for name in "ab"}
    root = write(tmp_path, files)
    memory.import_("code", root)
    told = memory.import_("code", root / "src", dry_run=True)
    assert told.refused == ()
    assert told.items == memory.import_("code", root / "src").items


def test_a_dry_run_of_code_writes_nothing(memory: Memory, tmp_path: Path) -> None:
    report = memory.import_("code", write(tmp_path, {"a.py": PYTHON}), dry_run=True)

    assert {item.outcome for item in report.items} == {"created"}
    assert memory.stats().entities == 0


def test_a_class_keeps_its_source_beside_the_outline_that_is_searched(tmp_path: Path) -> None:
    source = "class Keeper:\n    def feed(self):\n        return 1\n\n\n    size = 2\n"
    found = read(write(tmp_path, {"a.py": source})).entities
    assert found["a.py::Keeper"].attributes["code"] == source.rstrip()
    assert "return 1" not in (found["a.py::Keeper"].text or "")
    assert "code" not in found["a.py::Keeper.feed"].attributes
