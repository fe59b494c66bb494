"""Searching a memory: the request, the page that answers it, and suggestions."""

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime
from math import floor
from typing import Unpack

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
from graphmem.model.period import ANY_TIME, Time, validity
from graphmem.search import Plan, SearchRequest

# Entities of another time that notes name.
NAMES_IN_NOTE = 3


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
            listing = self.without_question(query, project, options)
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
        notes = (*dated_notes, *answer.notes)
        if plan.as_of is None:
            notes = (
                *notes,
                *(empty_notes := self._empty_project_notes(answer, options)),
            )
            if answer.projects or not empty_notes:  # in another project there may be similar words
                notes = (
                    *notes,
                    *self._suggested(answer, filters, plan),
                    *self._respelt(answer, filters, plan, options.get("cursor")),
                    *self._unknown(answer, filters, plan),
                )
        return replace(answer, notes=notes)

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

    def _suggested(self, answer: Answer, filters: Filters, plan: Plan) -> tuple[str, ...]:
        """For a search without a hit: a note on its filters, or similar words."""
        if answer.total:
            return ()
        from graphmem.search.suggestions import suggestion
        from graphmem.search.unknown_values import unknown_values

        with suppress(DatabaseError):  # the answer stands without it
            if (note := unknown_values(self.graph, filters)) is not None:
                return (note,)
            if others := (
                self._named_at_other_times(answer.query, filters, plan)
                or self._below_min_score(answer.query, filters, plan)
            ):
                return others
            suggested_query = suggestion(
                self.graph, answer.query, filters, plan, self.languages.known
            )
            if suggested_query is not None:
                return (f"nothing was found; did you mean `{suggested_query}`?",)
            if answer.query.strip() and not filters.is_unfiltered:
                return self._listable(filters, plan)
        return ()

    def _respelt(
        self, answer: Answer, filters: Filters, plan: Plan, cursor: str | None
    ) -> tuple[str, ...]:
        """For a first page that only meaning and links lead to: similar words of the store."""
        if cursor is not None or plan.mode == "semantic" or not answer.hits:
            return ()
        if any(hit.matched.text or hit.matched.name for hit in answer.hits):
            return ()
        from graphmem.search.suggestions import suggestion

        with suppress(DatabaseError):  # the answer stands without it
            if ended := self._named_at_other_times(answer.query, filters, plan):
                return ended
            known = self.languages.known
            if (query := suggestion(self.graph, answer.query, filters, plan, known)) is not None:
                return (f"the hits have none of these words; did you mean `{query}`?",)
        return ()

    def _named_at_other_times(self, query: str, filters: Filters, plan: Plan) -> tuple[str, ...]:
        """Notes on entities that a query names and that are not valid at the time of the search.

        Args:
            query: That of a search of which no hit is named.
            filters: Those of the search.
            plan: That of the search.
        """
        if plan.at == ANY_TIME:
            return ()
        time = Time.of(plan.at if isinstance(plan.at, date) else datetime.now(UTC))
        always = replace(
            plan,
            at=ANY_TIME,
            mode="keyword",
            expand=False,
            limit=NAMES_IN_NOTE,
            min_score=0.0,
            after=None,
        )
        return tuple(
            f"the entity `{hit.name}` is {validity(hit.valid_from, hit.valid_until)}; to find it, "
            f"search with `at` as `{ANY_TIME}` (in the terminal `--any-time`)"
            for hit in self._page(query, filters, always, None).hits
            if hit.matched.name and not time.is_in(hit.valid_from, hit.valid_until)
        )

    def _below_min_score(self, query: str, filters: Filters, plan: Plan) -> tuple[str, ...]:
        """A note on the best score of what matches, for a search whose `min_score` hid it all."""
        if not plan.min_score:
            return ()
        best_first = replace(plan, sort="score", limit=1, min_score=0.0, after=None)
        answer = self._page(query, filters, best_first, None)
        if not answer.hits:
            return ()
        best = floor(answer.hits[0].score * 1000) / 1000
        least = f"the `min_score` of {plan.min_score:g} (in the terminal `--min-score`)"
        return (f"what matches scores at most {best}, which is less than {least}",)

    def _listable(self, filters: Filters, plan: Plan) -> tuple[str, ...]:
        """A note on how many entities pass the filters of a search whose words matched none."""
        everything = replace(plan, mode="keyword", expand=False, limit=1, min_score=0.0, after=None)
        listing = self._page("*", filters, everything, None)
        count = listing.total
        if not count:
            return ()
        listed = "the one entity that passes" if count == 1 else f"the {count:,} entities that pass"
        if not listing.total_exact:
            listed = f"{count:,} entities or more that pass"
        return (f"nothing that passes the filters matches the query; `*` lists {listed}",)

    def _unknown(self, answer: Answer, filters: Filters, plan: Plan) -> tuple[str, ...]:
        """A note on relation types to be followed that no relation has; for no hit by a link."""
        if not (plan.expand and plan.follow.types) or filters.of_whole_store:
            return ()
        if any(hit.via for hit in answer.hits):
            return ()
        from graphmem.search.unknown_values import unknown_types

        with suppress(DatabaseError):  # the answer stands without it
            note = unknown_types(self.graph, filters.projects, plan.follow.types)
            return () if note is None else (note,)
        return ()

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
