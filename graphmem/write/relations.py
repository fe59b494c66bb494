"""Writes and deletes relations between entities whose keys are known."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from graphmem import calls, text
from graphmem.batches import batches
from graphmem.graph import Graph, Row, Transaction
from graphmem.model import Relation
from graphmem.model.identity import RelationIdentity
from graphmem.model.paths import RELATION
from graphmem.model.provenance import CALLER
from graphmem.model.report import Outcome
from graphmem.progress import SILENT, Progress
from graphmem.write.assertions import links
from graphmem.write.assertions.states import encoded_relation
from graphmem.write.barred import barred
from graphmem.write.history import recording
from graphmem.write.options import WriteOptions

BATCH = 1000
# Stands for the authors that an export names, until they are set.
EXPORT = "export"


def write_relations(
    graph: Graph,
    relations: Mapping[RelationIdentity, Relation],
    options: WriteOptions,
    *,
    again: Collection[RelationIdentity] = (),
    held: set[RelationIdentity] | None = None,
    progress: Progress = SILENT,
) -> dict[RelationIdentity, Outcome]:
    """Create or update relations, in sorted batches that each happen whole or not at all.

    A caller's word is added to what is stored. An import's word replaces what the same import
    asserted earlier; a relation that a caller took away stays away.

    Args:
        graph: Where to.
        relations: By their identity.
        options: The author, and whether anything is kept.
        again: Those of which the same import has spoken already; its word is added.
        held: Gets those that are held back, since the import asserted something else before; they
            are unchanged so far. With None, none is held back.
        progress: Receives the progress of the writing.

    Returns:
        The outcome of each; one whose ends are gone meanwhile is missing.
    """
    now = datetime.now(UTC)
    barred_identities = barred(graph, relations) if options.is_import else set()
    ordered = sorted(relations.keys() - barred_identities)
    outcomes: dict[RelationIdentity, Outcome] = dict.fromkeys(barred_identities, "unchanged")
    for number, batch in enumerate(batches(ordered, most=BATCH)):
        rows = [
            row_of(
                identity,
                relations[identity],
                now,
                replaces=options.is_import and identity not in again,
            )
            for identity in batch
        ]
        exported = [row for row in rows if row["exported"] is not None]
        with calls.recorded("write"):
            own_rows = [row for row in rows if row["exported"] is None]
            outcomes |= _write(graph, own_rows, options, held)
            outcomes |= _write(graph, exported, replace(options, author=EXPORT))
        progress.advance("Writing relations", number * BATCH + len(batch), len(ordered))
    return outcomes


def delete_relations(
    graph: Graph, start: str, end: str, relation: str | None, since: str | None
) -> list[RelationIdentity]:
    """Delete the relations from one entity to another.

    A relation that an import asserts stays away when the import runs again.

    Args:
        graph: Where.
        start: The key of the entity where they begin.
        end: The key of the entity where they end.
        relation: Their type, or None for every type.
        since: When they begin to hold, as an identity has it, or None for all.
    """
    selection = [{"start": start, "end": end, "relation": relation, "since": since}]

    def work(transaction: Transaction) -> list[RelationIdentity]:
        stored_rows = transaction.run("write/lock_relations", rows=selection)
        imported_rows = [
            row for row in stored_rows if links.ledger_of(row["stored"]).authors != (CALLER,)
        ]
        if imported_rows:
            tokens = [
                {"start": row["start"], "token": RelationIdentity.of_row(row).token}
                for row in imported_rows
            ]
            transaction.run("write/bar_relations", rows=tokens)
        deleted_identities = [
            RelationIdentity.of_row(row)
            for row in transaction.run("write/delete_relations", rows=selection)
        ]
        note_relations(
            transaction, {RelationIdentity.of_row(row): row["stored"] for row in stored_rows}
        )
        return deleted_identities

    return graph.write(work)


def withdraw_relations(
    graph: Graph, relations: Sequence[RelationIdentity], author: str
) -> list[RelationIdentity]:
    """Take back what an import asserted of relations; those that nobody else asserts are deleted.

    A relation that was derived from texts is deleted, whoever derived it.

    Returns:
        Those that are deleted.
    """
    rows = [identity.to_row() for identity in sorted(relations)]
    return [
        identity
        for batch in batches(rows, most=BATCH)
        for identity in _withdraw(graph, batch, author)
    ]


def _withdraw(graph: Graph, rows: list[dict[str, Any]], author: str) -> list[RelationIdentity]:
    def work(transaction: Transaction) -> list[RelationIdentity]:
        changed_rows: list[dict[str, Any]] = []
        deleted_rows: list[dict[str, Any]] = []
        before: dict[RelationIdentity, Row] = {}
        for row in transaction.run("write/lock_relations", rows=rows):
            before[RelationIdentity.of_row(row)] = row["stored"]
            identity = RelationIdentity.of_row(row).to_row()
            properties = links.without_author(row["stored"], author)
            if properties is None or row["stored"].get("derived") is True:
                deleted_rows.append(identity)
            else:
                changed_rows.append(identity | {"properties": properties})
        if changed_rows:
            transaction.run("write/set_relations", rows=changed_rows)
        gone_rows = transaction.run("write/delete_relations", rows=deleted_rows)
        note_relations(transaction, before)
        return list(map(RelationIdentity.of_row, gone_rows))

    return graph.write(work)


def note_relations(
    transaction: Transaction,
    before: Mapping[RelationIdentity, Row | None],
    *,
    projects: Collection[str] = (),
) -> None:
    """Write down what relations were before they were changed or deleted.

    Args:
        transaction: The one that changes them.
        before: Their properties; None for one that was made in the place of another.
        projects: Projects in which relations were made, whether any was changed or not.
    """
    rows: dict[str, dict[str, dict[str, object]]] = {name: {} for name in projects}
    for identity, properties in before.items():
        states = rows.setdefault(text.project_of(identity.start), {})
        states.setdefault(identity.start, {})[RELATION + identity.token] = (
            None if properties is None else encoded_relation(identity, properties)
        )
    now = datetime.now(UTC)
    for project, states in rows.items():
        recording.note(transaction, calls.current(), project, sorted(states.items()), now=now)


class _DryRun(Exception):
    def __init__(self, outcomes: dict[RelationIdentity, Outcome]) -> None:
        super().__init__()
        self.outcomes = outcomes


def _write(
    graph: Graph,
    rows: list[dict[str, Any]],
    options: WriteOptions,
    held: set[RelationIdentity] | None = None,
) -> dict[RelationIdentity, Outcome]:
    if not rows:
        return {}

    def work(transaction: Transaction) -> dict[RelationIdentity, Outcome]:
        outcomes = put(transaction, rows, options, held)
        if options.dry_run:
            raise _DryRun(outcomes)
        return outcomes

    try:
        return graph.write(work)
    except _DryRun as done:
        return done.outcomes


def row_of(
    identity: RelationIdentity, relation: Relation, now: datetime, *, replaces: bool = False
) -> dict[str, Any]:
    """A relation as `put` takes it."""
    return {
        **identity.to_row(),
        "token": identity.token,
        "properties": links.properties_of(relation),
        "created_at": now,
        "replaces": replaces,
        "exported": relation if relation.provenance else None,
    }


def put(
    transaction: Transaction,
    rows: Sequence[dict[str, Any]],
    options: WriteOptions,
    held: set[RelationIdentity] | None = None,
) -> dict[RelationIdentity, Outcome]:
    """Create or update relations in a transaction, and note what was there before.

    Args:
        transaction: The one.
        rows: As `row_of` makes them, sorted.
        options: Who asserts them.
        held: As of `write_relations`.

    Returns:
        The outcome of each; one whose ends are gone is missing.
    """
    by_identity = {RelationIdentity.of_row(row): row for row in rows}
    outcomes: dict[RelationIdentity, Outcome] = {}
    before: dict[RelationIdentity, Row | None] = {}
    changed_rows: list[dict[str, Any]] = []
    answers = transaction.run(
        "write/put_relations",
        rows=[row | {"exported": None} for row in rows],
        author=options.author,
        change=recording.change_id(calls.current(), options.project),
        unbarred=not options.is_import,
        holds=held is not None,
    )
    for answer in answers:
        identity = RelationIdentity.of_row(answer)
        outcomes[identity], properties = _outcome_and_properties(
            answer, by_identity[identity], options
        )
        differs = properties is not None or not answer["shared"]
        if held is not None and answer["held"] and differs:
            held.add(identity)
            outcomes[identity] = "unchanged"
            continue
        if properties is not None:
            changed_rows.append(identity.to_row() | {"properties": properties})
        if outcomes[identity] == "updated":
            before[identity] = answer["stored"]
    if changed_rows:
        transaction.run("write/set_relations", rows=changed_rows)
    changing: set[Outcome] = {"created", "updated"}
    if changing.intersection(outcomes.values()):
        note_relations(transaction, before, projects=[options.project])
    return outcomes


def _outcome_and_properties(
    answer: Row, row: Row, options: WriteOptions
) -> tuple[Outcome, dict[str, Any] | None]:
    """The outcome for a relation, and its new properties where several authors assert it."""
    outcome: Outcome = "updated" if answer["changed"] else "unchanged"
    properties = None
    if answer["shared"] or options.author == EXPORT:
        stored = answer["stored"] or {}
        properties = _joined_properties(stored, row, options)
        outcome = (
            "unchanged"
            if links.without_authors(properties) == links.without_authors(stored)
            else "updated"
        )
        properties = None if properties == stored else properties
    return "created" if answer["created"] else outcome, properties


def _joined_properties(stored: Row, row: Row, options: WriteOptions) -> dict[str, Any]:
    exported: Relation | None = row["exported"]
    if exported is not None and exported.provenance is not None:
        return links.restored(stored, exported, exported.provenance, row["created_at"])
    return links.with_words(
        stored, options.author, row["properties"], row["created_at"], replaces=row["replaces"]
    )
