"""A scope: which type of item is searched, and below which folder."""

import re
from dataclasses import dataclass
from typing import Literal

from graphmem.adapters.rye.items import KINDS, TYPES, ItemType
from graphmem.errors import InvalidInput

Space = Literal["project", "user", "system"]
SearchType = Literal["list", "keyword", "fuzzy", "proximity", "fuzzy+proximity"]
FULL = "rye.search."
ALLOWED = "must be directive, tool or knowledge, with or without a folder: tool.rye.core.*"

_SEPARATOR = re.compile(r"[./]")


@dataclass(frozen=True, slots=True)
class Scope:
    """What is searched.

    Args:
        item_type: The type of all hits.
        folder: Whole segments of a path that ids begin with; blank for all.
    """

    item_type: ItemType
    folder: str = ""

    @classmethod
    def read(cls, scope_text: str) -> "Scope":
        """Read `tool`, `tool.rye.core.*` or `rye.search.tool.rye.core.*`; a dot is a slash.

        Raises:
            InvalidInput: It begins with no type, or has a blank part or a star inside.
        """
        scope = scope_text.strip().removeprefix(FULL)
        item_type, dot, folder = scope.partition(".")
        folder = "" if folder == "*" else folder.removesuffix("*").removesuffix(".")
        parts = _SEPARATOR.split(folder) if folder else []
        is_malformed = not all(part.strip() and "*" not in part for part in parts)
        if item_type not in TYPES or is_malformed or (dot and scope.endswith(".")):
            raise InvalidInput("scope", scope_text, ALLOWED)
        return cls(item_type, "/".join(parts))

    @property
    def kind(self) -> str:
        """The kind of the entities that the type's items are."""
        return KINDS[self.item_type]

    @property
    def path(self) -> str:
        """What the names of the entities in the scope begin with, in whole segments."""
        return f"{self.item_type}/{self.folder}".rstrip("/")
