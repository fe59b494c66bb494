"""What values of Kotlin are: results of expressions, blocks of scope functions, extensions."""

from pathlib import Path

import pytest

from code_folders import read, write

STORE = """package shop
open class Row : Closeable {
  fun save() {}
  val size = 3
}
class Store {
  val body: Row = Row()
  fun body() = 1
  fun row() = Row()
  fun self() = apply { row() }
  fun open(name: String) = also { it.row() }
  fun typed(): Row? = Row()
  val factory = Row()
  private var first = typed()
  val cached by lazy { Row() }
  val queue = ArrayDeque<Row>()
  fun useFields() {
    first.save()
  }
  companion object {
    val EMPTY = Row()
    fun make() = Store()
  }
}
fun Row?.copy() {
  if (this != null) this.save()
}
class Code {
  val code: Int
    get() = 1
  fun code(value: Int): Code = this
  fun end() {}
}
"""


def calls(tmp_path: Path, body: str, before: str = "") -> set[str]:
    """What a function with a body calls of the store."""
    use = (
        f"package shop\n{before}\nfun use(store: Store, any: Any, rows: List<Row>) {{\n{body}\n}}\n"
    )
    code = read(write(tmp_path, {"Store.kt": STORE, "Use.kt": use}))
    start = "Use.kt::use CALLS "
    return {link.removeprefix(start) for link in code.links if link.startswith(start)}


@pytest.mark.parametrize(
    "body",
    [
        "store.row().save()",
        'store.self().open("x").row().save()',
        "store\n  .self()\n  .row()\n  .save()",
        "store.cached.save()",
        "store.factory.save()",
        "store.body.save()",
        "Store.make().row().save()",
        "Store.EMPTY.save()",
        "rows.forEach { row: Row -> row.save() }",
        "rows.forEach { it.save() }",
        "store.typed().let { it.save() }",
        "store.typed().let { row -> row.save() }",
        "store.typed().also { println() }.save()",
        "val row = store.typed()!!\nrow.save()",
        "val row = store.typed() ?: return\nrow.save()",
        "val row = any as Row\nrow.save()",
        "val row = store.factory\nrow.save()",
        "val copy = { row: Row -> row.save() }",
        "for (row in store.queue) row.save()",
        "val queue = ArrayDeque<Row>()\nfor (row in queue) row.save()",
        "try {\n  run()\n} catch (row: Row) {\n  row.save()\n}",
    ],
)
def test_the_type_of_a_value_is_known(tmp_path: Path, body: str) -> None:
    assert "Store.kt::Row.save" in calls(tmp_path, body)


@pytest.mark.parametrize(
    "body",
    [
        "store.size().save()",
        "rows.also { it.save() }",
        "store.typed().let { println() }\nit.save()",
    ],
)
def test_what_is_not_known_leads_nowhere(tmp_path: Path, body: str) -> None:
    assert "Store.kt::Row.save" not in calls(tmp_path, body)


def test_a_function_of_a_nullable_type_is_one_of_its_methods(tmp_path: Path) -> None:
    assert "Store.kt::Row.copy" in calls(tmp_path, "val row = Row()\nrow.copy()")


def test_a_property_beside_a_function_of_its_name_is_not_called(tmp_path: Path) -> None:
    assert "Store.kt::Code.end" in calls(tmp_path, "Code().code(3).end()")


def test_functions_that_give_what_each_other_gives_end(tmp_path: Path) -> None:
    ring = "fun first() = second()\nfun second() = first()\nfun third() = third().third()"

    assert calls(tmp_path, "first().save()\nthird().save()", ring) == {
        "Use.kt::first",
        "Use.kt::third",
    }


def test_a_chain_of_results_is_looked_up_once_each(tmp_path: Path) -> None:
    chain = "\n".join(f"fun f{number}() = f{number + 1}()" for number in range(25))
    chain += "\nfun f25() = Row()"

    assert "Store.kt::Row.save" in calls(tmp_path, "f0().save()", chain)


EXTENDING = """package shop
class StoreTest {
  fun Store.fetch(name: String): Row = row()
  fun String.shorten(): Row = Row()
  fun Store.twice() {
    fetch("a")
    this.self()
    helper()
  }
  fun helper() {}
  fun test(store: Store) {
    store.fetch("x").save()
    "text".shorten().save()
  }
}
"""


@pytest.mark.parametrize(
    "link",
    [
        "test CALLS Use.kt::StoreTest.fetch",
        "test CALLS Use.kt::StoreTest.shorten",
        "test CALLS Store.kt::Row.save",
        "fetch CALLS Store.kt::Store.row",
        "shorten CALLS Store.kt::Row",
        "twice CALLS Store.kt::Store.self",
        "twice CALLS Use.kt::StoreTest.helper",
    ],
)
def test_a_class_adds_functions_to_other_types(tmp_path: Path, link: str) -> None:
    code = read(write(tmp_path, {"Store.kt": STORE, "Use.kt": EXTENDING}))

    assert f"Use.kt::StoreTest.{link}" in code.links
