"""Front matter: YAML between two lines of `---`, read with the line of every field.

ForgePlan may repeat the template's front matter at the beginning of the body; what only the second
one says counts too.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graphmem.importing.front_matter import fields_of
from graphmem.importing.refusing import Refused

FENCE = "---"
MOST_CHARACTERS = 64 * 1024
# Any of these tells front matter from a rule and some prose that happens to be YAML.
OWN_FIELDS = frozenset(
    {
        "author", "created", "depth", "id", "kind", "links", "owner", "priority", "slug", "status",
        "tags", "title", "updated", "valid_until",
    }
)  # fmt: skip
# What templates put where something is to be filled in: {…}, <id>, a date's pattern, a choice.
_UNFILLED = re.compile(r"\.{3}|…|YYYY-MM-DD|[\w-]*\{[^{}]*\}[\w-]*|[\w-]*<[^<>]*>")
_CHOICE = re.compile(r"[\w-]+(?: / [\w-]+)+")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file of front matter and body.

    Args:
        fields: What the front matter says; what is empty or as the template has it is absent.
        lines: The line of each field in the file, from 1.
        link_lines: The line of each item of `links`.
        body: The rest of the file.
        body_line: The line of the file on which it begins.
    """

    fields: Mapping[str, Any]
    lines: Mapping[str, int]
    link_lines: tuple[int, ...]
    body: str
    body_line: int


def read(content: str) -> Parsed:
    """Read a file's text.

    Raises:
        Refused: There is no front matter, or it is no YAML of fields.
    """
    lines = content.split("\n")
    outer = _fences(lines, 0)
    if outer is None:
        raise Refused(f"there is none; an artifact begins with a line of {FENCE}", 1)
    first = _parsed(lines, *outer)
    try:
        inner = _fences(lines, outer[1] + 1)
        second = None if inner is None else _parsed(lines, *inner)
    except Refused:  # a rule and some prose, not the template's front matter
        return first
    if second is None or not OWN_FIELDS & second.lines.keys():
        return first
    return replace(
        second,
        fields={**second.fields, **first.fields},
        lines={**second.lines, **first.lines},
        link_lines=first.link_lines if "links" in first.fields else second.link_lines,
    )


def _fences(lines: Sequence[str], start: int) -> tuple[int, int] | None:
    """The places of two fences, the first of them on the first line that is not blank."""
    opening = next((place for place in range(start, len(lines)) if lines[place].strip()), None)
    if opening is None or lines[opening].rstrip() != FENCE:
        return None
    for place in range(opening + 1, len(lines)):
        if lines[place].rstrip() == FENCE:
            return opening, place
    raise Refused(f"it is not closed by a second line of {FENCE}", opening + 1)


def _parsed(lines: Sequence[str], opening: int, closing: int) -> Parsed:
    written = "\n".join(lines[opening + 1 : closing])
    items = {
        item.name: item
        for item in fields_of(
            written, opening + 2, limit=MOST_CHARACTERS, references=False, dates_as_text=True
        )
    }
    links = items.get("links")
    return Parsed(
        fields={name: item.value for name, item in items.items() if _is_said(name, item.value)},
        lines={name: item.line for name, item in items.items()},
        link_lines=links.item_lines if links else (),
        body="\n".join(lines[closing + 1 :]),
        body_line=closing + 2,
    )


def _is_said(name: str, value: object) -> bool:
    """Whether a field was filled in: not empty, and not as a template has it."""
    if isinstance(value, str):
        as_it_was = _UNFILLED.fullmatch(value.strip())
        chosen = name == "title" or not _CHOICE.fullmatch(value.strip())
        return bool(value.strip()) and not as_it_was and chosen
    return value is not None and value not in ([], {})
