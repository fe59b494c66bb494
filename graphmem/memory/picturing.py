"""Pictures of searches and entities: what an answer does not say is read, then all is drawn."""

from collections.abc import Sequence

from graphmem import arguments, read, view
from graphmem.graph import Graph
from graphmem.memory.naming import keys_of
from graphmem.memory.options import LIMIT
from graphmem.model import Answer
from graphmem.read import relations
from graphmem.view import Picture
from graphmem.view.pictures import missing_seeds


def search_picture(graph: Graph, answer: Answer) -> Picture:
    """Draw an answer, with the seeds that are no hits of it and the relations between all."""
    seeds = list(read.whole(graph, missing_seeds(answer)))
    keys = [*(hit.key for hit in answer.hits), *(seed.key or "" for seed in seeds)]
    return view.of_answer(answer, seeds, relations.between(graph, keys))


def entity_picture(graph: Graph, project: str, name: str, *, limit: int) -> Picture:
    """Draw an entity, its neighbours by the heaviest relations, and the relations between all.

    Args:
        graph: Where.
        project: The project that holds it.
        name: Its name, alias, title or key.
        limit: The most neighbours, 1 to 200.

    Raises:
        InvalidInput: The name is blank, or the limit not allowed.
        NotFound: The name leads to no entity, or to several.
    """
    arguments.number("limit", limit, 1, LIMIT)
    (key,) = keys_of(graph, project, [name])
    keys, all_of_them = relations.around(graph, key)
    shown = keys[:limit]
    entities = {one.key: one for one in read.whole(graph, sorted({key, *shown}))}
    between = relations.between(graph, [key, *shown])
    neighbours = [entities[one] for one in shown if one in entities]
    notes = _left_out(len(keys), len(shown), all_of_them=all_of_them)
    return view.of_entity(entities[key], neighbours, between, total=len(keys), notes=notes)


def _left_out(total: int, shown: int, *, all_of_them: bool) -> Sequence[str]:
    if total <= shown:
        return ()
    counted = f"{total:,}" if all_of_them else f"{total:,} or more"
    note = f"{shown} of {counted} neighbours shown, by the weight of their relations"
    return (f"{note}; raise the limit to see more",)
