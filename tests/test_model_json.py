"""Entities, observations and relations as objects of JSON: what is refused, there and back."""

import dataclasses
import json
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.model import Entity, Observation, Relation
from graphmem.model.entity_fields import ENTITY_FIELDS
from graphmem.model.entity_fields import FIELD_NAMES as ENTITY_FIELD_NAMES
from graphmem.model.identity import RelationIdentity
from graphmem.model.observation_fields import OBSERVATION_FIELDS
from graphmem.model.period import period
from graphmem.model.relation_fields import FIELD_NAMES
from graphmem.read.contents import entity as read_entity
from graphmem.write.assertions.links import properties_of
from graphmem.write.assertions.shape import Stored
from graphmem.write.assertions.upsert import upserted
from graphmem.write.options import WriteOptions

MIB = 1024 * 1024
ANY_TEXT = st.text(st.characters())


# Fields


@pytest.mark.parametrize(
    ("field", "value", "argument"),
    [
        ("name", None, "entity.name"),
        ("name", "n" * 513, "entity.name"),
        ("title", "t" * 513, "entity.title"),
        ("kind", "k" * 201, "entity.kind"),
        ("kind", "Passage", "entity.kind"),
        ("text", "t" * (MIB + 1), "entity.text"),
        ("aliases", "alias", "entity.aliases"),
        ("aliases", ["a" * 513], "entity.aliases[0]"),
        ("tags", ["fine", "t" * 201], "entity.tags[1]"),
        ("status", "登" * 171, "entity.status"),
        ("category", "c\0", "entity.category"),
        ("confidence", 1.5, "entity.confidence"),
        ("source", "s" * 201, "entity.source"),
        ("created_at", "soon", "entity.created_at"),
        ("attributes", [1], "entity.attributes"),
        ("attributes", {"a": {"b": 1}}, "entity.attributes.a"),
        ("observations", "one", "entity.observations"),
        ("observations", 5, "entity.observations"),
        ("observations", {"text": "one"}, "entity.observations"),
        ("observations", [" "], "entity.observations[0].text"),
        ("observations", [{"text": "o", "colour": "red"}], "entity.observations[0]"),
        ("observations", [{"text": "o", "confidence": 2}], "entity.observations[0].confidence"),
        ("observations", ["fine", 5], "entity.observations[1]"),
        ("type", "relation", "entity.type"),
        ("colour", "red", "entity"),
        ("key", "p#n", "entity"),
        ("project", "p", "entity"),
    ],
)
def test_a_field_of_an_entity_that_is_not_allowed_is_named(
    field: str, value: object, argument: str
) -> None:
    with pytest.raises(InvalidInput) as error:
        Entity.from_json({"name": "n", field: value})
    assert error.value.argument == argument


@pytest.mark.parametrize(
    ("field", "value", "argument"),
    [
        ("from", None, "relation.from"),
        ("to", " ", "relation.to"),
        ("relation", "HAS_PASSAGE", "relation.relation"),
        ("relation", "R" * 201, "relation.relation"),
        ("note", "n" * (MIB + 1), "relation.note"),
        ("weight", 1.5, "relation.weight"),
        ("confidence", "high", "relation.confidence"),
        ("valid_from", "soon", "relation.valid_from"),
        ("valid_until", ["2026-03-01"], "relation.valid_until"),
        ("type", "entity", "relation.type"),
        ("start", "a", "relation"),
    ],
)
def test_a_field_of_a_relation_that_is_not_allowed_is_named(
    field: str, value: object, argument: str
) -> None:
    with pytest.raises(InvalidInput) as error:
        Relation.from_json({"from": "a", "relation": "R", "to": "b", field: value})
    assert error.value.argument == argument


@pytest.mark.parametrize(
    ("read", "value", "missing"),
    [
        (Entity.from_json, {}, "entity.name"),
        (Entity.from_json, {"name": None}, "entity.name"),
        (Entity.from_json, {"name": "a", "observations": [{}]}, "entity.observations[0].text"),
        (Relation.from_json, {"relation": "R", "to": "b"}, "relation.from"),
        (Relation.from_json, {"from": "a", "to": "b"}, "relation.relation"),
        (Relation.from_json, {"from": "a", "relation": "R"}, "relation.to"),
    ],
)
def test_a_missing_field_is_named_as_required(
    read: Callable[[object], object], value: object, missing: str
) -> None:
    with pytest.raises(InvalidInput) as raised:
        read(value)
    assert str(raised.value) == f"{missing} is required"


