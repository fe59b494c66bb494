"""Dates in words: what they mean on a Wednesday in Berlin, and what is no date."""

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem import cli, dates
from graphmem.memory import Memory
from graphmem.memory.searches.query_dates import ONLY_DATES, dated
from graphmem.model.filters import Filters

# It is Wednesday, 18 November 2026, one o'clock there.
NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


def read(question: str) -> dates.DatedQuery:
    return dates.read(question, now=NOW, zone=BERLIN)


def bounds(question: str) -> tuple[str | None, str | None]:
    """The first day of a question's bounds, and the last one."""
    found = read(question)
    return tuple(
        moment and f"{moment.astimezone(BERLIN):%Y-%m-%d}" for moment in (found.since, found.until)
    )  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("words", "since", "until"),
    [
        ("today", "2026-11-18", "2026-11-18"),
        ("yesterday", "2026-11-17", "2026-11-17"),
        ("the day before yesterday", "2026-11-16", "2026-11-16"),
        ("this week", "2026-11-16", "2026-11-22"),
        ("last week", "2026-11-09", "2026-11-15"),
        ("the last week", "2026-11-11", None),
        ("the past week", "2026-11-11", None),
        ("this past week", "2026-11-11", None),
        ("last month", "2026-10-01", "2026-10-31"),
        ("last quarter", "2026-07-01", "2026-09-30"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("in the last 3 days", "2026-11-15", None),
        ("over the past two weeks", "2026-11-04", None),
        ("last 6 months", "2026-05-18", None),
        ("3 days ago", "2026-11-15", "2026-11-15"),
        ("a week ago", "2026-11-09", "2026-11-15"),
        ("on Monday", "2026-11-16", "2026-11-16"),
        ("on Wednesday", "2026-11-18", "2026-11-18"),
        ("last Wednesday", "2026-11-11", "2026-11-11"),
        ("since Friday", "2026-11-13", None),
        ("in March", "2026-03-01", "2026-03-31"),
        ("in December", "2025-12-01", "2025-12-31"),
        ("in may", "2026-05-01", "2026-05-31"),
        ("last March", "2026-03-01", "2026-03-31"),
        ("last November", "2025-11-01", "2025-11-30"),
        ("March 2025", "2025-03-01", "2025-03-31"),
        ("Mar 2025", "2025-03-01", "2025-03-31"),
        ("in June last year", "2025-06-01", "2025-06-30"),
        ("on Monday last week", "2026-11-09", "2026-11-09"),
        ("Friday of last week", "2026-11-13", "2026-11-13"),
        ("last week on Friday", "2026-11-13", "2026-11-13"),
        ("since Tuesday this week", "2026-11-17", None),
        ("Sunday 2 weeks ago", "2026-11-08", "2026-11-08"),
        ("во вторник на прошлой неделе", "2026-11-10", "2026-11-10"),
        ("on 5 March 2026", "2026-03-05", "2026-03-05"),
        ("March 5, 2026", "2026-03-05", "2026-03-05"),
        ("on December 24th", "2025-12-24", "2025-12-24"),
        ("on the 24th of December", "2025-12-24", "2025-12-24"),
        ("since 5th of March 2025", "2025-03-05", None),
        ("on 29 February", "2024-02-29", "2024-02-29"),
        ("29 февраля", "2024-02-29", "2024-02-29"),
        ("Q3 2025", "2025-07-01", "2025-09-30"),
        ("in Q1", "2026-01-01", "2026-03-31"),
        ("in 2024", "2024-01-01", "2024-12-31"),
        ("on 2025-03-01", "2025-03-01", "2025-03-01"),
        ("in 2025-03", "2025-03-01", "2025-03-31"),
        ("since 2024", "2024-01-01", None),
        ("after June 2025", "2025-07-01", None),
        ("before June 2025", None, "2025-05-31"),
        ("until June 2025", None, "2025-06-30"),
        ("by yesterday", None, "2026-11-17"),
        ("until December 2026", None, "2026-12-31"),
        ("before 2027-01-01", None, "2026-12-31"),
        ("from 2026-11-01 to 2026-12-31", "2026-11-01", "2026-12-31"),
        ("from 2024 on", "2024-01-01", None),
        ("from last week", "2026-11-09", "2026-11-15"),
        ("between March and June 2025", "2025-03-01", "2025-06-30"),
        ("from November to January 2026", "2025-11-01", "2026-01-31"),
        ("from 2023 until 2024", "2023-01-01", "2024-12-31"),
        ("since 2024, before June 2025", "2024-01-01", "2025-05-31"),
        ("from 5 to 10 March 2026", "2026-03-05", "2026-03-10"),
        ("on 5-10 March", "2026-03-05", "2026-03-10"),
        ("5–10 March 2025", "2025-03-05", "2025-03-10"),
        ("March 5-10, 2026", "2026-03-05", "2026-03-10"),
        ("between 5 and 10 March", "2026-03-05", "2026-03-10"),
        ("between March 5 and 10, 2025", "2025-03-05", "2025-03-10"),
        ("с 5 по 10 марта", "2026-03-05", "2026-03-10"),
        ("5-10 марта 2025 года", "2025-03-05", "2025-03-10"),
        ("между 5 и 10 марта", "2026-03-05", "2026-03-10"),
        ("in March–April 2025", "2025-03-01", "2025-04-30"),
        ("March - April 2025", "2025-03-01", "2025-04-30"),
        ("in 2024-2025", "2024-01-01", "2025-12-31"),
        ("in 2024 - 2025", "2024-01-01", "2025-12-31"),
        ("in Q1-Q2 2025", "2025-01-01", "2025-06-30"),
        ("since 2024 before June 2025", "2024-01-01", "2025-05-31"),
        ("с января до июня 2025", "2025-01-01", "2025-06-30"),
        ("сегодня", "2026-11-18", "2026-11-18"),
        ("позавчера", "2026-11-16", "2026-11-16"),
        ("на прошлой неделе", "2026-11-09", "2026-11-15"),
        ("в этом году", "2026-01-01", "2026-12-31"),
        ("за последние 3 дня", "2026-11-15", None),
        ("за последний месяц", "2026-10-18", None),
        ("неделю назад", "2026-11-09", "2026-11-15"),
        ("в марте", "2026-03-01", "2026-03-31"),
        ("в мае 2025 года", "2025-05-01", "2025-05-31"),
        ("в июне прошлого года", "2025-06-01", "2025-06-30"),
        ("с 2024 года", "2024-01-01", None),
        ("до июня 2025", None, "2025-05-31"),
        ("после 5 марта", "2026-03-06", None),
        ("5 марта", "2026-03-05", "2026-03-05"),
        ("с 5 марта по 10 марта", "2026-03-05", "2026-03-10"),
        ("между мартом и июнем 2025", "2025-03-01", "2025-06-30"),
        ("в пятницу", "2026-11-13", "2026-11-13"),
        ("in 2024 or 2025", "2024-01-01", "2025-12-31"),
        ("in 2023, 2024 and 2025", "2023-01-01", "2025-12-31"),
        ("in March and April 2025", "2025-03-01", "2025-04-30"),
        ("in March/April", "2026-03-01", "2026-04-30"),
        ("March and April 2025", "2025-03-01", "2025-04-30"),
        ("in January, February", "2026-01-01", "2026-02-28"),
        ("last week or this week", "2026-11-09", "2026-11-22"),
        ("yesterday and today", "2026-11-17", "2026-11-18"),
        ("в марте 2025 или в мае 2025", "2025-03-01", "2025-05-31"),
        ("since early March", "2026-03-01", None),
        ("in early March", "2026-03-01", "2026-03-16"),
        ("in mid-March 2025", "2025-03-08", "2025-03-24"),
        ("at the end of March", "2026-03-16", "2026-03-31"),
        ("before the end of March", None, "2026-03-31"),
        ("after early March", "2026-03-01", None),
        ("since the beginning of the year", "2026-01-01", None),
        ("в конце марта 2025", "2025-03-16", "2025-03-31"),
        ("с начала года", "2026-01-01", None),
        ("in 2025-W14", "2025-03-31", "2025-04-06"),
        ("in 2025-Q3", "2025-07-01", "2025-09-30"),
        ("2025 Q3", "2025-07-01", "2025-09-30"),
        ("Q3/2025", "2025-07-01", "2025-09-30"),
        ("on 2025/03/05", "2025-03-05", "2025-03-05"),
        ("about two weeks ago", "2026-10-26", "2026-11-15"),
        ("a couple of weeks ago", "2026-10-26", "2026-11-15"),
        ("the past couple of weeks", "2026-11-04", None),
        ("пару недель назад", "2026-10-26", "2026-11-15"),
        ("H1 2025", "2025-01-01", "2025-06-30"),
        ("in H2 of last year", "2025-07-01", "2025-12-31"),
        ("2026 H1", "2026-01-01", "2026-06-30"),
        ("in 2025-H2", "2025-07-01", "2025-12-31"),
        ("the first half of 2025", "2025-01-01", "2025-06-30"),
        ("since the second half of last year", "2025-07-01", None),
        ("before the second quarter of 2025", None, "2025-03-31"),
        ("in the fourth quarter of 2025", "2025-10-01", "2025-12-31"),
        ("from Q1 2025 to H2 2025", "2025-01-01", "2025-12-31"),
        ("в первой половине 2025 года", "2025-01-01", "2025-06-30"),
        ("во втором полугодии прошлого года", "2025-07-01", "2025-12-31"),
        ("в третьем квартале 2025", "2025-07-01", "2025-09-30"),
    ],
)
def test_phrases_mean_days(words: str, since: str | None, until: str | None) -> None:
    assert bounds(words) == (since, until)
    assert read(f"redis {words.upper()}").text.rstrip(",") == "redis"


