"""`graphmem search`."""

from typing import TYPE_CHECKING, Annotated, Literal, cast

from cyclopts import Parameter

from graphmem.cli import options, output, session
from graphmem.cli.options import AS_TEXTS, WITH_DEFAULT, Json, Status
from graphmem.errors import NOT_SHOWN, InvalidInput
from graphmem.model.answer import Detail, Mode, Operator, Ranking, Sort
from graphmem.model.period import ANY_TIME
from graphmem.model.status import ALL_BUT_HIDDEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graphmem.memory.searches.options import FilterOptions, SearchOptions
    from graphmem.model import Answer

WORDS = 'Words, a question or a name; also AND OR NOT ( ) "phrase" a* a~1.'
Words = Annotated[str, Parameter(help=WORDS)]
Limit = Annotated[
    int, Parameter(name=("--limit", "-n"), help="Maximum number of hits, 1 to 200."), WITH_DEFAULT
]
Expand = Annotated[
    bool,
    Parameter(
        name="--expand",
        negative="--no-expand",
        help="Also find entities one link away from the hits.",
    ),
    WITH_DEFAULT,
]
SearchMode = Annotated[
    Mode, Parameter(help="keyword: words and names; semantic: meaning; hybrid: both."), WITH_DEFAULT
]
RankedBy = Annotated[
    Ranking,
    Parameter(help="evidence: an absolute score, 0 to 1; rrf: reciprocal rank fusion."),
    WITH_DEFAULT,
]
Kinds = Annotated[tuple[str, ...], Parameter(help="Only entities of this kind; may be repeated.")]
Tags = Annotated[
    tuple[str, ...], Parameter(help="Only entities with this tag; if repeated, with any of them.")
]
Statuses = Annotated[
    tuple[Status, ...],
    Parameter(help=f"Only this status; may be repeated; by default {ALL_BUT_HIDDEN}."),
    AS_TEXTS,
]
Since = Annotated[
    str | None, Parameter(help="Only entities created on this day or later; also `monday`.")
]
Until = Annotated[
    str | None, Parameter(help="Only entities created on this day or earlier; also `last week`.")
]
At = Annotated[
    str | None,
    Parameter(
        help="Only what is valid on this day, also `yesterday`, or at this moment; by default now."
    ),
]
AnyTime = Annotated[bool, Parameter(help="Also what is no longer valid, or not valid yet.")]
Dates = Annotated[
    bool,
    Parameter(help="Read dates in the query, such as `last week`, as filters on creation dates."),
]
Where = Annotated[
    str | None,
    Parameter(
        help='Further filters, as JSON: {"attributes": {"cost": {">": 5}}, "tags_all": ["a"]}; '
        "also tags_none, category, confidence, created_at, updated_at, has_relation, "
        'lacks_relation, and paths of source and name: {"source": {"under": "docs"}}.'
    ),
]
Follow = Annotated[
    str | None,
    Parameter(
        help='Which links to follow, as JSON: {"types": ["OWNED_BY"], "direction": "out"}; '
        "also exclude_types, max_relations, link_factor, seeds."
    ),
]
Joined = Annotated[
    Operator, Parameter(help="Default operator between words: or, and."), WITH_DEFAULT
]
Prefixes = Annotated[bool, Parameter(help="Also match words by prefix.")]
FuzzyNames = Annotated[
    bool,
    Parameter(
        name="--fuzzy-names",
        negative="--no-fuzzy-names",
        help="Tolerate one typo in the longer words of names.",
    ),
    WITH_DEFAULT,
]
Sorted = Annotated[Sort, Parameter(help="Order: score, date (newest first) or name."), WITH_DEFAULT]
Cursor = Annotated[
    str | None, Parameter(help="The cursor of the previous page, to see the next one.")
]
Details = Annotated[
    Detail,
    Parameter(
        help="names: no passages; passages: the best matching passage, or two with --json; "
        "full: up to twenty passages, in full."
    ),
    WITH_DEFAULT,
]
Highlight = Annotated[bool, Parameter(help="Mark matched words with **.")]
MinScore = Annotated[
    float, Parameter(help="Leave out hits with a lower score, 0 to 1."), WITH_DEFAULT
]
Scope = Annotated[
    Literal["layers", "project"],
    Parameter(help="layers: the project, @user and @system; project: the project alone."),
    WITH_DEFAULT,
]
Projects = Annotated[
    tuple[str, ...],
    Parameter(
        name="--project",
        help="Project; by default GRAPHMEM_PROJECT, the git remote or the folder. If repeated, all "
        "of them are searched.",
    ),
]
AllProjects = Annotated[bool, Parameter(help="Search all projects.")]
AsOf = Annotated[
    str | None,
    Parameter(help="Search what was stored at the end of this day, also `yesterday`, or a moment."),
]
Explain = Annotated[bool, Parameter(help="Show how each score was computed.")]


