"""The verbs of upkeep over one connection, as `Memory.upkeep`."""

from collections.abc import Iterable, Sequence

from graphmem.graph import Graph
from graphmem.upkeep import ways
from graphmem.upkeep.decay import DAYS, Decayed, decay
from graphmem.upkeep.similar import THRESHOLD, Pairs, similar
from graphmem.upkeep.use import Tracker, Use, uses


class Upkeep:
    """What a memory does beside remembering and searching; projects and keys are checked ones.

    Args:
        graph: The store.
        tracks: Whether it is noted which entities were found.
    """

    def __init__(self, graph: Graph, *, tracks: bool) -> None:
        self._graph = graph
        self.tracker = Tracker(graph, on=tracks)

    def close(self) -> None:
        """Write down what was found, and end the thread that does."""
        self.tracker.close()

    def found(self, keys: Iterable[str]) -> None:
        """Note in the background that a search gave these entities."""
        self.tracker.found(keys)

    def uses(self, keys: Sequence[str]) -> dict[str, Use]:
        """How entities were used, by key."""
        return uses(self._graph, keys)

    def counts(self, project: str) -> tuple[dict[str, int], dict[str, int]]:
        """The kinds and the tags of a project's living entities, the commonest first."""
        rows = self._graph.read("read/living_counts", project=project)
        kinds, tags = (
            {row["name"]: row["count"] for row in rows if row["sort"] == sort}
            for sort in ("kind", "tag")
        )
        return kinds, tags

    def projects(self) -> list[str]:
        """Every project of the store that holds anything, layers too, in order."""
        found: list[str] = []
        while rows := self._graph.read("read/next_project", after=found[-1] if found else ""):
            found.append(rows[0]["project"])
        return found

    def decay(self, project: str, *, days: int = DAYS, dry_run: bool = False) -> list[Decayed]:
        """Take a tenth of the weight of what was not found for so many days; see `decay`."""
        return decay(self._graph, project, days=days, dry_run=dry_run)

    def similar(self, project: str, *, threshold: float = THRESHOLD, limit: int = 10) -> Pairs:
        """Pairs of entities that mean nearly the same, each once, nearest first."""
        return similar(self._graph, project, threshold=threshold, limit=limit)

    def around(
        self, key: str, *, depth: int, types: Sequence[str] = ()
    ) -> tuple[list[ways.Step], bool]:
        """What lies within so many relations of an entity, and whether there may be more."""
        return ways.around(self._graph, key, depth=depth, types=types)

    def path(self, start: str, end: str, *, depth: int) -> ways.Way:
        """The shortest way between two entities."""
        return ways.path(self._graph, start, end, depth=depth)
