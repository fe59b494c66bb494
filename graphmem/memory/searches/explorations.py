"""Following several relations: what is around an entity, and the path between two."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Self

from graphmem import arguments, read
from graphmem.errors import InvalidInput, quantity, shortened
from graphmem.graph import Graph, Reader
from graphmem.memory.names.resolving import keys_of
from graphmem.memory.searches.options import time_of
from graphmem.model.exploration import (
    DEPTH,
    MOST_DEPTH,
    MOST_ENTITIES,
    MOST_PATH_DEPTH,
    PATH_DEPTH,
    RAISE_LIMIT,
    Exploration,
    ExploredEntity,
)
from graphmem.model.period import ANY_TIME, Time
from graphmem.model.status import REMOVED
from graphmem.model.where import DIRECTIONS, Direction
from graphmem.read import traversal
from graphmem.search.unknown_values import unknown_types

# What errors call the names.
ARGUMENTS = ("name", "to")
# Removed entities that a note names.
MOST_NAMED_RELATIONS = 3
_UNLINKED: Mapping[Direction, str] = {
    "both": "{name} is linked{by} to nothing that searches show",
    "out": "{name} leads{by} to nothing that searches show",
    "in": "nothing that searches show leads{by} to {name}",
}


@dataclass(frozen=True, slots=True)
class ExplorationRequest:
    """What is to be explored, checked.

    Args:
        names: Of the entity where it begins, and perhaps of the one where the path ends.
        depth: The most relations away.
        types: Relation types that are followed; empty for all.
        direction: Which way they are followed.
        limit: The most entities around one.
        time: When relations and entities must hold; None for any time.
    """

    names: tuple[str, ...]
    depth: int
    types: tuple[str, ...]
    direction: Direction
    limit: int
    time: Time | None

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        *,
        depth: int | None,
        relations: object,
        direction: Direction,
        limit: int,
        at: object,
        as_of: datetime | None = None,
    ) -> Self:
        """Check what a caller gives; see `Memory.explore`.

        `as_of` is the moment of the past that is explored, in which `now` is that moment.

        Raises:
            InvalidInput: An argument is not allowed.
        """
        usual, most = (DEPTH, MOST_DEPTH) if len(names) == 1 else (PATH_DEPTH, MOST_PATH_DEPTH)
        if depth in range(most + 1, MOST_PATH_DEPTH + 1):
            hint = f"It may be up to {MOST_PATH_DEPTH} for the path to another entity."
            raise InvalidInput("depth", depth, f"must be from 1 to {most}", hint=hint)
        checked_depth = usual if depth is None else arguments.count("depth", depth, most=most)
        listed_types = [relations] if isinstance(relations, str) else relations
        types = () if listed_types is None else arguments.labels("relations", listed_types)
        arguments.choice("direction", direction, DIRECTIONS)
        arguments.count("limit", limit, most=MOST_ENTITIES)
        moment = time_of(at)
        time = None
        if moment != ANY_TIME:
            time = Time.of(moment if isinstance(moment, date) else as_of or datetime.now(UTC))
        return cls(tuple(names), checked_depth, types, direction, limit, time)


def explored(graph: Graph, project: str, request: ExplorationRequest) -> Exploration:
    """Follow relations from an entity, or find the shortest path to another one.

    Raises:
        NotFound: A name leads to no entity, or to several.
    """
    keys = keys_of(graph, project, request.names, ARGUMENTS, by_place=True)
    return explored_from(graph, project, request, keys)


def explored_from(
    graph: Reader, project: str, request: ExplorationRequest, keys: Sequence[str]
) -> Exploration:
    """Do what `explored` does, from the entities whose keys the names of the request led to."""
    start, *ends = keys
    steps: Sequence[traversal.Step]
    hubs: Sequence[str]
    if ends:
        route = traversal.shortest_path(
            graph,
            start,
            ends[0],
            depth=request.depth, types=request.types, direction=request.direction,
            time=request.time,
        )  # fmt: skip
        steps, is_complete, hubs = route.steps, route.is_complete, ()
    else:
        around = traversal.neighbourhood(
            graph,
            start,
            depth=request.depth, types=request.types, direction=request.direction,
            limit=request.limit, time=request.time,
        )  # fmt: skip
        steps, is_complete, hubs = around.steps, not around.is_limited, around.hubs
    shown_keys = sorted({start, *ends, *(step.end for step in steps)})
    rows_by_key = {row["key"]: row for row in graph.read("read/names_of", keys=shown_keys)}
    entities = tuple(
        ExploredEntity(
            name=rows_by_key[step.end]["name"],
            kind=rows_by_key[step.end]["kind"],
            depth=step.depth,
            previous=rows_by_key[step.start]["name"],
            relation=step.relation,
            direction=step.direction,
            note=step.note,
            weight=step.weight,
            valid_from=step.valid_from,
            valid_until=step.valid_until,
        )
        for step in steps
        if step.start in rows_by_key and step.end in rows_by_key
    )
    first, *others = (
        rows_by_key[key]["name"] if key in rows_by_key else name
        for key, name in zip([start, *ends], request.names, strict=True)
    )
    to = others[0] if others else None
    note = _note(
        request,
        first,
        to,
        is_connected=bool(steps) or start in ends,
        is_complete=is_complete,
        hubs=[rows_by_key[key]["name"] for key in hubs if key in rows_by_key],
    )
    notes = [
        note,
        None if steps else unknown_types(graph, [project], request.types),
        _removed_note(graph, start, request) if not (steps or ends) else None,
    ]
    return Exploration(project, first, to, entities, tuple(filter(None, notes)))


def _removed_note(graph: Reader, key: str, request: ExplorationRequest) -> str | None:
    """Name what an entity leads to that is removed, since that may be why nothing is shown."""
    if request.direction == "in":
        return None
    removed_ends = [
        f"{neighbour.relation} {shortened(neighbour.name)}"
        for page in read.pages(graph, [key])
        for neighbour in page.neighbours
        if neighbour.status == REMOVED
        and neighbour.relation in (request.types or {neighbour.relation})
    ]
    if not removed_ends:
        return None
    relations = quantity(len(removed_ends), "relation leads", "relations lead")
    named = ", ".join(removed_ends[:MOST_NAMED_RELATIONS])
    more = (
        f" and {len(removed_ends) - MOST_NAMED_RELATIONS:,} more"
        if len(removed_ends) > MOST_NAMED_RELATIONS
        else ""
    )
    return f"{relations} to something that is removed: {named}{more}"


def _note(
    request: ExplorationRequest,
    first: str,
    to: str | None,
    *,
    is_connected: bool,
    is_complete: bool,
    hubs: Sequence[str],
) -> str | None:
    """What the caller should know beside the entities."""
    reach = quantity(request.depth, "relation", "relations")
    if to is not None:
        if is_connected:
            return None
        among = "" if is_complete else f" among the {traversal.VISITED:,} entities nearest to them"
        start, end = (to, first) if request.direction == "in" else (first, to)
        return f"no path of at most {reach} leads from {start} to {end}{among}"
    if not is_connected:
        return _UNLINKED[request.direction].format(
            name=first, by=f" by {', '.join(request.types)}" if request.types else ""
        )
    if not is_complete:
        return _limit_note(request)
    return _hub_note(request, first, hubs) if hubs else None


def _limit_note(request: ExplorationRequest) -> str:
    """What shows more entities than the limit, or fewer and other ones."""
    ways = ["lower `depth`"] if request.depth > 1 else []
    if len(request.types) != 1:
        ways.append(_name_types(request))
    elif request.direction == "both":
        ways.append("choose a `direction`")
    if request.limit < MOST_ENTITIES:
        ways = [RAISE_LIMIT, *ways]
    return f"there are more entities; {_alternatives(ways)}" if ways else "there are more entities"


def _hub_note(request: ExplorationRequest, first: str, hubs: Sequence[str]) -> str:
    """Of which entities some neighbours are missing, and how they are found."""
    others = quantity(len(hubs) - 1, "other", "others") if hubs[1:] else None
    named = shortened(hubs[0]) + (f" and {others}" if others else "")
    ways = [] if hubs[0] == first else ["explore it by itself"]
    if len(request.types) != 1:
        ways.append(_name_types(request))
    advice = f"; {_alternatives(ways)}" if ways else ""
    return f"not all that {named} is linked to was looked at, so there may be more entities{advice}"


def _name_types(request: ExplorationRequest) -> str:
    return "name fewer `relations`" if request.types else "name `relations`"


def _alternatives(ways: Sequence[str]) -> str:
    if not ways[2:]:
        return " or ".join(ways)
    return f"{', '.join(ways[:-1])}, or {ways[-1]}"
