"""What a memory tells of whole projects, and does with them."""

from typing import Unpack

from graphmem.memory.bulk import Bulk
from graphmem.memory.options import ListingOptions, SearchOptions
from graphmem.model import Answer
from graphmem.model.overview import Overview


class Projects(Bulk):
    """The verbs of `Memory` that look at a project without a question, or change one as a whole."""

    def recent(self, *, project: str | None = None, **options: Unpack[ListingOptions]) -> Answer:
        """List the entities that changed last, in one statement.

        Args:
            project: The project; by default the memory's own.
            options: Filters, as for `search`, and bounds; see `ListingOptions`.

        Returns:
            The entities that pass as direct hits of score 0, last changed first, ties by key.

        Raises:
            InvalidInput: An argument is not allowed.
            DatabaseError: The database does not answer, is too slow or refuses.
        """
        from graphmem.memory.recent import listed

        return listed(self.graph, self.project_name(project), options)

    def without_question(self, query: str, project: str | None, options: SearchOptions) -> Answer:
        """Answer a search whose query is blank, as `search` says.

        Raises:
            InvalidInput: There is no filter, or an option needs a query.
        """
        from graphmem.memory.recent import without_question

        return without_question(self.graph, query, self.project_name(project), options)

    def overview(self, *, project: str | None = None) -> Overview:
        """Count what a project holds, and name what changed last, the hubs and the undescribed.

        Raises:
            InvalidInput: The project's name is not allowed, or out of reach.
            DatabaseError: The database does not answer, is too slow or refuses.
        """
        from graphmem import read

        return read.overview(self.graph, self.project_name(project))
