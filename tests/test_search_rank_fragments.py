"""Each fragment that follows links, ranks, cuts pages and returns does what its header says."""

from typing import Any

import pytest

from search_fragments import (
    HARBOUR_IN_SCOPE,
    NO_FILTERS,
    PROJECT,
    SCOPE,
    START,
    TAG,
    TICK,
    VECTOR,
    WEIGHTS,
    Part,
    harbour_part,
)

part = harbour_part


FOLLOW: dict[str, Any] = {
    **NO_FILTERS, "scan": 100, "max_relations": 10, "types": [], "exclude_types": [],
    "direction": "both", "weights": WEIGHTS, "most_counted": 50,
}  # fmt: skip


@pytest.mark.parametrize(
    ("more", "names", "skipped"),
    [
        ({}, "Boat Crane Rope", 0),
        ({"max_relations": 2}, "Boat Crane", 1),
        ({"direction": "out"}, "Boat Rope", 0),
        ({"types": ["KEEPS"]}, "Rope", 0),
        ({"required": [*SCOPE, [TAG["old"]]]}, "Boat", 0),
        ({"relations": [{"types": ["HOLDS"], "direction": "in", "present": True}]}, "Boat", 0),
        ({"scan": 1}, None, 3),
        ({"scan": 1, "required": [*SCOPE, [TAG["new"]]]}, "", 3),
    ],
)
def test_the_heaviest_relations_of_a_seed_are_followed(
    part: Part, more: dict[str, Any], names: str | None, skipped: int
) -> None:
    rows = part(
        "expand", {**FOLLOW, **more},
        before="MATCH (quay:Entity {name: 'Quay', project: $project}) "
        "WITH [{entity: quay, key: quay.key, direct: 0.8}] AS seeds",
        project=PROJECT,
    )  # fmt: skip
    reached = [row for row in rows if row["entity"] is not None]

    if names is not None:
        assert " ".join(row["entity"]["name"] for row in reached) == names
    assert sum(row["skipped"] for row in rows) == skipped
    for row in reached:
        strength = row["reached"]["link"]["strength"]
        assert row["reached"]["evidence"] == pytest.approx(0.5 * strength * 0.8**2)


@pytest.mark.parametrize("most_counted", [50, 2, 1])
def test_a_link_counts_less_the_more_of_its_kind_are_at_its_ends(
    part: Part, most_counted: int
) -> None:
    """Buoy 0 marks Boat and Crane; two more buoys mark Boat. What Quay holds is another kind."""
    rows = part(
        "expand", {**FOLLOW, "most_counted": most_counted},
        before="MATCH (buoy:Entity {name: 'Buoy 0', project: $project}) "
        "WITH [{entity: buoy, key: buoy.key, direct: 0.8}] AS seeds",
        project=PROJECT,
    )  # fmt: skip
    evidence = {row["entity"]["name"]: row["reached"]["evidence"] for row in rows}

    alone = 0.5 * 0.8**2 / min(2, most_counted) ** 0.5
    trusted = 0.5
    boats = min(3, most_counted)
    assert evidence == pytest.approx({"Crane": trusted * alone, "Boat": alone / boats})


def test_only_relations_of_the_same_direction_weaken_a_link_and_none_leads_to_itself(
    part: Part,
) -> None:
    """Crane marks Buoy 3, and Buoy 0 marks Crane; Buoy 3 touches itself."""
    for seed, direction in (("Buoy 3", "both"), ("Buoy 0", "out")):
        rows = part(
            "expand", {**FOLLOW, "direction": direction},
            before="MATCH (buoy:Entity {name: $seed, project: $project}) "
            "WITH [{entity: buoy, key: buoy.key, direct: 0.8}] AS seeds",
            seed=seed, project=PROJECT,
        )  # fmt: skip
        counts = {row["entity"]["name"]: row["reached"]["neighbour_relations"] for row in rows}
        assert counts == ({"Crane": 1} if seed == "Buoy 3" else {"Crane": 1, "Boat": 3})


def test_of_as_strong_relations_of_a_hub_the_newest_are_followed(part: Part) -> None:
    rows = part(
        "expand", {**FOLLOW, "max_relations": 1, "types": ["MARKS"]},
        before="MATCH (boat:Entity {name: 'Boat', project: $project}) "
        "WITH [{entity: boat, key: boat.key, direct: 0.8}] AS seeds",
        project=PROJECT,
    )  # fmt: skip

    assert [row["entity"]["name"] for row in rows if row["entity"]] == ["Buoy 2"]


