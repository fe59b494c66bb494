"""What a file says becomes an entity."""

from graphmem import text
from graphmem.adapters.rye.importer import metadata
from graphmem.adapters.rye.importer.folders import ItemFile
from graphmem.adapters.rye.importer.item import ParsedItem
from graphmem.adapters.rye.items import DESCRIPTION, KINDS, name_of
from graphmem.importing.fields import moment_or_none, source_or_none
from graphmem.model import Entity, limits

_NOT_ATTRIBUTES = frozenset({"description", "tags", "title"})


def entity_of(file: ItemFile, item: ParsedItem) -> Entity:
    """Make the entity of an item.

    Its title is the item's own, else the words of its name; the description is an observation, so
    that it is found beside the text and told from it.

    Raises:
        InvalidInput: naming the field that is not allowed.
    """
    folder, _, stem = file.id.rpartition("/")
    words = " ".join(text.split_identifier(stem)) or stem
    title = _title(item.title) or words
    aliases = [file.id]
    if " " in words and text.normalised(words) != text.normalised(title):
        aliases.append(words)
    description = " ".join(str(item.fields.get("description") or "").split())
    status = item.fields.get("status")
    # An item without a folder says its category itself, if that can be one.
    category = folder or limits.or_none(limits.label, item.fields.get("category"))
    fields = {
        "name": name_of(file.item_type, file.id),
        "kind": KINDS[file.item_type],
        "title": title,
        "text": item.text,
        "observations": [{"text": description, "source": DESCRIPTION}] if description else [],
        "aliases": aliases,
        "tags": metadata.texts(item.fields.get("tags")),
        "status": status if isinstance(status, str) and status.strip() else None,
        "category": category,
        "source": source_or_none(file.place),
        "created_at": moment_or_none(item.fields.get("created_at")),
        "attributes": _attributes(file.id, category, description, item),
    }
    return Entity.from_json(fields, argument=file.item_type)


def _attributes(
    item_id: str, category: str | None, description: str, item: ParsedItem
) -> dict[str, object]:
    """The id, the description, and what else the metadata say and an attribute can hold."""
    derived = {"name": item_id.rpartition("/")[2], "category": category}
    attributes = {
        name: value
        for name, value in item.fields.items()
        if name not in _NOT_ATTRIBUTES and value != derived.get(name)
    }
    for name in ("created_at", "updated_at", "signed_at"):
        if name in attributes:
            attributes[name] = moment_or_none(attributes[name]) or attributes[name]
    leading = {
        "id": item_id,
        "description": description or None,
        "version": attributes.pop("version", None),
    }
    leading_texts = {name: str(value) for name, value in leading.items() if value is not None}
    return metadata.attributes(leading_texts | attributes)


def _title(value: str | None) -> str | None:
    """A title as a name may be: on one line, cut where it is too long; None where it cannot be."""
    line = " ".join((value or "").split())
    return limits.or_none(limits.name, line[: limits.NAME_CHARACTERS])
