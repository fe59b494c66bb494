"""The one door to stdout and stderr: answers to the one, the rest to the other."""

import io
import json
import os
import sys
from typing import NoReturn, TextIO

from rich.console import Console
from rich.text import Text

from graphmem.model.visible import escaped, visible

# What a passage may take: lines on a terminal, characters where there is none.
PASSAGE_LINES = 2
PASSAGE_CHARACTERS = 240
NARROWEST = 20


class _Console(Console):
    """Rich's own console would end the process when nobody reads any more."""

    def on_broken_pipe(self) -> NoReturn:
        """Leave it to `main`."""
        raise BrokenPipeError


class TextOutput:
    """What people read: lines wrapped to the terminal, unwrapped without one.

    Args:
        console: Where to; by default stdout.
    """

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or _Console(highlight=False, markup=False, emoji=False)
        self._wraps = self._console.is_terminal

    def write(self, line: Text | str = "", *, indent: int = 0, head: Text | str = "") -> None:
        """Write one line; on a terminal, further lines of it keep the indent.

        Args:
            line: What is written.
            indent: Columns left free before it.
            head: What stands in these columns on the first line.
        """
        text = Text(line) if isinstance(line, str) else line
        self._put(self._lines(text, indent), indent, head)

    def write_short(self, words: str, *, indent: int = 0, style: str = "") -> None:
        """Write the beginning of a text as one paragraph of at most two lines."""
        plain = " ".join(visible(words).split())
        if not self._wraps:
            cut = len(plain) > PASSAGE_CHARACTERS
            plain = f"{plain[: PASSAGE_CHARACTERS - 1].rstrip()}…" if cut else plain
            self._put([Text(plain, style)], indent)
            return
        lines = self._lines(Text(plain, style), indent)
        if len(lines) > PASSAGE_LINES:
            lines = lines[:PASSAGE_LINES]
            lines[-1].truncate(max(NARROWEST, self._console.width - indent) - 1)
            lines[-1].rstrip()
            lines[-1].append("…")
        self._put(lines, indent)

    def _lines(self, text: Text, indent: int) -> list[Text]:
        if not self._wraps:
            return [text]
        return list(text.wrap(self._console, max(NARROWEST, self._console.width - indent)))

    def _put(self, lines: list[Text], indent: int, head: Text | str = "") -> None:
        margin = Text(head) if isinstance(head, str) else head
        for line in lines or [Text()]:
            whole = Text.assemble(margin, " " * (indent - margin.cell_len), line)
            whole.rstrip()
            self._console.print(whole, soft_wrap=True)
            margin = Text()


def prepare() -> None:
    """Let no character that a stream cannot show end a command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def document(value: object) -> None:
    """Print one JSON document, on one line, in UTF-8 whatever the terminal's encoding is."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    sys.stdout.write(f"{one_json(value, sys.stdout)}\n")


def one_json(value: object, stream: TextIO) -> str:
    """Write a value as JSON; on a terminal, what would steer it or is not seen is escaped."""
    written = json.dumps(value, ensure_ascii=False)
    return escaped(written) if stream.isatty() else written


def say(sentence: str) -> None:
    """Tell a person something that is not the answer, on stderr."""
    sys.stderr.write(f"{' '.join(visible(sentence).split())}\n")


def complain(sentence: str) -> None:
    """Tell a person in one line what is wrong, on stderr."""
    say(f"graphmem: {sentence}")


def abandon() -> None:
    """Send what is left to nowhere: the reader of stdout has gone, which is no error."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
