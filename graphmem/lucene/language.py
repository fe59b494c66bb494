"""What is known of languages: stop words, scripts, stems."""

import re
import unicodedata
from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from os.path import commonprefix

import snowballstemmer

from graphmem.model.language import DEFAULT, Language
from graphmem.model.spelling import plain_form

# What Lucene's English analyzer leaves out, of queries and of texts.
ENGLISH_STOP_WORDS = frozenset(
    [
        "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is",
        "it", "no", "not", "of", "on", "or", "such", "that", "the", "their", "then", "there",
        "these", "they", "this", "to", "was", "will", "with",
    ]
)  # fmt: skip
# With these a question is asked in English, whatever it is about.
ENGLISH_QUESTION_WORDS = frozenset(
    [
        "been", "being", "can", "could", "did", "do", "does", "had", "has", "have", "having", "how",
        "should", "were", "what", "when", "where", "which", "who", "whom", "whose", "why", "would",
    ]
)  # fmt: skip
ENGLISH = Language("english", ENGLISH_STOP_WORDS)
DEFAULT_LANGUAGES = (ENGLISH, *(Language(name) for name in DEFAULT if name != ENGLISH.name))
LATIN = "LATIN"
SHORTEST_STEM = 3
# What begins with a stem of so few letters is mostly other words: `window` with `win`.
SHORT_STEM = 3

# Where the analyzer of a language and the stemmer have different names.
_STEMMER_NAMES = {"brazilian": "portuguese"}
_STEMMERS = frozenset(snowballstemmer.algorithms())
# What stands after a stem in the forms of a word; the stemmer says which of them are forms.
_ENDINGS = {
    "english": ("", "s", "'s", "es", "d", "ed", "ing"),
    "russian": (
        "", "а", "ам", "ами", "ас", "ах", "ая", "е", "его", "ей", "ем", "ему", "ет", "ете", "ешь",
        "и", "ие", "ий", "ил", "ила", "или", "им", "ими", "ит", "ите", "ить", "их", "ишь", "й",
        "л", "ла", "ли", "ло", "м", "о", "ов", "ого", "ое", "ой", "ом", "ому", "ою", "т", "те",
        "ть", "у", "ут", "ую", "ы", "ые", "ый", "ым", "ыми", "ых", "ь", "ью", "ю", "ют", "юю",
        "я", "ям", "ями", "ят", "ях", "яя",
    ),
}  # fmt: skip
# Where every analyzer cuts a word, and what it drops around the parts: `and/or`, `--as-of`, `it.`
_STOP_WORD_CUTS = re.compile(r"[-/\\@#+&=|!$%^\[\]{}<>`~*?,;\"()]+")
_AROUND = ".:'’"
_CJK = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "IDEOGRAPHIC", "BOPOMOFO"})


def clean(query: str) -> str:
    """Drop what no index holds and the driver cannot send: NUL and lone surrogates."""
    return query.encode("utf-8", "ignore").decode().replace("\0", " ")


@cache
def alphabet(letter: str) -> str:
    """What Unicode calls a letter's script, `HIRAGANA` for one; blank for marks of no script."""
    if unicodedata.category(letter)[0] not in "LM":
        return ""
    if is_wide_or_narrow(letter):
        letter = unicodedata.normalize("NFKC", letter)[0]
    return unicodedata.name(letter, "").replace("-", " ").partition(" ")[0]


def is_wide_or_narrow(letter: str) -> bool:
    """Whether it is a narrow letter in full width, or a wide one in half width."""
    return unicodedata.east_asian_width(letter) in {"F", "H"}


def script(word: str, languages: Sequence[Language] = DEFAULT_LANGUAGES) -> str:
    """The script by which a word finds its languages.

    It is the first one in the word that a language of the store is written in, other than Latin;
    digits, marks and scripts of no language of the store go with Latin. A Chinese character alone
    does too, since the index of pairs does not hold it.
    """
    if word.isascii():
        return LATIN
    scripts = {language.script for language in languages} - {LATIN}
    families = [_family(letter) for letter in word]
    if families.count("CJK") == 1:
        scripts.discard("CJK")
    return next((family for family in families if family in scripts), LATIN)


def _family(letter: str) -> str:
    name = alphabet(letter)
    return "CJK" if name in _CJK else name


