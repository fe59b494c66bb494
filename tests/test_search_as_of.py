"""A search of the past gives what the same search gave then."""

import itertools
import json
import random
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from fakes import FakeEmbedder
from graphmem.calls import recorded
from graphmem.errors import Conflict, DatabaseError, InvalidInput, NotFound
from graphmem.graph import Graph, Row
from graphmem.memory import Memory
from graphmem.memory.past import as_of, entity_then
from graphmem.memory.searches.options import planned
from graphmem.memory.store.connecting import connect
from graphmem.memory.store.model import StoreModel
from graphmem.model import Answer
from graphmem.model.json_object import iso
from graphmem.progress import SILENT
from graphmem.server.tools import Tools
from graphmem.settings import Settings
from graphmem.write.time_travel import limits
from past_searches import search_as_of

NAMES = [f"Part {number}" for number in range(8)]
WORDS = ["amber", "basalt", "cobalt", "diorite", "emerald", "feldspar", "granite", "hematite"]
QUERIES = ("amber basalt", "cobalt", "Part 3", "emerald feldspar granite", "Title")
EXPECTED = (NotFound, InvalidInput, Conflict)


def summary(answer: Answer) -> dict[str, Any]:
    """What an answer says of its hits, by name; the score is that of a store that goes on.

    Whether a direct hit names its link depends on the score.
    """
    return {
        hit.name: {
            "kind": hit.kind,
            "title": hit.title,
            "status": hit.status,
            "tags": sorted(hit.tags),
            "created_at": hit.created_at,
            "updated_at": hit.updated_at,
            "texts": sorted(passage.text for passage in hit.passages),
            "via": sorted(
                (via.relation, via.direction, via.seed, str(via.note))
                for via in hit.via
                if hit.origin == "expanded"
            ),
        }
        for hit in answer.hits
    }


def _newest(memory: Memory) -> str:
    return memory.recent(limit=1, scope="project").hits[0].name


def steps(memory: Memory, chance: random.Random) -> dict[str, Callable[[], object]]:
    one, other = chance.sample(NAMES, 2)
    said = " ".join(chance.sample(WORDS, 3))
    return {
        "remember": lambda: memory.remember([{"name": one, "observations": [said]}]),
        "text": lambda: memory.remember([{"name": one, "text": said, "kind": "Stone"}]),
        "title": lambda: memory.edit({"name": one, "title": f"Title {said}"}),
        "untag": lambda: memory.edit({"name": one, "unset": ["title"]}),
        "tag": lambda: memory.remember([{"name": one, "tags": [said.split()[0]]}]),
        "rename": lambda: memory.rename(one, f"{one} of {said}"),
        "merge": lambda: memory.merge(one, other),
        "supersede": lambda: memory.supersede(one, other, note=said),
        "forget": lambda: memory.forget(one),
        "restore": lambda: memory.restore(one),
        "link": lambda: memory.link(one, "BESIDE", other, note=said),
        "unlink": lambda: memory.unlink(one, other),
        "undo": lambda: memory.undo("last"),
        "add": lambda: memory.remember([{"name": f"Part {said}", "text": said}]),
        "join a new one": lambda: memory.merge(_newest(memory), one),
    }


@pytest.mark.parametrize(
    ("statement", "look"),
    [
        (
            "read/changes_after",
            lambda memory, moment: memory.search("tides", as_of=moment, mode="keyword"),
        ),
        ("read/store", lambda memory, moment: memory.get_as_of("Sill", moment)),
    ],
)
def test_history_that_is_deleted_meanwhile_is_no_answer(
    memory: Memory,
    monkeypatch: pytest.MonkeyPatch,
    statement: str,
    look: Callable[[Memory, datetime], object],
) -> None:
    memory.remember([{"name": "Sill", "text": "Where tides were counted."}])
    moment = datetime.now(UTC)
    memory.remember([{"name": "Sill", "text": "It is gone."}])
    read = Graph.read
    deleted: list[int] = []

    def delete_after(self: Graph, name: str, **parameters: object) -> list[Row]:
        rows = read(self, name, **parameters)
        if name == statement and not deleted:
            deleted.append(memory.compact(datetime.now(UTC)))
        return rows

    monkeypatch.setattr(Graph, "read", delete_after)
    with pytest.raises(NotFound, match="was deleted by `graphmem db compact`"):
        look(memory, moment)
    assert deleted


