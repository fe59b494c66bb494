"""The query builder: every string has a reading, and none breaks the text indexes."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import neo4j
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from graphmem import lucene, text
from graphmem.graph import Graph
from graphmem.lucene.clauses import CLAUSES, PLACES, clauses
from graphmem.lucene.parser import FUZZY_WORDS
from graphmem.lucene.segmentation import leading
from graphmem.lucene.tokens import ADDRESS, QUOTED_IN_CODE
from graphmem.lucene.tree import CUTS, LEADING
from graphmem.model.answer import Operator
from graphmem.model.filters import Filters
from graphmem.model.language import Language
from graphmem.model.visible import visible_around_words
from graphmem.search import Plan, SearchRequest, parameters

# How many a property is tried with: few, or very many by `make thorough`.
EXAMPLES = settings().max_examples
DEFAULTS: tuple[Operator, ...] = ("or", "and")
ANY_GROUP = [[text.token("project", "example.org/none")]]
SYNTAX = st.sampled_from(
    ["AND", "OR", "NOT", "TO", '"', "(", ")", "[", "]", "{", "}", "*", "?", "~", "^2", ":", "\\",
     "+", "-", "&&", "||", "!", "/", "<", ">", "=", " ", "a", "ж", "🦀", "\0", "\ud800", "数据",
     "データ", "らーめん", "서버", "ฐาน", "ＧＰＵ", "ﾞ", "ั", "सर्वर", "“", "”", "«", "»", "「", "」",
     "（", "tag：a", "a、b", "\u200b"]
)  # fmt: skip
STRINGS = st.one_of(st.text(max_size=60), st.lists(SYNTAX, max_size=12).map(" ".join))
ALL_INDEXES = """
UNWIND ['graphmem_passage_english', 'graphmem_passage_russian', 'graphmem_passage_exact'] AS index
UNWIND $queries AS query
CALL (index, query) {
  CALL db.index.fulltext.queryNodes(index, query, {limit: 1}) YIELD node
  RETURN count(*) AS found
}
RETURN count(*) AS asked
"""


READINGS = Path(__file__).parents[1] / "docs" / "query-language.md"


def readings() -> list[tuple[str, str, str]]:
    """The rows of the documentation's table: input, reading with OR, reading with AND."""
    rows = re.findall(r"^\| `` (.*?) `` \| (.*?) \| (.*?) \|$", READINGS.read_text(), re.MULTILINE)
    return [
        (query, *(side.strip("` ").replace("\\|", "|") for side in sides)) for query, *sides in rows
    ]


@pytest.mark.parametrize(("query", "as_or", "as_and"), readings())
def test_each_interpretation_in_the_documentation_is_correct(
    query: str, as_or: str, as_and: str
) -> None:
    sides: list[tuple[Operator, str]] = [("or", as_or), ("and", as_and)]
    for default, reading in sides:
        tree = lucene.parse(query, default=default).tree
        assert ("nothing" if tree is None else lucene.canonical(tree)) == reading


def test_the_table_of_interpretations_has_its_rows() -> None:
    assert len(readings()) > 40


def test_queries_advised_by_the_documentation_mean_what_it_says() -> None:
    advice = (
        READINGS.read_text().partition("| to find | write |\n|---|---|\n")[2].partition("\n\n")[0]
    )
    queries = re.findall(r"`([^`]+)`", advice)
    assert len(queries) == 9
    assert not any(lucene.parse(query).notes for query in queries)
    canonical = [lucene.canonical(tree) for query in queries if (tree := lucene.parse(query).tree)]
    assert canonical == [
        "(redis OR session OR cache)", "(redis AND cache)", "(redis AND NOT cache)",
        '"session cache"', "sess*", "*store", "sesion~2", "tag:(infra)",
        "(redis AND owner:(ops))",
    ]  # fmt: skip


def words(query: str, default: Operator = "or") -> list[lucene.Node]:
    tree = lucene.parse(query, default=default).tree
    return [] if tree is None else lucene.leaves(tree)


