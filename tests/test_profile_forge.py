"""Forge's `memory_recall` and `memory_save`, called by a real MCP client."""

import hashlib
import json
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from agents import Agent, agent_of
from fakes import FakeEmbedder
from graphmem.adapters.forge.profile import CATEGORIES, NO_FOLDER, Tools
from graphmem.errors import InvalidInput
from graphmem.graph import Graph
from graphmem.memory import Memory
from memories import memory_with
from profile_servers import server_of

VITEST = "pnpm vitest --run (watch mode hangs in CI)"
PROJECT = f"example.org/tests/forge-{uuid.uuid4().hex}"
NODES = (
    "MATCH (n) WHERE n.project IN $projects OR n.project IS NULL "
    "RETURN elementId(n) AS id, labels(n) AS of, properties(n) AS has ORDER BY id"
)
RELATIONS = (
    "MATCH (n)-[r]->() WHERE n.project IN $projects OR n.project IS NULL "
    "RETURN elementId(r) AS id, type(r) AS of, properties(r) AS has ORDER BY id"
)
NPM = "avoid npm test, use pnpm test instead"


served, project, agent = server_of("forge", PROJECT, layers=["@user"])


@pytest.fixture
def word(memory: Memory) -> Iterator[str]:
    """A word of its own for the memory that all tests share; what has it is forgotten after."""
    own = f"w{uuid.uuid4().hex[:12]}"
    yield own
    keys = [hit.key for hit in memory.search(own, project="@user", mode="keyword").hits]
    if keys:
        memory.forget(keys, project="@user")


def save(agent: Agent, pattern: str, category: str = "test_command", **more: object) -> str:
    return agent.text("memory_save", pattern=pattern, category=category, **more)


def recall(agent: Agent, query: str, scope: str = "project") -> list[str]:
    """The patterns recalled, in order, without category, confidence and time."""
    _, *lines = agent.text("memory_recall", query=query, scope=scope).splitlines()
    return [line.partition(" — ")[2].rpartition(" (")[0] for line in lines]


# memory_recall


def test_memory_recall_gives_the_patterns_of_a_category_the_surest_first(
    agent: Agent, word: str
) -> None:
    save(agent, NPM, confidence=0.8)
    save(agent, VITEST, confidence=0.9)
    assert recall(agent, "test command") == [VITEST, NPM]
    save(agent, f"latest command palette {word}", "convention", confidence=1.0, scope="global")
    save(agent, f"a test command {word}", confidence=1.0, scope="global")
    everything = recall(agent, f"test command {word}", scope="all")
    assert everything[:2] == [VITEST, NPM]
    assert f"latest command palette {word}" in everything[2:]


def test_memory_recall_writes_category_confidence_pattern_and_time(
    agent: Agent, memory: Memory, word: str
) -> None:
    for place in (memory.project, "@user"):
        memory.remember(
            [{"name": word, "kind": "Pattern", "text": f"two\nlines {word}", "confidence": 0.85,
              "category": "tool_usage", "created_at": "2026-03-01T10:00:00Z"}],
            project=place,
        )  # fmt: skip
    line = f"[tool_usage] 0.85 — two lines {word}"
    assert agent.text("memory_recall", query=word, scope="project").splitlines() == [
        "Found 1 matches in project memory:",
        f"{line} (2026-03-01T10:00:00Z)",
    ]
    assert agent.text("memory_recall", query=word).splitlines() == [
        "Found 2 matches in project and global memory:",
        f"{line} (project, 2026-03-01T10:00:00Z)",
        f"{line} (global, 2026-03-01T10:00:00Z)",
    ]


def test_memory_recall_says_that_nothing_matched(served: Agent) -> None:
    assert (
        served.text("memory_recall", query="zzz", scope="project")
        == "Found 0 matches in project memory for 'zzz'."
    )
    for query in ("", "  ", "AND", "!?", ":"):
        assert served.text("memory_recall", query=query).startswith("Found 0 matches")


