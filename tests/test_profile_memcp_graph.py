"""memcp's tools that follow relations, age weights and find pairs, called by a real MCP client."""

from itertools import pairwise

import pytest

import memcp_agents
from agents import Agent
from graphmem.adapters.memcp.profile.tools import Tools
from graphmem.memory import Memory
from graphmem.read import duplicates as reading
from graphmem.read import traversal
from memcp_agents import entity, stale

agent, context, tools = memcp_agents.agent, memcp_agents.context, memcp_agents.tools


# traverse, find_path


@pytest.fixture
def chain(memory: Memory, project: str) -> str:
    """Seven entities in a row, a shortcut of two relations, a forgotten one, and one apart."""
    row = [f"n{number}" for number in range(7)]
    said = [
        {"name": name, "kind": "node", "text": name} for name in [*row, "short", "dead", "apart"]
    ]
    joined: list[dict[str, object]] = [
        {"from": one, "relation": "next", "to": other, "weight": 0.5}
        for one, other in pairwise(row)
    ]
    joined += [
        {"from": "n4", "relation": "jumps", "to": "short"},
        {"from": "short", "relation": "jumps", "to": "n1"},
        {"from": "n0", "relation": "next", "to": "dead"},
        {"from": "dead", "relation": "next", "to": "n6"},
    ]
    assert not memory.remember(said, joined).refused
    memory.forget("dead")
    return project


def test_traverse_explores_both_directions_the_nearest_first(agent: Agent, chain: str) -> None:
    reply = agent.call("traverse", start="entity:n1", context=chain)
    assert (reply["name"], reply["count"], reply["complete"]) == ("n1", 5, True)
    assert [(hub["name"], hub["depth"], hub["via"]) for hub in reply["connected"]] == [
        (
            "short",
            1,
            {"from": "n1", "relation": "jumps", "direction": "in", "weight": 1.0, "note": None},
        ),
        (
            "n0",
            1,
            {"from": "n1", "relation": "next", "direction": "in", "weight": 0.5, "note": None},
        ),
        (
            "n2",
            1,
            {"from": "n1", "relation": "next", "direction": "out", "weight": 0.5, "note": None},
        ),
        (
            "n4",
            2,
            {"from": "short", "relation": "jumps", "direction": "in", "weight": 1.0, "note": None},
        ),
        (
            "n3",
            2,
            {"from": "n2", "relation": "next", "direction": "out", "weight": 0.5, "note": None},
        ),
    ]


def test_traverse_keeps_to_relation_types_and_depth(agent: Agent, chain: str) -> None:
    def seen(**options: object) -> list[str]:
        reply = agent.call("traverse", start="n1", context=chain, **options)
        return [hub["name"] for hub in reply["connected"]]

    assert seen(relation_types=["jumps"]) == ["short", "n4"]
    assert seen(relation_types="next", depth=1) == ["n0", "n2"]
    assert seen(relation_types=["other"]) == []
    assert len(seen(depth=0)) == len(seen(depth=None)) == 5
    assert set(seen(depth=10)) == {"n0", "n2", "n3", "n4", "n5", "n6", "short"}


def test_traverse_of_a_hub_gives_a_hundred_and_says_so(
    agent: Agent, memory: Memory, project: str
) -> None:
    memory.remember(
        [{"name": "hub"}, *({"name": f"leaf {n}"} for n in range(120))],
        [
            {"from": "hub", "relation": "has", "to": f"leaf {n}", "weight": n / 120}
            for n in range(120)
        ],
    )
    reply = agent.call("traverse", start="hub", context=project)
    assert (reply["count"], reply["complete"]) == (100, False)
    assert [hub["name"] for hub in reply["connected"]][:2] == ["leaf 119", "leaf 118"]


def test_traverse_of_a_missing_entity_is_an_error(agent: Agent, context: str) -> None:
    assert "start: there is no entity 'nobody'" in agent.refusal(
        "traverse", start="nobody", context=context
    )
    assert "start" in agent.refusal("traverse", start=" ", context=context)
    assert "depth" in agent.refusal("traverse", start="mailer", depth=11, context=context)


def test_find_path_gives_the_shortest_way(agent: Agent, chain: str) -> None:
    reply = agent.call("find_path", **{"from": "n0", "to": "entity:n5"}, context=chain)
    assert (reply["path_found"], reply["length"]) == (True, 4)
    assert [one.rpartition("#")[2] for one in reply["path"]] == ["n0", "n1", "short", "n4", "n5"]
    assert reply["steps"][1] == {
        "from": "n1", "relation": "jumps", "direction": "in", "weight": 1.0, "note": None,
        "to": "short",
    }  # fmt: skip


