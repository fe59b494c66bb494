"""What an import means, in each language's own way of naming modules."""

from typing import Protocol

from graphmem.transfer.code import modules as files
from graphmem.transfer.code.index import Index
from graphmem.transfer.code.modules import Modules
from graphmem.transfer.code.outline import Import, Outline, Path, Symbol
from graphmem.transfer.code.places import OUTSIDE, Module, Nowhere, Place


class Names(Protocol):
    """Knows what names mean in a file."""

    index: Index
    modules: Modules

    def walk(self, outline: Outline, origin: Symbol | None, path: Path) -> Place:
        """What a path of names means."""

    def step(self, place: Symbol | Module, name: str) -> Place:
        """What a name means right after a symbol or a module."""


def meant(names: Names, outline: Outline, said: Import) -> Place:
    """What an import means: a symbol, a module, or OUTSIDE for what the folder does not hold."""
    match outline.language.family:
        case "java":
            return _java(names, tuple(said.module.split(".")))
        case "go":
            folder = files.go_folder(names.modules, said.module)
            package = None if folder is None else ("go", folder)
            return Module(package=package) if package in names.index.packages else OUTSIDE
        case "rust":
            return _rust(names, outline, said)
    file = module_file(names, outline, said)
    if said.name is None and not said.default:
        return OUTSIDE if file is None else Module(file)
    if file is None:
        return _python_child(names, outline, said)
    name = said.name or said.alias or ""
    if said.default or name == "default":
        name = names.index.outlines[file].default or said.alias or ""
    return names.step(Module(file), name)


def module_file(names: Names, outline: Outline, said: Import) -> str | None:
    """The file of the module that an import names, whatever it takes of it."""
    match outline.language.family:
        case "python":
            return files.python_module(names.modules, outline.path, said.module)
        case "ecmascript":
            return files.script_module(names.modules, outline.path, said.module)
        case "c":
            return files.included(names.modules, outline.path, said.module)
        case "rust":
            place = names.walk(outline, None, tuple(said.module.split("::")))
            return place.file if isinstance(place, Module) else None
        case _:
            return None


def _python_child(names: Names, outline: Outline, said: Import) -> Place:
    if outline.language.family != "python":
        return OUTSIDE
    dot = "" if said.module.endswith(".") else "."
    file = files.python_module(names.modules, outline.path, f"{said.module}{dot}{said.name}")
    return OUTSIDE if file is None else Module(file)


def _rust(names: Names, outline: Outline, said: Import) -> Place:
    path = (*said.module.split("::"), *(() if said.name is None else (said.name,)))
    place = names.walk(outline, None, path)
    if isinstance(place, Nowhere) and path[0] == "super" and len(path) > 1:
        # In a module inside of a file, what is above is the file itself.
        place = names.walk(outline, None, ("self", *path[1:]))
    return OUTSIDE if isinstance(place, Nowhere) else place


def _java(names: Names, path: Path) -> Place:
    for end in range(len(path), 0, -1):
        package = ("java", ".".join(path[:end]))
        if package in names.index.packages:
            place: Place = Module(package=package)
            for name in path[end:]:
                place = OUTSIDE if isinstance(place, Nowhere) else names.step(place, name)
            return place
    return OUTSIDE
