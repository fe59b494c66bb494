"""Writing: entities with their passages, relations, and the status of both."""

from graphmem.write.entities import Writing, change_status, fill_pending, write_entities
from graphmem.write.merge import DEAD, FORGOTTEN
from graphmem.write.relations import Ends, delete_relations, write_relations

__all__ = [
    "DEAD",
    "FORGOTTEN",
    "Ends",
    "Writing",
    "change_status",
    "delete_relations",
    "fill_pending",
    "write_entities",
    "write_relations",
]
