"""What an import reads beside entities and relations: redirects and history.

It waits on disk until the entities are written that it belongs to.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TypeVar

from graphmem import text
from graphmem.batches import STATEMENT_BYTES, batches, size
from graphmem.errors import quantity
from graphmem.graph import Graph
from graphmem.memory.imports.collecting import Collected
from graphmem.memory.imports.spool import Spool
from graphmem.memory.past.beginning import history_from
from graphmem.model import Entity, Item, Relation
from graphmem.model.exported_history import ExportedChange, ExportedRevision, Redirect
from graphmem.model.identity import RelationIdentity
from graphmem.model.provenance import Provenance
from graphmem.progress import Progress
from graphmem.transfer import Row
from graphmem.write.assertions.states import moved as moved_state
from graphmem.write.history import importing
from graphmem.write.history.recording import ID_CHARACTERS
from graphmem.write.options import WriteOptions

# The most redirects, changes, revisions or entities in one transaction.
BATCH = 500

Waiting = TypeVar("Waiting")


class HistoryImport:
    """The history of one project's share of an import.

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
        self._write_options = write_options
        self._collected = collected
        self._progress = progress
        self._stack = ExitStack()
        # With their places in the file. Without a place, the redirect leads from the key that an
        # entity had to the name of the key that it gets here.
        self._redirects: Spool[tuple[int, str | None, Redirect]] = self._spool()
        self._changes: Spool[ExportedChange] = self._spool()
        self._revisions: Spool[ExportedRevision] = self._spool()
        # The changes that created entities and relations in the store of the export.
        self._makers: Spool[tuple[str, str]] = self._spool()
        self._relation_makers: Spool[tuple[RelationIdentity, str]] = self._spool()
        # The keys here of entities that had other keys in the export, and likewise ids of changes.
        self._new_keys: dict[str, str] = {}
        self._new_ids: dict[str, str] = {}
        self._change_ids: set[str] = set()
        self._skipped_keys: set[str] = set()
        self._counts = {"made": 0, "there": 0}
        self._made_changes = 0

    def close(self) -> None:
        """Drop what is not written yet."""
        self._stack.close()

    def keep(self, rows: Sequence[tuple[int, Row]]) -> list[tuple[int, Row]]:
        """Take the rows of redirects and history; gives the others."""
        entity_rows: list[tuple[int, Row]] = []
        for index, row in rows:
            if isinstance(row.value, Redirect):
                self._redirects.add((index, row.place, row.value))
            elif isinstance(row.value, ExportedChange):
                self._changes.add(row.value)
            elif isinstance(row.value, ExportedRevision):
                self._revisions.add(row.value)
            else:
                entity_rows.append((index, row))
        return entity_rows

    def placed(self, rows: Sequence[tuple[int, Row]]) -> list[tuple[int, Row]]:
        """The rows, with renamed entities under the names in their keys, as far as these are free.

        Where the present name of an entity leads to an entity here already, it is that one.
        """
        # By the index of its row, what an entity is called under the name in its key.
        renamed: dict[int, tuple[str, Entity]] = {}
        for index, row in rows:
            match row.value:
                case Entity(name=name, provenance=Provenance(key=str(key_name)) as provenance):
                    under_key = replace(provenance, called=name)
                    renamed[index] = name, replace(row.value, name=key_name, provenance=under_key)
        if not renamed:
            return list(rows)
        keys = {
            index: (self._key(name), self._key(entity.name))
            for index, (name, entity) in renamed.items()
        }
        all_keys = sorted({key for pair in keys.values() for key in pair})
        taken_keys = {row["key"] for row in self._graph.read("read/leads", keys=all_keys)}
        names_here = {
            row["key"]: text.normalised(row["name"])
            for row in self._graph.read("read/names_of", keys=all_keys)
        }
        placed_rows: list[tuple[int, Row]] = []
        for index, row in rows:
            placed_row = row
            if index in renamed:
                name, entity = renamed[index]
                is_here = names_here.get(keys[index][1]) == text.normalised(name)
                if is_here or taken_keys.isdisjoint(keys[index]):
                    placed_row = replace(row, value=entity)
            placed_rows.append((index, placed_row))
        return placed_rows

    def note(self, rows: Sequence[tuple[int, Row]], final_rows: Sequence[tuple[int, Row]]) -> None:
        """Note the keys that entities of an export get here, and the changes that created them."""
        for (index, row), (_, final_row) in zip(rows, final_rows, strict=True):
            value, placed_entity = row.value, final_row.value
            if (
                not isinstance(value, Entity)
                or not isinstance(placed_entity, Entity)
                or value.provenance is None
            ):
                continue
            key_name = value.provenance.key
            origin = text.key(self._write_options.project, key_name or value.name)
            key = text.key(self._write_options.project, placed_entity.name)
            if origin != key:
                self._new_keys[origin] = key
                if key_name is not None:
                    self._redirects.add((index, None, Redirect(key_name, placed_entity.name)))
            if value.provenance.change is not None:
                self._makers.add((key, value.provenance.change))

    def relation(self, identity: RelationIdentity, relation: Relation) -> None:
        """Note the change that created a relation in the store of the export."""
        if relation.provenance is not None and relation.provenance.change is not None:
            self._relation_makers.add((identity, relation.provenance.change))

    def finish(self) -> None:
        """Write redirects and history, once the entities and relations are written."""
        if self._write_options.dry_run:
            return
        self._put_redirects()
        if not (self._changes.count or self._revisions.count):
            return
        self._put_changes()
        self._put_revisions()
        self._put_makers()
        self._tell()

    def _spool(self) -> "Spool[Waiting]":
        spool: Spool[Waiting] = Spool()
        self._stack.callback(spool.close)
        return spool

    def _put_redirects(self) -> None:
        for batch in _cut(self._redirects):
            rows = [
                (
                    self._key(redirect.name),
                    self._key(redirect.to) if place is None else self._key_of_origin(redirect.to),
                )
                for _, place, redirect in batch
            ]
            outcomes = importing.put_redirects(self._graph, rows, source=self._write_options.author)
            for (index, place, redirect), outcome in zip(batch, outcomes, strict=True):
                if place is not None and outcome not in {"made", "there"}:
                    item = Item("entity", redirect.name, "refused", outcome, place)
                    self._collected.add(index, item)

    def _key(self, name: str) -> str:
        return text.key(self._write_options.project, name)

    def _key_of_origin(self, name: str) -> str:
        """The key here of the entity that has the key of a name in the store of the export."""
        key = self._key(name)
        return self._new_keys.get(key, key)

    def _put_changes(self) -> None:
        for batch in _cut(self._changes):
            self._new_ids, count = importing.put_changes(
                self._graph, self._write_options.project, batch,
                source=self._write_options.author, new_ids=self._new_ids,
            )  # fmt: skip
            self._change_ids |= {change.id for change in batch}
            self._made_changes += count

    def _change(self, change_id: str) -> str:
        """The id here of a change; for a change that the file does not describe, a new id."""
        if change_id in self._change_ids:
            return self._new_ids.get(change_id, change_id)
        return text.digest(change_id, self._write_options.project, self._write_options.author)[
            :ID_CHARACTERS
        ]

    def _put_revisions(self) -> None:
        since = history_from(self._graph)
        done = 0
        for batch in _cut(self._revisions):
            local_revisions = list(map(self._translated, batch))
            outcomes = importing.put_revisions(
                self._graph, local_revisions, source=self._write_options.author, since=since
            )
            for revision, outcome in zip(local_revisions, outcomes, strict=True):
                if outcome == "left":
                    self._skipped_keys.add(revision.key)
                else:
                    self._counts[outcome] += 1
            done += len(batch)
            self._progress.advance("Writing history", done, self._revisions.count)

    def _translated(self, revision: ExportedRevision) -> ExportedRevision:
        """A revision with the keys and ids that entities and changes have here."""
        return replace(
            revision,
            key=self._key_here(revision.key),
            change=self._change(revision.change),
            before=moved_state(revision.before, self._key_here, self._token, self._change),
        )

    def _key_here(self, key: str) -> str:
        return self._new_keys.get(key, key)

    def _token(self, token: str) -> str:
        if not self._new_keys:
            return token
        identity = RelationIdentity.of_token(self._key(""), token)
        return replace(identity, end=self._key_here(identity.end)).token

    def _put_makers(self) -> None:
        for batch in _cut(self._makers):
            rows = [
                (key, self._change(change) or None if change else None) for key, change in batch
            ]
            importing.put_makers(self._graph, rows, source=self._write_options.author)
        for links in _cut(self._relation_makers):
            relation_rows = [
                (identity, self._change(change) if change else None) for identity, change in links
            ]
            importing.put_relation_makers(
                self._graph, relation_rows, source=self._write_options.author
            )

    def _tell(self) -> None:
        new_count, present_count = self._counts["made"], self._counts["there"]
        amount = f"{self._made_changes:,} changes and {new_count:,} revisions"
        summary = f"history: {amount} were imported, {present_count:,} revisions were there already"
        if self._skipped_keys:
            entities = quantity(len(self._skipped_keys), "entity", "entities")
            summary += f"; it was left out for {entities} that existed before or changed since"
        self._collected.note(summary)
        if self._made_changes or new_count:
            importing.note_history_import(
                self._graph, self._write_options.project, f"with history: {amount}"
            )


def _cut(items: Iterable[Waiting]) -> Iterator[list[Waiting]]:
    return batches(items, _size, most=BATCH, most_bytes=STATEMENT_BYTES)


def _size(value: object) -> int:
    return size(value.before) if isinstance(value, ExportedRevision) else 0
