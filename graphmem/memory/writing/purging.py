"""Chooses entities by names or filters, counts what goes with them, and deletes them for good."""

from collections.abc import Mapping, Sequence
from typing import Any

from graphmem import arguments, read, text
from graphmem.batches import batches
from graphmem.calls import recorded
from graphmem.errors import NOT_SHOWN, InvalidInput
from graphmem.graph import Graph, Transaction
from graphmem.memory.names.resolving import keys_of
from graphmem.memory.searches.options import FilterOptions, planned
from graphmem.memory.writing.hidden_notes import replaced_keys, unreplaced_notes
from graphmem.model import Item, Report
from graphmem.model.filters import Filters
from graphmem.model.selection import NAMES_SHOWN, Selection
from graphmem.progress import SILENT, Progress
from graphmem.search.selecting import mark_of, selected_rows
from graphmem.write.deleting import purging
from graphmem.write.history.retention import delete_history_of

# Keys that are read at once.
PAGE = 1000
# Items of a report.
ITEMS = 10_000
_NO_NAMES = "To take all entities that pass the filters, leave out `names` or give None."
_ALL = "To take every entity of the project, say `everything` (--everything) as well."


def select(
    graph: Graph,
    project: str,
    names: Sequence[str] | None,
    options: Mapping[str, Any],
    *,
    everything: bool,
    progress: Progress = SILENT,
) -> Selection:
    """Choose entities; see `Memory.selection`."""
    check_selection(names, options, everything=everything)
    filters = _filters((project,), options)
    if names is not None:
        keys = sorted(set(keys_of(graph, project, names)))
        rows = [
            row
            for page in batches(keys, most=PAGE)
            for row in selected_rows(graph, page, filters, among=keys)
        ]
        return _counted(project, rows, filters, tuple(names) if filters is None else ())
    chosen_filters = filters or Filters((project,))
    passing_rows, other_count = _listed(graph, project, chosen_filters, progress)
    if passing_rows and not other_count and not everything:
        raise InvalidInput(
            "filters", len(passing_rows), f"must not take all entities of {project}", hint=_ALL
        )
    return _counted(project, passing_rows, chosen_filters)


def check_selection(
    names: Sequence[str] | None, options: Mapping[str, Any], *, everything: bool
) -> None:
    """Refuse what can be chosen in no store.

    Raises:
        InvalidInput: A name is blank, a filter is not allowed, or nothing is chosen.
    """
    filters = _filters((), options)
    if names is None:
        if filters is None and not everything:
            raise InvalidInput(
                "names",
                NOT_SHOWN,
                "must name at least one entity, if no filter is given",
                hint=_ALL,
            )
    elif not arguments.names(names):
        raise InvalidInput("names", list(names), "must name at least one entity", hint=_NO_NAMES)


def purge(graph: Graph, selection: Selection, *, progress: Progress = SILENT) -> Report:
    """Delete what was chosen, as far as it still is what it was chosen for."""
    filters = selection.conditions

    def still_passing(transaction: Transaction, keys: Sequence[str]) -> list[str]:
        return [row["key"] for row in selected_rows(transaction, keys, filters)]

    named_keys = selection.keys[:ITEMS]
    names_by_key = {key: text.name_of(key) for key in named_keys} | read.names_of(graph, named_keys)
    hidden_keys = replaced_keys(graph, selection.keys)
    reason = None if selection.requested_names else f"{selection.entities:,} chosen by filters"
    with recorded("purge", note=reason):
        deleted_keys = purging.purge(
            graph,
            selection.keys,
            check=None if filters is None else still_passing,
            mark=mark_of(filters),
            progress=progress,
        )
    skipped_count = len(selection.keys) - len(deleted_keys)
    items = [
        Item("entity", name, "removed") for key, name in names_by_key.items() if key in deleted_keys
    ]
    omitted_count = len(deleted_keys) - len(items)
    skipped_note = (
        f"{skipped_count:,} of those counted were changed or deleted in the meantime, and were "
        "skipped"
    )
    notes = (*((skipped_note,) if skipped_count else ()), *unreplaced_notes(graph, hidden_keys))
    return Report(
        selection.project,
        tuple(items),
        notes=notes,
        omitted_counts={("entity", "removed"): omitted_count} if omitted_count else {},
    )


def purge_history(graph: Graph, project: str, names: Sequence[str]) -> int:
    """Delete what the history tells of entities, which stay; see `Memory.purge_history`."""
    if not names:
        raise InvalidInput("names", list(names), "must name at least one entity")
    keys = keys_of(graph, project, names)
    with recorded("purge", note=f"the history of {', '.join(names[:NAMES_SHOWN])}"):
        return delete_history_of(graph, project, sorted(set(keys)))


def _filters(projects: tuple[str, ...], options: Mapping[str, Any]) -> Filters | None:
    """The filters among the options of a call; None where there is none."""
    arguments.options_of("purge", options, FilterOptions.__annotations__)
    filters, _ = planned(projects, {**options, "scope": "project"})
    return None if filters == Filters(filters.projects) else filters


def _listed(
    graph: Graph, project: str, filters: Filters, progress: Progress
) -> tuple[list[Mapping[str, Any]], int]:
    """The entities of a project that pass, and how many others a caller might have meant."""
    first, last = text.key_range(project)
    rows: list[Mapping[str, Any]] = []
    seen_count, after = 0, ""
    while page := graph.read("read/project_keys", first=first, last=last, after=after, limit=PAGE):
        # Without a status, a caller means living entities.
        seen_count += sum(bool(row["live"] or filters.statuses) for row in page)
        rows += selected_rows(graph, [row["key"] for row in page], filters)
        after = page[-1]["key"]
        if len(page) == PAGE:
            progress.advance("Looking at entities", seen_count, seen_count + 1)
    return rows, seen_count - len(rows)


def _counted(
    project: str,
    rows: Sequence[Mapping[str, Any]],
    filters: Filters | None,
    requested_names: tuple[str, ...] = (),
) -> Selection:
    passages, relations, revisions = (
        sum(row[name] for row in rows) for name in ("passages", "relations", "revisions")
    )
    return Selection(
        project, len(rows), passages, relations, revisions,
        names=tuple(f"{row['name']} ({row['kind']})" for row in rows[:NAMES_SHOWN]),
        keys=tuple(str(row["key"]) for row in rows),
        conditions=filters, requested_names=requested_names,
    )  # fmt: skip
