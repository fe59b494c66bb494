"""What of a query is marked in a text, and how much of the text is shown."""

from dataclasses import replace

import pytest

from graphmem import lucene, snippets
from graphmem.memory import Memory
from graphmem.model.language import Language
from keyword_searches import find

LONG = 40_000


def marked(query: str, text: str, *, prefixes: bool = False) -> str:
    return snippets.marked(text, snippets.terms_of(lucene.parse(query), prefixes=prefixes))


@pytest.mark.parametrize("query", ["a*a*a*a*a*a*a*a*b OR foo", "*a*a*a*a*a*a*b", "a?*a?*a?*a?*b"])
def test_a_pattern_of_many_stars_is_matched_fast(query: str) -> None:
    terms = snippets.terms_of(lucene.parse(query))
    assert "**" not in snippets.snippet("a" * LONG, terms, highlight=True)
    assert snippets.marked(f"{'a' * LONG}b", terms) == f"**{'a' * LONG}b**"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("te?t", "a **test** of texts"),
        ("*st", "a **test** of texts"),
        ("T*T", "a **test** of texts"),
        ("te*t*s", "a test of **texts**"),
        ("t[ae]s*", "a test of texts"),
        (r"te\*t*", "a test of texts"),
    ],
)
def test_a_pattern_highlights_whole_words(query: str, said: str) -> None:
    assert marked(query, "a test of texts") == said


def test_patterns_ignore_case() -> None:
    assert marked("STRASS*", "Hafenstraße und Straße") == "Hafenstraße und **Straße**"
    assert marked("straß*", "Hafenstraße und Straße") == "Hafenstraße und **Straße**"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("e-mail*", "An **e**-**mail** or two **mails**"),
        ("e-mial~1", "An **e**-**mail** or two mails"),
    ],
)
def test_a_pattern_is_highlighted_in_the_words_that_the_index_makes_of_a_text(
    query: str, said: str
) -> None:
    assert marked(query, "An e-mail or two mails") == said


def test_a_pattern_that_matches_a_part_of_an_identifier_highlights_all_of_it() -> None:
    assert marked("token*", "call validateToken now") == "call **validateToken** now"


def test_a_pattern_in_a_script_without_spaces_is_highlighted_inside_words() -> None:
    assert marked("倉庫*", "大倉庫管理") == "大**倉庫**管理"


@pytest.mark.parametrize(
    ("query", "text", "result"),
    [
        ("हिन्दी", "यह हिन्दी में लिखा गया है", "यह **हिन्दी** में लिखा गया है"),
        ("বাংলা", "এটি বাংলা ভাষা", "এটি **বাংলা** ভাষা"),
        ("كتابٌ", "كتابٌ جديد", "**كتابٌ** جديد"),
        ("می\u200cخواهم", "می\u200cخواهم میز", "**می\u200cخواهم** میز"),
        ("cafe\u0301", "a cafe\u0301 of cafes", "a **cafe\u0301** of cafes"),
        ("ที่", "ทาง ที่ดี", "ทาง **ที่**ดี"),
        ("mot_cle\u0301", "le mot_cle\u0301 ici", "le **mot_cle\u0301** ici"),
    ],
)
def test_a_word_with_combining_marks_is_highlighted_whole(
    query: str, text: str, result: str
) -> None:
    assert marked(query, text) == result


def test_prefixes_are_highlighted() -> None:
    text = "Authentication configures validateToken there"
    assert marked("authentica", text) == text
    assert marked("authentica valid the c", text, prefixes=True) == (
        "**Authentication** configures **validateToken** there"
    )


def test_a_highlighted_text_is_complete_and_keeps_its_lines() -> None:
    text = f"# Berths\n\n{'Nothing here. ' * 40}\n- a berth"
    assert marked("berth", text) == f"# **Berths**\n\n{'Nothing here. ' * 40}\n- a **berth**"


def test_highlighting_reads_a_bounded_beginning_of_a_huge_text() -> None:
    terms = snippets.terms_of(lucene.parse("redis cache"))
    text = "redis " * 8_000 + "x " * 500_000 + "redis cache"
    assert snippets.marked(text, terms).count("**redis**") == 8_000
    assert snippets.snippet(text, terms).startswith("redis redis")


@pytest.mark.parametrize(
    ("query", "shown"),
    [("--as-of", "--**as**-**of** the day"), ("the day", "--as-of the **day**"),
     ("of d*", "--as-of the **day**")],
)  # fmt: skip
def test_stop_words_are_highlighted_if_a_query_has_no_other_words(query: str, shown: str) -> None:
    assert marked(query, "--as-of the day") == shown


def test_a_snippet_starts_at_the_beginning_if_only_a_few_letters_precede_it() -> None:
    text = f"/** Reads what each of all berths and quays holds. */ {'store(); ' * 60}"
    terms = snippets.terms_of(lucene.parse("quays"))
    assert snippets.snippet(text, terms).startswith("/** Reads")


