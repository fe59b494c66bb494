"""What text becomes: keys, name forms, filter tokens and the parts of identifiers."""

import re
import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graphmem import text
from graphmem.errors import InvalidInput
from graphmem.model import limits
from graphmem.model.spelling import SIGNS
from graphmem.project import check_project_name

ANY_TEXT = st.text(st.characters(codec="utf-8"))
MOST_GRAMS = text.GRAM_TOKENS * text.GRAM_WORDS + text.LONG_GRAMS
NAMES = ANY_TEXT.filter(lambda name: 1 <= len(text.name_tokens(name)) <= text.GRAM_WORDS)


# Folding, keys and name forms


def test_folding_twice_is_folding_once_for_every_character() -> None:
    assigned = map(chr, (*range(0x34000), *range(0xE0000, 0xE1000)))
    changed = [c for c in assigned if c.casefold() != c or unicodedata.normalize("NFKC", c) != c]
    folded = list(map(text.normalised, changed))

    assert len(changed) > 5000
    assert list(map(text.normalised, folded)) == folded


@given(ANY_TEXT)
@example("ΐ")
@example("\u0345\u0301")
@example("ǰ\u0323")
def test_folding_twice_is_folding_once(written: str) -> None:
    once = text.normalised(written)

    assert text.normalised(once) == once


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Redis  cache", "redis CACHE"),
        ("Straße", "STRASSE"),
        ("Ｆｕｌｌ　ｗｉｄｔｈ", "full width"),
        ("é", "e\u0301"),
        (" tab\tand\nline ", "tab and line"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
    ],
)
def test_names_that_read_the_same_have_one_key(one: str, other: str) -> None:
    assert text.key("p", one) == text.key("p", other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Аутентификация", "Авторизация"),
        ("登录", "注册"),
        ("C", "C++"),
        ("C#", "C++"),
        ("résumé", "resume"),
        ("й", "и"),
        ("ё", "е"),
        ("user_id", "user-id"),
        ("a.b", "ab"),
        ("🚀", "🚁"),
        ("تسجيل", "دخول"),
    ],
)
def test_names_that_differ_in_any_script_have_keys_that_differ(one: str, other: str) -> None:
    assert text.key("p", one) != text.key("p", other)


@given(st.characters(codec="utf-8", categories=["Lu", "Ll", "Lo", "Lt", "Lm", "Nd"]))
def test_a_letter_of_any_script_stays_in_the_key(letter: str) -> None:
    assert text.key("p", letter) != text.key("p", "")
    assert text.key("p", f"a{letter}b") != text.key("p", "ab")


def test_a_key_names_its_project_since_none_holds_the_mark_between() -> None:
    assert text.key("p", "A Name") == "p#a name"
    with pytest.raises(InvalidInput):
        check_project_name("p#q")


@given(ANY_TEXT, st.sampled_from((str.upper, str.casefold, str.strip, " {}  ".format)))
def test_name_forms_agree_whenever_the_keys_do(one: str, altered: Callable[[str], str]) -> None:
    other = altered(one)
    if text.normalised(one) == text.normalised(other):
        assert text.name_form(one) == text.name_form(other)
    assert text.name_form(text.normalised(one)) == text.name_form(one)


def test_marks_of_a_name_are_tokens_of_their_own() -> None:
    assert text.name_tokens("Is C++ or c#?") == ["is", "c", "+", "+", "or", "c", "#", "?"]


# Runs of words


@given(ANY_TEXT, NAMES, ANY_TEXT)
@example("what is ", "C++", "?")
@example("", "Аутентификация", " и прочее")
def test_a_query_contains_every_name_of_up_to_twelve_tokens(
    before: str, name: str, after: str
) -> None:
    form = text.name_form(name)
    seen = len(text.name_tokens(before)) + len(text.name_tokens(name))

    if seen <= text.GRAM_TOKENS and any(mark.isalnum() for mark in form):
        assert form in text.grams(f"{before} {name} {after}")


@given(ANY_TEXT)
def test_runs_come_longest_first_each_once_and_not_too_many(query: str) -> None:
    found = text.grams(query)
    sizes = [len(gram.split(" ")) for gram in found]

    assert sizes == sorted(sizes, reverse=True)
    assert len(set(found)) == len(found) <= MOST_GRAMS


