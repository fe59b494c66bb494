"""Importing C#: namespaces, partial names, properties, and what calls and inherits what."""

from pathlib import Path

import pytest

from code_folders import links, read, write

STORE = """using System;

namespace Shop.Stores;

/// <summary>Keeps sessions.</summary>
[Serializable]
public class Store<T> : Base, IStore where T : class
{
    public const int MaxRows = 3;
    private static readonly string Title = "x";
    public Server Server { get; set; } = new Server();

    public int Count => Rows();

    public string Name
    {
        get { return "store"; }
    }

    public Store(Server server) : base(server) { }

    // Looks it up.
    public T? Get(string key)
    {
        int Local() => 1;
        return null;
    }

    private class Inner { }
}

public interface IStore { string Get(string key); }
public record Point(int X, int Y);
public record Line(int Length) { public int Twice() => 2 * Length; }
public struct Pair { public int A; }
public enum Colour { Red, Green }
public delegate void Handler(object sender);
"""


def test_a_file_becomes_the_symbols_it_defines(tmp_path: Path) -> None:
    code = read(write(tmp_path, {"Store.cs": STORE}))

    assert code.symbols("Store.cs") == [
        ("Class", "Store", 6, 30),
        ("Method", "Store.Count", 13, 13),
        ("Method", "Store.Name", 15, 18),
        ("Method", "Store.Store", 20, 20),
        ("Method", "Store.Get", 23, 27),
        ("Class", "Store.Inner", 29, 29),
        ("Interface", "IStore", 32, 32),
        ("Class", "Point", 33, 33),
        ("Class", "Line", 34, 34),
        ("Method", "Line.Twice", 34, 34),
        ("Struct", "Pair", 35, 35),
        ("Enum", "Colour", 36, 36),
        ("Type", "Handler", 37, 37),
        ("Constant", "Store.MaxRows", 9, 9),
        ("Method", "IStore.Get", 32, 32),
    ]


def test_a_symbol_has_its_comments_attributes_and_names(tmp_path: Path) -> None:
    entities_by_name = read(write(tmp_path, {"Store.cs": STORE})).entities
    store, constructor = (
        entities_by_name["Store.cs::Store"],
        entities_by_name["Store.cs::Store.Store"],
    )

    assert store.title == "public class Store<T> : Base, IStore where T : class"
    assert (store.text or "").startswith("/// <summary>Keeps sessions.</summary>\n[Serializable]")
    assert store.aliases == ("Store()", "Stores.Store")
    assert constructor.aliases == ("Store.Store",)
    assert (entities_by_name["Store.cs::Store.Get"].text or "").startswith("    // Looks it up.\n")
    assert "public string Name …" in (store.text or "")


def calls(body: str, *, fields: str = "", usings: str = "") -> dict[str, str]:
    """A folder in which `App.Run` has a body, beside what it may call in other namespaces."""
    return {
        "Data/Table.cs": "namespace Shop.Data { public class Table : Rows {"
        " public Table(int size) { } public Row Find(string key) { return null; }"
        " public async Task<Row> FindAsync() { return null; } public static int Count() => 1; }\n"
        "public class Rows { public void Clear() { } }\n"
        "public class Row { public void Read() { } public Row Next => Other(); } }",
        "Root.cs": "namespace Shop;\nclass Root { public static void Log() { } }",
        "App.cs": f"using System.Linq;\nusing Shop.Data;\n{usings}namespace Shop.Web;\n"
        f"class App {{ {fields} void Run(Table table, IList<Row> rows) {{ {body} }}"
        " void Over(int a) { } void Over(string a) { } }",
    }


