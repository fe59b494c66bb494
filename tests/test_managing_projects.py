"""Projects are listed, renamed, merged and deleted as wholes, and nothing in them is lost."""

import io
import json
import shlex
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from concurrent_calls import at_once
from fakes import FakeEmbedder
from graphmem import cli
from graphmem.cli import session
from graphmem.errors import InvalidInput, NotFound
from graphmem.graph import Graph, Row, Transaction
from graphmem.memory import Memory
from graphmem.memory.access import Access
from graphmem.memory.writing import project_changes
from graphmem.server.tools import Tools
from graphmem.text import token
from graphmem.write.deleting import removing
from graphmem.write.entities import stored_of
from graphmem.write.project_moves import entities as writing
from stores import lines_of

SAID: list[dict[str, Any]] = [
    {"name": "Quay", "kind": "Place", "title": "The old quay", "tags": ["Stone"],
     "aliases": ["Pier"], "text": "Boats lie here. " * 200, "category": "harbour/north",
     "attributes": {"cost": 5, "path": "a/b"}, "observations": ["It is wet.", "It is cold."]},
    {"name": "Boat", "kind": "Ship", "observations": ["It leaks."]},
    {"name": "Crane", "kind": "Machine"},
    {"name": "Wreck", "kind": "Ship"},
]  # fmt: skip
LINKED: list[dict[str, Any]] = [
    {"from": "Quay", "relation": "HOLDS", "to": "Boat", "note": "at night", "weight": 0.5},
    {"from": "Boat", "relation": "LIES_AT", "to": "Quay", "valid_from": "2024-01-01"},
    {"from": "Boat", "relation": "LIES_AT", "to": "Quay", "valid_from": "2025-01-01"},
    {"from": "Crane", "relation": "REPAIRS", "to": "Crane"},
    {"from": "Quay", "relation": "HOLDS", "to": "Wreck"},
]


def everything(memory: Memory, *, project: str | None = None) -> list[Any]:
    """What a project holds with who asserted what, the project itself called `P`."""
    own = project or str(memory.project)
    return [json.loads(json.dumps(line).replace(own, "P")) for line in lines_of(memory, own)]


def named(lines: list[Any]) -> list[str]:
    return [line["name"] for line in lines if line["type"] == "entity"]


def holding(memory: Memory) -> tuple[int, ...]:
    """How much a project holds, and what waits for the model."""
    stats = memory.stats()
    return stats.entities, stats.relations, stats.passages, stats.pending


class Killed(Exception):
    """Stands for the end of the process."""


class Mortal:
    """Ends the process at one of the writes to come, as if it was killed there.

    Args:
        patch: Undone at the end of the test.
        writes: How many writes still happen.
    """

    def __init__(self, patch: pytest.MonkeyPatch, writes: int) -> None:
        writing = Graph.write

        def write(graph: Graph, work: Callable[..., Any]) -> Any:  # noqa: ANN401 - as it is
            self.left -= 1
            if self.left < 0:
                raise Killed
            return writing(graph, work)

        self.left = writes
        patch.setattr(Graph, "write", write)


@pytest.fixture
def harbour(memory: Memory, whole: Callable[..., Any], tmp_path: Path) -> Memory:
    """Four entities and five relations of a caller, and an import's words on one of each."""
    memory.remember(SAID, LINKED)
    memory.forget("Wreck")
    folder = tmp_path / "said"
    folder.mkdir()
    (folder / "facts.jsonl").write_text(
        '{"name": "Boat", "title": "A boat", "observations": ["It was sold."]}\n'
        '{"name": "Buoy", "text": "Red and white."}\n'
        '{"from": "Quay", "relation": "HOLDS", "to": "Boat", "note": "in winter"}\n'
        '{"from": "Buoy", "relation": "MARKS", "to": "Boat"}\n'
    )
    assert not whole(folder).refused
    assert len(memory.unlink("Buoy", "Boat").items) == 1
    return memory


