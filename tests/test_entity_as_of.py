"""An entity and its links as they were at a moment of the past."""

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from changed_entities import page, remember_cache, without_times
from graphmem import text
from graphmem.errors import NotFound
from graphmem.memory import Memory
from graphmem.model import Report


@pytest.fixture
def cache(memory: Memory) -> dict[str, Any]:
    return remember_cache(memory)


def test_a_page_says_what_it_leaves_out(memory: Memory) -> None:
    others = [f"Mole {number}" for number in range(203)]
    memory.remember(
        [{"name": "Harbour"}, *({"name": name} for name in others)],
        [
            {
                "from": "Harbour", "relation": "HAS", "to": name,
                "confidence": 0.5, "source": "a chart", "attributes": {"length": 40},
            }
            for name in others
        ],
    )  # fmt: skip
    page = memory.get("Harbour")[0]
    assert (len(page.neighbours), page.omitted_relations) == (200, 3)
    first = page.to_json()["relations"][0]  # type: ignore[index] # an object of JSON
    assert (first["confidence"], first["source"]) == (0.5, "a chart")
    assert first["attributes"] == {"length": 40}
    # What is hidden stands in the way of none.
    memory.forget(others[:3])
    page = memory.get("Harbour")[0]
    assert (len(page.neighbours), page.omitted_relations) == (200, None)
    then = memory.get_as_of("Harbour", datetime.now(UTC))
    assert then.neighbours[0].source == "a chart"


def test_an_entity_is_shown_as_it_was(memory: Memory, cache: dict[str, Any]) -> None:
    moments = [datetime.now(UTC)]
    memory.edit({"name": "Redis cache", "title": "Second", "remove": {"tags": ["old"]}})
    memory.link("Redis cache", "SERVES", "Valkey")
    moments.append(datetime.now(UTC))
    memory.unlink("Redis cache", "Session store")
    memory.rename("Redis cache", "Cache")
    first = memory.get_as_of("Cache", moments[0]).to_json()
    assert without_times(first) == without_times(cache)
    assert first["revision"] == 1
    second: dict[str, Any] = memory.get_as_of("Cache", moments[1]).to_json()
    assert (second["name"], second["title"], second["tags"]) == ("Redis cache", "Second", ["infra"])
    assert {relation["name"] for relation in second["relations"]} == {"Session store", "Valkey"}
    with pytest.raises(NotFound, match="did not exist at"):
        memory.get_as_of("Cache", "2020-01-01")


def test_a_change_counts_from_its_very_moment_on(memory: Memory) -> None:
    memory.remember([{"name": "A"}, {"name": "B"}])
    memory.edit({"name": "A", "title": "Title"})
    memory.link("B", "NEAR", "A")
    memory.edit({"name": "A", "title": "Again"})
    moments = [revision.at for revision in memory.history("A").revisions if revision.at]
    again, linked, edited, created = moments

    def shown(moment: datetime) -> tuple[str | None, list[str], datetime | None]:
        then = memory.get_as_of("A", moment)
        return then.entity.title, [neighbour.name for neighbour in then.neighbours], then.updated_at

    states = [
        (None, [], created), ("Title", [], edited), ("Title", ["B"], edited),
        ("Again", ["B"], again),
    ]  # fmt: skip
    tick = timedelta(microseconds=1)
    assert [shown(moment) for moment in (created, edited, linked, again)] == states
    assert [shown(moment - tick) for moment in (edited, linked, again)] == states[:3]
    with pytest.raises(NotFound, match="did not exist at"):
        memory.get_as_of("A", created - tick)


def test_an_entity_that_came_back_from_a_merge_is_shown_as_it_was(memory: Memory) -> None:
    before = datetime.now(UTC)
    memory.remember([{"name": "B"}])
    memory.remember([{"name": "A", "text": "alpha"}])
    first = datetime.now(UTC)
    memory.edit({"name": "A", "title": "Title"})
    second = datetime.now(UTC)
    joined: list[datetime] = []
    for _ in range(2):
        memory.merge("A", "B")
        joined.append(datetime.now(UTC))
        memory.undo("last")

    shown = [memory.get_as_of("A", moment) for moment in (first, second, datetime.now(UTC))]

    assert [(then.entity.title, then.revision) for then in shown] == [
        (None, 1), ("Title", 2), ("Title", 6),
    ]  # fmt: skip
    assert {then.entity.text for then in shown} == {"alpha"}
    assert {memory.get_as_of("A", moment).entity.name for moment in joined} == {"B"}
    memory.purge("B")
    for moment in joined:
        with pytest.raises(
            NotFound, match=r"had been merged into another entity, and was restored"
        ):
            memory.get_as_of("A", moment)
    with pytest.raises(NotFound, match="did not exist at"):
        memory.get_as_of("A", before)


