"""Writes the redirects and the history of an export, beside those that the store has.

A name of another entity, a change of the same id and a revision of the same number stay as they
are. Of a change that exists, only its duration may grow by the revisions that a file adds; a change
that no line of the file describes begins with the earliest of its revisions.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any, Literal

from graphmem import calls, text
from graphmem.graph import Graph, Row, Transaction
from graphmem.model.exported_history import ExportedChange, ExportedRevision
from graphmem.model.identity import RelationIdentity
from graphmem.model.json_object import compact_json
from graphmem.model.paths import REDIRECT
from graphmem.write import redirects
from graphmem.write.entities import locked
from graphmem.write.history import recording

# The outcome of a redirect, beside a sentence that says why it was not made.
RedirectOutcome = Literal["made", "there"]
# What became of a revision: one of an entity that the import did not bring is left out.
RevisionOutcome = Literal["made", "there", "left"]


def put_redirects(
    graph: Graph, rows: Sequence[tuple[str, str]], *, source: str
) -> list[RedirectOutcome | str]:
    """Make keys of one project redirect to entities, as far as the keys are free.

    Args:
        graph: The store.
        rows: Keys, each with one that leads to the entity.
        source: The import.

    Returns:
        Of each whether it was made or there, or why neither.
    """
    keys = sorted({key for pair in rows for key in pair})

    def work(transaction: Transaction) -> list[RedirectOutcome | str]:
        target_rows = _target_rows(transaction, keys)
        free_keys = sorted({key for key, _ in rows} - target_rows.keys())
        locked(transaction, free_keys, follows=False)
        transaction.run(
            "write/lock_keys", keys=sorted({row["target"] for row in target_rows.values()})
        )
        target_rows = _target_rows(transaction, keys)
        outcomes: list[RedirectOutcome | str] = []
        new_targets: dict[str, str] = {}
        for key, to in rows:
            target = target_rows[to]["target"] if to in target_rows else new_targets.get(to)
            current_target = (
                target_rows[key]["target"] if key in target_rows else new_targets.get(key)
            )
            outcomes.append(_redirect_outcome(key, to, target, current_target))
            if target is not None and current_target is None:
                new_targets[key] = target
        transaction.run("write/delete_blanks", keys=free_keys)
        redirects.put(
            transaction, [{"key": k, "target": t} for k, t in sorted(new_targets.items())]
        )
        _note(
            transaction, new_targets, {row["target"]: row for row in target_rows.values()}, source
        )
        return outcomes

    return graph.write(work)


def _target_rows(transaction: Transaction, keys: Sequence[str]) -> dict[str, Row]:
    return {row["key"]: row for row in transaction.run("read/imported_targets", keys=list(keys))}


def _redirect_outcome(
    key: str, to: str, target: str | None, current_target: str | None
) -> RedirectOutcome | str:
    if target is None:
        return f"there is no entity {text.name_of(to)} that {text.name_of(key)} could lead to"
    if current_target is None:
        return "made"
    if current_target == target:
        return "there"
    return f"{text.name_of(key)} leads to {text.name_of(current_target)} here, and stays so"


def _note(
    transaction: Transaction,
    new_targets: Mapping[str, str],
    entities_by_key: Mapping[str, Row],
    source: str,
) -> None:
    """Record new redirects in the history of entities, except of those this import brings."""
    call, now = calls.current(), datetime.now(UTC)
    before: dict[str, dict[str, object]] = {}
    for key, target in new_targets.items():
        row = entities_by_key[target]
        is_own_change = row["change"] == recording.change_id(call, text.project_of(target))
        if not is_own_change and row["source"] != source:
            before.setdefault(target, {})[REDIRECT + key] = None
    for project in sorted({text.project_of(target) for target in new_targets.values()}):
        states = [(key, state) for key, state in before.items() if text.project_of(key) == project]
        recording.note(transaction, call, project, sorted(states), now=now)


def put_changes(
    graph: Graph,
    project: str,
    changes: Sequence[ExportedChange],
    *,
    source: str,
    new_ids: Mapping[str, str],
) -> tuple[dict[str, str], int]:
    """Store changes of a project.

    Args:
        graph: The store.
        project: The project.
        changes: What a file tells; one whose id another change has here gets an id of its own.
            A change comes after the one that it undoes.
        source: The import.
        new_ids: The ids here of earlier changes of the file whose ids are others here.

    Returns:
        The same with those of these changes, and how many were made.
    """

    def work(transaction: Transaction) -> tuple[dict[str, str], int]:
        existing = _changes(transaction, [change.id for change in changes])
        ids, local_changes = dict(new_ids), []
        for change in changes:
            undoes = None if change.undoes is None else ids.get(change.undoes, change.undoes)
            local_change = replace(change, undoes=undoes)
            if change.id in existing and not _is_same(local_change, existing[change.id], project):
                new_id = text.digest(change.id, project, source)[: recording.ID_CHARACTERS]
                ids[change.id] = new_id
                local_change = replace(local_change, id=new_id)
            local_changes.append(local_change)
        existing |= _changes(transaction, [change.id for change in local_changes])
        rows = [
            {"id": change.id, "properties": _properties(change, project, source)}
            for change in local_changes
            if change.id not in existing
        ]
        if rows:
            transaction.run("write/put_changes", rows=rows)
        return ids, len({row["id"] for row in rows})

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
    """Store revisions of entities that an import has brought with their history.

    Args:
        graph: The store.
        revisions: What a file tells, with the ids that changes have here.
        source: The import.
        since: From when on history is kept here; None for all of it.

    Returns:
        What became of each.
    """
    keys = sorted({revision.key for revision in revisions})
    numbers = [{"key": revision.key, "revision": revision.revision} for revision in revisions]

    def work(transaction: Transaction) -> list[RevisionOutcome]:
        # Two imports of one file at once take turns, and the second sees what the first has made.
        transaction.run("write/lock_models")
        entities = _target_rows(transaction, keys)
        existing: dict[tuple[str, int], Mapping[str, Any]] = {
            (row["key"], row["revision"]): row | {"before": json.loads(row["before"])}
            for row in transaction.run("read/numbered_revisions", rows=numbers)
        }
        outcomes: list[RevisionOutcome] = []
        rows: list[dict[str, Any]] = []
        for revision in revisions:
            existing_revision = existing.get((revision.key, revision.revision))
            if existing_revision is not None:
                outcomes.append("there" if _is_noted(revision, existing_revision) else "left")
            elif not _is_brought(revision, entities.get(revision.key), source) or _is_early(
                revision, since
            ):
                outcomes.append("left")
            else:
                outcomes.append("made")
                row = asdict(revision)
                existing[revision.key, revision.revision] = row
                project = text.project_of(revision.key)
                rows.append(row | {"project": project, "before": compact_json(revision.before)})
        if rows:
            transaction.run("write/put_revisions", rows=rows, source=source)
        return outcomes

    return graph.write(work)


def _is_noted(revision: ExportedRevision, existing: Mapping[str, Any]) -> bool:
    existing_values: tuple[object, object, object] = (
        existing["change"],
        existing["at"],
        existing["before"],
    )
    return existing_values == (revision.change, revision.at, revision.before)


def _is_brought(revision: ExportedRevision, entity: Row | None, source: str) -> bool:
    """Whether the import has brought the entity, or the one it was merged into, as it was then."""
    if entity is None or entity["source"] != source:
        return False
    return bool(entity["target"] != revision.key or revision.revision <= entity["revision"])


def _is_early(revision: ExportedRevision, since: datetime | None) -> bool:
    return since is not None and revision.at < since


def put_makers(graph: Graph, rows: Sequence[tuple[str, str | None]], *, source: str) -> None:
    """Record which of the imported changes created each entity of an import."""
    maker_rows = [{"key": key, "change": change} for key, change in rows]
    graph.write(
        lambda transaction: transaction.run("write/note_makers", rows=maker_rows, source=source)
    )


def put_relation_makers(
    graph: Graph, rows: Sequence[tuple[RelationIdentity, str | None]], *, source: str
) -> None:
    """Record the same of relations between entities of this import."""
    parameters = {
        "rows": [identity.to_row() | {"change": change} for identity, change in rows],
        "source": source,
        "author": calls.current().author,
    }
    graph.write(lambda transaction: transaction.run("write/note_relation_makers", **parameters))


def note_history_import(graph: Graph, project: str, note: str) -> None:
    """Note on the change of this import that it brought history."""
    change = recording.change_id(calls.current(), project)
    graph.write(
        lambda transaction: transaction.run("write/note_history_import", id=change, note=note)
    )