@pytest.mark.parametrize("value", [None, 5, "text", ["name"]])
def test_what_is_no_object_is_refused(value: object) -> None:
    for read in (Entity.from_json, Relation.from_json):
        with pytest.raises(InvalidInput, match="must be an object"):
            read(value)


# There and back

# Most marks that nobody sees are refused in names, so that few examples would be read at all.
WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cf"]), min_size=1, max_size=30
).filter(lambda word: word.strip() != "")
FIRST, SPLIT, LAST = datetime(1, 1, 3), datetime(2000, 1, 1), datetime(9999, 12, 29)  # noqa: DTZ001 - the zones are another strategy
ZONES = st.sampled_from([UTC, timezone(timedelta(hours=5, minutes=30))])
MOMENTS = st.datetimes(FIRST, LAST, timezones=ZONES)
SHARES = st.floats(0, 1)
SCALARS: list[st.SearchStrategy[object]] = [
    st.text(st.characters(codec="utf-8"), max_size=30),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.dates(),
    MOMENTS,
    st.datetimes(FIRST, LAST),
]
ATTRIBUTES = st.dictionaries(
    st.from_regex(r"own_[a-zа-я][a-z0-9 .\-]{0,10}", fullmatch=True),
    st.one_of(*SCALARS, *(st.lists(scalar, max_size=4) for scalar in SCALARS)),
    max_size=5,
)
PERIOD = {
    "valid_from": st.datetimes(FIRST, SPLIT, timezones=ZONES) | st.dates(max_value=SPLIT.date()),
    "valid_until": st.datetimes(SPLIT, LAST, timezones=ZONES) | st.dates(SPLIT.date()),
}
OBSERVATIONS = st.fixed_dictionaries(
    {"text": WORDS},
    optional={"created_at": MOMENTS, "source": WORDS, "confidence": SHARES, **PERIOD},
) | st.fixed_dictionaries(
    {"id": WORDS},
    optional={"text": WORDS, "unset": st.lists(st.sampled_from(["source", *PERIOD])), **PERIOD},
)
ENTITIES = st.fixed_dictionaries(
    {"name": WORDS},
    optional={
        "type": st.just("entity"), "kind": WORDS, "title": WORDS, "text": st.text(max_size=200),
        "observations": st.lists(OBSERVATIONS | WORDS, max_size=3), "aliases": st.lists(WORDS),
        "tags": st.lists(WORDS), "status": WORDS, "category": WORDS, "confidence": SHARES,
        "source": WORDS, "lead_in": WORDS, "created_at": MOMENTS, "attributes": ATTRIBUTES,
        **PERIOD,
    },
)  # fmt: skip
RELATIONS = st.fixed_dictionaries(
    {"from": WORDS, "relation": WORDS, "to": WORDS},
    optional={
        "note": st.text(max_size=50), "weight": SHARES, "confidence": SHARES, "source": WORDS,
        "created_at": MOMENTS, "attributes": ATTRIBUTES, **PERIOD,
    },
)  # fmt: skip

FIELDS = [
    "name", "kind", "title", "text", "observations", "aliases", "tags", "status", "category",
    "confidence", "source", "lead_in", "created_at", "valid_from", "valid_until", "attributes",
]  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT | st.just("text"), inner, max_size=3)
    ),
    max_leaves=8,
)


def through_json(value: object) -> object:
    return json.loads(json.dumps(value, ensure_ascii=False, allow_nan=False))


@given(ENTITIES)
def test_an_entity_written_as_json_is_read_back_the_same(said: dict[str, object]) -> None:
    try:
        entity = Entity.from_json(said)
    except InvalidInput:
        return
    assert Entity.from_json(through_json(entity.to_json())) == entity


@given(RELATIONS)
def test_a_relation_written_as_json_is_read_back_the_same(said: dict[str, object]) -> None:
    try:
        relation = Relation.from_json(said)
    except InvalidInput:
        return
    assert Relation.from_json(through_json(relation.to_json())) == relation


@given(ATTRIBUTES)
@example({"own_due": datetime(2026, 3, 1, 10)})  # noqa: DTZ001 - as YAML reads one without a zone
@example({"own_days": [date(2026, 3, 1), date(2026, 3, 2)]})
@example({"own_mixed": [1, 2.5], "own_none": []})
def test_every_sort_of_attribute_survives_json(said: dict[str, object]) -> None:
    entity = Entity.from_json({"name": "n", "attributes": said})
    again = Entity.from_json(through_json(entity.to_json()))

    assert again.attributes == entity.attributes
    assert {name: type(value) for name, value in again.attributes.items()} == {
        name: type(value) for name, value in entity.attributes.items()
    }


