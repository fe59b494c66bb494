"""What an entity must be to be found or chosen."""

from dataclasses import dataclass, field

from graphmem.model.where import Where

# Projects that are searched together by name, with the layers; each is a clause of the text
# indexes beside those of the query's words, of which they take 1,024.
MOST_PROJECTS_BY_NAME = 102


@dataclass(frozen=True, slots=True)
class Filters:
    """What an entity must be to be found; an empty tuple asks for nothing.

    Kinds, statuses and tags are compared regardless of case.

    Args:
        projects: The projects and layers that are searched.
        kinds: Any of these.
        tags: Any of these.
        statuses: Any of these; all but `model.status.HIDDEN_STATUSES` where it is empty.
        where: All other conditions.
        is_limited: Whether the store may hold projects that must not be read.
    """

    projects: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    where: Where = field(default_factory=Where)
    is_limited: bool = False

    @property
    def of_whole_store(self) -> bool:
        """Whether so many projects are searched that no index is asked for each of them.

        A caller names fewer, so these are all there are, perhaps without the layers; or all that a
        limited caller may read.
        """
        return len(self.projects) > MOST_PROJECTS_BY_NAME

    @property
    def are_projects_tested(self) -> bool:
        """Whether the statement tests the project of each candidate, since no index does."""
        return self.of_whole_store and self.is_limited

    @property
    def is_unfiltered(self) -> bool:
        """Whether nothing is asked of an entity but that it lives in one of the projects."""
        return self == Filters(self.projects, is_limited=self.is_limited)

    @property
    def several(self) -> tuple[str, ...]:
        """The projects without the layers behind them, where they are several."""
        own_projects = tuple(name for name in self.projects if not name.startswith("@"))
        return own_projects if len(own_projects) > 1 else ()
