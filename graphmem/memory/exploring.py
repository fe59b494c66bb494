"""Reading several relations deep: what is around an entity, and the path between two."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphmem import moments
from graphmem.memory.searching import Searching
from graphmem.model.period import Day

if TYPE_CHECKING:
    from graphmem.model.exploration import Exploration
    from graphmem.model.where import Direction


class Exploring(Searching):
    """The method of `Memory` that follows several relations."""

    def explore(
        self,
        name: str,
        to: str | None = None,
        *,
        depth: int | None = None,
        relations: str | Sequence[str] | None = None,
        direction: "Direction" = "both",
        limit: int = 100,
        at: Day | str = "now",
        as_of: Day | str | None = None,
        project: str | None = None,
    ) -> "Exploration":
        """Follow relations from an entity, or find the path to another one.

        Hidden entities are left out, and so is what is not valid at the given time. Of an entity
        further on with many neighbours, the 50 with the heaviest relations are looked at. A
        path is looked for among the 20,000 entities nearest to its ends. The same call gives the
        same answer.

        Args:
            name: A name, alias, title or key, or a place of code such as `app/store.py:12`.
            to: The entity to find the shortest path to; None for everything around `name`.
            depth: The most relations away, 1 to 5, by default 2; with `to` the longest path, 1 to
                10 relations, by default 6.
            relations: Only relations of these types; a type or a list, by default all.
            direction: `out` for relations that lead away from `name`, to what it depends on, say;
                `in` for those that lead to it, from what depends on it; or `both`. Of a path all
                have this direction.
            limit: The most entities that are returned, 1 to 200; a path is returned whole.
            at: When relations and entities must be valid: a day, a moment, `now` (the default;
                with `as_of`, that moment) or `any`.
            as_of: Explore what was stored at the end of this day, or at this moment; by default
                now. The names are those of that time, as for `get_as_of`.
            project: The project; by default the memory's own.

        Returns:
            The entities, nearest first, each with the relation that leads to it; `notes` says
            whether there may be more, or that there is no path.

        Raises:
            InvalidInput: An argument is not allowed, or too much has changed since `as_of`.
            NotFound: A name leads to no entity, or to several; or to one that was not there then.
            DatabaseError: With `as_of`, nothing may be written, or too many others look back.
        """
        from graphmem.memory.searches.explorations import ExplorationRequest, explored

        own = self.project_name(project)
        names = [name] if to is None else [name, to]
        moment = None if as_of is None else moments.known_then("as_of", as_of)
        request = ExplorationRequest.of(
            names, depth=depth, relations=relations, direction=direction, limit=limit, at=at,
            as_of=moment,
        )  # fmt: skip
        if moment is None:
            return explored(self.graph, own, request)
        from graphmem.memory.searches.past_explorations import explored_then

        return explored_then(self.graph, self._past(embeds=False), own, request, moment)