def written(query: str) -> str | None:
    tree = lucene.parse(query).tree
    return None if tree is None else lucene.write(tree, required=ANY_GROUP)


@pytest.mark.parametrize(
    "query", ["conf*", "*Error", "*thread*", "(*Error OR conf*)", "*Error, *Exception", "NOT(*a)"]
)
def test_single_stars_are_wildcards(query: str) -> None:
    assert any(isinstance(leaf, lucene.Pattern) for leaf in words(query))


@pytest.mark.parametrize(
    "query",
    ["**bold** text", "def f(self, *args, **kwargs):", "print(*args)", "char **argv", "`**opts`"],
)
def test_stars_of_markdown_and_code_are_punctuation(query: str) -> None:
    parsed = lucene.parse(query)
    assert not parsed.strict
    assert any("read as punctuation" in note for note in parsed.notes)


def test_words_are_kept_in_order_and_each_once() -> None:
    assert words("redis why redis cache") == [lucene.Word(w) for w in ("redis", "why", "cache")]


def test_at_most_64_words_are_kept_with_a_note() -> None:
    query = lucene.parse(" ".join(f"w{i}" for i in range(5_000)))
    assert query.tree is not None
    assert len(lucene.leaves(query.tree)) == 64
    assert any("64" in note for note in query.notes)


@pytest.mark.parametrize(
    ("query", "strict"),
    [("a b", False), ("a AND b", True), ('a "b"', True), ("a*", True), ("NOT a", True),
     ("a and b or not c", False), ("(a b)", False), ("title:a", True), ("why a?", False),
     ("SELECT * FROM users", False), ("a ?", False), ("*** a", False), ("*", True),
     ("a OR", False), ("AND a", False), ("a NOT", False), ("a && b", False), ("a ()", False),
     ('a ""', False), ("a OR b", True), ("NOT NOT a", True)],
)  # fmt: skip
def test_operators_decide_whether_words_decide(query: str, *, strict: bool) -> None:
    assert lucene.parse(query).strict is strict
    assert lucene.parse(query, default="and").strict


@pytest.mark.parametrize(
    ("query", "said"),
    [("(a", "unclosed"), ("a)", "without an opening"), ('"a', "closed at the end"),
     ("a~7", "two letters"), ('"a b"~999', "0 to 100; 100 was used"), ("a*~1", "`~` was ignored"),
     ("a*b" * 9, "'a*ba*ba*ba*ba*ba*ba*ba*ba*b' was searched without wildcards"),
     ("(" * 99 + "a" + ")" * 99, "deeper than"), ("a:" * 400 + "x", "deeper than"),
     ("name:" * 511 + "x", "deeper than"), ("file OR", "without a word"),
     ("a AND", "without a word"), ("a NOT", "without a word"),
     ("owner:op*", "compared as a whole"), ("e-mail*", "several words"),
     ("*a *b *c *d *e", "first 4 patterns"), ("*a-*b-*c-*d-*e", "first 4 patterns"),
     ("a * b", "wildcard without letters"), ("a ? b", "wildcard without letters"),
     ("a && b", "`&&`"), ("a ()", "parentheses without words"), ('a ""', "phrase without words"),
     ("AND a", "without a word"), ("AND", "without a word"), ("title:()", "`title`"),
     ("a" * 201, "first 200 characters"), ('"' + "a" * 201 + '"', "first 200 characters"),
     ("foo?~1", "question mark"), ("a-b-c-d~1", "first 3 fuzzy"),
     ("std::vec*", "several words"), ("データ" * 400, "of a word"),
     (" ".join(f"データ{n}" for n in range(5)), "inside longer ones")],
)  # fmt: skip
def test_a_note_names_ignored_parts_of_a_query(query: str, said: str) -> None:
    assert any(said in note for note in lucene.parse(query).notes)


def test_the_name_of_a_function_is_read_without_a_note() -> None:
    assert lucene.parse("where is add() called") == lucene.parse("where is add called")
    assert lucene.parse("free_() OR Gson()") == lucene.parse("free_ OR Gson")


