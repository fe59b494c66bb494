"""Notes beside the hits of a search: on other words, other times and what the filters leave out."""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from math import floor

from graphmem import lucene
from graphmem.errors import DatabaseError
from graphmem.graph import Graph
from graphmem.model import Answer, Hit, Passage
from graphmem.model.filters import Filters
from graphmem.model.language import Language
from graphmem.model.period import ANY_TIME, Time, validity
from graphmem.search import Plan
from graphmem.search.code.names import is_code_name
from graphmem.search.compiled_filters import compile_filters

# Entities of another time that notes name.
NAMES_IN_NOTE = 3
_ASKS_FOR_ALL = re.compile(r"(?i)\b(?:all|each|every|list|все|всех|всё|каждый|список)\b")


@dataclass(frozen=True, slots=True)
class AnsweredSearch:
    """A search with its answer.

    Args:
        graph: The store.
        answer: A page of it.
        filters: Those of the search.
        plan: That of the search.
        languages: Those of the store.
        is_first_page: Whether the answer is the first page.
        run: Gives the first page for a query and a plan, with the same filters.
    """

    graph: Graph
    answer: Answer
    filters: Filters
    plan: Plan
    languages: tuple[Language, ...]
    is_first_page: bool
    run: Callable[[str, Plan], Answer]


def search_notes(search: AnsweredSearch) -> tuple[str, ...]:
    """What the caller of a search should know beside its hits; nothing if the database fails."""
    return (
        *_no_hit_notes(search),
        *_respelling_notes(search),
        *_unknown_type_notes(search),
        *_few_of_listing_note(search),
    )


def _no_hit_notes(search: AnsweredSearch) -> tuple[str, ...]:
    """For a search without a hit: a note on its filters, or similar words."""
    if search.answer.total:
        return ()
    # Imported here for weight, as below: most searches find something.
    from graphmem.memory.searches.hidden_names import hidden_name_notes  # noqa: PLC0415
    from graphmem.search.unknown_values import unknown_values  # noqa: PLC0415

    query, filters = search.answer.query, search.filters
    with suppress(DatabaseError):  # the answer stands without it
        if (note := unknown_values(search.graph, filters)) is not None:
            return (note,)
        if others := (
            hidden_name_notes(search.graph, query, filters)
            or _other_time_notes(search)
            or _min_score_notes(search)
            or _spelling_notes(search, "nothing was found")
        ):
            return others
        if query.strip() and not filters.is_unfiltered:
            return _listing_note(search)
    return ()


def _respelling_notes(search: AnsweredSearch) -> tuple[str, ...]:
    """For a first page that only meaning and links lead to: similar words of the store.

    What a name in code, such as `get_user`, shares with a hit may be a part of it alone.
    """
    query, hits = search.answer.query, search.answer.hits
    if not search.is_first_page or search.plan.mode == "semantic" or not hits:
        return ()
    is_identifier = is_code_name(query) and not lucene.parse(lucene.clean(query)).strict
    is_matched = any(hit.matched.text for hit in hits) and not is_identifier
    if is_matched or any(hit.matched.name for hit in hits):
        return ()
    from graphmem.memory.searches.hidden_names import hidden_name_notes  # noqa: PLC0415

    beginning = "no hit has this name" if is_identifier else "the hits have none of these words"
    with suppress(DatabaseError):  # the answer stands without it
        return (
            hidden_name_notes(search.graph, query, search.filters)
            or _other_time_notes(search)
            or _spelling_notes(search, beginning)
        )
    return ()


def _spelling_notes(search: AnsweredSearch, beginning: str) -> tuple[str, ...]:
    from graphmem.search.suggestions import spelling_note  # noqa: PLC0415

    note = spelling_note(
        search.graph, search.answer.query, search.filters, search.plan, search.languages,
        beginning=beginning,
    )  # fmt: skip
    return () if note is None else (note,)


