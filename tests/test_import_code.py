"""Importing code: what becomes a symbol, what it carries, what its text is."""

from pathlib import Path

import pytest

from code_folders import read, write
from code_sources import PYTHON, RUST

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
    code = read(write(tmp_path, {"auth/token.py": PYTHON}))

    symbol = code.entities["auth/token.py::validate_token"]
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
    code = read(write(tmp_path, {"a.py": PYTHON}))

    assert code.entities["a.py::validate_token"].text == (
        "# Asked by every request.\n"
        "@cached\n"
        "def validate_token(token: str) -> bool:\n"
        '    """Whether it is good."""\n'
        "    return len(token) > LIMIT"
    )


def test_the_text_of_a_class_has_its_methods_signatures_alone(tmp_path: Path) -> None:
    code = read(write(tmp_path, {"a.py": PYTHON}))

    assert code.entities["a.py::Store"].text == (
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
    code = read(write(tmp_path, {file: source}))

    assert (code.entities[f"{file}::{symbol}"].text or "").startswith(comment)
    assert comment not in (code.entities[file].text or "")


def test_a_comment_behind_other_code_belongs_to_that(tmp_path: Path) -> None:
    code = read(write(tmp_path, {"a.py": "limit = 3  # few\ndef check(): ...\n"}))

    assert code.entities["a.py::check"].text == "def check(): ..."
    assert code.entities["a.py"].text == "limit = 3  # few"


def test_what_stands_at_module_level_has_a_home(tmp_path: Path) -> None:
    file = read(write(tmp_path, {"auth/token.py": PYTHON})).entities["auth/token.py"]

    assert file.kind == "File"
    assert file.text == '"""Tokens."""\nimport os'
    assert file.aliases == ("token.py", "auth.token")
    assert (file.attributes["start_line"], file.attributes["end_line"]) == (1, 21)


def test_what_a_function_defines_inside_belongs_to_it(tmp_path: Path) -> None:
    code = read(write(tmp_path, {"a.py": PYTHON}))

    assert "def inner()" in (code.entities["a.py::Store.get"].text or "")
    assert not any("inner" in name for name in code.entities)


def test_a_symbol_stands_in_its_type_and_a_type_in_its_file(tmp_path: Path) -> None:
    code = read(write(tmp_path, {"a.py": PYTHON}))

    assert code.contains == {
        "a.py CONTAINS a.py::LIMIT",
        "a.py CONTAINS a.py::validate_token",
        "a.py CONTAINS a.py::Store",
        "a.py::Store CONTAINS a.py::Store.get",
    }


def test_a_class_keeps_its_source_beside_the_outline_that_is_searched(tmp_path: Path) -> None:
    source = "class Keeper:\n    def feed(self):\n        return 1\n\n\n    size = 2\n"
    entities_by_name = read(write(tmp_path, {"a.py": source})).entities
    assert entities_by_name["a.py::Keeper"].attributes["code"] == source.rstrip()
    assert "return 1" not in (entities_by_name["a.py::Keeper"].text or "")
    assert "code" not in entities_by_name["a.py::Keeper.feed"].attributes