@pytest.mark.parametrize("word", ["C++", "a/b", "foo:", "(x)", "~a", "a^2", '"q', "&&", "a\\b"])
def test_lucene_syntax_is_escaped(word: str) -> None:
    assert lucene.escape(word).replace("\\", "") == word.replace("\\", "")
    assert lucene.escape(word) != word


@pytest.mark.parametrize("operator", ["AND", "OR", "NOT", "TO"])
def test_lucene_operators_are_quoted_as_words(operator: str) -> None:
    assert lucene.escape(operator) == operator.lower()


def test_every_query_requires_its_filters_without_boost() -> None:
    text = lucene.write(lucene.Word("redis"), required=[["a0", "b0"], ["c0"]])
    assert text.startswith("+filters:(a0 b0)^0 +filters:(c0)^0 +(")


def test_the_number_of_clauses_is_bounded() -> None:
    many = " AND ".join(f"someIdentifier{i}WithManyParts_and_more" for i in range(500))
    assert len((written(many) or "").split()) < 1_000


def test_names_beside_hundreds_of_filters_are_no_more_clauses_than_an_index_takes() -> None:
    query = " ".join(f"(path/{number}/of/many/tokens/and/more.py)," for number in range(200))
    required = [[f"r{number}0" for number in range(300)], ["live0"]]
    asked = lucene.handles(text.grams(query), required=required, forbidden=["f0"] * 100)
    assert asked is not None
    assert len(asked.split()) <= 1_024
    assert asked.count("filters:") == 2 + 100


def test_names_are_looked_up_by_their_digests() -> None:
    asked = lucene.handles(text.grams("the redis cache"), required=ANY_GROUP)
    assert text.token("name", "redis cache") in (asked or "")


@pytest.mark.parametrize(
    ("word", "stem"),
    [("systems", "system"), ("authenticated", "authent"), ("серверов", "сервер"), ("go", None)],
)
def test_stems_are_the_beginning_that_forms_share(word: str, stem: str | None) -> None:
    assert lucene.stem(word) == stem


@pytest.mark.parametrize(
    ("word", "forms"),
    [("systems", ("system*",)), ("query", ("queri*",)), ("queries", ("queri*", "query")),
     ("policy", ("polici*",)), ("go", ()), ("серверов", ("сервер*",)),
     ("new", ("/new('s|ed|es|ing|’s)?/",)), ("404", ("/404('s|’s)?/",))],
)  # fmt: skip
def test_forms_of_a_word_are_looked_for_by_what_they_share(
    word: str, forms: tuple[str, ...]
) -> None:
    assert lucene.forms(word) == forms


@pytest.mark.parametrize(
    ("word", "found", "others"),
    [("win", "wins winning win's", "window winter wine"), ("car", "cars", "care card carbon"),
     ("cats", "cat cats", "catalogue category"), ("art", "arts", "article"),
     ("using", "use used uses", "user useful"), ("try", "tries tried trying", "trial trigger"),
     ("код", "кода коды кодом кодами", "кодекс кодировка"),
     ("год", "года году годах", "годный годовщина"),
     ("новый", "новая новых новому", "новость новичок"),
     ("coding", "code codes coded", "codec")],
)  # fmt: skip
def test_a_short_stem_finds_the_forms_of_a_word_and_no_other_words(
    word: str, found: str, others: str
) -> None:
    [form] = lucene.forms(word)
    pattern = re.compile(form.strip("/"))
    assert all(pattern.fullmatch(one) for one in found.split())
    assert not any(pattern.fullmatch(one) for one in others.split())


