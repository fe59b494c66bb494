"""The files of a folder that hold code: what git ignores and what others wrote is left out."""

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from graphmem.errors import InvalidInput
from graphmem.importing.opening import File, place, root_of
from graphmem.importing.reading import content, decode
from graphmem.importing.refusing import Refused, refused
from graphmem.importing.row import Row
from graphmem.importing.toml_lines import TOML_LINE_CHARACTERS, has_long_line
from graphmem.transfer.code.files.jupyter import NOTEBOOK_BYTES, SUFFIX, text_of_cells
from graphmem.transfer.code.languages import CPP, Language, language_of
from graphmem.transfer.ignored import Ignored, folders_above, text_or_row

FILE_BYTES = 1024 * 1024
LINE_BYTES = 5_000
# A definition's line is looked through for each definition on it.
LONG_LINES_BYTES = 100_000
# What package managers put there was written by others, whether or not git ignores it.
VENDORED = frozenset(
    {"node_modules", "bower_components", "vendor", "third_party", "site-packages", "__pycache__"}
)
# The languages that include files called `.inc`, and those of them in which these are read.
_LANGUAGES_OF_INCLUDED = frozenset({"php", "c", "cpp", "assembly", "pascal"})
_READ_INCLUDED = frozenset({"php", "c", "cpp"})
PACKAGE = "package.json"
# In a folder the first of them counts; they may extend others, such as `tsconfig.base.json`.
SCRIPT_CONFIGS = ("tsconfig.json", "jsconfig.json")
MANIFESTS = frozenset({"go.mod", "Cargo.toml", PACKAGE, *SCRIPT_CONFIGS, "tsconfig.base.json"})


@dataclass(frozen=True, slots=True)
class CodeFile:
    """A file of code.

    Args:
        path: As seen from the folder that is imported, with `/`.
        file: Where it is.
        language: What it is written in.
    """

    path: str
    file: File
    language: Language


@dataclass(frozen=True, slots=True)
class Manifest:
    """A `go.mod`, `Cargo.toml`, `package.json`, `tsconfig.json` or the like.

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
        joined_path = posixpath.normpath(posixpath.join(self.folder, path))
        joined_path = "" if joined_path == "." else joined_path
        if not self.below:
            return joined_path
        is_inside = f"{joined_path}/".startswith(f"{self.below}/")
        return joined_path[len(self.below) + 1 :] if is_inside else None


@dataclass(frozen=True, slots=True)
class Folder:
    """What a folder holds of code, in the order of paths.

    Args:
        root: The folder.
        files: Its files of code.
        manifests: Its files of this kind, and those above as far as its repository goes.
        refused: A row for each folder that could not be listed and each file that was passed over.
    """

    root: Path
    files: tuple[CodeFile, ...]
    manifests: tuple[Manifest, ...]
    refused: tuple[Row, ...]


def folder_of(path: Path) -> Folder:
    """Look through a folder and its subfolders, or take one file alone.

    Left out are folders whose names begin with a dot, those of package managers, links, what a
    `.gitignore` of the folder or of its repository names, and what is in no known language.

    Raises:
        InvalidInput: The folder cannot be listed, or the file is in no known language.
    """
    root = root_of(path)
    rows: list[Row] = []
    above = folders_above(root)
    manifests = [
        Manifest(name, text, below=root.relative_to(folder).as_posix())
        for number, folder in enumerate(above, 1)
        for name in sorted(MANIFESTS)
        if (text := _manifest(File(folder, (name,), (*[".."] * number, name)), rows)) is not None
    ]
    if not path.is_dir():
        file, language = File.alone(path), language_of(path.name)
        if language is None:
            raise InvalidInput(
                "path", str(path), "must be a folder, or a file in a language that is read",
                hint="The languages are listed in `docs/importing.md`.",
            )  # fmt: skip
        code_file = CodeFile(file.place, file, language)
        return Folder(root, (code_file,), tuple(manifests), tuple(rows))
    ignored = Ignored(root, above, rows)
    listing = ignored.files(takes=is_wanted, enters=_is_own_folder, follows=False)
    manifests_below = [
        Manifest(file.path.name, text, place(file.shown_path[:-1]))
        for file in listing.files
        if _is_manifest(file.path.name) and (text := _manifest(file, rows)) is not None
    ]
    manifests = [
        *sorted(manifests_below, key=lambda manifest: (manifest.folder, manifest.name)),
        *manifests,
    ]
    return Folder(root, _of_code(listing.files), tuple(manifests), (*listing.refusals, *rows))


def is_wanted(name: str) -> bool:
    """Whether a file of a name is code, or says how to read it."""
    return _is_manifest(name) or _is_included(name) or language_of(name) is not None


def _of_code(files: Sequence[File]) -> tuple[CodeFile, ...]:
    """The files in a known language; `.h` means C++ as soon as one of them is C++."""
    languages = {file: language_of(file.path.name) for file in files}
    if CPP in languages.values():
        languages |= {file: CPP for file in files if file.path.suffix == ".h"}
    code_files = [
        CodeFile(file.place, file, language) for file, language in languages.items() if language
    ]
    included_language = _language_of_included(code_files)
    if included_language is not None:
        code_files += [
            CodeFile(file.place, file, included_language)
            for file in files
            if _is_included(file.path.name)
        ]
    return tuple(sorted(code_files, key=lambda code_file: code_file.path))


def _language_of_included(code_files: Sequence[CodeFile]) -> Language | None:
    """What `.inc` means: PHP, C or C++, if the folder has one of the languages that use it."""
    names = {code_file.language.name for code_file in code_files} & _LANGUAGES_OF_INCLUDED
    names -= {"c"} if CPP.name in names else set()
    return language_of(f"a.{names.pop()}") if len(names) == 1 and names <= _READ_INCLUDED else None


def _is_included(name: str) -> bool:
    """Whether a file is called as what PHP, C or C++ include, and not as a part of a makefile."""
    return name.lower().endswith(".inc") and not name.lower().startswith("makefile")


def _is_own_folder(parts: tuple[str, ...]) -> bool:
    """Whether a folder is neither hidden nor holds others' code."""
    return not parts[-1].startswith(".") and parts[-1] not in VENDORED


