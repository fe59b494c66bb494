"""Each fragment of a search that filters and follows does what its header says, by itself."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from search_fragments import (
    NO_FILTERS,
    PROJECT,
    SCOPE,
    START,
    TAG,
    TICK,
    VECTOR,
    Part,
    harbour_part,
)

part = harbour_part


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
def test_a_filter_may_require_or_forbid_a_relation_to_a_visible_entity(
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
def test_a_period_includes_its_first_and_last_day(
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
def test_an_embedding_of_another_length_has_no_cosine(part: Part, embedding: object) -> None:
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


@pytest.mark.parametrize(("name", "followed"), [("Wreck", []), ("Buoy Old", ["Buoy New"])])
def test_a_hidden_entity_leads_only_to_its_replacement(
    part: Part, name: str, followed: list[str]
) -> None:
    rows = part(
        "followed", {"types": [], "exclude_types": [], "direction": "both"},
        before="MATCH (seed:Entity {name: $called, project: $project})"
        "-[relation:!HAS_PASSAGE]-(other:Entity) WHERE",
        after="RETURN other.name AS name", called=name, project=PROJECT,
    )  # fmt: skip

    assert [row["name"] for row in rows] == followed
