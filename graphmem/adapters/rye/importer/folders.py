"""The files of `.ai` folders that may be items."""

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from graphmem.errors import InvalidInput
from graphmem.importing.opening import File, place
from graphmem.importing.row import Row
from graphmem.importing.walking import FolderListing, list_files

ROOT = ".ai"
FOLDERS = {"directives": "directive", "tools": "tool", "knowledge": "knowledge"}
ENDINGS = {
    "directive": frozenset({".md"}),
    "tool": frozenset(
        {".py", ".yaml", ".yml", ".json", ".toml", ".js", ".ts", ".mjs", ".cjs", ".sh"}
    ),
    "knowledge": frozenset({".md", ".yaml", ".yml"}),
}
# What tools bring with them.
_FOREIGN = frozenset({".git", ".venv", "__pycache__", "node_modules", "venv"})


Parts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ItemFile:
    """A file that may be an item.

    Args:
        file: Where it is.
        item_type: directive, tool or knowledge.
        id: Its path below the folder of its type, without the ending.
    """

    file: File
    item_type: str
    id: str

    @property
    def place(self) -> str:
        """Its path as seen from what is imported."""
        return self.file.place


def item_files(path: Path) -> tuple[list[ItemFile], Sequence[Row]]:
    """The files of every `.ai` folder at or below a path, or around it, in the order of places.

    Args:
        path: A repository, a folder `.ai`, a folder or a file in one.

    Returns:
        The files, and a row for each folder or link that was passed over.

    Raises:
        InvalidInput: There is no such folder.
    """
    root = Path(os.path.realpath(path))
    walk = _Items(_around(root))
    if root.is_dir():
        listing = list_files(root, takes=walk.takes, enters=walk.enters)
    else:
        file = File.alone(root)
        listing = FolderListing((file,) if walk.takes(file.shown_path) else (), ())
    if not walk.are_there:
        requirement = f"must be a {ROOT} folder, a folder with some below it, or a file in one"
        raise InvalidInput("path", str(path), requirement)
    files = [ItemFile(file, *walk.item(file.shown_path)) for file in listing.files]
    return sorted(files, key=lambda file: file.place), listing.refusals


def _around(path: Path) -> Parts | None:
    """The path to a folder from the `.ai` folder around it, with that one; None outside of one."""
    folder = path if path.is_dir() else path.parent
    for above in (path, *path.parents):
        if above.name == ROOT:
            inside = path.relative_to(above).parts
            is_known = not inside or inside[0] in FOLDERS
            return folder.relative_to(above.parent).parts if is_known else None
    return None


class _Items:
    """A walk to the items of `.ai` folders.

    Args:
        around: The path to the imported folder from the `.ai` folder around it, with that one.
    """

    def __init__(self, around: Parts | None) -> None:
        self._above = around or ()
        self.are_there = around is not None

    def enters(self, parts: Parts, names: Sequence[str]) -> Collection[str]:
        """The folders that may hold items, or `.ai` folders."""
        inside = self._inside(parts)
        if inside is None:
            self.are_there = self.are_there or ROOT in names
            return [name for name in names if name not in _FOREIGN]
        return [name for name in names if (name not in _FOREIGN if inside else name in FOLDERS)]

    def takes(self, parts: Parts) -> bool:
        """Whether a file may be an item."""
        inside = self._inside(parts[:-1])
        if not inside or inside[0] not in FOLDERS:
            return False
        return PurePosixPath(parts[-1]).suffix in ENDINGS[FOLDERS[inside[0]]]

    def item(self, parts: Parts) -> tuple[str, str]:
        """The type and id of a file that may be one."""
        folder, *path = (*(self._inside(parts[:-1]) or ()), parts[-1])
        return FOLDERS[folder], place(PurePosixPath(*path).with_suffix("").parts)

    def _inside(self, parts: Parts) -> Parts | None:
        """A path below its `.ai` folder; None outside of one."""
        full_path = (*self._above, *parts)
        return full_path[full_path.index(ROOT) + 1 :] if ROOT in full_path else None
