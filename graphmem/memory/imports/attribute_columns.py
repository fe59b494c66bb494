"""Columns of tables that became custom attributes, whose values plain words do not find."""

from collections.abc import Iterator

from graphmem.errors import shortened
from graphmem.memory.imports.collecting import Collected
from graphmem.model import Entity
from graphmem.transfer import Row

# So many columns are named.
COLUMNS_IN_NOTE = 3


class AttributeColumns:
    """Notes the custom attributes of entities that are texts, while their rows pass."""

    def __init__(self) -> None:
        self._names: dict[str, None] = {}

    def watched(self, rows: Iterator[Row]) -> Iterator[Row]:
        """The same rows."""
        for row in rows:
            if isinstance(row.value, Entity):
                attributes = row.value.attributes.items()
                self._names.update(
                    (name, None) for name, value in attributes if isinstance(value, str)
                )
            yield row

    def say(self, collected: Collected) -> None:
        """Note what a person should know who has imported such columns, if anything changed."""
        names = [shortened(name) for name in list(self._names)[:COLUMNS_IN_NOTE]]
        if not names or not collected.report().changes:
            return
        if (others := len(self._names) - COLUMNS_IN_NOTE) > 0:
            names.append(f"{others:,} more")
        *first, last = names
        columns = f"columns {', '.join(first)} and {last}" if first else f"column {last}"
        collected.note(
            f"plain words do not find the texts of the {columns}, since they are custom "
            "attributes: filter by `where`, or put them into the column `observations`"
        )