@pytest.mark.parametrize(
    "word", ["word{}", "a/b/{}", "(path/{}/of/many/tokens/and/more/x.py).", "_"]
)
def test_the_longest_query_gives_at_most_892_runs(word: str) -> None:
    query = " ".join(word.format(number) for number in range(10_000))

    assert len(text.grams(query[:10_000])) <= MOST_GRAMS


@pytest.mark.parametrize(
    "name",
    [
        "test_a_filter_finds_what_brute_force_finds",
        "src/app/core/search/index.py::Type.method",
        "src/app/core/search/index.py::Type.__init__",
        "github.com/owner/repo#src/main.py",
        "github.com/my-org/my-repo#use two words, or three: a/b/c",
        "@scope/package/src/main/index.d.ts/operator++",
        ".github/workflows/a-b-c-d-e-f-g.yml",
    ],
)
@pytest.mark.parametrize(
    "query",
    [
        "{}", "what calls {} in a test of many words", "({})", '"{}"', "see `{}`.", "is it {}?",
        "**{}**, and why", "{}, {}", "«{}»!",
    ],
)  # fmt: skip
def test_a_name_of_many_tokens_is_a_run_of_the_words_around_it(name: str, query: str) -> None:
    assert text.name_form(name) in text.grams(query.format(name, name))


@pytest.mark.parametrize(
    ("query", "names", "others"),
    [
        ("get_user_ids", ["get _ user _ ids"], ["ids", "user", "get _ user", "_ ids"]),
        ("rg --no-ignore-vcs", ["rg", "no - ignore - vcs"], ["ignore", "vcs", "no"]),
        ("app/_clients.py:48", ["app / _ clients . py", "48"], ["clients", "app", "py"]),
        ("src/app/store", ["src / app / store"], ["app", "store", "src / app"]),
        ("/srv/app", ["/ srv / app", "srv / app"], ["app", "srv"]),
        ("(asyncio.exceptions.Closed)", ["asyncio . exceptions . closed"], ["exceptions"]),
        ("net::Server#start", ["net : : server", "start"], ["server", "net"]),
        ("the U.S. of J.R.R. Tolkien", ["u . s .", "tolkien", "u . s"], []),
        ("Redis/Kafka and state-of-the-art", ["redis", "kafka", "state", "art"], []),
        ("Martina's plan 1.2.3", ["martina", "plan", "1"], []),
        ("one --two is", ["one", "- - two"], []),
        ("store.py에서", ["store"], []),
    ],
)
def test_a_part_of_a_name_in_code_is_no_name(
    query: str, names: list[str], others: list[str]
) -> None:
    grams = text.grams(query)

    assert set(names) <= set(grams)
    assert not set(others) & set(grams)


@given(ANY_TEXT.filter(lambda name: any(mark.isalnum() for mark in name)))
def test_a_query_that_is_a_name_of_any_length_contains_it(name: str) -> None:
    assert text.name_form(name) in text.grams(name)


# Filter tokens


@given(st.text(max_size=20), st.text(max_size=200))
def test_a_token_has_a_fixed_length_and_ends_in_a_digit(facet: str, value: str) -> None:
    if not any(unicodedata.category(mark) == "Cs" for mark in facet + value):
        assert re.fullmatch(r"g[0-9a-f]{20}0", text.token(facet, value))


def test_a_token_is_of_its_facet() -> None:
    facets = ["project", "live", "kind", "status", "category", "tag", "name"]

    assert len({text.token(facet, "same") for facet in facets}) == len(facets)
    assert text.token("tag", "x\0y") != text.token("tag\0x", "z")


def test_an_entity_carries_a_token_for_each_of_its_facets() -> None:
    written = text.facet_tokens(
        project="p", live=True, kind="Decision", status="Active", category="Arch", tags=["A", "b"]
    )

    assert written.split(" ") == [
        text.token("project", "p"),
        text.token("live", "True"),
        text.token("kind", "decision"),
        text.token("status", "active"),
        text.token("category", "arch"),
        text.token("tag", "a"),
        text.token("tag", "b"),
    ]


