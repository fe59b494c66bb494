"""The two ends of MCP over stdio: requests as they are read, answers as they are written.

The MCP library leaves a message that it cannot read without an answer, and at the end of the input
ends what it is still working on. Here such a message is answered, and the end waits for the others.
Where nobody reads the answers, that is the end as well. Both ends may be non-blocking, since
whoever shares them with the client decides that.
"""

import codecs
import io
import json
import os
import select
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, TextIO, cast

from pydantic_core import from_json

from graphmem.server.repair import handshake_first, messages, refusal, repaired

# So long the end of the input waits for the next answer; clients give a call up much sooner.
ANSWER_SECONDS = 120.0


class Input(io.RawIOBase):
    """What a client writes, until it ends.

    Args:
        wire: The file descriptor that it comes from.
        end: Another one; once it can be read, that is the end, too.
    """

    def __init__(self, wire: int, end: int) -> None:
        super().__init__()
        self._wire = wire
        self._end = end
        # Unlike `select` this takes numbers from 1024 on, which whoever starts it may have left.
        self._readable = select.poll()
        for descriptor in (wire, end):
            self._readable.register(descriptor, select.POLLIN)

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - anything that has room
        """Wait for the next bytes, and give them; none at the end."""
        while True:
            if self._end in dict(self._readable.poll()):
                return 0
            with suppress(BlockingIOError):  # who shares it has read them
                return os.readv(self._wire, (buffer,))


class Requests(io.RawIOBase):
    """What the MCP library reads: messages that it can read, each as its own line.

    Args:
        lines: What the client wrote, to its end.
        answers: Where the other messages are answered.
    """

    def __init__(self, lines: io.BufferedIOBase, answers: "Answers") -> None:
        super().__init__()
        self._answers = answers
        self._messages = self._readable_messages(lines)
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - anything that has room
        """Give the next bytes; none once the input has ended and all requests are answered."""
        if not self._rest:
            self._rest = memoryview(next(self._messages, b""))
        space = memoryview(buffer)
        size = min(len(space), len(self._rest))
        space[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size

    def _readable_messages(self, lines: io.BufferedIOBase) -> Iterator[bytes]:
        for line in _lines(lines):
            # A line with a mark of byte order, as .NET may write it, would have no answer.
            for message in messages(repaired(line.removeprefix(codecs.BOM_UTF8)).strip()):
                error = refusal(message) if message else None
                if error is not None:
                    with suppress(OSError):
                        self._answers.write_line(error)
                elif message:
                    self._answers.expect(message)
                    # The library would take a carriage return for the end of the line.
                    yield message.replace(b"\r", b" ") + b"\n"
        self._answers.wait(ANSWER_SECONDS)


def _lines(wire: io.BufferedIOBase) -> Iterator[bytes]:
    """The lines of a client; of those that came while the server started, a handshake first."""
    # All that waits; a terminal says but once that this was the end.
    if beginning := wire.read1():
        if not beginning.endswith(b"\n"):
            beginning += wire.readline()
        yield from handshake_first(io.BytesIO(beginning).readlines())
        yield from wire


class Answers(io.RawIOBase):
    """What the MCP library writes to; it knows which requests have no answer yet.

    Args:
        wire: The file descriptor that the answers go to.
        reading: One that is closed once nobody reads them.
    """

    def __init__(self, wire: int, reading: int | None = None) -> None:
        super().__init__()
        self._wire = wire
        self._reading = reading
        self._line = b""
        self._writing = threading.Lock()
        self._open_requests = Counter[str]()
        self._is_broken = False
        self._changed = threading.Condition()

    def writable(self) -> bool:
        """Say that it can be written."""
        return True

    def expect(self, message: bytes) -> None:
        """Note a request, or that the client no longer waits for one."""
        fields = from_json(message.decode(errors="replace"))
        with self._changed:
            if fields.get("method") == "notifications/cancelled":
                self._close_request((fields.get("params") or {}).get("requestId"))
            elif "method" in fields and "id" in fields:
                self._open_requests[str(fields["id"])] += 1

    def write(self, buffer: Any) -> int:  # noqa: ANN401 - anything that holds bytes
        """Pass on answers, each once it is whole, and note which requests are answered.

        Raises:
            OSError: The client reads no more, or the disk that the answers go to is full.
        """
        part = bytes(buffer)
        *lines, self._line = (self._line + part).split(b"\n")
        for line in lines:
            self.write_line(line)
            fields = json.loads(line)
            if "method" not in fields:
                with self._changed:
                    self._close_request(fields.get("id"))
        return len(part)

    def write_line(self, line: bytes) -> None:
        """Write a whole line, never in the middle of another one.

        Raises:
            OSError: As for `write`.
        """
        try:
            with self._writing:
                _write_all(self._wire, line + b"\n")
        except OSError:
            with self._changed:
                self._is_broken = True
                self._changed.notify_all()
                if self._reading is not None:
                    os.close(self._reading)
                    self._reading = None
            raise

    def wait(self, seconds: float) -> None:
        """Wait until all requests are answered or nobody reads; so long at most for each answer."""
        with self._changed:
            while self._open_requests and not self._is_broken:
                if not self._changed.wait(seconds):
                    return

    def _close_request(self, request: object) -> None:
        self._open_requests -= Counter([str(request)])
        self._changed.notify_all()


class _Printed:
    """Standard output whose bytes are answers, while what is printed to it goes to stderr."""

    def __init__(self, answers: Answers) -> None:
        self.buffer = answers

    def __getattr__(self, name: str) -> object:
        return getattr(sys.stderr, name)


def take_standard_streams() -> None:
    """Have the MCP library read `Requests` and write `Answers`; nothing else reaches the wire."""
    end, reading = os.pipe()
    answers = Answers(os.dup(1), reading)
    requests = Requests(io.BufferedReader(Input(os.dup(0), end)), answers)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdin = io.TextIOWrapper(io.BufferedReader(requests), encoding="utf-8")
    sys.stdout = cast("TextIO", _Printed(answers))


def _write_all(wire: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        try:
            rest = rest[os.write(wire, rest) :]
        except BlockingIOError:
            writable = select.poll()
            writable.register(wire, select.POLLOUT)
            writable.poll()
