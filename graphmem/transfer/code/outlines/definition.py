"""A definition of a file while the file is being read."""

from dataclasses import dataclass, field

from graphmem.transfer.code.outlines.outline import Arity, Path, Source, Symbol

KINDS = {
    "function": "Function", "class": "Class", "struct": "Struct", "interface": "Interface",
    "enum": "Enum", "trait": "Trait", "type": "Type", "macro": "Macro", "constant": "Constant",
    "namespace": "", "extension": "",
}  # fmt: skip


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
    arity: Arity | None = None
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
