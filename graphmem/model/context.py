"""A context: the best of a search as one text for a prompt, within a budget of tokens."""

from dataclasses import dataclass, field

from graphmem.model.json_object import JsonObject

# Tokens that a context takes: the default, and the least and most.
BUDGET, BUDGETS = 4096, (256, 32_768)


@dataclass(frozen=True, slots=True)
class Context(JsonObject):
    """What a search found, packed into a text.

    Args:
        query: As it was given.
        project: The project that was searched.
        text: Markdown; blank where nothing was found. Every line of stored content begins with
            `> `, no line of graphmem's own does.
        tokens: What the text takes by `packing.tokens`, never more than `budget`.
        budget: The most tokens it may take.
        hits: The number of entities in the text.
        names: The entities in the text, in its order: direct hits, then those that links led to.
        omitted: How many more entities matched than are in the text.
        cut: How many passages end before their end.
        degraded: Why the search found less than it could have, or None.
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
