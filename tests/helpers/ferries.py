"""A ferry that runs in the summer: entities, observations and relations with periods."""

from datetime import date
from typing import Any

from graphmem.memory import Memory
from graphmem.model import Answer

SPRING: dict[str, Any] = {"valid_from": "2024-03-01", "valid_until": "2024-05-31"}


def names(answer: Answer) -> list[str]:
    return [hit.name for hit in answer.hits]


def texts(answer: Answer) -> list[str]:
    return [passage.text for hit in answer.hits for passage in hit.passages]


def hit_names(memory: Memory, query: str, **options: Any) -> set[str]:  # noqa: ANN401 - as `search` has them
    return set(names(memory.search(query, limit=50, **options)))


def line(memory: Memory, name: str) -> dict[str, Any]:
    """An entity as an export has it."""
    (one,) = [dict(line) for line in memory.export() if line.get("name") == name]
    return one


def periods(memory: Memory, name: str) -> list[tuple[str, date | None, date | None]]:
    """The observations of an entity, with when they hold."""
    entity = memory.get(name)[0].entity
    return [
        (observation.text, observation.valid_from, observation.valid_until)
        for observation in entity.observations
    ]


def remember_ferry(memory: Memory) -> Memory:
    """A ferry that sailed in spring and one that always does, which are linked with a quay."""
    memory.remember(
        [
            {"name": "Spring ferry", "kind": "Ship", "text": "It sails to the island.", **SPRING},
            {"name": "Old ferry", "kind": "Ship", "text": "It sails to the island."},
            {
                "name": "Quay",
                "kind": "Place",
                "text": "A mooring of stone.",
                "observations": [
                    {"text": "The crane is broken.", **SPRING},
                    "The crane is yellow.",
                ],
            },
        ],
        [
            {"from": "Spring ferry", "relation": "MOORS_AT", "to": "Quay"},
            {"from": "Old ferry", "relation": "MOORS_AT", "to": "Quay"},
        ],
    )
    return memory
