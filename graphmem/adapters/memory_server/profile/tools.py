"""The tools: each a typed signature, a few sentences for the agent, and a call."""

from threading import Lock
from typing import Annotated

from pydantic import Field

from graphmem.adapters.memory_server.profile import parameters, reading, replies, writing
from graphmem.profiles.tool_spec import Opened


class Tools:
    """The tools of one server.

    Agents call several at once, such as one that creates entities and one that links them; those
    that write wait for each other.

    Args:
        memory: Gives the open memory.
    """

    def __init__(self, memory: Opened) -> None:
        self._memory = memory
        self._writing = Lock()

    def create_entities(self, entities: parameters.Entities) -> replies.CreatedEntities:
        """Create multiple new entities in the knowledge graph.

        One whose name is there already stays as it is; use add_observations for it.
        """
        memory = self._memory()
        with self._writing:
            created = writing.create_entities(memory, entities)
        return replies.list_reply(replies.CreatedEntities(entities=created))

    def create_relations(self, relations: parameters.Relations) -> replies.CreatedRelations:
        """Create multiple new relations between entities in the knowledge graph.

        Relations should be in active voice. One that is there already is skipped.
        """
        memory = self._memory()
        with self._writing:
            created = writing.create_relations(memory, relations)
        return replies.list_reply(replies.CreatedRelations(relations=created))

    def add_observations(self, observations: parameters.Additions) -> replies.AddedObservations:
        """Add new observations to existing entities in the knowledge graph."""
        memory = self._memory()
        with self._writing:
            added = writing.add_observations(memory, observations)
        return replies.list_reply(replies.AddedObservations(results=added))

    def delete_entities(
        self, entity_names: Annotated[parameters.Names, Field(alias="entityNames")]
    ) -> replies.Deleted:
        """Delete multiple entities and their associated relations from the knowledge graph."""
        memory = self._memory()
        with self._writing:
            writing.delete_entities(memory, entity_names)
        return replies.deletion_reply("Entities")

    def delete_observations(self, deletions: parameters.Deletions) -> replies.Deleted:
        """Delete specific observations from entities in the knowledge graph."""
        memory = self._memory()
        with self._writing:
            writing.delete_observations(memory, deletions)
        return replies.deletion_reply("Observations")

    def delete_relations(self, relations: parameters.Relations) -> replies.Deleted:
        """Delete multiple relations from the knowledge graph."""
        memory = self._memory()
        with self._writing:
            writing.delete_relations(memory, relations)
        return replies.deletion_reply("Relations")

    def read_graph(self, after: parameters.After = "") -> replies.Graph:
        """Read the knowledge graph: entities in the order of their names, and their relations.

        A large graph comes in pages; a note says how to read on.
        """
        return replies.json_reply(reading.page_of_all(self._memory(), after))

    def search_nodes(self, query: parameters.Query) -> replies.Graph:
        """Search for nodes in the knowledge graph by words and by meaning, best first.

        Relations of the nodes are included. A blank query reads the whole graph.
        """
        memory = self._memory()
        is_blank = not query.strip()
        graph = reading.page_of_all(memory, "") if is_blank else reading.search(memory, query)
        return replies.json_reply(graph)

    def open_nodes(self, names: parameters.Names) -> replies.Graph:
        """Open specific nodes in the knowledge graph by their names, with their relations.

        Names that are not there are skipped.
        """
        return replies.json_reply(reading.open_nodes(self._memory(), names))
