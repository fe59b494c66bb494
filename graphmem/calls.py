"""Which call is going on, and who made it.

Whatever is written belongs to a call: a change is noted with its verb and with who made it, so that
history can tell it. Calls inside of another call belong to that.
"""

import getpass
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

_actor: ContextVar[str | None] = ContextVar("actor", default=None)
_call: ContextVar["Call | None"] = ContextVar("call", default=None)


@dataclass(frozen=True, slots=True)
class Call:
    """A call that changes something.

    Args:
        token: Tells it from every other call.
        verb: What was called, such as `remember`.
        by: Who called: the terminal's user, or an agent by the name of its token or client.
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


@contextmanager
def acting(name: str | None) -> Iterator[None]:
    """Have the calls inside be made by somebody; None for the user of this process."""
    token = _actor.set(name)
    try:
        yield
    finally:
        _actor.reset(token)


def actor() -> str | None:
    """Who acts, where that was said; None for the user of this process."""
    return _actor.get()


@contextmanager
def recorded(
    verb: str,
    *,
    note: str | None = None,
    author: str | None = None,
    undoes: str | None = None,
) -> Iterator[Call]:
    """Have everything that is written inside belong to one call; inside another call, to that."""
    outer_call = _call.get()
    if outer_call is not None:
        yield outer_call
        return
    call = Call(secrets.token_hex(8), verb, _actor.get() or user(), note, author, undoes)
    token = _call.set(call)
    try:
        yield call
    finally:
        _call.reset(token)


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
