"""A store is embedded with another model while everybody goes on searching and writing."""

import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import neo4j
import pytest

from concurrent_calls import at_once
from fakes import DEFAULT_IDENTITY, FakeEmbedder, HeldEmbedder, PoisonedEmbedder, vector
from graphmem import cli, schema, statements
from graphmem.cli import session as cli_session
from graphmem.embedding import (
    BackgroundEmbedder,
    Embedder,
    ModelIdentity,
    StoredModels,
    Vector,
    document,
    local_embedder,
)
from graphmem.embedding.background_model import LoadProgress
from graphmem.errors import DatabaseError, EmbeddingError, ModelUnavailable
from graphmem.graph import Graph, Transaction
from graphmem.memory import Memory
from graphmem.memory.lifetime import RECENT_EMBEDDINGS
from graphmem.memory.store.connecting import connect
from graphmem.memory.store.model import StoreModel
from graphmem.migrations import prepare
from graphmem.progress import SILENT
from graphmem.search import Weights
from graphmem.settings import Settings
from graphmem.write.embeddings import leftover, reembedding
from listeners import Listener
from neo4j_servers import ROOT, helper_process, kill_once_reached, until, variables_of
from reembedding_process import STEPS
from small_models import EXPORTS
from stores import is_blocked

pytestmark = pytest.mark.live

PROJECT = "example.org/team/harbour"
PROGRAM = "reembedding_process.py"
OLD = DEFAULT_IDENTITY
NEW = ModelIdentity("another-model", "1", 48)
THIRD = ModelIdentity("third-model", "1", 384)
HINT = "run `graphmem reembed` to embed it with another-model"
BOATS = [{"name": f"Boat {i}", "text": f"mooring line {i} by the pier"} for i in range(40)]

Open = Callable[..., Memory]


@pytest.fixture
def session(store: Graph) -> Iterator[neo4j.Session]:
    """For what no statement of graphmem does; the store is empty and as a new one is."""
    with store._session("WRITE") as session:
        session.run("MATCH (node) WHERE NOT node:GraphmemRequest DETACH DELETE node").consume()
        session.run(f"DROP INDEX {statements.EMBEDDING_INDEXES[1]} IF EXISTS").consume()
        prepare(store)
        yield session


@pytest.fixture
def opened(store: Graph, session: neo4j.Session) -> Iterator[Open]:  # noqa: ARG001 - emptied
    """Memories of models of one's choosing, as long-running programs have them."""
    models: list[StoreModel] = []

    def opened(embedder: FakeEmbedder | None = None, *, background: bool = False) -> Memory:
        used = embedder or FakeEmbedder()
        models.append(StoreModel(store, used, wait_for_model=True, read_only=False))
        if not background:
            models[-1].close()
        return Memory(store, models[-1], PROJECT)

    yield opened
    for model in models:
        if isinstance(model.embedder, HeldEmbedder):
            model.embedder.go.set()
        model.close()


def new(**changes: Any) -> FakeEmbedder:  # noqa: ANN401 - as the fake's
    return FakeEmbedder(made_with=NEW, **changes)


def noted(session: neo4j.Session) -> dict[str, Any]:
    row = session.run("MATCH (store:Graphmem) RETURN properties(store) AS store").single(
        strict=True
    )
    return dict(row["store"])


def embeddings(session: neo4j.Session) -> dict[str, tuple[int | None, int | None, bool]]:
    """By text, how long the two embeddings of a passage are, and whether it waits."""
    rows = session.run(
        "MATCH (passage:Passage) RETURN passage.text AS text, size(passage.embedding) AS first, "
        "size(passage.embedding_2) AS second, passage.pending IS NOT NULL AS waits"
    )
    return {row["text"]: (row["first"], row["second"], row["waits"]) for row in rows}


@contextmanager
def let_go(embedder: HeldEmbedder) -> Iterator[None]:
    """Have a model go on in the end, whatever happens meanwhile."""
    try:
        yield
    finally:
        embedder.go.set()


