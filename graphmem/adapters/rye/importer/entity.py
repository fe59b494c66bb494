"""What a file says becomes an entity."""

from graphmem import text
from graphmem.adapters.kit.fields import moment_or_none, source_or_none
from graphmem.adapters.rye.importer import metadata
from graphmem.adapters.rye.importer.folders import Found
from graphmem.adapters.rye.importer.item import ParsedItem
from graphmem.adapters.rye.items import DESCRIPTION, KINDS, name_of
from graphmem.errors import InvalidInput
from graphmem.model import Entity, limits

_NOT_ATTRIBUTES = frozenset({"description", "tags", "title"})


def entity(found: Found, said: ParsedItem) -> Entity:
    """Make the entity of an item.

    Its title is the item's own, else the words of its name; the description is an observation, so
    that it is found beside the text and told from it.

    Raises:
        InvalidInput: naming the field that is not allowed.
    """
    folder, _, stem = found.id.rpartition("/")
    spoken = " ".join(text.split_identifier(stem)) or stem
    title = _title(said.title) or spoken
    aliases = [found.id]
    if " " in spoken and text.normalised(spoken) != text.normalised(title):
        aliases.append(spoken)
    described = " ".join(str(said.fields.get("description") or "").split())
    status = said.fields.get("status")
    category = folder or _category(said.fields.get("category"))
    fields = {
        "name": name_of(found.item_type, found.id),
        "kind": KINDS[found.item_type],
        "title": title,
        "text": said.text,
        "observations": [{"text": described, "source": DESCRIPTION}] if described else [],
        "aliases": aliases,
        "tags": metadata.texts(said.fields.get("tags")),
        "status": status if isinstance(status, str) and status.strip() else None,
        "category": category,
        "source": source_or_none(found.place),
        "created_at": moment_or_none(said.fields.get("created_at")),
        "attributes": _attributes(found.id, category, described, said),
    }
    return Entity.from_json(fields, argument=found.item_type)


def _attributes(
    item_id: str, category: str | None, described: str, said: ParsedItem
) -> dict[str, object]:
    """The id, the description, and what else the metadata say and an attribute can hold."""
    told = {"name": item_id.rpartition("/")[2], "category": category}
    own = {
        name: value
        for name, value in said.fields.items()
        if name not in _NOT_ATTRIBUTES and value != told.get(name)
    }
    for name in ("created_at", "updated_at", "signed_at"):
        if name in own:
            own[name] = moment_or_none(own[name]) or own[name]
    first = {"id": item_id, "description": described or None, "version": own.pop("version", None)}
    written = {name: str(value) for name, value in first.items() if value is not None}
    return metadata.attributes(written | own)


def _category(said: object) -> str | None:
    """What an item without a folder says its category is; None where it cannot be one."""
    try:
        return limits.label("category", said) if isinstance(said, str) else None
    except InvalidInput:
        return None


def _title(said: str | None) -> str | None:
    """A title as a name may be: on one line, cut where it is too long; None where it cannot be."""
    try:
        return limits.name("title", " ".join((said or "").split())[: limits.NAME_CHARACTERS])
    except InvalidInput:
        return None