def test_every_field_of_an_entity_is_in_its_json() -> None:
    moment = "2026-03-01T10:00:00Z"
    said = {
        "type": "entity", "name": "n", "kind": "K", "title": "t", "text": "x",
        "observations": [
            {"text": "o", "created_at": moment, "source": "s", "confidence": 0.5,
             "valid_from": "2026-01-01", "valid_until": moment}
        ],
        "aliases": ["a"], "tags": ["g"], "status": "s", "category": "c", "confidence": 0.5,
        "source": "s", "lead_in": "l", "created_at": moment,
        "valid_from": "2026-01-01", "valid_until": "2026-03-01",
        "attributes": {"own": 1, "due": {"date": "2026-03-01"}},
    }  # fmt: skip

    assert Entity.from_json(said).to_json() == said


def test_every_field_of_a_relation_is_in_its_json() -> None:
    said = {
        "type": "relation", "from": "a", "relation": "R", "to": "b", "note": "n", "weight": 0.5,
        "confidence": 0.5, "source": "s", "created_at": "2026-03-01T10:00:00Z",
        "valid_from": "2026-01-01", "valid_until": "2026-03-01", "attributes": {"own": True},
    }  # fmt: skip

    assert Relation.from_json(said).to_json() == said


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("2026-03-01", "2026-03-01"),
        ("2026-03-01T23:59:00Z", "2026-03-01"),
        ("2026-03-01T10:00:00Z", "2026-03-01T12:00:00+02:00"),
        ("0001-01-01", "9999-12-31"),
    ],
)
def test_a_period_that_ends_on_a_day_lasts_until_its_end(first: str, last: str) -> None:
    period = {"valid_from": first, "valid_until": last}
    Relation.from_json({"from": "a", "relation": "R", "to": "b", **period})
    Entity.from_json({"name": "a", "observations": [{"text": "b", **period}], **period})


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("2026-03-02", "2026-03-01"),
        ("2026-03-01T10:00:01Z", "2026-03-01T10:00:00Z"),
        ("2026-03-02", "2026-03-02T01:00:00+02:00"),
    ],
)
def test_a_period_does_not_end_before_it_begins(first: str, last: str) -> None:
    period = {"valid_from": first, "valid_until": last}
    before = "must not be before valid_from, which is 2026-03-0"
    with pytest.raises(InvalidInput, match=f"^relation.valid_until {before}"):
        Relation.from_json({"from": "a", "relation": "R", "to": "b", **period})
    with pytest.raises(InvalidInput, match=f"^entity.valid_until {before}"):
        Entity.from_json({"name": "a", **period})
    with pytest.raises(InvalidInput, match=f"^entity.observations.0..valid_until {before}"):
        Entity.from_json({"name": "a", "observations": [{"text": "b", **period}]})


@pytest.mark.parametrize(
    ("first", "last", "text"),
    [
        (None, None, ""),
        (date(2026, 3, 1), None, "from 2026-03-01"),
        (None, date(2026, 3, 1), "until 2026-03-01"),
        (
            datetime(2026, 3, 1, 10, tzinfo=UTC),
            date(2026, 4, 1),
            "2026-03-01T10:00:00Z to 2026-04-01",
        ),
    ],
)
def test_a_period_is_written_for_people(first: date | None, last: date | None, text: str) -> None:
    assert period(first, last) == text


def test_relations_are_told_apart_by_the_moment_at_which_they_begin() -> None:
    def identity(**period: object) -> RelationIdentity:
        line = {"from": "a", "relation": "R", "to": "b", **period}
        return RelationIdentity.between("p#a", "p#b", Relation.from_json(line))

    assert identity() == RelationIdentity("p#a", "p#b", "R")
    assert identity(valid_from="2026-03-01") == identity(valid_from="2026-03-01T00:00:00Z")
    assert identity(valid_from="2026-03-01") != identity(valid_from="2026-03-02")
    assert identity(valid_until="2026-03-01") == identity()
    assert identity().token != identity(valid_from="2026-03-01").token
    assert str(identity(valid_from="2026-03-01")) == "a -[R from 2026-03-01]-> b"


