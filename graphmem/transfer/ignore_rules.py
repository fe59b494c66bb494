"""What git ignores, by patterns that take a time in step with the length of a path.

The library that reads the patterns makes regular expressions of them in which every star may try
every length: a pattern of ten stars holds a walk up for hours. Here each star but the last of a
name, and each `**` but the last, takes the shortest that does and never tries again, which matches
the same paths: what follows a star has a fixed length, so its first place is as good as any other.
"""

import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pathspec import GitIgnoreSpec
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

PATTERN_CHARACTERS = 1_000
PATTERNS = 5_000

_STAR = "[^/]*"
_MARK = "[^/]"
_NO_SLASH = "(?!/)"
_BRACKETS = re.compile(r"\\.|\[\^?\]?[^\]]*\]", re.DOTALL)
_FIRST = "^(?:.+/)?"
_DEEPER = "(?:/.+)?"


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """The patterns of one file and the folder they are about.

    Args:
        folder: Its path, as seen from the repository.
        patterns: What the file says.
        left_out: A sentence on the lines that are not followed; None where all are.
    """

    folder: tuple[str, ...]
    patterns: GitIgnoreSpec
    left_out: str | None = None

    def decides(self, path: tuple[str, ...], *, folder: bool) -> bool | None:
        """Whether a path is ignored; None where no pattern names it.

        Args:
            path: A path below the folder, as seen from the repository.
            folder: Whether it is a folder.
        """
        relative_path = "/".join(path[len(self.folder) :])
        return self.patterns.check_file(f"{relative_path}/" if folder else relative_path).include


def ignore_rules(folder: tuple[str, ...], content: str, *, limit: int = PATTERNS) -> IgnoreRules:
    """Read the patterns of a `.gitignore`; git leaves out what is no pattern, too.

    Args:
        folder: Where it is, as seen from the repository.
        content: What it says.
        limit: The most patterns that are followed.
    """
    patterns: list[GitIgnoreSpecPattern] = []
    left_out: list[int] = []
    for number, line in enumerate(content.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        pattern = _pattern(line) if len(patterns) < limit else None
        if pattern is None:
            left_out.append(number)
        else:
            patterns.append(pattern)
    # Another backend, where one is installed, does not know groups that never try again.
    return IgnoreRules(folder, GitIgnoreSpec(patterns, backend="simple"), _reason(left_out))


def _reason(left_out: Sequence[int]) -> str | None:
    if not left_out:
        return None
    return f"patterns that are not followed: {len(left_out):,}, the first on line {left_out[0]:,}"


class _Pattern(GitIgnoreSpecPattern):
    """A pattern that never tries again what did not match."""

    @classmethod
    def pattern_to_regex(cls, pattern: str) -> tuple[str | None, bool | None]:  # type: ignore[override]
        """The regular expression of a line, and whether it ignores or takes back."""
        regex, include = super().pattern_to_regex(pattern)
        return None if regex is None else steady(within_names(regex)), include


def _pattern(line: str) -> _Pattern | None:
    if len(line) > PATTERN_CHARACTERS:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of brackets that Python may one day read otherwise
            return _Pattern(line)
    except (ValueError, re.error, OverflowError, RecursionError):
        return None


def within_names(regex: str) -> str:
    """The same, where `[…]` never stands for the `/` between two names, as git has it."""
    return _BRACKETS.sub(lambda match: _NO_SLASH * _is_listed(match[0]) + match[0], regex)


def _is_listed(token: str) -> bool:
    return token.startswith("[") and token != _MARK


def steady(regex: str) -> str:
    """A pattern's regular expression, written so that it never tries again.

    Of `a*b*c`, which is `a[^/]*b[^/]*c`, it makes `a(?>[^/]*?b)[^/]*c`; a `**` that is not the
    last becomes `(?>(?:/.+?)??/name(?=/))` with the name after it.

    Args:
        regex: As the library makes it of a line: names between `/`, with `[^/]*` for a star.
    """
    prefix, start, tail = regex.partition(_FIRST)
    if prefix or not start:
        start, tail = "", regex
    blocks = [_block(block) for block in tail.split(_DEEPER)]
    if len(blocks) == 1:
        return start + blocks[0]
    opening = blocks[0]
    if start:
        opening = f"^(?>(?:.+?/)??{opening}(?=/))"
    middle = "".join(f"(?>(?:/.+?)??{block}(?=/))" for block in blocks[1:-1])
    return f"{opening}{middle}{_DEEPER}{blocks[-1]}"


def _block(regex: str) -> str:
    """The names between two `**`, where each star but the last of a name stops at once."""
    pieces = re.split(rf"(?:{re.escape(_STAR)})+", regex)
    return pieces[0] + "".join(_after_stars(pieces[1:]))


def _after_stars(pieces: Sequence[str]) -> Iterator[str]:
    """The regular expression of each star with the piece that follows it."""
    for place, piece in enumerate(pieces, 1):
        is_last = place == len(pieces) or "/" in piece.replace(_MARK, "").replace(_NO_SLASH, "")
        yield f"{_STAR}{piece}" if is_last else f"(?>{_STAR}?{piece})"
