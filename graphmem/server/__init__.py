"""The MCP interface: `graphmem serve` over stdio or HTTP, its tools over one `Memory`.

Nothing here imports the driver, git or torch: the memory opens in the background, so an agent's
handshake waits for none of them.
"""

from graphmem.server import importing_fastmcp

with importing_fastmcp.environment():
    from graphmem.server.app import build
    from graphmem.server.lazy_memory import LazyMemory
    from graphmem.server.running import run

__all__ = ["LazyMemory", "build", "run"]
