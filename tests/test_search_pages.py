"""Pages of an answer, the orders they have, and the cursors that lead from one to the next."""

import base64
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.memory import Memory
from graphmem.model.filters import Filters
from graphmem.search import cursor as cursors
from graphmem.search.plan import After, Plan, SecondPass
from keyword_searches import find


@pytest.fixture
def fleet(memory: Memory) -> Memory:
    memory.remember(
        [
            {
                "name": f"Boat {i:02}",
                "text": "mooring " * (i % 5 + 1),
                "created_at": f"2026-01-{i + 1:02}",
            }
            for i in range(25)
        ]
    )
    return memory


@pytest.mark.parametrize("sort", ["score", "date", "name"])
def test_pages_together_give_the_complete_order(fleet: Memory, sort: str) -> None:
    whole = [hit.name for hit in find(fleet, "mooring", limit=25, sort=sort).hits]
    paged: list[str] = []
    cursor: str | None = None
    for _ in range(10):
        page = find(fleet, "mooring", limit=7, sort=sort, cursor=cursor)
        paged += [hit.name for hit in page.hits]
        assert page.total == 25
        cursor = page.cursor
        if cursor is None:
            break
    assert paged == whole
    assert len(set(whole)) == 25


def test_results_are_ordered_by_name_or_date(fleet: Memory) -> None:
    names = [hit.name for hit in find(fleet, "mooring", limit=25, sort="name").hits]
    assert names == sorted(names)
    soon_after = "2026-01-25T00:00:00.000001Z"
    fleet.remember([{"name": "Boat 25", "text": "mooring", "created_at": soon_after}])
    dates = [hit.created_at for hit in find(fleet, "mooring", limit=26, sort="date").hits]
    assert dates == sorted(dates, reverse=True)  # type: ignore[type-var]


def test_a_page_says_so_if_the_hit_at_its_cursor_has_moved(fleet: Memory) -> None:
    page = find(fleet, "mooring", limit=5)
    fleet.remember([{"name": page.hits[-1].name, "text": "mooring " * 40}])
    assert any(
        "changed" in note for note in find(fleet, "mooring", limit=5, cursor=page.cursor).notes
    )


def test_a_page_goes_on_where_the_last_one_ended_while_others_write(fleet: Memory) -> None:
    first = find(fleet, "mooring", limit=5)
    fleet.remember([{"name": f"Raft {i}", "text": "mooring of no great use"} for i in range(9)])
    whole = [hit.name for hit in find(fleet, "mooring", limit=50).hits]
    second = find(fleet, "mooring", limit=5, cursor=first.cursor)
    place = whole.index(first.hits[-1].name)
    assert [hit.name for hit in second.hits] == whole[place + 1 : place + 6]


def test_a_page_after_everything_was_forgotten_says_what_there_is(fleet: Memory) -> None:
    first = find(fleet, "mooring", limit=20)
    fleet.forget([f"Boat {i:02}" for i in range(5, 25)])
    second = find(fleet, "mooring", limit=20, cursor=first.cursor)
    assert second.total == 5
    assert any("changed" in note for note in second.notes)
    fleet.forget([f"Boat {i:02}" for i in range(5)])
    third = find(fleet, "mooring", limit=20, cursor=first.cursor)
    assert (third.hits, third.total, third.cursor) == ((), 0, None)
    assert any("changed" in note for note in third.notes)


@pytest.mark.parametrize(
    "cursor", ["", "nonsense", "W10", "\ud800", "x" * 5_000, "W1tb" * 2_000, "WyIiLCB7fSwgMSwgMl0"]
)
def test_an_invalid_cursor_is_an_error(fleet: Memory, cursor: str) -> None:
    with pytest.raises(InvalidInput, match="cursor"):
        find(fleet, "mooring", cursor=cursor)


def test_a_cursor_is_short_and_has_no_name_of_the_project(fleet: Memory) -> None:
    first = find(fleet, "mooring", limit=5)
    assert first.cursor is not None
    assert len(first.cursor) < 50
    assert first.project not in str(base64.urlsafe_b64decode(f"{first.cursor}=="))


@pytest.mark.parametrize("ends", [("p", "p#boat"), ("p", "@user#boat"), ("p", "#boat")])
@given(
    value=st.floats(allow_nan=False),
    name=st.text(),
    seen=st.integers(0, 2**62),
    rest=st.text(),
    second_pass=st.none() | st.builds(SecondPass, st.integers(0, 2**31 - 1), st.integers(1, 200)),
)
def test_a_cursor_encodes_exactly_where_a_page_ended(
    ends: tuple[str, str],
    *,
    value: float,
    name: str,
    seen: int,
    rest: str,
    second_pass: SecondPass | None,
) -> None:
    filters = Filters(projects=ends[:1])
    place = After(value, name, ends[1] + rest, seen, second_pass)
    word = cursors.encode("q", filters, Plan(), place)
    assert re.fullmatch(r"[\w-]+", word)
    assert cursors.decode(word, "q", filters, Plan()) == place


@pytest.mark.parametrize("begins", [SecondPass(-1, 9), SecondPass(2**31, 9), SecondPass(9, 999)])
def test_a_cursor_of_a_second_pass_that_no_search_gives_is_an_error(begins: SecondPass) -> None:
    filters = Filters(projects=("p",))
    word = cursors.encode("q", filters, Plan(), After(1.0, "", "p#boat", 9, begins))
    with pytest.raises(InvalidInput, match="cursor"):
        cursors.decode(word, "q", filters, Plan())


@pytest.mark.parametrize("content", [b"\x02", b"\x03" + b"x" * 17, b"\x02" + b"\xff" * 40])
def test_a_cursor_with_invalid_bytes_is_an_error(content: bytes) -> None:
    word = base64.urlsafe_b64encode(content).decode()
    with pytest.raises(InvalidInput, match="cursor"):
        cursors.decode(word, "q", Filters(projects=("p",)), Plan())


def test_a_cursor_of_another_search_is_an_error(fleet: Memory) -> None:
    cursor = find(fleet, "mooring", limit=5).cursor
    with pytest.raises(InvalidInput, match="cursor"):
        find(fleet, "berth", limit=5, cursor=cursor)


def test_a_total_above_the_candidate_limit_is_a_lower_bound(memory: Memory) -> None:
    memory.remember([{"name": f"Boat {i}", "text": "mooring line"} for i in range(130)])
    answer = find(memory, "mooring")
    assert not answer.total_exact
    assert answer.total == 100
    exact = find(memory, "mooring AND line")
    assert (exact.total, exact.total_exact) == (130, True)
