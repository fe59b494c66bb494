"""Macros of C and C++ that stand where their grammar expects none, and are passed over."""

import re
from collections.abc import Iterator

from graphmem.transfer.code.languages import Language
from graphmem.transfer.code.outlines.conditionals import blank
from graphmem.transfer.code.outlines.excerpts import line_start

# In `class API Base : public Root {` the grammar of C++ takes the macro for the name, and what
# follows for a function.
_BEFORE_TYPE = re.compile(
    rb"\b(?:class|struct|union)\s++((?:[A-Z][A-Z0-9_]++(?:\([^()\n]{0,200}\))?\s++)+)"
    rb"(?!final\b)[A-Za-z_][\w:]*(?:\s*<[^;{}()]{0,200}>)?(?:\s+final)?\s*(?::[^:]|\{)"
)
# What stands behind a declaration: `Row* row_ GUARDED_BY(mutex_);`, `void f() REQUIRES(mutex_);`.
_ARGUMENTS = rb"(?:\([^()\n;{}]{0,200}\))"
_VARIABLE_ANNOTATIONS = re.compile(
    rb"\s((?:[A-Z][A-Z0-9]*+_)*?(?:GUARDED_BY|ACQUIRED_(?:AFTER|BEFORE))"
    + _ARGUMENTS
    + rb")(?=\s*(?:[;={,)]|[A-Z]))"
)
_FUNCTION_ANNOTATIONS = re.compile(
    rb"(?:\)|\bconst|\bnoexcept|\boverride|\bfinal)((?:\s*+(?:[A-Z][A-Z0-9]*+_)*?"
    rb"(?:ASSERT_(?:EXCLUSIVE|SHARED)_LOCK|EXCLUDES|LOCKS_(?:EXCLUDED|REQUIRED)|LOCK_RETURNED"
    rb"|(?:UN)?LOCK_FUNCTION|NO_THREAD_SAFETY_ANALYSIS|REQUIRES(?:_SHARED)?)"
    + _ARGUMENTS
    + rb"?)++)(?=\s*(?:[;={]|const\b|final\b|override\b))"
)
# A line such as `GEO_NAMESPACE_BEGIN` spoils the definition below it.
_LINES = re.compile(rb"^[A-Z][A-Z0-9]*+_[A-Z0-9_]++(?=[ \t]*$)", re.MULTILINE)
_ANGLES = rb"(?:<(?:[^<>;{}\n]++|<(?:[^<>;{}\n]++|<[^<>;{}\n]*+>)*+>)*+>)"
# A name in a type, and what stands between it and the next.
_PART = rb"[A-Za-z_][\w:]*+" + _ANGLES + rb"?(?:\s*[*&]+\s*|\s+)"
_SCOPE = rb"(?:\w++" + _ANGLES + rb"?::)"
# `GEO_API int side();`: macros before the type and the name of what is declared. One without `_`
# may be a type, if what follows it may be a macro: `BOOL WINAPI DllMain()`.
_BEFORE_DECLARATION = re.compile(
    rb"^[ \t]*+(?:template\s*(?:<[^;{}()]{0,200}>\s*)?)?"
    rb"(?:(?:static|inline|virtual|friend|explicit|constexpr|extern(?:\s+\"C\")?)\s+){0,4}"
    rb"((?:(?:[A-Z][A-Z0-9]*_[A-Z0-9_]*+|[A-Z][A-Z0-9]{2,}+(?!\s+[A-Z0-9_]+\s))"
    + _ARGUMENTS
    + rb"?\s++){1,4})(?=template\s*<|(?:"
    + _PART
    + rb"){1,6}"
    + _SCOPE
    + rb"*+(?:operator\s*[^\w\s(]{1,3}|~?\w+)\s*[(;=\[{]|"
    + _SCOPE
    + rb"++~?\w+\s*\()",
    re.MULTILINE,
)
# `void GEO_CALL side()`: likewise between the type and the name.
_BEFORE_NAME = re.compile(
    rb"^[ \t]*+(?!(?:case|delete|else|goto|new|return|throw|using)\b)(?:"
    + _PART
    + rb"){0,5}?(?!(?:class|const|constexpr|enum|extern|inline|static|struct|union|volatile)\b)"
    + _PART
    + rb"([A-Z][A-Z0-9_]{2,}+)\s+"
    + _SCOPE
    + rb"*+~?\w+\s*\(",
    re.MULTILINE,
)
# `GEO_API Shape()`: before the name of a type of the file, for a constructor.
_BEFORE_CONSTRUCTOR = re.compile(
    rb"^[ \t]*+(?:(?:inline|explicit|constexpr)\s+){0,3}([A-Z][A-Z0-9]*_[A-Z0-9_]*+)\s+"
    rb"(?:(?:inline|explicit|constexpr)\s+){0,3}~?(\w+)\s*\(",
    re.MULTILINE,
)
_TYPE = re.compile(rb"\b(?:class|struct)\s+(?:[A-Z][A-Z0-9_]++\s+)*+(\w+)")
# One that stands for a statement, or for a head such as `try`.
_STATEMENT = re.compile(
    rb"(?<=[;{}])\s*+([A-Z][A-Z0-9]*+_[A-Z0-9_]++)(?=[ \t]*\r?\n\s*[\w}#/]|\s*\{)"
)
# `if GEO_CONSTEXPR (is_flat)`.
_CONDITION = re.compile(rb"\bif\s+([A-Z][A-Z0-9_]{2,}+)\s*(?=\()")
# `template <typename T, GEO_ENABLE_IF(!is_flat<T>())>`: behind the parameters of a template.
_BEHIND_PARAMETERS = re.compile(
    rb",\s*+[A-Z][A-Z0-9]*+_[A-Z0-9_]*+\("
    rb"(?:[^();{}]|\((?:[^();{}]|\((?:[^()]|\([^()]*+\))*+\))*+\))*+\)(?=\s*>)"
)
_INCLUDED = re.compile(rb"(?<=has_include)\([^()\n]*\)", re.IGNORECASE)
_DEFINITION = re.compile(rb"^[ \t]*#[ \t]*define\b(?:[^\n\\]|\\\r?\n|\\.)*+", re.MULTILINE)
_COMMENT_INSIDE = re.compile(rb"/\*(?:.*?(\*/)(?=[ \t]*[^\s])|.*)", re.DOTALL)
_NAME = re.compile(rb"[A-Z][A-Z0-9_]{2,}")
_AT_END = re.compile(rb"(?:\)\s*|^\s*)([A-Z][A-Z0-9_]+" + _ARGUMENTS + rb"?)\s*\Z")
_LONGEST = 300

