"""What a query's words are in each language: which indexes are asked, and for what."""

import pytest

from concurrent_calls import at_once
from graphmem import lucene
from graphmem.lucene import AllOf, AnyOf, Pattern, Phrase, Piece, Word
from graphmem.model.filters import Filters
from graphmem.model.language import DEFAULT, NAMES, Language, index_name
from graphmem.search import Plan, SearchRequest, parameters
from graphmem.search.indexes import alone, content_words, shares

GERMAN_STOP_WORDS = frozenset({"war", "der", "die", "das", "wo", "und", "will", "in"})
KNOWN = {
    "english": lucene.ENGLISH_STOP_WORDS,
    "german": GERMAN_STOP_WORDS,
    "russian": frozenset({"и", "человек", "кто", "это"}),
}
FILTERS = "+filters:(g5193a184416ad6bb53e10)^0 +filters:(g486e7550a576ed80a2910)^0"
ANY = Piece("*", wild=True)


def languages(names: str) -> tuple[Language, ...]:
    return tuple(Language(name, KNOWN.get(name, frozenset())) for name in names.split())


def clauses(query: str, names: str = "english russian") -> dict[str, str]:
    """The words each index is asked for, by its language."""
    tree = lucene.parse(query).tree
    assert tree is not None
    words = [Word(leaf.text) for leaf in lucene.leaves(tree) if isinstance(leaf, Word)]
    content = content_words(words, languages(names))
    return {
        share.language: " ".join(word.text for word in share.words)
        for share in shares(content, languages(names))
    }


def texts(query: str, names: str = "english russian") -> list[tuple[str, str]]:
    plan = Plan(languages=languages(names))
    made = parameters(SearchRequest.parsed(query, Filters(projects=("p",)), plan))
    return [(text["index"], text["query"].removeprefix(FILTERS).strip()) for text in made["texts"]]


# What was asked before there were other languages


@pytest.mark.parametrize(
    ("query", "index", "written"),
    [
        ("redis", "english", "(names:redis)^1 (text:redis)^1 (words:redis)^0.5"),
        ("C++", "english", '(names:"C++")^1 (text:"C++")^1 (words:C)^0.5'),
        (".NET", "english", '(names:".NET")^1 (text:".NET")^1 (words:NET)^0.5'),
        ("k8s", "english", "(names:k8s)^1 (text:k8s)^1 (words:k8s)^0.5"),
        ("node.js", "english",
         '(names:"node.js")^1 (text:"node.js")^1 (words:node words:js)^0.5'),
        ("café", "english", "(names:café)^1 (text:café)^1 (words:café)^0.5"),
        ("2024", "english", "(names:2024)^1 (text:2024)^1 (words:2024)^0.5"),
        ("it", "exact", "(names:it)^1 (text:it)^1 (words:it)^0.5"),
        ("порт", "russian", "(names:порт)^1 (text:порт)^1 (words:порт)^0.5"),
    ],
)  # fmt: skip
def test_the_default_languages_ask_what_they_always_asked(
    query: str, index: str, written: str
) -> None:
    assert texts(query) == [(f"graphmem_passage_{index}", f"+(({written}))")]


def test_latin_words_reach_the_index_as_they_are_written() -> None:
    words = tuple(map(Word, ["validateToken", "os.path.join", "C++", "Zürich", "it's", "№5"]))
    for language in ("english", "exact", "russian"):
        assert lucene.word_parts(words, language=language) == words
    assert lucene.whole_words(AnyOf(words)) == AnyOf(words)


# Which indexes are asked


@pytest.mark.parametrize(
    ("query", "names", "found"),
    [
        ("redis port", "english russian", {"english": "redis port"}),
        ("redis сервер", "english russian", {"english": "redis", "russian": "redis сервер"}),
        ("сервер 2024", "english russian", {"english": "2024", "russian": "сервер 2024"}),
        ("Haus", "english german", {"english": "Haus", "german": "Haus"}),
        ("redis", "russian", {"exact": "redis"}),
        ("сервер", "russian bulgarian", {"russian": "сервер", "bulgarian": "сервер"}),
        ("сервер", "english", {"english": "сервер"}),
        ("倉庫", "english russian", {"english": "倉庫"}),
        ("倉庫", "russian", {"exact": "倉庫"}),
        ("倉庫 GPU", "english cjk", {"english": "GPU", "cjk": "倉庫 GPU"}),
        ("GPU加速", "english cjk", {"cjk": "GPU加速"}),
        ("庫", "english cjk", {"english": "庫"}),
        ("데이터", "cjk", {"cjk": "데이터"}),
        ("βάση", "greek english", {"greek": "βάση"}),
        ("ฐานข้อมูล redis", "thai", {"exact": "redis", "thai": "ฐานข้อมูล redis"}),
        ("קוד", "english hindi", {"english": "קוד"}),
    ],
)
def test_a_word_goes_to_the_languages_of_its_script(
    query: str, names: str, found: dict[str, str]
) -> None:
    assert clauses(query, names) == found


