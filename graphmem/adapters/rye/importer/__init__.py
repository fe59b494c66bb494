"""RyeOS's items: directives, tools and knowledge in `.ai` folders, one entity an item.

Every `.ai` folder at or below the path is read. An item's id is its path below the folder of its
type without the ending, `rye/file-system/read`; its entity is called `tool/rye/file-system/read`,
since a directive, a tool and a knowledge entry may share an id, which is an alias and an attribute.
A second file of the same type and id is refused: the first by path is the item.

The metadata are a directive's XML (`directive`), a tool's names such as `__version__` or its YAML
(`tool`), and a knowledge entry's YAML (`knowledge`). What the item says beside them is its text,
its description an observation of its own, its folder the category (`entity`). A file whose name
begins with `_` is an item only where it says metadata. What one item says of another becomes a
relation (`links`); links to RyeOS's own items are left out where the import has none of these.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from graphmem.adapters.kit.format import Format
from graphmem.adapters.kit.reading import text_of
from graphmem.adapters.kit.refusing import Names, Refused, refused
from graphmem.adapters.kit.row import Row
from graphmem.adapters.kit.walking import with_progress
from graphmem.adapters.rye.importer import directive, knowledge, metadata, tool
from graphmem.adapters.rye.importer.entity import entity
from graphmem.adapters.rye.importer.folders import Found, find
from graphmem.adapters.rye.importer.item import ParsedItem
from graphmem.adapters.rye.importer.links import MOST_LINKS, SYSTEM, Known, Link, distinct
from graphmem.adapters.rye.items import name_of
from graphmem.errors import InvalidInput
from graphmem.model import Entity, Relation, limits
from graphmem.progress import SILENT, Progress


def rows(path: Path, progress: Progress = SILENT) -> Iterator[Row]:
    """Read every item of the `.ai` folders at or below a path, the entities before the relations.

    Raises:
        InvalidInput: There is no `.ai` folder.
    """
    files, passed_over = find(path)
    yield from passed_over
    names = Names()
    read: list[tuple[Found, Sequence[Link]]] = []
    for found in with_progress(files, progress):
        for row, links in _file(found, names):
            yield row
            if isinstance(row.value, Entity):
                read.append((found, links))
    yield from _relations(read)


FORMAT = Format(
    rows,
    "RyeOS's directives, tools and knowledge: every .ai folder at or below a path",
    whole=True,
)


def _file(found: Found, names: Names) -> Iterator[tuple[Row, Sequence[Link]]]:
    """The rows of a file with its links; none of one that is no item."""
    try:
        said = _said(found, text_of(found.file, limit=limits.TEXT_BYTES).replace("\0", ""))
        if said is None or (found.file.path.name.startswith("_") and not said.fields):
            return
        made = entity(found, said)
    except (Refused, InvalidInput) as error:
        yield _refused(found, error), ()
        return
    owner = names.owner(made.name, found.place)
    if owner != found.place:
        reason = f"{owner} is the {found.item_type} {found.id} already; rename one of them"
        yield _refused(found, reason), ()
        return
    yield Row(found.place, made), distinct(said.links)
    if len(said.links) == MOST_LINKS:
        reason = f"only its first {MOST_LINKS:,} links to other items are kept"
        yield refused(found.place, reason, what="relation", name=made.name), ()
    if said.unread is not None:
        reason = f"{said.unread}; its text is kept, metadata and links may be missing"
        line = said.unread.line or 1
        row = refused(found.place, reason, what="relation", name=made.name, line=line)
        yield row, ()


def _refused(found: Found, reason: object) -> Row:
    return refused(found.place, reason, name=name_of(found.item_type, found.id))


def _said(found: Found, content: str) -> ParsedItem | None:
    content, signed_at = metadata.unsigned(content)
    said: ParsedItem | None
    if found.item_type == "directive":
        said = directive.read(content)
    elif found.item_type == "tool":
        said = tool.read(content, found.file.path.suffix)
    elif found.file.path.suffix == ".md":
        said = knowledge.read(content)
    else:
        said = knowledge.read_whole(content)
    if said is None or signed_at is None or not said.fields:
        return said
    return replace(said, fields={**said.fields, "signed_at": signed_at})


def _relations(read: Sequence[tuple[Found, Sequence[Link]]]) -> Iterator[Row]:
    known = Known()
    for found, _ in read:
        known.add(found.item_type, found.id)
    outside = SYSTEM if known.lacks_the_system() else None
    for found, links in read:
        start = name_of(found.item_type, found.id)
        for link in links:
            item_type, item_id = known.end(link, found.id)
            end = name_of(item_type, item_id)
            if end == start or (outside is not None and item_id.startswith(outside)):
                continue
            fields = {"from": start, "relation": link.relation, "to": end, "note": link.note}
            try:
                yield Row(f"{found.place}:{link.line}", Relation.from_json(fields))
            except InvalidInput as error:
                yield refused(found.place, error, what="relation", name=start, line=link.line)
