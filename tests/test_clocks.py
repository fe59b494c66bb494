"""The order of changes does not depend on clocks that are set back or differ by little."""

from datetime import UTC, datetime, timedelta, tzinfo

import pytest

from graphmem.memory import Memory
from graphmem.write.history import recording

BEGINNING = datetime(2020, 1, 1, tzinfo=UTC)


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.moment = datetime.now(UTC)

    def now(self, zone: tzinfo) -> datetime:
        return self.moment.astimezone(zone)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(recording, "datetime", clock)
    return clock


def moments(memory: Memory) -> list[datetime | None]:
    return [change.at for change in memory.changes(BEGINNING).changes]


@pytest.mark.parametrize("backwards", [timedelta(), timedelta(seconds=200)])
def test_a_change_is_later_than_those_before_it_though_the_clock_was_set_back(
    memory: Memory, clock: Clock, backwards: timedelta
) -> None:
    first = clock.moment - timedelta(seconds=1000)
    clock.moment = first
    memory.remember([{"name": "Pier", "text": "Red."}, {"name": "Buoy"}])
    clock.moment = first - backwards
    memory.edit({"name": "Pier", "text": "Green."})
    memory.link("Buoy", "NEAR", "Pier")
    memory.rename("Pier", "Jetty")
    memory.forget("Buoy")
    memory.supersede("Buoy", "Jetty")
    memory.merge("Buoy", "Jetty")
    tick = timedelta(microseconds=1)
    assert moments(memory) == [first + number * tick for number in range(6, -1, -1)]

    report = memory.undo("last")
    assert report.notes[0].startswith("undone: `merge`")
    for number, told in enumerate(["Red.", "Green."]):
        then = first + number * tick
        assert memory.get_as_of("Pier", then).entity.text == told
        (hit,) = memory.search("pier", as_of=then, kinds=["Thing"], expand=False, limit=1).hits
        assert [passage.text for passage in hit.passages] == [told]


def test_a_clock_that_is_far_behind_counts(memory: Memory, clock: Clock) -> None:
    right = clock.moment - timedelta(days=1)
    clock.moment = right + recording.CLOCKS_DIFFER + timedelta(seconds=1)
    memory.remember([{"name": "Pier"}])
    clock.moment = right
    memory.edit({"name": "Pier", "text": "Green."})
    assert right in moments(memory)


def test_a_change_of_another_project_has_its_own_moment(memory: Memory, clock: Clock) -> None:
    other = f"{memory.project}/other"
    memory.remember([{"name": "Pier"}])
    memory.remember([{"name": "Pier"}], project=other)
    assert [change.at for change in memory.changes(BEGINNING, project=other).changes] == [
        clock.moment
    ]
