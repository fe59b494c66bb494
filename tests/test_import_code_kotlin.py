"""Importing Kotlin: top-level functions, objects, extensions, and calls that cross into Java."""

from pathlib import Path

import pytest

from code_folders import read, write

STORE = """package shop.stores

const val MAX_ROWS = 3
val shared: Store = Store(Server())

/** Keeps sessions. */
@Serializable
class Store(private val server: Server) : Base(server), Opens by server {
    val count: Int get() = rows()
    val made = Server()

    // Looks it up.
    fun get(key: String): String? {
        fun local() = 1
        return null
    }

    companion object {
        const val LIMIT = 3
        fun of(): Store = Store(Server())
    }

    inner class Inner {
        fun run() { get("x") }
    }
}

interface Opens {
    fun open(): String
    fun twice() = open() + open()
}

data class Point(val x: Int, val y: Int)
enum class Colour { RED, GREEN }
object Single {
    fun start() {}
}
typealias Handler = (Int) -> Unit

fun String.shout(): String = this + "!"
fun main() {}
"""


def test_a_file_becomes_the_symbols_it_defines(tmp_path: Path) -> None:
    code = read(write(tmp_path, {"Store.kt": STORE}))

    assert code.symbols("Store.kt") == [
        ("Class", "Store", 7, 26),
        ("Method", "Store.count", 9, 9),
        ("Method", "Store.get", 13, 16),
        ("Method", "Store.of", 20, 20),
        ("Class", "Store.Inner", 23, 25),
        ("Method", "Store.Inner.run", 24, 24),
        ("Interface", "Opens", 28, 31),
        ("Method", "Opens.twice", 30, 30),
        ("Class", "Point", 33, 33),
        ("Enum", "Colour", 34, 34),
        ("Class", "Single", 35, 37),
        ("Method", "Single.start", 36, 36),
        ("Type", "Handler", 38, 38),
        ("Method", "String.shout", 40, 40),
        ("Function", "main", 41, 41),
        ("Constant", "MAX_ROWS", 3, 3),
        ("Constant", "Store.LIMIT", 19, 19),
        ("Method", "Opens.open", 29, 29),
    ]


def test_a_symbol_has_its_comments_annotations_and_names(tmp_path: Path) -> None:
    entities_by_name = read(write(tmp_path, {"Store.kt": STORE})).entities
    store = entities_by_name["Store.kt::Store"]

    assert store.title == "class Store(private val server: Server) : Base(server), Opens by server"
    assert (store.text or "").startswith("/** Keeps sessions. */\n@Serializable\n")
    assert store.aliases == ("Store()", "stores.Store")
    assert (entities_by_name["Store.kt::Store.get"].text or "").startswith("    // Looks it up.\n")
    assert entities_by_name["Store.kt::main"].aliases == ("main()", "stores.main")


def calls(body: str, *, imports: str = "") -> dict[str, str]:
    """A folder in which `run` of the class `App` has a body, beside what it may call."""
    return {
        "data/Table.kt": "package shop.data\nopen class Rows {\n  fun clear() {}\n}\n"
        "class Table(size: Int) : Rows() {\n  fun find(key: String): Row = Row()\n"
        "  companion object {\n    fun count() = 1\n  }\n}\nclass Row {\n  fun read() {}\n}\n"
        "object Log {\n  fun write() {}\n}\nfun parse(text: String): Row? = null\n"
        "fun Row.skip() { read() }\n",
        "data/Page.java": "package shop.data;\npublic class Page {"
        " void turn() { Row row = new Row(); row.read(); } static void open() { } }",
        "web/Other.kt": "package shop.web\nfun near() {}",
        "web/App.kt": f"package shop.web\nimport java.io.File\nimport shop.data.*\n{imports}"
        "class App(private val table: Table) {\n  val first: Row = Row()\n  val last = Row()\n"
        f"  fun run(rows: List<Row>, page: Page?, row: Row?) {{\n    {body}\n  }}\n"
        "  fun over(a: Int) {}\n  fun over(a: String) {}\n}\n",
    }


@pytest.mark.parametrize(
    ("body", "callee"),
    [
        ('table.find("a")', "data/Table.kt::Table.find"),
        ('this.table.find("a")', "data/Table.kt::Table.find"),
        ("table.clear()", "data/Table.kt::Rows.clear"),
        ("Table.count()", "data/Table.kt::Table.count"),
        ("Table(3)", "data/Table.kt::Table"),
        ("Log.write()", "data/Table.kt::Log.write"),
        ('parse("a")', "data/Table.kt::parse"),
        ("near()", "web/Other.kt::near"),
        ("first.read()", "data/Table.kt::Row.read"),
        ("last.read()", "data/Table.kt::Row.read"),
        ("row?.read()", "data/Table.kt::Row.read"),
        ("val x: Row = make()\n    x.read()", "data/Table.kt::Row.read"),
        ("val x = Row()\n    x.read()", "data/Table.kt::Row.read"),
        ('val x = parse("a")\n    x.read()', "data/Table.kt::Row.read"),
        ("for (x: Row in rows) x.read()", "data/Table.kt::Row.read"),
        ("row.skip()", "data/Table.kt::Row.skip"),
        ("page.turn()", "data/Page.java::Page.turn"),
        ("Page.open()", "data/Page.java::Page.open"),
    ],
)
def test_a_call_leads_to_what_is_called(tmp_path: Path, body: str, callee: str) -> None:
    assert f"web/App.kt::App.run CALLS {callee}" in read(write(tmp_path, calls(body))).links


