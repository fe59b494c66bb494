"""Writes and deletes relations between entities whose keys are known."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any

from graphmem.graph import Graph, Row, Transaction
from graphmem.model import Relation
from graphmem.model.provenance import CALLER
from graphmem.model.report import Outcome
from graphmem.progress import SILENT, Progress
from graphmem.write import links
from graphmem.write.options import WriteOptions

BATCH = 1000
# Stands for the authors that an export names, until they are set.
EXPORT = "export"


@dataclass(frozen=True, slots=True, order=True)
class Ends:
    """What makes a relation the same one: both keys and its type."""

    start: str
    end: str
    relation: str

    @property
    def token(self) -> str:
        """How the start notes that a caller took the relation away."""
        return f"{self.relation} {self.end}"


def write_relations(
    graph: Graph,
    relations: Mapping[Ends, Relation],
    how: WriteOptions,
    *,
    again: Collection[Ends] = (),
    progress: Progress = SILENT,
) -> dict[Ends, Outcome]:
    """Create or update relations, in sorted batches that each happen whole or not at all.

    A caller's word is added to what is stored. An import's word replaces what the same import
    asserted earlier; a relation that a caller took away stays away.

    Args:
        graph: Where to.
        relations: By their ends.
        how: The author, and whether anything is kept.
        again: Those of which the same import has spoken already; its word is added.
        progress: Hears of the writing.

    Returns:
        The outcome of each; one whose ends are gone meanwhile is missing.
    """
    now = datetime.now(UTC)
    barred = _barred(graph, relations, how)
    ordered = sorted(relations.keys() - barred)
    outcomes: dict[Ends, Outcome] = dict.fromkeys(barred, "unchanged")
    for start in range(0, len(ordered), BATCH):
        batch = ordered[start : start + BATCH]
        rows = [
            {
                **asdict(ends),
                "properties": links.properties_of(relations[ends]),
                "created_at": now,
                "replaces": how.is_import and ends not in again,
                "exported": relations[ends] if relations[ends].provenance else None,
            }
            for ends in batch
        ]
        outcomes |= _write(graph, [row for row in rows if row["exported"] is None], how)
        exported = [row for row in rows if row["exported"] is not None]
        outcomes |= _write(graph, exported, replace(how, author=EXPORT))
        progress.advance("Writing relations", start + len(batch), len(ordered))
    return outcomes


def delete_relations(graph: Graph, start: str, end: str, relation: str | None) -> list[Ends]:
    """Delete the relations of one type, or of every type, from one entity to another.

    A relation that an import asserts stays away when the import runs again.
    """
    asked = [{"start": start, "end": end, "relation": relation}]

    def work(transaction: Transaction) -> list[Ends]:
        stored = transaction.run("write/lock_relations", rows=asked)
        imported = [row for row in stored if links.ledger_of(row["stored"]).authors != (CALLER,)]
        if imported:
            tokens = [{"start": row["start"], "token": _ends(row).token} for row in imported]
            transaction.run("write/bar_relations", rows=tokens)
        return [_ends(row) for row in transaction.run("write/delete_relations", rows=asked)]

    return graph.write(work)


def withdraw_relations(graph: Graph, relations: Sequence[Ends], author: str) -> list[Ends]:
    """Take back what an import asserted of relations; those that nobody else asserts are deleted.

    One that was derived from texts goes, whoever derived it.

    Returns:
        Those that are deleted.
    """
    rows = [asdict(ends) for ends in sorted(relations)]
    return [
        ends
        for start in range(0, len(rows), BATCH)
        for ends in _withdraw(graph, rows[start : start + BATCH], author)
    ]


def _withdraw(graph: Graph, rows: list[dict[str, Any]], author: str) -> list[Ends]:
    def work(transaction: Transaction) -> list[Ends]:
        kept: list[dict[str, Any]] = []
        gone: list[dict[str, Any]] = []
        for row in transaction.run("write/lock_relations", rows=rows):
            ends = asdict(_ends(row))
            rest = links.without_author(row["stored"], author)
            if rest is None or row["stored"].get("derived") is True:
                gone.append(ends)
            else:
                kept.append(ends | {"properties": rest})
        if kept:
            transaction.run("write/set_relations", rows=kept)
        return [_ends(row) for row in transaction.run("write/delete_relations", rows=gone)]

    return graph.write(work)


def _barred(graph: Graph, relations: Mapping[Ends, Relation], how: WriteOptions) -> set[Ends]:
    """The relations that an import asserts and a caller took away."""
    if not how.is_import or not relations:
        return set()
    keys = sorted({ends.start for ends in relations})
    unlinked = {
        row["key"]: frozenset(row["unlinked"])
        for start in range(0, len(keys), BATCH)
        for row in graph.read("read/unlinked", keys=keys[start : start + BATCH])
    }
    return {ends for ends in relations if ends.token in unlinked.get(ends.start, ())}


class _DryRun(Exception):
    def __init__(self, outcomes: dict[Ends, Outcome]) -> None:
        super().__init__()
        self.outcomes = outcomes


def _write(graph: Graph, rows: list[dict[str, Any]], how: WriteOptions) -> dict[Ends, Outcome]:
    if not rows:
        return {}
    by_ends = {_ends(row): row for row in rows}

    def work(transaction: Transaction) -> dict[Ends, Outcome]:
        outcomes: dict[Ends, Outcome] = {}
        together: list[dict[str, Any]] = []
        answers = transaction.run(
            "write/put_relations",
            rows=[row | {"exported": None} for row in rows],
            author=how.author,
            unbarred=not how.is_import,
        )
        for answer in answers:
            ends = _ends(answer)
            changed: Outcome = "updated" if answer["changed"] else "unchanged"
            if answer["shared"] or how.author == EXPORT:
                there = answer["stored"] or {}
                wanted = _together(there, by_ends[ends], how)
                changed = "unchanged" if _looks(wanted) == _looks(there) else "updated"
                if wanted != there:
                    together.append(asdict(ends) | {"properties": wanted})
            outcomes[ends] = "created" if answer["created"] else changed
        if together:
            transaction.run("write/set_relations", rows=together)
        if how.dry_run:
            raise _DryRun(outcomes)
        return outcomes

    try:
        return graph.write(work)
    except _DryRun as done:
        return done.outcomes


def _together(stored: Row, row: Row, how: WriteOptions) -> dict[str, Any]:
    exported: Relation | None = row["exported"]
    if exported is not None and exported.provenance is not None:
        return links.restored(stored, exported, exported.provenance, row["created_at"])
    return links.with_words(
        stored, how.author, row["properties"], row["created_at"], replaces=row["replaces"]
    )


def _looks(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The properties without who asserted them."""
    hidden = {"asserted_by", "assertions"}
    return {name: value for name, value in properties.items() if name not in hidden}


def _ends(row: Row) -> Ends:
    return Ends(row["start"], row["end"], row["relation"])
