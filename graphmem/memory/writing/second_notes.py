"""Notes on new relations of types of which an entity usually has one at a time."""

from collections import Counter
from collections.abc import Mapping, Sequence

from graphmem import read
from graphmem.errors import DatabaseError, shortened
from graphmem.graph import Graph, Row
from graphmem.model import Item, Relation
from graphmem.model.filters import Filters
from graphmem.search.compiled_filters import compile_filters
from graphmem.search.plan import Plan
from graphmem.search.statement import time_of

# Relations of one call that are looked at.
RELATIONS_COMPARED = 20
# Entities of a kind that are looked at, and relations of each.
ENTITIES = 200
RELATIONS = 100
# So many of them have to have a relation of the type, of whom at most this share have several.
FEWEST = 6
SHARE = 0.05


def second_notes(
    graph: Graph,
    project: str,
    relations: Sequence[Relation | Item],
    items: Sequence[Item],
    ends_of: Mapping[str, read.Resolved],
) -> list[str]:
    """A sentence for each new relation that may be in the place of another one.

    `Ana WORKS_AT Lighthouse` may end `Ana WORKS_AT Harbour`, if other people work at one place.
    Who writes several of a type of one entity in a call knows that it has several.

    Args:
        graph: The store.
        project: Where they were written.
        relations: What was given; an Item is passed over.
        items: What became of each.
        ends_of: What each name leads to.
    """
    new = [
        {
            "start": ends_of[relation.start].key,
            "end": ends_of[relation.end].key,
            "relation": relation.relation,
        }
        for relation, item in zip(relations, items, strict=True)
        if isinstance(relation, Relation) and item.outcome == "created" and not _ends(relation)
    ]
    counts = Counter((link["start"], link["relation"]) for link in new)
    links = [link for link in new if counts[link["start"], link["relation"]] == 1][
        :RELATIONS_COMPARED
    ]
    if not links:
        return []
    time = time_of(Plan())
    try:
        rows = graph.read("read/second_relations", links=links, search=time)
        return [_note(row) for row in rows if _is_usually_alone(graph, project, row, time)]
    except DatabaseError:  # what was written stands without the notes
        return []


def _is_usually_alone(graph: Graph, project: str, row: Row, time: Mapping[str, object]) -> bool:
    """Whether entities of a kind have one relation of a type at a time."""
    if row["kind"] is None:
        return False
    filters = compile_filters(Filters((project,), kinds=(row["kind"],)))
    (counts,) = graph.read(
        "read/relations_of_many",
        query=filters.query, project=project, relation=row["relation"], limit=ENTITIES,
        scan=RELATIONS, search=time,
    )  # fmt: skip
    entities, several = counts["entities"], counts["several"]
    # The new relation makes its own entity one of these.
    return bool(entities >= FEWEST and several - 1 <= SHARE * (entities - 1))


def _ends(relation: Relation) -> bool:
    """Whether it ends others, or has an end itself, as what was once does."""
    return relation.replaces is not None or relation.valid_until is not None


def _note(row: Row) -> str:
    start, end, other, kind = (shortened(row[name]) for name in ("start", "end", "other", "kind"))
    return (
        f"{start} already has {row['relation']} to {other}, and few entities of kind {kind} have "
        f"two of these; if {end} replaces {other}, link it again with `replaces` set to `from`, "
        "which ends the other one"
    )
