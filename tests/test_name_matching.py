"""How names are found: whole, in other cases, with a slip, inside longer names and questions."""

import re
from collections.abc import Callable

import pytest

from graphmem.errors import DatabaseTimeout, NotFound
from graphmem.graph import Graph, Row
from graphmem.memory import Memory
from keyword_searches import find

THINGS: list[dict[str, object]] = [
    {"name": "Kubernetes cluster", "text": "Where everything runs."},
    {"name": "Session store", "aliases": ["ADR-7"], "text": "Keeps who is signed in."},
    {"name": "Система аутентификации", "text": "Проверяет пароли."},
    {"name": "Martina Novak", "text": "Builds the berth planner."},
    {"name": "Marina of Split", "text": "The first customer."},
    {"name": "SPLIT", "kind": "Place", "text": "A town in Dalmatia."},
]


@pytest.fixture
def filled(memory: Memory) -> Memory:
    memory.remember(THINGS)
    return memory


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("kubernetes CLUSTER", "Kubernetes cluster"),
        ("who looks after the session store now?", "Session store"),
        ("adr-7", "Session store"),
        ("kubernets", "Kubernetes cluster"),
        ("is kubernetees down", "Kubernetes cluster"),
        ("системы аутентификации", "Система аутентификации"),
        ("аутентефикация", "Система аутентификации"),
        ("Martina", "Martina Novak"),
        ("martinna", "Martina Novak"),
        ("marina", "Marina of Split"),
        ("split", "SPLIT"),
        ("the marina of split", "Marina of Split"),
    ],
)
def test_a_name_leads_to_its_entity(filled: Memory, query: str, first: str) -> None:
    hits = filled.search(query, mode="keyword", expand=False).hits

    assert hits, query
    assert hits[0].name == first


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("add support for anchors", []),
        ("For whom do anchors hold", []),
        ("what holds it", []),
        ("fix the class FOr", ["FOr"]),
        ("Who directed It?", ["It"]),
        ("FOR", ["FOr"]),
        ("it", ["It"]),
        ("for it", ["FOr", "It"]),
        ("for the anchor", ["For the anchor"]),
        ("FOr usages", ["FOr"]),
        ("is `for` meant", ["FOr"]),
        ('what is "it" for', ["It"]),
        ('what holds "For whom"', []),
        ("it AND anchors", []),
        ("kind:Thing it", ["It"]),
        ("tag:it holds for", []),
        ("where to put the anchors", []),
        ("Where do anchors hold", []),
        ("the function Where", ["Where"]),
        ("where", ["Where"]),
        ("where is it", ["It", "Where"]),
    ],
)
def test_a_stop_word_is_a_name_where_it_stands_alone_or_has_a_capital(
    memory: Memory, query: str, named: list[str]
) -> None:
    memory.remember([{"name": name} for name in ("FOr", "It", "For the anchor", "Where")])
    hits = memory.search(query, mode="keyword", expand=False, fuzzy_names=False).hits
    assert sorted(hit.name for hit in hits if hit.matched.name > 0) == named


LONG = [
    "test_a_filter_finds_what_brute_force_finds",
    "src/app/core/search/index.py::Type.method",
    "src/app/core/search/index.py::Type.__init__",
    "src/main.py",
]


@pytest.fixture(scope="module")
def code(memory_of: Callable[[str], Memory]) -> Memory:
    memory = memory_of("github.com/my-org/my-repo")
    memory.remember([{"name": name, "text": "A piece of code."} for name in (*LONG, "Type.method")])
    return memory


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize(
    "query",
    ["{}", "what does {} call when it is asked twice?", "({})", "'{}'", "is it `{}`?", "see {}."],
)
def test_a_name_or_key_of_many_parts_is_found_as_a_name(
    code: Memory, query: str, name: str
) -> None:
    for said in (name, f"github.com/my-org/my-repo#{name}"):
        best = code.search(query.format(said), mode="keyword", expand=False).hits[0]

        assert best.name == name
        assert best.matched.name > 0


