"""Fields in YAML, in front matter or alone: one reading of them for every format.

Only `true` and `false` are booleans, as in YAML 1.2: `no` is a language. Likewise `12:30`, `1_000`
and `007` are texts, not numbers. Whatever is wrong with a field is a reason to refuse, with its
line. What a few lines can stand for is bounded: by their size and depth before they are read, and
by the size of all references written out.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import yaml
from frontmatter.default_handlers import YAMLHandler

from graphmem.importing.refusing import Refused
from graphmem.importing.yaml_loaders import TOO_DEEP, YAML_CHARACTERS, PlainLoader, QuickLoader

# A line of `...` ends YAML, too, as in Pandoc.
_HANDLER = YAMLHandler(re.compile(r"^(?:-{3,}|\.{3})\s*$", re.MULTILINE))


class NoFields(Refused):
    """A text that is YAML, but no lines of `name: value`."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field and where it stands.

    Args:
        name: As it is written.
        value: What it holds.
        line: The line of its file, from 1.
        item_lines: The lines of a list's items.
        source_text: A single value as it is written: 1.10 is not 1.1; None for a list or an object.
        item_texts: Likewise the items of a list.
    """

    name: str
    value: Any
    line: int
    item_lines: tuple[int, ...] = ()
    source_text: str | None = None
    item_texts: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Split:
    """A text that begins with front matter.

    Args:
        yaml_text: What stands between a line of `---` and the next one, or one of `...`.
        body: What follows them.
        line: The line on which the front matter begins, after its `---`, from 1.
    """

    yaml_text: str
    body: str
    line: int


def split(content: str) -> Split | None:
    """Tell front matter from the text that follows; None for a text that begins without any."""
    text = content.lstrip()
    if not (text.startswith("---") and _HANDLER.detect(text)):
        return None
    try:
        yaml_text, body = _HANDLER.split(text)
    except ValueError:  # the line that ends it is missing
        return None
    blank = content[: len(content) - len(text)].count("\n")
    return Split(yaml_text, body, blank + 1)


def fields_of(
    yaml_text: str,
    first_line: int,
    *,
    limit: int = YAML_CHARACTERS,
    references: bool = True,
) -> list[Field]:
    """The fields of a YAML text, in order; of two that have one name the later one counts.

    Args:
        yaml_text: The text.
        first_line: The line of its file on which it begins.
        limit: The most characters it may have.
        references: Whether `*name` may stand for what `&name` names.

    Raises:
        NoFields: It is YAML, and no lines of `name: value`.
        Refused: It is no YAML, is too large or too deep, or a value is not what it should be.
    """
    if len(yaml_text) > limit:
        raise Refused(f"more than {limit:,} characters of YAML", first_line)
    # What libyaml does not take PyYAML may, as the two halves of an emoji; if not, it says why.
    with suppress(yaml.YAMLError, ValueError, OverflowError, RecursionError):
        return list(_fields(QuickLoader(yaml_text, references=references), first_line))
    try:
        return list(_fields(PlainLoader(yaml_text, references=references), first_line))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = first_line + mark.line if mark else first_line
        raise Refused(error.problem or str(error), line) from error
    except RecursionError as error:
        raise Refused(TOO_DEEP) from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise Refused(str(error), first_line) from error


def _fields(loader: QuickLoader | PlainLoader, first_line: int) -> Iterator[Field]:
    node = loader.get_single_node()
    if not isinstance(node, yaml.MappingNode):
        raise NoFields("it must consist of lines of the form `name: value`", first_line)
    loader.flatten_mapping(node)
    for key, value in node.value:
        line = first_line + key.start_mark.line
        if not isinstance(key, yaml.ScalarNode):
            raise Refused("the name of a field must be text", line)
        items = value.value if isinstance(value, yaml.SequenceNode) else ()
        yield Field(
            name=key.value,
            value=loader.construct_object(value, deep=True),
            line=line,
            item_lines=tuple(first_line + item.start_mark.line for item in items),
            source_text=_source_text(value),
            item_texts=tuple(map(_source_text, items)),
        )


def _source_text(node: yaml.Node) -> str | None:
    return node.value if isinstance(node, yaml.ScalarNode) else None
