"""Brings projects back to what they were at a moment, in a transaction that is rolled back.

What an entity was is walked back from what it is. Whatever changed is taken out of all searches by
its labels and made anew as it was, with its relations. Nothing is deleted: a vector index fails on
what its transaction deletes, and a text index leaves out of a transaction's answers the nodes whose
internal numbers are those of relations that it deletes (Neo4j 2026.09). A vector index knows
nothing that a transaction makes, so a search compares that one by one.
"""

import itertools
import json
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from graphmem import queries, text
from graphmem.embedding import Vector, document
from graphmem.errors import InvalidInput
from graphmem.graph import Row, Transaction
from graphmem.model.identity import RelationIdentity
from graphmem.model.json_object import written
from graphmem.model.paths import WHOLE
from graphmem.model.relation_fields import CREATED_BY
from graphmem.write import changes
from graphmem.write.embeddings import Embeddings, stored_models
from graphmem.write.entities import locked
from graphmem.write.restating import of_state
from graphmem.write.shape import Desired, Stored
from graphmem.write.states import (
    CREATED_IN,
    HIDDEN,
    OBSERVATION,
    RELATION,
    WORD,
    State,
    decoded_relation,
    overlaid,
    stored_state,
)

# What one transaction holds within the memory that a small server gives it.
MOST_ENTITIES = 5000
MOST_REVISIONS = 50_000
ROWS = 500
# How revisions, as JSON, begin what is a change of the entity and not of its relations alone.
CHANGED_PATHS = tuple(
    before + path for before in ('{"', ',"') for path in (WORD, OBSERVATION, f'{HIDDEN}":')
)

Relations = dict[RelationIdentity, Mapping[str, Any]]
Item = TypeVar("Item")
# Gives the embeddings of texts, in order; none where the model is not there.
EmbedTexts = Callable[[Sequence[str]], Sequence[Vector]]


@dataclass(frozen=True, slots=True)
class Rewound:
    """What a transaction has written to go back.

    Args:
        keys: Entities that are made anew as they were.
        passages: How many passages are out of all searches.
        without_embedding: How many texts of that time have none, and are found by their words.
    """

    keys: tuple[str, ...] = ()
    passages: int = 0
    without_embedding: int = 0


@dataclass(slots=True)
class _Entity:
    """What happened to an entity and its relations since.

    Args:
        before: What was there before, by path.
        first: When that was changed first.
        created: When the entity was made, or made again.
        made: The relations that begin here and were made.
    """

    before: State = field(default_factory=dict)
    first: datetime | None = None
    created: datetime | None = None
    made: list[RelationIdentity] = field(default_factory=list)

    def was_there(self, then: State, since: Container[str]) -> bool:
        """Whether it was there: created before, or created anew since it had been deleted.

        Args:
            then: What it was, which a damaged history may not tell.
            since: The changes that began later.
        """
        if self.created is not None and (self.first is None or self.first >= self.created):
            return False
        return then.keys() >= set(WHOLE) and self.before.get(CREATED_IN) not in since


def rewind(
    transaction: Transaction, projects: Sequence[str], moment: datetime, *, embed: EmbedTexts
) -> Rewound:
    """Bring everything in some projects back to what it was.

    Args:
        transaction: Will be rolled back.
        projects: Their names.
        moment: Changes that were made after it count for nothing.
        embed: Embeds texts that the store holds no embedding of any more.

    Raises:
        InvalidInput: Too much has changed since.
    """
    after = transaction.read("read/changes_after", projects=list(projects), moment=moment)
    if not after:
        return Rewound()
    moments = {row["id"]: row["at"] for row in after if row["is_after"]}
    entities = _changed(transaction, after, moments, moment)
    if len(entities) > MOST_ENTITIES:
        raise _too_much(moment, f"{len(entities)} entities")
    keys = sorted(entities)
    there = list(_there(transaction, keys, entities, moments))
    relations = _relations(transaction, entities, moments)
    embeddings, lacking = _embeddings(transaction, there, embed)
    passages = sum(
        row["passages"]
        for some in _batches(keys)
        for row in transaction.run("write/set_entities_aside", keys=some)
    )
    new = [(Stored(wanted.key, {}, (), ()), wanted) for _, wanted in there]
    for some in _batches([wanted.key for _, wanted in there]):
        locked(transaction, some, follows=False)  # makes them
    changes.put(transaction, new, embeddings=embeddings, now=moment)
    _date(transaction, there, moment)
    for rows in _batches(
        [
            one.to_row() | {"token": one.token, "properties": properties}
            for one, properties in relations.items()
        ]
    ):
        transaction.run("write/restore_relations", rows=rows)
    return Rewound(tuple(wanted.key for _, wanted in there), passages, lacking)


