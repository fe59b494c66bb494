"""RyeOS's `rye_search`, with `rye_load` to read what it finds, over what `import rye` brought in.

The project is the project space; the layers `@user` and `@system` are the two others. The search is
`Memory.search` with operators, its words ANDed and no relation followed, since an answer of RyeOS
has no place for the link that led to a hit. What the index does not know is left to the items
themselves: which field a word stands in, comparisons of versions, nearness (`query`, `item`,
`filters`). They also rank themselves, by RyeOS's weights of the fields (`search`).
"""

from graphmem.adapters.rye.profile.tools import Tools
from graphmem.profiles.tool_spec import Opened, ToolSpec


def offers(memory: Opened) -> list[ToolSpec]:
    """The tools of this profile."""
    tools = Tools(memory)
    return [ToolSpec(tools.rye_search), ToolSpec(tools.rye_load)]
