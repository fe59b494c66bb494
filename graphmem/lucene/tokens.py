"""The tokeniser: every string becomes a list of tokens, and none is an error."""

import re
from bisect import bisect_left
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal
from unicodedata import category

from graphmem.lucene.marks import keyboard_marks
from graphmem.lucene.tree import NAME, OPERATORS, Piece

TOKENS = 512
TERM_CHARACTERS = 200
ALONE_WILDCARD = "a wildcard without letters was ignored"
STARS = "stars as in `**bold**` or `f(*args)` were read as punctuation; a wildcard is a single star"

TokenKind = Literal["word", "phrase", "field", "open", "close", "AND", "OR", "NOT"]

# Between tokens stand spaces, and the parentheses of a function's name, such as `add()`.
_BETWEEN = re.compile(r"\s+|(?<=\w)\(\)")
# A field is a name and a colon right before its value; `error: x`, `a::b`, `http://h` and `12:30`
# are words, as is the path `C:\a`. A name with other characters stands in quotation marks; `"a":1`
# is JSON.
_FIELD = re.compile(rf"({NAME.pattern}):(?=[^\s:/)])(?!\\\w)")
_QUOTED_FIELD = re.compile(r'"((?:[^"\\]|\\.)+)":(?=[^\s:/)])', re.DOTALL)
_ESCAPED_IN_PHRASE = frozenset('"\\')
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_NO_OPERATORS = frozenset({"&&", "||", "!"})
_SUFFIX = re.compile(r"~(\d*)")
# In an address `?` and `*` are as they stand: `https://x.org/a?b=1`, `page.php?id=5`.
ADDRESS = re.compile(r"://|\?[\w.%-]+=")
# A quotation mark as code and JSON have it: `f("a")`, `panic!("a")`, `a = f"b"`, `["a"]`,
# `{"a": 1}`, `"a": "b"`, `#include "a.h"`.
_QUOTED_IN_CODE = re.compile(
    rf"""
      \w(?<!AND)(?<!NOT)(?<!\bOR)!?\([bfruBFRU]{{0,2}}"
    | (?:=\s?|[\[{{])[bfruBFRU]{{0,2}}"
    | "{NAME.pattern}"\s?:\s?["\[{{\d]
    | (?<!\w)(?:include|import|require|from)\s+"[@.\w/-]{{1,200}}"
    """,
    re.VERBOSE,
)
_MARK = re.compile(r'(?<!\\)"')
_QUOTED_IN_TRACE = re.compile(r'\bFile "[^"\n]{1,400}", line \d|\bin thread "')
QUOTED_IN_CODE = (
    'quotation marks as in `f("a")` or `{"a": 1}` were read as punctuation; '
    "a phrase has spaces around it"
)
_GERSHAYIM = re.compile(r'(?<=[\u05d0-\u05ea])"(?=[\u05d0-\u05ea])')
_MARKS = "?!.,;:…"
# `f(` before a star, and what shows that a query is a line of code.
_CALL = re.compile(r"(\w+)\($")
_CALL_CHARACTERS = 40
_CODE = re.compile(r"\*\*\w")
_BEFORE_COMMA = re.compile(r"\*\w+\s*,")
_LETTER = re.compile(r"\w")
# Punctuation, spaces and what nobody sees, as Unicode calls them.
_NO_WORDS = frozenset(["Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "Zl", "Zp", "Zs", "Cc", "Cf"])


@dataclass(frozen=True, slots=True)
class Token:
    """A token; `suffix` is the number after a `~`, -1 for a `~` alone, None for no `~`."""

    kind: TokenKind
    text: str = ""
    pieces: tuple[Piece, ...] = ()
    suffix: int | None = None


def tokens(query: str, literal_names: Collection[str] = ()) -> tuple[list[Token], list[str]]:
    """Cut a query into tokens, and say in sentences what was ignored.

    Args:
        query: Any text.
        literal_names: What before a colon is no field: `redis` where `redis:6379` is a word.
    """
    query_tokens: list[Token] = []
    notes: list[str] = []
    query = keyboard_marks(query)
    if _QUOTED_IN_TRACE.search(query):
        query = query.replace('"', " ")
    elif _is_quoted_in_code(query):
        query = query.replace('"', " ")
        notes.append(QUOTED_IN_CODE)
    place = 0
    while place < len(query):
        if between := _BETWEEN.match(query, place):
            place = between.end()
            continue
        if len(query_tokens) >= TOKENS:
            notes.append(f"only the first {TOKENS} words and operators were read")
            break
        token, place = _next(query, place, notes, literal_names)
        if token is not None:
            query_tokens.append(token)
    return query_tokens, notes


def _is_quoted_in_code(query: str) -> bool:
    """Whether an opening quotation mark is one of code; `"a["` ends a phrase."""
    matches = list(_QUOTED_IN_CODE.finditer(query))
    marks = [mark.start() for mark in _MARK.finditer(query)] if matches else []
    places = (query.index('"', match.start()) for match in matches)
    return any(bisect_left(marks, place) % 2 == 0 for place in places)


def _next(
    query: str, place: int, notes: list[str], literal_names: Collection[str]
) -> tuple[Token | None, int]:
    mark = query[place]
    if mark == "(":
        return Token("open"), place + 1
    if mark == ")":
        return Token("close"), place + 1
    field_in_quotes = _QUOTED_FIELD.match(query, place)
    if (
        field_in_quotes is not None
        and _has_word(field_in_quotes[1])
        and not NAME.fullmatch(field_in_quotes[1])
    ):
        return Token("field", _ESCAPED.sub(r"\1", field_in_quotes[1])), field_in_quotes.end()
    if mark == '"':
        return _phrase(query, place + 1, notes)
    field = _FIELD.match(query, place)
    if field is not None and field[1] not in literal_names:
        return Token("field", field[1]), field.end()
    return _word(query, place, notes)


def _phrase(query: str, start: int, notes: list[str]) -> tuple[Token | None, int]:
    letters: list[str] = []
    place = start
    while place < len(query) and (query[place] != '"' or _is_gershayim(query, place)):
        if query[place] == "\\" and query[place + 1 : place + 2] in _ESCAPED_IN_PHRASE:
            place += 1
        letters.append(query[place])
        place += 1
    if place >= len(query):
        notes.append("an unclosed quotation mark was closed at the end of the query")
    suffix = _SUFFIX.match(query, place + 1)
    end = suffix.end() if suffix else min(place + 1, len(query))
    text = "".join(letters)
    if not _has_word(text):
        notes.append("a phrase without words was ignored")
        return None, end
    return Token("phrase", text, suffix=_number(suffix)), end


def _word(query: str, start: int, notes: list[str]) -> tuple[Token | None, int]:
    pieces: list[Piece] = []
    run = ""
    suffix: re.Match[str] | None = None
    has_escape = False
    place = start
    while place < len(query):
        mark = query[place]
        if mark == "\\" and _is_escape(query, place, is_first=place == start):
            has_escape = True
            run += query[place + 1]
            place += 2
            continue
        if mark.isspace() or (mark in '()"' and not _is_gershayim(query, place)):
            break
        if mark == "~" and (suffix := _suffix_at(query, place)) is not None:
            place = suffix.end()
            break
        if mark == "*" and (stars := _stars_at(query, place, start, notes)):
            place += len(stars)
            # `a**b` is a word; beside other signs stars are left out.
            run += stars * (run[-1:].isalnum() and query[place : place + 1].isalnum())
            continue
        if mark in "*?":
            pieces += [Piece(run)] * bool(run) + [Piece(mark, wild=True)]
            run = ""
        else:
            run += mark
        place += 1
    if run:
        pieces.append(Piece(run))
    token = _word_token(pieces, suffix, has_escape=has_escape)
    return (token if _is_used(token, notes) else None), place


def _is_escape(query: str, place: int, *, is_first: bool) -> bool:
    """Whether a backslash makes the next character literal, unlike those of a path of Windows."""
    following = query[place + 1 : place + 2].strip()
    return bool(following) and (is_first or not (following.isalnum() or following == "_"))


def _is_gershayim(query: str, place: int) -> bool:
    """Whether a quotation mark is that of a Hebrew abbreviation, which stands inside the word."""
    return _GERSHAYIM.match(query, place) is not None


def _word_token(pieces: list[Piece], suffix: re.Match[str] | None, *, has_escape: bool) -> Token:
    text = "".join(piece.text for piece in pieces)
    if not has_escape and suffix is None and text in OPERATORS:
        return Token(text)  # type: ignore[arg-type]  # one of the three just compared
    read = (Piece(text),) if ADDRESS.search(text) else tuple(pieces)
    return Token("word", text, read, _number(suffix))


def _stars_at(query: str, place: int, start: int, notes: list[str]) -> str:
    """The stars at a place if they are punctuation: `**bold**`, `a**b`, `f(*args)`, `*a, **more`.

    Args:
        query: The query.
        place: The place of the first star.
        start: Where its word begins.
        notes: What was ignored, to which this is added.
    """
    end = place
    while query[end : end + 1] == "*":
        end += 1
    is_alone = not query[start:place].strip("*") and not query[end : end + 1].strip()
    if is_alone or (end == place + 1 and not _is_argument(query, place, start)):
        return ""
    notes.append(STARS)
    return query[place:end]


def _is_argument(query: str, place: int, start: int) -> bool:
    """Whether a star stands before the arguments of a call, or in a list of them with a `**`."""
    if place != start:
        return False
    call = _CALL.search(query, max(0, start - _CALL_CHARACTERS), start)
    if call is not None:
        return call[1] not in OPERATORS
    is_listed = query[:start].rstrip().endswith(",") or _BEFORE_COMMA.match(query, start)
    return bool(is_listed and _CODE.search(query))


def without_marks(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """The pieces of a word in which a `?` stands for a letter only where another one follows.

    Elsewhere it is a mark; marks at the end are left out with it: of `why?!` that is `why`.
    """
    read: list[Piece] = []
    letter_follows = has_mark_at_end = False
    for piece in reversed(pieces):
        is_mark = piece == Piece("?", wild=True) and not letter_follows
        if is_mark or not piece.wild:
            literal_end = read.pop().text if read and not read[-1].wild else ""
            read.append(Piece(piece.text + literal_end))
        else:
            read.append(piece)
        has_mark_at_end = has_mark_at_end or (is_mark and len(read) == 1)
        letter_follows = not is_mark and (piece.wild or _LETTER.match(piece.text) is not None)
    if has_mark_at_end:
        read[0] = Piece(read[0].text.rstrip(_MARKS))
    return tuple(piece for piece in reversed(read) if piece.text)


def _has_word(text: str) -> bool:
    """Whether a text has letters, digits or symbols such as emoji, not punctuation alone."""
    return any(
        mark.isalnum() or not (mark.isascii() or category(mark) in _NO_WORDS) for mark in text
    )


def _is_used(token: Token, notes: list[str]) -> bool:
    """Whether something of a word is left to look for; a `*` alone stands for everything."""
    if token.kind != "word":
        return True
    if any(_has_word(piece.text) for piece in token.pieces if not piece.wild):
        return True
    if token.text == "*" and token.suffix is None:
        return True
    if any(piece.wild for piece in token.pieces):
        notes.append(ALONE_WILDCARD)
    elif token.text in _NO_OPERATORS:
        notes.append(f"`{token.text}` was ignored; the operators are AND, OR and NOT")
    return False


def _suffix_at(query: str, place: int) -> re.Match[str] | None:
    """A `~` with digits or none, at the end of a word only: `a~b` is a word."""
    match = _SUFFIX.match(query, place)
    if match is None or (match.end() < len(query) and query[match.end()] not in ' \t\r\n()"'):
        return None
    return match


def _number(suffix: re.Match[str] | None) -> int | None:
    if suffix is None:
        return None
    return min(int(suffix[1][:6]), 1000) if suffix[1] else -1
