"""Reading the redirects, changes and revisions of a project for an export."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime

from graphmem import text
from graphmem.batches import STATEMENT_BYTES, batches
from graphmem.graph import Graph
from graphmem.model.exported_history import ExportedChange, ExportedRevision, Redirect

PAGE = 500
BEGINNING = datetime(1, 1, 2, tzinfo=UTC)


def all_redirects(graph: Graph, project: str, *, by_key: bool = False) -> Iterator[Redirect]:
    """Every name that redirects to an entity of another name in a project.

    Args:
        graph: The store.
        project: The project.
        by_key: Whether entities are named by their keys; otherwise by what they are called.
    """
    first, last = text.key_range(project)
    after = ""
    parameters = {"first": first, "last": last, "limit": PAGE}
    while rows := graph.read("read/export_redirects", after=after, **parameters):
        for row in (row for row in rows if row["name"] is not None):
            name, target = text.name_of(row["key"]), text.name_of(row["target"])
            if by_key:
                yield Redirect(name, target)
            elif name == text.normalised(row["name"]):
                # Here the present name redirects to the key of the first one; in an export, it is
                # reversed.
                yield Redirect(target, row["name"])
            else:
                yield Redirect(name, row["name"])
        after = rows[-1]["key"]


def all_changes(graph: Graph, project: str) -> Iterator[ExportedChange]:
    """Every change of a project, the oldest first."""
    after, last = BEGINNING, ""
    while rows := graph.read(
        "read/export_changes", project=project, after=after, last=last, limit=PAGE
    ):
        for row in rows:
            change = row["change"]
            yield ExportedChange(
                change["id"], change["at"], change.get("verb") or "unknown",
                change.get("by") or "unknown", change.get("note"), change.get("author"),
                change.get("undoes"),
            )  # fmt: skip
        after, last = rows[-1]["change"]["at"], rows[-1]["change"]["id"]


def all_revisions(graph: Graph, project: str) -> Iterator[ExportedRevision]:
    """Every revision of a project's entities, and of those merged into them, by key and number."""
    first, last = text.key_range(project)
    after, number = "", 0
    parameters = {"first": first, "last": last, "limit": PAGE}
    while sizes := graph.read("read/revision_sizes", after=after, number=number, **parameters):
        for batch in batches(
            sizes, lambda row: int(row["characters"]), most=PAGE, most_bytes=STATEMENT_BYTES
        ):
            rows = [{"key": row["key"], "revision": row["revision"]} for row in batch]
            for row in graph.read("read/numbered_revisions", rows=rows):
                before = json.loads(row["before"])
                yield ExportedRevision(
                    row["key"], row["revision"], row["change"], row["at"], before
                )
        after, number = sizes[-1]["key"], sizes[-1]["revision"]
