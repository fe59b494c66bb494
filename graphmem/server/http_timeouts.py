"""HTTP/1.1 that waits for nobody long: for a request, for the reading of an answer, for quiet.

The web server bounds neither how long a request may take to arrive nor how long an answer may
take to be read, and a thousand silent connections cost it a thousand handles.
"""

import asyncio
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

PROGRESS = 65_536
LATE = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class TimeoutProtocol(H11Protocol):
    """One connection, closed when its time is over.

    Attributes:
        head_seconds: How long the head of a request may take, from the connection or from the
            first byte of a further request.
        body_seconds: How long its body may take, from the end of the head.
        read_seconds: How long the other side may take to read 64 KiB of an answer.
        most_connections: Connections at a time; a further one is closed at once.
    """

    head_seconds: ClassVar[float] = 10.0
    body_seconds: ClassVar[float] = 30.0
    read_seconds: ClassVar[float] = 30.0
    most_connections: ClassVar[int] = 256

    _request_timer: asyncio.TimerHandle | None = None
    _read_timer: asyncio.TimerHandle | None = None
    _buffered_bytes: int = 0
    _phase: type[h11.IDLE] | type[h11.SEND_BODY] | None = None

    def connection_made(  # type: ignore[override]
        self, transport: asyncio.Transport
    ) -> None:
        """Take a connection, or close it where there are too many."""
        super().connection_made(transport)
        if len(self.connections) > self.most_connections:
            transport.abort()
            return
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clocks."""
        super().connection_lost(exc)
        self._request_timer = self._cancel(self._request_timer)
        self._read_timer = self._cancel(self._read_timer)

    def data_received(self, data: bytes) -> None:
        """Read on, and look how much of the request is still missing."""
        super().data_received(data)
        self._watch()

    def pause_writing(self) -> None:
        """Wait for the other side to read, for a while."""
        super().pause_writing()
        self._wait_for_reading()

    def resume_writing(self) -> None:
        """The other side has read on."""
        self._read_timer = self._cancel(self._read_timer)
        super().resume_writing()

    def _watch(self) -> None:
        """Start the clock of what a request has yet to bring; its next byte does not start it."""
        state = self.conn.their_state
        phase = state if state in {h11.IDLE, h11.SEND_BODY} else None
        if self.transport.is_closing():
            phase = None
        if phase is self._phase and self._request_timer is not None:
            return
        self._phase = phase
        self._request_timer = self._cancel(self._request_timer)
        if phase is not None:
            seconds = self.head_seconds if phase is h11.IDLE else self.body_seconds
            self._request_timer = self.loop.call_later(seconds, self._give_up_request)

    def _give_up_request(self) -> None:
        """Close; where nothing was answered yet and something was asked, with a 408."""
        self._request_timer = None
        if self.transport.is_closing():
            return
        has_answer = self.cycle is not None and self.cycle.response_started
        if self._phase is h11.SEND_BODY and not has_answer:
            self.transport.write(LATE)
        self.transport.close()

    def _wait_for_reading(self) -> None:
        self._read_timer = self._cancel(self._read_timer)
        self._buffered_bytes = self.transport.get_write_buffer_size()
        self._read_timer = self.loop.call_later(self.read_seconds, self._check_reading)

    def _check_reading(self) -> None:
        """Give up an answer that stands where it stood, or nearly so."""
        if self._buffered_bytes - self.transport.get_write_buffer_size() < PROGRESS:
            self.transport.abort()
        else:
            self._wait_for_reading()

    @staticmethod
    def _cancel(timer: asyncio.TimerHandle | None) -> None:
        if timer is not None:
            timer.cancel()
