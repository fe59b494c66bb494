"""Writing: entities with their passages, relations, who asserts them, and the status of both."""

from graphmem.model.provenance import CALLER
from graphmem.write.backlog import BATCH, fill_pending
from graphmem.write.bounds import refusals
from graphmem.write.entities import Spoken, change_status, derive
from graphmem.write.facts import DEAD
from graphmem.write.leftover import remove_leftover
from graphmem.write.options import WriteOptions
from graphmem.write.pipeline import EntityWriter, chunked, size_of
from graphmem.write.provenance import FORGOTTEN
from graphmem.write.relations import delete_relations, write_relations
from graphmem.write.stale import Removed, Snapshot, remove_stale

__all__ = [
    "BATCH",
    "CALLER",
    "DEAD",
    "FORGOTTEN",
    "EntityWriter",
    "Removed",
    "Snapshot",
    "Spoken",
    "WriteOptions",
    "change_status",
    "chunked",
    "delete_relations",
    "derive",
    "fill_pending",
    "refusals",
    "remove_leftover",
    "remove_stale",
    "size_of",
    "write_entities",
    "write_relations",
]
