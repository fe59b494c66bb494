"""The one place where the embedding model of the settings is made."""

from graphmem.embedding.sentences import SentenceEmbedder
from graphmem.settings import Settings


def configured(settings: Settings, *, start: bool) -> SentenceEmbedder:
    """Make the model that the settings name.

    Args:
        settings: Name the model, and whether it may be downloaded.
        start: Whether it begins to load now, in the background; otherwise with its `start`, or when
            it is first waited for.
    """
    model = SentenceEmbedder(settings.model, hub=settings.hub)
    if start:
        model.start()
    return model
