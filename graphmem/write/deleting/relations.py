"""Deletes relations, and takes back what an import asserted of them."""

from collections.abc import Sequence
from typing import Any

from graphmem.batches import batches
from graphmem.graph import Graph, Row, Transaction
from graphmem.model.identity import RelationIdentity
from graphmem.model.provenance import CALLER
from graphmem.write.assertions import links
from graphmem.write.relations import BATCH, note_relations


def delete_relations(
    graph: Graph, start: str, end: str, relation: str | None, since: str | None
) -> list[RelationIdentity]:
    """Delete the relations from one entity to another, as `delete_selected` does.

    Args:
        graph: The store.
        start: The key of the entity where they begin.
        end: The key of the entity where they end.
        relation: Their type, or None for every type.
        since: When they begin to hold, as an identity has it, or None for all.
    """
    selection = [{"start": start, "end": end, "relation": relation, "since": since}]

    return graph.write(lambda transaction: delete_selected(transaction, selection))


def delete_selected(
    transaction: Transaction, selection: Sequence[dict[str, Any]]
) -> list[RelationIdentity]:
    """Delete relations, and note what they were.

    A relation that an import asserts stays away when the import runs again.

    Args:
        transaction: The transaction.
        selection: Rows of `write/lock_relations`, sorted.
    """
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


def withdraw_relations(graph: Graph, relations: Sequence[RelationIdentity], author: str) -> None:
    """Take back what an import asserted of relations; those that nobody else asserts are deleted.

    A relation that was derived from texts is deleted, whoever derived it.
    """
    rows = [identity.to_row() for identity in sorted(relations)]
    for batch in batches(rows, most=BATCH):
        _withdraw(graph, batch, author)


def _withdraw(graph: Graph, rows: list[dict[str, Any]], author: str) -> None:
    def work(transaction: Transaction) -> None:
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
        transaction.run("write/delete_relations", rows=deleted_rows)
        note_relations(transaction, before)

    graph.write(work)
