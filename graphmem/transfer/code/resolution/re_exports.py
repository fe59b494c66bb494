"""What a module has under a name that it imports and does not define."""

from graphmem.transfer.code.modules import files
from graphmem.transfer.code.outlines.outline import Outline, Symbol
from graphmem.transfer.code.resolution.name_resolver import NameResolver
from graphmem.transfer.code.resolution.referents import OUTSIDE, Module, Referent, Unresolved

# Modules that pass a name on, one to the next: each takes some levels of Python's own stack.
MOST_RE_EXPORTS = 50
_CHILDREN = {"python": files.python_child, "rust": files.rust_child}
_RE_EXPORTING = frozenset({"python", "ecmascript", "rust"})


class ReExports:
    """Looks up what modules pass on, each name once.

    Args:
        resolver: Knows what names mean.
    """

    def __init__(self, resolver: NameResolver) -> None:
        self._resolver = resolver
        self._depth = 0
        # While a name is being looked up it leads nowhere, so circles end.
        self._referents: dict[tuple[str, str], Referent] = {}

    def of(self, outline: Outline, name: str) -> Referent:
        """What a module has under a name that it does not define."""
        key = (outline.path, name)
        if key not in self._referents:
            self._referents[key] = OUTSIDE
            if outline.language.family in _RE_EXPORTING and self._depth < MOST_RE_EXPORTS:
                self._depth += 1
                self._referents[key] = self._imported(outline, name)
                self._depth -= 1
        return self._referents[key]

    def _imported(self, outline: Outline, name: str) -> Referent:
        """A child module of that name, or what the module imports under it."""
        family = outline.language.family
        child = _CHILDREN.get(family)
        referent = self._resolver.imported(outline, name)
        if family == "rust" and isinstance(referent, Symbol):
            return referent  # of a module and a function of a name, the function is called
        if child is not None and (file := child(self._resolver.modules, outline.path, name)):
            return Module(file)
        if referent is not None:
            return referent
        other = self._resolver.other_name(outline, name)
        if not isinstance(other, Unresolved):
            return other
        for module in self._resolver.wildcards(outline):
            member = self._resolver.step(module, name)
            if not isinstance(member, Unresolved):
                return member
        return OUTSIDE
