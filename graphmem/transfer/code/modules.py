"""Which files an import means; None for what is not in the folder."""

import posixpath
import re
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from graphmem.transfer.code.folder import parents
from graphmem.transfer.code.languages import LANGUAGES
from graphmem.transfer.code.outline import Outline

# Folders that are no part of a Python module's name wherever they stand.
_SOURCE_FOLDERS = frozenset({"src", "lib", "python"})
_SCRIPT_SUFFIXES = tuple(
    suffix
    for language in sorted(LANGUAGES, key=lambda one: one.name, reverse=True)
    if language.family == "ecmascript"
    for suffix in language.suffixes
)
_GO_MODULE = re.compile(r"^\s*module\s+\"?([^\s\"]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Modules:
    """The files of an import, by the names that other files know them by.

    Args:
        root: The name of the folder that is imported.
        files: All paths.
        endings: The paths that end in a run of segments, by `a/b.h`.
        python: The paths of Python modules by every end of their dotted name, with what is above.
        go: The folders of Go modules by the module's name; a folder above has `../`.
        crates: The root files of Rust crates by name, and those in a crate's own folder.
    """

    root: str
    files: frozenset[str]
    endings: dict[str, list[str]] = field(default_factory=dict)
    python: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    go: dict[str, str] = field(default_factory=dict)
    crates: dict[str, str] = field(default_factory=dict)
    crate_folders: dict[str, str] = field(default_factory=dict)


def modules_of(root: str, outlines: Iterable[Outline], manifests: Mapping[str, str]) -> Modules:
    """Index the files of an import."""
    known = list(outlines)
    found = Modules(root, frozenset(one.path for one in known))
    for one in known:
        if one.language.family == "python":
            _add_python(found, one.path)
        if one.language.family == "c":
            parts = one.path.split("/")
            for start in range(len(parts)):
                found.endings.setdefault("/".join(parts[start:]), []).append(one.path)
    for path, written in sorted(manifests.items()):
        folder, _, name = path.rpartition("/")
        if name == "go.mod" and (module := _GO_MODULE.search(written)):
            found.go[module[1]] = folder
        elif name == "Cargo.toml":
            _add_crate(found, folder, written)
    return found


def _add_python(found: Modules, path: str) -> None:
    parts = path.rpartition(".")[0].split("/")
    if parts[-1] == "__init__":
        parts.pop()
    folders = [found.root, *parts]
    for start in range(len(folders)):
        if name := ".".join(folders[start:]):
            above = "/".join(parts[: start - 1]) if start else "../"
            found.python.setdefault(name, []).append((above, path))


def _add_crate(found: Modules, folder: str, written: str) -> None:
    try:
        package = tomllib.loads(written).get("package")
    except tomllib.TOMLDecodeError:
        return
    if not isinstance(package, dict) or not isinstance(package.get("name"), str):
        return
    for name in ("src/lib.rs", "src/main.rs"):
        if (file := posixpath.join(folder, name)) in found.files:
            found.crates.setdefault(package["name"].replace("-", "_"), file)
            found.crate_folders.setdefault(folder, file)


def python_module(known: Modules, file: str, written: str) -> str | None:
    """The file of a Python module: `a.b`, or `..b` as seen from a file."""
    name = written.lstrip(".")
    if dots := len(written) - len(name):
        above = [*parents(file)]
        if dots > len(above):
            return None
        return _python_file(known, posixpath.join(above[dots - 1], *name.split(".")))
    if name.partition(".")[0] in sys.stdlib_module_names:
        return None
    near = set(parents(file))
    candidates = [
        (above, path)
        for above, path in known.python.get(name, ())
        if above == "../" or _python_file(known, above) is None or not above
    ]
    if "." not in name:
        candidates = [
            (above, path)
            for above, path in candidates
            if above in near or above == "../" or above.rpartition("/")[2] in _SOURCE_FOLDERS
        ]
    best = max((_nearness(above, near) for above, _ in candidates), default=0)
    nearest = sorted({path for above, path in candidates if _nearness(above, near) == best})
    return _only(nearest) or _only([path for path in nearest if path.endswith(".py")])


def _nearness(above: str, near: set[str]) -> int:
    """How near the folder of a top module is to a file: that of one of its own folders by depth."""
    return len(above) + 1 if above in near else 0


def _python_file(known: Modules, path: str) -> str | None:
    """The file of the module at a path without suffix."""
    endings = (".py", "/__init__.py", ".pyi", "/__init__.pyi") if path else ("__init__.py",)
    return next((f"{path}{end}" for end in endings if f"{path}{end}" in known.files), None)


def python_child(known: Modules, file: str, name: str) -> str | None:
    """The file of a module inside of a package, by the package's `__init__.py`."""
    folder, _, own = file.rpartition("/")
    return _python_file(known, posixpath.join(folder, name)) if own.startswith("__init__.") else None


def script_module(known: Modules, file: str, written: str) -> str | None:
    """The file of a JavaScript or TypeScript module that is imported by its place."""
    if not written.startswith("."):
        return None
    path = posixpath.normpath(posixpath.join(posixpath.dirname(file), written))
    stem = re.sub(r"\.[mc]?jsx?$", "", path)
    tried = [
        path,
        *(f"{path}{suffix}" for suffix in _SCRIPT_SUFFIXES),
        *(f"{stem}{suffix}" for suffix in _SCRIPT_SUFFIXES if stem != path),
        *(posixpath.join(path, f"index{suffix}") for suffix in _SCRIPT_SUFFIXES),
    ]
    return next((one for one in tried if one in known.files), None)


def go_folder(known: Modules, written: str, folders: Sequence[str]) -> str | None:
    """The folder of a Go package."""
    for module, folder in sorted(known.go.items(), key=lambda one: -len(one[0])):
        if written == module or written.startswith(f"{module}/"):
            path = posixpath.join(folder, written[len(module) :].lstrip("/"))
            if path.startswith(".."):
                below = posixpath.normpath(path).removeprefix("../" * folder.count(".."))
                path = _below(below, known.root, folder.count("..")) or path
            path = "" if path in {".", ""} else posixpath.normpath(path)
            return path if path in folders else None
    return None


def _below(path: str, root: str, up: int) -> str | None:
    ...


def included(known: Modules, file: str, written: str) -> str | None:
    """The file of a C or C++ include: beside the file, else the only one of that path."""
    name = written.strip("<>\"")
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(file), name))
    if beside in known.files and not written.startswith("<"):
        return beside
    return _only(known.endings.get(posixpath.normpath(name), []))


def _only(found: Sequence[str]) -> str | None:
    return found[0] if len(found) == 1 else None
