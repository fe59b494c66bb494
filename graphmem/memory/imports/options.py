"""The options of an import."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """The options of an import.

    Args:
        mentions: Whether texts are linked to what they name; None for what the format says.
        allow_removals: Whether it may take back more than a fifth of what it brought in.
        everything: Whether rows of an export of all projects go where they came from.
        history: Whether rows of such an export of one project come into this one.
    """

    mentions: bool | None
    allow_removals: bool
    everything: bool
    history: bool
