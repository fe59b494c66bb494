"""Filters: each finds what a brute-force search of the same entities finds, however selective."""

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from fakes import FakeEmbedder, vector
from graphmem.embedding import document
from graphmem.errors import InvalidInput
from graphmem.graph import Graph
from graphmem.memory import Memory
from memories import memory_with

PROJECT = "example.org/filters"
MANY = 1_200
FEW = 60
START = datetime(2026, 1, 1, tzinfo=UTC)
QUERY = "harbour berth engine"


@dataclass(frozen=True)
class Row:
    number: int
    kind: str
    tags: list[str]
    category: str
    confidence: float
    created_at: datetime
    source: str | None
    attributes: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return f"harbour berth engine number {self.number} lies at pier {self.number % 9}"

    @property
    def linked(self) -> bool:
        return self.number % 100 == 3


def make(number: int) -> Row:
    rare = number % 100 == 7  # 1 % of the project
    once = number == 611  # less than 0.1 %
    created_at = START + timedelta(days=number, hours=number % 24, minutes=number % 60)
    return Row(
        number=number,
        kind="Rare" if rare else "Common",
        tags=["every", *(["seldom"] if rare else []), *(["once"] if once else [])],
        category="docs/rare/deep" if rare else "docs/common",
        confidence=0.99 if rare else 0.5,
        created_at=created_at,
        source=None if number % 100 == 9 else f"Notes/{'rare' if rare else 'common'}/{number}.md",
        attributes={
            "owner": "Ops" if rare else "dev",
            "cost": float(number),
            "path": f"src/{'rare' if rare else 'common'}/{number % 5}/file.py",
            "day": created_at.date(),
            "seen": created_at,
            "labels": ["one", "two"] if rare else ["one"],
            "note": f"{'Long ' * 60}{'rare' if rare else 'common'}",
            "deep": f"{'folder' * 50}/{'rare' if rare else 'common'}/file.py",
            **({"items": [f"item {n}" for n in range(400)]} if once else {}),
        },
    )


ROWS = [make(number) for number in range(MANY)]
NEARNESS = {
    f"Boat {row.number}": sum(
        one * other
        for one, other in zip(
            vector(QUERY, 384), vector(document(f"Boat {row.number}", None, row.text), 384),
            strict=True,
        )
    )
    for row in ROWS
}  # fmt: skip


@pytest.fixture(scope="module")
def many(graph: Graph) -> Memory:
    memory = memory_with(FakeEmbedder(), graph, PROJECT)
    memory.remember(
        [
            {
                "name": f"Boat {row.number}",
                "kind": row.kind,
                "text": row.text,
                "tags": row.tags,
                "category": row.category,
                "confidence": row.confidence,
                "created_at": row.created_at.isoformat(),
                "source": row.source,
                "attributes": row.attributes,
            }
            for row in ROWS
        ],
        [
            {"from": f"Boat {row.number}", "relation": "MOORED_BESIDE",
             "to": f"Boat {row.number + 1}"}
            for row in ROWS
            if row.linked
        ],
    )  # fmt: skip
    return memory


