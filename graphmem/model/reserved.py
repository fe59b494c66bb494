"""Names that a custom attribute may not have, since graphmem needs them itself."""

from dataclasses import dataclass

# What graphmem notes for itself on entities and relations begins with it.
PREFIX = "graphmem_"


@dataclass(frozen=True, slots=True)
class ReservedNames:
    """Some names, and everything that begins with `graphmem_`.

    Args:
        names: Fields with a meaning of their own, in the store or in JSON lines.
    """

    names: frozenset[str]

    def __contains__(self, name: object) -> bool:
        """Whether a custom attribute may not have this name."""
        return name in self.names or (isinstance(name, str) and name.startswith(PREFIX))
