"""A statement that the server has yet to plan gets more time than the limit of a statement."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from graphmem import statements
from graphmem.errors import DatabaseTimeout
from graphmem.graph import Graph, planning
from graphmem.graph.planning import PLAN_SECONDS, Planner
from graphmem.progress import SILENT
from graphmem.search import first_search
from listeners import Listener

PING = statements.load("read/ping")


class Server:
    """Answers, but takes too long `slow` times at first.

    Attributes:
        asked: What it was asked and within how many seconds.
    """

    def __init__(self, *, slow: int, plan_is_slow: bool = False) -> None:
        self.asked: list[tuple[str, float]] = []
        self._slow = slow
        self._plan_is_slow = plan_is_slow

    def run(self, query: statements.Statement, seconds: float) -> str:
        is_plan = query.sent_text.startswith("EXPLAIN ")
        self.asked.append(("plan" if is_plan else "run", seconds))
        if is_plan and not self._plan_is_slow:
            return ""
        if self._slow:
            self._slow -= 1
            raise DatabaseTimeout("the database took longer than the time limit")
        return "answered"


@pytest.fixture
def planned(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Says from how many seconds on a statement had to be planned."""
    return lambda seconds: monkeypatch.setattr(planning, "LEAST_PLANNING_SECONDS", seconds)


def test_a_statement_within_its_time_limit_runs_once() -> None:
    server, listener = Server(slow=0), Listener()
    assert Planner(listener).again_once_planned(server.run, PING, seconds=20) == "answered"
    assert server.asked == [("run", 20)]
    assert listener.sentences == []


@pytest.mark.parametrize(("seconds", "limit"), [(20, PLAN_SECONDS), (120, 120)])
def test_a_statement_that_timed_out_while_planned_is_planned_with_more_time_and_run_again(
    planned: Callable[[float], None], seconds: float, limit: float
) -> None:
    planned(0)
    server, listener = Server(slow=1), Listener()
    assert Planner(listener).again_once_planned(server.run, PING, seconds=seconds) == "answered"
    assert server.asked == [("run", seconds), ("plan", limit), ("run", seconds)]
    assert len(listener.sentences) == 1


def test_a_statement_that_has_a_plan_and_times_out_is_not_run_again(
    planned: Callable[[float], None],
) -> None:
    planned(float("inf"))
    server = Server(slow=1)
    with pytest.raises(DatabaseTimeout):
        Planner(SILENT).again_once_planned(server.run, PING, seconds=20)
    assert server.asked == [("run", 20), ("plan", PLAN_SECONDS)]


def test_a_statement_that_times_out_again_is_not_planned_again(
    planned: Callable[[float], None],
) -> None:
    planned(0)
    server = Server(slow=2)
    with pytest.raises(DatabaseTimeout):
        Planner(SILENT).again_once_planned(server.run, PING, seconds=20)
    assert server.asked == [("run", 20), ("plan", PLAN_SECONDS), ("run", 20)]


def test_a_statement_that_cannot_be_planned_within_a_minute_fails(
    planned: Callable[[float], None],
) -> None:
    planned(0)
    server = Server(slow=2, plan_is_slow=True)
    with pytest.raises(DatabaseTimeout):
        Planner(SILENT).again_once_planned(server.run, PING, seconds=20)
    assert [what for what, _ in server.asked] == ["run", "plan"]


def test_concurrent_statements_are_planned_one_after_another(
    planned: Callable[[float], None],
) -> None:
    planned(0)
    planner, count, most = Planner(SILENT), 0, 0
    first = threading.Barrier(4)

    def asked(_: int) -> str:
        is_first = True

        def run(query: statements.Statement, seconds: float) -> str:  # noqa: ARG001 - as a server's
            nonlocal is_first, count, most
            if query.sent_text.startswith("EXPLAIN "):
                count += 1
                most = max(most, count)
                time.sleep(0.02)
                count -= 1
            elif is_first:
                is_first = False
                first.wait()
                raise DatabaseTimeout("the database took longer than the time limit")
            return "answered"

        return planner.again_once_planned(run, PING, seconds=20)

    with ThreadPoolExecutor(4) as threads:
        assert [*threads.map(asked, range(4))] == ["answered"] * 4
    assert most == 1


def test_a_caller_that_waits_too_long_for_a_plan_runs_the_statement_once_more(
    planned: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    planned(0)
    monkeypatch.setattr(planning, "PLAN_SECONDS", 0.01)
    planner, server = Planner(SILENT), Server(slow=1)
    with planner._turn:
        assert planner.again_once_planned(server.run, PING, seconds=0.01) == "answered"
    assert [what for what, _ in server.asked] == ["run", "run"]


def test_a_search_is_planned_and_run_again_by_a_real_server(
    graph: Graph, planned: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    planned(0)
    statement, parameter = first_search()
    run_once, texts = Graph._run_once, []

    def slow_at_first(graph: Graph, query: statements.Statement, *rest: object) -> object:
        texts.append(query.sent_text)
        rows = run_once(graph, query, *rest)  # type: ignore[arg-type]
        if len(texts) == 1:
            raise DatabaseTimeout("the database took longer than the time limit")
        return rows

    expected = graph.read(statement, search=parameter)
    monkeypatch.setattr(Graph, "_run_once", slow_at_first)
    assert graph.read(statement, search=parameter) == expected
    whole = statements.load(statement).sent_text
    assert texts == [whole, f"EXPLAIN {whole}", whole]
