"""Decay: what no search gives loses weight, down to a floor."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from graphmem.graph import Graph

DAYS = 30
FACTOR = 0.9
FLOOR = 0.1
BATCH = 500


@dataclass(frozen=True, slots=True)
class Decayed:
    """An entity that lost weight, or would.

    Args:
        key: Its key.
        name: Its name.
        before: Its weight as it was.
        after: Its weight as it is, or would be.
    """

    key: str
    name: str
    before: float
    after: float


def decay(graph: Graph, project: str, *, days: int = DAYS, dry_run: bool = False) -> list[Decayed]:
    """Take a tenth of the weight of every active entity that no search gave for so many days.

    An entity that no search ever gave counts from when it was made. A weight ends at 0.1.

    Returns:
        The entities that changed, or would, by key.
    """
    cutoff = datetime.now(UTC) - timedelta(days=days)
    decayed_entities: list[Decayed] = []
    last_key = ""
    while rows := graph.read(
        "read/memcp/stale_entities",
        project=project,
        before=cutoff,
        floor=FLOOR,
        after=last_key,
        limit=BATCH,
    ):
        last_key = rows[-1]["key"]
        if dry_run:
            decayed_entities += [
                Decayed(row["key"], row["name"], row["weight"], max(row["weight"] * FACTOR, FLOOR))
                for row in rows
            ]
        else:
            updated_rows = _write(graph, [row["key"] for row in rows], cutoff)
            decayed_entities += [Decayed(**row) for row in updated_rows]
    return decayed_entities


def _write(graph: Graph, keys: list[str], cutoff: datetime) -> list[dict[str, Any]]:
    return graph.run(
        "write/memcp/decay_entities", keys=keys, before=cutoff, factor=FACTOR, floor=FLOOR
    )
