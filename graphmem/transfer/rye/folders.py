"""The files of `.ai` folders that may be items."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from graphmem.errors import InvalidInput

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


@dataclass(frozen=True, slots=True)
class Found:
    """A file that may be an item.

    Args:
        file: Where it is.
        place: Its path as seen from what is imported.
        item_type: directive, tool or knowledge.
        id: Its path below the folder of its type, without the ending.
    """

    file: Path
    place: str
    item_type: str
    id: str


def find(path: Path) -> list[Found]:
    """The files of every `.ai` folder at or below a path, or around it, in the order of places.

    Args:
        path: A repository, a folder `.ai`, a folder or a file in one.

    Raises:
        InvalidInput: There is no such folder.
    """
    whole = path.resolve()
    base = whole if whole.is_dir() else whole.parent
    around = _around(whole)
    roots = [around] if around is not None else list(_below(whole))
    if not roots:
        allowed = f"a folder {ROOT}, a folder that has some below it, or a file in one"
        raise InvalidInput("path", str(path), allowed)
    found = [
        Found(file, file.relative_to(base).as_posix(), item_type, item_id)
        for root in roots
        for file, item_type, item_id in _items(root)
        if file.is_relative_to(whole)
    ]
    return sorted(found, key=lambda one: one.place)


def _around(path: Path) -> Path | None:
    """The `.ai` folder that a path is, or in whose items it is."""
    for one in (path, *path.parents):
        if one.name == ROOT:
            inside = path.relative_to(one).parts
            return one if not inside or inside[0] in FOLDERS else None
    return None


def _below(path: Path) -> Iterator[Path]:
    for folder, inside, _ in os.walk(path):
        if ROOT in inside:
            yield Path(folder, ROOT)
        inside[:] = sorted(one for one in inside if one not in _FOREIGN and one != ROOT)


def _items(root: Path) -> Iterator[tuple[Path, str, str]]:
    """The files of a `.ai` folder with the types and ids they have as items."""
    for name, item_type in FOLDERS.items():
        for folder, inside, files in os.walk(root / name):
            inside[:] = sorted(one for one in inside if one not in _FOREIGN)
            for file in (Path(folder, one) for one in files):
                if file.suffix in ENDINGS[item_type] and file.is_file():
                    item_id = file.relative_to(root / name).with_suffix("").as_posix()
                    yield file, item_type, item_id
