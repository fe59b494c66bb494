"""An exploration of the past gives what the same exploration gave then."""

import itertools
import json
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem import cli
from graphmem.errors import Conflict, DatabaseError, InvalidInput, NotFound
from graphmem.memory import Memory
from graphmem.memory.access import Access
from graphmem.model.exploration import Exploration
from graphmem.server.tools import Tools
from graphmem.write.time_travel import limits

NAMES = [f"Berth {number}" for number in range(7)]


def facts_of(exploration: Exploration) -> tuple[Any, ...]:
    return exploration.name, exploration.to, exploration.entities, exploration.notes


def explorations(memory: Memory, as_of: datetime | None = None) -> dict[tuple[str, ...], object]:
    """What each name gives, and each path; what is refused is None."""
    answers: dict[tuple[str, ...], object] = {}
    for names in [(name,) for name in NAMES] + list(itertools.pairwise(NAMES)):
        try:
            answers[names] = facts_of(memory.explore(*names, depth=3, as_of=as_of))
        except NotFound:
            answers[names] = None
    return answers


def steps(memory: Memory, chance: random.Random, turn: int) -> list[Callable[[], object]]:
    one, other = chance.sample(NAMES, 2)
    return [
        lambda: memory.link(one, "FEEDS", other, note=f"{one} {other}"),
        lambda: memory.unlink(one, other),
        lambda: memory.rename(one, f"{one} of {turn}"),
        lambda: memory.merge(one, other),
        lambda: memory.forget(one),
        lambda: memory.restore(one),
        lambda: memory.supersede(one, other),
        lambda: memory.remember([{"name": one, "kind": "Place"}]),
        lambda: memory.link(one, "BESIDE", other, valid_until="2020-01-01"),
        lambda: memory.undo("last"),
    ]


@pytest.fixture
def harbour(memory: Memory) -> tuple[Memory, datetime]:
    """A chain of three at a moment, in another shape since then."""
    memory.remember([{"name": name} for name in ("Quay", "Crane", "Shed")])
    memory.link("Quay", "CARRIES", "Crane", note="since spring")
    memory.link("Crane", "SERVES", "Shed")
    moment = datetime.now(UTC)
    memory.rename("Crane", "Derrick")
    memory.unlink("Crane", "Shed")
    memory.link("Quay", "CARRIES", "Derrick", note="no more")
    memory.remember([{"name": "Yard"}], [{"from": "Quay", "relation": "BESIDE", "to": "Yard"}])
    memory.merge("Shed", "Yard")
    return memory, moment


def test_what_was_around_an_entity_is_explored_under_the_names_of_then(
    harbour: tuple[Memory, datetime],
) -> None:
    memory, moment = harbour
    now = memory.explore("Quay")
    then = memory.explore("Quay", as_of=moment)
    assert [(e.previous, e.relation, e.name, e.note) for e in then.entities] == [
        ("Quay", "CARRIES", "Crane", "since spring"),
        ("Crane", "SERVES", "Shed", None),
    ]
    assert memory.explore("Quay") == now
    assert [e.name for e in memory.explore("Crane", as_of=moment).entities] == ["Quay", "Shed"]


def test_a_path_of_then_is_found(harbour: tuple[Memory, datetime]) -> None:
    memory, moment = harbour
    path = memory.explore("Quay", "Shed", as_of=moment)
    assert (path.name, path.to, [e.name for e in path.entities]) == (
        "Quay", "Shed", ["Crane", "Shed"],
    )  # fmt: skip


def test_what_was_not_there_then_is_not_explored(harbour: tuple[Memory, datetime]) -> None:
    memory, moment = harbour
    with pytest.raises(NotFound, match="Yard did not exist at"):
        memory.explore("Yard", as_of=moment)
    with pytest.raises(NotFound, match="Yard did not exist at"):
        memory.explore("Quay", "Yard", as_of=moment)


def test_now_is_the_moment_that_is_explored(memory: Memory) -> None:
    memory.remember([{"name": "Quay"}, {"name": "Crane"}])
    memory.link("Quay", "CARRIES", "Crane", valid_from=datetime.now(UTC) + timedelta(seconds=1))
    linked = datetime.now(UTC)
    memory.link("Quay", "BESIDE", "Crane", valid_until="2020-01-01")
    assert not memory.explore("Quay", as_of=linked).entities
    assert memory.explore("Quay", at="any", as_of=linked).entities


def test_too_much_that_has_changed_is_refused(
    harbour: tuple[Memory, datetime], monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, moment = harbour
    monkeypatch.setattr(limits, "MOST_ENTITIES", 1)
    with pytest.raises(InvalidInput, match="as_of must be later"):
        memory.explore("Quay", as_of=moment)


def test_an_exploration_of_the_past_is_refused_read_only(
    harbour: tuple[Memory, datetime],
) -> None:
    memory, moment = harbour
    reading = Memory(memory.graph, memory.model, memory.project, access=Access(read_only=True))
    with pytest.raises(DatabaseError, match="an exploration with as_of writes"):
        reading.explore("Quay", as_of=moment)


@pytest.mark.parametrize("as_of", ["tomorrow", "2999-01-01", "soon", ""])
def test_a_moment_that_nobody_knows_is_refused(memory: Memory, as_of: str) -> None:
    with pytest.raises(InvalidInput, match=r"^as_of must "):
        memory.explore("Quay", as_of=as_of)


def test_the_terminal_and_agents_explore_the_past(
    harbour: tuple[Memory, datetime], capsys: pytest.CaptureFixture[str]
) -> None:
    memory, moment = harbour
    options = ["--project", str(memory.project), "--json", "--as-of", moment.isoformat()]
    assert cli.main(["explore", "Quay", *options]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [entity["name"] for entity in told["entities"]] == ["Crane", "Shed"]
    assert cli.main(["explore", "Quay", "Shed", *options]) == 0
    answer: Any = Tools(lambda: memory).explore("Quay", as_of=moment.isoformat()).to_json()
    assert [entity["name"] for entity in answer["entities"]] == ["Crane", "Shed"]


@pytest.mark.parametrize("seed", range(3))
def test_every_exploration_of_the_past_is_what_it_was(memory: Memory, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - no secret
    memory.remember(
        [{"name": name} for name in NAMES],
        [{"from": a, "relation": "BESIDE", "to": b} for a, b in itertools.pairwise(NAMES)],
    )
    kept: list[tuple[datetime, dict[tuple[str, ...], object]]] = []
    for turn in range(20):
        if turn % 4 == 0:
            answers = explorations(memory)
            kept.append((datetime.now(UTC), answers))
        try:
            chance.choice(steps(memory, chance, turn))()
        except (NotFound, InvalidInput, Conflict):
            continue
    for moment, answers in kept:
        again = explorations(memory, moment)
        differs = {
            names: (again[names], answers[names])
            for names in answers
            if again[names] != answers[names]
        }
        assert not differs
