"""Rows of a search become its answer, also where somebody deletes what they tell of."""

import base64
import json
from dataclasses import replace
from typing import Any

import pytest

from graphmem.errors import InvalidInput
from graphmem.model.filters import Filters
from graphmem.search import Plan, SearchRequest
from graphmem.search import cursor as cursors
from graphmem.search.plan import After
from graphmem.search.response import response

MOMENT = "2026-11-23T10:00:00Z"
PERIOD = {"valid_from": None, "valid_until": None}
GONE = {"text": None, "created_at": None, "source": None, **PERIOD}


def row(name: str | None, **changes: object) -> dict[str, Any]:
    """A row that words led to, as the statement gives it; without a name, of what is gone."""
    entity = {
        "key": f"p#{name}", "name": name, "title": None, "kind": name and "Thing",
        "project": name and "p", "status": name and "active", "tags": None,
        "created_at": name and MOMENT, "updated_at": name and MOMENT, **PERIOD,
        "lines": [None, None],
    }  # fmt: skip
    return {
        "entity": entity, "score": 0.5, "direct": 0.5, "link": 0.0, "via": [], "shares": [],
        "legs": [{"leg": "text", "rank": 1, "raw": 9.0, "evidence": 0.5, "excerpt": ""}],
        "passages": [{"text": "A pier.", "created_at": MOMENT, "source": None, **PERIOD}],
        "total": 2, "remaining": 2, "moved": False, "skipped_relations": 0, "truncated_legs": [],
        "starved_legs": [], "refilled_legs": [], "sort_value": -0.5, "sort_name": "",
        "ceiling": 0.0, "embedding_set": 0, **changes,
    }  # fmt: skip


def link(seed: str | None) -> dict[str, Any]:
    return {
        "seed": seed, "seed_key": f"p#{seed}", "relation": "USES", "outgoing": True, "weight": 1.0,
        "properties": [], "evidence": 0.3, "seed_direct": 0.5, "seed_relations": 1,
        "neighbour_relations": 1,
    }  # fmt: skip


def test_what_is_deleted_while_a_search_reads_it_is_left_out() -> None:
    request = SearchRequest.parsed("pier", Filters(projects=("p",)), Plan())
    whole = row("Quay")
    rows = [
        {**whole, "passages": [GONE, *whole["passages"]]},
        row(None),
        row("Crane", legs=[], passages=[GONE], via=[link(None), link("Quay")]),
    ]

    answer = response(request, rows, degraded=None, took_ms={})

    assert [(hit.name, [passage.text for passage in hit.passages]) for hit in answer.hits] == [
        ("Quay", ["A pier."]),
        ("Crane", []),
    ]
    assert [via.seed for via in answer.hits[1].via] == ["Quay"]


def test_a_score_is_explained_without_the_link_from_what_is_deleted() -> None:
    plan = replace(Plan(), explain=True)
    request = SearchRequest.parsed("pier", Filters(projects=("p",)), plan)
    linked: dict[str, Any] = {"legs": [], "passages": []}
    rows = [row("Quay", **linked, via=[link(None)]), row("Crane", **linked, via=[link("Quay")])]

    first, second = response(request, rows, degraded=None, took_ms={}).hits

    assert first.explanation is not None
    assert first.explanation.link is None
    assert second.explanation is not None
    assert second.explanation.link is not None
    assert second.explanation.link.via == second.via[0]


@pytest.mark.parametrize(
    ("skipped", "note"),
    [
        (1, "1 relation of a highly connected entity was not followed"),
        (1200, "1,200 relations of highly connected entities were not followed"),
    ],
)
def test_relations_that_were_not_followed_are_counted(skipped: int, note: str) -> None:
    request = SearchRequest.parsed("pier", Filters(projects=("p",)), Plan())
    rows = [row("Quay", skipped_relations=skipped)]

    assert response(request, rows, degraded=None, took_ms={}).notes == (note,)


@pytest.mark.parametrize(
    ("field", "meant"),
    [("nmae", "name"), ("tags", "tag"), ("Kinds", "kind"), ("aliases", "alias")],
)
def test_a_field_whose_name_is_nearly_right_is_offered_where_nothing_is_found(
    field: str, meant: str
) -> None:
    request = SearchRequest.parsed(f"{field}:pier", Filters(projects=("p",)), Plan())
    (note,) = response(request, [row(None, total=0)], degraded=None, took_ms={}).notes
    assert note.startswith(f"`{field}:` searches an attribute; quote it")
    assert note.endswith(f", or write `{meant}:` if that field is meant")


