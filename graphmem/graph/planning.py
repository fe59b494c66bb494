"""Statements that a server has yet to plan, which can take longer than one may take.

A private server that has just started on a slow or busy machine plans a search with filters for
more than the twenty seconds after which a statement is given up, and with it its plan.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from graphmem import queries
from graphmem.errors import DatabaseTimeout
from graphmem.progress import Progress

Result = TypeVar("Result")

# Twice what a search with filters takes to be planned where two others keep both cores busy.
PLAN_SECONDS = 60.0
# A statement whose plan is there is explained in some milliseconds.
LEAST_PLANNING_SECONDS = 1.0
_ASKING = "The database takes longer than the time limit; it may have yet to plan the statement …"


def again_once_planned(
    run: Callable[[queries.Query, float], Result],
    query: queries.Query,
    *,
    seconds: float,
    progress: Progress,
) -> Result:
    """Run a statement, and again if planning it was what took too long.

    Args:
        run: Runs one within a time limit.
        query: The statement.
        seconds: Its limit; to be planned, it has at least a minute.
        progress: Told when the limit is reached.

    Raises:
        DatabaseTimeout: The statement itself takes too long, or its plan does.
    """
    try:
        return run(query, seconds)
    except DatabaseTimeout:
        progress.say(_ASKING)
        began = time.monotonic()
        run(_explained(query), max(seconds, PLAN_SECONDS))
        if time.monotonic() - began < LEAST_PLANNING_SECONDS:
            raise
    return run(query, seconds)


def _explained(query: queries.Query) -> queries.Query:
    """A statement that has the server plan another one, and no more."""
    return replace(query, text=f"EXPLAIN {query.text}", sent_text=f"EXPLAIN {query.sent_text}")
