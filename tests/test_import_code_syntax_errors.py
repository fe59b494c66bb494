"""Importing code that its grammar does not understand as it stands."""

from pathlib import Path

import pytest

from code_folders import links, read, write


def symbols(path: Path, file: str) -> list[str]:
    """The names of what a file defines, in turn."""
    return [name for _, name, _, _ in read(path).symbols(file)]


@pytest.mark.parametrize(
    "body",
    [
        "\n#ifdef FAST\n  if (a) {\n#else\n  if (a > 1) {\n#endif\n    row(a);\n  }\n",
        "  if (a)\n#ifdef FAST\n    row(a);\n#else\n    row(a + 1);\n#endif\n",
        "  int b = a +\n#ifdef FAST\n    1;\n#else\n    row(a);\n#endif\n",
        "  if (a\n#ifdef FAST\n      && a > 1\n#endif\n  ) row(a);\n",
        "retry:\n#ifdef FAST\n  a = 1;\n#endif\n  row(a);\n",
        "  int b[] = { 1, 2\n#if FAST\n    , 3\n#endif\n  };\n  row(b[0]);\n",
        "  switch (a) {\n  case 1:\n#ifdef FAST\n    a = 2;\n#endif\n    row(a);\n  }\n",
        '  log_text("a"\n#ifdef FAST /* \'{\' */\n    "b("\n#endif\n  ); // {\n  row(a);\n',
    ],
    ids=["head", "branch", "expression", "condition", "label", "list", "case", "text"],
)
def test_a_conditional_inside_of_a_statement_hides_nothing(tmp_path: Path, body: str) -> None:
    source = (
        "#ifdef ROWS\nstatic int row(int a) { return a; }\n"
        f"int find(int a) {{\n{body}  return 0;\n}}\n"
        "int last(void) { return find(1); }\n#endif\n"
    )

    assert links(tmp_path, {"a.c": source}) == {
        "a.c::find CALLS a.c::row",
        "a.c::last CALLS a.c::find",
    }
    assert symbols(tmp_path, "a.c") == ["row", "find", "last"]


def test_of_the_heads_of_a_function_the_one_for_most_systems_is_read(tmp_path: Path) -> None:
    source = (
        "#ifdef WIN32\nint wide_main(int argc, wchar_t **argv) {\n  int rows = argc;\n#else\n"
        "int main(int argc, char **argv) {\n#endif\n  return 0;\n}\n"
        "static\n#ifdef FAST\nint find_fast(int a)\n#else\nint find(int a)\n#endif\n{ return 1; }\n"
    )
    (tmp_path / "a.c").write_text(source)

    entities = read(tmp_path).entities
    assert symbols(tmp_path, "a.c") == ["main", "find_fast"]
    assert entities["a.c::find_fast"].title == "static int find_fast(int a)"


def test_whole_branches_are_all_read(tmp_path: Path) -> None:
    source = (
        "#ifdef FAST\nint find(int a) { return 1; }\n#else\nint find(int a) { return 2; }\n"
        "int row(int a) { return 3; }\n#endif\n"
        "class Store {\n public:\n#ifdef FAST\n  int size() { return 1; }\n#else\n"
        "  int length() { return 1; }\n#endif\n};\n"
        "int last(int a) {\n  return a\n#ifdef FAST\n + 1\n#endif\n;\n}\n"
    )
    (tmp_path / "a.cpp").write_text(source)

    assert symbols(tmp_path, "a.cpp") == [
        "find", "find", "row", "Store", "Store::size", "Store::length", "last",
    ]  # fmt: skip


def test_macros_in_the_heads_of_functions_hide_nothing(tmp_path: Path) -> None:
    source = (
        "namespace geo {\n"
        "GEO_API void side(int a);\n"
        'GEO_INLINE std::vector<std::pair<int, int>> sides(int a) { return side_of("a"); }\n'
        "GEO_DEPRECATED(1) GEO_INLINE const char *name() GEO_NOEXCEPT { return 0; }\n"
        "static GEO_INLINE int area(int a) GEO_FORMAT(1, 2) { return 1; }\n"
        "int GEO_CALL width(int a) { return 1; }\n"
        "GEO_INLINE Shape::Shape(int a) : a_(a) { area(a); }\n"
        "GEO_INLINE Shape &Shape::operator=(const Shape &shape) GEO_NOEXCEPT { return *this; }\n"
        "template <typename T>\nGEO_INLINE void Box<T>::fill(int a) { area(a); }\n"
        "GEO_EXPORT template <typename T> class Box {\n"
        "  GEO_CONSTEXPR explicit Box(T value) : value_(value) {}\n"
        "  GEO_INLINE ~Box() { width(1); }\n"
        "  template <typename U, GEO_ENABLE_IF(!is_flat<U>())> int turn(U angle) {\n"
        "    GEO_TRY { if GEO_CONSTEXPR (is_flat<T>()) area(1); }\n    GEO_CATCH_ALL\n  }\n};\n}\n"
    )
    found = links(tmp_path, {"a.cpp": source})

    assert {link for link in found if "OVERRIDES" not in link} == {
        "a.cpp::geo::Shape::Shape CALLS a.cpp::geo::area",
        "a.cpp::geo::Box::fill CALLS a.cpp::geo::area",
        "a.cpp::geo::Box CALLS a.cpp::geo::Box::Box",
        "a.cpp::geo::Box::~Box CALLS a.cpp::geo::width",
        "a.cpp::geo::Box::turn CALLS a.cpp::geo::area",
    }
    assert symbols(tmp_path, "a.cpp") == [
        "geo::sides", "geo::name", "geo::area", "geo::width", "geo::Shape::Shape",
        "geo::Shape::operator=", "geo::Box::fill", "geo::Box", "geo::Box::Box", "geo::Box::~Box",
        "geo::Box::turn",
    ]  # fmt: skip
    assert read(tmp_path).entities["a.cpp::geo::area"].title == (
        "static GEO_INLINE int area(int a) GEO_FORMAT(1, 2)"
    )


