"""A statement reads what its answer needs, however much else a store or a project holds."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import neo4j
import pytest

from graphmem import statements
from graphmem.memory import Memory
from graphmem.model.filters import Filters
from graphmem.model.provenance import CALLER, CODE, FIRST_LINE, LAST_LINE
from graphmem.read import duplicates
from graphmem.search.plan import Plan
from graphmem.search.recent import RecentListing
from graphmem.search.recent import _parameters as parameters_of_listing
from graphmem.write.history import effects
from listeners import Listener

# Statements that go through the entities of a project page by page, with their other parameters.
PAGES: dict[str, dict[str, object]] = {
    "read/asserted_entities": {"author": "form:path"},
    "read/asserted_relations": {"author": "form:path", "derived": True},
    "read/close_entities": {
        "near": 20,
        "threshold": 0.5,
        "code": CODE,
        "caller": CALLER,
        "first": FIRST_LINE,
        "last": LAST_LINE,
        "dimensions": None,
    },
    "read/export_keys": {},
    "read/memcp/stale_entities": {"before": None, "floor": 0.0},
    "read/names": {},
    "read/relation_sizes": {},
}


# Entities of each of the other projects.
PIERS = 5


def profiled(session: neo4j.Session, name: str, **parameters: object) -> dict[str, Any]:
    """Run a statement in a transaction that is rolled back, and give its plan with what it read."""
    query = statements.load(name)
    with session.begin_transaction() as transaction:
        result = transaction.run("PROFILE " + query.sent_text, query.sent_parameters(parameters))
        profile = result.consume().profile
        transaction.rollback()
    assert profile is not None
    return profile


def steps(profile: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every step of a plan."""
    yield profile
    for child in profile.get("children", ()):
        yield from steps(child)


def hits(profile: dict[str, Any]) -> int:
    """How often all steps of a plan read something of the store."""
    return sum(step.get("dbHits", 0) for step in steps(profile))


@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_page_of_a_project_reads_nothing_of_others(
    name: str, memory: Memory, session: neo4j.Session
) -> None:
    before, behind = (f"{memory.project_name()}-{end}" for end in ("a", "c"))
    for project in (before, behind):
        memory.remember([{"name": f"Pier {number}"} for number in range(PIERS)], project=project)
    empty = f"{memory.project_name()}-b"

    profile = profiled(session, name, project=empty, after="", limit=500, **PAGES[name])

    assert [step["rows"] for step in steps(profile) if "IndexSeek" in step["operatorType"]][-1] == 0
    # To find that nothing is there is a read or two; each entity of another project would be one.
    assert hits(profile) < PIERS


@pytest.mark.parametrize(("name", "times"), [("recent", 2), ("stats", 3), ("overview", 3)])
def test_what_counts_a_project_looks_at_its_entities_few_times(
    name: str, times: int, memory: Memory, session: neo4j.Session
) -> None:
    project = memory.project_name()
    memory.remember([{"name": f"Pier {number}"} for number in range(5)])
    listing = RecentListing(Filters((project,)), Plan())
    parameters: dict[str, dict[str, object]] = {
        "recent": {"search": parameters_of_listing(listing)},
        "stats": {"project": project},
        "overview": {"project": project, "caller": CALLER, "code": CODE, "limit": 10},
    }

    profile = profiled(session, f"read/{name}", **parameters[name])

    looks = [step for step in steps(profile) if "(project)" in step["args"].get("Details", "")]
    assert [step["rows"] for step in looks] == times * [5]


def test_changes_of_many_entities_are_counted_by_the_server(memory: Memory) -> None:
    piers = [{"name": f"Pier {number:02}"} for number in range(30)]
    links = [
        {"from": f"Pier {number:02}", "relation": "NEAR", "to": "Pier 00"}
        for number in range(1, 30)
    ]
    memory.remember(piers, links)
    (change,) = memory.changes("2020-01-01").changes
    parameters = {"project": memory.project_name(), "changes": [change.id]}

    rows = memory.graph.read("read/created_counts", limit=5, **parameters)

    assert (change.created, change.relations) == (30, 29)
    assert change.names == tuple(f"Pier {number:02}" for number in range(5))
    assert change.links == tuple(f"Pier {number:02} -[NEAR]-> Pier 00" for number in range(1, 6))
    assert [(len(row["names"]), len(row["origins"]), len(row["links"])) for row in rows] == [
        (5, 5, 5)
    ]


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        (
            "read/joining",
            {
                "types": [],
                "direction": "both",
                "search": {"at": {"day": None, "first": None, "last": None}},
            },
        ),
        ("read/present_relations", {}),
        ("write/delete_relations", {}),
        ("write/lock_relations", {}),
        (
            "write/note_creating_changes_of_relations",
            {"source": "form:path", "author": "form:path"},
        ),
        ("write/set_relations", {}),
    ],
)
def test_a_relation_of_a_hub_is_found_without_the_others(
    name: str, parameters: dict[str, object], memory: Memory, session: neo4j.Session
) -> None:
    start, end = (f"{memory.project_name()}#{pier}" for pier in ("a", "b"))
    row = {"start": start, "end": end, "relation": "NEAR", "since": "", "properties": {}}
    rows = {"pairs" if name == "read/joining" else "rows": [row]}

    profile = profiled(session, name, **rows, **parameters)

    expanding = {step["operatorType"].split("@")[0] for step in steps(profile)}
    assert "Expand(Into)" in expanding
    assert "Expand(All)" not in expanding


