"""Listing what projects hold, without a query."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Unpack

from graphmem.errors import DatabaseError
from graphmem.memory.bulk import Bulk
from graphmem.memory.searches.listed_options import lists_options
from graphmem.memory.searches.options import FilterOptions, ListingOptions, TimedOptions
from graphmem.model import Answer
from graphmem.model.overview import Overview


class Listing(Bulk):
    """The methods of `Memory` that list what changed last, and what a project is about."""

    def scope(self, project: str | None, options: Mapping[str, Any]) -> tuple[str, ...]:
        """The projects that a search covers, one by default, without the layers.

        Args:
            project: The project that the call names, or None.
            options: Those of the search, of which `projects` and `scope` are used.

        Raises:
            InvalidInput: A name is not allowed or out of reach, or there are too many.
        """
        from graphmem.memory.searches.scopes import scope

        return scope(self, project, options)

    @lists_options(FilterOptions, TimedOptions, ListingOptions)
    def recent(self, *, project: str | None = None, **options: Unpack[ListingOptions]) -> Answer:
        """List the entities that changed last, in one statement.

        Args:
            project: The project; by default the memory's own.
            options: Those of `ListingOptions`.

        Returns:
            The entities that pass, as direct hits with score 0, last changed first, ties by key.

        Raises:
            InvalidInput: An argument is not allowed.
            DatabaseError: The database does not answer, is too slow or refuses.
        """
        from graphmem.memory.searches.recent import listed

        project_names = self.scope(project, options)
        answer = listed(self.graph, project_names, options, is_limited=self.access.is_limited)
        return replace(answer, notes=(*answer.notes, *self._empty_project_notes(answer, options)))

    def _empty_project_notes(self, answer: Answer, options: Mapping[str, Any]) -> tuple[str, ...]:
        """A note on each project of an answer that holds nothing, so that its name may be wrong.

        Args:
            answer: That of a search or listing; of a project with a hit there is nothing to say.
            options: Those of the search, of which `projects` is used: all that there are hold
                something.
        """
        from graphmem.memory.searches.scopes import ALL

        seen_projects = {hit.project for hit in answer.hits}
        named_projects = answer.projects or (answer.project,)
        unseen_projects = [name for name in named_projects if name not in seen_projects]
        if not unseen_projects or (answer.projects and options.get("projects") == ALL):
            return ()
        from graphmem.memory.searches.empty_projects import empty_project_notes

        with suppress(DatabaseError):  # the answer stands without it
            return empty_project_notes(self.graph, self.access, unseen_projects)
        return ()

    def overview(self, *, project: str | None = None) -> Overview:
        """Count what a project holds, and name entities to begin with; see `Overview`.

        Args:
            project: The project; by default the memory's own.

        Raises:
            InvalidInput: The project's name is not allowed, or out of reach.
            DatabaseError: The database does not answer, is too slow or refuses.
        """
        from graphmem import read

        overview = read.overview(self.graph, self.project_name(project))
        if overview.entities:
            return overview
        from graphmem.memory.searches.empty_projects import empty_project_note

        note = empty_project_note(self.graph, self.access, overview.project)
        return replace(overview, notes=() if note is None else (note,))
