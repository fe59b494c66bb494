"""What a memory does beside remembering and searching: use, decay, doubles, and ways through it."""

from graphmem.upkeep.upkeep import Upkeep

__all__ = ["Upkeep"]