@pytest.mark.parametrize(
    ("language", "word", "forms"),
    [("german", "Größe", ("größ*", "gross*")), ("german", "Häusern", ("häus*", "haus*")),
     ("german", "Tür", ("/tür.{0,2}()?/",)), ("french", "élève", ("élèv*", "élev*")),
     ("spanish", "canción", ("canción*", "cancion*")), ("german", "Gasse", ("gass*", "gaß*")),
     ("german", "STRASSE", ("strass*", "straß*")), ("german", "Straße", ("straß*", "strass*")),
     ("greek", "πρόσβασης", ("πρόσβασ*", "προσβασ*"))],
)  # fmt: skip
def test_forms_are_looked_for_with_the_accents_that_a_stem_lacks(
    language: str, word: str, forms: tuple[str, ...]
) -> None:
    assert lucene.forms(word, [Language(language)]) == forms


@given(word=st.text(min_size=1, max_size=12))
def test_a_word_has_few_places(word: str) -> None:
    every = tuple(map(Language, ("english", "german", "french", "russian")))
    assert len(lucene.forms(word, every)) < len(PLACES)


def whole(query: str) -> str:
    tree = lucene.parse(query).tree
    assert tree is not None
    return lucene.canonical(lucene.whole_words(tree))


@pytest.mark.parametrize(
    ("query", "asked"),
    [("e-mail*", "(e AND mail*)"), ("src/main*.py", "(src AND main*.py)"), ("boot*", "boot*"),
     ("*file-sys*", "(*file AND sys*)"), ("foo-bar~1", "(foo~1 AND bar~1)"), ("-*x", "*x"),
     ("std::vec*", "(std AND vec*)"), ("asking.py::par*", "(asking.py AND par*)"),
     ("12:3*", "(12 AND 3*)"), ("foo—b*", "(foo AND b*)"), ("owner\\:op*", "owner\\:op*"),
     ("3,14*", "3,14*"), ("a,b*", "(a AND b*)"), ("std::vec~1", "(std~1 AND vec~1)")],
)  # fmt: skip
def test_a_pattern_is_cut_where_the_indexes_cut_words(query: str, asked: str) -> None:
    assert whole(query) == asked


def test_an_own_attribute_is_never_looked_for_in_all_text() -> None:
    for query, value in [("owner:op*", "op*"), ("owner:ops", "ops"), ('owner:"a b"', "a b")]:
        token = text.attribute_token("owner", value)
        assert (written(query) or "").endswith(f"+(filters:{token})")


def test_a_name_of_many_characters_is_a_field_in_quotation_marks() -> None:
    assert words('"due.date":2026') == [lucene.Word("2026")]
    assert lucene.parse('"due.date":2026').tree == lucene.Field("due.date", lucene.Word("2026"))
    assert lucene.parse('{"a":"b"}').tree == lucene.parse("a b").tree


@pytest.mark.parametrize(
    "query",
    [
        'raise ValueError("invalid port")', 'panic!("no {} left", name)', '["a b"]',
        'msg="no port" level=error', 'x = f"no {port}"', '"level": "error"', '"level":"error"',
        '#include "redis.h"', 'import x from "./y/z"', 'mock.patch("a.b")', '{"a": 1, "b": "x y"}',
    ],
)  # fmt: skip
def test_quotation_marks_of_code_are_no_phrase(query: str) -> None:
    read = lucene.parse(query)
    assert not read.strict
    assert read.notes == (QUOTED_IN_CODE,)
    assert read.tree == lucene.parse(query.replace('"', " ")).tree
    assert all(isinstance(word, lucene.Word) for word in words(query))


@pytest.mark.parametrize(
    "query",
    ['File "/srv/my app/store.py", line 4, in get', 'Exception in thread "main" x.Closed: no'],
)
def test_quotation_marks_of_stack_traces_are_no_phrase(query: str) -> None:
    assert lucene.parse(query) == lucene.parse(query.replace('"', " "))