def test_a_moment_is_one_value_however_it_is_written_and_lies_on_its_day() -> None:
    moment = datetime(2026, 1, 5, 22, 30, tzinfo=UTC)
    held = text.attribute_tokens("at", moment)

    assert len(held) == 2
    for said in (
        "2026-01-05T22:30:00Z",
        "2026-01-05 22:30",
        "2026-01-06T00:30+02:00",
        "2026-01-05",
    ):
        assert text.attribute_token("at", said) in held
    assert text.attribute_token("at", "2026-01-06") not in held
    assert text.attribute_token("at", 20260105) == text.attribute_token("at", "20260105")


def test_a_long_path_is_under_each_path_above_it() -> None:
    path = "/".join(["folder" * 15] * 5)

    assert len(path) > 400
    assert text.ancestors(path)[-1] == path
    assert not text.ancestors(f"a/{'b' * text.PATH_CHARACTERS}")
    assert not text.ancestors("one/line\nanother")


def test_facet_tokens_do_without_a_category_and_say_a_tag_once() -> None:
    written = text.facet_tokens(
        project="p", live=False, kind="k", status="s", category=None, tags=["x", "X"]
    )

    assert len(written.split(" ")) == 5


def test_handles_stand_for_whole_names_each_once() -> None:
    assert text.handles(["Redis cache", "REDIS  CACHE", "ADR-7", ""]).split(" ") == [
        text.token("name", "redis cache"),
        text.token("name", "adr - 7"),
    ]


# Identifiers


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("validateToken", "validate Token"),
        ("validate_token", "validate token"),
        ("HTTPServer", "HTTP Server"),
        ("os.path.join", "os path join"),
        ("src/auth/token.py", "src auth token py"),
        ("std::string", "std string"),
        ("my-package", "my package"),
        ("utf8Decoder", "utf8 Decoder"),
        ("__init__", "init"),
        ("проверитьТокен", "проверить Токен"),
        ("HTTP", "HTTP"),
        ("word", "word"),
    ],
)
def test_an_identifier_is_split(word: str, parts: str) -> None:
    assert text.split_identifier(word) == parts.split(" ")


def test_only_identifiers_that_have_parts_are_taken_each_part_once() -> None:
    assert text.identifier_parts("The validateToken of HTTPServer, and validate_token.") == (
        "validate Token HTTP Server token"
    )
    assert text.identifier_parts("Plain words only.") == ""


@given(ANY_TEXT)
@example("ज़ेबरा_पथ")
def test_the_parts_of_a_word_are_all_its_letters_and_their_signs_in_order(word: str) -> None:
    assert "".join(text.split_identifier(word)) == re.sub(rf"[^\w{SIGNS}]|_", "", word)


# Digests


@given(st.lists(ANY_TEXT | st.integers() | st.none(), max_size=4))
def test_a_digest_is_of_the_values_in_their_order(values: list[object]) -> None:
    assert text.digest(*values) == text.digest(*values)
    assert text.digest(*values) != text.digest(*values, "one more")


def test_a_digest_tells_where_one_value_ends() -> None:
    assert text.digest("ab", "c") != text.digest("a", "bc")
    assert text.digest("1") != text.digest(1)


# The index of keys takes 8,000 bytes; more would be an error long after it could be understood.


@given(
    st.text(
        st.characters(codec="utf-8", exclude_categories=["Cc", "Cf"]),
        min_size=1, max_size=limits.NAME_CHARACTERS,
    )
)  # fmt: skip
@example("ΐ" * limits.NAME_CHARACTERS)
@example("𐐀" * limits.NAME_CHARACTERS)
@example("\u1e9e" * limits.NAME_CHARACTERS)
def test_the_key_of_an_allowed_name_fits_its_index(name: str) -> None:
    try:
        allowed = limits.name("name", name)
    except InvalidInput:
        return
    assert len(text.key("p" * limits.LABEL_BYTES, allowed).encode()) < 8000


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1712051231512", "1712051241512"),
        ("352912091234557", "352912092234557"),
        ("2026-03-01-1200", "2026-03-01.1200"),
        ("2026-03-01x12:00", "2026-03-01y12:00"),
        ("2026-13-01T10:00", "2026-13-01T10:00Z"),
    ],
)
def test_what_is_no_moment_is_its_own_value(one: str, other: str) -> None:
    assert text.attribute_token("id", one) != text.attribute_token("id", other)
