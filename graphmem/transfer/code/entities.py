"""A folder of code becomes rows: an entity for each file and symbol, then their links."""

from collections.abc import Collection, Iterator
from dataclasses import replace

from graphmem import text
from graphmem.errors import InvalidInput
from graphmem.importing.refusing import Refused, refused
from graphmem.importing.row import LeftOut, Row
from graphmem.importing.walking import with_progress
from graphmem.model import Entity, Relation, limits
from graphmem.model.visible import on_one_line
from graphmem.progress import Progress
from graphmem.transfer.code.files.folder import LINE_BYTES, CodeFile, Folder, Minified, source_of
from graphmem.transfer.code.files.licence_headers import without_licence_header
from graphmem.transfer.code.links import End, Link, links
from graphmem.transfer.code.modules.files import modules_of
from graphmem.transfer.code.modules.module_names import file_names, module_names
from graphmem.transfer.code.outlines.names import is_telling
from graphmem.transfer.code.outlines.outline import Outline, Source, Symbol
from graphmem.transfer.code.outlines.reading import outline_of
from graphmem.transfer.code.resolution.index import index_of
from graphmem.transfer.code.resolution.resolver import Resolver
from graphmem.transfer.code.resolution.swift import module_folder, package_folders

TITLE_CHARACTERS = 200
TEXT_BYTES = limits.TEXT_BYTES - 1024
# A script or a stylesheet that is longer was made by a program; each 1 KiB is a passage to embed.
UNPARSED_BYTES = 64 * 1024
MINIFIED = f"minified, with much of it on lines of more than {LINE_BYTES:,} bytes"


def rows_of(folder: Folder, progress: Progress) -> Iterator[Row]:
    """Read the files of a folder: the entities of each as it is read, all links at the end.

    A link may lead to any file, so what each file names is kept until all are read, its text not.
    """
    yield from folder.refused
    outlines: list[Outline] = []
    names = _Names()
    packages = package_folders(file.path for file in folder.files)
    for file in with_progress(folder.files, progress):
        try:
            outline = _read_outline(file, packages)
        except (InvalidInput, Refused) as error:
            yield refused(file.path, error)
        except Minified:
            yield Row(file.path, LeftOut(MINIFIED))
        else:
            yield from _entities(outline, names)
            if outline.language.is_parsed:
                outlines.append(outline.without_text())
    resolver = Resolver(
        index_of(outlines), modules_of(folder.root.name, outlines, folder.manifests)
    )
    for link in links(resolver):
        yield from _relation(link, names)


def _read_outline(file: CodeFile, packages: Collection[str]) -> Outline:
    """Read a file; one of Swift belongs to the module of its folder.

    Args:
        file: Which.
        packages: The folders that are packages of Swift.
    """
    limits.label("path", file.path)
    outline = outline_of(file, source_of(file.file))
    is_swift = file.language.family == "swift"
    return replace(outline, package=module_folder(file.path, packages)) if is_swift else outline


class _Names:
    """The names of entities, each given once: the second of two gets `~2` at its end."""

    def __init__(self) -> None:
        self._last_numbers: dict[str, int] = {}
        self._of: dict[End, str] = {}

    def give(self, end: End, proposal: str) -> str:
        """The name of a file or symbol."""
        folded_name = text.normalised(proposal)
        number = self._last_numbers[folded_name] = self._last_numbers.get(folded_name, 0) + 1
        self._of[end] = proposal if number == 1 else f"{proposal}~{number}"
        return self._of[end]

    def drop(self, end: End) -> None:
        """Forget a name whose entity was refused."""
        del self._of[end]

    def of(self, end: End) -> str | None:
        """The name that was given, or None where the entity was refused."""
        return self._of.get(end)


