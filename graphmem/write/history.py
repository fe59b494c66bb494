"""Writes what an export tells of names that lead on and of history, beside what is there.

A name of another entity, a change of the same id and a revision of the same number stay as they
are. Of a change that is there, only how long it went on may grow by revisions that a file adds; one
that no line of the file tells begins with the earliest of them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Literal

from graphmem import calls, text
from graphmem.graph import Graph, Row, Transaction
from graphmem.model.exported_history import ExportedChange, ExportedRevision
from graphmem.model.identity import RelationIdentity
from graphmem.write import recording, redirects
from graphmem.write.entities import locked
from graphmem.write.states import REDIRECT

# Why a redirect is not made, or that it is made or was there.
Made = Literal["made", "there"]
# What became of a revision: one of an entity that the import did not bring is left out.
Noted = Literal["made", "there", "left"]


def put_redirects(
    graph: Graph, rows: Sequence[tuple[str, str]], *, source: str
) -> list[Made | str]:
    """Have keys of one project lead to entities, as far as they are free.

    Args:
        graph: The store.
        rows: Keys, each with one that leads to the entity.
        source: The import.

    Returns:
        Of each whether it was made or there, or why neither.
    """
    keys = sorted({key for pair in rows for key in pair})

    def work(transaction: Transaction) -> list[Made | str]:
        leads = _leads(transaction, keys)
        free = sorted({key for key, _ in rows} - leads.keys())
        locked(transaction, free, follows=False)
        transaction.run("write/lock_keys", keys=sorted({row["target"] for row in leads.values()}))
        leads = _leads(transaction, keys)
        outcomes: list[Made | str] = []
        wanted: dict[str, str] = {}
        for key, to in rows:
            target = leads[to]["target"] if to in leads else wanted.get(to)
            there = leads[key]["target"] if key in leads else wanted.get(key)
            outcomes.append(_told(key, to, target, there))
            if target is not None and there is None:
                wanted[key] = target
        transaction.run("write/delete_blanks", keys=free)
        redirects.put(transaction, [{"key": k, "target": t} for k, t in sorted(wanted.items())])
        _note(transaction, wanted, {row["target"]: row for row in leads.values()}, source)
        return outcomes

    return graph.write(work)


def _leads(transaction: Transaction, keys: Sequence[str]) -> dict[str, Row]:
    return {row["key"]: row for row in transaction.run("read/imported_targets", keys=list(keys))}


def _told(key: str, to: str, target: str | None, there: str | None) -> Made | str:
    if target is None:
        return f"there is no entity {text.name_of(to)} that {text.name_of(key)} could lead to"
    if there is None:
        return "made"
    if there == target:
        return "there"
    return f"{text.name_of(key)} leads to {text.name_of(there)} here, and stays so"


def _note(
    transaction: Transaction, made: Mapping[str, str], of: Mapping[str, Row], source: str
) -> None:
    """Note names that lead to entities now, but not of those that this import brings itself."""
    call, now = calls.current(), datetime.now(UTC)
    before: dict[str, dict[str, object]] = {}
    for key, target in made.items():
        row = of[target]
        own = row["change"] == recording.change_id(call, text.project_of(target))
        if not own and row["source"] != source:
            before.setdefault(target, {})[REDIRECT + key] = None
    for project in sorted({text.project_of(target) for target in made.values()}):
        noted = [(key, one) for key, one in before.items() if text.project_of(key) == project]
        recording.note(transaction, call, project, sorted(noted), now=now)


def put_changes(
    graph: Graph, project: str, changes: Sequence[ExportedChange], *, source: str
) -> tuple[dict[str, str], int]:
    """Note changes of a project.

    Args:
        graph: The store.
        project: The project.
        changes: What a file tells; one whose id another change has here gets an id of its own.
        source: The import.

    Returns:
        The ids of those whose ids are others here, and how many were made.
    """

    def work(transaction: Transaction) -> tuple[dict[str, str], int]:
        there = _changes(transaction, [one.id for one in changes])
        others = {
            one.id: text.digest(one.id, project, source)[: recording.ID_CHARACTERS]
            for one in changes
            if one.id in there and not _is_same(one, there[one.id], project)
        }
        there |= _changes(transaction, list(others.values()))
        rows = [
            {"id": made_id, "properties": _properties(one, project, source)}
            for one in changes
            if (made_id := others.get(one.id, one.id)) not in there
        ]
        if rows:
            transaction.run("write/put_changes", rows=rows)
        return others, len({row["id"] for row in rows})

    return graph.write(work)


def _changes(transaction: Transaction, ids: Sequence[str]) -> dict[str, Row]:
    rows = transaction.run("read/changes_of_ids", ids=sorted(set(ids))) if ids else []
    return {row["change"]["id"]: row["change"] for row in rows}


def _is_same(one: ExportedChange, there: Row, project: str) -> bool:
    fields = asdict(one)
    return there.get("project") == project and all(
        there.get(name) == value for name, value in fields.items()
    )


def _properties(one: ExportedChange, project: str, source: str) -> dict[str, Any]:
    fields = {name: value for name, value in asdict(one).items() if name != "id"}
    known = {name: value for name, value in fields.items() if value is not None}
    return known | {"project": project, "source": source}


def put_revisions(
    graph: Graph, revisions: Sequence[ExportedRevision], *, source: str, since: datetime | None
) -> list[Noted]:
    """Note revisions of entities that an import has brought with their history.

    Args:
        graph: The store.
        revisions: What a file tells, with the ids that changes have here.
        source: The import.
        since: From when on history is kept here; None for all of it.

    Returns:
        What became of each.
    """
    keys = sorted({one.key for one in revisions})
    asked = [{"key": one.key, "revision": one.revision} for one in revisions]

    def work(transaction: Transaction) -> list[Noted]:
        # Two that read one file at once take turns, and the second sees what the first has made.
        transaction.run("write/lock_models")
        brought = _leads(transaction, keys)
        there: dict[tuple[str, int], Mapping[str, Any]] = {
            (row["key"], row["revision"]): row | {"before": json.loads(row["before"])}
            for row in transaction.run("read/numbered_revisions", rows=asked)
        }
        outcomes: list[Noted] = []
        rows: list[dict[str, Any]] = []
        for one in revisions:
            known = there.get((one.key, one.revision))
            if known is not None:
                outcomes.append("there" if _is_noted(one, known) else "left")
            elif not _is_brought(one, brought.get(one.key), source) or _is_early(one, since):
                outcomes.append("left")
            else:
                outcomes.append("made")
                row = asdict(one)
                there[one.key, one.revision] = row
                project = text.project_of(one.key)
                rows.append(row | {"project": project, "before": _written(one.before)})
        if rows:
            transaction.run("write/put_revisions", rows=rows, source=source)
        return outcomes

    return graph.write(work)


def _is_noted(one: ExportedRevision, known: Mapping[str, Any]) -> bool:
    there: tuple[object, object, object] = (known["change"], known["at"], known["before"])
    return there == (one.change, one.at, one.before)


def _is_brought(one: ExportedRevision, entity: Row | None, source: str) -> bool:
    """Whether the import has brought the entity, or the one it was merged into, as it was then."""
    if entity is None or entity["source"] != source:
        return False
    return bool(entity["target"] != one.key or one.revision <= entity["revision"])


def _is_early(one: ExportedRevision, since: datetime | None) -> bool:
    return since is not None and one.at < since


def _written(before: Mapping[str, Any]) -> str:
    return json.dumps(before, ensure_ascii=False, separators=(",", ":"))


def put_makers(graph: Graph, rows: Sequence[tuple[str, str | None]], *, source: str) -> None:
    """Have entities that an import has brought be made by the changes that it tells of."""
    given = [{"key": key, "change": change} for key, change in rows]
    graph.write(lambda transaction: transaction.run("write/note_makers", rows=given, source=source))


def put_relation_makers(
    graph: Graph, rows: Sequence[tuple[RelationIdentity, str | None]], *, source: str
) -> None:
    """Have relations between entities that this import has brought be made likewise."""
    asked = {
        "rows": [identity.to_row() | {"change": change} for identity, change in rows],
        "source": source,
        "author": calls.current().author,
    }
    graph.write(lambda transaction: transaction.run("write/note_relation_makers", **asked))


def note_history_import(graph: Graph, project: str, note: str) -> None:
    """Note on the change of this import that it brought history."""
    change = recording.change_id(calls.current(), project)
    graph.write(
        lambda transaction: transaction.run("write/note_history_import", id=change, note=note)
    )
