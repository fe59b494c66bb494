"""Fields in YAML, in front matter or alone: one reading of them for every format.

Only `true` and `false` are booleans, as in YAML 1.2: `no` is a language. Likewise `12:30`, `1_000`
and `007` are texts, not numbers. Whatever is wrong with a field is a reason to refuse, with its
line. What a few lines can stand for is bounded: by their size and depth before they are read, and
by the size of all references written out.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import yaml
from frontmatter.default_handlers import YAMLHandler

from graphmem.errors import shortened
from graphmem.importing.refusing import Refused

YAML_CHARACTERS = 256 * 1024
DEPTH = 100
# Written to the base of 16, so many are still fewer than the 4,300 that Python writes in decimals.
DIGITS = 3500

_TAG = "tag:yaml.org,2002:"
_HANDLER = YAMLHandler()


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
    item_lines: tuple[int, ...]
    source_text: str | None
    item_texts: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """A text that begins with front matter.

    Args:
        yaml_text: What stands between the two lines of `---`.
        body: What follows them.
        line: The line on which the front matter begins, after its `---`, from 1.
    """

    yaml_text: str
    body: str
    line: int


def split(content: str) -> Split | None:
    """Tell front matter from the text that follows; None for a text that begins without any."""
    text = content.lstrip()
    if not _HANDLER.detect(text):
        return None
    try:
        yaml_text, body = _HANDLER.split(text)
    except ValueError:  # the second line of --- is missing
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
    try:
        loader = _Loader(yaml_text, references=references)
        return list(_fields(loader, first_line))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = first_line + mark.line if mark else first_line
        raise Refused(error.problem or str(error), line) from error
    except RecursionError as error:
        raise Refused(_TOO_DEEP) from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise Refused(str(error), first_line) from error


_TOO_DEEP = f"lists and objects deeper than {DEPTH} levels are not read"
_TOO_MUCH = f"references that stand for more than {YAML_CHARACTERS:,} characters or {DEPTH} levels"


def _fields(loader: "_Loader", first_line: int) -> Iterator[Field]:
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


class _Loader(yaml.SafeLoader):
    """A loader whose nodes and values are bounded, and whose every error has a line."""

    def __init__(self, yaml_text: str, *, references: bool) -> None:
        super().__init__(yaml_text)
        self.references = references
        self.depth = 0
        self.refers = False
        # The characters and levels of each node with its references written out.
        self.sizes: dict[int, tuple[int, int]] = {}

    def compose_node(self, parent: Any, index: Any) -> Any:  # noqa: ANN401 - as in the base class
        """Compose a node within the bounds."""
        mark: Any = self.peek_event().start_mark  # type: ignore[no-untyped-call]
        is_reference = self.check_event(yaml.AliasEvent)
        if is_reference and not self.references:
            raise yaml.composer.ComposerError(None, None, "references are not allowed", mark)
        self.depth += 1
        if self.depth > DEPTH:
            raise Refused(_TOO_DEEP)
        node: Any = super().compose_node(parent, index)
        self.depth -= 1
        if isinstance(node, yaml.ScalarNode) and not node.value.isascii():
            node.value = _with_whole_letters(node.value)
        if is_reference and id(node) not in self.sizes:
            raise yaml.composer.ComposerError(None, None, "a value contains itself", mark)
        self.refers = self.refers or is_reference
        size, depth = self.sizes.setdefault(id(node), self._size(node))
        if self.refers and (size > YAML_CHARACTERS or depth > DEPTH):
            raise yaml.composer.ComposerError(None, None, _TOO_MUCH, mark)
        return node

    def _size(self, node: yaml.Node) -> tuple[int, int]:
        if isinstance(node, yaml.ScalarNode):
            return 1 + len(node.value), 1
        children = node.value
        if isinstance(node, yaml.MappingNode):
            children = [node for pair in children for node in pair]
        sizes = [self.sizes[id(node)] for node in children]
        deepest = max((depth for _, depth in sizes), default=0)
        return 1 + sum(size for size, _ in sizes), 1 + deepest

    def construct_object(self, node: Any, deep: bool = False) -> Any:  # noqa: ANN401, FBT001, FBT002 - as in the base class
        """Make the value of a node; what its tag does not allow is an error with its line."""
        try:
            return super().construct_object(node, deep)
        except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError) as error:
            words = shortened(node.value) if isinstance(node, yaml.ScalarNode) else "a value"
            problem = f"{words} is not a valid {str(node.tag).removeprefix(_TAG)}"
            raise _error(problem, node) from error

    def number(self, node: yaml.ScalarNode) -> Any:  # noqa: ANN401 - a number
        """A number that is no longer than others can read."""
        if len(node.value) > DIGITS:
            raise _error(f"a number of more than {DIGITS:,} digits", node)
        if node.tag == f"{_TAG}int":
            return self.construct_yaml_int(node)
        return self.construct_yaml_float(node)

    def moment(self, node: yaml.ScalarNode) -> Any:  # noqa: ANN401 - a date or a moment
        """A day, a moment, or the text where there is no such day."""
        try:
            return self.construct_yaml_timestamp(node)
        except ValueError:
            return node.value


def _with_whole_letters(text: str) -> str:
    r"""A text with an emoji where it has its two halves, which JSON writes: `\ud83d\ude00`."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def _error(problem: str, node: yaml.Node) -> yaml.constructor.ConstructorError:
    return yaml.constructor.ConstructorError(None, None, problem, node.start_mark)


# What YAML 1.2 reads in another way than the library.
_OWN_TAGS = frozenset({f"{_TAG}bool", f"{_TAG}float", f"{_TAG}int"})
_BOOLEAN = re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z")
_INTEGER = re.compile(r"(?:[-+]?(?:0|[1-9][0-9]*)|0x[0-9a-fA-F]+|0o[0-7]+)\Z")
_DECIMAL = re.compile(
    r"(?:[-+]?(?:(?:0|[1-9][0-9]*)?\.[0-9]+|(?:0|[1-9][0-9]*)\.)(?:[eE][-+]?[0-9]+)?"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z"
)


def _without_own(resolvers: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
    return [(tag, pattern) for tag, pattern in resolvers if tag not in _OWN_TAGS]


_Loader.yaml_implicit_resolvers = {
    first_letter: _without_own(resolvers)
    for first_letter, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(f"{_TAG}bool", _BOOLEAN, list("tTfF"))
_Loader.add_implicit_resolver(f"{_TAG}float", _DECIMAL, list("-+.0123456789"))
_Loader.add_implicit_resolver(f"{_TAG}int", _INTEGER, list("-+0123456789"))
_Loader.add_constructor(f"{_TAG}int", _Loader.number)
_Loader.add_constructor(f"{_TAG}float", _Loader.number)
_Loader.add_constructor(f"{_TAG}timestamp", _Loader.moment)
