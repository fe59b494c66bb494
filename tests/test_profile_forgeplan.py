"""`forgeplan_search`: a real client and `graphmem serve --profile forgeplan`, on the real model."""

import json
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agents import Agent, agent_of, serving
from forgeplan_files import front, workspace
from graphmem.adapters.forgeplan.profile.ranking import combined_score, title_share
from graphmem.adapters.forgeplan.profile.request import Request
from graphmem.adapters.forgeplan.profile.tools import Forgeplan
from graphmem.embedding import BackgroundEmbedder
from graphmem.graph import Graph
from graphmem.memory import Memory
from memories import memory_with
from neo4j_servers import until

ALONE = {
    "prds/1.md": front("PRD-001", "Users sign in.", title="Authentication System"),
    "prds/2.md": front("PRD-002", "Cards are charged.", title="Payment Service"),
    "prds/3.md": front("PRD-003", "Rows and columns.", title="Invoice export", author="jane"),
    "prds/4.md": front("PRD-004", "Вход по паролю.", title="Система аутентификации пользователей"),
    "prds/5.md": front("PRD-005", "Приём платежей картой.", title="Платежи"),
}
TABLE = "## Limits\n\n| Name | Value |\n|---|---|\n| burst | walrus |\n| | |\n"
TEMPLATE = "{Measure the pelican}\n<!-- a hidden\nostrich -->\n- SC-1: {the flamingo}\n"
LINK = "{{target: {}, relation: informs}}"
LEDGER = "Every booking has two sides."
SHELF = {
    # 4: the exact title
    "a/1.md": front("PRD-101", "x", title="Auth"),
    "a/2.md": front("PRD-102", "auth auth auth", title="Authentication OAuth2 system"),
    "a/3.md": front("PRD-103", "How often.", title="Rotation of keys"),
    "a/4.md": front("PRD-104", "rotation rotation rotation, a rotation", title="Secrets"),
    # 5: equals
    "b/1.md": front("PRD-201", LEDGER, title="Ledger", status="draft"),
    "b/2.md": front("PRD-202", LEDGER, title="Ledger", status="active"),
    "b/3.md": front("ADR-211", LEDGER, title="Abacus", status="active"),
    "b/4.md": front("ADR-212", LEDGER, title="Abacus", status="active"),
    "b/5.md": front("EVID-212", "verdict: supports\n", links=f"[{LINK.format('ADR-212')}]"),
    # 6: one hop
    "c/1.md": front(
        "PRD-301", "Keeps ships off the rocks.", title="Beacon System", status="active",
        links="[{target: RFC-302, relation: informs}, {target: ADR-303, relation: refines}]",
    ),
    "c/2.md": front("RFC-302", "Bearer strings, signed.", title="Token design", status="draft"),
    "c/3.md": front("ADR-303", "A beacon of brass.", title="Metal", status="active"),
    # what an artifact says, and what its template left
    "d/1.md": front("SPEC-401", TEMPLATE + TABLE, title="Throttle", depth="deep"),
    "d/2.md": front("SPEC-402", "Кэширование ответов for mobile clients", title="Throttle two"),
    "d/3.md": front("NOTE-403", "word " * 300 + "hippopotamus", title="Long"),
    # the dead
    "e/1.md": front("ADR-501", "Old.", title="Zeppelin one", status="superseded"),
    "e/2.md": front("ADR-502", "New.", title="Zeppelin two", status="active", created="2026-03-01"),
    "e/3.md": front("ADR-503", "Later.", title="Zeppelin three", created="2026-03-02T10:00:00Z"),
    # evidence
    "f/1.md": front("PRD-601", "Steam.", title="Dynamo refuted"),
    "f/2.md": front("PRD-602", "Steam.", title="Dynamo supported"),
    "f/3.md": front("PRD-603", "Steam.", title="Dynamo alone"),
    "f/4.md": front("EVID-601", "verdict: refutes\n", links=f"[{LINK.format('PRD-601')}]"),
    "f/5.md": front(
        "EVID-602", "verdict: weakens\ncongruence_level: 2\n", links=f"[{LINK.format('PRD-602')}]"
    ),
}  # fmt: skip
# A busy machine loads a model for minutes.
WAIT_SECONDS = 280
Hits = list[dict[str, Any]]


