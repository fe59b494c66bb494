"""Properties in the text of a note: lines `key:: value`, as of Logseq and Obsidian's Dataview.

They stay in the text, so that their words are found and their links count, and become attributes.
Those before all other text are Logseq's properties of the page, so its names of an entity's fields
count there: `title`, `alias`, `tags` and `type`. What stands inside sentences, list items and code
is about these, not about the note, and is left alone.
"""

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from graphmem.importing.fields import (
    is_kind,
    is_label,
    is_name,
    own_attribute_name,
    typed_text,
)
from graphmem.importing.front_matter import Field
from graphmem.model import limits

# More of them than a person writes in a note, and longer ones, are text alone.
MOST_PROPERTIES = 100
VALUE_CHARACTERS = 500

_PROPERTY = re.compile(r"([^\W\d_](?:[\w /.-]{0,60}\w)?):: +(\S.*)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_COMMA = re.compile(r",(?![^\[\]]*\]\])")


@dataclass(frozen=True, slots=True)
class Properties:
    """The properties of a note.

    Args:
        fields: Those that are fields of an entity, under graphmem's names.
        attributes: All others.
    """

    fields: dict[str, Field] = field(default_factory=dict)
    attributes: dict[str, Field] = field(default_factory=dict)


def properties_of(content: str, known_names: Mapping[str, object]) -> Properties:
    """Read the properties of a note.

    Args:
        content: Its text, without front matter.
        known_names: The fields of its front matter, which count more, also where a property becomes
            an attribute of the same name, as in an exported note.
    """
    properties = Properties()
    values: dict[str, list[str]] = {}
    room = min(MOST_PROPERTIES, limits.ATTRIBUTES - len(known_names))
    for name, value, is_first in itertools.islice(_lines(content), max(room, 0)):
        entity_field = _entity_field(name, value) if is_first else None
        if entity_field is not None and entity_field.name not in known_names:
            properties.fields.setdefault(entity_field.name, entity_field)
        elif name not in known_names and own_attribute_name(name) not in known_names:
            values.setdefault(name, []).append(value)
    for name, texts in values.items():
        first = Field(name, typed_text(texts[0]), 0, source_text=texts[0])
        properties.attributes[name] = first if len(texts) == 1 else _list(name, texts)
    return properties


def _lines(content: str) -> Iterator[tuple[str, str, bool]]:
    """The name and value of each property outside of code, and whether only such stand before."""
    fence = ""
    is_first = True
    for line in content.split("\n") if ":: " in content else ():
        if mark := _FENCE.match(line):
            if not fence:
                fence = mark[1]
            elif mark[1].startswith(fence) and not line[mark.end() :].strip():
                fence = ""
        match = None if fence else _PROPERTY.fullmatch(line.rstrip())
        if match is None:
            is_first = is_first and not line.strip()
        elif len(match[2]) <= VALUE_CHARACTERS:
            yield match[1], match[2], is_first


def _entity_field(name: str, value: str) -> Field | None:
    """A property of Logseq as a field of an entity; None where it is none, or not allowed."""
    items = [item for part in _COMMA.split(value) if (item := _without_marks(part))]
    match name.casefold():
        case "title":
            return _single("title", value) if is_name(value) else None
        case "alias" | "aliases":
            return _list("aliases", [item for item in items if is_name(item)])
        case "tags":
            return _list("tags", [item for item in items if is_label(item)])
        case "type" if len(items) == 1 and is_kind(items[0]):
            return _single("kind", items[0])
    return None


def _single(name: str, value: str) -> Field:
    return Field(name, value, 0, source_text=value)


def _list(name: str, items: list[str]) -> Field:
    return Field(name, items, 0, item_lines=(0,) * len(items), item_texts=(*items,))


def _without_marks(item: str) -> str:
    """An item of a list, which may be a link or have a `#`."""
    text = item.strip().removeprefix("#")
    if text.startswith("[[") and text.endswith("]]"):
        text = text[2:-2]
    return text.strip()
