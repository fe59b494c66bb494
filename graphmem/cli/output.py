"""The one door to stdout and stderr: answers to the one, the rest to the other.

Without a terminal lines are written as they are, and rich's console is not imported.
"""

import codecs
import io
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

# What a passage may take: lines on a terminal, characters where there is none.
PASSAGE_LINES = 2
PASSAGE_CHARACTERS = 240
NARROWEST = 20
BAR_WIDTH = 20
EMPTY = "·"
WIDTH_FOR_BARS = 76
TAB = 8
QUERY_CHARACTERS = 200
# What stands for graphmem's own signs where a stream cannot show them, as in ISO-8859-1.
PLAIN_SIGNS = {
    "⟶": "->", "⟵": "<-", "→": "->", "✓": "+", "✗": "x", "…": "...", "“": '"', "”": '"', "’": "'",
    "—": "-", "–": "-", "·": "-",
}  # fmt: skip
# Variables by which users have rich write for a terminal where there is none.
ASK_FOR_TERMINAL = ("FORCE_COLOR", "TTY_COMPATIBLE")


class TextOutput:
    """What people read: lines wrapped to the terminal, unwrapped without one.

    Args:
        console: Where to; by default stdout.
    """

    def __init__(self, console: "Console | None" = None) -> None:
        self._console = console or (_console() if may_be_terminal(sys.stdout) else None)
        self._wraps = self._console is not None and self._console.is_terminal

    def write(self, line: "Text | str" = "", *, indent: int = 0, head: "Text | str" = "") -> None:
        """Write one line; on a terminal, further lines of it keep the indent.

        Args:
            line: What is written.
            indent: Columns left free before it.
            head: What stands in these columns on the first line.
        """
        self._print_lines(self._lines(_text(line), indent), indent, head)

    def write_short(self, words: str, *, indent: int = 0) -> None:
        """Write the beginning of a text as one paragraph of at most two lines."""
        paragraph = " ".join(visible(words).split())
        if not self._wraps:
            is_long = len(paragraph) > PASSAGE_CHARACTERS
            paragraph = f"{paragraph[: PASSAGE_CHARACTERS - 1].rstrip()}…" if is_long else paragraph
            self._print_lines([_text(paragraph)], indent)
            return
        lines = self._lines(_text(paragraph), indent)
        if len(lines) > PASSAGE_LINES:
            lines = lines[:PASSAGE_LINES]
            lines[-1].truncate(self._width(indent) - 1)
            lines[-1].rstrip()
            lines[-1].append("…")
        self._print_lines(lines, indent)

    def write_note(self, note: str, *, style: str = "yellow") -> None:
        """Write what is to be known of an answer, on a line of its own."""
        self.write(_text(f"Note: {visible(sentence(note))}", style))

    def bar(self, value: float, *, style: str) -> "Text":
        """A bar as long as a value from 0 to 1, and a space after it; nothing without a terminal.

        Nor is there one where it would leave too little room for words.
        """
        from rich.bar import Bar
        from rich.text import Text

        if self._console is None or not self._wraps or self._console.width < WIDTH_FOR_BARS:
            return Text()
        lines = self._console.render_lines(Bar(1, 0, value, width=BAR_WIDTH), pad=False)
        blocks = "".join(segment.text for segment in lines[0]).rstrip()
        return Text.assemble((blocks, style), (EMPTY * (BAR_WIDTH - len(blocks)), "dim"), " ")

    def _width(self, indent: int) -> int:
        return max(NARROWEST, self._console.width - indent if self._console else 0)

    def _lines(self, text: "Text", indent: int) -> "list[Text]":
        if self._console is None or not self._wraps:
            return [text]
        return list(text.wrap(self._console, self._width(indent)))

    def _print_lines(self, lines: "list[Text]", indent: int, head: "Text | str" = "") -> None:
        margin = _text(head)
        for line in lines or [_text("")]:
            row = margin.copy().append(" " * (indent - margin.cell_len)).append_text(line)
            row.rstrip()
            if self._console is not None:
                self._console.print(row, soft_wrap=True)
            else:
                row.expand_tabs(TAB)
                sys.stdout.write(f"{row.plain}\n")
            margin = _text("")


def may_be_terminal(stream: TextIO) -> bool:
    """Whether a stream is a terminal, or the environment may ask for it to be taken for one."""
    return stream.isatty() or any(os.environ.get(name) for name in ASK_FOR_TERMINAL)


def prepare() -> None:
    """Let neither a character that a stream cannot show nor a closed stream end a command."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # a service or a job may be started without it
            null_device = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - to the end
            setattr(sys, name, null_device)
    codecs.register_error("graphmem", _plain_signs)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="graphmem")


def _plain_signs(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = error.object[error.start : error.end]
    return "".join(PLAIN_SIGNS.get(sign, "?") for sign in signs), error.end


def document(value: object) -> None:
    """Print one JSON document, on one line, in UTF-8 whatever the terminal's encoding is."""
    sys.stdout.write(f"{one_json(value, json_stdout())}\n")


def json_stdout() -> TextIO:
    """Stdout in UTF-8, as JSON is, whatever the terminal's encoding is."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    return sys.stdout


def one_json(value: object, stream: TextIO) -> str:
    """Write a value as JSON; on a terminal, what would steer it or is not seen is escaped."""
    document = json.dumps(value, ensure_ascii=False)
    if not stream.isatty():
        return document
    from graphmem.model.visible import escaped

    return escaped(document)


def verbatim(line: str) -> None:
    """Write one line that people copy: never wrapped, and written at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def say(sentence: str) -> None:
    """Tell a person something that is not the answer, on stderr."""
    sys.stderr.write(f"{' '.join(visible(sentence).split())}\n")


def sentence(note: str) -> str:
    """A note with the full stop that it lacks; a question has its own mark."""
    return note if note.endswith("?") else f"{note}."


def query_words(query: str) -> str:
    """A query as a sentence repeats it: on one line, a long one by its beginning."""
    words = " ".join(visible(query).split())
    return words if len(words) <= QUERY_CHARACTERS else f"{words[: QUERY_CHARACTERS - 1]}…"


def complain(sentence: str) -> None:
    """Tell a person in one line what is wrong, on stderr."""
    say(f"graphmem: {sentence}")


def abandon_what_cannot_be_written() -> None:
    """Send what is left to nowhere if stdout takes no more: Python tries again as it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        abandon()


def abandon() -> None:
    """Send what is left to nowhere: the reader of stdout has gone, which is no error."""
    null_device = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null_device, sys.stdout.fileno())


def visible(text: str) -> str:
    """Drop what would steer a terminal or is not seen; see `graphmem.model.visible`."""
    from graphmem.model import visible as seen

    return seen.visible(text)


def _text(line: "Text | str", style: str = "") -> "Text":
    from rich.text import Text

    return Text(line, style) if isinstance(line, str) else line


def _console() -> "Console":
    from graphmem.cli.terminal import Terminal

    return Terminal(highlight=False, markup=False, emoji=False)
