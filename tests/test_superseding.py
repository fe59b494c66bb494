"""What is superseded is hidden and leads to what replaced it, until that is undone."""

import itertools
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import neo4j
import pytest

from changed_entities import page, remember_cache
from concurrent_calls import at_once
from graphmem import text
from graphmem.errors import Conflict, InvalidInput
from graphmem.memory import Memory
from graphmem.migrations.superseded import lead_on

BEGINNING = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.fixture
def cache(memory: Memory) -> dict[str, Any]:
    return remember_cache(memory)


@pytest.mark.usefixtures("cache")
def test_what_was_superseded_is_found_by_what_replaced_it(memory: Memory) -> None:
    memory.supersede("Redis cache", "Valkey", note="licence")
    assert page(memory, "Redis cache")["status"] == "superseded"
    for query in ("Redis cache", "where are sessions kept"):
        for filters in ({}, {"kinds": ["Thing"]}):
            answer = memory.search(query, **filters)  # type: ignore[arg-type]
            (hit,) = (one for one in answer.hits if one.name == "Valkey")
            assert "Redis cache" not in [one.name for one in answer.hits]
            links = {(via.seed, via.relation, via.note) for via in hit.via}
            assert ("Redis cache", "SUPERSEDES", "licence") in links
    old = memory.search("Redis cache", status=["superseded"]).hits
    assert [one.name for one in old] == ["Redis cache"]
    assert "Redis cache" not in [one.name for one in memory.recent().hits]
    memory.restore("Redis cache")
    assert page(memory, "Redis cache")["status"] == "active"
    (link,) = (
        relation
        for relation in page(memory, "Valkey")["relations"]
        if relation["relation"] == "SUPERSEDES"
    )
    assert link["note"] == "licence"


@pytest.mark.usefixtures("cache")
def test_a_relation_that_says_what_is_superseded_tells_that_it_hides_nothing(
    memory: Memory,
) -> None:
    note = "'Redis cache' is still found: the relation alone hides nothing; `supersede` does"
    assert memory.link("Valkey", "SUPERSEDES", "redis cache").notes == (note,)
    assert memory.link("Valkey", "SUPERSEDES", "redis cache", note="licence").notes == ()
    memory.supersede("Redis cache", "Valkey")
    assert memory.get("Redis cache")[0].status == "superseded"
    assert note not in memory.link("Session store", "SUPERSEDES", "Redis cache").notes


@pytest.mark.usefixtures("cache")
def test_a_page_names_what_its_entity_superseded(memory: Memory) -> None:
    memory.remember([{"name": "Dragonfly"}, {"name": "Ferry"}])
    memory.link("Dragonfly", "SUPERSEDES", "Ferry")
    memory.forget("Ferry")
    memory.supersede("Redis cache", "Valkey", note="licence")
    moment = memory.changes("2026-01-01").changes[0].at
    assert moment is not None
    memory.supersede("Valkey", "Dragonfly")

    def superseded(relations: list[dict[str, Any]]) -> list[tuple[str, str, str | None]]:
        return [
            (relation["name"], relation["status"], relation["note"])
            for relation in relations
            if relation["relation"] == "SUPERSEDES" and relation["direction"] == "out"
        ]

    assert superseded(page(memory, "Valkey")["relations"]) == [
        ("Redis cache", "superseded", "licence")
    ]
    new = page(memory, "Dragonfly")
    assert superseded(new["relations"]) == [
        ("Redis cache", "superseded", None),
        ("Valkey", "superseded", None),
    ]
    assert new.get("omitted_relations") is None
    then: dict[str, Any] = memory.get_as_of("Valkey", moment).to_json()
    assert superseded(then["relations"]) == [("Redis cache", "superseded", "licence")]
    # Other relations of hidden entities are left out as before.
    assert page(memory, "Session store")["relations"] == []


@pytest.mark.usefixtures("cache")
def test_superseding_by_a_hidden_entity_is_noted(memory: Memory) -> None:
    memory.forget("Valkey")
    (note,) = memory.supersede("Redis cache", "valkey").notes
    assert note == (
        "'valkey' is forgotten, so searches find neither of the two; `restore` brings it back"
    )
    memory.restore("Valkey")
    assert memory.supersede("Redis cache", "Valkey").notes == ()
    memory.supersede("Valkey", "Session store")
    # From what was superseded, a search is led on.
    assert memory.supersede("Redis cache", "Valkey").notes == ()


@pytest.mark.usefixtures("cache")
def test_a_replacement_is_not_undone_before_a_later_one(memory: Memory) -> None:
    memory.supersede("Redis cache", "Valkey")
    memory.supersede("Redis cache", "Session store")
    second, first = memory.changes(BEGINNING, limit=2).changes
    assert memory.supersede("Redis cache", "Session store").counts("entity")["unchanged"] == 1
    assert memory.changes(BEGINNING).changes[0].id == second.id
    with pytest.raises(Conflict, match=f"status of .redis cache. .*change {second.id}.; undo"):
        memory.undo(first.id)
    assert page(memory, "Redis cache")["status"] == "superseded"
    memory.undo(second.id)
    assert page(memory, "Redis cache")["status"] == "superseded"
    memory.undo(first.id)
    assert page(memory, "Redis cache")["status"] == "active"
    relations = [relation["relation"] for relation in page(memory, "Redis cache")["relations"]]
    assert relations == ["SERVES", "REPLACES"]


