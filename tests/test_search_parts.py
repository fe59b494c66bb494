"""Each part of the statements of a search does what its header says, by itself on a small graph."""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

import neo4j
import pytest

from fakes import vector
from graphmem import lucene, queries, text
from graphmem.graph import Graph, Target
from graphmem.memory import Memory

PROJECT = "example.org/tests/search-parts"
START = datetime(2026, 1, 1, tzinfo=UTC)
SCOPE = [[text.token("project", PROJECT)], [text.token("live", "True")]]
NO_FILTERS: dict[str, Any] = {
    "required": SCOPE, "forbidden": [], "comparisons": [], "relations": [],
    "passage_required": SCOPE,
}  # fmt: skip
WEIGHTS = {
    "text": 0.95, "saturation": 35.0, "vector": 0.25, "vector_excess": 0.1, "cosine_low": 0.3,
    "cosine_high": 0.9, "name": 0.8, "name_share": 4.0, "link": 0.5, "seed_exponent": 2.0,
    "seed_damping": 0.5, "neighbour_damping": 1.0,
}  # fmt: skip
VECTOR = vector("harbour pier", 384)
NEAREST: dict[str, Any] = {
    "vector": VECTOR, "projects": [PROJECT], "live": [True], "pool": 10, "vector_pool": 10,
    "vector_scoped": True, "passage_required": SCOPE, "forbidden": [],
}  # fmt: skip
HARBOUR = [{"index": "graphmem_passage_exact", "query": "text:harbour"}]
IN_SCOPE = " ".join(f"+filters:{token}" for (token,) in SCOPE)
ENTITY_IN_SCOPE = IN_SCOPE.replace("+filters:", "+graphmem_filters:")
EXACT: dict[str, Any] = {
    **NO_FILTERS, "vector": VECTOR, "pool": 10, "exact_queries": [], "exact_entity_queries": [],
    "scanned_projects": [], "compared_entities": [],
}  # fmt: skip
HARBOUR_IN_SCOPE = [{"index": "graphmem_passage_exact", "query": f"+text:harbour {IN_SCOPE}"}]

Part = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="module")
def harbour(memory_of: Callable[[str], Memory]) -> Memory:
    """Six entities and buoys: Quay is linked with Boat, Crane and Rope; Wreck was forgotten."""
    memory = memory_of(PROJECT)
    memory.remember(
        [
            {"name": "Quay", "text": "harbour pier", "kind": "Place", "tags": ["old", "stone"],
             "created_at": START.isoformat(),
             "attributes": {"cost": 5, "owner": "Ops", "day": date(2026, 1, 5)}},
            {"name": "Boat", "text": "harbour berth", "kind": "Ship", "tags": ["old"],
             "attributes": {"cost": 7}},
            {"name": "Crane", "text": "harbour engine", "kind": "Machine",
             "attributes": {"cost": 9}},
            {"name": "Rope", "text": "hemp"},
            {"name": "Red Rope", "text": "hemp too", "observations": ["hemp spare", "hemp store"]},
            {"name": "Wreck", "text": "harbour ground"},
            *({"name": f"Buoy {i}", "text": "channel marker"} for i in range(4)),
            {"name": "Buoy Ann", "aliases": ["Bell", "Fog", "North Mark"]},
            {"name": "Buoy Bea", "aliases": ["Bell"]},
            {"name": "Buoy Cy", "aliases": ["Nor"]},
            {"name": "Buoy Di", "aliases": ["Rip"]},
            {"name": "Buoy Eve", "aliases": ["rIp"]},
            {"name": "Buoy Fay", "aliases": ["riP"]},
            *({"name": f"Buoy {age}"} for age in ("Oldest", "Old", "New")),
        ],
        [
            {"from": "Quay", "relation": "HOLDS", "to": "Boat", "weight": 0.9},
            {"from": "Crane", "relation": "STANDS_ON", "to": "Quay", "weight": 0.8},
            {"from": "Quay", "relation": "KEEPS", "to": "Rope", "weight": 0.7},
            {"from": "Quay", "relation": "HIDES", "to": "Wreck", "weight": 0.6},
            {"from": "Buoy 0", "relation": "MARKS", "to": "Crane", "confidence": 0.5},
            *({"from": f"Buoy {i}", "relation": "MARKS", "to": "Boat",
               "created_at": (START + timedelta(days=i)).isoformat()} for i in range(3)),
            {"from": "Crane", "relation": "MARKS", "to": "Buoy 3"},
            {"from": "Buoy 3", "relation": "TOUCHES", "to": "Buoy 3"},
        ],
    )  # fmt: skip
    memory.forget(["Wreck"])
    memory.supersede("Buoy Oldest", "Buoy Old")
    memory.supersede("Buoy Old", "Buoy New")
    return memory