@pytest.mark.parametrize("relation", ["R", "works at", "зависит от", "is C# of"])
@pytest.mark.parametrize("project", ["p", "my notes", "example.org/a"])
@pytest.mark.parametrize("since", ["", "2026-03-01T00:00:00Z"])
def test_a_relation_is_read_from_its_token_whatever_has_spaces(
    relation: str, project: str, since: str
) -> None:
    identity = RelationIdentity(f"{project}#a", f"{project}#b #2 of c", relation, since)
    assert RelationIdentity.of_token(identity.start, identity.token) == identity


def test_an_observation_may_be_a_text_alone() -> None:
    assert Observation.from_json("seen") == Observation("seen")


@given(JSON | WORDS | SHARES | st.lists(WORDS) | ATTRIBUTES, st.sampled_from(FIELDS))
def test_any_json_value_in_any_field_is_read_or_refused_and_nothing_else(
    value: object, field: str
) -> None:
    try:
        entity = Entity.from_json({"name": "n", field: value})
    except InvalidInput:
        return
    assert Entity.from_json(through_json(entity.to_json())) == entity


def test_every_field_of_an_entity_enters_is_kept_and_leaves() -> None:
    line: dict[str, object] = {
        "type": "entity", "name": "A", "kind": "Decision", "title": "An A", "text": "All of it.",
        "status": "draft", "category": "infra", "confidence": 0.5, "source": "me",
        "lead_in": "Why A?", "created_at": "2026-03-01T10:00:00Z",
        "valid_from": "2026-01-01", "valid_until": "2026-03-01T10:00:00Z",
    }  # fmt: skip
    values = {name: value for name, value in line.items() if name in ENTITY_FIELD_NAMES}
    assert values.keys() == set(ENTITY_FIELD_NAMES)
    stored = upserted(
        Stored("p#a", {}, (), ()), Entity.from_json(line),
        options=WriteOptions("p"), now=datetime(2026, 4, 1, tzinfo=UTC), again=False,
    )  # fmt: skip

    assert read_entity(stored.properties, stored.passages).to_json() == line
    by_hand = {row.name: 5 for row in ENTITY_FIELDS if row.name != "text"}
    edited = read_entity({**stored.properties, **by_hand}, stored.passages)
    assert {name: getattr(edited, name) for name in by_hand} == {
        row.name: row.read(5) for row in ENTITY_FIELDS if row.name != "text"
    }


def test_every_field_of_an_observation_enters_is_kept_and_leaves() -> None:
    line: dict[str, object] = {
        "text": "It rained.", "created_at": "2026-03-01T10:00:00Z", "source": "me",
        "confidence": 0.5, "valid_from": "2026-01-01", "valid_until": "2026-03-01T10:00:00Z",
    }  # fmt: skip
    assert line.keys() == {"text", *OBSERVATION_FIELDS}
    stored = upserted(
        Stored("p#a", {}, (), ()), Entity.from_json({"name": "A", "observations": [line]}),
        options=WriteOptions("p"), now=datetime(2026, 4, 1, tzinfo=UTC), again=False,
    )  # fmt: skip

    (observation,) = read_entity(stored.properties, stored.passages).observations
    assert observation.to_json() == line


def test_the_table_of_relation_fields_is_what_a_relation_has() -> None:
    apart = {"start", "relation", "end", "attributes", "provenance", "unset", "replaces"}
    names = [field.name for field in dataclasses.fields(Relation) if field.name not in apart]
    assert names == list(FIELD_NAMES)


def test_every_field_of_a_relation_enters_is_kept_and_leaves() -> None:
    values: dict[str, object] = {
        "note": "why", "weight": 0.0, "confidence": 0.5, "source": "me",
        "created_at": "2026-03-01T10:00:00Z",
        "valid_from": "2026-01-01", "valid_until": "2026-03-01T10:00:00Z",
    }  # fmt: skip
    assert values.keys() == set(FIELD_NAMES)
    line = {"type": "relation", "from": "A", "relation": "USES", "to": "B", **values,
            "attributes": {"since": 3}}  # fmt: skip
    relation = Relation.from_json(line)
    assert relation.to_json() == line
    assert properties_of(relation).keys() == {*FIELD_NAMES, "since"}
    for name in FIELD_NAMES:
        with pytest.raises(InvalidInput, match=f"relation.{name}"):
            Relation.from_json({**line, name: ["no", "value"]})
        with pytest.raises(InvalidInput, match=name):
            Relation.from_json({**line, "attributes": {name: 1}})
