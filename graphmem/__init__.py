"""graphmem: a graph-aware knowledge store for AI agents and the people who work with them."""

# As `typing` has it, whose import takes longer than all of this: Ctrl-C may come meanwhile.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from graphmem.errors import (
        ConfigurationError,
        Conflict,
        DatabaseError,
        DatabaseTimeout,
        DatabaseUnavailable,
        EmbeddingError,
        GraphmemError,
        InvalidInput,
        NotFound,
        OutcomeUnknown,
        PrivateServerError,
    )
    from graphmem.memory import Memory
    from graphmem.model import (
        Answer,
        Context,
        Entity,
        Hit,
        Item,
        Observation,
        PartialWrite,
        Passage,
        Relation,
        Report,
        Via,
    )
    from graphmem.model.history import Changes, History
    from graphmem.model.overview import Overview
    from graphmem.model.page import Page
    from graphmem.model.selection import Selection
    from graphmem.model.stats import Stats

# Where each public name is; what `import graphmem` gives at once is none of them.
_MODULES = {
    "graphmem.errors": (
        "ConfigurationError", "Conflict", "DatabaseError", "DatabaseTimeout",
        "DatabaseUnavailable", "EmbeddingError", "GraphmemError", "InvalidInput", "NotFound",
        "OutcomeUnknown", "PrivateServerError",
    ),
    "graphmem.memory": ("Memory",),
    "graphmem.model": (
        "Answer", "Context", "Entity", "Hit", "Item", "Observation", "PartialWrite", "Passage",
        "Relation", "Report", "Via",
    ),
    "graphmem.model.history": ("Changes", "History"),
    "graphmem.model.overview": ("Overview",),
    "graphmem.model.page": ("Page",),
    "graphmem.model.selection": ("Selection",),
    "graphmem.model.stats": ("Stats",),
}  # fmt: skip
__all__ = [
    "Answer",
    "Changes",
    "ConfigurationError",
    "Conflict",
    "Context",
    "DatabaseError",
    "DatabaseTimeout",
    "DatabaseUnavailable",
    "EmbeddingError",
    "Entity",
    "GraphmemError",
    "History",
    "Hit",
    "InvalidInput",
    "Item",
    "Memory",
    "NotFound",
    "Observation",
    "OutcomeUnknown",
    "Overview",
    "Page",
    "PartialWrite",
    "Passage",
    "PrivateServerError",
    "Relation",
    "Report",
    "Selection",
    "Stats",
    "Via",
]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Import a name when it is first asked for: `graphmem --version` needs none of them."""
    for module, names in _MODULES.items():
        if name in names:
            from importlib import import_module  # noqa: PLC0415 - the driver's takes 0.3 s

            return getattr(import_module(module), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
