"""Two entities become one: the merge is shown first, keeps everything, and moves links."""

from functools import partial
from typing import Any

import pytest

from changed_entities import page, refusals, remember_cache
from concurrent_calls import at_once
from graphmem import read
from graphmem.memory import Memory
from graphmem.memory.writing.planned import Planned
from graphmem.memory.writing.relating import relate
from graphmem.model import Relation
from graphmem.write import Merge, WriteOptions


@pytest.fixture
def cache(memory: Memory) -> dict[str, Any]:
    return remember_cache(memory)


@pytest.mark.usefixtures("cache")
def test_a_merge_is_previewed_and_keeps_everything(memory: Memory) -> None:
    memory.remember(
        [{"name": "Redis", "title": "Redis itself", "text": "A server.", "tags": ["db"],
          "observations": ["It is fast.", "It is written in C."]}],
        [
            {"from": "Redis", "relation": "SERVES", "to": "Session store", "weight": 0.5},
            {"from": "Redis", "relation": "PART_OF", "to": "Redis cache"},
            {"from": "Valkey", "relation": "FORK_OF", "to": "Redis"},
        ],
    )  # fmt: skip
    before = page(memory, "Redis cache"), page(memory, "Redis")
    told = memory.merge("Redis", "Redis cache", dry_run=True)
    assert told.fields["title"] == ("Redis itself", "Cache in Redis")
    assert (page(memory, "Redis cache"), page(memory, "Redis")) == before
    assert memory.merge("Redis", "Redis cache") == told
    now = page(memory, "Redis")
    assert now["name"] == "Redis cache"
    assert now["aliases"] == ["Redis", "Redis itself"]
    assert now["tags"] == ["infra", "old", "db"]
    texts = [observation["text"] for observation in now["observations"]]
    assert texts == ["It is fast.", "It is cheap.", "It is written in C.", "A server."]
    links = {
        (relation["relation"], relation["direction"], relation["name"])
        for relation in now["relations"]
    }
    assert links == {
        ("SERVES", "out", "Session store"),
        ("REPLACES", "in", "Valkey"),
        ("FORK_OF", "in", "Valkey"),
    }
    (serves,) = (relation for relation in now["relations"] if relation["relation"] == "SERVES")
    assert (serves["note"], serves["weight"]) == ("fast", 0.5)
    memory.remember([{"name": "Redis", "category": "database"}])
    assert page(memory, "Redis cache")["category"] == "database"
    assert memory.stats().entities == 3


@pytest.mark.usefixtures("cache")
def test_a_former_name_leads_to_the_entity_without_being_an_alias(memory: Memory) -> None:
    memory.remember([{"name": "Redis"}])
    memory.merge("Redis", "Redis cache")
    memory.rename("Valkey", "Valkey server")
    for name in ("Redis cache", "Valkey server"):
        memory.remember([{"name": name, "tags": ["kept"]}], overwrite=True)
        assert "aliases" not in page(memory, name)
    assert [page(memory, name)["name"] for name in ("REDIS", "valkey")] == [
        "Redis cache", "Valkey server",
    ]  # fmt: skip
    report = memory.link("Redis", "NEAR", "Valkey")
    assert report.refused == ()
    assert "NEAR" in {link["relation"] for link in page(memory, "Redis cache")["relations"]}


def test_the_note_of_a_merge_counts_one_as_one() -> None:
    (note,) = Merge({}, relations=1, dropped=0, observations=2, aliases=()).report("p", "B").notes
    assert note == "1 relation and 2 observations moved; no field differed"
    kinds = {"kind": ("Service", "Decision")}
    (note,) = (
        Merge(kinds, relations=0, dropped=0, observations=1, aliases=()).report("p", "B").notes
    )
    assert note == "0 relations and 1 observation moved; kind differed, and B kept its own"


def test_a_merge_into_a_hidden_entity_says_that_searches_leave_it_out(memory: Memory) -> None:
    memory.remember([{"name": "A", "text": "alpha"}, {"name": "B"}, {"name": "C"}])
    assert memory.merge("A", "C").warning("C") is None
    memory.forget("B")
    merge = memory.merge("C", "B")
    assert merge.hidden == "forgotten"
    warning = "B is forgotten: searches leave it out, and what was merged into it"
    assert merge.report("P", "B").notes[1:] == (warning,)


def test_a_link_to_what_was_merged_after_its_name_was_looked_up_leads_to_what_stays(
    memory: Memory,
) -> None:
    memory.remember([{"name": name} for name in "ABCDE"])
    project = str(memory.project)
    ends = read.resolve(memory.graph, project, list("ABE"))
    memory.merge("A", "C")
    memory.merge("E", "B")
    relations = [
        Relation("A", "NEAR", "B"), Relation("B", "NEAR", "A"), Relation("E", "NEAR", "B"),
    ]  # fmt: skip
    items = relate(memory.graph, relations, ends, WriteOptions(project), planned=Planned())
    assert [item.outcome for item in items] == ["created", "created", "refused"]
    assert "merged or deleted meanwhile" in str(items[2].reason)
    linked = [
        (relation["name"], relation["direction"]) for relation in page(memory, "C")["relations"]
    ]
    assert sorted(linked) == [("B", "in"), ("B", "out")]


def test_a_link_made_while_its_end_is_merged_is_there_afterwards(memory: Memory) -> None:
    memory.remember([{"name": "Pier"}])
    for number in range(10):
        old, new = f"Old {number}", f"New {number}"
        memory.remember([{"name": old}, {"name": new}])
        refused: list[str] = []

        def link(old: str = old, refused: list[str] = refused) -> None:
            refused.extend(refusals(memory.link(old, "NEAR", "Pier")))

        at_once(partial(memory.merge, old, new), link)
        assert refused == []
        assert [relation["name"] for relation in page(memory, new)["relations"]] == ["Pier"]
