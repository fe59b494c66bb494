"""The relations that begin at an entity, in the form of its revisions."""

from collections.abc import Sequence
from typing import Any

from graphmem.graph import Graph, Row
from graphmem.model.identity import RelationIdentity
from graphmem.model.paths import RELATION
from graphmem.write.assertions.states import encoded_relation


def outgoing(graph: Graph, key: str, revisions: Sequence[Row]) -> dict[str, Any]:
    """The relations that begin at an entity, by path, where any revision has a relation."""
    if not any(f'"{RELATION}' in row["before"] for row in revisions):
        return {}
    rows = graph.read("read/incident_relations", keys=[key])
    identities = [(RelationIdentity.of_row(row), row["stored"]) for row in rows]
    return {
        RELATION + identity.token: encoded_relation(identity, properties)
        for identity, properties in identities
        if identity.start == key
    }
