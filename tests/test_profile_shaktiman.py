"""Shaktiman's `search` and `context` under their own names, through a real MCP client."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from agents import Agent, agent_of
from graphmem.embedding import SentenceEmbedder, Vector
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.memory.model import StoreModel
from graphmem.profiles import shaktiman

PROJECT = "example.org/tests/profile-shaktiman"
LINE = re.compile(r"^(?P<place>[\w./-]+:\d+-\d+)  (?P<symbol>\S+) \((?P<kind>\w+)\)  0\.\d{3}")


def symbol(path: str, name: str, text: str, *, start: int = 1, **more: object) -> dict[str, object]:
    return {
        "name": f"{path}::{name}",
        "kind": "Function",
        "title": name,
        "text": text,
        "source": path,
        "attributes": {
            "path": path,
            "symbol": name,
            "language": "go",
            "start_line": start,
            "end_line": start + text.count("\n"),
            "signature": text.split("\n", maxsplit=1)[0],
            "test": path.endswith("_test.go"),
        },
    } | more


LONG = "\n".join(f"\tstep{i}(request) // hand the packet over to stage {i}" for i in range(120))
SYMBOLS = [
    symbol("internal/auth/token.go", "validateToken", "func validateToken(user string) error {\n}"),
    symbol(
        "internal/auth/token.go", "signToken", "func signToken(user string) string {\n}", start=9
    ),
    symbol("internal/mcp/server.go", "HTTPServer", "type HTTPServer struct {\n\tport int\n}"),
    symbol("internal/mcp/server.go", "handle", "func handle() { listen() }", start=20),
    symbol("internal/mcp/server_test.go", "TestHandle", "func TestHandle() { handle() }"),
    symbol("internal/mcp2/other.go", "handleElse", "func handleElse() { handle }"),
    symbol("main.go", "main", "func main() { handle the command line }"),
    symbol("internal/queue/packets.go", "pipeline", f"func pipeline() {{\n{LONG}\n}}"),
    symbol("internal/store/quiet.go", "flush", "func flush() {}"),
]
CALLS = [
    {
        "from": "internal/auth/token.go::validateToken",
        "relation": "CALLS",
        "to": "internal/store/quiet.go::flush",
    }
]


@pytest.fixture(scope="module")
def agent(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    with Memory.open(project=PROJECT) as memory:
        report = memory.remember([*SYMBOLS, {"name": "A note", "text": "token handle"}], CALLS)
        assert not report.refused
    folder = tmp_path_factory.mktemp("folder")
    options = ("--profile", "shaktiman", "--project", PROJECT)
    with agent_of(environment, folder, *options) as agent:
        agent.text("search", query="warm up", min_score=0)
        yield agent


def places(said: str) -> list[str]:
    return [
        found["place"].partition(":")[0] for line in said.split("\n") if (found := LINE.match(line))
    ]


def test_search_and_context_are_what_is_offered(agent: Agent) -> None:
    assert agent.tools() == {"search", "context"}


def test_search_locates_in_one_line_a_hit_after_the_count(agent: Agent) -> None:
    first, *lines = agent.text("search", query="validateToken").split("\n")

    assert re.match(r"\d+ results?", first)
    assert lines[0].startswith("internal/auth/token.go:1-2  validateToken (function)  0.")
    assert int(first.split()[0]) == len(lines)
    assert len(lines[0]) / 4 < 24


@pytest.mark.parametrize("query", ["validateToken", "validate user token", "validate_token"])
def test_search_finds_an_identifier_whole_and_by_its_parts(agent: Agent, query: str) -> None:
    assert "validateToken (function)" in agent.text("search", query=query).split("\n")[1]


def test_search_splits_capitals(agent: Agent) -> None:
    assert "HTTPServer" in agent.text("search", query="http server").split("\n")[1]


def test_search_full_gives_the_source_below_the_line(agent: Agent) -> None:
    said = agent.text("search", query="HTTPServer", mode="full", max_results=1)

    assert said.split("\n")[0].startswith("1 result")
    assert "type HTTPServer struct {\n\tport int\n}" in said


def test_search_keeps_below_a_path_by_whole_segments(agent: Agent) -> None:
    found = places(agent.text("search", query="handle", path="internal/mcp/", min_score=0))
    assert set(found) == {"internal/mcp/server.go"}
    assert places(agent.text("search", query="handle", path="main.go", min_score=0)) == ["main.go"]
    assert places(agent.text("search", query="handle", path="intern", min_score=0)) == []


@pytest.mark.parametrize(
    ("scope", "found"),
    [
        ("impl", {"internal/mcp/server.go"}),
        ("test", {"internal/mcp/server_test.go"}),
        ("all", {"internal/mcp/server.go", "internal/mcp/server_test.go"}),
    ],
)
def test_search_tells_tests_from_implementation(agent: Agent, scope: str, found: set[str]) -> None:
    said = agent.text("search", query="handle", scope=scope, path="internal/mcp", min_score=0)

    assert set(places(said)) == found


def test_search_asks_for_implementation_by_default(agent: Agent) -> None:
    assert "_test.go" not in agent.text("search", query="TestHandle", min_score=0)


def test_search_gives_several_pieces_of_a_symbol_as_one_result(agent: Agent) -> None:
    found = places(agent.text("search", query="hand the packet over to stage", min_score=0))

    assert found.count("internal/queue/packets.go") == 1


def test_search_explains_a_score_by_its_parts(agent: Agent) -> None:
    said = agent.text("search", query="validate user token", explain=True, max_results=1)
    parts = {name: float(value) for name, value in re.findall(r"(\w+) (\d\.\d{6})", said)}

    rest = 1.0
    for name in ("semantic", "keyword", "name", "structural", "change", "session"):
        rest *= 1 - parts[name]
    assert 1 - rest == pytest.approx(parts["score"], abs=2e-6)


def test_search_names_the_link_that_led_to_a_neighbour(agent: Agent) -> None:
    said = agent.text("search", query="validateToken", min_score=0)

    [flush] = [line for line in said.split("\n") if "flush (function)" in line]
    assert flush.endswith("<- CALLS by validateToken")
    assert len(flush) / 4 < 24


def test_search_never_gives_more_than_asked_for(agent: Agent) -> None:
    said = agent.text("search", query="func", max_results=2, min_score=0)

    assert len(places(said)) == 2


def test_search_of_a_high_least_score_finds_none(agent: Agent) -> None:
    assert agent.text("search", query="validateToken", min_score=0.99).startswith("0 results")


def test_search_of_marks_alone_finds_nothing(agent: Agent) -> None:
    assert agent.text("search", query='"*+-^').startswith("0 results")


def test_search_answers_with_code_alone(agent: Agent) -> None:
    assert "A note" not in agent.text("search", query="A note", min_score=0, scope="all")


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("query", ""),
        ("query", "   "),
        ("query", "x" * 10_001),
        ("mode", "everything"),
        ("max_results", 0),
        ("max_results", 201),
        ("max_results", "many"),
        ("min_score", -0.1),
        ("min_score", 1.1),
        ("scope", "tests"),
        ("path", "../elsewhere"),
        ("explain", "perhaps"),
    ],
)
def test_search_names_a_wrong_argument(agent: Agent, argument: str, value: object) -> None:
    said = {"query": "token"} | {argument: value}

    assert argument in agent.refusal("search", **said)


def test_search_refuses_a_parameter_it_does_not_have(agent: Agent) -> None:
    assert "budget" in agent.refusal("search", query="token", budget=5)


@pytest.mark.parametrize("budget", [256, 512, 4096])
def test_context_stays_within_its_budget(agent: Agent, budget: int) -> None:
    said = agent.text("context", query="hand the packet over to a stage", budget_tokens=budget)

    assert said
    assert len(said) / 4 <= budget


def test_context_names_neighbours_last_with_their_link(agent: Agent) -> None:
    said = agent.text("context", query="validateToken")

    assert said.index("validateToken") < said.index("flush")
    assert "CALLS" in said


def test_context_says_nothing_of_one_passage_twice(agent: Agent) -> None:
    said = agent.text("context", query="validate user token sign")

    assert said.count("func validateToken(user string) error {") == 1


@pytest.mark.parametrize("budget", [255, 32_769])
def test_context_names_a_wrong_budget(agent: Agent, budget: int) -> None:
    assert "budget_tokens" in agent.refusal("context", query="token", budget_tokens=budget)


def test_context_of_nothing_says_so(agent: Agent) -> None:
    assert agent.text("context", query='"*+-^').startswith("0 results")


def test_search_embeds_the_same_query_once(
    graph: Graph,
    project: str,
    real_model: SentenceEmbedder,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Sequence[str]] = []
    encode = real_model._encode

    def counted(texts: Sequence[str], **how: object) -> list[Vector]:
        asked.append(texts)
        return encode(texts, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(real_model, "_encode", counted)
    memory = Memory(graph, StoreModel(graph, real_model, waits=True, read_only=False), project)
    tools = shaktiman.Tools(lambda: memory)

    for _ in range(2):
        tools.search("validate the token of a user, whoever asks")

    assert len(asked) == 1


def test_search_without_a_model_answers_by_words_and_says_so(
    environment: dict[str, str], agent: Agent, tmp_path: Path
) -> None:
    assert agent.tools()
    without = environment | {"GRAPHMEM_MODEL": str(tmp_path / "no-model")}
    with agent_of(without, tmp_path, "--profile", "shaktiman", "--project", PROJECT) as other:
        said = other.text("search", query="validateToken")

    assert "found by words and links alone" in said.split("\n")[0]
    assert "validateToken (function)" in said
