"""How words of every script are spelt and end: signs in them, and those that may be left out."""

import re
import unicodedata
from collections.abc import Iterable

from graphmem.model.visible import UNSEEN

# What Python's \w leaves out and no analyzer cuts at: vowels and accents that are written as signs
# of their own, as in Hindi and Thai, and the joiners that stand inside of words.
SIGNS = (
    r"\u0300-\u036f\u0483-\u0489"  # accents of Latin, Greek and Cyrillic letters
    r"\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # Hebrew
    r"\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"  # Arabic
    r"\u0711\u0730-\u074a\u07a6-\u07b0"  # Syriac, Thaana
    r"\u0900-\u0963\u0966-\u0df3"  # from Devanagari to Sinhala, with their letters
    r"\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece"  # Thai, Lao
    r"\u0f35\u0f37\u0f39\u0f71-\u0f84\u0f86\u0f87\u0f8d-\u0fbc"  # Tibetan
    r"\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074"  # Burmese
    r"\u17b4-\u17d3\u17dd\u3099\u309a\u200c\u200d"  # Khmer, Japanese, joiners
)
_SIGN = re.compile(f"[{SIGNS}]")
# A word with the signs in it.
WORD = re.compile(rf"[^\W_]+(?:[{SIGNS}]+[^\W_]*)*")

# What ends a sentence or a part of it where no space follows.
CLAUSE_ENDS = "。！？；，、："
# How far from where a text must end it may be cut at a word.
CUT_BACK = 60

# In a text of mostly ASCII letters fewer words than these are quoted from another language.
MOSTLY = 0.8
LEAST_SHARE = 0.07

_UNSEEN = "".join(f"{chr(first)}-{chr(last)}" for first, last, _ in UNSEEN)
# Vowel signs of Hebrew and Arabic, the tatweel, which only widens a word, and the dot of Hindi.
_OPTIONAL = (
    r"\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    r"\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u093c"
)
# The marks of Hebrew abbreviations and foreign sounds, as keyboards and as books have them.
_HEBREW_MARKS = r"(?<=[\u05d0-\u05ea])[\"'’”\u05f3\u05f4](?=[\u05d0-\u05ea])"
_LEFT_OUT = re.compile(f"[{_OPTIONAL}{_UNSEEN}]|{_HEBREW_MARKS}")
# Letters and digits that are others in Unicode's form NFKC: raised and lowered ones, ligatures,
# Roman numerals, circled and mathematical letters, Arabic letters by their place, full and half
# width.
_OTHER_LETTERS = re.compile(
    "[\u00aa\u00b2\u00b3\u00b5\u00b9\u00ba\u0132\u0133\u017f\u01c4-\u01cc\u02b0-\u02e4"
    "\u1d2c-\u1dbf\u2070-\u209c\u2102-\u2115\u2119-\u211d\u2124\u2128\u212c-\u2139"
    "\u2160-\u217f\u2460-\u249b\u24ea\ufb00-\ufdfb\ufe70-\ufefc\uff01-\uffdc"
    "\U0001d400-\U0001d7ff]"
)
# Inside of a word; not in `Anna's`, whose ending analyzers drop with any apostrophe, nor in `don't`
# and `we'll`, of which English questions are full.
_CONTRACTIONS = "s|t|re|ve|ll|d|m"
APOSTROPHES = "'’ʼ"
_APOSTROPHE = re.compile(
    rf"(?<=[^\W_])[{APOSTROPHES}](?=[^\W_])(?!(?:{_CONTRACTIONS})\b)", re.IGNORECASE
)
# The third one is a letter, which Ukrainian is also written with.
_HAS_LETTER_APOSTROPHE = re.compile("[ʼ\u0400-\u04ff]")
# No analyzer but that of Greek takes the letter at the end of a word for the other, so that a word
# in capital letters is indexed with the one that small letters have inside.
_LAST_SIGMA = re.compile(r"[σΣ](?!\w)")
# Punctuation, symbols and spaces, as Unicode has them.
_MARKS = "PSZ"
# What some keyboards put behind a symbol, for its coloured form, and those behind which it stands.
_COLOURED = "\ufe0f"
_SYMBOL = re.compile(
    "([\u2190-\u2bff\U0001f300-\U0001f3fa\U0001f400-\U0001faff])(?![\u200d\U0001f3fb-\U0001f3ff])"
)
# What keyboards have for the marks of word processors and books, and nothing for the tatweel.
_TYPED = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("’‘ʼ׳´′", "'"),
        **dict.fromkeys("“”„«»״″", '"'),
        "\u0640": None,
        _COLOURED: None,
    }
)
_SPELT = re.compile(rf"(?:[\w{SIGNS}{_UNSEEN}]|{_HEBREW_MARKS})+")

# Words joined by marks, as names in code, modules, files and options are, without what the path of
# a file or the name of an option begins with.
_JOINED = re.compile(
    r"""
    (?P<before>(?<![^\s"'`(\[{<=])(?:(?:\.{1,2}|~)?/|--))?
    (?P<name>\w+(?:(?:::|[./\\-]{1,3}|(?<=\b[a-zA-Z]):[/\\]{1,2})\w+)*)
    """,
    re.VERBOSE,
)
_IS_CODE = re.compile(r"_|::|\\|/.*/|\w[^\W\d_]\.[^\W\d_]\w")
# Scripts in which words, or endings of words, follow a name without a space.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)