def vector_indexes(graph: Graph) -> set[str]:
    return {row["name"] for row in graph.read("read/indexes") if row["type"] == "VECTOR"}


# One model takes the place of another


def test_a_store_is_searched_with_the_embeddings_of_the_other_model_afterwards(
    opened: Open, store: Graph, session: neo4j.Session
) -> None:
    opened().remember(BOATS)
    embedder = new()
    memory = opened(embedder)
    assert HINT in (memory.search("mooring").degraded or "")
    done = memory.reembed()
    assert (done.model, done.previous) == (NEW, OLD)
    assert (done.embedded, done.reused, done.pending) == (len(BOATS), 0, 0)
    answer = memory.search("mooring line 7", mode="semantic")
    assert answer.degraded is None
    assert answer.hits[0].name == "Boat 7"
    assert answer.hits[0].matched.vector > 0
    assert set(embeddings(session).values()) == {(None, 48, False)}
    assert vector_indexes(store) == {"graphmem_passage_embedding_2"}
    note = noted(session)
    assert (note["model_name"], note["embedding_set"]) == ("another-model", 1)
    assert not [name for name in note if name.startswith(("next_model_", "embeddings_"))]
    assert schema.check(store) == []


def test_searches_with_filters_and_operators_use_the_other_embeddings_too(opened: Open) -> None:
    opened().remember([{**boat, "tags": ["boat"], "kind": "Ship"} for boat in BOATS])
    memory = opened(new())
    memory.reembed()
    for options in ({"kinds": ["Ship"]}, {"tags": ["boat"]}, {"where": {"tags_all": ["boat"]}}):
        answer = memory.search("mooring line 7", mode="semantic", **options)
        assert (answer.hits[0].name, answer.degraded) == ("Boat 7", None)
    answer = memory.search("mooring AND pier", weights=Weights(cosine_low=0.1))
    assert answer.degraded is None
    assert any(hit.matched.vector > 0 for hit in answer.hits)


def test_going_back_to_the_first_model_uses_the_first_property_again(
    opened: Open, store: Graph, session: neo4j.Session
) -> None:
    opened().remember(BOATS)
    opened(new()).reembed()
    back = opened()
    done = back.reembed()
    assert (done.model, done.previous, done.embedded) == (OLD, NEW, len(BOATS))
    assert back.search("mooring line 7", mode="semantic").hits[0].name == "Boat 7"
    assert set(embeddings(session).values()) == {(384, None, False)}
    assert vector_indexes(store) == {"graphmem_passage_embedding"}
    assert noted(session)["embedding_set"] == 2


def test_with_the_model_of_the_store_nothing_changes(opened: Open, session: neo4j.Session) -> None:
    memory = opened()
    memory.remember(BOATS)
    before, made = noted(session), list(memory.model.embedder.embedded)  # type: ignore[attr-defined]
    done = memory.reembed()
    assert (done.model, done.previous, done.embedded, done.pending) == (OLD, None, 0, 0)
    assert noted(session) == before
    assert memory.model.embedder.embedded == made  # type: ignore[attr-defined]


def test_an_empty_store_takes_the_model_of_the_settings(opened: Open) -> None:
    memory = opened(new())
    assert memory.reembed().previous is None
    memory.remember(BOATS)
    assert memory.search("mooring line 7", mode="semantic").hits[0].name == "Boat 7"


def test_passages_that_waited_for_a_model_have_embeddings_afterwards(
    opened: Open, session: neo4j.Session
) -> None:
    opened().remember(BOATS[:5])
    opened(FakeEmbedder(state="failed", reason="broken")).remember(BOATS[5:])
    memory = opened(new())
    assert memory.stats().pending == len(BOATS) - 5
    assert memory.reembed().embedded == len(BOATS)
    assert memory.stats().pending == 0
    assert set(embeddings(session).values()) == {(None, 48, False)}


# Others go on


