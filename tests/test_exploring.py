"""Several relations are followed from an entity, and the shortest path between two is found."""

import json
from typing import Any

import pytest

from graphmem import cli
from graphmem.errors import InvalidInput, NotFound
from graphmem.memory import Memory
from graphmem.model.exploration import Exploration
from graphmem.read import traversal


@pytest.fixture
def harbour(memory: Memory) -> Memory:
    """A chain of five, a short cut that has ended, and what must not be gone through."""
    names = ("Ana", "Team", "Service", "Cache", "Store", "Hidden", "Old crane", "Alone")
    memory.remember(
        [{"name": name, "kind": "Thing"} for name in names]
        + [{"name": "Old crane", "valid_until": "2020-01-01"}],
        [
            {"from": "Ana", "relation": "WORKS_IN", "to": "Team", "note": "since spring"},
            {"from": "Service", "relation": "OWNED_BY", "to": "Team"},
            {"from": "Service", "relation": "DEPENDS_ON", "to": "Cache", "weight": 0.5},
            {"from": "Cache", "relation": "DEPENDS_ON", "to": "Store"},
            {"from": "Ana", "relation": "BUILT", "to": "Store", "valid_until": "2021-06-30"},
            {"from": "Ana", "relation": "KNOWS", "to": "Hidden"},
            {"from": "Hidden", "relation": "KNOWS", "to": "Store"},
            {"from": "Ana", "relation": "KNOWS", "to": "Old crane"},
            {"from": "Old crane", "relation": "KNOWS", "to": "Store"},
        ],
    )
    memory.forget("Hidden")
    return memory


def reached(exploration: Exploration) -> list[tuple[int, str, str, str, str]]:
    return [
        (entity.depth, entity.previous, entity.direction, entity.relation, entity.name)
        for entity in exploration.entities
    ]


def test_an_exploration_lists_the_nearest_entities_first_with_their_paths(harbour: Memory) -> None:
    answer = harbour.explore("ana")
    assert (answer.name, answer.to, answer.project, answer.notes) == (
        "Ana", None, harbour.project, (),
    )  # fmt: skip
    assert reached(answer) == [
        (1, "Ana", "out", "WORKS_IN", "Team"),
        (2, "Team", "in", "OWNED_BY", "Service"),
    ]
    assert answer.entities[0].note == "since spring"
    assert harbour.explore("Ana") == answer


def test_depth_limits_how_far_an_exploration_goes(harbour: Memory) -> None:
    assert [item[-1] for item in reached(harbour.explore("Ana", depth=1))] == ["Team"]
    assert [item[-1] for item in reached(harbour.explore("Ana", depth=5))] == [
        "Team", "Service", "Cache", "Store",
    ]  # fmt: skip


def test_all_relations_are_followed_by_default(harbour: Memory) -> None:
    assert harbour.explore("Ana", relations=None) == harbour.explore("Ana")


def test_only_some_relations_are_followed(harbour: Memory) -> None:
    assert reached(harbour.explore("Service", relations="DEPENDS_ON", depth=3)) == [
        (1, "Service", "out", "DEPENDS_ON", "Cache"),
        (2, "Cache", "out", "DEPENDS_ON", "Store"),
    ]


def test_relations_are_followed_away_from_an_entity_or_to_it(harbour: Memory) -> None:
    assert reached(harbour.explore("Service", direction="out", depth=5)) == [
        (1, "Service", "out", "OWNED_BY", "Team"),
        (1, "Service", "out", "DEPENDS_ON", "Cache"),
        (2, "Cache", "out", "DEPENDS_ON", "Store"),
    ]
    assert reached(harbour.explore("Store", direction="in", depth=5)) == [
        (1, "Store", "in", "DEPENDS_ON", "Cache"),
        (2, "Cache", "in", "DEPENDS_ON", "Service"),
    ]


def test_all_relations_of_a_path_have_the_same_direction(harbour: Memory) -> None:
    along = [
        (1, "Service", "out", "DEPENDS_ON", "Cache"),
        (2, "Cache", "out", "DEPENDS_ON", "Store"),
    ]
    assert reached(harbour.explore("Service", "Store", direction="out")) == along
    back = [(1, "Store", "in", "DEPENDS_ON", "Cache"), (2, "Cache", "in", "DEPENDS_ON", "Service")]
    assert reached(harbour.explore("Store", "Service", direction="in")) == back
    assert harbour.explore("Service", "Store", direction="in").notes == (
        "no path of at most 6 relations leads from Store to Service",
    )
    assert harbour.explore("Ana", "Store", direction="out").entities == ()


