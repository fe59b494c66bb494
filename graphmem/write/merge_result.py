"""What a merge of two entities does."""

from collections.abc import Mapping
from dataclasses import dataclass

from graphmem.errors import listed, quantity
from graphmem.model import Item, Report
from graphmem.model.json_object import JsonObject


@dataclass(frozen=True, slots=True)
class Merge(JsonObject):
    """What a merge does, or would do.

    Args:
        fields: What differs, by field: what the entity that goes says, and the one that stays.
        relations: How many relations move.
        dropped: How many go: both had them, or they would lead from an entity to itself.
        observations: How many observations are added.
        aliases: The names that are added.
        hidden: The status for which searches leave out the entity that stays; None for another.
    """

    fields: Mapping[str, tuple[object, object]]
    relations: int
    dropped: int
    observations: int
    aliases: tuple[str, ...]
    hidden: str | None = None

    def report(self, project: str, into: str) -> Report:
        """The merge as a write's report, with an item for the entity that stays."""
        relations = quantity(self.relations, "relation", "relations")
        observations = quantity(self.observations, "observation", "observations")
        differing = "no field differed"
        if self.fields:
            differing = f"{listed(list(self.fields))} differed, and {into} kept its own"
        note = f"{relations} and {observations} moved; {differing}"
        warning = self.warning(into)
        notes = (note,) if warning is None else (note, warning)
        return Report(project, (Item("entity", into, "updated"),), notes=notes)

    def warning(self, into: str) -> str | None:
        """A sentence if searches leave out the entity that stays, by the name that it is given."""
        if self.hidden is None:
            return None
        return f"{into} is {self.hidden}: searches leave it out, and what was merged into it"