CASES: dict[str, tuple[dict[str, Any], Callable[[Row], bool]]] = {
    "kind": ({"kinds": ["rare"]}, lambda row: row.kind == "Rare"),
    "two kinds": ({"kinds": ["rare", "other"]}, lambda row: row.kind == "Rare"),
    "tag": ({"tags": ["Seldom"]}, lambda row: "seldom" in row.tags),
    "any tag": ({"tags": ["once", "seldom"]}, lambda row: len(row.tags) > 1),
    "all tags": ({"where": {"tags_all": ["every", "once"]}}, lambda row: "once" in row.tags),
    "no tag": ({"where": {"tags_none": ["seldom"]}}, lambda row: "seldom" not in row.tags),
    "status": ({"status": ["active"]}, lambda _: True),
    "category": (
        {"where": {"category": "docs/rare/deep"}},
        lambda row: row.category == "docs/rare/deep",
    ),
    "category below a path": (
        {"where": {"category": {"under": "docs/rare"}}},
        lambda row: row.category == "docs/rare/deep",
    ),
    "category below a segment's part": (
        {"where": {"category": {"under": "docs/ra"}}},
        lambda _: False,
    ),
    "confidence": ({"where": {"confidence": {">=": 0.9}}}, lambda row: row.confidence >= 0.9),
    "since": (
        {"since": "2029-01-01"},
        lambda row: row.created_at >= datetime(2029, 1, 1, tzinfo=UTC),
    ),
    "until, the day itself included": (
        {"until": "2026-01-10"},
        lambda row: row.created_at < datetime(2026, 1, 11, tzinfo=UTC),
    ),
    "updated since": ({"where": {"updated_at": {">": "2020-01-01"}}}, lambda _: True),
    "updated in the future": ({"where": {"updated_at": {">": "2999-01-01"}}}, lambda _: False),
    "attribute, any case": (
        {"where": {"attributes": {"owner": "ops"}}},
        lambda row: row.attributes["owner"] == "Ops",
    ),
    "attribute, not": (
        {"where": {"attributes": {"owner": {"!=": "dev"}}}},
        lambda row: row.attributes["owner"] != "dev",
    ),
    "attribute, number": ({"where": {"attributes": {"cost": 611}}}, lambda row: row.number == 611),
    "attribute, less": (
        {"where": {"attributes": {"cost": {"<": 12}}}},
        lambda row: row.attributes["cost"] < 12,
    ),
    "attribute, between": (
        {"where": {"attributes": {"cost": {">=": 500, "<=": 512}}}},
        lambda row: 500 <= row.attributes["cost"] <= 512,
    ),
    "attribute, in": (
        {"where": {"attributes": {"cost": [3, 5, 7000]}}},
        lambda row: row.number in {3, 5},
    ),
    "attribute, item of a list": (
        {"where": {"attributes": {"labels": "two"}}},
        lambda row: row.kind == "Rare",
    ),
    "attribute, date": (
        {"where": {"attributes": {"day": {">": "2029-04-01"}}}},
        lambda row: row.attributes["day"] > date(2029, 4, 1),
    ),
    "attribute, moment of a day": (
        {"where": {"attributes": {"seen": "2026-01-05"}}},
        lambda row: row.number == 4,
    ),
    "attribute, moment of another day": (
        {"where": {"attributes": {"seen": {"!=": "2026-01-05"}}}},
        lambda row: row.number != 4,
    ),
    "attribute, moment of two days": (
        {"where": {"attributes": {"seen": ["2026-01-05", "2026-01-07"]}}},
        lambda row: row.number in {4, 6},
    ),
    "attribute, moment": (
        {"where": {"attributes": {"seen": "2026-01-07T06:06:00Z"}}},
        lambda row: row.number == 6,
    ),
    "attribute, moment up to a day": (
        {"where": {"attributes": {"seen": {"<=": "2026-01-05"}}}},
        lambda row: row.number <= 4,
    ),
    "attribute, moment after a day": (
        {"where": {"attributes": {"seen": {">": {"date": "2029-04-01"}}}}},
        lambda row: row.attributes["day"] > date(2029, 4, 1),
    ),
    "attribute, long": (
        {"where": {"attributes": {"note": f"{'LONG ' * 60}RARE"}}},
        lambda row: row.kind == "Rare",
    ),
    "attribute, not long": (
        {"where": {"attributes": {"note": {"!=": f"{'LONG ' * 60}common"}}}},
        lambda row: row.kind == "Rare",
    ),
    "attribute, long or short": (
        {"where": {"attributes": {"note": ["x", f"{'long ' * 60}RARE"]}}},
        lambda row: row.kind == "Rare",
    ),
    "attribute, last item of many": (
        {"where": {"attributes": {"items": "ITEM 399"}}},
        lambda row: row.number == 611,
    ),
    "attribute, not the last item of many": (
        {"where": {"attributes": {"items": {"!=": "item 399"}}, "tags_all": ["once"]}},
        lambda _: False,
    ),
    "long path": (
        {"where": {"attributes": {"deep": {"under": f"{'folder' * 50}/rare"}}}},
        lambda row: row.kind == "Rare",
    ),
    "long path, whole segments": (
        {"where": {"attributes": {"deep": {"under": f"{'folder' * 50}/rar"}}}},
        lambda _: False,
    ),
    "path": (
        {"where": {"attributes": {"path": {"under": "src/rare"}}}},
        lambda row: row.kind == "Rare",
    ),
    "path, whole segments": (
        {"where": {"attributes": {"path": {"under": "src/rar"}}}},
        lambda _: False,
    ),
    "name below a path": ({"where": {"name": {"under": "boat 17"}}}, lambda row: row.number == 17),
    "has relation": (
        {"where": {"has_relation": {"relation": "MOORED_BESIDE", "direction": "out"}}},
        lambda row: row.linked,
    ),
    "has relation, in": (
        {"where": {"has_relation": {"relation": "MOORED_BESIDE", "direction": "in"}}},
        lambda row: row.number % 100 == 4,
    ),
    "lacks every relation": (
        {"where": {"lacks_relation": {"direction": "both"}}},
        lambda row: row.number % 100 not in {3, 4},
    ),
    "confidence, exactly": ({"where": {"confidence": 0.99}}, lambda row: row.confidence == 0.99),
    "confidence, not": (
        {"where": {"confidence": {"!=": 0.5}}},
        lambda row: row.confidence != 0.5,
    ),
    "category, exactly": (
        {"where": {"category": {"=": "docs/rare/deep"}}},
        lambda row: row.category == "docs/rare/deep",
    ),
    "category, not": (
        {"where": {"category": {"!=": "docs/common"}}},
        lambda row: row.category != "docs/common",
    ),
    "created at, exactly": (
        {"where": {"created_at": "2026-01-05"}},
        lambda row: row.number == 4,
    ),
    "created at, not": (
        {"where": {"created_at": {"!=": "2026-01-05"}}},
        lambda row: row.number != 4,
    ),
    "created at, any of two": (
        {"where": {"created_at": ["2026-01-05", "2026-01-07T06:06Z", "2026-01-09T01:00Z"]}},
        lambda row: row.number in {4, 6},
    ),
    "created at, the first day there is": (
        {"where": {"created_at": {"!=": "0001-01-01"}}},
        lambda _: True,
    ),
    "updated at, not": ({"where": {"updated_at": {"!=": "9999-12-31"}}}, lambda _: True),
    "source": ({"where": {"source": "notes/rare/7.MD"}}, lambda row: row.number == 7),
    "source, in": (
        {"where": {"source": ["notes/rare/7.md", "Notes/common/8.md", "Notes/common/9.md"]}},
        lambda row: row.number in {7, 8},
    ),
    "source, not": (
        {"where": {"source": {"!=": "Notes/common/8.md"}}},
        lambda row: row.number != 8,
    ),
    "source below a path": (
        {"where": {"source": {"under": "notes/RARE/"}}},
        lambda row: row.kind == "Rare",
    ),
    "source below a segment's part": (
        {"where": {"source": {"under": "Notes/rar"}}},
        lambda _: False,
    ),
    "source below itself": (
        {"where": {"source": {"under": "Notes/rare/7.md"}}},
        lambda row: row.number == 7,
    ),
    "source, after": (
        {"where": {"source": {">": "Notes/d"}}},
        lambda row: row.kind == "Rare",
    ),
    "several at once": (
        {"kinds": ["Rare"], "where": {"attributes": {"cost": {"<": 300}}, "tags_all": ["seldom"]}},
        lambda row: row.kind == "Rare" and row.number < 300,
    ),
}  # fmt: skip


