"""Writing: entities with their passages, relations, who asserts them, and the status of both."""

from graphmem.write.bounds import refusals
from graphmem.write.deleting.relations import delete_relations
from graphmem.write.deleting.stale import (
    Gone,
    Removed,
    Snapshot,
    carry_over_gone,
    remove_stale,
    take_over,
)
from graphmem.write.embeddings.backlog import BATCH, fill_pending
from graphmem.write.embeddings.leftover import remove_leftover
from graphmem.write.entities import change_status, derive, reset_status
from graphmem.write.history.undoing import undo
from graphmem.write.merge_result import Merge
from graphmem.write.options import WriteOptions
from graphmem.write.pending_entity import PendingEntity
from graphmem.write.pipeline import EntityWriter, Held, chunked, size_of
from graphmem.write.present_ends import write_to_present_ends
from graphmem.write.redirects import Redirects
from graphmem.write.relations import write_relations
from graphmem.write.repair.repairing import repair
from graphmem.write.reshaping import Embed, merge, rename, supersede
from graphmem.write.vocabulary import are_alike, names_like

__all__ = [
    "BATCH",
    "Embed",
    "EntityWriter",
    "Gone",
    "Held",
    "Merge",
    "PendingEntity",
    "Redirects",
    "Removed",
    "Snapshot",
    "WriteOptions",
    "are_alike",
    "carry_over_gone",
    "change_status",
    "chunked",
    "delete_relations",
    "derive",
    "fill_pending",
    "merge",
    "names_like",
    "refusals",
    "remove_leftover",
    "remove_stale",
    "rename",
    "repair",
    "reset_status",
    "size_of",
    "supersede",
    "take_over",
    "undo",
    "write_relations",
    "write_to_present_ends",
]
