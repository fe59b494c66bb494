"""Which call a change belongs to and who made it, noted in the transaction of the change.

A call of `Memory` is one change, however many transactions it takes. What is created notes the
change on itself; what is changed or deleted gets a revision, which holds what was there before.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from graphmem import text
from graphmem.batches import STATEMENT_BYTES, batches
from graphmem.calls import Call
from graphmem.graph import Transaction
from graphmem.model.json_object import compact_json

ROWS = 500
ID_CHARACTERS = 12
# The most by which the clocks of two machines may differ.
CLOCKS_DIFFER = timedelta(minutes=5)
# The smallest difference of two moments.
_TICK = timedelta(microseconds=1)
# A revision, before it is written: the entity's key, and by path what was there before.
Before = tuple[str, Mapping[str, object]]


def change_id(call: Call, project: str) -> str:
    """The id of what a call changes in a project."""
    return text.digest(call.token, project)[:ID_CHARACTERS]


def moment(transaction: Transaction, projects: Iterable[str]) -> datetime:
    """The moment of a change of some projects: now, but later than their changes so far.

    A clock that was set back, or is behind that of another machine, makes no change earlier than
    one that it follows. Where it is more than five minutes behind, it counts all the same: then the
    other clock was wrong.

    Args:
        transaction: The one that makes the change, and has locked what it changes.
        projects: Their names.
    """
    now = datetime.now(UTC)
    (row,) = transaction.read(
        "read/latest_moment", projects=sorted(set(projects)), since=now, until=now + CLOCKS_DIFFER
    )
    latest: datetime | None = row["at"]
    return now if latest is None else latest + _TICK


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
