"""Which names of code a query may write, as languages and tools do."""

import pytest

from graphmem.search.code.names import members, qualified_names, symbols, types
from graphmem.search.code.paths import decoded, path_names


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("conn.read(buf)", ["read()"]),
        ("result = parse(text, limit=3)", ["parse()"]),
        ("struct Seek", ["Seek()"]),
        ("why does the method open fail", ["open()"]),
        ("Seek::new(3)", ["Seek()", "new()"]),
        ("Option<Seek<T>>", ["Option()", "Seek()", "T()"]),
        ("list[Seek] | None", ["Seek()"]),
        ("&Commit{Name: name}", ["Commit()"]),
        ("<EventLog />", ["EventLog()"]),
        ("<EventLog size=3>", ["EventLog()"]),
        # What Python has built in is rarely one of the project, but may be a method of it.
        ("len(rows)", []),
        ("rows.len(3)", ["len()"]),
        # English.
        ("the store (a map) is full", []),
        ("what is the type of it", []),
        ("the class of the function", []),
        ("Redis: the cache, and Kafka", []),
    ],
)
def test_a_symbol_of_one_word_shows_by_what_stands_beside_it(query: str, names: list[str]) -> None:
    assert list(symbols(query)) == names


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("deprecate `HttpFlow.mode`", ["HttpFlow"]),
        ("asyncio.exceptions.CancelledError", ["CancelledError"]),
        ("net::Server#start", ["Server"]),
        ("src/App.tsx, app.store.get, Server", []),
    ],
)
def test_a_type_is_named_by_its_members(query: str, names: list[str]) -> None:
    assert list(types(query)) == names


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("see net.http.Server", ["net.http.Server"]),
        ("from net.http import Server, Client as C", ["net.http.Server", "net.http.Client"]),
        ("from .net import (\n    tls,\n    dns,\n)", ["net.tls", "net.dns"]),
        ("use net::http::{Server, ws::Socket, self};", ["net.http.Server", "net.http.ws.Socket"]),
        (
            'import { Server, type Client } from "../net/http"',
            ["net.http.Server", "net.http.Client"],
        ),
        ("import Server from '@/net/http'", ["net.http.Server"]),
        ('const { Server: S } = require("./net/http")', ["net.http.Server"]),
        ("import org.x.Store;", ["org.x.Store"]),
        ("at org.x.Store$Worker.run(Store.java:9)", ["org.x.Store.Worker.run"]),
        (r"App\Net\Server::start(8080)", ["App.Net.Server.start"]),
        ("a letter from Ann", []),
    ],
)
def test_what_is_imported_has_the_path_of_its_module(query: str, paths: list[str]) -> None:
    written = [".".join(parts) for parts in qualified_names(query)]
    assert set(paths) <= set(written)
    assert bool(written) == bool(paths)


def test_a_long_path_is_named_by_its_end_and_by_all_of_it() -> None:
    names = set(members("a.b.c.d.e.f"))
    assert {"e.f", "e::f", "c.d.e.f", "a.b.c.d.e.f", "a::b::c::d::e::f"} <= names
    assert "b.c.d.e.f" not in names


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("/srv/app/store.py", ["srv/app/store.py", "app/store.py", "store.py"]),
        (r"C:\srv\store.py", ["srv/store.py", "store.py"]),
        ("see ./app/store.py.", ["app/store.py", "store.py"]),
        (
            "https://example.org/x/blob/main/store.py#L4",
            [
                "example.org/x/blob/main/store.py", "x/blob/main/store.py", "blob/main/store.py",
                "main/store.py", "store.py",
            ],
        ),
        (
            "FAILED app/test_store.py::TestStore::test_get[empty] - KeyError",
            [
                "app/test_store.py::TestStore.test_get", "app/test_store.py::TestStore::test_get",
                "test_store.py::TestStore.test_get", "test_store.py::TestStore::test_get",
                "app/test_store.py", "test_store.py",
            ],
        ),
        ("store.py::Store.get", ["store.py::Store.get", "store.py::Store::get", "store.py"]),
        ("std::vec::Vec", []),
        ("why 3 < 4", []),
    ],
)  # fmt: skip
def test_a_path_may_begin_outside_of_what_was_imported(query: str, names: list[str]) -> None:
    assert list(path_names(query)) == names


@pytest.mark.parametrize(
    ("query", "readable"),
    [
        ("obsidian://open?vault=n&file=a%2FMy%20note", "obsidian://open?vault=n&file=a/My note"),
        ("see file:///n/b%C3%A4r.md now", "see file:///n/bär.md now"),
        ("100% of 5%", "100% of 5%"),
    ],
)
def test_addresses_are_read_without_percent_signs(query: str, readable: str) -> None:
    assert decoded(query) == readable


@pytest.mark.parametrize(
    "query",
    [
        "%41" * 50_000,
        "a/" * 50_000, "\\" * 100_000, "a.b::" * 20_000, "a." * 50_000, "a(" * 50_000,
        "class " * 20_000, "class" + " " * 100_000, "from a import " * 10_000, "{" * 100_000,
        "{a," * 30_000, "use a::{" * 10_000, "A<" * 50_000, "<A " * 30_000, "A" * 100_000,
    ],
)  # fmt: skip
def test_names_of_code_in_a_huge_query_are_few(query: str) -> None:
    for names in (symbols, members, types, path_names):
        assert len(list(names(decoded(query)))) < 2000
