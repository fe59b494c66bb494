"""Importing C and C++: headers, templates, macros, and what calls and inherits what."""

from pathlib import Path

import pytest

from code_folders import links, read


def test_links_of_c(tmp_path: Path) -> None:
    files = {
        "src/main.c": (
            '#include "list.h"\n#include <stdio.h>\n'
            "static int helper(void) { return 1; }\n"
            'int main(void) { list_new(); helper(); printf("x"); return 0; }\n'
        ),
        "src/list.c": (
            '#include "list.h"\nstatic int helper(void) { return 2; }\n'
            "struct list *list_new(void) { helper(); return 0; }\n"
        ),
        "src/list.h": "struct list { int n; };\nstruct list *list_new(void);\n",
        "src/other.c": "int other(void) { return helper(); }\n",
    }

    assert links(tmp_path, files) == {
        "src/main.c IMPORTS src/list.h",
        "src/list.c IMPORTS src/list.h",
        "src/main.c::main CALLS src/list.c::list_new",
        "src/main.c::main CALLS src/main.c::helper",
        "src/list.c::list_new CALLS src/list.c::helper",
    }


def test_links_of_cpp(tmp_path: Path) -> None:
    files = {
        "include/geo/shape.h": (
            "#pragma once\nnamespace geo {\n"
            "class Shape { public: void draw(); };\n"
            "class Square : public Shape { public: double area() { return sq(2); } };\n"
            "double sq(double x);\n}\n"
        ),
        "src/shape.cpp": (
            '#include "geo/shape.h"\n#include <algorithm>\nnamespace geo {\n'
            "void Shape::draw() { sq(2); std::sort(1); }\n"
            "double sq(double x) { return x * x; }\n}\n"
            "int main() { auto s = new geo::Square(); s->draw(); geo::sq(1); }\n"
        ),
    }
    header, source = "include/geo/shape.h", "src/shape.cpp"

    assert links(tmp_path, files) == {
        f"{source} IMPORTS {header}",
        f"{header}::geo::Square INHERITS {header}::geo::Shape",
        f"{header}::geo::Square::area CALLS {source}::geo::sq",
        f"{source}::geo::Shape::draw CALLS {source}::geo::sq",
        f"{source}::main CALLS {header}::geo::Square",
        f"{source}::main CALLS {source}::geo::Shape::draw",
        f"{source}::main CALLS {source}::geo::sq",
    }


def test_of_two_headers_of_one_name_the_published_one_is_meant(tmp_path: Path) -> None:
    files = {
        "include/shop/till.hpp": "int count();",
        "single_include/shop/till.hpp": "int count();",
        "src/mem.h": "",
        "lib/mem.h": "",
        "test/a.cpp": "#include <shop/till.hpp>\n#include <mem.h>\n",
    }
    assert links(tmp_path, files) == {"test/a.cpp IMPORTS include/shop/till.hpp"}


def test_of_headers_of_one_name_that_beside_the_file_is_included(tmp_path: Path) -> None:
    files = {
        "deps/list/sds.h": "int sds();",
        "src/sds.h": "int sds();",
        "src/cli.c": "#include <sds.h>\n",
        "tools/a.c": "#include <sds.h>\n",
        "deps/ae.h": "#include <ae.h>\n",
        "src/ae.h": "int ae();",
    }
    assert links(tmp_path, files) == {"src/cli.c IMPORTS src/sds.h"}


def test_a_specialization_of_a_template_is_a_type_of_its_own(tmp_path: Path) -> None:
    source = (
        "struct Base {};\ntemplate <typename T> struct Hash { int mix() { return 1; } };\n"
        "namespace geo {\n// Of texts.\ntemplate <>\nstruct Hash<std::string> : Base {\n"
        "  int get() { return mix(); }\n  int mix() { return side<int>(); }\n};\n}\n"
        "template <typename T> class Hash<\n  T*> { int all() { return 1; } };\n"
        "template <> struct std::hash<Key<int>> { int one() { return 1; } };\n"
        "template <typename T> int side() { return 1; }\n"
        "template <> int side<int>() { return 2; }\n"
        "template <> int* Hash<int>::mix() { return 3; }\n"
    )
    assert links(tmp_path, {"a.cpp": source}) == {
        "a.cpp::geo::Hash<std::string> INHERITS a.cpp::Base",
        "a.cpp::geo::Hash<std::string>::get CALLS a.cpp::geo::Hash<std::string>::mix",
        "a.cpp::geo::Hash<std::string>::mix CALLS a.cpp::side",
    }
    entities = read(tmp_path).entities
    assert {name.removeprefix("a.cpp::"): entity.kind for name, entity in entities.items()} == {
        "a.cpp": "File", "Base": "Struct", "Hash": "Struct", "Hash::mix": "Method",
        "geo::Hash<std::string>": "Struct", "geo::Hash<std::string>::get": "Method",
        "geo::Hash<std::string>::mix": "Method", "Hash< T*>": "Class", "Hash< T*>::all": "Method",
        "std::hash<Key<int>>": "Struct", "std::hash<Key<int>>::one": "Method",
        "side": "Function", "side<int>": "Function", "Hash::mix~2": "Method",
    }  # fmt: skip
    text = entities["a.cpp::geo::Hash<std::string>"].text
    assert text is not None
    assert text.startswith("// Of texts.\ntemplate <>\nstruct Hash<std::string>")