@pytest.mark.parametrize(
    ("body", "callee"),
    [
        ('table.Find("a");', "Data/Table.cs::Table.Find"),
        ('table?.Find("a");', "Data/Table.cs::Table.Find"),
        ("table.Clear();", "Data/Table.cs::Rows.Clear"),
        ("Table.Count();", "Data/Table.cs::Table.Count"),
        ("Root.Log();", "Root.cs::Root.Log"),
        ("new Row();", "Data/Table.cs::Row"),
        ("var row = new Row(); row.Read();", "Data/Table.cs::Row.Read"),
        ('var row = table.Find("a"); row.Read();', "Data/Table.cs::Row.Read"),
        ("var row = await table.FindAsync(); row.Read();", "Data/Table.cs::Row.Read"),
        ("foreach (Row row in rows) row.Read();", "Data/Table.cs::Row.Read"),
        ("if (o is Row row) row.Read();", "Data/Table.cs::Row.Read"),
        ("if (o is Row { } row) row.Read();", "Data/Table.cs::Row.Read"),
        ("Take(out Row row); row.Read();", "Data/Table.cs::Row.Read"),
        ("((Row)o).Read();", "Data/Table.cs::Row.Read"),
        ("(o as Row).Read();", "Data/Table.cs::Row.Read"),
        ("Row row = new(); row.Read();", "Data/Table.cs::Row"),
        ("table!.Clear();", "Data/Table.cs::Rows.Clear"),
        (
            "var r = await table.FindAsync().ConfigureAwait(false); r.Read();",
            "Data/Table.cs::Row.Read",
        ),
        ("Shop.Data.Table.Count();", "Data/Table.cs::Table.Count"),
        ("Data.Table.Count();", "Data/Table.cs::Table.Count"),
        ("Run(table, rows); App.Run(null);", "App.cs::App.Run"),
    ],
)
def test_a_call_leads_to_what_is_called(tmp_path: Path, body: str, callee: str) -> None:
    code = read(write(tmp_path, calls(body)))
    expected = f"App.cs::App.Run CALLS {callee}"

    # A method that calls itself is no link.
    assert (expected in code.links) == (callee != "App.cs::App.Run")


@pytest.mark.parametrize(
    ("fields", "body"),
    [
        ("readonly Row _row;", "_row.Read();"),
        ("readonly Row _row;", "this._row.Read();"),
        ("Row First { get; set; }", "First.Read();"),
        ("Row First => null;", "First.Read();"),
    ],
)
def test_a_field_or_property_has_the_members_of_its_type(
    tmp_path: Path, fields: str, body: str
) -> None:
    code = read(write(tmp_path, calls(body, fields=fields)))

    assert "App.cs::App.Run CALLS Data/Table.cs::Row.Read" in code.links


@pytest.mark.parametrize("body", ["rows.Add(null);", 'Console.Write("");', "x.Read();"])
def test_what_is_elsewhere_or_ambiguous_leads_nowhere(tmp_path: Path, body: str) -> None:
    code = read(write(tmp_path, calls(body)))

    assert not {link for link in code.links if link.startswith("App.cs::App.Run CALLS")}


def test_base_is_the_class_above(tmp_path: Path) -> None:
    source = (
        "interface IOpen { }\nclass Base { public virtual void Open() { } }\n"
        "class Heir : Base, IOpen { public override void Open() { base.Open(); } }"
    )

    assert "A.cs::Heir.Open CALLS A.cs::Base.Open" in read(write(tmp_path, {"A.cs": source})).links


@pytest.mark.parametrize(
    "member",
    [
        "void M(Row row) { }", "void M(Row? row) { }", "Row row;", "Row First { get; set; }",
        "Row M() => null;", "void M(IList<Row> rows) { }", "object M() => typeof(Row);",
        "int M() => Row.Size;", "[Row] void M() { }",
    ],
)  # fmt: skip
def test_a_file_imports_those_whose_types_it_names(tmp_path: Path, member: str) -> None:
    files = {
        "Row.cs": "namespace Data;\nclass Row { }",
        "A.cs": f"using Data;\nnamespace App;\nclass A {{ {member} }}",
    }

    assert "A.cs IMPORTS Row.cs" in read(write(tmp_path, files)).links


def test_attributes_and_comments_are_no_signature(tmp_path: Path) -> None:
    source = """class A {
    // Of the page.
    [Route("[controller]")]
    [Produces("a", "b")]
    public void Open(
        int page) { }
}"""
    entity = read(write(tmp_path, {"A.cs": source})).entities["A.cs::A.Open"]

    assert entity.title == "public void Open( int page)"
    assert (entity.text or "").startswith("    // Of the page.\n    [Route")


@pytest.mark.parametrize(
    ("usings", "body"),
    [
        ("using T = Shop.Data.Table;\n", "T.Count();"),
        ("using static Shop.Data.Table;\n", "Count();"),
    ],
)
def test_a_using_gives_another_name_or_the_members(tmp_path: Path, usings: str, body: str) -> None:
    code = read(write(tmp_path, calls(body, usings=usings)))

    assert "App.cs::App.Run CALLS Data/Table.cs::Table.Count" in code.links