@pytest.mark.parametrize("seed", range(4))
def test_a_search_of_the_past_finds_what_was_found_then(memory: Memory, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - no secret
    memory.remember(
        [
            {"name": name, "text": f"All about {word}."}
            for name, word in zip(NAMES, WORDS, strict=True)
        ],
        [{"from": a, "relation": "BESIDE", "to": b} for a, b in itertools.pairwise(NAMES)],
    )
    kept: list[tuple[datetime, list[dict[str, Any]]]] = []
    trace: list[str] = []
    for turn in range(24):
        if turn % 4 == 0:
            answers = [summary(memory.search(query, detail="full", limit=50)) for query in QUERIES]
            kept.append((datetime.now(UTC), answers))
            trace.append("looked")
        calls = steps(memory, chance)
        verb = chance.choice(sorted(calls))
        try:
            calls[verb]()
        except EXPECTED as error:
            verb = f"{verb}: {error}"
        trace.append(verb)
    now = [summary(memory.search(query, detail="full", limit=50)) for query in QUERIES]
    for moment, answers in kept:
        for query, then in zip(QUERIES, answers, strict=True):
            again = summary(memory.search(query, as_of=moment, detail="full", limit=50))
            differs = {
                name: (again.get(name), then.get(name))
                for name in {*again, *then}
                if again.get(name) != then.get(name)
            }
            assert not differs, f"{query} at {kept.index((moment, answers))}: {differs}\n{trace}"
    assert [summary(memory.search(q, detail="full", limit=50)) for q in QUERIES] == now


def test_a_search_of_the_past_leaves_nothing_behind(memory: Memory) -> None:
    memory.remember([{"name": "Cache", "text": "Kept in Redis."}])
    then = datetime.now(UTC)
    memory.remember([{"name": "Cache", "text": "Kept in Valkey."}, {"name": "Queue"}])
    memory.link("Cache", "FEEDS", "Queue")
    before = [*memory.export()], memory.changes(then).to_json(), memory.overview().to_json()

    (hit,) = memory.search("redis", as_of=then).hits

    assert [passage.text for passage in hit.passages] == ["Kept in Redis."]
    assert (
        [*memory.export()],
        memory.changes(then).to_json(),
        memory.overview().to_json(),
    ) == before
    assert not memory.search("redis").hits


def test_a_search_of_the_past_filters_by_past_values(memory: Memory) -> None:
    memory.remember([{"name": "Cache", "text": "Kept in Redis.", "kind": "Idea", "tags": ["old"]}])
    then = datetime.now(UTC)
    memory.edit({"name": "Cache", "kind": "Decision", "remove": {"tags": ["old"]}})

    assert memory.search("redis", kinds=["Idea"], tags=["old"], as_of=then).hits
    assert not memory.search("redis", kinds=["Decision"], as_of=then).hits
    assert not memory.search("redis", kinds=["Idea"]).hits
    assert memory.search("redis AND kept", kinds=["Idea"], as_of=then).hits
    assert memory.search("redis", mode="semantic", kinds=["Idea"], as_of=then).hits


def test_what_was_found_by_meaning_alone_is_found_though_it_says_otherwise_now(
    memory: Memory,
) -> None:
    memory.remember([{"name": "Cache", "text": "amber basalt cobalt"}])
    then = datetime.now(UTC)
    memory.remember([{"name": "Cache", "text": "emerald granite"}])

    answer = memory.search("amber basalt cobalt", mode="semantic", as_of=then)

    assert [hit.name for hit in answer.hits] == ["Cache"]
    assert answer.degraded is None


def test_what_is_compared_one_by_one_is_found_though_too_many_pass_the_filters(
    memory: Memory,
) -> None:
    near = [{"name": f"Near {number}", "text": "amber basalt"} for number in range(60)]
    far = [
        {"name": f"Far {number}", "text": "amber of another sort", "attributes": {"cost": 5}}
        for number in range(30)
    ]
    cache = {"name": "Cache", "text": "amber basalt", "attributes": {"cost": 5}}
    memory.remember([*near, *far, cache])
    then = datetime.now(UTC)
    memory.edit({"name": "Cache", "text": "emerald granite"})
    options = {
        "where": {"attributes": {"cost": {">": 3}}},
        "mode": "semantic",
        "expand": False,
        "as_of": then,
    }
    filters, plan = planned([memory.project_name()], options)
    plan = replace(plan, pool=10, exact_limit=20, second_pass_exact_limit=20)

    answer = search_as_of(memory, then, "amber basalt", filters, plan)

    assert answer.hits[0].name == "Cache"
    assert answer.hits[0].passages[0].text == "amber basalt"
    names = [hit.name for hit in answer.hits]
    assert len(names) == len(set(names)) == 10


def test_so_much_is_set_aside_that_the_index_may_not_reach_the_others_and_the_answer_says_so(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.remember([{"name": name, "text": "amber"} for name in NAMES])
    then = datetime.now(UTC)
    memory.forget(NAMES[:3])
    assert memory.search("amber", as_of=then).degraded is None

    monkeypatch.setattr(as_of, "MOST_ASIDE", 2)

    assert "3 passages have changed since" in (memory.search("amber", as_of=then).degraded or "")
    assert memory.search("amber", mode="keyword", as_of=then).degraded is None


def test_pages_of_the_past_fit_together(memory: Memory) -> None:
    memory.remember([{"name": name, "text": "amber"} for name in NAMES])
    then = datetime.now(UTC)
    memory.forget(NAMES[:4])

    first = memory.search("amber", as_of=then, limit=5)
    second = memory.search("amber", as_of=then, limit=5, cursor=first.cursor)

    assert {hit.name for hit in (*first.hits, *second.hits)} == set(NAMES)
    with pytest.raises(InvalidInput, match="cursor"):
        memory.search("amber", limit=5, cursor=first.cursor)


@pytest.mark.parametrize("name", ["Cache", 'The "hot" cache', "cache\\of\\queues", "Кэш 倉庫"])
def test_an_entity_of_the_past_has_the_links_that_others_took_away(
    memory: Memory, name: str
) -> None:
    memory.remember(
        [{"name": name}, {"name": "Queue"}],
        [{"from": "Queue", "relation": "FILLS", "to": name, "note": "by night"}],
    )
    then = datetime.now(UTC)
    memory.unlink("Queue", name)
    memory.link("Queue", "EMPTIES", name)

    page = memory.get_as_of(name, then)

    assert [(near.relation, near.name, near.note) for near in page.neighbours] == [
        ("FILLS", "Queue", "by night")
    ]


def test_an_entity_of_the_past_has_its_links_however_often_others_changed_since(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.remember(
        [{"name": "Cache"}, {"name": "Cache 2"}, {"name": "Queue"}],
        [{"from": "Queue", "relation": "FILLS", "to": "Cache", "valid_from": "2024-01-01"}],
    )
    then = datetime.now(UTC)
    for note in ("amber Cache", 'basalt #cache": ', "cobalt"):
        memory.remember([{"name": "Queue", "text": note}])
        memory.link("Queue", "FILLS", "Cache 2", note=note)
    memory.unlink("Queue", "Cache")
    monkeypatch.setattr(entity_then, "MOST_REVISIONS", 1)

    (link,) = memory.get_as_of("Cache", then).neighbours
    assert (link.relation, link.name) == ("FILLS", "Queue")

    memory.link("Queue", "FILLS", "Cache", valid_from="2024-01-01")
    memory.unlink("Queue", "Cache")
    with pytest.raises(InvalidInput, match=r"must be later: more than 1 revisions of links"):
        memory.get_as_of("Cache", then)
    with pytest.raises(InvalidInput, match=r"must be later: more than 1 revisions of it"):
        memory.get_as_of("Queue", then)
    assert memory.get_as_of("Cache", datetime.now(UTC)).neighbours == ()


def test_a_moment_to_come_is_refused_and_before_an_entity_there_is_none(memory: Memory) -> None:
    before = datetime.now(UTC)
    memory.remember([{"name": "Cache", "text": "amber"}])
    with pytest.raises(InvalidInput, match="as_of must not lie in the future"):
        memory.search("amber", as_of="2999-01-01")
    with pytest.raises(InvalidInput, match="as_of must be a day"):
        memory.search("amber", as_of="soon")
    assert memory.search("amber", as_of=before, scope="project").total == 0


def hit_names(memory: Memory, word: str, moment: datetime) -> list[str]:
    answer = memory.search(word, as_of=moment, scope="project", mode="keyword", expand=False)
    return [hit.name for hit in answer.hits]


def creation(memory: Memory, name: str) -> datetime:
    moment = memory.history(name).revisions[0].at
    assert moment is not None
    return moment


def test_a_search_of_a_moment_before_all_changes_says_when_the_first_was(memory: Memory) -> None:
    moment = datetime.now(UTC)
    memory.remember([{"name": "Cache", "text": "amber"}])
    (change,) = memory.changes("2000-01-01").changes
    note = f"the first recorded change is of {iso(change.at)}, after {iso(moment)}"

    for query in ("amber", ""):
        answer = memory.search(query, kinds=["Thing"], as_of=moment, scope="project")
        assert (answer.hits, answer.notes[-1:]) == ((), (note,))
    assert memory.search("basalt", as_of=datetime.now(UTC), scope="project").notes == ()


def test_a_search_counts_a_change_from_its_very_moment_on(memory: Memory) -> None:
    memory.remember([{"name": "A", "text": "amber", "created_at": "2020-01-01"}])
    stored = memory.get("A")[0].entity.updated_at
    memory.edit({"name": "A", "text": "basalt"})
    edited, tick = creation(memory, "A"), timedelta(microseconds=1)
    memory.edit({"name": "A", "text": "cobalt"})

    def updated(word: str, moment: datetime) -> list[datetime | None]:
        answer = memory.search(word, as_of=moment, scope="project", mode="keyword")
        return [hit.updated_at for hit in answer.hits]

    assert (updated("amber", edited), updated("basalt", edited)) == ([], [edited])
    assert (updated("amber", edited - tick), updated("basalt", edited - tick)) == ([stored], [])


def test_of_a_change_that_went_on_after_a_moment_the_rest_is_taken_back(memory: Memory) -> None:
    memory.remember([{"name": "A", "text": "amber"}, {"name": "B"}])
    memory.link("B", "NEAR", "A", note="first")
    with recorded("import"):
        memory.edit({"name": "A", "text": "basalt"})
        edited = creation(memory, "A")
        memory.link("B", "NEAR", "A", note="second")
        linked = creation(memory, "B")
        memory.edit({"name": "A", "text": "cobalt"})
        memory.link("B", "NEAR", "A", note="third")

    for moment, note in ((edited, "first"), (linked, "second")):
        words = {word: hit_names(memory, word, moment) for word in ("amber", "basalt", "cobalt")}
        assert words == {"amber": [], "basalt": ["A"], "cobalt": []}
        then = memory.get_as_of("A", moment)
        assert (then.entity.text, then.neighbours[0].note) == ("basalt", note)


def test_what_a_change_made_before_a_moment_was_there_though_it_went_on(memory: Memory) -> None:
    memory.remember([{"name": "A", "text": "amber"}])
    link = {"from": "B", "relation": "NEAR", "to": "A"}
    with recorded("import"):
        memory.remember([{"name": "B", "text": "basalt"}], [link])
        then = datetime.now(UTC)
        memory.edit({"name": "A", "text": "cobalt"})
    memory.unlink("B", "A")
    memory.edit({"name": "B", "title": "Later"})

    answer = memory.search("amber", as_of=then, scope="project", mode="keyword")

    assert [(hit.name, hit.title) for hit in answer.hits] == [("A", None), ("B", None)]


def test_what_came_back_from_a_merge_was_there_before_it(memory: Memory) -> None:
    memory.remember([{"name": "A", "text": "amber"}, {"name": "B", "text": "basalt"}])
    then = datetime.now(UTC)
    memory.merge("A", "B")
    merged = datetime.now(UTC)
    memory.undo("last")
    assert (hit_names(memory, "amber", then), hit_names(memory, "amber", merged)) == (["A"], ["B"])


def test_what_came_back_from_a_merge_was_changed_last_when_it_was_then(memory: Memory) -> None:
    memory.remember([{"name": name, "tags": ["kept"]} for name in "AB"])
    seen = [(datetime.now(UTC), memory.get("A")[0].updated_at)]
    memory.merge("A", "B")
    memory.undo("last")
    seen.append((datetime.now(UTC), memory.get("A")[0].updated_at))
    memory.edit({"name": "A", "title": "Later"})

    for moment, updated_at in seen:
        hits = memory.search("", tags=["kept"], as_of=moment).hits
        assert {hit.name: hit.updated_at for hit in hits}["A"] == updated_at
        assert memory.get_as_of("A", moment).updated_at == updated_at


def test_a_search_follows_the_links_that_were_there_then(memory: Memory) -> None:
    memory.remember([{"name": "A", "text": "amber"}, *({"name": name} for name in "BCDE")])
    memory.link("A", "NEAR", "B")
    memory.link("A", "NEAR", "E", valid_from="2020-01-01")
    then = datetime.now(UTC)
    memory.unlink("A", "B")
    memory.unlink("A", "E")
    memory.link("A", "NEAR", "C")
    memory.link("A", "NEAR", "D")
    memory.unlink("A", "D")
    memory.link("B", "NEAR", "C")

    answer = memory.search("amber", as_of=then, scope="project", mode="keyword")

    linked = {hit.name: [via.seed for via in hit.via] for hit in answer.hits}
    assert linked == {"A": [], "B": ["A"], "E": ["A"]}


def test_an_entity_created_and_merged_since_is_not_found(memory: Memory) -> None:
    memory.remember([{"name": "Stays", "text": "cobalt"}])
    moments = [datetime.now(UTC)]
    memory.remember([{"name": "Goes", "text": "amber"}])
    moments.append(datetime.now(UTC))
    memory.merge("Goes", "Stays")
    moments.append(datetime.now(UTC))
    memory.undo("last")
    moments.append(datetime.now(UTC))
    memory.undo("last")
    moments.append(datetime.now(UTC))

    seen = [
        sorted(hit.name for hit in memory.search("amber", as_of=moment, scope="project").hits)
        for moment in moments
    ]
    assert seen == [[], ["Goes"], ["Stays"], ["Goes"], ["Stays"]]


def test_a_moment_before_the_history_of_an_imported_entity_is_refused(
    memory: Memory, project: str, tmp_path: Path
) -> None:
    memory.remember([{"name": "Cache", "text": "amber"}, {"name": "Queue", "text": "basalt"}])
    lines = list(memory.export(history=True))
    then = datetime.now(UTC)
    begins = {"Cache": then, "Queue": then - timedelta(days=1)}
    for line in lines:
        if line["type"] == "entity":
            line["provenance"]["history_from"] = begins[str(line["name"])].isoformat()  # type: ignore[index]
    path = tmp_path / "thinned.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    copy = f"{project}-copy"
    memory.import_("jsonl", path, project=copy, history=True)

    with pytest.raises(NotFound, match="history before"):
        memory.search("amber", project=copy, as_of=then - timedelta(seconds=1))
    with pytest.raises(NotFound, match="history before"):
        memory.get_as_of("Cache", then - timedelta(seconds=1), project=copy)
    assert memory.search("amber", project=copy, as_of=then).hits[0].name == "Cache"


@pytest.mark.parametrize(
    ("bound", "most", "what"),
    [
        ("MOST_ENTITIES", 1, "2 entities, and at most 1 can"),
        ("MOST_REVISIONS", 1, "more than 1 revisions"),
        ("MOST_PASSAGES", 3, "more than 3 passages"),
        ("MOST_RELATIONS", 7, "more than 7 relations"),
        ("MOST_CHARACTERS", 1500, "more than 1,500 characters"),
    ],
)
def test_a_search_of_the_past_with_too_many_changes_is_refused_with_the_next_step(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, bound: str, most: int, what: str
) -> None:
    memory.remember(
        [{"name": name, "observations": ["amber", "basalt"]} for name in NAMES],
        [{"from": "Part 0", "relation": "BESIDE", "to": name} for name in NAMES[1:]],
    )
    then = datetime.now(UTC)
    memory.edit({"name": "Part 0", "text": "emerald " * 200})
    between = datetime.now(UTC)
    memory.edit({"name": "Part 1", "text": "granite " * 20})
    monkeypatch.setattr(limits, bound, most)
    monkeypatch.setattr(limits, "ROWS", 1)  # what is read one after the other adds up

    with pytest.raises(InvalidInput, match=f"as_of must be later: what changed .* {what}") as it:
        memory.search("amber", as_of=then, scope="project")

    assert "Name a later moment" in str(it.value)
    assert memory.search("amber", as_of=between, scope="project").hits


def test_a_store_that_is_only_read_says_why_it_cannot(memory: Memory, config: Settings) -> None:
    memory.remember([{"name": "Cache", "text": "amber"}])
    with connect(config, read_only=True, progress=SILENT) as graph:
        model = StoreModel(graph, FakeEmbedder(), wait_for_model=True, read_only=True)
        model.close()
        reader = Memory(graph, model, memory.project_name())
        with pytest.raises(DatabaseError, match=r"read-only.*`history` with `as_of`"):
            reader.search("amber", as_of=datetime.now(UTC))
        assert reader.get_as_of("Cache", datetime.now(UTC)).entity.text == "amber"


def test_a_listing_of_the_past_has_what_there_was_in_the_order_of_then(memory: Memory) -> None:
    memory.remember([{"name": "Cache", "tags": ["kept"]}])
    memory.remember([{"name": "Queue", "tags": ["kept"]}])
    then = datetime.now(UTC)
    memory.remember([{"name": "Cache", "text": "amber"}, {"name": "Late", "tags": ["kept"]}])

    listed = memory.search("", tags=["kept"], as_of=then)

    assert [hit.name for hit in listed.hits] == ["Queue", "Cache"]
    now = memory.search("", tags=["kept"])
    assert {hit.name for hit in now.hits} == {"Queue", "Cache", "Late"}


def test_a_listing_of_the_past_is_in_the_order_of_the_last_changes_of_then(memory: Memory) -> None:
    memory.remember([{"name": name, "tags": ["kept"]} for name in ("A", "B")])
    memory.link("B", "NEAR", "A")
    for name, title in (("A", "One"), ("B", "Two"), ("A", "Three")):
        memory.edit({"name": name, "title": title})
    memory.link("B", "NEAR", "A", note="no change of B itself")
    then = datetime.now(UTC)
    for name in ("A", "B"):
        memory.edit({"name": name, "title": "Four"})

    listed = memory.search("", tags=["kept"], as_of=then)

    assert [(hit.name, hit.title) for hit in listed.hits] == [("A", "Three"), ("B", "Two")]


@pytest.mark.parametrize("at", [None, "any", "2000-01-01"])
def test_a_cursor_of_a_listing_is_of_one_moment(memory: Memory, at: str | None) -> None:
    memory.remember([{"name": name, "tags": ["kept"]} for name in NAMES[:4]])
    then = datetime.now(UTC)
    memory.remember([{"name": name, "tags": ["kept"]} for name in NAMES[4:]])
    later = datetime.now(UTC)

    first = memory.search("", tags=["kept"], limit=3, at=at, as_of=then)
    assert first.cursor is not None
    same: dict[str, Any] = {"tags": ["kept"], "limit": 3, "at": at, "cursor": first.cursor}
    second = memory.search("", as_of=then, **same)

    assert {hit.name for hit in (*first.hits, *second.hits)} == set(NAMES[:4])
    for other in (None, later):
        with pytest.raises(InvalidInput, match="cursor"):
            memory.search("", as_of=other, **same)
    today = memory.search("", tags=["kept"], limit=3, at=at)
    with pytest.raises(InvalidInput, match="cursor"):
        memory.search("", as_of=then, **{**same, "cursor": today.cursor})


def test_what_holds_is_asked_of_the_moment_that_is_looked_back_to(memory: Memory) -> None:
    memory.remember([{"name": "Cache", "text": "amber", "valid_until": "2999-01-01"}])
    then = datetime.now(UTC)
    memory.edit({"name": "Cache", "valid_until": "2001-01-01"})

    assert not memory.search("amber").hits
    (hit,) = memory.search("amber", as_of=then).hits
    assert str(hit.valid_until) == "2999-01-01"
    assert memory.search("amber", at="2000-01-01").hits


def test_an_agent_searches_the_past(memory: Memory) -> None:
    memory.remember([{"name": "Cache", "text": "amber"}])
    then = datetime.now(UTC)
    memory.forget("Cache")

    (hit,) = Tools(lambda: memory).search("amber", as_of=then.isoformat()).hits

    assert hit.name == "Cache"
    assert not Tools(lambda: memory).search("amber").hits