@pytest.mark.parametrize("field", ["localhost", "owner", "note", "std"])
def test_a_field_unlike_any_other_is_offered_none(field: str) -> None:
    request = SearchRequest.parsed(f"{field}:pier", Filters(projects=("p",)), Plan())
    (note,) = response(request, [row(None, total=0)], degraded=None, took_ms={}).notes
    assert note == f"`{field}:` searches an attribute; quote it to search for the literal text"


@pytest.mark.parametrize(("remaining", "goes_on"), [(2, False), (3, True)])
@pytest.mark.parametrize("names", [("Quay", None), (None, "Quay"), (None, None)])
def test_a_page_goes_on_after_deleted_hits_and_ends_after_the_last_one(
    names: tuple[str | None, ...], remaining: int, *, goes_on: bool
) -> None:
    request = SearchRequest.parsed("pier", Filters(projects=("p",)), replace(Plan(), limit=2))
    rows = [row(name, total=4, remaining=remaining) for name in names]

    cursor = response(request, rows, degraded=None, took_ms={}).cursor

    assert (cursor is not None) == goes_on
    if cursor is not None:
        after = cursors.decode(cursor, request.text, request.filters, request.plan)
        assert (after.key, after.seen) == (f"p#{names[-1]}", 3)


@pytest.mark.parametrize(
    "changes",
    [{"limit": 3}, {"passages": 0}, {"explain": True}, {"highlight": True}],
)
def test_the_next_page_may_show_more_or_less_of_each_hit(changes: dict[str, int]) -> None:
    position = After(-0.5, "", "p#quay", 3)
    filters = Filters(projects=("p",))
    cursor = cursors.encode("pier", filters, Plan(), position)
    next_plan = replace(Plan(), **changes)  # type: ignore[arg-type]
    assert cursors.decode(cursor, "pier", filters, next_plan) == position


@pytest.mark.parametrize("key", ["p#the old quay", "@user#the old quay", "причал"])
def test_cursors_are_short_and_lead_to_where_the_page_ended(key: str) -> None:
    filters, plan = Filters(projects=("p",)), Plan()
    reranked, changed = cursors.RerankPosition(10, key), cursors.ChangePosition(-(2**60), key)
    written = (
        cursors.encode_rerank("pier", filters, plan, reranked),
        cursors.encode_change(filters, plan, changed),
    )
    assert cursors.decode_rerank(written[0], "pier", filters, plan) == reranked
    assert cursors.decode_change(written[1], filters, plan) == changed
    assert cursors.decode_rerank(written[1], "pier", filters, plan) is None
    with pytest.raises(InvalidInput, match="cursor"):
        cursors.decode_change(written[0], filters, plan)
    with pytest.raises(InvalidInput, match="cursor"):
        cursors.decode(written[1], "pier", filters, plan)
    assert max(map(len, written)) <= 50


@pytest.mark.parametrize("seen", [2**63, -(2**63)])
def test_a_cursor_that_the_driver_cannot_send_is_refused(seen: int) -> None:
    search = ("pier", Filters(projects=("p",)), Plan())
    cursor = cursors.encode(*search, After(-0.5, "", "p#quay", seen))
    with pytest.raises(InvalidInput, match="cursor must be"):
        cursors.decode(cursor, *search)


def test_what_is_no_text_is_no_cursor() -> None:
    with pytest.raises(InvalidInput, match="cursor must be"):
        cursors.decode(5, "pier", Filters(projects=("p",)), Plan())  # type: ignore[arg-type] # the point


@pytest.mark.parametrize(
    "position",
    [[float("inf"), "name", "key", float("inf")], [10**400, "name", "key", 1]],
)
def test_a_cursor_of_numbers_without_end_is_refused(position: list[object]) -> None:
    fields = json.dumps(["search", *position]).encode()
    cursor = base64.urlsafe_b64encode(fields).decode()

    with pytest.raises(InvalidInput, match="cursor must be"):
        SearchRequest.parsed("pier", Filters(projects=("p",)), Plan(), cursor=cursor)
