"""Entities that may be one thing under two names."""

from dataclasses import dataclass

from graphmem.model.json_object import JsonObject

MOST_PAIRS = 1000


@dataclass(frozen=True, slots=True)
class Pair(JsonObject):
    """Two entities that may be one, and why.

    Args:
        first: A name.
        second: Another name.
        keys: Their keys.
        cosine: Of the two passages that are nearest to each other, in [-1, 1]; None where none are
            near.
        names: Names, aliases and titles that both have, folded.
        neighbours: How many entities are linked to both, 20 at most.
    """

    first: str
    second: str
    keys: tuple[str, str]
    cosine: float | None
    names: tuple[str, ...]
    neighbours: int

    @property
    def reasons(self) -> str:
        """Why they may be one, for people."""
        reasons = [f"both are called {name}" for name in self.names]
        if self.cosine is not None:
            reasons.append(f"they mean nearly the same (cosine {self.cosine:.2f})")
        if self.neighbours:
            linked = "entity is" if self.neighbours == 1 else "entities are"
            reasons.append(f"{self.neighbours} {linked} linked to both")
        return "; ".join(reasons)


@dataclass(frozen=True, slots=True)
class Duplicates(JsonObject):
    """Pairs, the likeliest first: those of one name, then by meaning and shared neighbours.

    Args:
        project: The project.
        pairs: Each pair once.
        complete: Whether every entity was compared; otherwise the first 5,000 by key.
    """

    project: str
    pairs: tuple[Pair, ...]
    complete: bool
