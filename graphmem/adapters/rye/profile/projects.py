"""Where a project's items are: the project that was given, that of a path, or the server's own."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from graphmem import project as projects
from graphmem import settings
from graphmem.adapters.rye.items import KINDS
from graphmem.errors import InvalidInput

if TYPE_CHECKING:
    from graphmem.memory import Memory


@dataclass(frozen=True, slots=True)
class SearchedProject:
    """A project, and sentences on why it is not the one that the path says."""

    project: str
    notes: tuple[str, ...] = ()


def project_of(memory: "Memory", path: str) -> SearchedProject | None:
    """The project of a folder that is searched; None where there is no such folder.

    A server that was told its project, by `--project` or GRAPHMEM_PROJECT, keeps to it. One that
    took the project of the folder it was started in goes by the path, unless that one's project has
    no items and its own may have some: `graphmem import rye PATH` writes into the project of the
    folder it is run in.

    Over HTTP the path is another machine's: a server that was told its project does not look at
    it, any other one only below the folders of `--folder`.

    Raises:
        InvalidInput: The path is below none of the folders that callers may name; whether it
            exists is not told.
        ConfigurationError: The folder's git configuration cannot be read, or a setting be used.
        DatabaseError: The database does not answer or refuses.
    """
    own_project, folders = memory.project, memory.access.folders
    if folders is not None and own_project is not None:
        return SearchedProject(own_project)
    folder = _existing(path) if folders is None else _below(folders, path)
    if folder is None:
        return None
    if own_project is not None and _is_set(own_project):
        return SearchedProject(own_project)
    folder_project = projects.detect(folder).name
    if own_project is None or own_project == folder_project or _has_items(memory, folder_project):
        return SearchedProject(folder_project)
    note = (
        f"{folder_project}, the project of project_path, has no items, so {own_project} was "
        "searched instead"
    )
    return SearchedProject(own_project, (note,))


def _existing(path: str) -> Path | None:
    try:
        folder = Path(os.path.expanduser(path))  # noqa: PTH111 - Path's own fails without a home
        return folder if folder.exists() else None
    except (OSError, ValueError):  # a name too long, a NUL in it
        return None


def _below(folders: Sequence[Path], path: str) -> Path | None:
    """A folder that callers may name, or None where there is no such folder.

    The path is read as text first, so that nothing outside is looked at.
    """
    try:
        literal_path = Path(os.path.normpath(path))
        if any(literal_path.is_relative_to(allowed_folder) for allowed_folder in folders):
            folder = literal_path.resolve()
            if any(folder.is_relative_to(allowed_folder.resolve()) for allowed_folder in folders):
                return folder if folder.exists() else None
    except (OSError, RuntimeError, ValueError):  # as above; a ring of links
        return None
    requirement = "must be below a folder named by `graphmem serve --folder`"
    raise InvalidInput("project_path", path, requirement)


def _is_set(own_project: str) -> bool:
    """Whether the server's project is not just that of the folder it was started in."""
    if settings.load().project is not None:
        return True
    try:
        return own_project != projects.detect().name
    except InvalidInput:  # the folder is gone meanwhile
        return True


def _has_items(memory: "Memory", project: str) -> bool:
    answer = memory.search(
        "*",
        project=project,
        scope="project",
        mode="keyword",
        operator="and",
        expand=False,
        kinds=list(KINDS.values()),
        at="any",
        limit=1,
        detail="names",
    )
    return answer.total > 0