@pytest.mark.parametrize("name", LONG)
def test_a_name_in_quotes_is_a_phrase_and_a_name(code: Memory, name: str) -> None:
    best = code.search(f'"{name}"', mode="keyword", expand=False).hits[0]

    assert best.name == name
    assert best.matched.name > 0
    assert best.matched.text > 0


def test_a_slip_counts_less_than_the_name(filled: Memory) -> None:
    filled.remember([{"name": "Martin Novik", "text": "Somebody else."}])

    hits = filled.search("Martina", mode="keyword", expand=False).hits

    assert hits[0].name == "Martina Novak"
    [other] = [hit for hit in hits if hit.name == "Martin Novik"]
    assert other.score < hits[0].score / 2


def test_a_word_that_is_like_no_name_finds_nothing(filled: Memory) -> None:
    assert not filled.search("zzyzzyx", mode="keyword").hits


def test_a_name_that_leads_nowhere_is_answered_with_names_that_begin_so(memory: Memory) -> None:
    memory.remember([{"name": name} for name in ("Redis cache", "Redis queue", "Cache")])
    memory.forget("Redis queue")

    with pytest.raises(NotFound, match=r"'redis' in .*; did you mean 'Redis cache'\?$"):
        memory.get("redis")
    with pytest.raises(NotFound, match=r"; did you mean 'Redis cache'\?$"):
        memory.unlink("Redis", "Cache")
    (item,) = memory.forget("Redi").refused
    assert (item.reason or "").endswith("; did you mean 'Redis cache'?")
    with pytest.raises(NotFound, match="search for it, or remember it first"):
        memory.get("pier")


def test_a_name_that_begins_none_is_answered_with_similar_names(memory: Memory) -> None:
    memory.remember(
        [{"name": name} for name in ("Lena Brandt", "Redis cache", "src/pier.py::dock")]
    )
    memory.forget("Redis cache")

    for name in ("Leena Brandt", "Brandt, Lena", "lena brant"):
        with pytest.raises(NotFound, match=r"; did you mean 'Lena Brandt'\?$"):
            memory.get(name)
    with pytest.raises(NotFound, match=r"; did you mean 'src/pier\.py::dock'\?$"):
        memory.get("the dock")
    for name in ("the cache of Redis", "Bernd", "of", "🚢", "a" * 300, "name:(Zoe"):
        with pytest.raises(NotFound, match="search for it, or remember it first"):
            memory.get(name)
    for report in (
        memory.link("Lena Brandt", "OWNS", "the dock"),
        memory.forget("Lena Brandts"),
    ):
        assert "did you mean" in str(report.refused[0].reason)


def test_a_misspelt_symbol_is_compared_with_the_ends_of_names_and_with_aliases(
    memory: Memory,
) -> None:
    memory.remember(
        [
            {"name": "app/_client.py::Client._build_request", "aliases": ["_build_request()"]},
            {"name": "app/_api.py::request"},
            {"name": "app/_decoders.py::ZStandardDecoder"},
            {"name": "Session store", "aliases": ["Memcached"]},
        ]
    )
    for name, meant in {
        "_biuld_request": "app/_client.py::Client._build_request",
        "Client._build_requst": "app/_client.py::Client._build_request",
        "ZStandardDecodr": "app/_decoders.py::ZStandardDecoder",
        "Memcachd": "Session store",
    }.items():
        with pytest.raises(NotFound, match=rf"; did you mean '{re.escape(meant)}'\?$"):
            memory.get(name)


def test_a_symbol_whose_own_name_is_a_word_is_named_where_that_leads_nowhere(
    memory: Memory,
) -> None:
    memory.remember(
        [
            {"name": "src/pier.go::Pier.Flags", "aliases": ["Pier.Flags", "Flags()"]},
            {"name": "src/pier.go::Pier.Close", "aliases": ["Pier.Close", "Close()"]},
            {"name": "src/crane.go::Crane.Close", "aliases": ["Crane.Close", "Close()"]},
            {"name": "Flags of the harbour"},
        ]
    )
    with pytest.raises(NotFound, match=r"; did you mean 'src/pier\.go::Pier\.Flags'\?$"):
        memory.get("Flags")
    (item,) = memory.link("Flags of the harbour", "USES", "close").items
    assert item.outcome == "refused"
    assert (item.reason or "").endswith(
        "; did you mean 'src/crane.go::Crane.Close' or 'src/pier.go::Pier.Close'?"
    )


