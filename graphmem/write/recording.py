"""Which call a change belongs to and who made it, noted in the transaction of the change.

A call of `Memory` is one change, however many transactions it takes. What is created notes the
change on itself; what is changed or deleted gets a revision, which holds what was there before.
"""

import getpass
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem import text
from graphmem.batches import STATEMENT_BYTES, batches
from graphmem.graph import Transaction

ROWS = 500
ID_CHARACTERS = 12
# A revision, before it is written: the entity's key, and by path what was there before.
Before = tuple[str, Mapping[str, object]]

_actor: ContextVar[str | None] = ContextVar("actor", default=None)
_call: ContextVar["Call | None"] = ContextVar("call", default=None)


@dataclass(frozen=True, slots=True)
class Call:
    """A call that changes something.

    Args:
        token: Tells it from every other call.
        verb: What was called, such as `remember`.
        by: Who called: the terminal's user, or an agent by the name of its client.
        note: Why, where the caller said so.
        author: The import whose source was read, as `format:path`; None for a caller's own words.
        undoes: The change that is undone.
    """

    token: str
    verb: str
    by: str
    note: str | None = None
    author: str | None = None
    undoes: str | None = None

    def change(self, project: str) -> str:
        """The id of what the call changes in a project."""
        return text.digest(self.token, project)[:ID_CHARACTERS]


@contextmanager
def acting(name: str | None) -> Iterator[None]:
    """Have the calls inside be made by somebody; None for the user of this process."""
    before = _actor.set(name)
    try:
        yield
    finally:
        _actor.reset(before)


@contextmanager
def recorded(
    verb: str,
    *,
    note: str | None = None,
    author: str | None = None,
    undoes: str | None = None,
) -> Iterator[Call]:
    """Have everything that is written inside belong to one call; inside another call, to that."""
    outer = _call.get()
    if outer is not None:
        yield outer
        return
    call = Call(secrets.token_hex(8), verb, _actor.get() or user(), note, author, undoes)
    before = _call.set(call)
    try:
        yield call
    finally:
        _call.reset(before)


def current() -> Call:
    """The call that is going on, or one of its own for a write outside of any."""
    with recorded("write") as call:
        return call


def user() -> str:
    """The name of the user of this process."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"


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
    rows = [
        {"key": key, "before": json.dumps(before, ensure_ascii=False, separators=(",", ":"))}
        for key, before in revisions
    ]
    change = call.change(project)
    given = {name: value for name, value in properties.items() if value is not None}
    for some in list(batches(rows, _size, most=ROWS, most_bytes=STATEMENT_BYTES)) or [[]]:
        transaction.run("write/note_change", id=change, properties=given, rows=some, at=now)


def _size(row: Mapping[str, Any]) -> int:
    return len(row["before"]) + len(row["key"])
