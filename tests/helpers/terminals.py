"""Commands in this process, and in processes of their own: at a terminal, and in the background."""

from __future__ import annotations

import io
import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fakes import FakeEmbedder
from graphmem import cli
from graphmem.cli import session

if TYPE_CHECKING:
    import pytest

GRAPHMEM = (sys.executable, "-m", "graphmem")


@dataclass
class CommandResult:
    """What a command did: its exit code and what it printed."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:  # noqa: ANN401 - whatever a command prints
        return json.loads(self.out)


Run = Callable[..., CommandResult]


class Keyboard(io.StringIO):
    """Standard input that is a terminal."""

    def isatty(self) -> bool:
        return True


def runner(
    project: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Run:
    """Run commands in this process and a project, with a model that needs no torch."""
    model = FakeEmbedder()
    monkeypatch.setattr(session, "embedder", lambda *_, **__: model)
    monkeypatch.setenv("GRAPHMEM_PROJECT", project)

    def run(*tokens: str) -> CommandResult:
        code = cli.main(tokens)
        captured = capsys.readouterr()
        return CommandResult(code, captured.out, captured.err)

    return run


def at_terminal(*tokens: str) -> str:
    """Give the first line that a command shows whose output is a terminal."""
    ours, theirs = pty.openpty()
    try:
        with subprocess.Popen([*GRAPHMEM, *tokens], stdout=theirs) as process:
            os.close(theirs)
            with os.fdopen(ours, encoding="utf-8", closefd=False) as shown:
                line = shown.readline()
        assert process.returncode == 0, line
    finally:
        os.close(ours)
    return line.rstrip("\r\n")


def answered(answer: str, *tokens: str, **variables: str) -> str:
    """Give all that a command shows on a terminal where somebody types an answer."""
    ours, theirs = pty.openpty()
    os.write(ours, answer.encode())
    with subprocess.Popen(
        [*GRAPHMEM, *tokens], env=os.environ | variables, stdin=theirs, stdout=theirs, stderr=theirs
    ):
        os.close(theirs)
        return read_all(ours)


def read_all(terminal: int) -> str:
    """Give all that is shown on a terminal until its other end is closed, and close it."""
    shown = b""
    with suppress(OSError):  # the other end is closed
        while chunk := os.read(terminal, 65_536):
            shown += chunk
    os.close(terminal)
    return shown.decode()


@dataclass
class Background:
    """A command that goes on until it is told to end.

    Args:
        process: Its process.
        shown: What it has shown.
    """

    process: subprocess.Popen[str]
    shown: str = ""

    def await_line(self, words: str) -> None:
        """Wait for a line that holds some words."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.shown += line
            if words in line:
                return
        raise AssertionError(f"{words!r} is not in {self.shown!r}")

    def interrupted(self) -> str:
        """Press Ctrl-C, which is no error to it, and give all that it has shown."""
        self.process.send_signal(signal.SIGINT)
        return self.ended()

    def ended(self) -> str:
        """Wait until it has ended as it should, and give all that it has shown."""
        self.shown += self.process.communicate()[0]
        assert self.process.returncode == 0, self.shown
        return self.shown


def in_background(*tokens: str, until: str, **variables: str) -> Background:
    """Start a command and wait for a line that holds some words."""
    process = subprocess.Popen(
        [*GRAPHMEM, *tokens],
        env=os.environ | variables,
        stdout=subprocess.PIPE,
        text=True,
    )
    command = Background(process)
    command.await_line(until)
    return command
