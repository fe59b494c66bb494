"""Attributes of an older store become periods, or get another name."""

import json
from datetime import UTC, date, datetime
from typing import Any

import neo4j
import pytest

from ferries import SPRING, hit_names, line
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.migrations.validity import attributes_to_periods
from graphmem.write.repair.comparing import compare
from stores import put_as_before

# Whether something holds


# Older stores


def test_attributes_of_an_older_store_become_periods_or_get_another_name(
    memory: Memory, graph: Graph, session: neo4j.Session
) -> None:
    memory.remember([{"name": name, "attributes": {"own": 1}} for name in "ABC"])
    keys = [str(memory.get(name)[0].key) for name in "ABC"]
    words = {
        "attribute/valid_until": {"caller": [2], "a:file": [1, {"date": "2025-01-01"}]},
        "attribute/own": {"caller": [1]},
    }
    for key, period, record in (
        (keys[0], {"valid_from": date(2024, 3, 1), "valid_until": "2024-05-31"}, None),
        (keys[1], {"valid_until": "next spring", "valid_from": [1, 2]}, None),
        (keys[2], {"valid_until": date(2024, 5, 31)}, json.dumps(words)),
    ):
        session.run(
            "MATCH (entity:Entity {key: $key}) SET entity += $period, "
            "entity.graphmem_assertions = $record",
            key=key, period=period, record=record,
        ).consume()  # fmt: skip
    for _ in range(2):
        assert graph.write(lambda transaction: attributes_to_periods(transaction, keys))
        assert line(memory, "A").items() >= {**SPRING, "attributes": {"own": 1}}.items()
        assert line(memory, "B")["attributes"] == {
            "own": 1, "valid_until_": "next spring", "valid_from_": [1, 2],
        }  # fmt: skip
        assert line(memory, "C")["valid_until"] == "2024-05-31"
        rows = graph.read(
            "read/compared_entities", keys=keys, property="embedding", dimensions=None
        )
        assert [compare(row, datetime.now(UTC)).sorts for row in rows] == [{}, {}, {}]
    memory.edit({"name": "C", "unset": ["valid_until"]})
    assert "valid_until" not in line(memory, "C")
    assert "A" not in hit_names(memory, "a")


@pytest.mark.parametrize(
    ("attributes", "record", "expected"),
    [
        ({"valid_from": "soon", "valid_from_": "mine"}, {},
         {"valid_from_": "mine", "valid_from__": "soon"}),
        ({"valid_from": "soon", "valid_from_": "mine", "valid_from__": 3,
          "valid_until": "2999-01-01"}, {},
         {"valid_from_": "mine", "valid_from__": 3, "valid_from___": "soon"}),
        # Nobody's word on an attribute that is not there any more becomes one on this.
        ({"valid_until": [1]}, {"attribute/valid_until_": {"a:file": [1, None]},
                                "attribute/valid_until": {"caller": [2]}}, {"valid_until__": [1]}),
        ({"valid_from": "2999-06-01", "valid_until": "2024-03-01"}, {},
         {"valid_from_": "2999-06-01", "valid_until_": "2024-03-01"}),
        ({"valid_from": date(2999, 6, 1), "valid_until": date(2999, 5, 31)},
         {"attribute/valid_from": {"caller": [2]}, "attribute/valid_until": {"a:file": [1]}},
         {"valid_from_": {"date": "2999-06-01"}, "valid_until_": {"date": "2999-05-31"}}),
        # What counts is a period, what is behind it is none.
        ({"valid_from": "2024-06-01", "valid_until": "2999-05-31"},
         {"attribute/valid_from": {"caller": [2], "a:file": [1, "2024-01-01"]},
          "attribute/valid_until": {"caller": [2], "a:file": [1, "2023-01-01"]}},
         {"valid_from_": "2024-06-01", "valid_until_": "2999-05-31"}),
        ({"valid_from": "2024-06-01", "valid_until": "2024-06-01T12:00:00Z"}, {}, {}),
    ],
)  # fmt: skip
def test_no_attribute_of_an_older_store_is_lost_or_hides_its_entity(
    memory: Memory,
    session: neo4j.Session,
    attributes: dict[str, Any],
    record: dict[str, Any],
    expected: dict[str, Any],
) -> None:
    graph = memory.graph
    key = put_as_before(memory, session, "A mooring of stone.", attributes, record)
    for _ in range(2):
        assert graph.write(lambda transaction: attributes_to_periods(transaction, [key]))
        told = line(memory, "A")
        assert told.get("attributes", {}) == expected
        is_past = not expected
        assert hit_names(memory, "mooring of stone", at="any") == {"A"}
        assert hit_names(memory, "mooring of stone") == (set() if is_past else {"A"})
        rows = graph.read(
            "read/compared_entities", keys=[key], property="embedding", dimensions=None
        )
        assert [compare(row, datetime.now(UTC)).sorts for row in rows] == [{}]


def test_bringing_a_store_up_to_date_is_no_change_of_its_entities(
    memory: Memory, graph: Graph, session: neo4j.Session
) -> None:
    memory.remember([{"name": name, "attributes": {"own": 1}} for name in "AB"])
    then = datetime.now(UTC)
    memory.edit({"name": "A", "title": "A title"})
    before = {name: memory.get(name)[0] for name in "AB"}
    keys = [str(page.key) for page in before.values()]
    for key, valid_from in zip(keys, ("soon", "2024-03-01"), strict=True):
        session.run(
            "MATCH (entity:Entity {key: $key}) SET entity.valid_from = $valid_from",
            key=key, valid_from=valid_from,
        ).consume()  # fmt: skip
    assert graph.write(lambda transaction: attributes_to_periods(transaction, keys))

    assert [change.verb for change in memory.changes("2000-01-01").changes] == ["edit", "remember"]
    assert [revision.verb for revision in memory.history("A").revisions] == ["edit", "remember"]
    for name, page in before.items():
        after = memory.get(name)[0]
        assert (after.entity.updated_at, after.revision) == (page.entity.updated_at, page.revision)
    assert memory.get_as_of("A", then).entity.title is None
    assert memory.undo("last").entities["updated"] == 1
    told = line(memory, "A")
    assert "title" not in told
    assert told["attributes"] == {"own": 1, "valid_from_": "soon"}