_Span = tuple[int, int]


def macro_spans(language: Language, source: bytes) -> Iterator[_Span]:
    """The places of macros before the names of types, behind declarations, or on their own lines.

    Args:
        language: C or C++.
        source: The file.
    """
    yield from (match.span(1) for match in _BEFORE_TYPE.finditer(source))
    if language.name == "cpp":
        for annotations in (_VARIABLE_ANNOTATIONS, _FUNCTION_ANNOTATIONS):
            yield from (
                match.span(1)
                for match in annotations.finditer(source)
                if not _is_in_directive(source, match.start(1))
            )
    yield from (match.span() for match in _LINES.finditer(source))


def without_stray_macros(source: bytes) -> bytes:
    """The source with spaces for macros of declarations and statements, and comments in macros."""
    parts = bytearray(source)
    for pattern in (_BEFORE_DECLARATION, _BEFORE_NAME, _STATEMENT, _CONDITION):
        for match in pattern.finditer(bytes(parts)):
            parts[slice(*match.span(1))] = blank(match[1])
    types = {match[1] for match in _TYPE.finditer(source)}
    for match in _BEFORE_CONSTRUCTOR.finditer(source):
        if match[2] in types:
            parts[slice(*match.span(1))] = blank(match[1])
    for match in _BEHIND_PARAMETERS.finditer(source):
        parts[slice(*match.span())] = blank(match[0])
    for match in _INCLUDED.finditer(source):
        parts[match.start() + 1 : match.end() - 1] = b"0" * (len(match[0]) - 2)
    for match in _DEFINITION.finditer(source):
        parts[slice(*match.span())] = _COMMENT_INSIDE.sub(_blank_comment, match[0])
    return bytes(parts)


def is_macro(text: bytes) -> bool:
    """Whether a text is the name of a macro."""
    return _NAME.fullmatch(text) is not None


def macro_at_end(source: bytes, start: int, end: int) -> _Span | None:
    """The place of a macro, perhaps with arguments, that a text is or has behind a parenthesis."""
    begin = max(start, end - _LONGEST)
    match = _AT_END.search(source[begin:end])
    is_whole = match is not None and (begin == start or match.start() > 0)
    return (begin + match.start(1), begin + match.end(1)) if match and is_whole else None


def _blank_comment(comment: re.Match[bytes]) -> bytes:
    """Spaces for a comment that more of the macro follows."""
    return blank(comment[0]) if comment[1] else comment[0]


def _is_in_directive(source: bytes, place: int) -> bool:
    """Whether a line of C begins with `#`, such as that which defines a macro."""
    line = line_start(source, place)
    return source[line:place].lstrip().startswith(b"#")
