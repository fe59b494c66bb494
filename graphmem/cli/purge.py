"""`graphmem purge`."""

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from graphmem.cli import output, session
from graphmem.cli.change import Yes, confirm
from graphmem.cli.options import Json, Project
from graphmem.cli.search import Kinds, Since, Statuses, Tags, Until, Where, filters
from graphmem.cli.write import reported

if TYPE_CHECKING:
    from graphmem.model.selection import Selection


def purge(
    *names: Annotated[
        str,
        Parameter(help="Names, aliases, titles or keys. Without any: all that pass the filters."),
    ],
    kind: Kinds = (),
    tag: Tags = (),
    status: Statuses = (),
    since: Since = None,
    until: Until = None,
    where: Where = None,
    everything: Annotated[
        bool, Parameter(help="Allow it to take all entities of the project.")
    ] = False,
    yes: Yes = False,
    project: Project = None,
    json: Json = False,
) -> int:
    """Delete entities for good, with their links and history.

    It takes the entities that are named; of names with filters, those that pass.
    Without a name it takes all that pass the filters, also where a shell has put
    nothing in the place of a name. The filters are those of `graphmem search`. It
    shows how much that is and asks. What was changed until then so that it does
    not pass any more stays. A purge that was interrupted is ended by the same
    command, without the names of what is gone.

    The history of other entities may still tell of what is gone, such as notes of
    links to it, until `graphmem db compact` deletes old history.

    What an import asserts comes back when it runs again, unless it is gone from its
    source. To hide entities, use `graphmem forget`. Exit code 1: nothing passes.
    """
    asked = filters(kind=kind, tag=tag, status=status, since=since, until=until, where=where)
    with session.opened(project) as (memory, progress):
        selection = memory.selection(
            names or None, everything=everything, progress=progress, **asked
        )
        progress.finish()
        is_filtered = any(asked.values())
        if not json:
            _write(selection, "all that pass the filters: " if is_filtered and not names else "")
        if selection.entities:
            chosen = _chosen(selection.entities, is_named=bool(names), is_filtered=is_filtered)
            confirm(f"Delete {chosen} for good?", yes=yes)
        report = memory.purge(selection, progress=progress)
    code = reported(report, json=json)
    return code if selection.entities else 1


def _chosen(count: int, *, is_named: bool, is_filtered: bool) -> str:
    """What is asked about: how many entities, and whether these are all that there are."""
    entities = output.counted(count, "entity", "entities")
    if is_named:
        return entities
    if count == 1:
        return f"the only entity {'that passes the filters' if is_filtered else 'of the project'}"
    return f"all {entities} {'that pass the filters' if is_filtered else 'of the project'}"


def _write(selection: "Selection", which: str) -> None:
    out = output.TextOutput()
    out.write(f"{selection.project}: {which}{selection}")
    for name in selection.names:
        out.write_short(name, indent=2)
    more = selection.entities - len(selection.names)
    if more:
        out.write(f"and {more:,} more", indent=2)