def test_searches_of_both_models_are_answered_until_the_switch_and_after_it(
    opened: Open,
) -> None:
    """Long-running programs notice the switch by themselves."""
    old, reader = opened(), opened(new())
    old.remember(BOATS)
    embedder = HeldEmbedder(made_with=NEW, word="Boat 7")

    def look_meanwhile() -> None:
        embedder.reached.wait()
        with let_go(embedder):
            assert old.search("mooring line 7", mode="semantic").degraded is None
            answer = reader.search("mooring line 7", mode="semantic")
            assert answer.hits[0].name == "Boat 7"
            assert "that has begun and is not finished" in (answer.degraded or "")

    at_once(lambda: opened(embedder).reembed(), look_meanwhile)
    answer = reader.search("mooring line 7", mode="semantic")
    assert (answer.hits[0].name, answer.degraded) == ("Boat 7", None)
    for mode in ("hybrid", "keyword"):
        assert old.search("mooring line 7", mode=mode).hits[0].name == "Boat 7"
    answer = old.search("mooring line 7", mode="semantic")
    assert answer.hits[0].name == "Boat 7"
    assert "the store was embedded with another-model (1), not with" in (answer.degraded or "")


@pytest.mark.parametrize("query", ["mooring", "mooring AND pier"])
def test_nothing_is_compared_with_embeddings_of_another_model_in_the_same_property(
    opened: Open, query: str
) -> None:
    """A program that slept through two changes of the model meets its own property again."""
    old = opened()
    old.remember(BOATS)
    opened(new()).reembed()
    opened(FakeEmbedder(made_with=THIRD)).reembed()
    answer = old.search(query, explain=True)
    assert "the store was embedded with third-model" in (answer.degraded or "")
    assert answer.hits
    assert all(hit.matched.vector == 0 for hit in answer.hits)


def test_what_is_written_meanwhile_has_an_embedding_of_its_text_afterwards(
    opened: Open, session: neo4j.Session
) -> None:
    old, other = opened(), opened(new())
    old.remember(BOATS)
    embedder = HeldEmbedder(made_with=NEW, word="Boat 7")

    def write_meanwhile() -> None:
        embedder.reached.wait()
        with let_go(embedder):
            old.remember([{"name": "Boat 3", "text": "a heron at low tide"}])
            old.remember([{"name": "Boat 7", "text": "an otter under the bridge"}])
            old.remember([{"name": "Anchor", "text": "iron on the ground"}])
            zephyr = other.remember([{"name": "Zephyr", "text": "wind from the west"}])
            assert "wait" in zephyr.notes[0]
            old.forget(["Boat 9"])

    at_once(lambda: opened(embedder).reembed(), write_meanwhile)
    assert set(embeddings(session).values()) == {(None, 48, False)}
    right_for_every_passage(session)
    for query, name in (("heron tide", "Boat 3"), ("otter", "Boat 7"), ("iron", "Anchor")):
        assert other.search(query, mode="semantic").hits[0].name == name
    assert other.stats().pending == 0


def right_for_every_passage(session: neo4j.Session) -> None:
    """Every embedding is that of the passage's text as it is now."""
    rows = session.run(
        "MATCH (entity:Entity)-[:HAS_PASSAGE]->(passage) RETURN entity.name AS name, "
        "entity.title AS title, passage.text AS text, passage.embedding_2 AS embedding"
    )
    for row in rows:
        wanted = vector(document(row["name"], row["title"], row["text"]), 48)
        assert row["embedding"] == pytest.approx(wanted, abs=1e-6), row["text"]


def test_a_text_that_changes_loses_the_embedding_that_was_made_for_the_next_set(
    opened: Open, store: Graph, session: neo4j.Session
) -> None:
    memory = opened()
    memory.remember(BOATS[:3])
    models = reembedding.begin(store, NEW)
    reembedding.make(store, new(), models, reembedding.Tally(), advance=lambda _: None)
    assert set(embeddings(session).values()) == {(384, 48, False)}
    memory.remember([{"name": "Boat 1", "text": "a heron"}])
    opened(new()).remember([{"name": "Boat 2", "text": "an otter"}])
    there = embeddings(session)
    assert there["a heron"] == (384, None, False)
    assert there["an otter"] == (None, None, True)
    assert there[BOATS[0]["text"]] == (384, 48, False)


