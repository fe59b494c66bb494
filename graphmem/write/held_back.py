"""Holds back entities of which an import may have more rows."""

from graphmem.write.assertions.shape import Stored
from graphmem.write.assertions.weight import content_weight
from graphmem.write.options import WriteOptions
from graphmem.write.pending_entity import PendingEntity


class HeldBack:
    """Holds back what would change an entity that the same import has asserted before.

    What an import asserts of an entity replaces what it asserted before. If a file has several rows
    for an entity, the first of them alone would remove what the others assert, at every import.

    Args:
        options: The author.

    Attributes:
        weight: About how many bytes it holds.
    """

    def __init__(self, options: WriteOptions) -> None:
        self._author = options.author if options.is_import else None
        self._entities: dict[str, list[PendingEntity]] = {}
        self.weight = 0

    @property
    def count(self) -> int:
        """How many entities it holds."""
        return len(self._entities)

    def takes(self, stored: Stored, pending: PendingEntity, *, changes: bool) -> bool:
        """Hold an entity back if necessary; the result says whether it was.

        Args:
            stored: The entity as it is stored.
            pending: What the row asserts of it.
            changes: Whether that would change it, or be refused.
        """
        is_first = (
            changes
            and not pending.again
            and pending.entity.provenance is None
            and self._author in (stored.properties.get("asserted_by") or ())
        )
        if not is_first and stored.key not in self._entities:
            return False
        self._entities.setdefault(stored.key, []).append(pending)
        self.weight += content_weight(pending.entity)
        return True

    def release(self) -> list[list[PendingEntity]]:
        """Return and forget what it holds: for each entity its rows, in order."""
        entities = list(self._entities.values())
        self._entities = {}
        self.weight = 0
        return entities
