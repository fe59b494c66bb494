"""Notes on entities that searches leave out although they were written to, and on the opposite."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from graphmem import read
from graphmem.batches import batches
from graphmem.errors import listed, shortened
from graphmem.graph import Graph
from graphmem.model import Entity, Relation, Report
from graphmem.model.status import FORGOTTEN
from graphmem.write.reshaping import SUPERSEDES

# Keys that are read at once.
PAGE = 1000
# Entities that a note names.
NAMES_IN_NOTE = 5


def written_names(values: Sequence[object], report: Report) -> list[str]:
    """The names of entities that were there before they were written to, and of relations' ends.

    Args:
        values: What was written: entities, then relations; a value of another type has no name.
        report: What became of them, item by item.
    """
    names: dict[str, None] = {}
    for value, item in zip(values, report.items, strict=False):
        if isinstance(value, Entity) and item.outcome not in {"refused", "created"}:
            names[value.name] = None
        elif isinstance(value, Relation) and item.outcome != "refused":
            names |= {value.start: None, value.end: None}
    return list(names)


def hidden_notes(
    values: Sequence[object], report: Report, resolved: Mapping[str, read.Resolved]
) -> list[str]:
    """A sentence for each hidden entity that was written to, or that a relation was written to.

    An entity whose status was given, or that was made, is as the caller wants it. A relation that
    says of an entity that it is superseded does not hide it, so that is told, too.

    Args:
        values: What was written: entities, then relations; a value of another type gets no note.
        report: What became of them, item by item.
        resolved: To what `written_names` lead after the write.
    """
    given = {value.name: value.status for value in values if isinstance(value, Entity)}
    statuses = {
        entity.name: entity.hidden
        for name, entity in resolved.items()
        if entity.hidden
        and given.get(name) is None
        # What is written is forgotten no longer, so a dry run does not call it hidden either.
        and not (report.dry_run and name in given and entity.hidden == FORGOTTEN)
    }
    superseded = (resolved[name] for name in _superseded(values, report))
    still_found = {entity.name: None for entity in superseded if entity.name and not entity.hidden}
    return [
        *(
            f"{shortened(name)} is {status}: searches leave it out, and follow no relation to it"
            for name, status in statuses.items()
        ),
        *(
            f"{shortened(name)} is still found: the relation alone hides nothing; `supersede` does"
            for name in still_found
        ),
    ]


def replaced_keys(graph: Graph, keys: Sequence[str]) -> list[str]:
    """The keys of the hidden entities that some entities have superseded."""
    return [
        row["key"]
        for page in batches(keys, most=PAGE)
        for row in graph.read("read/replaced", keys=page)
    ]


def unreplaced_notes(graph: Graph, keys: Iterable[str]) -> tuple[str, ...]:
    """A note on those of some entities that are superseded by nothing that a search finds."""
    names = [
        row["name"]
        for page in batches(sorted(set(keys)), most=PAGE)
        for row in graph.read("read/unreplaced", keys=page)
    ]
    if not names:
        return ()
    named = listed(list(map(shortened, names)), NAMES_IN_NOTE)
    are, them = ("are", "them") if len(names) > 1 else ("is", "it")
    note = (
        f"{named} {are} still superseded, but searches no longer find what replaced {them}; "
        f"`restore` makes {them} visible again"
    )
    return (note,)


def _superseded(values: Sequence[object], report: Report) -> Iterator[str]:
    relations = (
        value
        for value, item in zip(values, report.items, strict=False)
        if isinstance(value, Relation) and item.outcome == "created"
    )
    return (relation.end for relation in relations if relation.relation == SUPERSEDES)
