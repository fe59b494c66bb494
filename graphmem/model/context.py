"""A context: the best results of a search as one text for a prompt, within a budget of tokens."""

from dataclasses import dataclass, field

from graphmem.model.json_object import JsonObject

# The tokens of a context: the default, and the least and most that are allowed.
BUDGET, BUDGETS = 4096, (256, 32_768)


@dataclass(frozen=True, slots=True)
class Context(JsonObject):
    """The results of a search, packed into one text.

    Args:
        query: As it was given.
        project: The project that was searched.
        text: Markdown; blank if nothing was found. Every line of stored text begins with `> `, and
            no line of graphmem's own does.
        tokens: The number of tokens in the text, as `packing.tokens` counts them; at most `budget`.
        budget: The most tokens that the text may take.
        hits: The number of entities in the text.
        names: The entities in the text, in its order: direct hits, then those that links led to.
        omitted: How many entities matched but are not in the text.
        cut: How many passages are shortened.
        degraded: Why the search is less complete than usual, or None.
        notes: What the search cut or ignored, a sentence each.
    """

    query: str
    project: str
    text: str
    tokens: int
    budget: int
    hits: int = field(init=False)
    names: tuple[str, ...]
    omitted: int
    cut: int
    degraded: str | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Count the entities."""
        object.__setattr__(self, "hits", len(self.names))
