"""What the text indexes of passages and of entities call their fields."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fields:
    """What the fields of an index are called.

    Args:
        searched: Where a word without a field is looked for, and how much a find there counts.
        parts: The one that holds the parts of identifiers.
        filters: The one that holds the filter tokens.
        by_name: What a caller may write before a colon, and the field that answers it.
    """

    searched: tuple[tuple[str, float], ...]
    parts: str
    filters: str
    by_name: Mapping[str, str]


_SAME = ("name", "title", "kind", "category")
PASSAGE_FIELDS = Fields(
    searched=(("names", 1.0), ("text", 1.0), ("words", 0.5)),
    parts="words",
    filters="filters",
    by_name={"alias": "alias", "tag": "tag", "text": "text"} | {name: name for name in _SAME},
)
ENTITY_FIELDS = Fields(
    searched=(
        ("graphmem_called", 1.0),
        ("graphmem_text", 1.0),
        ("graphmem_identifier_parts", 0.5),
    ),
    parts="graphmem_identifier_parts",
    filters="graphmem_filters",
    by_name={"alias": "aliases", "tag": "tags", "text": "graphmem_text"}
    | {name: name for name in _SAME},
)