def test_a_name_that_leads_nowhere_is_answered_without_similar_ones_where_these_cannot_be_read(
    memory: Memory, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.remember([{"name": "Lena Brandt"}])
    read = graph.read

    def slow(name: str, **parameters: object) -> list[Row]:
        if name == "read/similar_names":
            raise DatabaseTimeout("too slow")
        return read(name, **parameters)

    monkeypatch.setattr(graph, "read", slow)
    with pytest.raises(NotFound, match="search for it, or remember it first"):
        memory.get("Leena Brandt")


def test_a_name_that_leads_nowhere_is_compared_once_with_those_of_its_project(
    memory: Memory, reads: list[str]
) -> None:
    memory.remember([{"name": "Lena Brandt"}])
    with pytest.raises(NotFound, match="did you mean 'Lena Brandt'"):
        memory.get("Leena Brandt")
    assert reads.count("read/similar_names") == 1


def test_a_name_that_is_too_long_to_be_typed_is_compared_with_none(
    memory: Memory, reads: list[str]
) -> None:
    memory.remember([{"name": "Lena Brandt"}])
    for name in ("x" * 500, f"{'y' * 100} {'z' * 100}"):
        with pytest.raises(NotFound, match="search for it, or remember it first"):
            memory.get(name)
    assert reads
    assert "read/similar_names" not in reads


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("İstanbul Ofisi", "istanbul ofisi"),
        ("İstanbul Ofisi", "İSTANBUL OFİSİ"),
        ("İstanbul Ofisi", "ISTANBUL OFISI"),
        ("Isparta Şubesi", "ısparta şubesi"),
        ("Αθήνα Γραφείο", "ΑΘΗΝΑ ΓΡΑΦΕΙΟ"),
        ("Cœuvres et œuvre", "coeuvres et oeuvre"),
        ("O’Reilly Media", "o'reilly media"),
        ("O'Reilly Media", "OʼReilly Media"),
        ("session-store", "session‑store"),
        ("Michelson–Morley", "Michelson-Morley"),
        ("The “quoted” note", 'the "quoted" note'),
        ("كتاب", "كتـــاب"),
        ("A 5″ disk", 'a 5" disk'),
        ("Ship ⚠", "Ship ⚠\ufe0f"),
        ("Ship ⚠\ufe0f", "Ship ⚠"),
    ],
)
def test_a_name_is_found_with_other_capitals_and_the_marks_of_any_keyboard(
    memory: Memory, name: str, other: str
) -> None:
    memory.remember([{"name": name}])
    assert [page.name for page in memory.get(other)] == [name]


@pytest.mark.parametrize(
    ("name", "other"),
    [("Año viejo", "Ano viejo"), ("Мой край", "Мои краи"), ("Café Müller", "cafe muller"),
     ("שלום", "שָׁלוֹם")],
)  # fmt: skip
def test_a_name_with_other_letters_is_another_one(memory: Memory, name: str, other: str) -> None:
    memory.remember([{"name": name}])
    with pytest.raises(NotFound, match="did you mean"):
        memory.get(other)


def test_of_two_names_that_differ_so_none_is_taken_for_another(memory: Memory) -> None:
    memory.remember([{"name": "İstanbul Ofisi"}, {"name": "İstanbul Ofısı"}])
    with pytest.raises(NotFound, match="did you mean"):
        memory.get("istanbul ofisi")
    assert [page.name for page in memory.get("İstanbul Ofısı")] == ["İstanbul Ofısı"]


