"""Embedding: the model, where it is, and what the verbs need of it."""

from graphmem.embedding.configured import configured
from graphmem.embedding.embedder import (
    TEMPLATE,
    Embedder,
    ModelIdentity,
    State,
    Vector,
    document,
)
from graphmem.embedding.models import DEFAULT_MODEL, DEFAULT_REVISION, folder_of, packaged_model
from graphmem.embedding.recent import RecentEmbeddings
from graphmem.embedding.sentences import SentenceEmbedder

__all__ = [
    "DEFAULT_MODEL",
    "DEFAULT_REVISION",
    "TEMPLATE",
    "Embedder",
    "ModelIdentity",
    "RecentEmbeddings",
    "SentenceEmbedder",
    "State",
    "Vector",
    "configured",
    "document",
    "folder_of",
    "packaged_model",
]