def test_an_entity_that_was_merged_since_is_shown_as_it_was_by_its_names_of_then(
    memory: Memory,
) -> None:
    before = datetime.now(UTC)
    memory.remember(
        [{"name": "A", "text": "alpha"}, {"name": "B", "text": "beta"}, {"name": "C"}],
        [
            {"from": "A", "relation": "USES", "to": "C"},
            {"from": "C", "relation": "NEAR", "to": "A"},
        ],
    )
    first, page_then = datetime.now(UTC), page(memory, "A")
    memory.rename("A", "A2")
    memory.edit({"name": "A2", "title": "Title"})
    second = datetime.now(UTC)
    memory.merge("A2", "B")
    memory.rename("B", "Both")
    third = datetime.now(UTC)

    def shown(name: str, moment: datetime) -> Any:  # noqa: ANN401 - JSON
        return memory.get_as_of(name, moment).to_json()

    key = text.key(str(memory.project), "A")
    for name in ("A", "a", "A2", key):
        assert shown(name, first) == page_then
        assert (shown(name, second)["name"], shown(name, second)["title"]) == ("A2", "Title")
    for name in ("A", "A2", "B", "Both"):
        assert (shown(name, third)["name"], shown(name, third)["text"]) == ("Both", "beta")
    assert {shown(name, second)["name"] for name in ("B", "Both")} == {"B"}
    with pytest.raises(NotFound, match="Both did not exist"):
        memory.get_as_of("A", before)
    with pytest.raises(NotFound, match="there is no entity"):
        memory.get_as_of("Z", second)


def test_a_name_that_was_given_back_since_leads_to_whom_it_meant(memory: Memory) -> None:
    memory.remember([{"name": "A", "text": "alpha"}])
    memory.rename("A", "A2")
    renamed = datetime.now(UTC)
    memory.undo("last")
    assert memory.get_as_of("A2", renamed).entity.text == "alpha"
    memory.remember([{"name": "B", "text": "beta"}])
    memory.rename("B", "A2")
    assert memory.get_as_of("A2", renamed).entity.text == "alpha"
    assert memory.get_as_of("A2", datetime.now(UTC)).entity.text == "beta"


def test_a_name_that_came_back_from_a_merge_leads_to_whom_it_meant_between(memory: Memory) -> None:
    memory.remember([{"name": "A", "text": "alpha"}, {"name": "B", "text": "beta"}])
    memory.rename("A", "New")
    memory.merge("New", "B")
    merged = datetime.now(UTC)
    memory.undo("last")
    assert memory.get_as_of("New", merged).name == "B"
    assert memory.get_as_of("New", datetime.now(UTC)).entity.text == "alpha"


def test_an_entity_was_changed_last_when_more_than_its_links_was(memory: Memory) -> None:
    memory.remember([{"name": "A"}, {"name": "B"}])
    changes: list[dict[str, str]] = [
        {"text": "Later."}, {"kind": "Place"}, {"created_at": "2020-01-01"}, {"title": "Title"},
    ]  # fmt: skip
    for change in changes:
        for note in ("near", "far"):
            memory.link("A", "NEAR", "B", note=note)
        moment, then = datetime.now(UTC), memory.get("A")[0]
        memory.edit({"name": "A", **change})

        assert memory.get_as_of("A", moment).updated_at == then.updated_at
        (hit,) = memory.search('name:"A"', as_of=moment, expand=False).hits
        assert hit.updated_at == then.updated_at


