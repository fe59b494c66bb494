"""Finds out what it takes to bring projects back to what they were at a moment.

The earlier state of an entity is computed from its present state, by its revisions. All of that is
read, and texts without an embedding are embedded, before `graphmem/write/time_travel/apply.py`
locks anything and writes it.
"""

import itertools
import json
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from graphmem import queries, text
from graphmem.batches import batches
from graphmem.embedding import Vector
from graphmem.graph import Reader, Row
from graphmem.model.identity import RelationIdentity
from graphmem.model.paths import CREATED_IN, WHOLE
from graphmem.model.relation_fields import CREATED_BY
from graphmem.write.assertions.entity_changes import of_state
from graphmem.write.assertions.shape import Desired, Stored, embedded_text
from graphmem.write.assertions.states import State, overlaid, relations_in, stored_state
from graphmem.write.embeddings.searched_set import Embeddings, stored_models
from graphmem.write.entities import stored_of
from graphmem.write.time_travel.limits import MOST_REVISIONS, ROWS, Amount

NONE: Mapping[str, Vector] = MappingProxyType({})
Relations = dict[RelationIdentity, Mapping[str, Any]]
# How often an entity was changed since, and the change that made it.
Mark = tuple[int, str | None]
# Gives the embeddings of texts, in order; none where the model is not there.
EmbedTexts = Callable[[Sequence[str]], Sequence[Vector]]


@dataclass(slots=True)
class _Entity:
    """What happened to an entity and its relations since.

    Args:
        before: What was there before, by path.
        first: When that was changed first.
        created: When the entity was made, or made again.
        created_relations: The relations that begin here and were created since.
        revisions: How often it was changed.
    """

    before: State = field(default_factory=dict)
    first: datetime | None = None
    created: datetime | None = None
    created_relations: list[RelationIdentity] = field(default_factory=list)
    revisions: int = 0

    def was_there(self, state: State, since: Container[str]) -> bool:
        """Whether it existed: created before, or created again since, after it had been deleted.

        Args:
            state: What it was, which a damaged history may not tell.
            since: The changes that began later.
        """
        if self.created is not None and (self.first is None or self.first >= self.created):
            return False
        return state.keys() >= set(WHOLE) and self.before.get(CREATED_IN) not in since


@dataclass(frozen=True, slots=True)
class RewindPlan:
    """What it takes to bring projects back; nothing is locked yet, so all of it may be outdated.

    Args:
        projects: Their names.
        moment: Changes that were made after it count for nothing.
        changes: Those, by id, each with the moment until which it went on.
        entity_pairs: The entities that have changed and existed then: as they are, and as they
            were.
        relations: Every relation that the entities which have changed had.
        marks: Of each entity that has changed, by key, how many revisions it has since the moment
            and which change has made it: it was changed again where these differ.
        embeddings: Of what was said then.
        lacking: How many texts of that time have none.
    """

    projects: tuple[str, ...]
    moment: datetime
    changes: Mapping[str, datetime] = field(default_factory=dict)
    entity_pairs: tuple[tuple[Stored, Desired], ...] = ()
    relations: Relations = field(default_factory=dict)
    marks: Mapping[str, Mark] = field(default_factory=dict)
    embeddings: Embeddings = field(default_factory=Embeddings)
    lacking: int = 0

    @property
    def touched(self) -> list[str]:
        """The keys, sorted, of all that has changed and of whatever it was linked with."""
        ends = {end for identity in self.relations for end in (identity.start, identity.end)}
        return sorted(ends | self.marks.keys())


def planned(
    reader: Reader,
    projects: Sequence[str],
    moment: datetime,
    *,
    embed: EmbedTexts,
    known_vectors: Mapping[str, Vector] = NONE,
) -> RewindPlan:
    """Find out what it takes to bring everything in some projects back to what it was.

    Args:
        reader: The store.
        projects: Their names.
        moment: Changes that were made after it count for nothing.
        embed: Embeds texts that the store holds no embedding of any more.
        known_vectors: Embeddings that it gave before, by digest.

    Raises:
        InvalidInput: Too much has changed since.
    """
    after = reader.read("read/changes_after", projects=list(projects), moment=moment)
    nothing = RewindPlan(tuple(projects), moment, lasting(after))
    if not after:
        return nothing
    moments = {row["id"]: row["at"] for row in after if row["is_after"]}
    amount = Amount(reader, moment)
    amount.add_revisions([row["id"] for row in after])
    entities = _changed_entities(reader, after, moments, moment)
    amount.add_entities(sorted(entities))
    stored_entities = _stored_entities(reader, sorted(entities))
    entity_pairs = tuple(_entity_pairs(stored_entities, entities, moments))
    relations = _relations(reader, entities, moments)
    embeddings, lacking = _embeddings(reader, entity_pairs, embed, known_vectors)
    marks = {
        entity.key: (entities[entity.key].revisions, entity.properties.get(CREATED_BY))
        for entity in stored_entities
    }
    return replace(
        nothing, entity_pairs=entity_pairs, relations=relations, marks=marks, embeddings=embeddings,
        lacking=lacking,
    )  # fmt: skip


