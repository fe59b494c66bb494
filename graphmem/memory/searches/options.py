"""The options of a search, checked and turned into filters and a plan."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, TypedDict

from graphmem import arguments, moments
from graphmem import project as projects
from graphmem import search as searching
from graphmem.errors import InvalidInput
from graphmem.model.answer import (
    MODES,
    MOST_HITS,
    OPERATORS,
    RANKINGS,
    SORTS,
    Detail,
    Mode,
    Operator,
    Ranking,
    Sort,
)
from graphmem.model.filters import Filters
from graphmem.model.period import ANY_TIME, NOW, Day
from graphmem.model.where import DIRECTIONS, Where, created_within
from graphmem.search.plan import SEEDS

MOST_RELATIONS = 200
# A neighbour scores below its seed, so a link never passes on everything.
MOST_LINK_FACTOR = 0.99
# The orders that a listing accepts: the default of a search, and the one that it has.
LISTING_SORTS = ("score", "date")
BLANK = "With a filter, a blank query lists what changed last."
DETAILS = {"names": 0, "passages": 2, "full": 20}

_FOLLOW = tuple(field.name for field in fields(searching.Follow))
_FLAGS = ("expand", "highlight", "explain", "prefixes", "fuzzy_names")
# The options that are fields of a plan as they are given; the plan has their defaults.
_PLAN_OPTIONS = (*_FLAGS, "mode", "ranking", "operator", "limit", "sort", "min_score")


class FilterOptions(TypedDict, total=False):
    """Which entities may be hits; each option may be left out, or None.

    kinds: Only entities of these kinds, regardless of case.
    tags: Only entities with at least one of these tags.
    status: Only entities with these statuses; by default all except forgotten, superseded,
        deprecated and removed.
    since: Only entities created on this day or at this moment, or later.
    until: Only entities created on this day or at this moment, or earlier.
    where: More conditions, as an object, such as `{"attributes": {"owner": "ops"}}`; see
        `docs/searching.md`.
    """

    kinds: Sequence[str] | None
    tags: Sequence[str] | None
    status: Sequence[str] | None
    since: Day | str | None
    until: Day | str | None
    where: Mapping[str, object] | None


class TimedOptions(FilterOptions, total=False):
    """Filters, and the time at which a hit must be valid.

    at: Only entities, observations and relations that are valid on this day or at this moment, by
        their `valid_from` and `valid_until`; `now` (the default; with `as_of`, that moment) or
        `any`.
    """

    at: Day | str | None


class ListingOptions(TimedOptions, total=False):
    """The options of `Memory.recent`; each may be left out.

    projects: Several projects to list together, at most 100, or `*` for all; instead of the
        argument `project`.
    scope: `layers` (default) lists the project, `@user` and `@system`; `project` only the first.
    limit: The most entities, 1 to 200; by default 10.
    cursor: The `cursor` of the previous page.
    detail: `names` gives no passages, `passages` (default) the first two, `full` the first twenty.
    """

    projects: Sequence[str] | str | None
    scope: str
    limit: int
    cursor: str | None
    detail: Detail


class SearchOptions(TimedOptions, total=False):
    """The options of `Memory.search` besides its filters; each may be left out.

    dates: Whether dates in the words of the query, such as "last week", become filters; by default
        False.
    projects: Several projects to search together, at most 100, or `*` for all; instead of the
        argument `project`.
    scope: `layers` (default) searches the project, `@user` and `@system`; `project` only the first.
    limit: The most hits, 1 to 200; by default 10.
    expand: Whether relations are followed; by default True.
    mode: `hybrid` (default), `keyword` (words and names) or `semantic` (meaning).
    ranking: `evidence` (default), or `rrf` with k = 60.
    operator: Between adjacent words, `or` (default) or `and`.
    prefixes: Whether plain words of two or more letters also match words that begin with them.
    fuzzy_names: Whether one typo in the longer words of names is tolerated; by default True.
    follow: Which relations are followed:
        `{types, exclude_types, direction, max_relations, link_factor, seeds}`.
    min_score: The least score of a hit, 0 to 1.
    sort: `score` (default), `date` (newest first) or `name`.
    cursor: The `cursor` of the previous page.
    detail: `names` gives no passages, `passages` (default) the two best, `full` the twenty best.
    highlight: Whether snippets mark the matched words.
    explain: Whether each hit has the parts of its score.
    as_of: Search what was stored at the end of this day, or at this moment; by default now.
    weights: Other constants of the ranking formula, for measurements.
    """

    dates: bool
    projects: Sequence[str] | str | None
    scope: str
    limit: int
    expand: bool
    mode: Mode
    ranking: Ranking
    operator: Operator
    prefixes: bool
    fuzzy_names: bool
    follow: Mapping[str, object]
    min_score: float
    sort: Sort
    cursor: str | None
    detail: Detail
    highlight: bool
    explain: bool
    as_of: Day | str | None
    weights: searching.Weights


def planned(
    project_names: Sequence[str], options: Mapping[str, Any], *, is_limited: bool = False
) -> tuple[Filters, searching.Plan]:
    """Check the options of a search of some projects.

    Args:
        project_names: The projects, without the layers.
        options: As `SearchOptions` has them.
        is_limited: Whether the caller may not read all projects of the store.

    Raises:
        InvalidInput: An option is not allowed.
        TypeError: There is no such option.
    """
    options = {name: value for name, value in options.items() if value is not None}
    arguments.options_of("search", options, SearchOptions.__annotations__)
    scope = options.get("scope", "layers")
    arguments.choice("scope", scope, ("layers", "project"))
    layers = projects.LAYERS if scope == "layers" else ()
    filters = _filters(tuple(dict.fromkeys((*project_names, *layers))), options)
    return replace(filters, is_limited=is_limited), _plan(options)


def planned_listing(
    query: str, project_names: Sequence[str], options: Mapping[str, Any], *, is_limited: bool
) -> tuple[Filters, searching.Plan]:
    """Check the options of a search whose query is blank.

    Raises:
        InvalidInput: There is no filter, or an option needs a query.
    """
    filters, plan = planned(project_names, options, is_limited=is_limited)
    if filters.is_unfiltered:
        raise InvalidInput("query", query, "must not be blank", hint=BLANK)
    if plan.sort not in LISTING_SORTS:
        raise InvalidInput("sort", plan.sort, "must be date if there is no query")
    if plan.min_score:
        raise InvalidInput("min_score", plan.min_score, "must be 0 if there is no query")
    return filters, plan


def check_search(query: str, options: Mapping[str, Any]) -> None:
    """Refuse what every search would refuse, for a caller that has not opened the store yet.

    Raises:
        InvalidInput: The query or an option is not allowed.
    """
    if query.strip():
        arguments.query(query)
        planned((), options)
    else:
        planned_listing(query, (), options, is_limited=False)


def _filters(project_names: tuple[str, ...], options: Mapping[str, Any]) -> Filters:
    return Filters(
        projects=project_names,
        kinds=arguments.labels("kinds", options.get("kinds", ())),
        tags=arguments.labels("tags", options.get("tags", ())),
        statuses=arguments.labels("status", options.get("status", ())),
        where=_where(options),
    )


def _where(options: Mapping[str, Any]) -> Where:
    where = Where.from_json(options.get("where", {}))
    start, end = moments.bounds(options.get("since"), options.get("until"))
    return replace(where, conditions=(*where.conditions, *created_within(start, end)))


def _follow(value: object) -> searching.Follow:
    if not isinstance(value, Mapping) or not value.keys() <= set(_FOLLOW):
        raise InvalidInput("follow", value, f"must be an object of {', '.join(_FOLLOW)}")
    types = {
        name: arguments.labels(f"follow.{name}", value.get(name, ()))
        for name in ("types", "exclude_types")
    }
    follow = searching.Follow(**{**value, **types})
    arguments.choice("follow.seeds", follow.seeds, SEEDS)
    arguments.choice("follow.direction", follow.direction, DIRECTIONS)
    arguments.number("follow.max_relations", follow.max_relations, 1, MOST_RELATIONS)
    if follow.link_factor is not None:
        arguments.number("follow.link_factor", follow.link_factor, 0.0, MOST_LINK_FACTOR)
    return follow


def time_of(value: object) -> Day | str:
    """Check when a hit must be valid: a day or moment, `now` or `any`."""
    if isinstance(value, str) and value in {NOW, ANY_TIME}:
        return value
    try:
        return moments.day_or_moment("at", value)
    except InvalidInput:
        raise InvalidInput(
            "at",
            value,
            f"must be a day such as 2026-03-01 or `yesterday`, a moment, {NOW} or {ANY_TIME}",
        ) from None


def _as_of(value: object) -> datetime | None:
    """The moment of the past that is searched; None for now."""
    return None if value is None else moments.known_then("as_of", value)


def _plan(options: Mapping[str, Any]) -> searching.Plan:
    detail = options.get("detail", "passages")
    arguments.choice("detail", detail, tuple(DETAILS))
    for name in (*_FLAGS, "dates"):
        arguments.flag(name, options.get(name, False))
    weights = options.get("weights", searching.Weights())
    arguments.instance("weights", weights, searching.Weights)
    plan = searching.Plan(
        **{name: options[name] for name in _PLAN_OPTIONS if name in options},
        follow=_follow(options.get("follow", {})),
        at=time_of(options.get("at", NOW)),
        passages=DETAILS[detail],
        weights=weights,
        as_of=_as_of(options.get("as_of")),
    )
    if plan.follow.link_factor is not None:
        plan = replace(plan, weights=replace(plan.weights, link=plan.follow.link_factor))
    arguments.choice("sort", plan.sort, SORTS)
    arguments.choice("mode", plan.mode, MODES)
    arguments.choice("ranking", plan.ranking, RANKINGS)
    arguments.choice("operator", plan.operator, OPERATORS)
    arguments.number("limit", plan.limit, 1, MOST_HITS)
    arguments.number("min_score", plan.min_score, 0.0, 1.0)
    return plan
