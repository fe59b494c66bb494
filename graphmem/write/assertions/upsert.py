"""What an entity shall be once an author has asserted something about it: pure, no I/O.

A caller's word is added to what is stored, or replaces its lists where the caller says so. An
import's word replaces what the same import asserted earlier. Whose word counts, the ledger decides.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from graphmem import text
from graphmem.model import Entity, Observation
from graphmem.model.entity_fields import FIELD_NAMES
from graphmem.model.provenance import CALLER, UNKNOWN, Provenance
from graphmem.model.status import FORGOTTEN, HIDDEN_STATUSES, REMOVED
from graphmem.write.assertions.corrections import (
    observation_id,
    taken_back,
    with_moments,
    without_replaced,
)
from graphmem.write.assertions.desired_entity import desired_entity
from graphmem.write.assertions.facts import (
    CONFIDENCE,
    DEFAULTS,
    LISTS,
    SOURCE,
    TEXT,
    asserted,
    ledger_of,
    record_of,
)
from graphmem.write.assertions.observations import joined_observations, merged_observations
from graphmem.write.assertions.passages import observation_passages, text_passages
from graphmem.write.assertions.provenance import STATUS, Fact, Ledger
from graphmem.write.assertions.shape import Desired, Stored, finished, with_property
from graphmem.write.options import WriteOptions


def upserted(
    stored: Stored, entity: Entity, *, options: WriteOptions, now: datetime, again: bool
) -> Desired:
    """The entity as it should be once an author has asserted something about it.

    Args:
        stored: What is there.
        entity: What is asserted, checked.
        options: Who asserts it, and whether lists and attributes replace what is there.
        now: The moment of this write.
        again: Whether the same import has spoken of this entity already, and adds to it.
    """
    if entity.provenance is not None:
        return restored(stored, entity, entity.provenance, options=options, now=now)
    entity = with_moments(entity, stored)
    facts = asserted(entity)
    replaces = options.is_import and not again
    name = stored.properties.get("name") or entity.name
    if replaces and _spells_anew(stored, entity, options.author):
        name = entity.name
    ledger = _adopted(ledger_of(stored.properties, stored.passages), stored, options, facts)
    facts = facts if options.may_lower_confidence else _not_lowered(facts, ledger, options.author)
    if options.author == CALLER:
        ledger = _overwritten(ledger, entity, facts, now, lists=options.overwrite)
        ledger = taken_back(ledger, entity, now)
        facts = _with_stored_spelling(facts, ledger)
    ledger = ledger.record(options.author, facts, now, replaces=replaces)
    observations, ledger = merged_observations(
        stored.observations,
        [*_merged_text(stored, facts, ledger), *observation_passages(entity)],
        ledger,
        author=options.author,
        replaces=replaces or options.overwrite,
        now=now,
        corrected={observation_id(item) for item in entity.observations if item.id is not None},
    )
    observations, ledger = without_replaced(observations, ledger, entity, now)
    return desired_entity(
        stored, ledger, name=name, project=options.project,
        created_at=_created_at(stored, entity, ledger, options.author) or now,
        passages=[*text_passages(stored, ledger.facts(), entity.created_at, now), *observations],
    )  # fmt: skip


def restored(
    stored: Stored, entity: Entity, provenance: Provenance, *, options: WriteOptions, now: datetime
) -> Desired:
    """The entity with every word that an export holds of it beside those that are stored.

    A new one has the number of its revision where the export has its history.
    """
    exported = {
        "asserted_by": provenance.asserted_by,
        "graphmem_assertions": provenance.record,
        "updated_at": provenance.updated_at,
        **{field: getattr(entity, field) for field in ("aliases", "tags", *FIELD_NAMES)},
        **entity.attributes,
    }
    passage = {"origin": "text", "text": entity.text or ""}
    ledgers = [ledger_of(stored.properties, stored.passages), ledger_of(exported, [passage])]
    # Who forgets an entity of one project says nothing of that of another.
    if stored.properties and not options.is_import and not all(map(_is_forgotten, ledgers)):
        ledgers = [
            ledger.without(CALLER, [STATUS]) if _is_forgotten(ledger) else ledger
            for ledger in ledgers
        ]
    ledger = ledgers[0].joined(ledgers[1])
    observations = joined_observations(
        stored.observations,
        observation_passages(entity), provenance.observed_by, now=now,
    )  # fmt: skip
    desired = desired_entity(
        stored, ledger, project=options.project,
        name=stored.properties.get("name") or provenance.called or entity.name,
        created_at=stored.properties.get("created_at") or entity.created_at or now,
        passages=[*text_passages(stored, ledger.facts(), entity.created_at, now), *observations],
        extra_properties={
            "graphmem_unlinked": list(provenance.unlinked) or None,
            **provenance.use,
            **({} if stored.properties else _history_fields(provenance, options, now)),
        },
    )  # fmt: skip
    is_hidden = entity.status == REMOVED and stored.properties.get("status", REMOVED) == REMOVED
    return hidden(desired) if is_hidden else desired


def _history_fields(provenance: Provenance, options: WriteOptions, now: datetime) -> dict[str, Any]:
    """The fields of a new entity whose history is imported with it; none if that is not."""
    if provenance.revision is None or not options.is_import:
        return {}
    return {
        "graphmem_revision": provenance.revision if provenance.revision > 1 else None,
        "graphmem_brought": provenance.revision,
        "graphmem_source": options.author,
        "graphmem_history_from": provenance.history_from,
        "updated_at": min(provenance.updated_at or now, now),
    }


def withdrawn(stored: Stored, author: str) -> Desired:
    """The entity without what an author asserted; one that nobody else asserts is hidden whole."""
    ledger = ledger_of(stored.properties, stored.passages)
    created_at = stored.properties["created_at"]
    other_authors = [other for other in ledger.authors if other not in {author, UNKNOWN}]
    if not other_authors:
        return with_property(stored, status=REMOVED)
    remaining = ledger.without(author)
    observations, remaining = merged_observations(
        stored.observations,
        [], remaining, author=author, replaces=True, now=None,
    )  # fmt: skip
    return desired_entity(
        stored, remaining, name=stored.properties["name"], project=stored.properties["project"],
        created_at=created_at,
        passages=[*text_passages(stored, remaining.facts(), None, created_at), *observations],
    )  # fmt: skip


def with_status(stored: Stored, status: str, *, now: datetime) -> Desired:
    """The same entity with another status, which is the caller's word on it."""
    ledger = ledger_of(stored.properties, stored.passages)
    new_ledger = ledger.record(CALLER, {STATUS: status}, now, replaces=False)
    # Hiding an entity does not make the caller an author of it.
    new_ledger = replace(new_ledger, authors=ledger.authors)
    return with_property(
        stored,
        status=status,
        asserted_by=list(new_ledger.authors),
        graphmem_assertions=record_of(new_ledger, new_ledger.facts()),
    )


