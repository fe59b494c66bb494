"""Methods of code that have no body, that share a name, and that override others."""

from pathlib import Path

import pytest

from code_folders import ReadCode, read, write

# A method without a body, and the comment above it, in each language that has such methods.
ABSTRACT = {
    "java": (
        "A.java",
        "interface Store {\n  /** Finds it. */\n  Row get(\n      int id);\n}\n",
        "Row get( int id)",
    ),
    "java, abstract": (
        "A.java",
        (
            "abstract class Store {\n  /** Finds it. */\n  @Nullable\n"
            "  protected abstract <T> Row get(T id) throws Lost;\n  void run() {}\n}\n"
        ),
        "protected abstract <T> Row get(T id) throws Lost",
    ),
    "kotlin": (
        "A.kt",
        "interface Store {\n  /** Finds it. */\n  fun get(id: Int): Row?\n  fun run() {}\n}\n",
        "fun get(id: Int): Row?",
    ),
    "kotlin, abstract": (
        "A.kt",
        "abstract class Store {\n  /** Finds it. */\n  abstract suspend fun get(id: Int)\n}\n",
        "abstract suspend fun get(id: Int)",
    ),
    "csharp": (
        "A.cs",
        "public interface Store {\n  /// Finds it.\n  [Pure]\n  Task<Row> get(int id);\n}\n",
        "Task<Row> get(int id)",
    ),
    "csharp, abstract": (
        "A.cs",
        "abstract class Store {\n  /// Finds it.\n  protected abstract Row get(int id);\n}\n",
        "protected abstract Row get(int id)",
    ),
    "swift": (
        "A.swift",
        (
            "protocol Store {\n  /// Finds it.\n  @discardableResult\n"
            "  func get(id: Int) throws -> Row?\n}\n"
        ),
        "func get(id: Int) throws -> Row?",
    ),
    "php": (
        "a.php",
        "<?php\ninterface Store {\n  /** Finds it. */\n  public function get(int $id): Row;\n}\n",
        "public function get(int $id): Row",
    ),
    "php, abstract": (
        "a.php",
        (
            "<?php\nabstract class Store {\n  /** Finds it. */\n  #[Pure]\n"
            "  abstract protected function get($id);\n}\n"
        ),
        "abstract protected function get($id)",
    ),
    "typescript": (
        "a.ts",
        "export interface Store {\n  /** Finds it. */\n  get(id: number): Promise<Row>;\n}\n",
        "get(id: number): Promise<Row>",
    ),
    "typescript, abstract": (
        "a.ts",
        "abstract class Store {\n  /** Finds it. */\n  abstract get(id: number): Row\n}\n",
        "abstract get(id: number): Row",
    ),
    "go": (
        "a.go",
        "package a\ntype Store interface {\n\t// Finds it.\n\tget(id int) (Row, error)\n}\n",
        "get(id int) (Row, error)",
    ),
    "rust": (
        "a.rs",
        "pub trait Store {\n    /// Finds it.\n    fn get(&self, id: u32) -> Row;\n}\n",
        "fn get(&self, id: u32) -> Row",
    ),
    "cpp": (
        "a.cpp",
        (
            "class Store {\n  // Finds it.\n  virtual Row* get(int id) const = 0;\n"
            "  virtual int count() const;\n};\n"
        ),
        "virtual Row* get(int id) const = 0",
    ),
}
# What calls the method of an interface through a parameter or a field.
CALLING = {
    "A.java": (
        "interface Store { void get(int id); }\n"
        "class Shop { Store store; void sell() { store.get(1); } }\n"
    ),
    "A.kt": (
        "interface Store { fun get(id: Int) }\n"
        "class Shop(val store: Store) {\n  fun sell() {\n    store.get(1)\n  }\n}\n"
    ),
    "A.cs": (
        "interface Store { void get(int id); }\n"
        "class Shop { readonly Store store; void sell() { store.get(1); } }\n"
    ),
    "A.swift": (
        "protocol Store { func get(_ id: Int) }\n"
        "class Shop {\n  let store: any Store\n  func sell() { store.get(1) }\n}\n"
    ),
    "a.php": (
        "<?php\ninterface Store { function get($id); }\n"
        "class Shop { private Store $store; function sell() { $this->store->get(1); } }\n"
    ),
    "a.ts": (
        "interface Store { get(id: number): void }\n"
        "class Shop { constructor(private store: Store) {} sell() { this.store.get(1) } }\n"
    ),
    "a.go": (
        "package a\ntype Store interface { get(id int) }\ntype Shop struct { store Store }\n"
        "func (shop *Shop) sell(store Store) { store.get(1) }\n"
    ),
    "a.rs": (
        "trait Store { fn get(&self, id: u32); }\nstruct Shop {}\n"
        "impl Shop { fn sell(&self, store: &dyn Store) { store.get(1); } }\n"
    ),
    "a.cpp": (
        "class Store { public: virtual void get(int id) = 0; };\n"
        "class Shop { void sell(Store* store) { store->get(1); } };\n"
    ),
}