def test_the_best_of_the_scope_lead_on_beside_the_best_that_pass(part: Part) -> None:
    (row,) = part(
        "best_of_scope", {"strict": False, "seeds": 2},
        before="UNWIND [['Quay', 'text', 0.5], ['Quay', 'text', 0.3], ['Quay', 'name', 0.5], "
        "['Boat', 'text', 0.6], ['Crane', 'text', 0.6], ['Rope', 'text', null]] AS row "
        "MATCH (entity:Entity {name: row[0], project: $project}) "
        "WITH entity, row[1] AS leg, row[2] AS evidence",
        project=PROJECT,
    )  # fmt: skip
    best = [(seed["entity"]["name"], seed["direct"]) for seed in row["of_scope"]]
    assert best == [("Quay", pytest.approx(0.75)), ("Boat", pytest.approx(0.6))]

    (row,) = part(
        "seeds", {"seeds": 2},
        before="WITH $of_scope AS of_scope, [{key: 'a', direct: 0.7, entity: 1}, "
        "{key: 'b', direct: 0.3, entity: 2}, {key: 'c', direct: 0.2, entity: 3}] AS candidates",
        after="RETURN seeds",
        of_scope=[{"key": "b", "direct": 0.4, "entity": 2}, {"key": "d", "direct": 0.5}],
    )  # fmt: skip
    assert [(seed["key"], seed["direct"]) for seed in row["seeds"]] == [
        ("a", 0.7), ("d", 0.5), ("b", 0.4),
    ]  # fmt: skip


def test_the_best_of_the_scope_match_the_operators_too(part: Part) -> None:
    (row,) = part(
        "best_of_scope", {"strict": True, "seeds": 2},
        before="UNWIND [['Quay', 'text'], ['Boat', 'vector']] AS row "
        "MATCH (entity:Entity {name: row[0], project: $project}) "
        "WITH entity, row[1] AS leg, 0.5 AS evidence",
        project=PROJECT,
    )  # fmt: skip
    assert [seed["entity"]["name"] for seed in row["of_scope"]] == ["Quay"]


def test_the_passages_of_the_scope_pass_whatever_filters_ask(part: Part) -> None:
    fields = {
        "scope_vectors": [VECTOR], "scope_texts": HARBOUR_IN_SCOPE, "projects": [PROJECT],
        "scope_pool": 10, "required": [*SCOPE, [TAG["old"]]],
    }  # fmt: skip
    rows = part("scope_passages", fields)

    by_leg = {leg: {row["passage"]["text"] for row in rows if row["leg"] == leg}
              for leg in ("text", "vector")}  # fmt: skip
    assert by_leg["text"] == {"harbour pier", "harbour berth", "harbour engine"}
    assert "harbour engine" in by_leg["vector"]
    assert "harbour ground" not in by_leg["vector"]
    elsewhere = {**fields, "projects": ["example.org/another"], "scope_texts": []}
    assert part("scope_passages", elsewhere) == []
    assert part("scope_passages", {**fields, "scope_vectors": [], "scope_texts": []}) == []


def test_links_add_to_the_direct_score_and_stay_below_their_seeds(part: Part) -> None:
    link = {"relation": None, "outgoing": True}
    seeds = [{"key": key, "passed": 0.8, "evidence": 0.3, "link": link} for key in "xy"]
    rows = [
        {"entity": {"name": "A"}, "key": "a", "direct": 0.5, "legs": [1], "reached": seeds[0]},
        {"entity": {"name": "B"}, "key": "b", "direct": 0.0, "legs": [], "reached": seeds[0]},
        {"entity": {"name": "B"}, "key": "b", "direct": 0.0, "legs": [], "reached": seeds[1]},
        {"entity": {"name": "C"}, "key": "c", "direct": 0.1, "legs": [1], "reached": None},
        {"entity": {"name": "D"}, "key": "d", "direct": 0.0, "legs": [], "reached": seeds[0]},
        {"entity": {"name": "D"}, "key": "d", "direct": 0.0, "legs": [], "reached": seeds[0]},
    ]
    (row,) = part(
        "rank",
        {"weights": WEIGHTS, "rrf": None, "min_score": 0.2, "sort": "score", "live": [True, False]},
        before="UNWIND $rows AS row WITH row.entity AS entity, row.key AS key, "
        "row.direct AS direct, row.legs AS legs, "
        "CASE WHEN row.reached IS NOT NULL THEN {key: row.reached.key, "
        "passed: row.reached.passed, evidence: row.reached.evidence, "
        "link: {relation: null, outgoing: true}} END AS reached, 1 AS skipped",
        rows=rows,
    )  # fmt: skip
    scores = {hit["key"]: hit["score"] for hit in row["ranked"]}

    assert scores == pytest.approx({"a": 1 - 0.5 * 0.7, "b": 0.4, "d": 0.3})
    assert row["skipped_relations"] == 5
    assert [hit["ceiling"] for hit in row["ranked"]] == [0.4, 0.4, 0.4]