@pytest.mark.parametrize(
    ("query", "names", "left"),
    [
        ("the port is open", "english russian", "port open"),
        ("The WHO", "english russian", "WHO"),
        ("the who is", "russian", "who"),
        ("человек и порт", "english russian", "порт"),
        ("will the war be over", "english german", "war over"),
        ("wo war die Tür", "english german", "Tür"),
        ("die Tür", "english german", "Tür"),
        ("die", "english", "die"),
        ("the die", "german", "the"),
        ("and/or redis, it.", "english", "redis,"),
        ("C++ as_of a/b", "english", "C++ as_of a/b"),
    ],
)
def test_the_stop_words_of_the_language_that_is_spoken_are_left_out(
    query: str, names: str, left: str
) -> None:
    words = [Word(word) for word in query.split()]
    assert " ".join(word.text for word in content_words(words, languages(names))) == left


@pytest.mark.parametrize("query", ["it", "the it", "человек", "кто это", "and/or", "--as-of"])
def test_stop_words_alone_are_looked_for_as_they_stand(query: str) -> None:
    assert [index for index, _ in texts(query)] == ["graphmem_passage_exact"]


@pytest.mark.parametrize(
    ("query", "names", "language"),
    [
        ("a AND redis", "english russian", "english"),
        ("серверы AND NOT базы", "english russian", "russian"),
        ("redis AND сервер", "english russian", None),
        ("redis AND haus", "english german", None),
        ("redis AND haus", "german", "german"),
        ("redis AND port", "russian", None),
        ('redis AND "the port"', "english", None),
        ("port*", "english", None),
        ("the AND it", "english", None),
        ('数据 AND "数据库"', "cjk english", "cjk"),
        ("数据 AND GPU", "cjk english", None),
        ("数 AND 数据", "cjk", None),
        ("ฐาน AND ข้อมูล", "thai", None),
    ],
)
def test_one_language_decides_for_operators_where_it_knows_every_word(
    query: str, names: str, language: str | None
) -> None:
    tree = lucene.parse(query).tree
    assert tree is not None
    found = alone(lucene.leaves(tree), languages(names))
    assert (found.name if found else None) == language


def test_where_several_languages_are_asked_a_word_also_matches_what_begins_with_its_stem() -> None:
    [(index, written)] = texts("ports AND серверы")
    assert index == "graphmem_passage_exact"
    assert "text:port*" in written
    assert "text:сервер*" in written


def test_a_name_with_one_letter_wrong_is_looked_for_as_the_index_holds_its_words() -> None:
    plain = "Datenbanken Katzenbaum"
    assert "names:datenbank~1" in texts(plain, "german")[0][1]
    assert "names:datenbanken~1" in texts(plain, "russian")[0][1]


def test_english_words_that_ask_are_words_where_nobody_speaks_english() -> None:
    assert "who" in texts("who can", "german")[0][1]
    assert "can" not in texts("can redis", "english german")[0][1]
    plan = Plan(languages=languages("french"))
    made = parameters(SearchRequest.parsed("will der Baum", Filters(projects=("p",)), plan))
    assert "will" in made["stems"]


def test_stop_words_are_left_out_of_every_index_where_others_remain() -> None:
    plan = Plan(languages=languages("english russian"))
    for query in ("redis NOT the", '"a b" NOT the', "redis AND the AND порт"):
        made = parameters(SearchRequest.parsed(query, Filters(projects=("p",)), plan))
        for written in (made["texts"][0]["query"], *made["entity_queries"]):
            assert "text:the" not in written
    made = parameters(SearchRequest.parsed("tag:it AND redis", Filters(projects=("p",)), plan))
    assert "tags:it" in made["entity_queries"][0]


# Stems


@pytest.mark.parametrize(
    ("word", "names", "stem"),
    [
        ("servers", "english russian", "server"),
        ("серверов", "english russian", "сервер"),
        ("Katzen", "german", "katz"),
        ("Katzen", "english german", "katz"),
        ("cidades", "brazilian", "cidad"),
        ("серверов", "english", "серверов"),
        ("servers", "russian", None),
        ("servers", "standard-folding", None),
        ("数据库", "cjk", None),
        ("going", "english", None),
    ],
)
def test_a_stem_is_the_shortest_of_the_languages_of_its_script(
    word: str, names: str, stem: str | None
) -> None:
    assert lucene.stem(word, languages(names)) == stem


def test_stems_are_right_in_many_threads() -> None:
    words = [f"{start}ations" for start in ("authentic", "valid", "integr", "applic", "oper")] * 50
    wanted = [lucene.stem(word) for word in words]
    wrong: list[str] = []

    def compare() -> None:
        wrong.extend(
            word for word, stem in zip(words, wanted, strict=True) if lucene.stem(word) != stem
        )

    at_once(*[compare] * 8)
    assert wrong == []