def is_script_config(name: str) -> bool:
    """Whether a file is called like `tsconfig.json`, or like one that this may extend."""
    return name.endswith(".json") and any(part in name for part in ("tsconfig", "jsconfig"))


def _is_manifest(name: str) -> bool:
    return name in MANIFESTS or is_script_config(name)


def _manifest(file: File, rows: list[Row]) -> str | None:
    """The text of a manifest; None, and perhaps a row, if it cannot be read."""
    content = text_or_row(file, rows, FILE_BYTES)
    if content is None or file.path.name.endswith(".json") or not has_long_line(content):
        return content
    reason = f"a line must have at most {TOML_LINE_CHARACTERS:,} characters"
    rows.append(refused(file.place, reason))
    return None


class Minified(Exception):
    """A program wrote the file, with all of its code on a few lines."""


def source_of(file: File) -> bytes:
    """The bytes of a file of code, as UTF-8 with plain line ends; of a notebook its cells.

    Raises:
        Refused: It cannot be read, or is no UTF-8.
        Minified: Most of it is on lines so long that nobody wrote them.
    """
    if file.path.suffix.lower() == SUFFIX:
        source = text_of_cells(content(file, limit=NOTEBOOK_BYTES)).encode("utf-8", "replace")
    else:
        source = content(file, limit=FILE_BYTES)
    if b"\0" in source:
        raise Refused("it is binary, or text that is not UTF-8")
    code = decode(source).replace("\r\n", "\n").replace("\r", "\n").encode()
    long_lines = sum(len(line) for line in code.split(b"\n") if len(line) > LINE_BYTES)
    # One alone may be a picture or a key that a person pasted.
    if long_lines * 2 > len(code) or long_lines > LONG_LINES_BYTES:
        raise Minified
    return code


def parents(path: str) -> Iterator[str]:
    """The folders above a path, innermost first, down to the empty one that is the root."""
    while path:
        path = path.rpartition("/")[0]
        yield path
