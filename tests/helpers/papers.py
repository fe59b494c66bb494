"""Terminals that keep what is printed on them."""

import io

from rich.console import Console

from graphmem.cli import answers, output
from graphmem.model import Answer, Hit


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def paper(width: int | None) -> tuple[output.TextOutput, io.StringIO]:
    """TextOutput as wide as a terminal, or the paper of a pipe."""
    stream = io.StringIO()
    console = Console(file=stream, width=width, force_terminal=width is not None, color_system=None)
    return output.TextOutput(console), stream


def passage_lines(of: Hit, **how: bool) -> list[str]:
    sheet, stream = paper(None)
    answers.write(
        Answer(
            query="q", project="p", mode="keyword", hits=(of,), total=1, degraded=None, took_ms={}
        ),
        sheet,
        **how,
    )
    return stream.getvalue().splitlines()
