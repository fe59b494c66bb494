"""ForgePlan's tools: ranked search over decision documents that knows their evidence."""

from graphmem.adapters.forgeplan.profile.tools import Forgeplan
from graphmem.profiles.tool_spec import Opened, ToolSpec


def offers(memory: Opened) -> list[ToolSpec]:
    """The tools: `forgeplan_search`, and `forgeplan_get` to read one artifact whole."""
    tools = Forgeplan(memory)
    return [ToolSpec(tools.forgeplan_search), ToolSpec(tools.forgeplan_get)]
