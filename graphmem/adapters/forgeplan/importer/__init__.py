"""ForgePlan's workspace: Markdown artifacts with front matter and links, one entity a file.

The path is the folder `.forgeplan`, a repository that holds it, a folder of such repositories, or
one file. An artifact's id is its entity's name, `PRD-042`; `PRD-42` is an alias. Its text is the
body without what the templates left in it (`prose`). `links` of the front matter and the tables
under "Related Artifacts" become relations (`links`), the same link said twice one of them. Where
two files have one id, the second is kept under its file's name, and a refused item says so.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from graphmem import text
from graphmem.adapters.forgeplan.importer.artifact import Artifact, entity
from graphmem.adapters.forgeplan.importer.front_matter import read
from graphmem.adapters.forgeplan.importer.links import Links, links_of, relations
from graphmem.errors import InvalidInput, shortened
from graphmem.importing.format import Format
from graphmem.importing.opening import File, root_of
from graphmem.importing.reading import text_of
from graphmem.importing.refusing import Names, Refused, refused
from graphmem.importing.row import Row
from graphmem.importing.walking import FolderListing, list_files, with_progress
from graphmem.progress import SILENT, Progress

WORKSPACE = ".forgeplan"
# ForgePlan moves there what it deleted, for `undo`.
TRASH = "trash"
# What other programs bring with them.
_FOREIGN = frozenset({"__pycache__", "node_modules", "target", "venv"})


def rows(path: Path, progress: Progress = SILENT) -> Iterator[Row]:
    """Read one artifact, or every `*.md` of a workspace and its subfolders, in order of paths.

    Each entity is given when its file is read; the relations follow when all names are known.

    Raises:
        InvalidInput: A folder holds no workspace and no artifact.
    """
    listing = _files(path) if path.is_dir() else FolderListing((File.alone(path),), ())
    yield from listing.refusals
    register = _Register()
    for file in with_progress(listing.files, progress):
        yield from _file(file, register)
    for links in register.links:
        yield from relations(links, register.slugs)


FORMAT = Format(
    rows,
    "ForgePlan's artifacts, of a repository, its .forgeplan folder or one file",
    whole=True,
    mentions=True,
)


def _files(folder: Path) -> FolderListing:
    """The artifacts of the workspaces in a folder; those of the folder itself where it has none."""
    root = root_of(folder)
    if WORKSPACE not in root.parts:
        workspaces = _Workspaces()
        listing = list_files(root, takes=workspaces.takes, enters=workspaces.enters)
        if workspaces.are_there:
            return listing
    listing = list_files(root, takes=_is_artifact, enters=_visible_folders)
    if not (listing.files or listing.refusals) and root.name != WORKSPACE:
        requirement = f"must be a {WORKSPACE} folder, a folder with some below it, or an artifact"
        raise InvalidInput("path", str(folder), requirement)
    return listing


@dataclass(slots=True)
class _Workspaces:
    """A walk to the workspace of a repository, else to those of the repositories below it."""

    are_there: bool = False

    def enters(self, parts: tuple[str, ...], names: Sequence[str]) -> Collection[str]:
        """The workspace alone, or the folders in which there may be some; none inside of one."""
        if WORKSPACE in parts:
            return _visible_folders(_within(parts), names)
        if WORKSPACE in names:
            self.are_there = True
            return [WORKSPACE]
        return [name for name in names if name[0] != "." and name not in _FOREIGN]

    def takes(self, parts: tuple[str, ...]) -> bool:
        """Whether a file is an artifact of a workspace."""
        return WORKSPACE in parts and _is_artifact(_within(parts))


def _within(parts: tuple[str, ...]) -> tuple[str, ...]:
    return parts[parts.index(WORKSPACE) + 1 :]


def _visible_folders(parts: tuple[str, ...], names: Sequence[str]) -> Collection[str]:
    """The folders of a workspace that are neither hidden nor hold what was deleted."""
    return [name for name in names if name[0] != "." and (parts or name != TRASH)]


def _is_artifact(parts: tuple[str, ...]) -> bool:
    return parts[-1].endswith(".md") and parts[-1][0] != "."


@dataclass(slots=True)
class _Register:
    """What was read so far: the names that are given, what slugs lead to, and the links."""

    names: Names = field(default_factory=Names)
    slugs: dict[str, str] = field(default_factory=dict)
    links: list[Links] = field(default_factory=list)


def _file(file: File, register: _Register) -> Iterator[Row]:
    place = file.place
    try:
        content = text_of(file)
    except Refused as error:
        yield refused(place, error)
        return
    try:
        artifact = Artifact.of(read(content), file.path.stem)
    except Refused as error:
        yield refused(place, f"front matter: {error}", line=error.line)
        return
    owner = register.names.owner(artifact.id, place)
    name = artifact.id if owner == place else file.path.stem
    if register.names.owner(name, place) != place:
        yield refused(
            place, f"{owner} has the same id {artifact.id}; give one of them another `id`"
        )
        return
    try:
        made_entity = entity(artifact, name, place)
    except InvalidInput as error:
        yield refused(place, error, line=artifact.line_of(error.argument))
        return
    except Refused as error:
        yield refused(place, error)
        return
    yield from _notes(artifact, name, place, owner)
    yield Row(place, made_entity)
    register.links.append(links_of(artifact, name, place))
    for other_name in artifact.other_names:
        register.slugs.setdefault(text.normalised(other_name), name)


def _notes(artifact: Artifact, name: str, place: str, owner: str) -> Iterator[Row]:
    """What is refused of an artifact that is kept: its id where another has it, its date."""
    if name != artifact.id:
        reason = f"{owner} also has the id {artifact.id}, so this file is kept as {name}"
        advice = "links to the id lead to the other file: give one of the two another `id`"
        yield refused(place, f"{reason}; {advice}")
    if artifact.undated is not None:
        line = artifact.line_of("created") or artifact.line_of("created_at")
        date_text = shortened(artifact.undated)
        reason = f"created: {date_text} is not a date such as 2026-03-01, so it is left out"
        yield refused(place, reason, name=name, line=line)
