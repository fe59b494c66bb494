"""Statements that a server has yet to plan, which can take longer than one may take.

A private server that has just started on a slow or busy machine plans a search with filters for
more than the twenty seconds after which a statement is given up, and with it its plan.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from graphmem.errors import DatabaseTimeout
from graphmem.progress import Progress
from graphmem.statements import Statement

Result = TypeVar("Result")

# Twice what a search with filters takes to be planned where two others keep both cores busy.
PLAN_SECONDS = 60.0
# A statement whose plan is there is explained in some milliseconds.
LEAST_PLANNING_SECONDS = 1.0
_ASKING = "The database takes longer than the time limit; it may have yet to plan the statement …"


class Planner:
    """Has a server plan what it could not plan in time; safe to share between threads.

    One thread at a time does, for a plan that several make at once takes longer by as many times,
    and is there for all.

    Args:
        progress: Told when the limit of a statement is reached.
    """

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._turn = threading.Lock()

    def again_once_planned(
        self,
        run: Callable[[Statement, float], Result],
        statement: Statement,
        *,
        seconds: float,
    ) -> Result:
        """Run a statement, and again if planning it was what took too long.

        Args:
            run: Runs one within a time limit.
            statement: The statement.
            seconds: Its limit; to be planned, it has at least a minute.

        Raises:
            DatabaseTimeout: The statement itself takes too long, or its plan does.
        """
        try:
            return run(statement, seconds)
        except DatabaseTimeout:
            self._progress.say(_ASKING)
            began = time.monotonic()
            self._plan(run, statement, max(seconds, PLAN_SECONDS))
            if time.monotonic() - began < LEAST_PLANNING_SECONDS:
                raise
        return run(statement, seconds)

    def _plan(
        self,
        run: Callable[[Statement, float], Result],
        statement: Statement,
        seconds: float,
    ) -> None:
        """Have a statement planned, unless others keep their turn for longer than it may take."""
        if not self._turn.acquire(timeout=seconds):
            return
        try:
            run(_explained(statement), seconds)
        finally:
            self._turn.release()


def _explained(statement: Statement) -> Statement:
    """A statement that has the server plan another one, and no more."""
    return replace(
        statement, text=f"EXPLAIN {statement.text}", sent_text=f"EXPLAIN {statement.sent_text}"
    )
