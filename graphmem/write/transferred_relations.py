"""The relations that an entity gets from another one, as they shall be and as they were."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from graphmem.graph import Transaction
from graphmem.model.identity import RelationIdentity
from graphmem.model.paths import RELATION
from graphmem.write.assertions import links
from graphmem.write.assertions.states import State, encoded_relation

# Gives the properties with which a relation moves; None for one that stays where it is.
Part = Callable[[RelationIdentity, Mapping[str, Any]], Mapping[str, Any] | None]


def whole(_: RelationIdentity, properties: Mapping[str, Any]) -> Mapping[str, Any]:
    """Every relation moves, with everything that is stored of it."""
    return properties


@dataclass(slots=True)
class TransferredRelations:
    """The relations of one entity, moved to another one; where both have one, the two are joined.

    Attributes:
        relations: Those of the other entity, with their properties.
        earlier_states: By the key of the entity where they begin, what they were before.
        left: Those of the entity that moved to the other one.
        dropped: How many are not there any more: both entities had them, or they would lead from
            an entity to itself.
    """

    relations: dict[RelationIdentity, Mapping[str, Any]] = field(default_factory=dict)
    earlier_states: dict[str, State] = field(default_factory=dict)
    left: list[RelationIdentity] = field(default_factory=list)
    dropped: int = 0

    @classmethod
    def of(cls, transaction: Transaction, key: str, into: str, part: Part = whole) -> Self:
        """Read the relations of an entity, and say what becomes of them.

        Args:
            transaction: The one that has locked both entities.
            key: The entity that they leave.
            into: The one that gets them.
            part: What of each moves.
        """
        rows = transaction.run("read/incident_relations", keys=[key, into])
        stored_relations = {RelationIdentity.of_row(row): row["stored"] for row in rows}
        transferred = cls()
        after = transferred.relations
        for identity, stored_properties in stored_relations.items():
            if key not in {identity.start, identity.end}:
                continue
            if (properties := part(identity, stored_properties)) is None:
                continue
            transferred.left.append(identity)
            transferred._note(identity, stored_properties)
            ends = {"start": identity.start, "end": identity.end}
            other = replace(
                identity, **{end: into for end, end_key in ends.items() if end_key == key}
            )
            if other.start == other.end:
                transferred.dropped += 1
                continue
            existing = after.get(other, stored_relations.get(other))
            transferred.dropped += existing is not None
            after[other] = properties if existing is None else links.joined(existing, properties)
            transferred._note(other, stored_relations.get(other))
        return transferred

    def _note(self, identity: RelationIdentity, before: Mapping[str, Any] | None) -> None:
        """Note what a relation was before; None where there was none."""
        states = self.earlier_states.setdefault(identity.start, {})
        encoded = None if before is None else encoded_relation(identity, before)
        states.setdefault(RELATION + identity.token, encoded)
