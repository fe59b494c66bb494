"""One project's share of an import: its entities, its relations, and what it takes back."""

from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from typing import Self

from graphmem.batches import batches
from graphmem.embedding import DocumentEmbedder
from graphmem.graph import Graph
from graphmem.memory.imports.collecting import Collected
from graphmem.memory.imports.ends import RelationRow, between_two
from graphmem.memory.imports.entity_rows import EntityRows, digest
from graphmem.memory.imports.held_relations import HeldRelations
from graphmem.memory.imports.history import HistoryImport
from graphmem.memory.imports.mentioning import Texts, is_derived, named_entities
from graphmem.memory.imports.options import ImportOptions
from graphmem.memory.imports.original_names import under_original_names
from graphmem.memory.imports.room import with_room
from graphmem.memory.imports.spool import Spool
from graphmem.memory.imports.unread import Unread
from graphmem.memory.imports.waiting import WaitingRelations, ready_rows
from graphmem.memory.writing.asserting import embeddings_by
from graphmem.memory.writing.planned import Planned, resolved
from graphmem.memory.writing.relating import relate
from graphmem.model import Entity, Relation
from graphmem.model.identity import RelationIdentity
from graphmem.model.status import ACTIVE, REMOVED
from graphmem.progress import Continued, Progress
from graphmem.transfer import Format, Row
from graphmem.write import (
    Gone,
    Held,
    Redirects,
    Snapshot,
    WriteOptions,
    carry_over_gone,
    remove_stale,
    take_over,
)

# Relations that are resolved and written together.
BATCH = 1000


