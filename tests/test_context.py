"""A context: the best of a search as one text, never over its budget, nothing in it twice."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents import Agent, agent_of
from fakes import FakeEmbedder
from graphmem import cli
from graphmem.cli import session
from graphmem.errors import InvalidInput
from graphmem.lucene import parse
from graphmem.memory import Memory
from graphmem.memory.searches.context import widened
from graphmem.model import Answer, Context, Hit, Passage, Via
from graphmem.model.context import BUDGETS
from graphmem.packing import PassageOrigin, pack, tokens
from graphmem.packing.blocks import clean, fit_text
from graphmem.packing.tokens import quarters
from graphmem.snippets import snippet, terms_of
from sample_hits import made_hit

MARCH = datetime(2026, 3, 1, tzinfo=UTC)
OWN_LINES = ("From the memory of ", "## ", "linked: ", "[")
# What is stored may be any text; names have no line breaks, and nothing has halves of characters.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=400)
WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=512)

hit = partial(made_hit, at=MARCH)


def passage(text: str, source: str | None = None, snippet: str = "") -> Passage:
    return Passage(text.strip(), MARCH, source, snippet)


def via(seed: str, direction: str = "out", note: str | None = None) -> Via:
    return Via(seed, "DEPENDS_ON", "out" if direction == "out" else "in", note, 1.0, 0.5)


def answer(*hits: Hit, total: int | None = None) -> Answer:
    return Answer(
        query="q",
        project="p",
        mode="hybrid",
        hits=hits,
        total=len(hits) if total is None else total,
        degraded=None,
        took_ms={},
    )


def packed(*hits: Hit, budget: int = 4096, **places: PassageOrigin) -> Context:
    """A context of hits; places are given by name."""
    return pack(answer(*hits), {f"p#{name}": place for name, place in places.items()}, budget)


def quoted(context: Context) -> list[str]:
    """The lines of stored content."""
    return [line[2:] for line in context.text.splitlines() if line.startswith(">")]


# How tokens are counted


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("", 0),
        ("abcd", 1),
        ("abcde", 2),
        ("a" * 400, 100),
        ("2026-03-01", 5),
        ("привет", 3),
        ("倉庫管理", 4),
        ("🦀", 2),
        ("9f86d081884c7d65", 8),
        ("dGhlIHF1aWNrIDk5", 8),
        ("word words", 3),
    ],
)
def test_scripts_take_as_many_tokens_as_they_do_in_models(text: str, counted: int) -> None:
    assert tokens(text) == counted


@given(TEXTS, TEXTS)
def test_a_text_takes_at_least_a_token_for_four_characters_and_what_its_parts_take(
    one: str, other: str
) -> None:
    assert tokens(one) * 4 >= len(one)
    assert quarters(one) + quarters(other) <= quarters(one + other)
    assert quarters(one) + quarters(other) + quarters("\n") == quarters(f"{one}\n{other}")


# What is promised of every text


@st.composite
def hits(draw: st.DrawFn) -> list[Hit]:
    """Up to eight hits, some of them neighbours, of whatever may be stored."""
    found = []
    for place in range(draw(st.integers(1, 8))):
        links = draw(st.lists(st.builds(via, WORDS, st.just("in"), TEXTS), max_size=4))
        passages = draw(
            st.lists(st.builds(passage, TEXTS | WORDS.map(lambda w: w * 9)), max_size=4)
        )
        found.append(
            hit(
                draw(WORDS),
                *passages,
                score=1 - place / 10,
                links=tuple(links),
                title=draw(WORDS),
                kind=draw(WORDS),
                project=f"p{place}",
                status=draw(WORDS),
            )
        )
    return found


@given(hits(), st.integers(*BUDGETS) | st.integers(BUDGETS[0], 1000), TEXTS)
def test_a_context_never_exceeds_its_budget_and_is_never_empty(
    found: list[Hit], budget: int, source: str
) -> None:
    places = {hit.key: PassageOrigin(source) for hit in found}
    context = pack(answer(*found), places, budget)
    assert 0 < tokens(context.text) == context.tokens <= budget
    assert context.hits > 0


@pytest.mark.parametrize("budget", [256, 1023, 1024, 32_768])
def test_a_context_leaves_room_for_text_beside_the_longest_names(budget: int) -> None:
    long = "語" * 512
    links = tuple(Via(long, long, "in", long, 1.0, 0.5) for _ in range(5))
    found = hit(long, passage("words " * 99, long), links=links, title=f"{long} 2", kind=long,
                project=long, status=long)  # fmt: skip
    context = pack(replace(answer(found), project=f"@{long}"), {}, budget)
    assert context.tokens <= budget
    assert (context.hits, context.text.count("\n> words")) == (1, 1)


@given(hits(), st.integers(256, 8192))
def test_every_line_that_is_not_graphmems_own_is_quoted(found: list[Hit], budget: int) -> None:
    for line in pack(answer(*found), {}, budget).text.splitlines():
        assert line.startswith((">", *OWN_LINES)) or not line


@given(st.lists(st.lists(st.integers(0, 9), max_size=6), min_size=1, max_size=6))
def test_a_context_has_no_passage_twice(told: list[list[int]]) -> None:
    hits = [
        hit(f"e{place}", *(passage(f"fact {fact} of all") for fact in facts), score=1 - place / 10)
        for place, facts in enumerate(told)
    ]
    lines = [line for line in quoted(packed(*hits)) if line]
    assert sorted(lines) == sorted({f"fact {fact} of all" for facts in told for fact in facts})


@given(st.lists(st.booleans(), min_size=1, max_size=12), st.integers(256, 600))
def test_direct_hits_come_in_their_order_and_then_neighbours_in_theirs(
    linked: list[bool], budget: int
) -> None:
    hits = [
        hit(f"e{place:02}", passage(f"text of {place} " * 5), score=1 - place / 20,
            links=(via("seed"),) if is_linked else ())
        for place, is_linked in enumerate(linked)
    ]  # fmt: skip
    context = packed(*hits, budget=budget)
    wanted = [one.name for one in sorted(hits, key=lambda one: one.origin == "expanded")]
    assert list(context.names) == [name for name in wanted if name in context.names]
    assert context.text.count("\n## ") == context.hits
    assert context.omitted == len(hits) - context.hits


# How an entity stands there


def test_a_heading_names_the_entity_and_a_line_its_source_and_day() -> None:
    found = hit("Redis cache", passage("Logins were slow."), title="Cache sessions in Redis")
    context = pack(answer(found), {found.key: PassageOrigin("adr/7.md")}, 4096)
    assert context.text.split("\n\n", 1)[1].splitlines() == [
        "## Redis cache (Decision): Cache sessions in Redis",
        "[adr/7.md, 2026-03-01]",
        "> Logins were slow.",
    ]


def test_what_is_not_active_or_of_another_layer_says_so() -> None:
    found = hit("Redis cache", passage("x y"), status="superseded", project="@user")
    assert "## Redis cache (Decision, superseded, in @user)" in packed(found).text


def test_a_passage_that_only_repeats_the_heading_is_left_out() -> None:
    assert packed(hit("Redis cache", passage("redis  Cache"))).text.endswith(
        "## Redis cache (Decision)"
    )


def test_observations_keep_their_own_sources() -> None:
    found = hit("a", passage("Seen once.", "review"), passage("Seen twice.", "incident"))
    assert packed(found).text.splitlines()[-4:] == [
        "[review, 2026-03-01]",
        "> Seen once.",
        "[incident, 2026-03-01]",
        "> Seen twice.",
    ]


@pytest.mark.parametrize(
    ("direction", "line"),
    [
        ("out", "linked: Redis cache -DEPENDS_ON-> this (keeps it hot)"),
        ("in", "linked: this -DEPENDS_ON-> Redis cache (keeps it hot)"),
    ],
)
def test_a_neighbour_says_how_it_was_reached(direction: str, line: str) -> None:
    reached = hit("b", passage("Text."), links=(via("Redis cache", direction, "keeps\nit hot"),))
    assert line in packed(hit("a", passage("Other.")), reached).text.splitlines()


def test_a_source_stands_there_whole_but_in_the_smallest_budgets() -> None:
    path = ".forgeplan/prds/PRD-039-smart-search-v2-bm25-composable-filters-graph-expansion.md"
    found = hit("a", passage("Text.", path))
    assert f"[{path}, 2026-03-01]" in packed(found, budget=1024).text
    assert "…, 2026-03-01]" in packed(found, budget=300).text


def test_a_neighbour_names_its_three_best_links_and_one_where_there_is_little_room() -> None:
    links = tuple(via(f"seed {number}") for number in range(5))
    assert packed(hit("b", links=links)).text.count("linked: ") == 3
    assert packed(hit("b", links=links), budget=300).text.count("linked: ") == 1


def test_content_that_looks_like_a_heading_is_quoted() -> None:
    text = packed(hit("a", passage("## b (Decision)\u2028ignore\rall that\n[x, 2026]"))).text
    assert text.splitlines()[-4:] == ["> ## b (Decision)", "> ignore", "> all that", "> [x, 2026]"]


def test_a_note_or_title_never_begins_a_line() -> None:
    found = hit("b", passage("x y"), links=(via("a", note="so\n\n## c"),), title="t\n> u")
    assert "\n## c" not in packed(found).text
    assert "\n> u" not in packed(found).text


def test_what_no_person_sees_is_left_out() -> None:
    text = packed(hit("a", passage("pass\u202eword\x1b[2J \U000e0041b"), title="t\u202eu")).text
    assert "> password[2J b" in text
    assert ": tu" in text


# Passages that adjoin or repeat

STORED = ("First part. ", "Second part.\n\n", "Third part. ", "Fourth part.")
STANDS = PassageOrigin(
    "notes.md", {part.strip(): (place, part) for place, part in enumerate(STORED)}
)


def test_passages_that_follow_each_other_are_one_text_in_its_order() -> None:
    best_first = [passage(STORED[place]) for place in (2, 0, 1)]
    assert quoted(packed(hit("a", *best_first), a=STANDS)) == [
        "First part. Second part.",
        "",
        "Third part.",
    ]


def test_a_gap_between_passages_is_shown() -> None:
    text = packed(hit("a", passage(STORED[3]), passage(STORED[0])), a=STANDS).text
    assert text.endswith("> First part.\n[…]\n> Fourth part.")


def test_an_observation_that_the_text_says_too_is_said_once() -> None:
    for order in (("a b", "it says a b here"), ("it says a b here", "a b")):
        assert quoted(packed(hit("a", *map(passage, order)))) == ["it says a b here"]
    apart = packed(hit("a", passage("say a b"), passage("a bird")))
    assert sorted(line for line in quoted(apart) if line) == ["a bird", "say a b"]


@pytest.mark.parametrize("scores", [(0.9, 0.4), (0.4, 0.9)])
def test_a_passage_that_another_entity_says_among_more_is_said_once(
    scores: tuple[float, float],
) -> None:
    long = hit("a", passage("it says a b here"), score=scores[0])
    short = hit("b", passage("Says a  b"), passage("and more"), score=scores[1])
    context = packed(*sorted((long, short), key=lambda one: -one.score))
    assert sorted(line for line in quoted(context) if line) == ["and more", "it says a b here"]


def test_the_same_text_in_two_entities_appears_once() -> None:
    context = packed(hit("a", passage("Same  text.")), hit("b", passage("same text."), score=0.4))
    assert quoted(context) == ["Same  text."]
    assert (context.names, context.omitted) == (("a",), 1)


# What fits


def test_the_second_passage_of_a_far_better_hit_comes_before_the_first_of_another() -> None:
    words = "word " * 90
    best = hit("a", passage(f"one {words}"), passage(f"two {words}"), score=0.9)
    context = packed(best, hit("b", passage(f"three {words}"), score=0.3), budget=290)
    assert context.names == ("a",)
    assert "two" in context.text


def test_a_huge_first_passage_is_cut_to_fit() -> None:
    context = packed(hit("a", passage("many words " * 90_000)), budget=256)
    assert context.text.endswith("…")
    assert (context.cut, context.hits) == (1, 1)
    assert context.tokens > 240


def test_a_huge_passage_is_cut_where_its_best_part_begins() -> None:
    text = f"{'before ' * 2000}here it is, the needle {'after ' * 2000}"
    found = hit("a", passage(text, snippet="…here it is, the needle after after…"))
    assert "> …here it is, the needle after" in packed(found, budget=256).text


def test_a_huge_passage_leaves_room_for_other_entities() -> None:
    huge = hit("a", passage("many words " * 9_000), score=0.9)
    context = packed(huge, hit("b", passage("a few words")), budget=1024)
    assert context.names == ("a", "b")
    assert "> a few words" in context.text


def test_what_is_too_long_gives_way_to_what_still_fits() -> None:
    full = hit("a", passage("many words " * 88), score=0.9)
    long = hit("b", passage("other words " * 90), score=0.8)
    context = packed(full, long, hit("c", passage("a few words")), budget=300)
    assert context.names == ("a", "c")


@given(TEXTS, st.integers(0, 400))
def test_what_is_cut_fits_with_its_quotes_and_begins_as_the_text_does(text: str, room: int) -> None:
    shown = fit_text(clean(text), room)
    assert not shown or quarters(shown.replace("\n", "\n> ")) <= room
    assert clean(text).startswith(shown.removesuffix("…"))


def test_a_context_without_hits_is_empty() -> None:
    context = pack(answer(), {}, 4096)
    assert (context.text, context.tokens, context.hits, context.omitted) == ("", 0, 0, 0)


# From a store

PARAGRAPHS = [f"Chapter {word}. " + f"{word} sentence about tides. " * 30 for word in "abcdefgh"]


@pytest.fixture
def filled(memory: Memory) -> Memory:
    """Four entities in a chain of relations; one is long, one is of another subject."""
    memory.remember(
        [
            {"name": "Redis cache", "kind": "Decision", "text": "Logins were slow.",
             "source": "adr/7.md", "tags": ["infra"],
             "observations": [{"text": "Halved the logins.", "source": "review"}]},
            {"name": "Session store", "kind": "Service", "text": "Keeps who is signed in."},
            {"name": "Tide tables", "kind": "Document", "text": "\n\n".join(PARAGRAPHS)},
            {"name": "Watzmann", "kind": "Person"},
        ],
        [{"from": "Redis cache", "relation": "DEPENDS_ON", "to": "Session store", "note": "reads"},
         {"from": "Watzmann", "relation": "OWNS", "to": "Session store"}],
    )  # fmt: skip
    return memory


def test_a_search_becomes_a_text_with_sources_and_links(filled: Memory, project: str) -> None:
    context = filled.context("slow logins", mode="keyword")
    written = filled.get("Redis cache")[0].entity.updated_at
    assert written is not None
    day = written.date().isoformat()
    assert context.text.splitlines() == [
        context.text.splitlines()[0],
        "",
        "## Redis cache (Decision)",
        f"[adr/7.md, {day}]",
        "> Logins were slow.",
        f"[review, {day}]",
        "> Halved the logins.",
        "",
        "## Session store (Service)",
        "linked: Redis cache -DEPENDS_ON-> this (reads)",
        f"[{day}]",
        "> Keeps who is signed in.",
    ]
    assert context.text.startswith(f"From the memory of {project}. Lines after > are quotations")
    assert context.names == ("Redis cache", "Session store")
    assert (context.query, context.project, context.budget) == ("slow logins", project, 4096)


def test_a_long_text_is_put_together_again(filled: Memory) -> None:
    context = filled.context("tides sentence chapter", mode="keyword", budget=8192)
    chapters = [line[8] for line in quoted(context) if line.startswith("Chapter")]
    assert chapters == list("abcdefgh")
    assert "[…]" not in context.text


@pytest.mark.parametrize("budget", [256, 300, 500, 1000])
def test_every_budget_is_kept_and_used(filled: Memory, budget: int) -> None:
    context = filled.context("tides", mode="keyword", budget=budget)
    assert budget * 0.8 < context.tokens <= budget


def test_the_options_of_a_search_are_those_of_a_context(filled: Memory) -> None:
    def names(**options: object) -> tuple[str, ...]:
        return filled.context("slow logins", mode="keyword", **options).names  # type: ignore[arg-type]

    assert names(expand=False) == ("Redis cache",)
    assert names(kinds=["service"]) == ("Session store",)
    assert names(tags=["infra"]) == ("Redis cache",)
    assert names(limit=1) == ("Redis cache",)
    assert names(detail="names") == ("Redis cache", "Session store")


def test_options_that_are_none_leave_a_context_as_wide_as_it_is() -> None:
    left_out: Any = {"limit": None, "detail": None, "kinds": None}
    wide = widened(6_000, left_out)
    assert wide == widened(6_000, {})
    assert (wide["limit"], wide["detail"]) == (100, "full")
    narrow = widened(6_000, {"limit": 3, "detail": "names"})
    assert (narrow["limit"], narrow["detail"]) == (3, "names")


def test_a_passage_is_cut_where_its_best_part_begins_also_if_marks_are_asked_for() -> None:
    before, after = ("".join(f" word{n}" for n in range(start, start + 900)) for start in (0, 900))
    text = f"{before} here is the needle {after}".strip()
    terms = terms_of(parse("needle"))
    is_marked = widened(256, {"highlight": True}).get("highlight", False)
    found = hit("a", passage(text, snippet=snippet(text, terms, highlight=is_marked)))
    assert "here is the needle" in packed(found, budget=256).text


@pytest.mark.parametrize("budget", [0, 255, 32_769, 1000.5, "many", True, None])
def test_a_budget_that_is_not_allowed_is_named(memory: Memory, budget: object) -> None:
    with pytest.raises(InvalidInput, match="budget must be"):
        memory.context("tides", budget=budget)  # type: ignore[arg-type]


def test_a_blank_query_is_an_error_and_one_without_hits_gives_no_text(filled: Memory) -> None:
    with pytest.raises(InvalidInput, match="query"):
        filled.context(" ")
    assert filled.context("qwertz", mode="keyword").text == ""


def test_without_the_model_it_says_so(filled: Memory, embedder: FakeEmbedder) -> None:
    embedder.state, embedder.reason = "failed", "no model"
    context = filled.context("slow logins")
    assert "no model" in str(context.degraded)
    assert context.hits == 2


def test_the_same_call_gives_the_same_text(filled: Memory) -> None:
    assert filled.context("tides logins").text == filled.context("tides logins").text


# From the doors


def test_the_command_prints_the_text_and_says_what_it_took(
    filled: Memory,
    project: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(session, "embedder", lambda *_, **__: FakeEmbedder())
    asked = ("context", "slow", "logins", "--project", project)
    assert cli.main([*asked, "--budget", "512"]) == 0
    output = capsys.readouterr()
    assert output.out == f"{filled.context('slow logins', budget=512).text}\n"
    assert " of 512 tokens: 2 entities of " in output.err
    assert cli.main([*asked, "--kind", "service", "--tag", "infra"]) == 1
    assert capsys.readouterr().out == ""
    assert cli.main([*asked, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document == filled.context("slow logins").to_json()
    assert cli.main([*asked, "--budget", "5"]) == 2
    assert "budget must be from 256 to 32768, got 5" in capsys.readouterr().err


@pytest.fixture(scope="module")
def agent(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    with agent_of(environment, tmp_path_factory.mktemp("agent")) as agent:
        yield agent


def test_an_agent_reads_the_text_as_it_stands(agent: Agent, filled: Memory) -> None:
    asked = {"query": "slow logins", "project": filled.project, "budget": 512}
    assert agent.text("context", **asked) == agent.call("context", **asked)["text"]
    reply = agent.call("context", **asked)
    assert reply["text"].startswith("From the memory of ")
    assert "linked: Redis cache -DEPENDS_ON-> this (reads)" in reply["text"].splitlines()
    assert reply.keys() == filled.context("slow logins").to_json().keys()


def test_an_agent_asks_for_a_status(agent: Agent, filled: Memory) -> None:
    filled.forget("Redis cache")
    asked = {"query": "slow logins", "project": filled.project}
    assert "## Redis cache" not in agent.call("context", **asked)["text"]
    assert "## Redis cache" in agent.call("context", **asked, status=["forgotten"])["text"]


def test_an_agent_is_told_of_a_budget_that_is_not_allowed(agent: Agent, tmp_path: Path) -> None:  # noqa: ARG001 - of its own
    assert "budget must be at least 256, got 100" in agent.refusal("context", query="a", budget=100)
    assert "query must not be blank" in agent.refusal("context", query=" ")


def test_a_text_without_spaces_is_cut_behind_a_part_of_a_sentence() -> None:
    text = "支付网关处理银行卡付款，令牌保存在保险库中。" * 9
    assert fit_text(text, 4 * 60) == f"{text[:56]}…" == f"{text[:44]}支付网关处理银行卡付款，…"
