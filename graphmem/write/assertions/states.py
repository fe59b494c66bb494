"""An entity's state, path by path, so that two states can be compared and one put back. Pure.

`graphmem.model.paths` says what paths there are; those of relations and redirects are in revisions
only. A state leaves out what is not there; the difference of two gives None for it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem import text
from graphmem.errors import listed
from graphmem.graph import Row
from graphmem.model import Observation, limits
from graphmem.model.identity import RelationIdentity
from graphmem.model.json_object import iso, plain, to_json_value
from graphmem.model.observation_fields import OBSERVATION_FIELDS
from graphmem.model.paths import (
    AUTHORS,
    CREATED_AT,
    CREATED_IN,
    HIDDEN,
    NAME,
    OBSERVATION,
    PLACE,
    REDIRECT,
    RELATION,
    TEXT_DATES,
    UNLINKED,
    WORD,
)
from graphmem.model.period import PERIOD, dated, period
from graphmem.model.relation_fields import CREATED_BY
from graphmem.model.status import REMOVED
from graphmem.write.assertions.facts import ledger_of
from graphmem.write.assertions.noted import noted
from graphmem.write.assertions.provenance import Fact, Ledger, Word, decoded, is_same, order
from graphmem.write.assertions.shape import Stored, passage_of

State = dict[str, Any]


def state_of(properties: Mapping[str, Any], passages: Sequence[Row]) -> State:
    """The state of an entity; empty for one that is not there."""
    if not properties:
        return {}
    ledger = ledger_of(properties, passages)
    state: State = {
        NAME: properties["name"],
        CREATED_AT: iso(properties["created_at"]),
        AUTHORS: list(ledger.authors),
        **{
            word_path(fact): {
                author: word.encoded(fact) for author, word in sorted(by_author.items())
            }
            for fact, by_author in sorted(ledger.words.items())
        },
        **{
            OBSERVATION + passage["id"]: _observation(passage) | {PLACE: place}
            for place, passage in enumerate(p for p in passages if p["origin"] == "observation")
        },
    }
    text_dates = [passage.get("created_at") for passage in passages if passage["origin"] == "text"]
    if text_dates and None not in text_dates:
        state[TEXT_DATES] = [iso(moment) for moment in text_dates]
    if properties.get("status") == REMOVED:
        state[HIDDEN] = True
    if properties.get("graphmem_unlinked"):
        state[UNLINKED] = list(properties["graphmem_unlinked"])
    return state


def difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> State:
    """The earlier value of each path that has changed; None where there was none."""
    return {
        path: before.get(path)
        for path in sorted({*before, *after})
        if not _is_same(path, before.get(path), after.get(path))
    }


def is_own(path: str) -> bool:
    """Whether a path belongs to the entity itself, not to its relations, redirects or creation."""
    return path != CREATED_IN and not path.startswith((RELATION, REDIRECT))


def deleted(stored: Stored) -> State:
    """The state of an entity that is deleted, with the change that created it."""
    change = stored.properties.get(CREATED_BY)
    return stored_state(stored) | ({CREATED_IN: change} if change else {})


@dataclass(frozen=True, slots=True)
class Content:
    """What a state says of an entity, in the types that writing works with.

    Args:
        name: Its name.
        created_at: When it was said first.
        ledger: Who says what.
        observations: Its observations as passages, in order.
        text_dates: When each part of its text was said; empty where that is not noted.
        is_hidden: Whether nobody asserts it any more.
        unlinked: Relations that a caller took away although an import asserts them.
    """

    name: str
    created_at: datetime
    ledger: Ledger
    observations: tuple[dict[str, Any], ...]
    text_dates: tuple[datetime, ...]
    is_hidden: bool
    unlinked: tuple[str, ...]


def content(state: Mapping[str, Any]) -> Content:
    """Read a state that is not empty."""
    words: dict[Fact, dict[str, Word]] = {}
    for path, by_author in state.items():
        if path.startswith(WORD):
            sort, _, name = path.removeprefix(WORD).partition("/")
            words[sort, name] = {
                author: Word.decoded((sort, name), at, value)
                for author, (at, value) in by_author.items()
            }
    return Content(
        name=state[NAME],
        created_at=_moment(state[CREATED_AT]),
        ledger=Ledger(tuple(state[AUTHORS]), words),
        observations=tuple(
            _passage(path.removeprefix(OBSERVATION), value)
            for path, value in state.items()
            if path.startswith(OBSERVATION)
        ),
        text_dates=tuple(map(_moment, state.get(TEXT_DATES) or ())),
        is_hidden=bool(state.get(HIDDEN)),
        unlinked=tuple(state.get(UNLINKED) or ()),
    )


def encoded_relation(
    identity: RelationIdentity, properties: Mapping[str, Any]
) -> dict[str, object]:
    """A relation as JSON has it: its identity without its start, and its properties."""
    return {
        "end": identity.end,
        "relation": identity.relation,
        "since": identity.since,
        "properties": {name: plain(value) for name, value in sorted(properties.items())},
    }


def relations_in(
    state: Mapping[str, Any], start: str
) -> Iterator[tuple[RelationIdentity, dict[str, Any] | None]]:
    """The relations in a state with their properties, which are None for one that did not exist.

    Args:
        state: By path, as a revision of the start has it.
        start: The key of the entity where they start.
    """
    for path, value in state.items():
        if path.startswith(RELATION):
            identity = RelationIdentity.of_token(start, path.removeprefix(RELATION))
            yield identity, None if value is None else _properties(value["properties"])


def _properties(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: limits.attribute(name, value) for name, value in values.items()}


def translated(
    before: Mapping[str, Any],
    key: Callable[[str], str],
    token: Callable[[str], str],
    change: Callable[[str], str] = lambda change: change,
) -> State:
    """The earlier state in a revision as another project or store has it.

    Args:
        before: As a revision has it.
        key: Gives the key there of what has a key here.
        token: Gives the token there of a relation's token here.
        change: Gives the id there of a change; by default the same.
    """
    translated_state: State = {}
    for path, value in before.items():
        new_path, new_value = path, value
        if path.startswith(RELATION):
            new_path = RELATION + token(path.removeprefix(RELATION))
            new_value = None if value is None else _translated_relation(value, key, change)
        elif path.startswith(REDIRECT):
            new_path = REDIRECT + key(path.removeprefix(REDIRECT))
            new_value = None if value is None else key(value)
        elif path == UNLINKED:
            new_value = None if value is None else [token(item) for item in value]
        elif path == CREATED_IN:
            new_value = change(value)
        translated_state[new_path] = new_value
    return translated_state


def _translated_relation(
    value: Mapping[str, Any], key: Callable[[str], str], change: Callable[[str], str]
) -> dict[str, Any]:
    properties = dict(value["properties"])
    if properties.get(CREATED_BY):
        properties[CREATED_BY] = change(properties[CREATED_BY])
    return {**value, "end": key(value["end"]), "properties": properties}


def word_path(fact: Fact) -> str:
    """The path of who says what of a fact."""
    return WORD + "/".join(fact)


def stored_state(stored: Stored) -> State:
    """The state of an entity as it is stored."""
    return state_of(stored.properties, stored.passages)


def describe_changes(before: str, key: str) -> str:
    """What a revision of a key changed, for people: `title, tag infra and an observation`."""
    paths = (path for path in noted(before) or () if path != CREATED_IN)
    names = dict.fromkeys(describe_path(path, key) for path in paths)
    # There are none as an export may tell that another program wrote.
    return listed(list(names)) if names else "nothing"


def describe_path(path: str, key: str, names: Mapping[str, str] | None = None) -> str:
    """Name a path of the entity of a key in a sentence.

    Args:
        path: The path.
        key: The entity's.
        names: What entities at the other ends of relations are called, by their keys; by default
            they have the folded names of their keys.
    """
    if path.startswith(WORD):
        sort, _, name = path.removeprefix(WORD).partition("/")
        return f"{sort} {name}".strip()
    for start, phrase in ((OBSERVATION, "an observation"), (REDIRECT, "a name that leads to it")):
        if path.startswith(start):
            return phrase
    if path.startswith(RELATION):
        identity = RelationIdentity.of_token(key, path.removeprefix(RELATION))
        name = (names or {}).get(identity.end) or text.name_of(identity.end)
        return f"the relation {identity.relation} to {name}{dated(identity.since)}"
    names_of_paths = {AUTHORS: "who asserts it", HIDDEN: "whether it is there", TEXT_DATES: "text"}
    return names_of_paths.get(path, path)


def describe_observation(observation: Mapping[str, Any]) -> str:
    """An observation for people, with the time in which it holds."""
    period_text = period(*(observation.get(name) for name in PERIOD))
    return f"{observation['text']} ({period_text})" if period_text else str(observation["text"])


def _observation(passage: Mapping[str, Any]) -> dict[str, Any]:
    fields = ("text", *OBSERVATION_FIELDS, "asserted_by")
    return {
        field: to_json_value(passage[field]) for field in fields if passage.get(field) is not None
    }


def _passage(passage_id: str, value: Mapping[str, Any]) -> dict[str, Any]:
    created_at = value.get("created_at")
    observation = Observation(
        value["text"],
        None if created_at is None else _moment(created_at),
        value.get("source"),
        value.get("confidence"),
    )
    passage = passage_of(passage_id, "observation", observation)
    passage |= {name: decoded((name, ""), value.get(name)) for name in PERIOD}
    return passage | {"asserted_by": list(value.get("asserted_by") or ())}


def _is_same(path: str, before: object, after: object) -> bool:
    """Whether two values are the same, whatever the moments of words and places of observations."""
    if isinstance(before, dict) and isinstance(after, dict):
        if path.startswith(WORD):
            before, after = _words_in_order(before), _words_in_order(after)
        elif path.startswith(OBSERVATION):
            before, after = before | {PLACE: None}, after | {PLACE: None}
    return is_same(before, after)


def _words_in_order(by_author: Mapping[str, tuple[int, object]]) -> list[tuple[str, object]]:
    """What authors say of a fact, without the moments; of these the last counts."""
    authors = sorted(by_author, key=lambda author: order(author, by_author[author][0]))
    return [(author, by_author[author][1]) for author in authors]


def _moment(value: str) -> datetime:
    return limits.moment("created_at", value)
