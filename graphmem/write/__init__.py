"""Writing: entities with their passages, relations, and the status of both."""

from graphmem.write.bounds import refusals
from graphmem.write.entities import change_status, fill_pending, write_entities
from graphmem.write.imports import SaidNow, remove_unsaid
from graphmem.write.merge import DEAD, FORGOTTEN
from graphmem.write.relations import Ends, delete_relations, write_relations
from graphmem.write.writing import Writing

__all__ = [
    "DEAD",
    "FORGOTTEN",
    "Ends",
    "SaidNow",
    "Writing",
    "change_status",
    "delete_relations",
    "fill_pending",
    "refusals",
    "remove_unsaid",
    "write_entities",
    "write_relations",
]
