"""The one place where the embedding model of the settings is made."""

from collections.abc import Callable

from graphmem.embedding.background_embedder import BackgroundEmbedder
from graphmem.embedding.background_model import LoadProgress
from graphmem.embedding.embedder import LoadedModel
from graphmem.embedding.endpoint_address import Endpoint
from graphmem.embedding.loading import local_embedder
from graphmem.ownership import real_path
from graphmem.settings import Settings


def configured_embedder(
    settings: Settings, *, start: bool, say: Callable[[str], None] = lambda _: None
) -> BackgroundEmbedder:
    """Make the model that the settings name: at a server where they name one, else on this machine.

    Args:
        settings: Name the model, and its server or whether it may be downloaded.
        start: Whether it begins to load now, in the background; otherwise with its `start`, or when
            it is first waited for.
        say: Called with a sentence when something takes long, from another thread.

    Raises:
        ConfigurationError: The server's address, key or model cannot be used.
    """
    endpoint = Endpoint.of(settings)
    embedder = _local(settings, say) if endpoint is None else _remote(endpoint, say)
    if start:
        embedder.start()
    return embedder


def _local(settings: Settings, say: Callable[[str], None]) -> BackgroundEmbedder:
    return local_embedder(
        settings.model,
        exports=real_path(settings.cache) / "models",
        hub=settings.hub,
        runtime=settings.model_runtime,
        precision=settings.model_precision,
        progress=LoadProgress(say),
    )


def _remote(endpoint: Endpoint, say: Callable[[str], None]) -> BackgroundEmbedder:
    def load(_: LoadProgress) -> LoadedModel:
        # The client of HTTP is imported in the background, beside the connecting.
        from graphmem.embedding.endpoint import EndpointModel  # noqa: PLC0415

        return EndpointModel(endpoint)

    hint = "; check GRAPHMEM_EMBEDDING_URL and the proxies of the environment"
    return BackgroundEmbedder(endpoint.model, load, hint=hint, progress=LoadProgress(say))
