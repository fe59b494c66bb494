"""Renames, merges and deletes projects: batches that each happen whole or not at all.

A call that is killed is continued by the same call.
"""

import shlex
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from graphmem import project as projects
from graphmem import read
from graphmem.batches import STATEMENT_BYTES, batches
from graphmem.errors import InvalidInput, NotFound
from graphmem.graph import Graph, Reader, Transaction
from graphmem.memory.store.model import StoreModel
from graphmem.memory.writing.asserting import write
from graphmem.memory.writing.remembering import Input
from graphmem.model import Item
from graphmem.model.projects import ProjectChange
from graphmem.progress import Progress
from graphmem.write import WriteOptions
from graphmem.write.assertions.weight import stored_weights
from graphmem.write.deleting.removing import delete_changes, delete_entities
from graphmem.write.project_moves.entities import Destinations, deciding_keys, move_entities
from graphmem.write.project_moves.history import move_changes
from graphmem.write.project_moves.move import Move

# Entities of a transaction.
BATCH = 200
PAGE = 500


def rename(graph: Graph, model: StoreModel, move: Move, *, progress: Progress) -> ProjectChange:
    """Move all entities of a project to one that holds nothing.

    Raises:
        InvalidInput: The new project holds something, and not because such a call was killed.
        NotFound: The project holds nothing.
    """
    note = f"{move.start}#{move.into}"
    graph.write(lambda transaction: _begin(transaction, move, note))
    change = _move_all(graph, model, move, progress)
    graph.write(lambda transaction: _end(transaction, note))
    return change


def merge(graph: Graph, model: StoreModel, move: Move, *, progress: Progress) -> ProjectChange:
    """Move all entities of a project to another; those of one name are joined.

    Raises:
        NotFound: The project holds nothing.
    """
    if not _holds_any(graph, move.start):
        raise nothing_in(move.start)
    return _move_all(graph, model, move, progress)


def delete(graph: Graph, project: str, *, progress: Progress) -> ProjectChange:
    """Delete all entities of a project, with their passages and relations.

    Raises:
        NotFound: The project holds nothing.
    """
    total = _holds(graph, project)
    if not total:
        raise nothing_in(project)
    entities = relations = 0
    for keys in _batches(graph, project):
        deleted = delete_entities(graph, keys)
        entities += len(deleted.keys)
        relations += deleted.relations
        progress.advance("Deleting entities", entities, max(total, entities))
    delete_changes(graph, project)
    return ProjectChange(project, None, entities, 0, relations)


def check_move(move: Move, *, start: str, into: str) -> None:
    """Refuse what cannot be moved, naming the arguments as the caller does.

    Raises:
        InvalidInput: One of the projects is a layer, or they are the same.
    """
    for argument, name in ((start, move.start), (into, move.into)):
        if name in projects.LAYERS:
            hint = (
                "All projects read the layers; move single entities with an export and an import."
            )
            raise InvalidInput(argument, name, "must not be a layer", hint=hint)
    if move.start == move.into:
        raise InvalidInput(into, move.into, f"must be another project than {move.start}")


def nothing_in(project: str) -> NotFound:
    """The error that a project holds nothing."""
    return NotFound(f"there is nothing in {project}; `graphmem project list` shows all projects")


def _begin(transaction: Transaction, move: Move, note: str) -> None:
    """Note that a project is renamed, unless the other one holds something of its own."""
    moves = transaction.run("write/lock_store_record")[0]["store"].get("moves") or []
    if note in moves:
        return
    if not _holds_any(transaction, move.start):
        raise nothing_in(move.start)
    if _holds_any(transaction, move.into):
        names = shlex.join([move.start, move.into])
        hint = f"To join the two, use `graphmem project merge {names}`."
        raise InvalidInput("new", move.into, "must be a project that holds nothing", hint=hint)
    transaction.run("write/note_in_store_record", properties={"moves": [*moves, note]})


def _end(transaction: Transaction, note: str) -> None:
    moves = transaction.run("write/lock_store_record")[0]["store"].get("moves") or []
    remaining_moves = [move_note for move_note in moves if move_note != note]
    transaction.run("write/note_in_store_record", properties={"moves": remaining_moves or None})


@dataclass(slots=True)
class _Total:
    """What was moved so far."""

    entities: int = 0
    joined: int = 0
    relations: int = 0
    refused: dict[str, Item] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)


def _move_all(graph: Graph, model: StoreModel, move: Move, progress: Progress) -> ProjectChange:
    """Go through the project until nothing is left to move, whatever others write meanwhile."""
    expected = _holds(graph, move.start)
    total = _Total()
    before = -1
    while total.entities > before:
        before = total.entities
        for batch in _batches(graph, move.start):
            keys = [key for key in batch if key not in total.refused]
            joined_at = _join_shared(graph, model, move, keys, total)
            result = move_entities(graph, move, keys, joined_at)
            total.entities += len(result.gone_keys)
            total.joined += result.joined
            total.relations += result.relations
            progress.advance("Moving entities", total.entities, max(expected, total.entities))
    move_changes(graph, move)
    return ProjectChange(
        move.start, move.into, total.entities, total.joined, total.relations,
        refused=tuple(total.refused.values()), notes=tuple(total.notes),
    )  # fmt: skip


def _join_shared(
    graph: Graph, model: StoreModel, move: Move, keys: Sequence[str], total: _Total
) -> Mapping[str, datetime | None]:
    """Join entities into those of their names in the other project; gives their last changes."""
    sizes = {row["key"]: row["passages"] for row in graph.read("read/sizes", keys=list(keys))}
    named_rows = graph.read("read/names_of", keys=[key for key in keys if sizes.get(key)])
    target_rows = graph.read("read/leads", keys=deciding_keys(move, named_rows))
    destinations = Destinations.of(move, target_rows)
    shared_keys = [row["key"] for row in named_rows if destinations.like(row) is not None]
    if not shared_keys:
        return {}
    entities = [
        # Removed relations are noted later, when the entity itself is moved.
        entity if entity.provenance is None
        else replace(entity, provenance=replace(entity.provenance, unlinked=()))
        for entity in read.whole(graph, sorted(shared_keys), provenance=True)
    ]  # fmt: skip
    report = write(graph, model, Input(tuple(entities), ()), WriteOptions(move.into))
    total.notes |= dict.fromkeys(report.notes)
    joined_at: dict[str, datetime | None] = {}
    for entity, item in zip(entities, report.items, strict=True):
        key = entity.key or ""
        if item.outcome == "refused":
            total.refused[key] = item
        else:
            joined_at[key] = entity.updated_at
    return joined_at


def _holds(graph: Graph, project: str) -> int:
    """How many entities a project holds."""
    return read.summaries(graph, [project])[0].entities


def _holds_any(reader: Reader, project: str) -> bool:
    """Whether a project holds anything, found by one look at the index."""
    return bool(reader.read("read/export_keys", project=project, after="", limit=1))


def _batches(graph: Graph, project: str) -> Iterator[list[str]]:
    """The keys of a project's entities, as many as one transaction may change."""
    after = ""
    while rows := graph.read("read/export_keys", project=project, after=after, limit=PAGE):
        keys = [row["key"] for row in rows]
        sizes = defaultdict(int, stored_weights(graph, keys))
        yield from batches(keys, sizes.__getitem__, most=BATCH, most_bytes=STATEMENT_BYTES)
        after = keys[-1]
