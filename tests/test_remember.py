"""Writing: what is remembered is there, once, whole; what is not allowed is refused by name."""

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest

from concurrent_calls import at_once
from fakes import FakeEmbedder
from graphmem import arguments
from graphmem.errors import InvalidInput, NotFound
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.memory.store.model import StoreModel
from graphmem.memory.writing.joining import joined_relation
from graphmem.model import Entity, Relation, Report
from memories import memory_with

LONG = "\n\n".join(
    f"## Part {i}\n\n" + f"Sentence {i} about berths and tides. " * 12 for i in range(8)
)


def outcomes(report: Report) -> list[str]:
    return [item.outcome for item in report.items]


def test_an_entity_is_created_once_and_unchanged_the_second_time(memory: Memory) -> None:
    said = {"name": "Redis cache", "kind": "Decision", "text": "Fast.", "tags": ["infra"]}
    assert outcomes(memory.remember([said])) == ["created"]
    assert outcomes(memory.remember([said])) == ["unchanged"]
    assert memory.stats().entities == 1


def test_what_is_said_later_is_added_and_replaces_single_fields(memory: Memory) -> None:
    memory.remember([{"name": "A", "title": "Old", "tags": ["x"], "attributes": {"a": 1, "b": 2}}])
    report = memory.remember([{"name": "a", "title": "New", "tags": ["y"], "attributes": {"b": 3}}])
    assert outcomes(report) == ["updated"]
    entity = memory.get("A")[0].entity
    assert (entity.title, entity.tags, entity.attributes) == ("New", ("x", "y"), {"a": 1, "b": 3})


def test_overwriting_replaces_lists_and_attributes(memory: Memory) -> None:
    memory.remember([{"name": "A", "tags": ["x"], "attributes": {"a": 1}, "observations": ["old"]}])
    memory.remember([{"name": "A", "tags": ["y"], "observations": ["new"]}], overwrite=True)
    entity = memory.get("A")[0].entity
    assert (entity.tags, entity.attributes) == (("y",), {})
    assert [item.text for item in entity.observations] == ["new"]


def test_observations_are_added_once_each_with_time_and_source(memory: Memory) -> None:
    noted = {"text": "It failed.", "created_at": "2026-03-01T10:00:00Z", "source": "review"}
    memory.remember([{"name": "A", "observations": [noted]}])
    memory.remember([{"name": "A", "observations": ["It  failed.", "It was mended."]}])
    observations = memory.get("A")[0].entity.observations
    assert [item.text for item in observations] == ["It failed.", "It was mended."]
    assert observations[0].created_at == datetime(2026, 3, 1, 10, tzinfo=UTC)
    assert observations[0].source == "review"


def test_a_long_text_is_split_and_comes_back_exactly(memory: Memory) -> None:
    memory.remember([{"name": "Manual", "text": LONG}])
    assert memory.stats().passages > 3
    assert memory.get("Manual")[0].entity.text == LONG


def test_an_edited_text_embeds_only_what_changed(memory: Memory, embedder: FakeEmbedder) -> None:
    memory.remember([{"name": "Manual", "text": LONG}])
    before = len(embedder.embedded)
    memory.remember([{"name": "Manual", "text": LONG + "One sentence more."}])
    assert 1 <= len(embedder.embedded) - before <= 2


def test_unchanged_texts_are_not_embedded_again(memory: Memory, embedder: FakeEmbedder) -> None:
    said = {"name": "Manual", "text": LONG}
    memory.remember([said])
    before = len(embedder.embedded)
    memory.remember([said | {"tags": ["handbook"], "status": "draft"}])
    assert len(embedder.embedded) == before


def test_a_card_stands_in_for_an_entity_without_text(memory: Memory) -> None:
    memory.remember([{"name": "A", "title": "A title to be found"}])
    assert memory.stats().passages == 1
    assert memory.get("A")[0].entity.text is None
    memory.remember([{"name": "A", "observations": ["said"]}])
    assert memory.stats().passages == 1


def test_kinds_and_relations_are_labels_and_types_in_any_script(
    memory: Memory, graph: Graph
) -> None:
    memory.remember(
        [{"name": "Очередь", "kind": "Сервис"}, {"name": "倉庫", "kind": "with `tick` and space"}],
        [{"from": "Очередь", "relation": "ЗАВИСИТ_ОТ", "to": "倉庫"}],
    )
    stats = memory.stats()
    assert set(stats.kinds) == {"Сервис", "with `tick` and space"}
    assert stats.types == {"ЗАВИСИТ_ОТ": 1}
    keys = [f"{memory.project}#очередь"]
    assert graph.read("read/stored_entities", keys=keys)[0]["labels"] == ["Entity", "Сервис"]