def _changed(
    transaction: Transaction,
    after: Sequence[Row],
    moments: Mapping[str, datetime],
    moment: datetime,
) -> dict[str, _Entity]:
    """What happened since, by the keys of entities."""
    entities: dict[str, _Entity] = {}
    rows = transaction.read(
        "read/revisions_after",
        changes=[row["id"] for row in after], moment=moment, limit=MOST_REVISIONS + 1,
    )  # fmt: skip
    if len(rows) > MOST_REVISIONS:
        raise _too_much(moment, f"entities more than {MOST_REVISIONS} times")
    for row in rows:  # the newest of an entity first: what an older one notes was there before
        own = entities.setdefault(row["key"], _Entity())
        own.before |= json.loads(row["before"])
        own.first = row["at"]
    began = sorted((row["project"], row["id"]) for row in after if row["is_after"])
    for project, group in itertools.groupby(began, key=lambda pair: pair[0]):
        ids = [change for _, change in group]
        for row in transaction.read("read/created", project=project, changes=ids):
            own = entities.setdefault(row["key"], _Entity())
            own.made += [RelationIdentity.of_row(one) for one in row["relations"]]
            if row["is_new"]:
                own.created = moments[row["change"]]
    return entities


def _there(
    transaction: Transaction,
    keys: Sequence[str],
    entities: Mapping[str, _Entity],
    since: Container[str],
) -> Iterator[tuple[Stored, Desired]]:
    """The entities that were there, locked: as they are, and as they were."""
    for some in _batches(keys):
        for stored in locked(transaction, some, follows=False):
            one = entities[stored.key]
            then = overlaid(stored_state(stored), one.before)
            if one.was_there(then, since):
                yield stored, of_state(stored, then, project=text.project_of(stored.key))


def _relations(
    transaction: Transaction, entities: Mapping[str, _Entity], moments: Mapping[str, datetime]
) -> Relations:
    """Every relation that those entities had."""
    rows = transaction.read("read/incident_relations", keys=sorted(entities))
    relations: Relations = {RelationIdentity.of_row(row): row["stored"] for row in rows}
    for key, one in entities.items():
        for identity in one.made:
            relations.pop(identity, None)
        for path, value in one.before.items():
            if not path.startswith(RELATION):
                continue
            identity = RelationIdentity.of_token(key, path.removeprefix(RELATION))
            properties = {} if value is None else decoded_relation(key, value)[1]
            if value is None or properties.get(CREATED_BY) in moments:
                relations.pop(identity, None)
            else:
                relations[identity] = properties
    return relations


def _date(
    transaction: Transaction, there: Sequence[tuple[Stored, Desired]], moment: datetime
) -> None:
    """Set the moments of the last changes until then."""
    keys = [wanted.key for _, wanted in there]
    last = {
        row["key"]: row["at"]
        for row in transaction.read(
            "read/last_changes", keys=keys, moment=moment, paths=[*CHANGED_PATHS]
        )
    }
    made_by = [stored.properties.get(CREATED_BY) for stored, _ in there]
    ids = sorted({made for made in made_by if made is not None})
    made_at = {row["id"]: row["at"] for row in transaction.read("read/moments", ids=ids)}
    rows = [
        {
            "key": wanted.key,
            "properties": {
                "updated_at": last.get(wanted.key)
                or made_at.get(made)
                or wanted.properties["created_at"]
            },
            "add": [],
            "remove": [],
        }
        for (_, wanted), made in zip(there, made_by, strict=True)
    ]
    for some in _batches(rows):
        transaction.run("write/put_entities", rows=some)


def _embeddings(
    transaction: Transaction, there: Sequence[tuple[Stored, Desired]], embed: EmbedTexts
) -> tuple[Embeddings, int]:
    """The embeddings of what was said then, and how many texts have none."""
    models = stored_models(transaction)
    if models.current is None:
        return Embeddings(), 0
    own = queries.embedding_property(models.number)
    vectors: dict[str, Vector] = {}
    for some in _batches([wanted.key for _, wanted in there]):
        rows = transaction.read("read/embeddings_of", keys=some, property=own)
        vectors |= {row["digest"]: row["embedding"] for row in rows}
    texts = {
        passage["digest"]: document(
            wanted.properties["name"], wanted.properties.get("title"), passage["text"]
        )
        for _, wanted in there
        for passage in wanted.passages
        if passage["digest"] not in vectors
    }
    made = embed(list(texts.values())) if texts else ()
    vectors |= dict(zip(texts, made, strict=False))
    return Embeddings(vectors, models.current), len(texts) - len(made)


def _batches(items: Sequence[Item]) -> Iterator[list[Item]]:
    for start in range(0, len(items), ROWS):
        yield list(items[start : start + ROWS])


def _too_much(moment: datetime, much: str) -> InvalidInput:
    return InvalidInput(
        "as_of",
        str(written(moment)),
        f"must be later: {much} of these projects changed since, and at most "
        f"{MOST_ENTITIES} are taken back",
        hint="Name a later moment, or fewer projects; `show NAME --as-of` looks at one entity.",
    )
