"""What an editor or a merge left unfinished, by which an import would take fields for text."""

import re

from graphmem.importing.refusing import Refused
from graphmem.transfer.markdown.entity import ENTITY_FIELDS
from graphmem.transfer.markdown.front_matter import front_matter_of

_FIELDS = "|".join(re.escape(name) for name in ("name", "type", "relations", *ENTITY_FIELDS))
# A rule may begin a text, but not with a field of a note right below it.
_BEGINNING = re.compile(rf"\s*---[ \t]*\n(?:{_FIELDS}):(?:[ \t]|\n)")
# One side of what git could not merge.
_SIDE = re.compile(r"^<{7} ", re.MULTILINE)


def check_finished(content: str) -> None:
    """Refuse a note whose front matter has no end, or has both sides of a conflict of git.

    Read as text, it would lose its kind, its relations and all other fields.

    Raises:
        Refused: It is unfinished.
    """
    parts = front_matter_of(content)
    side = _SIDE.search(parts.text) if parts else _SIDE.match(content)
    if side is not None:
        line = side.string.count("\n", 0, side.start()) + (parts.line if parts else 1)
        raise Refused(f"it has an unresolved conflict of git (line {line:,})")
    if parts is None and _BEGINNING.match(content):
        raise Refused("front matter: the line `---` that ends it is missing")
