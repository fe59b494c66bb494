"""Which file of the folder an import means; None for what is not in it."""

import posixpath
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from graphmem.transfer.code.files.folder import PACKAGE, Manifest, is_script_config, parents
from graphmem.transfer.code.modules.script_modules import Packages, file_at
from graphmem.transfer.code.outlines.outline import Outline

# Folders that are no part of a module's name, wherever they stand.
SOURCE_FOLDERS = frozenset({"src", "lib", "python"})
_ABOVE = ".."  # where the imported folder is itself a Python package
_GO_MODULE = re.compile(r"^\s*module\s+\"?([^\s\"]+)", re.MULTILINE)
_REQUIRE = re.compile(r"require(?P<relative>_relative)?[\s(]+[\"'](?P<name>[^\"']+)")
_CRATE_ROOTS = ("lib.rs", "main.rs")
_CRATES_OF_THEIR_OWN = frozenset({"tests", "examples", "benches"})


@dataclass(frozen=True, slots=True)
class Modules:
    """The files of an import, by the names that other files know them by.

    Args:
        root: The name of the folder that is imported.
        files: All paths.
        endings: Paths of C, C++ and Ruby by each run of segments they end with.
        python: Paths of Python modules by each end of their dotted names, with the folder above.
        go: What Go modules are called, and where they are.
        crates: The root files of Rust's crates by name.
        crate_roots: The root files of Rust's crates by the folder their files are in.
        packages: The packages of JavaScript and TypeScript.
    """

    root: str
    files: frozenset[str]
    endings: dict[str, list[str]] = field(default_factory=dict)
    python: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    go: list[tuple[str, Manifest]] = field(default_factory=list)
    crates: dict[str, str] = field(default_factory=dict)
    crate_roots: dict[str, str] = field(default_factory=dict)
    packages: Packages = field(default_factory=Packages)


def modules_of(root: str, outlines: Sequence[Outline], manifests: Sequence[Manifest]) -> Modules:
    """Index the files of an import."""
    modules = Modules(root, frozenset(file.path for file in outlines))
    for file in outlines:
        if file.language.family == "python":
            _add_python(modules, file.path)
        elif file.language.family in {"c", "ruby"}:
            for name in _ends(file.path.split("/"), "/"):
                modules.endings.setdefault(name, []).append(file.path)
        elif file.language.family == "rust" and file.path.rpartition("/")[2] in _CRATE_ROOTS:
            modules.crate_roots.setdefault(file.path.rpartition("/")[0], file.path)
    for manifest in manifests:
        _add_manifest(modules, manifest)
    modules.go.sort(key=lambda pair: -len(pair[0]))
    return modules


def _add_manifest(modules: Modules, manifest: Manifest) -> None:
    if manifest.name == "Cargo.toml":
        _add_crate(modules, manifest)
    elif manifest.name == PACKAGE:
        modules.packages.add(manifest)
    elif is_script_config(manifest.name):
        modules.packages.configs.add(manifest)
    elif module := _GO_MODULE.search(manifest.text):
        modules.go.append((module[1], manifest))


def _ends(parts: Sequence[str], joint: str) -> list[str]:
    return [joint.join(parts[start:]) for start in range(len(parts))]


def _add_python(modules: Modules, path: str) -> None:
    parts = path.rpartition(".")[0].split("/")
    if parts[-1] == "__init__":
        parts.pop()
    for start, name in enumerate(_ends(parts, ".")):
        modules.python.setdefault(name, []).append(("/".join(parts[:start]), path))
    modules.python.setdefault(".".join([modules.root, *parts]), []).append((_ABOVE, path))


def _add_crate(modules: Modules, manifest: Manifest) -> None:
    try:
        package = tomllib.loads(manifest.text).get("package")
    except (ValueError, RecursionError):
        return
    name = package.get("name") if isinstance(package, dict) else None
    for root in (manifest.place(f"src/{file}") for file in _CRATE_ROOTS):
        if isinstance(name, str) and root in modules.files:
            modules.crates.setdefault(name.replace("-", "_"), root)


# Python


def python_module(modules: Modules, file: str, module_name: str) -> str | None:
    """The file of a Python module: `a.b`, or `..b` as seen from a file.

    Of several modules of that name the one in the nearest of the file's own folders is meant, else
    none. A name of one word is a module beside the file or in a folder of sources.
    """
    name = module_name.lstrip(".")
    if dots := len(module_name) - len(name):
        folders_above = list(parents(file))
        is_inside = dots <= len(folders_above)
        return _python_at(modules, folders_above[dots - 1], *name.split(".")) if is_inside else None
    if name.partition(".")[0] in sys.stdlib_module_names:
        return None
    near = set(parents(file))
    candidates = [
        (folder, path)
        for folder, path in modules.python.get(name, ())
        if folder in {"", _ABOVE} or _python_at(modules, folder) is None
    ]
    if "." not in name:
        near_folders = {*near, _ABOVE}
        candidates = [
            (folder, path)
            for folder, path in candidates
            if folder in near_folders or folder.rpartition("/")[2] in SOURCE_FOLDERS
        ]
    best_nearness = max((_nearness(folder, near) for folder, _ in candidates), default=0)
    nearest = sorted(
        {path for folder, path in candidates if _nearness(folder, near) == best_nearness}
    )
    return _single(nearest) or _single([path for path in nearest if path.endswith(".py")])