def lasting(rows: Iterable[Row]) -> dict[str, datetime]:
    """The moment until which each change went on, by its id."""
    return {row["id"]: row["last_at"] for row in rows}


def _changed_entities(
    reader: Reader,
    after: Sequence[Row],
    moments: Mapping[str, datetime],
    moment: datetime,
) -> dict[str, _Entity]:
    """What happened to entities since the moment, by their keys."""
    entities: dict[str, _Entity] = {}
    rows = reader.read(
        "read/revisions_after",
        changes=[row["id"] for row in after], moment=moment, limit=MOST_REVISIONS,
    )  # fmt: skip
    for row in rows:  # the newest of an entity first: what an older one notes was there before
        entity = entities.setdefault(row["key"], _Entity())
        entity.before |= json.loads(row["before"])
        entity.first = row["at"]
        entity.revisions += 1
    began = sorted((row["project"], row["id"]) for row in after if row["is_after"])
    for project, group in itertools.groupby(began, key=lambda pair: pair[0]):
        ids = [change for _, change in group]
        for row in reader.read("read/created", project=project, changes=ids):
            entity = entities.setdefault(row["key"], _Entity())
            entity.created_relations += [RelationIdentity.of_row(link) for link in row["relations"]]
            if row["is_new"]:
                entity.created = moments[row["change"]]
    return entities


def _stored_entities(reader: Reader, keys: Sequence[str]) -> list[Stored]:
    """Entities as they are, in the order of their keys; blank where they are not there."""
    stored_by_key = {
        row["key"]: stored_of(row)
        for batch in batches(keys, most=ROWS)
        for row in reader.read("read/stored_entities", keys=batch)
    }
    return [stored_by_key.get(key, Stored(key, {}, (), ())) for key in keys]


def _entity_pairs(
    stored_entities: Sequence[Stored], entities: Mapping[str, _Entity], since: Container[str]
) -> Iterator[tuple[Stored, Desired]]:
    """The entities that existed then: as they are, and as they were."""
    for stored_entity in stored_entities:
        entity = entities[stored_entity.key]
        earlier_state = overlaid(stored_state(stored_entity), entity.before)
        if entity.was_there(earlier_state, since):
            yield (
                stored_entity,
                of_state(stored_entity, earlier_state, project=text.project_of(stored_entity.key)),
            )


def _relations(
    reader: Reader, entities: Mapping[str, _Entity], moments: Mapping[str, datetime]
) -> Relations:
    """Every relation that those entities had."""
    relations: Relations = {
        RelationIdentity.of_row(row): row["stored"]
        for batch in batches(sorted(entities), most=ROWS)
        for row in reader.read("read/incident_relations", keys=batch)
    }
    for key, entity in entities.items():
        for identity in entity.created_relations:
            relations.pop(identity, None)
        for identity, properties in relations_in(entity.before, key):
            if properties is None or properties.get(CREATED_BY) in moments:
                relations.pop(identity, None)
            else:
                relations[identity] = properties
    return relations


def _embeddings(
    reader: Reader,
    entity_pairs: Sequence[tuple[Stored, Desired]],
    embed: EmbedTexts,
    known_vectors: Mapping[str, Vector],
) -> tuple[Embeddings, int]:
    """The embeddings of what was said then, and how many texts have none."""
    models = stored_models(reader)
    if models.current is None:
        return Embeddings(), 0
    property_name = queries.embedding_property(models.number)
    vectors = dict(known_vectors)
    for batch in batches([desired.key for _, desired in entity_pairs], most=ROWS):
        rows = reader.read("read/embeddings_of", keys=batch, property=property_name)
        vectors |= {row["digest"]: row["embedding"] for row in rows}
    texts = {
        passage["digest"]: embedded_text(desired.properties, passage["text"])
        for _, desired in entity_pairs
        for passage in desired.passages
        if passage["digest"] not in vectors
    }
    new_vectors = embed(list(texts.values())) if texts else ()
    vectors |= dict(zip(texts, new_vectors, strict=False))
    return Embeddings(vectors, models.current), len(texts) - len(new_vectors)
