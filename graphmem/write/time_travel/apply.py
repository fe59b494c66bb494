"""Brings projects back to what they were, in a transaction that is rolled back.

Each entity that has changed loses its labels, which hides it from all searches, and is created
again as it was, with its relations. Nothing is deleted: a vector index fails on what its own
transaction deletes, and a text index omits nodes whose internal ids equal those of relations that
the transaction deletes (Neo4j 2026.09). A vector index does not see what its own transaction
creates, so a search compares that one by one.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.batches import batches
from graphmem.graph import Overtaken, Transaction
from graphmem.model.paths import AUTHORS, CREATED_AT, HIDDEN, NAME, OBSERVATION, WORD
from graphmem.write.assertions.shape import Stored
from graphmem.write.changes import put as put_changes
from graphmem.write.entities import locked
from graphmem.write.relations import restore_relations
from graphmem.write.time_travel.later_changes import LaterChanges
from graphmem.write.time_travel.limits import ROWS
from graphmem.write.time_travel.plan import EarlierEntity, RewindPlan, Version, plan_rewind

# Text in the JSON of a revision that changed the entity itself and not only its relations.
CHANGED_PATHS = tuple(
    before + path for before in ('{"', ',"') for path in (WORD, OBSERVATION, f'{HIDDEN}":')
)
# How the JSON begins if it changed the name or the date; relations have fields of these names, too.
_BEGINNING = rf'\{{("{AUTHORS}":(\[[^\]]*\]|null),)?"({CREATED_AT}|{NAME})":'


def changes_entity(before: str) -> bool:
    """Whether a revision, of which this is the JSON, changed more than relations."""
    return any(path in before for path in CHANGED_PATHS) or bool(re.match(_BEGINNING, before))


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

    All that is touched is locked first, in the order in which every writer locks. If anything was
    changed since the plan was made, a new plan is made, once, and nothing is embedded for it. What
    is changed for the first time while this runs is locked by nobody, and stays as it is now.

    Args:
        transaction: Will be rolled back.
        plan: What brings them back.

    Raises:
        InvalidInput: Too much has changed since.
        Overtaken: Something was deleted while this waited for its lock.
    """
    locks = _lock(transaction, plan)
    blank_keys = locks.blank_keys
    if _is_outdated(transaction, plan, locks):
        plan = plan_rewind(
            transaction,
            plan.projects,
            plan.moment,
            embed=lambda _: (),
            known_vectors=plan.embeddings.vectors,
        )
        blank_keys |= _lock(transaction, plan).blank_keys
    if not plan.versions:
        return Rewound()
    passages = _set_aside(transaction, blank_keys | plan.versions.keys())
    keys = _create_earlier_entities(transaction, plan)
    restore_relations(transaction, plan.relations)
    return Rewound(tuple(keys), passages, plan.without_embedding)


@dataclass(frozen=True, slots=True)
class _Locks:
    """The locked nodes of a plan.

    Args:
        versions: By key, each entity as it is behind its lock.
        blank_keys: The keys without an entity, for which locking made an empty node.
    """

    versions: Mapping[str, Version]
    blank_keys: set[str]


def _lock(transaction: Transaction, plan: RewindPlan) -> _Locks:
    versions: dict[str, Version] = {}
    blank_keys: set[str] = set()
    for batch in batches(plan.touched_keys, most=ROWS):
        for row in transaction.run("write/lock_rewound", keys=batch, moment=plan.moment):
            if row["key"] is None:
                raise Overtaken
            versions[row["key"]] = Version(row["revisions"], created_by=row["change"])
            if row["is_blank"]:
                blank_keys.add(row["key"])
    return _Locks(versions, blank_keys)


def _is_outdated(transaction: Transaction, plan: RewindPlan, locks: _Locks) -> bool:
    """Whether anything was changed since the plan was made."""
    if any(locks.versions[key] != version for key, version in plan.versions.items()):
        return True
    changes = LaterChanges.of(transaction, plan.projects, plan.moment)
    return changes.ends != plan.change_ends


def _set_aside(transaction: Transaction, keys: Collection[str]) -> int:
    """Hide entities from all searches; returns how many passages that hides."""
    return sum(
        row["passages"]
        for batch in batches(sorted(keys), most=ROWS)
        for row in transaction.run("write/set_entities_aside", keys=batch)
    )


def _create_earlier_entities(transaction: Transaction, plan: RewindPlan) -> list[str]:
    """Create entities anew as they were; returns their keys."""
    keys = [entity.earlier.key for entity in plan.entities]
    for batch in batches(keys, most=ROWS):
        locked(transaction, batch, follows=False)  # creates their nodes
    pairs = [(Stored(entity.earlier.key, {}, (), ()), entity.earlier) for entity in plan.entities]
    put_changes(transaction, pairs, embeddings=plan.embeddings, now=plan.moment)
    _date(transaction, plan.entities, plan.moment)
    return keys


def _date(transaction: Transaction, entities: Sequence[EarlierEntity], moment: datetime) -> None:
    """Set when each entity was changed last until a moment, or else when it was created."""
    keys = [entity.earlier.key for entity in entities]
    rows = transaction.read(
        "read/last_changes",
        keys=keys, moment=moment, paths=[*CHANGED_PATHS], beginning=f"(?s){_BEGINNING}.*",
    )  # fmt: skip
    last_changes = {row["key"]: row["at"] for row in rows}
    ids = sorted({entity.created_by for entity in entities if entity.created_by is not None})
    creations = {row["id"]: row["at"] for row in transaction.read("read/moments", ids=ids)}
    entity_rows: list[dict[str, object]] = []
    for entity in entities:
        key = entity.earlier.key
        # What came back from a merge was changed before by the merge, when it went.
        moments = filter(None, (last_changes.get(key), creations.get(entity.created_by)))
        updated_at = max(moments, default=entity.earlier.properties["created_at"])
        properties = {"updated_at": updated_at}
        entity_rows.append({"key": key, "properties": properties, "add": [], "remove": []})
    for batch in batches(entity_rows, most=ROWS):
        transaction.run("write/put_entities", rows=batch)
