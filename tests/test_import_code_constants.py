"""Importing code: constants, functions that are assigned to names, and macros around items."""

from pathlib import Path

import pytest

from code_folders import read, write
from code_sources import RUST
from graphmem.transfer.code.outlines.namesakes import MOST_CONSTANTS


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

    symbols = [entity for entity in entities if entity.kind == "Constant"]
    assert {str(symbol.attributes["symbol"]): symbol.text for symbol in symbols} == constants


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
    code = read(write(tmp_path, {"a.go": source}))

    assert code.entities["a.go::RunFinder"].kind == "Function"
    assert code.entities["a.go::runFinder~2"].aliases == ("runFinder", "a.runFinder")
    assert code.entities["a.go::Limit"].aliases == ("Limit()", "a.Limit")
    assert code.entities["a.go::Limit"].title == "const Limit = 3"


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


def test_a_module_of_tests_in_rust_is_tests(tmp_path: Path) -> None:
    entities_by_name = read(write(tmp_path, {"a.rs": RUST})).entities

    assert entities_by_name["a.rs::tests::adds"].attributes["test"] is True
    assert entities_by_name["a.rs::Till::add"].attributes["test"] is False


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
    code = read(write(tmp_path, {"lib.rs": source, "tcp.rs": "fn dial() {}\n"}))

    assert code.symbols("lib.rs") == [
        ("Trait", "Read", 3, 5), ("Function", "connect", 9, 9), ("Struct", "Reply", 13, 13),
        ("Method", "Reply::send", 16, 16), ("Method", "Read::read", 4, 4),
    ]  # fmt: skip
    assert str(code.entities["lib.rs::Read"].text).startswith("    /// Reads.\n    pub trait")
    assert code.links == {
        "lib.rs IMPORTS tcp.rs", "lib.rs::Reply::send CALLS lib.rs::connect",
    }  # fmt: skip


def test_what_a_macro_of_rust_reads_in_its_own_way_is_the_text_of_the_file(tmp_path: Path) -> None:
    source = "bitflags! {\n    struct Flags: u32 { const A = 1; }\n}\n\nfn after() {}\n"
    code = read(write(tmp_path, {"a.rs": source}))

    assert code.symbols("a.rs") == [("Function", "after", 5, 5)]
    assert "struct Flags" in str(code.entities["a.rs"].text)