def time(at: str | None, *, any_time: bool) -> str | None:
    """The time at which a hit must be valid; None for now.

    Raises:
        InvalidInput: Both options are given.
    """
    if any_time and at is not None:
        raise InvalidInput("--any-time", NOT_SHOWN, "cannot be combined with --at")
    return ANY_TIME if any_time else at


def filters(
    kind: Kinds, tag: Tags, status: Statuses, *, since: Since, until: Until, where: Where
) -> "FilterOptions":
    """These options as the filters that `Memory.search` takes.

    Raises:
        InvalidInput: `--where` is no JSON object.
    """
    return {
        "kinds": kind,
        "tags": tag,
        "status": status,
        "since": since,
        "until": until,
        "where": options.json_option("--where", where),
    }


def projects_to_search(
    project: tuple[str, ...], *, all_projects: bool
) -> "tuple[str | None, Sequence[str] | str | None]":
    """The project that is opened, and the option `projects`, None for a search of one project.

    Raises:
        InvalidInput: Projects are named although all are searched.
    """
    if all_projects and project:
        raise InvalidInput("--all-projects", NOT_SHOWN, "cannot be combined with --project")
    several = "*" if all_projects else project if len(project) > 1 else None
    return next(iter(project), None), several


def search(
    *query: Words,
    project: Projects = (),
    all_projects: AllProjects = False,
    limit: Limit = 10,
    expand: Expand = True,
    mode: SearchMode = "hybrid",
    ranking: RankedBy = "evidence",
    operator: Joined = "or",
    prefixes: Prefixes = False,
    fuzzy_names: FuzzyNames = True,
    kind: Kinds = (),
    tag: Tags = (),
    status: Statuses = (),
    since: Since = None,
    until: Until = None,
    dates: Dates = False,
    where: Where = None,
    at: At = None,
    any_time: AnyTime = False,
    follow: Follow = None,
    min_score: MinScore = 0.0,
    scope: Scope = "layers",
    sort: Sorted = "score",
    cursor: Cursor = None,
    detail: Details = "passages",
    highlight: Highlight = False,
    explain: Explain = False,
    as_of: AsOf = None,
    json: Json = False,
) -> int:
    """Find entities and those one link away, best first.

    A hit that only a link found shows that link: `⟵ DEPENDS_ON from A` is a
    relation from A to the hit, `⟶ DEPENDS_ON to A` one from the hit to A. Without a
    query, all entities that pass the filters are listed, last changed first. The
    exit code is 1 if nothing is found.
    """
    own_project, several = projects_to_search(project, all_projects=all_projects)
    moment = time(at, any_time=any_time)
    text = " ".join(query)
    search_options: SearchOptions = {
        "projects": several,
        "dates": dates,
        "scope": scope,
        "limit": limit,
        "expand": expand,
        "mode": mode,
        "ranking": ranking,
        "operator": operator,
        "prefixes": prefixes,
        "fuzzy_names": fuzzy_names,
        "follow": options.json_option("--follow", follow),
        "min_score": min_score,
        "sort": sort,
        "cursor": cursor,
        "detail": detail,
        "highlight": highlight,
        "explain": explain or not json,
        "as_of": as_of,
        "at": moment,
    }
    filter_options = filters(kind, tag, status, since=since, until=until, where=where)
    search_options |= cast("SearchOptions", filter_options)
    with session.open_search(own_project, text, search_options) as memory:
        answer = memory.search(text, **search_options)
    return _show(answer, text, json=json, explain=explain, detail=detail, pages=cursor is not None)


def _show(
    answer: "Answer", asked: str, *, json: bool, explain: bool, detail: Detail, pages: bool
) -> int:
    """Write an answer; the exit code says whether there are hits."""
    code = 0 if answer.hits else 1
    if json:
        output.document(answer.to_json())
        return code
    from graphmem.cli import answers, listings

    # What asks for dates alone has no query left, but is no listing.
    if asked.strip():
        answers.write(answer, output.TextOutput(), explain=explain, full=detail == "full")
    else:
        listings.write(answer, output.TextOutput(), full=detail == "full")
    say_more(answer.cursor, pages=pages)
    return code


def say_more(cursor: str | None, *, pages: bool) -> None:
    """Say how to see the next hits, if there are any; the long cursor only while paging."""
    if cursor is not None and pages:
        output.say(f"For the next page, add --cursor {cursor}")
    elif cursor is not None:
        output.say("For more, raise --limit, or page with the cursor shown by --json.")
