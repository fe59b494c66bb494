"""Overviews and lists of projects cut to what an agent can read at once."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from graphmem.model.overview import Overview
from graphmem.model.projects import ProjectList, ProjectSummary
from graphmem.project import LAYERS
from graphmem.server.brief import compact

# 1,000 tokens of 4 characters.
OVERVIEW_CHARACTERS = 4_000
NAME_ONE = "There is no default project: name one as `project` in every call."
NOTHING_STORED = (
    "There is no default project, and nothing is stored yet: name a project, such as {example}, as "
    "`project` in every call; the first write creates it."
)
EXAMPLE = "github.com/owner/repo"
EXAMPLES = 5
# Entities of each list of an overview, and names that are counted of each sort; the first that fit.
SHORTER = ((10, 30), (10, 12), (6, 8), (3, 5), (1, 2), (0, 1))


def brief_overview(overview: Overview) -> Overview:
    """Cut the lists of an overview until it takes less than 1,000 tokens; counts are all there."""
    for names, counts in SHORTER:
        short_overview = replace(
            overview,
            kinds=_most_frequent(overview.kinds, counts),
            statuses=_most_frequent(overview.statuses, counts),
            tags=_most_frequent(overview.tags, counts),
            types=_most_frequent(overview.types, counts),
            recent=overview.recent[:names],
            hubs=overview.hubs[:names],
            stubs=overview.stubs[:names],
        )
        if len(compact(short_overview)) < OVERVIEW_CHARACTERS:
            break
    return short_overview


def project_list(
    summaries: Iterable[ProjectSummary], reach: Collection[str] | None = None
) -> ProjectList:
    """The projects to name, last changed first; as many as take less than 1,000 tokens.

    Args:
        summaries: Those that hold something.
        reach: The only projects that the caller may name; None for any.
    """
    projects = [summary for summary in summaries if summary.project not in LAYERS]
    projects.sort(
        key=lambda project: project.updated_at.timestamp() if project.updated_at else 0.0,
        reverse=True,
    )
    if not projects:
        example = " or ".join(sorted(reach)[:EXAMPLES]) if reach else EXAMPLE
        return ProjectList((), notes=(NOTHING_STORED.format(example=example),))
    count = len(projects)
    while True:
        omitted = len(projects) - count
        short_list = ProjectList(tuple(projects[:count]), omitted or None, (NAME_ONE,))
        if count <= 1 or len(compact(short_list)) < OVERVIEW_CHARACTERS:
            return short_list
        count = count * 3 // 4


def _most_frequent(counts: Mapping[str, int], limit: int) -> dict[str, int]:
    """The first of counts that are in falling order."""
    return dict(list(counts.items())[:limit])