def test_a_snippet_shows_the_place_with_most_different_query_words() -> None:
    terms = snippets.terms_of(lucene.parse("redis cache session"))
    filler = "of no use " * 60
    several = "the cache of a session in redis"
    text = f"redis redis redis redis {filler} a cache {filler} {several} {filler}"
    assert several in snippets.snippet(text, terms)
    twice = f"redis cache {filler} session redis {filler}"
    assert snippets.snippet(twice, terms).startswith("redis cache")


@pytest.mark.parametrize(
    ("query", "text"),
    [("die", "they were dying"), ("sky", "under grey skies"), ("lie", "it is Lying there"),
     ("dying", "it will die"), ("name", "then getUserName is called"),
     ("user", "the get_user_name function")],
)  # fmt: skip
def test_every_form_of_a_word_is_highlighted(query: str, text: str) -> None:
    """Words that begin with other letters than all stems are passed over where stems keep it."""
    terms = snippets.terms_of(lucene.parse(query))
    shown = snippets.snippet(text, terms, highlight=True)
    assert snippets.MARK in shown
    every = replace(terms, languages=(*terms.languages, Language("standard-folding")))
    assert shown == snippets.snippet(text, every, highlight=True)


@pytest.mark.parametrize(
    ("query", "text"),
    [("use", "Using"), ("fly", "flies"), ("flies", "Fly"), ("sky", "skies"), ("die", "dying"),
     ("lying", "lies"), ("age", "aging"), ("ie", "ie"), ("iOS", "iOS"), ("q", "Q")],
)  # fmt: skip
def test_irregular_forms_of_short_words_are_highlighted(query: str, text: str) -> None:
    assert marked(query, f"harbour {text} quay") == f"harbour **{text}** quay"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("谁负责支付网关？", "张伟**负责支付网关**的运维"),
        ("GPU怎么加速训练", "用**GPU**来**加速**大模型**训练**"),
        ("何を担当していますか", "決済サーバーを**担当し**ている"),
        ("決済サーバ", "新しい**決済サーバー**の部屋"),
        ("コンピューター", "古い**コンピュータ**の部屋"),
        ("ｻｰﾊﾞｰ", "古い**サーバー**"),
        ("ありがとう", "本当に**ありがとう**ございます"),
        ("庫", "大倉**庫**"),
        ("서버를", "결제 **서버**는 어디"),
        ("倉庫 AND 管理", "大**倉庫**を**管理**する倉"),
    ],
)
def test_matching_parts_of_a_text_without_spaces_are_highlighted(query: str, said: str) -> None:
    assert marked(query, said.replace("**", "")) == said


@pytest.mark.parametrize(
    "filler", ["我们每天都在这里工作，没有什么特别的事情。", "这里没有任何标点符号的句子"]
)
def test_a_snippet_of_a_text_without_spaces_shows_the_best_matching_place(filler: str) -> None:
    text = f"开头 {filler * 40}张伟负责支付网关的运维。{filler * 40}"
    shown = snippets.snippet(text, snippets.terms_of(lucene.parse("谁负责支付网关？")))
    assert "张伟负责支付网关的运维。" in shown
    assert 180 <= len(shown) <= 242
    if "。" in filler:
        assert shown.startswith(("…我们", "…没有"))
        assert shown.endswith(("。…", "，…"))


def test_a_snippet_is_not_cut_before_a_vowel_sign() -> None:
    text = "ที่นี่" * 200
    shown = snippets.snippet(text, snippets.terms_of(lucene.parse("xyz")))
    assert f"{text} ".startswith(shown.removesuffix("…"))
    assert text[len(shown) - 1] == "ท" or text[len(shown) - 1] == "น"


def test_a_snippet_shows_and_highlights_what_matched(memory: Memory) -> None:
    filler = "Nothing of interest happens in this sentence at all. " * 8
    memory.remember([{"name": "Log", "text": f"{filler}Berths were flooding. {filler}"}])
    answer = find(memory, "flooded berth", highlight=True)
    snippet = answer.hits[0].passages[0].snippet
    assert "**Berths** were **flooding**" in snippet
    assert snippet.startswith("…")
    assert snippet.endswith("…")
    assert len(snippet) < 260


def test_the_detail_option_sets_the_number_of_passages(memory: Memory) -> None:
    memory.remember([{"name": "Log", "observations": [f"berth {i}" for i in range(30)]}])
    counts = {
        d: len(find(memory, "berth", detail=d).hits[0].passages)
        for d in ("names", "passages", "full")
    }
    assert counts == {"names": 0, "passages": 2, "full": 20}


def test_a_snippet_shows_a_word_in_a_text_with_few_spaces() -> None:
    marks = snippets.terms_of(lucene.parse("needle"))
    for text in (
        "x/" * 150 + "needle/" + "y/" * 200 + " the end",
        "数据库，" * 100 + "needle，" * 9,
    ):
        assert "needle" in snippets.snippet(text, marks)
