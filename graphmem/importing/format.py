"""A format: how the files of one tool are read, and what may be inferred from an import of them."""

import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from graphmem.errors import InvalidInput
from graphmem.importing.row import Row
from graphmem.progress import SILENT, Progress

Rows = Callable[[Path, Progress], Iterator[Row]]


@dataclass(frozen=True, slots=True)
class Format:
    """A way of reading what others wrote.

    Args:
        rows: Reads a file or folder. Nothing is raised for a row that cannot be used: an Item says
            why, and the others go on.
        about: One line for `--help`.
        reads: Whether a file of a folder may be read, by its name; None where any may be.
        whole: Whether a path is all there is: what an earlier import of the same path said and this
            one does not is marked as removed.
        sources_are_files: Whether the `source` of each entity is its file, as seen from the path,
            so that a file that cannot be read takes nothing of its own with it. Otherwise nothing
            at all is marked as removed while it may be in a file that cannot be read.
        is_entity_a_file: Whether a file is one entity, so that a file that cannot be read and was
            the source of one has nothing else.
        stated_by_ends: Where a file is one entity, the types of relations that the file of what
            they lead to may state.
        tells_moves: Whether an entity that appears with the text of one that is gone is the same
            one, so that what callers said of it goes with it. Rows of a table, for instance, may
            have one text by chance.
        mentions: Whether an entity's text is linked to what it names: a `MENTIONS` relation, marked
            as derived, wherever it contains another entity's name or alias.
        layers: The layers it speaks for beside the project, so that what is gone from one is seen
            where nothing of it is left.
        may_lower_confidence: Whether a confidence that is higher in the store is lowered again.
        has_short_projects: Whether a row may name the project imported into by its last part:
            `moorline` for `github.com/acme/moorline`. Otherwise the two are different projects.
    """

    rows: Rows
    about: str
    reads: Callable[[str], bool] | None = None
    whole: bool = False
    sources_are_files: bool = True
    is_entity_a_file: bool = False
    stated_by_ends: frozenset[str] = frozenset()
    tells_moves: bool = False
    mentions: bool = False
    layers: tuple[str, ...] = ()
    may_lower_confidence: bool = True
    has_short_projects: bool = False

    def read(self, path: Path, progress: Progress = SILENT) -> Iterator[Row]:
        """Read a file or folder.

        Raises:
            InvalidInput: There is no such file or folder.
        """
        check_path(path)
        return self.rows(path, progress)


def check_path(path: Path) -> None:
    """Check that there is something to import.

    Raises:
        InvalidInput: There is no such file or folder, it cannot be reached, or it is a pipe, a
            socket or a device.
    """
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        requirement = f"must be a file or folder that can be read ({reason})"
        raise InvalidInput("path", str(path), requirement) from None
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        requirement = "must be a file or folder, not a pipe, a socket or a device"
        hint = "Write what it gives to a file, and import that."
        raise InvalidInput("path", str(path), requirement, hint=hint)