@pytest.mark.parametrize(
    ("pattern", "hits", "misses"),
    [
        ("the latest greatest attestation contest", ["latest"], ["test", "rest", "late"]),
        ("set CI=1 before go test on the db", ["CI", "ci", "go", "DB"], ["c", "d", "got"]),
        ("mongo in Django", ["mongo"], ["go", "jango"]),
        ("runs tests by test:unit", ["test", "tests", "testing", "test:unit", "x:unit"], ["tes"]),
        ("see src/auth/tokenStore.ts", ["token", "tokenStore", "src/auth", "auth"], ["tok"]),
        ("тесты падают в CI", ["тест", "падает"], ["тес"]),
    ],
)
def test_memory_recall_matches_whole_words_in_any_of_their_forms(
    agent: Agent, pattern: str, hits: list[str], misses: list[str]
) -> None:
    save(agent, pattern, "architecture")
    for query in hits:
        assert recall(agent, query) == [pattern], query
    for query in misses:
        assert recall(agent, query) == [], query


def test_memory_recall_takes_no_word_for_one_that_differs_in_a_letter(agent: Agent) -> None:
    save(agent, "keep the rocket config small", tags=["Postgresql"])
    assert recall(agent, "rocket") == recall(agent, "postgresql")
    for query in ("socket", "packet", "postgresqo"):
        assert recall(agent, query) == [], query


@pytest.mark.parametrize("category", CATEGORIES)
def test_memory_recall_finds_a_category_as_it_is_written_and_by_its_words(
    agent: Agent, category: str
) -> None:
    for other in CATEGORIES:
        save(agent, f"about {other[:3]} things", other)
    own = f"about {category[:3]} things"
    assert recall(agent, category) == [own]
    assert own in recall(agent, category.replace("_", " "))
    assert own in recall(agent, f"{category.replace('_', ' ')}s")


def test_memory_recall_finds_a_tag(agent: Agent) -> None:
    save(agent, VITEST, tags=["nightly build"])
    save(agent, NPM, tags="nightly")
    assert recall(agent, "nightly") == [VITEST, NPM] or recall(agent, "nightly") == [NPM, VITEST]
    assert recall(agent, "build") == [VITEST]


def test_memory_recall_takes_operators_in_capitals(agent: Agent) -> None:
    save(agent, VITEST)
    save(agent, NPM)
    assert recall(agent, "pnpm AND vitest") == [VITEST]
    assert recall(agent, "pnpm NOT vitest") == [NPM]
    assert len(recall(agent, "npm and vitest")) == 2


def test_memory_recall_ranks_no_confidence_below_a_little(agent: Agent) -> None:
    for confidence in (0, 0.4, 1):
        save(agent, f"pattern of {confidence}", confidence=confidence)
    assert recall(agent, "pattern") == ["pattern of 1", "pattern of 0.4", "pattern of 0"]


def test_memory_recall_gives_ties_in_the_same_order(agent: Agent) -> None:
    for name in ("beta", "alpha", "gamma"):
        save(agent, f"{name} rule")
    assert recall(agent, "rule") == ["alpha rule", "beta rule", "gamma rule"]


def test_memory_recall_gives_every_match(agent: Agent, memory: Memory) -> None:
    patterns: list[dict[str, object]] = [
        {"name": f"p{n}", "kind": "Pattern", "text": f"rule number {n}", "confidence": n / 1000,
         "category": CATEGORIES[n % 7]}
        for n in range(600)
    ]  # fmt: skip
    memory.remember(patterns[:20])
    assert len(recall(agent, "rule")) == 20
    memory.remember(patterns[20:])
    assert recall(agent, "rule") == [f"rule number {n}" for n in reversed(range(600))]


def test_memory_recall_finds_the_surest_of_very_many_of_one_category(
    agent: Agent, memory: Memory
) -> None:
    patterns: list[dict[str, object]] = [
        {"name": f"p{n}", "kind": "Pattern", "text": f"rule rule {n}", "confidence": n / 1000,
         "category": "convention"}
        for n in range(650)
    ]  # fmt: skip
    # What says the word once among many is the last that words alone would rank.
    patterns.append(patterns[0] | {"name": "sure", "text": f"one rule {'of many ' * 90}",
                                   "confidence": 1.0})  # fmt: skip
    memory.remember(patterns)
    found = recall(agent, "rule")
    assert found[0].startswith("one rule of many")
    assert len(found) == 651


