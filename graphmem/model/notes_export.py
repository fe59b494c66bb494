"""What an export of Markdown notes wrote."""

from dataclasses import dataclass
from pathlib import Path

from graphmem.model.json_object import JsonObject


@dataclass(frozen=True, slots=True)
class NotesExport(JsonObject):
    """What an export of Markdown notes wrote.

    Args:
        project: The project that was exported.
        folder: The folder that was written.
        count: How many notes it has.
        left_out: How many entities have none, because they are forgotten or removed.
        notes: Sentences about what an import of the folder would not read.
    """

    project: str
    folder: Path
    count: int
    left_out: int
    notes: tuple[str, ...]
