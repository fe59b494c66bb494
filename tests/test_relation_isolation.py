"""What is said of one relation is never said of another one."""

import random

import pytest

from cypher_folder import names
from graphmem import statements
from graphmem.memory import Memory

NAMES = [f"Part {number}" for number in range(6)]


def test_no_relation_is_merged_by_a_type_that_a_row_names() -> None:
    merging = [
        f"{name}: {line}"
        for name in (*names("write"), *names("read"))
        for line in statements.load(name).text.splitlines()
        if "MERGE" in line and ":$(" in line and "]-" in line
    ]

    assert merging == []


@pytest.mark.parametrize("seed", [1])
def test_each_relation_keeps_its_own_note_whatever_happens_to_others(
    memory: Memory, seed: int
) -> None:
    chance = random.Random(seed)  # noqa: S311 - no secret
    memory.remember([{"name": name} for name in NAMES])
    notes: dict[tuple[str, str, str], str] = {}
    for turn in range(40):
        one, other = chance.sample(NAMES, 2)
        relation = chance.choice(["BESIDE", "ABOVE"])
        act = chance.choice(["link", "link", "unlink", "purge"])
        if act == "link":
            memory.link(one, relation, other, note=f"said in turn {turn}")
            notes[one, relation, other] = f"said in turn {turn}"
        elif act == "unlink":
            memory.unlink(one, other)
            notes = {key: note for key, note in notes.items() if (key[0], key[2]) != (one, other)}
        else:
            memory.purge(one)
            memory.remember([{"name": one}])
            notes = {key: note for key, note in notes.items() if one not in {key[0], key[2]}}
        stored = {
            (page.entity.name, near.relation, near.name): near.note
            for page in memory.get(NAMES)
            for near in page.neighbours
            if near.direction == "out"
        }
        assert stored == notes, (turn, act, one, other)