def test_a_macro_before_the_name_of_a_type_hides_nothing(tmp_path: Path) -> None:
    header = (
        "namespace geo {\n"
        "class GEO_API Shape { public: int area() { return 1; } };\n"
        "class GEO_API ALIGNED(8)\n    Square final : public Shape {};\n"
        "struct PACKED Point { int x; };\n"
        "class URL final : public Shape {};\n"
        "struct FOO point = {1};\nclass GEO_API Later;\n}\n"
    )

    assert links(tmp_path, {"shape.hpp": header}) == {
        f"shape.hpp::geo::{name} INHERITS shape.hpp::geo::Shape" for name in ("Square", "URL")
    }
    entities = read(tmp_path).entities
    assert {name.rpartition("geo::")[2] for name in entities if "::" in name} == {
        "Shape", "Shape::area", "Square", "Point", "URL",
    }  # fmt: skip
    assert entities["shape.hpp::geo::Shape"].title == "class GEO_API Shape"


def test_what_a_macro_defines_is_called_by_its_arguments(tmp_path: Path) -> None:
    source = (
        "bool opens() { return true; }\n"
        "// Of GoogleTest.\nTEST(StoreTest, Opens) { opens(); }\n"
        "TEST_F(StoreTest, Closes) {}\n"
        "BOOST_AUTO_TEST_CASE(sorts) {}\n"
        "DEFINE_CALL(read, int fd) {}\n"
        "Store(Disk) {}\nint MAIN(Count) { return 0; }\n"
    )

    assert links(tmp_path, {"store-test.cc": source}) == {
        "store-test.cc::StoreTest.Opens CALLS store-test.cc::opens"
    }
    entities = read(tmp_path).entities
    assert {name.rpartition("::")[2] for name in entities if "::" in name} == {
        "opens", "StoreTest.Opens", "StoreTest.Closes", "sorts", "read", "Store", "MAIN",
    }  # fmt: skip
    test = entities["store-test.cc::StoreTest.Opens"]
    assert (test.title, test.kind) == ("TEST(StoreTest, Opens)", "Function")
    assert test.aliases == ("StoreTest.Opens",)
    assert test.attributes["test"] is True


def test_a_test_is_called_by_the_text_that_a_macro_names_it_with(tmp_path: Path) -> None:
    source = (
        "bool opens() { return true; }\n"
        "namespace shop {\n"
        '// Of Catch2.\nTEST_CASE("Opens; {twice}", "[store]") {\n'
        '  SECTION("at night") { opens(); }\n}\n'
        'TEST_CASE_METHOD(StoreFixture, "Closes"\n  " early") {}\n}\n'
        'TEST_SUITE("till") {\nTEST_CASE("counts \\"coins\\", twice") { int MAX(1); }\n}\n'
    )

    assert links(tmp_path, {"store_test.cc": source}) == {
        "store_test.cc::shop::Opens; {twice} CALLS store_test.cc::opens"
    }
    assert read(tmp_path).symbols("store_test.cc") == [
        ("Function", "opens", 1, 1),
        ("Function", "shop::Opens; {twice}", 4, 6),
        ("Function", "shop::StoreFixture.Closes early", 7, 8),
        ("Function", 'counts "coins", twice', 11, 11),
    ]
    test = read(tmp_path).entities["store_test.cc::shop::Opens; {twice}"]
    assert test.text == (
        '// Of Catch2.\nTEST_CASE("Opens; {twice}", "[store]") {\n'
        '  SECTION("at night") { opens(); }\n}'
    )
    assert (test.title, test.attributes["test"]) == ('TEST_CASE("Opens; {twice}", "[store]")', True)


