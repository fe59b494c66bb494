"""The answers as JSON: a class declares its fields once, for Python, the terminal and MCP."""

import json
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import Literal

import pytest

from graphmem.model import (
    Answer,
    Context,
    Entity,
    Explanation,
    Hit,
    Item,
    LegPart,
    LinkPart,
    Matched,
    Passage,
    Report,
    Via,
)
from graphmem.model.json_object import ATTRIBUTES, HIDDEN, OPTIONAL, JsonField, JsonObject, as_json
from graphmem.model.page import Neighbour, Page
from graphmem.model.stats import Stats
from graphmem.server.schemas import schema
from graphmem.write.merge_result import Merge

MOMENT = datetime(2026, 3, 1, 10, tzinfo=UTC)
WRITTEN = "2026-03-01T10:00:00Z"
VIA = Via("Seed", "USES", "out", None, 1.0, 0.123456, 0.7, attributes={"due": date(2026, 3, 1)})
VIA_JSON = {
    "from": "Seed", "relation": "USES", "direction": "out", "note": None, "weight": 1.0,
    "evidence": 0.1235, "confidence": 0.7, "attributes": {"due": {"date": "2026-03-01"}},
}  # fmt: skip
HIT = Hit(
    "p#n", "n", None, "Thing", "p", "active", ("tag",), 0.5, "direct",
    Matched(0.123456, 0.2, 0.0, 0.3), (VIA,), (Passage("one  text", MOMENT, None, "one text"),),
    MOMENT, None,
)  # fmt: skip
HIT_JSON = {
    "key": "p#n", "name": "n", "title": None, "kind": "Thing", "project": "p", "status": "active",
    "tags": ["tag"], "score": 0.5, "origin": "direct",
    "matched": {"text": 0.1235, "vector": 0.2, "name": 0.0, "link": 0.3}, "via": [VIA_JSON],
    "passages": [{"text": "one  text", "created_at": WRITTEN, "source": None}],
    "created_at": WRITTEN, "updated_at": None,
}  # fmt: skip


def test_an_answer_has_the_same_fields_in_python_and_in_json() -> None:
    answer = Answer(
        query="q", project="p", mode="hybrid", hits=(HIT,), total=3, total_exact=False,
        degraded=None, took_ms={"total": 1.26}, notes=("cut",),
    )  # fmt: skip
    assert answer.to_json() == {
        "query": "q", "project": "p", "mode": "hybrid", "count": 1, "total": 3,
        "total_exact": False, "degraded": None, "cursor": None, "notes": ["cut"],
        "took_ms": {"total": 1.3}, "hits": [HIT_JSON],
    }  # fmt: skip
    assert replace(answer, hits=()).count == 0


def test_a_snippet_is_written_only_if_it_is_not_the_whole_text() -> None:
    assert Passage("a long text", None, "me", "long", "a **long** text").to_json() == {
        "text": "a long text", "created_at": None, "source": "me", "snippet": "long",
    }  # fmt: skip


def test_an_explanation_is_written_unrounded() -> None:
    link = LinkPart(VIA, 0.85, 0.3, 1.5, 2, 0.4, 3, 0.2, (0.123456,), 0.255)
    parts = Explanation((LegPart("text", 1, 8.0, 0.5, "found"),), link, 0.5, "formula")
    assert replace(HIT, explanation=parts).to_json() == HIT_JSON | {
        "explain": {
            "direct": 0.5, "formula": "formula", "rrf_k": None, "cosines": None,
            "legs": [{"leg": "text", "rank": 1, "raw": 8.0, "evidence": 0.5, "excerpt": "found"}],
            "link": VIA_JSON | {
                "evidence": 0.123456, "link_factor": 0.85, "seed_direct": 0.3,
                "seed_exponent": 1.5, "seed_relations": 2, "seed_damping": 0.4,
                "neighbour_relations": 3, "neighbour_damping": 0.2,
                "shares": [0.123456], "ceiling": 0.255,
            },
        }
    }  # fmt: skip


def test_an_explanation_says_which_words_count_less() -> None:
    parts = Explanation((), None, 0.5, "formula", word_weights={"otter": 0.14972})
    assert parts.to_json()["word_weights"] == {"otter": 0.15}


def test_a_context_counts_its_entities() -> None:
    context = Context("q", "p", "text", 1, 100, ("a", "b"), 3, 0)
    assert context.to_json() == {
        "query": "q", "project": "p", "text": "text", "tokens": 1, "budget": 100, "hits": 2,
        "names": ["a", "b"], "omitted": 3, "cut": 0, "degraded": None, "notes": [],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "relations", "observations", "note"),
    [
        ({}, 1, 0, "1 relation and 0 observations moved; no field differed"),
        (
            {"title": ("a", "b"), "kind": ("c", "d")}, 1200, 1,
            "1,200 relations and 1 observation moved; title and kind differed, and B kept its own",
        ),
    ],
)  # fmt: skip
def test_a_merge_is_reported_in_a_sentence(
    fields: dict[str, tuple[object, object]], relations: int, observations: int, note: str
) -> None:
    merge = Merge(fields, relations, dropped=0, observations=observations, aliases=())

    assert merge.report("p", "B").notes == (note,)


