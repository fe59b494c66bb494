"""What is superseded and stays hidden although nothing that is found has replaced it any more."""

from collections.abc import Callable

import pytest

from graphmem.memory import Memory
from graphmem.model import Report
from graphmem.write.reshaping import SUPERSEDES

STAYS = (
    "'Old' is still superseded, but searches no longer find what replaced it; "
    "`restore` makes it visible again"
)


def hit_names(memory: Memory, query: str) -> list[str]:
    return [hit.name for hit in memory.search(query, mode="keyword").hits]


@pytest.fixture
def replaced(memory: Memory) -> Memory:
    """`Old`, which `New` has replaced."""
    memory.remember([{"name": "Old", "text": "amber"}, {"name": "Other"}])
    memory.remember([{"name": "New", "text": "beryl", "tags": ["new"]}])
    memory.supersede("Old", "New")
    return memory


def undo_the_creation(memory: Memory) -> Report:
    """Take back the change that made `New`."""
    _, newer, *_ = memory.changes("2020-01-01").changes
    return memory.undo(newer.id)


def undo_the_relation(memory: Memory) -> Report:
    """Take back the relation alone that a caller made in place of the one from `New`."""
    memory.unlink("New", "Old", SUPERSEDES)
    memory.link("Other", SUPERSEDES, "Old")
    return memory.undo("last")


TAKEN_AWAY: dict[str, Callable[[Memory], Report]] = {
    "forget": lambda memory: memory.forget("New"),
    "purge": lambda memory: memory.purge("New"),
    "purge with filters": lambda memory: memory.purge(tags=["new"]),
    "unlink": lambda memory: memory.unlink("New", "Old", SUPERSEDES),
    "undo": undo_the_creation,
    "undo of a relation": undo_the_relation,
}


@pytest.mark.parametrize("way", TAKEN_AWAY)
def test_what_was_replaced_is_told_to_stay_hidden_and_restore_finds_it(
    replaced: Memory, way: str
) -> None:
    report = TAKEN_AWAY[way](replaced)
    assert STAYS in report.notes
    assert hit_names(replaced, "amber") == []
    replaced.restore("Old")
    assert hit_names(replaced, "amber") == ["Old"]


def test_nothing_is_reported_where_another_one_has_replaced_it_too(replaced: Memory) -> None:
    replaced.remember([{"name": "Newest", "text": "coral"}])
    replaced.supersede("New", "Newest")
    assert replaced.purge("New").notes == ()
    assert hit_names(replaced, "amber") == ["Newest"]


def test_nothing_is_reported_where_what_was_replaced_goes_too(replaced: Memory) -> None:
    assert replaced.purge(["Old", "New"]).notes == ()


def test_only_the_first_of_many_are_named(memory: Memory) -> None:
    names = [f"Old {number}" for number in range(7)]
    memory.remember([{"name": name} for name in ("New", *names)])
    for name in names:
        memory.supersede(name, "New")
    (note,) = memory.forget("New").notes
    assert note.startswith(
        "'Old 0', 'Old 1', 'Old 2', 'Old 3', 'Old 4' and 2 more are still superseded"
    )
