"""Shaktiman's `search` and `context`, over what `import code` brought in.

A symbol is an entity with the attributes `path`, `start_line`, `end_line`, `symbol`, `language` and
`test`; entities without these are no code and never answer here. A file answers where its own
lines, those of no symbol, are what was asked for.
"""

from graphmem.adapters.shaktiman.profile.tools import Tools
from graphmem.profiles.tool_spec import Opened, ToolSpec

__all__ = ["Tools", "offers"]


def offers(memory: Opened) -> list[ToolSpec]:
    """The tools of this profile."""
    tools = Tools(memory)
    return [ToolSpec(tools.search), ToolSpec(tools.context)]
