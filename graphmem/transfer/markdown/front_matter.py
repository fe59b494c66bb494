"""The front matter of Markdown notes: YAML between `---`, TOML between `+++`, or a JSON object."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from graphmem.importing.front_matter import Field, NoFields, fields_of, split
from graphmem.importing.json_text import is_deep
from graphmem.importing.refusing import Refused
from graphmem.importing.toml_lines import TOML_LINE_CHARACTERS, has_long_line
from graphmem.importing.yaml_loaders import TOO_DEEP, YAML_CHARACTERS

SINGLE = {"alias": "aliases", "tag": "tags"}
_TOML = re.compile(r"\+{3}[ \t]*\n(.*?)^\+{3}[ \t]*$", re.DOTALL | re.MULTILINE)
_TOML_LINE = re.compile(r" \(at line (\d+), column \d+\)\Z")
# Behind the object there is nothing else on its line.
_JSON_END = re.compile(r"[ \t]*(?:\n|\Z)")
# `created: {{date}}`: templates stand among notes, and YAML takes the braces for objects.
_PLACEHOLDER = re.compile(
    r"^((?:[^\s:#'\"][^:\n]*:|[ \t]*-)[ \t]+)(\{\{[^{}'\n]*\}\})(?=[ \t]*$)", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The front matter of a note, not read yet.

    Args:
        form: The language it is written in.
        text: What it says.
        body: What follows it.
        line: The line of the file on which `text` begins, from 1.
    """

    form: Literal["yaml", "toml", "json"]
    text: str
    body: str
    line: int


def front_matter_of(content: str) -> FrontMatter | None:
    """Tell front matter from the text that follows; None for a note that begins without any.

    An object in JSON counts if it is valid and has a field: braces begin much else in notes.
    """
    parts = split(content)
    if parts is not None:
        return FrontMatter("yaml", parts.yaml_text, parts.body, parts.line)
    text = content.lstrip()
    line = content[: len(content) - len(text)].count("\n") + 1
    if fenced := _TOML.match(text):
        return FrontMatter("toml", fenced[1], text[fenced.end() :], line + 1)
    if not text.startswith("{"):
        return None
    try:
        value, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    after = _JSON_END.match(text, end)
    if not value or after is None:
        return None
    return FrontMatter("json", text[:end], text[after.end() :], line)


def read_fields(content: str) -> tuple[dict[str, Field], str]:
    """The fields of the front matter, and the text after it.

    Two lines of `---` with no fields between them are rules, and all of it is text.

    Raises:
        Refused: The front matter cannot be read.
    """
    parts = front_matter_of(content)
    if parts is None:
        return {}, content.strip()
    try:
        fields = _fields(parts)
    except NoFields:
        lines = [line for line in parts.text.split("\n") if not line.lstrip().startswith("#")]
        return {}, (content if "".join(lines).strip() else parts.body).strip()
    except Refused as error:
        line_note = "" if error.line is None else f" (line {error.line})"
        raise Refused(f"front matter: {error}{line_note}") from error
    for single, plural in SINGLE.items():  # earlier versions of Obsidian
        if single in fields and plural not in fields:
            fields[plural] = replace(fields.pop(single), name=plural)
    return fields, parts.body.strip()


def _fields(parts: FrontMatter) -> dict[str, Field]:
    if parts.form == "yaml":
        yaml_text = _PLACEHOLDER.sub(r"\1'\2'", parts.text)
        return {field.name: field for field in fields_of(yaml_text, parts.line)}
    if len(parts.text) > YAML_CHARACTERS:
        raise Refused(f"more than {YAML_CHARACTERS:,} characters", parts.line)
    values = json.loads(parts.text) if parts.form == "json" else _toml(parts)
    if is_deep(values):
        raise Refused(TOO_DEEP)
    return {field.name: field for field in _plain_fields(values, parts.line)}


def _toml(parts: FrontMatter) -> dict[str, Any]:
    if has_long_line(parts.text):
        raise Refused(f"a line must have at most {TOML_LINE_CHARACTERS:,} characters", parts.line)
    try:
        return tomllib.loads(parts.text)
    except RecursionError as error:
        raise Refused(TOO_DEEP) from error
    except ValueError as error:
        place = _TOML_LINE.search(str(error))
        reason = f"it is not TOML: {_TOML_LINE.sub('', str(error))}"
        raise Refused(reason, parts.line + int(place[1]) - 1 if place else parts.line) from error


def _plain_fields(values: Mapping[str, Any], line: int) -> Iterator[Field]:
    """The fields of an object; which of its lines each stands on is not known."""
    for name, value in values.items():
        items = value if isinstance(value, list) else ()
        yield Field(
            name=name,
            value=value,
            line=line,
            item_lines=(line,) * len(items),
            source_text=_source_text(value),
            item_texts=tuple(map(_source_text, items)),
        )


def _source_text(value: object) -> str | None:
    """A single value as it is written, or nearly so; None for a list or an object."""
    if isinstance(value, list | dict):
        return None
    if isinstance(value, bool):
        return str(value).lower()
    try:
        return str(value)
    except ValueError as error:  # a number of thousands of digits
        raise Refused(str(error)) from error
