"""Searching a memory: the request, and the page that answers it."""

from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from graphmem import arguments, search
from graphmem.errors import DatabaseError
from graphmem.memory.projects import Projects
from graphmem.memory.searches.listed_options import lists_options
from graphmem.memory.searches.options import (
    FilterOptions,
    SearchOptions,
    TimedOptions,
    planned,
)
from graphmem.model import Answer, Context
from graphmem.model.context import BUDGET
from graphmem.model.filters import Filters
from graphmem.search import Plan, SearchRequest

if TYPE_CHECKING:
    from graphmem.memory.past.as_of import Past


class Searching(Projects):
    """The methods of `Memory` that answer a query."""

    @lists_options(FilterOptions, TimedOptions, SearchOptions)
    def search(
        self, query: str, *, project: str | None = None, **options: Unpack[SearchOptions]
    ) -> Answer:
        """Find entities by words, meaning and name, and those one relation away from them.

        Args:
            query: At most 10,000 characters; a text without words finds nothing. Operators,
                phrases, patterns and fields are those of `docs/query-language.md`. A blank query
                with a filter lists the entities that pass, as `recent` does.
            project: The project; by default the memory's own.
            options: Those of `SearchOptions`.

        Returns:
            The hits, best first, ties by key.

        Raises:
            InvalidInput: An argument is not allowed.
            DatabaseError: The database does not answer, is too slow or refuses.
        """
        if isinstance(query, str) and not query.strip():
            listing = self._search_blank(query, project, options)
            return replace(
                listing, notes=(*listing.notes, *self._empty_project_notes(listing, options))
            )
        arguments.query(query)
        project_names = self.scope(project, options)
        filters, plan = planned(project_names, options, is_limited=self.access.is_limited)
        dated_notes: tuple[str, ...] = ()
        if options.get("dates"):
            from graphmem.memory.searches.query_dates import dated

            query, filters, dated_notes = dated(query, filters)
        answer = self._ranked(query, filters, plan, options.get("cursor"))
        notes = [*dated_notes, *answer.notes]
        if plan.as_of is None:
            empty_notes = self._empty_project_notes(answer, options)
            notes += empty_notes
            if answer.projects or not empty_notes:  # in another project there may be similar words
                notes += self._notes(answer, filters, plan, options.get("cursor"))
        return replace(answer, notes=tuple(notes))

    def _search_blank(self, query: str, project: str | None, options: SearchOptions) -> Answer:
        from graphmem.memory.searches.recent import search_blank

        return search_blank(
            self.graph,
            self._past(embeds=False),
            query,
            self.scope(project, options),
            options,
            is_limited=self.access.is_limited,
        )

    def _notes(
        self, answer: Answer, filters: Filters, plan: Plan, cursor: str | None
    ) -> tuple[str, ...]:
        from graphmem.memory.searches.notes import AnsweredSearch, search_notes

        def run(query: str, plan: Plan) -> Answer:
            return self._page(query, filters, plan, None)

        return search_notes(
            AnsweredSearch(
                self.graph, answer, filters, plan, self.languages.known,
                is_first_page=cursor is None, run=run,
            )
        )  # fmt: skip

    def _ranked(self, query: str, filters: Filters, plan: Plan, cursor: str | None) -> Answer:
        """A page of a search, in the order of the reranker if there is one."""
        if self.reranker is None:
            return self._page(query, filters, plan, cursor)
        from graphmem.search.reranking import reranked

        def run(plan: Plan, cursor: str | None) -> Answer:
            return self._page(query, filters, plan, cursor)

        self.reranker.start()
        score = self.reranker.scores
        return reranked(query, filters, plan, cursor, run=run, score=score)

    def _page(self, query: str, filters: Filters, plan: Plan, cursor: str | None) -> Answer:
        """One page of a search; asked again where the store's model or languages have changed."""
        models = self.model.stored()
        try:
            return self._answer(query, filters, plan, models.number, cursor)
        except DatabaseError as error:
            if not self.model.was_replaced(models, error):
                self.languages.changed(error)
        return self._answer(query, filters, plan, self.model.stored().number, cursor)

    def _answer(
        self, query: str, filters: Filters, plan: Plan, embedding_set: int, cursor: str | None
    ) -> Answer:
        plan = replace(plan, languages=self.languages.known, calibration=self.model.calibration)
        request = SearchRequest.parsed(
            query, filters, plan, cursor=cursor, embedding_set=embedding_set
        )
        self._await_plan()

        def run(target: search.SearchTarget | None) -> Answer:
            return search.search(
                self.graph,
                request,
                embed=None if plan.mode == "keyword" else self.model.query,
                shared=self._searches,
                target=target,
            )

        if plan.as_of is None:
            return run(None)
        past = self._past(embeds=plan.mode != "keyword")
        return past.search(filters.projects, plan.as_of, run)

    def _past(self, *, embeds: bool) -> "Past":
        """What searches the store as it was, for this memory's caller."""
        from graphmem.memory.past.as_of import Past

        may_write = not self.access.read_only
        return Past(self.graph, self.model, embeds=embeds, may_write=may_write)

    @lists_options(FilterOptions, TimedOptions, SearchOptions)
    def context(
        self,
        query: str,
        *,
        project: str | None = None,
        budget: int = BUDGET,
        **options: Unpack[SearchOptions],
    ) -> Context:
        """Fill a budget of tokens with the best passages of a search, as one text for a prompt.

        Args:
            query: As for `search`.
            project: The project; by default the memory's own.
            budget: The most tokens the text takes, 256 to 32,768, counted as `Context` says.
            limit: The most hits, 1 to 200; by default as many as fit into the budget.
            detail: How many passages of a hit are candidates: `names` none, `passages` the two
                best, `full` (default) the twenty best.
            highlight: Has no effect here.
            options: Those of `SearchOptions`.

        Returns:
            The text and what is in it; the text is blank only if nothing was found.

        Raises:
            InvalidInput: An argument is not allowed.
            DatabaseError: The database does not answer, is too slow or refuses.
        """
        from graphmem.memory.searches.context import packed, widened

        arguments.query(query)
        answer = self.search(query, project=project, **widened(budget, options))
        return packed(self.graph, answer, budget)