def one_file(tmp_path: Path, file: str, source: str) -> ReadCode:
    return read(write(tmp_path, {file: source}))


def calls(found: ReadCode) -> dict[str, float]:
    """The ends of all calls but those of constructors, without files, and what each passes on."""
    ends = {
        relation.end.partition("::")[2]: relation.weight
        for relation in found.relations
        if relation.relation == "CALLS" and relation.weight is not None
    }
    return {end: weight for end, weight in ends.items() if not end.endswith(".constructor")}


# Without a body


@pytest.mark.parametrize(("file", "source", "signature"), ABSTRACT.values(), ids=ABSTRACT)
def test_a_method_without_a_body_is_a_symbol_with_its_comment(
    tmp_path: Path, file: str, source: str, signature: str
) -> None:
    code = one_file(tmp_path, file, source)

    separator = "::" if file in {"a.php", "a.rs", "a.cpp"} else "."
    method, store = f"{file}::Store{separator}get", code.entities[f"{file}::Store"]
    assert code.entities[method].kind == "Method"
    assert code.entities[method].title == signature
    assert "Finds it." in (code.entities[method].text or "")
    assert "get" in (code.entities[method].text or "")
    assert "Finds it." not in (store.text or "")
    assert signature in (store.text or "")
    assert "…" not in (store.text or "").split("get")[1].partition("\n")[0]
    assert f"{file}::Store CONTAINS {method}" in code.contains


@pytest.mark.parametrize(("file", "source"), CALLING.items(), ids=CALLING)
def test_a_call_leads_to_the_method_of_an_interface(tmp_path: Path, file: str, source: str) -> None:
    separator = "::" if file in {"a.php", "a.rs", "a.cpp"} else "."

    assert calls(one_file(tmp_path, file, source)) == {f"Store{separator}get": 1.0}


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("a.cpp", "class Store { virtual void get(); void put(int a = 0); Store() = default; };\n"),
        ("a.rs", 'extern "C" { fn get(); }\n'),
        ("a.ts", "type Store = { get(): void }\nclass Shop { get(): void; get(a?: any) {} }\n"),
        ("a.go", "package a\ntype Shop struct { store interface { get() } }\n"),
    ],
)
def test_what_only_declares_a_method_is_no_symbol(tmp_path: Path, file: str, source: str) -> None:
    code = one_file(tmp_path, file, source)

    kinds = [kind for kind, _, _, _ in code.symbols(file)]
    assert kinds.count("Method") == (1 if file == "a.ts" else 0)
    assert "Function" not in kinds


def test_a_type_keeps_its_name_beside_a_method_of_the_same_name(tmp_path: Path) -> None:
    source = "interface Route {\n  fun plan(): Plan\n  interface Plan\n}\n"
    code = one_file(tmp_path, "A.kt", source)

    assert code.entities["A.kt::Route.Plan"].kind == "Interface"
    assert code.entities["A.kt::Route.plan~2"].kind == "Method"


def test_what_a_class_of_cpp_leaves_to_others_and_has_itself_is_called_where_its_code_is(
    tmp_path: Path,
) -> None:
    files = {
        "db.h": "class DB { public: virtual void put(int a) = 0; };\n",
        "db.cpp": '#include "db.h"\nvoid DB::put(int a) { }\n',
        "a.cpp": '#include "db.h"\nvoid run(DB* db) { db->put(1); }\n',
    }

    assert "a.cpp::run CALLS db.cpp::DB::put" in read(write(tmp_path, files)).links