# Words without spaces between them


@pytest.mark.parametrize(
    ("word", "language", "parts"),
    [
        ("倉庫", "english", [Phrase(("倉庫",))]),
        ("数据库迁移", "exact", [Phrase((two,)) for two in ("数据", "据库", "库迁", "迁移")]),
        ("庫", "exact", [Word("庫")]),
        ("倉、庫", "exact", [Word("倉"), Word("庫")]),
        ("GPU加速", "english", [Word("GPU"), Phrase(("加速",))]),
        ("サーバー", "exact", [Word("サーバー"), Pattern((ANY, Piece("サーバ"), ANY))]),
        ("らーめん", "exact", [Phrase((two,)) for two in ("らー", "ーめ", "めん")]),
        ("ฐาน", "exact", [Word("ฐาน"), Pattern((ANY, Piece("ฐาน"), ANY))]),
        ("서버", "exact", [Word("서버"), Pattern((Piece("서버"), ANY))]),
        ("数据库", "cjk", [Word("数据库")]),
        ("데이터", "cjk", [Word("데이터")]),
        ("ฐาน", "thai", [Word("ฐาน")]),
        ("数据库", "thai", [Phrase(("数据",)), Phrase(("据库",))]),
        ("ＧＰＵ", "english", [Word("ＧＰＵ"), Word("GPU")]),
        ("ﾃﾞｰﾀ", "cjk", [Word("ﾃﾞｰﾀ"), Word("データ")]),
        ("、", "exact", [Word("、")]),
    ],
)
def test_a_ranked_query_asks_for_the_parts_of_a_word(
    word: str, language: str, parts: list[lucene.Node]
) -> None:
    assert lucene.word_parts([Word(word)], language=language) == tuple(parts)


@pytest.mark.parametrize(
    ("query", "language", "whole"),
    [
        ("数据库", "", Phrase(("数据库",))),
        ("GPU加速", "", Phrase(("GPU加速",))),
        ("サーバー設計", "", AllOf((
            AnyOf((Word("サーバー"), Pattern((ANY, Piece("サーバ"), ANY)))), Phrase(("設計",)),
        ))),
        ("数据库", "cjk", Phrase(("数据库",))),
        ("title:数据", "", lucene.Field("title", Phrase(("数据",)))),
        ("owner:数据", "", lucene.Field("owner", Word("数据"))),
        ("数据*", "", Phrase(("数据",))),
        ("数据库~1", "", Phrase(("数据库",), 1)),
        ("data*", "", Pattern((Piece("data"), ANY))),
        ("NOT 数据", "", lucene.Not(Phrase(("数据",)))),
        ('"数据 库"', "", Phrase(("数据", "库"))),
        ("ＧＰＵ", "", AnyOf((Word("ＧＰＵ"), Word("GPU")))),
    ],
)  # fmt: skip
def test_a_query_with_operators_asks_for_whole_words(
    query: str, language: str, whole: lucene.Node
) -> None:
    tree = lucene.parse(query, default="and").tree
    assert tree is not None
    assert lucene.whole_words(tree, language=language) == whole


def test_at_most_64_characters_without_spaces_are_used_with_a_note() -> None:
    query = lucene.parse("库" * 40 + "a " + "数" * 40 + " redis 据")
    assert query.tree == AnyOf((Word("库" * 40 + "a"), Word("数" * 24), Word("redis")))
    assert query.notes == ("only the first 64 characters written without spaces were used",)
    assert lucene.parse("数" * 65).notes
    assert not lucene.parse("数" * 64).notes
    assert not lucene.parse("数" * 65, default="and").notes


# Languages


def test_every_language_has_a_script_and_an_index_of_its_own() -> None:
    assert set(DEFAULT) < set(NAMES)
    assert "keyword" not in NAMES
    assert len({index_name(name) for name in NAMES}) == len(NAMES)
    assert index_name("standard-folding") == "graphmem_passage_standard_folding"


@pytest.mark.parametrize(
    ("word", "script"),
    [
        ("redis", "LATIN"), ("Zürich", "LATIN"), ("10µs", "LATIN"), ("🦀", "LATIN"),
        ("ёлка", "CYRILLIC"), ("k8s-кластер", "CYRILLIC"), ("λ-calculus", "GREEK"),
        ("ｻｰﾊﾞｰ", "CJK"), ("々々", "CJK"), ("ひらがな", "CJK"), ("ค่า", "THAI"), ("شبكة", "ARABIC"),
        ("हिन्दी", "DEVANAGARI"), ("ＧＰＵ", "LATIN"),
    ],
)  # fmt: skip
def test_the_script_of_a_word_is_the_first_other_than_latin(word: str, script: str) -> None:
    every = tuple(map(Language, NAMES))
    assert lucene.script(word, every) == script
