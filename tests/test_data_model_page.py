"""The tables of docs/data-model.md are those of the code."""

import pytest

from doc_pages import page, quoted, rows, section
from graphmem.model import Entity, Observation, Relation, limits
from graphmem.model.json_object import json_fields
from graphmem.model.observation_fields import OBSERVATION_FIELDS
from graphmem.model.relation_fields import RESERVED_RELATION_ATTRIBUTES
from graphmem.model.reserved import PREFIX, RESERVED_ATTRIBUTES
from graphmem.model.status import HIDDEN_STATUSES
from graphmem.write.assertions.facts import DEFAULTS
from graphmem.write.vocabulary import MOST_NAMES

PAGE = page("data-model")
MEBIBYTE = 1024 * 1024
# What is said only of a change, and what only exports have.
NOT_STORED = {"unset", "provenance", "replaces"}


@pytest.mark.parametrize(
    ("title", "value"),
    [("Entities", Entity), ("Observations", Observation), ("Relations", Relation)],
)
def test_a_table_has_every_field(title: str, value: type[Entity | Observation | Relation]) -> None:
    listed = [name for row in rows(section(PAGE, title)) for name in quoted(row[0])]
    assert len(listed) == len(set(listed))
    assert set(listed) == {field.name for field in json_fields(value).values()} - NOT_STORED


def test_the_defaults_are_those_of_an_entity_without_fields() -> None:
    told = {
        name: quoted(row[2]) for row in rows(section(PAGE, "Entities")) for name in quoted(row[0])
    }
    assert {name: [default] for name, default in DEFAULTS.items()} == {
        name: told[name] for name in DEFAULTS
    }


def test_the_statuses_that_hide_are_named() -> None:
    table = rows(section(PAGE, "Entities").partition("### Statuses")[2])
    assert {row[0].strip("`") for row in table if row[2].startswith("hides it")} == {
        *HIDDEN_STATUSES
    }


def test_the_limits_are_those_of_the_code() -> None:
    told = {row[0]: row[1] for row in rows(section(PAGE, "Limits"))}
    assert told == {
        "aliases": f"{limits.LIST_ITEMS:,}",
        "tags": f"{limits.LIST_ITEMS:,}",
        "custom attributes": f"{limits.ATTRIBUTES:,}",
        "values of custom attributes": f"{limits.VALUES:,}",
        "text in custom attributes": f"{limits.ATTRIBUTE_BYTES // MEBIBYTE} MiB",
        "observations": f"{limits.OBSERVATIONS:,}",
        "text and observations together": f"{limits.CONTENT_BYTES // MEBIBYTE} MiB",
    }
    assert f"{MOST_NAMES:,} kinds" in section(PAGE, "Limits")
    assert f"up to {limits.TEXT_BYTES // MEBIBYTE} MiB" in section(PAGE, "Entities")
    assert f"up to {limits.NAME_CHARACTERS} characters" in section(PAGE, "Entities")
    label = f"{limits.LABEL_CHARACTERS} characters and {limits.LABEL_BYTES} bytes"
    assert label in section(PAGE, "Entities")


def test_the_reserved_names_are_named() -> None:
    text = section(PAGE, "Custom attributes")
    of_entities, _, rest = text.partition("- of entities:")[2].partition("- of relations:")
    assert set(quoted(of_entities)) == RESERVED_ATTRIBUTES.names
    assert set(quoted(rest.partition("\n\n")[0])) == RESERVED_RELATION_ATTRIBUTES.names
    assert f"`{PREFIX}`" in text


def test_the_page_of_exports_names_every_field_of_a_line() -> None:
    lines = section(page("exporting"), "The lines")
    for kind, value in (("entity", Entity), ("relation", Relation)):
        described = lines.partition(f"**`{kind}`**: ")[2].partition("\n\n")[0]
        whole, _, rest = described.partition("(texts, or objects of")
        inner, _, after = rest.partition(")")
        fields = {field.name for field in json_fields(value).values()} - NOT_STORED
        assert {*quoted(whole), *quoted(after)} == fields
        if kind == "entity":
            assert quoted(inner) == ["text", *OBSERVATION_FIELDS]
