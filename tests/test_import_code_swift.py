"""Importing Swift: types, extensions of types in other files, modules, labels of arguments."""

from pathlib import Path

import pytest

from code_folders import ReadCode, read, write

STORE = """import Foundation

let maxRows = 3
private let lost = "lost"
let (left, right) = (1, 2)

/// Keeps sessions.
@objc(Kept) public final class Store<Row>: Base<Row>, Opens where Row: Sendable {
    static let shared = Store()
    private var server: Server?
    var kept = 3 { didSet { kept = 4 } }
    var count: Int { rows() }

    init(_ server: Server) throws { self.server = server }

    // Looks it up.
    @discardableResult
    func get(_ key: String) async throws -> Row? {
        func local() {}
        struct Inside {}
        return nil
    }

    static func == (left: Store, right: Store) -> Bool { true }
    subscript(index: Int) -> Int { 3 }
    deinit { close() }
    struct Inner {
        func run() {}
    }
    typealias Key = String
}

protocol Opens: AnyObject {
    associatedtype Row
    var rows: Int { get }
    init(rows: Int)
    func open() -> String
}

extension Opens {
    func twice() -> String { open() + open() }
}

extension String.Index {
    func shout() {}
    enum Loud {}
}

enum Colour: String { case red, green }
actor Single {
    func start() {}
}
var now: Int { 3 }
func main() {}
#if os(Linux)
func linux() {}
#endif
"""


def test_a_file_becomes_the_symbols_it_defines(tmp_path: Path) -> None:
    code = read(write(tmp_path, {"Store.swift": STORE}))

    assert code.symbols("Store.swift") == [
        ("Class", "Store", 8, 31),
        ("Method", "Store.count", 12, 12),
        ("Method", "Store.init", 14, 14),
        ("Method", "Store.get", 17, 22),
        ("Method", "Store.==", 24, 24),
        ("Method", "Store.subscript", 25, 25),
        ("Method", "Store.deinit", 26, 26),
        ("Struct", "Store.Inner", 27, 29),
        ("Method", "Store.Inner.run", 28, 28),
        ("Type", "Store.Key", 30, 30),
        ("Interface", "Opens", 33, 38),
        ("Method", "Opens.twice", 41, 41),
        ("Method", "String.Index.shout", 45, 45),
        ("Enum", "String.Index.Loud", 46, 46),
        ("Enum", "Colour", 49, 49),
        ("Class", "Single", 50, 52),
        ("Method", "Single.start", 51, 51),
        ("Function", "now", 53, 53),
        ("Function", "main", 54, 54),
        ("Function", "linux", 56, 56),
        ("Constant", "maxRows", 3, 3),
        ("Constant", "lost", 4, 4),
        ("Method", "Opens.init", 36, 36),
        ("Method", "Opens.open", 37, 37),
    ]


def test_a_symbol_has_its_comments_attributes_and_names(tmp_path: Path) -> None:
    path = "Sources/Shop/Store.swift"
    entities_by_name = read(
        write(tmp_path, {"Package.swift": "let package = 1", path: STORE})
    ).entities
    store = entities_by_name[f"{path}::Store"]

    assert store.title == "public final class Store<Row>: Base<Row>, Opens where Row: Sendable"
    assert (store.text or "").startswith("/// Keeps sessions.\n@objc(Kept) public final class")
    assert "init(_ server: Server) throws …" in (store.text or "")
    assert store.aliases == ("Store()", "Shop.Store")
    assert (entities_by_name[f"{path}::Store.get"].text or "").startswith("    // Looks it up.\n")
    assert (
        entities_by_name[f"{path}::Store.get"].title
        == "func get(_ key: String) async throws -> Row?"
    )
    assert entities_by_name[f"{path}::main"].aliases == ("main()", "Shop.main")


