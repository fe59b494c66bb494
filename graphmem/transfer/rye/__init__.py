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

from graphmem import text
from graphmem.errors import InvalidInput
from graphmem.model import Entity, Item, Relation, limits
from graphmem.progress import SILENT, Progress
from graphmem.transfer.row import Row
from graphmem.transfer.rye import directive, knowledge, metadata, tool
from graphmem.transfer.rye.entity import entity, name_of
from graphmem.transfer.rye.folders import Found, find
from graphmem.transfer.rye.item import Said
from graphmem.transfer.rye.links import SYSTEM, Known, distinct

__all__ = ["name_of", "rows"]


def rows(path: Path, progress: Progress = SILENT) -> Iterator[Row]:
    """Read every item of the `.ai` folders at or below a path, the entities before the relations.

    Raises:
        InvalidInput: There is no `.ai` folder.
    """
    files = find(path)
    first: dict[str, str] = {}
    read: list[tuple[Found, Said]] = []
    for done, found in enumerate(files, 1):
        for row, said in _file(found, first):
            yield row
            if isinstance(row.value, Entity):
                read.append((found, said))
        progress.advance("Reading files", done, len(files))
    yield from _relations(read)


def _file(found: Found, first: dict[str, str]) -> Iterator[tuple[Row, Said]]:
    """The rows of a file; none of one that is no item."""
    nothing = Said({}, "")
    try:
        said = _said(found, _content(found.file))
        if said is None or (found.file.name.startswith("_") and not said.fields):
            return
        made = entity(found, said)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        yield _refused(found, f"cannot be read: {reason or error}"), nothing
        return
    except InvalidInput as error:
        yield _refused(found, str(error)), nothing
        return
    owner = first.setdefault(text.normalised(made.name), found.place)
    if owner != found.place:
        reason = f"{owner} is the {found.item_type} {found.id} already; rename one of the two"
        yield _refused(found, reason), nothing
        return
    yield Row(found.place, made), said
    if said.unread is not None:
        reason = f"{said.unread.reason}; its text is kept, metadata and links may be missing"
        item = Item("relation", made.name, "refused", reason)
        yield Row(f"{found.place}:{said.unread.line}", item), nothing


def _refused(found: Found, reason: str) -> Row:
    return Row(found.place, Item("entity", name_of(found.item_type, found.id), "refused", reason))


def _content(file: Path) -> str:
    if file.stat().st_size > limits.TEXT_BYTES:
        raise OSError(None, "it has more than 1 MiB")
    content = file.read_text(encoding="utf-8-sig")
    return content.replace("\r\n", "\n").replace("\0", "")


def _said(found: Found, content: str) -> Said | None:
    content, signed_at = metadata.unsigned(content)
    said: Said | None
    if found.item_type == "directive":
        said = directive.read(content)
    elif found.item_type == "tool":
        said = tool.read(content, found.file.suffix)
    elif found.file.suffix == ".md":
        said = knowledge.read(content)
    else:
        said = knowledge.read_whole(content)
    if said is None or signed_at is None or not said.fields:
        return said
    return replace(said, fields={**said.fields, "signed_at": signed_at})


def _relations(read: Sequence[tuple[Found, Said]]) -> Iterator[Row]:
    known = Known()
    for found, _ in read:
        known.ids[found.item_type].add(found.id)
    outside = SYSTEM if known.lacks_the_system() else None
    for found, said in read:
        start = name_of(found.item_type, found.id)
        for link in distinct(said.links):
            item_type, item_id = known.end(link, found.id)
            end = name_of(item_type, item_id)
            if end == start or (outside is not None and item_id.startswith(outside)):
                continue
            place = f"{found.place}:{link.line}"
            fields = {"from": start, "relation": link.relation, "to": end, "note": link.note}
            try:
                yield Row(place, Relation.from_json(fields))
            except InvalidInput as error:
                yield Row(place, Item("relation", start, "refused", str(error)))
