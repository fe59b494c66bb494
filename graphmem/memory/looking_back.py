"""Reading the past: history, changes, entities as they were; and likely duplicates."""

from graphmem import arguments, moments
from graphmem.memory.deleting import Deleting
from graphmem.model.duplicates import MOST_PAIRS, Duplicates
from graphmem.model.history import MOST_CHANGES, Changes, History
from graphmem.model.page import Page
from graphmem.model.period import Day
from graphmem.progress import SILENT, Progress

Moment = Day | str


class LookingBack(Deleting):
    """The methods of `Memory` that look back."""

    def history(
        self,
        name: str,
        *,
        since: Moment | None = None,
        limit: int = 200,
        project: str | None = None,
    ) -> History:
        """Show how an entity changed, when and by whom; newest first.

        Args:
            name: The entity's name, alias, title or key, or its place in code.
            since: Only changes since this day or moment; by default all.
            limit: The most revisions, 1 to 1000; the answer says whether there are more.
            project: The project; by default the memory's own.

        Raises:
            InvalidInput: An argument is not allowed.
            NotFound: The name leads to no entity.
        """
        from graphmem.memory.names.resolving import keys_of
        from graphmem.memory.past import walk_back

        (key,) = keys_of(self.graph, self.project_name(project), [name], ["name"], by_place=True)
        return walk_back.history(
            self.graph,
            key,
            since=None if since is None else moments.first("since", since),
            limit=arguments.count("limit", limit, most=MOST_CHANGES),
        )

    def changes(
        self,
        since: Moment,
        until: Moment | None = None,
        *,
        limit: int = 50,
        project: str | None = None,
    ) -> Changes:
        """List the changes of a project, newest first.

        Args:
            since: Only changes since this day or moment.
            until: Only changes up to the end of this day, or this moment; by default up to now.
            limit: The most changes, 1 to 1000; the answer says whether there are more.
            project: The project; by default the memory's own.

        Raises:
            InvalidInput: An argument is not allowed.
        """
        from graphmem.memory.past import walk_back

        _, end = moments.bounds(since, until)
        return walk_back.changes(
            self.graph,
            self.project_name(project),
            moments.first("since", since),
            end,
            limit=arguments.count("limit", limit, most=MOST_CHANGES),
        )

    def compact(self, history_before: Moment, *, progress: Progress = SILENT) -> int:
        """Delete the history before a day or moment, in all projects; what is stored now stays.

        Afterwards, `history` and `get_as_of` do not reach back beyond it, and earlier changes
        cannot be undone.

        Args:
            history_before: The day or moment from which history is kept.
            progress: Receives the progress of the deletion.

        Returns:
            How many history records were deleted.

        Raises:
            InvalidInput: It is not a day or moment, or lies in the future.
        """
        from graphmem.write.history.retention import delete_history

        before = moments.past("history_before", history_before)
        return delete_history(self.graph, before, progress=progress)

    def duplicates(
        self,
        *,
        threshold: float = 0.85,
        limit: int = 20,
        by_meaning_only: bool = False,
        project: str | None = None,
        progress: Progress = SILENT,
    ) -> Duplicates:
        """Find pairs of entities that may be the same thing, with the reasons.

        Args:
            threshold: Minimum cosine similarity of two passages, 0 to 1. Entities that share a
                name are paired whatever their similarity, unless both are code of which only
                imports speak: there many functions have the same name.
            limit: The most pairs, 1 to 1000.
            by_meaning_only: Whether to ignore shared names.
            project: The project; by default the memory's own.
            progress: Receives the progress of the comparison.
        """
        from graphmem.read.duplicates import duplicates

        arguments.flag("by_meaning_only", by_meaning_only)
        arguments.methods("progress", progress, Progress)
        arguments.number("threshold", threshold, 0.0, 1.0)
        arguments.count("limit", limit, most=MOST_PAIRS)
        project_name = self.project_name(project)
        return duplicates(
            self.graph,
            project_name,
            threshold=threshold,
            limit=limit,
            by_meaning_only=by_meaning_only,
            progress=progress,
        )

    def get_as_of(self, name: str, moment: Moment, *, project: str | None = None) -> Page:
        """Read an entity as it was at a moment.

        Args:
            name: The name or key that it had then, or the name, alias, title, key or place in
                code that it has now.
            moment: A moment, or a day, which means its end; not in the future.
            project: The project; by default the memory's own.

        Raises:
            InvalidInput: It is not a moment or lies in the future, or the entity or links to it
                have changed more than 50,000 times since.
            NotFound: The name leads to no entity, the entity did not exist then, or `compact` has
                deleted the history of that time.
        """
        from graphmem.memory.past.beginning import require_history
        from graphmem.memory.past.entity_then import entity_at
        from graphmem.memory.past.page import page_of

        (checked_name,) = arguments.names([name])
        checked_moment = moments.known_then("moment", moment)
        then = entity_at(self.graph, self.project_name(project), checked_name, checked_moment)
        page = page_of(self.graph, then)
        require_history(self.graph, checked_moment)  # somebody may have deleted it meanwhile
        return page
