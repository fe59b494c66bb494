"""Resolves the names a caller gives, and renames, merges, replaces, restores or undoes."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime

from graphmem import read, text, write
from graphmem.calls import actor, recorded
from graphmem.errors import Conflict, InvalidInput, NotFound, shortened
from graphmem.graph import Graph, Row
from graphmem.memory.names.resolving import keys_of
from graphmem.memory.writing.hidden_notes import replaced_keys, unreplaced_notes
from graphmem.memory.writing.hiding import change_each
from graphmem.memory.writing.unlinking import relation_items
from graphmem.model import Item, Report
from graphmem.model.json_object import iso
from graphmem.model.status import SUPERSEDED
from graphmem.progress import SILENT, Progress
from graphmem.write.assertions.provenance import EPOCH
from graphmem.write.history.effects import Undone
from graphmem.write.history.recording import CLOCKS_DIFFER
from graphmem.write.reshaping import SUPERSEDES

# Stands for the newest change of a project.
LAST = "last"
# Said where it stands for the one that an interrupted undo began to undo.
CONTINUED = "the last change was an undo that had been interrupted; it is complete now"


def rename(
    graph: Graph,
    project: str,
    name: str,
    new_name: str,
    embed: write.Embed,
    *,
    note: str | None = None,
) -> Report:
    """Give an entity another name."""
    (key,) = keys_of(graph, project, [name], ["name"])
    with recorded("rename", note=note):
        changed = write.rename(graph, key, new_name, embed=embed)
    return Report(project, (Item("entity", new_name, "updated" if changed else "unchanged"),))


def merge(
    graph: Graph,
    project: str,
    name: str,
    into: str,
    embed: write.Embed,
    *,
    dry_run: bool,
    note: str | None = None,
) -> write.Merge:
    """Join an entity into another one of the same project."""
    source_key, target_key = keys_of(graph, project, [name, into], ["name", "into"])
    if source_key == target_key:
        raise InvalidInput(
            "into", into, f"must be another entity than {name}; both names lead to the same one"
        )
    with recorded("merge", note=note):
        return write.merge(graph, source_key, target_key, embed=embed, dry_run=dry_run)


def supersede(graph: Graph, project: str, old: str, new: str, note: str | None) -> Report:
    """Replace an entity by another one, and by that one everything which it has replaced."""
    old_key, new_key = keys_of(graph, project, [old, new], ["old", "new"])
    if old_key == new_key:
        raise InvalidInput(
            "new", new, f"must be another entity than {old}; both names lead to the same one"
        )
    with recorded("supersede", note=note):
        changes_entity, outcomes = write.supersede(graph, old_key, new_key, note)
    changed = changes_entity or any(outcome != "unchanged" for outcome in outcomes.values())
    item = Item("entity", old, "updated" if changed else "unchanged")
    status = read.resolve(graph, project, [new_key])[new_key].hidden
    # From what was superseded, a search is led on.
    is_found = not status or text.normalised(status) == SUPERSEDED
    neither = "so searches find neither of the two; `restore` brings it back"
    items = (item, *relation_items(graph, outcomes))
    return Report(
        project, items, notes=() if is_found else (f"{shortened(new)} is {status}, {neither}",)
    )


def restore(graph: Graph, project: str, names: Sequence[str]) -> Report:
    """Bring back what was forgotten, superseded or deprecated; an unknown name is refused.

    Its status is then the one that was given beside the hiding one. If an import gave that one, it
    may hide the entity, too; a note says so.
    """
    report = change_each(
        graph, project, names, lambda keys: write.reset_status(graph, keys), verb="restore"
    )
    entities = read.resolve(graph, project, list(dict.fromkeys(names))).values()
    notes = (
        f"{shortened(entity.name)} stays {entity.hidden}, since an import asserts that; to have it "
        "found again, remember it with another status, such as `active`"
        for entity in entities
        if entity.hidden
    )
    return replace(report, notes=tuple(dict.fromkeys(notes)))


def undo(
    graph: Graph,
    project: str,
    change: str,
    embed: write.Embed,
    *,
    note: str | None = None,
    progress: Progress = SILENT,
) -> Report:
    """Take a change of a project back; the last one also if it is an undo that was interrupted.

    Of that, the rest is done instead.

    Raises:
        NotFound: There is no such change.
        Conflict: Something it touched was changed since; or an agent means the last change, which
            somebody else made.
    """
    if change == LAST and (newest := _newest_change(graph, project)) is not None:
        _refuse_others(project, newest["change"])
        change, undone = str(newest["change"]["id"]), newest["change"].get("undoes")
        if undone is not None and _may_be_partial(graph, project, newest, undone):
            with suppress(Conflict, NotFound):
                rest = undo(graph, project, undone, embed, note=note, progress=progress)
                if rest.items:
                    return replace(rest, notes=(*rest.notes, CONTINUED))
    if change == LAST:
        raise NotFound(
            f"{project} has no change to undo; `graphmem project list` shows all projects"
        )
    rows = graph.read("read/change", id=change)
    if not rows or rows[0]["change"]["project"] != project:
        raise NotFound(
            f"{project} has no change {change!r}; `changes`, or over MCP `history`, lists those it "
            "has"
        )
    undone = write.undo(graph, change, embed=embed, note=note, progress=progress)
    keys = undone.keys
    items = _undo_items(graph, undone)
    notes = _undo_notes(rows[0]["change"], has_undone=bool(keys))
    once_replaced_keys = [link.end for link in undone.relations if link.relation == SUPERSEDES]
    hidden_notes = unreplaced_notes(graph, [*once_replaced_keys, *replaced_keys(graph, keys)])
    return Report(project, items, notes=(*notes, *hidden_notes))


def _undo_items(graph: Graph, undone: Undone) -> tuple[Item, ...]:
    """An item for each entity that changed, and for each relation where nothing else of one did."""
    keys = [key for key in undone.keys if key not in undone.linked]
    names_by_key = read.names_of(graph, keys)
    visible_keys = names_by_key.keys() - undone.hidden_keys
    entity_items = (
        Item(
            "entity",
            names_by_key.get(key, text.name_of(key)),
            "updated" if key in visible_keys else "removed",
        )
        for key in keys
    )
    return (*entity_items, *relation_items(graph, undone.linked_outcomes))


def _newest_change(graph: Graph, project: str) -> Row | None:
    """The newest change; one of a clock that was ahead only if there is no other."""
    for until in (datetime.now(UTC) + CLOCKS_DIFFER, None):
        rows = graph.read("read/changes", project=project, since=EPOCH, until=until, limit=1)
        if rows:
            return rows[0]
    return None


def _refuse_others(project: str, change: Row) -> None:
    """Refuse an agent what somebody else may have changed after it; a person sees all changes.

    Raises:
        Conflict: It is not the agent's own change.
    """
    if actor() not in {None, change.get("by")}:
        raise Conflict(
            f"the last change of {project} is not yours: {_call_of(change)}; to undo it, give its "
            f"id, {change['id']}"
        )


def _call_of(change: Row) -> str:
    return f"`{change.get('verb')}` by {change.get('by')} at {iso(change.get('at'))}"


def _may_be_partial(graph: Graph, project: str, newest: Row, undone: str) -> bool:
    """Whether the newest change, an undo, changed fewer entities than what it undoes."""
    changes = graph.read("read/change", id=undone)
    created = graph.read("read/created_keys", project=project, changes=[undone])
    return bool(changes) and newest["revised"] < changes[0]["revised"] + len(created)


def _undo_notes(change: Row, *, has_undone: bool) -> tuple[str, ...]:
    """What was taken back, since `last` names no change, and what was not."""
    call, undoes = _call_of(change), change.get("undoes")
    if not has_undone and change.get("verb") == "purge":
        ids = "`changes`, or over MCP `history`, lists their ids"
        return (f"nothing changed: {call} cannot be undone; earlier changes can, and {ids}",)
    if not has_undone:
        return (f"nothing changed: {call} was undone before, or what it changed is deleted",)
    stays = "entities that were imported with their history stay; `purge` deletes them"
    has_imported_history = bool(change.get("brought"))
    again = f", so what it had undone, change {undoes}, is done again" if undoes else ""
    return (*((stays,) if has_imported_history else ()), f"undone: {call}{again}")
