"""The one place where the embedding model of the settings is made."""

from collections.abc import Callable

from graphmem.embedding.background import BackgroundEmbedder, Report
from graphmem.embedding.loading import local_embedder
from graphmem.settings import Settings


def configured(
    settings: Settings, *, start: bool, say: Callable[[str], None] = lambda _: None
) -> BackgroundEmbedder:
    """Make the model that the settings name.

    Args:
        settings: Name the model, and whether it may be downloaded.
        start: Whether it begins to load now, in the background; otherwise with its `start`, or when
            it is first waited for.
        say: Hears what takes long before the model is ready, in sentences; from another thread.
    """
    embedder = local_embedder(
        settings.model,
        exports=settings.cache / "models",
        hub=settings.hub,
        runtime=settings.model_runtime,
        precision=settings.model_precision,
        report=Report(say),
    )
    if start:
        embedder.start()
    return embedder
