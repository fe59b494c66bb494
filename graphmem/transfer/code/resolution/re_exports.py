"""What a module has under a name that it imports and does not define."""

from graphmem.transfer.code.modules import files
from graphmem.transfer.code.outlines.outline import Outline, Symbol
from graphmem.transfer.code.resolution.names import Names
from graphmem.transfer.code.resolution.places import OUTSIDE, Module, Nowhere, Place

# Modules that pass a name on, one to the next: each takes some levels of Python's own stack.
MOST_RE_EXPORTS = 50
_CHILDREN = {"python": files.python_child, "rust": files.rust_child}
_RE_EXPORTING = frozenset({"python", "ecmascript", "rust"})


class ReExports:
    """Looks up what modules pass on, each name once.

    Args:
        names: Knows what the names of a file mean.
    """

    def __init__(self, names: Names) -> None:
        self._names = names
        self._depth = 0
        # While a name is being looked up it leads nowhere, so circles end.
        self._places: dict[tuple[str, str], Place] = {}

    def of(self, outline: Outline, name: str) -> Place:
        """What a module has under a name that it does not define."""
        key = (outline.path, name)
        if key not in self._places:
            self._places[key] = OUTSIDE
            if outline.language.family in _RE_EXPORTING and self._depth < MOST_RE_EXPORTS:
                self._depth += 1
                self._places[key] = self._imported(outline, name)
                self._depth -= 1
        return self._places[key]

    def _imported(self, outline: Outline, name: str) -> Place:
        """A child module of that name, or what the module imports under it."""
        family = outline.language.family
        child = _CHILDREN.get(family)
        place = self._names.imported(outline, name)
        if family == "rust" and isinstance(place, Symbol):
            return place  # of a module and a function of a name, the function is called
        if child is not None and (file := child(self._names.modules, outline.path, name)):
            return Module(file)
        if place is not None:
            return place
        for module in self._names.wildcards(outline):
            member = OUTSIDE if isinstance(module, Nowhere) else self._names.step(module, name)
            if not isinstance(member, Nowhere):
                return member
        return OUTSIDE
