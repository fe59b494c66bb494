"""An entity's facts, which authors assert one by one, and the ledger it is stored with."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from graphmem import text
from graphmem.graph import Row
from graphmem.model import Entity
from graphmem.model.entity import DEFAULT_KIND
from graphmem.model.entity_fields import FIELD_NAMES
from graphmem.model.provenance import CALLER
from graphmem.model.status import ACTIVE, REMOVED
from graphmem.write.assertions.provenance import STATUS, Fact, Ledger
from graphmem.write.assertions.shared import own_attributes

CONFIDENCE: Fact = ("confidence", "")
SOURCE: Fact = ("source", "")
TEXT: Fact = ("text", "")
# Sorts of which an entity has several facts; what a caller overwrites are these.
LISTS = frozenset({"alias", "tag", "attribute"})
# What stands on an entity where nobody has said anything.
DEFAULTS = {"kind": DEFAULT_KIND, "status": ACTIVE}


def asserted(entity: Entity) -> dict[Fact, object]:
    """The facts that a checked entity asserts; its observations are no facts but passages."""
    fields = {
        (name, ""): value for name in FIELD_NAMES if (value := getattr(entity, name)) is not None
    }
    if entity.text is not None and not entity.text.strip():
        del fields[TEXT]
    return {
        **fields,
        **{("alias", text.normalised(alias)): alias for alias in entity.aliases},
        **{("tag", text.normalised(tag)): tag for tag in entity.tags},
        **{("attribute", name): value for name, value in entity.attributes.items()},
    }


def counting(properties: Mapping[str, Any], passages: Iterable[Row]) -> dict[Fact, object]:
    """The facts that count of a stored entity."""
    body = "".join(passage["text"] for passage in passages if passage["origin"] == "text")
    fields = {(name, ""): properties.get(name) for name in FIELD_NAMES if name != "text"}
    lists = {
        **{("alias", text.normalised(alias)): alias for alias in properties.get("aliases") or ()},
        **{("tag", text.normalised(tag)): tag for tag in properties.get("tags") or ()},
        **{("attribute", name): value for name, value in own_attributes(properties).items()},
    }
    present = {fact: value for fact, value in (fields | lists).items() if value is not None}
    return present | ({TEXT: body} if body else {})


def ledger_of(properties: Mapping[str, Any], passages: Iterable[Row]) -> Ledger:
    """Who asserted what of a stored entity; empty for a new one."""
    if not properties:
        return Ledger()
    facts = counting(properties, passages)
    authors = properties.get("asserted_by") or [CALLER]
    record = json.loads(properties.get("graphmem_assertions") or "[]")
    if isinstance(record, dict):
        return Ledger.decoded(authors, properties["graphmem_assertions"], facts)
    explicit = frozenset(record)
    if facts.get(STATUS) == REMOVED:
        del facts[STATUS]
        facts |= {STATUS: ACTIVE} if "status" in explicit else {}
    return Ledger.of_author(
        authors[0], without_defaults(facts, explicit), properties.get("updated_at")
    )


def without_defaults(
    facts: Mapping[Fact, object], explicit: frozenset[str] = frozenset()
) -> dict[Fact, object]:
    """The facts without the defaults that nobody asserted in so many words."""
    silent = {(name, ""): default for name, default in DEFAULTS.items() if name not in explicit}
    return {fact: value for fact, value in facts.items() if silent.get(fact) != value}


def record_of(ledger: Ledger, facts: Mapping[Fact, object]) -> str | None:
    """What an entity carries beside its authors; None where one author says all there is.

    Of a sole author only the defaults are noted that were said in so many words.
    """
    if ledger.sole_author is None:
        return ledger.encoded(facts)
    explicit = [name for name, default in DEFAULTS.items() if facts.get((name, "")) == default]
    return json.dumps(explicit) if explicit else None
