"""Traversal: what is around an entity, and the path between two.

A path has no entity that is hidden, and nothing that is not valid at the given time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

from graphmem.graph import Reader, Row
from graphmem.model.period import Day, Time, time_parameter
from graphmem.model.relation_fields import RelationDirection
from graphmem.model.stored_values import bound
from graphmem.model.where import Direction

AROUND = 100
SCAN = 1000
FANOUT = 50
VISITED = 20_000
_OPPOSITE: Mapping[Direction, Direction] = {"out": "in", "in": "out", "both": "both"}


@dataclass(frozen=True, slots=True)
class Step:
    """A relation on a path, from one entity to the next.

    Args:
        start: Key of the entity it comes from.
        end: Key of the entity it leads to.
        relation: Its type.
        direction: `out` where the relation points along the path.
        weight: In [0, 1].
        depth: Relations from the beginning, 1 for its neighbours.
        note: Why the two are linked, or None.
        valid_from: When the relation begins to hold, or None.
        valid_until: When it ends, or None.
    """

    start: str
    end: str
    relation: str
    direction: RelationDirection
    weight: float
    depth: int
    note: str | None
    valid_from: Day | None
    valid_until: Day | None

    @classmethod
    def of(cls, row: Row, start: str, end: str, depth: int) -> Self:
        """Read the columns of `read/closest` or `read/joining` that describe a relation."""
        return cls(
            start,
            end,
            row["relation"],
            "out" if row["outgoing"] else "in",
            row["weight"],
            depth,
            row["note"],
            bound(row["valid_from"]),
            bound(row["valid_until"]),
        )


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What is around an entity.

    Args:
        steps: One for each entity, the nearest first, then the heaviest relation, then by key.
        is_limited: Whether there are more entities than were asked for.
        hubs: Keys of the entities further on of which not all neighbours were looked at.
    """

    steps: tuple[Step, ...]
    is_limited: bool
    hubs: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether these are all."""
        return not (self.is_limited or self.hubs)


def neighbourhood(
    graph: Reader,
    key: str,
    *,
    depth: int,
    types: Sequence[str],
    direction: Direction = "both",
    limit: int = AROUND,
    time: Time | None = None,
) -> Neighbourhood:
    """Every active entity within so many relations of an entity.

    Args:
        graph: Where.
        key: Where it begins.
        depth: Relations away, at most.
        types: Only relations of these types; all where it is empty.
        direction: `out` where relations lead away from where it begins, `in` where they lead there.
        limit: Entities given, at most. Of an entity further on, 50 neighbours are looked at.
        time: When relations and entities must hold; None for any time.
    """
    visited, steps, frontier, hubs = {key}, list[Step](), [key], dict[str, None]()
    for level in range(1, depth + 1):
        rows = graph.read(
            "read/closest",
            keys=frontier, types=list(types), direction=direction, scan=SCAN,
            fanout=limit + 1 if level == 1 else FANOUT, search=time_parameter(time),
        )  # fmt: skip
        rows.sort(key=lambda row: (-row["weight"], row["key"], row["start"], row["relation"]))
        frontier = []
        for row in rows:
            if row["key"] in visited:
                continue
            if len(steps) == limit:
                return Neighbourhood(tuple(steps), is_limited=True)
            visited.add(row["key"])
            frontier.append(row["key"])
            steps.append(Step.of(row, row["start"], row["key"], level))
        hubs |= dict.fromkeys(row["start"] for row in rows if row["is_cut"])
        if not frontier:
            break
    return Neighbourhood(tuple(steps), is_limited=False, hubs=tuple(hubs))


@dataclass(frozen=True, slots=True)
class Route:
    """How two entities are joined.

    Args:
        keys: The entities on the route, both ends included; empty where there is none.
        steps: The relations between them, one fewer than the entities.
        is_complete: Whether everything within the depth was looked at; otherwise there may be a
            route where none is given.
    """

    keys: tuple[str, ...]
    steps: tuple[Step, ...]
    is_complete: bool = True


def shortest_path(
    graph: Reader,
    start: str,
    end: str,
    *,
    depth: int,
    types: Sequence[str] = (),
    direction: Direction = "both",
    time: Time | None = None,
) -> Route:
    """The shortest route between two entities over active ones.

    Of several it is the same one each time. It is looked for from both ends, a level of the smaller
    side at a time, among 20,000 entities.

    Args:
        graph: Where.
        start: Key of one end.
        end: Key of the other.
        depth: Relations on the route, at most.
        types: Only relations of these types; all where it is empty.
        direction: `out` where all relations lead from the start to the end, `in` the other way.
        time: When relations and entities must hold; None for any time.
    """
    condition = {"types": list(types), "search": time_parameter(time)}
    if start == end:
        return Route((start,), ())
    sides: list[dict[str, str]] = [{start: start}, {end: end}]
    frontiers = [[start], [end]]
    for _ in range(depth):
        side = 0 if len(frontiers[0]) <= len(frontiers[1]) else 1
        rows = graph.read(
            "read/reached",
            keys=frontiers[side],
            direction=direction if side == 0 else _OPPOSITE[direction],
            limit=VISITED,
            **condition,
        )
        new_parents = {row["key"]: row["parent"] for row in rows if row["key"] not in sides[side]}
        sides[side] |= new_parents
        frontiers[side] = list(new_parents)
        if meeting_keys := sorted(new_parents.keys() & sides[1 - side].keys()):
            keys = _join_halves(meeting_keys[0], sides)
            return Route(keys, _steps(graph, keys, {"direction": direction, **condition}))
        if not new_parents:
            break
        if len(rows) == VISITED or len(sides[0]) + len(sides[1]) > VISITED:
            return Route((), (), is_complete=False)
    return Route((), ())


def _join_halves(middle: str, sides: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    halves = []
    for parents in sides:
        half = [middle]
        while parents[half[-1]] != half[-1]:
            half.append(parents[half[-1]])
        halves.append(half)
    return (*reversed(halves[0]), *halves[1][1:])


def _steps(graph: Reader, keys: Sequence[str], condition: Mapping[str, object]) -> tuple[Step, ...]:
    pairs = [{"start": start, "end": end} for start, end in pairwise(keys)]
    rows = graph.read("read/joining", pairs=pairs, **condition)
    best_rows = {(row["start"], row["end"]): row for row in rows}
    return tuple(
        Step.of(best_rows[ends], *ends, depth)
        for depth, ends in enumerate(pairwise(keys), 1)
        if ends in best_rows
    )
