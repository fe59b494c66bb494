"""How a write is done."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Writing:
    """How a write is done.

    Args:
        project: The project written to.
        overwrite: Whether lists and attributes replace what is stored instead of adding to it.
        lowers: Whether a confidence may be lowered; otherwise the higher one stays.
        dry_run: Whether the outcomes are found out and nothing is kept.
        imported: The import that says it, `format:path`, kept with everything it says so that the
            next one knows what is gone; None for what is said otherwise.
    """

    project: str
    overwrite: bool = False
    lowers: bool = True
    dry_run: bool = False
    imported: str | None = None