def test_find_path_keeps_to_its_depth_and_to_the_living(agent: Agent, chain: str) -> None:
    def length(start: str, to: str, **options: object) -> int | None:
        arguments = {"from": start, "to": to, "context": chain, **options}
        reply = agent.call("find_path", **arguments)
        return reply["length"] if reply["path_found"] else None

    assert length("n0", "n6") == 5
    assert length("n0", "n6", max_depth=4) is None
    assert length("n0", "n1", max_depth=1) == 1
    assert length("n0", "n5", max_depth=0) == 4
    assert length("n3", "n3") == 0
    assert length("n0", "apart", max_depth=20) is None


def test_find_path_says_that_there_is_none(agent: Agent, chain: str) -> None:
    reply = agent.call("find_path", **{"from": "n0", "to": "apart"}, context=chain)
    assert (reply["path_found"], reply["path"], reply["steps"]) == (False, [], [])
    assert "at most 5 relations" in reply["message"]


def test_find_path_between_missing_entities_is_an_error(agent: Agent, chain: str) -> None:
    def refusal(**arguments: object) -> str:
        return agent.refusal("find_path", **arguments, context=chain)

    assert "from: there is no entity 'nobody'" in refusal(**{"from": "nobody", "to": "n1"})
    assert "to: there is no entity 'nobody'" in refusal(**{"from": "n1", "to": "nobody"})
    assert "max_depth" in refusal(**{"from": "n1", "to": "n2", "max_depth": 21})
    assert "from is required" in refusal(to="n1")


