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
class Document:
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


def read(content: str) -> Document:
    """Read a file's text.

    Raises:
        Refused: There is no front matter, or it is no YAML of fields.
    """
    lines = content.split("\n")
    outer_fences = _fences(lines, 0)
    if outer_fences is None:
        raise Refused(f"there is none; an artifact begins with a line of {FENCE}", 1)
    outer_document = _read_between(lines, *outer_fences)
    try:
        inner_fences = _fences(lines, outer_fences[1] + 1)
        inner_document = None if inner_fences is None else _read_between(lines, *inner_fences)
    except Refused:  # a rule and some prose, not the template's front matter
        return outer_document
    if inner_document is None or not OWN_FIELDS & inner_document.lines.keys():
        return outer_document
    return replace(
        inner_document,
        fields={**inner_document.fields, **outer_document.fields},
        lines={**inner_document.lines, **outer_document.lines},
        link_lines=outer_document.link_lines
        if "links" in outer_document.fields
        else inner_document.link_lines,
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


def _read_between(lines: Sequence[str], opening: int, closing: int) -> Document:
    yaml_text = "\n".join(lines[opening + 1 : closing])
    items = {
        item.name: item
        for item in fields_of(yaml_text, opening + 2, limit=MOST_CHARACTERS, references=False)
    }
    links = items.get("links")
    return Document(
        fields={
            name: item.value for name, item in items.items() if _is_filled_in(name, item.value)
        },
        lines={name: item.line for name, item in items.items()},
        link_lines=links.item_lines if links else (),
        body="\n".join(lines[closing + 1 :]),
        body_line=closing + 2,
    )


def _is_filled_in(name: str, value: object) -> bool:
    """Whether a field was filled in: not empty, and not as a template has it."""
    if isinstance(value, str):
        is_template_text = _UNFILLED.fullmatch(value.strip())
        has_choice = name == "title" or not _CHOICE.fullmatch(value.strip())
        return bool(value.strip()) and not is_template_text and has_choice
    return value is not None and value not in ([], {})
