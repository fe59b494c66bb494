"""Carries over what callers said of an entity to the one that its source has in its place now."""

from collections.abc import Mapping
from typing import Any

from graphmem import text
from graphmem.graph import Graph, Transaction
from graphmem.model.identity import RelationIdentity
from graphmem.model.provenance import CALLER
from graphmem.write.assertions import links
from graphmem.write.assertions.entity_changes import with_words_of_callers
from graphmem.write.assertions.shape import Desired, Stored, unchanged
from graphmem.write.assertions.upsert import withdrawn
from graphmem.write.bounds import refusal
from graphmem.write.changes import put as put_changes
from graphmem.write.embeddings.searched_set import Embeddings, again_if_replaced
from graphmem.write.entities import locked
from graphmem.write.history import recording
from graphmem.write.redirects import Redirected
from graphmem.write.relations import restore_relations
from graphmem.write.reshaping import Embed
from graphmem.write.transferred_relations import TransferredRelations


def carry_over(graph: Graph, key: str, into: str, author: str, *, embed: Embed) -> bool:
    """Move the relations, observations and fields of callers from one entity to another.

    What imports assert of either stays where it is. Both keep their names and keys.

    Args:
        graph: The store.
        key: The entity that the source has no more.
        into: The one that it has in its place, of the same project.
        author: The import, whose word on a relation stays behind.
        embed: Embeds what is new.

    Returns:
        Whether anything was moved; nothing is if the other one would exceed a limit, or if one of
        the two was renamed, merged or deleted meanwhile.
    """

    def work(transaction: Transaction) -> bool:
        entities = {entity.key: entity for entity in locked(transaction, sorted({key, into}))}
        stored, other = entities[key], entities[into]
        if not (stored.properties and other.properties):
            transaction.run("write/delete_blanks", keys=sorted(entities))
            return False
        now = recording.moment(transaction, [text.project_of(key)])
        pairs: list[tuple[Stored, Desired]] = []
        embeddings = Embeddings()
        if CALLER in (stored.properties.get("asserted_by") or [CALLER]):
            desired = with_words_of_callers(other, stored, now=now)
            if refusal(other, desired):
                return False
            embeddings = embed(other, desired)
            pairs = [(other, desired), (stored, withdrawn(stored, CALLER))]
        transferred = TransferredRelations.of(transaction, key, into, _words_of_callers)
        if not (pairs or transferred.relations):
            return False
        put_changes(
            transaction,
            [pair for pair in pairs if not unchanged(*pair)],
            embeddings=embeddings,
            now=now,
            earlier_states=transferred.earlier_states,
        )
        restore_relations(transaction, transferred.relations)
        left_rows = [identity.to_row() for identity in transferred.left]
        transaction.run("write/delete_relations", rows=left_rows)
        return True

    def _words_of_callers(
        identity: RelationIdentity, properties: Mapping[str, Any]
    ) -> Mapping[str, Any] | None:
        # One between the two, such as SUPERSEDES, speaks of both names.
        if CALLER not in links.ledger_of(properties).authors or (
            {identity.start, identity.end} <= {key, into}
        ):
            return None
        return links.without_author(properties, author)

    try:
        return again_if_replaced(lambda: graph.write(work))
    except Redirected:
        return False