@pytest.fixture(scope="module")
def real_memory(graph: Graph, real_model: BackgroundEmbedder) -> Memory:
    """A memory that embeds with the real model."""
    return memory_with(real_model, graph, f"example.org/tests/{uuid.uuid4().hex}")


def filled(memory: Memory, folder: Path, files: dict[str, str]) -> str:
    """A new project that holds these files."""
    project = f"example.org/tests/{uuid.uuid4().hex}"
    report = memory.import_("forgeplan", workspace(folder, files), project=project)
    assert not report.refused
    return project


@pytest.fixture(scope="module")
def alone(
    environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory, real_memory: Memory
) -> Iterator[Agent]:
    """A client of a server that is a process, once its model is loaded."""
    folder = tmp_path_factory.mktemp("alone")
    options = ("--profile", "forgeplan", "--project", filled(real_memory, folder, ALONE))
    with agent_of(environment, folder, *options) as agent:
        until(lambda: not agent.call("forgeplan_search", query="x")["degraded"], WAIT_SECONDS)
        yield agent


@pytest.fixture(scope="module")
def shelf(
    tmp_path_factory: pytest.TempPathFactory, real_memory: Memory, real_model: BackgroundEmbedder
) -> Iterator[Agent]:
    project = filled(real_memory, tmp_path_factory.mktemp("shelf"), SHELF)
    with serving(real_model, "forgeplan", project=project) as agent:
        yield agent


@pytest.fixture
def search(memory: Memory) -> Callable[..., Hits]:
    """The tool over a memory of the test's own."""
    tools = Forgeplan(lambda: memory)

    def search_hits(query: str, *, with_evidence: bool = False, no_evidence: bool = False) -> Hits:
        answer = tools.forgeplan_search(query, with_evidence=with_evidence, no_evidence=no_evidence)
        return list(answer.model_dump()["hits"])

    return search_hits


def hits(agent: Agent, query: str, **arguments: object) -> Hits:
    return list(agent.call("forgeplan_search", query=query, **arguments)["hits"])


def ids(found: Hits) -> list[str]:
    return [hit["id"] for hit in found]


# The cases of the contract


@pytest.mark.parametrize("query", ["authentication", "systems", "authenticated", "auth"])
def test_forgeplan_search_finds_stems_and_beginnings(alone: Agent, query: str) -> None:
    assert ids(hits(alone, query)) == ["PRD-001"]


@pytest.mark.parametrize("query", ["quuxification", "кирпич", "PRD-999", "zebra crossing", "jane"])
@pytest.mark.parametrize("mode", ["smart", "keyword"])
def test_forgeplan_search_finds_nothing_for_words_that_are_nowhere(
    alone: Agent, query: str, mode: str
) -> None:
    reply = alone.call("forgeplan_search", query=query, mode=mode)
    assert (reply["hits"], reply["count"], reply["total"]) == ([], 0, 0)


@pytest.mark.parametrize("query", ["аутентификация", "пользователь", "аут"])
def test_forgeplan_search_finds_russian_stems_and_beginnings(alone: Agent, query: str) -> None:
    assert ids(hits(alone, query)) == ["PRD-004"]


def test_forgeplan_search_finds_other_words_by_meaning(alone: Agent) -> None:
    assert ids(hits(alone, "how do people log on", mode="semantic"))[0] == "PRD-001"
    assert ids(hits(alone, "credit card billing", mode="smart"))[0] == "PRD-002"
    assert ids(hits(alone, "authenticated", mode="keyword")) == ["PRD-001"]


def test_forgeplan_search_counts_a_title_more_than_a_body(shelf: Agent) -> None:
    assert ids(hits(shelf, "auth"))[:2] == ["PRD-101", "PRD-102"]
    assert ids(hits(shelf, "rotation")) == ["PRD-103", "PRD-104"]