@pytest.mark.parametrize(
    "query",
    [
        '"a b"', 'x "a b"', '("a b" OR c)', 'x AND("a b" OR c)', 'x OR("a b")', 'NOT("a b") x',
        'tag:("a b" OR c)', 'title:"a b"', '"due.date":"a b"', '"a b"~3', 'letters from "a b"',
        '"rows["', '"a =" b', '"rows\\"[" x', '"call(" b "c"',
    ],
)  # fmt: skip
def test_other_quotation_marks_are_a_phrase(query: str) -> None:
    assert any(isinstance(leaf, lucene.Phrase) for leaf in words(query))
    assert QUOTED_IN_CODE not in lucene.parse(query).notes


@pytest.mark.parametrize(
    "phrase",
    [
        "“user id”", "„user id“", "„user id”", "”user id”", "«user id»", "«\u00a0user id\u00a0»",
        "»user id«", "「user id」", "『user id』", "＂user id＂", "‘user id’",
    ],
)  # fmt: skip
def test_quotation_marks_of_every_keyboard_make_a_phrase(phrase: str) -> None:
    straight = '"user id"'
    for place in ("{}", "x, {}.", "NOT {} x", "name:{}", "({} OR x)", "{}~3", "-{}, x"):
        assert lucene.parse(place.format(phrase)) == lucene.parse(place.format(straight))


@pytest.mark.parametrize(
    ("query", "straight"),
    [
        ("f(“a b”)", 'f("a b")'),
        ("x = “a b”", 'x = "a b"'),
        ("図書館の「規則」とは", r"図書館の\「規則」とは"),
        ("“never again", r"\“never again"),
        ('"a “b c” d"', '"a “b c” d"'),
        ('“a "b c" d”', r'\“a "b c" d\”'),
        (r"\“a b”", r"\“a b\”"),
        ("rock ‘n’ roll", r"rock \‘n’ roll"),
        ("the ‘90s and their bands’ songs", r"the \‘90s and their bands’ songs"),
        ("f(‘a b’)", 'f("a b")'),
        ("Hawai‘i and Oahu’s", r"Hawai\‘i and Oahu’s"),
        ("‘the user’s id", r"\‘the user’s id"),
    ],
)
def test_other_curved_marks_are_punctuation(query: str, straight: str) -> None:
    assert lucene.parse(query).tree == lucene.parse(straight).tree


@pytest.mark.parametrize(
    ("query", "usual"),
    [
        ("（a OR b） AND c", "(a OR b) AND c"),
        ("tag：infra 问题：缓存", r"tag:infra 问题\：缓存"),
        ("Redis、Kafka，缓存，失效", "Redis Kafka，缓存，失效"),
        ("サーバーtag:移行", "サーバー tag:移行"),
        ("缓存。tag：infra（kind:Note）", "缓存。 tag:infra (kind:Note)"),
        ("\u200bcache\u200b", "cache"),
        ("\ufeff“user id”\u200e", '"user id"'),
        ("\u200ename:cache \u200e", "name:cache"),
    ],
)
def test_marks_of_other_keyboards_are_read_as_those_of_an_english_one(
    query: str, usual: str
) -> None:
    assert lucene.parse(query) == lucene.parse(usual)


@pytest.mark.parametrize("mark", ["—", "–", "“", "…", "。", "«", "\u200b", "-", "."])
def test_a_mark_alone_is_no_word(mark: str) -> None:
    assert lucene.parse(mark) == lucene.Query(
        None, strict=False, notes=("the query has no word to look for",)
    )
    for default in DEFAULTS:
        assert lucene.parse(f"a {mark} b", default=default) == lucene.parse("a b", default=default)


@pytest.mark.parametrize("symbol", ["🦀", "❤\ufe0f", "√", "™", "½", "°"])
def test_a_symbol_alone_is_a_word(symbol: str) -> None:
    assert words(f"a {symbol}") == [lucene.Word("a"), lucene.Word(symbol)]


def test_a_distance_of_many_digits_is_not_shown_as_another_number() -> None:
    fuzzy = lucene.parse("word~99999999999")
    assert fuzzy.tree == lucene.Fuzzy("word", 2)
    assert fuzzy.notes == ("at most two letters may differ: `~2` was used",)