@pytest.mark.parametrize(
    "question",
    [
        "", "a", "last", "since", "between", "may we use redis", "this may work", "march",
        "march of the penguins", "in march of the penguins", "the second acquirer",
        "in the second week", "sun tide feed", "monday", "december", "adr 12 outbox table",
        "error 404 in 2 services", "port 8765 in 8765", "in 2048 services", "12 berths a day",
        "why did it last so long", "past due invoices", "the week of the outage", "version 2.1",
        "release 2024", "2025-03-01", "on 31 February", "on 31 February 2025",
        "on February 30, 2025", "31 февраля 2025 года", "on 2025-13-01", "last 0 days", "5 march",
        "last 9999999999 years", "before 1969", "ma 2025", "может ли redis", "до завтра", "мая",
        '"last week" report', 'title:"last week"', "created_at:yesterday", "yesterday*",
        "in December 2026", "plans for 5 December 2026", "5 декабря 2026 года", "due on 2027-01-15",
        "since 2027-01-15", "from December 2026 to January 2027", "Q1 2027 since 2027-01",
        "chapters 5-10 march", "release 2024-2025", "from 5 to 10",
        r"last\ week", "in the last week of March", "last day of the sprint", "last Friday of May",
        "not in 2024", "not before March", "except last week", "no later than March 2025",
        "as of March 2025", "around March 2025", "more than a week ago", "over a year ago",
        "a few days ago", "several months ago", "2 or 3 days ago", "3-5 days ago",
        "half a year ago", "two days before 5 March 2025", "the week of 5 March 2025",
        "since the third half of last year", "in H1", "the h1 heading", "the first half of 2027",
        "second half of the game", "the minutes of the call", "a last minute change", "5 minutes",
        "over 2 hours ago", "2-3 hours ago", "over half an hour ago", "0 minutes ago",
        "the last minute", "two and a half hour ago", "an hour and a half ago",
        "the last 5 minutes of the call", "last summer", "in 2024.1", "in 2024_report",
        "in 2025/26",
        "pre-March 2025", "end of the year 2024", "since 17:00", "last sprint",
        "за последнюю неделю марта", "since 0001-01-01", "before 0001-01-01", "in 0000-01",
    ],
)  # fmt: skip
def test_ordinary_words_are_no_dates(question: str) -> None:
    assert read(question) == dates.DatedQuery(question)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("what did we decide last week?", "what did we decide?"),
        ("last week's incidents", "incidents"),
        ("in March - may we use it", "may we use it"),
        ("in March, may we use it", "may we use it"),
        ("in March 2025 - redis", "redis"),
        ("yesterday: what broke", "what broke"),
        ("since 2024, which caches", "which caches"),
        ("redis (in March) cache", "redis ( ) cache"),
        ("what happened on 5 March 2026, and why", "what happened, and why"),
        ("что решили на прошлой неделе?", "что решили?"),
    ],
)
def test_dates_leave_the_question(question: str, text: str) -> None:
    assert read(question).text == text


