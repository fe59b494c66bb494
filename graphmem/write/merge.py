"""What an entity shall be once something new is said about it: pure, no I/O.

Said fields replace what is stored, unsaid ones stay; aliases, tags, attributes and observations are
added to what is there, or replace it where the caller says so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem import text
from graphmem.embedding import document
from graphmem.graph import Row
from graphmem.model import Entity, Observation
from graphmem.model.entity import DEFAULT_KIND, USE
from graphmem.write.shared import Shared, called, filter_words, own_attributes, shared_fields
from graphmem.write.writing import Writing

DEFAULT_STATUS = "active"
FORGOTTEN = "forgotten"
REMOVED = "removed"
DEAD = frozenset({FORGOTTEN, REMOVED, "superseded", "deprecated"})
OWN_LABELS = frozenset({"Entity"})
# Made of the passages and names of an entity of several passages, and not read back with it.
WHOLE = ("called", "text", "identifier_parts")


@dataclass(frozen=True, slots=True)
class Stored:
    """An entity as the database has it; `properties` is empty for one that is new."""

    key: str
    properties: Mapping[str, Any]
    labels: tuple[str, ...]
    passages: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """An entity as it shall be: properties, labels beside `Entity`, and passages in order."""

    key: str
    properties: dict[str, Any]
    labels: tuple[str, ...]
    passages: tuple[dict[str, Any], ...]

    @property
    def shared(self) -> Shared:
        """The fields that its passages repeat, so that the indexes filter before they cut."""
        return shared_fields(self.properties)


def merged(stored: Stored, entity: Entity, *, how: Writing, now: datetime) -> Wanted:
    """Say what an entity shall be.

    Args:
        stored: What is there.
        entity: What is said, checked.
        how: The project, and whether lists and attributes replace what is there.
        now: The moment of this write.
    """
    old = stored.properties
    created_at = entity.created_at or old.get("created_at") or now
    said_status = entity.status
    if said_status is None and old.get("status") in {FORGOTTEN, REMOVED}:
        said_status = DEFAULT_STATUS
    attributes = {} if how.overwrite else own_attributes(old)
    properties: dict[str, Any] = {
        "key": stored.key,
        "project": how.project,
        "name": old.get("name") or entity.name,
        "kind": entity.kind or old.get("kind") or DEFAULT_KIND,
        "title": entity.title or old.get("title"),
        "aliases": _united(old.get("aliases"), entity.aliases, overwrite=how.overwrite),
        "tags": _united(old.get("tags"), entity.tags, overwrite=how.overwrite),
        "status": said_status or old.get("status") or DEFAULT_STATUS,
        "category": entity.category or old.get("category"),
        "confidence": _confidence(entity.confidence, old.get("confidence"), lowers=how.lowers),
        "source": entity.source or old.get("source"),
        "imported": how.imported or old.get("imported"),
        "created_at": created_at,
        **attributes,
        **entity.attributes,
        **{name: old[name] for name in USE if name in old},
    }
    return _finished(
        stored.key,
        properties,
        _passages(stored, entity, now=now, overwrite=how.overwrite),
    )


def with_status(stored: Stored, status: str) -> Wanted:
    """The same entity with another status; its passages keep their text and embeddings."""
    properties = {**stored.properties, "status": status}
    return _finished(stored.key, properties, [dict(passage) for passage in stored.passages])


def unchanged(stored: Stored, wanted: Wanted) -> bool:
    """Whether writing `wanted` would change nothing but the moment of the last change."""
    apart = {"updated_at", *WHOLE}
    before = {name: value for name, value in stored.properties.items() if name not in apart}
    after = {name: value for name, value in wanted.properties.items() if name not in apart}
    return before == after and [_identity(p) for p in stored.passages] == [
        _identity(p) for p in wanted.passages
    ]


def texts_to_embed(entity: Entity, title: str | None) -> list[str]:
    """What would be embedded of an entity's new passages, given the title it will have."""
    made = _said_passages(entity) or [_card(entity.name, title, entity.created_at)]
    return [document(entity.name, title, passage["text"]) for passage in made]


