"""The files of a folder that hold code: what git ignores and what others wrote is left out."""

import os
import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pathspec import GitIgnoreSpec

from graphmem.transfer.code.languages import CPP, Language, language_of

FILE_BYTES = 1024 * 1024
LINE_BYTES = 5_000
# What package managers put there was written by others, whether or not git ignores it.
VENDORED = frozenset(
    {"node_modules", "bower_components", "vendor", "third_party", "site-packages", "__pycache__"}
)
MANIFESTS = frozenset({"go.mod", "Cargo.toml"})


@dataclass(frozen=True, slots=True)
class CodeFile:
    """A file of code.

    Args:
        path: As seen from the folder that is imported, with `/`.
        file: Where it is.
        language: What it is written in.
    """

    path: str
    file: Path
    language: Language


@dataclass(frozen=True, slots=True)
class Manifest:
    """A `go.mod` or `Cargo.toml`.

    Args:
        name: Of the file.
        text: What it says.
        folder: Where it is, as seen from the folder that is imported; empty for that one itself.
        below: For one above that folder, the path from it down to the folder.
    """

    name: str
    text: str
    folder: str = ""
    below: str = ""

    def place(self, path: str) -> str | None:
        """A path as seen from here, as seen from the imported folder; None where it is outside."""
        joined = posixpath.normpath(posixpath.join(self.folder, path))
        joined = "" if joined == "." else joined
        if not self.below or joined == self.below:
            return "" if self.below else joined
        inside = joined.startswith(f"{self.below}/")
        return joined.removeprefix(f"{self.below}/") if inside else None


@dataclass(frozen=True, slots=True)
class Folder:
    """What a folder holds of code, in the order of paths.

    Args:
        root: The folder.
        files: Its files of code.
        manifests: Its `go.mod` and `Cargo.toml` files, and those above as far as its repository
            goes.
    """

    root: Path
    files: tuple[CodeFile, ...]
    manifests: tuple[Manifest, ...]


@dataclass(frozen=True, slots=True)
class _Ignoring:
    """The patterns of one `.gitignore` and the folder they are about."""

    folder: Path
    patterns: GitIgnoreSpec


def folder_of(path: Path) -> Folder:
    """Look through a folder and its subfolders, or take one file alone.

    Left out are folders whose names begin with a dot, those of package managers, links, what a
    `.gitignore` of the folder or of its repository names, and what is in no known language.
    """
    root = (path if path.is_dir() else path.parent).resolve()
    above = _above(root)
    manifests = [
        Manifest(name, text, below=root.relative_to(folder).as_posix())
        for folder in above
        for name in sorted(MANIFESTS)
        if (text := _text(folder / name)) is not None
    ]
    if path.is_dir():
        files, found = _walked(root, _ignoring_above(root, above))
        return Folder(root, tuple(files), (*found, *manifests))
    language = language_of(path.name)
    alone = () if language is None else (CodeFile(path.name, path, language),)
    return Folder(root, alone, tuple(manifests))


def _above(root: Path) -> list[Path]:
    """The folders above one as far as its repository goes, nearest first; none outside of one."""
    if (root / ".git").exists():
        return []
    found: list[Path] = []
    for folder in root.parents:
        found.append(folder)
        if (folder / ".git").exists():
            return found
    return []


def _ignoring_above(root: Path, above: Sequence[Path]) -> list[_Ignoring]:
    """What the repository and the folders above ignore, outermost first.

    A folder that is itself ignored and is imported all the same is meant to be.
    """
    repository = above[-1] if above else root
    found = [
        *_ignoring(repository, repository / ".git" / "info" / "exclude"),
        *(one for folder in reversed(above) for one in _ignoring(folder, folder / ".gitignore")),
    ]
    return [] if _ignored(root, found, folder=True) else found


def _ignoring(folder: Path, file: Path) -> list[_Ignoring]:
    written = _text(file)
    return [] if not written else [_Ignoring(folder, GitIgnoreSpec.from_lines(written.split("\n")))]


def _walked(root: Path, above: list[_Ignoring]) -> tuple[list[CodeFile], list[Manifest]]:
    files: list[CodeFile] = []
    manifests: list[Manifest] = []
    known = {root: above}
    for place, folders, names in os.walk(root):
        folder = Path(place)
        ignoring = [*known.pop(folder), *_ignoring(folder, folder / ".gitignore")]
        folders[:] = [one for one in folders if _is_own(folder / one, ignoring)]
        known |= {folder / name: ignoring for name in folders}
        for name in names:
            file, language = folder / name, language_of(name)
            if language is None and name not in MANIFESTS:
                continue
            if file.is_symlink() or _ignored(file, ignoring):
                continue
            path = file.relative_to(root).as_posix()
            if language is not None:
                files.append(CodeFile(path, file, language))
            elif (written := _text(file)) is not None:
                manifests.append(Manifest(name, written, path.rpartition("/")[0]))
    ordered = sorted(_headers(files), key=lambda one: one.path)
    return ordered, sorted(manifests, key=lambda one: (one.folder, one.name))


def _headers(files: list[CodeFile]) -> list[CodeFile]:
    """The same files, where `.h` means C++ as soon as one of them is C++."""
    if all(one.language is not CPP for one in files):
        return files
    return [replace(one, language=CPP) if one.path.endswith(".h") else one for one in files]


def _is_own(folder: Path, ignoring: Sequence[_Ignoring]) -> bool:
    return (
        not folder.name.startswith(".")
        and folder.name not in VENDORED
        and not folder.is_symlink()
        and not _ignored(folder, ignoring, folder=True)
    )


def _ignored(path: Path, ignoring: Sequence[_Ignoring], *, folder: bool = False) -> bool:
    """Whether git ignores a path: the innermost file that names it decides, its last line first."""
    for one in reversed(ignoring):
        if path == one.folder:
            continue
        seen = path.relative_to(one.folder).as_posix()
        decided = one.patterns.check_file(f"{seen}/" if folder else seen).include
        if decided is not None:
            return decided
    return False


class Unreadable(Exception):
    """A file that is not taken; its message says why."""


def source_of(file: Path) -> bytes:
    """The bytes of a file of code, as UTF-8 with plain line ends.

    Raises:
        Unreadable: It cannot be read, is no UTF-8, or nobody writes such files.
    """
    try:
        if not file.is_file():
            raise Unreadable("it is no plain file")
        if (size := file.stat().st_size) > FILE_BYTES:
            raise Unreadable(f"at most 1 MiB; with {size:,} bytes it is taken for generated")
        written = file.read_bytes()
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror}") from error
    if b"\0" in written:
        raise Unreadable("it is binary, or text that is not UTF-8")
    try:
        plain = written.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n").encode()
    except UnicodeDecodeError as error:
        raise Unreadable(f"it is not UTF-8: {error.reason} at byte {error.start}") from error
    if (longest := max(map(len, plain.split(b"\n")))) > LINE_BYTES:
        raise Unreadable(
            f"lines of at most {LINE_BYTES:,} bytes; with {longest:,} it is taken for minified"
        )
    return plain


def _text(file: Path) -> str | None:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None


def parents(path: str) -> Iterator[str]:
    """The folders above a path, innermost first, down to the empty one that is the root."""
    while path:
        path = path.rpartition("/")[0]
        yield path