@pytest.fixture(scope="module")
def part(graph: Graph, harbour: Memory) -> Iterator[Part]:  # noqa: ARG001 - the data
    """Run a fragment: what comes before it, what stands after it, and its fields."""
    target: Target = graph._target
    assert target.password is not None
    with (
        neo4j.GraphDatabase.driver(
            target.uri, auth=(target.username, target.password), notifications_min_severity="OFF"
        ) as driver,
        driver.session(database=target.database, default_access_mode=neo4j.READ_ACCESS) as session,
    ):

        def run(
            name: str,
            fields: Mapping[str, Any],
            *,
            before: str = "",
            after: str = "",
            **ins: Any,  # noqa: ANN401 - what the fragment takes
        ) -> list[dict[str, Any]]:
            assembled = queries.assembled(f"{before}\n// include search/{name}\n{after}")
            return session.run(f"CYPHER 25\n{assembled}", search=dict(fields), **ins).data()

        yield run


def passing(part: Part, **fields: object) -> str:
    """The names of the entities that pass, without those of buoys."""
    rows = part(
        "passes", {**NO_FILTERS, **fields},
        before="MATCH (entity:Entity {project: $project}) "
        "WHERE NOT entity.name STARTS WITH 'Buoy' AND",
        after="RETURN entity.name AS name ORDER BY name", project=PROJECT,
    )  # fmt: skip
    return " ".join(row["name"] for row in rows)


ALIVE = "Boat Crane Quay Red Rope Rope"
SHIP = text.token("kind", "ship")
TAG = {name: text.token("tag", name) for name in ("old", "stone", "new")}


@pytest.mark.parametrize(
    ("required", "forbidden", "names"),
    [
        ([], [], ALIVE),
        ([["old"]], [], "Boat Quay"),
        ([["stone", "new"]], [], "Quay"),
        ([["old"], ["stone"]], [], "Quay"),
        ([["new"]], [], ""),
        ([], ["stone"], "Boat Crane Red Rope Rope"),
        ([["old"]], ["stone"], "Boat"),
    ],
)
def test_an_entity_carries_a_word_of_every_group_and_no_forbidden_one(
    part: Part, required: list[list[str]], forbidden: list[str], names: str
) -> None:
    groups = [[TAG[tag] for tag in group] for group in required]
    words = [TAG[tag] for tag in forbidden]

    assert passing(part, required=[*SCOPE, *groups], forbidden=words) == names


@pytest.mark.parametrize(
    ("name", "operator", "values", "names"),
    [
        ("cost", "<", [7], "Quay"),
        ("cost", "<=", [7], "Boat Quay"),
        ("cost", ">", [7], "Crane"),
        ("cost", ">=", [7], "Boat Crane"),
        ("cost", "=", [7], "Boat"),
        ("cost", "=", [5, 9], "Crane Quay"),
        ("cost", "!=", [7], "Crane Quay Red Rope Rope"),
        ("cost", "<", ["7"], ""),
        ("no_such", "=", [7], ""),
        ("no_such", "!=", [7], ALIVE),
        ("created_at", "within", [{"first": START, "last": START}], "Quay"),
        (
            "cost",
            "within",
            [{"first": 5, "last": 7}, {"first": 9, "last": 9}],
            "Boat Crane Quay",
        ),
        ("cost", "within", [], ""),
        ("owner", "is", ["ops"], "Quay"),
        ("owner", "is not", ["ops"], "Boat Crane Red Rope Rope"),
        ("owner", "under", ["ops"], "Quay"),
        ("owner", "under", ["op"], ""),
    ],
)
def test_a_property_is_compared_with_any_of_the_values(
    part: Part, name: str, operator: str, values: list[object], names: str
) -> None:
    comparison = {"name": name, "operator": operator, "values": values}

    assert passing(part, comparisons=[comparison]) == names


