"""Names that a custom attribute may not have, since graphmem needs them itself."""

from dataclasses import dataclass

from graphmem.model.entity_fields import FIELD_NAMES

# What graphmem notes for itself on entities and relations begins with it.
PREFIX = "graphmem_"

# What is kept of how an entity is used: no part of what it says, and kept when it is said again.
USE = frozenset({"access_count", "accessed", "decay_weight"})


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


# What a custom attribute of an entity must not be called; see `relation_fields` for relations.
RESERVED_ATTRIBUTES = ReservedNames(
    USE.union(FIELD_NAMES)
    | {
        "aliases", "asserted_by", "created_at", "key", "layer", "live", "name", "observations",
        "passages", "project", "stub", "tags", "type", "updated_at",
    }
)  # fmt: skip