@pytest.mark.usefixtures("cache")
def test_a_write_to_a_hidden_entity_says_so(memory: Memory) -> None:
    memory.supersede("Redis cache", "Valkey")
    memory.forget("Session store")
    hidden = ", and follow no relation to it"
    report = memory.remember(
        [{"name": "Redis cache", "tags": ["old"]}, {"name": "Valkey", "tags": ["new"]}],
        [{"from": "Valkey", "relation": "SERVES", "to": "Session store"}],
    )
    assert report.notes == (
        f"'Redis cache' is superseded: searches leave it out{hidden}",
        f"'Session store' is forgotten: searches leave it out{hidden}",
    )
    # What is forgotten lives again with the first word on it; a status is the caller's own.
    lives = memory.remember([{"name": "Session store"}, {"name": "Valkey", "status": "deprecated"}])
    (note,) = lives.notes
    assert note.startswith("'Session store' was forgotten by ")


@pytest.mark.usefixtures("cache")
def test_superseding_in_a_circle_is_refused(memory: Memory) -> None:
    memory.supersede("Redis cache", "Valkey")
    memory.supersede("Valkey", "Session store")
    with pytest.raises(InvalidInput, match="must not be superseded"):
        memory.supersede("Session store", "Redis cache")
    with pytest.raises(InvalidInput, match="both names lead to the same one"):
        memory.supersede("Valkey", "Valkey")


def test_restoring_what_an_import_hides_says_how_it_is_found_again(
    memory: Memory, tmp_path: Path
) -> None:
    path = tmp_path / "rules.jsonl"
    path.write_text('{"type": "entity", "name": "Rule", "status": "deprecated"}')
    memory.import_("jsonl", path)
    report = memory.restore(["Rule", "rule", "Missing"])
    assert [item.outcome for item in report.items] == ["unchanged", "unchanged", "refused"]
    (note,) = report.notes
    assert note.startswith(
        "'Rule' stays deprecated, since an import asserts that; to have it found"
    )
    memory.remember([{"name": "Rule", "status": "active"}])
    assert memory.restore("Rule").notes == ()
    hits = memory.search("rule", scope="project").hits
    assert [hit.name for hit in hits] == ["Rule"]


def test_an_older_store_gets_the_links_from_superseded_entities(
    memory: Memory, session: neo4j.Session
) -> None:
    memory.remember(
        [{"name": "Old", "text": "It was made of oak."}, {"name": "New"}],
        [{"from": "New", "relation": "SUPERSEDES", "to": "Old"}],
    )
    key = page(memory, "Old")["key"]
    memory.supersede("Old", "New")
    session.run(
        "MATCH (old:Entity {key: $key})-[:HAS_PASSAGE]->(passage) SET passage.live = false "
        "SET passage.filters = replace(passage.filters, $word, $dead) "
        "SET old.graphmem_filters = replace(old.graphmem_filters, $word, $dead)",
        key=key,
        word=text.token("live", "True"),
        dead=text.token("live", "False"),
    ).consume()
    assert memory.search("oak").hits == ()
    for _ in range(2):
        assert memory.graph.write(partial(lead_on, keys=[key]))
    assert [hit.name for hit in memory.search("oak").hits] == ["New"]


def test_concurrent_replacements_of_each_other_make_no_circle(memory: Memory) -> None:
    for number in range(5):
        first, second = f"First {number}", f"Second {number}"
        memory.remember([{"name": first}, {"name": second}])
        refused: list[str] = []

        def replace(old: str, new: str, refused: list[str] = refused) -> None:
            try:
                memory.supersede(old, new)
            except InvalidInput as error:
                refused.append(str(error))

        at_once(partial(replace, first, second), partial(replace, second, first))
        assert len(refused) == 1
        statuses = {page(memory, name)["status"] for name in (first, second)}
        assert statuses == {"active", "superseded"}


def test_superseding_a_restored_entity_again_is_reported(memory: Memory) -> None:
    memory.remember([{"name": "Old"}, {"name": "New"}])
    memory.supersede("Old", "New")
    memory.restore("Old")
    again = memory.supersede("Old", "New")
    assert [item.outcome for item in again.items] == ["updated", "unchanged"]
    assert page(memory, "Old")["status"] == "superseded"
    assert not memory.supersede("Old", "New").changes


def test_an_entity_of_the_longest_name_is_replaced_with_its_link(memory: Memory) -> None:
    name = "n" * 512
    memory.remember([{"name": name}, {"name": "New"}])
    report = memory.supersede(name, "New", note="why")
    assert [item.outcome for item in report.items] == ["updated", "created"]
    change = memory.changes(BEGINNING).changes[0]
    assert (change.verb, change.note, change.relations, change.changed) == (
        "supersede", "why", 1, 1,
    )  # fmt: skip
    memory.undo("last")
    assert page(memory, name)["status"] == "active"
    assert page(memory, name)["relations"] == []


