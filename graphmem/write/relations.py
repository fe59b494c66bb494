"""Writes relations between entities whose keys are known."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from graphmem import calls, text
from graphmem.batches import batches, size
from graphmem.graph import Graph, Row, Transaction, rehearse
from graphmem.model import Relation
from graphmem.model.identity import RelationIdentity
from graphmem.model.paths import RELATION
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


@dataclass(frozen=True, slots=True)
class RelationWrite:
    """A relation that is to be created or updated.

    Args:
        identity: Its identity.
        relation: What is asserted.
        now: The moment.
        replaces: Whether it replaces what its author asserted before.
    """

    identity: RelationIdentity
    relation: Relation
    now: datetime
    replaces: bool = False

    def to_row(self) -> dict[str, Any]:
        """Write it as a row of `write/put_relations`."""
        return {
            **self.identity.to_row(),
            "token": self.identity.token,
            "properties": links.properties_of(self.relation),
            "created_at": self.now,
            "replaces": self.replaces,
        }


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
        writes = [
            RelationWrite(
                identity,
                relations[identity],
                now,
                replaces=options.is_import and identity not in again,
            )
            for identity in batch
        ]
        exported = [write for write in writes if write.relation.provenance is not None]
        with calls.recorded("write"):
            own_writes = [write for write in writes if write.relation.provenance is None]
            outcomes |= _write(graph, own_writes, options, held)
            outcomes |= _write(graph, exported, replace(options, author=EXPORT))
        progress.advance("Writing relations", number * BATCH + len(batch), len(ordered))
    return outcomes


def restore_relations(
    transaction: Transaction, relations: Mapping[RelationIdentity, Mapping[str, Any]]
) -> None:
    """Give relations all their properties, in parts, since a statement keeps its rows in memory.

    Args:
        transaction: The one that has locked their ends.
        relations: Their properties.
    """
    rows = (
        identity.to_row() | {"token": identity.token, "properties": properties}
        for identity, properties in sorted(relations.items(), key=lambda pair: pair[0])
    )
    for batch in batches(rows, size, most=BATCH):
        transaction.run("write/restore_relations", rows=batch)


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
    # By project and by the key of the entity where they begin, their states by path.
    states_by_project: dict[str, dict[str, dict[str, object]]] = {name: {} for name in projects}
    for identity, properties in before.items():
        states = states_by_project.setdefault(text.project_of(identity.start), {})
        states.setdefault(identity.start, {})[RELATION + identity.token] = (
            None if properties is None else encoded_relation(identity, properties)
        )
    now = recording.moment(transaction, states_by_project)
    for project, states in states_by_project.items():
        recording.note(transaction, calls.current(), project, sorted(states.items()), now=now)


def _write(
    graph: Graph,
    writes: Sequence[RelationWrite],
    options: WriteOptions,
    held: set[RelationIdentity] | None = None,
) -> dict[RelationIdentity, Outcome]:
    if not writes:
        return {}

    def work(transaction: Transaction) -> dict[RelationIdentity, Outcome]:
        return put(transaction, writes, options, held)

    return rehearse(graph, work) if options.dry_run else graph.write(work)


def put(
    transaction: Transaction,
    writes: Sequence[RelationWrite],
    options: WriteOptions,
    held: set[RelationIdentity] | None = None,
) -> dict[RelationIdentity, Outcome]:
    """Create or update relations in a transaction, and note what was there before.

    A relation that the author alone asserts is written by the statement that reads it. The words on
    any other are compared here, and a second statement writes what they make of it.

    Args:
        transaction: The transaction.
        writes: The relations, sorted by their identities.
        options: Who asserts them.
        held: As of `write_relations`.

    Returns:
        The outcome of each; a relation whose ends are gone is missing.
    """
    write_by_identity = {write.identity: write for write in writes}
    answers = transaction.run(
        "write/put_relations",
        rows=[write.to_row() for write in writes],
        author=options.author,
        change=recording.change_id(calls.current(), options.project),
        unbarred=not options.is_import,
        holds=held is not None,
    )
    results = [
        _result(answer, write_by_identity[RelationIdentity.of_row(answer)], options)
        for answer in answers
    ]
    if held is not None:
        held.update(result.identity for result in results if result.is_held)
    changed_rows = [
        result.identity.to_row() | {"properties": result.new_properties}
        for result in results
        if result.new_properties is not None
    ]
    if changed_rows:
        transaction.run("write/set_relations", rows=changed_rows)
    if any(result.outcome != "unchanged" for result in results):
        before = {
            result.identity: result.stored for result in results if result.outcome == "updated"
        }
        note_relations(transaction, before, projects=[options.project])
    return {result.identity: result.outcome for result in results}


@dataclass(frozen=True, slots=True)
class _Result:
    """What a write made of a relation.

    Args:
        identity: The relation.
        outcome: `created`, `updated` or `unchanged`; a relation that is held back is unchanged.
        stored: Its properties before, if it was updated.
        new_properties: Those that are still to be set; None if there are none.
        is_held: Whether it is held back.
    """

    identity: RelationIdentity
    outcome: Outcome
    stored: Row | None = None
    new_properties: dict[str, Any] | None = None
    is_held: bool = False


def _result(answer: Row, write: RelationWrite, options: WriteOptions) -> _Result:
    """Read a row of `write/put_relations`, and compare the words where several authors speak."""
    stored, is_shared = answer["stored"], answer["shared"]
    new_properties: dict[str, Any] | None = None
    outcome: Outcome = "updated" if answer["changed"] else "unchanged"
    if is_shared or options.author == EXPORT:
        properties = _joined_properties(stored or {}, write, options)
        is_updated = links.without_authors(properties) != links.without_authors(stored or {})
        outcome = "updated" if is_updated else "unchanged"
        new_properties = None if properties == (stored or {}) else properties
    if answer["held"] and (new_properties is not None or not is_shared):
        return _Result(write.identity, "unchanged", is_held=True)
    if answer["created"]:
        outcome = "created"
    return _Result(write.identity, outcome, stored, new_properties)


def _joined_properties(stored: Row, write: RelationWrite, options: WriteOptions) -> dict[str, Any]:
    """The properties of a relation once all authors' words are on it."""
    relation, now = write.relation, write.now
    if relation.provenance is not None:
        return links.restored(stored, relation, relation.provenance, now)
    return links.with_words(
        stored, options.author, links.properties_of(relation), now, replaces=write.replaces
    )
