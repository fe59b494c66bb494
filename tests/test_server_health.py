"""`/health` tells whether the memory can be used, and asking costs the database next to nothing."""

import asyncio
import json
import threading
from collections.abc import Callable
from typing import cast

import pytest
from starlette.requests import Request

from graphmem.errors import DatabaseUnavailable, GraphmemError, StartFailed
from graphmem.memory import Memory
from graphmem.server import health
from graphmem.server.health import FAILED, SILENT, STARTING, HealthEndpoint
from graphmem.server.lazy_memory import LazyMemory


class Database:
    """A memory whose database answers, refuses or hangs."""

    def __init__(self, answers: Callable[[], None] = lambda: None) -> None:
        self.answers = answers
        self.asked = 0

    def ping(self) -> None:
        self.asked += 1
        self.answers()

    def close(self) -> None:
        """Nothing to close."""


def opened(database: Database) -> LazyMemory:
    opening = LazyMemory(lambda: cast("Memory", database))
    opening.memory()
    return opening


def reasons(opening: LazyMemory, times: int = 1) -> list[str | None]:
    async def ask() -> list[str | None]:
        asked = HealthEndpoint(opening)
        return list(await asyncio.gather(*(asked.reason() for _ in range(times))))

    return asyncio.run(ask())


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no answer come too late or grow old because the machine is busy."""
    monkeypatch.setattr(health, "ANSWER_SECONDS", 600.0)
    monkeypatch.setattr(health, "KEPT_SECONDS", 600.0)
    monkeypatch.setattr(health, "RETRY_SECONDS", 600.0)


def test_a_memory_whose_database_answers_is_healthy() -> None:
    assert reasons(opened(Database())) == [None]


def test_a_thousand_health_requests_ask_the_database_once() -> None:
    database = Database()
    assert set(reasons(opened(database), 1000)) == {None}
    assert database.asked == 1


def test_repeated_health_requests_get_the_same_answer_for_a_while() -> None:
    database = Database()

    async def ask() -> list[str | None]:
        asked = HealthEndpoint(opened(database))
        return [await asked.reason() for _ in range(100)]

    assert set(asyncio.run(ask())) == {None}
    assert database.asked == 1


def test_the_status_of_the_answer_says_whether_the_memory_can_be_used() -> None:
    def refuses() -> None:
        raise DatabaseUnavailable("bolt://user:word@127.0.0.1 does not answer")

    async def ask(answers: Callable[[], None]) -> tuple[int, dict[str, str]]:
        response = await HealthEndpoint(opened(Database(answers)))(Request({"type": "http"}))
        return response.status_code, json.loads(bytes(response.body))

    code, healthy = asyncio.run(ask(lambda: None))
    assert (code, healthy["status"]) == (200, "ok")
    assert asyncio.run(ask(refuses)) == (503, healthy | {"status": SILENT})


def test_a_refusing_database_is_not_healthy() -> None:
    def refuses() -> None:
        raise DatabaseUnavailable("bolt://user:word@127.0.0.1 does not answer")

    assert reasons(opened(Database(refuses))) == [SILENT]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_after_an_error_that_nobody_foresaw_the_database_is_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(health, "KEPT_SECONDS", 0.0)
    errors = [ZeroDivisionError("unforeseen")]

    def fails_once() -> None:
        if errors:
            raise errors.pop()

    async def ask() -> list[str | None]:
        asked = HealthEndpoint(opened(Database(fails_once)))
        return [await asked.reason() for _ in range(2)]

    assert asyncio.run(ask()) == [SILENT, None]
    ended("graphmem-health")  # its error is this test's


def test_a_hanging_database_is_not_healthy_and_is_asked_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(health, "ANSWER_SECONDS", 0.05)
    monkeypatch.setattr(health, "KEPT_SECONDS", 0.0)
    release = threading.Event()
    database = Database(lambda: cast("None", release.wait(60)))
    others = set(threading.enumerate())

    async def ask() -> list[str | None]:
        asked = HealthEndpoint(opened(database))
        hanging = [await asked.reason() for _ in range(3)]
        begun = set(threading.enumerate()) - others
        waits = [thread.daemon for thread in begun if thread.name == "graphmem-health"]
        assert waits == [True]  # no server waits for it to end
        release.set()
        while (last := await asked.reason()) is not None:
            pass
        return [*hanging, last]

    assert asyncio.run(ask()) == [SILENT, SILENT, SILENT, None]


def test_health_opens_the_memory_and_reports_that_it_is_starting() -> None:
    release = threading.Event()

    def opens() -> Memory:
        release.wait(60)
        return cast("Memory", Database())

    opening = LazyMemory(opens)
    assert reasons(opening, 3) == [STARTING] * 3
    assert opening.state == "starting"
    release.set()
    opening.memory()
    assert reasons(opening) == [None]


def ended(name: str) -> None:
    for thread in threading.enumerate():
        if thread.name == name:
            thread.join()


def test_a_memory_that_could_not_be_opened_is_tried_again_now_and_then() -> None:
    tries = 0

    def opens() -> Memory:
        nonlocal tries
        tries += 1
        raise StartFailed("no room for the password secret")

    opening = LazyMemory(opens)
    with pytest.raises(GraphmemError):
        opening.memory()

    async def ask() -> set[str | None]:
        asked = HealthEndpoint(opening)
        found = {await asked.reason()}
        await asyncio.to_thread(ended, "graphmem-open")
        return found | {await asked.reason() for _ in range(100)}

    assert asyncio.run(ask()) == {FAILED}
    assert tries == 2
