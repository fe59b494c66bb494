"""`forgeplan_search` by its answers: front matter, links, evidence, and what export keeps."""

import subprocess
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fakes import FakeEmbedder
from forgeplan_files import front, workspace
from graphmem.adapters.forgeplan.profile.tools import Forgeplan
from graphmem.errors import NotFound
from graphmem.graph import Graph
from graphmem.memory import Memory
from memories import memory_with

Hits = list[dict[str, Any]]
Search = Callable[..., Hits]
Fill = Callable[..., Memory]
INFORMS = "[{{target: {}, relation: informs}}]"


@pytest.fixture
def fill(memory: Memory, tmp_path: Path) -> Fill:
    """Import files, of which nothing is refused."""

    def filled(**files: str) -> Memory:
        named = {f"{name}.md": content for name, content in files.items()}
        assert not memory.import_("forgeplan", workspace(tmp_path, named), mentions=False).refused
        return memory

    return filled


def whole(memory: Memory, query: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - the tool's own arguments
    tools = Forgeplan(lambda: memory)
    return tools.forgeplan_search(query, **{"mode": "keyword", **more}).model_dump()


def artifact(memory: Memory, name: str) -> dict[str, Any]:
    return Forgeplan(lambda: memory).forgeplan_get(name).model_dump()


@pytest.fixture
def search(memory: Memory) -> Search:
    return lambda query, **more: list(whole(memory, query, **more)["hits"])


def ids(found: Hits) -> list[str]:
    return [hit["id"] for hit in found]


# What an answer has


def test_kinds_are_answered_in_small_letters(fill: Fill, search: Search) -> None:
    memory = fill(
        a=front("PRD-001", "An owl.", kind="prd"),
        b=front("EVID-001", "An owl.", kind="EvidencePack"),
        c=front("ADR-001", "An owl."),
    )
    assert {hit["id"]: hit["kind"] for hit in search("owl")} == {
        "PRD-001": "prd", "EVID-001": "evidence", "ADR-001": "adr",
    }  # fmt: skip
    assert Forgeplan(lambda: memory).forgeplan_get("EVID-1").kind == "evidence"


def test_a_link_is_seen_from_the_hit_it_starts_at_or_ends_at(fill: Fill, search: Search) -> None:
    fill(
        a=front("PRD-001", "x", title="Owl house"),
        b=front("RFC-002", "y", title="Token design", links=INFORMS.format("PRD-001")),
    )
    direct, expanded = search("owl")
    assert ids([direct, expanded]) == ["PRD-001", "RFC-002"]
    (via,) = expanded["via"]
    assert (via["from"], via["relation"], via["direction"]) == ("PRD-001", "informs", "in")


def test_a_link_is_given_with_its_own_properties(memory: Memory, search: Search) -> None:
    memory.remember(
        [{"name": "PRD-001", "kind": "PRD", "text": "An owl."}, {"name": "RFC-002", "text": "y"}],
        [
            {
                "from": "PRD-001", "relation": "INFORMS", "to": "RFC-002", "weight": 0.5,
                "confidence": 0.7, "note": "why", "attributes": {"since": "v2", "steps": [1, 2]},
            }
        ],
    )  # fmt: skip
    (via,) = search("owl")[1]["via"]
    assert (via["weight"], via["confidence"], via["note"]) == (0.5, 0.7, "why")
    assert via["attributes"] == {"since": "v2", "steps": [1, 2]}


def test_five_links_are_given_at_most_the_best_first(memory: Memory, search: Search) -> None:
    names = [f"PRD-00{number}" for number in range(1, 8)]
    memory.remember(
        [*({"name": name, "text": "An owl."} for name in names), {"name": "RFC-9", "text": "y"}],
        [
            {"from": name, "relation": "INFORMS", "to": "RFC-9", "weight": number / 10}
            for number, name in enumerate(names, 1)
        ],
    )
    (found,) = (hit for hit in search("owl") if hit["id"] == "RFC-9")
    assert [via["weight"] for via in found["via"]] == [0.7, 0.6, 0.5, 0.4, 0.3]


def test_a_total_counts_neighbours_only_where_links_are_followed(fill: Fill) -> None:
    memory = fill(
        a=front("PRD-001", "An owl.", links=INFORMS.format("RFC-002")), b=front("RFC-002", "y")
    )
    assert whole(memory, "owl")["total"] == 2
    alone = whole(memory, "owl", no_expand=True)
    assert (alone["total"], alone["count"], ids(alone["hits"])) == (1, 1, ["PRD-001"])


@pytest.mark.parametrize("query", ["PRD-0042", "prd-42", "PRD-042"])
def test_an_id_is_found_as_it_is_spelt(memory: Memory, search: Search, query: str) -> None:
    memory.remember(
        [
            {"name": "PRD-0042", "kind": "PRD", "aliases": ["PRD-42", "PRD-042"]},
            {"name": "PRD-0043", "kind": "PRD", "text": "After PRD-0042."},
        ]
    )
    assert ids(search(query))[0] == "PRD-0042"


def test_an_id_that_has_no_other_spelling_is_found_as_it_is(memory: Memory, search: Search) -> None:
    memory.remember([{"name": "PRD-0042", "kind": "PRD", "text": "An owl."}])
    assert ids(search("prd-0042")) == ["PRD-0042"]


# Front matter


TAGGED = {
    "a": front("PRD-001", "Cards are charged.", title="Payments", tags="[auth, money]"),
    "b": front("PRD-002", "Cards are charged.", title="Invoices", slug="auth-system"),
    "c": front("PRD-003", "Cards are charged.", title="Exports", author="jane"),
    "d": front("PRD-004", "Cards are charged.", title="Ledger", aliases="[auth-ledger]"),
}


@pytest.mark.parametrize("mode", ["keyword", "smart"])
def test_the_words_of_front_matter_are_not_found(fill: Fill, mode: str) -> None:
    memory = fill(**TAGGED)
    for query in ("auth", "authentication auth", "jane", "money", "auth*", '"auth"', "aut"):
        answer = whole(memory, query, mode=mode)
        assert (answer["hits"], answer["total"]) == ([], 0), query
    assert memory.search("cards", tags=["auth"], mode="keyword").hits[0].name == "PRD-001"


def test_a_tag_takes_nothing_from_what_title_or_body_say(fill: Fill, search: Search) -> None:
    fill(
        a=front("PRD-001", "x", title="Authentication", tags="[auth]"),
        b=front("PRD-002", "They authenticate.", title="Login", tags="[auth]"),
        c=front("PRD-003", "Call `checkAuth()`.", title="Door", tags="[auth]"),
        d=front("PRD-004", "Nothing of it.", title="Window", tags="[auth]"),
        e=front("PRD-005", "A query.", title="Roof", tags="[queries]"),
    )
    assert set(ids(search("auth"))) == {"PRD-001", "PRD-002", "PRD-003"}
    assert ids(search("queries")) == ["PRD-005"]


def test_a_renamed_artifact_is_found_by_a_word_of_its_tags_and_body(
    fill: Fill, search: Search
) -> None:
    memory = fill(a=front("PRD-001", "They authenticate.", title="Login", tags="[auth]"))
    memory.rename("PRD-001", "PRD-101")
    assert ids(search("auth")) == ["PRD-101"]


def test_a_neighbour_whose_tag_matches_is_a_neighbour(fill: Fill, search: Search) -> None:
    memory = fill(
        a=front("PRD-001", "x", title="Auth System", links=INFORMS.format("RFC-002")),
        b=front("RFC-002", "Strings.", title="Token design", tags="[auth]"),
        c=front("RFC-003", "y", title="TextOutput", tags="[auth]", links=INFORMS.format("ADR-004")),
        d=front("ADR-004", "z", title="Ink"),
    )
    direct, expanded = search("auth")
    assert (direct["id"], "via" in direct) == ("PRD-001", False)
    assert expanded["id"] == "RFC-002"
    assert [(via["from"], via["direction"]) for via in expanded["via"]] == [("PRD-001", "out")]
    assert expanded["score"] < direct["score"]
    assert whole(memory, "auth")["total"] == 2


def test_an_artifact_is_read_by_its_slug(fill: Fill) -> None:
    memory = fill(**TAGGED)
    tools = Forgeplan(lambda: memory)
    assert tools.forgeplan_get("auth-system").id == "PRD-002"
    assert tools.forgeplan_get("Auth-Ledger").id == "PRD-004"
    with pytest.raises(NotFound, match="no-such-slug"):
        tools.forgeplan_get("no-such-slug")


def test_english_and_russian_words_of_one_text_are_both_found_by_their_stems(
    fill: Fill, search: Search
) -> None:
    fill(
        a=front("SPEC-001", "Кэширование ответов for mobile clients.", title="Ускорение API calls"),
        b=front("SPEC-002", "Nothing of it.", title="Другое"),
    )
    for query in ("ответ", "кэширования", "client", "calling", "ускорения", "ответы clients"):
        assert ids(search(query)) == ["SPEC-001"], query


# Evidence


def test_of_twins_the_refuted_one_comes_last(fill: Fill, search: Search) -> None:
    fill(
        a=front("PRD-001", "An owl.", title="House"),
        b=front("PRD-002", "An owl.", title="House"),
        c=front("EVID-001", "verdict: refutes\n", links=INFORMS.format("PRD-001")),
        d=front("EVID-002", "verdict: supports\n", links=INFORMS.format("PRD-002")),
    )
    found = search("house", kind="prd")
    assert [(hit["id"], hit["r_eff"]) for hit in found] == [("PRD-002", 1.0), ("PRD-001", 0.0)]
    assert ids(search("house", no_evidence=True, kind="prd")) == ["PRD-001"]
    assert ids(search("house", with_evidence=True, kind="prd")) == ["PRD-002"]


@pytest.mark.parametrize(
    ("bodies", "r_eff"),
    [
        (["verdict: supports\nvalid_until: 2020-01-01\n"], 0.1),
        (["verdict: supports\ncongruence_level: 0\n"], 0.1),
        (["verdict: supports\ncongruence_level: 1\n"], 0.6),
        (["verdict: weakens\ncongruence_level: 0\n"], 0.0),
        (["verdict: supports\ncongruence: CL2\n"], 0.9),
        (["verdict: supports\n", "verdict: weakens\ncl: 2\n", "verdict: supports\nCL: 1\n"], 0.4),
        (["verdict: supports\n", "verdict: refutes\n"], 0.0),
    ],
)
def test_trust_is_that_of_the_weakest_evidence(
    fill: Fill, search: Search, bodies: list[str], r_eff: float
) -> None:
    evidence = {
        f"e{number}": front(f"EVID-00{number}", body, links=INFORMS.format("PRD-001"))
        for number, body in enumerate(bodies, 1)
    }
    fill(a=front("PRD-001", "An owl."), **evidence)
    (hit,) = search("owl", kind="prd")
    assert hit["r_eff"] == r_eff
    assert bool(search("owl", with_evidence=True, kind="prd")) is (r_eff > 0)
    assert bool(search("owl", no_evidence=True, kind="prd")) is (r_eff == 0)


# Out and in again


@pytest.fixture
def other(graph: Graph) -> Memory:
    return memory_with(FakeEmbedder(), graph, f"example.org/tests/{uuid.uuid4().hex}")


def test_another_project_answers_the_same_after_export_and_import_by_command(
    fill: Fill, other: Memory, environment: dict[str, str], tmp_path: Path
) -> None:
    memory = fill(
        a=front(
            "PRD-001", "An owl.", title="Owl house", status="active", created="2026-03-01",
            tags="[night, bird]", depth="deep", links=INFORMS.format("RFC-002"),
        ),
        b=front("RFC-002", "Strings.", title="Token design", created="2026-02-01"),
        c=front("EVID-001", "verdict: weakens\n", links=INFORMS.format("PRD-001")),
        d=front("PRD-004", "An owl.", title="Barn", status="superseded"),
    )  # fmt: skip
    file = str(tmp_path / "all.jsonl")
    for words in (
        ("export", "--project", memory.project_name(), "--output", file),
        ("import", "jsonl", file, "--project", other.project_name()),
    ):
        command = [sys.executable, "-m", "graphmem", *words]
        subprocess.run(command, env=environment, check=True, capture_output=True, timeout=300)
    for query, more in (
        ("owl", {}),
        ("owl", {"since": "2026-03-01"}),
        ("owl", {"since": "2026-03-02"}),
        ("owl", {"status": "superseded"}),
        ("owl", {"with_evidence": True, "depth": "DEEP"}),
        ("night", {}),
        ("prd-1", {}),
    ):
        assert whole(memory, query, **more) == whole(other, query, **more), (query, more)
    late = whole(other, "owl", since="2026-03-01", no_expand=True)
    assert ids(late["hits"]) == ["PRD-001"]
    read = [artifact(one, "PRD-1") for one in (memory, other)]
    assert read[0] | {"updated_at": None} == read[1] | {"updated_at": None}
    assert read[1]["tags"] == ["night", "bird"]
    assert read[1]["created_at"] == "2026-03-01T00:00:00Z"
    tagged = [
        [hit.name for hit in one.search("owl", tags=["bird"]).hits] for one in (memory, other)
    ]
    assert tagged == [["PRD-001"], ["PRD-001"]]
