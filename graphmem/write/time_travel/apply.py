"""Takes changes of projects back in a transaction that is rolled back.

Whatever changed is hidden from all searches by its labels and created again as it was, with its
relations. Nothing is deleted: a vector index fails on what its own transaction deletes, and a text
index omits nodes whose internal ids equal those of relations that the transaction deletes (Neo4j
2026.09). A vector index does not see what its own transaction creates, so a search compares that
one by one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.batches import batches
from graphmem.graph import Overtaken, Transaction
from graphmem.model.paths import HIDDEN, OBSERVATION, WORD
from graphmem.model.relation_fields import CREATED_BY
from graphmem.write import changes
from graphmem.write.assertions.shape import Desired, Stored
from graphmem.write.entities import locked
from graphmem.write.time_travel.limits import ROWS
from graphmem.write.time_travel.plan import Mark, RewindPlan, lasting, planned

# Text in the JSON of a revision that changed the entity itself and not only its relations.
CHANGED_PATHS = tuple(
    before + path for before in ('{"', ',"') for path in (WORD, OBSERVATION, f'{HIDDEN}":')
)


@dataclass(frozen=True, slots=True)
class Rewound:
    """What a transaction has written to bring projects back.

    Args:
        keys: Entities that are made anew as they were.
        passages: How many passages are out of all searches.
        without_embedding: How many texts of that time have none, and are found by their words.
    """

    keys: tuple[str, ...] = ()
    passages: int = 0
    without_embedding: int = 0


def rewind(transaction: Transaction, plan: RewindPlan) -> Rewound:
    """Bring everything in some projects back to what it was.

    All that is touched is locked first, in the order in which every writer locks. Where anything
    was changed since it was read, all is read again, once, and nothing is embedded then. What is
    changed for the first time while this runs is locked by nobody, and stays as it is now.

    Args:
        transaction: Will be rolled back.
        plan: What it takes.

    Raises:
        InvalidInput: Too much has changed since.
        Overtaken: Something was deleted while this waited for its lock.
    """
    marks, blank_keys = _lock(transaction, plan)
    if _is_outdated(transaction, plan, marks):
        known_vectors = plan.embeddings.vectors
        plan = planned(
            transaction, plan.projects, plan.moment, embed=lambda _: (), known_vectors=known_vectors
        )
        blank_keys |= _lock(transaction, plan)[1]
    if not plan.marks:
        return Rewound()
    keys = [desired.key for _, desired in plan.entity_pairs]
    passages = sum(
        row["passages"]
        for batch in batches(sorted(blank_keys | plan.marks.keys()), most=ROWS)
        for row in transaction.run("write/set_entities_aside", keys=batch)
    )
    new = [(Stored(desired.key, {}, (), ()), desired) for _, desired in plan.entity_pairs]
    for batch in batches(keys, most=ROWS):
        locked(transaction, batch, follows=False)  # makes them
    changes.put(transaction, new, embeddings=plan.embeddings, now=plan.moment)
    _date(transaction, plan.entity_pairs, plan.moment)
    for rows in batches(
        [
            identity.to_row() | {"token": identity.token, "properties": properties}
            for identity, properties in plan.relations.items()
        ],
        most=ROWS,
    ):
        transaction.run("write/restore_relations", rows=rows)
    return Rewound(tuple(keys), passages, plan.lacking)


def _is_outdated(transaction: Transaction, plan: RewindPlan, marks: Mapping[str, Mark]) -> bool:
    """Whether anything was changed since it was read."""
    if any(marks[key] != mark for key, mark in plan.marks.items()):
        return True
    after = transaction.read("read/changes_after", projects=list(plan.projects), moment=plan.moment)
    return lasting(after) != plan.changes


def _lock(transaction: Transaction, plan: RewindPlan) -> tuple[dict[str, Mark], set[str]]:
    """Lock all entities of a plan; gives a mark of each by key, and the keys without an entity."""
    marks: dict[str, Mark] = {}
    blank_keys: set[str] = set()
    for batch in batches(plan.touched, most=ROWS):
        for row in transaction.run("write/lock_rewound", keys=batch, moment=plan.moment):
            if row["key"] is None:
                raise Overtaken
            marks[row["key"]] = (row["revisions"], row["change"])
            if row["is_blank"]:
                blank_keys.add(row["key"])
    return marks, blank_keys


def _date(
    transaction: Transaction, entity_pairs: Sequence[tuple[Stored, Desired]], moment: datetime
) -> None:
    """Set the moments of the last changes until then."""
    keys = [desired.key for _, desired in entity_pairs]
    last_changes = {
        row["key"]: row["at"]
        for row in transaction.read(
            "read/last_changes", keys=keys, moment=moment, paths=[*CHANGED_PATHS]
        )
    }
    creating_changes = [stored.properties.get(CREATED_BY) for stored, _ in entity_pairs]
    ids = sorted({change_id for change_id in creating_changes if change_id is not None})
    change_moments = {row["id"]: row["at"] for row in transaction.read("read/moments", ids=ids)}
    rows = [
        {
            "key": desired.key,
            "properties": {
                "updated_at": last_changes.get(desired.key)
                or change_moments.get(change_id)
                or desired.properties["created_at"]
            },
            "add": [],
            "remove": [],
        }
        for (_, desired), change_id in zip(entity_pairs, creating_changes, strict=True)
    ]
    for batch in batches(rows, most=ROWS):
        transaction.run("write/put_entities", rows=batch)
