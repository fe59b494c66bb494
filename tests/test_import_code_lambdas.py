"""The parameters of lambdas, whose types the functions say that the lambdas are given to."""

from pathlib import Path

import pytest

from code_folders import read, write

KOTLIN = """package shop
fun interface Handler {
  fun handle(row: Row)
}
fun interface Generic<in T, R : Any> {
  fun apply(value: T, count: Int): R
}
interface Wide {
  fun first(row: Row)
  fun second(row: Row)
}
class Row {
  fun save() = this
  fun close() {}
}
class Other {
  fun save() {}
}
typealias Block = (Row) -> Unit
class Store(val row: Row) {
  fun self() = this
  fun each(run: (Row) -> Unit) = this
  fun each(name: String, run: (Row) -> Unit) = this
  fun several(run: ((Row, other: Other) -> Unit)?) {}
  fun handled(path: String, handler: Handler) {}
  fun handled(path: String, handler: Handler, vararg roles: String) {}
  fun generic(run: Generic<Row, String>) {}
  fun wide(run: Wide) {}
  fun aliased(run: Block) {}
  suspend fun later(run: suspend () -> Unit) {}
  fun receiving(run: Store.(Row) -> Unit) {}
  fun either(run: (Row) -> Unit) {}
  fun either(count: Int = 1, run: (Other) -> Unit) {}
}
"""
JAVA = """package shop;
import java.util.Comparator;
import java.util.function.BiFunction;
import java.util.function.Consumer;
class Row { void save() {} }
interface Handler { void handle(Row row) throws Exception; default void other(Row row) {} }
interface Generic<T> extends Consumer<T> { void acceptAll(T value); }
class Store {
  Store(Handler handler) {}
  void handled(Handler handler) {}
  void generic(String name, Generic<Row> run) {}
  void consumed(Consumer<? super Row> run) {}
  void joined(BiFunction<Row, Integer, String> run) {}
  void compared(Comparator<Row> order) {}
}
"""
CSHARP = """namespace Shop;
public delegate void Handler(Row row, Dictionary<string, int> counts);
public class Row { public void Save() {} }
public class Store {
  public Store(Action<Row> run) {}
  public void Each(Action<Row> run) {}
  public void Handled(Handler run) {}
  public static void Joined(string name, Func<Row, int, string> run) {}
}
"""
SWIFT = """public class Row {
    func save() -> Row { return self }
}
public typealias Block = (Row) -> Void
public class Store {
    private var handler: Int { 3 }
    func handler(_ run: @escaping @Sendable (inout Row) async throws -> String) {}
    func each(name: String, run: (Row, Int) -> Void) {}
    func aliased(_ run: Block) {}
}
"""
TYPESCRIPT = """export class Row { save() {} }
export type Handler = (row: Row, count: number) => void;
export class Store {
  constructor(handler: Handler) {}
  each(run: (row: Row) => Promise<void>) {}
  optional(run?: (row: Row) => void) {}
  handled(handler: Handler) {}
  field = (run: (row: Row) => void) => {};
  overloaded(run: (row: Row) => void): void;
  overloaded(count: number, run: (row: Row) => void): void;
  overloaded(first: unknown, second?: unknown) {}
}
export const once = (handler: Handler) => {};
export function overloaded(run: (row: Row) => void): void;
export function overloaded(first: unknown) {}
"""


STORES = {"kt": KOTLIN, "java": JAVA, "cs": CSHARP, "swift": SWIFT, "ts": TYPESCRIPT}
USES = {
    "kt": "package shop\nfun use(store: Store, row: Other) {{\n{body}\n}}\n",
    "java": "package shop;\nclass Use {{ void use(Store store, Object row) {{ {body} }} }}\n",
    "cs": "namespace Shop;\nclass Use {{ void use(Store store, object row) {{ {body} }} }}\n",
    "swift": "func use(store: Store, row: Int) {{\n{body}\n}}\n",
    "ts": (
        'import {{ Store, once, overloaded }} from "./Store";\n'
        "export function use(store: Store, row: any) {{ {body} }}\n"
    ),
}


def calls(tmp_path: Path, suffix: str, body: str) -> set[str]:
    """What a function with a body calls of the store."""
    use = USES[suffix].format(body=body)
    code = read(write(tmp_path, {f"Store.{suffix}": STORES[suffix], f"Use.{suffix}": use}))
    start = f"Use.{suffix}::{'Use.' if suffix in {'java', 'cs'} else ''}use CALLS Store.{suffix}::"
    return {link.removeprefix(start) for link in code.links if link.startswith(start)}


