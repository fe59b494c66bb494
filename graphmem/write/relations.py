"""Writes and deletes relations between entities whose keys are known."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from graphmem.graph import Graph, Transaction
from graphmem.model import Relation
from graphmem.model.report import Outcome
from graphmem.progress import SILENT, Progress
from graphmem.write.writing import Writing

BATCH = 1000


@dataclass(frozen=True, slots=True, order=True)
class Ends:
    """What makes a relation the same one: both keys and its type."""

    start: str
    end: str
    relation: str


def write_relations(
    graph: Graph,
    relations: Mapping[Ends, Relation],
    how: Writing,
    *,
    progress: Progress = SILENT,
) -> dict[Ends, Outcome]:
    """Create or update relations, in sorted batches that each happen whole or not at all.

    What is said of a relation is added to what is stored; `created_at` stays as it was.

    Returns:
        The outcome of each; one whose ends are gone meanwhile is missing.
    """
    now = datetime.now(UTC)
    ordered = sorted(relations)
    outcomes: dict[Ends, Outcome] = {}
    for start in range(0, len(ordered), BATCH):
        batch = ordered[start : start + BATCH]
        rows = [_row(ends, relations[ends], how, now) for ends in batch]
        for row in _write(graph, rows, dry_run=how.dry_run):
            ends = Ends(row["start"], row["end"], row["relation"])
            changed: Outcome = "updated" if row["changed"] else "unchanged"
            outcomes[ends] = "created" if row["created"] else changed
        progress.advance("Writing relations", start + len(batch), len(ordered))
    return outcomes


def delete_relations(graph: Graph, start: str, end: str, relation: str | None) -> list[Ends]:
    """Delete the relations of one type, or of every type, from one entity to another."""
    return _delete(graph, [{"start": start, "end": end, "relation": relation}])


def delete_all(graph: Graph, relations: Sequence[Ends]) -> list[Ends]:
    """Delete relations, in batches; gives those that were there."""
    rows = [asdict(ends) for ends in relations]
    return [
        ends
        for start in range(0, len(rows), BATCH)
        for ends in _delete(graph, rows[start : start + BATCH])
    ]


def _delete(graph: Graph, rows: Sequence[dict[str, Any]]) -> list[Ends]:
    found = graph.write(lambda one: one.run("write/delete_relations", rows=list(rows)))
    return [Ends(row["start"], row["end"], row["relation"]) for row in found]


class _DryRun(Exception):
    def __init__(self, rows: list[dict[str, Any]]) -> None:
        super().__init__()
        self.rows = rows


def _write(graph: Graph, rows: Sequence[dict[str, Any]], *, dry_run: bool) -> list[dict[str, Any]]:
    def work(transaction: Transaction) -> list[dict[str, Any]]:
        found = transaction.run("write/put_relations", rows=list(rows))
        if dry_run:
            raise _DryRun(found)
        return found

    try:
        return graph.write(work)
    except _DryRun as done:
        return done.rows


def _row(ends: Ends, said: Relation, how: Writing, now: datetime) -> dict[str, Any]:
    properties: dict[str, Any] = {
        "note": said.note,
        "weight": said.weight,
        "confidence": said.confidence,
        "source": said.source,
        "created_at": said.created_at,
        "imported": how.imported,
        **said.attributes,
    }
    return {
        "start": ends.start,
        "end": ends.end,
        "relation": ends.relation,
        "properties": {name: value for name, value in properties.items() if value is not None},
        "created_at": now,
    }