@pytest.mark.parametrize(
    ("words", "since", "until"),
    [
        ("since 5pm yesterday", "17 17:00", None),
        ("since 5 pm on Monday", "16 17:00", None),
        ("from 17:00 yesterday", "17 17:00", None),
        ("since yesterday at 5:30pm", "17 17:30", None),
        ("since 2026-11-03 10:00", "03 10:00", None),
        ("after noon yesterday", "17 12:00", None),
        ("before 9am today", None, "18 08:59"),
        ("since 9am", "18 09:00", None),
        ("с 17:00 вчера", "17 17:00", None),
        ("yesterday after 5pm", "17 17:00", "17 23:59"),
        ("вчера после 17:00", "17 17:00", "17 23:59"),
        ("yesterday morning", "17 00:00", "17 11:59"),
        ("on Monday afternoon", "16 12:00", "16 17:59"),
        ("since yesterday evening", "17 17:00", None),
        ("this morning", "18 00:00", "18 11:59"),
        ("last night", "17 18:00", "18 05:59"),
        ("last 24h", "17 13:00", None),
        ("last 7d", "11 00:00", None),
        ("вчера вечером", "17 17:00", "17 23:59"),
        ("2 hours ago", "18 10:00", "18 12:09"),
        ("an hour ago", "18 11:30", "18 12:39"),
        ("30 minutes ago", "18 12:10", "18 12:49"),
        ("half an hour ago", "18 12:10", "18 12:49"),
        ("about a half hour ago", "18 12:10", "18 12:49"),
        ("полчаса назад", "18 12:10", "18 12:49"),
        ("since half an hour ago", "18 12:30", None),
        ("in the last half hour", "18 12:30", None),
        ("за последние полчаса", "18 12:30", None),
        ("час назад", "18 11:30", "18 12:39"),
        ("since 2 hours ago", "18 11:00", None),
        ("after 5 mins ago", "18 12:50", None),
        ("before an hour ago", None, "18 11:59"),
        ("до 30 минут назад", None, "18 12:29"),
        ("in the last 25 minutes", "18 12:30", None),
        ("за последние 5 минут", "18 12:50", None),
    ],
)
def test_phrases_mean_hours_of_a_day(words: str, since: str | None, until: str | None) -> None:
    dated = read(f"redis {words}")
    assert dated.text == "redis"
    moments = [
        moment and f"{moment.astimezone(BERLIN):%d %H:%M}" for moment in (dated.since, dated.until)
    ]
    assert moments == [since, until]


