"""What a caller takes back of an entity, and whether the caller knows what is there. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from graphmem import text
from graphmem.errors import shortened
from graphmem.model import Entity, Observation
from graphmem.model.period import PERIOD
from graphmem.model.provenance import CALLER
from graphmem.write.options import WriteOptions
from graphmem.write.provenance import Fact, Ledger
from graphmem.write.shape import Stored

# The sort of fact that the items of a list are.
_SORTS = {"tags": "tag", "aliases": "alias", "attributes": "attribute"}


def observation_id(observation: Observation) -> str:
    """What the passage of an observation is called in its entity."""
    return text.digest("observation", " ".join(observation.text.split()))


def objection(stored: Stored, entity: Entity, options: WriteOptions) -> str | None:
    """Why a correction cannot be made as it is asked for; None where it can."""
    correction = entity.correction
    replaced = replaced_ids(entity)
    if options.is_import and replaced:
        return "an import cannot replace an observation by its id; use `remember`"
    wanted = None if correction is None else correction.if_revision
    if wanted is not None and wanted != (revision := revision_of(stored)):
        there = f"its revision is {revision}" if stored.properties else "it is not there"
        return f"if_revision is {wanted}, but {there}; read it again with `get`"
    removed = () if correction is None else correction.remove.get("observations", ())
    there_are = {passage["id"] for passage in stored.passages}
    for missing in (one for one in (*removed, *replaced) if one not in there_are):
        return f"it has no observation with the id {shortened(missing)}; read it again with `get`"
    return None


def revision_of(stored: Stored) -> int:
    """How often an entity was written so that it changed; 0 for one that is not there."""
    return int(stored.properties.get("graphmem_revision", 1)) if stored.properties else 0


def replaced_ids(entity: Entity) -> dict[str, str]:
    """By the id of each observation that is replaced, the id of what stands in its place."""
    return {
        one.id: observation_id(one)
        for one in entity.observations
        if one.id is not None and one.id != observation_id(one)
    }


def with_moments(entity: Entity, stored: Stored) -> Entity:
    """The entity whose replacing observations keep what is not said of the replaced ones.

    One that replaces an observation which is not there is refused, so what it says matters no more.
    """
    there = {passage["id"]: passage for passage in stored.passages}

    def filled(one: Observation) -> Observation:
        old = there.get(one.id) if one.id is not None else None
        if old is None:
            return one
        kept: dict[str, Any] = {
            name: old.get(name)
            for name in ("created_at", "source", "confidence", *PERIOD)
            if getattr(one, name) is None and name not in one.unset
        }
        return replace(one, text=one.text or old["text"], **kept)

    return replace(entity, observations=tuple(map(filled, entity.observations)))


def taken_back(ledger: Ledger, entity: Entity, now: datetime) -> Ledger:
    """The ledger once a caller has unset fields and removed items of lists."""
    correction = entity.correction
    if correction is None:
        return ledger
    gone: list[Fact] = [(field, "") for field in correction.unset]
    for name, sort in _SORTS.items():
        gone += [
            (sort, item if sort == "attribute" else text.normalised(item))
            for item in correction.remove.get(name, ())
        ]
    return ledger.withdraw(CALLER, gone, now) if gone else ledger


def without_replaced(
    observations: Sequence[dict[str, Any]], ledger: Ledger, entity: Entity, now: datetime
) -> tuple[list[dict[str, Any]], Ledger]:
    """The observations without those removed or replaced; what replaces one takes its place."""
    replaced = replaced_ids(entity)
    correction = entity.correction
    removed = () if correction is None else correction.remove.get("observations", ())
    if not (replaced or removed):
        return list(observations), ledger
    by_id = {passage["id"]: passage for passage in observations}
    for gone in (*removed, *replaced):
        passage = by_id.get(gone)
        if passage is not None and set(passage["asserted_by"]) - {CALLER}:
            ledger = ledger.deny(CALLER, ("observation", gone), now)
    kept: dict[str, dict[str, Any]] = {}
    for made_id, passage in by_id.items():
        other = _last(made_id, replaced)
        if other in by_id and other not in removed:
            kept.setdefault(other, by_id[other])
        elif made_id not in removed and made_id not in replaced:
            kept.setdefault(made_id, passage)
    return list(kept.values()), ledger


def _last(made_id: str, replaced: Mapping[str, str]) -> str:
    """What stands in the place of an observation, itself where it is not replaced."""
    seen: set[str] = set()
    while made_id in replaced and made_id not in seen:
        seen.add(made_id)
        made_id = replaced[made_id]
    return made_id
