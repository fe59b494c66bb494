"""Conditionals of C, C++ and C# that keep apart less than whole statements and definitions."""

import re
from itertools import pairwise

# What stands in these opens and closes nothing; what is never closed goes to the end.
_LITERALS = re.compile(
    rb"//[^\n]*+|/\*(?:.*?\*/|.*)|R\"([^()\\\s\"]{0,16})\((?:.*?\)\1\"|.*)|\"\"\".*?\"\"\""
    rb"|@\"(?:[^\"]|\"\")*+\"|\"(?:\\.|[^\"\\\n])*+\"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n]){1,8}'",
    re.DOTALL,
)
_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(\w+)(?:[^\n\\]|\\\r?\n|\\.)*+\n?", re.MULTILINE)
_OTHER_BRANCH = frozenset({b"else", b"elif", b"elifdef", b"elifndef"})
# A person's file has fewer conditionals; what they hold is looked at once for each around it.
_MOST, _DEEPEST = 5_000, 16
# How far before a conditional the statement before it ends, beside other directives.
_BEFORE = 2048
_LONG_LINE = 200
_NEW_LINE = re.compile(rb"(?<!\\)(?<!\\\r)\n")
# What ends a statement or definition: no label, which belongs to the statement behind it.
_END = re.compile(rb"(?:[;}]|\b(?:public|protected|private|\w*(?:signals|slots))\s*:)\Z")
# What a whole conditional stands behind: such an end, what opens a block, or a macro.
_BEFORE_WHOLE = re.compile(_END.pattern + rb"|\{\Z|(?:^|\n)[ \t]*[A-Z][A-Z0-9_]*+\([^\n]*\)\Z")
# What stands neither first in a whole branch nor behind a whole conditional.
_CONTINUATION = re.compile(rb"\s*(?:else\b|catch\b|[=,?.)\]&|%^<>/]|:(?!:)|\+(?!\+)|-(?!-))")
# Conditions that hold for few readers: never, and on the one system that is unlike the others.
_RARE = re.compile(
    rb"\s*#\s*(?:if|ifdef|elif)\b(?![^\n]*!)[^\n]*(?:\b0\s*$|\b_*WIN(?:32|64)?\b|\b_MSC_VER\b)"
)
_VISIBLE = re.compile(rb"\S")
_BRACKET = re.compile(rb"[()\[\]{}]")
_OPENING = {b")": b"(", b"]": b"[", b"}": b"{"}

_Span = tuple[int, int]
# What stands from `#if` to `#endif`: the places of its directives, in turn.
_Conditional = list[_Span]


def without_partial_conditionals(source: bytes) -> bytes:
    """The source with spaces for the directives that part an expression, a head or a block.

    Of what such a conditional holds the longest branch is left, so that all around it can be read.
    """
    code, rest = bytearray(_LITERALS.sub(_blank_literal, source)), bytearray(source)
    conditionals: list[_Conditional] = []
    directives = list(_DIRECTIVE.finditer(bytes(code)))
    if sum(match[1].startswith(b"if") for match in directives) > _MOST:
        return source
    for match in directives:
        if match[1].startswith(b"if"):
            conditionals.append([match.span()])
        elif conditionals and match[1] in _OTHER_BRANCH:
            conditionals[-1].append(match.span())
        elif conditionals and match[1] == b"endif":
            conditional = [*conditionals.pop(), match.span()]
            if len(conditionals) < _DEEPEST and not _is_whole(code, conditional):
                for start, end in _left_out(source, conditional):
                    code[start:end] = rest[start:end] = blank(source[start:end])
    return bytes(rest)


def blank(text: bytes) -> bytes:
    """Spaces for all but the ends of lines."""
    return re.sub(rb"[^\r\n]", b" ", text)


def _blank_literal(match: re.Match[bytes]) -> bytes:
    """Spaces for a comment, and a number for a literal."""
    is_comment = match[0].startswith((b"//", b"/*"))
    return blank(match[0]) if is_comment else re.sub(rb"[^\r\n]", b"0", match[0])


def _branches(conditional: _Conditional) -> list[_Span]:
    """The place of each branch, between one directive and the next."""
    return [(end, start) for (_, end), (start, _) in pairwise(conditional)]


def _is_whole(code: bytearray, conditional: _Conditional) -> bool:
    """Whether each branch can stand alone where the conditional stands."""
    start, end = conditional[0][0], conditional[-1][1]
    first = _NEW_LINE.search(code, start - _BEFORE, start) if start > _BEFORE else None
    before = _without_directives(code[first.end() if first else 0 : start]).rstrip()
    behind = _without_directives(code[end : end + _BEFORE]).lstrip()
    if (before and not _BEFORE_WHOLE.search(before[-_LONG_LINE:])) or _CONTINUATION.match(behind):
        return False
    branches = (_without_directives(code[slice(*span)]).strip() for span in _branches(conditional))
    return all(map(_is_whole_branch, branches))


def _without_directives(code: bytes | bytearray) -> bytes:
    return _DIRECTIVE.sub(b"", code)


def _is_whole_branch(code: bytes) -> bool:
    if not code:
        return True
    if not _END.search(code[-_LONG_LINE:]) or _CONTINUATION.match(code):
        return False
    open_brackets: list[bytes] = []
    for bracket in _BRACKET.findall(code):
        if bracket not in _OPENING:
            open_brackets.append(bracket)
        elif not open_brackets or open_brackets.pop() != _OPENING[bracket]:
            return False
    return not open_brackets


def _left_out(source: bytes, conditional: _Conditional) -> list[_Span]:
    """The directives of a conditional, and all of its branches but one."""
    branches = _branches(conditional)

    def rank(place: int) -> tuple[bool, int]:
        condition = source[slice(*conditional[place])]
        length = len(_VISIBLE.findall(source, *branches[place]))
        return length > 0 and not _RARE.match(condition), length

    kept = max(range(len(branches)), key=rank)
    left_out = [branch for place, branch in enumerate(branches) if place != kept]
    return [*conditional, *left_out]