def test_the_only_method_with_a_body_is_meant_where_no_type_is_known(tmp_path: Path) -> None:
    source = (
        "interface Opens { openDoors(): void }\nclass Shop { openDoors() {} }\n"
        "export function run(x) { x.openDoors() }\n"
    )

    assert calls(one_file(tmp_path, "a.ts", source)) == {"Shop.openDoors": 0.5}


# Of one name


JAVA = "class A {{ void get() {{}} void get(int a) {{}} void get(int a, String... b) {{}} {} }}\n"
SWIFT = (
    "class A {{\n  func get() {{}}\n  func get(_ a: Int) {{}}\n  func get(at a: Int) {{}}\n"
    "  func get(at a: Int, b: Int = 3, then: (Int) -> Void) {{}}\n  {}\n}}\n"
)
KOTLIN = (
    "class A {{\n  fun get() {{}}\n  fun get(a: Int, b: () -> Unit) {{}}\n"
    "  fun get(a: Int, b: Int = 1, c: String) {{}}\n  fun get(a: Int, b: Int, c: Int, vararg d: A)"
    " {{}}\n  {}\n}}\n"
)
CSHARP = (
    "class A {{ void get() {{}} void get(int a, int b = 1) {{}}"
    " void get(int a, int b, int c, params int[] d) {{}} {} }}\n"
)
CPP = (
    "class A {{ void get(void) {{}} void get(int a, int b = 1) {{}}"
    " void get(int a, int b, int c, ...) {{}} {} }};\n"
)


@pytest.mark.parametrize(
    ("file", "source", "call", "ends"),
    [
        ("A.java", JAVA, "void run() { get(); }", ["A.get"]),
        ("A.java", JAVA, "void run() { this.get(1, null); }", ["A.get~3"]),
        ("A.java", JAVA, "void run() { get(1, null, /* no */ null); }", ["A.get~3"]),
        ("A.java", JAVA, "void run(A a) { a.get(1); }", ["A.get~2", "A.get~3"]),
        ("A.swift", SWIFT, "func run() { get() }", ["A.get"]),
        ("A.swift", SWIFT, "func run() { get(1) }", ["A.get~2"]),
        ("A.swift", SWIFT, "func run() { get(at: 1) }", ["A.get~3"]),
        ("A.swift", SWIFT, "func run() { get(at: 1) { _ in } }", ["A.get~4"]),
        ("A.swift", SWIFT, "func run() { get(at: 1, then: walk) }", ["A.get~4"]),
        ("A.swift", SWIFT, "func run(get: () -> Void) { get() }", []),
        ("A.swift", SWIFT, "func run() { func get() {}\n get() }", []),
        ("A.kt", KOTLIN, "fun run() { get() }", ["A.get"]),
        ("A.kt", KOTLIN, "fun run() { get(1) { } }", ["A.get~2", "A.get~3"]),
        ("A.kt", KOTLIN, "fun run() { this.get(1, 2, 3, this) }", ["A.get~4"]),
        ("A.kt", KOTLIN, "fun run() { get(x, y, z) }", ["A.get~3", "A.get~4"]),
        ("A.kt", KOTLIN, "fun run() { get(1, 2, 3) }", ["A.get~4"]),
        ("A.cs", CSHARP, "void run() { get(); }", ["A.get"]),
        ("A.cs", CSHARP, "void run(A a) { a.get(1); }", ["A.get~2"]),
        ("A.cs", CSHARP, "void run(A a) { a?.get(b: 1, a: 2); }", ["A.get~2"]),
        ("A.cs", CSHARP, "void run() { this.get(1, 2, 3, 4); }", ["A.get~3"]),
        ("a.cpp", CPP, "void run() { get(); }", ["A::get"]),
        ("a.cpp", CPP, "void run(A* a) { a->get(1); }", ["A::get~2"]),
        ("a.cpp", CPP, "void run() { A::get(1, 2, 3, 4); }", ["A::get~3"]),
        ("A.java", JAVA, "void run() { get(1, 2, 3); }", ["A.get~3"]),
    ],
)
def test_the_number_of_arguments_tells_overloads_apart(
    tmp_path: Path, file: str, source: str, call: str, ends: list[str]
) -> None:
    weight = 1.0 if len(ends) == 1 else 0.5

    assert calls(one_file(tmp_path, file, source.format(call))) == dict.fromkeys(ends, weight)


