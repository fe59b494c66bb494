"""What is added to a type from outside of its file: methods, in Swift also types and bases."""

from collections.abc import Iterator

from graphmem.transfer.code.outlines.names import is_telling
from graphmem.transfer.code.outlines.outline import Outline, Path, Symbol, Use
from graphmem.transfer.code.resolution.index import Index, packages_around
from graphmem.transfer.code.resolution.name_resolver import NameResolver
from graphmem.transfer.code.resolution.namesakes import Overloads, nearest, only_meaning
from graphmem.transfer.code.resolution.referents import symbols_of, type_or_none
from graphmem.transfer.code.resolution.sites import Site

# Methods of many types of .NET whose names are as telling.
_OF_DOTNET = frozenset(
    {"AddRange", "AsEnumerable", "AsReadOnly", "AsSpan", "ContainsKey", "CopyTo", "ElementAt",
     "EndsWith", "FindAll", "FindIndex", "FindLast", "FirstOrDefault", "ForEach", "GetHashCode",
     "GetOrAdd", "GetService", "GetType", "GetValueOrDefault", "GroupBy", "IndexOf", "LastIndexOf",
     "LastOrDefault", "MaxBy", "MinBy", "OrderBy", "OrderByDescending", "RemoveAll", "RemoveAt",
     "SelectMany", "SequenceEqual", "SingleOrDefault", "StartsWith", "ThenBy", "ToArray",
     "ToDictionary", "ToHashSet", "ToList", "ToLookup", "ToLower", "ToString", "ToUpper", "TrimEnd",
     "TrimStart", "TryAdd", "TryGetValue", "TryParse"}
)  # fmt: skip
# Types of C# that are asked for their own methods, as in `string.IsNullOrEmpty(name)`.
_KEYWORDS = frozenset({"bool", "char", "decimal", "double", "float", "int", "long", "string"})


def add_members(resolver: NameResolver) -> None:
    """Note which type each member belongs to that stands in another file."""
    index = resolver.index
    for member in index.homeless():
        outline = index.outlines[member.file]
        owner = type_or_none(resolver.walk(Site(outline), member.path[:-1]))
        is_swift = outline.language.family == "swift"
        if is_swift and owner is None:
            owner = index.foreign_type(outline, member.path[:-1])
        if owner is None or _is_around(index, member, owner):
            continue
        if is_swift:
            index.add_member(owner, member)
        # What stands in an object without a class of its own is called by the object's name.
        elif owner.short == member.path[-2]:
            index.add_outside(owner, member, added=outline.language.name == "kotlin")


def _is_around(index: Index, member: Symbol, owner: Symbol) -> bool:
    """Whether a type stands in its own member, as names that mean each other would have it."""
    around: Symbol | None = owner
    while around is not None and around is not member:
        around = index.owners.get(around)
    return around is member


def heir_of(resolver: NameResolver, outline: Outline, use: Use) -> Symbol | None:
    """The symbol that a use starts from: of an extension's base the type, wherever that is."""
    referent = None if use.heir is None else resolver.walk(Site(outline, use.origin), use.heir)
    return type_or_none(referent) or use.origin


def bases_by_extension(resolver: NameResolver) -> Iterator[tuple[Symbol, Outline, Path]]:
    """The types that inherit by an extension, its file, and the names of what they inherit."""
    for outline in resolver.index.outlines.values():
        for use in outline.uses:
            if use.heir is not None and (heir := heir_of(resolver, outline, use)) is not None:
                yield heir, outline, use.path


def note_added(resolver: NameResolver) -> None:
    """Note which type each extension method of C# is added to, as far as the folder has it."""
    index = resolver.index
    for outline in index.outlines.values():
        for method in outline.symbols if outline.language.name == "csharp" else ():
            if method.extended is not None:
                key = (extended_type(resolver, method), method.short)
                index.added.setdefault(key, []).append(method)


def extended_type(resolver: NameResolver, function: Symbol) -> Symbol | None:
    """The type that Kotlin or C# adds a function to; None for one of another library."""
    if function.extended is None:
        return None
    index = resolver.index
    site = Site(index.outlines[function.file], index.owners.get(function))
    return type_or_none(resolver.walk(site, function.extended))


def is_called_on_object(index: Index, function: Symbol, path: Path) -> bool:
    """Whether the object of a call is the first argument of an extension method of C#."""
    if function.extended is None or index.family_of(function) != "csharp":
        return False
    owner = index.owners.get(function)
    return len(path) > 1 and (owner is None or path[-2] != owner.short)


def added_function(resolver: NameResolver, site: Site, path: Path) -> Symbol | Overloads | None:
    """What a call means if its object is of another library, or of an unknown type.

    It is a function that Kotlin or C# adds to a type.
    """
    if len(path) == 1:
        return None
    language = site.outline.language.name
    if language == "kotlin":
        return _added_in_kotlin(resolver, site, path[-1])
    if language == "csharp" and path[-2] not in _KEYWORDS:
        return _added_in_csharp(resolver, site.outline, path[-1])
    return None


def _added_in_csharp(
    resolver: NameResolver, outline: Outline, name: str
) -> Symbol | Overloads | None:
    """An extension method of a name of several words, in a namespace that the file sees."""
    methods = resolver.index.added.get((None, name), ())
    if not methods or not is_telling(name) or name in _OF_DOTNET:
        return None
    namespaces = {namespace for _, namespace in packages_around(outline)}
    namespaces.update(statement.module for statement in outline.imports if statement.wildcard)
    outlines = resolver.index.outlines
    return only_meaning(
        [method for method in methods if outlines[method.file].package in namespaces]
    )


def _added_in_kotlin(resolver: NameResolver, site: Site, name: str) -> Symbol | Overloads | None:
    """A function that the file, or a class around the call, adds to a type, or an imported one."""
    index = resolver.index
    around = None if site.origin is None else index.owners.get(site.origin)
    while around is not None:
        members = index.members.get(around, {}).get(name, ())
        if added := [member for member in members if member.extended is not None]:
            return nearest(added)
        around = index.owners.get(around)
    imported = resolver.imported(site.outline, name)
    symbols = symbols_of(imported) or index.top_level.get((site.outline.path, name), ())
    return nearest([symbol for symbol in symbols if symbol.extended is not None])
