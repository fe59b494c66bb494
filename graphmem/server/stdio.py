"""MCP over stdin and stdout."""

import asyncio
import contextlib
import logging
from typing import Any

from fastmcp import FastMCP

from graphmem.server.lazy_memory import LazyMemory
from graphmem.server.stopping import STOP_SIGNALS, leave
from graphmem.server.wire import take_standard_streams

log = logging.getLogger("graphmem")


def serve(app: FastMCP[Any], opening: LazyMemory) -> None:
    """Serve until stdin closes and its requests are answered; return earlier where nobody reads.

    SIGTERM and SIGINT close the memory and end the process with 0.
    """
    with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C before the handlers stand
        try:
            asyncio.run(_serve(app, opening))
        except* BrokenPipeError:
            log.info("the client ended before it read an answer")


async def _serve(app: FastMCP[Any], opening: LazyMemory) -> None:
    loop = asyncio.get_running_loop()
    for number in STOP_SIGNALS:
        # Beside the loop: the thread that reads stdin cannot be interrupted.
        loop.add_signal_handler(number, leave, opening)
    take_standard_streams()
    await app.run_stdio_async(show_banner=False)
