"""YAML is read by libyaml, or by PyYAML itself; either way what it stands for is bounded."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import yaml
from yaml.composer import Composer
from yaml.constructor import SafeConstructor
from yaml.resolver import Resolver

from graphmem.errors import shortened
from graphmem.importing.refusing import Refused

try:
    from yaml import CSafeLoader as WithLibyaml
except ImportError:  # PyYAML was built without it
    from yaml import SafeLoader as WithLibyaml  # type: ignore[assignment]

YAML_CHARACTERS = 256 * 1024
DEPTH = 100
# Written to the base of 16, so many are still fewer than the 4,300 that Python writes in decimals.
DIGITS = 3500

_TAG = "tag:yaml.org,2002:"
TOO_DEEP = f"lists and objects deeper than {DEPTH} levels are not read"
_TOO_MUCH = f"references that stand for more than {YAML_CHARACTERS:,} characters or {DEPTH} levels"


class _Bounded(Composer, SafeConstructor, Resolver):
    """Nodes and values that are bounded; every error has a line.

    Args:
        references: Whether `*name` may stand for what `&name` names.
    """

    # Of the loader beside it.
    peek_event: Callable[[], Any]
    check_event: Callable[..., Any]

    def __init__(self, *, references: bool) -> None:
        self.references = references
        self.depth = 0
        self.refers = False
        # The characters and levels of each node with its references written out.
        self.sizes: dict[int, tuple[int, int]] = {}

    def compose_node(self, parent: Any, index: Any) -> Any:  # noqa: ANN401 - as in the base class
        """Compose a node within the bounds."""
        mark: Any = self.peek_event().start_mark
        is_reference = self.check_event(yaml.AliasEvent)
        if is_reference and not self.references:
            raise yaml.composer.ComposerError(None, None, "references are not allowed", mark)
        self.depth += 1
        if self.depth > DEPTH:
            raise Refused(TOO_DEEP)
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


class QuickLoader(_Bounded, WithLibyaml):
    """Events by libyaml, which takes a tenth of the time; nodes by Python, which bounds them."""

    def __init__(self, yaml_text: str, *, references: bool) -> None:
        WithLibyaml.__init__(self, yaml_text)
        Composer.__init__(self)
        _Bounded.__init__(self, references=references)


class PlainLoader(_Bounded, yaml.SafeLoader):
    """All of it by PyYAML, whose errors tell more."""

    def __init__(self, yaml_text: str, *, references: bool) -> None:
        yaml.SafeLoader.__init__(self, yaml_text)
        _Bounded.__init__(self, references=references)


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


_Bounded.yaml_implicit_resolvers = {
    first_letter: _without_own(resolvers)
    for first_letter, resolvers in Resolver.yaml_implicit_resolvers.items()
}
# The tag, what has it, and the characters with which that begins.
OWN_RESOLVERS = (
    (f"{_TAG}bool", _BOOLEAN, "tTfF"),
    (f"{_TAG}float", _DECIMAL, "-+.0123456789"),
    (f"{_TAG}int", _INTEGER, "-+0123456789"),
)
for _tag, _pattern, _first_letters in OWN_RESOLVERS:
    _Bounded.add_implicit_resolver(_tag, _pattern, list(_first_letters))
# The stubs do not see that both are loaders.
for _loader in (QuickLoader, PlainLoader):
    _loader.add_constructor(f"{_TAG}int", _loader.number)  # type: ignore[type-var]
    _loader.add_constructor(f"{_TAG}float", _loader.number)  # type: ignore[type-var]
    _loader.add_constructor(f"{_TAG}timestamp", _loader.moment)  # type: ignore[type-var]