def test_a_file_imports_those_whose_types_it_uses(tmp_path: Path) -> None:
    code = read(write(tmp_path, calls("table.Clear(); Root.Log();")))

    assert {link for link in code.links if "IMPORTS" in link} == {"App.cs IMPORTS Data/Table.cs"}


@pytest.mark.parametrize(
    "heir",
    [
        "class A : Rows { }", "class A : Base<int>, Rows { }", "struct A : Rows { }",
        "interface A : Rows { }", "record A(int X) : Rows(X);", "record A : Rows { }",
        "class A : Shop.Data.Rows { }",
    ],
)  # fmt: skip
def test_a_type_inherits(tmp_path: Path, heir: str) -> None:
    files = {"Rows.cs": "namespace Shop.Data;\nclass Rows { }", "A.cs": f"using Shop.Data;\n{heir}"}

    assert "A.cs::A INHERITS Rows.cs::Rows" in read(write(tmp_path, files)).links


@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("Store.cs", False),
        ("StoreTests.cs", True),
        ("StoreTest.cs", True),
        ("Shop.Tests/Store.cs", True),
        ("tests/Store.cs", True),
        ("Latest/Store.cs", False),
        ("Contest.cs", False),
    ],
)
def test_a_file_holds_tests_by_its_path(tmp_path: Path, path: str, *, test: bool) -> None:
    assert read(write(tmp_path, {path: "class A { }"})).entities[path].attributes["test"] is test


@pytest.mark.parametrize(
    "content",
    ["", "class", "namespace A {\n" * 2_000, "class A {\n" * 2_000 + "}\n" * 2_000, "\n{[(<" * 900],
)
def test_nothing_is_too_odd_to_be_read(tmp_path: Path, content: str) -> None:
    code = read(write(tmp_path, {"A.cs": content, "B.cs": "class B { }"}))

    assert {"A.cs", "B.cs", "B.cs::B"} <= code.entities.keys()


