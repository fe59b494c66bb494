"""What a caller removes from an entity, and whether the caller has seen its current state. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from graphmem import text
from graphmem.errors import shortened
from graphmem.model import Entity, Observation
from graphmem.model.observation_fields import OBSERVATION_FIELDS
from graphmem.model.provenance import CALLER
from graphmem.write.assertions.provenance import Fact, Ledger
from graphmem.write.assertions.shape import Stored
from graphmem.write.options import WriteOptions

_READ_AGAIN = "read it again with `get` (`graphmem show`)"
# The sort of fact that each list field holds.
_SORTS = {"tags": "tag", "aliases": "alias", "attributes": "attribute"}


def observation_id(observation: Observation) -> str:
    """The id that the passage of an observation has in its entity."""
    return text.digest("observation", " ".join(observation.text.split()))


def objection(stored: Stored, entity: Entity, options: WriteOptions) -> str | None:
    """Why a correction cannot be made as it is asked for; None where it can."""
    correction = entity.correction
    replacements = replaced_ids(entity)
    if options.is_import and replacements:
        return "an import cannot replace an observation by its id; use `remember`"
    expected_revision = None if correction is None else correction.if_revision
    if expected_revision is not None and expected_revision != (revision := revision_of(stored)):
        state_text = f"its revision is {revision}" if stored.properties else "it is not there"
        return f"if_revision is {expected_revision}, but {state_text}; {_READ_AGAIN}"
    removed_ids = () if correction is None else correction.remove.get("observations", ())
    stored_ids = {passage["id"] for passage in stored.passages}
    for missing in (
        identifier for identifier in (*removed_ids, *replacements) if identifier not in stored_ids
    ):
        return f"it has no observation with the id {shortened(missing)}; {_READ_AGAIN}"
    return None


def revision_of(stored: Stored) -> int:
    """The revision number of an entity, which grows with each change; 0 where there is none."""
    return int(stored.properties.get("graphmem_revision", 1)) if stored.properties else 0


def replaced_ids(entity: Entity) -> dict[str, str]:
    """The id of each observation that is replaced, with the id of its replacement."""
    return {
        observation.id: observation_id(observation)
        for observation in entity.observations
        if observation.id is not None and observation.id != observation_id(observation)
    }


def with_moments(entity: Entity, stored: Stored) -> Entity:
    """The entity, where a replacement takes the fields it does not set from what it replaces.

    A replacement of an observation that does not exist is refused later, so it stays as it is.
    """
    stored_passages = {passage["id"]: passage for passage in stored.passages}

    def filled(observation: Observation) -> Observation:
        old = stored_passages.get(observation.id) if observation.id is not None else None
        if old is None:
            return observation
        replaced_fields: dict[str, Any] = {
            name: old.get(name)
            for name in OBSERVATION_FIELDS
            if getattr(observation, name) is None and name not in observation.unset
        }
        return replace(observation, text=observation.text or old["text"], **replaced_fields)

    return replace(entity, observations=tuple(map(filled, entity.observations)))


def taken_back(ledger: Ledger, entity: Entity, now: datetime) -> Ledger:
    """The ledger once a caller has unset fields and removed items of lists."""
    correction = entity.correction
    if correction is None:
        return ledger
    withdrawn_facts: list[Fact] = [(field, "") for field in correction.unset]
    for name, sort in _SORTS.items():
        withdrawn_facts += [
            (sort, item if sort == "attribute" else text.normalised(item))
            for item in correction.remove.get(name, ())
        ]
    return ledger.withdraw(CALLER, withdrawn_facts, now) if withdrawn_facts else ledger


def without_replaced(
    observations: Sequence[dict[str, Any]], ledger: Ledger, entity: Entity, now: datetime
) -> tuple[list[dict[str, Any]], Ledger]:
    """The observations without those removed or replaced; what replaces one takes its place."""
    replacements = replaced_ids(entity)
    correction = entity.correction
    removed_ids = () if correction is None else correction.remove.get("observations", ())
    if not (replacements or removed_ids):
        return list(observations), ledger
    by_id = {passage["id"]: passage for passage in observations}
    for dropped_id in (*removed_ids, *replacements):
        passage = by_id.get(dropped_id)
        if passage is not None and set(passage["asserted_by"]) - {CALLER}:
            ledger = ledger.deny(CALLER, ("observation", dropped_id), now)
    remaining: dict[str, dict[str, Any]] = {}
    for passage_id, passage in by_id.items():
        replacement_id = _last(passage_id, replacements)
        if replacement_id in by_id and replacement_id not in removed_ids:
            remaining.setdefault(replacement_id, by_id[replacement_id])
        elif passage_id not in removed_ids and passage_id not in replacements:
            remaining.setdefault(passage_id, passage)
    return list(remaining.values()), ledger


def _last(passage_id: str, replacements: Mapping[str, str]) -> str:
    """The id of what finally replaces an observation; its own id where nothing does."""
    visited: set[str] = set()
    while passage_id in replacements and passage_id not in visited:
        visited.add(passage_id)
        passage_id = replacements[passage_id]
    return passage_id
