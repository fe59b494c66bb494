"""Which call a change belongs to and who made it, noted in the transaction of the change.

A call of `Memory` is one change, however many transactions it takes. What is created notes the
change on itself; what is changed or deleted gets a revision, which holds what was there before.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graphmem import text
from graphmem.batches import STATEMENT_BYTES, batches
from graphmem.calls import Call
from graphmem.graph import Transaction
from graphmem.model.json_object import compact_json

ROWS = 500
ID_CHARACTERS = 12
# A revision, before it is written: the entity's key, and by path what was there before.
Before = tuple[str, Mapping[str, object]]


def change_id(call: Call, project: str) -> str:
    """The id of what a call changes in a project."""
    return text.digest(call.token, project)[:ID_CHARACTERS]


def note(
    transaction: Transaction,
    call: Call,
    project: str,
    revisions: Sequence[Before],
    *,
    now: datetime,
) -> None:
    """Write down a call's change to a project, and what was there before it.

    Args:
        transaction: The one that changes it.
        call: The call.
        project: The project.
        revisions: What was there before, of each entity that has changed; those that were created
            note the change on themselves.
        now: The moment.
    """
    properties = {
        "project": project,
        "at": now,
        "verb": call.verb,
        "by": call.by,
        "note": call.note,
        "author": call.author,
        "undoes": call.undoes,
    }
    rows = [{"key": key, "before": compact_json(before)} for key, before in revisions]
    change = change_id(call, project)
    present_properties = {name: value for name, value in properties.items() if value is not None}
    for batch in list(batches(rows, _size, most=ROWS, most_bytes=STATEMENT_BYTES)) or [[]]:
        transaction.run(
            "write/note_change", id=change, properties=present_properties, rows=batch, at=now
        )


def _size(row: Mapping[str, Any]) -> int:
    return len(row["before"]) + len(row["key"])
