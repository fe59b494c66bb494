"""The one door to the Neo4j driver."""

from graphmem.graph.connection import Graph, Row, Transaction
from graphmem.graph.errors import Target

__all__ = ["Graph", "Row", "Target", "Transaction"]