def _unknown_type_notes(search: AnsweredSearch) -> tuple[str, ...]:
    """A note on relation types to be followed that no relation has; for no hit by a link."""
    filters, follow = search.filters, search.plan.follow
    if not (search.plan.expand and follow.types) or filters.of_whole_store:
        return ()
    if any(hit.via for hit in search.answer.hits):
        return ()
    from graphmem.search.unknown_values import unknown_types  # noqa: PLC0415

    with suppress(DatabaseError):  # the answer stands without it
        note = unknown_types(search.graph, filters.projects, follow.types)
        return () if note is None else (note,)
    return ()


def _other_time_notes(search: AnsweredSearch) -> tuple[str, ...]:
    """Notes on entities that a query names and that are not valid at the time of the search.

    Of the answer no hit is named. Where it has none, and nothing is named so, a note on what else
    matches at another time.
    """
    plan = search.plan
    if plan.at == ANY_TIME:
        return ()
    time = Time.of(plan.at if isinstance(plan.at, date) else datetime.now(UTC))
    always = replace(
        plan, at=ANY_TIME, mode="keyword", expand=False, limit=NAMES_IN_NOTE, min_score=0.0,
        after=None, passages=1,
    )  # fmt: skip
    option = f"search with `at` as `{ANY_TIME}` (in the terminal `--any-time`)"
    others = [
        (hit, place)
        for hit in search.run(search.answer.query, always).hits
        for place in _places(hit)
        if not time.is_in(place.valid_from, place.valid_until)
    ]
    named_notes = tuple(
        f"the entity `{hit.name}` is {validity(hit.valid_from, hit.valid_until)}; to find it, "
        f"{option}"
        for hit, place in others
        if place is hit and hit.matched.name
    )
    if named_notes or search.answer.total or plan.min_score or not others:
        return named_notes
    hit, place = others[0]
    matched = validity(place.valid_from, place.valid_until)
    return (f"`{hit.name}` matches with what is {matched}; to find it, {option}",)


def _places(hit: Hit) -> tuple[Hit | Passage, ...]:
    """What of a hit may have a period: itself, and its passages."""
    return (hit, *hit.passages)


def _min_score_notes(search: AnsweredSearch) -> tuple[str, ...]:
    """A note on the best score of what matches, for a search whose `min_score` hid it all."""
    plan = search.plan
    if not plan.min_score:
        return ()
    best_first = replace(plan, sort="score", limit=1, min_score=0.0, after=None)
    answer = search.run(search.answer.query, best_first)
    if not answer.hits:
        return ()
    best = floor(answer.hits[0].score * 1000) / 1000
    least = f"the `min_score` of {plan.min_score:g} (in the terminal `--min-score`)"
    return (f"what matches scores at most {best}, which is less than {least}",)


def _few_of_listing_note(search: AnsweredSearch) -> tuple[str, ...]:
    """A note for a first page with fewer hits than it has room for, where more pass filters.

    Whoever asks for `all decisions` of a kind may take what matches these words for all. Others are
    spared the second statement. What only a statement tests, such as bounds, takes long to count.
    """
    plan, matches, filters = search.plan, search.answer.total, search.filters
    if not search.is_first_page or plan.min_score or filters.is_unfiltered:
        return ()
    if not 0 < matches < plan.limit or not _ASKS_FOR_ALL.search(search.answer.query):
        return ()
    if compile_filters(filters).tested_by_statement:
        return ()
    with suppress(DatabaseError):  # the answer stands without it
        return _listing_note(search, matches)
    return ()


def _listing_note(search: AnsweredSearch, matches: int = 0) -> tuple[str, ...]:
    """A note on how many entities pass the filters of a search, if more than match do."""
    everything = replace(
        search.plan, mode="keyword", expand=False, limit=1, min_score=0.0, after=None
    )
    listing = search.run("*", everything)
    count = listing.total
    if count <= matches:
        return ()
    listed = "the one entity that passes" if count == 1 else f"the {count:,} entities that pass"
    all_query = "`*`"
    if not listing.total_exact:
        # `*` ranks no more than these; without a question nothing is ranked.
        listed, all_query = f"the {count:,} entities or more that pass", "a blank query"
    if not matches:
        return (f"nothing that passes the filters matches the query; {all_query} lists {listed}",)
    match = "matches" if matches == 1 else "match"
    return (
        f"only {matches:,} of {listed} the filters {match} the query; {all_query} lists them all",
    )
