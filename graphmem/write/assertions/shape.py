"""An entity as it is stored and as it should be, with all that is derived from its content."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem import text
from graphmem.embedding import document
from graphmem.graph import Row
from graphmem.model import Observation
from graphmem.model.observation_fields import OBSERVATION_FIELDS
from graphmem.model.period import is_dated
from graphmem.model.spelling import usual_letters
from graphmem.model.status import HIDDEN_STATUSES
from graphmem.model.stored_values import optional_text
from graphmem.write.assertions.shared import Shared, called, filter_words, shared_fields

OWN_LABELS = frozenset({"Entity"})
# Derived from the passages and names of an entity, where it has several or a dated one; never read
# back.
WHOLE = ("graphmem_called", "graphmem_text", "graphmem_identifier_parts")
# Set by a purge while it runs; a later write removes it, since the purge did not choose that.
PURGE_MARK = "graphmem_purge"
PROVENANCE = frozenset({"asserted_by", "graphmem_assertions", "graphmem_imported"})


@dataclass(frozen=True, slots=True)
class Stored:
    """An entity as the database has it; `properties` is empty for one that is new."""

    key: str
    properties: Mapping[str, Any]
    labels: tuple[str, ...]
    passages: tuple[Row, ...]

    @property
    def observations(self) -> list[Row]:
        """The passages that are observations, in order."""
        return [passage for passage in self.passages if passage["origin"] == "observation"]


@dataclass(frozen=True, slots=True)
class Desired:
    """An entity as it shall be: properties, labels beside `Entity`, and passages in order."""

    key: str
    properties: dict[str, Any]
    labels: tuple[str, ...]
    passages: tuple[dict[str, Any], ...]

    @property
    def shared(self) -> Shared:
        """The fields that its passages repeat, so that the indexes filter before they cut."""
        return shared_fields(self.properties)


def with_property(stored: Stored, **properties: object) -> Desired:
    """The same entity with some other properties; its passages keep their text and embeddings."""
    return finished(
        stored.key, {**stored.properties, **properties}, [dict(p) for p in stored.passages]
    )


def unchanged(stored: Stored, desired: Desired) -> bool:
    """Whether writing `desired` would change nothing but the moment of the last change."""
    return _comparable(stored.properties) == _comparable(desired.properties) and [
        _identity(p) for p in stored.passages
    ] == [_identity(p) for p in desired.passages]


def looks_the_same(stored: Stored, desired: Desired) -> bool:
    """Whether writing `desired` would change nothing but who asserted what."""
    return _comparable(stored.properties, PROVENANCE) == _comparable(
        desired.properties, PROVENANCE
    ) and [_identity(p)[:-1] for p in stored.passages] == [
        _identity(p)[:-1] for p in desired.passages
    ]


def unembedded(stored: Stored, desired: Desired) -> dict[str, str]:
    """The texts to embed, by digest: those of passages that are not stored with an embedding."""
    embedded_digests = {p["digest"] for p in stored.passages if not p.get("pending")}
    return {
        passage["digest"]: embedded_text(desired.properties, passage["text"])
        for passage in desired.passages
        if passage["digest"] not in embedded_digests
    }


def embedded_text(properties: Mapping[str, Any], content: str) -> str:
    """What is embedded of a text of an entity."""
    name, title = properties["name"], properties.get("title")
    return document(name, title, content, properties.get("lead_in"))


def _comparable(
    properties: Mapping[str, Any], without: frozenset[str] = frozenset()
) -> dict[str, Any]:
    return {
        name: value
        for name, value in properties.items()
        if name not in {"updated_at", PURGE_MARK, *WHOLE} and name not in without
    }


def finished(key: str, properties: dict[str, Any], passages: Sequence[dict[str, Any]]) -> Desired:
    """The entity of some properties and passages, with all that is derived from them."""
    if "title" in properties:
        properties["title"] = optional_text(properties["title"])
    title = properties.get("title")
    if not passages:
        passages = [_card(properties["name"], title, properties["created_at"])]
    is_live = text.normalised(properties["status"]) not in HIDDEN_STATUSES
    properties["live"] = is_live
    # A dated passage alone is not found at other times, when the entity is there all the same.
    several = len(passages) > 1 or is_dated(passages[0])
    properties |= of_key(key, properties, passages=len(passages), several=several)
    properties |= _whole_text_fields(properties, passages) if several else dict.fromkeys(WHOLE)
    positioned_passages = tuple(
        passage
        | {
            "position": position,
            "digest": text.digest(embedded_text(properties, passage["text"])),
            "words": text.other_words(passage["text"]),
        }
        for position, passage in enumerate(passages)
    )
    present_properties = {
        name: value
        for name, value in properties.items()
        if value is not None and name != PURGE_MARK
    }
    return Desired(
        key=key,
        properties=present_properties,
        labels=(properties["kind"],),
        passages=positioned_passages,
    )


def of_key(
    key: str, properties: Mapping[str, Any], *, passages: int, several: bool
) -> dict[str, Any]:
    """The properties by which an entity is found: names and filter tokens.

    Args:
        key: Its key.
        properties: Its other properties.
        passages: How many it has.
        several: Whether operators are matched in its whole text.
    """
    names = [properties["name"], *properties["aliases"]]
    if properties.get("title"):
        names.append(properties["title"])
    forms = sorted({form for form in map(text.name_form, names) if form})
    return {
        "graphmem_names": [*forms, text.name_form(key)],
        "graphmem_handles": text.handles([*names, key]),
        "graphmem_filters": filter_words(properties, passages=passages, several=several),
    }


def of_new_key(key: str, properties: Mapping[str, Any], *, passages: int) -> dict[str, Any]:
    """The properties that `of_key` gives, for a stored entity that gets another key."""
    has_whole_text = passages > 1 or text.SEVERAL in str(properties.get("graphmem_filters"))
    return of_key(key, properties, passages=passages, several=has_whole_text)


def _whole_text_fields(
    properties: Mapping[str, Any], passages: Sequence[Mapping[str, Any]]
) -> dict[str, str]:
    """The whole text of an entity, in which query operators are matched."""
    # A dated passage is searched on its own, so that it is found for its time only.
    whole_text = "\n".join(passage["text"] for passage in passages if not is_dated(passage))
    return {
        "graphmem_called": called(properties),
        "graphmem_text": whole_text,
        "graphmem_identifier_parts": text.other_words(whole_text),
    }


def _card(name: str, title: str | None, created_at: datetime | None) -> dict[str, Any]:
    observation = Observation(usual_letters(title or name), created_at)
    return passage_of(text.digest("card", observation.text), "card", observation)


def passage_of(passage_id: str, origin: str, observation: Observation) -> dict[str, Any]:
    """A passage as it is stored, without its position and the fields repeated from its entity."""
    return {
        "id": passage_id,
        "origin": origin,
        "text": observation.text,
        **{name: getattr(observation, name) for name in OBSERVATION_FIELDS},
    }


def _identity(passage: Mapping[str, Any]) -> tuple[Any, ...]:
    fields = ("id", "digest", "position", *OBSERVATION_FIELDS, "asserted_by")
    return tuple(passage.get(field) for field in fields)
