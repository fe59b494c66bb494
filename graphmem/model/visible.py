"""What of a text a person sees: the rest can hide instructions from whoever looks at it.

What is stored keeps every character; what agents and terminals are shown loses those of `UNSEEN`.
A few of them have a use between the right neighbours and stay there, one at a time: joiners inside
the scripts that need them and inside emoji, and the selectors that give a symbol its coloured form.
"""

import re
import unicodedata

# First and last code point, as Unicode has them: controls, and what is ignored by default.
UNSEEN: tuple[tuple[int, int, str], ...] = (
    (0x00, 0x08, "C0 controls; tab and line feed stay"),
    (0x0B, 0x1F, "C0 controls"),
    (0x7F, 0x9F, "delete and C1 controls"),
    (0xAD, 0xAD, "soft hyphen"),
    (0x034F, 0x034F, "combining grapheme joiner"),
    (0x061C, 0x061C, "Arabic letter mark"),
    (0x115F, 0x1160, "Hangul fillers"),
    (0x17B4, 0x17B5, "Khmer inherent vowels"),
    (0x180B, 0x180F, "Mongolian variation selectors and vowel separator"),
    (0x200B, 0x200F, "zero-width marks, left-to-right and right-to-left marks"),
    (0x2028, 0x202E, "line and paragraph separators, bidirectional embeddings and overrides"),
    (0x2060, 0x206F, "word joiner, invisible operators, bidirectional isolates, shaping controls"),
    (0x3164, 0x3164, "Hangul filler"),
    (0xFDD0, 0xFDEF, "no characters"),
    (0xFE00, 0xFE0F, "variation selectors"),
    (0xFEFF, 0xFEFF, "byte order mark"),
    (0xFFA0, 0xFFA0, "halfwidth Hangul filler"),
    (0xFFF0, 0xFFFB, "interlinear annotations"),
    (0xFFFE, 0xFFFF, "no characters"),
    (0x13430, 0x1343F, "Egyptian hieroglyph controls"),
    (0x1BCA0, 0x1BCA3, "shorthand controls"),
    (0x1D173, 0x1D17A, "musical controls"),
    (0xE0000, 0xE0FFF, "tags, variation selectors supplement"),
)

_UNSEEN = re.compile(f"[{''.join(f'{chr(a)}-{chr(b)}' for a, b, _ in UNSEEN)}]+")
# What divides lines beside the line feed.
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")

_NON_JOINER, _JOINER = "\u200c", "\u200d"
_STYLES = ("\ufe0e", "\ufe0f")
_MONGOLIAN = frozenset("\u180b\u180c\u180d\u180e\u180f")
_KEYCAP = "\u20e3"
# Scripts whose letters change by what they join: Arabic to Sinhala, Myanmar, Khmer, Mongolian,
# Javanese and their neighbours, Arabic's presentation forms, those of the supplementary plane.
_JOINING = re.compile(
    "[\u0600-\u0dff\u1000-\u109f\u1780-\u18af\ua840-\uabff\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc"
    "\U00010a00-\U00010fff\U00011000-\U00011fff\U0001e900-\U0001e95f]"
)
_FIRST_ARROW = "\u2190"
_EARLY_PICTURES = frozenset("©®‼⁉™ℹ")


def visible(text: str) -> str:
    """A text without what no person sees; what divides lines becomes a line feed."""
    if _UNSEEN.search(text) is None:
        return text
    return _UNSEEN.sub(_useful_marks, _LINE_ENDS.sub("\n", text))


def visible_around_words(text: str) -> str:
    """A text without what no person sees, but for what stands inside of a word."""

    def marks(match: re.Match[str]) -> str:
        return match[0] if all(map(_is_of_word, _neighbours(match))) else _useful_marks(match)

    return _UNSEEN.sub(marks, _LINE_ENDS.sub("\n", text))


def visible_line(text: str) -> str:
    """A text on one line, without what no person sees."""
    return " ".join(visible(text).split())


def on_one_line(text: str) -> str:
    """A text with one space for white space and for what cannot be printed: a name may hold it."""
    return " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())


def escaped(json_text: str) -> str:
    r"""A JSON text in which what no person sees stands as `\uXXXX`; it says the same.

    Args:
        json_text: As `json.dumps` writes it without indentation.
    """
    return _UNSEEN.sub(lambda match: _useful_marks(match) or _as_escapes(match[0]), json_text)


def _useful_marks(match: re.Match[str]) -> str:
    """The marks that were found where they have a use, otherwise nothing."""
    marks = match[0]
    before, after = _neighbours(match)
    if marks in _STYLES:
        is_useful = _is_picture(before) or (before in {*"0123456789#*"} and after == _KEYCAP)
    elif marks in {_JOINER, f"{_STYLES[1]}{_JOINER}"} and _is_picture(before):
        is_useful = _is_picture(after)
    elif marks in {_JOINER, _NON_JOINER}:
        is_useful = _joins(before) and _joins(after)
    else:
        is_useful = marks in _MONGOLIAN and "\u1820" <= before <= "\u18aa"
    return marks if is_useful else ""


def _neighbours(match: re.Match[str]) -> tuple[str, str]:
    """The characters on either side of what was found; blank at an end of the text."""
    text, start, end = match.string, match.start(), match.end()
    return text[max(0, start - 1) : start], text[end : end + 1]


def _is_of_word(mark: str) -> bool:
    return mark == "_" or unicodedata.category(mark or " ")[0] in "LMN"


def _is_picture(mark: str) -> bool:
    """Whether a character is a symbol that may have a coloured form, or a colour of skin."""
    if mark in _EARLY_PICTURES:
        return True
    return mark >= _FIRST_ARROW and unicodedata.category(mark) in {"So", "Sm", "Sk", "Po", "Pd"}


def _joins(mark: str) -> bool:
    return _JOINING.fullmatch(mark) is not None and unicodedata.category(mark)[0] in "LM"


def _as_escapes(marks: str) -> str:
    units = marks.encode("utf-16-be")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
