"""How a write is done."""

from dataclasses import dataclass

from graphmem.model.provenance import CALLER


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """How a write is done.

    Args:
        project: The project written to.
        author: Who asserts what is written: the caller, or an import of one source,
            `format:path`. An import replaces what it asserted earlier and nothing else.
        overwrite: Whether a caller's aliases, tags, attributes and observations replace those that
            are stored instead of being added to them.
        may_lower_confidence: Whether a confidence may be lowered; otherwise the higher one stays.
        dry_run: Whether the outcomes are found out and nothing is kept.
    """

    project: str
    author: str = CALLER
    overwrite: bool = False
    may_lower_confidence: bool = True
    dry_run: bool = False

    @property
    def is_import(self) -> bool:
        """Whether an import asserts it."""
        return self.author != CALLER