@pytest.mark.parametrize(
    "body",
    [
        "store.each { it.save() }",
        "store.each { row -> row.save() }",
        "store.each({ row -> row.save() })",
        'store.each("a") { row ->\n  println()\n  row.save()\n}',
        "store.self().each { it.close() }.each { row -> row.save() }",
        "store.several { row, other -> row.save() }",
        'store.handled("/", { it.save() })',
        'store.handled("/") { row -> row.save() }',
        "Handler { row -> row.save() }",
        "store.generic { row, count -> row.save() }",
        "store.aliased { it.save() }",
        "store.receiving { row -> row.save() }",
        "store.each { store.later { it.save() } }",
        "store.each { row -> store.each { row.save() } }",
        "store.each { store.row.let { it.save() } }",
    ],
)
def test_a_lambda_of_kotlin_is_called_with_what_its_function_says(
    tmp_path: Path, body: str
) -> None:
    assert "Row.save" in calls(tmp_path, "kt", body)


@pytest.mark.parametrize(
    "body",
    [
        "store.handled(row -> row.save());",
        "store.handled((row) -> { row.save(); });",
        'store.generic("a", row -> row.save());',
        "store.consumed(row -> row.save());",
        "store.joined((row, count) -> { row.save(); return null; });",
        "store.compared((other, row) -> { row.save(); return 1; });",
        "new Store(row -> row.save());",
    ],
)
def test_a_lambda_of_java_is_called_with_what_its_function_says(tmp_path: Path, body: str) -> None:
    assert "Row.save" in calls(tmp_path, "java", body)


@pytest.mark.parametrize(
    ("suffix", "body"),
    [
        ("cs", "store.Each(row => row.Save());"),
        ("cs", "store.Each(async (row) => { row.Save(); });"),
        ("cs", 'Store.Joined("a", (row, count) => { row.Save(); return ""; });'),
        ("cs", "new Store(row => row.Save());"),
        ("cs", "store.Handled((row, counts) => row.Save());"),
        ("swift", "store.handler { row in row.save() }"),
        ("swift", "store.handler({ [weak self] row -> String in row.save() })"),
        ("swift", "store.handler { $0.save() }"),
        ("swift", 'store.each(name: "a", run: { row, count in row.save() })'),
        ("swift", 'store.each(name: "a") { $0.save(); print($1) }'),
        ("swift", "store.aliased { row in row.save() }"),
        ("ts", "store.each(async (row) => row.save());"),
        ("ts", "store.each(row => { row.save(); });"),
        ("ts", "store.each(function (row) { row.save(); });"),
        ("ts", "store.optional((row) => row.save());"),
        ("ts", "store.handled((row, count) => row.save());"),
        ("ts", "store.field((row) => row.save());"),
        ("ts", "once((row, count) => row.save());"),
        ("ts", "store.overloaded((row) => row.save());"),
        ("ts", "store.overloaded(3, (row) => row.save());"),
        ("ts", "overloaded(row => row.save());"),
        ("ts", "new Store((row, count) => row.save());"),
    ],
)
def test_a_lambda_is_called_with_what_its_function_says(
    tmp_path: Path, suffix: str, body: str
) -> None:
    assert calls(tmp_path, suffix, body) & {"Row.Save", "Row.save"}


@pytest.mark.parametrize(
    ("suffix", "body"),
    [
        ("kt", "store.each { row, other -> row.save() }"),
        ("kt", "store.either { row -> row.save() }"),
        ("kt", "store.wide { row -> row.save() }"),
        ("kt", "store.several { other, row -> other.close(); row.close() }"),
        ("kt", "store.several(run = { row, count -> unknown(row).save() })"),
        ("java", "unknown(row -> row.save());"),
        ("java", "store.generic(row -> row.save());"),
        ("cs", "store.Each((row, other) => row.Save());"),
        ("swift", "unknown { row in row.save() }"),
        ("ts", "unknown((row) => row.save());"),
        ("ts", "store.handled((count) => row.save());"),
    ],
)
def test_what_a_lambda_is_called_with_is_not_guessed(
    tmp_path: Path, suffix: str, body: str
) -> None:
    assert not calls(tmp_path, suffix, body) & {"Row.save", "Row.Save", "Other.save"}
