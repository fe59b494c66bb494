"""ForgePlan's workspace: Markdown artifacts with front matter and links, one entity a file.

The path is the folder `.forgeplan`, a repository that holds it, a folder of such repositories, or
one file. An artifact's id is its entity's name, `PRD-042`; `PRD-42` is an alias. Its text is the
body without what the templates left in it (`prose`). `links` of the front matter and the tables
under "Related Artifacts" become relations (`links`), the same link said twice one of them. Where
two files have one id, the second is kept under its file's name, and a refused item says so.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from graphmem import text
from graphmem.errors import InvalidInput, shortened
from graphmem.model import Item
from graphmem.progress import SILENT, Progress
from graphmem.transfer.forgeplan.artifact import Artifact, entity
from graphmem.transfer.forgeplan.front_matter import Broken, read
from graphmem.transfer.forgeplan.links import relations
from graphmem.transfer.row import Row

WORKSPACE = ".forgeplan"
# ForgePlan moves there what it deleted, for `undo`.
TRASH = "trash"
# What other programs bring with them.
_FOREIGN = frozenset({"__pycache__", "node_modules", "target", "venv"})


def rows(path: Path, progress: Progress = SILENT) -> Iterator[Row]:
    """Read one artifact, or every `*.md` of a workspace and its subfolders, in order of paths.

    Raises:
        InvalidInput: A folder holds no workspace and no artifact.
    """
    root = path if path.is_dir() else path.parent
    files = _files(path) if path.is_dir() else [path]
    known = _Known()
    for done, file in enumerate(files, 1):
        yield from _file(file, file.relative_to(root).as_posix(), known)
        progress.advance("Reading files", done, len(files))
    for artifact, name, place in known.read:
        yield from relations(artifact, name, place, known.names)


def _files(folder: Path) -> list[Path]:
    workspaces = list(_workspaces(folder))
    found = sorted(
        file
        for workspace in workspaces or [folder]
        for file in workspace.rglob("*.md")
        if file.is_file() and not _is_aside(file.relative_to(workspace))
    )
    if not found and not workspaces and folder.name != WORKSPACE:
        allowed = f"a folder {WORKSPACE}, a folder that has some below it, or an artifact"
        raise InvalidInput("path", str(folder), allowed)
    return found


def _workspaces(folder: Path) -> Iterator[Path]:
    """The workspace of a repository, else those of the repositories below; none inside of one."""
    if WORKSPACE in folder.absolute().parts:
        return
    for place, inside, _ in os.walk(folder):
        if WORKSPACE in inside:
            yield Path(place, WORKSPACE)
            inside.clear()
        inside[:] = sorted(one for one in inside if one[0] != "." and one not in _FOREIGN)


def _is_aside(file: Path) -> bool:
    return any(part.startswith(".") for part in file.parts) or file.parts[0] == TRASH


@dataclass(slots=True)
class _Known:
    """What was read so far: the files of names, what slugs lead to, and artifacts with a place."""

    files: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    read: list[tuple[Artifact, str, str]] = field(default_factory=list)

    def owner(self, name: str, place: str) -> str:
        """The file that had the name first, which is this one where none had."""
        return self.files.setdefault(text.normalised(name), place)


def _file(file: Path, place: str, known: _Known) -> Iterator[Row]:
    try:
        artifact = Artifact.of(read(file.read_text(encoding="utf-8-sig")), file.stem)
    except (UnicodeDecodeError, OSError, RecursionError) as error:
        yield _refused(place, f"cannot be read: {error}")
        return
    except Broken as error:
        yield _refused(f"{place}:{error.line}", f"front matter: {error}")
        return
    first = known.owner(artifact.id, place)
    name = artifact.id if first == place else file.stem
    if known.owner(name, place) != place:
        yield _refused(place, f"{first} has the same id {artifact.id}; give one another `id`")
        return
    try:
        made = entity(artifact, name, place)
    except InvalidInput as error:
        line = artifact.line_of(error.argument)
        yield _refused(f"{place}:{line}" if line else place, str(error))
        return
    if name != artifact.id:
        reason = f"{first} has the id {artifact.id} too; this file is kept as {name}, links to"
        yield _refused(place, f"{reason} {artifact.id} lead to the other: give one another `id`")
    if artifact.undated is not None:
        line = artifact.line_of("created") or artifact.line_of("created_at")
        reason = f"created: {shortened(artifact.undated)} is no date such as 2026-03-01; left out"
        yield Row(f"{place}:{line}", Item("entity", name, "refused", reason))
    yield Row(place, made)
    known.read.append((artifact, name, place))
    for other in artifact.other_names:
        known.names.setdefault(text.normalised(other), name)


def _refused(place: str, reason: str) -> Row:
    return Row(place, Item("entity", place, "refused", reason))
