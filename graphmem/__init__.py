"""graphmem: a graph-aware knowledge store for AI agents and the people who work with them."""

# As `typing` has it, whose import takes longer than all of this: Ctrl-C may come meanwhile.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from graphmem.embedding.embedder import Embedder
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
    from graphmem.memory.access import Access
    from graphmem.memory.searches.options import FilterOptions, ListingOptions, SearchOptions
    from graphmem.memory.store.reembedding import Reembedded
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
    from graphmem.model.duplicates import Duplicates
    from graphmem.model.exploration import Exploration, ExploredEntity
    from graphmem.model.history import Change, Changes, History, Revision
    from graphmem.model.notes_export import NotesExport
    from graphmem.model.overview import Overview
    from graphmem.model.page import Neighbour, Page
    from graphmem.model.projects import ProjectChange, ProjectSummary
    from graphmem.model.selection import Selection
    from graphmem.model.stats import Stats
    from graphmem.progress import Progress
    from graphmem.settings import Settings
    from graphmem.write.merge_result import Merge

# Where each public name is; what `import graphmem` gives at once is none of them.
_MODULES = {
    "graphmem.embedding.embedder": ("Embedder",),
    "graphmem.errors": (
        "ConfigurationError", "Conflict", "DatabaseError", "DatabaseTimeout",
        "DatabaseUnavailable", "EmbeddingError", "GraphmemError", "InvalidInput",
        "NotFound", "OutcomeUnknown", "PrivateServerError",
    ),
    "graphmem.memory": ("Memory",),
    "graphmem.memory.access": ("Access",),
    "graphmem.memory.searches.options": ("FilterOptions", "ListingOptions", "SearchOptions"),
    "graphmem.memory.store.reembedding": ("Reembedded",),
    "graphmem.model": (
        "Answer", "Context", "Entity", "Hit", "Item", "Observation", "PartialWrite",
        "Passage", "Relation", "Report", "Via",
    ),
    "graphmem.model.duplicates": ("Duplicates",),
    "graphmem.model.exploration": ("Exploration", "ExploredEntity"),
    "graphmem.model.history": ("Change", "Changes", "History", "Revision"),
    "graphmem.model.notes_export": ("NotesExport",),
    "graphmem.model.overview": ("Overview",),
    "graphmem.model.page": ("Neighbour", "Page"),
    "graphmem.model.projects": ("ProjectChange", "ProjectSummary"),
    "graphmem.model.selection": ("Selection",),
    "graphmem.model.stats": ("Stats",),
    "graphmem.progress": ("Progress",),
    "graphmem.settings": ("Settings",),
    "graphmem.write.merge_result": ("Merge",),
}  # fmt: skip
__all__ = [
    "Access",
    "Answer",
    "Change",
    "Changes",
    "ConfigurationError",
    "Conflict",
    "Context",
    "DatabaseError",
    "DatabaseTimeout",
    "DatabaseUnavailable",
    "Duplicates",
    "Embedder",
    "EmbeddingError",
    "Entity",
    "Exploration",
    "ExploredEntity",
    "FilterOptions",
    "GraphmemError",
    "History",
    "Hit",
    "InvalidInput",
    "Item",
    "ListingOptions",
    "Memory",
    "Merge",
    "Neighbour",
    "NotFound",
    "NotesExport",
    "Observation",
    "OutcomeUnknown",
    "Overview",
    "Page",
    "PartialWrite",
    "Passage",
    "PrivateServerError",
    "Progress",
    "ProjectChange",
    "ProjectSummary",
    "Reembedded",
    "Relation",
    "Report",
    "Revision",
    "SearchOptions",
    "Selection",
    "Settings",
    "Stats",
    "Via",
]
__version__ = "0.1.0"

if not TYPE_CHECKING:  # type checkers would take any name for one of the package's

    def __getattr__(name: str) -> object:
        """Import a name when it is first asked for: `graphmem --version` needs none of them."""
        for module, names in _MODULES.items():
            if name in names:
                from importlib import import_module  # noqa: PLC0415 - the driver's takes 0.3 s

                return getattr(import_module(module), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        """What completion in a shell or notebook offers: also the names not imported yet."""
        return sorted({*globals(), *__all__})