@pytest.mark.parametrize("mode", ["hybrid", "keyword", "semantic"])
@pytest.mark.parametrize("case", CASES)
def test_a_filter_finds_what_brute_force_finds(many: Memory, case: str, mode: str) -> None:
    """All of them where they are few; of many the nearest, where their meaning alone counts."""
    options, passes = CASES[case]
    expected = {f"Boat {row.number}" for row in ROWS if passes(row)}
    answer = many.search(QUERY, mode=mode, limit=FEW, expand=False, detail="names", **options)  # type: ignore[arg-type]
    found = {hit.name for hit in answer.hits}
    assert found <= expected
    assert len(found) == min(FEW, len(expected))
    if mode == "semantic":
        assert nearness(found) == nearness(expected)[:FEW]


def nearness(names: set[str]) -> list[float]:
    """The cosines of entities with the query, computed without a database, nearest first."""
    return sorted((round(NEARNESS[name], 5) for name in names), reverse=True)


@pytest.mark.parametrize("case", ["tag", "confidence", "attribute, less", "has relation"])
def test_the_best_of_what_passes_come_first(many: Memory, case: str) -> None:
    """Recall against the exact order: every passing entity ranked by the vector leg alone."""
    options, passes = CASES[case]
    question = "engine number 7 lies at pier 3"
    scores = [
        hit.score
        for number, row in enumerate(ROWS)
        if passes(row)
        for hit in many.search(
            question,
            mode="semantic",
            expand=False,
            limit=1,
            where={"name": {"under": f"boat {number}"}},
        ).hits
    ]
    answer = many.search(question, mode="semantic", expand=False, limit=10, **options)
    best = sorted(scores, reverse=True)[:10]
    # Neo4j computes a cosine in more than one way; they differ in the seventh digit.
    assert [hit.score for hit in answer.hits] == pytest.approx(best, abs=1e-6)


