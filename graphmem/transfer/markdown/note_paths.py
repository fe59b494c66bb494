"""Where an export writes the note of each entity, and how others link to it."""

import re
from collections import Counter
from pathlib import PurePosixPath

from pathvalidate import sanitize_filename

from graphmem import text
from graphmem.model import Entity
from graphmem.model.entity import DEFAULT_KIND
from graphmem.transfer.markdown import folders
from graphmem.transfer.markdown.notes import is_note

ENDING = ".md"
# In bytes of UTF-8 at most 240; a file's name may have 255.
SEGMENT_CHARACTERS = 60
# What ends or divides a wiki link.
_LINK_MARKS = re.compile(r"[#^\[\]|]")


class NotePaths:
    """The paths of notes below a folder, with `/`: each is given once, whatever its case.

    A note that was imported from a Markdown file gets that file's path, so that links in it lead
    on; any other one is in a folder of its kind.
    """

    def __init__(self) -> None:
        self._paths: dict[str, str] = {}
        self._taken: set[str] = set()
        self._stems = Counter[str]()

    def give(self, entity: Entity) -> None:
        """Give the note of an entity its path."""
        path = _path_of_source(entity.source or "")
        if path is None or path.casefold() in self._taken:
            path = self._path_in_kind(entity)
        self._taken.add(path.casefold())
        self._stems[PurePosixPath(path).stem.casefold()] += 1
        self._paths[text.normalised(entity.name)] = path

    @property
    def count(self) -> int:
        """How many paths were given."""
        return len(self._paths)

    def path_of(self, name: str) -> str | None:
        """The path of an entity's note; None where there is none."""
        return self._paths.get(text.normalised(name))

    def link_to(self, name: str) -> str | None:
        """A wiki link to an entity's note; None where there is none."""
        path = self.path_of(name)
        if path is None:
            return None
        pure_path = PurePosixPath(path)
        is_only = self._stems[pure_path.stem.casefold()] == 1
        target = pure_path.stem if is_only else str(pure_path.with_suffix(""))
        shown_name = " ".join(_LINK_MARKS.sub(" ", name).split())
        return f"[[{target}]]" if shown_name in {target, ""} else f"[[{target}|{shown_name}]]"

    def _path_in_kind(self, entity: Entity) -> str:
        folder = _segment(entity.kind or DEFAULT_KIND)
        # There may be a file of that name, or an import may pass over such a folder.
        if is_note(folder) or not folders.is_read((folder,)):
            folder = f"{folder}_"
        stem = _segment(entity.name)
        path, number = f"{folder}/{stem}{ENDING}", 1
        while path.casefold() in self._taken:
            number += 1
            path = f"{folder}/{stem}~{number}{ENDING}"
        return path


def _path_of_source(source: str) -> str | None:
    """The path of the Markdown file that a source names; None where it names none."""
    *parents, name = parts = source.split("/")
    if not is_note(name) or any(map(is_note, parents)):
        return None
    if not all(folders.is_read(parts[:depth]) for depth in range(1, len(parts))):
        return None
    return source if all(_segment(part) == part for part in parts) else None


def _segment(part: str) -> str:
    """A part of a path that every system can have, which is neither hidden nor leads elsewhere."""
    plain_part = _LINK_MARKS.sub("_", part)
    allowed_part = sanitize_filename(plain_part, replacement_text="_", platform="universal")
    shown_part = allowed_part[:SEGMENT_CHARACTERS].strip(" .")
    return shown_part or "_"