def test_java_calls_kotlin(tmp_path: Path) -> None:
    code = read(write(tmp_path, calls("")))

    assert "data/Page.java::Page.turn CALLS data/Table.kt::Row.read" in code.links


def test_an_extension_is_a_method_of_its_type(tmp_path: Path) -> None:
    code = read(write(tmp_path, calls("")))

    assert "data/Table.kt::Row CONTAINS data/Table.kt::Row.skip" in code.contains
    assert "data/Table.kt::Row.skip CALLS data/Table.kt::Row.read" in code.links


@pytest.mark.parametrize(
    ("imports", "callee"),
    [
        ("import a.shout", "a/A.kt::String.shout"),
        ("import a.Url.Companion.shout", "a/A.kt::Url.shout"),
    ],
)
def test_what_is_added_to_a_type_of_another_library_is_called_where_it_is_imported(
    tmp_path: Path, imports: str, callee: str
) -> None:
    files = {
        "a/A.kt": "package a\nfun String.shout() = this\nclass Url {\n  companion object {\n"
        "    fun String.shout() = this\n  }\n}\n",
        "B.kt": f'package b\n{imports}\nfun run(x: String) {{\n  "a".shout()\n  x.other()\n}}\n',
    }
    code = read(write(tmp_path, files))

    assert code.links == {f"B.kt::run CALLS {callee}", "B.kt IMPORTS a/A.kt"}
    (call,) = [relation for relation in code.relations if relation.relation == "CALLS"]
    assert call.weight == 0.5


def test_a_variable_that_is_called_is_not_its_type(tmp_path: Path) -> None:
    source = (
        "class Row\ninterface Chain {\n  fun next(row: Row): Row\n  val row: Row\n}\n"
        "fun run(chain: Chain) {\n  chain.row()\n}\n"
    )

    assert not read(write(tmp_path, {"A.kt": source})).links


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("data class Point(\n  val x: Int,\n)\n", "data class Point( val x: Int, )"),
        ('@A(1)\n@B("x")\nannotation class Point\n', '@A(1) @B("x") annotation class Point'),
    ],
)
def test_a_class_without_a_body_has_all_of_its_signature(
    tmp_path: Path, source: str, title: str
) -> None:
    entity = read(write(tmp_path, {"A.kt": source})).entities["A.kt::Point"]

    assert entity.kind == "Class"
    assert title.endswith(entity.title or "?")


@pytest.mark.parametrize("body", ["rows.add(row)", 'println("")', "x.read()", "File(1)"])
def test_what_is_elsewhere_or_ambiguous_leads_nowhere(tmp_path: Path, body: str) -> None:
    code = read(write(tmp_path, calls(body)))

    assert not {link for link in code.links if link.startswith("web/App.kt::App.run CALLS")}


@pytest.mark.parametrize(
    ("imports", "body"),
    [
        ("import shop.data.parse as read\n", 'read("a")'),
        ("import shop.data.parse\n", 'parse("a")'),
    ],
)
def test_an_import_may_give_another_name(tmp_path: Path, imports: str, body: str) -> None:
    code = read(write(tmp_path, calls(body, imports=imports)))

    assert "web/App.kt::App.run CALLS data/Table.kt::parse" in code.links
    assert "web/App.kt IMPORTS data/Table.kt" in code.links


@pytest.mark.parametrize(
    "heir",
    [
        "class A : Rows()", "class A : Rows", "class A(val x: Rows) : Rows by x",
        "interface A : Rows", "object A : Base<Int>(), Rows", "enum class A : Rows { X }",
    ],
)  # fmt: skip
def test_a_type_inherits(tmp_path: Path, heir: str) -> None:
    files = {"R.kt": "package a\nopen class Rows", "A.kt": f"package a\n{heir}\n"}

    assert "A.kt::A INHERITS R.kt::Rows" in read(write(tmp_path, files)).links


@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("Store.kt", False),
        ("StoreTest.kt", True),
        ("src/test/kotlin/Store.kt", True),
        ("src/commonTest/kotlin/Store.kt", True),
        ("latest/Store.kt", False),
        ("build.gradle.kts", False),
    ],
)
def test_a_file_holds_tests_by_its_path(tmp_path: Path, path: str, *, test: bool) -> None:
    assert read(write(tmp_path, {path: "class A"})).entities[path].attributes["test"] is test


@pytest.mark.parametrize(
    "content", ["", "class", "class A {\n" * 2_000 + "}\n" * 2_000, "\n{[(<" * 900]
)
def test_nothing_is_too_odd_to_be_read(tmp_path: Path, content: str) -> None:
    code = read(write(tmp_path, {"A.kt": content, "B.kt": "class B"}))

    assert {"A.kt", "B.kt", "B.kt::B"} <= code.entities.keys()