@pytest.mark.parametrize("word", ["👩\u200d💻", "❤\ufe0f", "नमी\u200dसर", "soft\u00adhyphen"])
def test_what_nobody_sees_stays_inside_of_a_word(word: str) -> None:
    assert words(word) == [lucene.Word(word)]


@pytest.mark.parametrize(
    ("query", "words_read"),
    [
        (r"src\app\store.py", [r"src\app\store.py"]),
        (r"C:\srv\store.py", [r"C:\srv\store.py"]),
        (r"\\host\share\a.txt x", [r"\host\share\a.txt", "x"]),
        (r"a\*b \AND c\:d", ["a*b", "AND", "c:d"]),
    ],
)
def test_a_backslash_before_a_letter_separates(query: str, words_read: list[str]) -> None:
    assert words(query) == [lucene.Word(word) for word in words_read]


def test_a_name_that_is_no_field_is_a_part_of_its_word() -> None:
    names = frozenset({"redis"})
    tree = lucene.parse("redis:6379 refused", literal_names=names).tree
    assert tree == lucene.parse(r"redis\:6379 redis 6379 refused").tree
    assert tree is not None
    strict = lucene.parse("NOT redis:6379 x", literal_names=names).tree
    assert strict == lucene.parse(r"NOT (redis\:6379 OR redis AND 6379) x").tree
    assert lucene.parse(r"redis\:6379", literal_names=frozenset()).tree == lucene.Word("redis:6379")


MIXED = st.lists(
    st.one_of(
        st.sampled_from(["a", "win", "ab_c", "データ", "ｻｰﾊﾞｰ", "数据库", "らー", "서버", "ฐาน",
                         "ＧＰＵ", "½", "𛀂", "ж", "код", "-", "/", "::", "1", "🦀", "शब्द"]),
        st.text(max_size=3),
    ),
    min_size=1,
    max_size=8,
).flatmap(
    lambda parts: st.lists(
        st.tuples(
            st.lists(st.sampled_from(parts), min_size=1, max_size=60).map("".join),
            st.sampled_from([" ", " ", " AND ", " OR ", " NOT ", "~2 ", "* ", " *", " own:", " ("]),
        ).map("".join),
        min_size=1,
        max_size=90,
    ).map("".join)
)  # fmt: skip
SPEAKING = [("english", "russian"), ("cjk", "english", "german", "thai"), ("russian",)]
BEGINS_WILD = re.compile(r"[a-z]:[*?](?=[^\s)])")


def asked_of_indexes(
    query: str, default: Operator, names: tuple[str, ...], *, prefixes: bool
) -> list[str]:
    """All Lucene text that a search for a query asks."""
    plan = Plan(languages=tuple(map(Language, names)), prefixes=prefixes, operator=default)
    made = parameters(SearchRequest.parsed(query, Filters(projects=("p",)), plan))
    return [*(text["query"] for text in made["texts"]), *made.get("entity_queries", [])]


@given(query=MIXED, names=st.sampled_from(SPEAKING), prefixes=st.booleans())
def test_no_text_becomes_more_clauses_than_an_index_takes(
    query: str, names: tuple[str, ...], *, prefixes: bool
) -> None:
    for default in DEFAULTS:
        for index_query in asked_of_indexes(query, default, names, prefixes=prefixes):
            assert clauses(index_query) <= CLAUSES
            assert len(BEGINS_WILD.findall(index_query)) <= 3 * LEADING


SENTENCE = (
    "このデータベースのサーバーはネットワークとストレージをモニタリングするためのシステムである"
)
LONG = [
    " ".join(f"{SENTENCE}{number}" for number in range(12)),
    " AND ".join(f"{''.join(f'a{chr(0x30A1 + n)}' for n in range(86))}{m}" for m in range(3)),
    " OR ".join(f"(alpha{n % 9} AND beta{n})" for n in range(150)),
    " AND ".join(["a-b-c-d-e~2", "x~2", "y~2", *(f"some_name_{n}" for n in range(60))]),
]
PHRASES = "½a" * 100 + " AND " + " ".join("𛀂" * n for n in range(20, 60))


