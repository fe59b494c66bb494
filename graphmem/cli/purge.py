"""`graphmem purge`."""

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from graphmem import arguments
from graphmem.cli import output, session
from graphmem.cli.confirmation import Yes, check_answerable, confirm
from graphmem.cli.options import Json, Project
from graphmem.cli.search import Kinds, Since, Statuses, Tags, Until, Where, filters
from graphmem.cli.write import show_report
from graphmem.errors import NOT_SHOWN, InvalidInput, quantity

if TYPE_CHECKING:
    from graphmem.model.selection import Selection


def purge(
    *names: Annotated[
        str,
        Parameter(
            help="Names, aliases, titles or keys; without any, all entities that pass the filters."
        ),
    ],
    kind: Kinds = (),
    tag: Tags = (),
    status: Statuses = (),
    since: Since = None,
    until: Until = None,
    where: Where = None,
    everything: Annotated[
        bool, Parameter(help="Allow deleting all entities of the project.")
    ] = False,
    history: Annotated[
        bool,
        Parameter(
            help="Delete only the history of the named entities, and keep them.", negative=()
        ),
    ] = False,
    yes: Yes = False,
    project: Project = None,
    json: Json = False,
) -> int:
    """Delete entities for good, with their links and history.

    Give names, filters or both; with both, the named entities that pass the filters
    are deleted. The filters are those of `graphmem search`. A shell variable that
    expands to nothing counts as no name.

    It counts what matches and asks. Entities that no longer match when you answer
    are kept. After an interruption, the same command finishes the work; leave out
    names that are gone.

    The history of other entities may still mention what is gone, such as the note
    of a link to it, until `graphmem db compact` deletes old history.

    With --history, the entities stay and only their history is deleted: use it for
    a text that was corrected and must not be kept anywhere.

    What an import wrote comes back when the import runs again, unless it is gone
    from the source by then. To hide entities, use `graphmem forget`. The exit code
    is 1 if nothing matches.
    """
    filter_options = filters(
        kind=kind, tag=tag, status=status, since=since, until=until, where=where
    )
    if history:
        if not names or everything or any(filter_options.values()):
            raise InvalidInput(
                "names", NOT_SHOWN, "must be given with --history, and filters must not"
            )
        return _purge_history(names, project, yes=yes, json=json)

    def check() -> None:
        from graphmem.memory.writing.purging import check_selection

        check_selection(names or None, filter_options, everything=everything)
        check_answerable(yes=yes)

    with session.open_memory(project, check=check) as (memory, progress):
        selection = memory.selection(
            names or None, everything=everything, progress=progress, **filter_options
        )
        progress.finish()
        is_filtered = any(filter_options.values())
        if not json:
            _write(selection, "all that pass the filters: " if is_filtered and not names else "")
        if selection.entities:
            description = _describe(
                selection.entities, is_named=bool(names), is_filtered=is_filtered
            )
            confirm(f"Delete {description} for good?", yes=yes)
        report = memory.purge(selection, progress=progress)
    code = show_report(report, json=json)
    return code if selection.entities else 1


def _purge_history(names: tuple[str, ...], project: str | None, *, yes: bool, json: bool) -> int:
    arguments.names(names)
    check_answerable(yes=yes)
    with session.open_memory(project) as (memory, _):
        pages = memory.get(list(names))
        more = quantity(len(pages), "entity", "entities")
        shown_names = pages[0].name if len(pages) == 1 else more
        confirm(f"Delete the history of {shown_names} for good?", yes=yes)
        deleted = memory.purge_history(list(names))
    if json:
        output.document({"names": [page.name for page in pages], "deleted": deleted})
    else:
        records = quantity(deleted, "history record", "history records")
        were = "was" if deleted == 1 else "were"
        output.TextOutput().write(f"{records} of {shown_names} {were} deleted")
    return 0


def _describe(count: int, *, is_named: bool, is_filtered: bool) -> str:
    """The entities for the question: how many, and whether they are all that there are."""
    entities = quantity(count, "entity", "entities")
    if is_named:
        return entities
    if count == 1:
        return f"the only entity {'that passes the filters' if is_filtered else 'of the project'}"
    return f"all {entities} {'that pass the filters' if is_filtered else 'of the project'}"


def _write(selection: "Selection", filter_note: str) -> None:
    out = output.TextOutput()
    out.write(f"{selection.project}: {filter_note}{selection}")
    for name in selection.names:
        out.write_short(name, indent=2)
    remainder = selection.entities - len(selection.names)
    if remainder:
        out.write(f"and {remainder:,} more", indent=2)
