"""What was changed by hand in Cypher is found, told by sort, and put right once."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import neo4j
import pytest

from concurrent_calls import at_once
from fakes import FakeEmbedder
from graphmem import text, write
from graphmem.graph import Graph, Row
from graphmem.memory import Memory
from graphmem.progress import Silent
from graphmem.write.assertions.splitting import PASSAGE_CHARACTERS
from graphmem.write.repair import comparing, repairing
from graphmem.write.repair.comparing_relations import RELATIONS, VALUES
from graphmem.write.repair.repairing import repair
from stores import lines_of

PIERS: list[dict[str, object]] = [
    {"name": "Pier", "kind": "Place", "text": "A long jetty.", "tags": ["wood"],
     "aliases": ["Mole"], "observations": ["It was mended in May."], "attributes": {"metres": 150}},
    {"name": "Otter", "kind": "Animal", "text": "Lives under it."},
]  # fmt: skip


@dataclass
class Hand:
    """Somebody in Neo4j Browser."""

    session: neo4j.Session
    project: str

    def does(self, statement: str, **parameters: object) -> list[neo4j.Record]:
        return list(self.session.run(statement, project=self.project, **parameters))  # type: ignore[arg-type]

    def stored(self) -> list[tuple[object, ...]]:
        """All that is stored of the project but moments of change."""
        rows = self.does(
            "MATCH (entity:Entity) WHERE entity.key STARTS WITH $project "
            "OPTIONAL MATCH (entity)-[:HAS_PASSAGE]->(passage) "
            "RETURN entity {.*, updated_at: null} AS entity, labels(entity) AS labels, "
            "passage {.*} AS passage ORDER BY entity.key, passage.position, passage.id"
        )
        return [(row["entity"], set(row["labels"]), row["passage"]) for row in rows]


@pytest.fixture
def hand(session: neo4j.Session, memory: Memory, project: str) -> Iterator[Hand]:
    """A store whose content is as graphmem writes it, but for what the test does."""
    empty(session)
    memory.remember(PIERS, [{"from": "Otter", "relation": "LIVES_UNDER", "to": "Pier"}])
    yield Hand(session, project)
    empty(session)


def empty(session: neo4j.Session) -> None:
    """Delete what other tests have left, a little at a time: it may be more than memory holds."""
    session.run(
        "MATCH (node) WHERE NOT node:Graphmem "
        "CALL (node) { DETACH DELETE node } IN TRANSACTIONS OF 500 ROWS"
    ).consume()


@pytest.fixture
def mended(graph: Graph) -> Callable[[], dict[str, int]]:
    """Repairs, twice, and embeds what waits; gives what was found by sort."""

    def mend() -> dict[str, int]:
        looked = repair(graph, writes=False)
        assert repair(graph, writes=False).counts == looked.counts
        done = repair(graph, writes=True)
        assert done.counts == looked.counts
        again = repair(graph, writes=True)
        assert (dict(again.counts), again.unrepaired) == ({}, done.unrepaired)
        write.fill_pending(graph, FakeEmbedder())
        assert dict(repair(graph, writes=False).counts) == {}
        return dict(done.counts)

    return mend


def hit_names(memory: Memory, query: str, **options: object) -> list[str]:
    return [hit.name for hit in memory.search(query, expand=False, **options).hits]  # type: ignore[arg-type]


def test_what_graphmem_wrote_needs_no_repair(hand: Hand, memory: Memory, graph: Graph) -> None:
    memory.remember([{"name": "Pier", "observations": ["It sways."], "title": "The pier"},
                     {"name": "Bare"}, {"name": "Long", "text": "A harbour. " * 500}])  # fmt: skip
    memory.forget("Bare")
    memory.link("Pier", "NEAR", "Long", valid_from="2024-01-01")
    before = hand.stored()
    assert dict(repair(graph, writes=False).counts) == {}
    assert dict(repair(graph, writes=True).counts) == {}
    assert hand.stored() == before


@pytest.mark.parametrize("length", [900, PASSAGE_CHARACTERS[1]])
def test_the_blank_lines_of_a_long_text_are_no_change_by_hand(
    hand: Hand, memory: Memory, graph: Graph, length: int
) -> None:
    memory.remember([{"name": "Long", "text": f"{'x' * length}\n\n" * 60}])
    before = hand.stored()
    assert dict(repair(graph, writes=True).counts) == {}
    assert hand.stored() == before


def test_a_blank_passage_of_an_earlier_graphmem_stays_in_its_text(
    hand: Hand, memory: Memory, mended: Callable[[], dict[str, int]]
) -> None:
    body = "A harbour. " * 200
    memory.remember([{"name": "Long", "text": body}])
    hand.does(
        "MATCH (e:Entity {name: 'Long'})-[:HAS_PASSAGE]->(last:Passage) "
        "WITH e, last ORDER BY last.position DESC LIMIT 1 "
        "CREATE (e)-[:HAS_PASSAGE]->(:Passage {id: 'blank', origin: 'text', text: '\n', "
        "position: last.position + 1})"
    )
    assert comparing.MADE not in mended()
    before = list(lines_of(memory, hand.project))
    assert memory.get("Long")[0].entity.text == f"{body}\n"
    assert mended() == {}
    assert list(lines_of(memory, hand.project)) == before


@pytest.mark.parametrize(
    ("statement", "sorts"),
    [
        ("MATCH (e:Entity {name: 'Pier'}) SET e.tags = ['stone']", {comparing.COPIES}),
        ("MATCH (e:Entity {name: 'Pier'}) SET e.tags = 'stone'", {comparing.FIELDS}),
        ("MATCH (e:Entity {name: 'Pier'}) REMOVE e.aliases", {comparing.FIELDS}),
        ("MATCH (e:Entity {name: 'Pier'}) SET e.created_at = 'once'", {comparing.FIELDS}),
        ("MATCH (e:Entity {name: 'Pier'}) SET e.confidence = 'high'", {comparing.FIELDS}),
        ("MATCH (e:Entity {name: 'Pier'}) SET e.project = 'elsewhere'", {comparing.FIELDS}),
        ("MATCH (e:Entity {name: 'Pier'}) SET e.graphmem_filters = 'x'", {comparing.COPIES}),
        ("MATCH (e:Entity {name: 'Pier'}) REMOVE e.graphmem_handles", {comparing.COPIES}),
        ("MATCH (e:Entity {name: 'Pier'}) SET e.graphmem_text = 'x'", {comparing.COPIES}),
        ("MATCH (e:Entity {name: 'Pier'}) SET e.graphmem_assertions = '{'", {comparing.FIELDS}),
        ("MATCH (e:Entity {name: 'Pier'}) SET e.live = false", {comparing.COPIES}),
        ("MATCH (p:Passage {name: 'Pier'}) SET p.filters = 'x', p.live = false",
         {comparing.PASSAGES}),
        ("MATCH (p:Passage {name: 'Pier'}) SET p.note = 'mine'", {comparing.PASSAGES}),
        ("MATCH (p:Passage {name: 'Pier'}) REMOVE p.embedding", {comparing.UNEMBEDDED}),
        ("MATCH (p:Passage {name: 'Pier'}) REMOVE p.id", {comparing.MADE}),
        ("MATCH (p:Passage {name: 'Pier', position: 0}) SET p.text = ' '", {comparing.MADE}),
        ("MATCH (e:Entity {name: 'Pier'}) CREATE (e)-[:HAS_PASSAGE]->(:Passage)", {comparing.MADE}),
        ("MATCH (e:Entity {name: 'Pier'}) CREATE (e)-[:HAS_PASSAGE]->(:Passage {text: 'By hand.'})",
         {comparing.MADE}),
        ("MATCH (e:Entity {name: 'Pier'}) REMOVE e:Place", {comparing.KINDS}),
        ("MATCH (e:Entity {name: 'Pier'}) SET e:Important", {comparing.KINDS}),
        ("MATCH (e:Entity {name: 'Pier'}) SET e.kind = 7", {comparing.KINDS}),
        ("MATCH (e:Entity {name: 'Otter'}) DETACH DELETE e", {repairing.STRAY}),
        ("MATCH (:Entity)-[r:LIVES_UNDER]->() REMOVE r.graphmem_since", {RELATIONS}),
        ("MATCH (:Entity)-[r:LIVES_UNDER]->() SET r.valid_from = date()", {RELATIONS}),
    ],
)  # fmt: skip
def test_each_sort_of_manual_change_is_found_and_repaired_once(
    hand: Hand, mended: Callable[[], dict[str, int]], statement: str, sorts: set[str]
) -> None:
    hand.does(statement)
    assert sorts <= mended().keys()


def test_a_lead_in_changed_by_hand_is_told_and_embedded_with_the_text(
    hand: Hand, graph: Graph
) -> None:
    hand.does("MATCH (e:Entity {name: 'Otter'}) SET e.lead_in = 'Who lives there?'")
    assert any("lead-in" in sort for sort in dict(repair(graph, writes=True).counts))
    later = FakeEmbedder()
    write.fill_pending(graph, later)
    assert "Otter\nWho lives there?\nLives under it." in later.embedded


def test_searches_and_filters_know_what_was_changed(
    hand: Hand, memory: Memory, mended: Callable[[], dict[str, int]]
) -> None:
    hand.does(
        "MATCH (e:Entity {name: 'Pier'}) "
        "SET e.tags = ['stone'], e.title = 'The quay', e.metres = 90"
    )
    assert hit_names(memory, "jetty", tags=["stone"]) == []
    assert mended()[comparing.COPIES] == 1
    assert hit_names(memory, "jetty", tags=["stone"]) == ["Pier"]
    assert hit_names(memory, "jetty", where={"attributes": {"metres": 90}}) == ["Pier"]
    assert hit_names(memory, "quay", mode="keyword") == ["Pier"]
    assert memory.get("The quay")[0].entity.name == "Pier"


def test_a_text_changed_by_hand_is_embedded_again_and_found(
    hand: Hand, memory: Memory, mended: Callable[[], dict[str, int]]
) -> None:
    hand.does("MATCH (p:Passage {name: 'Pier', position: 0}) SET p.text = 'A short gangway.'")
    assert mended() == {comparing.TEXTS: 1, comparing.COPIES: 1}
    assert memory.get("Pier")[0].entity.text == "A short gangway."
    (row,) = hand.does("MATCH (p:Passage {name: 'Pier', position: 0}) RETURN p.embedding AS vector")
    (wanted,) = FakeEmbedder().documents(["Pier\nA short gangway."])
    assert row["vector"] == pytest.approx(wanted)
    assert hit_names(memory, "gangway AND mended") == ["Pier"]


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("MATCH (e:Entity {name: 'Pier'}) SET e.kind = 'Ship'", "Ship"),
        ("MATCH (e:Entity {name: 'Pier'}) REMOVE e:Place SET e:Ship", "Ship"),
        ("MATCH (e:Entity {name: 'Pier'}) SET e:Ship", "Place"),
        ("MATCH (e:Entity {name: 'Pier'}) REMOVE e.kind", "Place"),
        ("MATCH (e:Entity {name: 'Pier'}) REMOVE e.kind, e:Place", "Thing"),
    ],
)
def test_if_kind_and_label_differ_the_changed_one_wins(
    hand: Hand, memory: Memory, mended: Callable[[], dict[str, int]], statement: str, kind: str
) -> None:
    hand.does(statement)
    assert mended()[comparing.KINDS] == 1
    (row,) = hand.does("MATCH (e:Entity {name: 'Pier'}) RETURN labels(e) AS labels, e.kind AS kind")
    assert (set(row["labels"]), row["kind"]) == ({"Entity", kind}, kind)
    assert hit_names(memory, "jetty", kinds=[kind]) == ["Pier"]


def test_a_passage_that_an_entity_has_twice_is_kept_once(
    hand: Hand, mended: Callable[[], dict[str, int]]
) -> None:
    before = hand.stored()
    hand.does(
        "MATCH (e:Entity {project: $project, name: 'Pier'})-[:HAS_PASSAGE]->(p) "
        "CREATE (e)-[:HAS_PASSAGE]->(p)"
    )
    assert mended() == {comparing.REPEATED: 2}
    assert hand.stored() == before


def test_each_of_two_entities_that_share_a_passage_gets_its_own(
    hand: Hand, memory: Memory, mended: Callable[[], dict[str, int]]
) -> None:
    hand.does(
        "MATCH (:Entity {project: $project, name: 'Pier'})-[:HAS_PASSAGE]->(p) "
        "MATCH (e:Entity {project: $project, name: 'Otter'}) CREATE (e)-[:HAS_PASSAGE]->(p)"
    )
    assert mended()[comparing.REPEATED] == 2
    memory.purge("Otter")
    (pier,) = memory.get(["Pier"])
    assert pier.entity.text == "A long jetty."
    assert [note.text for note in pier.entity.observations] == ["It was mended in May."]


@pytest.mark.parametrize(
    "value",
    [
        "r.source = 5, r.created_at = 'soon'", "r.asserted_by = 'caller'", "r.asserted_by = [1]",
        "r.valid_until = 'whenever', r.note = 7", "r.weight = 'heavy', r.confidence = 9",
        "r.graphmem_assertions = 5",
    ],
)  # fmt: skip
def test_a_relation_with_values_of_a_wrong_type_can_be_exported_after_the_repair(
    hand: Hand, memory: Memory, mended: Callable[[], dict[str, int]], value: str, tmp_path: Path
) -> None:
    hand.does(f"MATCH (:Entity)-[r:LIVES_UNDER]->() SET {value}")
    memory.link("Otter", "LIVES_UNDER", "Pier", attributes={"seen": True})
    hand.does(f"MATCH (:Entity)-[r:LIVES_UNDER]->() SET {value}")
    assert mended() == {VALUES: 1}
    path = tmp_path / "export.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in memory.export()))
    assert not memory.import_("jsonl", path).refused


def test_a_source_with_wide_characters_needs_no_repair(memory: Memory, graph: Graph) -> None:
    source = "資料（案）/手順　一.md"
    memory.remember([{"name": "Otter", "source": source}, {"name": "Pier"}])
    memory.link("Otter", "SWIMS_TO", "Pier", source=source)
    assert dict(repair(graph, writes=True).counts) == {}
    (relation,) = [line for line in memory.export() if line.get("relation") == "SWIMS_TO"]
    assert relation["source"] == source


@pytest.mark.parametrize("copy", ["{}", "properties(r)"])
def test_a_relation_that_was_made_twice_is_reported_once_and_left(
    hand: Hand, graph: Graph, copy: str
) -> None:
    hand.does(
        "MATCH (a:Entity)-[r:LIVES_UNDER]->(b) WITH a, b, r "
        f"CREATE (a)-[s:LIVES_UNDER]->(b) SET s = {copy}, r.graphmem_since = s.graphmem_since"
    )
    for _ in range(2):
        (sentence,) = repair(graph, writes=True).unrepaired
        name = f"{hand.project}#otter LIVES_UNDER {hand.project}#pier"
        assert sentence == f"{name} exists twice: delete one of the two"


@pytest.mark.parametrize("key", [7, "", "rob"])
def test_an_entity_whose_key_is_none_gets_the_one_of_its_name(
    hand: Hand, memory: Memory, mended: Callable[[], dict[str, int]], key: object
) -> None:
    hand.does("CREATE (:Entity {key: $key, name: 'Rob', project: $project})", key=key)
    assert mended() == {repairing.KEYLESS: 1}
    assert memory.get(["Rob"])[0].entity.key == f"{hand.project}#rob"


def test_an_entity_made_by_hand_in_no_possible_project_does_not_stop_an_export(
    hand: Hand, memory: Memory
) -> None:
    hand.does("CREATE (:Entity {name: 'Rob', project: 'a#b'})")
    assert any(line.get("name") == "Pier" for line in memory.export_all())


def test_an_entity_and_a_relation_made_by_hand_are_like_any_other(
    hand: Hand, memory: Memory, mended: Callable[[], dict[str, int]]
) -> None:
    hand.does(
        "MATCH (pier:Entity {name: 'Pier'}) "
        "CREATE (ship:Entity:Ship {project: $project, name: 'Albatross', flag: 'NO'}) "
        "CREATE (ship)-[:MOORS_AT]->(pier)"
    )
    assert hit_names(memory, "albatross") == []
    assert mended()[repairing.KEYLESS] == 1
    assert hit_names(memory, "albatross", kinds=["Ship"]) == ["Albatross"]
    report = memory.link("Albatross", "MOORS_AT", "Pier")
    assert [item.outcome for item in report.items] == ["unchanged"]
    entity = memory.get("Albatross")[0].entity
    assert (entity.key, entity.attributes) == (text.key(hand.project, "Albatross"), {"flag": "NO"})
    memory.remember([{"name": "Albatross", "observations": ["She sails on Friday."]}])
    memory.forget("Albatross")
    assert hit_names(memory, "albatross") == []


def test_a_renamed_entity_is_found_by_both_names(
    hand: Hand, memory: Memory, mended: Callable[[], dict[str, int]]
) -> None:
    hand.does("MATCH (e:Entity {name: 'Pier'}) SET e.name = 'Quay'")
    assert mended()[repairing.RENAMED] == 1
    assert [memory.get(name)[0].entity.name for name in ("Quay", "Pier")] == ["Quay", "Quay"]
    report = memory.remember([{"name": "Quay", "tags": ["new"]}])
    assert [item.outcome for item in report.items] == ["updated"]


def test_what_cannot_be_repaired_is_left_and_reported(hand: Hand, graph: Graph) -> None:
    hand.does("CREATE (:Entity {name: 'Nowhere'}), (:Entity {project: $project, name: 'pier'})")
    hand.does("MATCH (e:Entity {name: 'Otter'}) SET e.name = 'PIER'")
    hand.does(
        "MATCH (a:Entity {name: 'PIER'}), (b:Entity {name: 'Pier'}) CREATE (a)-[:LIVES_UNDER]->(b)"
    )
    messages = repair(graph, writes=True).unrepaired
    assert len(messages) == 4
    for words in (
        "without a project or a name",
        "move what it says",
        "another name",
        "exists twice",
    ):
        assert [line for line in messages if words in line], words
    assert repair(graph, writes=True).unrepaired == messages


def test_a_manual_addition_beside_two_authors_belongs_to_the_caller(
    hand: Hand, memory: Memory, tmp_path: object, mended: Callable[[], dict[str, int]]
) -> None:
    file = tmp_path / "boats.jsonl"  # type: ignore[operator]
    file.write_text('{"type": "entity", "name": "Pier", "title": "From the file"}')
    memory.import_("jsonl", file)
    hand.does("MATCH (e:Entity {name: 'Pier'}) SET e.tags = e.tags + 'seen', e.owner = 'ops'")
    assert mended()[comparing.AUTHORS] == 1
    memory.import_("jsonl", file)
    entity = memory.get("Pier")[0].entity
    assert set(entity.tags) == {"wood", "seen"}
    assert entity.attributes["owner"] == "ops"


class Dies(Silent):
    """A listener in a process that is killed after some entities."""

    def advance(self, task: str, done: int, total: int) -> None:  # noqa: ARG002 - the protocol's
        if done >= 12:
            raise ArithmeticError


def test_a_repair_that_is_killed_is_finished_by_the_next(
    hand: Hand, memory: Memory, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.remember([{"name": f"Boat {number}", "text": "Floats."} for number in range(30)])
    before = hand.stored()
    hand.does("MATCH (e:Entity) WHERE e.name STARTS WITH 'Boat' SET e.live = false")
    hand.does("CREATE (:Passage {text: 'stray'})")
    monkeypatch.setattr(repairing, "PAGE", 4)
    with pytest.raises(ArithmeticError):
        repair(graph, writes=True, progress=Dies())
    left = repair(graph, writes=True).counts
    assert 0 < left[comparing.COPIES] < 30
    assert left[repairing.STRAY] == 1
    assert hand.stored() == before


class HalfCommitted(Graph):
    """A store in which another process commits the rest of a write after the first comparison."""

    rest: Callable[[], object] | None = None

    def read(self, name: str, /, **parameters: object) -> list[Row]:
        rows = super().read(name, **parameters)
        if name == "read/compared_entities" and self.rest is not None:
            rest, self.rest = self.rest, None
            rest()
        return rows


@pytest.mark.parametrize("writes", [False, True])
def test_uncommitted_writes_of_another_process_are_no_manual_changes(
    hand: Hand, graph: Graph, *, writes: bool
) -> None:
    before = hand.stored()
    hand.does(
        "MATCH (:Entity {name: 'Pier'})-[:HAS_PASSAGE]->(p) "
        "SET p.tags_before = p.filters, p.filters = 'x'"
    )
    with HalfCommitted(lambda: graph._target, timeout=graph.timeout) as half_committed:
        half_committed.rest = lambda: hand.does(
            "MATCH (p:Passage {filters: 'x'}) SET p.filters = p.tags_before REMOVE p.tags_before"
        )
        assert dict(repair(half_committed, writes=writes).counts) == {}
    assert hand.stored() == before


def test_concurrent_repairs_give_the_same_result(
    hand: Hand, memory: Memory, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.remember([{"name": f"Boat {number}", "text": "Floats."} for number in range(30)])
    before = hand.stored()
    hand.does(
        "MATCH (e:Entity) WHERE e.name STARTS WITH 'Boat' SET e.live = false, e.graphmem_names = []"
    )
    hand.does("MATCH (p:Passage) SET p.filters = 'x'")
    hand.does("UNWIND range(1, 2500) AS n CREATE (:Passage {text: 'stray'})")
    monkeypatch.setattr(repairing, "PAGE", 4)
    at_once(*[lambda: repair(graph, writes=True)] * 3)
    assert dict(repair(graph, writes=False).counts) == {}
    assert hand.stored() == before