def test_find_path_says_where_it_gave_up(
    memory: Memory, tools: Tools, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.remember(
        [{"name": name} for name in ("hub", "far", *(f"leaf {n}" for n in range(30)))],
        [{"from": "hub", "relation": "has", "to": f"leaf {n}"} for n in range(30)],
    )
    monkeypatch.setattr(traversal, "VISITED", 20)
    assert "among the 20 entities" in tools.find_path("hub", "far").message


def test_reflect_takes_a_tenth_of_the_weight_of_what_was_not_found_for_long(
    agent: Agent, context: str, memory: Memory
) -> None:
    stale(memory, "auth-service", 31)
    stale(memory, "mailer", 29)
    reply = agent.call("reflect", context=context)
    assert reply["action"] == "decay"
    assert reply["decay"]["affected"] == 1
    (lost,) = reply["decay"]["entities"]
    assert (lost["name"], lost["old_decay_weight"], lost["new_decay_weight"]) == (
        "auth-service", 1.0, 0.9,
    )  # fmt: skip
    weights = [entity(agent, name, context) for name in ("auth-service", "mailer", "user-store")]
    assert [weight["decay_weight"] for weight in weights if weight] == [0.9, 1.0, 1.0]


def test_reflect_that_is_a_dry_run_changes_nothing(
    agent: Agent, context: str, memory: Memory
) -> None:
    stale(memory, "mailer", 40, 0.5)
    before = entity(agent, "mailer", context)
    reply = agent.call("reflect", action="decay", dry_run=True, context=context)
    assert (reply["decay"]["affected"], reply["decay"]["dry_run"]) == (1, True)
    assert reply["decay"]["entities"][0]["new_decay_weight"] == 0.45
    assert entity(agent, "mailer", context) == before


def test_reflect_ends_at_a_floor(agent: Agent, context: str, memory: Memory) -> None:
    stale(memory, "mailer", 40, 0.105)
    assert agent.call("reflect", context=context)["decay"]["affected"] == 1
    assert agent.call("reflect", context=context)["decay"]["affected"] == 0
    found = entity(agent, "mailer", context)
    assert found is not None
    assert found["decay_weight"] == 0.1


def test_reflect_counts_what_was_never_found_from_when_it_was_made(
    agent: Agent, memory: Memory, project: str
) -> None:
    memory.remember([{"name": "old", "created_at": "2020-01-01"}, {"name": "new"}])
    reply = agent.call("reflect", dry_run=True, context=project)
    assert [entity["name"] for entity in reply["decay"]["entities"]] == ["old"]
    assert (
        agent.call("reflect", dry_run=True, context=project, decay_days=36_500)["decay"]["affected"]
        == 0
    )


def test_reflect_leaves_the_dead_and_other_contexts_alone(
    agent: Agent, context: str, memory: Memory
) -> None:
    stale(memory, "mailer", 40)
    stale(memory, "user-store", 40)
    memory.forget("mailer")
    reply = agent.call("reflect", dry_run=True, context=context)
    assert [entity["name"] for entity in reply["decay"]["entities"]] == ["user-store"]
    assert agent.call("reflect", context=f"{context}-other")["decay"]["affected"] == 0


def test_reflect_takes_what_is_not_above_zero_for_its_default(
    agent: Agent, context: str, memory: Memory
) -> None:
    stale(memory, "mailer", 31)
    for days in (0, -3, None):
        reply = agent.call("reflect", dry_run=True, context=context, decay_days=days, limit=days)
        assert [entity["name"] for entity in reply["decay"]["entities"]] == ["mailer"]


def test_reflect_may_look_after_every_context(
    agent: Agent, memory: Memory, project: str, doubles: str
) -> None:
    other = f"{project}-other"
    memory.remember([{"name": "old", "created_at": "2020-01-01"}], project=other)
    stale(memory, "zeta", 40)
    agent.call("reflect", **{"global": True})
    weights = [entity(agent, "old", other), entity(agent, "zeta", doubles)]
    assert [weight["decay_weight"] for weight in weights if weight] == [0.9, 0.9]
    own = agent.call("reflect", action="similar", context=doubles)["similar"]
    every = agent.call("reflect", action="similar", **{"global": True})["similar"]
    assert every["count"] >= own["count"] > 0


def test_reflect_of_many_takes_them_all(agent: Agent, memory: Memory, project: str) -> None:
    memory.remember([{"name": f"n{n}", "created_at": "2020-01-01"} for n in range(1100)])
    said = agent.call("reflect", context=project)["decay"]
    assert (said["affected"], len(said["entities"])) == (1100, 100)
    assert (
        agent.call("reflect", context=project)["decay"]["entities"][0]["new_decay_weight"] == 0.81
    )


@pytest.fixture
def doubles(memory: Memory, project: str) -> str:
    """Three entities of one meaning, two of another, one alone, and one that is dead."""
    one, two = "the cache keeps sessions of people who signed in", "letters go out at night only"
    said = [
        {"name": "alpha", "text": one}, {"name": "beta", "text": one},
        {"name": "gamma", "text": f"{one} again"}, {"name": "delta", "text": two},
        {"name": "epsilon", "text": two}, {"name": "zeta", "text": "nothing of the sort"},
        {"name": "eta", "text": one, "status": "superseded"},
    ]  # fmt: skip
    memory.remember(said)
    return project


def test_similar_gives_each_pair_once_the_nearest_first(agent: Agent, doubles: str) -> None:
    reply = agent.call("similar", context=doubles)
    pairs = [(pair["entity1_name"], pair["entity2_name"]) for pair in reply["pairs"]]
    assert sorted(pairs) == [
        ("alpha", "beta"), ("alpha", "gamma"), ("beta", "gamma"), ("delta", "epsilon"),
    ]  # fmt: skip
    nearness = [pair["similarity"] for pair in reply["pairs"]]
    assert nearness == sorted(nearness, reverse=True)
    assert min(nearness) >= 0.85
    assert (reply["count"], reply["complete"]) == (4, True)
    assert agent.call("similar", context=doubles) == reply


def test_similar_keeps_to_threshold_limit_and_context(agent: Agent, doubles: str) -> None:
    assert agent.call("similar", context=doubles, limit=2)["count"] == 2
    assert agent.call("similar", context=doubles, limit=0)["count"] == 4
    assert agent.call("similar", context=doubles, limit=None, similarity_threshold=None) == (
        agent.call("similar", context=doubles)
    )
    assert agent.call("similar", context=doubles, similarity_threshold=1)["count"] == 0
    assert agent.call("similar", context=f"{doubles}-other") == {
        "pairs": [], "count": 0, "complete": True,
    }  # fmt: skip
    reply = agent.call("reflect", action="similar", context=doubles, limit=3)
    assert (reply["action"], reply["similar"]["count"], reply["decay"]) == ("similar", 3, None)


@pytest.mark.usefixtures("doubles")
def test_similar_says_that_not_all_were_compared(
    tools: Tools, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "BATCH", 2)
    assert tools.similar().count == 4
    monkeypatch.setattr(reading, "ENTITIES", 4)
    assert not tools.similar().complete
    monkeypatch.setattr(reading, "ENTITIES", 6)  # as many as live
    assert tools.similar().complete


@pytest.mark.parametrize(
    ("tool", "arguments", "word"),
    [
        ("reflect", {"action": "merge"}, "action"),
        ("reflect", {"decay_days": 36_501}, "decay_days"),
        ("reflect", {"global": "perhaps"}, "global"),
        ("reflect", {"everywhere": True}, "everywhere"),
        ("reflect", {"context": "a#b"}, "context"),
        ("similar", {"similarity_threshold": 1.1}, "similarity_threshold"),
        ("similar", {"limit": 51}, "limit"),
    ],
)
def test_reflect_and_similar_refuse_what_is_not_allowed(
    agent: Agent, tool: str, arguments: dict[str, object], word: str
) -> None:
    assert word in agent.refusal(tool, **arguments)