def test_of_two_relations_between_the_same_ends_a_path_has_one_of_its_direction(
    memory: Memory,
) -> None:
    linked(memory, ("A", "B", 0.5), ("B", "A", 1.0))
    assert reached(memory.explore("A", "B")) == [(1, "A", "in", "NEAR", "B")]
    assert reached(memory.explore("A", "B", direction="out")) == [(1, "A", "out", "NEAR", "B")]
    assert reached(memory.explore("A", direction="out")) == [(1, "A", "out", "NEAR", "B")]


def test_an_unreachable_entity_is_an_answer_that_says_so(harbour: Memory) -> None:
    assert harbour.explore("Store", direction="out").notes == (
        "Store leads to nothing that searches show",
    )
    assert harbour.explore("Ana", direction="in", relations="WORKS_IN").notes == (
        "nothing that searches show leads by WORKS_IN to Ana",
    )


def test_what_is_hidden_is_not_counted_among_the_relations_that_are_read(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(traversal, "SCAN", 3)
    hidden = [f"Hidden {number}" for number in range(6)]
    linked(memory, ("Hub", "Seen", 1.0))
    linked(memory, *[("Hub", name, 1.0) for name in hidden])
    memory.forget(hidden)
    assert [item[-1] for item in reached(memory.explore("Hub"))] == ["Seen"]


def test_the_shortest_path_goes_through_nothing_hidden_or_ended(harbour: Memory) -> None:
    answer = harbour.explore("Ana", "Store")
    assert answer.to == "Store"
    assert [item[-1] for item in reached(answer)] == ["Team", "Service", "Cache", "Store"]
    assert [entity.depth for entity in answer.entities] == [1, 2, 3, 4]
    assert answer.entities[2].weight == 0.5


@pytest.mark.parametrize(("at", "relation"), [("2021-01-01", "BUILT"), ("any", "BUILT")])
def test_a_path_is_found_as_of_a_moment(harbour: Memory, at: str, relation: str) -> None:
    (entity,) = harbour.explore("Ana", "Store", at=at).entities
    assert (entity.relation, entity.name) == (relation, "Store")
    assert str(entity.valid_until) == "2021-06-30"


def test_no_path_is_an_answer_that_says_so(harbour: Memory) -> None:
    answer = harbour.explore("Ana", "Alone")
    assert answer.entities == ()
    assert answer.notes == ("no path of at most 6 relations leads from Ana to Alone",)
    near = harbour.explore("Ana", "Store", depth=3)
    assert near.notes == ("no path of at most 3 relations leads from Ana to Store",)
    other = harbour.explore("Ana", "Store", relations=["WORKS_IN"])
    assert other.entities == ()


def test_what_is_linked_to_nothing_is_an_answer_that_says_so(harbour: Memory) -> None:
    alone = harbour.explore("Alone")
    assert (alone.entities, alone.notes) == ((), ("Alone is linked to nothing that searches show",))
    of_a_type = harbour.explore("Ana", relations=["WROKS_IN", "R"])
    assert of_a_type.notes == (
        "Ana is linked by WROKS_IN, R to nothing that searches show",
        (
            "no relation is of the type WROKS_IN or R; there are KNOWS, DEPENDS_ON, BUILT, "
            "OWNED_BY, WORKS_IN"
        ),
    )
    known = harbour.explore("Ana", relations=["WROKS_IN", "OWNED_BY"])
    assert known.notes == ("Ana is linked by WROKS_IN, OWNED_BY to nothing that searches show",)
    to_store = harbour.explore("Ana", "Store", relations=["knows"])
    assert to_store.notes[1].startswith("no relation is of the type knows; there are KNOWS,")


def test_an_entity_is_no_path_from_itself(harbour: Memory) -> None:
    answer = harbour.explore("Ana", "ANA")
    assert (answer.entities, answer.notes) == ((), ())


def test_an_entity_with_many_neighbours_is_no_path_from_itself_either(memory: Memory) -> None:
    linked(memory, ("S", "A", 1.0), ("S", "B", 1.0), ("C", "S", 1.0))
    assert memory.explore("S", "S").entities == ()


def test_an_exploration_of_too_many_entities_is_cut_with_a_note(harbour: Memory) -> None:
    answer = harbour.explore("Ana", depth=5, limit=2)
    assert len(answer.entities) == 2
    assert answer.notes == (
        "there are more entities; raise `limit`, lower `depth`, or name `relations`",
    )


def linked(memory: Memory, *links: tuple[str, str, float]) -> Memory:
    ends = {end for link in links for end in link[:2]}
    memory.remember(
        [{"name": name} for name in sorted(ends)],
        [
            {"from": start, "relation": "NEAR", "to": end, "weight": weight}
            for start, end, weight in links
        ],
    )
    return memory


def test_of_a_level_the_heaviest_relation_comes_first_wherever_it_begins(memory: Memory) -> None:
    linked(
        memory, ("S", "A", 1.0), ("S", "B", 0.9), ("A", "C", 0.3), ("A", "D", 0.2), ("B", "D", 0.8)
    )
    around = [("A", "S"), ("B", "S"), ("D", "B"), ("C", "A")]
    for limit in (4, 3):
        answer = memory.explore("S", limit=limit)
        assert [(entity.name, entity.previous) for entity in answer.entities] == around[:limit]
        assert bool(answer.notes) == (limit < len(around))


def test_of_a_hub_the_heaviest_relations_are_followed_with_a_note(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    linked(memory, ("S", "H", 1.0), ("H", "A", 0.1), ("H", "B", 0.9), ("H", "C", 0.8))
    monkeypatch.setattr(traversal, "FANOUT", 3)  # one of them leads back
    answer = memory.explore("S", depth=3)
    assert [entity.name for entity in answer.entities] == ["H", "B", "C"]
    (note,) = answer.notes
    assert note == (
        "not all that 'H' is linked to was looked at, so there may be more entities; "
        "explore it by itself or name `relations`"
    )
    assert memory.explore("H", depth=1).notes == ()


def test_a_hub_of_which_all_neighbours_were_looked_at_has_no_note(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    linked(memory, ("S", "H", 1.0), ("H", "A", 0.1), ("H", "B", 0.9))
    monkeypatch.setattr(traversal, "FANOUT", 3)
    answer = memory.explore("S", depth=3)
    assert [entity.name for entity in answer.entities] == ["H", "B", "A"]
    assert answer.notes == ()


def test_several_relations_to_one_entity_take_the_room_of_one(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    links = [("S", "H", 1.0), *(("H", f"Leaf {number}", 1.0) for number in range(6))]
    linked(memory, *links)
    memory.remember(
        [],
        [
            {"from": start, "relation": relation, "to": end, "weight": 0.5}
            for start, end, _ in links
            for relation in ("USES", "CALLS")
        ],
    )
    monkeypatch.setattr(traversal, "FANOUT", 7)
    for answer in (memory.explore("H", limit=7), memory.explore("S", limit=7)):
        assert len(answer.entities) == 7
        assert {entity.relation for entity in answer.entities} == {"NEAR"}
        assert answer.notes == ()


@pytest.mark.parametrize(
    ("options", "ways"),
    [
        ({"depth": 1}, "; raise `limit` or name `relations`"),
        ({"depth": 1, "relations": "NEAR"}, "; raise `limit` or choose a `direction`"),
        ({"depth": 1, "relations": "NEAR", "direction": "out"}, "; raise `limit`"),
        ({"relations": ["NEAR", "CALLS"]},
         "; raise `limit`, lower `depth`, or name fewer `relations`"),
    ],
)  # fmt: skip
def test_what_a_note_advises_can_be_done(
    memory: Memory, options: dict[str, Any], ways: str
) -> None:
    linked(memory, ("S", "A", 1.0), ("S", "B", 1.0))
    assert memory.explore("S", limit=1, **options).notes == (f"there are more entities{ways}",)


def test_around_a_hub_are_as_many_entities_as_the_limit_allows(memory: Memory) -> None:
    linked(memory, *[("S", f"Leaf {number:03}", 1.0) for number in range(201)])
    for limit in (60, 100):
        answer = memory.explore("S", limit=limit)
        assert len(answer.entities) == limit
        assert answer.notes[0].startswith("there are more entities; raise `limit`, ")
    most = memory.explore("S", limit=200)
    assert len(most.entities) == 200
    assert most.notes == ("there are more entities; lower `depth` or name `relations`",)


def test_of_several_shortest_paths_it_is_the_same_one_each_time(memory: Memory) -> None:
    middles = [f"Middle {number}" for number in range(9)]
    linked(memory, *((end, middle, 1.0) for middle in middles for end in ("S", "E")))
    memory.link("S", "BESIDE", "Middle 0", weight=0.5)
    names = [(entity.relation, entity.name) for entity in memory.explore("S", "E").entities]
    assert names == [("NEAR", "Middle 0"), ("NEAR", "E")]


def test_a_path_that_may_lie_beyond_what_is_looked_at_is_not_denied(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    linked(memory, ("S", "A", 1.0), ("A", "B", 1.0), ("B", "C", 1.0), ("C", "E", 1.0))
    assert len(memory.explore("S", "E").entities) == 4
    monkeypatch.setattr(traversal, "VISITED", 3)
    answer = memory.explore("S", "E")
    assert answer.entities == ()
    assert answer.notes[0].endswith(" among the 3 entities nearest to them")


def test_another_project_is_out_of_reach(harbour: Memory) -> None:
    harbour.remember([{"name": "Far"}], project=f"{harbour.project}/other")
    with pytest.raises(NotFound, match="Far"):
        harbour.explore("Ana", "Far")


@pytest.mark.parametrize(
    ("arguments", "options", "name"),
    [
        ([""], {}, "name"),
        (["Ana", " "], {}, "to"),
        (["Ana"], {"depth": 6}, "depth"),
        (["Ana"], {"depth": 0}, "depth"),
        (["Ana", "Store"], {"depth": 11}, "depth"),
        (["Ana"], {"depth": 1.5}, "depth"),
        (["Ana"], {"limit": 201}, "limit"),
        (["Ana"], {"at": "soon"}, "at"),
        (["Ana"], {"relations": 5}, "relations"),
        (["Ana"], {"direction": "up"}, "direction must be"),
        (["Ana"], {"relations": [f"R{number}" for number in range(21)]}, "relations"),
        ([["Ana"]], {}, "name"),
    ],
)
def test_what_is_not_allowed_is_named(
    harbour: Memory, arguments: list[Any], options: dict[str, Any], name: str
) -> None:
    with pytest.raises(InvalidInput, match=name):
        harbour.explore(*arguments, **options)


def test_a_depth_that_only_a_path_may_have_is_refused_with_that(harbour: Memory) -> None:
    with pytest.raises(InvalidInput, match=r"from 1 to 5, got 7\. It may be up to 10 for the path"):
        harbour.explore("Ana", depth=7)
    assert harbour.explore("Ana", "Store", depth=7).entities


def test_the_terminal_draws_a_tree(
    harbour: Memory, project: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert harbour.project == project
    command = ["explore", "Ana", "--project", project]
    assert cli.main(command) == 0
    assert capsys.readouterr().out == (
        "Ana\n  ⟶ WORKS_IN to Team  Thing — since spring\n    ⟵ OWNED_BY from Service  Thing\n"
    )
    assert cli.main(["explore", "Ana", "Alone", "--project", project]) == 1
    assert "\nNote: no path of at most 6 relations" in capsys.readouterr().out
    assert cli.main(["explore", "Ana", "Ana", "--project", project]) == 0
    capsys.readouterr()
    assert cli.main([*command, "--direction", "in"]) == 0
    assert "nothing that searches show leads to Ana" in capsys.readouterr().out
    assert cli.main([*command, "--relation", "WORKS_IN", "--depth", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "project": project,
        "name": "Ana",
        "to": None,
        "entities": [
            {
                "name": "Team", "kind": "Thing", "depth": 1, "from": "Ana", "relation": "WORKS_IN",
                "direction": "out", "note": "since spring", "weight": 1.0,
            }
        ],
        "notes": [],
    }  # fmt: skip
