"""Deletes relations between what two names lead to."""

from collections.abc import Mapping

from graphmem import read, text
from graphmem.calls import recorded
from graphmem.graph import Graph
from graphmem.memory.names.resolving import keys_of
from graphmem.memory.writing.hidden_notes import unreplaced_notes
from graphmem.model import Item, Report, limits
from graphmem.model.identity import RelationIdentity
from graphmem.model.period import ALWAYS, Day, relation_name, since
from graphmem.model.report import Outcome
from graphmem.write import are_alike, delete_relations
from graphmem.write.reshaping import SUPERSEDES


def unlink(
    graph: Graph,
    project: str,
    ends: tuple[str, str],
    relation: str | None,
    valid_from: Day | str | None,
) -> Report:
    """Delete the relations from one entity to another; see `Memory.unlink`."""
    if relation is not None:
        relation = limits.relation_type("relation", relation)
    beginning = None if valid_from is None else ALWAYS
    if valid_from:
        beginning = since(limits.day_or_moment("valid_from", valid_from))
    first, last = keys_of(graph, project, ends, ("start", "end"))
    with recorded("unlink"):
        deleted_identities = delete_relations(graph, first, last, relation, beginning)
    items = relation_items(graph, dict.fromkeys(deleted_identities, "removed"))
    notes = [] if items else [_no_relation(*ends, relation, valid_from)]
    if relation is not None and not items:
        rows = graph.read("read/relation_types", start=first, end=last)
        similar = [row["relation"] for row in rows if are_alike(row["relation"], relation)]
        notes += [
            f"there is {name}; case, spaces and punctuation matter in a relation type"
            for name in similar
        ]
    if any(identity.relation == SUPERSEDES for identity in deleted_identities):
        notes += unreplaced_notes(graph, [last])
    return Report(project, items, notes=tuple(notes))


def relation_items(graph: Graph, outcomes: Mapping[RelationIdentity, Outcome]) -> tuple[Item, ...]:
    """An item for each relation, whose ends are called as the entities are."""
    keys = sorted({key for identity in outcomes for key in (identity.start, identity.end)})
    names = {key: text.name_of(key) for key in keys} | read.names_of(graph, keys)
    return tuple(
        Item(
            "relation",
            relation_name(
                names[identity.start], identity.relation, names[identity.end], identity.since
            ),
            outcome,
        )
        for identity, outcome in outcomes.items()
    )


def _no_relation(start: str, end: str, relation: str | None, valid_from: Day | str | None) -> str:
    """Say that there was no relation to delete."""
    sort = "relation" if relation is None else f"relation {relation}"
    beginning = ""
    if valid_from is not None:
        beginning = f" that holds from {valid_from}" if valid_from else " without a first day"
    return f"there is no {sort} from {start} to {end}{beginning}, so none was removed"
