"""Patterns that say where modules are, as `tsconfig.json` and `package.json` have them."""

from collections.abc import Iterator
from dataclasses import dataclass, field

# A name, a pattern and a path; nobody writes longer ones.
_MOST_CHARACTERS = 300
_MOST_PATHS = 20
# So many patterns may begin alike and end otherwise.
_MOST_ENDINGS = 20

_Paths = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PathPatterns:
    """Names of modules, and the paths that they stand for.

    Args:
        exact: The paths of whole names.
        wild: What stands behind a `*` and the paths, by what stands before it.
    """

    exact: dict[str, _Paths] = field(default_factory=dict)
    wild: dict[str, list[tuple[str, _Paths]]] = field(default_factory=dict)

    def paths(self, name: str) -> list[str]:
        """The paths that a name stands for, the likeliest first, by the pattern nearest to it."""
        if name in self.exact:
            return list(self.exact[name])
        if not self.wild or len(name) > _MOST_CHARACTERS:
            return []
        for end in range(len(name), -1, -1):
            rest = name[end:]
            for ending, paths in self.wild.get(name[:end], ()):
                if rest.endswith(ending):
                    return [path.replace("*", rest.removesuffix(ending)) for path in paths]
        return []


def path_patterns(value: object) -> PathPatterns:
    """Read an object of patterns; a path may be one of a list, or be one for some conditions."""
    patterns = PathPatterns()
    for name, written in value.items() if isinstance(value, dict) else ():
        paths = tuple(_paths(written))
        beginning, star, ending = name.partition("*")
        if not star:
            patterns.exact[name] = paths
        elif len(patterns.wild.setdefault(beginning, [])) < _MOST_ENDINGS:
            patterns.wild[beginning].append((ending, paths))
    return patterns


def _paths(value: object) -> Iterator[str]:
    stack, count = [value], 0
    while stack and count < _MOST_PATHS:
        item = stack.pop()
        if isinstance(item, str) and len(item) <= _MOST_CHARACTERS:
            count += 1
            yield item
        elif isinstance(item, list):
            stack += reversed(item)
        elif isinstance(item, dict):
            stack += reversed(item.values())
