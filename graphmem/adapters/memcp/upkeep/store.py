"""The upkeep of one store: what may be read or written is asked for before each step."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from graphmem.adapters.memcp.upkeep.decay import DAYS, Decayed, decay
from graphmem.adapters.memcp.upkeep.tracking import Tracker, Use, uses
from graphmem.graph import Graph


class Access(Protocol):
    """Says what may be read and written; `graphmem.memory.access` is it."""

    def reading(self, project: str) -> str:
        """A project that may be read, or an error."""

    def writing(self, project: str) -> str:
        """A project that may be written, or an error."""

    def readable(self, key: str) -> bool:
        """Whether the entity of a key may be read."""

    def writable(self, key: str) -> bool:
        """Whether the entity of a key may be changed."""


class Upkeep:
    """The use of entities, the decay of those that nobody uses, and the counts of a project.

    Args:
        graph: The store.
        tracks: Whether it is noted which entities searches gave.
        access: Is asked for every project and key; what it does not allow is an error where a
            project was named, and not there where a key was.
    """

    def __init__(self, graph: Graph, *, tracks: bool, access: Access) -> None:
        self._graph = graph
        self._access = access
        self.tracker = Tracker(graph, on=tracks)

    def close(self) -> None:
        """Write what was noted, and end the thread that does."""
        self.tracker.close()

    def note_use(self, keys: Iterable[str]) -> None:
        """Note in the background that a search gave these entities."""
        self.tracker.note(key for key in keys if self._access.writable(key))

    def uses(self, keys: Sequence[str]) -> dict[str, Use]:
        """How entities were used, by key."""
        return uses(self._graph, [key for key in keys if self._access.readable(key)])

    def counts(self, project: str) -> tuple[dict[str, int], dict[str, int]]:
        """The kinds and the tags of a project's active entities, the commonest first."""
        checked_project = self._access.reading(project)
        rows = self._graph.read("read/memcp/living_counts", project=checked_project)
        kinds, tags = (
            {row["name"]: row["count"] for row in rows if row["sort"] == sort}
            for sort in ("kind", "tag")
        )
        return kinds, tags

    def decay(self, project: str, *, days: int = DAYS, dry_run: bool = False) -> list[Decayed]:
        """Take a tenth of the weight of what no search gave for so many days; see `decay`."""
        checked_project = self._access.writing(project)
        return decay(self._graph, checked_project, days=days, dry_run=dry_run)
