"""What changes did, in parts, so that those of a large import fit into the server's memory."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from graphmem.batches import STATEMENT_BYTES, TRANSACTION_BYTES, batches, size
from graphmem.graph import Graph, Reader, Row
from graphmem.model.identity import RelationIdentity
from graphmem.model.report import Outcome
from graphmem.progress import SILENT, Progress
from graphmem.write.assertions.weight import COPIES, stored_weights
from graphmem.write.history.entity_effect import EntityEffect

PAGE = 1000
# The most entities that one transaction undoes.
BATCH = 500
# What a change did to entities, by their keys.
Entities = Mapping[str, EntityEffect]
TASK = "Reading what was changed"


@dataclass(frozen=True, slots=True)
class Undone:
    """What undoing a change did.

    Args:
        keys: Those of the entities that changed; none where the change was undone before.
        hidden_keys: Those of them that the change had created, which are hidden now.
        relations: Those that the change had created, which are gone.
        linked: By the key of each entity of which nothing but relations that begin there changed,
            these relations; those that the change had created are gone, the others as before.
    """

    keys: list[str]
    hidden_keys: frozenset[str]
    relations: list[RelationIdentity]
    linked: Mapping[str, Sequence[RelationIdentity]]

    @property
    def linked_outcomes(self) -> dict[RelationIdentity, Outcome]:
        """What became of those relations."""
        created_relations = set(self.relations)
        return {
            relation: "removed" if relation in created_relations else "updated"
            for relation in itertools.chain(*self.linked.values())
        }


def relations_of(entities: Entities) -> list[RelationIdentity]:
    """The relations that a change created."""
    return [link for entity in entities.values() for link in entity.relations]


def created_rows(
    reader: Reader,
    keys: Sequence[str],
    changes: Sequence[str],
    progress: Progress = SILENT,
) -> Iterator[Row]:
    """Rows of `read/created`: what changes created of some entities.

    Args:
        reader: The store.
        keys: Of the entities, as `read/created_keys` gives them.
        changes: The ids of the changes.
        progress: Receives the progress of the reading, where it takes several statements.
    """
    done = 0
    for batch in batches(keys, most=PAGE):
        yield from reader.read("read/created", keys=batch, changes=list(changes))
        done += len(batch)
        if len(keys) > PAGE:
            progress.advance(TASK, done, len(keys))


def revisions_of(graph: Graph, change: str, progress: Progress) -> Iterator[Row]:
    """Rows of `read/numbered_revisions`: what a change changed, of each entity the newest first.

    Args:
        graph: The store.
        change: Its id.
        progress: Receives the progress of the reading, where it takes several statements.
    """
    done = 0
    sizes = graph.read("read/revisions_of_change", id=change)
    for batch in batches(
        sizes, lambda row: int(row["characters"]), most=PAGE, most_bytes=STATEMENT_BYTES
    ):
        numbers = [{"key": row["key"], "revision": row["revision"]} for row in batch]
        rows = graph.read("read/numbered_revisions", rows=numbers)
        yield from (row for row in reversed(rows) if row["change"] == change)
        done += len(batch)
        if len(sizes) > PAGE:
            progress.advance(TASK, done, len(sizes))


def in_parts(graph: Graph, entities: Entities) -> Iterator[Entities]:
    """The entities, as many at once as a transaction may change.

    What comes back is first, and what goes is last, so that relations have both of their ends.
    """
    ordered_keys = sorted(entities, key=lambda key: (entities[key].place(key), key))
    for page in batches(ordered_keys, most=BATCH):
        weights = stored_weights(graph, page)
        for keys in batches(
            page,
            lambda key: weights.get(key, 0) + COPIES * size(entities[key].before),  # noqa: B023 - used in this round
            most=BATCH,
            most_bytes=TRANSACTION_BYTES,
        ):
            yield {key: entities[key] for key in keys}