def _finished(key: str, properties: dict[str, Any], passages: Sequence[dict[str, Any]]) -> Wanted:
    names = [properties["name"], *properties["aliases"]]
    if properties.get("title"):
        names.append(properties["title"])
    title = properties.get("title")
    if not passages:
        passages = [_card(properties["name"], title, properties["created_at"])]
    live = text.normalised(properties["status"]) not in DEAD
    properties["live"] = live
    properties["names"] = sorted({form for form in map(text.name_form, names) if form})
    properties["handles"] = text.handles([*names, key])
    properties["filters"] = filter_words(properties, passages=len(passages))
    properties["names"].append(text.name_form(key))
    properties |= _whole(properties, passages)
    placed = tuple(
        passage
        | {
            "position": position,
            "digest": text.digest(document(properties["name"], title, passage["text"])),
            "words": text.identifier_parts(passage["text"]),
        }
        for position, passage in enumerate(passages)
    )
    kept = {name: value for name, value in properties.items() if value is not None}
    return Wanted(key=key, properties=kept, labels=(properties["kind"],), passages=placed)


def _whole(
    properties: Mapping[str, Any], passages: Sequence[Mapping[str, Any]]
) -> dict[str, str | None]:
    """What operators look at in an entity of several passages: everything it says, in one place."""
    if len(passages) < 2:  # noqa: PLR2004 - several
        return dict.fromkeys(WHOLE)
    whole = "\n".join(passage["text"] for passage in passages)
    return {
        "called": called(properties),
        "text": whole,
        "identifier_parts": text.identifier_parts(whole),
    }


def _passages(
    stored: Stored, entity: Entity, *, now: datetime, overwrite: bool
) -> list[dict[str, Any]]:
    old = [dict(passage) for passage in stored.passages if passage["origin"] != "card"]
    said = _said_passages(entity)
    keeps_text = entity.text is None
    text_part = [p for p in (old if keeps_text else said) if p["origin"] == "text"]
    before = [] if overwrite else [p for p in old if p["origin"] == "observation"]
    moments = {p["id"]: p.get("created_at") for p in old}
    known = {passage["id"] for passage in before}
    added: dict[str, dict[str, Any]] = {}
    for passage in said:
        if passage["origin"] == "observation" and passage["id"] not in known:
            added.setdefault(passage["id"], passage)
    for passage in text_part:
        passage["created_at"] = moments.get(passage["id"]) or passage.get("created_at") or now
    for passage in added.values():
        passage["created_at"] = passage.get("created_at") or moments.get(passage["id"]) or now
    return [*text_part, *before, *added.values()]


def _said_passages(entity: Entity) -> list[dict[str, Any]]:
    made: dict[str, dict[str, Any]] = {}
    for place, piece in enumerate(text.passages(entity.text or "")):
        made_id = text.digest("text", piece, place)
        made[made_id] = _passage(made_id, "text", Observation(piece, entity.created_at))
    for observation in entity.observations:
        made_id = text.digest("observation", " ".join(observation.text.split()))
        made.setdefault(made_id, _passage(made_id, "observation", observation))
    return list(made.values())


def _passage(made_id: str, origin: str, said: Observation) -> dict[str, Any]:
    return {
        "id": made_id,
        "origin": origin,
        "text": said.text,
        "created_at": said.created_at,
        "source": said.source,
        "confidence": said.confidence,
    }


def _card(name: str, title: str | None, created_at: datetime | None) -> dict[str, Any]:
    said = Observation(title or name, created_at)
    return _passage(text.digest("card", said.text), "card", said)


def _identity(passage: Mapping[str, Any]) -> tuple[Any, ...]:
    fields = ("id", "digest", "position", "created_at", "source", "confidence")
    return tuple(passage.get(field) for field in fields)


def _united(old: Sequence[str] | None, said: Sequence[str], *, overwrite: bool) -> list[str]:
    kept = () if overwrite else old or ()
    seen: dict[str, str] = {}
    for item in (*kept, *said):
        seen.setdefault(text.normalised(item), item)
    return list(seen.values())


def _confidence(said: float | None, old: float | None, *, lowers: bool) -> float | None:
    if said is None or old is None:
        return old if said is None else said
    return said if lowers else max(said, old)
