"""Front matter: YAML between two lines of `---`, read with the line of every field.

ForgePlan may repeat the template's front matter at the beginning of the body; what only the second
one says counts too.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import yaml

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
_TIMESTAMP = "tag:yaml.org,2002:timestamp"
_CHOICE = re.compile(r"[\w-]+(?: / [\w-]+)+")


class Broken(Exception):
    """Front matter that cannot be read, and the line that says so, from 1."""

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        super().__init__(reason)


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


class _Loader(yaml.SafeLoader):
    """YAML in which only `true` and `false` are booleans, and nothing refers to something else.

    References make a few lines stand for millions of values, and front matter needs none.
    """

    def compose_node(self, parent: Any, index: Any) -> Any:  # noqa: ANN401 - as in the base class
        """Compose a node that is no reference."""
        if self.check_event(yaml.AliasEvent):
            mark: Any = self.get_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.composer.ComposerError(None, None, "references are not allowed", mark)
        return super().compose_node(parent, index)


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile(r"true|True|TRUE|false|False|FALSE"), list("tTfF")
)


def read(content: str) -> Parsed:
    """Read a file's text.

    Raises:
        Broken: There is no front matter, or it is no YAML of fields.
    """
    lines = content.split("\n")
    outer = _fences(lines, 0)
    if outer is None:
        raise Broken(1, f"there is none; an artifact begins with a line of {FENCE}")
    first = _parsed(lines, *outer)
    try:
        inner = _fences(lines, outer[1] + 1)
        second = None if inner is None else _parsed(lines, *inner)
    except Broken:  # a rule and some prose, not the template's front matter
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
    raise Broken(opening + 1, f"it is not closed by a second line of {FENCE}")


def _parsed(lines: Sequence[str], opening: int, closing: int) -> Parsed:
    first = opening + 2
    items = _items("\n".join(lines[opening + 1 : closing]), first)
    links = items.get("links")
    return Parsed(
        fields={name: one.value for name, one in items.items() if _is_said(name, one.value)},
        lines={name: one.line for name, one in items.items()},
        link_lines=links.lines if links else (),
        body="\n".join(lines[closing + 1 :]),
        body_line=closing + 2,
    )


@dataclass(frozen=True, slots=True)
class _Item:
    """A field's value, its line, and the lines of a list's items."""

    value: Any
    line: int
    lines: tuple[int, ...]


def _items(written: str, first: int) -> dict[str, _Item]:
    """The fields of a YAML text whose first line is that line of the file."""
    if len(written) > MOST_CHARACTERS:
        raise Broken(first, f"it has more than {MOST_CHARACTERS:,} characters")
    items: dict[str, _Item] = {}
    line = first
    try:
        loader = _Loader(written)
        node = loader.get_single_node()
        if not isinstance(node, yaml.MappingNode):
            raise Broken(first, "it must be lines of `name: value`")
        for key, value in node.value:
            line = first + key.start_mark.line
            listed = value.value if isinstance(value, yaml.SequenceNode) else ()
            items[str(key.value)] = _Item(
                _value(loader, value),
                line,
                tuple(first + one.start_mark.line for one in listed),
            )
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise Broken(first + mark.line if mark else line, error.problem or str(error)) from error
    except (yaml.YAMLError, ValueError, TypeError, AttributeError, OverflowError) as error:
        raise Broken(line, " ".join(str(error).split())) from error
    return items


def _value(loader: _Loader, node: yaml.Node) -> Any:  # noqa: ANN401 - whatever YAML holds
    """A field's value; a day that is in no calendar stays the text it is."""
    try:
        return loader.construct_object(node, deep=True)
    except ValueError:
        if isinstance(node, yaml.ScalarNode) and node.tag == _TIMESTAMP:
            return node.value
        raise


def _is_said(name: str, value: object) -> bool:
    """Whether a field was filled in: not empty, and not as a template has it."""
    if isinstance(value, str):
        as_it_was = _UNFILLED.fullmatch(value.strip())
        chosen = name == "title" or not _CHOICE.fullmatch(value.strip())
        return bool(value.strip()) and not as_it_was and chosen
    return value is not None and value not in ([], {})
