"""The tools: each a typed signature, a few sentences for the agent, and one call of `Memory`."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from graphmem.arguments import refuse_beside, renaming_arguments, require_any
from graphmem.errors import NOT_SHOWN, InvalidInput
from graphmem.model import Answer, Context, Report
from graphmem.model.answer import MOST_HITS, Detail, Mode, Operator, Ranking, Sort
from graphmem.model.context import BUDGET
from graphmem.model.json_object import JsonObject
from graphmem.model.status import ALL_BUT_HIDDEN
from graphmem.profiles import ToolSpec
from graphmem.server import parameters
from graphmem.server.brief import brief, brief_exploration, brief_report
from graphmem.server.brief_history import brief_changes, brief_history
from graphmem.server.brief_overviews import brief_overview, project_list
from graphmem.server.brief_pages import Pages, brief_pages, brief_past_page
from graphmem.server.missing_names import existing_pages, new_project_note, with_first_step

if TYPE_CHECKING:
    from collections.abc import Callable

    from graphmem.memory import Memory
    from graphmem.view import Picture


# The days that `history` of a project looks back.
DAYS = 7
# The most entities that `explore` gives an agent.
EXPLORED = 30


class Tools:
    """The tools of one server.

    Args:
        memory: Gives the open memory, waiting for it a while.
    """

    def __init__(self, memory: "Callable[[], Memory]") -> None:
        self._memory = memory

    def offers(self) -> list[ToolSpec]:
        """The tools as the server offers them."""
        without_schema = partial(ToolSpec, has_output_schema=False)
        return [
            ToolSpec(self.search, draw=self._draw),
            without_schema(self.context),
            ToolSpec(self.get),
            without_schema(self.explore),
            without_schema(self.overview),
            ToolSpec(self.remember, writes=True),
            without_schema(self.link, writes=True),
            without_schema(self.forget, writes=True, destructive=True),
            without_schema(self.change, writes=True, destructive=True, idempotent=False),
            without_schema(self.history),
        ]

    def search(  # noqa: PLR0917 - the names of the answer's format
        self,
        query: parameters.Query,
        project: parameters.Project = None,
        scope: Annotated[
            Literal["layers", "project"], Field(description="layers: also @user and @system")
        ] = "layers",
        limit: Annotated[int, Field(ge=1, le=MOST_HITS)] = 10,
        expand: Annotated[bool, Field(description="Follow relations one hop")] = True,  # noqa: FBT002 - a tool's arguments have names
        mode: Annotated[Mode, Field(description="keyword: words; semantic: meaning")] = "hybrid",
        ranking: Ranking = "evidence",
        operator: Operator = "or",
        kinds: parameters.Filter = (),
        tags: Annotated[parameters.Filter, Field(description="Any of them")] = (),
        status: Annotated[parameters.Filter, Field(description=f"Default: {ALL_BUT_HIDDEN}")] = (),
        since: parameters.CreatedSince = None,
        until: parameters.Moment = None,
        where: parameters.Where = None,
        at: parameters.At = None,
        as_of: parameters.KnownAt = None,
        follow: parameters.Follow = None,
        min_score: parameters.Share = 0.0,
        sort: Sort = "score",
        cursor: parameters.Cursor = None,
        detail: Annotated[Detail, Field(description="Passages: none, two, twenty")] = "passages",
        highlight: bool = False,  # noqa: FBT001, FBT002 - likewise
        explain: bool = False,  # noqa: FBT001, FBT002 - likewise
    ) -> Answer:
        """Find what is known: entities by words, meaning and name, and those linked to them.

        `via` of a hit names the relation that led to it. Passages are shortened; `get` reads one
        in full.
        """
        memory = self._memory()
        answer = memory.search(
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
            at=at,
            as_of=as_of,
            follow=follow or {},
            min_score=min_score,
            sort=sort,
            cursor=cursor,
            detail=detail,
            highlight=highlight,
            explain=explain,
        )
        return brief(with_first_step(memory, answer))

    def context(  # noqa: PLR0917 - as for `search`
        self,
        query: parameters.QueryLikeSearch,
        project: parameters.Project = None,
        budget: parameters.Budget = BUDGET,
        kinds: parameters.Filter = (),
        tags: parameters.Filter = (),
        status: parameters.Filter = (),
        since: parameters.Moment = None,
        until: parameters.Moment = None,
        where: parameters.LikeSearch = None,
        at: parameters.Moment = None,
    ) -> Context:
        """Prepare a task: the best passages of a search as one text; quotations begin with `>`."""
        memory = self._memory()
        context = memory.context(
            query, project=project, budget=budget, kinds=kinds, tags=tags, status=status,
            since=since, until=until, where=where or {}, at=at,
        )  # fmt: skip
        return with_first_step(memory, context)

    def get(
        self,
        names: parameters.Names,
        project: parameters.Project = None,
        whole: parameters.UnlistedFlag = False,  # noqa: FBT002 - a tool's arguments have names
    ) -> Pages:
        """Read entities: text, observations, attributes, up to 200 relations each way.

        A note says what is cut.
        """
        return brief_pages(*existing_pages(self._memory(), names, project), whole=whole)

    def explore(  # noqa: PLR0917 - a tool's arguments have names
        self,
        name: parameters.Name,
        to: parameters.OptionalName = None,
        depth: parameters.Depth = None,
        relations: parameters.Filter = (),
        direction: parameters.Direction = "both",
        as_of: parameters.KnownAt = None,
        project: parameters.Project = None,
    ) -> JsonObject:
        """Show what is around an entity, or the shortest path `to` another."""
        return brief_exploration(
            self._memory().explore(
                name, to, depth=depth, relations=relations, direction=direction, limit=EXPLORED,
                as_of=as_of, project=project,
            )
        )  # fmt: skip

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
        Search first and use the names found.
        """
        require_any(entities=entities, relations=relations)
        memory = self._memory()
        note = new_project_note(memory, project)
        report = memory.remember(entities, relations, project=project, stubs=stubs)
        if note is not None and report.entities["created"]:
            report = replace(report, notes=(*report.notes, note))
        return brief_report(report)

    @renaming_arguments(start="from", end="to")
    def link(  # noqa: PLR0917 - the fields of a relation
        self,
        start: Annotated[parameters.Name, Field(alias="from")],
        relation: parameters.RelationType,
        end: Annotated[parameters.Name, Field(alias="to")],
        project: parameters.Project = None,
        note: str | None = None,
        weight: parameters.Weight = None,
        valid_from: str | None = None,
        valid_until: str | None = None,
        remove: bool = False,  # noqa: FBT001, FBT002 - a tool's arguments have names
        unset: parameters.Unlisted = (),
        replaces: parameters.Replaces = None,
    ) -> Report:
        """Create, update or remove a relation between two existing entities."""
        if remove:
            fields = {"note": note, "weight": weight, "valid_until": valid_until, "unset": unset}
            refuse_beside("remove", fields | {"replaces": replaces})
            return self._memory().unlink(
                start, end, relation, valid_from=valid_from, project=project
            )
        return self._memory().link(
            start, relation, end, project=project, note=note, weight=weight,
            valid_from=valid_from, valid_until=valid_until, unset=unset, replaces=replaces,
        )  # fmt: skip

    def forget(
        self,
        names: parameters.Names,
        action: Literal["forget", "restore"] = "forget",
        project: parameters.Project = None,
    ) -> Report:
        """Hide entities from searches, or restore them."""
        memory = self._memory()
        verbs = {"forget": memory.forget, "restore": memory.restore}
        return verbs[action](names, project=project)

    @renaming_arguments(old="name", new="to", new_name="to", into="to")
    def change(
        self,
        action: Literal["rename", "merge", "supersede", "undo"],
        name: Annotated[
            parameters.Name, Field(description="An entity; for undo a change's id, or last")
        ],
        to: parameters.To = None,
        note: str | None = None,
        project: parameters.Project = None,
    ) -> Report:
        """Rename, merge or replace an entity, or undo a change."""
        memory = self._memory()
        if action == "undo":
            refuse_beside("undo", {"to": to})
            return brief_report(memory.undo(name, note=note, project=project))
        if to is None:
            raise InvalidInput("to", NOT_SHOWN, f"is required to {action}")
        if action == "merge":
            merge = memory.merge(name, to, note=note, project=project)
            return merge.report(memory.project_name(project), to)
        if action == "supersede":
            return memory.supersede(name, to, note=note, project=project)
        return memory.rename(name, to, note=note, project=project)

    @renaming_arguments(moment="as_of")
    def history(
        self,
        name: parameters.OptionalName = None,
        since: parameters.ChangedSince = None,
        as_of: parameters.Moment = None,
        limit: Annotated[int, Field(ge=1, le=parameters.MOST_CHANGES)] = parameters.CHANGES,
        project: parameters.Project = None,
    ) -> JsonObject:
        """Who changed what, and when, in an entity or, without a name, the project.

        With `as_of` the entity as it was then.
        """
        memory = self._memory()
        if as_of is not None:
            refuse_beside("as_of", {"since": since})
            if name is None:
                raise InvalidInput(
                    "as_of", as_of, "must be given with `name`",
                    hint="To search what was known then, give `as_of` to `search`.",
                )  # fmt: skip
            return brief_past_page(memory.get_as_of(name, as_of, project=project))
        if name is None:
            start = since or datetime.now(UTC) - timedelta(days=DAYS)
            return brief_changes(memory.changes(start, project=project, limit=limit))
        return brief_history(memory.history(name, since=since, project=project, limit=limit))

    def overview(self, project: parameters.Project = None) -> JsonObject:
        """Show what the project holds: counts, what changed last, hubs and stubs."""
        memory = self._memory()
        if project is None and memory.project is None:
            return project_list(memory.projects(), memory.access.projects)
        return brief_overview(with_first_step(memory, memory.overview(project=project)))

    def _draw(self, answer: Answer) -> "Picture | None":
        from graphmem.memory.searches.pictures import search_picture  # noqa: PLC0415 - few clients show it

        return search_picture(self._memory().graph, answer) if answer.hits else None