@pytest.mark.parametrize("query", ["*", "?", "* *", "(*)", '"*"', "* OR ?", "NOT zzz", "*:*"])
def test_memory_recall_of_no_word_gives_nothing(agent: Agent, query: str) -> None:
    save(agent, VITEST)
    assert recall(agent, query) == []


def test_memory_recall_takes_null_for_what_need_not_be_given(agent: Agent) -> None:
    agent.text("memory_save", pattern=VITEST, category="test_command", confidence=None,
               scope=None, tags=None)  # fmt: skip
    reply = agent.text("memory_recall", query="vitest", scope=None)
    assert f"[test_command] 0.7 — {VITEST}" in reply


def test_memory_recall_gives_what_was_learned_alone(agent: Agent, memory: Memory) -> None:
    memory.remember(
        [{"name": "Test runner", "kind": "Service"}, {"name": "Old", "text": "a test"}],
        [{"from": "Old", "relation": "MENTIONS", "to": "Test runner"}],
    )
    save(agent, NPM)
    save(agent, VITEST)
    memory.forget(f"test_command: {VITEST}")
    assert recall(agent, "test") == [NPM]


def test_memory_recall_of_an_import_finds_both_scopes(
    agent: Agent, memory: Memory, tmp_path: Path, word: str
) -> None:
    folder = tmp_path / ".forge" / "memory"
    folder.mkdir(parents=True)
    for scope in ("project", "global"):
        line = {"id": f"mem_{scope}", "timestamp": "2026-03-01T10:00:00.000Z", "scope": scope,
                "pattern": f"{scope} {word}", "category": "dependency"}  # fmt: skip
        (folder / f"{scope}.jsonl").write_text(json.dumps(line))
    memory.import_("forge", tmp_path)
    assert recall(agent, word, "project") == [f"project {word}"]
    assert recall(agent, word, "global") == [f"global {word}"]
    assert recall(agent, word, "all") == [f"project {word}", f"global {word}"]
    assert "already known" in save(agent, f"PROJECT  {word}", "dependency")


def digest_of_the_store(graph: Graph) -> str:
    """A digest of what the profile can reach and of what belongs to no project.

    Other projects are left out: other tests filled them, and reading them takes minutes.
    """
    projects = [PROJECT, "@user"]
    digest = hashlib.sha256()
    with graph._session("READ") as reading:
        for statement in (NODES, RELATIONS):
            for record in reading.run(statement, projects=projects):
                has = sorted(record["has"].items())
                digest.update(repr((record["id"], record["of"], has)).encode())
    return digest.hexdigest()


def test_memory_recall_twice_gives_the_same_bytes_and_changes_nothing(
    agent: Agent, graph: Graph
) -> None:
    save(agent, VITEST, confidence=0.9)
    save(agent, NPM, confidence=0.8)
    agent.text("memory_recall", query="warm")
    before = digest_of_the_store(graph)
    first = agent.text("memory_recall", query="test command")
    assert agent.text("memory_recall", query="test command") == first
    assert agent.text("memory_recall", query="zzz").startswith("Found 0")
    assert digest_of_the_store(graph) == before


@pytest.mark.usefixtures("agent")
def test_memory_recall_and_not_memory_save_is_offered_read_only(
    environment: dict[str, str], tmp_path: Path, memory: Memory
) -> None:
    memory.remember([{"name": "x", "kind": "Pattern", "text": "a rule"}])
    options = ("--profile", "forge", "--project", PROJECT, "--read-only")
    with agent_of(environment, tmp_path, *options) as reader:
        assert reader.tools() == {"memory_recall"}
        assert recall(reader, "rule") == ["a rule"]


