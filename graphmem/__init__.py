"""graphmem: a graph-aware knowledge store for AI agents and the people who work with them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphmem.memory import Memory
    from graphmem.model import Answer, Entity, Hit, Observation, Relation, Report

__all__ = ["Answer", "Entity", "Hit", "Memory", "Observation", "Relation", "Report"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Import a name when it is first asked for: `graphmem --version` needs none of them."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "Memory":
        from graphmem import memory  # noqa: PLC0415 - the driver's import takes a third of a second

        return memory.Memory
    from graphmem import model  # noqa: PLC0415 - likewise, as above

    return getattr(model, name)
