"""Checks the earlier state of an entity, path by path, as an exported revision tells it.

A path names one thing that may change: `name`, `created_at`, `authors`, `removed`, `unlinked`,
`text_created_at` (of each part of the text), `word/<sort>/<name>` (who says what of a fact),
`observation/<id>`, `relation/<token>` and `redirect/<key>`. None stands for what was not there.
Where an entity was deleted, `created_in` names the change that had made it.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from graphmem.errors import InvalidInput
from graphmem.model import limits
from graphmem.model.identity import RelationIdentity
from graphmem.model.json_object import iso, plain
from graphmem.model.observation import Observation
from graphmem.model.period import PERIOD
from graphmem.model.provenance import (
    checked_authors,
    checked_fact,
    checked_record,
    checked_text,
    checked_texts,
)
from graphmem.model.relation_fields import (
    CREATED_BY,
    RELATION_FIELDS,
    RESERVED_RELATION_ATTRIBUTES,
    SINCE,
)
from graphmem.model.reserved import PREFIX, RESERVED_ATTRIBUTES

NAME, CREATED_AT, AUTHORS = "name", "created_at", "authors"
HIDDEN, UNLINKED = "removed", "unlinked"
# When each part of the text was said.
TEXT_DATES = "text_created_at"
CREATED_IN = "created_in"
WORD, OBSERVATION, RELATION, REDIRECT = "word/", "observation/", "relation/", "redirect/"
# Of an observation in a state: how many others stood before it.
PLACE = "place"
# The paths that every state of an existing entity has.
WHOLE = (NAME, CREATED_AT, AUTHORS)

_RELATION_CHECKS = {row.name: row.check for row in RELATION_FIELDS}
# Attributes that are fields by now.
_BECAME_FIELDS = frozenset(f"{WORD}attribute/{name}" for name in ("lead_in", *PERIOD))


def of_today(path: str) -> str:
    """A path of any version in today's form; attributes that are fields by now are renamed."""
    return f"{path}_" if path in _BECAME_FIELDS else path


def own_key(argument: str, value: object, project: str) -> str:
    """Check the key of an entity of a project.

    Raises:
        InvalidInput: It is none, or another project's.
    """
    start = f"{project}#"
    if not isinstance(value, str) or not value.startswith(start) or value == start:
        raise InvalidInput(argument, value, f"must be a key of the line's own project, {start}NAME")
    return checked_text(argument, value)


def checked_before(argument: str, value: object, *, key: str, project: str) -> dict[str, Any]:
    """Check the earlier state of an entity.

    Args:
        argument: What it is called in errors.
        value: By path, what was there.
        key: The entity's.
        project: The project that its keys must belong to.

    Returns:
        The state in the form of an export: moments in UTC, texts without characters that are
        dropped.

    Raises:
        InvalidInput: naming the path that is not allowed.
    """
    if not isinstance(value, Mapping):
        raise InvalidInput(argument, value, "must be an object of paths")
    owner = _Owner(key, project)
    checked: dict[str, Any] = {}
    for noted_path, before in value.items():
        path = of_today(noted_path)
        sort, mark, name = path.partition("/")
        place = f"{argument}.{noted_path}"
        if path in _PLAIN_CHECKS:
            checked[path] = _PLAIN_CHECKS[path](place, before)
        elif (check := _CHECKS_BY_SORT.get(sort + mark)) is not None and bool(mark) == bool(name):
            checked[path] = check(place, name, before, owner)
        else:
            raise InvalidInput(
                argument, noted_path, "must be one of the paths that an export writes"
            )
    return checked


@dataclass(frozen=True, slots=True)
class _Owner:
    """The entity whose state is checked, and its project."""

    key: str
    project: str


def _created_at(place: str, value: object) -> str | None:
    if not isinstance(value, str):
        raise InvalidInput(place, value, "must be a moment")
    return iso(limits.moment(place, value))


def _text_dates(place: str, value: object) -> list[str | None] | None:
    if value is None:
        return None
    return [iso(limits.moment(place, moment)) for moment in checked_texts(place, value)]


def _authors(place: str, value: object) -> list[str]:
    return list(checked_authors(place, value))


def _hidden(place: str, value: object) -> bool | None:
    if value is not None and value is not True:
        raise InvalidInput(place, value, "must be true or null")
    return value


