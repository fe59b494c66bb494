"""Eight searches of a memory at a time, the others in line."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from graphmem.errors import DatabaseTimeout
from graphmem.graph import Graph, Row
from graphmem.memory import Memory
from graphmem.search.concurrency import AT_ONCE, SearchLimiter

SOON = 0.02
LONG = 120


def test_no_more_than_eight_searches_run_at_a_time(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.remember([{"name": "Pier", "text": "a long jetty"}])
    full = threading.Barrier(AT_ONCE)
    running, most = [0], [0]
    lock = threading.Lock()
    reading = Graph.read

    def read(graph: Graph, name: str, /, **parameters: object) -> list[Row]:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        full.wait(LONG)  # each eight wait for one another, so eight do run at a time
        time.sleep(SOON)
        with lock:
            running[0] -= 1
        return reading(graph, name, **parameters)

    monkeypatch.setattr(Graph, "read", read)
    with ThreadPoolExecutor(3 * AT_ONCE) as pool:
        answers = list(pool.map(memory.search, ["jetty"] * 3 * AT_ONCE))
    assert all(answer.hits[0].name == "Pier" for answer in answers)
    assert most[0] == AT_ONCE


def test_turns_come_in_the_order_they_were_asked_for() -> None:
    limiter, order, threads = SearchLimiter(at_once=1, seconds=LONG), list[int](), []

    def take(number: int) -> None:
        with limiter.slot():
            order.append(number)

    with limiter.slot():
        for number in range(5):
            threads.append(threading.Thread(target=take, args=(number,)))
            threads[-1].start()
            while len(limiter._waiting) <= number:
                time.sleep(SOON / 10)
    for thread in threads:
        thread.join(LONG)
    assert order == list(range(5))


def test_a_search_that_waits_too_long_fails_and_takes_no_turn() -> None:
    limiter = SearchLimiter(at_once=1, seconds=SOON)
    with limiter.slot(), pytest.raises(DatabaseTimeout, match="too many searches"), limiter.slot():
        pass
    with limiter.slot():
        pass


def test_a_search_that_fails_gives_its_turn_back() -> None:
    limiter = SearchLimiter(at_once=1, seconds=SOON)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), limiter.slot():
            _ = 1 / 0
