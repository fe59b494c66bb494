"""Hides what names lead to, and changes what each of them leads to."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from graphmem.calls import recorded
from graphmem.graph import Graph
from graphmem.memory.names.resolving import missing, resolve_names
from graphmem.memory.writing.hidden_notes import replaced_keys, unreplaced_notes
from graphmem.model import Item, Report
from graphmem.model.status import FORGOTTEN
from graphmem.write import change_status


def forget(graph: Graph, project: str, names: Sequence[str]) -> Report:
    """Give entities the status `forgotten`; a name that leads nowhere is refused.

    A note names what they had replaced.
    """
    forgotten_keys: list[str] = []

    def hide(keys: list[str]) -> Collection[str]:
        forgotten_keys.extend(keys)
        return change_status(graph, keys, FORGOTTEN)

    report = change_each(graph, project, names, hide, verb="forget")
    notes = unreplaced_notes(graph, replaced_keys(graph, forgotten_keys))
    return replace(report, notes=notes)


def change_each(
    graph: Graph,
    project: str,
    names: Sequence[str],
    change: Callable[[list[str]], Collection[str]],
    *,
    verb: str,
) -> Report:
    """Change what names lead to, with an item for each name; one that leads nowhere is refused.

    Args:
        graph: The store.
        project: Where the names are looked for.
        names: Names, aliases, titles or keys.
        change: Changes the entities of keys; returns the keys of those it changed.
        verb: What the record of changes calls it.

    Raises:
        InvalidInput: A name is blank or no text.
    """
    resolved_names = resolve_names(graph, project, names)
    keys = [resolved_names[name].key for name in names]
    with recorded(verb):
        changed_keys = set(change([key for key in keys if key is not None]))
    items = [
        Item("entity", name, "refused", missing(graph, project, name, resolved_names[name]))
        if key is None
        else Item("entity", name, "updated" if key in changed_keys else "unchanged")
        for name, key in zip(names, keys, strict=True)
    ]
    return Report(project, tuple(items))
