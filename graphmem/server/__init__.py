"""The MCP interface: `graphmem serve` over stdio or HTTP, its tools over one `Memory`.

Nothing here imports the driver, git or torch: the memory opens in the background, so an agent's
handshake waits for none of them.
"""

import os

# FastMCP reads these when it is imported. Its own `.env` would be the one of whatever folder the
# agent works in, and its log handler costs an import of rich; ours is in `logs`.
os.environ.setdefault("FASTMCP_ENV_FILE", os.devnull)
os.environ.setdefault("FASTMCP_LOG_ENABLED", "false")

from graphmem.server.app import build
from graphmem.server.lazy_memory import LazyMemory
from graphmem.server.running import run

__all__ = ["LazyMemory", "build", "run"]