def test_another_kind_takes_the_old_label_away(memory: Memory, graph: Graph) -> None:
    memory.remember([{"name": "A", "kind": "Draft idea"}])
    memory.remember([{"name": "A", "kind": "Decision"}])
    row = graph.read("read/stored_entities", keys=[f"{memory.project}#a"])[0]
    assert sorted(row["labels"]) == ["Decision", "Entity"]


def test_names_apart_by_one_letter_in_another_script_stay_two(memory: Memory) -> None:
    memory.remember([{"name": "Аутентификация"}, {"name": "Авторизация"}])
    assert memory.stats().entities == 2


def test_one_name_in_two_projects_is_two_entities(memory: Memory, project: str) -> None:
    memory.remember([{"name": "A", "title": "one"}])
    memory.remember([{"name": "A", "title": "two"}], project=f"{project}-2")
    assert memory.get("A")[0].entity.title == "one"
    assert memory.get("A", project=f"{project}-2")[0].entity.title == "two"


def test_one_name_twice_in_a_call_is_one_entity(memory: Memory) -> None:
    report = memory.remember([{"name": "A", "tags": ["x"]}, {"name": " a ", "tags": ["y"]}])
    assert outcomes(report) == ["created", "updated"]
    assert memory.get("A")[0].entity.tags == ("x", "y")


def test_a_bad_item_is_refused_with_its_reason_and_the_others_are_written(memory: Memory) -> None:
    report = memory.remember(
        [{"name": "good"}, {"name": "bad", "confidence": 7}, {"nome": "worse"}, {"name": "  "}]
    )
    assert outcomes(report) == ["created", "refused", "refused", "refused"]
    reason = report.items[1].reason or ""
    assert "confidence" in reason
    assert "7" in reason
    assert "from 0 to 1" in reason


def test_a_field_that_is_missing_is_required_by_its_name(memory: Memory) -> None:
    given: list[Any] = [{"kind": "Service"}, {"name": None}, {"name": "A", "observations": [{}]}]
    ends: list[Any] = [
        {"relation": "R", "to": "A"},
        {"from": "A", "to": "A"},
        {"from": "A", "relation": "R"},
    ]
    assert [(item.name, item.reason) for item in memory.remember(given, ends).items] == [
        ("?", "entities[0].name is required"),
        ("?", "entities[1].name is required"),
        ("A", "entities[2].observations[0].text is required"),
        ("? -[R]-> A", "relations[0].from is required"),
        ("A -[?]-> A", "relations[1].relation is required"),
        ("A -[R]-> ?", "relations[2].to is required"),
    ]


@pytest.mark.parametrize("argument", ["entities", "relations"])
def test_one_object_in_place_of_a_list_is_refused(memory: Memory, argument: str) -> None:
    one: dict[str, Any] = {argument: {"name": "Lost", "text": "x"}}
    with pytest.raises(InvalidInput, match=rf"^{argument} must be a list, got"):
        memory.remember(**one)


@pytest.mark.parametrize("value", [{"name": "Lost"}, {}, "Lost", b"Lost", Entity("Lost"), 5])
def test_what_is_no_list_is_refused_with_the_next_step(value: object) -> None:
    with pytest.raises(InvalidInput, match=r"^entities must be a list.* into a list, too\.$"):
        arguments.several("entities", value)  # type: ignore[arg-type]  # what is refused


def test_several_values_may_come_one_after_the_other() -> None:
    assert [*arguments.several("entities", (name for name in "ab"))] == ["a", "b"]


def test_a_relation_to_a_missing_entity_is_refused_by_name(memory: Memory) -> None:
    report = memory.remember(
        [{"name": "A"}], [{"from": "A", "relation": "USES", "to": "nowhere to be found"}]
    )
    assert outcomes(report) == ["created", "refused"]
    assert "nowhere to be found" in (report.items[1].reason or "")


