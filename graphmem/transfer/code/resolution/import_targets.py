"""What an import means, in each language's own way of naming modules."""

from collections.abc import Iterator

from graphmem.transfer.code.languages import Family
from graphmem.transfer.code.modules import files
from graphmem.transfer.code.outlines.outline import Import, Outline, Path
from graphmem.transfer.code.resolution.index import (
    DEEPEST_NAMESPACE,
    Package,
    nearest,
    packages_around,
)
from graphmem.transfer.code.resolution.names import Names
from graphmem.transfer.code.resolution.php_names import from_root, whole_name
from graphmem.transfer.code.resolution.places import OUTSIDE, Module, Nowhere, Place
from graphmem.transfer.code.resolution.swift import nearest_module


def resolve(names: Names, outline: Outline, statement: Import) -> Place:
    """What an import means: a symbol, a module, or OUTSIDE for what the folder does not hold."""
    match outline.language.family:
        case "java" | "csharp" as family:
            # What Kotlin has in a companion belongs to the type.
            parts = (part for part in statement.module.split(".") if part != "Companion")
            return _of_package(names, family, tuple(parts))
        case "php":
            return from_root(names, whole_name(statement))
        case "swift":
            return swift_module(names, outline, statement.module.partition(".")[0])
        case "go":
            return _go(names, statement)
        case "rust":
            return _rust(names, outline, statement)
        case _:
            return _of_file(names, outline, statement)


def _go(names: Names, statement: Import) -> Place:
    folder = files.go_folder(names.modules, statement.module)
    package = None if folder is None else ("go", folder)
    return Module(package=package) if package in names.index.packages else OUTSIDE


def _of_file(names: Names, outline: Outline, statement: Import) -> Place:
    """What an import means in a language whose modules are files."""
    file = module_file(names, outline, statement)
    if statement.name is None and not statement.default:
        return OUTSIDE if file is None else Module(file)
    if file is None:
        return _python_child(names, outline, statement)
    if statement.default or statement.name == "default":
        return _default(names, file, statement)
    place = names.step(Module(file), statement.name or "")
    # Tests may have packages of the same names, which have other modules.
    return _python_child(names, outline, statement) if place is OUTSIDE else place


def _default(names: Names, file: str, statement: Import) -> Place:
    """What a module exports by default, which it may pass on from another module."""
    place = names.step(Module(file), names.index.outlines[file].default or "default")
    # Where it has no name of its own, what is called there as here is likely meant.
    return names.step(Module(file), statement.alias or "") if place is OUTSIDE else place


def module_file(names: Names, outline: Outline, statement: Import) -> str | None:
    """The file of the module that an import names, whatever it takes of it."""
    match outline.language.family:
        case "python":
            return files.python_module(names.modules, outline.path, statement.module)
        case "ecmascript":
            return files.script_module(names.modules, outline.path, statement.module)
        case "c":
            return files.include_file(names.modules, outline.path, statement.module)
        case "ruby":
            return files.required_file(names.modules, outline.path, statement.module)
        case "rust":
            place = names.walk(outline, None, tuple(statement.module.split("::")))
            return place.file if isinstance(place, Module) else None
        case _:
            return None


def _python_child(names: Names, outline: Outline, statement: Import) -> Place:
    if outline.language.family != "python":
        return OUTSIDE
    dot = "" if statement.module.endswith(".") else "."
    file = files.python_module(
        names.modules, outline.path, f"{statement.module}{dot}{statement.name}"
    )
    return OUTSIDE if file is None else Module(file)


def _rust(names: Names, outline: Outline, statement: Import) -> Place:
    path = (*statement.module.split("::"), *(() if statement.name is None else (statement.name,)))
    # `mod sleep; use sleep::sleep;` has a module and a function of the name.
    below = path[1:] if path[0] == "self" else path
    is_own = below and below[0] == (statement.alias or statement.name)
    child = files.rust_child(names.modules, outline.path, below[0]) if is_own else None
    if child is not None:
        return _steps(names, Module(child), below[1:])
    place = names.walk(outline, None, path)
    if isinstance(place, Nowhere) and path[0] == "super" and len(path) > 1:
        # In a module inside of a file, what is above is the file itself.
        place = names.walk(outline, None, ("self", *path[1:]))
    return OUTSIDE if isinstance(place, Nowhere) else place


def packaged(names: Names, outline: Outline, path: Path) -> Place:
    """What a path means that begins with a package: in C# also one as seen from its own."""
    family = outline.language.family
    if family == "swift" and len(path) > 1:
        return _steps(names, swift_module(names, outline, path[0]), path[1:])
    if family not in {"java", "csharp"} or len(path) == 1:
        return OUTSIDE
    for _, package in packages_around(outline) if family == "csharp" else ():
        place = _of_package(names, family, (*filter(None, package.split(".")), *path))
        if not isinstance(place, Nowhere):
            return place
    return _of_package(names, family, path)


def _of_package(names: Names, family: Family, path: Path) -> Place:
    """What a path means that begins with the longest name of a package that it can."""
    for end in range(min(len(path), 2 * DEEPEST_NAMESPACE), 0, -1):
        package = (family, ".".join(path[:end]))
        if package in names.index.packages:
            return _steps(names, Module(package=package), path[end:])
    return OUTSIDE


def _steps(names: Names, place: Place, path: Path) -> Place:
    for name in path:
        place = OUTSIDE if isinstance(place, Nowhere) else names.step(place, name)
    return place


def swift_module(names: Names, outline: Outline, name: str) -> Place:
    """The module of Swift that a file calls so."""
    folder = nearest_module(names.index.modules.get(name, ()), outline.path)
    return OUTSIDE if folder is None else Module(package=("swift", folder))


def in_package(names: Names, package: Package, name: str) -> Place:
    """What a name means that follows that of a package."""
    packages = packages_with(names, package) if package[0] == "swift" else (package,)
    for visible_package in packages:
        symbol = nearest(names.index.packages.get(visible_package, {}).get(name, ()))
        if symbol is not None:
            return symbol
    return OUTSIDE


def packages_with(names: Names, package: Package) -> Iterator[Package]:
    """A package, and those that whoever imports it imports with it."""
    queue, visited = [package], {package}
    while queue:
        next_package = queue.pop(0)
        yield next_package
        for outline, statement in names.index.exports.get(next_package, ()):
            place = swift_module(names, outline, statement.module.partition(".")[0])
            if isinstance(place, Module) and place.package and place.package not in visited:
                visited.add(place.package)
                queue.append(place.package)