def is_stop_word(word: str) -> bool:
    """Whether English leaves the word out."""
    return word.casefold() in ENGLISH_STOP_WORDS


def is_question_word(word: str) -> bool:
    """Whether an English question may be asked with the word, whatever it is about."""
    return _consists_of(word, ENGLISH_QUESTION_WORDS)


def _consists_of(word: str, words: Collection[str]) -> bool:
    """Whether a word is one of some words, or several of them with marks in between."""
    lower_word = word.casefold()
    if lower_word in words or lower_word.isalnum():
        return lower_word in words
    parts = [part for piece in _STOP_WORD_CUTS.split(lower_word) if (part := piece.strip(_AROUND))]
    return bool(parts) and all(part in words for part in parts)


def speaks_english(languages: Sequence[Language]) -> bool:
    """Whether Latin words may be English: it is a language of the store, or none of Latin is."""
    latin = [language.name for language in languages if language.script == LATIN]
    return not latin or ENGLISH.name in latin


def without_stop_words(words: Sequence[str], languages: Sequence[Language]) -> list[str]:
    """The words that are left when the stop words of the language spoken are left out.

    What an analyzer cuts into stop words alone, such as `and/or`, is left out, too.

    Of several languages in one script the one with most such words among the words is spoken:
    "war" is one in German, and not in "will the war be over". Where no language of the store is
    written in Latin letters, English is.
    """
    spoken_languages: dict[str, list[Language]] = {}
    scripts = {word: script(word, languages) for word in words}
    for name in set(scripts.values()):
        candidates = [language for language in languages if language.script == name] or [ENGLISH]
        of_script = [word for word in words if scripts[word] == name]
        counts = [sum(_tells(word, language) for word in of_script) for language in candidates]
        spoken_languages[name] = [
            language
            for language, count in zip(candidates, counts, strict=True)
            if count == max(counts)
        ]
    return [
        word
        for word in words
        if not all(
            _consists_of(word, language.stop_words) for language in spoken_languages[scripts[word]]
        )
    ]


def _tells(word: str, language: Language) -> bool:
    """Whether a word is one of those by which a language is known."""
    is_question = language.name == ENGLISH.name and is_question_word(word)
    return is_question or _consists_of(word, language.stop_words)


def stems(word: str, languages: Sequence[Language] = DEFAULT_LANGUAGES) -> frozenset[str]:
    """A word in small letters and its stems in the languages of its script: forms share one."""
    return _stems(word, tuple(languages))


@lru_cache(maxsize=50_000)
def _stems(word: str, languages: tuple[Language, ...]) -> frozenset[str]:
    lower_words = {word.casefold(), plain_form(word).casefold()}
    own_script = script(word, languages)
    roots = (
        _stem_of(language.name, lower_word)
        for language in languages
        if language.script == own_script
        for lower_word in lower_words
    )
    return frozenset({*lower_words, *(root for root in roots if len(root) >= SHORTEST_STEM)})


def forms(word: str, languages: Sequence[Language] = DEFAULT_LANGUAGES) -> tuple[str, ...]:
    """Terms for the other forms of a word, for an index that does not stem; at most two.

    A `*` at the end stands for any letters: `caches` gives `cach*`; `query`, whose forms begin with
    `queri`, gives `queri*`; `queries` gives `queri*` and `query`. Where the stem is short, or the
    word does not begin with it, it is a regular expression between slashes: `win` gives
    `/win('s|ned|ning|s)?/`, since `win*` would find `window`. Where a stemmer drops accents, both
    are given: `canciones` begins with the stem of `canción`, `cancion`. In a store of German texts
    `strasse` gives `straß*` besides.
    """
    lower_word = word.lower()
    beginnings = _beginnings(lower_word, languages)
    own_beginnings = [beginning for beginning in beginnings if lower_word.startswith(beginning)]
    common_start = min(own_beginnings, key=len, default=None)
    others = [beginning for beginning in beginnings if beginning not in own_beginnings]
    starts = [common_start, *others] if common_start else []
    forms = [f"{start}*" for start in starts if not _is_short(start)]
    for root in sorted(stems(word, languages)):
        if root.endswith("i") and root != lower_word and not _is_short(root):
            with_y = f"{root[:-1]}y"
            other_form = f"{root}*" if lower_word == with_y else ""
            forms.append(with_y if lower_word.startswith(root) else other_form)
    if any(language.name == "german" for language in languages):
        forms += [form.replace("ss", "ß") for form in forms if "ss" in form]
    forms = [form for form in dict.fromkeys(forms) if form][: 1 if common_start is None else 2]
    return tuple(forms) if forms else _spelled_forms(lower_word, languages)


