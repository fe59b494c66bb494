"""Observations: notes about an entity, each with its own time and source."""

from dataclasses import dataclass, field
from datetime import datetime

from graphmem.errors import InvalidInput
from graphmem.model import limits, sources
from graphmem.model.correction import UNSETTABLE_OF_OBSERVATIONS, unset
from graphmem.model.json_object import OPTIONAL, JsonObject
from graphmem.model.observation_fields import OBSERVATION_FIELDS
from graphmem.model.parsing import object_of, optional, period_of, required
from graphmem.model.period import Day

_FIELDS = frozenset({"text", "id", *OBSERVATION_FIELDS, "unset"})


@dataclass(frozen=True, slots=True)
class Observation(JsonObject):
    """A note about an entity, with its own time and source.

    Args:
        text: The note, at most 1 MiB; in a write it may be empty if the observation `id` keeps its
            text.
        created_at: When it was said; by default the moment of writing.
        source: Who or what stated it.
        confidence: How certain it is, in [0, 1].
        id: In an answer its id; in a write the id of the observation that it replaces.
        valid_from: The day or moment from which it is valid.
        valid_until: The last day, or the moment, until which it is valid.
        unset: In a write, fields of the observation `id` to clear.
    """

    text: str
    created_at: datetime | None = field(default=None, metadata=OPTIONAL)
    source: str | None = field(default=None, metadata=OPTIONAL)
    confidence: float | None = field(default=None, metadata=OPTIONAL)
    id: str | None = field(default=None, metadata=OPTIONAL)
    valid_from: Day | None = field(default=None, metadata=OPTIONAL)
    valid_until: Day | None = field(default=None, metadata=OPTIONAL)
    unset: tuple[str, ...] = field(default=(), metadata=OPTIONAL)

    @classmethod
    def from_json(cls, value: object, *, argument: str = "observation") -> "Observation":
        """Read a text, or an object with `text` or `id` and perhaps other fields.

        Raises:
            InvalidInput: A field is not allowed; the message names it.
        """
        if isinstance(value, str):
            value = {"text": value}
        fields = object_of(argument, value, allowed=_FIELDS)
        corrects = fields.get("id") is not None
        new_text = fields.get("text")
        keeps_text = corrects and (new_text is None or new_text == "")
        text = "" if keeps_text else required(limits.text, f"{argument}.text", fields)
        if not text.strip() and not keeps_text:
            raise InvalidInput(f"{argument}.text", text, "must not be blank")
        return cls(
            text=text,
            created_at=optional(limits.moment, f"{argument}.created_at", fields),
            source=optional(sources.source, f"{argument}.source", fields),
            confidence=optional(limits.share, f"{argument}.confidence", fields),
            id=optional(limits.label, f"{argument}.id", fields),
            unset=unset(
                f"{argument}.unset", fields, UNSETTABLE_OF_OBSERVATIONS if corrects else ()
            ),
            **period_of(argument, fields),
        )
