"""In which scopes the indexes are asked without all filters, as the searches before saw it."""

from collections.abc import Collection, Sequence

LEGS = frozenset({"text", "vector"})
# So many searches later a scope is tried again: it may have grown, or the query was a strange one.
PATIENCE = 20


class AdaptiveFiltering:
    """Says which legs first ask an index without all of a scope's filters, and test what it gives.

    A required clause makes a text index go through its words document by document, and two
    conditions make the vector index list all that meet them. Where nearly everything passes
    anyway, asking for a little more and testing that costs a fifth; where few pass, too few are
    left and asking was in vain: the statement asks with filters as well, and the next searches of
    that scope begin with them. Safe to share between threads: what is lost in a race is a
    search's time.
    """

    def __init__(self) -> None:
        self._filtered: dict[tuple[tuple[str, ...], str], int] = {}

    def unfiltered_legs(self, projects: Sequence[str]) -> frozenset[str]:
        """The legs in which enough passed the last time, or may do so by now."""
        return frozenset(leg for leg in LEGS if self._passes((tuple(projects), leg)))

    def note_shortfall(self, projects: Sequence[str], legs: Collection[str]) -> None:
        """Note in which legs what an index gave was mostly hidden or of other scopes."""
        for leg in legs:
            self._filtered[tuple(projects), leg] = PATIENCE

    def _passes(self, scope: tuple[tuple[str, ...], str]) -> bool:
        remainder = self._filtered.pop(scope, 0)
        if remainder > 1:
            self._filtered[scope] = remainder - 1
        return not remainder