def test_a_report_counts_its_items_and_those_it_leaves_out() -> None:
    items = (Item("entity", "a", "created"), Item("relation", "b", "refused", "no", "f:1"))
    report = Report("p", items, omitted_counts={("entity", "unchanged"): 2}, withheld=4)
    none = {"created": 0, "updated": 0, "unchanged": 0, "removed": 0, "refused": 0}
    assert report.to_json() == {
        "project": "p", "dry_run": False, "entities": none | {"created": 1, "unchanged": 2},
        "relations": none | {"refused": 1},
        "items": [
            {"what": "entity", "name": "a", "outcome": "created"},
            {"what": "relation", "name": "b", "outcome": "refused", "reason": "no", "place": "f:1"},
        ],
        "omitted": 2, "withheld": 4, "notes": [],
    }  # fmt: skip


def test_a_page_is_a_json_line_with_its_relations() -> None:
    entity = Entity(
        "n", "Thing", status="active", tags=("t",), key="p#n", project="p", updated_at=MOMENT
    )
    neighbour = Neighbour("USES", "in", "other", "Thing", None, 1.0)
    assert Page(entity, (neighbour,)).to_json() == {
        "name": "n", "kind": "Thing", "status": "active", "tags": ["t"], "key": "p#n",
        "project": "p", "updated_at": WRITTEN, "revision": 1,
        "relations": [
            {
                "relation": "USES", "direction": "in", "name": "other", "kind": "Thing",
                "note": None, "weight": 1.0,
            }
        ],
    }  # fmt: skip


def test_the_counts_of_relations_are_by_type() -> None:
    stats = Stats("p", 1, 2, 3, 0, {"Thing": 1}, {"active": 1}, {}, {"USES": 2})
    assert stats.to_json()["relation_types"] == {"USES": 2}


# One declaration


@dataclass(frozen=True, slots=True)
class Inner(JsonObject):
    """A part of another value."""

    size: int


@dataclass(frozen=True, slots=True)
class Outer(JsonObject):
    """A value with a field of every sort."""

    name: str = field(metadata=as_json(JsonField(name="from", description="Where it begins")))
    sort: Literal["a", "b"]
    at: datetime | None
    parts: tuple[Inner, ...]
    counts: dict[str, int]
    note: str | None = field(default=None, metadata=OPTIONAL)
    attributes: dict[str, str] = field(default_factory=dict, metadata=ATTRIBUTES)
    secret: str = field(default="", metadata=HIDDEN)


def test_the_declaration_of_a_field_is_what_is_written_and_what_the_schema_says() -> None:
    outer = Outer("here", "a", MOMENT, (Inner(0),), {})
    assert outer.to_json() == {
        "from": "here", "sort": "a", "at": WRITTEN, "parts": [{"size": 0}], "counts": {},
    }  # fmt: skip
    assert schema(Outer) == {
        "type": "object",
        "properties": {
            "from": {"type": "string", "description": "Where it begins"},
            "sort": {"enum": ["a", "b"]},
            "at": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "parts": {
                "type": "array",
                "items": {"type": "object", "properties": {"size": {"type": "integer"}}},
            },
            "counts": {"type": "object"},
        },
    }


def test_an_optional_field_is_written_if_it_says_something() -> None:
    outer = Outer("here", "a", None, (), {}, "", {"own": "word"}, "hidden")
    assert outer.to_json().items() >= {"note": "", "attributes": {"own": "word"}}.items()
    assert "secret" not in outer.to_json()


def test_what_is_written_of_a_hit_has_every_field_of_its_schema() -> None:
    declared = schema(Hit)["properties"]
    assert declared.keys() == HIT_JSON.keys()
    assert declared["via"]["items"]["properties"].keys() == VIA_JSON.keys() - {
        "confidence",
        "attributes",
    }
    assert json.loads(json.dumps(HIT.to_json())) == HIT_JSON


# In a notebook or a debugger


def test_a_short_answer_is_shown_as_a_dataclass_is() -> None:
    assert repr(VIA) == (
        "Via(seed='Seed', relation='USES', direction='out', note=None, weight=1.0, "
        "evidence=0.123456, confidence=0.7, valid_from=None, valid_until=None, "
        "attributes={'due': datetime.date(2026, 3, 1)}, seed_key='')"
    )
    assert "tags=('tag',)" in repr(HIT)


def test_a_long_answer_is_shown_by_its_beginning_and_says_how_much_more_there_is() -> None:
    passage = Passage("word " * 1000, MOMENT, None)
    hits = tuple(replace(HIT, name=f"name {i}", passages=(passage,) * 20) for i in range(100))
    answer = Answer(
        query="q", project="p", mode="hybrid", hits=hits, total=100, degraded=None,
        took_ms={f"step {i}": 0.5 for i in range(9)},
    )  # fmt: skip

    shown = repr(answer)

    assert len(shown) < 6000
    assert "name='name 2'" in shown
    assert "name='name 3'" not in shown
    assert shown.endswith(", and 97 more))")
    assert ", and 17 more)" in shown
    assert "'step 4': 0.5, and 4 more}" in shown
    assert "word ' and 4,800 more characters" in shown


def test_entities_and_reports_are_shown_briefly_too() -> None:
    entity = Entity("n", attributes={"parts": list(range(9))})
    report = Report("p", tuple(Item("entity", f"n{i}", "created") for i in range(9)))

    assert "attributes={'parts': [0, 1, 2, and 6 more]}" in repr(entity)
    assert ", and 6 more), omitted=0" in repr(report)
