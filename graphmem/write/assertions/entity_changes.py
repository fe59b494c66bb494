"""An entity under another name, joined with another one, or as it was before: pure, no I/O."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from graphmem import text
from graphmem.model import Observation
from graphmem.model.paths import AUTHORS
from graphmem.model.period import PERIOD, is_dated
from graphmem.model.provenance import CALLER
from graphmem.model.status import REMOVED
from graphmem.write.assertions.corrections import observation_id
from graphmem.write.assertions.desired_entity import desired_entity
from graphmem.write.assertions.earlier_states import overlaid
from graphmem.write.assertions.facts import TEXT, ledger_of
from graphmem.write.assertions.merged_ledger import merged_ledger
from graphmem.write.assertions.observations import joined_observations
from graphmem.write.assertions.passages import text_passages
from graphmem.write.assertions.provenance import Fact, Ledger
from graphmem.write.assertions.shape import Desired, Stored, passage_of
from graphmem.write.assertions.states import Content, State, content, stored_state
from graphmem.write.assertions.upsert import hidden, withdrawn


def renamed(stored: Stored, name: str, *, now: datetime) -> Desired:
    """The entity under another name; the old one stays as an alias."""
    old = stored.properties["name"]
    ledger = ledger_of(stored.properties, stored.passages)
    ledger = ledger.withdraw(CALLER, [("alias", text.normalised(name))], now)
    if text.normalised(old) != text.normalised(name):
        ledger = _with_aliases(ledger, [old], now)
    passages = [dict(p) for p in stored.passages if p["origin"] != "card"]
    return desired_entity(
        stored, ledger, name=name, project=stored.properties["project"],
        created_at=stored.properties["created_at"], passages=passages,
    )  # fmt: skip


def joined_into(
    stored: Stored, other: Stored, *, now: datetime, keeps_names: bool = True
) -> Desired:
    """The entity with another one merged into it.

    Where both have a field, that of this one stays. Another text becomes an observation, unless its
    source no longer has it and nobody else said it. If `keeps_names`, the name and the title of the
    other one become aliases. The period stays; where the other one has another period, that is
    noted on each of the observations that come from it, its text among them.
    """
    own_ledger = ledger_of(stored.properties, stored.passages)
    other_ledger = ledger_of(other.properties, other.passages)
    has_other_period = _period(other) != _period(stored)
    keeps_text = TEXT in own_ledger.facts() or has_other_period
    ledger = merged_ledger(own_ledger, other_ledger, keeps_text=keeps_text, now=now)
    names = [other.properties["name"], other.properties.get("title")] if keeps_names else []
    ledger = _with_aliases(ledger, [name for name in names if name], now)
    own_observations = [dict(p) for p in stored.observations]
    other_observations = [dict(p) for p in other.observations]
    other_text = None if _is_gone_text(other, other_ledger) else other_ledger.facts().get(TEXT)
    if keeps_text and other_text not in {None, own_ledger.facts().get(TEXT)}:
        observation = Observation(str(other_text), other.properties["created_at"])
        text_passage = passage_of(observation_id(observation), "observation", observation)
        other_observations.append(text_passage | {"asserted_by": list(other_ledger.words[TEXT])})
    if has_other_period:
        other_observations = [
            passage if is_dated(passage) else passage | _period(other)
            for passage in other_observations
        ]
    observations = joined_observations(
        own_observations,
        other_observations,
        [list(p.get("asserted_by") or [CALLER]) for p in other_observations],
        now=now,
    )
    created_at = min(stored.properties["created_at"], other.properties["created_at"])
    unlinked = [
        *(stored.properties.get("graphmem_unlinked") or ()),
        *(other.properties.get("graphmem_unlinked") or ()),
    ]
    properties = {**stored.properties, "graphmem_unlinked": list(dict.fromkeys(unlinked)) or None}
    return desired_entity(
        replace(stored, properties=properties), ledger, name=stored.properties["name"],
        project=stored.properties["project"], created_at=created_at,
        passages=[*text_passages(stored, ledger.facts(), None, created_at), *observations],
    )  # fmt: skip


def with_words_of_callers(stored: Stored, other: Stored, *, now: datetime) -> Desired:
    """The entity with what callers say of another one; what imports say of that stays out."""
    words = other
    for author in ledger_of(other.properties, other.passages).authors:
        if author != CALLER:
            without = withdrawn(words, author)
            words = Stored(other.key, without.properties, without.labels, without.passages)
    return joined_into(stored, words, now=now, keeps_names=False)


def _is_gone_text(stored: Stored, ledger: Ledger) -> bool:
    """Whether the text is that of imports alone, whose sources no longer have the entity."""
    return stored.properties.get("status") == REMOVED and CALLER not in ledger.words.get(TEXT, {})


def _period(stored: Stored) -> dict[str, Any]:
    return {name: stored.properties.get(name) for name in PERIOD}


def as_before(stored: Stored, before: State, *, project: str) -> Desired:
    """The entity with some of its paths as they were before; those that changed since stay.

    Args:
        stored: As it is; blank where it was deleted.
        before: What was there, by path.
        project: Its project.
    """
    current_state = stored_state(stored)
    state = overlaid(
        current_state, {path: value for path, value in before.items() if path != AUTHORS}
    )
    state[AUTHORS] = _authors(current_state.get(AUTHORS) or [], before.get(AUTHORS), state)
    return of_state(stored, state, project=project)


def of_state(stored: Stored, state: Mapping[str, Any], *, project: str) -> Desired:
    """The entity that a state describes."""
    restored = content(state)
    properties = {**stored.properties, "graphmem_unlinked": list(restored.unlinked) or None}
    desired = desired_entity(
        replace(stored, properties=properties), restored.ledger,
        name=restored.name, project=project, created_at=restored.created_at,
        passages=[
            *_dated_text(stored, restored),
            *restored.observations,
        ],
    )  # fmt: skip
    return hidden(desired) if restored.is_hidden else desired


def _dated_text(stored: Stored, restored: Content) -> list[dict[str, Any]]:
    """The passages of the text that counted, each with the date that is noted of it."""
    passages = text_passages(stored, restored.ledger.facts(), None, restored.created_at)
    if len(passages) != len(restored.text_dates):
        return passages
    return [
        passage | {"created_at": moment}
        for passage, moment in zip(passages, restored.text_dates, strict=True)
    ]


def _authors(
    current_authors: list[str], earlier_authors: list[str] | None, state: State
) -> list[str]:
    """Who asserts the entity: as before, with those who say something of it since."""
    if earlier_authors is None:
        return current_authors
    ledger = content({**state, AUTHORS: current_authors}).ledger
    return list(
        dict.fromkeys(
            (*earlier_authors, *(author for author in current_authors if ledger.speaks(author)))
        )
    )


def _with_aliases(ledger: Ledger, names: list[str], now: datetime) -> Ledger:
    aliases: dict[Fact, object] = {("alias", text.normalised(name)): name for name in names}
    changed_ledger = ledger.record(CALLER, aliases, now, replaces=False)
    # Adding an alias does not make the caller an author of the entity.
    return replace(changed_ledger, authors=ledger.authors)
