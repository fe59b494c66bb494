"""The fields that passages repeat from their entity, so that both indexes filter before they cut.

Every passage repeats a base: project, whether it is live, kind, status and category, with their
filter tokens. Names, aliases, tags and the filter tokens of tags, attributes and paths are repeated
as well while that takes little room. Where it would take much, the entity is wide: only its first
passage repeats them, a filter token on every passage says so, and a search asks the entity itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from graphmem import text
from graphmem.batches import size
from graphmem.model.period import is_dated
from graphmem.model.reserved import RESERVED_ATTRIBUTES
from graphmem.model.spelling import usual_letters
from graphmem.model.status import SUPERSEDED

# As large as the largest text may be: repeated fields add at most so much to an entity.
REPEATED_BYTES = 1024 * 1024
# A name or title of up to so many bytes is repeated on every passage of a wide entity, too.
SHORT_BYTES = 100
# What decides which fields a passage repeats: whether others of its entity are before it, and
# whether it is dated.
Place: TypeAlias = tuple[bool, bool]


@dataclass(frozen=True, slots=True)
class Shared:
    """The fields of an entity that its passages repeat, folded as the filters compare them.

    Args:
        first: Those of its first passage.
        following: Those of the passages after it; the same where the entity is not wide.
    """

    first: dict[str, Any]
    following: dict[str, Any]

    def of(self, passage: Mapping[str, Any]) -> dict[str, Any]:
        """The fields of a passage, by its position and by whether it says when it holds."""
        return self.at(place_of(passage))

    def at(self, place: Place) -> dict[str, Any]:
        """The fields of the passage at a place.

        A dated passage is searched on its own, like the passage of an entity with no other.
        """
        is_following, is_alone = place
        fields = self.following if is_following else self.first
        if not is_alone:
            return fields
        words = (word for word in fields["filters"].split(" ") if word != text.SEVERAL)
        return fields | {"filters": " ".join(words)}


def place_of(passage: Mapping[str, Any]) -> Place:
    """The place of a passage, by its position and by whether it says when it holds."""
    return passage["position"] > 0, is_dated(passage)


def shared_fields(properties: Mapping[str, Any]) -> Shared:
    """The fields that passages repeat of an entity's properties, their filter tokens among them."""
    category = properties.get("category")
    base = {
        "project": properties["project"],
        "live": leads(properties),
        "kind": text.normalised(properties["kind"]),
        "status": text.normalised(properties["status"]),
        "category": None if category is None else text.normalised(category),
    }
    first = base | {
        "filters": properties["graphmem_filters"],
        "names": called(properties),
        "name": usual_letters(properties["name"]),
        "title": usual_letters(properties.get("title") or "") or None,
        "alias": usual_letters("\n".join(properties.get("aliases") or ())) or None,
        "tag": "\n".join(properties.get("tags") or ()) or None,
    }
    if text.WIDE not in properties["graphmem_filters"]:
        return Shared(first, first)
    short = {
        field: value
        for field in ("name", "title")
        if (value := first[field]) and size(value) <= SHORT_BYTES
    }
    following = base | {
        "filters": f"{_base(properties, several=True)} {text.WIDE}",
        "names": "\n".join(dict.fromkeys(short.values())) or None,
        "name": short.get("name"),
        "title": short.get("title"),
        "alias": None,
        "tag": None,
    }
    return Shared(first, following)


def filter_words(properties: Mapping[str, Any], *, passages: int, several: bool) -> str:
    """Every filter token of an entity with so many passages, that for wide entities included."""
    values = _values(own_attributes(properties))
    all_words = text.facet_tokens(
        project=properties["project"],
        live=leads(properties),
        kind=properties["kind"],
        status=properties["status"],
        category=properties.get("category"),
        tags=properties["tags"],
        attributes=values,
        paths=[
            ("name", properties["name"]),
            ("category", properties.get("category") or ""),
            *((field, str(value)) for field, value in values if _is_path(field, value)),
        ],
        several=several,
    )
    if passages == 1:
        return all_words
    base = _base(properties, several=several)
    names = (properties["name"], properties.get("title") or "")
    lists = (properties["aliases"], properties["tags"])
    # Twice, since each is repeated in a field of its own and among all names.
    repeated = len(all_words) - len(base) + 2 * (size(names) + size(lists))
    is_wide = (passages - 1) * repeated > REPEATED_BYTES
    return f"{all_words} {text.WIDE}" if is_wide else all_words


def called(properties: Mapping[str, Any]) -> str:
    """Every name of an entity, and its tags, as their words are searched."""
    names = (properties["name"], properties.get("title"))
    words = (*names, *(properties.get("aliases") or ()), *(properties.get("tags") or ()))
    return usual_letters("\n".join(dict.fromkeys(part for part in words if part)))


def own_attributes(properties: Mapping[str, Any]) -> dict[str, Any]:
    """An entity's custom attributes among its stored properties."""
    return {k: v for k, v in properties.items() if k not in RESERVED_ATTRIBUTES}


def leads(properties: Mapping[str, Any]) -> bool:
    """Whether a search may come across an entity, also to be led on from a superseded one.

    A superseded entity is no hit itself: the hit is what replaced it.
    """
    return bool(properties["live"]) or text.normalised(properties["status"]) == SUPERSEDED


def _base(properties: Mapping[str, Any], *, several: bool) -> str:
    return text.facet_tokens(
        project=properties["project"],
        live=leads(properties),
        kind=properties["kind"],
        status=properties["status"],
        category=properties.get("category"),
        tags=(),
        several=several,
    )


def _values(attributes: Mapping[str, Any]) -> list[tuple[str, object]]:
    """Every value of attributes, each of a list's by itself, by the attributes' names."""
    return [
        (name, value)
        for name, attribute in sorted(attributes.items())
        for value in (attribute if isinstance(attribute, list) else [attribute])
    ]


def _is_path(field: str, value: object) -> bool:
    """Whether a value is a path, found by the paths above it; a value of `path` needs no slash."""
    return isinstance(value, str) and ("/" in value or field == "path")