def identifier_spans(text: str) -> list[tuple[int, int]]:
    """Where names of several parts begin and end in a text, as code, modules and files have them.

    They are `get_user`, `app/store.py`, `net::Server`, `app.store` and the rest of `--no-ignore`;
    not words joined by a hyphen, initials, or two words with a slash between them.
    """
    return [
        match.span("name")
        for match in _JOINED.finditer(text)
        if (match["before"] or _IS_CODE.search(match["name"]))
        and not _UNSPACED.search(match["name"])
    ]


def has_only_letters(word: str) -> bool:
    """Whether a word consists of letters and the signs that belong to them."""
    return bool(word) and all(
        mark.isalpha() or unicodedata.category(mark)[0] == "M" for mark in word
    )


def usual_letters(name: str) -> str:
    """A name as its words are searched and embedded: in the form NFKC, `mc²` as `mc2`."""
    return unicodedata.normalize("NFKC", name)


def plain_form(word: str) -> str:
    """A word as most people type it, which is how it is found beside the way it is written.

    Letters and their accents are one character, raised ones, ligatures and those of full or half
    width are the usual letters, and vowel signs of Hebrew and Arabic, the dot of Hindi and what
    nobody sees are left out. A word without letters or digits, such as an emoji of several people,
    is as it was.
    """
    if word.isascii() or not any(map(str.isalnum, word)):
        return word
    letters = usual_letters(word) if _OTHER_LETTERS.search(word) else word
    return _LEFT_OUT.sub("", unicodedata.normalize("NFC", letters))


def typed_marks(text: str) -> str:
    """A text with the hyphens, apostrophes and quotation marks that keyboards have."""
    return text.translate(_TYPED)


def spellings(word: str, language: str = "") -> list[str]:
    """The ways to write a word by which a query looks for it, first the one that it has.

    They are its plain form, the other apostrophes inside of it, as `O’Reilly` for `O'Reilly`, of a
    symbol the form with colours and the one without, and of a Greek word in an index of no Greek
    the other letter at its end. Of those that differ only in marks around the word, which no index
    holds, the first one stands for all.

    Args:
        word: As a query has it.
        language: That of the analyzer of the index.
    """
    if word.isascii() and "'" not in word:
        return [word]
    if not any(map(str.isalnum, word)):
        return list(dict.fromkeys((word, _with_other_colours(word))))
    other_sigma = word if language == "greek" else _with_other_sigma(word)
    forms = (word, plain_form(word) or word, other_sigma, *with_other_apostrophes(word))
    distinct_forms: dict[str, str] = {}
    for form in forms:
        distinct_forms.setdefault(_without_marks_around(form), form)
    return list(distinct_forms.values())


def with_other_apostrophes(words: str) -> list[str]:
    """Words with each other apostrophe inside of them: `O’Reilly` for `O'Reilly`, and so back."""
    if not _APOSTROPHE.search(words):
        return []
    apostrophes = APOSTROPHES if _HAS_LETTER_APOSTROPHE.search(words) else APOSTROPHES[:2]
    forms = (_APOSTROPHE.sub(apostrophe, words) for apostrophe in apostrophes)
    return [form for form in forms if form != words]


def _with_other_sigma(word: str) -> str:
    """A word with the other sigma at its end: `ΔΡΌΜΟς` for `ΔΡΌΜΟΣ`, `δρόμοσ` for `δρόμος`."""
    return word.replace("ς", "σ") if "ς" in word else _LAST_SIGMA.sub("ς", word)


def _with_other_colours(symbols: str) -> str:
    """Symbols as `❤` for those as `❤\ufe0f`, and so back."""
    if _COLOURED in symbols:
        return symbols.replace(_COLOURED, "")
    return _SYMBOL.sub(rf"\1{_COLOURED}", symbols)


def _without_marks_around(word: str) -> str:
    start, end = 0, len(word)
    while start < end and unicodedata.category(word[start])[0] in _MARKS:
        start += 1
    while end > start and unicodedata.category(word[end - 1])[0] in _MARKS:
        end -= 1
    return word[start:end]


def plain_forms(text: str) -> list[str]:
    """The plain forms of the words of a text that are written in another way, each once.

    Not those of ASCII letters in usual width, which only what nobody sees can stand between, and
    none of an English text that quotes a foreign word or two.
    """
    if text.isascii():
        return []
    is_usual = unicodedata.is_normalized("NFC", text) and not _OTHER_LETTERS.search(text)
    if is_usual and not _LEFT_OUT.search(text):
        return []
    words = _SPELT.findall(text)
    forms = {word: plain_form(word) for word in words}
    other_words = {
        word
        for word, form in forms.items()
        if form != word and (not form.isascii() or _OTHER_LETTERS.search(word))
    }
    number = sum(word in other_words for word in words)
    if number < LEAST_SHARE * len(words) and _is_mostly_ascii(words):
        return []
    return list(dict.fromkeys(forms[word] for word in words if word in other_words))


def word_end(text: str, start: int, end: int) -> int:
    """Where a text that goes on after `end` is cut: before a space, or behind a part of a sentence.

    Where neither is near, as in scripts that put no spaces between words, it is cut anywhere but
    before a sign of the letter ahead of it.

    Args:
        text: Of any script.
        start: Where the part begins that is kept.
        end: Where it ends at the latest, inside of the text.
    """
    clause_end = 1 + max(text.rfind(mark, start, end) for mark in CLAUSE_ENDS)
    cut = max(text.rfind(" ", start, end), text.rfind("\n", start, end), clause_end)
    if cut > max(start + (end - start) // 2, end - CUT_BACK):
        return cut
    while end > start + 1 and _SIGN.match(text, end):
        end -= 1
    return end


def _is_mostly_ascii(words: Iterable[str]) -> bool:
    letters = "".join(words)
    return sum(map(str.isascii, letters)) > MOSTLY * len(letters)
