"""The nine tools of MCP's reference memory server: its names, parameters and answers.

The graph is the server's project. A node is an entity that lives and is described: one that only
relations lead to is their end and no node, as a relation of the memory server may lead to a name
that has no entity. Names are compared as graphmem does, and no alias or title leads to a node.

What is deleted is hidden, so that `history` and `undo` know it. Where it is created again, it
starts without the observations and relations that it had. What is hidden with another status was
deleted by no tool: created again, it lives again with all that it had.
"""

from functools import partial

from graphmem.adapters.memory_server.profile.tools import Tools
from graphmem.profiles.tool_spec import Opened, ToolSpec


def offers(memory: Opened) -> list[ToolSpec]:
    """The tools of this profile."""
    tools = Tools(memory)
    offer = partial(ToolSpec, ignores_unknown=True)
    return [
        offer(tools.create_entities, writes=True),
        offer(tools.create_relations, writes=True),
        offer(tools.add_observations, writes=True),
        offer(tools.delete_entities, writes=True, destructive=True),
        offer(tools.delete_observations, writes=True, destructive=True),
        offer(tools.delete_relations, writes=True, destructive=True),
        offer(tools.read_graph),
        offer(tools.search_nodes),
        offer(tools.open_nodes),
    ]
