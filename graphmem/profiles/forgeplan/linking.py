"""What a relation says of itself beside its type and note: how sure it is, and own attributes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphmem import text
from graphmem.model.entity import RESERVED_RELATION_ATTRIBUTES

if TYPE_CHECKING:
    from graphmem.graph import Row
    from graphmem.memory import Memory
    from graphmem.model.answer import Hit

# What names a relation: its seed and neighbour, its type, and its direction as seen from the seed.
Ends = tuple[str, str, str, str]
# As many as the search looks at of one seed.
RELATIONS = 1000


def properties(memory: "Memory", hits: Sequence["Hit"]) -> dict[Ends, dict[str, object]]:
    """The `confidence` and `attributes` of every link that led to some hits.

    Raises:
        DatabaseError: The database does not answer or refuses.
    """
    project = memory.project_name()
    wanted = {
        (link.seed, hit.name, link.relation, link.direction) for hit in hits for link in hit.via
    }
    keys = sorted({text.key(project, name) for _, name, _, _ in wanted})
    if not keys:
        return {}
    rows = memory.graph.read("read/entities", keys=keys, relations=RELATIONS)
    found: dict[Ends, dict[str, object]] = {}
    for row in rows:
        for direction, links in (("in", row["outgoing"]), ("out", row["incoming"])):
            for link in links:
                ends = (link["name"], row["entity"]["name"], link["relation"], direction)
                if ends in wanted:
                    found[ends] = _said(link["properties"])
    return found


def _said(stored: "Row") -> dict[str, object]:
    own = {name: stored[name] for name in stored if name not in RESERVED_RELATION_ATTRIBUTES}
    return {
        "confidence": stored.get("confidence"),
        "attributes": {name: _plain(value) for name, value in own.items()},
    }


def _plain(value: object) -> object:
    """A value as JSON has it."""
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value if isinstance(value, str | int | float | bool) else str(value)
