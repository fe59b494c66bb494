"""`graphmem project show|list|rename|merge|delete`."""

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from graphmem import project as projects
from graphmem.cli import output, session
from graphmem.cli.change import Yes, confirm
from graphmem.cli.options import Json

if TYPE_CHECKING:
    from graphmem.model.projects import ProjectChange, ProjectSummary

Name = Annotated[str, Parameter(help="A project, as `graphmem project list` shows it.")]


def show(*, json: Json = False) -> int:
    """Show which project this folder belongs to, and how it was determined."""
    found = projects.detect(setting=session.configure().project)
    folder = None if found.folder is None else str(found.folder)
    if json:
        output.document({"project": found.name, "source": found.source, "folder": folder})
    else:
        place = f" of {folder}" if folder else ""
        output.TextOutput().write(f"{found.name}  ({found.source}{place})")
    return 0


def list_(*, json: Json = False) -> int:
    """List all projects and layers, with what they hold and their last change."""
    with session.opened(None) as (memory, _):
        listed = memory.projects()
        own = memory.project
    if json:
        output.document({"projects": [one.to_json() for one in listed]})
        return 0
    from graphmem.cli import pages

    pages.write_projects(listed, output.TextOutput(), own=own)
    return 0


def rename(
    old: Name,
    new: Annotated[str, Parameter(help="Its new name, which holds nothing yet.")],
    /,
    *,
    yes: Yes = False,
    json: Json = False,
) -> int:
    """Give everything in a project to another name; asks first.

    A rename that was interrupted is ended by the same command. To rename an entity,
    use `graphmem rename`.
    """
    with session.opened(old) as (memory, progress):
        summary, _ = _held(memory.projects([old, new]), old)
        confirm(f"Rename {old} to {new}: {_counted(summary)}?", yes=yes)
        change = memory.rename_project(old, new, progress=progress)
    return _told(change, "moved", json=json)


def merge(
    start: Annotated[str, Parameter(name="FROM", help="The project that is empty afterwards.")],
    into: Annotated[str, Parameter(name="INTO", help="The project that takes everything.")],
    /,
    *,
    yes: Yes = False,
    json: Json = False,
) -> int:
    """Move all of a project to another, joining entities of one name; asks first.

    Of two texts, titles or other fields that the same author gave, the later one
    stays. A merge that was interrupted is ended by the same command.
    """
    with session.opened(start) as (memory, progress):
        summary, rest = _held(memory.projects([start, into]), start)
        there = f", which holds {_counted(rest[0])}" if rest else ""
        confirm(f"Merge {start} into {into}{there}: {_counted(summary)}?", yes=yes)
        change = memory.merge_projects(start, into, progress=progress)
    return _told(change, "moved", json=json)


def delete(name: Name, /, *, yes: Yes = False, json: Json = False) -> int:
    """Delete everything in a project for good, with its links and history; asks first."""
    with session.opened(name) as (memory, progress):
        summary, _ = _held(memory.projects([name]), name)
        confirm(f"Delete {name} for good: {_counted(summary)}?", yes=yes)
        change = memory.delete_project(name, progress=progress)
    return _told(change, "deleted", json=json)


def _held(
    listed: "tuple[ProjectSummary, ...]", name: str
) -> "tuple[ProjectSummary, list[ProjectSummary]]":
    """What the project of a name holds, and what the other one does."""
    own = projects.check_project_name(name)
    (summary,) = (one for one in listed if one.project == own)
    return summary, [one for one in listed if one.project != own]


def _counted(summary: "ProjectSummary") -> str:
    entities = output.counted(summary.entities, "entity", "entities")
    passages = output.counted(summary.passages, "passage", "passages")
    relations = output.counted(summary.relations, "relation", "relations")
    return f"{entities}, {passages}, {relations}"


def _told(change: "ProjectChange", done: str, *, json: bool) -> int:
    if json:
        output.document(change.to_json())
    else:
        from graphmem.cli import pages

        pages.write_project_change(change, output.TextOutput(), done=done)
    return 1 if change.refused else 0
