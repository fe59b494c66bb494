"""What an entity was before a change, path by path, as a file may tell of it: each path is checked.

A path names one thing that may change: `name`, `created_at`, `authors`, `removed`, `unlinked`,
`word/<sort>/<name>` (who says what of a fact), `observation/<id>`, `relation/<token>` and
`redirect/<key>`. None stands for what was not there.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from graphmem.errors import InvalidInput
from graphmem.model import limits
from graphmem.model.identity import RelationIdentity
from graphmem.model.observation import Observation
from graphmem.model.provenance import (
    check_fact,
    checked_authors,
    checked_record,
    checked_text,
    checked_texts,
)
from graphmem.model.relation_fields import CREATED_BY, RELATION_FIELDS, SINCE
from graphmem.model.reserved import PREFIX

NAME, CREATED_AT, AUTHORS = "name", "created_at", "authors"
HIDDEN, UNLINKED = "removed", "unlinked"
WORD, OBSERVATION, RELATION, REDIRECT = "word/", "observation/", "relation/", "redirect/"
# What a state has that is one at all.
WHOLE = (NAME, CREATED_AT, AUTHORS)

_CHECKS = {one.name: one.check for one in RELATION_FIELDS}


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
    """Check what was there before of an entity.

    Args:
        argument: What it is called in errors.
        value: By path, what was there.
        key: The entity's.
        project: The project that its keys must belong to.

    Raises:
        InvalidInput: naming the path that is not allowed.
    """
    if not isinstance(value, Mapping):
        raise InvalidInput(argument, value, "must be an object of paths")
    owner = _Owner(key, project)
    for path, before in value.items():
        sort, mark, rest = path.partition("/")
        check = _CHECKED.get(sort + mark)
        if check is None:
            raise InvalidInput(argument, path, "must be one of the paths that an export writes")
        check(f"{argument}.{path}", rest, before, owner)
    return dict(value)


@dataclass(frozen=True, slots=True)
class _Owner:
    """The entity that is told of, and its project."""

    key: str
    project: str


def _check_name(place: str, _: str, value: object, __: _Owner) -> None:
    limits.name(place, value)


def _check_created_at(place: str, _: str, value: object, __: _Owner) -> None:
    if not isinstance(value, str):
        raise InvalidInput(place, value, "must be a moment")
    limits.moment(place, value)


def _check_authors(place: str, _: str, value: object, __: _Owner) -> None:
    checked_authors(place, value)


def _check_hidden(place: str, _: str, value: object, __: _Owner) -> None:
    if value is not None and value is not True:
        raise InvalidInput(place, value, "must be true or null")


def _check_unlinked(place: str, _: str, value: object, owner: _Owner) -> None:
    for token in () if value is None else checked_texts(place, value):
        _check_token(place, token, owner)


def _check_redirect(place: str, key: str, value: object, owner: _Owner) -> None:
    own_key(place, key, owner.project)
    if value is not None:
        own_key(place, value, owner.project)


def _check_word(place: str, fact: str, value: object, _: _Owner) -> None:
    if value is None:
        return
    check_fact(place, fact, value)
    if not isinstance(value, Mapping) or any(len(word) != 2 for word in value.values()):  # noqa: PLR2004 - a moment and a value
        raise InvalidInput(place, value, "must map authors to a moment and a value")


def _check_observation(place: str, made_id: str, value: object, _: _Owner) -> None:
    limits.label(place, made_id)
    if value is None:
        return
    if not isinstance(value, Mapping) or "id" in value:
        raise InvalidInput(place, value, "must be an observation")
    fields = dict(value)
    authors = fields.pop("asserted_by", None)
    if authors is not None:
        checked_authors(place, authors)
    Observation.from_json(fields, argument=place)


def _check_token(place: str, token: str, owner: _Owner) -> RelationIdentity:
    identity = RelationIdentity.of_token(owner.key, token)
    limits.relation_type(place, identity.relation)
    own_key(place, identity.end, owner.project)
    return identity


def _check_relation(place: str, token: str, value: object, owner: _Owner) -> None:
    identity = _check_token(place, token, owner)
    if value is None:
        return
    fields = ("end", "relation", "since", "properties")
    if not isinstance(value, Mapping) or sorted(value) != sorted(fields):
        raise InvalidInput(place, value, f"must be an object with the fields {', '.join(fields)}")
    if any(value[name] != getattr(identity, name) for name in fields[:3]):
        raise InvalidInput(place, value, "must tell of the relation that its path names")
    if not isinstance(value["properties"], Mapping):
        raise InvalidInput(place, value["properties"], "must be an object of properties")
    for name, one in value["properties"].items():
        _check_property(f"{place}.{name}", name, one)


def _check_property(place: str, name: str, value: object) -> None:
    if name == "asserted_by":
        checked_authors(place, value)
    elif name == f"{PREFIX}assertions":
        try:
            checked_record(place, json.loads(str(value)))
        except ValueError:
            raise InvalidInput(place, value, "must be JSON text") from None
    elif name in {SINCE, CREATED_BY}:
        if value:
            limits.label(place, value)
    elif name in _CHECKS:
        _CHECKS[name](place, limits.attribute(place, value))
    elif name.startswith(PREFIX):
        raise InvalidInput(place, value, "must not be one of graphmem's own names")
    else:
        limits.attributes(place, {name: value}, reserved=())


_CHECKED: Mapping[str, Callable[[str, str, Any, _Owner], None]] = {
    NAME: _check_name,
    CREATED_AT: _check_created_at,
    AUTHORS: _check_authors,
    HIDDEN: _check_hidden,
    UNLINKED: _check_unlinked,
    WORD: _check_word,
    OBSERVATION: _check_observation,
    RELATION: _check_relation,
    REDIRECT: _check_redirect,
}
