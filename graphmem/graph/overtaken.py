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
_OVERTAKEN = frozenset(
    {
        "Neo.ClientError.Statement.EntityNotFound",
        # A node that was to be deleted has a new relationship, or a key that is new is taken.
        "Neo.ClientError.Schema.ConstraintValidationFailed",
    }
)


def again_if_overtaken(work: Callable[[], Result]) -> Result:
    """Run a transaction, and again if another one overtook it, at most five times in all."""
    for _ in range(TRIES - 1):
        try:
            return work()
        except DatabaseError as error:
            cause = error.__cause__
            if not isinstance(cause, exceptions.Neo4jError) or cause.code not in _OVERTAKEN:
                raise
            log.info("another transaction overtook a write; writing again")
    return work()