EXTENSIONS = """namespace Shop.Extensions;
public static class RowExtensions {
  public static Row Load(this Row row, int count) { return row; }
  public static Row Load(this Row row) => row;
  public static void Each(this Row row, Action<Row> run) { }
  public static void Each(this Row row, string name, Action<Row> run) { Each(row, run); }
  public static string CutShort(this string text) { return text; }
  public static IServices AddRows(this IServices services, int count) => services;
  public static bool IsNullOrEmpty(this IServices services) => true;
  public static string ToList(this IServices services) => "";
  public static void Cut(this IServices services) { }
}
"""
ROWS = """namespace Shop;
public class Base { }
public class Row : Base { public void Save() { } public void Close(int count) { } }
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("row.Load().Save();", {"Load~2", "Row.Save"}),
        ("row?.Load(3).Save();", {"Load", "Row.Save"}),
        ("RowExtensions.Load(row, 3).Save();", {"Load", "Row.Save"}),
        ("row.Each(each => each.Save());", {"Each", "Row.Save"}),
        ('row.Each("a", each => each.Save());', {"Each~2", "Row.Save"}),
        ("RowExtensions.Each(row, each => each.Save());", {"Each", "Row.Save"}),
        ("name.CutShort();", {"CutShort"}),
        ('"a".CutShort();', {"CutShort"}),
        ("services.AddRows(1).AddRows(2);", {"AddRows"}),
        ("services.AddRows();", set()),
        ("string.IsNullOrEmpty(name);", set()),
        ("services.ToList();", set()),
        ("services.Cut();", set()),
        ("row.Missing();", set()),
    ],
)
def test_an_extension_method_is_called_on_its_object(
    tmp_path: Path, body: str, expected: set[str]
) -> None:
    use = (
        "namespace Other;\nusing Shop;\nusing Shop.Extensions;\nclass Use {\n"
        f"  void Use1(Row row, string name, IServices services) {{ {body} }}\n}}\n"
    )
    files = {"Rows.cs": ROWS, "RowExtensions.cs": EXTENSIONS, "Use.cs": use}
    code = read(write(tmp_path, files))
    start = "Use.cs::Use.Use1 CALLS "
    ends = {link.rpartition("::")[2] for link in code.links if link.startswith(start)}
    assert {end.removeprefix("RowExtensions.") for end in ends} == expected


def test_an_extension_of_another_library_is_seen_where_its_namespace_is(tmp_path: Path) -> None:
    use = "namespace Other;\nclass Use {\n  void Use1(string name) { name.CutShort(); }\n}\n"
    code = read(write(tmp_path, {"RowExtensions.cs": EXTENSIONS, "Use.cs": use}))
    assert not {link for link in code.links if link.startswith("Use.cs::Use.Use1 CALLS ")}


def test_a_partial_type_has_what_all_of_its_parts_have(tmp_path: Path) -> None:
    files = {
        "src/Store.Read.cs": (
            "namespace Shop;\npublic partial class Store {\n"
            "  public int Read() { return Count() + _rows.Size(); }\n"
            "  partial class Lock { void Take() { Free(); } }\n}\n"
        ),
        "src/Store.Lock.cs": (
            "namespace Shop;\npublic partial class Store {\n"
            "  partial class Lock { void Free() { new Lock(); } }\n}\n"
        ),
        "src/Store.cs": (
            "namespace Shop;\npublic abstract partial class Store : Base, IStore {\n"
            "  private Rows _rows;\n  public Store() { }\n"
            "  private int Count() { return Open(); }\n"
            "  public static Store Default => new Till();\n}\n"
            "class Rows { public int Size() { return 1; } }\n"
        ),
        "src/Base.cs": (
            "namespace Shop;\nclass Base { protected int Open() { return 1; } }\n"
            "interface IStore { int Read(); }\n"
        ),
        "src/Till.cs": (
            "namespace Shop;\nclass Till : Store { int Row() { return Read(); } }\n"
            "class Users { void Use(Store store) { store.Read(); Store.Default.Read(); } }\n"
            "class Other { int Ask(Store store) { return store.Count(); } }\n"
        ),
        "other/Store.cs": "namespace Other;\npartial class Store { int Read() { return 2; } }\n",
    }
    found = {link for link in links(tmp_path, files) if " IMPORTS " not in link}

    assert found == {
        "src/Store.Read.cs::Store.Read CALLS src/Store.cs::Store.Count",
        "src/Store.Read.cs::Store.Read CALLS src/Store.cs::Rows.Size",
        "src/Store.Read.cs::Store.Read OVERRIDES src/Base.cs::IStore.Read",
        "src/Store.Read.cs::Store.Lock.Take CALLS src/Store.Lock.cs::Store.Lock.Free",
        "src/Store.Lock.cs::Store.Lock.Free CALLS src/Store.Lock.cs::Store.Lock",
        "src/Store.cs::Store INHERITS src/Base.cs::Base",
        "src/Store.cs::Store INHERITS src/Base.cs::IStore",
        "src/Store.cs::Store CALLS src/Store.cs::Store.Store",
        "src/Store.cs::Store.Count CALLS src/Base.cs::Base.Open",
        "src/Store.cs::Store.Default CALLS src/Till.cs::Till",
        "src/Till.cs::Till INHERITS src/Store.cs::Store",
        "src/Till.cs::Till.Row CALLS src/Store.Read.cs::Store.Read",
        "src/Till.cs::Users.Use CALLS src/Store.Read.cs::Store.Read",
    }
    assert "src/Store.Read.cs::Store CONTAINS src/Store.Read.cs::Store.Read" in (
        read(tmp_path).contains
    )


def test_the_type_of_a_field_is_what_the_file_of_its_part_imports(tmp_path: Path) -> None:
    files = {
        "Store.cs": "namespace Shop;\npublic partial class Store {\n"
        "  void Run() { _rows.Load(); }\n}\n",
        "Store.Rows.cs": "using Shop.Tables;\nnamespace Shop;\npublic partial class Store {\n"
        "  private Rows _rows;\n}\n",
        "Rows.cs": "namespace Shop.Tables;\npublic class Rows { public void Load() { } }\n",
    }
    assert "Store.cs::Store.Run CALLS Rows.cs::Rows.Load" in links(tmp_path, files)


def test_the_members_of_a_second_type_of_a_name_are_its_own(tmp_path: Path) -> None:
    source = (
        "class Result {\n  public int Code() { return 1; }\n}\n"
        "class Result<T> {\n  public T Value() { return Read(); }\n"
        "  T Read() { return default; }\n}\n"
    )
    (tmp_path / "Result.cs").write_text(source)

    assert read(tmp_path).contains >= {
        "Result.cs::Result CONTAINS Result.cs::Result.Code",
        "Result.cs::Result~2 CONTAINS Result.cs::Result.Value",
        "Result.cs::Result~2 CONTAINS Result.cs::Result.Read",
    }
    assert "Result.cs::Result.Value CALLS Result.cs::Result.Read" in read(tmp_path).links
