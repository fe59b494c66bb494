"""What an artifact says, as the tools show and search it."""

from graphmem.model import Entity


def body_of(entity: Entity) -> str:
    """All that an artifact says: its text, and what was observed of it since."""
    texts = (entity.text, *(observation.text for observation in entity.observations))
    return "\n\n".join(filter(None, texts))
