"""The fields of a note's entity, as others than graphmem may have written them."""

import re
from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from graphmem.errors import InvalidInput
from graphmem.importing.fields import (
    as_json,
    is_kind,
    is_label,
    moment_or_none,
    own_attributes,
    uniform,
)
from graphmem.importing.front_matter import Field
from graphmem.model import limits
from graphmem.model.entity_fields import FIELD_NAMES
from graphmem.model.visible import visible
from graphmem.transfer.markdown.relations import with_links

ENTITY_FIELDS = (*(name for name in FIELD_NAMES if name != "text"), "aliases", "tags", "created_at")
# Of these a single value is read as a text, whatever it looks like.
TEXTS = frozenset({"kind", "title", "status", "category", "source", "lead_in"})
LISTS = frozenset({"aliases", "tags"})
# What other tools call the date of a note, the first that is there.
CREATED = ("created", "date created", "date")
# In other tools a sentence on what the note is about, which its text need not repeat.
DESCRIPTION = "description"
# Fields that other tools have for what is no label: a long address, or a list.
LABELS = frozenset({"category", "source", "status"})
# Fields of a file that become no attribute, beside those of an entity.
OF_A_NOTE = frozenset({"name", "relations"})
OBSERVATIONS = "observations"
# Where attributes stand that have the name of another field.
ATTRIBUTES = "attributes"
# Fields that become no attribute of that name, or not always.
READ_OTHERWISE = frozenset(
    {"type", "alias", "tag", DESCRIPTION, OBSERVATIONS, ATTRIBUTES, *CREATED}
)
# Of these a list of one label, and a link to a note that stands for the label, is that label.
SINGLE_LABELS = frozenset({"kind", "category", "status"})
# `tags: "#a #b"` are two tags, `tags: machine learning` is one.
_BETWEEN_TAGS = re.compile(r",|(?<=\s)(?=#)")
_WIKI_LINK = re.compile(r"\[\[([^\[\]]+)\]\]")


def entity_fields(
    fields_by_name: Mapping[str, Field], content: str, planned_name: str
) -> dict[str, Any]:
    """The fields of an entity, called as planned if it names itself nothing; others: attributes."""
    values = {
        name: _value(fields_by_name[name]) for name in ENTITY_FIELDS if name in fields_by_name
    }
    fields = {
        name: value
        for name, value in values.items()
        if name not in LABELS or value in (None, "") or is_label(value)
    }
    other_fields = {
        key: field for key, field in fields_by_name.items() if key not in {*fields, *OF_A_NOTE}
    }
    kind = other_fields.get("type")
    label = _label(kind) if kind is not None and isinstance(kind.value, str | list) else None
    if fields.get("kind") is None and is_kind(label):
        fields["kind"] = label
        del other_fields["type"]
    dated = (name for name in CREATED if moment_or_none(_field_value(other_fields, name)))
    if fields.get("created_at") in (None, "") and (creation := next(dated, None)):
        fields["created_at"] = other_fields.pop(creation).value
    observations: list[object] = []
    if description := _sentence(other_fields.get(DESCRIPTION)):
        del other_fields[DESCRIPTION]
        observations = [description]
    if isinstance(_field_value(other_fields, OBSERVATIONS), str | list):
        observations += _observations(other_fields.pop(OBSERVATIONS))
    if observations:
        fields["observations"] = observations
    nested: dict[str, Field] = {}
    if isinstance(_field_value(other_fields, ATTRIBUTES), dict):
        nested = _members(other_fields.pop(ATTRIBUTES))
    convert = partial(attribute_value, may_be_empty=nested.keys() - other_fields.keys())
    name = single_value(fields_by_name["name"]) if "name" in fields_by_name else None
    return {name: value for name, value in fields.items() if value not in (None, "")} | {
        "name": planned_name if name in (None, "") else name,
        "text": content,
        "attributes": own_attributes(nested | other_fields, convert=convert, taken=fields_by_name),
    }


def _field_value(fields: Mapping[str, Field], name: str) -> object:
    return fields[name].value if name in fields else None


def _observations(field: Field) -> list[object]:
    """Observations, texts or objects; a number among texts is one as well."""
    if not isinstance(field.value, list):
        return [single_value(field)]
    return [item for item in _items_as_written(field) if item is not None]


def _items_as_written(field: Field) -> list[object]:
    """The items of a list, single ones as they are written; what is empty is None."""
    return [
        item if item is None or source_text is None else source_text
        for item, source_text in zip(field.value, field.item_texts, strict=True)
    ]


def _members(field: Field) -> dict[str, Field]:
    """The fields of a field that is an object."""
    return {str(name): Field(str(name), value, field.line) for name, value in field.value.items()}


def _sentence(field: Field | None) -> str | None:
    """A text in one line; None for what is none."""
    value = None if field is None else single_value(field)
    return " ".join(value.split()) if isinstance(value, str) else None


def _value(field: Field) -> object:
    """The value of an entity's field, where others than graphmem may have written the file."""
    if field.name in LISTS and field.value is not None:
        items = [single_value(field)]
        if isinstance(field.value, list):
            items = _items_as_written(field)
        elif field.name == "tags" and isinstance(field.value, str):
            items = _BETWEEN_TAGS.split(field.value)
        texts = [_item(item, mark="#" if field.name == "tags" else "") for item in items]
        return [item for item in texts if item is not None and item != ""]
    if field.name in SINGLE_LABELS:
        return _label(field)
    return single_value(field) if field.name in TEXTS else field.value


def _label(field: Field) -> object:
    """A label, which editors of properties write as a list, as a link or as both."""
    value = with_links(field.value)
    single = value[0] if isinstance(value, list) and len(value) == 1 else value
    link = _WIKI_LINK.fullmatch(single.strip()) if isinstance(single, str) else None
    # What is shown of `[[Types/City|Town]]`, or the last part of its path.
    label = link[1].rpartition("|")[2].partition("#")[0].rpartition("/")[2].strip() if link else ""
    if label:
        return label
    return single if isinstance(single, str) and single is not value else single_value(field)


def _item(value: object, *, mark: str) -> object:
    """An item of a list without its mark; what is no text is no tag, and is refused."""
    return visible(value).strip().removeprefix(mark).strip() if isinstance(value, str) else value


def single_value(field: Field) -> object:
    """A single value as it is written, so that a title may be a year; a list as it is."""
    value = field.value if field.value is None or field.source_text is None else field.source_text
    return visible(value) if isinstance(value, str) else value


def attribute_value(field: Field, *, may_be_empty: Collection[str] = ()) -> object:
    """A field of a file as an attribute: what none can hold, such as a site's menu, as text.

    Args:
        field: The field.
        may_be_empty: Names of fields of which an empty list is a value; editors write one where a
            field has none.

    Raises:
        Refused: It holds what no text can say.
    """
    value = with_links(field.value)
    if isinstance(value, list) and not any(isinstance(item, dict | list) for item in value):
        value = uniform(item for item in value if item is not None)
    try:
        is_absent = value is None or (value == [] and field.name not in may_be_empty)
        return None if is_absent else limits.attribute(field.name, value)
    except InvalidInput:
        return as_json(value) if field.source_text is None else field.source_text
