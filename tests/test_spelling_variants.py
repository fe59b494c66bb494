"""Words that may be written in several ways, and the plain form by which they are found."""

import unicodedata
from functools import partial

import pytest

from graphmem import lucene, snippets, text
from graphmem.memory import Memory
from graphmem.model.spelling import other_apostrophe, plain_form, plain_forms

decomposed = partial(unicodedata.normalize, "NFD")

SPELT = [
    (decomposed("Schlüssel"), "Schlüssel"),
    (decomposed("서버"), "서버"),
    ("שָׁלוֹם", "שלום"),
    ('צה"ל', "צהל"),
    ("ג׳ירפה", "גירפה"),
    ("الدَّفْع", "الدفع"),
    ("مـنـصـور", "منصور"),
    ("नमी\u200dसर", "नमीसर"),
    ("सड़क", "सडक"),
    ("ｻｰﾊﾞｰ", "サーバー"),
    ("Ⅳ", "IV"),
    ("ﬁle", "file"),
    ("m²", "m2"),
    ("\ufee3\ufeae\ufea3\ufe92\ufe8e", "مرحبا"),
    ("größen\u00adordnung", "größenordnung"),
]


@pytest.mark.parametrize(("written", "plain"), SPELT)
def test_a_word_has_a_plain_form(written: str, plain: str) -> None:
    assert plain_form(written) == plain
    assert plain_forms(f"({written}), x") == [plain]


@pytest.mark.parametrize(
    "word", ["Schlüssel", "ёлка", "don’t", "أحمد", "データ", "倉庫", "👩‍👩‍👧", "“x”"]
)
def test_most_words_are_their_own_plain_form(word: str) -> None:
    assert plain_form(word) == word
    assert plain_forms(f"({word}), x") == []


def test_nothing_is_added_to_a_text_in_ascii_letters() -> None:
    assert plain_forms("a soft\u00adhyphen and a zero\u200bwidth space") == []
    assert plain_forms("ＧＰＵ") == ["GPU"]


def test_an_english_text_that_quotes_a_foreign_word_is_indexed_as_it_was() -> None:
    quoting = f"Peace, in Hebrew שָׁלוֹם, is a word {'of an English text ' * 10}"
    assert plain_forms(quoting) == []
    german = decomposed(f"Der Schlüssel {'hängt neben der Tür an einem Haken ' * 10}")
    assert plain_forms(german) == ["Schlüssel", "hängt", "Tür"]
    assert plain_forms(f"الدَّفْع {'المدفوعات ' * 40}") == ["الدفع"]


def test_an_identifier_is_not_split_at_its_accents() -> None:
    assert text.split_identifier(f"{decomposed('größe')}_हिन्दी") == [decomposed("größe"), "हिन्दी"]


def test_the_quotation_mark_of_a_hebrew_abbreviation_is_a_letter() -> None:
    query = lucene.parse('צה"ל "כוחות צה"ל" "שלום" עולם')
    assert query.tree == lucene.AnyOf(
        (
            lucene.Word('צה"ל'),
            lucene.Phrase(("כוחות", 'צה"ל')),
            lucene.Phrase(("שלום",)),
            lucene.Word("עולם"),
        )
    )
    assert query.notes == ()


def test_a_word_is_marked_however_it_is_spelt() -> None:
    terms = snippets.terms_of(lucene.parse(f"{decomposed('Schlüssel')} שלום"))
    assert snippets.marked("Schlüssel שָׁלוֹם", terms) == "**Schlüssel** **שָׁלוֹם**"


# What is found


@pytest.fixture
def told(memory: Memory) -> Memory:
    texts = {
        "German": f"Wo der {decomposed('Schlüssel')} liegt",
        "Russian": f"Наш {decomposed('район')}",
        "Korean": decomposed("서버를 관리"),
        "Hebrew": 'שָׁלוֹם רָב לצה"ל ליד השער\u200f',
        "Arabic": "قَرَأَ الكِتابَ",
        "Persian": "نمی\u200cخواهم",
        "Hindi": "\u0926\u0938\u094d\u0924\u093e\u0935\u0947\u095b",
        "Japanese": "ＧＰＵ と ｶﾌﾞｼｷｶﾞｲｼｬ",
    }
    memory.remember([{"name": name, "text": content} for name, content in texts.items()])
    return memory


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("Schlüssel", "German"), (decomposed("Schlüssel"), "German"),
        ("Schlüssel AND liegt", "German"), ("районы", "Russian"),
        ("서버", "Korean"), ("שלום", "Hebrew"), ("שלום AND רב", "Hebrew"), ("לצהל", "Hebrew"),
        ("לצה״ל", "Hebrew"), ("\u200fהשער", "Hebrew"), ("الكتاب", "Arabic"), ("الكِتاب", "Arabic"),
        ("نمیخواهم", "Persian"), ("दस्तावेज", "Hindi"), (decomposed("दस्तावेज़"), "Hindi"),
        ("GPU", "Japanese"), ("カブシキガイシャ", "Japanese"),
    ],
)  # fmt: skip
def test_a_word_is_found_however_it_is_spelt(told: Memory, query: str, name: str) -> None:
    hits = told.search(query, mode="keyword", expand=False, fuzzy_names=False).hits
    assert [hit.name for hit in hits] == [name]


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("O'Reilly", "O’Reilly"),
        ("l’avion", "l'avion"),
        ("Bram's", "Bram's"),
        ("Bram’s", "Bram’s"),
        ("'n'", "'n'"),
        ("don't", "don't"),
        ("We’ll", "We’ll"),
    ],
)
def test_an_apostrophe_inside_of_a_word_may_be_straight_or_curved(word: str, other: str) -> None:
    assert other_apostrophe(word) == other


@pytest.mark.parametrize("written", ["'", "’"])
@pytest.mark.parametrize("asked", ["'", "’"])
def test_words_and_names_are_found_with_either_apostrophe(
    memory: Memory, written: str, asked: str
) -> None:
    named = f"Ana{written}s lathe"
    memory.remember([{"name": named}, {"name": "Shelf", "text": f"An O{written}Reilly book"}])
    for query in (f"O{asked}Reilly", f"O{asked}Reilly AND book"):
        hits = memory.search(query, mode="keyword", expand=False).hits
        assert [hit.name for hit in hits] == ["Shelf"]
    hits = memory.search(f"where is Ana{asked}s lathe", mode="keyword", expand=False).hits
    assert hits[0].matched.name > 0.7
