"""The one door to the Neo4j driver."""

from graphmem.graph.conflicts import Overtaken
from graphmem.graph.connection import Graph
from graphmem.graph.errors import Target
from graphmem.graph.rehearsal import rehearse
from graphmem.graph.transaction import Reader, Row, Transaction
from graphmem.graph.vectors import vector_value

__all__ = [
    "Graph",
    "Overtaken",
    "Reader",
    "Row",
    "Target",
    "Transaction",
    "rehearse",
    "vector_value",
]
