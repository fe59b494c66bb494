"""MCP over stdin and stdout."""

import asyncio
import codecs
import contextlib
import io
import logging
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any

from fastmcp import FastMCP

from graphmem.server.lazy_memory import LazyMemory
from graphmem.server.repair import handshake_first, messages, repaired

STOPPING = (signal.SIGTERM, signal.SIGINT)

log = logging.getLogger("graphmem")


def serve(app: FastMCP[Any], opening: LazyMemory) -> None:
    """Serve until stdin closes; SIGTERM and SIGINT close the memory and end the process with 0.

    A client that ended before it read an answer closed stdin, too.
    """
    with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C before the handlers stand
        try:
            asyncio.run(_serve(app, opening))
        except* BrokenPipeError:
            log.info("the client ended before it read an answer")


async def _serve(app: FastMCP[Any], opening: LazyMemory) -> None:
    loop = asyncio.get_running_loop()
    for number in STOPPING:
        loop.add_signal_handler(number, _stop, opening)
    _read_repaired()
    await app.run_stdio_async(show_banner=False)


def _read_repaired() -> None:
    """Have stdin be a pipe through which a thread passes every line of the real one, repaired."""
    read_end, write_end = os.pipe()
    wire = os.dup(0)
    os.dup2(read_end, 0)
    os.close(read_end)

    def pass_on() -> None:
        # Nobody reads any more once the server is about to end.
        with (
            contextlib.suppress(BrokenPipeError),
            os.fdopen(wire, "rb") as lines,
            os.fdopen(write_end, "wb", buffering=0) as out,
        ):
            for line in _lines(lines):
                # A line with a mark of byte order, as .NET may write it, would have no answer.
                out.writelines(messages(repaired(line.removeprefix(codecs.BOM_UTF8))))

    threading.Thread(target=pass_on, name="graphmem-stdin", daemon=True).start()


def _lines(wire: io.BufferedReader) -> Iterator[bytes]:
    """The lines of the client; of those that came while the server started, a handshake first."""
    # All that waits; a terminal says but once that this was the end.
    if beginning := wire.read1():
        if not beginning.endswith(b"\n"):
            beginning += wire.readline()
        yield from handshake_first(io.BytesIO(beginning).readlines())
        yield from wire


def _stop(opening: LazyMemory) -> None:
    """Leave beside the loop: the thread that reads stdin cannot be interrupted."""

    def leave() -> None:
        opening.close()
        sys.stderr.flush()
        os._exit(0)

    threading.Thread(target=leave, name="graphmem-stop", daemon=True).start()
