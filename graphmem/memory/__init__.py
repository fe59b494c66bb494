"""The facade: what `import graphmem` gives and every interface calls."""

from graphmem.memory.facade import Memory

__all__ = ["Memory"]
