"""Each fragment that asks an index or compares passages does what its header says, by itself."""

from typing import Any

import pytest

from fakes import vector
from graphmem import text
from search_fragments import (
    HARBOUR_IN_SCOPE,
    IN_SCOPE,
    NO_FILTERS,
    PROJECT,
    SCOPE,
    TAG,
    VECTOR,
    WEIGHTS,
    Part,
    harbour_part,
)

part = harbour_part


NEAREST: dict[str, Any] = {
    "vector": VECTOR, "projects": [PROJECT], "live": [True], "pool": 10, "vector_pool": 10,
    "vector_scoped": True, "passage_required": SCOPE, "forbidden": [],
}  # fmt: skip
HARBOUR = [{"index": "graphmem_passage_exact", "query": "text:harbour"}]
ENTITY_IN_SCOPE = IN_SCOPE.replace("+filters:", "+graphmem_filters:")
EXACT: dict[str, Any] = {
    **NO_FILTERS, "vector": VECTOR, "pool": 10, "exact_queries": [], "exact_entity_queries": [],
    "scanned_projects": [], "compared_entities": [],
}  # fmt: skip
SHIP = text.token("kind", "ship")
MACHINES = {
    "vector_ranges": [{"kind_from": "machine", "kind_to": "machine", "status_from": "active",
                       "status_to": "active"}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("leg", "more", "best"),
    [
        ("vector_leg", {}, "harbour pier"),
        ("vector_leg", {"passage_required": [*SCOPE, [SHIP]]}, "harbour berth"),
        ("vector_leg", {"forbidden": [text.token("kind", "place"), text.token("kind", "machine")]},
         "harbour berth"),
        ("vector_range_leg", MACHINES, "harbour engine"),
        ("text_leg", {"texts": HARBOUR_IN_SCOPE}, None),
        ("strict_text_leg", {"texts": HARBOUR_IN_SCOPE, "passage_pool": 9}, None),
    ],
)  # fmt: skip
def test_a_leg_gives_passages(part: Part, leg: str, more: dict[str, Any], best: str | None) -> None:
    rows = part(leg, {**NEAREST, **more}, before="WITH ['text', 'vector'] AS filtered_legs")
    texts = [row["passage"]["text"] for row in rows]

    assert "harbour" in texts[0]
    if best is not None:
        assert texts[0] == best
    assert all(row["leg"] in leg or row["leg"] == "vector" for row in rows)
    assert "harbour ground" not in texts


def test_a_leg_that_is_not_to_be_asked_gives_nothing(part: Part) -> None:
    none = "WITH [] AS filtered_legs"
    both = "WITH ['text', 'vector'] AS filtered_legs"

    assert part("vector_leg", NEAREST, before=none) == []
    assert part("vector_leg", {**NEAREST, "vector_scoped": False}, before=both) == []
    assert part("text_leg", {**NEAREST, "texts": HARBOUR}, before=none) == []


def test_a_range_of_kinds_is_filtered_by_words_too(part: Part) -> None:
    fields = {**NEAREST, **MACHINES, "passage_required": [*SCOPE, [SHIP]]}

    assert part("vector_range_leg", fields) == []


def test_a_leg_gives_no_more_than_its_pool_and_compares_no_more_than_it_may(part: Part) -> None:
    fields = {**NEAREST, "texts": HARBOUR_IN_SCOPE, "pool": 1}
    assert len(part("text_leg", fields, before="WITH ['text'] AS filtered_legs")) == 1

    rows = part("strict_text_leg", {**fields, "pool": 10, "passage_pool": 1})
    assert sorted(row["leg"] for row in rows) == ["text", "text", "text", "vector"]


def test_an_index_and_a_comparison_one_by_one_give_the_same_cosines(part: Part) -> None:
    def cosines(rows: list[dict[str, Any]]) -> dict[str, float]:
        return {
            row["passage"]["text"]: row["raw"] for row in rows if row.get("leg") != "text"
            if row["passage"]["text"].startswith("harbour")
        }  # fmt: skip

    (row,) = part("exact_candidates", {**EXACT, "scanned_projects": [PROJECT], "exact_limit": 99},
                  after="RETURN nearest")  # fmt: skip
    expected = cosines(row["nearest"])
    assert len(expected) == 3
    assert max(expected.values()) < 1

    (row,) = part("unfiltered_legs", {
        **UNFILTERED, "unfiltered_legs": ["vector"], "unfiltered_texts": [], "pool": 100,
        "unfiltered_vector_pool": 1000, "unfiltered_text_pool": 1000,
    }, after="RETURN unfiltered")  # fmt: skip
    unfiltered = row["unfiltered"][0]["candidates"]
    scope = {"scope_vectors": [VECTOR], "scope_texts": [], "projects": [PROJECT], "scope_pool": 10}
    asked = "WITH ['vector'] AS filtered_legs"
    assert cosines(unfiltered) == pytest.approx(expected, abs=1e-3)
    assert cosines(part("scope_passages", scope)) == pytest.approx(expected, abs=1e-3)
    assert cosines(part("vector_leg", NEAREST, before=asked)) == pytest.approx(expected, abs=1e-3)
    engine = {"harbour engine": expected["harbour engine"]}
    machines = part("vector_range_leg", {**NEAREST, **MACHINES})
    assert cosines(machines) == pytest.approx(engine, abs=1e-3)


UNFILTERED: dict[str, Any] = {
    "vector": VECTOR, "projects": [PROJECT], "live": [True], "unfiltered_texts": HARBOUR,
}  # fmt: skip


@pytest.mark.parametrize(
    ("legs", "pool", "refilled", "filtered"),
    [
        (["text", "vector"], 100, [], []),
        (["text"], 100, [], ["vector"]),
        ([], 100, [], ["text", "vector"]),
        (["text", "vector"], 5, ["text"], ["text"]),
    ],
)
def test_a_leg_asked_without_filters_and_left_with_too_little_is_asked_with_them(
    part: Part, legs: list[str], pool: int, refilled: list[str], filtered: list[str]
) -> None:
    """Of four passages that hold the word one is of something forgotten."""
    fields = {
        **UNFILTERED, "unfiltered_legs": legs, "pool": pool, "unfiltered_vector_pool": 1000,
        "unfiltered_text_pool": 1_000_000 if pool > 5 else 1,
        "unfiltered_texts": HARBOUR if "text" in legs else [],
    }  # fmt: skip
    (row,) = part(
        "unfiltered_legs", fields, after="RETURN unfiltered, refilled_legs, filtered_legs"
    )

    assert (row["refilled_legs"], row["filtered_legs"]) == (refilled, filtered)
    assert {answer["leg"] for answer in row["unfiltered"]} == set(legs) - set(filtered)
    for answer in row["unfiltered"]:
        assert all(candidate["passage"]["live"] for candidate in answer["candidates"])


def test_a_leg_asked_without_filters_gives_the_best_of_the_scope_alone(part: Part) -> None:
    fields = {
        **UNFILTERED, "unfiltered_legs": ["text"], "pool": 2, "unfiltered_vector_pool": 1000,
        "unfiltered_text_pool": 1_000_000, "vector": None,
        "unfiltered_texts": [{**HARBOUR[0], "query": "text:harbour text:pier"}],
    }  # fmt: skip

    def candidates(**more: object) -> list[dict[str, Any]]:
        (row,) = part("unfiltered_legs", {**fields, **more}, after="RETURN unfiltered")
        (answer,) = row["unfiltered"]
        given: list[dict[str, Any]] = answer["candidates"]
        return given

    every_raw = [candidate["raw"] for candidate in candidates(pool=100)]
    assert every_raw == sorted(every_raw, reverse=True)
    assert every_raw[0] > every_raw[-1]
    assert [candidate["raw"] for candidate in candidates()] == every_raw[:2]
    assert candidates(projects=["example.org/another"]) == []
    assert candidates(unfiltered_legs=["text", "vector"])[0]["raw"] == every_raw[0]


QUAY = "MATCH (:Entity {name: 'Quay', project: $project})-[:HAS_PASSAGE]->(passage)"


def test_the_passages_of_legs_without_filters_are_given_with_their_legs(part: Part) -> None:
    rows = part(
        "unfiltered_passages", {},
        before=f"{QUAY} WITH [{{leg: 'text', candidates: [{{passage: passage, raw: 3.0}}]}}, "
        "{leg: 'name', candidates: []}, "
        "{leg: 'vector', candidates: [{passage: passage, raw: 0.5}]}] AS unfiltered",
        project=PROJECT,
    )  # fmt: skip

    assert [(row["passage"]["text"], row["leg"], row["raw"]) for row in rows] == [
        ("harbour pier", "text", 3.0), ("harbour pier", "vector", 0.5),
    ]  # fmt: skip


def test_the_passages_compared_one_by_one_are_those_of_the_vector_leg(part: Part) -> None:
    nearest = "WITH [{passage: passage, raw: 0.75}] AS nearest"
    rows = part("exact_passages", {}, before=f"{QUAY} {nearest}", project=PROJECT)

    assert [(row["passage"]["text"], row["leg"], row["raw"]) for row in rows] == [
        ("harbour pier", "vector", 0.75)
    ]
    assert part("exact_passages", {}, before="WITH [] AS nearest") == []


@pytest.mark.parametrize(
    ("leg", "raws", "evidence"),
    [
        ("text", [35.0], 0.95 / 2),
        ("text", [5.0, 35.0, 10.0], 0.95 / 2),
        ("text", [0.0], None),
        ("vector", [0.6], 0.25 / 2),
        ("vector", [0.9], 0.25),
        ("vector", [1.0], 0.26),
        ("vector", [0.3], None),
        ("vector", [-1.0], None),
    ],
)
def test_what_a_leg_gives_becomes_evidence_of_the_entity(
    part: Part, leg: str, raws: list[float], evidence: float | None
) -> None:
    """A passage that several indexes give counts once, with the best of its scores."""
    rows = part(
        "entities_of_passages", {"weights": WEIGHTS, "passages": 2},
        before=f"{QUAY} UNWIND $raws AS raw WITH passage, $leg AS leg, raw",
        project=PROJECT, leg=leg, raws=raws,
    )  # fmt: skip

    if evidence is None:
        assert rows == []
        return
    (row,) = rows
    assert (row["entity"]["name"], row["leg"], row["raw"]) == ("Quay", leg, max(raws))
    assert row["evidence"] == pytest.approx(evidence)
    assert row["pieces"] == 1


def test_the_passages_of_an_entity_are_counted_and_the_best_ones_kept(part: Part) -> None:
    (row,) = part(
        "entities_of_passages", {"weights": WEIGHTS, "passages": 1},
        before="MATCH (:Entity {name: 'Red Rope', project: $project})-[:HAS_PASSAGE]->(passage) "
        "WITH passage, 'text' AS leg, CASE passage.text WHEN 'hemp store' THEN 9.0 ELSE 4.0 END "
        "AS raw",
        project=PROJECT,
    )  # fmt: skip

    assert (row["pieces"], row["raw"]) == (3, 9.0)
    assert [passage["passage"]["text"] for passage in row["passages"]] == ["hemp store", "hemp too"]


ROPES = [f"+graphmem_text:spare +graphmem_text:store {ENTITY_IN_SCOPE}"]


def test_words_of_several_passages_are_found_in_the_entity(part: Part) -> None:
    fields = {"entity_queries": ROPES, "pool": 10, "weights": WEIGHTS}
    (row,) = part("entity_text_leg", fields)

    assert (row["entity"]["name"], row["leg"], row["passages"]) == ("Red Rope", "text", [])
    assert row["evidence"] == pytest.approx(0.95 * row["raw"] / (row["raw"] + 35))
    assert part("entity_text_leg", {**fields, "entity_queries": []}) == []
    assert (
        part(
            "entity_text_leg",
            {**fields, "entity_queries": [f"+graphmem_text:none {ENTITY_IN_SCOPE}"]},
        )
        == []
    )


@pytest.mark.parametrize(
    ("depth", "texts"), [(9, ["hemp spare", "hemp store", "hemp too"]), (1, ["hemp too"])]
)
def test_the_first_passages_of_an_entity_of_several_are_compared(
    part: Part, depth: int, texts: list[str]
) -> None:
    fields = {
        "entity_queries": ROPES, "passage_pool": depth, "vector": vector("hemp spare", 384)
    }  # fmt: skip
    rows = part("entity_vector_leg", fields)
    best = max(rows, key=lambda row: float(row["raw"]))

    assert sorted(row["passage"]["text"] for row in rows) == texts
    assert {row["leg"] for row in rows} == {"vector"}
    if depth > 1:
        assert best["passage"]["text"] == "hemp spare"
    assert part("entity_vector_leg", {**fields, "vector": None}) == []


def test_candidates_that_do_not_pass_the_filters_are_left_out(part: Part) -> None:
    def eligible(**fields: object) -> list[str]:
        (row,) = part(
            "filter", {**NO_FILTERS, **fields},
            before="UNWIND $names AS name MATCH (entity:Entity {name: name, project: $project}) "
            "WITH collect({entity: entity}) AS gathered",
            after="RETURN [candidate IN eligible | candidate.entity.name] AS names",
            project=PROJECT, names=["Rope", "Wreck", "Quay", "Boat"],
        )  # fmt: skip
        names: list[str] = row["names"]
        return names

    assert eligible() == ["Rope", "Quay", "Boat"]
    assert eligible(required=[*SCOPE, [TAG["old"]]], forbidden=[TAG["stone"]]) == ["Boat"]
    assert eligible(required=[*SCOPE, [TAG["new"]]]) == []


def test_direct_hits_stand_beside_what_links_lead_to(part: Part) -> None:
    candidates = [
        {"entity": {"name": name}, "key": name, "direct": direct, "legs": ["leg"]}
        for name, direct in (("a", 0.5), ("b", 0.25))
    ]
    rows = part(
        "direct_hits", {}, before="WITH $candidates AS candidates", candidates=candidates
    )  # fmt: skip

    assert rows == [{**candidate, "reached": None, "skipped": 0} for candidate in candidates]


@pytest.mark.parametrize(
    "source",
    [
        {"scanned_projects": [PROJECT]},
        {"exact_queries": [f"{IN_SCOPE} +filters:{TAG['old']}"]},
        {"exact_entity_queries": [f"{ENTITY_IN_SCOPE} +graphmem_filters:{TAG['old']}"]},
    ],
)
@pytest.mark.parametrize(("limit", "compared"), [(2, 2), (1, 0)])
def test_what_passes_is_compared_one_by_one_where_it_is_not_too_much(
    part: Part, source: dict[str, Any], limit: int, compared: int
) -> None:
    fields = {
        **EXACT, **source, "required": [*SCOPE, [TAG["old"]]], "exact_limit": limit
    }  # fmt: skip
    (row,) = part("exact_candidates", fields, after="RETURN too_many, nearest")

    assert row["too_many"] == (compared == 0)
    texts = [candidate["passage"]["text"] for candidate in row["nearest"]]
    assert texts == ["harbour pier", "harbour berth"][:compared]
    (row,) = part("exact_candidates", {**fields, "pool": 1}, after="RETURN nearest")
    assert len(row["nearest"]) == min(1, compared)


def test_what_the_vector_index_lacks_is_compared_where_it_passes(part: Part) -> None:
    """Beside others that pass, of which it is one, and alone where they are too many."""
    fields = {
        **EXACT, "required": [*SCOPE, [TAG["old"]]],
        "compared_entities": [f"{PROJECT}#{name}" for name in ("boat", "crane")],
    }  # fmt: skip

    def texts(**more: object) -> list[str]:
        (row,) = part("exact_candidates", {**fields, **more}, after="RETURN nearest")
        return [candidate["passage"]["text"] for candidate in row["nearest"]]

    assert texts(exact_limit=9) == ["harbour berth"]
    assert texts(exact_limit=1, scanned_projects=[PROJECT]) == ["harbour berth"]
    assert texts(exact_limit=9, scanned_projects=[PROJECT]) == ["harbour pier", "harbour berth"]
