"""The picture of a search or of an entity: what is drawn, and the one HTML page that draws it."""

from graphmem.view.page import html
from graphmem.view.picture import Link, Node, Picture, Related
from graphmem.view.pictures import LARGEST, of_answer, of_entity

__all__ = ["LARGEST", "Link", "Node", "Picture", "Related", "html", "of_answer", "of_entity"]