def _unlinked(place: str, _: str, value: object, owner: _Owner) -> list[str] | None:
    if value is None:
        return None
    for token in (tokens := checked_texts(place, value)):
        _identity(place, token, owner)
    return list(tokens)


def _redirect(place: str, key: str, value: object, owner: _Owner) -> str | None:
    own_key(place, key, owner.project)
    return None if value is None else own_key(place, value, owner.project)


def _word(place: str, fact: str, value: object, _: _Owner) -> dict[str, list[object]] | None:
    if value is None:
        return None
    words = checked_fact(place, fact, value, reserved=RESERVED_ATTRIBUTES)
    if any(len(word) != 2 for word in words.values()):  # noqa: PLR2004 - a moment and a value
        raise InvalidInput(place, value, "must map authors to a moment and a value")
    return words


def _observation(place: str, passage_id: str, value: object, _: _Owner) -> dict[str, object] | None:
    limits.label(place, passage_id)
    if value is None:
        return None
    if not isinstance(value, Mapping) or not {"id", "unset"}.isdisjoint(value):
        raise InvalidInput(place, value, "must be an observation")
    fields = dict(value)
    authors, number = fields.pop("asserted_by", None), fields.pop(PLACE, None)
    observation = Observation.from_json(fields, argument=place).to_json()
    if number is not None:
        observation[PLACE] = _place(f"{place}.{PLACE}", number)
    if authors is not None:
        observation["asserted_by"] = [*checked_authors(place, authors)]
    return observation


def _place(argument: str, number: object) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise InvalidInput(argument, number, "must be a whole number from 0 on")
    return number


def _identity(place: str, token: str, owner: _Owner) -> RelationIdentity:
    identity = RelationIdentity.of_token(owner.key, token)
    limits.relation_type(place, identity.relation)
    own_key(place, identity.end, owner.project)
    return identity


def _relation(place: str, token: str, value: object, owner: _Owner) -> dict[str, Any] | None:
    identity = _identity(place, token, owner)
    if value is None:
        return None
    fields = ("end", "relation", "since", "properties")
    if not isinstance(value, Mapping) or sorted(value) != sorted(fields):
        raise InvalidInput(place, value, f"must be an object with the fields {', '.join(fields)}")
    if any(value[name] != getattr(identity, name) for name in fields[:3]):
        raise InvalidInput(place, value, "must be about the relation that its path names")
    if not isinstance(value["properties"], Mapping):
        raise InvalidInput(place, value["properties"], "must be an object of properties")
    properties = {
        name: _property(f"{place}.{name}", name, property_value)
        for name, property_value in value["properties"].items()
    }
    if properties.get(SINCE, identity.since) != identity.since:
        raise InvalidInput(f"{place}.{SINCE}", properties[SINCE], "must be the `since` beside it")
    return {**value, "properties": properties}


def _property(place: str, name: str, value: object) -> object:
    if name == "asserted_by":
        return list(checked_authors(place, value))
    if name == f"{PREFIX}assertions":
        try:
            record = json.loads(str(value))
        except (ValueError, RecursionError):
            raise InvalidInput(place, value, "must be JSON text") from None
        return checked_record(place, record, reserved=RESERVED_RELATION_ATTRIBUTES)
    if name in {SINCE, CREATED_BY}:
        return limits.label(place, value) if value else value
    if name in _RELATION_CHECKS:
        return plain(_RELATION_CHECKS[name](place, limits.attribute(place, value)))
    if name.startswith(PREFIX):
        raise InvalidInput(place, value, "must not be one of graphmem's own names")
    return plain(limits.attributes(place, {name: value}, reserved=())[name])


_PLAIN_CHECKS: Mapping[str, Callable[[str, Any], Any]] = {
    NAME: limits.name,
    CREATED_AT: _created_at,
    AUTHORS: _authors,
    HIDDEN: _hidden,
    TEXT_DATES: _text_dates,
    CREATED_IN: limits.label,
}
# Those of what a path names further, or of keys, which must be those of the entity's project.
_CHECKS_BY_SORT: Mapping[str, Callable[[str, str, Any, _Owner], Any]] = {
    UNLINKED: _unlinked,
    WORD: _word,
    OBSERVATION: _observation,
    RELATION: _relation,
    REDIRECT: _redirect,
}
