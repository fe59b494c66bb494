"""Pictures of searches and entities: what an answer lacks is read, then all is drawn."""

from collections.abc import Sequence

from graphmem import arguments, read, view
from graphmem.errors import NotFound, shortened
from graphmem.graph import Graph
from graphmem.memory.names.resolving import keys_of
from graphmem.model import Answer
from graphmem.model.answer import MOST_HITS
from graphmem.read import relations
from graphmem.view import Node, Picture


def search_picture(graph: Graph, answer: Answer) -> Picture:
    """Draw an answer, with the seeds that are no hits of it and the relations between all."""
    seeds = [
        view.entity_node(seed, "seed") for seed in read.whole(graph, view.missing_seeds(answer))
    ]
    keys = [*(hit.key for hit in answer.hits), *(seed.key for seed in seeds)]
    return view.of_answer(answer, seeds, relations.between(graph, keys))


def entity_picture(graph: Graph, project: str, name: str, *, limit: int) -> Picture:
    """Draw an entity, its neighbours by the heaviest relations, and the relations between all.

    Args:
        graph: The store.
        project: The project that holds it.
        name: Its name, alias, title or key, or its place in code.
        limit: The most neighbours, 1 to 200.

    Raises:
        InvalidInput: The name is blank, or the limit not allowed.
        NotFound: The name leads to no entity, or to several.
    """
    arguments.number("limit", limit, 1, MOST_HITS)
    (key,) = keys_of(graph, project, [name], by_place=True)
    keys, all_of_them = relations.around(graph, key)
    shown_keys = keys[:limit]
    nodes: dict[str, Node] = {}
    for entity in read.whole(graph, sorted({key, *shown_keys})):
        nodes[entity.key or ""] = view.entity_node(
            entity, "centre" if entity.key == key else "neighbour"
        )
    if key not in nodes:  # somebody removed it since its name was looked up
        raise NotFound(f"there is no entity {shortened(name)} in {project} any more")
    between = relations.between(graph, [key, *shown_keys])
    neighbours = [nodes[neighbour] for neighbour in shown_keys if neighbour in nodes]
    notes = _left_out(len(keys), len(shown_keys), all_of_them=all_of_them)
    return view.of_entity(nodes[key], neighbours, between, total=len(keys), notes=notes)


def _left_out(total: int, shown_count: int, *, all_of_them: bool) -> Sequence[str]:
    if total <= shown_count:
        return ()
    total_text = f"{total:,}" if all_of_them else f"{total:,} or more"
    note = f"{shown_count} of {total_text} neighbours shown, by the weight of their relations"
    return (f"{note}; raise the limit to see more",)
