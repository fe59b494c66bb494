"""What an import reads beside entities and relations: names that lead on, and history.

It waits on disk until the entities are written, for it is about them.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, TypeVar

from graphmem import text
from graphmem.batches import STATEMENT_BYTES, batches, size
from graphmem.graph import Graph
from graphmem.memory.imports.collecting import Collected
from graphmem.memory.imports.spool import Spool
from graphmem.model import Entity, Item, Relation
from graphmem.model.exported_history import ExportedChange, ExportedRevision, Redirect
from graphmem.model.identity import RelationIdentity
from graphmem.model.paths import CREATED_IN, RELATION
from graphmem.model.relation_fields import CREATED_BY
from graphmem.progress import Progress
from graphmem.transfer import Row
from graphmem.write import history
from graphmem.write.options import WriteOptions
from graphmem.write.recording import ID_CHARACTERS
from graphmem.write.states import moved as moved_state

# Names, changes, revisions or entities of one transaction.
BATCH = 500

Waiting = TypeVar("Waiting")


class HistoryImport:
    """The history of one project's share of an import.

    Args:
        graph: The store.
        write_options: The project, the import as an author, and whether anything is kept.
        collected: Takes what is refused, and a note on the rest.
        progress: Hears of the writing.
    """

    def __init__(
        self, graph: Graph, write_options: WriteOptions, collected: Collected, progress: Progress
    ) -> None:
        self._graph = graph
        self._write_options = write_options
        self._collected = collected
        self._progress = progress
        self._stack = ExitStack()
        # With their places; without one, to a name that has its key here, where the entity is put
        # under another key than it had.
        self._redirects: Spool[tuple[int, str | None, Redirect]] = self._spool()
        self._changes: Spool[ExportedChange] = self._spool()
        self._revisions: Spool[ExportedRevision] = self._spool()
        # What made entities and relations where they come from.
        self._makers: Spool[tuple[str, str]] = self._spool()
        self._relation_makers: Spool[tuple[RelationIdentity, str]] = self._spool()
        # By the keys of entities that have others here, those; and likewise of changes.
        self._keys: dict[str, str] = {}
        self._ids: dict[str, str] = {}
        self._known: set[str] = set()
        self._left: set[str] = set()
        self._counts = {"made": 0, "there": 0}
        self._made_changes = 0

    def close(self) -> None:
        """Drop what is not written yet."""
        self._stack.close()

    def keep(self, rows: Sequence[tuple[int, Row]]) -> list[tuple[int, Row]]:
        """Take the rows that are neither entity nor relation; gives the others."""
        others: list[tuple[int, Row]] = []
        for index, row in rows:
            if isinstance(row.value, Redirect):
                self._redirects.add((index, row.place, row.value))
            elif isinstance(row.value, ExportedChange):
                self._changes.add(row.value)
            elif isinstance(row.value, ExportedRevision):
                self._revisions.add(row.value)
            else:
                others.append((index, row))
        return others

    def placed(self, rows: Sequence[tuple[int, Row]]) -> list[tuple[int, Row]]:
        """The rows, those of renamed entities by the names of the keys they had, if these are free.

        One whose name of today leads to an entity here already is that.
        """
        project = self._write_options.project
        renamed = {
            index: (value.name, provenance.key)
            for index, row in rows
            if isinstance(value := row.value, Entity)
            and (provenance := value.provenance) is not None
            and provenance.key is not None
        }
        if not renamed:
            return list(rows)
        asked = sorted({text.key(project, name) for pair in renamed.values() for name in pair})
        leads = {row["key"]: row["target"] for row in self._graph.read("read/leads", keys=asked)}
        names = {
            row["key"]: text.normalised(row["name"])
            for row in self._graph.read("read/names_of", keys=asked)
        }
        placed: list[tuple[int, Row]] = []
        for index, row in rows:
            value, put = row.value, row
            if index in renamed and isinstance(value, Entity) and value.provenance is not None:
                name, own = renamed[index]
                key = text.key(project, own)
                is_there = names.get(key) == text.normalised(name)
                is_free = key not in leads and text.key(project, name) not in leads
                if is_there or is_free:
                    called = replace(value.provenance, called=name)
                    put = replace(row, value=replace(value, name=own, provenance=called))
            placed.append((index, put))
        return placed

    def note(self, rows: Sequence[tuple[int, Row]], meant: Sequence[tuple[int, Row]]) -> None:
        """Note where entities of an export are put, and what made them where they come from."""
        for (index, row), (_, final) in zip(rows, meant, strict=True):
            value, put = row.value, final.value
            if (
                not isinstance(value, Entity)
                or not isinstance(put, Entity)
                or value.provenance is None
            ):
                continue
            own = value.provenance.key
            origin = text.key(self._write_options.project, own or value.name)
            key = text.key(self._write_options.project, put.name)
            if origin != key:
                self._keys[origin] = key
                if own is not None:
                    self._redirects.add((index, None, Redirect(own, put.name)))
            if value.provenance.change is not None:
                self._makers.add((key, value.provenance.change))

    def relation(self, identity: RelationIdentity, relation: Relation) -> None:
        """Note what made a relation where it comes from."""
        if relation.provenance is not None and relation.provenance.change is not None:
            self._relation_makers.add((identity, relation.provenance.change))

    def finish(self) -> None:
        """Write what waits, now that the entities and relations are there."""
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
        made: Spool[Waiting] = Spool()
        self._stack.callback(made.close)
        return made

    def _put_redirects(self) -> None:
        for some in _cut(self._redirects):
            rows = [
                (self._key(one.name), self._key(one.to) if place is None else self._here(one.to))
                for _, place, one in some
            ]
            outcomes = history.put_redirects(self._graph, rows, source=self._write_options.author)
            for (index, place, one), outcome in zip(some, outcomes, strict=True):
                if place is not None and outcome not in {"made", "there"}:
                    item = Item("entity", one.name, "refused", outcome, place)
                    self._collected.add(index, item)

    def _key(self, name: str) -> str:
        return text.key(self._write_options.project, name)

    def _here(self, name: str) -> str:
        """The key here of what has the key of a name where it comes from."""
        key = self._key(name)
        return self._keys.get(key, key)

    def _put_changes(self) -> None:
        for some in _cut(self._changes):
            others, made = history.put_changes(
                self._graph, self._write_options.project, some, source=self._write_options.author
            )
            self._ids |= others
            self._known |= {one.id for one in some}
            self._made_changes += made

    def _change(self, given: str) -> str:
        """The id here of a change; of one that the file does not tell, an id that none has."""
        if given in self._known:
            return self._ids.get(given, given)
        return text.digest(given, self._write_options.project, self._write_options.author)[
            :ID_CHARACTERS
        ]

    def _put_revisions(self) -> None:
        rows = self._graph.read("read/store")
        since = rows[0]["store"].get("history_from") if rows else None
        done = 0
        for some in _cut(self._revisions):
            here = list(map(self._as_here, some))
            outcomes = history.put_revisions(
                self._graph, here, source=self._write_options.author, since=since
            )
            for one, outcome in zip(here, outcomes, strict=True):
                if outcome == "left":
                    self._left.add(one.key)
                else:
                    self._counts[outcome] += 1
            done += len(some)
            self._progress.advance("Writing history", done, self._revisions.count)

    def _as_here(self, one: ExportedRevision) -> ExportedRevision:
        """A revision in the keys and the ids that entities and changes have here."""
        before = one.before
        if self._keys:
            written = moved_state(json.dumps(before), self._of, self._token)
            before = json.loads(written)
        translated: dict[str, Any] = {}
        for path, value in before.items():
            made_by = value["properties"].get(CREATED_BY) if _is_relation(path, value) else None
            translated[path] = self._change(value) if path == CREATED_IN else value
            if made_by:
                properties = value["properties"] | {CREATED_BY: self._change(made_by)}
                translated[path] = value | {"properties": properties}
        return replace(
            one, key=self._of(one.key), change=self._change(one.change), before=translated
        )

    def _of(self, key: str) -> str:
        return self._keys.get(key, key)

    def _token(self, token: str) -> str:
        identity = RelationIdentity.of_token("", token)
        return replace(identity, end=self._of(identity.end)).token

    def _put_makers(self) -> None:
        for some in _cut(self._makers):
            rows = [(key, self._change(one) or None if one else None) for key, one in some]
            history.put_makers(self._graph, rows, source=self._write_options.author)
        for links in _cut(self._relation_makers):
            made = [(identity, self._change(one) if one else None) for identity, one in links]
            history.put_relation_makers(self._graph, made, source=self._write_options.author)

    def _tell(self) -> None:
        made, there = self._counts["made"], self._counts["there"]
        brought = f"{self._made_changes:,} changes and {made:,} revisions"
        summary = f"history: {brought} were brought, {there:,} revisions were there already"
        if self._left:
            count = len(self._left)
            who = "1 entity" if count == 1 else f"{count:,} entities"
            summary += f"; of {who} that were here before, or changed here since, it was left out"
        self._collected.note(summary)
        if self._made_changes or made:
            history.note_history_import(
                self._graph, self._write_options.project, f"with history: {brought}"
            )


def _cut(waiting: Iterable[Waiting]) -> Iterator[list[Waiting]]:
    return batches(waiting, _size, most=BATCH, most_bytes=STATEMENT_BYTES)


def _is_relation(path: str, value: object) -> bool:
    return path.startswith(RELATION) and value is not None


def _size(value: object) -> int:
    return size(value.before) if isinstance(value, ExportedRevision) else 0