def test_writes_of_a_program_that_missed_the_switch_wait_and_say_so(
    opened: Open, session: neo4j.Session
) -> None:
    old = opened()
    old.remember(BOATS[:3])
    opened(new()).reembed()
    [note] = old.remember([{"name": "Anchor", "text": "iron on the ground"}]).notes
    assert "the store was embedded with another-model" in note
    assert note.endswith("the passages wait to be embedded; until then, they are found by words")
    assert embeddings(session)["iron on the ground"] == (None, None, True)
    assert old.stats().pending == 1
    assert opened(new()).model.fill() == ()
    assert embeddings(session)["iron on the ground"] == (None, 48, False)


def test_a_switch_in_the_midst_of_a_write_leaves_no_embedding_of_the_other_model(
    opened: Open, store: Graph, session: neo4j.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The write has looked at the store, has written its passages, and then is overtaken."""
    memory = opened()
    memory.remember(BOATS[:3])
    models = reembedding.begin(store, NEW)
    reembedding.make(store, new(), models, reembedding.Tally(), advance=lambda _: None)
    schema.index_next(store, models)
    run = Transaction.run
    switched: list[StoredModels] = []

    def overtaken(transaction: Transaction, name: str, /, **parameters: object) -> Any:  # noqa: ANN401
        if name == "write/put_passages" and not switched:
            switched.append(reembedding.search_next(store, models))
        return run(transaction, name, **parameters)

    monkeypatch.setattr(Transaction, "run", overtaken)
    report = memory.remember([{"name": "Anchor", "text": "iron on the ground"}])
    assert switched[0].current == NEW
    assert [item.outcome for item in report.items] == ["created"]
    assert "wait" in report.notes[0]
    assert embeddings(session)["iron on the ground"] == (None, None, True)


def test_a_write_that_was_not_committed_at_the_switch_is_found_when_the_rest_is_removed(
    opened: Open, store: Graph, session: neo4j.Session, own: Settings
) -> None:
    """Its embedding is of the model before, and nothing says that it waits until then."""
    memory = opened()
    memory.remember(BOATS[:3])
    models = reembedding.begin(store, NEW)
    reembedding.make(store, new(), models, reembedding.Tally(), advance=lambda _: None)
    schema.index_next(store, models)
    removed = threading.Event()
    with connect(own, read_only=False, progress=SILENT) as other, other._session("WRITE") as late:
        transaction = late.begin_transaction()
        transaction.run(
            "MATCH (entity:Entity {name: 'Boat 1'}) CREATE (entity)-[:HAS_PASSAGE]->"
            "(passage:Passage {id: 'late', text: 'late', digest: 'late', position: 9}) "
            "SET passage.project = entity.project "
            "WITH passage CALL db.create.setNodeVectorProperty(passage, 'embedding', $vector)",
            vector=[1.0] * 384,
        ).consume()
        reembedding.search_next(store, models)

        def remove() -> None:
            leftover.remove_leftover(store, schema.stored_models(store))
            removed.set()

        thread = threading.Thread(target=remove)
        thread.start()
        until(lambda: is_blocked(store))
        assert not removed.is_set()
        transaction.commit()
        thread.join()
    assert embeddings(session)["late"] == (None, None, True)
    assert memory.stats().pending == 1


# Killed, failing, twice


@dataclass
class EndingEmbedder(FakeEmbedder):
    """A model that ends after 15 texts: its process is killed, or its server goes away."""

    error: BaseException = field(default_factory=KeyboardInterrupt)
    texts: int = 15

    def documents(
        self, texts: Sequence[str], *, advance: Callable[[int], None] = lambda _: None
    ) -> list[Vector]:
        if len(self.embedded) + len(texts) > self.texts:
            raise self.error
        return super().documents(texts, advance=advance)


def test_a_resumed_run_keeps_finished_embeddings_and_makes_only_the_rest(
    opened: Open, store: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reembedding, "PASSAGES", 5)
    opened().remember(BOATS)
    killed = EndingEmbedder(made_with=NEW)
    with pytest.raises(KeyboardInterrupt):
        opened(killed).reembed()
    assert len(killed.embedded) == 15
    assert opened().search("mooring", mode="semantic").degraded is None
    again = new()
    done = opened(again).reembed()
    assert (done.reused, done.embedded) == (15, len(BOATS) - 15)
    assert sorted([*killed.embedded, *again.embedded]) == sorted(
        set(again.embedded + killed.embedded)
    )
    assert schema.stored_models(store).current == NEW


@pytest.mark.parametrize("step", STEPS)
def test_a_process_killed_at_any_step_does_no_harm(
    opened: Open, own: Settings, session: neo4j.Session, tmp_path: Path, step: str
) -> None:
    old = opened()
    old.remember(BOATS)
    counted = tmp_path / "counted"
    (own.home / RECENT_EMBEDDINGS).unlink(missing_ok=True)
    with helper_process(own, PROGRAM, str(counted), step) as process:
        kill_once_reached(process)
    is_switched = list(STEPS).index(step) > list(STEPS).index("the index is made")
    answer = old.search("mooring line 7", mode="semantic")
    assert answer.hits[0].name == "Boat 7"
    assert ("another-model" in (answer.degraded or "")) == is_switched
    fresh = opened(new())
    assert (fresh.search("mooring line 7", mode="semantic").degraded is None) == is_switched
    assert fresh.stats().pending == 0
    with helper_process(own, PROGRAM, str(counted), "none") as process:
        assert process.wait() == 0
    texts = counted.read_text().splitlines()
    assert len(set(texts)) == len(BOATS)
    assert len(texts) == len(BOATS)
    assert set(embeddings(session).values()) == {(None, 48, False)}
    assert vector_indexes(fresh.graph) == {"graphmem_passage_embedding_2"}
    right_for_every_passage(session)
    assert fresh.search("mooring line 7", mode="semantic").hits[0].name == "Boat 7"


def test_what_a_killed_process_left_is_removed_by_whoever_embeds_next(
    opened: Open, store: Graph, session: neo4j.Session
) -> None:
    old = opened()
    old.remember(BOATS[:3])
    models = reembedding.begin(store, NEW)
    reembedding.make(store, new(), models, reembedding.Tally(), advance=lambda _: None)
    schema.index_next(store, models)
    old.remember([{"name": "Anchor", "text": "iron on the ground"}])
    reembedding.search_next(store, models)
    fresh = opened(new(), background=True)
    assert fresh.stats().pending == 1
    fresh.remember([{"name": "Buoy", "text": "a bell at sea"}])
    until(lambda: not schema.stored_models(store).leftover and fresh.stats().pending == 0)
    assert set(embeddings(session).values()) == {(None, 48, False)}
    assert vector_indexes(store) == {"graphmem_passage_embedding_2"}


def test_two_at_once_share_the_work(
    opened: Open, session: neo4j.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reembedding, "PASSAGES", 4)
    opened().remember(BOATS)
    barrier = threading.Barrier(2, timeout=120)

    @dataclass
    class Together(FakeEmbedder):
        begun: bool = False

        def documents(
            self, texts: Sequence[str], *, advance: Callable[[int], None] = lambda _: None
        ) -> list[Vector]:
            if not self.begun:
                self.begun = True
                barrier.wait()
            return super().documents(texts, advance=advance)

    first, second = Together(made_with=NEW), Together(made_with=NEW)
    at_once(lambda: opened(first).reembed(), lambda: opened(second).reembed())
    assert first.embedded
    assert second.embedded
    # The page that the slower one has in hand when the other is through may be made by both.
    assert len(first.embedded) + len(second.embedded) <= len(BOATS) + 4
    assert set(embeddings(session).values()) == {(None, 48, False)}
    assert noted(session)["embedding_set"] == 1


def test_an_index_is_made_and_dropped_by_several_at_once(opened: Open, store: Graph) -> None:
    opened().remember(BOATS[:3])
    models = reembedding.begin(store, NEW)
    at_once(*[lambda: schema.index_next(store, models)] * 8)
    reembedding.make(store, new(), models, reembedding.Tally(), advance=lambda _: None)
    left = reembedding.search_next(store, models)
    at_once(*[lambda: leftover.remove_leftover(store, left)] * 8)
    assert vector_indexes(store) == {"graphmem_passage_embedding_2"}
    assert not schema.stored_models(store).leftover


def test_the_index_of_a_set_that_is_being_made_is_not_dropped_as_left_over(
    opened: Open, store: Graph
) -> None:
    """By a process that has slept since it saw that something was left."""
    opened().remember(BOATS[:3])
    begun = reembedding.begin(store, NEW)
    given_up = reembedding.begin(store, THIRD)
    assert given_up.leftover
    leftover.remove_leftover(store, given_up)
    models = reembedding.begin(store, THIRD)
    assert (begun.next, models.next) == (NEW, THIRD)
    schema.index_next(store, models)
    leftover.remove_leftover(store, given_up)
    assert "graphmem_passage_embedding_2" in vector_indexes(store)
    assert schema.stored_models(store).next == THIRD


def test_starting_with_a_third_model_discards_the_unfinished_embeddings(
    opened: Open, store: Graph, session: neo4j.Session
) -> None:
    opened().remember(BOATS)
    held = HeldEmbedder(made_with=NEW, word="Boat 7")

    def give_up() -> None:
        held.reached.wait()
        with let_go(held):
            opened(FakeEmbedder(made_with=THIRD)).reembed()

    with pytest.raises(DatabaseError, match="another process embeds the store with another model"):
        at_once(lambda: opened(held).reembed(), give_up)
    assert set(embeddings(session).values()) == {(None, 384, False)}
    assert schema.stored_models(store) == StoredModels(number=1, current=THIRD)


def test_returning_to_the_stores_model_discards_the_unfinished_embeddings(
    opened: Open, store: Graph, session: neo4j.Session
) -> None:
    memory = opened()
    memory.remember(BOATS)
    models = reembedding.begin(store, NEW)
    reembedding.make(store, new(), models, reembedding.Tally(), advance=lambda _: None)
    schema.index_next(store, models)
    assert memory.reembed().previous is None
    assert set(embeddings(session).values()) == {(384, None, False)}
    assert vector_indexes(store) == {"graphmem_passage_embedding"}
    assert memory.search("mooring line 7", mode="semantic").degraded is None


def test_a_passage_that_the_model_fails_on_waits_and_the_others_are_embedded(
    opened: Open, session: neo4j.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reembedding, "PASSAGES", 1)
    opened().remember([*BOATS, {"name": "Adder", "text": "a poison"}])
    memory = opened(PoisonedEmbedder(made_with=NEW))
    done = memory.reembed()
    assert (done.embedded, done.pending) == (len(BOATS), 1)
    assert embeddings(session)["a poison"] == (None, None, True)
    assert memory.stats().pending == 1
    assert memory.search("mooring line 7", mode="semantic").degraded is None


def test_a_model_that_fails_on_everything_changes_nothing_that_is_searched(
    opened: Open, session: neo4j.Session
) -> None:
    old = opened()
    old.remember(BOATS)
    with pytest.raises(EmbeddingError, match="out of memory"):
        opened(PoisonedEmbedder(made_with=NEW, word="")).reembed()
    assert old.search("mooring line 7", mode="semantic").degraded is None
    assert set(embeddings(session).values()) == {(384, None, False)}


def test_a_model_that_goes_away_ends_it_with_the_reason_and_what_was_made_is_kept(
    opened: Open, session: neo4j.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reembedding, "PASSAGES", 5)
    old = opened()
    old.remember(BOATS)
    away = ModelUnavailable("the embedding server does not answer")
    with pytest.raises(ModelUnavailable, match="the embedding server does not answer"):
        opened(EndingEmbedder(made_with=NEW, error=away)).reembed()
    assert old.search("mooring line 7", mode="semantic").degraded is None
    done = opened(new()).reembed()
    assert (done.reused, done.embedded, done.pending) == (15, len(BOATS) - 15, 0)
    assert set(embeddings(session).values()) == {(None, 48, False)}


@pytest.mark.parametrize(
    ("embedder", "reason"),
    [
        (FakeEmbedder(NEW, "failed", "the model is broken"), "the model is broken"),
        (
            FakeEmbedder(replace(NEW, dimensions=5000)),
            "5,000 dimensions, and Neo4j indexes at most",
        ),
    ],
)
def test_a_model_that_cannot_be_used_changes_nothing(
    opened: Open, session: neo4j.Session, embedder: FakeEmbedder, reason: str
) -> None:
    opened().remember(BOATS[:3])
    before = noted(session)
    with pytest.raises(EmbeddingError, match=reason):
        opened(embedder).reembed()
    assert noted(session) == before


def test_a_store_that_is_only_read_is_refused(opened: Open, own: Settings) -> None:
    opened().remember(BOATS[:3])
    with (
        Memory.open(project=PROJECT, config=own, embedder=new(), read_only=True) as memory,
        pytest.raises(DatabaseError, match="opened read-only; open it without read_only"),
    ):
        memory.reembed()


# Told, and opened again


def test_reembedding_reports_its_progress(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reembedding, "PASSAGES", 10)
    opened().remember(BOATS)
    listener = Listener()
    opened(new()).reembed(progress=listener)
    made = [(done, total) for task, done, total in listener.steps if task == "Embedding passages"]
    assert made[:4] == [(10, 40), (20, 40), (30, 40), (40, 40)]
    assert listener.steps[-1] == ("Removing earlier embeddings", 40, 40)


def test_a_store_of_the_second_property_is_opened_served_and_reindexed(
    opened: Open, own: Settings, store: Graph, session: neo4j.Session
) -> None:
    opened().remember(BOATS)
    opened(new()).reembed()
    session.run("DROP INDEX graphmem_passage_embedding_2").consume()
    with Memory.open(project=PROJECT, config=own, embedder=new(), wait_for_model=False) as server:
        answer = server.search("mooring line 7", mode="semantic")
        assert (answer.hits[0].name, answer.degraded) == ("Boat 7", None)
    assert vector_indexes(store) == {"graphmem_passage_embedding_2"}
    assert schema.remake(store, ["english", "russian"]) == ((), ())


def test_what_is_exported_and_imported_is_the_same_afterwards(opened: Open) -> None:
    memory = opened()
    memory.remember(BOATS, [{"from": "Boat 1", "relation": "BESIDE", "to": "Boat 2"}])
    before = list(memory.export_all())
    other = opened(new())
    other.reembed()
    assert list(other.export_all()) == before
    assert {item.outcome for item in other.remember(BOATS).items} == {"unchanged"}


def test_the_example_in_the_docs_works(opened: Open) -> None:
    page = (ROOT / "docs" / "embeddings.md").read_text(encoding="utf-8")
    [code] = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    exec(compile(code, "docs/embeddings.md", "exec"), {"memory": opened()})  # noqa: S102 - ours


# In the terminal

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(own: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command on the store of these tests; gives its exit code, stdout and stderr."""
    for name, value in (variables_of(own) | {"GRAPHMEM_PROJECT": PROJECT}).items():
        monkeypatch.setenv(name, value)

    def run(*tokens: str, embedder: Embedder) -> tuple[int, str, str]:
        with monkeypatch.context() as patch:
            patch.setattr(cli_session, "embedder", lambda *_, **__: embedder)
            code = cli.main(tokens)
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def test_the_command_tells_what_it_did_and_a_second_time_that_nothing_was_to_do(
    opened: Open, run: Run
) -> None:
    opened().remember(BOATS)
    code, out, err = run("reembed", embedder=new())
    assert code == 0
    assert out.splitlines() == [
        "The store is embedded with another-model (1), 48 dimensions.",
        "  previous  all-MiniLM-L6-v2 (2c705a5e3279febc)",
        "  embedded  40 passages",
    ]
    assert "Embedding passages …" in err
    assert "Removing earlier embeddings …" in err
    code, out, err = run("reembed", embedder=new())
    assert code == 0
    assert out.splitlines() == [
        "The store is embedded with another-model (1), 48 dimensions.",
        "  Nothing to do: the store already uses this model.",
    ]
    code, out, err = run("reembed", "--json", embedder=PoisonedEmbedder(OLD, word="Boat 7"))
    assert code == 1
    assert json.loads(out) == {
        "model": asdict(OLD), "previous": asdict(NEW), "embedded": 39, "reused": 0, "pending": 1,
    }  # fmt: skip


def test_the_doctor_and_a_search_name_the_command(
    opened: Open, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHMEM_MODEL", "another-model")
    opened().remember(BOATS)
    code, out, _ = run("doctor", "--json", embedder=new())
    assert code == 1
    [model] = [check for check in json.loads(out)["checks"] if check["name"] == "model"]
    assert not model["ok"]
    assert model["message"] == (
        f"the store was embedded with {OLD.name} ({OLD.revision}), not with another-model (1); "
        f"{HINT}, or change GRAPHMEM_MODEL, or GRAPHMEM_EMBEDDING_URL and its model, back"
    )
    code, out, err = run("search", "mooring", embedder=new())
    assert code == 0
    assert HINT in out + err
    run("reembed", embedder=new())
    code, out, _ = run("doctor", "--json", embedder=new())
    assert (code, json.loads(out)["ok"]) == (0, True)


class Loaded:
    """A model in memory, which says what `FakeEmbedder` says."""

    identity = OLD
    together = 1

    def query(self, text: str) -> Vector:
        return FakeEmbedder(OLD).query(text)

    def documents(self, texts: Sequence[str], advance: Callable[[int], None]) -> list[Vector]:
        return FakeEmbedder(OLD).documents(texts, advance=advance)


def test_the_doctor_says_why_torch_runs_a_model_that_could_be_exported(
    opened: Open, run: Run
) -> None:
    def load(progress: LoadProgress) -> Loaded:
        progress.missing_export = "torch: no room"
        return Loaded()

    opened().remember(BOATS)
    embedder = BackgroundEmbedder(OLD.name, load, hint="")
    code, out, _ = run("doctor", "--json", embedder=embedder)
    [model] = [check for check in json.loads(out)["checks"] if check["name"] == "model"]
    assert (code, model["ok"], model["message"]) == (1, False, "torch: no room")


def test_a_model_that_cannot_be_loaded_ends_the_command_with_its_reason(
    opened: Open, run: Run
) -> None:
    opened().remember(BOATS[:3])
    code, out, err = run("reembed", embedder=FakeEmbedder(NEW, "failed", "the model is broken"))
    assert (code, out) == (1, "")
    assert err.splitlines()[-1] == "graphmem: the model is broken"


def test_two_real_models_of_other_dimensions_take_each_others_place(
    session: neo4j.Session, run: Run, real_model: BackgroundEmbedder, made_models: Path
) -> None:
    small = local_embedder(str(made_models / "small"), exports=made_models / EXPORTS, hub=False)
    asked = ("search", "mooring a ship", "--mode", "semantic", "--json")
    for number, text in enumerate(["Boats are tied up here.", "Taxes are due in May."]):
        assert run("remember", f"Note {number}", "--text", text, embedder=real_model)[0] == 0
    assert {first for first, _, _ in embeddings(session).values()} == {384}
    degraded = json.loads(run(*asked, embedder=small)[1])["degraded"]
    assert "run `graphmem reembed` to embed it with small" in degraded
    code, out, _ = run("reembed", "--json", embedder=small)
    assert (code, json.loads(out)["embedded"]) == (0, 2)
    assert set(embeddings(session).values()) == {(None, 32, False)}
    assert json.loads(run(*asked, embedder=small)[1])["degraded"] is None
    assert run("reembed", embedder=real_model)[0] == 0
    assert set(embeddings(session).values()) == {(384, None, False)}
    answer = json.loads(run(*asked, embedder=real_model)[1])
    assert (answer["degraded"], answer["hits"][0]["name"]) == (None, "Note 0")
