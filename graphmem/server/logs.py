"""The server's log, on stderr: stdout is the wire.

An unforeseen error is logged by its type and places. Its message is left out, as it may quote a
value that is nobody's business: a password in an address, a text from the store. For the same
reason no level shows the arguments of calls.
"""

import logging
import re
import sys
import traceback
from types import TracebackType

from graphmem.model.visible import on_one_line

LOGGERS = ("graphmem", "fastmcp", "mcp", "uvicorn")
# On the level DEBUG they write what callers send.
TELLTALES = ("fastmcp", "mcp")
# What the lines of the calls are logged by; see `call_log`.
CALLS = "graphmem.calls"
# It warns of each wrong argument, which the agent is told; many clients show that to their user.
SLIPS = "fastmcp.server.server"

# What stands in the address of a resource is what somebody asks for.
_ADDRESS = re.compile(r"memory://.*")
_ExceptionInfo = (
    tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
)


class Places(logging.Formatter):
    """Writes a message on one line, and of an exception its type and where it came from alone."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name logging calls
        """Write a message, in which a name may be a caller's, so that it feigns no other line."""
        record.message = _ADDRESS.sub("memory://…", on_one_line(record.message))
        return super().formatMessage(record)

    def formatException(self, ei: _ExceptionInfo) -> str:  # noqa: N802 - likewise
        """Write the places from the outermost in, and the types of the error and its causes."""
        _, error, places = ei
        causes = []
        while error is not None:
            causes.append(type(error).__name__)
            error = error.__cause__ or error.__context__
        return "".join(traceback.format_tb(places)) + " from ".join(causes)


def to_stderr(level: str, *, calls: bool) -> None:
    """Send what graphmem and the libraries of the server log to stderr, from a level up.

    Args:
        level: The level.
        calls: Whether the line of each call, of the level INFO, is written where the level is
            WARNING, the default of the settings.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Places("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.setLevel(level)
        logger.handlers = [handler]
        logger.propagate = False
    if level == "DEBUG":
        for name in TELLTALES:
            logging.getLogger(name).setLevel(logging.INFO)
    if level == "WARNING":
        logging.getLogger(SLIPS).setLevel(logging.ERROR)
        if calls:
            logging.getLogger(CALLS).setLevel(logging.INFO)
