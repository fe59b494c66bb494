"""Plans how to bring projects back to what they were at a moment.

The earlier state of an entity is computed from its present state and its revisions. All of that is
read, and texts without an embedding are embedded, before `graphmem/write/time_travel/apply.py`
locks anything and writes it.
"""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import reduce
from types import MappingProxyType
from typing import Any

from graphmem import statements, text
from graphmem.batches import batches
from graphmem.embedding import Vector
from graphmem.graph import Reader
from graphmem.model.identity import RelationIdentity
from graphmem.model.paths import CREATED_IN
from graphmem.model.relation_fields import CREATED_BY
from graphmem.write.assertions.earlier_states import overlaid
from graphmem.write.assertions.entity_changes import of_state
from graphmem.write.assertions.shape import Desired, Stored, embedded_text
from graphmem.write.assertions.states import relations_in, stored_state
from graphmem.write.embeddings.searched_set import Embeddings, stored_models
from graphmem.write.entities import stored_of
from graphmem.write.time_travel.later_changes import (
    ChangedEntity,
    LaterChanges,
    changed_entities,
)
from graphmem.write.time_travel.limits import ROWS, Amount

NONE: Mapping[str, Vector] = MappingProxyType({})
Relations = dict[RelationIdentity, Mapping[str, Any]]
# Gives the embeddings of texts, in order; none where the model is not there.
EmbedTexts = Callable[[Sequence[str]], Sequence[Vector]]


@dataclass(frozen=True, slots=True)
class Version:
    """What tells whether an entity was changed again: these differ then.

    Args:
        revisions: How often it was changed since the moment.
        created_by: The id of the change that created it; None if there is none.
    """

    revisions: int
    created_by: str | None


@dataclass(frozen=True, slots=True)
class EarlierEntity:
    """An entity that has changed since the moment and existed then.

    Args:
        present: As it is stored; blank if it is deleted.
        earlier: As it was.
        created_by: The id of the change that had created it by then; None if it is not recorded.
    """

    present: Stored
    earlier: Desired
    created_by: str | None


@dataclass(frozen=True, slots=True)
class RewindPlan:
    """What brings projects back; nothing is locked yet, so all of it may be outdated.

    Args:
        projects: Their names.
        moment: Changes that were made after it count for nothing.
        change_ends: Those changes, by id, each with the moment until which it went on.
        entities: The entities that have changed and existed then.
        relations: Every relation that the entities which have changed had, with its properties.
        versions: By key, each entity that has changed, even if it did not exist then.
        embeddings: Of what was said then.
    """

    projects: tuple[str, ...]
    moment: datetime
    change_ends: Mapping[str, datetime] = field(default_factory=dict)
    entities: tuple[EarlierEntity, ...] = ()
    relations: Relations = field(default_factory=dict)
    versions: Mapping[str, Version] = field(default_factory=dict)
    embeddings: Embeddings = field(default_factory=Embeddings)

    @property
    def touched_keys(self) -> list[str]:
        """The keys, sorted, of all that has changed and of whatever it was linked with."""
        ends = {end for identity in self.relations for end in (identity.start, identity.end)}
        return sorted(ends | self.versions.keys())

    @property
    def without_embedding(self) -> int:
        """How many texts of that time have no embedding, in a store that searches by meaning."""
        if self.embeddings.model is None:
            return 0
        digests = {
            passage["digest"] for entity in self.entities for passage in entity.earlier.passages
        }
        return len(digests - self.embeddings.vectors.keys())


def plan_rewind(
    reader: Reader,
    projects: Sequence[str],
    moment: datetime,
    *,
    embed: EmbedTexts,
    known_vectors: Mapping[str, Vector] = NONE,
) -> RewindPlan:
    """Plan how to bring everything in some projects back to what it was.

    Args:
        reader: The store.
        projects: Their names.
        moment: Changes that were made after it count for nothing.
        embed: Embeds texts that the store holds no embedding of any more.
        known_vectors: Embeddings that it gave before, by digest.

    Raises:
        InvalidInput: Too much has changed since.
    """
    changes = LaterChanges.of(reader, projects, moment)
    if not changes.rows:
        return RewindPlan(tuple(projects), moment)
    amount = Amount(reader, moment)
    amount.add_revisions(changes.ids)
    changed = changed_entities(reader, changes, amount)
    present = _present_entities(reader, sorted(changed))
    later_changes = changes.beginnings.keys()
    entities = tuple(_earlier_entities(present, changed, later_changes))
    return RewindPlan(
        projects=tuple(projects),
        moment=moment,
        change_ends=changes.ends,
        entities=entities,
        relations=_earlier_relations(reader, changed, later_changes),
        versions={
            entity.key: Version(changed[entity.key].revisions, entity.properties.get(CREATED_BY))
            for entity in present
        },
        embeddings=_embeddings(reader, entities, embed, known_vectors),
    )


def _present_entities(reader: Reader, keys: Sequence[str]) -> list[Stored]:
    """Entities as they are, in the order of their keys; blank where they are not there."""
    stored_by_key = {
        row["key"]: stored_of(row)
        for batch in batches(keys, most=ROWS)
        for row in reader.read("read/stored_entities", keys=batch)
    }
    return [stored_by_key.get(key, Stored(key, {}, (), ())) for key in keys]


def _earlier_entities(
    present_entities: Sequence[Stored],
    changed: Mapping[str, ChangedEntity],
    later_changes: Container[str],
) -> Iterator[EarlierEntity]:
    """The entities that existed at the moment."""
    for present in present_entities:
        entity = changed[present.key]
        state = reduce(overlaid, entity.befores, stored_state(present))
        if entity.existed(state, later_changes):
            project = text.project_of(present.key)
            created_by = entity.before.get(CREATED_IN, present.properties.get(CREATED_BY))
            yield EarlierEntity(present, of_state(present, state, project=project), created_by)


def _earlier_relations(
    reader: Reader, changed: Mapping[str, ChangedEntity], later_changes: Container[str]
) -> Relations:
    """Every relation that changed entities had at the moment."""
    relations: Relations = {
        RelationIdentity.of_row(row): row["stored"]
        for batch in batches(sorted(changed), most=ROWS)
        for row in reader.read("read/incident_relations", keys=batch)
    }
    for key, entity in changed.items():
        for identity in entity.created_relations:
            relations.pop(identity, None)
        for identity, properties in relations_in(entity.before, key):
            if properties is None or properties.get(CREATED_BY) in later_changes:
                relations.pop(identity, None)
            else:
                relations[identity] = properties
    return relations


def _embeddings(
    reader: Reader,
    entities: Sequence[EarlierEntity],
    embed: EmbedTexts,
    known_vectors: Mapping[str, Vector],
) -> Embeddings:
    """The embeddings of what was said then, as far as the store or the model gives them."""
    models = stored_models(reader)
    if models.current is None:
        return Embeddings()
    property_name = statements.embedding_property(models.number)
    vectors = dict(known_vectors)
    for batch in batches([entity.earlier.key for entity in entities], most=ROWS):
        rows = reader.read("read/embeddings_of", keys=batch, property=property_name)
        vectors |= {row["digest"]: row["embedding"] for row in rows}
    missing = {
        passage["digest"]: embedded_text(entity.earlier.properties, passage["text"])
        for entity in entities
        for passage in entity.earlier.passages
        if passage["digest"] not in vectors
    }
    new_vectors = embed(list(missing.values())) if missing else ()
    vectors |= dict(zip(missing, new_vectors, strict=False))
    return Embeddings(vectors, models.current)
