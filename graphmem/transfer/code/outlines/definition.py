"""A definition of a file while the file is being read."""

from dataclasses import dataclass, field, replace

from graphmem.transfer.code.outlines import names
from graphmem.transfer.code.outlines.excerpts import last_row
from graphmem.transfer.code.outlines.outline import Arity, Path, Source, Symbol
from graphmem.transfer.code.outlines.parsing import Match

KINDS = {
    "function": "Function", "class": "Class", "struct": "Struct", "interface": "Interface",
    "enum": "Enum", "trait": "Trait", "type": "Type", "macro": "Macro", "constant": "Constant",
    "namespace": "", "extension": "",
}  # fmt: skip

# What says that others do not see it: of functions in C, and of all in Swift.
_OF_ITS_FILE = frozenset({"static", "private", "fileprivate"})
# Functions of Kotlin that give the object they are called on.
_GIVING_THEIR_OBJECT = frozenset({"also", "apply"})


@dataclass(slots=True)
class Definition:
    """A definition while it is being read; places are in bytes, rows count from 0."""

    capture: str
    name: str
    owner: str
    pattern: int
    start: int
    end: int
    row: int
    last_row: int
    signature: int
    body: int
    returns: str
    private: bool
    abstract: bool
    implements: str
    extended: str = ""
    secondary: bool = False  # another definition of its name stands for it
    arity: Arity | None = None
    parameters: tuple[tuple[str, ...], ...] = ()
    parent: "Definition | None" = None
    path: Path = ()
    text_start: int = 0  # see `_place`
    text_end: int = 0
    symbol: Symbol | None = None
    source: Source | None = None
    members: list["Definition"] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """Its kind; empty for what only qualifies the names inside."""
        return KINDS[self.capture]

    @property
    def symbol_parent(self) -> "Definition | None":
        """The innermost one around it that is a symbol."""
        parent = self.parent
        while parent is not None and not parent.kind:
            parent = parent.parent
        return parent


def definition_of(match: Match, capture: str) -> Definition:
    """What a pattern says of a definition.

    Args:
        match: What the pattern found.
        capture: Which of `KINDS` it is.
    """
    node = match.nodes[capture]
    is_macro = "arguments" in match.nodes
    name = names.of_macro(match.text("arguments")) if is_macro else match.text("name")
    owner = match.text("owner")
    if "path" in match.nodes:
        split = names.split_owner if capture == "function" else names.split_type
        owner, name = split(match.text("path"))
    elif capture == "extension" and (extended_path := names.path_of(name)):
        owner, name = ".".join(extended_path[:-1]), extended_path[-1]
    body, head = match.nodes.get("body"), match.nodes.get("head")
    last = node if body is None or body.end_byte < node.end_byte else body
    return Definition(
        capture=capture,
        name=names.short(name),
        owner=owner.removesuffix(".prototype"),
        pattern=match.pattern,
        start=node.start_byte,
        end=last.end_byte,
        row=node.start_point.row,
        last_row=last_row(last),
        signature=match.nodes.get("signature", node).start_byte,
        body=head.end_byte if head else node.end_byte if body is None else body.start_byte,
        returns=_returns(match),
        private=match.text("storage") in _OF_ITS_FILE,
        abstract=head == node,
        implements=match.text("implements"),
        extended=match.text("extends"),
    )


def _returns(match: Match) -> str:
    """The text of the type that a function gives; `this` where it gives its own object."""
    text = match.text("returns")
    if text in _GIVING_THEIR_OBJECT:
        return "this"
    return text or names.type_in_comment(match.text("documented"), "return")


def combined_definition(definition: Definition, other: Definition) -> Definition:
    """The same definition found by two patterns: the first says what it is, the wider how far."""
    primary, secondary = sorted((definition, other), key=lambda candidate: candidate.pattern)
    widest = max(primary, secondary, key=lambda candidate: candidate.end - candidate.start)
    # A narrower pattern that names no start of its own does not know of the decorators above.
    both = (definition, other)
    signatures = [each.signature for each in both if each.signature != each.start]
    # Where one says no more than that there is a list, a comment of PHP says of what.
    is_vague = primary.returns in names.LISTS and secondary.returns
    return replace(
        primary,
        start=widest.start,
        end=widest.end,
        row=widest.row,
        last_row=widest.last_row,
        signature=signatures[0] if signatures else widest.start,
        body=min(primary.body, secondary.body),
        returns=secondary.returns if is_vague else primary.returns,
        extended=primary.extended or secondary.extended,
        private=primary.private or secondary.private,
        abstract=primary.abstract and secondary.abstract,
        implements=primary.implements or secondary.implements,
        arity=primary.arity or secondary.arity,
        parameters=primary.parameters or secondary.parameters,
    )