def test_the_relations_of_a_hub_are_gone_through_once_for_each_change(
    memory: Memory, session: neo4j.Session
) -> None:
    memory.remember(
        [{"name": f"Pier {number}"} for number in range(9)],
        [{"from": "Pier 0", "relation": "NEAR", "to": f"Pier {number}"} for number in range(1, 9)],
    )
    (change,) = memory.changes("2020-01-01").changes
    keys = [memory.get("Pier 0")[0].entity.key]

    profile = profiled(session, "read/created", keys=keys, changes=[change.id])

    picking = [
        step
        for step in steps(profile)
        if "WHERE relation.change" in step["args"].get("Details", "")
    ]
    assert [child["rows"] for step in picking for child in step["children"]] == [1]


def test_the_revisions_of_a_hub_are_read_once_for_all_of_its_relations(
    memory: Memory, session: neo4j.Session
) -> None:
    piers = [f"Pier {number}" for number in range(1, 9)]
    relations = [{"from": "Pier 0", "relation": "NEAR", "to": name} for name in piers]
    memory.remember([{"name": name} for name in ("Pier 0", *piers)], relations)
    for number in range(3):
        memory.edit({"name": "Pier 0", "title": f"The pier {number}"})
    key = memory.get("Pier 0")[0].entity.key
    rows = [{"start": key, "path": f'"relation/{name}":', "change": name} for name in piers]

    profile = profiled(session, "read/first_notes", rows=rows, prefix='"relation/')

    looks = [step["rows"] for step in steps(profile) if "IndexSeek" in step["operatorType"]]
    assert looks == [3]


def test_listing_changes_looks_up_only_the_names_it_shows(
    memory: Memory, session: neo4j.Session
) -> None:
    piers = [f"Pier {number:02}" for number in range(30)]
    memory.remember([{"name": name} for name in piers])
    memory.forget(piers)
    change = memory.changes("2020-01-01").changes[0]
    times = {"since": datetime(2020, 1, 1, tzinfo=UTC), "until": None}

    profile = profiled(session, "read/changes", project=memory.project_name(), limit=1, **times)

    looks = [step["rows"] for step in steps(profile) if "UniqueIndexSeek" in step["operatorType"]]
    assert (change.changed, change.names) == (30, tuple(piers[:5]))
    assert looks == [5]


def test_an_undo_and_a_comparison_of_many_entities_report_their_progress(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(effects, "BATCH", 2)
    monkeypatch.setattr(duplicates, "BATCH", 2)
    memory.remember([{"name": f"Pier {number}"} for number in range(3)])

    memory.duplicates(progress=(comparison := Listener()))
    memory.undo("last", progress=(undo := Listener()))

    assert comparison.steps == [("Comparing entities", 2, 3)]
    assert undo.steps == [
        (task, done, 3) for task in ("Looking for later changes", "Undoing") for done in (2, 3)
    ]


def test_an_undo_of_much_reports_the_progress_of_its_reading(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(effects, "PAGE", 2)
    memory.remember([{"name": f"Pier {number}"} for number in range(3)])

    memory.undo("last", progress=(creation := Listener()))
    memory.undo("last", progress=(removal := Listener()))

    reading = [("Reading what was changed", 2, 3), ("Reading what was changed", 3, 3)]
    assert creation.steps == reading
    assert removal.steps == reading


def test_an_undo_reads_in_batches(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effects, "PAGE", 2)
    names = [f"Pier {number}" for number in range(5)]
    memory.remember([{"name": name, "text": "Wood."} for name in names])
    memory.remember([{"name": name, "text": "Steel."} for name in names])
    memory.remember([{"name": name, "tags": ["old"]} for name in names], overwrite=True)

    memory.undo("last")
    changed, created = memory.changes("2020-01-01").changes[-2:]
    memory.undo(changed.id)

    assert {page.entity.text for page in memory.get(names)} == {"Wood."}
    memory.undo(created.id)
    assert memory.recent().total == 0
