"""Programs that are followed line by line and ended when they fall silent."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

SECONDS_TO_END = 10.0
SETTINGS = ("NEO4J_", "GRAPHMEM_")


class SilentProgram(Exception):
    """A program printed nothing for too long, or did not come to its end."""


def environment() -> dict[str, str]:
    """The variables of this process without our settings, among which are passwords and keys."""
    return {
        name: value for name, value in os.environ.items() if not name.upper().startswith(SETTINGS)
    }


@contextmanager
def started(
    command: Sequence[str], *, folder: Path, variables: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    """Start a program in a group of its own, which is ended when the block is left.

    Args:
        command: The program and its arguments; nothing in them is secret.
        folder: Its working folder.
        variables: Its environment; None for that of this process without our settings.
    """
    process = subprocess.Popen(  # noqa: S603 - programs found by us, arguments of our own
        command,
        cwd=folder,
        env=environment() if variables is None else variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        yield process
    finally:
        _end(process)
        if process.stdout is not None:
            process.stdout.close()


def lines_of(
    process: subprocess.Popen[str], *, silent_seconds: float, longest_seconds: float
) -> Iterator[str]:
    """Give the lines a program prints, to its end.

    Args:
        process: The program.
        silent_seconds: The longest it may print nothing.
        longest_seconds: The longest it may take.

    Raises:
        SilentProgram: when it takes longer.
    """
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    threading.Thread(target=_read_lines, args=(process.stdout or (), lines), daemon=True).start()
    deadline = time.monotonic() + longest_seconds
    while True:
        patience = min(silent_seconds, deadline - time.monotonic())
        try:
            line = lines.get(timeout=max(0.0, patience))
        except queue.Empty:
            message = f"it printed nothing for {silent_seconds:g} s, or took too long"
            raise SilentProgram(message) from None
        if line is None:
            break
        yield line
    try:
        process.wait(timeout=silent_seconds)
    except subprocess.TimeoutExpired:
        raise SilentProgram(f"it did not end within {silent_seconds:g} s") from None


def _read_lines(output: Iterable[str], lines: queue.SimpleQueue[str | None]) -> None:
    with suppress(ValueError):  # whoever gives the program up closes what it prints
        for line in output:
            lines.put(line)
    lines.put(None)


def _end(process: subprocess.Popen[str]) -> None:
    """End the program and all that it started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None and number == signal.SIGTERM:
            break
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=SECONDS_TO_END)
            break
