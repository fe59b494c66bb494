"""What a store is made of beside its content: constraints, indexes, languages, and its model."""

from graphmem.schema.definitions import definitions
from graphmem.schema.embeddings import index_next
from graphmem.schema.indexes import check, differing, ensure, has_indexes, languages, remake
from graphmem.schema.model import note_model, stored_models

__all__ = [
    "check",
    "definitions",
    "differing",
    "ensure",
    "has_indexes",
    "index_next",
    "languages",
    "note_model",
    "remake",
    "stored_models",
]