@pytest.mark.parametrize("query", LONG)
def test_a_query_that_is_too_long_is_cut_with_a_note(query: str) -> None:
    asked = lucene.parse(query, default="and")
    assert asked.tree is not None
    assert asked.notes


def test_64_words_of_any_script_are_not_cut() -> None:
    for word in ("word", "get_user_name", "слово"):
        for default in DEFAULTS:
            assert not lucene.parse(
                " ".join(f"{word}{n}" for n in range(64)), default=default
            ).notes


def test_the_server_takes_queries_that_are_too_long(session: neo4j.Session) -> None:
    kept = [
        index_query
        for query in (*LONG, PHRASES)
        for default in DEFAULTS
        for names in SPEAKING
        for index_query in asked_of_indexes(query, default, names, prefixes=True)
    ]
    record = session.run(ALL_INDEXES, {"queries": kept}).single(strict=True)
    assert record["asked"] == 3 * len(kept)


def test_a_row_of_emoji_is_one_clause_a_field() -> None:
    assert len((written("🚀" * 200) or "").split()) < 10


# What nobody sees around a word is no part of it.
WORD = st.text(
    st.characters(exclude_categories=("Z", "C")) | st.sampled_from('"()*?~:\\'),
    min_size=1,
    max_size=8,
).filter(lambda word: any(map(str.isalnum, word)) and word == visible_around_words(word))
WILD = st.sampled_from("*?").map(lambda mark: lucene.Piece(mark, wild=True))
PLAIN = WORD.map(lucene.Piece)
PIECES = st.one_of(
    st.tuples(PLAIN, WILD),
    st.tuples(WILD, PLAIN),
    st.tuples(WILD, PLAIN, WILD, WILD),
    st.tuples(PLAIN, WILD, PLAIN),
).filter(
    lambda pieces: (
        not (
            ADDRESS.search("".join(piece.text for piece in pieces))
            # Two stars are punctuation.
            or any(
                piece == other == lucene.Piece("*", wild=True) for piece, other in pairwise(pieces)
            )
        )
    )
)
PATTERN = PIECES.map(lucene.Pattern)
LEAF = st.one_of(
    WORD.map(lucene.Word),
    PATTERN,
    st.builds(lucene.Fuzzy, WORD, st.integers(1, 2)),
    st.builds(lucene.Phrase, st.lists(WORD, min_size=1, max_size=4).map(tuple), st.integers(0, 9)),
)


def alternatives(inner: st.SearchStrategy[lucene.Node]) -> st.SearchStrategy[lucene.Node]:
    def several(sort: type[lucene.AllOf] | type[lucene.AnyOf]) -> st.SearchStrategy[lucene.Node]:
        parts = inner.filter(lambda node: not isinstance(node, sort))
        return st.lists(parts, min_size=2, max_size=4, unique=True).map(lambda x: sort(tuple(x)))

    positive = inner.filter(lambda node: not isinstance(node, lucene.Not))
    return st.one_of(
        several(lucene.AllOf),
        several(lucene.AnyOf),
        positive.map(lucene.Not),
        st.builds(lucene.Field, st.sampled_from(["title", "имя", "own-field", 'due. "d']), inner),
    )


def is_within_bounds(tree: lucene.Node) -> bool:
    """Whether the parser would keep every fuzzy word and pattern of the tree."""
    leaves = lucene.leaves(tree)
    fuzzy = [leaf.text for leaf in leaves if isinstance(leaf, lucene.Fuzzy)]
    patterns = [leaf.pieces for leaf in leaves if isinstance(leaf, lucene.Pattern)]
    parts = sum(max(1, len(list(filter(None, CUTS.split(word))))) for word in fuzzy)
    return parts <= FUZZY_WORDS and sum(map(leading, patterns)) <= LEADING


