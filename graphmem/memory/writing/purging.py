"""Chooses entities by names or filters, counts what goes with them, and deletes them for good."""

from collections.abc import Mapping, Sequence
from typing import Any

from graphmem import text
from graphmem.calls import recorded
from graphmem.errors import InvalidInput
from graphmem.graph import Graph, Transaction
from graphmem.memory.searches.options import FilterOptions, planned
from graphmem.memory.writing.naming import keys_of
from graphmem.model import Item, Report
from graphmem.model.selection import NAMED, Selection
from graphmem.progress import SILENT, Progress
from graphmem.search.plan import Filters
from graphmem.search.selecting import mark_of, passing
from graphmem.write.purging import purge as delete

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
    filters = _filters(project, options)
    if names is not None and not names:
        raise InvalidInput("names", list(names), "must name at least one entity", hint=_NO_NAMES)
    if names is None and filters is None and not everything:
        raise InvalidInput(
            "names", None, "must name at least one entity, if no filter is given", hint=_ALL
        )
    if names is not None:
        keys = sorted(set(keys_of(graph, project, names)))
        rows = [
            row
            for start in range(0, len(keys), PAGE)
            for row in passing(graph.read, keys[start : start + PAGE], filters, among=keys)
        ]
        return _counted(project, rows, filters, tuple(names) if filters is None else ())
    chosen = filters or Filters((project,))
    listed, others = _listed(graph, project, chosen, progress)
    if listed and not others and not everything:
        raise InvalidInput(
            "filters", len(listed), f"must not take all entities of {project}", hint=_ALL
        )
    return _counted(project, listed, chosen)


def purge(graph: Graph, selection: Selection, *, progress: Progress = SILENT) -> Report:
    """Delete what was chosen, as far as it still is what it was chosen for."""
    filters = selection.conditions if isinstance(selection.conditions, Filters) else None

    def still(transaction: Transaction, keys: Sequence[str]) -> list[str]:
        return [row["key"] for row in passing(transaction.run, keys, filters)]

    why = None if selection.wanted else f"{selection.entities:,} chosen by filters"
    with recorded("purge", note=why):
        gone = delete(
            graph,
            selection.keys,
            check=None if filters is None else still,
            mark=mark_of(filters),
            progress=progress,
        )
    stayed = len(selection.keys) - len(gone)
    if selection.wanted:
        items = [Item("entity", name, "removed") for name in selection.wanted] if gone else []
    else:
        ordered = [key for key in selection.keys if key in gone]
        items = [Item("entity", text.name_of(key), "removed") for key in ordered[:ITEMS]]
    left_out = max(0, len(gone) - ITEMS) if not selection.wanted else 0
    note = f"{stayed:,} of those counted were changed or deleted in the meantime, and were skipped"
    return Report(
        selection.project,
        tuple(items),
        notes=(note,) if stayed else (),
        omitted_counts={("entity", "removed"): left_out} if left_out else {},
    )


def _filters(project: str, options: Mapping[str, Any]) -> Filters | None:
    """The filters among the options of a call; None where there is none."""
    unknown = options.keys() - FilterOptions.__annotations__.keys()
    if unknown:
        raise TypeError(f"purge has no option {', '.join(sorted(unknown))}")
    filters, _ = planned((project,), {**options, "scope": "project"})
    return None if filters == Filters(filters.projects) else filters


def _listed(
    graph: Graph, project: str, filters: Filters, progress: Progress
) -> tuple[list[Mapping[str, Any]], int]:
    """What passes in a project, and how many others there are that might be meant."""
    asked = {"first": f"{project}#", "last": f"{project}{chr(ord('#') + 1)}", "limit": PAGE}
    rows: list[Mapping[str, Any]] = []
    seen, after = 0, ""
    while page := graph.read("read/project_keys", after=after, **asked):
        # Who asks for no status means what lives.
        seen += sum(bool(row["live"] or filters.statuses) for row in page)
        rows += passing(graph.read, [row["key"] for row in page], filters)
        after = page[-1]["key"]
        if len(page) == PAGE:
            progress.advance("Looking at entities", seen, seen + 1)
    return rows, seen - len(rows)


def _counted(
    project: str,
    rows: Sequence[Mapping[str, Any]],
    filters: Filters | None,
    wanted: tuple[str, ...] = (),
) -> Selection:
    passages, relations, revisions = (
        sum(row[name] for row in rows) for name in ("passages", "relations", "revisions")
    )
    return Selection(
        project, len(rows), passages, relations, revisions,
        names=tuple(f"{row['name']} ({row['kind']})" for row in rows[:NAMED]),
        keys=tuple(str(row["key"]) for row in rows),
        conditions=filters, wanted=wanted,
    )  # fmt: skip
