"""Transactions that another one overtook: what they had looked up is deleted, or has changed.

The server does not ask for another try then, but nothing was kept and another try sees what is
there now: an entity whose project is renamed is deleted at the moment in which it has its new key.
"""

import logging
from collections.abc import Callable
from typing import TypeVar

from neo4j import exceptions

from graphmem.errors import DatabaseError

log = logging.getLogger("graphmem")

Result = TypeVar("Result")

TRIES = 5
_DEADLOCK = "Neo.TransientError.Transaction.DeadlockDetected"
_OVERTAKEN = frozenset(
    {
        "Neo.ClientError.Statement.EntityNotFound",
        # A node that was to be deleted has a new relationship, or a key that is new is taken.
        "Neo.ClientError.Schema.ConstraintValidationFailed",
        # The driver tries again by itself, unless rows were being read at that moment.
        _DEADLOCK,
    }
)

_ALREADY_THERE = frozenset(
    {
        "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists",
        "Neo.ClientError.Schema.IndexAlreadyExists",
        "Neo.ClientError.Schema.ConstraintAlreadyExists",
    }
)


class Overtaken(DatabaseError):
    """What a transaction had looked up was deleted before it was locked; nothing was kept."""

    def __init__(self) -> None:
        super().__init__("another process deleted what this call writes to; try again")


def again_if_overtaken(work: Callable[[], Result]) -> Result:
    """Run a transaction, and again if another one overtook it, at most five times in all."""
    return _again(
        work,
        lambda error: isinstance(error, Overtaken) or _code(error) in _OVERTAKEN,
        "another transaction overtook a write; writing again",
    )


def again_if_deadlocked(work: Callable[[], Result]) -> Result:
    """Run a schema statement, and again if another process defines the same, at most five times."""
    return _again(
        work,
        lambda error: _code(error) == _DEADLOCK,
        "another process defines the schema too; trying again",
    )


def is_there_already(error: DatabaseError) -> bool:
    """Whether a schema statement was refused because what it defines is there."""
    return _code(error) in _ALREADY_THERE


def _again(
    work: Callable[[], Result], is_tried_again: Callable[[DatabaseError], bool], reason: str
) -> Result:
    for _ in range(TRIES - 1):
        try:
            return work()
        except DatabaseError as error:
            if not is_tried_again(error):
                raise
            log.info(reason)
    return work()


def _code(error: DatabaseError) -> str | None:
    cause = error.__cause__
    return cause.code if isinstance(cause, exceptions.Neo4jError) else None