def calls(body: str) -> dict[str, str]:
    """A package in which `run` of the class `App` has a body, beside what it may call."""
    return {
        "Package.swift": 'let package = Package(name: "Shop")\n',
        "Sources/Data/Table.swift": (
            "open class Rows { func clear() {}\n  func size(of key: Int) {} }\n"
            "public class Table: Rows {\n  static let shared = Table(size: 3)\n"
            "  init(size: Int) {}\n  func look(_ key: String) -> Row { Row() }\n"
            "  static func count() {}\n  override func clear() {}\n  func size() {}\n"
            "  var top: Row { Row() }\n"
            "  struct Page { func turn() {} }\n}\n"
            "public struct Row { func read() {} }\n"
            "public func parse(_ text: String) -> Row? { nil }\n"
            "fileprivate func hidden() {}\n"
        ),
        "Sources/Data/Table+Sum.swift": (
            'extension Table: Sums { func sum() { look("a") }\n'
            "  enum Sort { static func by() {} } }\n"
            "protocol Sums { func sum()\n func spread() }\n"
            "extension Sums { func average() {}\n  func spread() {} }\n"
            "extension String { func shout() { whisper() }\n  func whisper() {} }\n"
        ),
        "Sources/Other/Row.swift": (
            "@_exported import Data\npublic struct Row { func write() {} }\nfunc other() {}\n"
        ),
        "Sources/Web/Near.swift": (
            "func near() {}\nfunc near(at place: Int, _ then: () -> Void) {}\n"
        ),
        "Sources/Web/App.swift": (
            "import Foundation\nimport Data\nclass App: Rows {\n  let table: Table\n"
            "  weak var maybe: Table!\n  private let made = Table(size: 3)\n"
            "  lazy var lazily: Table = Table(size: 3)\n"
            "  func run(rows: [Row], row: Row?, any: any Sums, _ text: String) async throws {\n"
            f"    {body}\n  }}\n"
            "  func over(_ a: Int) {}\n  func over(a: Int) {}\n"
            "  func over(_ a: Int, b: Int = 3) {}\n"
            "  func over(many: Int...) {}\n}\n"
        ),
    }  # fmt: skip


TABLE = "Sources/Data/Table.swift::"
SUM = "Sources/Data/Table+Sum.swift::"


@pytest.mark.parametrize(
    ("body", "callee"),
    [
        ('table.look("a")', f"{TABLE}Table.look"),
        ('self.table.look("a")', f"{TABLE}Table.look"),
        ('maybe?.look("a")', f"{TABLE}Table.look"),
        ('self.maybe!.look("a")', f"{TABLE}Table.look"),
        ('made.look("a")', f"{TABLE}Table.look"),
        ('lazily.look("a")', f"{TABLE}Table.look"),
        ("Table.shared.clear()", f"{TABLE}Table.clear"),
        ("table.size()", f"{TABLE}Table.size"),
        ("table.size(of: 3)", f"{TABLE}Rows.size"),
        ("table.top.read()", f"{TABLE}Row.read"),
        ("clear()", f"{TABLE}Rows.clear"),
        ("super.clear()", f"{TABLE}Rows.clear"),
        ("Table.count()", f"{TABLE}Table.count"),
        ("Table(size: 3)", f"{TABLE}Table"),
        ("Data.Table(size: 3)", f"{TABLE}Table"),
        ("Table.init(size: 3)", f"{TABLE}Table.init"),
        ("Table.Page().turn()", f"{TABLE}Table.Page"),
        ("let page = Table.Page()\n    page.turn()", f"{TABLE}Table.Page.turn"),
        ("Table.Sort.by()", f"{SUM}Table.Sort.by"),
        ("table.sum()", f"{SUM}Table.sum"),
        ("table.average()", f"{SUM}Sums.average"),
        ("any.spread()", f"{SUM}Sums.spread~2"),
        ("text.shout()", f"{SUM}String.shout"),
        ('parse("a")', f"{TABLE}parse"),
        ("row?.read()", f"{TABLE}Row.read"),
        ("let x: Row = make()\n    x.read()", f"{TABLE}Row.read"),
        ("let x = Row()\n    x.read()", f"{TABLE}Row.read"),
        ('let x = try await table.look("a")\n    x.read()', f"{TABLE}Row.read"),
        ("let x = table.top\n    x.read()", f"{TABLE}Row.read"),
        ('if let x = parse("a") { x.read() }', f"{TABLE}Row.read"),
        ("guard let x = y as? Row else { return }\n    x.read()", f"{TABLE}Row.read"),
        ("if let row { row.read() }", f"{TABLE}Row.read"),
        ("for x: Row in rows { x.read() }", f"{TABLE}Row.read"),
        ("rows.forEach { (x: Row) in x.read() }", f"{TABLE}Row.read"),
        ("do {} catch let x as Row { x.read() }", f"{TABLE}Row.read"),
        ("(y as! Row).read()", f"{TABLE}Row.read"),
        ("#if os(Linux)\n    near()\n    #endif", "Sources/Web/Near.swift::near"),
        ("near(at: 3) { }", "Sources/Web/Near.swift::near~2"),
        ("near(at: 3, {})", "Sources/Web/Near.swift::near~2"),
        ("over(1)", "Sources/Web/App.swift::App.over"),
        ("over(a: 1)", "Sources/Web/App.swift::App.over~2"),
        ("over(1, b: 2)", "Sources/Web/App.swift::App.over~3"),
        ("over(many: 1, 2, 3)", "Sources/Web/App.swift::App.over~4"),
    ],
)  # fmt: skip
def test_a_call_leads_to_what_is_called(tmp_path: Path, body: str, callee: str) -> None:
    code = read(write(tmp_path, calls(body)))

    assert f"Sources/Web/App.swift::App.run CALLS {callee}" in code.links