def test_a_comment_in_a_macro_and_a_header_in_a_condition_hide_nothing(tmp_path: Path) -> None:
    source = (
        "#if __has_include(<version.h>)\n#include <version.h>\n#endif\n"
        "#define less(n) \\\n  do { \\\n    /* Less than `n`. */ \\\n    row(n); { \\\n"
        "  } while (0)\n"
        "#define wraps(s) (/* never */ 1)\n"
        "#define ROWS 3  /* At most. */\n"
        "BOOL WINAPI find(int a) { return row(a); }\nint row(int a) { return a; }\n"
    )

    assert links(tmp_path, {"a.c": source}) == {"a.c::find CALLS a.c::row"}
    assert symbols(tmp_path, "a.c") == ["less", "wraps", "find", "row", "ROWS"]


def test_what_several_macros_of_a_name_are_called_by(tmp_path: Path) -> None:
    files = {
        "log.h": "#ifdef FAST\n#define LOG(x)\n#else\n#define LOG(x) write(x)\n#endif\n",
        "a.c": (
            '#include "log.h"\n#define free(x) release(x)\nint find(int a) { LOG(a); free(a); }\n'
        ),
        "b.c": '#include "log.h"\nint last(int a) { free(a); }\n',
    }

    assert links(tmp_path, files) == {
        "a.c IMPORTS log.h",
        "b.c IMPORTS log.h",
        "a.c::find CALLS log.h::LOG",
        "a.c::find CALLS log.h::LOG~2",
        "a.c::find CALLS a.c::free",
    }


def test_a_conditional_inside_of_an_expression_of_csharp_hides_nothing(tmp_path: Path) -> None:
    source = (
        "class Keys {\n"
        "    public string First() =>\n#if NET6_0_OR_GREATER\n        Row()[..3];\n#else\n"
        "        Row().Substring(0, 3);\n#endif\n"
        '    string Row() => @"""{";\n'
        "    string Kind(int a) {\n        return a switch {\n            1 => Row(),\n"
        "#if !NET\n            2 => First(),\n#else\n            2 => Row() + First(),\n#endif\n"
        "            _ => Row(),\n        };\n    }\n"
        "    public void Last() { Row(); }\n}\n"
    )

    assert links(tmp_path, {"Keys.cs": source}) == {
        "Keys.cs::Keys.First CALLS Keys.cs::Keys.Row",
        "Keys.cs::Keys.Kind CALLS Keys.cs::Keys.Row",
        "Keys.cs::Keys.Kind CALLS Keys.cs::Keys.First",
        "Keys.cs::Keys.Last CALLS Keys.cs::Keys.Row",
    }


def test_a_call_of_get_below_a_property_of_kotlin_is_no_accessor(tmp_path: Path) -> None:
    source = (
        "fun Application.module() {\n    routing {\n        val rows by inject<Rows>()\n\n"
        '        get("/all") {\n            answer(rows)\n        }\n'
        '        get("/one") { answer(rows) }\n    }\n}\n'
        "fun answer(rows: Rows) = rows\n"
        "class Rows {\n    var first = 1\n"
        "        get() = 2\n        set(value) { field = value }\n}\n"
    )

    assert links(tmp_path, {"a.kt": source}) >= {"a.kt::Application.module CALLS a.kt::answer"}
    assert symbols(tmp_path, "a.kt") == ["Application.module", "answer", "Rows", "Rows.first"]


@pytest.mark.parametrize("end", ["@", '@Suppress("A', "p"])
def test_a_file_of_kotlin_that_is_cut_off_behind_a_type_is_read(tmp_path: Path, end: str) -> None:
    code = read(write(tmp_path, {"A.kt": f"/**/@Api interface Store\n{end}"}))

    assert code.symbols("A.kt")[0][1] == "Store"
