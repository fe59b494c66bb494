"""Writes the history of an export beside that of the store.

Changes and revisions that the store has stay as they are, except that an imported revision may
extend the duration of its change. If no line of the export describes the change of a revision, the
change begins with the earliest of its revisions.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Literal

from graphmem import calls, text
from graphmem.graph import Graph, Row, Transaction
from graphmem.model.exported_history import ExportedChange, ExportedRevision
from graphmem.model.identity import RelationIdentity
from graphmem.model.json_object import compact_json
from graphmem.write.history import recording
from graphmem.write.history.importing_redirects import target_rows

# What became of a revision; it is left out if its entity was not imported with its history.
RevisionOutcome = Literal["imported", "present", "left out"]


@dataclass(frozen=True, slots=True)
class ImportedChanges:
    """What became of changes of an export.

    Args:
        new_ids: The ids here, by the ids in the export, of those whose ids other changes have here.
        created: How many were not here before.
    """

    new_ids: Mapping[str, str]
    created: int


def new_change_id(change: str, project: str, source: str) -> str:
    """An id for a change of an export that cannot have its id in the export here.

    Args:
        change: Its id in the export.
        project: The project.
        source: The import; it gets the same id again when it runs again.
    """
    return text.digest(change, project, source)[: recording.ID_CHARACTERS]


def put_changes(
    graph: Graph,
    project: str,
    changes: Sequence[ExportedChange],
    *,
    source: str,
    new_ids: Mapping[str, str],
) -> ImportedChanges:
    """Store changes of a project that are not here yet.

    Args:
        graph: The store.
        project: The project.
        changes: Changes of an export; one whose id another change has here gets a new id. A change
            comes after the one that it undoes.
        source: The import.
        new_ids: Those of earlier changes of the export, by their ids in it; the result repeats
            them.
    """

    def work(transaction: Transaction) -> ImportedChanges:
        existing = _changes(transaction, [change.id for change in changes])
        ids, local_changes = dict(new_ids), []
        for change in changes:
            undoes = None if change.undoes is None else ids.get(change.undoes, change.undoes)
            local_change = replace(change, undoes=undoes)
            if change.id in existing and not _is_same(local_change, existing[change.id], project):
                ids[change.id] = new_change_id(change.id, project, source)
                local_change = replace(local_change, id=ids[change.id])
            local_changes.append(local_change)
        existing |= _changes(transaction, [change.id for change in local_changes])
        rows = [
            {"id": change.id, "properties": _properties(change, project, source)}
            for change in local_changes
            if change.id not in existing
        ]
        if rows:
            transaction.run("write/put_changes", rows=rows)
        return ImportedChanges(ids, created=len({row["id"] for row in rows}))

    return graph.write(work)


def _changes(transaction: Transaction, ids: Sequence[str]) -> dict[str, Row]:
    rows = transaction.run("read/changes_of_ids", ids=sorted(set(ids))) if ids else []
    return {row["change"]["id"]: row["change"] for row in rows}


def _is_same(change: ExportedChange, existing: Row, project: str) -> bool:
    fields = asdict(change)
    return existing.get("project") == project and all(
        existing.get(name) == value for name, value in fields.items()
    )


def _properties(change: ExportedChange, project: str, source: str) -> dict[str, Any]:
    fields = {name: value for name, value in asdict(change).items() if name != "id"}
    present_fields = {name: value for name, value in fields.items() if value is not None}
    return present_fields | {"project": project, "source": source}


def put_revisions(
    graph: Graph, revisions: Sequence[ExportedRevision], *, source: str, since: datetime | None
) -> list[RevisionOutcome]:
    """Store revisions of entities that an import created with their history.

    Args:
        graph: The store.
        revisions: Revisions of an export, with the keys and ids that are used here.
        source: The import.
        since: From when on history is kept here; None for all of it.

    Returns:
        What became of each revision.
    """
    keys = sorted({revision.key for revision in revisions})
    numbers = [{"key": revision.key, "revision": revision.revision} for revision in revisions]

    def work(transaction: Transaction) -> list[RevisionOutcome]:
        # If the same file is imported twice at once, the second import waits for the first one.
        transaction.run("write/lock_store_record")
        entities = target_rows(transaction, keys)
        existing: dict[tuple[str, int], Mapping[str, Any]] = {
            (row["key"], row["revision"]): row | {"before": json.loads(row["before"])}
            for row in transaction.run("read/numbered_revisions", rows=numbers)
        }
        outcomes: list[RevisionOutcome] = []
        rows: list[dict[str, Any]] = []
        for revision in revisions:
            existing_revision = existing.get((revision.key, revision.revision))
            if existing_revision is not None:
                is_same = _is_same_revision(revision, existing_revision)
                outcomes.append("present" if is_same else "left out")
            elif _has_imported_history(revision, entities.get(revision.key), source) and not (
                _is_early(revision, since)
            ):
                outcomes.append("imported")
                row = asdict(revision)
                existing[revision.key, revision.revision] = row
                project = text.project_of(revision.key)
                rows.append(row | {"project": project, "before": compact_json(revision.before)})
            else:
                outcomes.append("left out")
        if rows:
            transaction.run("write/put_revisions", rows=rows, source=source)
        return outcomes

    return graph.write(work)


def _is_same_revision(revision: ExportedRevision, existing: Mapping[str, Any]) -> bool:
    return all(existing[name] == getattr(revision, name) for name in ("change", "at", "before"))


def _has_imported_history(revision: ExportedRevision, entity: Row | None, source: str) -> bool:
    """Whether the import created the entity, or the one it was merged into, with this revision."""
    if entity is None or entity["source"] != source:
        return False
    return bool(entity["target"] != revision.key or revision.revision <= entity["revision"])


def _is_early(revision: ExportedRevision, since: datetime | None) -> bool:
    return since is not None and revision.at < since


def put_creating_changes(
    graph: Graph, changes: Sequence[tuple[str, str | None]], *, source: str
) -> None:
    """Note on imported entities which of the imported changes created them.

    Args:
        graph: The store.
        changes: Pairs of an entity's key and the id here of its change; None if it is not known.
        source: The import.
    """
    rows = [{"key": key, "change": change} for key, change in changes]
    graph.run("write/note_creating_changes", rows=rows, source=source)


def put_creating_changes_of_relations(
    graph: Graph, changes: Sequence[tuple[RelationIdentity, str | None]], *, source: str
) -> None:
    """Note the same on relations that this import has created between entities that it created."""
    graph.run(
        "write/note_creating_changes_of_relations",
        rows=[identity.to_row() | {"change": change} for identity, change in changes],
        source=source,
        author=calls.current().author,
    )


def note_history_import(graph: Graph, project: str, note: str) -> None:
    """Note on the change of this import that it has history of earlier changes."""
    change = recording.change_id(calls.current(), project)
    graph.run("write/note_history_import", id=change, note=note)