@pytest.mark.parametrize(
    "body",
    [
        "hidden()", "other()", "rows[3].read()", "made[3]", "table(3)", "near(3)",
        "over(b: 3)", "sum()", "Row.missing()", "whisper()",
    ],
)  # fmt: skip
def test_a_call_leads_to_no_function_that_is_not_visible_or_does_not_fit(
    tmp_path: Path, body: str
) -> None:
    code = read(write(tmp_path, calls(body)))

    assert not [link for link in code.links if link.startswith("Sources/Web/App.swift::App.run ")]


def test_a_file_imports_those_whose_names_it_uses(tmp_path: Path) -> None:
    code = read(write(tmp_path, calls("table.average()")))

    imports = {
        (relation.end, relation.note)
        for relation in code.relations
        if relation.relation == "IMPORTS"
    }
    assert imports == {
        ("Sources/Data/Table.swift", "Row, Rows, Table"),
        ("Sources/Data/Table+Sum.swift", "Sums, average"),
    }


def test_what_a_module_exports_is_imported_with_it(tmp_path: Path) -> None:
    files = calls("") | {
        "Tests/OtherTests/A.swift": '@testable import Other\nfunc run() { parse("a") }\n'
        "func walk(row: Row) { row.write() }\n"
    }  # fmt: skip
    code = read(write(tmp_path, files))

    start = "Tests/OtherTests/A.swift::"
    assert f"{start}run CALLS {TABLE}parse" in code.links
    assert f"{start}walk CALLS Sources/Other/Row.swift::Row.write" in code.links
    assert code.entities[f"{start}run"].attributes["test"] is True


def links_between(found: ReadCode, relation: str) -> set[str]:
    return {
        f"{one.start.partition('::')[2]} {one.end.partition('::')[2]}"
        for one in found.relations
        if one.relation == relation
    }


def test_a_type_inherits_by_its_extensions(tmp_path: Path) -> None:
    code = read(write(tmp_path, calls("")))

    assert links_between(code, "INHERITS") == {"Table Rows", "Table Sums", "App Rows"}
    assert links_between(code, "OVERRIDES") == {
        "Table.clear Rows.clear", "Table.sum Sums.sum", "Sums.spread Sums.spread~2"
    }  # fmt: skip


def test_an_extension_belongs_to_its_type(tmp_path: Path) -> None:
    code = read(write(tmp_path, calls("")))

    assert f"{TABLE}Table CONTAINS {SUM}Table.sum" in code.contains
    assert f"{SUM}Table.sum CALLS {TABLE}Table.look" in code.links
    assert f"{TABLE}Table CONTAINS {SUM}Table.Sort" in code.contains
    assert f"Sources/Data/Table+Sum.swift CONTAINS {SUM}String.shout" in code.contains
    assert f"{SUM}String.shout CALLS {SUM}String.whisper" in code.links


def test_what_is_added_to_a_type_of_another_library_counts_half(tmp_path: Path) -> None:
    code = read(write(tmp_path, calls("text.shout()")))

    weights = {
        relation.weight for relation in code.relations if relation.end.endswith("String.shout")
    }
    assert weights == {0.5}


@pytest.mark.parametrize(
    ("first", "second", "is_called"),
    [
        ("App/A.swift", "Kit/B.swift", True),
        ("Sources/App/A.swift", "Sources/Kit/B.swift", True),
        ("Sources/App/A.swift", "Sources/App/Deep/B.swift", True),
        ("a/Package.swift", "B.swift", False),
        ("a/Sources/App/A.swift", "a/Sources/Kit/B.swift", False),
        ("a/Sources/App/A.swift", "b/Sources/App/B.swift", False),
        ("a/Snippets/A.swift", "a/Examples/B.swift", True),
    ],
)
def test_the_files_of_a_module_see_each_other(
    tmp_path: Path, first: str, second: str, *, is_called: bool
) -> None:
    files = {first: "func run() { walk() }\n", second: "func walk() {}\n"}
    if first.startswith("a/"):
        files = {"a/Package.swift": "", "b/Package.swift": ""} | files
    code = read(write(tmp_path, files))

    assert (f"{first}::run CALLS {second}::walk" in code.links) is is_called


