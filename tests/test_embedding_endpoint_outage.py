"""An embedding server that goes away: words answer meanwhile, and nothing has to be restarted."""

import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import pytest

from embedding_servers import EmbeddingServer, Given, Reply, serving
from fakes import FakeEmbedder, vector
from graphmem.embedding import (
    BackgroundEmbedder,
    Vector,
    background_model,
    configured_embedder,
    endpoint_client,
)
from graphmem.errors import EmbeddingError, ModelUnavailable
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.memory.store.model import StoreModel
from graphmem.settings import Settings
from graphmem.write import fill_pending
from log_records import own_records
from memories import memory_with
from neo4j_servers import ROOT, fresh_home, small, until, variables_of

KEY = "sk-Zq81-correct-horse"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    monkeypatch.setattr(endpoint_client, "sleep", lambda _: None)
    with serving() as server:
        yield server


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a model that is unavailable tried again without a pause."""
    monkeypatch.setattr(background_model, "LONGEST_PAUSE_SECONDS", 0.0)


def settings(server: EmbeddingServer, **changes: Any) -> Settings:  # noqa: ANN401 - settings
    return Settings(**{"embedding_url": server.url, "embedding_model": "harbour", **changes})


def embedder(server: EmbeddingServer, **changes: Any) -> BackgroundEmbedder:  # noqa: ANN401 - settings
    return configured_embedder(settings(server, **changes), start=True)


# The model alone


@pytest.mark.usefixtures("soon")
def test_a_server_that_is_away_at_the_start_is_used_once_it_is_there(
    server: EmbeddingServer,
) -> None:
    server.stop()
    model = embedder(server)
    assert not model.wait()
    assert model.state == "unavailable"
    assert "cannot be reached" in (model.reason or "")
    server.start()
    until(model.wait)
    assert model.reason is None
    assert len(model.query("a pier")) == server.dimensions


def test_while_it_is_away_calls_fail_at_once_and_do_not_ask_it(server: EmbeddingServer) -> None:
    server.replies.append(Reply(401, "no"))
    model = embedder(server, embedding_key=KEY)
    assert not model.wait()
    asked = len(server.requests)
    for _ in range(20):
        assert not model.wait(0)
        with pytest.raises(ModelUnavailable, match="GRAPHMEM_EMBEDDING_KEY"):
            model.query("a pier")
        with pytest.raises(ModelUnavailable, match="GRAPHMEM_EMBEDDING_KEY"):
            model.documents(["a pier"])
    assert len(server.requests) == asked


def test_pauses_between_tries_grow_up_to_a_minute(
    server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr("graphmem.embedding.background_model.time.monotonic", lambda: now)
    server.stop()
    model = embedder(server)
    model.wait()
    pauses = []
    for tries in range(2, 10):
        assert model._again is not None
        pauses.append(model._again - now)
        now = model._again
        model.wait()
        until(partial(_has_failed, model, tries))
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60]


def _has_failed(model: BackgroundEmbedder, times: int) -> bool:
    with model._lock:  # when it is tried again is noted a little later
        return model._failures == times


@pytest.mark.parametrize("call", ["query", "documents"])
@pytest.mark.usefixtures("soon")
def test_a_server_that_goes_away_in_use_comes_back_in_use(
    server: EmbeddingServer, call: str
) -> None:
    model = embedder(server)
    assert model.wait()
    before = model.identity()
    server.stop()
    with pytest.raises(ModelUnavailable, match="cannot be reached"):
        model.query("a pier") if call == "query" else model.documents(["a pier"])
    assert model.state == "unavailable"
    assert model.identity() == before
    server.start()
    until(model.wait)
    assert len(model.documents(["a pier"])) == 1


def test_a_text_that_is_refused_is_no_reason_to_give_the_model_up(
    server: EmbeddingServer,
) -> None:
    model = embedder(server)
    assert model.wait()
    server.refuses = lambda given: Reply(400, "no") if given.texts == ["poison"] else None
    with pytest.raises(EmbeddingError, match="answered 400"):
        model.query("poison")
    assert model.state == "ready"
    assert len(model.query("a pier")) == server.dimensions


@pytest.mark.usefixtures("soon")
def test_many_threads_that_lose_it_load_it_again_once(server: EmbeddingServer) -> None:
    model = embedder(server)
    assert model.wait()
    server.stop()

    def lose(number: int) -> None:
        with pytest.raises(ModelUnavailable):
            model.query(f"question {number}")

    with ThreadPoolExecutor(8) as threads:
        [*threads.map(lose, range(8))]
    held = threading.Event()
    server.requests.clear()
    server.begins = lambda _: held.wait()
    server.start()
    with ThreadPoolExecutor(8) as threads:
        [*threads.map(lambda _: model.wait(0), range(40))]
        until(lambda: server.requests)
        [*threads.map(lambda _: model.wait(0), range(40))]
        assert len(server.requests) == 1
        held.set()
    until(model.wait)


@pytest.mark.usefixtures("soon")
def test_a_call_that_fails_late_does_not_lose_the_model_that_was_loaded_since(
    server: EmbeddingServer,
) -> None:
    model = embedder(server)
    assert model.wait()
    reached, go = threading.Event(), threading.Event()

    def begins(given: Given) -> None:
        if given.texts == ["late"]:
            reached.set()
            go.wait()

    server.begins = begins
    server.refuses = lambda given: Reply(401) if given.texts in (["late"], ["early"]) else None
    with ThreadPoolExecutor(1) as threads:
        late = threads.submit(model.query, "late")
        reached.wait()
        with pytest.raises(ModelUnavailable):
            model.query("early")
        model._again = 0.0  # the pause after a refusal is over
        until(model.wait)
        go.set()
        with pytest.raises(ModelUnavailable):
            late.result()
    assert model.state == "ready"


@pytest.mark.usefixtures("soon")
def test_another_model_in_its_place_is_noticed_and_its_questions_are_embedded_anew(
    server: EmbeddingServer,
) -> None:
    model = embedder(server)
    assert model.wait()
    before = model.identity()
    model.query("a pier")
    server.dimensions = 24
    with pytest.raises(ModelUnavailable, match="of 24 numbers, and earlier with 16"):
        model.query("a boat")
    until(model.wait)
    assert model.identity().matched(before) != before
    assert model.query("a pier") == pytest.approx(vector("a pier", 24))


# A store


@dataclass
class LostEmbedder(FakeEmbedder):
    """A model that is away until its state is set to ready; remembers how often it was asked."""

    lost: int = 0

    def documents(self, texts: Any, **how: Any) -> list[Vector]:  # noqa: ANN401 - the protocol's
        if self.state != "ready" or self.lost:
            self.lost = max(0, self.lost - 1)
            raise ModelUnavailable("the server is gone")
        return super().documents(texts, **how)


@pytest.fixture
def waiting(graph: Graph, project: str) -> Iterator[Graph]:
    """A store in which passages wait for the model."""
    broken = FakeEmbedder(state="failed", reason="the model is broken")
    memory_with(broken, graph, project).remember(
        [{"name": f"Boat {i}", "text": "part of the backlog"} for i in range(5)]
    )
    yield graph
    fill_pending(graph, FakeEmbedder())


def test_a_backlog_is_not_embedded_text_by_text_where_the_server_is_gone(
    waiting: Graph, caplog: pytest.LogCaptureFixture
) -> None:
    gone = LostEmbedder(lost=1)
    with caplog.at_level(logging.INFO), pytest.raises(ModelUnavailable):
        fill_pending(waiting, gone)
    assert gone.embedded == []
    assert own_records(caplog) == []


def test_a_server_works_the_backlog_off_when_the_model_is_there_again(
    waiting: Graph, project: str
) -> None:
    away = LostEmbedder(state="unavailable", reason="the server is gone", lost=2)
    model = StoreModel(waiting, away, wait_for_model=False, read_only=False)
    memory = Memory(waiting, model, project)
    try:
        answer = memory.search("backlog")
        assert len(answer.hits) == 5
        assert answer.degraded == "the server is gone; searched by words and links only"
        away.state = "ready"  # and it is lost twice more while it embeds
        until(lambda: memory.stats().pending == 0)
        assert away.lost == 0
    finally:
        model.close()


# From end to end


def served(home: Path, server: EmbeddingServer) -> Settings:
    return small(home, embedding_url=server.url, embedding_model="harbour", embedding_key=KEY)


def terminal(config: Settings, server: EmbeddingServer, *tokens: str) -> tuple[int, str]:
    """Run a command in a process of its own; gives its exit code and all it printed."""
    ours = variables_of(config) | {
        "GRAPHMEM_PROJECT": "p",
        "GRAPHMEM_EMBEDDING_URL": server.url,
        "GRAPHMEM_EMBEDDING_MODEL": "harbour",
        "GRAPHMEM_EMBEDDING_KEY": KEY,
    }
    ran = subprocess.run(
        [sys.executable, "-m", "graphmem", *tokens],
        cwd=ROOT, env=os.environ | ours, capture_output=True, text=True, check=False,
    )  # fmt: skip
    printed = ran.stdout + ran.stderr
    assert KEY not in printed
    return ran.returncode, printed


def write(file: Path, names: range, text: str) -> Path:
    lines = [{"type": "entity", "name": f"Berth {i}", "text": f"{text} {i}"} for i in names]
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return file


@pytest.mark.live
@pytest.mark.usefixtures("soon")
def test_a_memory_outlives_its_embedding_server(server: EmbeddingServer, tmp_path: Path) -> None:
    with fresh_home() as home:
        config = served(home, server)
        with Memory.open(project="p", config=config, wait_for_model=False) as memory:
            memory.model.embedder.wait()
            first = write(tmp_path / "first.jsonl", range(3), "boats are tied up overnight")
            assert memory.import_("jsonl", first).notes == ()
            assert memory.search("boats tied up", mode="semantic").degraded is None

            # It dies in the middle of an import: what it embedded by then stays.
            server.refuses = lambda given: Reply(None) if "spare 25" in str(given.texts) else None
            many = write(tmp_path / "many.jsonl", range(10, 300), "spare")
            (note,) = memory.import_("jsonl", many).notes
            assert note.startswith("the embedding server at http://127.0.0.1:")
            assert note.endswith(
                "the passages wait to be embedded; until then, they are found by words"
            )
            server.stop()
            assert memory.stats().entities == 293
            assert memory.stats().pending > 0
            answer = memory.search("spare 299", mode="semantic")
            assert answer.hits[0].name == "Berth 299"
            assert "searched by words and links only" in (answer.degraded or "")

            code, printed = terminal(config, server, "doctor", "--project", "p")
            assert code == 1
            assert f"http://127.0.0.1:{server.port} cannot be reached" in " ".join(printed.split())

            # Nothing is opened again.
            before = len(server.embedded)
            server.refuses = lambda _: None
            server.start()
            until(lambda: memory.stats().pending == 0)
            again = [text for text in server.embedded[before:] if text.startswith("Berth")]
            assert len(again) == len(set(again)) <= 290
            answer = memory.search("spare 299", mode="semantic")
            assert (answer.hits[0].name, answer.degraded) == ("Berth 299", None)

        code, printed = terminal(config, server, "doctor", "--project", "p", "--json")
        said = {
            check["name"]: check["message"]
            for check in json.loads(printed.splitlines()[0])["checks"]
        }
        assert code == 0
        assert f", at http://127.0.0.1:{server.port};" in said["model"]

        # The same model, served under another name; and another one.
        renamed = attrs.evolve(config, embedding_model="org/harbour:latest")
        with Memory.open(project="p", config=renamed) as memory:
            assert memory.search("boats tied up", mode="semantic").degraded is None
        server.alters = lambda items: [
            item | {"embedding": item["embedding"][::-1]} for item in items
        ]
        with Memory.open(project="p", config=config) as memory:
            reason = memory.search("boats tied up", mode="semantic").degraded
            assert "the store was embedded with harbour (probe-" in (reason or "")