def test_every_comparison_holds(part: Part) -> None:
    bounds = [{"name": "cost", "operator": operator, "values": [value]}
              for operator, value in ((">", 5), ("<", 9))]  # fmt: skip

    assert passing(part, comparisons=bounds) == "Boat"


@pytest.mark.parametrize(
    ("types", "direction", "present", "names"),
    [
        ([], "both", True, "Boat Crane Quay Rope"),
        ([], "out", True, "Crane Quay"),
        ([], "in", True, "Boat Crane Quay Rope"),
        ([], "both", False, "Red Rope"),
        ([], "out", False, "Boat Red Rope Rope"),
        (["HOLDS", "KEEPS"], "in", True, "Boat Rope"),
        (["HOLDS"], "both", False, "Crane Red Rope Rope"),
        (["HIDES"], "both", True, ""),
        (["NO_SUCH_TYPE"], "both", True, ""),
    ],
)
def test_a_relation_to_a_living_entity_is_there_or_not(
    part: Part, types: list[str], direction: str, *, present: bool, names: str
) -> None:
    rule = {"types": types, "direction": direction, "present": present}

    assert passing(part, relations=[rule]) == names


@pytest.mark.parametrize(
    ("name", "projects", "passes"),
    [("Quay", [PROJECT], 1), ("Wreck", [PROJECT], 0), ("Quay", ["example.org/another"], 0)],
)
def test_a_scope_alone_is_what_lives_in_its_projects(
    part: Part, name: str, projects: list[str], passes: int
) -> None:
    rows = part(
        "in_scope", {"projects": projects},
        before="MATCH (entity:Entity {name: $called, project: $project}) WHERE",
        after="RETURN entity.name AS name", called=name, project=PROJECT,
    )  # fmt: skip

    assert len(rows) == passes


JUNE = datetime(2026, 6, 1, tzinfo=UTC)
LAST_OF_JUNE_1 = JUNE + timedelta(days=1, microseconds=-1)
TICK = timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("name", "value", "holds"),
    [
        ("valid_from", date(2026, 6, 1), True),
        ("valid_from", date(2026, 6, 2), False),
        ("valid_from", LAST_OF_JUNE_1, True),
        ("valid_from", LAST_OF_JUNE_1 + TICK, False),
        ("valid_from", "soon", True),
        ("valid_until", date(2026, 6, 1), True),
        ("valid_until", date(2026, 5, 31), False),
        ("valid_until", JUNE, True),
        ("valid_until", JUNE - TICK, False),
        ("valid_until", "later", True),
        ("valid_from", None, True),
    ],
)
def test_what_begins_or_ends_on_a_day_holds_on_it(
    part: Part, name: str, value: object, *, holds: bool
) -> None:
    times: list[dict[str, object]] = [
        {"day": JUNE.date(), "first": JUNE, "last": LAST_OF_JUNE_1},
        {"day": None, "first": None, "last": None},
    ]
    rows = [
        part(
            "holds", {"at": at}, before="WITH $entity AS entity WHERE", after="RETURN entity",
            entity={name: value},
        )
        for at in times
    ]  # fmt: skip

    assert [len(some) for some in rows] == [int(holds), 1]


