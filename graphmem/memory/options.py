"""What a caller may ask of a search, checked, and what becomes of it."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from graphmem import arguments
from graphmem import project as projects
from graphmem import search as searching
from graphmem.lucene import Operator
from graphmem.model.answer import MODES, RANKINGS, Mode, Ranking

LIMIT = 200


class SearchOptions(TypedDict, total=False):
    """The options of `Memory.search`; each may be left out.

    scope: `layers` (default) searches the project, `@user` and `@system`; `project` only the first.
    limit: Most hits, 1 to 200; 10 by default.
    expand: Whether relations are followed; True by default.
    mode: `hybrid` (default), `keyword` (words and names) or `semantic` (meaning).
    ranking: `evidence` (default), or `rrf` with k = 60.
    operator: What two words side by side mean: `or` (default) ranks, `and` asks for both.
    kinds: Only these kinds, compared without case.
    tags: Only entities with any of these tags.
    status: Only these statuses; by default all but forgotten, superseded, deprecated.
    min_score: Hits below it are dropped, 0 to 1.
    explain: Whether each hit lists the parts of its score.
    weights: Other constants of the ranking, for measuring.
    """

    scope: str
    limit: int
    expand: bool
    mode: Mode
    ranking: Ranking
    operator: Operator
    kinds: Sequence[str]
    tags: Sequence[str]
    status: Sequence[str]
    min_score: float
    explain: bool
    weights: searching.Weights


def planned(project: str, options: Mapping[str, Any]) -> tuple[searching.Filters, searching.Plan]:
    """Check the options of a search of one project.

    Raises:
        InvalidInput: An option is not allowed.
        TypeError: There is no such option.
    """
    unknown = options.keys() - SearchOptions.__annotations__.keys()
    if unknown:
        raise TypeError(f"search has no option {', '.join(sorted(unknown))}")
    scope = options.get("scope", "layers")
    arguments.choice("scope", scope, ("layers", "project"))
    layers = projects.LAYERS if scope == "layers" else ()
    return _filters(tuple(dict.fromkeys((project, *layers))), options), _plan(options)


def _filters(asked: tuple[str, ...], options: Mapping[str, Any]) -> searching.Filters:
    return searching.Filters(
        projects=asked,
        kinds=arguments.labels("kinds", options.get("kinds", ())),
        tags=arguments.labels("tags", options.get("tags", ())),
        statuses=arguments.labels("status", options.get("status", ())),
    )


def _plan(options: Mapping[str, Any]) -> searching.Plan:
    plan = searching.Plan(
        mode=options.get("mode", "hybrid"),
        ranking=options.get("ranking", "evidence"),
        operator=options.get("operator", "or"),
        expand=options.get("expand", True),
        limit=options.get("limit", 10),
        min_score=options.get("min_score", 0.0),
        explain=options.get("explain", False),
        weights=options.get("weights") or searching.Weights(),
    )
    arguments.choice("mode", plan.mode, MODES)
    arguments.choice("ranking", plan.ranking, RANKINGS)
    arguments.choice("operator", plan.operator, ("or", "and"))
    arguments.number("limit", plan.limit, 1, LIMIT)
    arguments.number("min_score", plan.min_score, 0.0, 1.0)
    return plan
