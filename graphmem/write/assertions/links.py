"""The facts of a relation, and its properties where several authors assert it: pure, no I/O."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from graphmem.model import Relation, stored_values
from graphmem.model.correction import ATTRIBUTE
from graphmem.model.provenance import CALLER, Provenance
from graphmem.model.relation_fields import (
    CREATED_BY,
    FACT_NAMES,
    FIELD_NAMES,
    RESERVED_RELATION_ATTRIBUTES,
    SINCE,
)
from graphmem.write.assertions.provenance import Fact, Ledger

# Marks a relation that was derived from a text and that nobody has asserted explicitly.
DERIVED: Fact = ("attribute", "derived")
VALID_UNTIL: Fact = ("valid_until", "")
# Properties that stay as they are, whoever asserts the relation.
LASTING = ("created_at", "valid_from", SINCE, CREATED_BY)


def properties_of(relation: Relation) -> dict[str, Any]:
    """The properties that a relation asserts, its custom attributes too; None for what is unset."""
    fields = {name: getattr(relation, name) for name in FIELD_NAMES}
    properties = fields | dict(relation.attributes)
    asserted_values = {name: value for name, value in properties.items() if value is not None}
    return asserted_values | {name.removeprefix(ATTRIBUTE): None for name in relation.unset}


def facts_of(properties: Mapping[str, Any]) -> dict[Fact, object]:
    """The facts among a relation's properties."""
    fields: dict[Fact, object] = {
        (name, ""): properties[name] for name in FACT_NAMES if name in properties
    }
    return fields | {
        ("attribute", name): value
        for name, value in properties.items()
        if name not in RESERVED_RELATION_ATTRIBUTES
    }


def ledger_of(properties: Mapping[str, Any]) -> Ledger:
    """Who asserted what of a stored relation, whatever somebody wrote there by hand."""
    facts = facts_of(properties)
    authors = stored_values.texts(properties.get("asserted_by")) or [CALLER]
    record = stored_values.record(properties.get("graphmem_assertions"))
    if record is not None and isinstance(json.loads(record), dict):
        return Ledger.decoded(authors, record, facts)
    created_at = stored_values.moment(properties.get("created_at"))
    return Ledger.of_author(authors[0], facts, created_at)


def with_words(
    stored_properties: Mapping[str, Any], author: str, asserted: Mapping[str, Any], now: datetime,
    *, replaces: bool,
) -> dict[str, Any]:  # fmt: skip
    """The properties of a relation once an author has asserted it beside others."""
    facts = facts_of(asserted)
    asserted_values = {fact: value for fact, value in facts.items() if value is not None}
    ledger = ledger_of(stored_properties).record(author, asserted_values, now, replaces=replaces)
    ledger = ledger.withdraw(author, (fact for fact in facts if fact not in asserted_values), now)
    return _properties(ledger, stored_properties)


def restored(
    stored_properties: Mapping[str, Any], relation: Relation, provenance: Provenance, now: datetime
) -> dict[str, Any]:
    """The properties with every word that an export holds beside those that are stored."""
    exported = properties_of(relation) | {
        "asserted_by": provenance.asserted_by,
        "graphmem_assertions": provenance.record,
        "created_at": relation.created_at or now,
    }
    ledger = ledger_of(exported)
    if stored_properties:
        ledger = ledger_of(stored_properties).joined(ledger)
    return _properties(ledger, exported | dict(stored_properties))


def joined(properties: Mapping[str, Any], other_properties: Mapping[str, Any]) -> dict[str, Any]:
    """The properties of a relation with the words on another one that is merged into it.

    How long the other one held says nothing about this one, which may still hold.
    """
    other = ledger_of(other_properties)
    words = {fact: by_author for fact, by_author in other.words.items() if fact != VALID_UNTIL}
    return _properties(
        ledger_of(properties).joined(replace(other, words=words)),
        {**other_properties, **properties},
    )


def without_author(properties: Mapping[str, Any], author: str) -> dict[str, Any] | None:
    """The properties once an author takes a relation back; None where nobody else asserts it."""
    ledger = ledger_of(properties).without(author)
    return _properties(ledger, properties) if ledger.authors else None


def _properties(ledger: Ledger, stored_properties: Mapping[str, Any]) -> dict[str, Any]:
    facts = _counting(ledger)
    has_one_author = ledger.sole_author is not None
    properties: dict[str, Any] = {fact[1] or fact[0]: value for fact, value in facts.items()}
    return properties | {
        **{name: stored_properties[name] for name in LASTING if name in stored_properties},
        "asserted_by": list(ledger.authors),
        **({} if has_one_author else {"graphmem_assertions": ledger.encoded(facts)}),
    }


def _counting(ledger: Ledger) -> dict[Fact, object]:
    """The facts that count; words derived from texts do so only where nobody else says anything."""
    deriving_authors = {
        author for author, word in ledger.words.get(DERIVED, {}).items() if word.value is True
    }
    speaking_authors = [author for author in ledger.authors if author not in deriving_authors]
    return (ledger.only(speaking_authors) if speaking_authors else ledger).facts()


def without_authors(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The properties without who asserted them."""
    hidden = {"asserted_by", "graphmem_assertions"}
    return {name: value for name, value in properties.items() if name not in hidden}
