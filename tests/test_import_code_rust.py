"""Values of Rust: patterns, variants, fields without names, closures, bounds, modules in a file."""

from pathlib import Path

import pytest

from code_folders import links

ROWS = """pub struct Row;
impl Row {
    pub fn kept(&self) -> bool { true }
    pub fn save(&self) -> &Row { self }
    pub fn close(&self) {}
}
pub struct Other;
impl Other {
    pub fn kept(&self) -> bool { true }
    pub fn save(&self) {}
    pub fn close(&self) {}
}
#[derive(Default)]
pub struct Options { pub row: Option<Row>, pub cell: RefCell<Row>, pub held: Result<Row, Other> }
pub enum Value { Row(Box<Row>), Both(Other, Row), Empty }
impl Value {
    pub fn check(&self) {}
}
pub trait Source {
    fn next_row(&self) -> Option<Row>;
    fn each<F>(&self, count: usize, run: F) where F: FnMut(&Row) -> bool;
}
pub type Alias = Row;
pub fn find() -> Option<Row> { None }
pub fn all<'a>() -> impl Iterator<Item = &'a Row> + Send + 'a {}
pub fn with(run: impl FnOnce(&mut Row)) {}
pub fn boxed(run: Box<dyn Fn(Other, Row) -> bool>) {}
pub fn bound<F: Fn(Row) + Send>(mut run: F) {}
pub const ALL: &[Row] = &[];
"""
CALLS = [
    ("if let Some(row) = find() { row.close() }", "Row::close"),
    ("if let Some(ref mut row) = options.row { row.close() }", "Row::close"),
    ("while let Some(mut row) = source.next_row() { row.close() }", "Row::close"),
    ("let Some(row) = &options.row else { return }; row.close();", "Row::close"),
    ("match options.held { Ok(ref row) => row.close(), Err(error) => {} }", "Row::close"),
    ("let row = find(); if let Some(row) = row { row.close() }", "Row::close"),
    ("match value { Value::Row(row) => row.close(), Value::Empty => {} }", "Row::close"),
    ("if let Value::Both(ref first, _) = value { first.close() }", "Other::close"),
    ("options.cell.borrow_mut().close()", "Row::close"),
    ("let made = Options::default(); made.row.as_ref().unwrap().close()", "Row::close"),
    ("Value::Row(Box::new(Row)).check()", "Value::check"),
    ("let alias: Alias = Row; alias.close()", "Row::close"),
    ("source.each(3, |row| { row.close(); true })", "Row::close"),
    ("with(|row| row.close())", "Row::close"),
    ("with(|mut row| row.close())", "Row::close"),
    ("boxed(|_, row| { row.close(); true })", "Row::close"),
    ("boxed(|other, row| { other.close(); true })", "Other::close"),
    ("bound(|row| row.close())", "Row::close"),
    ("source.next_row().map(|row: Row| row.close())", "Row::close"),
    ("source.next_row().map(|row| row.close())", "Row::close"),
    ("options.row.map(|row| row.close())", "Row::close"),
    ("for row in all() { row.close() }", "Row::close"),
    ("all().filter(|row| row.kept()).for_each(|row| row.close())", "Row::close"),
    (
        "let row = all().find(|row| row.kept()); if let Some(row) = row { row.close() }",
        "Row::close",
    ),
    ("all().next().unwrap().save().close()", "Row::close"),
]


SELF = [
    ("struct Holder(Row, Other);", "Holder", "self.0.close()", "Row::close"),
    ("struct Holder(Row, Other);", "Holder", "self.1.close()", "Other::close"),
    ("struct Holder<'a>(&'a Row);", "Holder<'_>", "self.0.close()", "Row::close"),
    ("struct Holder { rows: Vec<Row> }", "Holder", "self.rows.retain(|r| r.kept())", "Row::kept"),
    ("struct Holder;", "Holder", "for row in ALL.iter() { row.close() }", "Row::close"),
]


def calls(folder: Path, code: str) -> set[str]:
    """What the functions of `lib.rs` call, by the names in `rows.rs` or `lib.rs`."""
    all_links = links(folder, {"src/rows.rs": ROWS, "src/lib.rs": f"mod rows;\n{code}"})
    return {
        link.rpartition(".rs::")[2]
        for link in all_links
        if link.startswith("src/lib.rs") and " CALLS " in link
    }


@pytest.mark.parametrize(("body", "callee"), CALLS)
def test_a_method_is_called_on_what_a_value_is(tmp_path: Path, body: str, callee: str) -> None:
    head = "use crate::rows::*;\nfn run<S: Source>(source: S, value: Value, options: Options)"
    called = calls(tmp_path, f"{head} {{ {body} }}")
    assert callee in called
    assert not called & ({"Row::close", "Other::close"} - {callee})


@pytest.mark.parametrize(("struct", "type_", "body", "callee"), SELF)
def test_a_method_is_called_on_what_an_object_holds(
    tmp_path: Path, struct: str, type_: str, body: str, callee: str
) -> None:
    code = f"const ALL: &[&Row] = &[];\n{struct}\nimpl {type_} {{ fn run(&self) {{ {body} }} }}"
    called = calls(tmp_path, f"use crate::rows::{{Other, Row}};\n{code}")
    assert called == {callee}


@pytest.mark.parametrize(
    "body",
    [
        "match source.next_row() { Other(row) => row.close(), _ => {} }",
        "if let Value::Missing(row) = value { row.close() }",
        "with(|row, other| row.close())",
        "boxed(|row| row.close())",
        "unknown(|row| row.close())",
        "Value::missing().close()",
    ],
)
def test_what_a_value_is_is_not_guessed(tmp_path: Path, body: str) -> None:
    head = "use crate::rows::*;\nfn run<S: Source>(source: S, value: Value)"
    assert not calls(tmp_path, f"{head} {{ {body} }}") & {"Row::close", "Other::close"}


def test_the_module_above_one_in_a_file_is_the_file(tmp_path: Path) -> None:
    files = {
        "src/lib.rs": "mod rows;\nmod store;\n",
        "src/rows.rs": ROWS,
        "src/store.rs": "use crate::rows::Row;\nfn run(row: Row) { row.close() }\nmod part {}\n"
        "mod tests {\n  use super::{Row, run};\n  use super::super::rows::Other;\n"
        "  fn check(row: Row, other: Other) { run(row); other.close(); }\n}\n",
    }
    assert {link for link in links(tmp_path, files) if "src/store.rs" in link} == {
        "src/store.rs::run CALLS src/rows.rs::Row::close",
        "src/store.rs::tests::check CALLS src/store.rs::run",
        "src/store.rs::tests::check CALLS src/rows.rs::Other::close",
        "src/store.rs IMPORTS src/rows.rs",
        "src/lib.rs IMPORTS src/store.rs",
    }


def test_a_crate_that_another_hands_on_has_another_name_there(tmp_path: Path) -> None:
    manifest = '[package]\nname = "%s"\nversion = "0.1.0"\n'
    files = {
        "matcher/Cargo.toml": manifest % "grep-matcher",
        "matcher/src/lib.rs": ROWS,
        "grep/Cargo.toml": manifest % "grep",
        "grep/src/lib.rs": "pub extern crate grep_matcher as matcher;\n",
        "core/Cargo.toml": manifest % "core",
        "core/src/lib.rs": "use grep::matcher::Row;\nfn run(row: Row) { row.close() }\n",
    }
    link = "core/src/lib.rs::run CALLS matcher/src/lib.rs::Row::close"
    assert link in links(tmp_path, files)
