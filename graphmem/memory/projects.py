"""Listing and changing whole projects."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from graphmem import arguments
from graphmem.calls import recorded
from graphmem.errors import DatabaseError
from graphmem.memory.bulk import Bulk
from graphmem.memory.searches.listed_options import lists_options
from graphmem.memory.searches.options import (
    FilterOptions,
    ListingOptions,
    SearchOptions,
    TimedOptions,
)
from graphmem.model import Answer
from graphmem.model.overview import Overview
from graphmem.model.projects import ProjectChange, ProjectSummary
from graphmem.progress import SILENT, Progress

if TYPE_CHECKING:
    from graphmem.memory.past.as_of import Past
    from graphmem.write.project_moves.move import Move


class Projects(Bulk):
    """The methods of `Memory` that list what a project holds, or change a project as a whole."""

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

    def without_question(self, query: str, project: str | None, options: SearchOptions) -> Answer:
        """Answer a search whose query is blank, as `search` says.

        Args:
            query: As it was given.
            project: The project; by default the memory's own.
            options: As for `search`.

        Raises:
            InvalidInput: There is no filter, or an option needs a query.
        """
        from graphmem.memory.searches.recent import without_question

        return without_question(
            self.graph,
            self._past(embeds=False),
            query,
            self.scope(project, options),
            options,
            is_limited=self.access.is_limited,
        )

    def _past(self, *, embeds: bool) -> "Past":
        """What searches the store as it was, for this memory's caller."""
        from graphmem.memory.past.as_of import Past

        may_write = not self.access.read_only
        return Past(self.graph, self.model, embeds=embeds, may_write=may_write)

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

    def projects(self, names: Iterable[str] | None = None) -> tuple[ProjectSummary, ...]:
        """Count what each project holds.

        Args:
            names: Only these projects; by default every project and layer that this memory may
                read.

        Returns:
            A summary for each, ordered by name; all 0 for a project that holds nothing.

        Raises:
            InvalidInput: A name is not allowed, or out of reach.
            DatabaseError: The database does not answer, is too slow or refuses.
        """
        from graphmem import read

        if names is None:
            readable_names = [
                name for name in read.projects(self.graph) if self.access.readable(name)
            ]
        else:
            given_names = arguments.several("names", names)
            readable_names = [self.access.reading(name, argument="names") for name in given_names]
        return tuple(read.summaries(self.graph, readable_names))

    def rename_project(self, old: str, new: str, *, progress: Progress = SILENT) -> ProjectChange:
        """Rename a project with everything in it.

        Entities keep their texts, embeddings, relations and authors. If a call is killed, the same
        call finishes the work; until then each entity is in one of the two projects.

        Args:
            old: The project; not a layer.
            new: Its new name, of a project that holds nothing; not a layer.
            progress: Receives the progress of moving.

        Returns:
            How many entities and relations were moved.

        Raises:
            InvalidInput: A name is not allowed, or `new` holds something.
            NotFound: The project holds nothing.
            DatabaseError: The database does not answer or refuses; earlier batches stay written.
        """
        from graphmem.memory.writing import project_changes

        move = self._move(("old", old), ("new", new))
        try:
            return project_changes.rename(self.graph, self.model, move, progress=progress)
        finally:
            self._searches.samples.forget()

    def merge_projects(self, name: str, into: str, *, progress: Progress = SILENT) -> ProjectChange:
        """Move everything in a project to another one, merging entities of the same name.

        If one author gave a field in both, the later value counts. If a call is killed, the same
        call finishes the work.

        Args:
            name: The project that will be empty; not a layer.
            into: The project that gets everything; not a layer.
            progress: Receives the progress of moving.

        Returns:
            How many entities and relations were moved, and which entities could not be merged.

        Raises:
            InvalidInput: A name is not allowed.
            NotFound: The project holds nothing.
            DatabaseError: The database does not answer or refuses; earlier batches stay written.
        """
        from graphmem.memory.writing import project_changes

        move = self._move(("name", name), ("into", into))
        try:
            with recorded("merge_projects"):
                return project_changes.merge(self.graph, self.model, move, progress=progress)
        finally:
            self._searches.samples.forget()

    def delete_project(self, name: str, *, progress: Progress = SILENT) -> ProjectChange:
        """Delete everything in a project or layer, for good.

        Args:
            name: The project.
            progress: Receives the progress of deleting.

        Returns:
            How many entities and relations were deleted.

        Raises:
            InvalidInput: The name is not allowed.
            NotFound: The project holds nothing.
            DatabaseError: The database does not answer or refuses; earlier batches stay deleted.
        """
        from graphmem.memory.writing import project_changes

        project_name = self.access.writing(name, argument="name")
        try:
            return project_changes.delete(self.graph, project_name, progress=progress)
        finally:
            self._searches.samples.forget()
            self.model.forget_recent()

    def _move(self, start: tuple[str, str], into: tuple[str, str]) -> "Move":
        """A move between projects, each given with the name of its argument."""
        from graphmem.memory.writing.project_changes import check_move
        from graphmem.write.project_moves.move import Move

        names = [self.access.writing(name, argument=argument) for argument, name in (start, into)]
        move = Move(*names)
        check_move(move, start=start[0], into=into[0])
        return move