def _entities(outline: Outline, names: _Names) -> Iterator[Row]:
    short = outline.path.rpartition("/")[2]
    most = TEXT_BYTES if outline.language.is_parsed else UNPARSED_BYTES
    yield _entity(
        names,
        outline.path,
        outline.path,
        f"{outline.path}:1",
        {
            "kind": "File",
            "text": _shorten(without_licence_header(outline.text), most),
            "aliases": file_names(outline),
            "source": outline.path,
            "attributes": {
                "path": outline.path,
                "symbol": short,
                "language": outline.language.name,
                "start_line": 1,
                "end_line": max(1, outline.lines),
                "test": outline.test,
            },
        },
    )
    # The constant `runFinder` must not take the name of the function `RunFinder`, nor the method
    # `plan` without a body that of the type `Plan`.
    for symbol in sorted(
        outline.symbols, key=lambda symbol: symbol.abstract or symbol.kind == "Constant"
    ):
        qualified_name = outline.language.separator.join(symbol.path)
        place = f"{outline.path}:{symbol.first_line}"
        fields = _fields(symbol, qualified_name, outline)
        name = f"{outline.path}{text.SYMBOL_MARK}{qualified_name}"
        yield _entity(names, symbol, name, place, fields)


def _entity(names: _Names, end: End, proposal: str, place: str, fields: dict[str, object]) -> Row:
    name = names.give(end, proposal)
    try:
        return Row(place, Entity.from_json({"name": name, **fields}))
    except InvalidInput as error:
        names.drop(end)
        return refused(place, error, name=name)


def _fields(symbol: Symbol, qualified_name: str, outline: Outline) -> dict[str, object]:
    source = outline.sources[symbol]
    if symbol is outline.symbols[0]:  # the comment above it may be the file's header
        source = Source(*map(without_licence_header, (source.text, source.code or "")))
    return {
        "kind": symbol.kind,
        "title": on_one_line(symbol.signature)[:TITLE_CHARACTERS] or qualified_name,
        "text": _shorten(source.text),
        "aliases": _aliases(symbol, qualified_name, outline),
        "source": outline.path,
        "attributes": {
            "path": outline.path,
            "symbol": qualified_name,
            "language": outline.language.name,
            "start_line": symbol.first_line,
            "end_line": symbol.last_line,
            "signature": symbol.signature,
            "test": symbol.test,
            "code": _shorten(source.code) if source.code else None,
        },
    }


def _aliases(symbol: Symbol, qualified_name: str, outline: Outline) -> list[str]:
    """What people call a symbol: `Server.handleSearch`, `handleSearch`; `search()`, not `search`.

    A name of one word would be found whole in every question that has the word. The name of a
    constructor is that of its type alone. A member of a type in another one, or in a module, is
    called by its own type as well. What stands in no type is also called by its module, as
    `url.parse`, unless it is a test.
    """
    short_name = symbol.short if is_telling(symbol.short) else f"{symbol.short}()"
    is_constructor = symbol.kind == "Method" and symbol.path[-2:-1] == symbol.path[-1:]
    long_name = qualified_name if len(symbol.path) > 1 else ""
    separator = outline.language.separator
    of_its_type = separator.join(symbol.path[-2:]) if len(symbol.path) > 1 else ""
    names = [long_name, of_its_type, "" if is_constructor else short_name]
    if len(symbol.path) == 1 and not symbol.test:
        names += [f"{module}{separator}{symbol.short}" for module in module_names(outline)]
    return [name for name in dict.fromkeys(names) if name]


def _shorten(text: str, most: int = TEXT_BYTES) -> str:
    """A text of so many bytes, about 1 MiB; code of that size has no more to say."""
    encoded = text.encode()
    return text if len(encoded) <= most else encoded[:most].decode("utf-8", "ignore")


def _relation(link: Link, names: _Names) -> Iterator[Row]:
    start, end = names.of(link.start), names.of(link.end)
    if start is None or end is None:
        return
    file = link.start if isinstance(link.start, str) else link.start.file
    relation = Relation(start, link.relation, end, note=link.note, weight=link.weight, source=file)
    yield Row(file, relation)
