"""Shaktiman's `search` and `context` under their own names, through a real MCP client."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents import Agent, agent_of, serving
from graphmem.adapters.shaktiman import profile as shaktiman
from graphmem.adapters.shaktiman.profile.search import SCALE
from graphmem.embedding import BackgroundEmbedder, Vector
from graphmem.embedding.embedder import LoadedModel
from graphmem.graph import Graph
from graphmem.memory import Memory
from memories import memory_with

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
OUTLINE = "class Keeper:\n    def keep_marmots(self, burrow): …"
KEEPER = """class Keeper:


    def keep_marmots(self, burrow):
        return burrow.marmots"""
SYMBOLS += [
    symbol("zoo/keeper.py", "Keeper", OUTLINE, kind="Class"),
    symbol("zoo/keeper.py", "Keeper.keep_marmots", "def keep_marmots(self, burrow):", start=4,
           kind="Method"),
    *(symbol(f"zoo/quokka{n}.go", f"feed{n}", f"func feed{n}() {{ quokka() }}") for n in range(6)),
    symbol("zoo/wombat.go", "wombat", "func wombat() {}", kind="Macro"),
    symbol("zoo/quokka_test.go", "TestQuokka", "func TestQuokka() { quokka() }"),
]  # fmt: skip
SYMBOLS[9]["attributes"] |= {"code": KEEPER, "end_line": 5}  # type: ignore[operator]
FILES: list[dict[str, object]] = [
    {
        "name": path, "kind": "File", "text": text, "aliases": [path.rpartition("/")[2]],
        "attributes": {"path": path, "symbol": path.rpartition("/")[2], "language": "go",
                       "start_line": 1, "end_line": 40, "test": False},
    }
    for path, text in (
        ("zoo/quokka0.go", "package zoo"),
        ("internal/mcp/server.go", "package mcp\n\nconst listenBacklog = 128"),
    )
]  # fmt: skip
HOLDS: list[dict[str, object]] = [
    {"from": "zoo/quokka0.go", "relation": "CONTAINS", "to": "zoo/quokka5.go::feed5"},
    *(
        {"from": f"zoo/quokka{n}.go::feed{n}", "relation": "CALLS", "to": "zoo/wombat.go::wombat",
         "weight": 1 - n / 10, "note": f"line {n}"}
        for n in range(6)
    ),
]  # fmt: skip
CALLS: list[dict[str, object]] = [
    {
        "from": "internal/auth/token.go::validateToken",
        "relation": "CALLS",
        "to": "internal/store/quiet.go::flush",
    }
]


@pytest.fixture(scope="module")
def agent(real_model: BackgroundEmbedder) -> Iterator[Agent]:
    with Memory.open(project=PROJECT, embedder=real_model) as memory:
        others: list[dict[str, object]] = [
            {"name": "A note", "text": "token handle"},
            {"name": "Half", "text": "token half", "attributes": {"test": False}},
        ]
        report = memory.remember([*SYMBOLS, *FILES, *others], [*CALLS, *HOLDS])
        assert not report.refused
    with serving(real_model, "shaktiman", project=PROJECT) as agent:
        yield agent


def places(said: str) -> list[str]:
    return [
        match["place"].partition(":")[0] for line in said.split("\n") if (match := LINE.match(line))
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
    reply = agent.text("search", query="HTTPServer", mode="full", max_results=1)

    assert reply.split("\n")[0].startswith("1 result")
    assert "> type HTTPServer struct {\n> \tport int\n> }" in reply


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
    reply = agent.text("search", query="handle", scope=scope, path="internal/mcp", min_score=0)

    assert set(places(reply)) == found


def test_search_asks_for_implementation_by_default(agent: Agent) -> None:
    assert "_test.go" not in agent.text("search", query="TestHandle", min_score=0)


def test_search_gives_several_pieces_of_a_symbol_as_one_result(agent: Agent) -> None:
    found = places(agent.text("search", query="hand the packet over to stage", min_score=0))

    assert found.count("internal/queue/packets.go") == 1


def test_search_explains_a_score_by_its_parts(agent: Agent) -> None:
    reply = agent.text("search", query="validate user token", explain=True, max_results=1)
    parts = {name: float(value) for name, value in re.findall(r"(\w+) (\d\.\d{6})", reply)}

    rest = 1.0
    for name in ("semantic", "keyword", "name", "structural", "change", "session"):
        rest *= 1 - parts[name]
    assert 1 - rest == pytest.approx(parts["score"], abs=2e-6)


def test_search_names_the_link_that_led_to_a_neighbour(agent: Agent) -> None:
    reply = agent.text("search", query="validateToken", min_score=0)

    [flush] = [line for line in reply.split("\n") if "flush (function)" in line]
    assert flush.endswith("<- CALLS by validateToken")
    assert len(flush) / 4 < 24


def test_search_never_gives_more_than_asked_for(agent: Agent) -> None:
    reply = agent.text("search", query="func", max_results=2, min_score=0)

    assert len(places(reply)) == 2


def test_search_of_a_high_least_score_finds_none(agent: Agent) -> None:
    assert agent.text("search", query="validateToken", min_score=0.99).startswith("0 results")


def test_search_of_marks_alone_finds_nothing(agent: Agent) -> None:
    assert agent.text("search", query='"*+-^').startswith("0 results")


def test_search_answers_with_code_alone(agent: Agent) -> None:
    assert "A note" not in agent.text("search", query="A note", min_score=0, scope="all")


def test_search_full_gives_the_source_of_a_class_with_its_methods(agent: Agent) -> None:
    reply = agent.text("search", query="Keeper", mode="full", max_results=1)

    assert reply.split("\n")[1].startswith("zoo/keeper.py:1-5  Keeper (class)  0.")
    source = "\n".join(f"> {line}".rstrip() for line in KEEPER.split("\n"))
    assert source in reply
    assert "…" not in reply


def test_search_says_function_method_class_or_type(agent: Agent) -> None:
    reply = agent.text("search", query="keep marmots wombat HTTPServer", min_score=0)

    kinds = {match["symbol"]: match["kind"] for line in reply.split("\n")
             if (match := LINE.match(line))}  # fmt: skip
    assert kinds["Keeper.keep_marmots"] == "method"
    assert kinds["Keeper"] == "class"
    assert kinds["wombat"] == "function"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("quokka feed", False),
        ("package zoo", True),
        ("quokka0.go", True),
    ],
)
def test_search_gives_a_file_where_it_is_named_or_its_own_lines_match(
    agent: Agent, query: str, *, found: bool
) -> None:
    reply = agent.text("search", query=query, min_score=0, max_results=50)

    assert ("zoo/quokka0.go:1-40  quokka0.go (file)" in reply) == found


def test_search_finds_the_lines_of_a_file_by_the_parts_of_an_identifier(agent: Agent) -> None:
    reply = agent.text("search", query="listen backlog", min_score=0)

    assert "internal/mcp/server.go:1-40  server.go (file)" in reply


def test_search_gives_as_many_symbols_as_asked_for_whatever_is_left_out(agent: Agent) -> None:
    for most in (1, 2, 5):
        found = places(agent.text("search", query="quokka", min_score=0, max_results=most))
        assert len(found) == most
        assert all(place.startswith("zoo/") for place in found)


def test_search_leaves_out_what_says_no_place(agent: Agent) -> None:
    reply = agent.text("search", query="token half", min_score=0, scope="all")

    assert "Half" not in reply
    assert "validateToken" in reply


@pytest.mark.parametrize(
    ("query", "found", "missed"),
    [
        ("validate AND user", {"validateToken"}, {"signToken"}),
        ('token NOT "validateToken"', {"signToken"}, {"validateToken"}),
        ('"validateToken"', {"validateToken"}, {"signToken"}),
        ('"func signToken"', {"signToken"}, {"validateToken"}),
        ("sign*", {"signToken"}, {"validateToken"}),
    ],
)
def test_search_takes_operators_and_phrases_as_they_are(
    agent: Agent, query: str, found: set[str], missed: set[str]
) -> None:
    lines = agent.text("search", query=query, min_score=0).split("\n")
    symbols = {
        match["symbol"] for line in lines if (match := LINE.match(line)) and "<-" not in line
    }

    assert found <= symbols
    assert not missed & symbols


def test_search_names_all_links_at_most_five_the_best_first(agent: Agent) -> None:
    reply = agent.text("search", query="quokka", min_score=0, max_results=20, explain=True)

    [at] = [n for n, line in enumerate(reply.split("\n")) if "  wombat (function)" in line]
    line, parts, *links = reply.split("\n")[at : at + 7]
    assert line.endswith(
        "<- CALLS by feed0, CALLS by feed1, CALLS by feed2, CALLS by feed3, CALLS by feed4"
    )
    assert "structural 0." in parts
    assert links == [
        f"    via CALLS by zoo/quokka{n}.go::feed{n}  weight {1 - n / 10:.2f}  line {n}"
        for n in range(5)
    ]


def test_search_explains_a_neighbour_by_its_parts(agent: Agent) -> None:
    reply = agent.text("search", query="quokka", min_score=0, max_results=20, explain=True)
    _, _, after = reply.partition("  wombat (function)")
    parts = {name: float(value) for name, value in re.findall(r"(\w+) (\d\.\d{6})", after)[:7]}

    assert list(parts) == [
        "semantic", "keyword", "name", "structural", "change", "session", "score",
    ]  # fmt: skip
    rest = 1.0
    for name, value in parts.items():
        rest *= 1 if name == "score" else 1 - value
    assert 1 - rest == pytest.approx(parts["score"], abs=2e-6)


def test_search_keeps_to_a_path_before_it_cuts(agent: Agent) -> None:
    found = places(
        agent.text("search", query="func token", path="internal/auth", max_results=2, min_score=0)
    )

    assert found == ["internal/auth/token.go"] * 2


def test_search_gives_no_score_of_99_whatever_is_asked() -> None:
    parts = (SCALE.text, SCALE.vector, SCALE.name, SCALE.link)

    rest = 1.0
    for most in parts:
        rest *= 1 - most
    assert 1 - rest < 0.99


def test_search_takes_null_for_what_need_not_be_given(agent: Agent) -> None:
    optional = dict.fromkeys(("mode", "max_results", "min_score", "explain", "path", "scope"))

    assert agent.text("search", query="validateToken", **optional) == (
        agent.text("search", query="validateToken")
    )
    assert agent.text("context", query="validateToken", budget_tokens=None, scope=None)
    assert "query" in agent.refusal("search", query=None)
    assert "budget" in agent.refusal("search", query="token", budget=None)


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
    reply = agent.text("context", query="hand the packet over to a stage", budget_tokens=budget)

    assert reply
    assert len(reply) / 4 <= budget


def test_context_names_neighbours_last_with_their_link(agent: Agent) -> None:
    reply = agent.text("context", query="validateToken")

    assert reply.index("validateToken") < reply.index("flush")
    assert "CALLS" in reply


def test_context_says_nothing_of_one_passage_twice(agent: Agent) -> None:
    reply = agent.text("context", query="validate user token sign")

    assert reply.count("func validateToken(user string) error {") == 1


@pytest.mark.parametrize("budget", [256, 300, 512, 1024, 4096])
def test_context_stays_within_its_budget_as_a_stricter_reader_counts(
    agent: Agent, budget: int
) -> None:
    reply = agent.text("context", query="hand the packet over to a stage", budget_tokens=budget)

    assert len(re.findall(r"[A-Za-z]{1,6}|\d{1,3}|[^\sA-Za-z\d]", reply)) <= budget


def test_context_calls_its_parts_by_their_places(agent: Agent) -> None:
    reply = agent.text("context", query="validateToken")

    assert "## internal/auth/token.go:1-2 validateToken (function)" in reply
    assert re.match(r"\d+ results?\b", reply)


@pytest.mark.parametrize(
    ("scope", "impl", "test"),
    [(None, True, False), ("impl", True, False), ("test", False, True), ("all", True, True)],
)
def test_context_tells_tests_from_implementation(
    agent: Agent, scope: str | None, *, impl: bool, test: bool
) -> None:
    reply = agent.text("context", query="quokka", scope=scope)

    assert ("zoo/quokka0.go:" in reply) == impl
    assert ("zoo/quokka_test.go:" in reply) == test


@pytest.mark.parametrize("budget", [255, 32_769])
def test_context_names_a_wrong_budget(agent: Agent, budget: int) -> None:
    assert "budget_tokens" in agent.refusal("context", query="token", budget_tokens=budget)


def test_context_of_nothing_says_so(agent: Agent) -> None:
    assert agent.text("context", query='"*+-^').startswith("0 results")


def test_search_finds_a_renamed_symbol(memory: Memory) -> None:
    memory.remember([SYMBOLS[0]])
    memory.rename("internal/auth/token.go::validateToken", "Token validation")
    said = shaktiman.Tools(lambda: memory).search("validate token")
    assert places(said) == ["internal/auth/token.go"]
    assert "validateToken (function)" in said


def test_search_embeds_the_same_query_once(
    graph: Graph,
    project: str,
    real_model: BackgroundEmbedder,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model_class, questions = type(real_model._ready()), []
    embed = model_class.query

    def noted(model: LoadedModel, text: str) -> Vector:
        questions.append(text)
        return embed(model, text)

    monkeypatch.setattr(model_class, "query", noted)
    memory = memory_with(real_model, graph, project)
    tools = shaktiman.Tools(lambda: memory)

    for _ in range(2):
        tools.search("validate the token of a user, whoever asks")

    assert questions == ["validate the token of a user, whoever asks"]


def test_search_without_a_model_answers_by_words_and_says_so(
    environment: dict[str, str], agent: Agent, tmp_path: Path
) -> None:
    assert agent.tools()
    without = environment | {"GRAPHMEM_MODEL": "no-model", "GRAPHMEM_HUB": "false"}
    with agent_of(without, tmp_path, "--profile", "shaktiman", "--project", PROJECT) as other:
        reply = other.text("search", query="validateToken")

        context = other.text("context", query="validateToken", budget_tokens=256)

    assert "searched by words and links only" in reply.split("\n")[0]
    assert "validateToken (function)" in reply
    assert "the embedding model no-model cannot be loaded" in context.split("\n")[0]
    assert "validateToken (function)" in context
    assert len(context) / 4 <= 256
