"""`graphmem project show|list|rename|merge|delete`."""

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from graphmem import project as projects
from graphmem.cli import output, session
from graphmem.cli.confirmation import Yes, check_answerable, confirm
from graphmem.cli.options import Json
from graphmem.errors import quantity

if TYPE_CHECKING:
    from graphmem.model.projects import ProjectChange, ProjectSummary

Name = Annotated[str, Parameter(help="A project, as `graphmem project list` shows it.")]


def show(*, json: Json = False) -> int:
    """Show which project this folder belongs to, and how it was determined."""
    detection = projects.detect(setting=session.configure().project)
    folder = None if detection.folder is None else str(detection.folder)
    if json:
        output.document({"project": detection.name, "source": detection.source, "folder": folder})
    else:
        place = f" of {folder}" if folder else ""
        output.TextOutput().write(f"{detection.name}  ({detection.source}{place})")
    return 0


def list_(*, json: Json = False) -> int:
    """List all projects and layers, with what they hold and their last change."""
    with session.open_memory(None) as (memory, _):
        summaries = memory.projects()
        own_project = memory.project
    if json:
        output.document({"projects": [summary.to_json() for summary in summaries]})
        return 0
    from graphmem.cli import pages

    pages.write_projects(summaries, output.TextOutput(), own_project=own_project)
    return 0


def rename(
    old: Name,
    new: Annotated[str, Parameter(help="Its new name; no project of this name may exist.")],
    /,
    *,
    yes: Yes = False,
    json: Json = False,
) -> int:
    """Rename a project with everything in it; asks first.

    After an interruption, the same command finishes the work. `graphmem undo` does
    not take it back; rename it back. To rename an entity, use `graphmem rename`.
    """
    _check_names(old=old, new=new)
    check_answerable(yes=yes)
    with session.open_memory(old) as (memory, progress):
        summary, _ = _pick_summary(memory.projects([old, new]), old)
        confirm(f"Rename {old} to {new}: {_contents(summary)}?", yes=yes)
        change = memory.rename_project(old, new, progress=progress)
    return _show_change(change, "moved", json=json)


def merge(
    start: Annotated[str, Parameter(name="FROM", help="The project that will be empty.")],
    into: Annotated[str, Parameter(name="INTO", help="The project that gets everything.")],
    /,
    *,
    yes: Yes = False,
    json: Json = False,
) -> int:
    """Move everything in a project to another one; asks first.

    Entities of the same name are merged. If the same author gave a text, a title or
    another field in both, the later value stays. After an interruption, the same
    command finishes the work.
    """
    _check_names(start=start, into=into)
    check_answerable(yes=yes)
    with session.open_memory(start) as (memory, progress):
        summary, others = _pick_summary(memory.projects([start, into]), start)
        target_note = f", which holds {_contents(others[0])}" if others else ""
        confirm(f"Merge {start} into {into}{target_note}: {_contents(summary)}?", yes=yes)
        change = memory.merge_projects(start, into, progress=progress)
    return _show_change(change, "moved", json=json)


def delete(name: Name, /, *, yes: Yes = False, json: Json = False) -> int:
    """Delete everything in a project for good, with its links and history; asks first."""
    _check_names(name=name)
    check_answerable(yes=yes)
    with session.open_memory(name) as (memory, progress):
        summary, _ = _pick_summary(memory.projects([name]), name)
        confirm(f"Delete {name} for good: {_contents(summary)}?", yes=yes)
        change = memory.delete_project(name, progress=progress)
    return _show_change(change, "deleted", json=json)


def _check_names(**names: str) -> None:
    """Refuse what is no name of a project, by what `Memory` calls it."""
    for argument, name in names.items():
        projects.check_project_name(name, argument=argument)


def _pick_summary(
    summaries: "tuple[ProjectSummary, ...]", name: str
) -> "tuple[ProjectSummary, list[ProjectSummary]]":
    """The summary of the named project, and those of the other projects."""
    project = projects.check_project_name(name)
    (summary,) = (summary for summary in summaries if summary.project == project)
    return summary, [other for other in summaries if other.project != project]


def _contents(summary: "ProjectSummary") -> str:
    entities = quantity(summary.entities, "entity", "entities")
    passages = quantity(summary.passages, "passage", "passages")
    relations = quantity(summary.relations, "relation", "relations")
    return f"{entities}, {passages}, {relations}"


def _show_change(change: "ProjectChange", verb: str, *, json: bool) -> int:
    if json:
        output.document(change.to_json())
    else:
        from graphmem.cli import pages

        pages.write_project_change(change, output.TextOutput(), verb=verb)
    return 1 if change.refused else 0