@pytest.fixture
def symbols(memory: Memory) -> Memory:
    memory.remember(
        [
            {"name": "sum.py::add", "aliases": ["add()"], "text": "def add(left, right): ..."},
            {
                "name": "Containers",
                "text": "Add to a bag: add one, add two, add them all to the bag.",
            },
            {"name": "io.py::JsonReader", "aliases": ["JsonReader"], "text": "Reads."},
            {"name": "io.py::JsonReader.skip", "aliases": ["JsonReader.skip"], "text": "Passes."},
            {"name": "net.rs::Reader::skip", "aliases": ["Reader::skip"], "text": "Leaves out."},
            {"name": "app/net/url.py", "aliases": ["net.url"], "text": "Reads addresses."},
            {"name": "net.py", "text": "The net of an app: its url, which net, my app."},
            {"name": "io.py::read_all", "aliases": ["read_all"], "text": "Takes a stream."},
            {"name": "Streams", "text": "A JSON reader is a reader of JSON: read all JSON."},
        ]
    )
    return memory


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("add", "sum.py::add"),
        ("Add", "sum.py::add"),
        ("`add`", "sum.py::add"),
        ("add()", "sum.py::add"),
        ("json reader", "io.py::JsonReader"),
        ("JSON Reader", "io.py::JsonReader"),
        ("read all", "io.py::read_all"),
        ("JsonReader.skip", "io.py::JsonReader.skip"),
        ("JsonReader::skip", "io.py::JsonReader.skip"),
        ("jsonreader skip", "io.py::JsonReader.skip"),
        ("JsonReader skip()", "io.py::JsonReader.skip"),
        ("Reader::skip", "net.rs::Reader::skip"),
        ("Reader.skip", "net.rs::Reader::skip"),
        ("reader->skip", "net.rs::Reader::skip"),
        ("Reader#skip", "net.rs::Reader::skip"),
        ("my.net.Reader.skip()", "net.rs::Reader::skip"),
        ("reader skip", "net.rs::Reader::skip"),
        ("app.net.url", "app/net/url.py"),
        ("my::net::url", "app/net/url.py"),
        ("app/net/url", "app/net/url.py"),
    ],
)
def test_a_query_that_can_only_be_a_symbol_is_its_name(
    symbols: Memory, query: str, first: str
) -> None:
    best = symbols.search(query, mode="keyword", expand=False).hits[0]

    assert best.name == first
    assert best.matched.name > 0


@pytest.mark.parametrize(
    "query", ["add one to a bag", "`add` one to a bag", "a json reader of a stream", "read it all"]
)
def test_words_beside_others_are_no_name_of_a_symbol(symbols: Memory, query: str) -> None:
    hits = symbols.search(query, mode="keyword", expand=False).hits

    assert not [hit.name for hit in hits if hit.matched.name > 0 and "::" in hit.name]


