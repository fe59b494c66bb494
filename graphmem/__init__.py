"""graphmem: a graph-aware knowledge store for AI agents and the people who work with them."""

from typing import TYPE_CHECKING

from graphmem.model import Answer, Entity, Hit, Observation, Relation, Report

if TYPE_CHECKING:
    from graphmem.memory import Memory

__all__ = ["Answer", "Entity", "Hit", "Memory", "Observation", "Relation", "Report"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Import `Memory` when it is first asked for: the doors' quick paths do without the driver."""
    if name == "Memory":
        from graphmem.memory import Memory  # noqa: PLC0415 - the driver's import takes a third of a second

        return Memory
    raise AttributeError(name)