def test_a_selective_filter_may_ask_twice_and_others_ask_once(many: Memory, graph: Graph) -> None:
    many.search(QUERY)  # reads the sample of passages
    before = graph.statements
    many.search(QUERY, where={"attributes": {"cost": {">": 1_190}}})
    assert graph.statements - before == 2
    before = graph.statements
    many.search(QUERY, kinds=["Rare"], tags=["every"], where={"attributes": {"owner": "ops"}})
    assert graph.statements - before == 1


def test_filters_hold_for_expanded_hits(many: Memory) -> None:
    answer = many.search("Boat 103", mode="keyword", where={"attributes": {"cost": {"<": 104}}})
    assert "Boat 104" not in {hit.name for hit in answer.hits}
    answer = many.search("Boat 103", where={"attributes": {"cost": {"<": 105}}}, mode="keyword")
    linked = [hit.name for hit in answer.hits if hit.via]
    assert (answer.hits[0].name, linked) == ("Boat 103", ["Boat 104"])


def test_a_relation_to_something_forgotten_is_none(memory: Memory) -> None:
    memory.remember(
        [{"name": name, "text": "A ketch."} for name in ("Ketch", "Yawl", "Gone")],
        [{"from": "Ketch", "relation": "NEAR", "to": "Gone"}],
    )
    has, lacks = ({name: {"relation": "NEAR"}} for name in ("has_relation", "lacks_relation"))
    assert names(memory, has) == {"Ketch", "Gone"}
    assert names(memory, lacks) == {"Yawl"}
    memory.forget("Gone")
    assert names(memory, has) == set()
    assert names(memory, lacks) == {"Ketch", "Yawl"}