def test_the_links_of_a_moment_have_the_names_and_kinds_of_then(memory: Memory) -> None:
    memory.remember(
        [{"name": "A"}, {"name": "Joined", "kind": "Part"}, {"name": "Stays"},
         {"name": "Plain"}, {"name": "Named", "kind": "Idea"}],
        [{"from": "A", "relation": "USES", "to": "Joined", "note": "daily"},
         {"from": "Plain", "relation": "USES", "to": "A"},
         {"from": "A", "relation": "USES", "to": "Named"}],
    )  # fmt: skip
    moment = datetime.now(UTC)
    then = memory.get_as_of("A", moment).neighbours
    assert {(neighbour.name, neighbour.kind, neighbour.note) for neighbour in then} == {
        ("Joined", "Part", "daily"), ("Plain", "Thing", None), ("Named", "Idea", None),
    }  # fmt: skip

    memory.merge("Joined", "Stays")
    memory.merge("Plain", "Stays")
    memory.edit({"name": "Named", "kind": "Decision"})
    memory.rename("Named", "Renamed")
    memory.edit({"name": "Renamed", "title": "Once more"})

    assert memory.get_as_of("A", moment).neighbours == then


def test_the_links_of_a_moment_are_those_that_a_page_of_then_had(
    memory: Memory, whole: Callable[..., Report], tmp_path: Path
) -> None:
    """Those of what was forgotten are missing, and one from an entity to itself is there twice."""
    lines, imported = (
        tmp_path / "lines.jsonl",
        '{"name": "Imported"}\n{"name": "A", "kind": "Place"}\n',
    )
    memory.remember([{"name": "M"}, {"name": "A", "kind": "Idea"}, {"name": "Old"}])
    lines.write_text(imported)
    whole(tmp_path)
    ends = ("Old", "M", "Imported", "A")
    links = [{"from": "M", "relation": "USES", "to": name} for name in ends]
    for start, end in (("A", "M"), ("M", "Old")):
        links.append({"from": start, "relation": "BUILDS", "to": end})
    memory.remember(relations=links)
    pages: list[tuple[datetime, dict[str, Any]]] = []

    def look() -> None:
        pages.append((datetime.now(UTC), page(memory, "M")))
        for moment, then in pages:
            assert memory.get_as_of("M", moment).to_json()["relations"] == then["relations"]

    look()
    memory.forget("Old")
    lines.write_text("")
    whole(tmp_path)
    look()
    memory.restore("Old")
    lines.write_text(imported)
    whole(tmp_path)
    memory.merge("Old", "A")
    look()
    memory.edit({"name": "A", "kind": "Decision"})
    look()

    assert [len(then["relations"]) for _, then in pages] == [7, 5, 6, 6]


def test_links_that_others_took_away_since_are_shown_whatever_the_entity_is_called(
    memory: Memory,
) -> None:
    name = 'Café "Ü\\'
    memory.remember(
        [{"name": name}, {"name": "B"}, {"name": "C"}],
        [{"from": "B", "relation": "NEAR", "to": name},
         {"from": "C", "relation": "NEAR", "to": name, "valid_from": "2020-01-01"}],
    )  # fmt: skip
    moment = datetime.now(UTC)
    memory.unlink("B", name)
    memory.unlink("C", name)

    assert [neighbour.name for neighbour in memory.get_as_of(name, moment).neighbours] == ["B", "C"]


def test_a_link_that_another_entity_changed_is_shown_as_of_each_moment(memory: Memory) -> None:
    def note(words: str) -> datetime:
        memory.link("B", "NEAR", "A", note=words)
        made = memory.history("B").revisions[0].at
        assert made is not None
        return made

    memory.remember([{"name": "A"}, {"name": "B"}], [])
    memory.link("B", "NEAR", "A", note="first")
    moments = [datetime.now(UTC), note("second"), note("third")]

    notes = [memory.get_as_of("A", moment).neighbours[0].note for moment in moments]

    assert notes == ["first", "second", "third"]
    memory.rename("B", "C")
    renamed = memory.history("C").revisions[0].at
    memory.rename("C", "D")
    assert renamed is not None
    assert memory.get_as_of("A", renamed).neighbours[0].name == "C"


