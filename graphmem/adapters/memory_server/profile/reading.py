"""The graph as the tools that read give it, and what of a large one is left out."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from graphmem import text
from graphmem.adapters.memory_server.profile.nodes import (
    RELATIONS,
    all_pages,
    existing,
    is_node,
    links_of,
    node_of,
)
from graphmem.adapters.memory_server.profile.replies import Graph, Link, Node, indented_json
from graphmem.model import limits
from graphmem.model.page import Page

if TYPE_CHECKING:
    from graphmem.memory import Memory

# 10,000 tokens of 4 characters, and half as much for relations.
ENTITY_CHARACTERS = 40_000
# What JSON takes beside an entity's texts, and beside each of them.
JSON_CHARACTERS = 60
JSON_CHARACTERS_OF_TEXT = 10
MOST_RELATIONS = 300
MOST_OPENED_RELATIONS = 2000
HITS = 20
# Where a page ends is quoted, because answers hold no mark that a person does not see.
SAFE = " /:"

LINKS_LEFT = "Some relations are left out; open_nodes gives those of an entity by its name."
OPENED_LINKS_LEFT = (
    f"Some relations are left out: an answer has at most {RELATIONS} of an entity each way, "
    f"and {MOST_OPENED_RELATIONS:,} in all."
)


def open_nodes(memory: "Memory", names: Iterable[str]) -> Graph:
    """The nodes of some names, whole and in the order asked, with the relations around them."""
    pages = existing(memory, memory.project_name(), names, relations=RELATIONS)
    nodes = list({page.key: page for page in pages.values() if is_node(page)}.values())
    links, is_truncated = _around(nodes, MOST_OPENED_RELATIONS)
    return Graph(
        entities=[node_of(page) for page in nodes],
        relations=links,
        note=OPENED_LINKS_LEFT if is_truncated else "",
    )


def search(memory: "Memory", query: str) -> Graph:
    """The nodes that a query finds, best first, then those whose type it is."""
    project = memory.project_name()
    words = query.replace(":", " ").strip()  # the memory server's queries name no fields
    names: list[str] = []
    has_more = False
    if words:
        answer = memory.search(
            words,
            project=project,
            scope="project",
            expand=False,
            prefixes=True,
            limit=HITS,
            detail="names",
        )
        names += [hit.name for hit in answer.hits]
        has_more = answer.cursor is not None
    names += _of_type(memory, project, query)
    pages = existing(memory, project, names, relations=RELATIONS)
    nodes: list[Node] = []
    shown_pages: list[Page] = []
    notes: list[str] = []
    for page in {page.key: page for page in pages.values() if is_node(page)}.values():
        node = node_of(page)
        if not _has_room(nodes, node):
            has_more = True
            break
        nodes.append(_shortened(node, notes))
        shown_pages.append(page)
    links, is_truncated = _around(shown_pages, MOST_RELATIONS)
    if has_more:
        notes.append(
            f"More entities match than these {len(nodes)}; name more of what you look for."
        )
    notes += [LINKS_LEFT] if is_truncated else []
    return Graph(entities=nodes, relations=links, note=" ".join(notes))


def page_of_all(memory: "Memory", after: str) -> Graph:
    """A page of all nodes in the order of their names, with the relations that start at them."""
    nodes: list[Node] = []
    links: dict[Link, None] = {}
    notes: list[str] = []
    last = ""
    start = limits.text("after", unquote(after))
    pages = all_pages(memory, memory.project_name(), start, relations=MOST_RELATIONS + 1)
    for page in pages:
        starting = [link for link in links_of(page) if link.start == page.name]
        node = node_of(page) if is_node(page) else None
        too_many = bool(links) and len(links) + len(starting) > MOST_RELATIONS
        if too_many or (node is not None and not _has_room(nodes, node)):
            end = indented_json(quote(last, safe=SAFE))
            notes.append(
                f"There are more entities: call read_graph with after={end} for the next ones, "
                "or search_nodes for what you need."
            )
            break
        if node is not None:
            nodes.append(_shortened(node, notes))
        if len(starting) > MOST_RELATIONS:
            notes.append(LINKS_LEFT)
        links |= dict.fromkeys(starting[:MOST_RELATIONS])
        last = text.name_of(page.key)
    return Graph(entities=nodes, relations=list(links), note=" ".join(notes))


def _of_type(memory: "Memory", project: str, query: str) -> list[str]:
    """The names of the entities of a type that is the whole query, those changed last first."""
    kind = limits.or_none(limits.kind, query)
    if kind is None:
        return []
    answer = memory.search(
        "", project=project, scope="project", kinds=[kind], limit=HITS, detail="names"
    )
    return [hit.name for hit in answer.hits]


def _has_room(nodes: list[Node], node: Node) -> bool:
    """Whether a node can be added; the first one always can."""
    return not nodes or sum(map(_characters, [*nodes, node])) <= ENTITY_CHARACTERS


def _shortened(node: Node, notes: list[str]) -> Node:
    """A node without the observations that are too many or too long for an answer."""
    room = ENTITY_CHARACTERS
    observations: list[str] = []
    for observation in node.observations:
        room -= len(observation)
        if room < 0:
            observations += [] if observations else [f"{observation[:ENTITY_CHARACTERS]}…"]
            notes.append(f"{node.name} says more than is shown; open_nodes gives it whole.")
            break
        observations.append(observation)
    return node.model_copy(update={"observations": observations})


def _characters(node: Node) -> int:
    texts = [node.name, node.entity_type, *node.observations]
    return JSON_CHARACTERS + sum(len(text) + JSON_CHARACTERS_OF_TEXT for text in texts)


def _around(pages: Sequence[Page], most: int) -> tuple[list[Link], bool]:
    """The relations around entities, those between them first, and whether some are left out."""
    names = {page.name for page in pages}
    links = list(dict.fromkeys(link for page in pages for link in links_of(page)))
    links.sort(key=lambda link: not (link.start in names and link.end in names))
    is_truncated = len(links) > most or any(page.omitted_relations for page in pages)
    return links[:most], is_truncated
