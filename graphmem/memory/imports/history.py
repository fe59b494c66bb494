"""The redirects and the history in an export, which are written after its entities.

They wait on disk until the entities and relations that they belong to are written.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TypeVar

from graphmem import text
from graphmem.batches import STATEMENT_BYTES, batches, size
from graphmem.errors import quantity
from graphmem.graph import Graph
from graphmem.memory.imports.collecting import Collected
from graphmem.memory.imports.local_identifiers import LocalIdentifiers
from graphmem.memory.imports.spool import Spool
from graphmem.memory.past.beginning import history_from
from graphmem.model import Entity, Item, Relation
from graphmem.model.exported_history import ExportedChange, ExportedRevision, Redirect
from graphmem.model.identity import RelationIdentity
from graphmem.progress import Progress
from graphmem.transfer import Row
from graphmem.write.history import importing
from graphmem.write.history.importing import RevisionOutcome
from graphmem.write.history.importing_redirects import put_redirects
from graphmem.write.options import WriteOptions

# The most redirects, changes, revisions or entities in one transaction.
BATCH = 500

Waiting = TypeVar("Waiting")


@dataclass(frozen=True, slots=True)
class _RedirectRow:
    """A row of a redirect, and its place in the order of all rows."""

    index: int
    place: str
    redirect: Redirect


@dataclass(frozen=True, slots=True)
class _FormerName:
    """A redirect that an entity needs here since its key differs from its key in the export.

    Args:
        name: The name in its key in the export.
        name_here: The name in its key here.
    """

    name: str
    name_here: str


@dataclass(slots=True)
class _RevisionCounts:
    """What became of the revisions so far.

    Args:
        imported: How many were written.
        present: How many were there already.
        skipped_keys: The entities of those that were left out.
    """

    imported: int = 0
    present: int = 0
    skipped_keys: set[str] = field(default_factory=set)

    def add(self, revision: ExportedRevision, outcome: RevisionOutcome) -> None:
        match outcome:
            case "imported":
                self.imported += 1
            case "present":
                self.present += 1
            case "left out":
                self.skipped_keys.add(revision.key)


class HistoryImport:
    """Imports the redirects and the history of one project.

    The caller passes all rows to `take_history`, then each entity and relation that it writes to
    `note_entities` and `note_relation`, and calls `finish` when all of these are written.

    Args:
        graph: The store.
        write_options: The project, the import as an author, and whether anything is kept.
        collected: Takes what is refused, and a note on the rest.
        progress: Receives the progress of the writing.
    """

    def __init__(
        self, graph: Graph, write_options: WriteOptions, collected: Collected, progress: Progress
    ) -> None:
        self._graph = graph
        self._project = write_options.project
        self._source = write_options.author
        self._is_dry_run = write_options.dry_run
        self._collected = collected
        self._progress = progress
        self._done = 0
        self._local = LocalIdentifiers(self._project, self._source)
        self._stack = ExitStack()
        self._redirects: Spool[_RedirectRow | _FormerName] = self._spool()
        self._changes: Spool[ExportedChange] = self._spool()
        self._revisions: Spool[ExportedRevision] = self._spool()
        # The keys here of entities, each with the id in the export of the change that created it;
        # the id is empty if it is not known. Likewise the identities here of relations.
        self._creating_changes: Spool[tuple[str, str]] = self._spool()
        self._creating_changes_of_relations: Spool[tuple[RelationIdentity, str]] = self._spool()

    def close(self) -> None:
        """Drop what is not written yet."""
        self._stack.close()

    def take_history(self, rows: Sequence[tuple[int, Row]]) -> list[tuple[int, Row]]:
        """Keep the rows of redirects, changes and revisions for `finish`; returns the others."""
        other_rows: list[tuple[int, Row]] = []
        for index, row in rows:
            match row.value:
                case Redirect():
                    self._redirects.add(_RedirectRow(index, row.place, row.value))
                case ExportedChange():
                    self._changes.add(row.value)
                case ExportedRevision():
                    self._revisions.add(row.value)
                case _:
                    other_rows.append((index, row))
        return other_rows

    def note_entities(
        self, rows: Sequence[tuple[int, Row]], final_rows: Sequence[tuple[int, Row]]
    ) -> None:
        """Note which keys the entities of an export get here, and which changes created them.

        Args:
            rows: Rows as they were read; only those of entities count.
            final_rows: The same rows with the names that the keys here are made of.
        """
        for (_, row), (_, final_row) in zip(rows, final_rows, strict=True):
            entity, final_entity = row.value, final_row.value
            if not isinstance(entity, Entity) or not isinstance(final_entity, Entity):
                continue
            provenance = entity.provenance
            if provenance is None:
                continue
            exported_key = text.key(self._project, provenance.key or entity.name)
            key = text.key(self._project, final_entity.name)
            self._local.add_key(exported_key, key)
            if provenance.key is not None and exported_key != key:
                self._redirects.add(_FormerName(provenance.key, final_entity.name))
            if provenance.change is not None:
                self._creating_changes.add((key, provenance.change))

    def note_relation(self, identity: RelationIdentity, relation: Relation) -> None:
        """Note the change that created a relation in the store of the export."""
        if relation.provenance is not None and relation.provenance.change is not None:
            self._creating_changes_of_relations.add((identity, relation.provenance.change))

    def finish(self) -> None:
        """Write redirects and history, once the entities and relations are written."""
        if self._is_dry_run:
            return
        self._put_redirects()
        if not (self._changes.count or self._revisions.count):
            return
        created_changes = self._put_changes()
        revisions = self._put_revisions()
        self._put_creating_changes()
        self._note_summary(created_changes, revisions)

    def _spool(self) -> "Spool[Waiting]":
        spool: Spool[Waiting] = Spool()
        self._stack.callback(spool.close)
        return spool

    def _put_redirects(self) -> None:
        for batch in _in_batches(self._redirects):
            pairs = [self._redirect_keys(redirect) for redirect in batch]
            refusals = put_redirects(self._graph, pairs, source=self._source)
            for redirect, refusal in zip(batch, refusals, strict=True):
                if refusal is not None and isinstance(redirect, _RedirectRow):
                    name = redirect.redirect.name
                    item = Item("entity", name, "refused", refusal, redirect.place)
                    self._collected.add(redirect.index, item)

    def _redirect_keys(self, redirect: _RedirectRow | _FormerName) -> tuple[str, str]:
        """The key that redirects, and one that leads to the entity here."""
        match redirect:
            case _FormerName(name, name_here):
                return text.key(self._project, name), text.key(self._project, name_here)
            case _RedirectRow(redirect=Redirect(name, exported_name)):
                exported_key = text.key(self._project, exported_name)
                return text.key(self._project, name), self._local.key(exported_key)

    def _put_changes(self) -> int:
        """Write the changes; returns how many were not here before."""
        created = 0
        for batch in _in_batches(self._changes):
            imported = importing.put_changes(
                self._graph, self._project, batch,
                source=self._source, new_ids=self._local.new_change_ids,
            )  # fmt: skip
            self._local.add_changes((change.id for change in batch), imported.new_ids)
            created += imported.created
        return created

    def _put_revisions(self) -> _RevisionCounts:
        since = history_from(self._graph)
        counts = _RevisionCounts()
        for batch in _in_batches(self._revisions):
            revisions = [self._local.revision(exported) for exported in batch]
            outcomes = importing.put_revisions(
                self._graph, revisions, source=self._source, since=since
            )
            for revision, outcome in zip(revisions, outcomes, strict=True):
                counts.add(revision, outcome)
            self._advance(len(batch))
        return counts

    def _put_creating_changes(self) -> None:
        for batch in _in_batches(self._creating_changes):
            changes = [(key, self._local_change(exported_id)) for key, exported_id in batch]
            importing.put_creating_changes(self._graph, changes, source=self._source)
            self._advance(len(batch))
        for relations in _in_batches(self._creating_changes_of_relations):
            importing.put_creating_changes_of_relations(
                self._graph,
                [(identity, self._local_change(exported)) for identity, exported in relations],
                source=self._source,
            )
            self._advance(len(relations))

    def _advance(self, number: int) -> None:
        """Tell of some more that is written: revisions, and what notes which change created it."""
        spools = (self._revisions, self._creating_changes, self._creating_changes_of_relations)
        self._done += number
        self._progress.advance("Writing history", self._done, sum(spool.count for spool in spools))

    def _local_change(self, exported_id: str) -> str | None:
        return self._local.change(exported_id) if exported_id else None

    def _note_summary(self, created_changes: int, revisions: _RevisionCounts) -> None:
        """Tell the caller, and the record of this import, how much history there was."""
        imported = (
            f"{quantity(created_changes, 'change', 'changes')} and "
            f"{quantity(revisions.imported, 'revision', 'revisions')}"
        )
        present = quantity(revisions.present, "revision", "revisions")
        summary = f"history of {self._project}: {imported} were imported; already there: {present}"
        if revisions.skipped_keys:
            entities = quantity(len(revisions.skipped_keys), "entity", "entities")
            summary += f"; it was left out for {entities} that existed before or changed since"
        self._collected.note(summary)
        if created_changes or revisions.imported:
            importing.note_history_import(self._graph, self._project, f"with history: {imported}")


def _in_batches(items: Iterable[Waiting]) -> Iterator[list[Waiting]]:
    return batches(items, _size, most=BATCH, most_bytes=STATEMENT_BYTES)


def _size(value: object) -> int:
    """How many bytes a value counts for; only revisions can be large."""
    return size(value.before) if isinstance(value, ExportedRevision) else 0
