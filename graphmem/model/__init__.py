"""The values that travel between the floors: frozen, slotted, without behaviour of their own."""

from graphmem.model.answer import Answer, Explanation, Hit, LegPart, LinkPart, Matched, Passage, Via
from graphmem.model.context import Context
from graphmem.model.entity import Entity, Relation
from graphmem.model.observation import Observation
from graphmem.model.report import Item, Outcome, PartialWrite, Report

__all__ = [
    "Answer",
    "Context",
    "Entity",
    "Explanation",
    "Hit",
    "Item",
    "LegPart",
    "LinkPart",
    "Matched",
    "Observation",
    "Outcome",
    "PartialWrite",
    "Passage",
    "Relation",
    "Report",
    "Via",
]