def test_a_page_of_a_moment_says_what_it_leaves_out(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    links = [{"from": "A", "relation": "USES", "to": name} for name in ("B", "C", "D")]
    memory.remember([{"name": name} for name in "ABCD"], links)
    monkeypatch.setattr("graphmem.read.RELATIONS", 2)

    then = memory.get_as_of("A", datetime.now(UTC))

    assert [neighbour.name for neighbour in then.neighbours] == ["B", "C"]
    assert then.omitted_relations == 1


def test_a_neighbour_that_got_its_kind_later_had_the_default_one(memory: Memory) -> None:
    near = {"from": "A", "relation": "NEAR", "to": "B"}
    memory.remember([{"name": "A"}, {"name": "B"}], [near])
    moment = datetime.now(UTC)
    memory.remember([{"name": "B", "kind": "Place"}])
    (link,) = memory.get_as_of("A", moment).neighbours
    assert (link.name, link.kind) == ("B", "Thing")


def test_a_link_of_a_moment_leads_to_what_was_purged_since_by_its_key(memory: Memory) -> None:
    memory.remember(
        [{"name": "A"}, {"name": "Old Part"}], [{"from": "A", "relation": "USES", "to": "Old Part"}]
    )
    moment = datetime.now(UTC)
    memory.unlink("A", "Old Part")
    memory.purge("Old Part")

    (link,) = memory.get_as_of("A", moment).neighbours

    assert (link.relation, link.name) == ("USES", "old part")


@pytest.mark.parametrize("seed", range(3))
def test_observations_stand_where_they_stood(memory: Memory, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - no secret
    memory.remember([{"name": "A", "observations": [f"Line {number}." for number in range(6)]}])

    def observations() -> list[str]:
        return [item.text for item in memory.get("A")[0].entity.observations]

    kept: list[tuple[datetime, list[str]]] = []
    for turn in range(8):
        kept.append((datetime.now(UTC), observations()))
        ids = [str(item.id) for item in memory.get("A")[0].entity.observations]
        removed = chance.sample(ids, chance.randint(1, 3))
        changed = {"id": removed.pop(), "text": f"Changed {turn}."}
        memory.edit(
            {
                "name": "A",
                "remove": {"observations": removed},
                "observations": [changed, f"New {turn}.", f"Newer {turn}."],
            }
        )
        if chance.random() < 0.3:
            memory.undo("last")
            assert observations() == kept[-1][1]
    for moment, told in kept:
        assert [i.text for i in memory.get_as_of("A", moment).entity.observations] == told


def test_a_text_that_was_replaced_has_its_own_date(memory: Memory) -> None:
    memory.remember([{"name": "A", "created_at": "2020-01-01", "text": "First."}])

    def dates(as_of: datetime | None = None) -> list[datetime | None]:
        (hit,) = memory.search("", kinds=["Thing"], as_of=as_of).hits
        return [passage.created_at for passage in hit.passages]

    kept: list[tuple[datetime, list[datetime | None]]] = []
    for number in range(3):
        kept.append((datetime.now(UTC), dates()))
        memory.edit({"name": "A", "text": f"Later {number}."})
    assert len({moment for _, (moment,) in kept}) == 3
    assert [dates(moment) for moment, _ in kept] == [told for _, told in kept]
    memory.undo("last")
    assert dates() == kept[-1][1]


def test_an_alias_of_the_past_leads_to_what_had_it(memory: Memory) -> None:
    memory.remember([{"name": "A", "aliases": ["Old"]}, {"name": "B"}])
    first = datetime.now(UTC)
    memory.edit({"name": "A", "remove": {"aliases": ["Old"]}})
    second = datetime.now(UTC)
    memory.remember([{"name": "B", "aliases": ["Old"]}])
    third = datetime.now(UTC)
    memory.edit({"name": "B", "remove": {"aliases": ["Old"]}})
    memory.remember([{"name": "Old"}])

    assert memory.get_as_of("old", first).name == "A"
    assert memory.get_as_of("Old", third).name == "B"
    assert memory.get_as_of("Old", datetime.now(UTC)).name == "Old"
    with pytest.raises(NotFound, match="Old did not exist at"):
        memory.get_as_of("Old", second)
    assert memory.explore("Old", as_of=first).name == "A"


def test_an_alias_that_another_one_has_by_now_leads_to_what_had_it(memory: Memory) -> None:
    memory.remember([{"name": "A", "aliases": ["Old"]}])
    first = datetime.now(UTC)
    memory.edit({"name": "A", "remove": {"aliases": ["Old"]}})
    memory.remember([{"name": "B", "aliases": ["Old"]}])
    second = datetime.now(UTC)
    assert memory.get_as_of("Old", first).name == "A"
    assert memory.get_as_of("Old", second).name == "B"