def test_a_relation_that_has_ended_is_none(memory: Memory) -> None:
    memory.remember(
        [{"name": "Buoy"}, *({"name": name, "text": "A ketch."} for name in ("Ketch", "Yawl"))],
        [{"from": "Ketch", "relation": "NEAR", "to": "Yawl", "valid_until": "2024-05-31"}],
    )
    has, lacks = ({name: {"relation": "NEAR"}} for name in ("has_relation", "lacks_relation"))
    assert (names(memory, has), names(memory, lacks)) == (set(), {"Ketch", "Yawl"})
    assert names(memory, has, at="2024-05-01") == {"Ketch", "Yawl"}
    assert names(memory, lacks, at="any") == set()
    assert memory.recent(where=has).total == 0
    assert memory.selection(where=has).entities == 2  # what is deleted is deleted for all times


def names(memory: Memory, where: Mapping[str, object], at: str = "now") -> set[str]:
    return {hit.name for hit in memory.search("ketch", where=where, at=at).hits}


def test_many_values_are_one_query_of_the_indexes(many: Memory) -> None:
    words = " ".join(f"harbour{i}" for i in range(70))
    owners = ["Ops", *(f"v{i}" for i in range(140))]
    answer = many.search(f"{QUERY} {words}", where={"attributes": {"owner": {"in": owners}}})
    assert answer.total == MANY // 100


def test_many_kinds_and_statuses_are_one_search_each_at_most(many: Memory) -> None:
    answer = many.search(
        QUERY,
        kinds=["Rare", *(f"Kind {i}" for i in range(15))],
        status=["active", *(f"status {i}" for i in range(15))],
        mode="semantic",
    )
    assert answer.total == MANY // 100


@pytest.mark.parametrize(
    ("where", "count"),
    [
        ({"created_at": "2026-01-05"}, 1),
        ({"created_at": {"<=": "2026-01-05"}}, 5),
        ({"created_at": {"<": "2026-01-05"}}, 4),
        ({"created_at": {">=": "2026-01-05", "<": "20260108"}}, 3),
        ({"created_at": {">": "2026-01-05", "<=": "2026-01-08"}}, 3),
    ],
)
def test_a_day_is_all_of_it(many: Memory, where: dict[str, object], count: int) -> None:
    assert many.search(QUERY, where=where, expand=False).total == count


def test_a_path_of_one_name_is_under_itself(memory: Memory) -> None:
    memory.remember(
        [
            {"name": "a", "text": "berth", "attributes": {"module": "core"}},
            {"name": "b", "text": "berth", "attributes": {"module": "core/search"}},
            {"name": "c", "text": "berth", "attributes": {"module": "core2"}},
        ]
    )
    answer = memory.search("berth", where={"attributes": {"module": {"under": "core"}}})
    assert {hit.name for hit in answer.hits} == {"a", "b"}


def test_a_source_is_found_as_it_was_given(memory: Memory) -> None:
    site, file = "https://example.com/", "notes/\u0439od  1.md"
    memory.remember(
        [
            {"name": "Site", "text": "pier", "source": site},
            {"name": "Page", "text": "pier", "source": f"{site}a"},
            {"name": "File", "text": "pier", "source": file},
        ]
    )

    def names_by_source(source: object) -> set[str]:
        answer = memory.search("pier", mode="keyword", where={"source": source})
        return {hit.name for hit in answer.hits}

    assert names_by_source(site) == {"Site"}
    assert names_by_source([site, "elsewhere/"]) == {"Site"}
    assert names_by_source({"!=": site}) == {"Page", "File"}
    assert names_by_source({"under": site}) == {"Site", "Page"}
    assert names_by_source(file) == names_by_source("notes/\u0438\u0306od 1.md") == {"File"}


@pytest.mark.parametrize(
    "path",
    [
        "資料／社内/手順（改訂）.md",
        "資料/議事録\u30003月.md",
        "İş/ΟΔΟΣ.md",
        "U\u0308ber/Pru\u0308fung.md",
    ],
)
def test_a_note_is_found_by_the_path_of_its_file(memory: Memory, tmp_path: Path, path: str) -> None:
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_text("Pier.")
    memory.import_("markdown", tmp_path)
    folder, _, _ = path.rpartition("/")
    for source in (path, unicodedata.normalize("NFC", path), {"under": folder}):
        assert memory.search("pier", mode="keyword", where={"source": source}).count == 1


