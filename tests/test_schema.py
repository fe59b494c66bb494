"""The schema: made once, online, compared with what is wanted, by several at a time."""

from collections.abc import Iterator

import neo4j
import pytest

from concurrent_calls import at_once
from cypher_folder import names
from fakes import DEFAULT_IDENTITY
from graphmem import schema
from graphmem.embedding import ModelIdentity
from graphmem.errors import SchemaMismatch
from graphmem.graph import Graph, Row
from graphmem.model.language import DEFAULT, MOST_LANGUAGES, NAMES
from graphmem.schema.definitions import FIXED, SLOTS


@pytest.fixture
def session(graph: Graph, session: neo4j.Session) -> Iterator[neo4j.Session]:
    """For what no statement of graphmem does; whatever a test drops is made again."""
    yield session
    schema.ensure(graph)


def test_every_file_that_makes_something_has_one_definition() -> None:
    made = [definition.statement for definition in (*FIXED, *SLOTS)]
    making = [name for name in names("schema") if name.partition("/")[2][0].isdigit()]
    assert sorted(made) == making
    defined = [definition.name for definition in schema.definitions(DEFAULT)]
    assert len(set(defined)) == len(defined)
    assert all(name.startswith("graphmem_") for name in defined)


def test_each_place_for_a_language_has_its_own_order_of_the_same_properties() -> None:
    places = [
        definition
        for definition in schema.definitions(NAMES)
        if definition.name.startswith("graphmem_passage_")
    ]
    orders = [place.properties for place in places if "text" in place.properties]
    assert len(orders) == MOST_LANGUAGES + 1
    assert len(set(orders)) == len(orders)
    assert len({frozenset(order) for order in orders}) == 1


def test_the_vector_index_filters_and_is_not_quantized() -> None:
    vector = next(
        definition for definition in schema.definitions(()) if definition.type == "VECTOR"
    )
    assert vector.properties[0] == "embedding"
    assert {"project", "kind", "status", "live"} <= set(vector.properties)
    assert ("vector.quantization.type", "NONE") in vector.options


def test_a_complete_store_has_no_problems_and_costs_one_query(graph: Graph) -> None:
    assert schema.check(graph) == []
    before = graph.statements
    schema.ensure(graph, embedding_set=0)
    assert graph.statements == before + 1


def test_what_is_missing_is_named_and_made_again(graph: Graph, session: neo4j.Session) -> None:
    session.run("DROP INDEX graphmem_entity_project").consume()
    assert "graphmem_entity_project is missing" in schema.check(graph)[0]
    schema.ensure(graph)
    assert schema.check(graph) == []


def test_another_definition_under_our_name_is_noticed(graph: Graph, session: neo4j.Session) -> None:
    session.run("DROP INDEX graphmem_entity_project").consume()
    session.run(
        "CREATE INDEX graphmem_entity_project FOR (entity:Entity) ON (entity.name)"
    ).consume()
    try:
        with pytest.raises(
            SchemaMismatch, match=r"graphmem_entity_project is RANGE on Entity\(name\)"
        ):
            schema.ensure(graph)
    finally:
        session.run("DROP INDEX graphmem_entity_project").consume()


def test_several_may_set_it_up_at_once(graph: Graph, session: neo4j.Session) -> None:
    for name in ("graphmem_entity_project", "graphmem_passage_exact", "graphmem_passage_pending"):
        session.run(f"DROP INDEX {name}").consume()
    at_once(*[lambda: schema.ensure(graph)] * 8)
    assert schema.check(graph) == []


class GrowingGraph(Graph):
    """A store in which another process begins to fill an index after each look that finds none."""

    looks = 0

    def read(self, name: str, /, **parameters: object) -> list[Row]:
        rows = super().read(name, **parameters)
        if name != "read/indexes":
            return rows
        self.looks += 1
        if self.looks == 1:
            return [row for row in rows if row["name"] != "graphmem_entity_project"]
        is_filling = self.looks % 2 == 0
        state = "POPULATING" if is_filling else "ONLINE"
        return [
            {**row, "state": state} if row["name"] == "graphmem_passage_exact" else row
            for row in rows
        ]


def test_an_index_that_another_process_begins_to_fill_is_no_error(graph: Graph) -> None:
    growing = GrowingGraph(lambda: graph._target, timeout=graph.timeout)
    with growing:
        schema.ensure(growing)
    assert growing.looks > 1


def test_the_first_model_is_noted_and_stays(graph: Graph) -> None:
    first = schema.note_model(graph, DEFAULT_IDENTITY)
    assert schema.note_model(graph, ModelIdentity("other", "1", 3)) == first == DEFAULT_IDENTITY
    assert schema.stored_models(graph).current == first
