"""`graphmem import memcp`: entities and relations with their contexts, however they were dumped."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from graphmem.adapters.memcp import importer as memcp
from graphmem.adapters.memcp.profile.reflection import upkeep_of
from graphmem.memory import Memory
from graphmem.model import Entity, Item, Relation
from graphmem.transfer import FORMATS, Row

TYPES: dict[str, Any] = {
    "id": "entity:⟨shop:prefers-typescript⟩", "type": "preference", "labels": ["language", "web"],
    "content": "New projects are written in TypeScript.", "embedding": [0.1, 0.2],
    "confidence": 0.9, "source": "a conversation", "decay_weight": 0.81, "context": "shop",
    "importance": 0.5, "user_importance": None, "created": "2026-01-02T03:04:05.123456789Z",
    "accessed": "2026-02-01T00:00:00Z", "access_count": 3,
}  # fmt: skip
CART: dict[str, Any] = {
    "id": "entity:⟨shop:cart⟩", "type": "concept", "labels": [], "content": "Holds what is bought.",
    "context": "shop",
}  # fmt: skip
USES: dict[str, Any] = {
    "id": "relates:1", "in": "entity:⟨shop:cart⟩", "out": "entity:⟨shop:prefers-typescript⟩",
    "rel_type": "written_in", "weight": 0.7, "created": "2026-01-03T00:00:00Z", "unique_key": "x",
}  # fmt: skip


def written(path: Path, value: object) -> Path:
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def rows(path: Path) -> list[Row]:
    return list(FORMATS["memcp"].read(path))


def entities(path: Path) -> list[Entity]:
    return [row.value for row in rows(path) if isinstance(row.value, Entity)]


def relations(path: Path) -> list[Relation]:
    return [row.value for row in rows(path) if isinstance(row.value, Relation)]


def refused(path: Path) -> list[str]:
    return [f"{row.place} {row.value.name}: {row.value.reason}"
            for row in rows(path) if isinstance(row.value, Item)]  # fmt: skip


# What becomes of an entity and a relation


def test_an_entity_keeps_everything_but_its_embedding(memory: Memory, tmp_path: Path) -> None:
    memory.import_("memcp", written(tmp_path / "x.json", [{**TYPES, "context": None}]))
    entity = memory.get("shop:prefers-typescript")[0].entity
    assert (entity.kind, entity.tags, entity.confidence) == ("preference", ("language", "web"), 0.9)
    assert (entity.text, entity.source) == (TYPES["content"], "a conversation")
    assert str(entity.created_at) == "2026-01-02 03:04:05.123456+00:00"
    assert entity.attributes == {"importance": 0.5}


def test_how_an_entity_was_used_is_kept(memory: Memory, tmp_path: Path) -> None:
    memory.import_(
        "memcp", written(tmp_path / "x.json", [{**TYPES, "context": None, "id": "types"}])
    )
    key = memory.get("types")[0].entity.key or ""
    use = upkeep_of(memory).uses([key])[key]
    assert (str(use.accessed), use.access_count, use.decay_weight) == (
        "2026-02-01 00:00:00+00:00", 3, 0.81,
    )  # fmt: skip


def test_a_relation_joins_the_entities_its_ids_name(
    memory: Memory, project: str, tmp_path: Path
) -> None:
    plain = [{**one, "context": None} for one in (TYPES, CART)]
    path = written(tmp_path / "dump.json", {"entities": plain, "relations": [USES]})
    report = memory.import_("memcp", path)
    assert not report.refused
    (page,) = memory.get("shop:cart")
    assert [(n.relation, n.name, n.weight) for n in page.neighbours] == [
        ("written_in", "shop:prefers-typescript", 0.7)
    ]
    assert page.entity.project == project


def test_ends_may_be_names_as_they_were_remembered(tmp_path: Path) -> None:
    path = written(
        tmp_path / "x.json",
        {"entities": [{"name": "A b", "content": "x"}, {"name": "C", "content": "y"}],
         "relations": [{"from": "A b", "to": "C", "type": "uses", "weight": 1}]},
    )  # fmt: skip
    assert [(relation.start, relation.relation, relation.end) for relation in relations(path)] == [
        ("A b", "uses", "C")
    ]
    assert [entity.kind for entity in entities(path)] == ["concept", "concept"]


@pytest.mark.parametrize(
    "said",
    [
        {"from": "a", "to": "b", "type": "uses"},
        {"in": "entity:a", "out": "entity:b", "rel_type": "uses"},
        {"source": "a", "target": "b", "relation": "uses"},
        {"from_id": "a", "to_id": "b", "relation_type": "uses", "type": None},
    ],
)
def test_a_relation_is_read_by_any_of_its_names(tmp_path: Path, said: dict[str, object]) -> None:
    path = written(tmp_path / "x.json", [{"id": "a"}, {"id": "b"}, said])
    assert [
        (relation.start, relation.relation, relation.end, relation.source)
        for relation in relations(path)
    ] == [("a", "uses", "b", None)]


def test_a_second_import_changes_nothing(memory: Memory, project: str, tmp_path: Path) -> None:
    both = [{**one, "context": f"{project}/two"} for one in (TYPES, CART)]
    value = {"entities": [*both, {"id": "plain", "content": "x"}], "relations": [USES]}
    path = written(tmp_path / "dump.json", value)
    first = memory.import_("memcp", path)
    assert {item.outcome for item in first.items} == {"created"}
    again = memory.import_("memcp", path)
    assert {item.outcome for item in again.items} == {"unchanged"}
    assert memory.stats().entities == 1
    assert memory.stats(project=f"{project}/two").relations == 1


def test_what_was_found_since_is_not_forgotten_by_a_second_import(
    memory: Memory, tmp_path: Path
) -> None:
    path = written(tmp_path / "x.json", [{**TYPES, "context": None, "id": "types"}])
    memory.import_("memcp", path)
    key = memory.get("types")[0].entity.key or ""
    upkeep_of(memory).note_use([key])
    upkeep_of(memory).tracker.settle()
    assert {item.outcome for item in memory.import_("memcp", path).items} == {"unchanged"}
    use = upkeep_of(memory).uses([key])[key]
    assert (use.access_count, use.decay_weight) == (4, 1.0)


# Contexts


def test_a_context_is_a_project_and_none_the_one_imported_into(
    memory: Memory, project: str, tmp_path: Path
) -> None:
    one, two = f"{project}/one", f"{project}/two"
    same = [{"id": "same", "content": context, "context": context} for context in (one, two, None)]
    report = memory.import_("memcp", written(tmp_path / "x.json", same))
    assert report.notes == (f"what was read belongs to 3 projects: '{project}', '{one}', '{two}'",)
    assert memory.get("same", project=one)[0].entity.text == one
    assert memory.get("same", project=two)[0].entity.text == two
    assert memory.get("same")[0].entity.text is None


def test_the_context_that_memcp_gave_a_repository_is_its_project(
    memory: Memory, tmp_path: Path
) -> None:
    short = str(memory.project).rpartition("/")[2]
    value = [{"id": f"entity:⟨{short}:cart⟩", "content": "x", "context": short}]
    report = memory.import_("memcp", written(tmp_path / "x.json", value))
    assert [(item.name, item.outcome) for item in report.items] == [("cart", "created")]
    assert report.notes == ()
    assert memory.stats().entities == 1


def test_the_context_of_a_plain_folder_is_its_project(memory: Memory, tmp_path: Path) -> None:
    value = [{"id": "cart", "content": "x", "context": "shop"}]
    path = written(tmp_path / "x.json", value)
    memory.import_("memcp", path, project="shop-0123abcd")
    elsewhere = memory.import_("memcp", path, dry_run=True)
    assert elsewhere.notes == ("all that was read belongs to the project 'shop'",)
    assert memory.get("cart", project="shop-0123abcd")


def test_a_relation_between_two_contexts_is_refused(tmp_path: Path) -> None:
    other = {"id": "other", "content": "x", "context": "tools"}
    joined = {"in": "entity:⟨shop:cart⟩", "out": "entity:other", "rel_type": "uses"}
    path = written(tmp_path / "x.json", {"entities": [CART, other], "relations": [joined]})
    assert refused(path) == ["x.json relations[0]: its ends are in two contexts: shop and tools"]


@pytest.mark.parametrize(
    ("written_id", "name"),
    [
        ("entity:x", "x"),
        ("x", "x"),
        ("entity:⟨shop:x⟩", "x"),
        ("entity:`shop:x`", "x"),
        ("shop:x", "x"),
        ({"Table": "entity", "ID": "shop:x"}, "x"),
        ({"tb": "entity", "id": "x"}, "x"),
        ("other:x", "other:x"),
    ],
)
def test_a_name_is_read_from_every_form_of_an_id(written_id: object, name: str) -> None:
    assert memcp.name_of(written_id, "shop") == name


# What is said twice


def test_the_same_name_twice_in_a_context_is_updated_and_its_labels_united(tmp_path: Path) -> None:
    again = {"name": "Prefers-TypeScript", "labels": ["Web", "style"], "content": "Always.",
             "context": "shop", "confidence": 0.5, "access_count": 1, "why": "types"}  # fmt: skip
    path = written(tmp_path / "x.json", {"entities": [TYPES, CART, again]})
    first, second = entities(path)
    assert refused(path) == []
    assert (first.name, first.kind, second.kind) == ("prefers-typescript", "preference", "concept")
    assert (first.text, first.confidence) == ("Always.", 0.5)
    assert first.tags == ("language", "web", "style")
    assert (first.attributes["access_count"], first.attributes["why"]) == (3, "types")
    assert first.created_at is not None


def test_what_is_not_said_again_stays(tmp_path: Path) -> None:
    path = written(tmp_path / "x.json", [{**TYPES, "labels": []}, {"id": TYPES["id"],
                   "context": "shop", "labels": "web"}])  # fmt: skip
    (entity,) = entities(path)
    assert (entity.kind, entity.text, entity.tags) == ("preference", TYPES["content"], ("web",))
    assert (entity.confidence, entity.source) == (0.9, "a conversation")


def test_what_says_when_it_holds_does_so(tmp_path: Path) -> None:
    until = {"valid_until": "2026-05-31"}
    path = written(tmp_path / "x.json", {"entities": [{**TYPES, **until}, CART, {**TYPES}],
                   "relations": [{**USES, **until}, {**USES, "valid_until": "soon"}]})  # fmt: skip
    assert [entity.valid_until for entity in entities(path)] == [date(2026, 5, 31), None]
    assert [relation.valid_until for relation in relations(path)] == [date(2026, 5, 31)]
    assert "valid_until must be a date" in refused(path)[0]


def test_the_same_name_in_two_contexts_stays_two(tmp_path: Path) -> None:
    path = written(tmp_path / "x.json", [{"id": "a", "context": one} for one in ("p/1", "p/2")])
    assert len(entities(path)) == 2


# Odd forms


@pytest.mark.parametrize(
    ("name", "context", "project"),
    [("id", "p/2", "p/2"), ("name", "p/2", "p/2"), ("name", None, None)],
)
def test_a_relation_belongs_to_its_context_where_its_ends_are_in_several(
    tmp_path: Path, name: str, context: str | None, project: str | None
) -> None:
    ends = [{name: end, "context": one} for one in ("p/1", "p/2") for end in ("a", "b")]
    near = {"from": "a", "to": "b", "type": "near", "context": context}
    path = written(tmp_path / "x.json", {"entities": ends, "relations": [near]})
    assert [row.project for row in rows(path) if isinstance(row.value, Relation)] == [project]


def test_lines_that_say_what_they_are_load(tmp_path: Path) -> None:
    lines = [
        {"type": "entity", "name": "A", "entityType": "service", "observations": ["one", "two"]},
        {"type": "entity", "name": "B"},
        {"type": "relation", "from": "A", "to": "B", "relation_type": "uses"},
        {"type": "relation", "from": "B", "to": "A", "relationType": "serves"},
    ]
    path = written(tmp_path / "x.jsonl", "\n".join(map(json.dumps, lines)))
    entity, two = entities(path)
    assert (entity.kind, two.kind) == ("service", "entity")
    assert [observation.text for observation in entity.observations] == ["one", "two"]
    assert [(r.start, r.relation, r.end) for r in relations(path)] == [
        ("A", "uses", "B"),
        ("B", "serves", "A"),
    ]


def test_one_label_may_stand_for_a_list(tmp_path: Path) -> None:
    (entity,) = entities(written(tmp_path / "x.json", [{"id": "a", "labels": "web"}]))
    assert entity.tags == ("web",)


@pytest.mark.parametrize("value", [{"b": {"c": 1}}, [{"b": 1}], [1, "a"], {}, [[1], [2]]])
def test_what_holds_objects_is_kept_as_json(tmp_path: Path, value: object) -> None:
    (entity,) = entities(written(tmp_path / "x.json", [{"id": "a", "metadata": value}]))
    assert json.loads(str(entity.attributes["metadata"])) == value


def test_a_field_that_graphmem_has_itself_gets_another_name(tmp_path: Path) -> None:
    (entity,) = entities(written(tmp_path / "x.json", [{"id": "a", "status": "x", "a?": 1}]))
    assert entity.attributes == {"status_": "x", "a_": 1}
    link = {"from": "a", "to": "b", "type": "USES", "note": "why", "asserted_by": "me"}
    (relation,) = relations(written(tmp_path / "y.json", [{"id": "a"}, {"id": "b"}, link]))
    assert relation.attributes == {"note_": "why", "asserted_by_": "me"}


# However it was dumped


@pytest.mark.parametrize(
    "value",
    [
        {"entities": [TYPES, CART], "relations": [USES]},
        {"entity": [TYPES, CART], "relates": [USES]},
        {"entities": [TYPES, CART], "relates": [USES], "count": 3, "summary": None},
        [TYPES, CART, USES],
        [[TYPES, CART], [USES]],
        [{"result": [TYPES, CART], "status": "OK"}, {"result": [USES], "status": "OK"}],
        "\n".join(map(json.dumps, [USES, TYPES, CART])),
        json.dumps([TYPES, CART, USES], indent=2, ensure_ascii=False),
        json.dumps({"entities": [TYPES, CART]}) + "\n" + json.dumps(USES) + "\n\n",
    ],
)
def test_every_form_of_dump_gives_the_same(tmp_path: Path, value: object) -> None:
    path = written(tmp_path / "dump.json", value)
    assert refused(path) == []
    assert [entity.name for entity in entities(path)] == ["prefers-typescript", "cart"]
    assert [(relation.start, relation.end) for relation in relations(path)] == [
        ("cart", "prefers-typescript")
    ]
    assert {row.project for row in rows(path)} == {"shop"}


def test_a_folder_is_read_whole_and_relations_may_stand_in_another_file(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    written(tmp_path / "a-relates.json", [USES])
    written(tmp_path / "deep" / "entity.jsonl", f"{json.dumps(TYPES)}\n{json.dumps(CART)}\n")
    written(tmp_path / "readme.txt", "no JSON")
    assert refused(tmp_path) == []
    assert len(entities(tmp_path)) == 2
    assert len(relations(tmp_path)) == 1


def test_an_empty_file_and_an_empty_folder_import_nothing(tmp_path: Path) -> None:
    assert rows(tmp_path) == []
    for name, value in (("a.json", ""), ("b.json", "[]"), ("c.json", '{"entities": []}')):
        assert rows(written(tmp_path / name, value)) == []


# What is refused


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({"content": "no name"}, "name"),
        ({"id": " ", "content": "x"}, "name"),
        ({"id": 5, "content": "x"}, "name"),
        ({"id": "a", "labels": 5}, "[1].labels must be a list of texts, got 5"),
        ({"id": "a", "labels": [1]}, "[1].labels[0] must be text, got 1"),
        ({"id": "a", "confidence": 1.5}, "confidence"),
        (
            {"id": "a", "type": "Entity"},
            "[1].type must not be one of graphmem's own labels, got 'Entity'",
        ),
        ({"id": "a", "content": 5}, "[1].content must be text, got 5"),
        ({"id": "a", "context": "a#b"}, "context"),
        ({"id": "a", "context": 5}, "context"),
        ({"id": "a", "created": "then"}, "[1].created must be a date"),
        ({"id": "a", "accessed": "then"}, "accessed"),
        ({"id": "a", "access_count": -1}, "access_count"),
        ({"id": "a", "access_count": 1.5}, "access_count"),
        ({"id": "a", "access_count": True}, "access_count"),
        ({"id": "a", "access_count": 2**31}, "access_count"),
        ({"id": "a", "decay_weight": 2}, "decay_weight"),
        (7, "object"),
        (None, "object"),
        ({"from": "fine", "to": "fine", "weight": 1}, "relation"),
        ({"from": "fine", "to": None, "type": "uses"}, "to"),
        ({"from": "fine", "to": "fine", "type": "uses", "weight": 3}, "weight"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_place_and_the_others_load(
    tmp_path: Path, value: object, reason: str
) -> None:
    path = written(tmp_path / "x.json", [{"id": "fine", "content": "x"}, value])
    (why,) = refused(path)
    assert why.startswith("x.json [1]: ")
    assert reason in why
    assert [entity.name for entity in entities(path)] == ["fine"]


def test_a_line_that_is_no_json_is_refused_with_its_number(tmp_path: Path) -> None:
    path = written(tmp_path / "x.jsonl", f"{{half\n{json.dumps(CART)}\n\n{'[' * 100_000}\n")
    assert [refusal.split(" ")[0] for refusal in refused(path)] == ["x.jsonl:1", "x.jsonl:4"]
    assert len(entities(path)) == 1


def test_half_a_document_is_refused_once_with_the_place(tmp_path: Path) -> None:
    whole = json.dumps({"entities": [TYPES, CART]}, indent=2)
    (why,) = refused(written(tmp_path / "x.json", whole[: len(whole) // 2]))
    assert "not JSON" in why
    assert "line " in why


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(b"\xff\xfe[]")
    assert "cannot be read" in refused(tmp_path / "x.json")[0]


def test_lists_in_lists_without_end_are_refused(tmp_path: Path) -> None:
    (why,) = refused(written(tmp_path / "x.json", "[" * 500 + "]" * 500))
    assert "deeper than" in why


def test_a_relation_to_a_missing_entity_is_refused(memory: Memory, tmp_path: Path) -> None:
    value = [{"id": "a", "content": "x"}, {"from": "a", "to": "nobody", "type": "uses"}]
    report = memory.import_("memcp", written(tmp_path / "x.json", value))
    (item,) = report.refused
    assert (item.place, item.what) == ("x.json", "relation")
    assert "nobody" in (item.reason or "")


def test_episodes_stay_behind_and_are_reported(tmp_path: Path) -> None:
    path = written(tmp_path / "x.json", {"entities": [CART], "episodes": [{"id": "e"}] * 12})
    (why,) = refused(path)
    assert "12 of memcp's episodes were skipped" in why


def test_a_long_source_is_an_attribute(tmp_path: Path) -> None:
    (entity,) = entities(written(tmp_path / "x.json", [{**CART, "source": "s" * 300}]))
    assert (entity.source, entity.attributes) == (None, {"source text": "s" * 300})