def without_status(stored: Stored) -> Desired:
    """The same entity without the caller's word on its status, where that hides it."""
    ledger = ledger_of(stored.properties, stored.passages)
    word = ledger.word(CALLER, STATUS)
    if word is None or text.normalised(str(word.value)) not in HIDDEN_STATUSES:
        return with_property(stored)
    remaining = ledger.without(CALLER, [STATUS])
    return with_property(
        stored,
        status=remaining.facts().get(STATUS, DEFAULTS["status"]),
        graphmem_assertions=record_of(remaining, remaining.facts()),
    )


def hidden(desired: Desired) -> Desired:
    """The same entity, hidden whole since nobody asserts it any more."""
    return finished(desired.key, {**desired.properties, "status": REMOVED}, desired.passages)


def _is_forgotten(ledger: Ledger) -> bool:
    """Whether a caller forgot the entity."""
    hiding = ledger.word(CALLER, STATUS)
    return hiding is not None and hiding.value == FORGOTTEN


def _merged_text(
    stored: Stored, facts: Mapping[Fact, object], ledger: Ledger
) -> list[dict[str, Any]]:
    """The observation that a merge made of an author's text, while another text counts."""
    body = facts.get(TEXT)
    if body is None or body == ledger.facts().get(TEXT):
        return []
    merged_id = observation_id(Observation(str(body)))
    return [dict(passage) for passage in stored.passages if passage["id"] == merged_id]