@pytest.mark.parametrize(
    ("sort", "rrf", "keys"),
    [
        ("score", None, ["c", "a", "b", "d"]),
        ("score", 60.0, ["c", "a", "b", "d"]),
        ("date", None, ["b", "a", "c", "d"]),
        ("name", None, ["a", "d", "b", "c"]),
    ],
)
def test_hits_are_ordered_by_score_date_or_name_and_then_by_key(
    part: Part, sort: str, rrf: float | None, keys: list[str]
) -> None:
    """A score as low as is asked for is enough; what is hidden is no hit, whatever led to it."""
    rows = [
        ("d", "Alp", 0.25, "by hand", None),
        ("b", "berth", 0.25, START + TICK, None),
        ("a", "alp", 0.25, START, None),
        (None, "C", 0.0, None, 0.3),
        ("hidden", "B", 0.9, START, None),
    ]
    (row,) = part(
        "rank",
        {"weights": WEIGHTS, "rrf": rrf, "min_score": 0.25, "sort": sort, "live": [True]},
        before="UNWIND $rows AS row WITH {name: row[1], created_at: row[3], "
        "live: coalesce(row[0] <> 'hidden', true), key: coalesce(row[0], 'c')} AS entity, "
        "row[0] AS key, row[2] AS direct, CASE WHEN row[4] IS NULL THEN ['leg'] ELSE [] END "
        "AS legs, CASE WHEN row[4] IS NOT NULL THEN {key: 'seed', passed: 0.8, evidence: row[4], "
        "link: {relation: null, outgoing: true}} END AS reached, 0 AS skipped",
        rows=rows,
    )  # fmt: skip

    assert [hit["key"] for hit in row["ranked"]] == keys


RANKED = [{"key": key, "sort_value": -score, "sort_name": ""}
          for key, score in (("a", 0.9), ("b", 0.7), ("c", 0.5), ("d", 0.3))]  # fmt: skip


@pytest.mark.parametrize(
    ("after", "keys", "remaining", "moved"),
    [
        (None, ["a", "b"], 4, False),
        ((-0.7, "b", 2), ["c", "d"], 2, False),
        ((-0.7, "b", 1), ["c", "d"], 2, True),
        ((-0.4, "b", 2), ["c", "d"], 2, True),
        ((-0.72, "b", 2), ["c", "d"], 2, True),
        ((-0.704, "b", 2), ["c", "d"], 2, False),
        ((-0.6, "gone", 2), ["c", "d"], 2, True),
        ((-0.1, "gone", 9), [], 0, True),
    ],
)
def test_a_page_begins_after_the_last_hit_of_the_page_before(
    part: Part,
    after: tuple[float, str, int] | None,
    keys: list[str],
    remaining: int,
    *,
    moved: bool,
) -> None:
    last = [] if after is None else [
        {"sort_value": after[0], "sort_name": "", "key": after[1], "seen": after[2]}
    ]  # fmt: skip
    (row,) = part(
        "page", {"after": last, "shown": [], "limit": 2}, before="WITH $ranked AS ranked",
        after="RETURN total, remaining, moved, page", ranked=RANKED,
    )  # fmt: skip

    assert [hit["key"] for hit in row["page"]] == keys
    assert (row["total"], row["remaining"], row["moved"]) == (4, remaining, moved)


@pytest.mark.parametrize(
    ("after", "keys", "remaining", "moved"),
    [
        ([], ["a", "c"], 3, False),
        ([{"sort_value": -0.6, "sort_name": "", "key": "c", "seen": 3}], ["d"], 1, True),
        ([{"sort_value": -0.5, "sort_name": "", "key": "c", "seen": 3}], ["d"], 1, False),
    ],
)
def test_a_page_leaves_out_what_pages_of_another_order_had(
    part: Part, after: list[dict[str, Any]], keys: list[str], remaining: int, *, moved: bool
) -> None:
    (row,) = part(
        "page", {"after": after, "shown": ["b"], "limit": 2}, before="WITH $ranked AS ranked",
        after="RETURN total, remaining, moved, page", ranked=RANKED,
    )  # fmt: skip

    assert [hit["key"] for hit in row["page"]] == keys
    assert (row["total"], row["remaining"], row["moved"]) == (4, remaining, moved)


