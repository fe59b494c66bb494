"""A lead-in is embedded with the texts of an entity; words do not find it, hits do not show it."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path

import neo4j
import pytest

from fakes import FakeEmbedder
from graphmem.embedding import document
from graphmem.errors import InvalidInput
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.migrations.lead_ins import free_lead_ins
from graphmem.migrations.validity import attributes_to_periods
from graphmem.model import Entity
from graphmem.write import fill_pending
from graphmem.write.repair.comparing import compare
from memories import memory_with
from stores import put_as_before

QUESTION = "Which cheese do you buy at the market?"
ANSWER = {"name": "t2", "title": "Ben", "text": "Gouda, as always.", "lead_in": QUESTION}
EMBEDDED = f"t2\nBen\n{QUESTION}\nGouda, as always."


@pytest.fixture
def filled(memory: Memory) -> Memory:
    """An answer whose question it follows on, among others."""
    others = [{"name": f"o{n}", "text": f"The weather of day {n}."} for n in range(5)]
    memory.remember([ANSWER, *others])
    return memory


def names(memory: Memory, query: str, **how: object) -> list[str]:
    return [hit.name for hit in memory.search(query, **how).hits]  # type: ignore[arg-type]


def test_what_is_embedded_has_the_lead_in_above_the_text() -> None:
    assert document("t2", "Ben", " Gouda, as always.\n", QUESTION) == EMBEDDED
    assert (
        document("t2", "Ben", "Gouda.") == document("t2", "Ben", "Gouda.", "") == "t2\nBen\nGouda."
    )


def test_a_lead_in_is_one_line_of_at_most_512_characters() -> None:
    entity = Entity.from_json({"name": "n", "lead_in": " two \n lines "})
    assert entity.lead_in == "two lines"
    with pytest.raises(InvalidInput, match=r"entity\.lead_in must have at most 512 characters"):
        Entity.from_json({"name": "n", "lead_in": "x" * 513})


def test_its_meaning_is_found_and_its_words_are_not(filled: Memory, embedder: FakeEmbedder) -> None:
    assert EMBEDDED in embedder.embedded
    assert names(filled, "cheese market", mode="semantic")[0] == "t2"
    assert names(filled, "cheese market", mode="keyword") == []
    assert names(filled, "text:cheese") == names(filled, '"the market"') == []
    (hit, *_) = filled.search("which cheese", mode="semantic").hits
    assert [passage.text for passage in hit.passages] == ["Gouda, as always."]
    assert QUESTION not in json.dumps(hit.to_json())


def test_it_is_no_attribute(memory: Memory) -> None:
    refused = memory.remember([{"name": "n", "attributes": {"lead_in": "x"}}]).refused
    assert "lead_in" in (refused[0].reason or "")


def test_a_lead_in_that_changes_is_embedded_again(filled: Memory, embedder: FakeEmbedder) -> None:
    assert filled.remember([ANSWER]).items[0].outcome == "unchanged"
    before = len(embedder.embedded)
    filled.remember([{"name": "t2", "lead_in": "Which boat is yours?"}])
    assert embedder.embedded[before:] == ["t2\nBen\nWhich boat is yours?\nGouda, as always."]
    assert names(filled, "which boat", mode="semantic")[0] == "t2"
    filled.remember([{"name": "t2", "unset": ["lead_in"]}])
    assert embedder.embedded[-1] == "t2\nBen\nGouda, as always."
    assert filled.get("t2")[0].entity.lead_in is None


def test_a_change_of_it_is_told_and_undone(filled: Memory) -> None:
    filled.remember([{"name": "t2", "lead_in": "Which boat is yours?"}])
    newest = filled.history("t2").revisions[0]
    assert "lead_in" in json.dumps(newest.to_json())
    assert newest.change is not None
    filled.undo(newest.change)
    assert filled.get("t2")[0].entity.lead_in == QUESTION
    assert names(filled, "cheese market", mode="semantic")[0] == "t2"


def test_an_export_keeps_it(filled: Memory, tmp_path: Path, graph: Graph) -> None:
    path = tmp_path / "all.jsonl"
    lines = list(filled.export())
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert [line["lead_in"] for line in lines if line.get("name") == "t2"] == [QUESTION]
    model = FakeEmbedder()
    copy = memory_with(model, graph, f"{filled.project}/copy")
    assert not copy.import_("jsonl", path).refused
    assert list(copy.export()) == lines
    assert EMBEDDED in model.embedded


def test_a_passage_that_waited_for_the_model_is_embedded_with_it(
    memory: Memory, graph: Graph, embedder: FakeEmbedder
) -> None:
    embedder.state, embedder.reason = "failed", "the model is broken"
    memory.remember([ANSWER])
    later = FakeEmbedder()
    fill_pending(graph, later)
    assert EMBEDDED in later.embedded
    assert memory.get("t2")[0].entity.lead_in == QUESTION


def test_what_only_an_import_said_goes_with_it(
    memory: Memory, tmp_path: Path, whole: Callable[..., object]
) -> None:
    path = tmp_path / "facts"
    path.mkdir()
    (path / "a.jsonl").write_text(json.dumps(ANSWER))
    whole(path)
    assert memory.get("t2")[0].entity.lead_in == QUESTION
    (path / "a.jsonl").write_text(json.dumps({**ANSWER, "lead_in": None}))
    whole(path)
    assert memory.get("t2")[0].entity.lead_in is None


# Older stores


@pytest.mark.parametrize(
    ("attributes", "record", "expected"),
    [
        ({"lead_in": 5}, {}, {"lead_in_": 5}),
        ({"lead_in": "mine", "lead_in_": 1}, {}, {"lead_in_": 1, "lead_in__": "mine"}),
        ({"lead_in": [1, 2]}, {"attribute/lead_in": {"caller": [2], "a:file": [1, [3]]}},
         {"lead_in_": [1, 2]}),
        ({}, {"attribute/lead_in": {"caller": [2, None]}}, {}),
    ],
)  # fmt: skip
def test_an_attribute_of_that_name_keeps_its_value_under_another(
    memory: Memory,
    session: neo4j.Session,
    attributes: dict[str, object],
    record: dict[str, object],
    expected: dict[str, object],
) -> None:
    key = put_as_before(memory, session, "A mooring of stone.", attributes, record)
    for _ in range(2):
        assert memory.graph.write(lambda transaction: free_lead_ins(transaction, [key]))
        entity = memory.get("A")[0].entity
        assert (entity.lead_in, dict(entity.attributes)) == (None, expected)
        rows = memory.graph.read(
            "read/compared_entities", keys=[key], property="embedding", dimensions=None
        )
        assert [compare(row, datetime.now(UTC)).sorts for row in rows] == [{}]
    assert [hit.name for hit in memory.search("mooring of stone").hits] == ["A"]
    assert [change.verb for change in memory.changes("2000-01-01").changes] == ["remember"]


def test_an_entity_with_such_an_attribute_and_a_period_keeps_its_embeddings(
    memory: Memory, session: neo4j.Session
) -> None:
    attributes: dict[str, object] = {"lead_in": "mine", "valid_from": "2024-03-01"}
    key = put_as_before(memory, session, "A mooring of stone.", attributes, {})
    for migrate in (attributes_to_periods, free_lead_ins):
        assert memory.graph.write(partial(migrate, keys=[key]))
        assert memory.stats().pending == 0
    entity = memory.get("A")[0].entity
    assert (entity.valid_from, dict(entity.attributes)) == (date(2024, 3, 1), {"lead_in_": "mine"})
    rows = memory.graph.read(
        "read/compared_entities", keys=[key], property="embedding", dimensions=None
    )
    assert [compare(row, datetime.now(UTC)).sorts for row in rows] == [{}]


def test_what_an_attribute_of_that_name_was_before_is_no_lead_in(
    memory: Memory, session: neo4j.Session
) -> None:
    memory.remember([{"name": "A", "attributes": {"era": 5}}])
    then = datetime.now(UTC)
    memory.edit({"name": "A", "attributes": {"era": 6}})
    key = str(memory.get("A")[0].key)
    session.run(
        "MATCH (entity:Entity {key: $key}) SET entity.lead_in = entity.era REMOVE entity.era "
        "WITH entity MATCH (revision:GraphmemRevision {key: entity.key}) "
        "SET revision.before = replace(revision.before, 'attribute/era', 'attribute/lead_in')",
        key=key,
    ).consume()
    assert memory.graph.write(lambda transaction: free_lead_ins(transaction, [key]))

    assert memory.get_as_of("A", then).entity.attributes == {"lead_in_": 5}
    (hit,) = memory.search("A", mode="keyword", as_of=then, scope="project").hits
    assert hit.name == "A"
    memory.undo("last")
    entity = memory.get("A")[0].entity
    assert (entity.lead_in, entity.attributes) == (None, {"lead_in_": 5})


# Written by hand


@pytest.mark.parametrize("field", ["lead_in", "title"])
def test_a_number_written_by_hand_is_its_digits_to_whatever_writes(
    filled: Memory, graph: Graph, embedder: FakeEmbedder, session: neo4j.Session, field: str
) -> None:
    session.run(
        "MATCH (entity:Entity {key: $key})-[:HAS_PASSAGE]->(passage) "
        f"SET entity.{field} = 7 SET passage.pending = true REMOVE passage.embedding",
        key=filled.get("t2")[0].key,
    ).consume()

    fill_pending(graph, embedder)
    assert filled.get("t2")[0].entity.name == "t2"
    assert embedder.embedded[-1].splitlines().count("7") == 1
    filled.edit({"name": "t2", "text": "Brie."})
    assert embedder.embedded[-1].splitlines().count("7") == 1
    assert filled.edit({"name": "t2", field: "seven"}).items[0].outcome == "updated"


def test_a_merged_text_brings_its_lead_in_only_where_it_becomes_the_text(memory: Memory) -> None:
    memory.remember([ANSWER, {"name": "t3", "text": "Brie."}, {"name": "t4"}])
    memory.merge("t2", "t3")
    assert memory.get("t3")[0].entity.lead_in is None
    memory.remember([{**ANSWER, "name": "t5"}])
    memory.merge("t5", "t4")
    merged = memory.get("t4")[0].entity
    assert (merged.text, merged.lead_in) == (ANSWER["text"], QUESTION)
