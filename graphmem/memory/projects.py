"""Counting and changing whole projects."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from graphmem import arguments
from graphmem.calls import recorded
from graphmem.memory.listing import Listing
from graphmem.model.projects import ProjectChange, ProjectSummary
from graphmem.progress import SILENT, Progress

if TYPE_CHECKING:
    from graphmem.write.project_moves.move import Move


class Projects(Listing):
    """The methods of `Memory` that count what projects hold, or change a project as a whole."""

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
