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

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from graphmem.adapters.rye.importer import directive, knowledge, metadata, tool
from graphmem.adapters.rye.importer.entity import entity_of
from graphmem.adapters.rye.importer.folders import ItemFile, item_files
from graphmem.adapters.rye.importer.item import ParsedItem
from graphmem.adapters.rye.importer.links import (
    MOST_LINKS,
    SYSTEM,
    ItemIndex,
    Link,
    without_repetitions,
)
from graphmem.adapters.rye.items import name_of
from graphmem.errors import InvalidInput
from graphmem.importing.format import Format
from graphmem.importing.reading import text_of
from graphmem.importing.refusing import Names, Refused, refused
from graphmem.importing.row import Row
from graphmem.importing.walking import with_progress
from graphmem.model import Relation, limits
from graphmem.progress import SILENT, Progress


def rows(path: Path, progress: Progress = SILENT) -> Iterator[Row]:
    """Read every item of the `.ai` folders at or below a path, the entities before the relations.

    Raises:
        InvalidInput: There is no `.ai` folder.
    """
    files, passed_over = item_files(path)
    yield from passed_over
    names = Names()
    links: dict[ItemFile, Sequence[Link]] = {}
    for file in with_progress(files, progress):
        yield from _file(file, names, links)
    yield from _relations(links)


FORMAT = Format(
    rows,
    "RyeOS's directives, tools and knowledge, of every .ai folder at or below a path",
    whole=True,
)


def _file(file: ItemFile, names: Names, links: dict[ItemFile, Sequence[Link]]) -> Iterator[Row]:
    """The rows of a file, whose links are noted; none of one that is no item."""
    try:
        item = _read_item(file, text_of(file.file, limit=limits.TEXT_BYTES).replace("\0", ""))
        if item is None or (file.file.path.name.startswith("_") and not item.fields):
            return
        item_entity = entity_of(file, item)
    except (Refused, InvalidInput) as error:
        yield _refusal(file, error)
        return
    owner = names.owner(item_entity.name, file.place)
    if owner != file.place:
        reason = f"{owner} is the {file.item_type} {file.id} already; rename one of them"
        yield _refusal(file, reason)
        return
    links[file] = without_repetitions(item.links)
    yield Row(file.place, item_entity)
    if len(item.links) == MOST_LINKS:
        reason = f"only its first {MOST_LINKS:,} links to other items are kept"
        yield refused(file.place, reason, sort="relation", name=item_entity.name)
    if item.problem is not None:
        reason = f"{item.problem}; its text is kept, metadata and links may be missing"
        line = item.problem.line or 1
        yield refused(file.place, reason, sort="relation", name=item_entity.name, line=line)


def _refusal(file: ItemFile, reason: object) -> Row:
    return refused(file.place, reason, name=name_of(file.item_type, file.id))


def _read_item(file: ItemFile, content: str) -> ParsedItem | None:
    content, signed_at = metadata.split_signature(content)
    item: ParsedItem | None
    if file.item_type == "directive":
        item = directive.read(content)
    elif file.item_type == "tool":
        item = tool.read(content, file.file.path.suffix)
    elif file.file.path.suffix == ".md":
        item = knowledge.read(content)
    else:
        item = knowledge.read_whole(content)
    if item is None or signed_at is None or not item.fields:
        return item
    return replace(item, fields={**item.fields, "signed_at": signed_at})


def _relations(links: Mapping[ItemFile, Sequence[Link]]) -> Iterator[Row]:
    index = ItemIndex()
    for file in links:
        index.add(file.item_type, file.id)
    lacks_system = index.lacks_the_system()
    for file, links_of_file in links.items():
        start = name_of(file.item_type, file.id)
        for link in links_of_file:
            item_type, item_id = index.end(link, file.id)
            end = name_of(item_type, item_id)
            if end == start or (lacks_system and item_id.startswith(SYSTEM)):
                continue
            fields = {"from": start, "relation": link.relation, "to": end, "note": link.note}
            try:
                yield Row(f"{file.place}:{link.line}", Relation.from_json(fields))
            except InvalidInput as error:
                yield refused(file.place, error, sort="relation", name=start, line=link.line)
