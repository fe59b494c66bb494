"""memcp's tools over graphmem: its names, parameters and answers.

A context is a project and a label is a tag. The default context is the server's project: the one it
was started with, else that of the git remote or folder; the bare name of that repository or folder,
which memcp calls it by, means it too. An entity's id is `entity:` and its name, or its whole key
where it belongs to another context.

The search fuses the text and the vector leg by reciprocal ranks with k = 60; names are found as
words. Entities one relation away come with it and are no find of their own. That entities were
found is noted in the background (`upkeep`) and shown by `get_entity` alone, so that a search
answers the same before and after.
"""

from graphmem.adapters.memcp.profile.tools import Tools
from graphmem.profiles.tool_spec import Opened, ToolSpec


def offers(memory: Opened) -> list[ToolSpec]:
    """The tools of this profile."""
    tools = Tools(memory)
    return [
        ToolSpec(tools.search),
        ToolSpec(tools.get_entity),
        ToolSpec(tools.list_labels),
        ToolSpec(tools.list_types),
        ToolSpec(tools.traverse),
        ToolSpec(tools.find_path),
        ToolSpec(tools.similar),
        ToolSpec(tools.remember, writes=True),
        ToolSpec(tools.forget, writes=True, destructive=True),
        ToolSpec(tools.reflect, writes=True, idempotent=False),
    ]
