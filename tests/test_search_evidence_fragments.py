"""Each fragment that makes evidence of names and legs does what its header says, by itself."""

from datetime import UTC, date, datetime
from typing import Any

import pytest

from graphmem import lucene
from search_fragments import SCOPE, WEIGHTS, Part, harbour_part

part = harbour_part


def test_a_name_within_a_longer_matching_name_does_not_count(part: Part) -> None:
    grams = ["red", "rope", "red rope"]
    names = [lucene.handles(grams, required=SCOPE, forbidden=[])]
    fields = {"name_queries": names, "grams": grams, "pool": 10, "weights": WEIGHTS, "terms": 2}
    rows = part("name_leg", fields)

    assert [(row["entity"]["name"], row["name"]) for row in rows] == [("Red Rope", "red rope")]
    assert rows[0]["pieces"] == 2


@pytest.mark.parametrize(
    ("inner_names", "evidence"),
    [
        ({}, {"Buoy Ann": 0.8, "Buoy Bea": 0.8 * 0.5**0.5 / 2, "Buoy Cy": 0.4}),
        ({"bell": 1.5, "nor": 0.5}, {"Buoy Ann": 0.8, "Buoy Bea": 0.8 * 0.5**0.5 * 0.75}),
    ],
)
def test_of_its_names_the_one_that_fewest_bear_counts_and_of_these_the_longest(
    part: Part, inner_names: dict[str, float], evidence: dict[str, float]
) -> None:
    """`nor` is in `north mark`, but only as a part of a word."""
    grams = ["bell", "fog", "nor", "north mark"]
    fields: dict[str, Any] = {
        "name_queries": [lucene.handles(grams, required=SCOPE, forbidden=[])], "grams": grams,
        "pool": 10, "weights": WEIGHTS, "terms": 8, "inner_names": inner_names,
    }  # fmt: skip
    rows = part("name_leg", fields)

    assert {row["entity"]["name"]: row["evidence"] for row in rows} == pytest.approx(evidence)
    assert next(row["name"] for row in rows if row["entity"]["name"] == "Buoy Ann") == "north mark"
    assert part("name_leg", {**fields, "weights": {**WEIGHTS, "name": 0.0}}) == []


@pytest.mark.parametrize(
    ("spellings", "bearers"),
    [([], (3, 3, 3)), (["rip"], (3, 3, 3)), (["Rip"], (1, 3, 3)), (["riP", "Rip"], (2, 3, 2))],
)
def test_those_written_as_in_the_query_share_a_name_among_themselves(
    part: Part, spellings: list[str], bearers: tuple[int, ...]
) -> None:
    names = [lucene.handles(["rip"], required=SCOPE, forbidden=[])]
    rows = part(
        "name_leg",
        {"name_queries": names, "grams": ["rip"], "spellings": spellings, "pool": 10,
         "weights": WEIGHTS, "terms": 1},
    )  # fmt: skip

    evidence = {row["entity"]["aliases"][0]: row["evidence"] for row in rows}
    expected = [0.8 / number**0.5 for number in bearers]
    assert evidence == pytest.approx(dict(zip(["Rip", "rIp", "riP"], expected, strict=True)))


@pytest.mark.parametrize(("terms", "evidence"), [(1, 0.8), (4, 0.8), (8, 0.4), (16, 0.2)])
def test_a_name_is_less_evidence_the_longer_the_query(
    part: Part, terms: int, evidence: float
) -> None:
    names = [lucene.handles(["quay"], required=SCOPE, forbidden=[])]
    fields = {"name_queries": names, "grams": ["quay"], "pool": 10, "weights": WEIGHTS}
    (row,) = part("name_leg", {**fields, "terms": terms})

    assert row["evidence"] == pytest.approx(evidence)


@pytest.mark.parametrize(("pool", "others"), [(2, ["Second"]), (3, [])])
def test_names_of_a_leg_that_gave_all_it_may_count_for_all_candidates_that_bear_them(
    part: Part, pool: int, others: list[str]
) -> None:
    june = datetime(2026, 6, 1, tzinfo=UTC)
    named = {"names": ["red rope"], "until": None, "leg": "text"}
    rows = part(
        "common_names", {"pool": pool, "at": {"day": june.date(), "first": june, "last": june}},
        before="""
        UNWIND $candidates AS one
        WITH {name: one.name, graphmem_names: one.names, valid_until: one.until} AS entity, one
        WITH collect({entity: entity, key: one.name, leg: one.leg, raw: 0.5, evidence: 0.4,
          pieces: 2, name: 'red rope'}) AS gathered
        """,
        after="UNWIND commonly_named AS one "
        "RETURN one.entity.name AS name, one.evidence AS evidence",
        candidates=[
            {**named, "name": "First", "leg": "name"},
            {**named, "name": "Second"},
            {**named, "name": "Of another name", "names": ["rope"]},
            {**named, "name": "Of before", "until": date(2026, 5, 1)},
        ],
    )  # fmt: skip

    assert rows == [{"name": name, "evidence": 0.4} for name in others]