# memory_save


def test_memory_save_says_where_it_saved(agent: Agent, word: str) -> None:
    said = f"pnpm {word}"
    assert save(agent, said) == f"Saved to project memory [test_command]: {said}"
    assert save(agent, said, scope="global") == f"Saved to global memory [test_command]: {said}"
    assert agent.text("memory_recall", query=word, scope="project").count(said) == 1
    assert agent.text("memory_recall", query=word, scope="all").count(said) == 2


def test_memory_save_has_a_confidence_of_its_own(agent: Agent) -> None:
    save(agent, VITEST)
    assert "[test_command] 0.7 — " in agent.text("memory_recall", query="vitest")


def test_memory_save_keeps_the_words_and_the_higher_confidence_of_what_is_known(
    agent: Agent, memory: Memory
) -> None:
    save(agent, VITEST, confidence=0.6, tags=["ci"])
    for given, kept in ((0.9, 0.9), (0.2, 0.9), (0.0, 0.9)):
        said = save(agent, f"  {VITEST.upper()} ", confidence=given, tags=["pnpm"])
        assert (
            said
            == f"Duplicate: already known in project memory [test_command], with confidence {kept}"
        )
    assert recall(agent, "vitest") == [VITEST]
    (page,) = memory.get(f"test_command: {VITEST}")
    assert (page.entity.confidence, page.entity.tags) == (0.9, ("ci", "pnpm"))
    assert memory.stats().entities == 1


def test_memory_save_of_the_same_text_in_another_category_is_another_pattern(agent: Agent) -> None:
    save(agent, VITEST)
    assert save(agent, VITEST, "tool_usage").startswith("Saved")
    assert recall(agent, "vitest") == [VITEST, VITEST]


def test_memory_save_brings_back_what_was_forgotten(agent: Agent, memory: Memory) -> None:
    save(agent, VITEST)
    for status in ("forgotten", "superseded"):
        memory.remember([{"name": f"test_command: {VITEST}", "status": status}])
        assert recall(agent, "vitest") == []
        assert save(agent, VITEST).startswith("Saved")
        assert recall(agent, "vitest") == [VITEST]


def test_a_renamed_pattern_is_recalled_and_known(agent: Agent, memory: Memory) -> None:
    save(agent, VITEST)
    memory.rename(f"test_command: {VITEST}", "Watch mode")
    assert recall(agent, "vitest") == [VITEST]
    assert save(agent, VITEST).startswith("Duplicate")


def test_memory_save_of_a_merged_pattern_keeps_the_words_of_the_one_that_stayed(
    agent: Agent, memory: Memory
) -> None:
    save(agent, VITEST, "tool_usage", confidence=0.6)
    save(agent, NPM, confidence=0.4)
    memory.merge(f"tool_usage: {VITEST}", f"test_command: {NPM}")
    said = save(agent, VITEST, "tool_usage", confidence=0.9)
    assert said.startswith("Duplicate")
    assert said.endswith("with confidence 0.9")
    (page,) = memory.get(f"test_command: {NPM}")
    assert (page.entity.text, page.entity.category) == (NPM, "test_command")


def test_memory_save_at_once_makes_one_pattern_with_the_highest_confidence(
    agent: Agent, environment: dict[str, str], tmp_path: Path
) -> None:
    options = ("--profile", "forge", "--project", PROJECT)
    with agent_of(environment, tmp_path, *options) as other, ThreadPoolExecutor(8) as pool:
        save(agent, "warm")
        save(other, "warm")
        messages = list(
            pool.map(
                lambda n: save((agent, other)[n % 2], VITEST, confidence=(n * 7 % 16) / 15),
                range(16),
            )
        )
    assert sum(answer.startswith("Saved") for answer in messages) == 1
    assert sum("already known" in answer for answer in messages) == 15
    assert agent.text("memory_recall", query="vitest").count("[test_command] 1.0 — ") == 1
    assert recall(agent, "vitest") == [VITEST]