@pytest.fixture
def other(memory_of: Callable[[str], Memory], project: str) -> Memory:
    """A memory of a project that holds nothing; it begins like the name of the first."""
    return memory_of(f"{project}/other")


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A transaction changes two entities, and two relations, at most."""
    monkeypatch.setattr(writing, "RELATIONS", 2)
    monkeypatch.setattr(project_changes, "BATCH", 2)
    monkeypatch.setattr(project_changes, "PAGE", 3)
    monkeypatch.setattr(removing, "AT_ONCE", 2)


# Renaming


def test_a_renamed_project_holds_all_that_it_held(harbour: Memory, other: Memory) -> None:
    before, held = everything(harbour), holding(harbour)
    change = harbour.rename_project(str(harbour.project), str(other.project))

    assert (change.project, change.into) == (harbour.project, other.project)
    assert (change.entities, change.joined, change.relations) == (5, 0, 5)
    assert everything(other) == before
    assert holding(other) == held
    assert everything(harbour) == []
    assert holding(harbour) == (0, 0, 0, 0)


@pytest.mark.usefixtures("small_steps")
def test_bounded_transactions_move_the_same(harbour: Memory, other: Memory) -> None:
    before, held = everything(harbour), holding(harbour)
    change = harbour.rename_project(str(harbour.project), str(other.project))

    assert (change.entities, change.joined, change.relations) == (5, 0, 5)
    assert (everything(other), holding(other)) == (before, held)


def test_what_was_moved_is_found_as_before_and_not_embedded_again(
    memory: Memory, harbour: Memory, other: Memory, embedder: FakeEmbedder
) -> None:
    answers = [memory.search(query) for query in ("boats lie", "pier", "sold")]
    embedded = len(embedder.embedded)
    memory.rename_project(str(memory.project), str(other.project))

    for answer in answers:
        again = other.search(answer.query)
        assert [hit.name for hit in again.hits] == [hit.name for hit in answer.hits]
        for before, after in zip(answer.hits, again.hits, strict=True):
            assert after.score == pytest.approx(before.score, abs=0.05)
            assert after.matched.vector == pytest.approx(before.matched.vector, abs=0.05)
    assert len(embedder.embedded) == embedded
    assert harbour.search("boats lie").total == 0
    page = other.get(f"{other.project}#quay")[0]
    assert page.key == f"{other.project}#quay"
    path = {"attributes": {"path": {"under": "a"}}}
    for filters in ({"tags": ["stone"]}, {"where": path}, {"kinds": ["place"]}):
        listed = other.search("", scope="project", **filters)
        assert [hit.name for hit in listed.hits] == ["Quay"], filters


def test_an_import_goes_on_in_the_renamed_project(
    harbour: Memory, other: Memory, memory_of: Callable[[str], Memory]
) -> None:
    harbour.rename_project(str(harbour.project), str(other.project))
    report = memory_of(str(other.project)).remember(SAID[1:3], LINKED[3:4])

    assert {item.outcome for item in report.items} == {"unchanged"}


def test_a_relation_that_was_taken_away_stays_away_in_a_renamed_project(
    harbour: Memory, other: Memory, whole: Callable[..., Any], tmp_path: Path
) -> None:
    harbour.link("Buoy", "LIES_OFF", "Quay")
    harbour.rename_project(str(harbour.project), str(other.project))
    whole(tmp_path / "said", project=str(other.project))

    assert [neighbour.name for neighbour in other.get("Buoy")[0].neighbours] == ["Quay"]


def test_a_project_that_holds_something_is_not_renamed_into(harbour: Memory, other: Memory) -> None:
    other.remember([{"name": "Own"}])
    before = everything(harbour), everything(other)

    with pytest.raises(InvalidInput, match="new must be a project that holds nothing") as raised:
        harbour.rename_project(str(harbour.project), str(other.project))
    assert "graphmem project merge" in str(raised.value)
    assert (everything(harbour), everything(other)) == before


def test_the_command_that_joins_two_projects_can_be_pasted_whatever_they_are_called(
    harbour: Memory, memory_of: Callable[[str], Memory]
) -> None:
    name = f"{harbour.project}; id"
    memory_of(name).remember([{"name": "Own"}])
    with pytest.raises(InvalidInput) as raised:
        harbour.rename_project(str(harbour.project), name)
    command = str(raised.value).split("`")[1]
    assert shlex.split(command)[3:] == [str(harbour.project), name]


def test_a_rename_counts_nothing_while_it_holds_the_lock_that_writers_wait_for(
    harbour: Memory, other: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    statements: list[str] = []
    run = Transaction.run

    def listening(transaction: Transaction, name: str, /, **parameters: Any) -> list[Row]:  # noqa: ANN401 - as given
        statements.append(name)
        return run(transaction, name, **parameters)

    monkeypatch.setattr(Transaction, "run", listening)
    harbour.rename_project(str(harbour.project), str(other.project))

    assert "write/lock_store_record" in statements
    assert "read/project_summaries" not in statements


def test_a_second_rename_finds_nothing_to_rename(harbour: Memory, other: Memory) -> None:
    names = str(harbour.project), str(other.project)
    harbour.rename_project(*names)

    with pytest.raises(NotFound, match="there is nothing in"):
        harbour.rename_project(*names)
    back = harbour.rename_project(*reversed(names))
    assert back.entities == 5


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("writes", range(7))
def test_a_rename_that_was_killed_is_ended_by_the_same_call(
    harbour: Memory, other: Memory, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    before, held = everything(harbour), holding(harbour)
    names = str(harbour.project), str(other.project)
    with monkeypatch.context() as patch:
        Mortal(patch, writes)
        with pytest.raises(Killed):
            harbour.rename_project(*names)

    there = [*named(everything(harbour)), *named(everything(other))]
    assert set(there) == set(named(before))
    harbour.rename_project(*names)
    assert (everything(other), holding(other)) == (before, held)
    assert everything(harbour) == []
    # Nothing is left of the first call: what the new project holds now is its own.
    harbour.remember([{"name": "New"}])
    with pytest.raises(InvalidInput, match="must be a project that holds nothing"):
        harbour.rename_project(*names)


@pytest.mark.usefixtures("small_steps")
def test_two_renames_at_the_same_time_move_everything_once(
    harbour: Memory, other: Memory, memory_of: Callable[[str], Memory]
) -> None:
    before, held = everything(harbour), holding(harbour)
    names = str(harbour.project), str(other.project)
    second = memory_of(str(other.project))
    moved: list[int] = []

    def rename(memory: Memory) -> None:
        with suppress(NotFound):  # the other one was quicker
            moved.append(memory.rename_project(*names).entities)

    at_once(lambda: rename(harbour), lambda: rename(second))

    assert sum(moved) == 5
    assert (everything(other), holding(other)) == (before, held)


@pytest.mark.usefixtures("small_steps")
def test_what_is_written_while_a_project_is_renamed_is_in_one_of_the_two(
    harbour: Memory, other: Memory, memory_of: Callable[[str], Memory]
) -> None:
    names = str(harbour.project), str(other.project)
    writer = memory_of(names[0])

    kept: set[str] = set()

    def write() -> None:
        for number in range(40):
            one = {"name": f"Buoy {number % 4}", "observations": [f"seen {number}"]}
            link = {"from": "Quay", "relation": f"R{number}", "to": f"Buoy {number % 4}"}
            report = writer.remember([one], [link], stubs=True)
            assert not report.entities["refused"]
            if not report.relations["refused"]:  # where an end was moved meanwhile
                kept.add(f"R{number}")

    at_once(write, lambda: harbour.rename_project(*names))
    lines = everything(harbour)
    if lines:
        harbour.merge_projects(*names)

    ended = everything(other)
    observed = [
        one["text"]
        for line in ended
        for one in line.get("observations", ())
        if one["text"].startswith("seen")
    ]
    assert sorted(observed) == sorted(f"seen {number}" for number in range(40))
    assert kept
    assert {line["relation"] for line in ended if "relation" in line} >= kept
    assert everything(harbour) == []


def test_an_entity_that_is_deleted_while_it_is_read_is_not_there() -> None:
    stored = {"graphmem_called": None, "graphmem_text": None, "graphmem_identifier_parts": None}
    row = {"key": "p#buoy", "stored": stored, "labels": [], "passages": []}
    assert stored_of(row).properties == {}


# Names and history


def test_former_names_and_history_move_along(memory: Memory, other: Memory) -> None:
    memory.remember(SAID[:3], LINKED[:1])
    memory.rename("Boat", "Ferry")
    memory.remember([{"name": "Ferry", "observations": ["It is fast."]}])
    memory.unlink("Quay", "Ferry")
    before = memory.history("Ferry"), memory.history("Quay"), memory.changes("2026-01-01")
    memory.rename_project(str(memory.project), str(other.project))

    after = other.history("Boat"), other.history("Quay"), other.changes("2026-01-01")
    for was, now in zip(before[:2], after[:2], strict=True):
        assert now.key == was.key.replace(str(memory.project), str(other.project))
        assert [(revision.revision, revision.verb, revision.at) for revision in now.revisions] == [
            (revision.revision, revision.verb, revision.at) for revision in was.revisions
        ]
    assert [change.id for change in after[2].changes] == [change.id for change in before[2].changes]
    assert memory.changes("2026-01-01").changes == ()
    assert other.get("Boat")[0].key == other.get("Ferry")[0].key == f"{other.project}#boat"
    other.undo("last")
    assert [neighbour.name for neighbour in other.get("Quay")[0].neighbours] == ["Ferry"]


@pytest.mark.parametrize("moves", ["rename_project", "merge_projects"])
def test_the_history_of_what_was_merged_away_moves_along(
    memory: Memory, other: Memory, moves: str
) -> None:
    memory.remember([{"name": "Boat", "text": "A ferry."}, {"name": "Quay"}, {"name": "Crane"}])
    memory.edit({"name": "Boat", "title": "Ferry"})
    memory.link("Crane", "LIFTS", "Boat")
    memory.merge("Boat", "Quay")
    if moves == "merge_projects":
        other.remember([{"name": "Rope"}])
    getattr(memory, moves)(str(memory.project), str(other.project))

    other.undo(
        next(change.id for change in other.changes("2026-01-01").changes if change.verb == "merge")
    )
    (boat,) = other.get("Boat")
    assert (boat.key, boat.entity.text) == (f"{other.project}#boat", "A ferry.")
    assert [neighbour.name for neighbour in boat.neighbours] == ["Crane"]
    assert {"edit", "merge"} < {revision.verb for revision in other.history("Boat").revisions}
    with pytest.raises(NotFound):
        memory.history("Boat")


def test_a_purge_in_a_renamed_project_deletes_the_history_of_what_was_merged_away(
    graph: Graph, memory: Memory, other: Memory
) -> None:
    memory.remember([{"name": "Boat", "text": "A secret."}, {"name": "Quay"}])
    memory.merge("Boat", "Quay")
    memory.rename_project(str(memory.project), str(other.project))
    other.purge("Quay", everything=True)
    keys = [f"{one.project}#boat" for one in (memory, other)]
    assert graph.read("read/revisions", keys=keys, limit=10) == []


@pytest.mark.parametrize("name", ["Quay", "Boat"])
def test_a_history_that_has_no_place_in_the_other_project_is_gone(
    graph: Graph, memory: Memory, other: Memory, name: str
) -> None:
    memory.remember([{"name": "Boat", "text": "A secret."}, {"name": "Quay"}])
    memory.merge("Boat", "Quay")
    other.remember([{"name": name}])
    memory.merge_projects(str(memory.project), str(other.project))
    keys = [f"{one.project}#boat" for one in (memory, other)]
    assert graph.read("read/revisions", keys=keys, limit=10) == []


def test_a_merge_joins_by_the_names_that_entities_have_now(memory: Memory, other: Memory) -> None:
    memory.remember([{"name": "Boat", "observations": ["of the first"]}, {"name": "Rope"}])
    memory.rename("Boat", "Ferry")
    other.remember(
        [{"name": "Boat", "text": "Another one."}, {"name": "Ship", "observations": ["second"]}]
    )
    other.rename("Ship", "Ferry")
    change = memory.merge_projects(str(memory.project), str(other.project))

    assert (change.entities, change.joined) == (2, 1)
    assert named(everything(other)) == ["Boat", "Rope", "Ferry"]
    ferry = other.get("Ferry")[0]
    assert ferry.key == f"{other.project}#ship"
    assert {observation.text for observation in ferry.entity.observations} == {
        "of the first",
        "second",
    }
    assert other.get("Boat")[0].entity.text == "Another one."


def test_a_renamed_entity_gets_the_key_of_its_name_where_its_own_is_taken(
    memory: Memory, other: Memory
) -> None:
    memory.remember([{"name": "Boat"}, {"name": "Quay"}], [LINKED[0]])
    memory.rename("Boat", "Ferry")
    other.remember([{"name": "Boat", "text": "Another one."}])
    memory.merge_projects(str(memory.project), str(other.project))

    assert other.get("Ferry")[0].key == f"{other.project}#ferry"
    assert other.get("Boat")[0].entity.text == "Another one."
    assert [neighbour.name for neighbour in other.get("Quay")[0].neighbours] == ["Ferry"]


# What is refused


@pytest.mark.parametrize("layer", ["@user", "@system"])
def test_layers_are_neither_renamed_nor_merged(memory: Memory, layer: str) -> None:
    for verb in (memory.rename_project, memory.merge_projects):
        with pytest.raises(InvalidInput, match="must not be a layer"):
            verb(layer, str(memory.project))
        with pytest.raises(InvalidInput, match="must not be a layer"):
            verb(str(memory.project), layer)


@pytest.mark.parametrize("name", ["", " ", "a#b", "@admin", "x" * 201, "a\x00b", 7, None])
def test_a_name_that_no_project_can_have_is_refused(memory: Memory, name: Any) -> None:  # noqa: ANN401
    own = str(memory.project)
    for call in (
        lambda: memory.rename_project(own, name),
        lambda: memory.rename_project(name, own),
        lambda: memory.merge_projects(name, own),
        lambda: memory.delete_project(name),
        lambda: memory.projects([name]),
    ):
        with pytest.raises(InvalidInput, match=r"^(old|new|start|name|names) "):
            call()


def test_a_project_is_not_moved_to_itself(harbour: Memory) -> None:
    own = str(harbour.project)
    with pytest.raises(InvalidInput, match=f"^new must be another project than {own}, "):
        harbour.rename_project(own, f" {own} ")
    with pytest.raises(InvalidInput, match=f"^into must be another project than {own}, "):
        harbour.merge_projects(own, own)


def test_a_project_that_holds_nothing_is_not_there(memory: Memory) -> None:
    own = str(memory.project)
    calls: list[Callable[[], object]] = [
        lambda: memory.rename_project(own, f"{own}/x"),
        lambda: memory.merge_projects(own, f"{own}/x"),
        lambda: memory.delete_project(own),
    ]
    for call in calls:
        with pytest.raises(NotFound, match="there is nothing in"):
            call()


def test_who_is_limited_to_a_project_changes_no_other(harbour: Memory, other: Memory) -> None:
    other.remember([{"name": "Own"}])
    bound = Memory(
        other.graph, other.model, other.project, access=Access(other.project, frozenset())
    )
    mine, theirs = str(other.project), str(harbour.project)

    for call in (
        lambda: bound.rename_project(theirs, mine),
        lambda: bound.merge_projects(theirs, mine),
        lambda: bound.merge_projects(mine, theirs),
        lambda: bound.delete_project(theirs),
        lambda: bound.projects([theirs]),
    ):
        with pytest.raises(InvalidInput, match=f"This server is limited to {mine}"):
            call()
    with pytest.raises(InvalidInput, match="--layers user"):
        bound.delete_project("@user")
    assert {project.project for project in bound.projects()} - {"@user", "@system"} == {mine}


def test_no_tool_of_a_server_changes_a_project_as_a_whole(memory: Memory) -> None:
    tools = {tool.name for tool in Tools(lambda: memory).offers()}
    assert {"rename_project", "merge_projects", "delete_project", "projects"} & tools == set()


# Merging


@pytest.fixture
def full(other: Memory) -> Memory:
    """The other project, with words on some of the same entities and relations."""
    other.remember(
        [
            {"name": "quay", "title": "The new quay", "tags": ["wood"], "text": "Rebuilt.",
             "observations": ["It is cold.", "It is long."]},
            {"name": "Rope", "text": "Hemp."},
            {"name": "Boat"},
        ],
        [
            {"from": "Quay", "relation": "HOLDS", "to": "Boat", "note": "by day"},
            {"from": "Rope", "relation": "TIES", "to": "Boat"},
        ],
    )  # fmt: skip
    return other


def imported(third: Memory, projects: list[Memory], folder: Path) -> list[Any]:
    """What a third project holds once exports of everything in others are imported into it."""
    for number, memory in enumerate(projects):
        file = folder / f"all-{number}.jsonl"
        lines = (json.dumps(line) for line in everything(memory))
        said = "\n".join(line.replace('"P"', f'"{third.project}"') for line in lines)
        file.write_text(said)
        assert not third.import_("jsonl", file, everything=True).refused
    return everything(third)


@pytest.fixture
def expected(
    harbour: Memory, full: Memory, memory_of: Callable[[str], Memory], tmp_path: Path
) -> list[Any]:
    """What a third project holds once both are imported into it."""
    return without_moments(imported(memory_of(f"{full.project}/third"), [full, harbour], tmp_path))


def without_moments(lines: list[Any]) -> list[Any]:
    for line in lines:
        line.get("provenance", {}).pop("updated_at", None)
    return lines


@pytest.mark.parametrize("steps", ["large", "small"])
def test_a_merge_makes_what_importing_both_makes(
    harbour: Memory, full: Memory, expected: list[Any], steps: str, request: pytest.FixtureRequest
) -> None:
    if steps == "small":
        request.getfixturevalue("small_steps")
    change = harbour.merge_projects(str(harbour.project), str(full.project))

    assert (change.entities, change.joined, change.refused) == (5, 2, ())
    assert without_moments(everything(full)) == expected
    assert everything(harbour) == []
    assert full.stats().pending == 0
    assert full.stats().relations == 6


def test_merged_entities_are_found_by_what_either_said(harbour: Memory, full: Memory) -> None:
    harbour.merge_projects(str(harbour.project), str(full.project))

    for query in ("It is wet", "It is long", "The new quay", "Stone", "wood", "pier"):
        assert full.search(query, mode="keyword").hits[0].name == "quay", query
    assert [hit.name for hit in full.search("sold", mode="keyword", expand=False).hits] == ["Boat"]


@pytest.mark.parametrize("place", ["from", "into", "both"])
def test_what_is_forgotten_in_one_project_only_is_there_after_a_merge(
    memory: Memory, other: Memory, place: str
) -> None:
    memory.remember([{"name": "Quay", "tags": ["stone"]}])
    other.remember([{"name": "Quay", "tags": ["wood"]}])
    for one in (memory,) * (place != "into") + (other,) * (place != "from"):
        one.forget("Quay")
    memory.merge_projects(str(memory.project), str(other.project))
    (page,) = other.get("Quay")
    assert (page.entity.status, len(page.entity.tags)) == (
        "forgotten" if place == "both" else "active", 2,
    )  # fmt: skip


def test_a_second_merge_finds_nothing_to_merge(harbour: Memory, full: Memory) -> None:
    harbour.merge_projects(str(harbour.project), str(full.project))
    before = everything(full)

    with pytest.raises(NotFound, match="there is nothing in"):
        harbour.merge_projects(str(harbour.project), str(full.project))
    assert everything(full) == before


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("writes", range(7))
def test_a_merge_that_was_killed_is_ended_by_the_same_call(
    harbour: Memory, full: Memory, expected: list[Any], writes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = str(harbour.project), str(full.project)
    with monkeypatch.context() as patch:
        Mortal(patch, writes)
        with pytest.raises(Killed):
            harbour.merge_projects(*names)

    harbour.merge_projects(*names)
    assert without_moments(everything(full)) == expected
    assert everything(harbour) == []


def test_an_entity_that_holds_too_much_for_both_stays_and_is_named(
    memory: Memory, other: Memory
) -> None:
    for one, own in ((memory, "a"), (other, "b")):
        attributes = {f"{own}{number}": number for number in range(150)}
        one.remember([{"name": "Full", "attributes": attributes}, {"name": f"Beside {own}"}])
    change = memory.merge_projects(str(memory.project), str(other.project))

    assert (change.entities, change.joined) == (1, 0)
    assert [(item.name, item.outcome) for item in change.refused] == [("Full", "refused")]
    assert named(everything(memory)) == ["Full"]
    assert named(everything(other)) == ["Beside a", "Beside b", "Full"]


# Deleting


@pytest.mark.parametrize("steps", ["large", "small"])
def test_a_deleted_project_leaves_nothing(
    harbour: Memory, full: Memory, graph: Graph, steps: str, request: pytest.FixtureRequest
) -> None:
    if steps == "small":
        request.getfixturevalue("small_steps")
    untouched = everything(full)
    change = harbour.delete_project(str(harbour.project))

    assert (change.into, change.entities, change.relations) == (None, 5, 5)
    assert everything(harbour) == []
    assert everything(full) == untouched
    query = f"+filters:{token('project', str(harbour.project))}"
    for index in ("graphmem_passage_exact", "graphmem_entity_handles"):
        assert rows(graph, index, query) == 0
    with pytest.raises(NotFound, match="there is nothing in"):
        harbour.delete_project(str(harbour.project))


def rows(graph: Graph, index: str, query: str) -> int:
    """How many nodes a text index gives."""
    with graph._session("READ") as session:
        found = session.run(
            "CALL db.index.fulltext.queryNodes($index, $words) YIELD node RETURN count(*)",
            index=index, words=query,
        )  # fmt: skip
        return int(found.single(strict=True)[0])


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("writes", range(5))
def test_a_deletion_that_was_killed_is_ended_by_the_same_call(
    harbour: Memory, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    with monkeypatch.context() as patch:
        Mortal(patch, writes)
        with pytest.raises(Killed):
            harbour.delete_project(str(harbour.project))

    harbour.delete_project(str(harbour.project))
    assert everything(harbour) == []
    assert harbour.stats().passages == 0


def test_a_layer_may_be_deleted(memory_of: Callable[[str], Memory]) -> None:
    layer = memory_of("@system")
    layer.remember([{"name": "Rule of all projects"}])
    layer.delete_project("@system")
    assert layer.stats().entities == 0


# Listing


def test_projects_are_listed_with_what_they_hold(harbour: Memory, full: Memory) -> None:
    listed = {project.project: project for project in harbour.projects()}

    own, others = listed[str(harbour.project)], listed[str(full.project)]
    assert (own.entities, own.relations, own.passages) == holding(harbour)[:3]
    assert (others.entities, others.relations) == (3, 2)
    assert others.updated_at == full.recent(scope="project").hits[0].updated_at
    assert list(listed) == sorted(listed)
    nothing = f"{full.project}/nothing"
    assert [(project.entities, project.updated_at) for project in full.projects([nothing])] == [
        (0, None)
    ]


# In the terminal


@pytest.fixture
def run(
    memory: Memory, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str, str]]:
    """Run a command in the project; gives its exit code and what it printed."""
    model = FakeEmbedder()
    monkeypatch.setattr(session, "embedder", lambda *_, **__: model)
    monkeypatch.setenv("GRAPHMEM_PROJECT", str(memory.project))

    def run(*tokens: str) -> tuple[int, str, str]:
        code = cli.main(["project", *tokens])
        output = capsys.readouterr()
        return code, output.out, output.err

    return run


def test_the_terminal_lists_what_projects_hold(
    run: Callable[..., tuple[int, str, str]], harbour: Memory
) -> None:
    code, out, _ = run("list")
    (line,) = (line for line in out.splitlines() if str(harbour.project) in line)
    assert code == 0
    assert line.split()[:2] == ["5", "5"]
    assert line.endswith(f"{harbour.project}  (this folder's)")

    _, out, _ = run("list", "--json")
    projects = json.loads(out)["projects"]
    (own,) = (project for project in projects if project["project"] == harbour.project)
    assert (own["entities"], own["relations"]) == (5, 5)


def test_the_terminal_asks_unless_it_is_told_yes(
    run: Callable[..., tuple[int, str, str]], harbour: Memory, full: Memory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    own, into = str(harbour.project), str(full.project)
    for tokens in (("rename", own, f"{own}/new"), ("merge", own, into), ("delete", own)):
        monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
        code, out, err = run(*tokens)
        assert (code, out) == (2, "")
        assert "--yes is required when stdin is not a terminal" in err
    assert harbour.stats().entities == 5

    assert run("rename", own, f"{own}/new", "--yes")[:2] == (
        0, f"{own}  5 entities and 5 relations moved to {own}/new\n",
    )  # fmt: skip
    code, out, _ = run("merge", f"{own}/new", into, "-y")
    assert (code, out) == (
        0,
        (
            f"{own}/new  5 entities and 5 relations moved to {into}; "
            "2 of them merged with entities of the same name\n"
        ),
    )
    code, out, _ = run("delete", into, "--yes", "--json")
    deleted = json.loads(out)
    assert (code, deleted["entities"], deleted["relations"]) == (0, 6, 6)
    code, _, err = run("delete", into, "--yes")
    assert code == 1
    assert f"there is nothing in {into}; `graphmem project list` shows all projects" in err
