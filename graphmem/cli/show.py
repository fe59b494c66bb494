"""`graphmem show`, `graphmem explore`, `graphmem overview` and `graphmem stats`."""

from typing import Annotated

from cyclopts import Parameter

from graphmem import arguments, moments
from graphmem.arguments import renaming_arguments
from graphmem.cli import output, session
from graphmem.cli.options import WITH_DEFAULT, Json, Name, Project
from graphmem.model.where import Direction

ExploredAsOf = Annotated[
    str | None,
    Parameter(
        help="Explore what was stored at the end of this day, also `yesterday`, or a moment."
    ),
]


def show(
    name: Name,
    /,
    *,
    as_of: Annotated[
        str | None,
        Parameter(help="Show it as it was at the end of this day, also `yesterday`, or a moment."),
    ] = None,
    project: Project = None,
    json: Json = False,
) -> int:
    """Show one entity in full, with its relations.

    `⟶ R to A` is a relation from this entity to A; `⟵ R from A` is one from A to
    this entity.
    """
    arguments.names([name])
    if as_of is not None:
        moments.known_then("as_of", as_of)
    with session.open_memory(project) as (memory, _), renaming_arguments(moment="as_of"):
        page = memory.get(name)[0] if as_of is None else memory.get_as_of(name, as_of)
    if json:
        output.document(page.to_json())
    else:
        from graphmem.cli import pages

        pages.write_page(page, output.TextOutput())
    return 0


def explore(
    name: Name,
    to: Annotated[
        str | None, Parameter(help="Another entity: show the shortest path to it.")
    ] = None,
    /,
    *,
    depth: Annotated[
        int | None,
        Parameter(
            help="Most relations away, 1 to 5, by default 2; with another entity the longest "
            "path, 1 to 10 relations, by default 6."
        ),
    ] = None,
    relation: Annotated[
        tuple[str, ...], Parameter(help="Follow only this relation type; may be repeated.")
    ] = (),
    direction: Annotated[
        Direction,
        Parameter(help="out: relations that lead away from it; in: those that lead to it."),
        WITH_DEFAULT,
    ] = "both",
    limit: Annotated[
        int, Parameter(help="Maximum number of entities, 1 to 200."), WITH_DEFAULT
    ] = 100,
    at: Annotated[
        str, Parameter(help="When links and entities must be valid: a day, a moment, now or any.")
    ] = "now",
    as_of: ExploredAsOf = None,
    project: Project = None,
    json: Json = False,
) -> int:
    """Show what is around an entity, or the shortest path to another.

    `⟶ R to A` is a relation to A, `⟵ R from A` is one from A; the other end is the
    entity above it with less indentation. The exit code is 1 if there is no path.
    """

    def check() -> None:
        from graphmem.memory.searches.explorations import ExplorationRequest

        names = arguments.names([name] if to is None else [name, to])
        if as_of is not None:
            moments.known_then("as_of", as_of)
        ExplorationRequest.of(
            names, depth=depth, relations=relation, direction=direction, limit=limit, at=at
        )

    with session.open_memory(project, check=check) as (memory, progress):
        if as_of is not None:
            progress.say(session.GOING_BACK)
        exploration = memory.explore(
            name, to, depth=depth, relations=relation, direction=direction, limit=limit, at=at,
            as_of=as_of,
        )  # fmt: skip
    if json:
        output.document(exploration.to_json())
    else:
        from graphmem.cli.exploration import write_exploration

        write_exploration(exploration, output.TextOutput())
    is_path = to is None or exploration.entities or exploration.name == exploration.to
    return 0 if is_path else 1


def overview(*, project: Project = None, json: Json = False) -> int:
    """Summarize a project: counts, and entities to begin with.

    These are the ten entities that people and agents changed last (if they wrote
    fewer, then imported ones), the ten with the most relations (code last), and ten
    that relations lead to but that have no text and no observations yet.
    `graphmem duplicates` lists those that may be the same thing.
    """
    with session.open_memory(project) as (memory, _):
        contents = memory.overview()
    if json:
        output.document(contents.to_json())
    else:
        from graphmem.cli import pages

        pages.write_overview(contents, output.TextOutput())
    return 0


def stats(*, project: Project = None, json: Json = False) -> int:
    """Count the entities, relations and passages of a project."""
    with session.open_memory(project) as (memory, _):
        counts = memory.stats()
        note = None if counts.entities else session.empty_project_note(memory, counts.project)
    if json:
        output.document(counts.to_json())
    else:
        from graphmem.cli import pages

        pages.write_stats(counts, out := output.TextOutput())
        if note is not None:
            out.write_note(note)
            out.write(session.FIRST_STEP)
    return 0