def test_the_object_of_an_extension_is_no_argument_where_it_is_called_as_a_method(
    tmp_path: Path,
) -> None:
    source = (
        "static class A { static void get(this int a) {} static void get(this int a, int b) {}\n"
        " static void get(int a, int b, int c) {} static void run() { A.get(1, 2); } }\n"
    )

    # The second has two arguments, or one after its object.
    assert calls(one_file(tmp_path, "A.cs", source)) == {"A.get~2": 1.0}


def test_an_overload_calls_another_one(tmp_path: Path) -> None:
    source = (
        "class A { void get() { get(1); } void get(int a) { get(a, 2); }"
        " void get(int a, int b) {} }\n"
    )
    code = one_file(tmp_path, "A.java", source)

    assert code.links == {
        "A.java::A.get CALLS A.java::A.get~2", "A.java::A.get~2 CALLS A.java::A.get~3",
    }  # fmt: skip


def test_of_more_than_three_that_fit_none_is_called(tmp_path: Path) -> None:
    types = ["int", "long", "char", "String"]
    methods = " ".join(f"void get({one} a) {{}}" for one in types)
    source = f"class A {{ {methods} void run() {{ get(x); }} }}"

    assert calls(one_file(tmp_path / "four", "A.java", source)) == {}
    three = source.replace("void get(long a) {}", "")
    assert set(calls(one_file(tmp_path / "three", "A.java", three)).values()) == {0.5}


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("a.py", "if x:\n    def two(): ...\nelse:\n    def two(a): ...\ndef run(): two()\n"),
        ("a.php", "<?php if (X) { function two() {} } else { function two() {} } two();"),
        ("a.rs", "#[cfg(a)]\nfn two() {}\n#[cfg(b)]\nfn two() {}\nfn run() { two() }\n"),
        ("a.c", "#ifdef A\nint two() {}\n#else\nint two() {}\n#endif\nint run() { two(); }\n"),
    ],
)
def test_each_function_that_may_be_the_one_of_the_name_is_called(
    tmp_path: Path, file: str, source: str
) -> None:
    assert calls(one_file(tmp_path, file, source)) == {"two": 0.5, "two~2": 0.5}


def test_a_method_that_lets_another_object_do_its_work_is_meant_by_its_own_arguments(
    tmp_path: Path,
) -> None:
    source = (
        "class A { void get(int a) {} }\nclass B extends A { void get(int a, int b) {}"
        " void run() { get(1); get(1, 2); get(1, 2, 3); } }\n"
    )

    # The nearest type that has such a method is meant, and no method that takes other arguments.
    assert calls(one_file(tmp_path, "A.java", source)) == {"A.get": 1.0, "B.get": 1.0}


def test_values_that_only_a_declaration_says_may_be_left_out_in_cpp(tmp_path: Path) -> None:
    files = {
        "a.h": "class A { public: void get(int a, int b = 1); };\n",
        "a.cpp": '#include "a.h"\nvoid A::get(int a, int b) {}\nvoid run(A* a) { a->get(1); }\n',
    }

    assert "a.cpp::run CALLS a.cpp::A::get" in read(write(tmp_path, files)).links


def test_a_private_overload_is_not_called_from_another_file(tmp_path: Path) -> None:
    files = {
        "A.java": "class A { private void get(int a) {} void get(String a) {} }\n",
        "B.java": "class B { void run(A a) { a.get(x); } }\n",
    }
    code = read(write(tmp_path, files))

    assert calls(code) == {"A.get~2": 1.0}


def test_a_property_of_kotlin_is_no_overload(tmp_path: Path) -> None:
    source = (
        "class A {\n  val rows: Int\n    get() = 1\n  fun rows(a: Int) {}\n"
        "  fun run() { rows(1) }\n}\n"
    )

    assert calls(one_file(tmp_path, "A.kt", source)) == {"A.rows~2": 1.0}


def test_a_member_of_kotlin_goes_before_what_is_added_to_its_type(tmp_path: Path) -> None:
    files = {
        "a/A.kt": "package a\ninterface A {\n  fun get(a: Int)\n}\n",
        "a/B.kt": (
            "package a\nfun A.get(a: Int) {}\nfun A.get(a: Int, b: Int) {}\n"
            "fun run(a: A) {\n  a.get(1)\n}\nfun twice(a: A) {\n  a.get(1, 2)\n}\n"
        ),
    }
    called = {link for link in read(write(tmp_path, files)).links if "CALLS" in link}

    assert called == {"a/B.kt::run CALLS a/A.kt::A.get", "a/B.kt::twice CALLS a/B.kt::A.get~2"}