@pytest.mark.parametrize(
    ("question", "text", "since", "until"),
    [
        ("before the release on 3 May", "before the release", None, "2026-05-03"),
        ("after the outage last week", "after the outage", "2026-11-09", None),
        ("после сбоя 5 марта", "после сбоя", "2026-03-05", None),
        ("redis, in March", "redis,", "2026-03-01", "2026-03-31"),
    ],
)
def test_the_day_of_an_event_bounds_what_is_before_or_after_it(
    question: str, text: str, since: str | None, until: str | None
) -> None:
    assert bounds(question) == (since, until)
    assert read(question).text == text


def test_dates_that_exclude_each_other_stay_in_the_question() -> None:
    question = "redis last week compared to this week"
    assert read(question) == dates.DatedQuery(
        question,
        notes=(
            (
                "the dates `last week` and `this week` exclude each other, "
                "so none of them was read as a filter"
            ),
        ),
    )


def test_the_word_minutes_before_a_date_is_no_time() -> None:
    assert read("minutes of 5 March 2026").text == "minutes of"


def test_a_day_begins_at_midnight_by_the_callers_clock() -> None:
    found = read("yesterday")
    assert found.since == datetime(2026, 11, 16, 23, tzinfo=UTC)
    assert found.until == datetime(2026, 11, 17, 23, tzinfo=UTC) - timedelta(microseconds=1)
    summer = read("in July")  # an hour more than in winter
    assert summer.since == datetime(2026, 6, 30, 22, tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "since"),
    [
        (datetime(2026, 3, 29, 1, 30, tzinfo=UTC), datetime(2026, 3, 28, 22, tzinfo=UTC)),
        (datetime(2026, 10, 25, 1, 30, tzinfo=UTC), datetime(2026, 10, 24, 22, tzinfo=UTC)),
    ],
)
def test_the_last_hours_are_those_that_passed_while_the_clock_was_changed(
    now: datetime, since: datetime
) -> None:
    assert dates.read("last 3 hours", now=now, zone=BERLIN).since == since


def test_without_a_zone_the_clock_is_that_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert dates.read("yesterday", now=NOW).since == datetime(2026, 11, 16, 15, tzinfo=UTC)
    finally:
        monkeypatch.delenv("TZ")
        time.tzset()