def replaced_by(memory: Memory) -> dict[str, list[str]]:
    """What each entity supersedes by a relation, in order; what supersedes nothing is left out."""
    ends: dict[str, list[str]] = {}
    for line in memory.export():
        if line["type"] == "relation":
            ends.setdefault(str(line["from"]), []).append(str(line["to"]))
    return {start: sorted(names) for start, names in ends.items()}


@pytest.mark.parametrize(
    ("undone", "remaining"),
    [
        (0, {"C": ["B"], "D": ["B", "C"]}),
        (1, {"B": ["A"], "D": ["C"]}),
        (2, {"B": ["A"], "C": ["A", "B"]}),
    ],
)
def test_undoing_a_replacement_removes_what_later_ones_took_over_from_it(
    memory: Memory, undone: int, remaining: dict[str, list[str]]
) -> None:
    memory.remember([{"name": name} for name in "ABCDE"])
    for old, new in ("AB", "BC", "CD"):
        memory.supersede(old, new)
    before = replaced_by(memory)
    changes = [
        change.id for change in memory.changes(BEGINNING).changes if change.verb == "supersede"
    ]
    memory.undo(changes[::-1][undone])
    assert replaced_by(memory) == remaining
    memory.undo("last")
    assert replaced_by(memory) == before


@pytest.mark.parametrize(
    "order", list(itertools.permutations([("A", "B"), ("B", "C"), ("C", "D")]))
)
def test_replacements_lead_to_the_last_one_in_whatever_order_they_are_made(
    memory: Memory, order: tuple[tuple[str, str], ...]
) -> None:
    memory.remember([{"name": name, "text": f"Text{name}"} for name in "ABCD"])
    for old, new in order:
        memory.supersede(old, new)
    before = replaced_by(memory)
    assert before["D"] == ["A", "B", "C"]
    hits = memory.search("TextA", scope="project").hits
    assert [hit.name for hit in hits] == ["D"]
    changes = {change.names[0]: change.id for change in memory.changes(BEGINNING, limit=3).changes}
    remaining = {
        "A": {"C": ["B"], "D": ["B", "C"]},
        "B": {"B": ["A"], "D": ["C"]},
        "C": {"B": ["A"], "C": ["A", "B"]},
    }
    for old, relations in remaining.items():
        memory.undo(changes[old])
        assert replaced_by(memory) == relations
        memory.undo("last")
        assert replaced_by(memory) == before


def test_what_an_entity_replaced_by_another_way_too_stays_so_when_one_way_is_undone(
    memory: Memory,
) -> None:
    memory.remember([{"name": name} for name in "ABCDE"])
    for old, new in ("AC", "AB", "BD", "CD"):
        memory.supersede(old, new)
    changes = [
        change.id for change in memory.changes(BEGINNING).changes if change.verb == "supersede"
    ]
    memory.undo(changes[-2])  # that of A by B
    assert replaced_by(memory) == {"C": ["A"], "D": ["A", "B", "C"]}


def test_undoing_a_replacement_keeps_the_relations_that_were_said_before_it(
    memory: Memory,
) -> None:
    said = [
        {"from": "B", "relation": "SUPERSEDES", "to": "A", "note": "cheaper"},
        {"from": "C", "relation": "SUPERSEDES", "to": "A", "note": "simpler"},
    ]
    memory.remember([{"name": name} for name in "ABC"], said)
    before = [line for line in memory.export() if line["type"] == "relation"]
    memory.supersede("B", "C")
    memory.undo("last")
    assert [line for line in memory.export() if line["type"] == "relation"] == before
    assert replaced_by(memory) == {"B": ["A"], "C": ["A"]}


def test_undoing_a_replacement_keeps_the_relations_that_others_say_after_it(
    memory: Memory,
) -> None:
    memory.remember([{"name": name} for name in "ABC"])
    memory.supersede("B", "C")
    change = memory.changes(BEGINNING).changes[0].id
    said = [{"from": name, "relation": "SUPERSEDES", "to": "A"} for name in "BC"]
    memory.remember([], said)
    memory.undo(change)
    assert replaced_by(memory) == {"B": ["A"], "C": ["A"]}


def test_undoing_a_relation_keeps_what_an_earlier_replacement_made(memory: Memory) -> None:
    memory.remember([{"name": name} for name in "ABC"])
    memory.supersede("B", "C")
    memory.supersede("A", "B")
    memory.unlink("C", "B")
    before = replaced_by(memory)
    memory.link("C", "SUPERSEDES", "B")
    memory.undo("last")
    assert replaced_by(memory) == before == {"B": ["A"], "C": ["A"]}


def test_undoing_a_relation_removes_what_a_later_replacement_took_over_from_it(
    memory: Memory,
) -> None:
    memory.remember([{"name": name} for name in "ABC"])
    memory.link("B", "SUPERSEDES", "A")
    change = memory.changes(BEGINNING).changes[0].id
    memory.supersede("B", "C")
    assert replaced_by(memory) == {"B": ["A"], "C": ["A", "B"]}
    memory.undo(change)
    assert replaced_by(memory) == {"C": ["B"]}
