"""`graphmem recent`."""

from functools import partial
from typing import TYPE_CHECKING

from graphmem.cli import output, session
from graphmem.cli.options import Json
from graphmem.cli.search import (
    AllProjects,
    AnyTime,
    At,
    Cursor,
    Details,
    Kinds,
    Limit,
    Projects,
    Scope,
    Since,
    Statuses,
    Tags,
    Until,
    Where,
    filters,
    projects_to_search,
    say_more,
    time,
)

if TYPE_CHECKING:
    from graphmem.memory.searches.options import ListingOptions


def recent(
    *,
    project: Projects = (),
    all_projects: AllProjects = False,
    limit: Limit = 10,
    kind: Kinds = (),
    tag: Tags = (),
    status: Statuses = (),
    since: Since = None,
    until: Until = None,
    where: Where = None,
    at: At = None,
    any_time: AnyTime = False,
    scope: Scope = "layers",
    cursor: Cursor = None,
    detail: Details = "passages",
    json: Json = False,
) -> int:
    """List the entities that changed last.

    The filters are those of `graphmem search`. --since and --until compare the date
    of creation; for the last change, use
    --where '{"updated_at": {">=": "2026-01-01"}}'. The exit code is 1 if no entity
    passes.
    """
    moment = time(at, any_time=any_time)
    own_project, several = projects_to_search(project, all_projects=all_projects)
    filter_options = filters(kind, tag, status, since=since, until=until, where=where)
    listing_options: ListingOptions = {
        "projects": several,
        "scope": scope,
        "limit": limit,
        "cursor": cursor,
        "detail": detail,
        "at": moment,
        **filter_options,
    }
    check = partial(session.check_listing, listing_options)
    with session.open_memory(own_project, check=check) as (memory, _):
        answer = memory.recent(**listing_options)
    if json:
        output.document(answer.to_json())
    else:
        from graphmem.cli import listings

        is_filtered = at is not None or any(filter_options.values())
        listings.write(answer, output.TextOutput(), full=detail == "full", is_filtered=is_filtered)
        say_more(answer.cursor, pages=cursor is not None)
    return 0 if answer.hits else 1
