"""Limits: whether the store has room for new values, and an entity for what a write adds to it."""

from collections.abc import Mapping, Sequence
from typing import Any

from graphmem.errors import InvalidInput
from graphmem.graph import Graph
from graphmem.model import Entity, Item, Relation
from graphmem.model.accumulated import Holding, within_limits
from graphmem.model.period import PERIOD, check_period
from graphmem.write.assertions.shape import Desired, Stored
from graphmem.write.assertions.shared import own_attributes
from graphmem.write.vocabulary import refusals as refusals_of_vocabulary

OBSERVATION = "observation"
ONE_PERIOD = ". An observation has one period; to keep two, say in its text when it holds."


def refusals(graph: Graph, values: Sequence[Entity | Relation | Item]) -> dict[int, str]:
    """Why some values cannot be stored, by index: too large, or in need of a name without room.

    Args:
        graph: The store.
        values: Checked entities and relations, the first to use a new name gets the room left; an
            Item was refused before and needs none.
    """
    size_refusals = {
        place: reason
        for place, value in enumerate(values)
        if isinstance(value, Entity) and (reason := _excess(value.holding, Holding()))
    }
    places = [place for place in range(len(values)) if place not in size_refusals]
    without_room = refusals_of_vocabulary(graph, [values[place] for place in places])
    return size_refusals | {places[number]: reason for number, reason in without_room.items()}


def refusal(stored: Stored, desired: Desired) -> str | None:
    """Why an entity cannot become what it shall be, or None where it can.

    It would exceed the size limits of an entity, or its period would end before it begins.
    """
    return _excess(_holding(desired), _holding(stored)) or inversion(stored, desired)


def inversion(stored: Stored, desired: Desired) -> str | None:
    """Why a period cannot become what was said: it would end before it begins.

    So may that of an observation which is said twice, once with each.
    """
    before = {passage["id"]: passage for passage in stored.passages}
    periods: list[tuple[str, Mapping[str, Any], Mapping[str, Any]]] = [
        ("entity", stored.properties, desired.properties),
        *((OBSERVATION, before.get(passage["id"], {}), passage) for passage in desired.passages),
    ]
    for argument, stored_fields, desired_fields in periods:
        if any(stored_fields.get(name) != desired_fields.get(name) for name in PERIOD):
            try:
                check_period(argument, desired_fields)
            except InvalidInput as error:
                return f"{error}{ONE_PERIOD if argument == OBSERVATION else ''}"
    return None


def _excess(after: Holding, before: Holding) -> str | None:
    try:
        within_limits(after, before)
    except InvalidInput as error:
        return str(error)
    return None


def _holding(entity: Stored | Desired) -> Holding:
    texts: dict[str, list[str]] = {"text": [], "observation": [], "card": []}
    for passage in entity.passages:
        texts[passage["origin"]].append(passage["text"])
    return Holding.of(
        aliases=entity.properties.get("aliases") or (),
        tags=entity.properties.get("tags") or (),
        attributes=own_attributes(entity.properties),
        # Words of other authors that do not count now are stored as well, so they take room.
        text=[*texts["text"], entity.properties.get("graphmem_assertions") or ""],
        observations=texts["observation"],
    )