def test_of_several_common_names_the_best_one_counts(part: Part) -> None:
    named = [("First", "name", "boat", 0.2), ("Second", "name", "tug", 0.4)]
    rows = part(
        "common_names", {"pool": 1},
        before="UNWIND $rows AS one WITH {name: one[0], graphmem_names: ['boat', 'tug']} AS entity,"
        " one WITH collect({entity: entity, key: one[0], leg: one[1], raw: 0.5, "
        "evidence: one[3], pieces: 1, name: one[2]}) AS gathered",
        after="UNWIND commonly_named AS one RETURN one.key AS key, one.evidence AS evidence",
        rows=[*named, ("Third", "text", None, 0.1)],
    )  # fmt: skip

    assert rows == [{"key": "Third", "evidence": 0.4}]


def test_a_common_name_counts_for_others_as_for_those_that_write_it_otherwise(part: Part) -> None:
    rows = part(
        "common_names", {"pool": 1},
        before="UNWIND $rows AS one WITH {name: one[0], graphmem_names: ['boat']} AS entity, one "
        "WITH collect({entity: entity, key: one[0], leg: one[1], raw: one[2], evidence: one[2], "
        "pieces: 1, name: 'boat'}) AS gathered",
        after="UNWIND commonly_named AS one RETURN one.raw AS raw, one.evidence AS evidence",
        rows=[("Boat", "name", 1.0), ("boat", "name", 0.1), ("BOAT", "text", 0.3)],
    )  # fmt: skip

    assert rows == [{"raw": 0.1, "evidence": 0.1}]


def test_an_entity_of_several_passages_counts_by_its_best_part_once(part: Part) -> None:
    (row,) = part(
        "best_of_leg", {},
        before="UNWIND $rows AS one WITH {key: 'a'} AS entity, 'text' AS leg, one[0] AS raw, "
        "one[1] AS evidence, one[2] AS passages, one[3] AS pieces, null AS name",
        rows=[(1.0, 0.5, ["passage"], 2), (2.0, 0.7, [], 1), (None, None, [], 4)],
    )  # fmt: skip

    (candidate,) = row["gathered"]
    best = {"key": "a", "raw": 2.0, "evidence": 0.7, "passages": ["passage"], "pieces": 7}
    assert candidate.items() >= best.items()


def gathered(*legs: tuple[str, str, float | None]) -> list[dict[str, Any]]:
    return [
        {"entity": key, "key": key, "leg": leg, "raw": evidence, "evidence": evidence,
         "passages": [], "pieces": 1, "name": None}
        for leg, key, evidence in legs
    ]  # fmt: skip


THREE = gathered(("text", "a", 0.5), ("text", "b", 0.6), ("vector", "a", 0.2))


@pytest.mark.parametrize(
    ("pool", "vector_pool", "truncated"),
    [
        (3, 3, []),
        (2, 2, ["text"]),
        (3, 1, ["vector"]),
        (1, 1, ["text", "vector"]),
        (1, 9, ["text", "vector"]),
    ],
)
def test_a_leg_that_gave_as_much_as_it_may_is_truncated(
    part: Part, pool: int, vector_pool: int, truncated: list[str]
) -> None:
    (row,) = part(
        "truncated_legs", {"pool": pool, "vector_pool": vector_pool},
        before="WITH $gathered AS gathered", after="RETURN truncated_legs", gathered=THREE,
    )  # fmt: skip

    assert row["truncated_legs"] == truncated


def test_the_candidates_of_a_leg_are_ordered_and_a_short_one_is_starved(part: Part) -> None:
    (row,) = part(
        "rank_legs", {"limit": 2},
        before="WITH $gathered AS gathered, $common AS commonly_named, "
        "['text', 'vector'] AS truncated_legs",
        after="RETURN by_leg, starved_legs", common=gathered(("name", "c", 0.3)),
        gathered=[*THREE, *gathered(("text", "0", 0.5), ("text", "of another time", None))],
    )  # fmt: skip
    ranked = {leg["leg"]: [one["key"] for one in leg["ranked"]] for leg in row["by_leg"]}

    assert ranked == {"text": ["b", "0", "a"], "vector": ["a"], "name": ["c"]}
    assert row["starved_legs"] == ["vector"]


@pytest.mark.parametrize(
    ("strict", "rrf", "directs"),
    [
        (False, None, {"a": 1 - 0.5 * 0.8, "b": 0.6, "c": 0.1}),
        (True, None, {"a": 1 - 0.5 * 0.8, "b": 0.6}),
        (False, 60.0, {"a": 1 / 62 + 1 / 61, "b": 1 / 61, "c": 1 / 62}),
    ],
)
def test_the_evidence_of_the_legs_is_combined(
    part: Part, *, strict: bool, rrf: float | None, directs: dict[str, float]
) -> None:
    text_leg = gathered(("text", "b", 0.6), ("text", "a", 0.5))
    vector_leg = gathered(("vector", "a", 0.2), ("vector", "c", 0.1))
    by_leg = [{"leg": "text", "ranked": text_leg}, {"leg": "vector", "ranked": vector_leg}]
    (row,) = part(
        "fuse", {"strict": strict, "rrf": rrf}, before="WITH $by_leg AS by_leg",
        after="RETURN candidates", by_leg=by_leg,
    )  # fmt: skip
    scores = {candidate["key"]: candidate["direct"] for candidate in row["candidates"]}

    assert scores == pytest.approx(directs)
    assert list(scores.values()) == sorted(scores.values(), reverse=True)
