"""What stands outside of its type's file: methods, and in Swift also nested types and bases."""

from collections.abc import Iterator, Sequence

from graphmem.transfer.code.outlines.outline import Outline, Path, Symbol, Use
from graphmem.transfer.code.resolution.index import Index, Overloads, nearest
from graphmem.transfer.code.resolution.name_resolver import NameResolver


def add_members(resolver: NameResolver) -> None:
    """Note which type each member belongs to that stands in another file."""
    index = resolver.index
    for member in index.homeless():
        outline = index.outlines[member.file]
        owner = resolver.walk(outline, None, member.path[:-1])
        is_swift = outline.language.family == "swift"
        if is_swift and not (isinstance(owner, Symbol) and owner.is_type):
            owner = index.foreign_type(outline, member.path[:-1])
        if not isinstance(owner, Symbol) or not owner.is_type or _is_around(index, member, owner):
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
    referent = None if use.heir is None else resolver.walk(outline, use.origin, use.heir)
    return referent if isinstance(referent, Symbol) and referent.is_type else use.origin


def bases_by_extension(resolver: NameResolver) -> Iterator[tuple[Symbol, Outline, Path]]:
    """The types that inherit by an extension, its file, and the names of what they inherit."""
    for outline in resolver.index.outlines.values():
        for use in outline.uses:
            if use.heir is not None and (heir := heir_of(resolver, outline, use)) is not None:
                yield heir, outline, use.path


def of_kotlin(
    resolver: NameResolver, outline: Outline, origin: Symbol | None, path: Path
) -> Symbol | Overloads | None:
    """What a call means in Kotlin if its object is of another library, or of an unknown type.

    It is a function that the file, or a class around the call, adds to a type, or one that is
    imported by its name.
    """
    if outline.language.name != "kotlin" or len(path) == 1:
        return None
    index, name = resolver.index, path[-1]
    around = None if origin is None else index.owners.get(origin)
    while around is not None:
        members = index.members.get(around, {}).get(name, ())
        if added := [member for member in members if member.extended is not None]:
            return nearest(added)
        around = index.owners.get(around)
    imported = resolver.imported(outline, name)
    if isinstance(imported, Overloads):
        symbols: Sequence[Symbol] = imported.symbols
    elif isinstance(imported, Symbol):
        symbols = (imported,)
    else:
        symbols = index.top_level.get(outline.path, {}).get(name, ())
    return nearest([symbol for symbol in symbols if symbol.extended is not None])
