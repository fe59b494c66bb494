"""Where names stand: what they mean depends on the file, and on the symbol in it."""

from dataclasses import dataclass

from graphmem.transfer.code.languages import Family
from graphmem.transfer.code.outlines.outline import Outline, Symbol

# What has variables: a symbol, or the module level of a file, which is the file's path.
Scope = Symbol | str


@dataclass(frozen=True, slots=True)
class Site:
    """Where a name stands.

    Args:
        outline: The file.
        origin: The symbol in it; None for the module level.
    """

    outline: Outline
    origin: Symbol | None = None

    @property
    def family(self) -> Family:
        """The family of the language that the name is written in."""
        return self.outline.language.family

    @property
    def scope(self) -> Scope:
        """What has the variables of the site."""
        return self.origin or self.outline.path

    def has_parameter(self, name: str) -> bool:
        """Whether a name may be that of a parameter, which may have no type that is known."""
        return self.origin is not None and self.origin.has_parameter(name)
