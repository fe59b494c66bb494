"""What FastMCP finds in the environment when it is imported."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def environment() -> Iterator[None]:
    """Keep FastMCP to what graphmem needs of it while it is imported in the block.

    Its own `.env` would be the one of whatever folder the agent works in, and its log handler costs
    an import of rich; ours is in `logs`. It asks for the user's folders, in which it writes nothing
    here, and raises where no home directory is known, as in containers.
    """
    os.environ.setdefault("FASTMCP_ENV_FILE", os.devnull)
    os.environ.setdefault("FASTMCP_LOG_ENABLED", "false")
    home = os.environ.get("HOME")
    if home is not None and Path(home).is_absolute():
        yield
        return
    os.environ["HOME"] = os.devnull
    try:
        yield
    finally:
        del os.environ["HOME"]
        if home is not None:
            os.environ["HOME"] = home