def test_a_stub_is_made_when_asked(memory: Memory) -> None:
    report = memory.remember(
        [{"name": "A"}], [{"from": "A", "relation": "USES", "to": "B"}], stubs=True
    )
    assert [(item.name, item.outcome) for item in report.items] == [
        ("A", "created"),
        ("A -[USES]-> B", "created"),
        ("B", "created"),
    ]


def test_a_report_calls_the_ends_of_relations_as_the_entities_are(memory: Memory) -> None:
    memory.remember([{"name": "Crane", "aliases": ["the hoist"]}, {"name": "Old quay"}])
    memory.rename("Old quay", "New quay")
    for _ in range(2):
        (item,) = memory.link("the hoist", "STANDS_ON", "old quay", valid_from="2026-01-01").items
        assert item.name == "Crane -[STANDS_ON from 2026-01-01]-> New quay"
    (item,) = memory.link("the hoist", "STANDS_ON", "old pier").items
    assert item.name == "the hoist -[STANDS_ON]-> old pier"


def test_many_ends_are_resolved_as_few_are(memory: Memory) -> None:
    names = [f"Pier {number}" for number in range(40)]
    entities: list[dict[str, object]] = [{"name": name} for name in names]
    entities += [
        {"name": "Crane", "aliases": ["the crane"]},
        {"name": "Old quay"},
        {"name": "Twin A", "aliases": ["twin"]},
        {"name": "Twin B", "aliases": ["twin"]},
    ]
    memory.remember(entities)
    memory.rename("Old quay", "New quay")
    memory.forget("Pier 3")
    ends = [*names, "PIER 7", "the crane", "Old quay", "New quay", f"{memory.project}#crane"]
    others = ["twin", "nobody"]
    relations = [{"from": "Crane", "relation": "R", "to": end} for end in [*ends, *others]]

    report = memory.remember(relations=relations)

    assert [item.name for item in report.refused] == ["Crane -[R]-> twin", "Crane -[R]-> nobody"]
    assert "ambiguous" in str(report.refused[0].reason)
    reached = {near.name for near in memory.get("Crane")[0].neighbours}
    assert reached == {*names, "Crane", "New quay"} - {"Pier 3"}


def test_a_relation_is_idempotent_and_its_fields_are_added(memory: Memory) -> None:
    memory.remember([{"name": "A"}, {"name": "B"}])
    said = {"from": "A", "relation": "USES", "to": "B", "note": "daily", "weight": 0.5}
    assert outcomes(memory.remember(relations=[said])) == ["created"]
    assert outcomes(memory.remember(relations=[said])) == ["unchanged"]
    again = memory.link("A", "USES", "B", weight=0.9)
    assert outcomes(again) == ["updated"]
    neighbour = memory.get("A")[0].neighbours[0]
    assert (neighbour.note, neighbour.weight) == ("daily", 0.9)


def test_relations_find_their_ends_by_alias_title_and_key(memory: Memory, project: str) -> None:
    memory.remember(
        [{"name": "A", "aliases": ["ADR-7"]}, {"name": "B", "title": "The long title of B"}]
    )
    report = memory.remember(
        relations=[
            {"from": "adr-7", "relation": "ONE", "to": "the long title of B"},
            {"from": f"{project}#a", "relation": "TWO", "to": "B"},
        ]
    )
    assert outcomes(report) == ["created", "created"]


def test_an_ambiguous_alias_is_refused_with_the_candidates(memory: Memory) -> None:
    memory.remember([{"name": "A", "aliases": ["it"]}, {"name": "B", "aliases": ["it"]}])
    report = memory.link("A", "USES", "it")
    assert outcomes(report) == ["refused"]
    assert "'A'" in (report.items[0].reason or "")
    assert "'B'" in (report.items[0].reason or "")


def test_unlink_takes_one_type_or_all(memory: Memory) -> None:
    memory.remember([{"name": "A"}, {"name": "B"}])
    for relation in ("ONE", "TWO", "THREE"):
        memory.link("A", relation, "B")
    assert len(memory.unlink("A", "B", "ONE").items) == 1
    again = memory.unlink("A", "B", "ONE")
    assert (again.items, again.notes) == (
        (), ("there is no relation ONE from A to B, so none was removed",),
    )  # fmt: skip
    assert memory.unlink("A", "B", "TWO", valid_from="2024-01-01").notes == (
        "there is no relation TWO from A to B that holds from 2024-01-01, so none was removed",
    )
    both = memory.unlink("A", "B")
    assert (len(both.items), both.notes) == (2, ())
    with pytest.raises(NotFound, match="C"):
        memory.unlink("A", "C")


