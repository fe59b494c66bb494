"""Importers: each reads a path and yields rows; to add one, write a file and name it here."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from graphmem.adapters.forge import importer as forge
from graphmem.adapters.forgeplan import importer as forgeplan
from graphmem.adapters.kit.row import Row
from graphmem.adapters.memcp import importer as memcp
from graphmem.adapters.rye import importer as rye
from graphmem.errors import InvalidInput
from graphmem.progress import SILENT, Progress
from graphmem.transfer import code, jsonl, markdown

__all__ = ["FORMATS", "Format", "Row", "chosen"]


@dataclass(frozen=True, slots=True)
class Format:
    """A way of reading what others wrote.

    Args:
        rows: Reads a file or folder. Nothing is raised for a row that cannot be used: an Item says
            why, and the others go on.
        about: One line for `--help`.
        whole: Whether a path is all there is: what an earlier import of the same path said and this
            one does not is marked as removed. The importer gives each entity's file, as seen from
            the path, as its `source`, so that a file that cannot be read takes nothing with it.
        mentions: Whether an entity's text is linked to what it names: a `MENTIONS` relation, marked
            as derived, wherever it contains another entity's name or alias.
        layers: The layers it speaks for beside the project, so that what is gone from one is seen
            where nothing of it is left.
        may_lower_confidence: Whether a confidence that is higher in the store is lowered again.
    """

    rows: Callable[[Path, Progress], Iterator[Row]]
    about: str
    whole: bool = False
    mentions: bool = False
    layers: tuple[str, ...] = ()
    may_lower_confidence: bool = True

    def read(self, path: Path, progress: Progress = SILENT) -> Iterator[Row]:
        """Read a file or folder.

        Raises:
            InvalidInput: There is no such file or folder.
        """
        try:
            path.stat()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            allowed = f"it must be a file or folder that can be read ({reason})"
            raise InvalidInput("path", str(path), allowed) from None
        return self.rows(path, progress)


FORMATS: dict[str, Format] = {
    "code": Format(
        code.rows,
        "source code, cut into symbols and linked: a repository, a folder or a file",
        whole=True,
    ),
    "forge": Format(
        forge.rows,
        "Forge's learned patterns: a repository, its .forge/memory, or one of its files",
        whole=True,
        layers=("@user",),
        may_lower_confidence=False,
    ),
    "forgeplan": Format(
        forgeplan.rows,
        "ForgePlan's artifacts: a repository, its .forgeplan folder, or one file",
        whole=True,
        mentions=True,
    ),
    "jsonl": Format(jsonl.rows, "graphmem's own JSON lines, those of `graphmem export`"),
    "markdown": Format(markdown.rows, "a file with front matter and wiki links, or a folder"),
    "memcp": Format(memcp.rows, "memcp's entities and relations as JSON: a file or a folder"),
    "rye": Format(
        rye.rows,
        "RyeOS's directives, tools and knowledge: every .ai folder at or below a path",
        whole=True,
    ),
}


def chosen(form: str) -> Format:
    """The format of that name.

    Raises:
        InvalidInput: There is none.
    """
    if form not in FORMATS:
        raise InvalidInput("format", form, f"it is one of {', '.join(sorted(FORMATS))}")
    return FORMATS[form]
