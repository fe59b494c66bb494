"""Columns of tables that became custom attributes, whose values plain words do not find."""

from collections.abc import Iterator

from graphmem.errors import listed, shortened
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
        if not self._names or not collected.report().changes:
            return
        columns = "columns" if len(self._names) > 1 else "column"
        names = listed(list(map(shortened, self._names)), COLUMNS_IN_NOTE)
        collected.note(
            f"plain words do not find the texts of the {columns} {names}, since they are custom "
            "attributes: filter by `where`, or put them into the column `observations`"
        )