def test_forgetting_is_soft_and_remembering_brings_back(memory: Memory) -> None:
    memory.remember([{"name": "Lighthouse", "text": "A tower with a lamp."}])
    assert outcomes(memory.forget("Lighthouse")) == ["updated"]
    assert outcomes(memory.forget(["lighthouse", "nobody"])) == ["unchanged", "refused"]
    assert memory.search("lighthouse").hits == ()
    assert memory.get("Lighthouse")[0].entity.status == "forgotten"
    memory.remember([{"name": "Lighthouse"}])
    hit = memory.search("lighthouse").hits[0]
    assert (hit.name, hit.status) == ("Lighthouse", "active")


def test_get_names_what_is_not_there(memory: Memory) -> None:
    memory.remember([{"name": "A"}])
    with pytest.raises(NotFound, match="nobody"):
        memory.get(["A", "nobody"])


def test_a_dry_run_says_what_would_happen_and_writes_nothing(memory: Memory) -> None:
    memory.remember([{"name": "A"}])
    report = memory.remember(
        [{"name": "A", "tags": ["x"]}, {"name": "B"}],
        [
            {"from": "A", "relation": "USES", "to": "B"},
            {"from": "A", "relation": "USES", "to": "C"},
        ],
        dry_run=True,
    )
    assert outcomes(report) == ["updated", "created", "created", "refused"]
    assert memory.stats().entities == 1
    assert memory.get("A")[0].entity.tags == ()


def test_a_reserved_attribute_is_refused(memory: Memory) -> None:
    report = memory.remember([{"name": "A", "attributes": {"graphmem_handles": "x"}}])
    assert "graphmem_handles" in (report.items[0].reason or "")


@pytest.mark.parametrize("size", [32_767, 40_000, 1_000_000])
def test_huge_values_never_reach_a_filter_of_the_indexes(memory: Memory, size: int) -> None:
    poison = "x" * size
    for field in ("name", "kind", "status", "category"):
        report = memory.remember([{"name": "A", field: poison}])
        assert outcomes(report) == ["refused"]
    with pytest.raises(InvalidInput):
        memory.remember([{"name": "A"}], project=poison)
    assert outcomes(memory.remember([{"name": "A", "text": poison, "attributes": {"x": poison}}]))
    assert memory.search("anything").degraded is None


def test_writers_at_the_same_time_make_one_entity_of_a_name(memory: Memory) -> None:
    """16 writers, each the same 200 entities in its own order, all at once."""

    def write(turn: int) -> None:
        said = [
            {"name": f"Entity {(i * 7 + turn) % 200}", "tags": [f"t{turn}"]} for i in range(200)
        ]
        memory.remember(said)

    at_once(*(partial(write, turn) for turn in range(16)))
    assert memory.stats().entities == 200
    assert len(memory.get("Entity 17")[0].entity.tags) == 16


def test_without_a_model_texts_wait_and_are_embedded_later(
    graph: Graph, embedder: FakeEmbedder, project: str
) -> None:
    embedder.state, embedder.reason = "loading", "the model is still loading"
    memory = Memory(
        graph, StoreModel(graph, embedder, wait_for_model=False, read_only=True), project
    )
    report = memory.remember([{"name": "Lighthouse", "text": "A tower with a lamp."}])
    assert "wait" in report.notes[0]
    assert memory.stats().pending == 1
    answer = memory.search("tower")
    assert [hit.name for hit in answer.hits] == ["Lighthouse"]
    assert "loading" in (answer.degraded or "")
    embedder.state, embedder.reason = "ready", None
    assert memory.remember([{"name": "Another"}]).notes == ()
    assert memory.model.fill() == ()
    assert memory.stats().pending == 0
    memory.model.close()


def test_another_model_than_the_stores_is_noticed(
    graph: Graph, memory: Memory, project: str
) -> None:
    memory.remember([{"name": "Lighthouse", "text": "A tower with a lamp."}])
    other = FakeEmbedder()
    other.made_with = type(other.made_with)("other-model", "1", 384)
    with_other = memory_with(other, graph, project)
    answer = with_other.search("tower")
    assert [hit.name for hit in answer.hits] == ["Lighthouse"]
    assert "other-model" in (answer.degraded or "")
    assert "wait" in with_other.remember([{"name": "B", "text": "lamp"}]).notes[0]
    assert memory.search("tower").degraded is None