def test_forgeplan_search_ranks_the_active_and_the_trusted_of_equals_first(shelf: Agent) -> None:
    assert ids(hits(shelf, "ledger")) == ["PRD-202", "PRD-201"]
    first, second = (hit for hit in hits(shelf, "abacus", kind="adr"))
    assert (first["id"], first["r_eff"]) == ("ADR-212", 1.0)
    assert (second["id"], second["r_eff"]) == ("ADR-211", 0.0)


def test_forgeplan_search_names_the_link_that_led_to_a_hit(shelf: Agent) -> None:
    found = {hit["id"]: hit for hit in hits(shelf, "beacon")}
    assert next(iter(found)) == "PRD-301"
    assert set(found) == {"PRD-301", "RFC-302", "ADR-303"}
    assert "via" not in found["PRD-301"]
    assert "via" not in found["ADR-303"]
    (via,) = found["RFC-302"]["via"]
    assert (via["from"], via["relation"], via["direction"]) == ("PRD-301", "informs", "out")
    assert found["RFC-302"]["score"] < found["PRD-301"]["score"]
    assert found["RFC-302"]["snippet"] == "Bearer strings, signed."


def test_forgeplan_search_follows_no_link_where_that_is_not_wanted(shelf: Agent) -> None:
    assert ids(hits(shelf, "beacon", no_expand=True)) == ["PRD-301", "ADR-303"]


@pytest.mark.parametrize(
    ("query", "filters", "names"),
    [
        ("beacon", {"status": "active"}, ["PRD-301", "ADR-303"]),
        ("beacon", {"status": "DRAFT"}, []),
        ("beacon", {"kind": "PRD"}, ["PRD-301"]),
        ("beacon", {"kind": "prd"}, ["PRD-301"]),
        ("throttle", {"depth": "Deep"}, ["SPEC-401"]),
        ("throttle", {"depth": "tactical"}, []),
        ("zeppelin", {}, ["ADR-502", "ADR-503"]),
        ("zeppelin", {"status": "superseded"}, ["ADR-501"]),
        ("zeppelin", {"since": "2026-03-01", "kind": "adr"}, ["ADR-502", "ADR-503"]),
        ("zeppelin", {"since": "2026-03-02"}, ["ADR-503"]),
        ("zeppelin", {"since": "2999-01-01"}, []),
        ("dynamo", {"with_evidence": True}, ["PRD-602"]),
        ("dynamo", {"no_evidence": True, "kind": "prd"}, ["PRD-601", "PRD-603"]),
    ],
)
def test_forgeplan_search_filters_everything_before_the_cut(
    shelf: Agent, query: str, filters: dict[str, Any], names: list[str]
) -> None:
    answer = shelf.call("forgeplan_search", query=query, **filters)
    assert set(ids(answer["hits"])) == set(names)
    assert answer["count"] == len(names) == answer["total"]
    assert answer["total_exact"]


def test_forgeplan_search_gives_as_many_as_asked_for_and_counts_all(shelf: Agent) -> None:
    answer = shelf.call("forgeplan_search", query="dynamo", no_evidence=True, kind="prd", limit=1)
    assert (answer["count"], answer["total"], answer["total_exact"]) == (1, 2, True)


@pytest.mark.parametrize("query", ["prd-42", "PRD-042", "prd-042", " PRD-42 "])
def test_forgeplan_search_finds_the_artifact_of_an_id_first(
    memory: Memory, search: Callable[..., Hits], tmp_path: Path, query: str
) -> None:
    others = {
        f"{n}.md": front(f"NOTE-{n:03d}", "About PRD-042. PRD-042! PRD-42", title="On PRD-042")
        for n in range(5)
    }
    memory.import_("forgeplan", workspace(tmp_path, {"x.md": front("PRD-042", "Text."), **others}))
    found = search(query)
    assert ids(found)[0] == "PRD-042"
    assert len(found) == 6


