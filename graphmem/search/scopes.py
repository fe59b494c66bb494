"""Which scopes hold most of a store, as the searches before saw it."""

from collections.abc import Collection, Sequence

LEGS = frozenset({"text", "vector"})
# So many searches later a scope that was a small one is tried again: it may have grown.
PATIENCE = 100


class Scopes:
    """Says which legs ask their index without all of a scope's filters, and test what it gives.

    A required clause makes a text index go through its words document by document, and two
    conditions make the vector index list all that meet them. Where nearly everything passes
    anyway, asking for a little more and testing that costs a fifth; where few pass, too few are
    left and asking was in vain. The answers tell which it is, and are the same either way. One
    instance serves the threads of a process.
    """

    def __init__(self) -> None:
        self._filtered: dict[tuple[tuple[str, ...], str], int] = {}

    def tested_legs(self, projects: Sequence[str]) -> frozenset[str]:
        """The legs in which most of the index passed, or may do so by now."""
        return frozenset(leg for leg in LEGS if self._passes(tuple(projects), leg))

    def too_little_passed(self, projects: Sequence[str], legs: Collection[str]) -> None:
        """Note in which legs what an index gave was mostly of other scopes, or dead."""
        for leg in legs:
            self._filtered[tuple(projects), leg] = PATIENCE

    def _passes(self, projects: tuple[str, ...], leg: str) -> bool:
        left = self._filtered.get((projects, leg), 0)
        if left:
            self._filtered[projects, leg] = left - 1
        return not left
