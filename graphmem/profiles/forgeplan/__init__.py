"""ForgePlan's tools: ranked search over decision documents that knows their evidence."""

from graphmem.profiles.forgeplan.tools import Forgeplan
from graphmem.profiles.offer import Offer, Opened


def offers(memory: Opened) -> list[Offer]:
    """The tools: `forgeplan_search`, and `forgeplan_get` to read one artifact whole."""
    tools = Forgeplan(memory)
    return [Offer(tools.forgeplan_search), Offer(tools.forgeplan_get)]