@pytest.mark.parametrize("word", ["pelican", "ostrich", "flamingo", "template", "frontmatter"])
def test_forgeplan_search_does_not_find_what_a_template_left(shelf: Agent, word: str) -> None:
    assert hits(shelf, word) == []


@pytest.mark.parametrize(
    ("query", "name", "part"),
    [
        ("walrus", "SPEC-401", "walrus"),
        ("ответ", "SPEC-402", "Кэширование ответов"),
        ("client", "SPEC-402", "mobile clients"),
        ("hippo", "NOTE-403", "hippopotamus"),
        ("hippopotamus", "NOTE-403", "hippopotamus"),
    ],
)
def test_forgeplan_search_shows_the_part_that_matched(
    shelf: Agent, query: str, name: str, part: str
) -> None:
    (hit,) = hits(shelf, query)
    assert hit["id"] == name
    assert part in hit["snippet"]


def test_forgeplan_search_sees_evidence_as_soon_as_it_is_linked(
    memory: Memory, search: Callable[..., Hits]
) -> None:
    kinds = {"Windmill": "PRD", "Test run": "Evidence"}
    memory.remember([{"name": name, "kind": kind} for name, kind in kinds.items()])
    assert search("windmill", with_evidence=True) == []
    memory.link("Test run", "INFORMS", "Windmill")
    (hit,) = search("windmill", with_evidence=True)
    assert (hit["id"], hit["r_eff"]) == ("Windmill", 1.0)
    memory.remember([{"name": "Test run", "attributes": {"verdict": "refutes"}}])
    assert search("windmill", with_evidence=True) == []
    assert search("windmill", no_evidence=True)[0]["id"] == "Windmill"
    memory.forget("Test run")
    assert search("windmill")[0]["r_eff"] == 0.0


def test_forgeplan_search_answers_the_same_after_export_and_import(
    memory: Memory, search: Callable[..., Hits], tmp_path: Path, project: str
) -> None:
    memory.import_("forgeplan", workspace(tmp_path, {**SHELF, **ALONE}))
    path = tmp_path / "all.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in memory.export()), encoding="utf-8")
    memory.import_("jsonl", path, project=f"{project}-2")
    copy = Memory(memory.graph, memory.model, f"{project}-2")
    for query in ("beacon", "dynamo", "zeppelin", "ledger", "аут", "PRD-101", "throttle walrus"):
        again = Forgeplan(lambda: copy).forgeplan_search(query).model_dump()["hits"]
        assert again == search(query)
    first, second = ([hit.tags for hit in m.search("beacon").hits] for m in (memory, copy))
    assert first == second


# Arguments


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"query": " "}, "query must not be blank, got ' '"),
        ({"query": "x" * 10_001}, "query must have at most 10000 characters"),
        ({}, "query is required"),
        (
            {"query": "x", "since": "not-a-date"},
            "since must be a day such as 2026-03-01, got 'not-a-date'",
        ),
        ({"query": "x", "since": "2026-02-30"}, "got '2026-02-30'"),
        ({"query": "x", "since": "20260301"}, "got '20260301'"),
        ({"query": "x", "mode": "fuzzy"}, "got 'fuzzy'"),
        ({"query": "x", "limit": 0}, "limit must be from 1 to 200, got 0"),
        ({"query": "x", "limit": 201}, "limit must be from 1 to 200, got 201"),
        ({"query": "x", "kind": " "}, "kind must not be blank, got ' '"),
        ({"query": "x", "status": "x" * 300}, "status must have at most 200 characters"),
        ({"query": "x", "depth": 7}, "depth must be text, got 7"),
        (
            {"query": "x", "with_evidence": True, "no_evidence": True},
            "no_evidence cannot be combined with with_evidence",
        ),
        ({"query": "x", "colour": "red"}, "colour is not a parameter"),
    ],
)
def test_forgeplan_search_says_what_is_wrong_with_an_argument(
    alone: Agent, arguments: dict[str, Any], said: str
) -> None:
    assert said in alone.refusal("forgeplan_search", **arguments)


