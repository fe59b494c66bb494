"""What an entity holds in all is bounded, however many writes it was said in."""

from typing import Any

import pytest

from graphmem.errors import InvalidInput
from graphmem.memory import Memory
from graphmem.memory.writing.remembering import Input, remember
from graphmem.model import Entity, Observation
from graphmem.model.accumulated import Holding, within_limits
from graphmem.model.limits import ATTRIBUTE_BYTES, CONTENT_BYTES, OBSERVATIONS
from graphmem.write import WriteOptions

MIB = 1024 * 1024


@pytest.mark.parametrize(
    ("holding", "argument"),
    [
        (Holding(aliases=1001), "aliases"),
        (Holding(tags=1001), "tags"),
        (Holding(attributes=201), "attributes"),
        (Holding(values=2001), "attributes"),
        (Holding(attribute_bytes=ATTRIBUTE_BYTES + 1), "attributes"),
        (Holding(observations=OBSERVATIONS + 1), "observations"),
        (Holding(text_bytes=CONTENT_BYTES + 1), "observations"),
    ],
)
def test_each_bound_is_refused_by_its_field(holding: Holding, argument: str) -> None:
    with pytest.raises(InvalidInput) as error:
        within_limits(holding)

    assert error.value.argument == f"entity.{argument}"
    assert "at most" in error.value.expected


def test_at_every_bound_an_entity_is_allowed() -> None:
    within_limits(Holding(1000, 1000, 200, 2000, ATTRIBUTE_BYTES, OBSERVATIONS, CONTENT_BYTES))


def test_a_refusal_says_what_is_there_what_is_added_what_is_allowed_and_what_to_do() -> None:
    with pytest.raises(InvalidInput) as error:
        within_limits(Holding(tags=1010), Holding(tags=990))

    assert str(error.value) == (
        "entity.tags must hold at most 1,000 tags (990 are stored, 20 would be added), got 1010. "
        "Overwrite it with less, or put the rest into another entity and link the two."
    )


def test_an_entity_already_over_a_limit_may_stay_and_shrink() -> None:
    within_limits(Holding(tags=1010), Holding(tags=1010))
    within_limits(Holding(tags=1005, aliases=3), Holding(tags=1010))


def test_an_entitys_size_counts_texts_in_bytes_and_values_by_number() -> None:
    held = Holding.of(
        aliases=["a"],
        tags=["x", "y"],
        attributes={"one": "Привет", "two": ["ab", "c"], "three": 3},
        text=["ab", "c"],
        observations=["день"],
    )

    assert held == Holding(1, 2, 3, 4, 12 + 3, 1, 3 + 8)


@pytest.mark.parametrize(
    ("fields", "match"),
    [
        ({"observations": ["x"] * (OBSERVATIONS + 1)}, "observations"),
        ({"observations": ["x" * MIB, "y" * MIB, "z" * MIB], "text": "x" * MIB + "x"}, "1 MiB"),
        ({"observations": [letter * MIB for letter in "abcde"]}, "bytes of text and observations"),
        ({"attributes": {f"a{n}": "x" * (MIB // 4) for n in range(5)}}, "bytes of text"),
    ],
)
def test_an_entity_beyond_a_bound_does_not_enter(fields: dict[str, Any], match: str) -> None:
    with pytest.raises(InvalidInput, match=match):
        Entity.from_json({"name": "A", **fields})


def test_tags_beyond_the_total_limit_are_refused_and_other_entities_written(memory: Memory) -> None:
    memory.remember([{"name": "A", "tags": [f"old {n}" for n in range(990)]}])

    report = memory.remember(
        [{"name": "A", "tags": [f"new {n}" for n in range(20)]}, {"name": "B", "tags": ["b"]}]
    )

    assert [item.outcome for item in report.items] == ["refused", "created"]
    assert "990 are stored, 20 would be added" in (report.items[0].reason or "")
    assert len(memory.get("A")[0].entity.tags) == 990


def test_observations_beyond_the_total_limit_are_refused(memory: Memory) -> None:
    memory.remember([{"name": "A", "observations": [letter * MIB for letter in "abcd"]}])

    (item,) = memory.remember([{"name": "A", "observations": ["one more"]}]).items

    assert item.outcome == "refused"
    assert "4,194,304 are stored, 8 would be added" in (item.reason or "")
    assert memory.forget("A").items[0].outcome == "updated"


def test_an_entity_that_grew_too_large_before_it_was_written_is_refused(memory: Memory) -> None:
    """An importer may put together what several of its rows say of one entity."""
    entity = Entity("A", observations=tuple(map(Observation, map(str, range(OBSERVATIONS + 1)))))
    how = WriteOptions(memory.project_name(None))

    report = remember(memory.graph, None, Input((entity, Entity("B")), ()), how)

    assert [item.outcome for item in report.items] == ["refused", "created"]
    assert "at most 5,000 observations, got 5001" in (report.items[0].reason or "")


def test_every_export_can_be_imported_again(memory: Memory) -> None:
    for start in range(0, 1100, 100):
        memory.remember([{"name": "A", "tags": [f"tag {start + n}" for n in range(100)]}])

    lines = list(memory.export())

    assert [Entity.from_json(line).name for line in lines] == ["A"]
    assert len(Entity.from_json(lines[0]).tags) == 1000
