"""What memcp's tools do beside remembering and searching: use and decay."""

from graphmem.adapters.memcp.upkeep.store import Upkeep

__all__ = ["Upkeep"]