def _is_short(stem: str) -> bool:
    """Whether a stem says too little of the words that begin with it."""
    return len(stem) <= SHORT_STEM and _family(stem[0]) in {LATIN, "CYRILLIC", ""}


def _spelled_forms(lower: str, languages: Sequence[Language]) -> tuple[str, ...]:
    """The forms of a word one by one; in a language without known endings up to two letters."""
    own_script = script(lower, languages)
    inflections: set[str] = set()
    for language in (candidate for candidate in languages if candidate.script == own_script):
        root = _stem_of(language.name, lower)
        if len(root) < SHORTEST_STEM or not root.isalnum():
            continue
        if language.name in _ENDINGS:
            inflections |= _inflections(language.name, lower, root)
        elif beginning := _beginning(lower, root):
            inflections.add(f"{beginning}.{{0,2}}")
    if not inflections - {lower}:
        return ()
    start = commonprefix(sorted(inflections))  # noqa: RUF071 - of words, not of paths
    ends = "|".join(sorted(inflection.removeprefix(start) for inflection in inflections - {start}))
    return (f"/{start}({ends}){'?' if start in inflections else ''}/",)


@lru_cache(maxsize=5_000)
def _inflections(language: str, word: str, root: str) -> frozenset[str]:
    bases = {word, root, root + root[-1]}
    bases |= {f"{root[:-1]}y"} if root.endswith("i") else set()
    bases |= {root[:-1]} if root.endswith("e") else set()
    candidates = {base + ending for base in bases for ending in _ENDINGS[language]}
    same_stem = {form for form in candidates if _stem_of(language, form) == root}
    # The stemmer knows the straight apostrophe alone.
    return frozenset(same_stem | {form.replace("'", "’") for form in same_stem})


def stem(word: str, languages: Sequence[Language] = DEFAULT_LANGUAGES) -> str | None:
    """The beginning that the forms of a word share, at least three letters; None for none.

    Where several languages share the word's script it is the shortest of their stems.
    """
    lower_word = word.casefold()
    own_script = script(word, languages)
    stems = [
        _stem_of(language.name, lower_word)
        for language in languages
        if language.script == own_script
    ]
    beginnings = [
        root for root in stems if len(root) >= SHORTEST_STEM and lower_word.startswith(root)
    ]
    return min(beginnings, key=len, default=None)


def _beginnings(lower: str, languages: Sequence[Language]) -> list[str]:
    """What the forms of a word begin with, at least three letters: its stems, and its own letters.

    Of a language whose endings are known, the forms are listed where the word begins otherwise.
    """
    own_script = script(lower, languages)
    beginnings = []
    for language in (candidate for candidate in languages if candidate.script == own_script):
        root = _stem_of(language.name, lower)
        beginning = _beginning(lower, root)
        if beginning == root or (beginning and language.name not in _ENDINGS):
            beginnings += [beginning, root]
    return [beginning for beginning in beginnings if len(beginning) >= SHORTEST_STEM]


def _beginning(word: str, root: str) -> str:
    """The letters of a word that its stem stands for, `größ` of `größe` for `gross`, or none."""
    if word.startswith(root):
        return root
    plain_root, plain_beginning = _without_accents(root), ""
    for count, letter in enumerate(word, 1):
        plain_beginning += _without_accents(letter)
        if plain_beginning == plain_root:
            return word[:count]
    return ""


def _without_accents(letters: str) -> str:
    marked_letters = unicodedata.normalize("NFD", letters.casefold())
    return "".join(letter for letter in marked_letters if not unicodedata.combining(letter))


@lru_cache(maxsize=50_000)
def _stem_of(language: str, word: str) -> str:
    name = _STEMMER_NAMES.get(language, language)
    if name not in _STEMMERS:
        return ""
    # A stemmer holds the word it works on, so each call gets its own: they may run side by side.
    root: str = snowballstemmer.stemmer(name).stemWord(word)
    return root
