"""Embedding: the model, where it is, and what the verbs need of it."""

import os

# onnxruntime reports what it runs to its maker, unless it reads this when it is imported.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

from graphmem.embedding.background_embedder import BackgroundEmbedder
from graphmem.embedding.calibration import (
    CALIBRATIONS,
    Calibration,
    CosineDistribution,
    calibration_of,
    is_calibrated,
)
from graphmem.embedding.configured import configured_embedder
from graphmem.embedding.embedder import (
    MOST_DIMENSIONS,
    TOGETHER,
    DocumentEmbedder,
    Embedder,
    ModelIdentity,
    State,
    Vector,
    document,
)
from graphmem.embedding.endpoint_address import Endpoint
from graphmem.embedding.loading import local_embedder
from graphmem.embedding.models import DEFAULT_REVISION, folder_of, packaged_model
from graphmem.embedding.recent import RecentEmbeddings
from graphmem.embedding.reranker import Reranker, configured_reranker
from graphmem.embedding.stored import StoredModels, described
from graphmem.settings import DEFAULT_MODEL

__all__ = [
    "CALIBRATIONS",
    "DEFAULT_MODEL",
    "DEFAULT_REVISION",
    "MOST_DIMENSIONS",
    "TOGETHER",
    "BackgroundEmbedder",
    "Calibration",
    "CosineDistribution",
    "DocumentEmbedder",
    "Embedder",
    "Endpoint",
    "ModelIdentity",
    "RecentEmbeddings",
    "Reranker",
    "State",
    "StoredModels",
    "Vector",
    "calibration_of",
    "configured_embedder",
    "configured_reranker",
    "described",
    "document",
    "folder_of",
    "is_calibrated",
    "local_embedder",
    "packaged_model",
]