def _adopted(
    ledger: Ledger, stored: Stored, options: WriteOptions, facts: Mapping[Fact, object]
) -> Ledger:
    """The ledger where an author takes over the words on an entity that nobody asserts any more.

    An import also takes over what it brought in before the store recorded authors.
    """
    properties = stored.properties
    if properties.get("status") == REMOVED:
        for author in ledger.authors:
            ledger = ledger.renamed(author, options.author)
    elif properties.get("graphmem_imported") == options.author:
        ledger = ledger.without_unknown(facts)
    return ledger


def _overwritten(
    ledger: Ledger, entity: Entity, facts: Mapping[Fact, object], now: datetime, *, lists: bool
) -> Ledger:
    """The ledger without what a caller's new words replace: a forgotten status, a text, lists."""
    if _is_forgotten(ledger):
        ledger = ledger.without(CALLER, [STATUS])
    withdrawn_facts = [
        fact for fact in ledger.facts() if lists and fact[0] in LISTS and fact not in facts
    ]
    if entity.text is not None and TEXT not in facts:
        withdrawn_facts.append(TEXT)
    return ledger.withdraw(CALLER, withdrawn_facts, now) if withdrawn_facts else ledger


def _spells_anew(stored: Stored, entity: Entity, author: str) -> bool:
    """Whether a file whose name an import gave the entity has another spelling now: other cases.

    Where somebody else spelt the entity, or the file has its earlier name, the spelling stays.
    """
    if stored.properties.get("name", entity.name) == entity.name:
        return False
    ledger = ledger_of(stored.properties, stored.passages)
    earlier_word = ledger.word(author, SOURCE)
    if ledger.authors[:1] != (author,) or earlier_word is None or entity.source is None:
        return False
    earlier_source, source = str(earlier_word.value), entity.source
    is_respelt = earlier_source != source and earlier_source.casefold() == source.casefold()
    return is_respelt and _is_of_file(stored.properties["name"], earlier_source)


def _is_of_file(name: str, source: str) -> bool:
    """Whether a name is that of a file, a part of it, or that of something inside the file."""
    return name in source or source in name


def _with_stored_spelling(facts: Mapping[Fact, object], ledger: Ledger) -> dict[Fact, object]:
    """A caller's tags and aliases as they are spelled on the entity, where they are there."""
    stored_facts = ledger.facts()
    return {
        fact: stored_facts.get(fact, value) if fact[0] in {"alias", "tag"} else value
        for fact, value in facts.items()
    }


def _not_lowered(facts: Mapping[Fact, object], ledger: Ledger, author: str) -> dict[Fact, object]:
    confidence, counting = facts.get(CONFIDENCE), ledger.facts().get(CONFIDENCE)
    accepted_facts = dict(facts)
    if isinstance(confidence, float) and isinstance(counting, float) and confidence < counting:
        own_word = ledger.word(author, CONFIDENCE)
        del accepted_facts[CONFIDENCE]
        if own_word is not None:
            accepted_facts[CONFIDENCE] = own_word.value
    return accepted_facts


def _created_at(stored: Stored, entity: Entity, ledger: Ledger, author: str) -> datetime | None:
    """When it was made, as its only author says; where several speak, as the first one said."""
    earlier: datetime | None = stored.properties.get("created_at")
    alone = set(ledger.authors) <= {author}
    return (entity.created_at or earlier) if alone else (earlier or entity.created_at)