def test_a_note_says_how_each_date_was_understood() -> None:
    assert read("redis since 2024, before June 2025").notes == (
        "`since 2024` was read as created from 2024-01-01 (UTC+01:00)",
        "`before June 2025` was read as created until 2025-05-31 (UTC+02:00)",
    )
    assert read("in the last 2 hours").notes == (
        "`in the last 2 hours` was read as created from 2026-11-18 11:00 (UTC+01:00)",
    )


@given(st.text(max_size=200))
def test_any_text_is_parsed_for_dates(question: str) -> None:
    found = read(question)
    assert found.notes or found.text == question


WORDS = (
    "in", "since", "before", "between", "and", "from", "to", "on", "last", "this", "the", "3", "5",
    "2025", "2024-02-31", "march", "may", "q3", "week", "days", "year", "ago", "monday", "of", ",",
    "-", "yesterday", "'", "с", "по", "до", "в", "марте", "года", "назад", "999", "mar",
    "h1", "2025-h2", "first", "half", "quarter", "hours", "minutes",
    "or", "early", "end", "5pm", "at", "morning", "not", "about", "2025-w14",
)  # fmt: skip


@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))
def test_any_combination_of_date_words_is_parsed(question: str) -> None:
    found = read(question)
    is_unread = found.since is None and found.until is None
    assert is_unread == (found.text == question)
    assert found.notes or is_unread
    assert found.since is None or found.until is None or found.since <= found.until


@pytest.mark.parametrize("piece", ["a", "last ", "in 5 March ", '"', "a:", "between March and "])
def test_a_long_question_is_read_in_one_pass(piece: str) -> None:
    long = (piece * 10_000)[:10_000]
    assert read(long).text is not None


# In a store


def test_dates_of_a_question_become_filters_on_request_only(
    memory: Memory, capsys: pytest.CaptureFixture[str]
) -> None:
    now = datetime.now(UTC)
    memory.remember(
        [
            {"name": "New", "text": "Redis cache", "created_at": (now - timedelta(days=1))},
            {"name": "Old", "text": "Redis cache", "created_at": (now - timedelta(days=30))},
        ]
    )
    question = "redis in the last 7 days"
    plain = memory.search(question, mode="keyword")
    assert {hit.name for hit in plain.hits} == {"New", "Old"}
    recent = memory.search(question, mode="keyword", dates=True)
    assert [hit.name for hit in recent.hits] == ["New"]
    assert recent.query == "redis"
    (note,) = recent.notes
    assert note.startswith("`in the last 7 days` was read as created from ")
    both = memory.search(question, mode="keyword", dates=True, until=now - timedelta(days=20))
    assert both.hits == ()
    first = memory.search("redis since 2020", mode="keyword", dates=True, limit=1)
    second = memory.search(
        "redis since 2020", mode="keyword", dates=True, limit=1, cursor=first.cursor
    )
    assert {hit.name for hit in (*first.hits, *second.hits)} == {"New", "Old"}
    assert ONLY_DATES in memory.search("yesterday", dates=True).notes
    context = memory.context(question, mode="keyword", dates=True)
    assert ("New" in context.text, "Old" in context.text) == (True, False)
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("environment")
def test_the_terminal_reads_dates_with_an_option(
    project: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("GRAPHMEM_PROJECT", project)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["remember", "Redis cache", "--text", "Sessions are kept in Redis."]) == 0
    search = ["search", "redis since yesterday", "--dates", "--mode", "keyword"]
    assert cli.main(search) == 0
    assert "Note: `since yesterday` was read as created from" in capsys.readouterr().out
    assert cli.main(["search", "redis before 2020", "--dates", "--mode", "keyword"]) == 1
    assert cli.main(["context", "redis since yesterday", "--dates", "--mode", "keyword"]) == 0
    assert "`since yesterday` was read as" in capsys.readouterr().err
    # What was created today passes the filters, but there is no word to search for.
    assert cli.main(["search", "today", "--dates"]) == 1
    nothing = capsys.readouterr().out
    assert f"No hits in {project}.\n" in nothing
    assert "pass the filters" not in nothing
    assert "`recent` with `since` and `until` lists what was created then" in " ".join(
        nothing.split()
    )
    assert cli.main(["context", "today", "--dates"]) == 1
    assert f"No hits in {project}.\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    "quoted", ['"March 2025"', "“March 2025”", "«in March 2025»", "「March 2025」"]
)
def test_a_date_in_quotation_marks_of_any_keyboard_stays_a_word(quoted: str) -> None:
    _, filters, notes = dated(f"notes since {quoted}", Filters(("p",)))
    assert filters == Filters(("p",))
    assert notes == ()