@pytest.mark.parametrize(
    ("file", "source", "symbols"),
    [
        (
            "A.java",
            (
                "enum A {\n  ONE { int get() { return 1; } }, TWO;\n  int get() { return 2; }\n"
                "  int run() { return get(); }\n}\n"
            ),
            {"A", "A.ONE.get", "A.get", "A.run"},
        ),
        (
            "A.java",
            (
                "class A {\n  static X x = new X() { int get() { return 1; } };\n"
                "  Y y = of(new X() { int get() { return 1; } });\n  int get() { return 2; }\n"
                "  int run() { return get(); }\n}\n"
            ),
            {"A", "A.x.get", "A.get", "A.run"},
        ),
        (
            "A.kt",
            (
                "class A {\n  val x = object : X {\n    override fun get() = 1\n  }\n"
                "  val y = of(\n    object : X {\n      override fun get() = 1\n    }\n  )\n"
                "  fun get() = 2\n  fun run() = get()\n}\n"
            ),
            {"A", "A.x.get", "A.get", "A.run"},
        ),
    ],
)
def test_what_an_object_without_a_class_of_its_own_has_is_no_member_of_the_class_around(
    tmp_path: Path, file: str, source: str, symbols: set[str]
) -> None:
    code = one_file(tmp_path, file, source)

    assert {symbol for _, symbol, _, _ in code.symbols(file)} == symbols
    assert calls(code) == {"A.get": 1.0}


def test_the_ways_in_which_an_interface_declares_a_method_are_one_symbol(tmp_path: Path) -> None:
    source = (
        "interface A {\n  get(a: string): Row\n  get(a: string, b: number): Row\n}\n"
        "class B implements A { get(a: any, b?: any) {} }\nfunction run(a: A) { a.get('x') }\n"
    )
    code = one_file(tmp_path, "a.ts", source)

    assert code.links == {
        "a.ts::B INHERITS a.ts::A", "a.ts::B.get OVERRIDES a.ts::A.get",
        "a.ts::run CALLS a.ts::A.get",
    }  # fmt: skip
    assert "get(a: string, b: number): Row" in (code.entities["a.ts::A"].text or "")


TYPES = (
    "class A {{ X field; void get(String a) {{}} void get(Class<T> a) {{}} void get(X a) {{}}"
    " void get(int a) {{}} void get(boolean a) {{}} void get(java.util.List<X> a) {{}} {} }}\n"
)


@pytest.mark.parametrize(
    ("call", "end"),
    [
        ('get("a");', "A.get"),
        ("get(X.class);", "A.get~2"),
        ("get(new X<Y>());", "A.get~3"),
        ("get(field);", "A.get~3"),
        ("String field = y; get(field);", "A.get"),
        ("get((String) y);", "A.get"),
        ("get(1);", "A.get~4"),
        ("get(true);", "A.get~5"),
        ("List<Y> rows = y; get(rows);", "A.get~6"),
    ],
)
def test_the_types_of_arguments_tell_overloads_apart(tmp_path: Path, call: str, end: str) -> None:
    code = one_file(tmp_path, "A.java", TYPES.format(f"void run() {{ {call} }}"))

    assert calls(code) == {end: 1.0}


@pytest.mark.parametrize("argument", ["y", "null", "of(1)", "1.5", "new Z()", "this"])
def test_of_six_overloads_none_is_called_with_what_has_no_known_type(
    tmp_path: Path, argument: str
) -> None:
    code = one_file(tmp_path, "A.java", TYPES.format(f"void run() {{ get({argument}); }}"))

    assert calls(code) == {}


@pytest.mark.parametrize(
    ("file", "source"),
    [
        (
            "A.kt",
            (
                "class A {\n  fun get(a: String, b: Int) {}\n  fun get(a: Class<X>, b: Int) {}\n"
                '  fun one() { get("x", 1) }\n  fun two() { get(X::class.java, 1) }\n}\n'
            ),
        ),
        (
            "A.cs",
            (
                "class A { void get(string a, int b) {} void get(Type a, int b) {}\n"
                '  void one() { get($"{x}", 1); } void two() { get(typeof(X), 1); } }\n'
            ),
        ),
    ],
)
def test_each_language_writes_types_in_its_own_way(tmp_path: Path, file: str, source: str) -> None:
    called = {link for link in one_file(tmp_path, file, source).links if "CALLS" in link}

    assert called == {f"{file}::A.one CALLS {file}::A.get", f"{file}::A.two CALLS {file}::A.get~2"}