@pytest.mark.parametrize(
    ("query", "member"),
    [
        ("who calls JsonReader::skip on a stream?", "io.py::JsonReader.skip"),
        ("what of a stream does JsonReader skip?", "io.py::JsonReader.skip"),
        ("when does a `Reader` `skip()` a bag", "net.rs::Reader::skip"),
        ("is a bag what reader.skip takes", "net.rs::Reader::skip"),
    ],
)
def test_a_type_and_its_member_are_named_in_a_question(
    symbols: Memory, query: str, member: str
) -> None:
    hits = symbols.search(query, mode="keyword", expand=False).hits

    assert [hit.name for hit in hits if hit.matched.name > 0] == [member]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("readAll", "io.py::read_all"),
        ("ReadAll", "io.py::read_all"),
        ("read-all", "io.py::read_all"),
        ("where is readAll of a stream", "io.py::read_all"),
        ("json_reader", "io.py::JsonReader"),
        ("what is `json-reader`, a bag?", "io.py::JsonReader"),
        ("open_bag", "bag.py::_open_bag"),
        ("open bag", "bag.py::_open_bag"),
        ("OpenBag", "bag.py::_open_bag"),
        ("shut_bag", "bag.py::shut_bag"),
        ("_shut_bag", "bag.py::Bag._shut_bag"),
        ("bag_count", "bag-count"),
        ("BagCount", "bag-count"),
        ("bag count", "bag-count"),
        ("where is bagCount of a stream", "bag-count"),
        ("fold-bag", "fold-bag"),
        ("foldBag", "foldBag"),
    ],
)
def test_an_identifier_is_found_in_the_style_of_any_language(
    symbols: Memory, query: str, first: str
) -> None:
    symbols.remember(
        [
            {"name": "bag.py::_open_bag", "aliases": ["_open_bag"], "text": "Opens."},
            {"name": "bag.py::shut_bag", "aliases": ["shut_bag"], "text": "Ends."},
            {"name": "bag.py::Bag._shut_bag", "aliases": ["_shut_bag"], "text": "Ends."},
            {"name": "bag.py::ShutBag", "aliases": ["ShutBag"], "text": "Ends."},
            {"name": "bag-count", "text": "A service."},
            {"name": "foldBag", "text": "Folds."},
            {"name": "fold-bag", "text": "Folds."},
        ]
    )
    hits = symbols.search(query, mode="keyword", expand=False).hits

    assert hits[0].name == first
    assert hits[0].matched.name > 0


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("Sleep", "time.rs::Sleep"),
        ("sleep", "time.rs::sleep~2"),
        ("time::Sleep", "time.rs::Sleep"),
        ("who calls `time.sleep`?", "time.rs::sleep~2"),
        ("time Sleep", "time.rs::Sleep"),
        ("where is time::sleep() used", "time.rs::sleep~2"),
    ],
)
def test_of_two_names_that_differ_in_case_the_one_as_written_comes_first(
    memory: Memory, query: str, first: str
) -> None:
    memory.remember(
        [
            {"name": "time.rs::Sleep", "aliases": ["Sleep()", "time::Sleep"], "text": "Waits."},
            {"name": "time.rs::sleep~2", "aliases": ["sleep()", "time::sleep"], "text": "Waits."},
        ]
    )
    hits = memory.search(query, mode="keyword", expand=False).hits

    assert hits[0].name == first
    assert hits[0].matched.name > hits[1].matched.name > 0


@pytest.mark.parametrize("query", ["what does a reader skip of a bag", "JsonReader, skip all"])
def test_words_that_only_might_be_a_type_and_its_member_name_none(
    symbols: Memory, query: str
) -> None:
    hits = symbols.search(query, mode="keyword", expand=False).hits

    assert not [hit.name for hit in hits if hit.matched.name > 0 and "skip" in hit.name]


def test_a_symbol_does_not_hide_what_has_the_word_itself_as_its_name(symbols: Memory) -> None:
    symbols.remember([{"name": "Add", "text": "A command."}])
    hits = symbols.search("add", mode="keyword", expand=False).hits

    assert {hit.name for hit in hits if hit.matched.name > 0} == {"Add", "sum.py::add"}


def test_a_name_that_many_bear_is_little_evidence(memory: Memory) -> None:
    memory.remember([{"name": f"Turn {i}", "title": "Caroline"} for i in range(4)])
    memory.remember([{"name": "Melanie"}])
    answer = find(memory, "Caroline Melanie", explain=True)
    assert answer.hits[0].name == "Melanie"
    assert {round(hit.matched.name, 3) for hit in answer.hits[1:]} == {0.4}  # 0.8 by the root of 4


def test_the_drive_of_a_path_is_no_name(memory: Memory) -> None:
    memory.remember(
        [
            {"name": "C", "text": "A language."},
            {"name": "Log", "text": r"It is at C:\Acme\logs\error.log on that machine."},
        ]
    )
    for query in (r"C:\Acme\logs\error.log", "c:/Acme/logs/error.log"):
        hits = memory.search(query, mode="keyword", expand=False).hits
        assert hits[0].name == "Log"
        assert not any(hit.matched.name for hit in hits)
    assert memory.search("written in C", mode="keyword").hits[0].matched.name > 0.5
