"""The files below a folder: each once, in the order of their paths, and what was passed over.

A folder that cannot be listed is refused under its path with `/` at the end, so that all below it
counts as not seen. A link is never followed out of the folder that is imported: one that leads
outside is refused. A link to a file or folder inside is followed where it leads to what would not
be read otherwise, so nothing is read twice and no ring of links is walked in circles.
"""

import os
import stat
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from graphmem.errors import InvalidInput
from graphmem.importing.opening import NO_PLAIN_FILE, File, opened_folder, place, root_of
from graphmem.importing.refusing import refused
from graphmem.importing.row import Row
from graphmem.progress import Progress

# A path of so many folders is no longer one that a person made.
DEPTH = 100
OUTSIDE = "it links outside the imported folder, so it is skipped"

T = TypeVar("T")
Parts = tuple[str, ...]
Takes = Callable[[Parts], bool]
Enters = Callable[[Parts, Sequence[str]], Collection[str]]


@dataclass(frozen=True, slots=True)
class FolderListing:
    """What a folder holds.

    Args:
        files: The files to be read, in the order of their paths, segment by segment.
        refusals: A row for each folder that could not be listed and each entry passed over.
    """

    files: tuple[File, ...]
    refusals: tuple[Row, ...]


def files_at(path: Path, *, takes: Takes) -> FolderListing:
    """The file of a path, whatever its name, or those below a folder that are wanted.

    Args:
        path: A file or folder, as somebody named it.
        takes: Whether a file of a folder is wanted, by the parts of its path below the folder.

    Raises:
        InvalidInput: The folder cannot be listed.
    """
    if not path.is_dir():
        return FolderListing((File.alone(path),), ())
    return list_files(root_of(path), takes=takes, enters=lambda _, names: names)


def with_progress(files: Sequence[T], progress: Progress) -> Iterator[T]:
    """Give files one after another, and count those that were read as the next is asked for."""
    for count, file in enumerate(files, 1):
        yield file
        progress.advance("Reading files", count, len(files))


def list_files(root: Path, *, takes: Takes, enters: Enters, follows: bool = True) -> FolderListing:
    """Look through a folder and those below it.

    Args:
        root: The folder, without links in its path.
        takes: Whether a file is wanted, by the parts of its path below the root.
        enters: Which folders to look through, by the path of the one they are in and their names.
        follows: Whether links that stay inside are followed; else they are left out.

    Raises:
        InvalidInput: The root itself cannot be listed.
    """
    walk = _Walk(root, takes, enters)
    walk.folder((), ())
    while follows and walk.links:
        walk.follow(*walk.links.pop(0))
    files = sorted(walk.files, key=lambda file: file.shown_path)
    return FolderListing(tuple(files), tuple(sorted(walk.refusals, key=lambda row: row.place)))


def entry_at(root: Path, parts: Sequence[str]) -> File | Row | None:
    """A file or folder below a root by its path; None where there is none.

    A row says that it leads outside, or that it cannot be known whether it is there.

    Args:
        root: The folder, without links in its path.
        parts: The folders and the name that lead to the file.
    """
    path = Path(root, *parts)
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return refused(place(parts), f"cannot be read: {error.strerror or error}")
    target = _inside(root, path)
    if target is None:
        return _elsewhere(place(parts), OUTSIDE)
    return File(root, target, tuple(parts))


def _inside(root: Path, path: Path) -> Parts | None:
    """Where a path leads below a root; None where it leads outside."""
    full_path = Path(os.path.realpath(path))
    return full_path.relative_to(root).parts if full_path.is_relative_to(root) else None


def _elsewhere(place: str, reason: str) -> Row:
    return replace(refused(place, reason), is_elsewhere=True)