def test_an_argument_of_no_known_type_leaves_a_doubt(tmp_path: Path) -> None:
    source = (
        "class A { void get(String a, X b) {} void get(Class<X> a, X b) {}"
        ' void run() { get("a", y); } }\n'
    )

    assert calls(one_file(tmp_path, "A.java", source)) == {"A.get": 0.5}


def test_an_array_is_told_from_what_it_holds_by_nothing(tmp_path: Path) -> None:
    source = (
        "class A { void get(X a) {} void get(X[] a) {} void run(X[] all, X one) {"
        " get(all); get(one); } }\n"
    )

    assert calls(one_file(tmp_path, "A.java", source)) == {"A.get": 0.5, "A.get~2": 0.5}


def test_the_name_of_an_argument_says_which_one_it_is(tmp_path: Path) -> None:
    source = (
        "class A { void get(string a, int b) {} void get(int a, string b) {}"
        ' void run() { get(b: "x", a: 1); } }\n'
    )

    assert calls(one_file(tmp_path, "A.cs", source)) == {"A.get": 0.5, "A.get~2": 0.5}


def test_an_annotation_in_an_annotation_is_no_part_of_a_signature(tmp_path: Path) -> None:
    source = (
        'class A {\n  @Old(by = To("get(x)", of = [To("b")]))\n  @B\n'
        "  private fun get(a: Int) {}\n}\n"
    )
    code = one_file(tmp_path, "A.kt", source)

    assert code.entities["A.kt::A.get"].title == "private fun get(a: Int)"


def test_functions_of_two_programs_are_no_overloads(tmp_path: Path) -> None:
    files = {
        "a.c": "int two(int a) {}\n", "b.c": "int two(int a) {}\n", "c.c": "int run() { two(1); }\n"
    }  # fmt: skip

    assert not read(write(tmp_path, files)).links


def test_a_type_and_a_function_of_a_name_are_no_overloads(tmp_path: Path) -> None:
    source = "if x:\n    class two: ...\nelse:\n    def two(): ...\ndef run(): two()\n"

    assert not one_file(tmp_path, "a.py", source).links


# Overriding


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("a.py", "class A:\n  def run(self): ...\nclass B(A):\n  def run(self): ...\n"),
        ("a.js", "class A { run() {} }\nclass B extends A { run() {} }\n"),
        ("a.ts", "interface A { run(): void }\nclass B implements A { run(): void {} }\n"),
        ("A.java", "interface A { void run(); }\nclass B implements A { public void run() {} }\n"),
        ("A.kt", "interface A { fun run() }\nclass B : A {\n  override fun run() {}\n}\n"),
        ("A.cs", "interface A { void run(); }\nclass B : A { public void run() {} }\n"),
        ("A.swift", "protocol A { func run() }\nextension B: A { func run() {} }\nclass B {}\n"),
        (
            "a.php",
            "<?php interface A { function run(); } class B implements A { function run() {} }\n",
        ),
        ("a.rb", "class A\n  def run; end\nend\nclass B < A\n  def run; end\nend\n"),
        ("a.rs", "trait A { fn run(&self); }\nstruct B {}\nimpl A for B { fn run(&self) {} }\n"),
        (
            "a.cpp",
            "class A { virtual void run() = 0; };\nclass B : A { void run() override {} };\n",
        ),
    ],
)
def test_a_method_overrides_that_of_its_base(tmp_path: Path, file: str, source: str) -> None:
    code = one_file(tmp_path, file, source)

    separator = "::" if file in {"a.php", "a.rb", "a.rs", "a.cpp"} else "."
    overriding = f"{file}::B{separator}run OVERRIDES {file}::A{separator}run"
    assert code.links == {overriding, f"{file}::B INHERITS {file}::A"}
    assert {relation.weight for relation in code.relations if relation.relation == "OVERRIDES"} == {
        0.5
    }