def test_an_exact_name_wins_over_a_key(memory: Memory, project: str) -> None:
    memory.remember([{"name": "foo"}, {"name": f"{project}#foo"}])
    assert memory.get(f"{project}#foo")[0].entity.name == f"{project}#foo"


def test_overwriting_keeps_a_text_that_is_not_mentioned(memory: Memory) -> None:
    memory.remember([{"name": "A", "text": "long text"}])
    memory.remember([{"name": "A", "title": "T"}], overwrite=True)
    assert memory.get("A")[0].entity.text == "long text"
    memory.remember([{"name": "A", "text": ""}])
    assert memory.get("A")[0].entity.text is None


def test_attributes_in_another_order_change_nothing(memory: Memory) -> None:
    said = {"name": "A", "attributes": {"b": 1, "a": 2, "c": ["x", "y"]}}
    assert [outcomes(memory.remember([said])) for _ in range(3)] == [
        ["created"], ["unchanged"], ["unchanged"],
    ]  # fmt: skip


def test_a_relation_said_twice_in_a_call_keeps_both_sayings(memory: Memory) -> None:
    memory.remember([{"name": "A"}, {"name": "B"}])
    said = {"from": "A", "relation": "USES", "to": "B"}
    memory.remember(relations=[said | {"note": "first"}, said | {"weight": 0.5}])
    neighbour = memory.get("A")[0].neighbours[0]
    assert (neighbour.note, neighbour.weight) == ("first", 0.5)


def test_a_dry_run_knows_the_aliases_it_would_make(memory: Memory) -> None:
    entities: list[dict[str, object]] = [
        {"name": "Alpha", "aliases": ["A-1"], "title": "The Alpha"},
        {"name": "Beta"},
    ]
    relations = [
        {"from": "A-1", "relation": "X", "to": "Beta"},
        {"from": "the alpha", "relation": "Y", "to": "Beta"},
    ]
    dry = memory.remember(entities, relations, dry_run=True)
    assert outcomes(dry) == outcomes(memory.remember(entities, relations))


def test_a_stub_is_not_made_for_an_ambiguous_name(memory: Memory) -> None:
    memory.remember([{"name": "A", "aliases": ["it"]}, {"name": "B", "aliases": ["it"]}])
    report = memory.remember(relations=[{"from": "A", "relation": "R", "to": "it"}], stubs=True)
    assert outcomes(report) == ["refused"]


@pytest.mark.parametrize("names", [5, None, ["A", 5], [""], {"A": 1}])
def test_names_of_a_wrong_type_are_an_error(memory: Memory, names: object) -> None:
    with pytest.raises(InvalidInput, match="names"):
        memory.get(names)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="names"):
        memory.forget(names)  # type: ignore[arg-type]


def test_what_is_asserted_later_of_a_relation_in_one_call_counts_also_where_it_is_nothing() -> None:
    before = Relation("A", "USES", "B", note="first", weight=0.5, confidence=0.5, source="me")
    later = Relation("A", "USES", "B", note="", weight=0.0, confidence=0.0)
    assert joined_relation(before, later) == replace(later, source="me")


def test_an_end_that_leads_to_nothing_is_answered_with_names_that_begin_with_it(
    memory: Memory,
) -> None:
    memory.remember([{"name": "Redis cache"}, {"name": "Valkey"}])
    expected = f"there is no entity 'Redis' in {memory.project}; did you mean 'Redis cache'?"
    assert [item.reason for item in memory.link("Redis", "NEAR", "Valkey").refused] == [expected]
    relation = {"from": "Valkey", "relation": "NEAR", "to": "Redis"}
    assert [item.reason for item in memory.remember([], [relation]).refused] == [expected]


def test_custom_attributes_are_in_the_order_of_their_names(memory: Memory) -> None:
    values = dict.fromkeys(("pier", "owner", "état", "berth", "ort", "cost", "日付"), "x")
    relation = {"from": "A", "relation": "NEEDS", "to": "B", "attributes": values}
    memory.remember([{"name": "A", "attributes": values}, {"name": "B"}], [relation])
    (page,) = memory.get("A")
    (link,) = page.neighbours
    assert list(page.entity.attributes) == list(link.attributes) == sorted(values)
