"""Deleting for good: by names or by filters."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

from graphmem import arguments
from graphmem.memory.bulk import Bulk
from graphmem.memory.searches.listed_options import lists_options
from graphmem.memory.searches.options import FilterOptions
from graphmem.model import Report
from graphmem.progress import SILENT, Progress

if TYPE_CHECKING:
    from graphmem.model.selection import Selection


class Deleting(Bulk):
    """The methods of `Memory` that delete entities for good."""

    @lists_options(FilterOptions)
    def selection(
        self,
        names: str | Sequence[str] | None = None,
        *,
        project: str | None = None,
        everything: bool = False,
        progress: Progress = SILENT,
        **filters: Unpack[FilterOptions],
    ) -> "Selection":
        """Count what `purge` would delete, and delete nothing.

        Args:
            names: As for `purge`.
            project: The project; by default the memory's own.
            everything: As for `purge`.
            progress: Receives the progress of counting.
            filters: Those of `FilterOptions`.

        Returns:
            The counts; give this to `purge` instead of names to delete what was counted.

        Raises:
            InvalidInput: The list of names is empty, neither names nor filters are given, or
                they select all entities.
            NotFound: A name leads to no entity.
        """
        from graphmem.memory.writing.purging import select

        arguments.flag("everything", everything)
        project_name = self.project_name(project)
        checked_names = None if names is None else arguments.names(names)
        return select(
            self.graph,
            project_name,
            checked_names,
            filters,
            everything=everything,
            progress=progress,
        )

    @lists_options(FilterOptions)
    def purge(
        self,
        names: "str | Sequence[str] | Selection | None" = None,
        *,
        project: str | None = None,
        everything: bool = False,
        progress: Progress = SILENT,
        **filters: Unpack[FilterOptions],
    ) -> Report:
        """Delete entities for good, with their passages, links and history.

        An entity that was changed meanwhile and no longer passes the filters stays. If a call is
        killed, the same call finishes the work; leave out the names of what is gone. Filters select
        hidden entities only by `status`, such as `["forgotten"]`.

        Args:
            names: The names of the entities; with filters, only those of them that pass. None for
                all entities that pass the filters; an empty list is refused, so that a search
                that found nothing does not select them all. Or a `selection`, which has its
                project and filters.
            project: The project; by default the memory's own.
            everything: Whether all entities of the project may be deleted.
            progress: Receives the progress of counting and deleting.
            filters: Those of `FilterOptions`.

        Returns:
            An item for each entity that was deleted; if filters select more, for the first 10,000.

        Raises:
            InvalidInput: The list of names is empty, neither names nor filters are given, or
                they select all entities.
            NotFound: A name leads to no entity; then nothing is deleted.
        """
        from graphmem.memory.writing.purging import purge
        from graphmem.model.selection import Selection

        if isinstance(names, Selection):
            arguments.options_of("purge", filters, FilterOptions.__annotations__)
            arguments.refuse_beside("selection", {"project": project, **filters})
        project_name = names.project if isinstance(names, Selection) else project
        project_name = self.project_name(project_name, writes=True)
        try:
            if isinstance(names, Selection):
                return purge(self.graph, names, progress=progress)
            selection = self.selection(
                names, project=project_name, everything=everything, progress=progress, **filters
            )
            return purge(self.graph, selection, progress=progress)
        finally:
            self._searches.samples.forget()
            self.model.forget_recent()

    def purge_history(self, names: str | Sequence[str], *, project: str | None = None) -> int:
        """Delete the history of entities, and keep the entities as they are.

        For a text that must not be kept anywhere: correct the entity first, then delete its
        history. Afterwards the entity looks as if it had always been what it is now, and its
        earlier changes cannot be undone. The history of other entities stays.

        Args:
            names: The names of the entities; one or a list.
            project: The project; by default the memory's own.

        Returns:
            How many history records were deleted.

        Raises:
            InvalidInput: The list of names is empty, or a name is blank.
            NotFound: A name leads to no entity; then nothing is deleted.
        """
        from graphmem.memory.writing.purging import purge_history

        project_name = self.project_name(project, writes=True)
        try:
            return purge_history(self.graph, project_name, arguments.names(names))
        finally:
            self.model.forget_recent()
