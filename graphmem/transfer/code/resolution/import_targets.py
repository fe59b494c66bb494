"""What an import means, in each language's own way of naming modules."""

from collections.abc import Iterator

from graphmem.transfer.code.languages import Family
from graphmem.transfer.code.modules import files
from graphmem.transfer.code.outlines.outline import Import, Outline, Path
from graphmem.transfer.code.resolution.index import DEEPEST_NAMESPACE, Package, packages_around
from graphmem.transfer.code.resolution.name_resolver import NameResolver
from graphmem.transfer.code.resolution.namesakes import nearest, only_meaning
from graphmem.transfer.code.resolution.php_names import from_root, whole_name
from graphmem.transfer.code.resolution.referents import OUTSIDE, Module, Referent, Unresolved
from graphmem.transfer.code.resolution.sites import Site
from graphmem.transfer.code.resolution.swift import nearest_module


def resolve(resolver: NameResolver, outline: Outline, statement: Import) -> Referent:
    """What an import means: a symbol, a module, or OUTSIDE for what the folder does not hold."""
    match outline.language.family:
        case "java" | "csharp" as family:
            # What Kotlin has in a companion belongs to the type.
            parts = (part for part in statement.module.split(".") if part != "Companion")
            return _qualified_by_package(resolver, family, tuple(parts))
        case "php":
            return from_root(resolver, whole_name(statement))
        case "swift":
            return swift_module(resolver, outline, statement.module.partition(".")[0])
        case "go":
            return _go(resolver, statement)
        case "rust":
            return _rust(resolver, outline, statement)
        case _:
            return _of_file(resolver, outline, statement)


def _go(resolver: NameResolver, statement: Import) -> Referent:
    folder = files.go_folder(resolver.modules, statement.module)
    package = None if folder is None else ("go", folder)
    return Module(package=package) if package in resolver.index.packages else OUTSIDE


def _of_file(resolver: NameResolver, outline: Outline, statement: Import) -> Referent:
    """What an import means in a language whose modules are files."""
    file = module_file(resolver, outline, statement)
    if statement.name is None and not statement.default:
        return OUTSIDE if file is None else Module(file)
    if file is None:
        return _python_child(resolver, outline, statement)
    if statement.default or statement.name == "default":
        return _default(resolver, file, statement)
    referent = resolver.step(Module(file), statement.name or "")
    # Tests may have packages of the same names, which have other modules.
    return _python_child(resolver, outline, statement) if referent is OUTSIDE else referent


def _default(resolver: NameResolver, file: str, statement: Import) -> Referent:
    """What a module exports by default, which it may pass on from another module."""
    referent = resolver.step(Module(file), resolver.index.outlines[file].default or "default")
    # Where it has no name of its own, what is called there as here is likely meant.
    return resolver.step(Module(file), statement.alias or "") if referent is OUTSIDE else referent


def module_file(resolver: NameResolver, outline: Outline, statement: Import) -> str | None:
    """The file of the module that an import names, whatever it takes of it."""
    match outline.language.family:
        case "python":
            return files.python_module(resolver.modules, outline.path, statement.module)
        case "ecmascript":
            return files.script_module(resolver.modules, outline.path, statement.module)
        case "c":
            return files.include_file(resolver.modules, outline.path, statement.module)
        case "ruby":
            return files.required_file(resolver.modules, outline.path, statement.module)
        case "rust":
            referent = resolver.walk(Site(outline), tuple(statement.module.split("::")))
            return referent.file if isinstance(referent, Module) else None
        case _:
            return None


def _python_child(resolver: NameResolver, outline: Outline, statement: Import) -> Referent:
    if outline.language.family != "python":
        return OUTSIDE
    dot = "" if statement.module.endswith(".") else "."
    file = files.python_module(
        resolver.modules, outline.path, f"{statement.module}{dot}{statement.name}"
    )
    return OUTSIDE if file is None else Module(file)


def _rust(resolver: NameResolver, outline: Outline, statement: Import) -> Referent:
    path = (*statement.module.split("::"), *(() if statement.name is None else (statement.name,)))
    # `mod sleep; use sleep::sleep;` has a module and a function of the name.
    below = path[1:] if path[0] == "self" else path
    is_own = below and below[0] == (statement.alias or statement.name)
    child = files.rust_child(resolver.modules, outline.path, below[0]) if is_own else None
    if child is not None:
        return resolver.step(Module(child), *below[1:])
    site = Site(outline)
    referent = resolver.walk(site, path)
    if isinstance(referent, Unresolved) and path[0] == "super" and len(path) > 1:
        # In a module inside of a file, what is above is the file itself.
        referent = resolver.walk(site, ("self", *path[1:]))
    return OUTSIDE if isinstance(referent, Unresolved) else referent


def qualified_referent(resolver: NameResolver, outline: Outline, path: Path) -> Referent:
    """What a path means that begins with a package: in C# also one as seen from its own."""
    family = outline.language.family
    if family == "c" and len(path) > 1:
        return _qualified_in_cpp(resolver, path)
    if family == "swift" and len(path) > 1:
        return resolver.step(swift_module(resolver, outline, path[0]), *path[1:])
    if family not in {"java", "csharp"} or len(path) == 1:
        return OUTSIDE
    for _, package in packages_around(outline) if family == "csharp" else ():
        referent = _qualified_by_package(
            resolver, family, (*filter(None, package.split(".")), *path)
        )
        if not isinstance(referent, Unresolved):
            return referent
    return _qualified_by_package(resolver, family, path)


def _qualified_by_package(resolver: NameResolver, family: Family, path: Path) -> Referent:
    """What a path means that begins with the longest name of a package that it can."""
    for end in range(min(len(path), 2 * DEEPEST_NAMESPACE), 0, -1):
        package = (family, ".".join(path[:end]))
        if package in resolver.index.packages:
            return resolver.step(Module(package=package), *path[end:])
    return OUTSIDE


def _qualified_in_cpp(resolver: NameResolver, path: Path) -> Referent:
    """What a path of C++ means that begins with all names of a namespace, of whatever file."""
    names = resolver.index.packages.get(("c", ""), {})
    for end in range(1, min(len(path), DEEPEST_NAMESPACE)):
        of_name = names.get(path[end])
        of_namespace = () if of_name is None else of_name.above.get(path[:end], ())
        if of_namespace:
            return resolver.step(only_meaning(of_namespace) or OUTSIDE, *path[end + 1 :])
    return OUTSIDE


def swift_module(resolver: NameResolver, outline: Outline, name: str) -> Referent:
    """The module of Swift that a file calls so."""
    folder = nearest_module(resolver.index.modules.get(name, ()), outline.path)
    return OUTSIDE if folder is None else Module(package=("swift", folder))


def package_member(resolver: NameResolver, package: Package, name: str) -> Referent:
    """What a name means that follows that of a package."""
    packages = packages_with(resolver, package) if package[0] == "swift" else (package,)
    for visible_package in packages:
        symbol = nearest(resolver.index.packages.get(visible_package, {}).get(name, ()))
        if symbol is not None:
            return symbol
    return OUTSIDE


def packages_with(resolver: NameResolver, package: Package) -> Iterator[Package]:
    """A package, and those that whoever imports it imports with it."""
    queue, visited = [package], {package}
    while queue:
        next_package = queue.pop(0)
        yield next_package
        for outline, statement in resolver.index.exports.get(next_package, ()):
            referent = swift_module(resolver, outline, statement.module.partition(".")[0])
            exported = referent.package if isinstance(referent, Module) else None
            if exported and exported not in visited:
                visited.add(exported)
                queue.append(exported)
