"""The tools of a server that may delete for good."""

from typing import Literal

from graphmem.model import Report
from graphmem.server import parameters
from graphmem.server.tools import Tools


class PurgingTools(Tools):
    """The tools of a server that was allowed to delete for good."""

    def forget(
        self,
        names: parameters.Names,
        action: Literal["forget", "restore", "purge"] = "forget",
        project: parameters.Project = None,
    ) -> Report:
        """Hide entities from searches, restore them, or purge: delete for good, if asked to."""
        if action == "purge":
            return self._memory().purge(names, project=project)
        return super().forget(names, action, project)