def test_forgeplan_search_takes_any_text(alone: Agent) -> None:
    for query in ('AND OR ) ("', "\0\x1b[31m", "🦊", "*", "a" * 10_000, "PRD-", "-1", "x-0"):
        assert alone.call("forgeplan_search", query=query, mode="keyword")["count"] >= 0


def test_forgeplan_search_gives_the_same_bytes_twice(shelf: Agent) -> None:
    texts = {shelf.text("forgeplan_search", query="dynamo beacon ledger") for _ in range(3)}
    assert len(texts) == 1


def test_the_profile_offers_two_reading_tools(alone: Agent) -> None:
    assert alone.tools() == {"forgeplan_search", "forgeplan_get"}


def test_forgeplan_get_reads_an_artifact_whole(shelf: Agent) -> None:
    read = shelf.call("forgeplan_get", id="prd-602")
    assert (read["id"], read["kind"], read["title"]) == ("PRD-602", "prd", "Dynamo supported")
    assert (read["body"], read["r_eff"]) == ("Steam.", 0.4)
    assert read["evidence"] == [{"id": "EVID-602", "score": 0.4}]
    assert read["links"] == [
        {"target": "EVID-602", "relation": "informs", "direction": "in", "note": None}
    ]
    assert "no entity 'PRD-999'" in shelf.refusal("forgeplan_get", id="PRD-999")


# Ranking


def test_many_artifacts_are_filtered_by_evidence_up_to_the_limit(
    memory: Memory,
) -> None:
    names = [f"Windmill {n:03d}" for n in range(330)]
    memory.remember(
        [*({"name": name, "kind": "PRD"} for name in names), {"name": "Run", "kind": "Evidence"}],
        [{"from": "Run", "relation": "INFORMS", "to": name} for name in names[::10]],
    )
    tools = Forgeplan(lambda: memory)
    trusted = tools.forgeplan_search("windmill", with_evidence=True, limit=200)
    assert {hit.id for hit in trusted.hits} == set(names[::10])
    assert (trusted.total, trusted.total_exact) == (33, True)
    found = tools.forgeplan_search("windmill", no_evidence=True, limit=200)
    assert (found.count, found.total) == (200, 298)
    assert tools.forgeplan_search("windmill", limit=5).total == 331


def test_trust_lifts_what_matches_and_never_to_one() -> None:
    def lifted(match: float, *, is_trusted: bool, title: float = 0.0) -> float:
        return combined_score(match, title=title, is_active=is_trusted, r_eff=float(is_trusted))

    assert lifted(0.0, is_trusted=True) == 0.0
    assert lifted(0.5, is_trusted=False) == 0.5
    assert 0.5 < lifted(0.5, is_trusted=True) < 0.54
    assert lifted(0.999, is_trusted=True, title=1.0) < 1


@pytest.mark.parametrize("match", [n / 100 for n in range(1, 100)])
def test_trust_lifts_no_neighbour_above_the_artifact_that_led_to_it(match: float) -> None:
    assert combined_score(0.85 * match, title=0.0, is_active=True, r_eff=1.0) < match


def test_a_title_has_the_share_of_the_words_that_begin_one_of_its_own() -> None:
    assert title_share("Authentication System", {"auth", "payment"}) == 0.5
    assert title_share("Система аутентификации", {"аут"}) == 1.0
    assert title_share("OAuth", {"auth"}) == 0.0
    assert title_share("Anything", set()) == 0.0


def test_an_id_alone_is_asked_for_in_each_way_to_write_it() -> None:
    assert Request("prd-0042").text == '"PRD-42" OR "PRD-042" OR "PRD-0042"'
    assert Request("adr-1234").text == '"ADR-1234"'
    for query in ("mp3", "why PRD-042", "prd 42", "PRD-"):
        assert Request(query).text == query
    assert Request("prd-42", mode="semantic").text == "prd-42"
