"""A server whose files are replaced while it runs: what it imports then is another version."""

import sys
import time
from pathlib import Path

UPGRADED = (
    "graphmem was upgraded while this server ran, which now has parts of two versions; ask the "
    "user to restart it"
)
# What calls between two versions raise.
MISMATCHES = (ImportError, AttributeError, TypeError, LookupError, FileNotFoundError)
# When this module was imported, which is before a server begins to serve.
STARTED = time.time()


def was_upgraded() -> bool:
    """Tell whether a file of graphmem that this process imported was replaced since, or deleted."""
    modules = [
        module for name, module in [*sys.modules.items()] if name.partition(".")[0] == "graphmem"
    ]
    return any(_is_newer(Path(module.__file__)) for module in modules if module.__file__)


def _is_newer(file: Path) -> bool:
    try:
        return file.stat().st_mtime > STARTED
    except FileNotFoundError:
        return True
