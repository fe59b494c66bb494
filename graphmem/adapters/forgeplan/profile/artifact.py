"""What an artifact says, and how far it can be relied on."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from graphmem.model import Entity

if TYPE_CHECKING:
    from graphmem.adapters.forgeplan.trust import Trust
    from graphmem.memory import Memory


def body_of(entity: Entity) -> str:
    """All that an artifact says: its text, and what was observed of it since."""
    texts = (entity.text, *(observation.text for observation in entity.observations))
    return "\n\n".join(filter(None, texts))


def trust_of(memory: "Memory", keys: Iterable[str]) -> dict[str, "Trust"]:
    """How far artifacts can be relied on, by key, from the evidence linked to them now.

    A key that the memory may not read is left out.

    Raises:
        DatabaseError: The database does not answer or refuses.
    """
    # Imported here for weight: the driver comes with it.
    from graphmem.adapters.forgeplan.trust import trust  # noqa: PLC0415

    return trust(memory.graph, memory.access.readable_keys(keys))