def test_a_function_of_c_is_called_by_the_arguments_of_its_macro(tmp_path: Path) -> None:
    source = (
        "static int read_all(void) { return 1; }\n"
        "SYSCALL_DEFINE2(read, unsigned int, fd, char __user *, buf)\n{\n  read_all();\n}\n"
        "SYSCALL_DEFINE0(fork)\n{\n  read_all();\n}\n"
        "TEST_BEGIN(test_fork) { read_all(); }\nTEST_END\n"
        'MODULE_LICENSE("GPL");\nCHECK(open);\n{ int x; }\n'
        "static int next(void) NEEDS_LOCK(arena->lock) { return 1; }\n"
        "DEFINE_ALL(version, const char *) DEFINE_ALL(edition, const char *) { return 2; }\n"
    )

    assert links(tmp_path, {"calls.c": source}) == {
        f"calls.c::{name} CALLS calls.c::read_all" for name in ("read", "fork", "test_fork")
    }
    assert {name for _, name, _, _ in read(tmp_path).symbols("calls.c")} == {
        "read_all", "read", "fork", "test_fork", "next",
    }  # fmt: skip


def test_a_macro_on_a_line_of_its_own_hides_nothing(tmp_path: Path) -> None:
    source = (
        "GEO_NAMESPACE_BEGIN\ntemplate <typename T>\nclass Box { T get() { return side(); } };\n"
        "GEO_INLINE\nint side() { return 1; }\nint x =\nSIDE_MAX\n+ 1;\nGEO_NAMESPACE_END\n"
    )
    assert links(tmp_path, {"a.cpp": source}) == {"a.cpp::Box::get CALLS a.cpp::side"}


def test_a_type_is_defined_outside_of_the_one_it_belongs_to(tmp_path: Path) -> None:
    source = (
        "class Base {};\nclass Shape { class Impl; };\n"
        "class Shape::Impl : public Base { int area() { return side(); } int side(); };\n"
        "int Shape::Impl::side() { return 1; }\n"
    )
    assert links(tmp_path, {"a.cpp": source}) == {
        "a.cpp::Shape::Impl INHERITS a.cpp::Base",
        "a.cpp::Shape::Impl::area CALLS a.cpp::Shape::Impl::side",
    }


@pytest.mark.parametrize(
    ("path", "base", "heir"),
    [
        ("a.hpp", "class Base { public: Base() {} };\n", "class Heir : public Base {};\n"),
        ("A.java", "class Base { Base() {} }\n", "class Heir extends Base {}\n"),
    ],
)
def test_a_base_is_the_type_and_not_its_constructor(
    tmp_path: Path, path: str, base: str, heir: str
) -> None:
    inherited = {link for link in links(tmp_path, {path: base + heir}) if " INHERITS " in link}

    assert inherited == {f"{path}::Heir INHERITS {path}::Base"}


def test_what_another_namespace_has_is_called_by_its_whole_name(tmp_path: Path) -> None:
    files = {
        "shop.hpp": (
            "namespace shop {\nint open(int a) { return a; }\n"
            "class Till { public: int count() { return 1; } static int all() { return 2; } };\n"
            "namespace files { int open(int a) { return a; } }\n}\n"
            "namespace std { template <> struct hash<shop::Till> { int move() { return 1; } }; }\n"
        ),
        "other.hpp": "namespace other { int open(int a) { return a; } int move(int a); }\n",
        "main.cpp": (
            '#include "shop.hpp"\nint main() {\n  shop::open(1);\n  shop::files::open(2);\n'
            "  shop::Till till;\n  till.count();\n  shop::Till::all();\n"
            "  std::move(till);\n  third::open(3);\n}\n"
        ),
    }
    found = {link for link in links(tmp_path, files) if "main.cpp::main" in link}

    assert found == {
        f"main.cpp::main CALLS shop.hpp::shop::{name}"
        for name in ("open", "files::open", "Till::count", "Till::all")
    }


def test_what_is_static_in_a_header_is_called_by_other_files(tmp_path: Path) -> None:
    files = {
        "row.h": "static inline int row_size(int a) { return a; }\nstatic int row_count;\n",
        "a.c": '#include "row.h"\nstatic int own(void) { return row_size(1); }\n',
        "b.c": "int other(void) { return own(); }\n",
    }

    assert links(tmp_path, files) == {"a.c IMPORTS row.h", "a.c::own CALLS row.h::row_size"}
