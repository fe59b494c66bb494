"""The tools: each a typed signature, a few sentences for the agent, and one call of `Memory`."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from graphmem.model import Answer, Context, Report
from graphmem.model.answer import Detail, Mode, Operator, Ranking, Sort
from graphmem.model.json_object import JsonObject
from graphmem.model.page import Page
from graphmem.model.stats import Stats
from graphmem.packing import BUDGET
from graphmem.profiles import ToolSpec
from graphmem.server import parameters
from graphmem.server.brief import brief, commonest

if TYPE_CHECKING:
    from collections.abc import Callable

    from graphmem.memory import Memory
    from graphmem.view import Picture


@dataclass(frozen=True, slots=True)
class Pages(JsonObject):
    """The entities asked for, in order."""

    entities: tuple[Page, ...]


class Tools:
    """The tools of one server.

    Args:
        memory: Gives the open memory, waiting for it a while.
    """

    def __init__(self, memory: "Callable[[], Memory]") -> None:
        self._memory = memory

    def offers(self) -> list[ToolSpec]:
        """The tools as the server offers them."""
        return [
            ToolSpec(self.search, draw=self._draw),
            ToolSpec(self.context),
            ToolSpec(self.get),
            ToolSpec(self.overview),
            ToolSpec(self.remember, writes=True),
            ToolSpec(self.link, writes=True),
            ToolSpec(self.forget, writes=True, hides=True),
        ]

    def search(  # noqa: PLR0917 - the names of the answer's format
        self,
        query: parameters.Query,
        project: parameters.Project = None,
        scope: Annotated[
            Literal["layers", "project"], Field(description="layers: also @user and @system")
        ] = "layers",
        limit: Annotated[int, Field(ge=1, le=200)] = 10,
        expand: Annotated[bool, Field(description="Follow relations one hop")] = True,  # noqa: FBT002 - a tool's arguments have names
        mode: Annotated[Mode, Field(description="keyword: words; semantic: meaning")] = "hybrid",
        ranking: Ranking = "evidence",
        operator: Operator = "or",
        kinds: parameters.Filter = (),
        tags: Annotated[parameters.Filter, Field(description="Any of them")] = (),
        status: Annotated[
            parameters.Filter, Field(description="Default: all but forgotten or superseded")
        ] = (),
        since: Annotated[parameters.Moment, Field(description="Created then or later")] = None,
        until: parameters.Moment = None,
        where: parameters.Where = None,
        follow: parameters.Follow = None,
        min_score: parameters.Share = 0.0,
        sort: Sort = "score",
        cursor: parameters.Cursor = None,
        detail: Annotated[Detail, Field(description="Passages: none, two, twenty")] = "passages",
        highlight: Annotated[bool, Field(description="Mark what matched with **")] = False,  # noqa: FBT002 - likewise
        explain: Annotated[bool, Field(description="List the parts of each score")] = False,  # noqa: FBT002 - likewise
    ) -> Answer:
        """Find what is known: entities by words, meaning and name, and those linked to them.

        `via` of an expanded hit names the relation that led to it. Passages are shortened; read
        one in full with `get`.
        """
        answer = self._memory().search(
            query,
            project=project,
            scope=scope,
            limit=limit,
            expand=expand,
            mode=mode,
            ranking=ranking,
            operator=operator,
            kinds=kinds,
            tags=tags,
            status=status,
            since=since,
            until=until,
            where=where or {},
            follow=follow or {},
            min_score=min_score,
            sort=sort,
            cursor=cursor,
            detail=detail,
            highlight=highlight,
            explain=explain,
        )
        return brief(answer)

    def context(  # noqa: PLR0917 - as for `search`
        self,
        query: parameters.Query,
        project: parameters.Project = None,
        budget: parameters.Budget = BUDGET,
        kinds: parameters.Filter = (),
        tags: parameters.Filter = (),
        status: parameters.Filter = (),
        where: parameters.LikeSearch = None,
    ) -> Context:
        """Fill a token budget with the best passages of a search; quoted lines begin with `>`."""
        return self._memory().context(
            query,
            project=project,
            budget=budget,
            kinds=kinds,
            tags=tags,
            status=status,
            where=where or {},
        )

    def get(self, names: parameters.Names, project: parameters.Project = None) -> Pages:
        """Read entities in full: text, observations, attributes and every relation."""
        pages = self._memory().get(names, project=project)
        return Pages(tuple(pages))

    def remember(
        self,
        entities: parameters.Entities = (),
        relations: parameters.Relations = (),
        project: parameters.Project = None,
        stubs: Annotated[  # noqa: FBT002 - a tool's arguments have names
            bool, Field(description="Create missing ends of relations")
        ] = False,
    ) -> Report:
        """Write entities, then relations between them: creates or updates, never duplicates.

        Given fields replace the stored ones; observations, tags, aliases and attributes are added.
        Search first and use the names found. Each item is reported; a refused one says why.
        """
        return self._memory().remember(entities, relations, project=project, stubs=stubs)

    def link(  # noqa: PLR0917 - the fields of a relation
        self,
        start: Annotated[parameters.Name, Field(alias="from")],
        relation: Annotated[str, Field(max_length=200, description="Type, such as DEPENDS_ON")],
        end: Annotated[parameters.Name, Field(alias="to")],
        project: parameters.Project = None,
        note: parameters.Note = None,
        weight: parameters.Weight = None,
        valid_from: parameters.ValidFrom = None,
        valid_until: parameters.ValidUntil = None,
    ) -> Report:
        """Create or update one relation between two entities that exist."""
        return self._memory().link(
            start,
            relation,
            end,
            project=project,
            note=note,
            weight=weight,
            valid_from=valid_from,
            valid_until=valid_until,
        )

    def forget(self, names: parameters.Names, project: parameters.Project = None) -> Report:
        """Hide entities from every search. `remember` with the same name brings one back."""
        return self._memory().forget(names, project=project)

    def overview(self, project: parameters.Project = None) -> Stats:
        """Show the project and what it holds: counts, the most common kinds and tags."""
        stats = self._memory().stats(project=project)
        return replace(
            stats,
            kinds=commonest(stats.kinds),
            statuses=commonest(stats.statuses),
            tags=commonest(stats.tags),
            types=commonest(stats.types),
        )

    def _draw(self, answer: Answer) -> "Picture | None":
        from graphmem.memory.picturing import search_picture  # noqa: PLC0415 - few clients show it

        return search_picture(self._memory().graph, answer) if answer.hits else None