@pytest.mark.parametrize("embedding", [None, "by hand", [1.0], ["a"] * 384])
def test_what_is_no_embedding_of_the_query_s_length_has_no_cosine(
    part: Part, embedding: object
) -> None:
    def cosine(embedding: object) -> Any:  # noqa: ANN401 - a number or None
        (row,) = part(
            "cosine", {"vector": VECTOR}, before="WITH $stored.any AS embedding RETURN",
            after="AS raw", stored={"any": embedding},
        )  # fmt: skip
        return row["raw"]

    assert cosine(embedding) is None
    assert cosine(VECTOR) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("types", "exclude_types", "direction", "followed"),
    [
        ([], [], "both", "HIDES HOLDS KEEPS STANDS_ON"),
        ([], [], "out", "HIDES HOLDS KEEPS"),
        ([], [], "in", "STANDS_ON"),
        (["HOLDS", "STANDS_ON"], [], "both", "HOLDS STANDS_ON"),
        (["HOLDS", "STANDS_ON"], ["HOLDS"], "both", "STANDS_ON"),
    ],
)
def test_a_relation_is_followed_by_type_and_direction(
    part: Part, types: list[str], exclude_types: list[str], direction: str, followed: str
) -> None:
    rows = part(
        "followed",
        {"types": types, "exclude_types": exclude_types, "direction": direction},
        before="MATCH (seed:Entity {name: 'Quay', project: $project})"
        "-[relation:!HAS_PASSAGE]-(:Entity) WHERE",
        after="RETURN type(relation) AS type ORDER BY type", project=PROJECT,
    )  # fmt: skip

    assert " ".join(row["type"] for row in rows) == followed


MACHINES = {
    "vector_ranges": [{"kind_from": "machine", "kind_to": "machine", "status_from": "active",
                       "status_to": "active"}],
}  # fmt: skip


@pytest.mark.parametrize(("name", "followed"), [("Wreck", []), ("Buoy Old", ["Buoy New"])])
def test_what_is_hidden_leads_only_to_what_replaced_it(
    part: Part, name: str, followed: list[str]
) -> None:
    rows = part(
        "followed", {"types": [], "exclude_types": [], "direction": "both"},
        before="MATCH (seed:Entity {name: $called, project: $project})"
        "-[relation:!HAS_PASSAGE]-(other:Entity) WHERE",
        after="RETURN other.name AS name", called=name, project=PROJECT,
    )  # fmt: skip

    assert [row["name"] for row in rows] == followed


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
        assert all(one["passage"]["live"] for one in answer["candidates"])


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

    every_raw = [one["raw"] for one in candidates(pool=100)]
    assert every_raw == sorted(every_raw, reverse=True)
    assert every_raw[0] > every_raw[-1]
    assert [one["raw"] for one in candidates()] == every_raw[:2]
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
    assert [one["passage"]["text"] for one in row["passages"]] == ["hemp store", "hemp too"]


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


def test_a_name_within_a_longer_one_counts_for_nothing(part: Part) -> None:
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
def test_what_the_legs_say_is_joined(
    part: Part, *, strict: bool, rrf: float | None, directs: dict[str, float]
) -> None:
    text_leg = gathered(("text", "b", 0.6), ("text", "a", 0.5))
    vector_leg = gathered(("vector", "a", 0.2), ("vector", "c", 0.1))
    by_leg = [{"leg": "text", "ranked": text_leg}, {"leg": "vector", "ranked": vector_leg}]
    (row,) = part(
        "fuse", {"strict": strict, "rrf": rrf}, before="WITH $by_leg AS by_leg",
        after="RETURN candidates", by_leg=by_leg,
    )  # fmt: skip
    scores = {one["key"]: one["direct"] for one in row["candidates"]}

    assert scores == pytest.approx(directs)
    assert list(scores.values()) == sorted(scores.values(), reverse=True)


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
        "page", {"after": last, "limit": 2}, before="WITH $ranked AS ranked",
        after="RETURN total, remaining, moved, page", ranked=RANKED,
    )  # fmt: skip

    assert [hit["key"] for hit in row["page"]] == keys
    assert (row["total"], row["remaining"], row["moved"]) == (4, remaining, moved)


def test_a_page_goes_on_by_name_where_its_last_hit_is_gone(part: Part) -> None:
    ranked = [{"key": key, "sort_value": 0.0, "sort_name": name}
              for key, name in (("z", "a"), ("a", "b"), ("c", "b"), ("y", "c"))]  # fmt: skip
    last = {"sort_value": 0.0, "sort_name": "b", "key": "b", "seen": 2}
    (row,) = part(
        "page", {"after": [last], "limit": 9}, before="WITH $ranked AS ranked",
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
