"""Passages that wait for the model are embedded in the background; no call waits for them."""

from collections.abc import Callable, Iterator

import pytest

from fakes import EndlessEmbedder, FakeEmbedder, HeldEmbedder, PoisonedEmbedder
from graphmem.embedding import Embedder
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.memory.store import backlog_thread
from graphmem.memory.store.model import StoreModel
from graphmem.write import fill_pending
from graphmem.write.embeddings.backlog import BATCH
from neo4j_servers import until

WAITING = "the passages wait to be embedded; until then, they are found by words"

Open = Callable[..., Memory]


@pytest.fixture
def opened(graph: Graph, project: str) -> Iterator[Open]:
    """Makes memories of the test's project with models of one's choosing, closed afterwards."""
    models: list[StoreModel] = []

    def opened(embedder: Embedder, *, wait_for_model: bool = True, seconds: float = 120) -> Memory:
        models.append(
            StoreModel(
                graph, embedder, wait_for_model=wait_for_model, read_only=False, seconds=seconds
            )
        )
        return Memory(graph, models[-1], project)

    yield opened
    for model in models:
        if isinstance(model.embedder, HeldEmbedder):
            model.embedder.go.set()
        model.close()
    fill_pending(graph, FakeEmbedder())


def leave(opened: Open, count: int, text: str = "part of the backlog") -> None:
    """Have so many entities wait for the model."""
    broken = opened(FakeEmbedder(state="failed", reason="the model is broken"))
    report = broken.remember([{"name": f"Left {i}", "text": f"{text} {i}"} for i in range(count)])
    assert report.notes == (f"the model is broken; {WAITING}",)


def test_a_write_embeds_its_own_passages_and_does_not_wait_for_the_backlog(opened: Open) -> None:
    leave(opened, 3)
    embedder = HeldEmbedder()
    memory = opened(embedder)
    assert memory.remember([{"name": "Pier", "text": "a long jetty"}]).notes == ()
    assert [text for text in embedder.embedded if "backlog" in text] == []
    assert any("jetty" in text for text in embedder.embedded)
    assert memory.stats().pending > 0


def test_the_backlog_is_embedded_in_the_background(opened: Open) -> None:
    leave(opened, 3)
    memory = opened(FakeEmbedder())
    memory.remember([{"name": "Pier", "text": "a long jetty"}])
    until(lambda: memory.stats().pending == 0)


def test_a_server_embeds_the_backlog_without_being_called(opened: Open) -> None:
    leave(opened, 3)
    memory = opened(FakeEmbedder(), wait_for_model=False)
    until(lambda: memory.stats().pending == 0)


def test_searches_and_writes_are_answered_while_the_backlog_is_embedded(opened: Open) -> None:
    leave(opened, 3)
    embedder = HeldEmbedder()
    memory = opened(embedder, wait_for_model=False)
    embedder.reached.wait()
    assert memory.remember([{"name": "Pier", "text": "a long jetty"}]).notes == ()
    answer = memory.search("jetty")
    assert answer.hits[0].name == "Pier"
    assert answer.degraded is None
    assert memory.stats().pending > 0


def test_a_backlog_that_cannot_be_embedded_is_no_error_of_a_write(opened: Open) -> None:
    leave(opened, 1, text="poison")
    memory = opened(PoisonedEmbedder())
    report = memory.remember([{"name": "Pier", "text": "a long jetty"}])
    assert [item.outcome for item in report.items] == ["created"]
    assert report.notes == ()
    (note,) = memory.model.fill()
    assert note.startswith("the embedding model failed: out of memory; passages still wait to be")


def test_a_passage_whose_embedding_fails_is_written_and_waits(opened: Open) -> None:
    memory = opened(PoisonedEmbedder())
    report = memory.remember([{"name": "Pier", "text": "poison"}])
    assert [item.outcome for item in report.items] == ["created"]
    assert report.notes == (f"the embedding model failed: out of memory; {WAITING}",)
    assert memory.stats().pending > 0
    assert memory.search("poison", mode="keyword").hits[0].name == "Pier"


def test_a_passage_that_cannot_be_embedded_holds_up_no_other(opened: Open) -> None:
    leave(opened, 1, text="poison")
    broken = opened(FakeEmbedder(state="failed", reason="the model is broken"))
    broken.remember([{"name": f"Boat {i}", "text": "afloat"} for i in range(2 * BATCH)])
    memory = opened(PoisonedEmbedder())
    memory.model.fill()
    waiting = memory.stats().pending
    assert 0 < waiting < BATCH
    assert memory.search("afloat", mode="semantic").hits[0].name.startswith("Boat")


def test_a_question_waits_for_few_documents_of_the_backlog(opened: Open) -> None:
    leave(opened, 10)
    embedder = FakeEmbedder()
    memory = opened(embedder, wait_for_model=False)
    until(lambda: memory.stats().pending == 0)
    assert len(embedder.embedded) >= 10
    assert max(embedder.batches) <= 8


def test_closing_does_not_wait_for_the_backlog(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave(opened, 3 * BATCH)
    monkeypatch.setattr(backlog_thread, "CLOSE_SECONDS", 0.1)
    embedder = HeldEmbedder()
    memory = opened(embedder, wait_for_model=False)
    embedder.reached.wait()
    memory.model.close()
    embedder.go.set()
    until(
        lambda: (
            not any(
                thread.is_alive() for thread in [memory.model._backlog_thread._thread] if thread
            )
        )
    )
    assert len(embedder.embedded) <= BATCH
    assert memory.stats().pending > 0


def test_closing_while_the_model_loads_is_done_at_once(opened: Open) -> None:
    memory = opened(EndlessEmbedder(), wait_for_model=False)
    memory.model.close()
    thread = memory.model._backlog_thread._thread
    assert thread is not None
    assert not thread.is_alive()


def test_waiting_for_the_model_has_an_end_and_a_sentence(opened: Open) -> None:
    embedder = EndlessEmbedder()
    memory = opened(embedder, seconds=0.2)
    report = memory.remember([{"name": "Pier", "text": "a long jetty"}])
    assert [item.outcome for item in report.items] == ["created"]
    reason = "the embedding model is still being downloaded from the model hub after 0.2 seconds"
    assert report.notes == (f"{reason}; {WAITING}",)
    answer = memory.search("jetty")
    assert [hit.name for hit in answer.hits] == ["Pier"]
    assert (answer.degraded or "").startswith(reason)


def test_only_the_first_of_several_calls_waits_for_the_model(opened: Open) -> None:
    embedder = EndlessEmbedder()
    memory = opened(embedder, seconds=0.2)
    for _ in range(3):
        memory.search("jetty")
    assert embedder.waited == [pytest.approx(0.2), *[pytest.approx(0, abs=0.1)] * 2]