@pytest.mark.parametrize(
    ("source", "ends"),
    [
        ("class B extends A { void get(int a) {} }", {"A.get~2"}),
        ("class B extends A { void get(int a, int b) {} }", set()),
        ("class B { void get(int a) {} }", set()),
        ("class B extends A { class C { void get(int a) {} } }", set()),
        ("class B extends A { void own() {} }", set()),
        ("class M extends A {} class B extends M { void get() {} }", {"A.get"}),
        ("class B extends A implements I { void put() {} }", {"A.put", "I.put"}),
        ("class B extends A { B() {} }", set()),
        ("class B extends A { private void put() {} static void get() {} }", set()),
        (
            "class M extends A { void get(int a, int b) {} } class B extends M { void get() {} }",
            {"A.get"},
        ),
        (
            "interface J extends I {} class B extends A implements I, J { void put() {} }",
            {"A.put", "I.put"},
        ),
        ("class B extends A { void set(String a) {} void set(int a) {} }", {"A.set", "A.set~2"}),
        ("class B extends A { void set(Object a) {} }", set()),
    ],
)
def test_what_a_method_overrides(tmp_path: Path, source: str, ends: set[str]) -> None:
    base = (
        "class A { A() {} void get() {} void get(int a) {} void put() {} private void own() {}\n"
        "  void set(int a) {} void set(java.lang.String a) {} }\n"
        "interface I { void put(); }\n"
    )
    code = one_file(tmp_path, "A.java", base + source)

    overridden = {relation.end for relation in code.relations if relation.relation == "OVERRIDES"}
    assert overridden == {f"A.java::{end}" for end in ends}


@pytest.mark.parametrize(
    ("file", "source", "overriding"),
    [
        (
            "a.rs",
            (
                "trait A { fn get(&self); }\nstruct S;\nimpl A for S { fn get(&self) {} }\n"
                "impl other::A for S { fn get(&self) {} }\nimpl S { fn get(&self) {} }\n"
            ),
            {"S::get"},
        ),
        (
            "A.kt",
            (
                "open class A {\n  open fun get() {}\n  fun put() {}\n}\nclass B : A() {\n"
                "  override fun get() {}\n  fun put() {}\n}\n"
            ),
            {"B.get"},
        ),
        (
            "A.cs",
            (
                "class A { public virtual void get() { } public void put() { } }\n"
                "interface I { void put(); }\n"
                "class B : A, I { public override void get() { } public void put() { } }\n"
            ),
            {"B.get", "B.put"},
        ),
        (
            "a.php",
            (
                "<?php class A { function initialize() {} private function own() {} }\n"
                "class B extends A { function initialize() {} private function own() {} }\n"
            ),
            {"B::initialize"},
        ),
    ],
)
def test_only_what_a_language_takes_for_overriding_is(
    tmp_path: Path, file: str, source: str, overriding: set[str]
) -> None:
    code = one_file(tmp_path, file, source)

    links = [relation for relation in code.relations if relation.relation == "OVERRIDES"]
    assert {link.start.partition("::")[2] for link in links} == overriding
    assert len(links) == len(overriding)


def test_go_calls_an_embedded_field_by_the_name_of_its_type(tmp_path: Path) -> None:
    source = (
        "package a\ntype Conn interface { Close() }\ntype Alias = Conn\n"
        "type wrapper struct { Conn; *other }\ntype other struct{}\nfunc (o *other) Run() {}\n"
        "func (w *wrapper) a() { w.Conn.Close() }\nfunc (w *wrapper) b() { w.other.Run() }\n"
        "func c(conn Alias) { conn.Close() }\n"
    )
    called = {link for link in one_file(tmp_path, "a.go", source).links if "CALLS" in link}

    assert called == {
        "a.go::wrapper.a CALLS a.go::Conn.Close", "a.go::wrapper.b CALLS a.go::other.Run",
        "a.go::c CALLS a.go::Conn.Close",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("a.py", "class A:\n  def __init__(self): ...\nclass B(A):\n  def __init__(self): ...\n"),
        ("a.ts", "class A { constructor() {} }\nclass B extends A { constructor() {} }\n"),
        ("a.rb", "class A\n  def self.run; end\nend\nclass B < A\n  def self.run; end\nend\n"),
        ("a.py", "class A(B):\n  def run(self): ...\nclass B(A):\n  def walk(self): ...\n"),
    ],
)
def test_constructors_and_methods_of_types_override_nothing(
    tmp_path: Path, file: str, source: str
) -> None:
    assert not [link for link in one_file(tmp_path, file, source).links if "OVERRIDES" in link]
