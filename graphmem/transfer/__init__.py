"""Importers: each reads a path and yields rows; to add one, write a file and name it here."""

from collections.abc import Callable, Iterator
from pathlib import Path

from graphmem.errors import InvalidInput
from graphmem.transfer import jsonl, markdown
from graphmem.transfer.row import Row

__all__ = ["FORMATS", "Row", "rows"]

FORMATS: dict[str, Callable[[Path], Iterator[Row]]] = {
    "jsonl": jsonl.rows,
    "markdown": markdown.rows,
}


def rows(form: str, path: Path) -> Iterator[Row]:
    """Read a file or folder in one of the formats.

    Raises:
        InvalidInput: There is no such format, or no such file or folder.
    """
    if form not in FORMATS:
        raise InvalidInput("format", form, f"it is one of {', '.join(sorted(FORMATS))}")
    if not path.exists():
        raise InvalidInput("path", str(path), "it must be a file or folder that exists")
    return FORMATS[form](path)
