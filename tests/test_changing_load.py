"""Eight writers change the same entities beside searches: nothing is lost, and history is right."""

import pytest

from changing_load import Load, for_seconds
from fault_table import Record
from graphmem.memory import Memory

WRITERS = 8


def test_writers_lose_nothing_and_history_leads_back_to_what_was_seen(memory: Memory) -> None:
    load = Load(memory)
    load.fill()
    load.run(WRITERS, lambda turn: turn < 15)
    assert list(load.problems()) == []
    assert load.done["compared"] > 0
    assert load.done["merge"] > 0
    assert load.done["undo"] > 0


@pytest.mark.faults
def test_writers_lose_nothing_in_two_minutes(memory: Memory, record: Record) -> None:
    load = Load(memory, seed=2)
    load.fill()
    load.run(WRITERS, for_seconds(120))
    problems = list(load.problems())
    print(dict(load.done))  # noqa: T201 - what was done, for who runs it
    assert problems == []
    record("8 writers change 100 entities for two minutes", times=sum(load.done.values()))
