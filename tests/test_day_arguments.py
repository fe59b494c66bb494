"""Days as arguments: ISO 8601, or words by the clock of this machine, wherever one is taken."""

import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta

import pytest

from graphmem import moments
from graphmem.errors import InvalidInput
from graphmem.memory import Memory
from graphmem.memory.searches.options import planned
from graphmem.model import limits

LAST_WEEK = "last week"
BOUNDS = ("since", "until")
# Far from UTC, so that a day there is not the day in UTC.
PLACES = ("UTC", "Pacific/Auckland", "America/Los_Angeles")


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A machine in one of several places."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


def the_day_before() -> date:
    """Yesterday by the clock of this machine."""
    return datetime.now().astimezone().date() - timedelta(days=1)


@pytest.mark.usefixtures("place")
def test_words_mean_the_bounds_of_days_by_the_clock_of_this_machine() -> None:
    before = the_day_before()
    first, last = moments.first("since", "yesterday"), moments.last("until", "yesterday")
    day = moments.day_or_moment("at", "yesterday")
    days = {before, the_day_before()}  # midnight may lie between them
    assert first.astimezone().date() in days
    assert (first.utcoffset(), first.astimezone().hour) == (timedelta(0), 0)
    assert last.astimezone().date() in days
    assert (last + timedelta.resolution).astimezone().hour == 0
    assert not isinstance(day, datetime)
    assert day in days


@pytest.mark.usefixtures("place")
def test_what_is_known_of_a_day_that_lasts_is_no_knowledge_of_the_future() -> None:
    for words in ("today", "this week", "this year"):
        assert moments.known_then("as_of", words) <= limits.end_of("", datetime.now(UTC).date())
    assert moments.known_then("as_of", LAST_WEEK) == moments.last("until", LAST_WEEK)


def test_a_moment_in_words_is_one() -> None:
    at = moments.day_or_moment("at", "2 hours ago")
    assert isinstance(at, datetime)
    assert timedelta(hours=2) <= datetime.now(UTC) - at < timedelta(hours=2, minutes=11)


@pytest.mark.parametrize("value", ["2026-03-01", "2026-03-01T10:00:00+02:00", date(2026, 3, 1)])
def test_iso_dates_mean_what_they_mean_elsewhere(value: object) -> None:
    for check, iso_check in (
        (moments.first, limits.moment),
        (moments.last, limits.end_of),
        (moments.past, limits.past),
        (moments.known_then, limits.known_then),
        (moments.day_or_moment, limits.day_or_moment),
    ):
        assert check("day", value) == iso_check("day", value)


@pytest.mark.parametrize(
    "check",
    [moments.first, moments.last, moments.past, moments.known_then, moments.day_or_moment],
)
@pytest.mark.parametrize(
    "value",
    [
        "", "soon", "some friday", "redis yesterday", "20260301101", 5, "yesterday, today",
        "2026-03-01 to 2026-03-05", "2026-02-30", "2026-13-01", "2026-03-01T10:00:00Zoo",
    ],
)  # fmt: skip
def test_what_is_no_day_is_refused(check: Callable[[str, object], object], value: object) -> None:
    with pytest.raises(InvalidInput, match=r"^day must be a da"):
        check("day", value)


@pytest.mark.usefixtures("place")
def test_a_week_of_the_calendar_has_seven_days() -> None:
    first, last = moments.first("since", "2025-W14"), moments.last("until", "2025-W14")
    assert first.astimezone().date() == date(2025, 3, 31)
    assert last.astimezone().date() == date(2025, 4, 6)
    assert moments.known_then("as_of", "2025-W14") == last
    assert moments.day_or_moment("at", "2025-W14-7") == date(2025, 4, 6)


def test_a_day_of_the_future_is_refused() -> None:
    for check in (moments.past, moments.known_then):
        with pytest.raises(InvalidInput, match="must not lie in the future"):
            check("day", "2999-01-01")


@pytest.mark.parametrize("words", [LAST_WEEK, "yesterday morning", "this year", "2025-W14"])
def test_at_takes_no_words_that_mean_more_or_less_than_a_day(words: str) -> None:
    with pytest.raises(InvalidInput, match=r"^at must be a day such as 2026-03-01 or `yesterday`"):
        planned((), {"at": words})


def test_a_time_that_ends_before_it_begins_is_refused() -> None:
    refusal = "until must not be before since, which is 2026-03-02T00:00:00Z, got '2026-03-01'"
    for bounds in (moments.bounds, lambda *days: planned((), dict(zip(BOUNDS, days, strict=True)))):
        with pytest.raises(InvalidInput) as raised:
            bounds("2026-03-02", "2026-03-01")
        assert str(raised.value) == refusal
        assert bounds("2026-03-02", "2026-03-02T00:00:00Z")


def test_days_in_words_are_taken_wherever_a_day_is_an_argument(memory: Memory) -> None:
    memory.remember([{"name": "Watzmann", "text": "A ridge."}])
    names = [
        [hit.name for hit in memory.search("ridge", **options).hits]  # type: ignore[arg-type]
        for options in ({"since": "today"}, {"until": "yesterday"}, {"as_of": "yesterday"},
                        {"as_of": "today"}, {"at": "3 days ago"})
    ]  # fmt: skip
    assert names == [["Watzmann"], [], [], ["Watzmann"], ["Watzmann"]]
    assert memory.recent(since=LAST_WEEK).hits
    assert memory.context("ridge", since=LAST_WEEK, at="yesterday").hits
    assert memory.get_as_of("Watzmann", "today").entity.name == "Watzmann"
    assert memory.explore("Watzmann", at="yesterday").name == "Watzmann"
    assert memory.history("Watzmann", since="yesterday").revisions
    assert memory.changes("yesterday", "today").changes
    assert not memory.changes("30 days ago", "yesterday").changes


def test_stored_days_are_iso_dates_alone(memory: Memory) -> None:
    report = memory.remember([{"name": "Watzmann", "valid_from": "yesterday"}])
    assert [item.outcome for item in report.items] == ["refused"]