def python_child(modules: Modules, file: str, name: str) -> str | None:
    """The file of a module inside of a package, by the package's `__init__.py`."""
    folder, _, file_name = file.rpartition("/")
    return _python_at(modules, folder, name) if file_name.startswith("__init__.") else None


def _nearness(above: str, near: set[str]) -> int:
    return len(above) + 1 if above in near else 0


def _python_at(modules: Modules, *parts: str) -> str | None:
    path = posixpath.join(*parts).rstrip("/")
    files = (f"{path}.py", f"{path}/__init__.py", f"{path}.pyi", f"{path}/__init__.pyi")
    return next((place for file in files if (place := file.lstrip("/")) in modules.files), None)


# JavaScript and TypeScript


def script_module(modules: Modules, file: str, module_name: str) -> str | None:
    """The file of a module that is imported by its place, or by the name of its package."""
    key = (posixpath.dirname(file), module_name)
    known = modules.packages.known
    if key not in known:
        known[key] = file_at(modules.packages.places(file, module_name), modules.files)
    return known[key]


# Go


def go_folder(modules: Modules, package_path: str) -> str | None:
    """The folder of a Go package; it need not hold any file."""
    for module, manifest in modules.go:
        if package_path == module or package_path.startswith(f"{module}/"):
            return manifest.place(package_path[len(module) :].lstrip("/"))
    return None


# C and C++


def include_file(modules: Modules, file: str, include: str) -> str | None:
    """The file of an include: beside the file, else the only one whose path ends like it.

    Of several the only one in a folder `include` is meant: others are copies for other builds. Else
    it is the one beside the file, also for `<name>`.
    """
    name = posixpath.normpath(include.strip("<>"))
    neighbour = posixpath.normpath(posixpath.join(posixpath.dirname(file), name))
    if neighbour in modules.files and not include.startswith("<"):
        return neighbour
    for ending in (name, f"include/{name}"):
        if only := _single(modules.endings.get(ending, [])):
            return only
    return neighbour if neighbour in modules.files else None


# Ruby


def required_file(modules: Modules, file: str, statement: str) -> str | None:
    """The file of `require_relative "x"`, beside the file, or of `require "app/x"`, below `lib`.

    Of several folders `lib` the one beside the nearest of the file's own folders is meant.
    """
    match = _REQUIRE.match(statement)
    if match is None:
        return None
    name = posixpath.normpath(match["name"].removesuffix(".rb") + ".rb")
    if match["relative"]:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(file), name))
        return path if path in modules.files else None
    near = set(parents(file))
    return only_nearest(
        modules.endings.get(f"lib/{name}", ()),
        lambda path: _nearness(path.removesuffix(f"lib/{name}").rstrip("/"), near),
    )


# Rust


def crate_root(modules: Modules, file: str) -> str:
    """The root file of a file's crate; a test or binary of its own is its own."""
    for folder in parents(file):
        parent_folder, _, name = folder.rpartition("/")
        has_source_folder = posixpath.join(parent_folder, "src") in modules.crate_roots
        if name in _CRATES_OF_THEIR_OWN and has_source_folder:
            return file
        if name == "bin" and parent_folder in modules.crate_roots:
            return file
        if folder in modules.crate_roots:
            return modules.crate_roots[folder]
    return file


def rust_above(modules: Modules, file: str, word: str) -> str | None:
    """The file that `self`, `super` or `crate` means in a file; None for any other word."""
    if word == "super":
        return rust_parent(modules, file)
    if word == "crate":
        return crate_root(modules, file)
    return file if word == "self" else None


def rust_child(modules: Modules, file: str, name: str) -> str | None:
    """The file of a module's child module."""
    folder, _, file_name = file.rpartition("/")
    stem = file_name.removesuffix(".rs")
    if stem != "mod" and file_name not in _CRATE_ROOTS and crate_root(modules, file) != file:
        folder = posixpath.join(folder, stem)
    candidates = [posixpath.join(folder, f"{name}.rs"), posixpath.join(folder, name, "mod.rs")]
    return next((path for path in candidates if path in modules.files), None)


def rust_parent(modules: Modules, file: str) -> str | None:
    """The file of a module's parent module."""
    folder, _, file_name = file.rpartition("/")
    if file_name == "mod.rs":
        folder = folder.rpartition("/")[0]
    candidates = [
        f"{folder}.rs",
        *(posixpath.join(folder, name) for name in ("mod.rs", *_CRATE_ROOTS)),
    ]
    return next((path for path in candidates if path in modules.files and path != file), None)


def only_nearest(paths: Iterable[str], nearness: Callable[[str], int]) -> str | None:
    """The path that is nearest by a measure; None where two are as near, or there is none."""
    by_nearness: dict[int, list[str]] = {}
    for path in paths:
        by_nearness.setdefault(nearness(path), []).append(path)
    return _single(by_nearness[max(by_nearness)]) if by_nearness else None


def _single(paths: Sequence[str]) -> str | None:
    return paths[0] if len(paths) == 1 else None
