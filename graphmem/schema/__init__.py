"""What a store is made of beside its content: constraints, indexes, languages, and its model."""

from graphmem.schema.definitions import Definition, definitions
from graphmem.schema.indexes import check, differing, ensure, languages, remake
from graphmem.schema.model import note_model, noted_model

__all__ = [
    "Definition",
    "check",
    "definitions",
    "differing",
    "ensure",
    "languages",
    "note_model",
    "noted_model",
    "remake",
]