def test_of_two_modules_of_a_name_the_nearer_is_imported(tmp_path: Path) -> None:
    files = {
        f"{package}/{path}": source
        for package in ("a", "b")
        for path, source in {
            "Package.swift": "",
            "Sources/Kit/Kit.swift": "public func walk() {}\n",
            "Tests/KitTests/A.swift": "import Kit\nfunc run() { walk() }\n",
        }.items()
    }
    code = read(write(tmp_path, files | {"c/A.swift": "import Kit\nfunc run() { walk() }\n"}))

    assert {link for link in code.links if "CALLS" in link} == {
        f"{package}/Tests/KitTests/A.swift::run CALLS {package}/Sources/Kit/Kit.swift::walk"
        for package in ("a", "b")
    }


def test_what_is_private_is_called_in_its_file_alone(tmp_path: Path) -> None:
    files = {
        f"{name}.swift": f"extension Rows {{ fileprivate func walk() {{}} }}\n"
        f"func {name}(rows: Rows) {{ rows.walk() }}\n"
        for name in ("a", "b")
    } | {"c.swift": "struct Rows {}\nfunc c(rows: Rows) { rows.walk() }\n"}
    code = read(write(tmp_path, files))

    assert {link for link in code.links if "CALLS" in link} == {
        "a.swift::a CALLS a.swift::Rows.walk", "b.swift::b CALLS b.swift::Rows.walk"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("call", "callee"),
    [("Rows.walk()", "Rows.walk"), ("rows.walk()", "Rows.walk~2"), ("Self.walk()", "Rows.walk")],
)
def test_a_method_of_a_type_is_another_than_that_of_its_values(
    tmp_path: Path, call: str, callee: str
) -> None:
    source = (
        "struct Rows {\n  static func walk() {}\n  func walk() {}\n"
        f"  func run(rows: Rows) {{ {call} }}\n}}\n"
    )
    code = read(write(tmp_path, {"a.swift": source}))

    assert code.links == {f"a.swift::Rows.run CALLS a.swift::{callee}"}


def test_parts_for_several_platforms_are_read(tmp_path: Path) -> None:
    source = (
        "func run() {\n  switch x {\n  #if os(Linux) ||\n    os(Android)\n  case .a: walk()\n"
        "  #else\n  case .a(let y): stay()\n  #endif\n  }\n}\n"
        '#if os(Linux)\nfunc walk() {}\n#else\n#error("No")\nfunc stay() {}\n#endif\n'
    )
    code = read(write(tmp_path, {"a.swift": source}))

    assert code.links == {f"a.swift::run CALLS a.swift::{name}" for name in ("walk", "stay")}
    assert code.entities["a.swift::run"].text == source.partition("#if os(Linux)\n")[0].strip()


def test_no_file_calls_what_another_module_of_tests_adds(tmp_path: Path) -> None:
    test = "import Kit\nextension Rows { func walk() {} }\nfunc run(rows: Rows) { rows.walk() }\n"
    files = {
        "Package.swift": "",
        "Sources/Kit/Rows.swift": "public struct Rows {}\n",
        "Tests/ATests/A.swift": test,
        "Tests/BTests/B.swift": test,
    }
    code = read(write(tmp_path, files))

    assert {link for link in code.links if "CALLS" in link} == {
        f"Tests/{name}Tests/{name}.swift::run CALLS Tests/{name}Tests/{name}.swift::Rows.walk"
        for name in ("A", "B")
    }


@pytest.mark.parametrize(
    "source",
    [
        "extension [Int]: Opens { func go() { go() } }\n",
        "extension (Int, Int): Opens { func go() { go() } }\n",
        "extension A.`Type`: Opens { func go() { go() } }\n",
        "extension Foo { struct Foo { func go() { stay() } } }\n",
        "extension Foo { struct Bar { } }\nextension Bar { struct Foo { func go() { stay() } } }\n",
        "extension Foo.Bar { struct Foo { struct Bar { func go() { stay() } } } }\n",
    ],
)
def test_extensions_of_what_no_type_can_be_found_for_are_read(tmp_path: Path, source: str) -> None:
    code = read(write(tmp_path, {"a.swift": source, "b.swift": "struct Store {}\n"}))

    assert not code.refused
    assert any(name.endswith("go") for name in code.entities)
