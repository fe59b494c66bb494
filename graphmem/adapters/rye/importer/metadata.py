"""Metadata: YAML as people write it, and what of it an entity may carry."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import date
from itertools import islice
from typing import Any

from graphmem.adapters.rye.items import PREFIX
from graphmem.errors import InvalidInput
from graphmem.importing.fields import attribute_name, uniform
from graphmem.importing.front_matter import fields_of
from graphmem.model import limits
from graphmem.model.reserved import RESERVED_ATTRIBUTES

# Less than an entity's filters hold, so that every single value can be asked for.
MOST_ATTRIBUTES = 80

_INTEGER = re.compile(r"-?\d{1,15}")
_DECIMAL = re.compile(r"-?\d{1,15}\.\d{1,15}")
_SIGNATURE = re.compile(r"\s*(?:<!--|#|//)\s*rye:(?:signed|validated|unsigned)\b")
_SIGNED_AT = re.compile(r"rye:(?:signed|validated):(\d{4}-\d\d-\d\dT[\d:.]+Z)")


def read_yaml(source: str, first_line: int) -> dict[str, Any]:
    """Read the fields of a YAML text; `version` is taken as it is written, 1.10 is not 1.1.

    Args:
        source: The text.
        first_line: The line of its file on which it begins.

    Raises:
        Refused: It is no YAML of fields, or more than may be.
    """
    return {
        field.name: field.source_text
        if field.name == "version" and field.source_text is not None
        else field.value
        for field in fields_of(source, first_line)
    }


def split_signature(content: str) -> tuple[str, str | None]:
    """Blank the signature lines at the beginning of a file, and give the moment it was signed at.

    The lines stay, empty, so that those after them keep their numbers.
    """
    lines = content.split("\n")
    signed_at: str | None = None
    for place, line in enumerate(lines):
        if _SIGNATURE.match(line):
            match = _SIGNED_AT.search(line)
            signed_at = signed_at or (match[1] if match else None)
            lines[place] = ""
        elif line.strip() and not line.startswith("#!"):
            break
    return "\n".join(lines), signed_at


def line_of(content: str, value: object) -> Callable[[], int]:
    """Finds the first line of a text, from 1, on which something is said; 1 where it is not."""

    def line() -> int:
        place = content.find(str(value))
        return content.count("\n", 0, place) + 1 if place >= 0 else 1

    return line


def number_or_text(text: str) -> str | int | float:
    """A number where a text is one, else the text."""
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _DECIMAL.fullmatch(text) else text


def attributes(fields: Mapping[str, object]) -> dict[str, object]:
    """The custom attributes of fields: single values and flat lists, those one level down too.

    `limits: {turns: 6}` becomes `limits.turns`. A name that graphmem needs itself gets `rye_`
    before it. What an attribute cannot hold is left out; the first 80 are kept.
    """
    attributes: dict[str, object] = {}
    for name, value in _flatten(fields):
        prefix = PREFIX if attribute_name(name) in RESERVED_ATTRIBUTES else ""
        attribute = {f"{prefix}{attribute_name(name)}": value}
        with suppress(InvalidInput):
            attributes |= limits.attributes("attributes", attribute, reserved=RESERVED_ATTRIBUTES)
    return dict(islice(attributes.items(), MOST_ATTRIBUTES))


def _flatten(fields: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """The values that are no lists of lists or objects: those may be endless, or refer to all."""
    for name, value in fields.items():
        members = value.items() if isinstance(value, Mapping) else ()
        for path, part in ((name, value), *((f"{name}.{below}", part) for below, part in members)):
            is_list = isinstance(part, list | tuple)
            items = part if is_list else [part]
            if not any(isinstance(item, list | tuple | Mapping) for item in items):
                yield path, uniform(items) if is_list else part


def texts(value: object) -> list[str]:
    """The texts of a list, or of a line such as `a, b`."""
    if isinstance(value, str):
        value = value.strip("[] ").split(",")
    if not isinstance(value, list | tuple):
        return []
    plain_items = (item for item in value if isinstance(item, str | int | float | date))
    return [words for item in plain_items if (words := str(item).strip())]


def title_of(fields: Mapping[str, object]) -> str | None:
    """The title that fields say, or None."""
    title = fields.get("title")
    return str(title) if title else None