class ProjectImport:
    """Writes what an import says of one project; a context manager.

    Args:
        graph: The store.
        embedder: Makes the embeddings, or None.
        source_format: The format that is read.
        write_options: The project, the import as an author, and whether anything is kept.
        earlier_author: What the import was called before, where it was called otherwise.
        collected: Takes what became of each row.
        options: Whether texts are linked, and how much may be removed.
        progress: Receives the progress of the writing.
    """

    def __init__(
        self,
        graph: Graph,
        embedder: DocumentEmbedder | None,
        source_format: Format,
        write_options: WriteOptions,
        earlier_author: str | None = None,
        *,
        collected: Collected,
        options: ImportOptions,
        progress: Progress,
    ) -> None:
        self._graph = graph
        self._embedder = embedder
        self._format = source_format
        self._write_options = write_options
        self._earlier_author = earlier_author
        self._collected = collected
        self._options = options
        self._progress = progress
        self._relation_count = 0
        self._links_texts = source_format.mentions if options.mentions is None else options.mentions
        self._entities = EntityRows(
            graph, embedder, write_options,
            collected=collected, note=self._note_entity, progress=progress,
        )  # fmt: skip
        self._waiting = WaitingRelations()
        self._held_relations = HeldRelations()
        self._texts = Texts(write_options.project)
        # Digests of the relations that the import asserts.
        self._asserted: set[int] = set()
        self._unread = Unread()
        # By key, the entities that relations of the import link with each.
        self._linked_keys: dict[str, set[str]] = {}
        self._planned = Planned()
        self._without_room: set[str] = set()
        self._history = HistoryImport(graph, write_options, collected, progress)
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        """Give the import itself."""
        self._stack.enter_context(self._entities)
        self._stack.enter_context(self._texts)
        self._stack.callback(self._waiting.late.close)
        self._stack.callback(self._history.close)
        return self

    def __exit__(self, *_: object) -> None:
        """Drop what is not written yet."""
        self._stack.close()

    def add(self, rows: Sequence[tuple[int, Row]]) -> None:
        """Take rows in their order, and write what can be written by now."""
        rows, without_room = with_room(
            self._graph, self._history.take_history(rows), self._collected
        )
        self._without_room |= without_room
        self._add_entities(rows)
        relations = [(i, row) for i, row in rows if isinstance(row.value, Relation)]
        self._waiting.add(self._entities.chunk, relations)
        self._relate_waiting()
        self._waiting.limit()

    @property
    def project(self) -> str:
        """The project's name."""
        return self._write_options.project

    @property
    def held(self) -> Held:
        """How much of it waits to be written."""
        return self._entities.held

    def flush(self) -> None:
        """Write the entities that wait, since others come first now."""
        self._entities.flush()
        self._relate_waiting()

    def finish(self, unread: Unread) -> None:
        """Write the rest, link what texts name, and take back what the source no longer has.

        Args:
            unread: What was not read, in any project.
        """
        for file in self._without_room:
            unread.add(file)
        self._unread = unread.resolved(self._graph, self.project)
        self._entities.finish()
        self._relate_waiting()
        snapshot = self._snapshot()
        embed = partial(embeddings_by, self._embedder)
        gone = carry_over_gone(self._graph, self._write_options, snapshot, embed=embed)
        for batch in batches(self._waiting.late, most=BATCH):
            self._relate(batch)
        self._relate_held()
        self._history.finish()
        if self._links_texts:
            self._mention()
        self._remove(snapshot, gone)

    def _add_entities(self, rows: Sequence[tuple[int, Row]]) -> None:
        """Take entities under the names that their keys are made of, if renamed or merged."""
        named_rows = under_original_names(self._graph, self._write_options.project, rows)
        names = [row.value.name for _, row in named_rows if isinstance(row.value, Entity)]
        redirects = Redirects.of(self._graph, self._write_options.project, names)
        final = [
            (i, replace(row, value=redirects(row.value)) if isinstance(row.value, Entity) else row)
            for i, row in named_rows
        ]
        self._history.note_entities(rows, final)
        redirected = {
            i
            for (i, named_row), (_, row) in zip(named_rows, final, strict=True)
            if isinstance(named_row.value, Entity) and named_row.value is not row.value
        }
        self._entities.add(final, redirected)

    def _note_entity(self, entity: Entity, place: str) -> None:
        if self._links_texts:
            self._texts.add(entity, place)
        if self._write_options.dry_run:
            self._planned.add(self._write_options.project, [entity])

    def _relate_waiting(self) -> None:
        """Write relations whose ends exist by their names; an alias may become a name later."""
        # Another entity may go, and what has its name as an alias stays.
        is_possible = self._entities.names if self._format.whole else None
        all_wait = self._write_options.dry_run
        for rows in self._waiting.take_ready(self._entities.chunks_written):
            ready = [] if all_wait else ready_rows(self._graph, self.project, rows, is_possible)
            places = {index for index, _ in ready}
            for pair in rows:
                if pair[0] not in places:
                    self._waiting.late.add(pair)
            for batch in batches(ready, most=BATCH):
                self._relate(batch)

    def _relate(self, rows: Sequence[tuple[int, Row]], *, holds: bool = True) -> None:
        """Write relations between entities that are written, and report on their rows.

        Args:
            rows: Rows of relations.
            holds: Whether a relation that would change what the import asserted before is held back
                until all its rows are there.
        """
        relations = [row.value for _, row in rows if isinstance(row.value, Relation)]
        ends_of = resolved(self._graph, self.project, relations, self._planned, goes=self._goes)
        relation_rows = [
            RelationRow.of(index, row, relation, ends_of)
            for (index, row), relation in zip(rows, relations, strict=True)
        ]
        written_rows = [
            relation_row
            for relation_row in relation_rows
            if relation_row.identity is None
            or not self._held_relations.takes(relation_row.identity, relation_row.indexed_row)
        ]
        held: set[RelationIdentity] = set()
        items = relate(
            self._graph,
            [between_two(relation_row.relation, ends_of) for relation_row in written_rows],
            ends_of,
            self._write_options,
            planned=self._planned,
            again={
                relation_row.identity
                for relation_row in written_rows
                if relation_row.identity and digest(relation_row.identity) in self._asserted
            },
            held=held if holds else None,
            on_resolved=self._note_relation,
            progress=Continued(self._progress, self._relation_count),
        )
        self._relation_count += len(written_rows)
        for relation_row, item in zip(written_rows, items, strict=True):
            if relation_row.identity in held:
                self._held_relations.add(relation_row.identity, relation_row.indexed_row)
            else:
                index, row = relation_row.indexed_row
                self._collected.add_relation(index, row, item, ends_of)
        self._asserted -= {digest(identity) for identity in held}
        if self._held_relations.is_full:
            self._relate_held()

    def _relate_held(self) -> None:
        """Write the relations that were held back, of each all rows at once."""
        for batch in self._held_relations.release():
            self._relate(batch, holds=False)

    def _note_relation(self, identity: RelationIdentity, relation: Relation) -> None:
        self._asserted.add(digest(identity))
        self._history.note_relation(identity, relation)
        if self._links_texts and not is_derived(relation):
            self._linked_keys.setdefault(identity.start, set()).add(identity.end)
            self._linked_keys.setdefault(identity.end, set()).add(identity.start)

    def _mention(self) -> None:
        """Link texts to the entities they name, but not to those that this import takes back."""
        other_entities = (
            entity
            for entity in named_entities(self._graph, self._write_options.project)
            if not self._goes(entity.key, entity.authors, entity.source)
        )
        mentions = self._texts.mentions(other_entities, self._linked_keys, progress=self._progress)
        with closing(Spool[tuple[int, Row]]()) as mention_rows:
            for place, relation in mentions:
                mention_rows.add((self._collected.next_index(), Row(place, relation)))
            for batch in batches(mention_rows, most=BATCH):
                self._relate(batch, holds=False)

    def _goes(
        self, key: str, authors: Sequence[str], source: str | None, status: str = ACTIVE
    ) -> bool:
        """Whether an import has removed an entity, or this one will, which alone asserted it."""
        if not self._format.whole or self._entities.names(key):
            return False
        is_own = tuple(authors) == (self._write_options.author,)
        may_stay = self._unread.may_hold(key, source, self._format)
        return status == REMOVED or (is_own and not may_stay)

    def _snapshot(self) -> Snapshot:
        names = self._entities.names
        return Snapshot(
            keys=names,
            relations=lambda identity: digest(identity) in self._asserted,
            unread=partial(self._unread.may_state, source_format=self._format, is_read=names),
            unread_keys=partial(self._unread.keys_among, source_format=self._format),
            derives=self._links_texts or self._options.mentions is not None,
            whole=self._format.whole,
            tells_moves=self._format.tells_moves,
        )

    def _remove(self, snapshot: Snapshot, gone: Gone) -> None:
        if not (snapshot.whole or snapshot.derives):
            return
        if self._earlier_author is not None:
            take_over(self._graph, self._write_options, snapshot, self._earlier_author)
        allowed = self._options.allow_removals
        removal = remove_stale(self._graph, self._write_options, snapshot, gone, allowed=allowed)
        self._collected.take_back(removal)
