"""The picture of a search or of an entity: what is drawn, and the one HTML page that draws it."""

from graphmem.view.page import html
from graphmem.view.picture import Link, Node, Picture, ShownIdentity, ShownRelation
from graphmem.view.pictures import entity_node, missing_seeds, of_answer, of_entity

__all__ = [
    "Link",
    "Node",
    "Picture",
    "ShownIdentity",
    "ShownRelation",
    "entity_node",
    "html",
    "missing_seeds",
    "of_answer",
    "of_entity",
]
