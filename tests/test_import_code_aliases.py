"""Importing code: the names by which a symbol is called."""

from pathlib import Path

import pytest

from code_folders import read, write
from code_sources import PYTHON


@pytest.mark.parametrize(
    ("source", "aliases"),
    [
        ("def validate_token(): ...", ("validate_token", "a.validate_token")),
        ("def search(): ...", ("search()", "a.search")),
        ("class Server: ...", ("Server()", "a.Server")),
        ("READ_TIMEOUT = 3", ("READ_TIMEOUT", "a.READ_TIMEOUT")),
        ("LIMIT = 3", ("LIMIT()", "a.LIMIT")),
        ("class HttpServer: ...", ("HttpServer", "a.HttpServer")),
        ("class S:\n  def stop(self): ...", ("S.stop", "stop()")),
        ("class S:\n  def stop_all(self): ...", ("S.stop_all", "stop_all")),
    ],
)
def test_a_name_of_one_word_is_no_alias_of_its_own(
    tmp_path: Path, source: str, aliases: tuple[str, ...]
) -> None:
    code = read(write(tmp_path, {"a.py": source}))

    assert list(code.entities.values())[-1].aliases == aliases


@pytest.mark.parametrize(
    ("file", "source", "aliases"),
    [
        ("net/url.py", "def parse(): ...", ("parse()", "url.parse", "net.parse")),
        ("net/__init__.py", "def parse(): ...", ("parse()", "net.parse")),
        ("src/url.py", "def parse(): ...", ("parse()", "url.parse")),
        ("fs/read.rs", "pub fn read() {}", ("read()", "read::read", "fs::read")),
        ("fs/mod.rs", "pub fn read() {}", ("read()", "fs::read")),
        ("async-fs/src/lib.rs", "pub fn read() {}", ("read()", "async_fs::read")),
        ("web/index.ts", "export function open() {}", ("open()", "web.open")),
        ("web/tabs.test-data.ts", "export function open() {}", ("open()", "tabs.open", "web.open")),
        ("client/get.go", "package http\nfunc Get() {}", ("Get()", "http.Get")),
        ("tool/run.go", "package main\nfunc Run() {}", ("Run()",)),
        ("net/url.c", "int parse(void) { return 1; }", ("parse()",)),
        ("net/Url.java", "package org.net;\nclass Url { }", ("Url()", "net.Url")),
        ("Url.java", "class Url { }", ("Url()",)),
        ("tests/test_url.py", "def test_parse(): ...", ("test_parse",)),
        ("a.py", "class Url:\n  def parse(self): ...", ("Url.parse", "parse()")),
    ],
)
def test_what_stands_in_no_type_is_called_by_its_module(
    tmp_path: Path, file: str, source: str, aliases: tuple[str, ...]
) -> None:
    code = read(write(tmp_path, {file: source}))

    assert list(code.entities.values())[-1].aliases == aliases


@pytest.mark.parametrize(
    ("file", "source", "aliases"),
    [
        ("url.py", "", ()),
        ("net/url.py", "", ("url.py", "net.url")),
        ("app/net/url.py", "", ("url.py", "net.url", "app.net.url")),
        ("app/net/__init__.py", "", ("__init__.py", "app.net")),
        ("src/app/url.py", "", ("url.py", "app.url")),
        ("async-fs/src/io/mod.rs", "", ("mod.rs", "async_fs::io")),
        ("fs/read.rs", "pub fn read() {}", ("read.rs",)),
        ("fs/read.rs", "pub struct Read {}", ("read.rs", "fs::read")),
        ("web/.prettierrc.js", "", (".prettierrc.js", "web.prettierrc")),
        ("net/url.go", "package net", ("url.go",)),
        ("net/url.c", "", ("url.c",)),
        ("net/style.css", "", ("style.css",)),
    ],
)
def test_a_module_is_called_as_code_imports_it(
    tmp_path: Path, file: str, source: str, aliases: tuple[str, ...]
) -> None:
    code = read(write(tmp_path, {file: source}))

    assert code.entities[file].aliases == aliases


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("HttpClient.java", "class HttpClient { HttpClient() { open(); } }"),
        ("Client.java", "class Client { Client() { open(); } Client(int port) { open(); } }"),
        ("client.cc", "class Client { public: Client() { open(); } };"),
        ("client.cc", "class Client { public: Client(); };\nClient::Client() { open(); }"),
    ],
)
def test_a_constructor_leaves_its_name_to_its_type(tmp_path: Path, file: str, source: str) -> None:
    entities_by_name = read(write(tmp_path, {file: source})).entities
    constructors = {
        name: entities_by_name[name].aliases
        for name in entities_by_name
        if entities_by_name[name].kind == "Method"
    }

    assert constructors
    for name, aliases in constructors.items():
        assert aliases == (name.partition("::")[2].partition("~")[0],)


@pytest.mark.parametrize(
    ("file", "source", "symbol", "aliases"),
    [
        (
            "Cache.java",
            "class Cache { class Entry { void open() { read(); } } }",
            "Cache.Entry.open",
            ("Cache.Entry.open", "Entry.open", "open()"),
        ),
        (
            "geo.cc",
            "namespace geo { class Shape { void drawAll() { } }; }",
            "geo::Shape::drawAll",
            ("geo::Shape::drawAll", "Shape::drawAll", "drawAll"),
        ),
        (
            "store.rb",
            "module Shop\n  class Store\n    def valid?\n      true\n    end\n  end\nend\n",
            "Shop::Store::valid?",
            ("Shop::Store::valid?", "Store::valid?", "valid?()"),
        ),
    ],
)
def test_a_member_is_called_by_its_own_type_too(
    tmp_path: Path, file: str, source: str, symbol: str, aliases: tuple[str, ...]
) -> None:
    entities_by_name = read(write(tmp_path, {file: source})).entities

    assert entities_by_name[f"{file}::{symbol}"].aliases == aliases


def test_two_of_one_name_are_told_apart_by_number(tmp_path: Path) -> None:
    source = "class Token: ...\ndef token(): ...\ndef token(): ...\n"

    assert list(read(write(tmp_path, {"a.py": source})).entities) == [
        "a.py", "a.py::Token", "a.py::token~2", "a.py::token~3",
    ]  # fmt: skip


def test_a_name_stays_when_something_else_in_the_file_changes(tmp_path: Path) -> None:
    before = read(write(tmp_path, {"a.py": PYTHON})).entities
    after = read(write(tmp_path, {"a.py": f"import sys\n\ndef other(): ...\n\n{PYTHON}"})).entities

    assert before.keys() < after.keys()


@pytest.mark.parametrize(
    ("others", "language"),
    [
        (["a.c"], "c"),
        (["a.c", "b.cc", "c.py"], "cpp"),
        (["a.php", "b.js"], "php"),
        (["a.php", "b.c"], None),
        (["a.c", "b.asm"], None),
        (["a.py"], None),
    ],
)
def test_a_file_that_is_included_has_the_one_language_of_the_folder_that_includes_any(
    tmp_path: Path, others: list[str], language: str | None
) -> None:
    files = {"Makefile.inc": "a = b", "wait.inc": "int await_tide(void) { return 1; }\n"}
    entities = read(write(tmp_path, {**dict.fromkeys(others, "x = 1"), **files})).entities

    assert "Makefile.inc" not in entities
    included = entities.get("wait.inc")
    assert (included and included.attributes["language"]) == language
    assert ("wait.inc::await_tide" in entities) is (language in {"c", "cpp"})
