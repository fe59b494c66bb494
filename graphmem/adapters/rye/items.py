"""RyeOS's items as entities: their types and kinds, their names, and what is kept where."""

from typing import Literal

ItemType = Literal["directive", "tool", "knowledge"]

TYPES: tuple[ItemType, ...] = ("directive", "tool", "knowledge")
KINDS: dict[str, str] = {"directive": "Directive", "tool": "Tool", "knowledge": "Knowledge"}
# The source of the observation that an item's description is.
DESCRIPTION = "description"
# Own fields whose names graphmem needs itself get this before them.
PREFIX = "rye_"


def name_of(item_type: str, item_id: str) -> str:
    """The name of an item's entity."""
    return f"{item_type}/{item_id}"
