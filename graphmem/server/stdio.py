"""MCP over stdin and stdout."""

import asyncio
import contextlib
import logging
import os
import sys
import threading
from typing import Any

from fastmcp import FastMCP

from graphmem.server.lazy_memory import LazyMemory
from graphmem.server.stop_signals import STOP_SIGNALS
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
        loop.add_signal_handler(number, _stop, opening)
    take_standard_streams()
    await app.run_stdio_async(show_banner=False)


def _stop(opening: LazyMemory) -> None:
    """Leave beside the loop: the thread that reads stdin cannot be interrupted."""

    def leave() -> None:
        opening.close()
        sys.stderr.flush()
        os._exit(0)

    threading.Thread(target=leave, name="graphmem-stop", daemon=True).start()