def test_every_value_of_as_many_as_there_may_be_is_asked_for(memory: Memory) -> None:
    attributes = {f"a{n}": [f"{n} {item}" for item in range(10)] for n in range(200)}
    memory.remember([{"name": "a", "text": "berth", "attributes": attributes}])
    for where, found in (
        ({"a199": "199 9"}, 1),
        ({"a0": "0 0"}, 1),
        ({"a199": "199 10"}, 0),
        ({"a199": {"!=": "199 9"}}, 0),
    ):
        assert memory.search("berth", where={"attributes": where}).total == found


def test_options_that_are_none_are_as_if_left_out(many: Memory) -> None:
    plain = many.search(QUERY).hits
    nothing: dict[str, Any] = dict.fromkeys(("kinds", "tags", "status", "where", "follow", "limit"))
    assert many.search(QUERY, **nothing).hits == plain


@pytest.mark.parametrize(
    ("where", "named"),
    [
        ("x", "where"),
        ({"colour": "red"}, "colour"),
        ({"attributes": {"cost": {"~": 5}}}, "cost"),
        ({"attributes": {"cost": {"<": [1, 2]}}}, "cost"),
        ({"attributes": {"cost": {"in": 5}}}, "cost"),
        ({"attributes": {"path": {"under": 5}}}, "path"),
        ({"created_at": {">": "yesterday"}}, "created_at"),
        ({"confidence": {">": "0.5"}}, "confidence must be a number from 0 to 1, got '0.5'"),
        ({"has_relation": {"relation": "X", "direction": "up"}}, "has_relation"),
        ({"has_relation": {"kind": "X"}}, "has_relation"),
        ({"tags_all": [""]}, "tags_all"),
        ({"attributes": {f"a{i}": 1 for i in range(21)}}, "20"),
        ({"attributes": {"owner": {"in": [f"v{i}" for i in range(300)]}}}, "150 values in all"),
        ({"tags_none": [f"v{i}" for i in range(300)]}, "150 values in all"),
        ({"attributes": {"path": {"under": "/".join("abcdefghijklmnopq")}}}, "16 names"),
        ({"attributes": {"path": {"under": "//"}}}, "path"),
        ({"attributes": {"path": {"under": "x" * 5000}}}, "4,096 characters"),
        ({"attributes": {"status": "active"}}, "Filter by `status`"),
        ({"attributes": {"kind": "Boat"}}, "Filter by `kinds`"),
        ({"attributes": {"tags": {"!=": "x"}}}, "where.tags_none"),
        ({"attributes": {"title": "x"}}, "built-in field, got 'title'"),
    ],
)
def test_a_wrong_condition_is_an_error_that_names_it(
    memory: Memory, where: dict[str, object], named: str
) -> None:
    with pytest.raises(InvalidInput, match=named):
        memory.search("x", where=where)


@pytest.mark.parametrize("operator", ["or", "and"])
@pytest.mark.parametrize("word", ["xaYyaZzWwQueries", "слово", "カタカナ"])
def test_as_many_filters_as_may_be_beside_as_many_words_are_no_error(
    memory: Memory, operator: str, word: str
) -> None:
    memory.remember([{"name": "Heron", "text": "a berth"}])
    paths = {f"path{i}": {"under": f"src/{i}"} for i in range(19)}
    options: dict[str, Any] = {
        name: [f"{name} {i}" for i in range(20)] for name in ("kinds", "tags", "status")
    }
    options["operator"] = operator
    answer = memory.search(
        " ".join(f"{word}{i}" for i in range(64)),
        prefixes=True,
        where={"attributes": {"owner": [f"owner {i}" for i in range(131)], **paths}},
        **options,
    )
    assert answer.hits == ()
