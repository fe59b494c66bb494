"""An item as it is searched: its fields, their weights, and which of them hold a query."""

from collections.abc import Mapping
from datetime import datetime
from functools import cached_property

from graphmem import lucene, text
from graphmem.adapters.rye.items import DESCRIPTION, PREFIX, ItemType
from graphmem.adapters.rye.profile import typos
from graphmem.adapters.rye.profile.scope import Space
from graphmem.adapters.rye.profile.words import Text, parts_of
from graphmem.model import Entity
from graphmem.model.status import ACTIVE, HIDDEN_STATUSES

WEIGHTS = {"title": 3.0, "name": 3.0, "description": 2.0, "category": 1.5, "content": 1.0}
SPACES: dict[str, Space] = {"@user": "user", "@system": "system"}
# The winner of two items of one id, and the first of two that are equal.
ORDER: tuple[Space, ...] = ("project", "user", "system")


class Item:
    """An entity that is an item.

    Args:
        entity: As it was read.
        item_type: The type in its name.
        evidence: Its score in the search that found it; 0 where none did.
    """

    def __init__(self, entity: Entity, item_type: ItemType, evidence: float = 0.0) -> None:
        self.entity = entity
        self.type = item_type
        self.evidence = evidence
        self.id = entity.name.partition("/")[2]
        self.name = self.id.rpartition("/")[2]
        self.space: Space = SPACES.get(entity.project or "", "project")
        self.description = str(entity.attributes.get("description") or "")

    @property
    def precedence(self) -> tuple[int, str]:
        """Its place among equals: by space, then by id."""
        return ORDER.index(self.space), self.id

    @property
    def is_alive(self) -> bool:
        """Whether searches show it where no status is asked for."""
        return text.normalised(self.entity.status or "") not in HIDDEN_STATUSES

    @property
    def _status(self) -> str | None:
        """The status that the item says, or that it was given since; None for the default."""
        status = self.entity.attributes.get(f"{PREFIX}status")
        own_status = self.entity.status
        return own_status if status is not None or own_status != ACTIVE else None

    @property
    def date(self) -> datetime | None:
        """When it was made, else changed, as it says itself."""
        for name in (f"{PREFIX}created_at", f"{PREFIX}updated_at"):
            value = self.entity.attributes.get(name)
            if isinstance(value, datetime):
                return value
        return None

    @cached_property
    def fields(self) -> Mapping[str, Text]:
        """The texts that words are looked for in; the id and the tags have no weight."""
        notes = [
            observation.text
            for observation in self.entity.observations
            if observation.source != DESCRIPTION
        ]
        return {
            "title": Text(self.entity.title or self.name),
            "name": Text(self.name),
            "description": Text(self.description),
            "category": Text(self.entity.category or ""),
            "content": Text("\n\n".join([self.entity.text or "", *notes])),
            "id": Text(self.id),
            "tags": Text("\n".join(self.entity.tags)),
        }

    def holds(self, node: lucene.Node, field: str | None = None) -> bool:
        """Whether a query is true of the item, or of one of its fields alone."""
        match node:
            case lucene.AllOf(nodes):
                return all(self.holds(child, field) for child in nodes)
            case lucene.AnyOf(nodes):
                return any(self.holds(child, field) for child in nodes)
            case lucene.Not(child):
                return not self.holds(child, field)
            case lucene.Field(name, child):
                return self._has(name, child)
            case _:
                fields = self.fields.values() if field is None else (self.fields[field],)
                return lucene.is_everything(node) or any(words.places(node) for words in fields)

    def share(self, node: lucene.Node) -> float:
        """The share of the fields' weights that belongs to fields which hold the whole query.

        A field that holds it only because letters may differ counts a tenth less.
        """
        weight_of_holders = sum(
            weight * self._factor(node, field)
            for field, weight in WEIGHTS.items()
            if self.holds(node, field)
        )
        return weight_of_holders / sum(WEIGHTS.values())

    def fill_share(self, fields: Mapping[str, lucene.Node]) -> float:
        """How much of the fields their queries fill, by weight: 1 where they are all of them."""
        filled_weight = sum(
            WEIGHTS[field] * self._fill(node, field) * self._factor(node, field)
            for field, node in fields.items()
        )
        return filled_weight / sum(WEIGHTS[field] for field in fields)

    def _fill(self, node: lucene.Node, field: str) -> float:
        """Half for a find, more the fewer other words there are, all for the field as it is."""
        words_of_field = self.fields[field]
        words = [leaf.text for leaf in lucene.leaves(node) if isinstance(leaf, lucene.Word)]
        query_parts = [part for word in words for part in parts_of(word)]
        if query_parts == parts_of(words_of_field.content):
            return 1.0
        return 0.5 + 0.45 * min(1.0, len(query_parts) / max(1, words_of_field.words))

    def _factor(self, node: lucene.Node, field: str) -> float:
        return 1.0 if self.holds(typos.exact(node), field) else typos.SHARE

    def _has(self, name: str, child: lucene.Node) -> bool:
        field = field_of(name)
        if field is not None:
            return self.holds(child, field)
        names = {text.normalised(str(value)) for value in self.values(name)}
        for leaf in lucene.leaves(child):
            words = _words_of(leaf)
            literal = lucene.Phrase((name, *words.split()))
            if text.normalised(words) in names or self.holds(literal):
                return True
        return False

    def values(self, name: str) -> list[object]:
        """What the item says under a name of its metadata, as a list; empty where nothing."""
        entity = self.entity
        built_in: dict[str, object] = {
            "id": self.id, "name": self.name, "title": entity.title, "type": self.type,
            "description": self.description, "category": entity.category, "tags": entity.tags,
            "status": self._status, "source": self.space, "space": self.space,
        }  # fmt: skip
        value = built_in[name] if name in built_in else entity.attributes.get(name)
        if value is None:
            value = entity.attributes.get(f"{PREFIX}{name}")
        values = value if isinstance(value, list | tuple) else [value]
        return [value for value in values if value is not None and value != ""]


def field_of(name: str) -> str | None:
    """The field that a name before a colon means; None for a custom attribute."""
    name_of_field = name.casefold()
    name_of_field = {"tag": "tags", "text": "content"}.get(name_of_field, name_of_field)
    return name_of_field if name_of_field in {*WEIGHTS, "tags"} else None


def _words_of(leaf: lucene.Node) -> str:
    match leaf:
        case lucene.Word(word) | lucene.Fuzzy(word, _):
            return word
        case lucene.Phrase(words, _):
            return " ".join(words)
        case _:
            return ""