@pytest.mark.parametrize("pattern", ["x" * 10_000, "a\nb", '"]}) DETACH DELETE', "🦀 ёж", "a\x07b"])
def test_memory_save_takes_any_visible_text(agent: Agent, memory: Memory, pattern: str) -> None:
    assert save(agent, pattern).startswith("Saved")
    assert "already known" in save(agent, pattern)
    assert [line["text"] for line in memory.export()] == [pattern]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"confidence": 1.1}, ["confidence", "1.1", "1"]),
        ({"confidence": -0.1}, ["confidence", "-0.1", "0"]),
        ({"confidence": "sure"}, ["confidence", "'sure'", "number"]),
        ({"category": "failure"}, ["category", "'failure'", "failure_pattern"]),
        ({"category": "Test_Command"}, ["category", "test_command"]),
        ({"category": None}, ["category"]),
        ({"scope": "all"}, ["scope", "'all'", "global"]),
        ({"scope": "galaxy"}, ["scope", "'galaxy'", "project"]),
        ({"pattern": ""}, ["pattern", "1 character"]),
        ({"pattern": " \n\t"}, ["pattern", "blank"]),
        ({"pattern": "\x00"}, ["pattern", "blank"]),
        ({"pattern": "x" * 10_001}, ["pattern", "10000"]),
        ({"pattern": 5}, ["pattern", "5", "text"]),
        ({"tags": ["a" * 201]}, ["tags[0]", "200"]),
        ({"tags": [" "]}, ["tags[0]", "blank"]),
        ({"tags": [1]}, ["tags[0]", "text"]),
        ({"tags": ["a"] * 51}, ["tags", "50"]),
        ({"colour": "red"}, ["colour", "not a parameter"]),
    ],
)
def test_memory_save_refuses_what_is_not_allowed_and_saves_nothing(
    served: Agent, arguments: dict[str, object], words: list[str]
) -> None:
    said = {"pattern": "never saved", "category": "convention", **arguments}
    refusal = served.refusal("memory_save", **said)
    assert [word for word in words if word not in refusal] == []
    assert recall(served, "never") == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, ["query", "is required"]),
        ({"query": None}, ["query", "text"]),
        ({"query": "x" * 10_001}, ["query", "10000"]),
        ({"query": "x", "scope": "user"}, ["scope", "'user'", "all"]),
        ({"query": "x", "limit": 5}, ["limit", "not a parameter"]),
    ],
)
def test_memory_recall_refuses_what_is_not_allowed(
    served: Agent, arguments: dict[str, object], words: list[str]
) -> None:
    refusal = served.refusal("memory_recall", **arguments)
    assert [word for word in words if word not in refusal] == []


def test_without_a_project_there_is_the_global_memory_alone(graph: Graph, word: str) -> None:
    memory = memory_with(FakeEmbedder(), graph, None)
    tools = Tools(lambda: memory)
    assert tools.memory_save(word, "convention", scope="global").startswith("Saved")
    assert tools.memory_recall(word, scope="global").startswith("Found 1 matches in global")
    first, *_, last = tools.memory_recall(word).splitlines()
    assert first == "Found 1 matches in global memory:"
    assert last == NO_FOLDER
    for call in (
        partial(tools.memory_recall, word, "project"),
        partial(tools.memory_save, word, "convention"),
    ):
        with pytest.raises(InvalidInput, match="--project"):
            call()


def test_memory_recall_reads_any_query(served: Agent) -> None:
    for query in ("a:" * 5000, '"', "((", "\x00\x07", "* ?", "x" * 10_000, "a~9 b^2 [c TO d]"):
        assert served.text("memory_recall", query=query).startswith("Found")


def test_both_tools_have_a_description_and_nothing_else_is_offered(served: Agent) -> None:
    tools = {tool.name: tool for tool in served.portal.call(served.client.list_tools)}
    assert tools.keys() == {"memory_recall", "memory_save"}
    assert all(tool.description for tool in tools.values())
    annotations = tools["memory_recall"].annotations
    assert annotations is not None
    assert annotations.read_only_hint