@dataclass(slots=True)
class _Walk:
    """A walk through the folders below a root; `links` are those still to be followed."""

    root: Path
    takes: Takes
    enters: Enters
    files: list[File] = field(default_factory=list)
    refusals: list[Row] = field(default_factory=list)
    links: list[tuple[Parts, Parts]] = field(default_factory=list)
    visited: set[Parts] = field(default_factory=set)

    def folder(self, parts: Parts, shown_parts: Parts) -> None:
        """Look through a folder and those below it.

        Args:
            parts: Where it is.
            shown_parts: Where it is seen: the same, or the path of a link to it.
        """
        stack = [(parts, shown_parts)]
        while stack:
            parts, shown_parts = stack.pop()
            if parts in self.visited:
                continue
            self.visited.add(parts)
            if len(shown_parts) > DEPTH:
                reason = f"folders more than {DEPTH} deep are not read"
                self.refusals.append(refused(f"{place(shown_parts)}/", reason))
                continue
            stack += self._inside(parts, shown_parts)

    def follow(self, parts: Parts, shown_parts: Parts) -> None:
        """Follow a link to what was not seen yet."""
        if parts in self.visited:
            return
        try:
            mode = Path(self.root, *parts).stat().st_mode
        except (FileNotFoundError, NotADirectoryError):  # it leads to nothing
            return
        except OSError as error:
            self.refusals.append(refused(place(shown_parts), f"cannot be read: {error.strerror}"))
            return
        if stat.S_ISDIR(mode):
            self.folder(parts, shown_parts)
        else:
            self._entry(parts, shown_parts, "file" if stat.S_ISREG(mode) else "other")

    def _inside(self, parts: Parts, shown_parts: Parts) -> list[tuple[Parts, Parts]]:
        """Take what a folder holds; gives the folders in it that are to be looked through."""
        entries = self._entries(parts, shown_parts)
        folders = [name for name, sort in entries if sort in {"folder", "link to a folder"}]
        entered_folders = frozenset(self.enters(shown_parts, folders))
        subfolders: list[tuple[Parts, Parts]] = []
        for name, sort in entries:
            child_parts, child_shown_parts = (*parts, name), (*shown_parts, name)
            if sort == "folder" and name in entered_folders:
                subfolders.append((child_parts, child_shown_parts))
            elif sort == "link to a folder" and name in entered_folders:
                self._link(child_parts, child_shown_parts, f"{place(child_shown_parts)}/")
            elif sort == "link" and self.takes(child_shown_parts):
                self._link(child_parts, child_shown_parts, place(child_shown_parts))
            elif sort in {"file", "other"}:
                self._entry(child_parts, child_shown_parts, sort)
        return subfolders

    def _entry(self, parts: Parts, shown_parts: Parts, sort: str) -> None:
        if self.takes(shown_parts) and sort == "file":
            self.visited.add(parts)
            self.files.append(File(self.root, parts, shown_parts))
        elif self.takes(shown_parts):
            self.refusals.append(_elsewhere(place(shown_parts), NO_PLAIN_FILE))

    def _link(self, parts: Parts, shown_parts: Parts, link_place: str) -> None:
        """Note a link to what would be read, or refuse it where it leads outside."""
        target = _inside(self.root, Path(self.root, *parts))
        if target is None:
            self.refusals.append(_elsewhere(link_place, OUTSIDE))
        else:
            self.links.append((target, shown_parts))

    def _entries(self, parts: Parts, shown_parts: Parts) -> list[tuple[str, str]]:
        """The names in a folder with the sort of each; what could be listed where an error came."""
        names_with_sort: list[tuple[str, str]] = []
        try:
            with opened_folder(self.root, parts) as folder, os.scandir(folder) as entries:
                names_with_sort.extend((entry.name, self._sort(entry, parts)) for entry in entries)
        except OSError as error:
            reason = f"cannot be listed: {error.strerror or error}"
            if not shown_parts:
                raise InvalidInput("path", str(self.root), reason) from error
            self.refusals.append(refused(f"{place(shown_parts)}/", reason))
        return sorted(names_with_sort, reverse=True)

    def _sort(self, entry: "os.DirEntry[str]", parts: Parts) -> str:
        if entry.is_symlink():
            path = Path(self.root, *parts, entry.name)
            # Path's own method raises where it may not look.
            return "link to a folder" if os.path.isdir(path) else "link"  # noqa: PTH112
        if entry.is_dir(follow_symlinks=False):
            return "folder"
        return "file" if entry.is_file(follow_symlinks=False) else "other"
