"""`/health`: whether the memory can be used at this moment, asked of the database itself."""

import asyncio
import logging
import threading
from contextlib import suppress

from fastmcp.exceptions import ToolError
from starlette.requests import Request
from starlette.responses import JSONResponse

from graphmem import __version__
from graphmem.errors import GraphmemError
from graphmem.server.lazy_memory import LazyMemory

log = logging.getLogger("graphmem")

# How long the database may take, how long what it said counts, and how often a memory that could
# not be opened is tried again: whoever asks, however often, asks the database no more than this.
ANSWER_SECONDS = 2.0
KEPT_SECONDS = 2.0
RETRY_SECONDS = 30.0

STARTING = "starting"
FAILED = "the memory could not be opened; see the server's log"
SILENT = "the database does not answer"


class HealthEndpoint:
    """Answers 200 where the memory can be used, otherwise 503 and the reason; needs no token.

    Args:
        opening: Where the memory is opened; asking opens one that is closed.
    """

    def __init__(self, opening: LazyMemory) -> None:
        self._opening = opening
        self._answer: asyncio.Future[str | None] | None = None
        self._reason: str | None = None
        self._until = 0.0
        self._retry_at = 0.0

    async def __call__(self, _: Request) -> JSONResponse:
        """Answer a request."""
        reason = await self.reason()
        state = {"status": "ok", "version": __version__, "memory": self._opening.state}
        if reason is None:
            return JSONResponse(state)
        return JSONResponse(state | {"status": reason}, status_code=503)

    async def reason(self) -> str | None:
        """Why the memory cannot be used at this moment; None where it can."""
        state = self._opening.state
        if state == "ready":
            return await self._database()
        now = asyncio.get_running_loop().time()
        if state == "closed" or (state == "failed" and now >= self._retry_at):
            self._retry_at = now + RETRY_SECONDS
            self._opening.begin()
        return FAILED if state == "failed" else STARTING

    async def _database(self) -> str | None:
        loop = asyncio.get_running_loop()
        if loop.time() < self._until:
            return self._reason
        if self._answer is None or self._answer.done():
            self._answer = self._start_asking(loop)
        done, _ = await asyncio.wait({self._answer}, timeout=ANSWER_SECONDS)
        self._reason = self._answer.result() if done else SILENT
        self._until = loop.time() + KEPT_SECONDS
        return self._reason

    def _start_asking(self, loop: asyncio.AbstractEventLoop) -> asyncio.Future[str | None]:
        """Ask in a daemon thread: a database that hangs does not keep the server from ending."""
        answer: asyncio.Future[str | None] = loop.create_future()

        def ask() -> None:
            reason: str | None = SILENT
            try:
                reason = self._asks()
            finally:  # whatever happened: nobody asks again before there is an answer
                with suppress(RuntimeError):  # the server has ended meanwhile
                    loop.call_soon_threadsafe(answer.set_result, reason)

        threading.Thread(target=ask, name="graphmem-health", daemon=True).start()
        return answer

    def _asks(self) -> str | None:
        try:
            self._opening.memory().ping()
        except (GraphmemError, ToolError) as error:
            log.info("the database does not answer: %s", error)
            return SILENT
        return None