def test_a_page_goes_on_by_name_where_its_last_hit_is_gone(part: Part) -> None:
    ranked = [{"key": key, "sort_value": 0.0, "sort_name": name}
              for key, name in (("z", "a"), ("a", "b"), ("c", "b"), ("y", "c"))]  # fmt: skip
    last = {"sort_value": 0.0, "sort_name": "b", "key": "b", "seen": 2}
    (row,) = part(
        "page", {"after": [last], "shown": [], "limit": 9}, before="WITH $ranked AS ranked",
        after="RETURN page", ranked=ranked,
    )  # fmt: skip

    assert [hit["key"] for hit in row["page"]] == ["c", "y"]


def test_a_hit_no_passage_led_to_shows_those_with_most_words(part: Part) -> None:
    (row,) = part(
        "passages", {"strict": False, "stems": ["pier"], "passage_pool": 9, "passages": 2},
        before="MATCH (entity:Entity {name: 'Quay', project: $project}) "
        "WITH {entity: entity, legs: []} AS hit",
        after="RETURN passages", project=PROJECT,
    )  # fmt: skip

    assert [passage["text"] for passage in row["passages"]] == ["harbour pier"]


HIT: dict[str, Any] = {
    "score": 0.5, "direct": 0.4, "link": 0.1, "shares": [0.1], "ceiling": 0.4,
    "sort_value": -0.5, "sort_name": "",
}  # fmt: skip
LEG = {"leg": "text", "rank": 1, "raw": 2.0, "evidence": 0.4, "name": None}


def projected(part: Part, legs: list[dict[str, Any]], passages: list[dict[str, Any]]) -> Any:  # noqa: ANN401 - a row
    """The row of Rope, to which two links of Quay led."""
    (row,) = part(
        "projection", {"max_links": 5},
        before="MATCH (quay:Entity {name: 'Quay', project: $project})-[keeps:KEEPS]->(rope) "
        "WITH {seed: quay, key: quay.key, evidence: 0.2, seed_relations: 4, "
        "neighbour_relations: 2, seed_direct: 0.8, "
        "link: {relation: keeps, outgoing: true, weight: 0.7, strength: 0.7}} AS via, "
        "rope, $hit AS scores "
        "WITH scores {.*, entity: rope, legs: $legs, via: [via, via]} AS hit, "
        "$passages AS passages, 3 AS total, 2 AS remaining, false AS moved, "
        "1 AS skipped_relations, ['text'] AS truncated_legs, [] AS starved_legs, "
        "[] AS refilled_legs, 0 AS embedding_set",
        project=PROJECT, hit=HIT, legs=legs, passages=passages,
    )  # fmt: skip
    return row


def test_a_hit_of_links_alone_is_returned_with_its_links(part: Part) -> None:
    row = projected(part, [], [])

    assert (row["entity"]["name"], row["entity"]["status"]) == ("Rope", "active")
    assert isinstance(row["entity"]["created_at"], str)
    assert "text" not in row["entity"]
    assert [link["seed"] for link in row["via"]] == ["Quay", "Quay"]
    link = row["via"][0]
    assert link["seed_key"] == f"{PROJECT}#quay"
    assert (link["relation"], link["outgoing"], link["weight"]) == ("KEEPS", True, 0.7)
    assert (link["seed_relations"], link["neighbour_relations"]) == (4, 2)
    names = {name for name, _ in link["properties"]}
    assert "weight" in names
    assert "created_at" not in names
    assert row.items() >= (HIT | {"total": 3, "remaining": 2, "truncated_legs": ["text"]}).items()


@pytest.mark.parametrize(
    ("leg", "passages", "excerpt"),
    [
        ({"passages": [{"passage": {"text": "x" * 200}}]}, [{"text": "other"}], "x" * 160),
        ({"passages": []}, [{"text": "other"}], "other"),
        ({"passages": []}, [], ""),
        ({"passages": [], "name": "a rope"}, [{"text": "other"}], "a rope"),
    ],
)
def test_a_direct_hit_is_returned_with_its_best_link_and_an_excerpt_of_each_leg(
    part: Part, leg: dict[str, Any], passages: list[dict[str, Any]], excerpt: str
) -> None:
    row = projected(part, [LEG | leg], passages)

    assert len(row["via"]) == 1
    assert [(one["leg"], one["excerpt"]) for one in row["legs"]] == [("text", excerpt)]


def test_a_page_without_hits_is_one_row_that_tells_the_rest(part: Part) -> None:
    (row,) = part(
        "projection", {"max_links": 5},
        before="WITH null AS hit, [] AS passages, 0 AS total, 0 AS remaining, true AS moved, "
        "7 AS skipped_relations, [] AS truncated_legs, ['text'] AS starved_legs, "
        "[] AS refilled_legs, 0 AS embedding_set",
    )  # fmt: skip

    assert (row["entity"], row["moved"], row["skipped_relations"]) == (None, True, 7)
    assert row["starved_legs"] == ["text"]