def has_question_mark(leaf: lucene.Node) -> bool:
    """Whether a pattern has a `?` that no letter follows: a mark, where words are ORed."""
    if not isinstance(leaf, lucene.Pattern):
        return False
    return any(
        piece == lucene.Piece("?", wild=True)
        and not (following.wild or re.match(r"\w", following.text))
        for piece, following in pairwise((*leaf.pieces, lucene.Piece("")))
    )


TREES: st.SearchStrategy[lucene.Node] = st.recursive(LEAF, alternatives, max_leaves=6).filter(
    is_within_bounds
)


# A tree is said in full by its repr, which hypothesis finds long.
@pytest.mark.filterwarnings("ignore:Generating overly large repr")
@settings(max_examples=5 * EXAMPLES)
@example(tree=lucene.Word("gate（"))
@given(tree=TREES)
def test_a_tree_that_is_printed_and_parsed_is_the_same_tree(tree: lucene.Node) -> None:
    assert lucene.parse(lucene.canonical(tree), default="and").tree == tree
    if not any(map(has_question_mark, lucene.leaves(tree))):
        assert lucene.parse(lucene.canonical(tree), default="or").tree == tree


def spellings(query: str, default: Operator, languages: tuple[str, ...]) -> list[str]:
    """What the indexes of languages may be asked for a query: its words whole or in parts."""
    asked = lucene.parse(lucene.clean(query), default=default)
    if asked.tree is None:
        return []
    words = [leaf for leaf in lucene.leaves(asked.tree) if isinstance(leaf, lucene.Word)]
    trees = (
        [lucene.whole_words(asked.tree, language=name) for name in languages]
        if asked.strict
        else [lucene.AnyOf(lucene.word_parts(words, language=name)) for name in languages]
    )
    return [lucene.write(tree, required=ANY_GROUP, expand_forms=lucene.forms) for tree in trees]


@pytest.mark.parametrize(
    ("query", "excluded", "wanted"),
    [
        ("C NOT C++", "C++", "C"), ("rust C AND NOT (C++ OR go)", "C++", "C"),
        ("net NOT .NET", ".NET", "net"), ("x OR (Redis AND NOT redis)", "redis", "Redis"),
    ],
)  # fmt: skip
def test_a_wanted_word_that_an_excluded_one_equals_is_noted(
    query: str, excluded: str, wanted: str
) -> None:
    (said,) = lucene.parse(query).notes
    assert said == (
        f"`NOT {excluded}` also leaves out what has `{wanted}`, since words are compared without "
        "case and punctuation"
    )


@pytest.mark.parametrize(
    "query",
    [
        "C NOT rust", "C OR (x AND NOT C++)", "redis NOT redis", "C NOT name:C++", 'C NOT "C++ x"',
        "C NOT (C++ AND x)", "🦀 NOT 🐍", "NOT C++",
    ],
)  # fmt: skip
def test_other_excluded_words_are_not_noted(query: str) -> None:
    assert lucene.parse(query).notes == ()


@settings(max_examples=10 * EXAMPLES)
@given(query=st.text())
def test_any_text_can_be_parsed_as_a_query(query: str) -> None:
    for default in DEFAULTS:
        spellings(query, default, ("",))
    lucene.handles(text.grams(query), required=ANY_GROUP)


@settings(max_examples=EXAMPLES // 5)
@given(queries=st.lists(STRINGS, min_size=100, max_size=100))
def test_the_server_takes_whatever_is_written_for_very_many_strings(
    session: neo4j.Session, queries: list[str]
) -> None:
    kept = [
        written
        for query in queries
        for default in DEFAULTS
        for written in dict.fromkeys(spellings(query, default, ("", "cjk", "thai")))
    ]
    record = session.run(ALL_INDEXES, {"queries": kept}).single(strict=True)
    assert record["asked"] == 3 * len(kept)


@pytest.fixture(scope="module")
def session(graph: Graph) -> Iterator[neo4j.Session]:
    """For what no statement of graphmem does; one for all examples."""
    with graph._session("READ") as session:
        yield session
