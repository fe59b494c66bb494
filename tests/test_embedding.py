"""The real model: loaded in the background, the same wherever it comes from, known texts kept."""

import math
import os
import shutil
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fakes import DEFAULT_IDENTITY
from graphmem.embedding import (
    CALIBRATIONS,
    DEFAULT_MODEL,
    BackgroundEmbedder,
    calibration_of,
    document,
    folder_of,
    is_calibrated,
    local_embedder,
    packaged_model,
)
from graphmem.embedding.onnx_model import BATCH_TOKENS, KEPT_TOKENS
from graphmem.embedding.query_first import QueryFirstLock
from graphmem.errors import EmbeddingError
from graphmem.graph import Graph
from graphmem.settings import Settings
from memories import memory_with
from neo4j_servers import until
from python_programs import run_python

pytestmark = pytest.mark.live


# Ctrl-C may come when the main thread is counted and not yet in the block that takes it back.
INTERRUPTED = """
import graphmem.embedding.native_code as waiting

waiting.SECONDS = 3600.0
block = waiting.native_code()
block.__enter__()
raise KeyboardInterrupt
"""


def test_a_process_that_was_interrupted_does_not_wait_for_itself() -> None:
    assert "KeyboardInterrupt" in run_python(INTERRUPTED).stderr


def located(model: str, *, hub: bool) -> BackgroundEmbedder:
    """A model by its setting, whose export is that of the machine."""
    return local_embedder(model, exports=Settings().cache / "models", hub=hub)


def cosine(a: list[float], b: list[float]) -> float:
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def test_the_model_is_the_one_the_fake_stands_in_for(real_model: BackgroundEmbedder) -> None:
    assert real_model.identity() == DEFAULT_IDENTITY


def test_embeddings_have_length_one_and_know_meaning(real_model: BackgroundEmbedder) -> None:
    cat, kitten, tax = real_model.documents(["A cat sleeps.", "The kitten naps.", "Tax law."])
    assert cosine(cat, cat) == pytest.approx(1, abs=1e-5)
    assert cosine(cat, kitten) > 0.4 > cosine(cat, tax)


def test_documents_come_back_in_their_order(real_model: BackgroundEmbedder) -> None:
    texts = [f"text {'long ' * (i % 7)}{i}" for i in range(70)]
    together = real_model.documents(texts)
    for index in (0, 33, 69):
        assert cosine(together[index], real_model.documents([texts[index]])[0]) > 0.9999


def test_the_same_question_is_embedded_once(real_model: BackgroundEmbedder) -> None:
    assert real_model.query("one question only") is real_model.query("one question only")


def test_an_empty_text_and_a_huge_one_are_embedded(real_model: BackgroundEmbedder) -> None:
    for text in ("", "word " * 20_000, "🦀", "\u0000"):
        assert len(real_model.documents([text])[0]) == 384


def test_a_model_from_a_folder_is_the_same_model(real_model: BackgroundEmbedder) -> None:
    folder = packaged_model()
    assert folder is not None
    other = located(str(folder), hub=False)
    assert other.wait(), other.reason
    assert other.identity().revision == real_model.identity().revision


@pytest.mark.parametrize("name", ["no-such-model-anywhere", "/no/such/folder"])
def test_a_model_that_is_not_there_fails_with_the_next_step(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    missing = located(name, hub=False)
    assert not missing.wait()
    assert missing.state == "failed"
    assert name in (missing.reason or "")
    assert "GRAPHMEM_MODEL" in (missing.reason or "")
    with pytest.raises(EmbeddingError, match="GRAPHMEM_MODEL"):
        missing.query("x")


@pytest.mark.parametrize(
    ("setting", "means"),
    [
        ("all-MiniLM-L6-v2", None),
        ("models", None),
        ("intfloat/e5-small", None),
        (".hidden", None),
        ("~someone/model", None),
        ("/srv/model", Path("/srv/model")),
        ("./models", Path.cwd() / "models"),
        ("../models", Path.cwd().parent / "models"),
        (".", Path.cwd()),
        ("~/models", Path.home() / "models"),
    ],
)
def test_a_model_is_a_folder_only_by_its_path(setting: str, means: Path | None) -> None:
    assert folder_of(setting) == means


def test_a_folder_in_the_working_folder_is_not_taken_for_the_default_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, real_model: BackgroundEmbedder
) -> None:
    (tmp_path / DEFAULT_MODEL).mkdir()
    monkeypatch.chdir(tmp_path)
    embedder = located(DEFAULT_MODEL, hub=False)
    assert embedder.wait(), embedder.reason
    assert embedder.identity() == real_model.identity()


def test_a_folder_is_not_taken_for_a_model_of_the_hub_but_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, real_model: BackgroundEmbedder
) -> None:
    folder = packaged_model()
    assert folder is not None
    shutil.copytree(folder, tmp_path / "some" / "model")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    by_name = located("some/model", hub=False)
    assert not by_name.wait()
    assert "the folder of that name is ./some/model" in (by_name.reason or "")
    by_path = located("./some/model", hub=False)
    assert by_path.wait(), by_path.reason
    assert by_path.identity().revision == real_model.identity().revision


def test_a_question_goes_before_documents_that_wait() -> None:
    lock = QueryFirstLock()
    order: list[str] = []

    def take(what: str) -> None:
        with lock.hold(query=what == "question"):
            order.append(what)

    threads = [threading.Thread(target=take, args=(what,)) for what in ("document", "question")]
    with lock.hold(query=False):
        for thread in threads:
            thread.start()
        until(lambda: lock._waiting_queries == 1)
        until(lambda: len(lock._changed._waiters) == 2)  # type: ignore[attr-defined]
    for thread in threads:
        thread.join()
    assert order == ["question", "document"]


def test_a_question_is_embedded_while_documents_are(real_model: BackgroundEmbedder) -> None:
    texts = [f"a boat of many words {i} " * 20 for i in range(120)]
    begun, done = threading.Event(), 0

    def advance(more: int) -> None:
        nonlocal done
        done += more
        begun.set()

    with ThreadPoolExecutor(1) as threads:
        documents = threads.submit(real_model.documents, texts, advance=advance)
        begun.wait()
        real_model.query("a question in between")
        assert done < len(texts)
        documents.result()
    assert done == len(texts)


def test_documents_may_be_embedded_by_several_threads(real_model: BackgroundEmbedder) -> None:
    texts = [f"text {'long ' * (i % 5)}{i}" for i in range(40)]
    alone = real_model.documents(texts)
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(real_model.documents, [texts] * 4))
    for vectors in together:
        assert all(cosine(a, b) > 0.9999 for a, b in zip(alone, vectors, strict=True))


def test_an_empty_folder_is_no_model(tmp_path: Path) -> None:
    empty = located(str(tmp_path), hub=False)
    assert not empty.wait()
    assert empty.reason is not None


def test_name_and_title_stand_above_the_text() -> None:
    assert document("A", "B", " text\n") == "A\nB\ntext"
    assert document("A", "A", "text") == document("A", None, "text") == "A\ntext"


def test_search_by_meaning_finds_what_shares_no_word(
    graph: Graph, real_model: BackgroundEmbedder, project: str
) -> None:
    memory = memory_with(real_model, graph, project)
    memory.remember(
        [
            {"name": "Harbour", "text": "Boats are tied up at the pier overnight."},
            {"name": "Bakery", "text": "Bread leaves the oven at five."},
        ]
    )
    answer = memory.search("where can I moor my ship", mode="semantic")
    assert [hit.name for hit in answer.hits] == ["Harbour"]
    assert answer.hits[0].matched.text == 0
    assert answer.degraded is None


def test_a_model_that_was_not_measured_is_ranked_as_the_default_one() -> None:
    assert is_calibrated(DEFAULT_MODEL)
    assert not is_calibrated("another")
    assert calibration_of("another") == calibration_of(DEFAULT_MODEL)
    assert all(
        -1 <= calibration.mean < 1 and 0 < calibration.deviation < 1
        for calibration in CALIBRATIONS.values()
    )


def test_onnxruntime_keeps_no_record_for_its_maker(tmp_path: Path) -> None:
    """It would keep one in the user's cache, and send it."""
    subprocess.run(
        [sys.executable, "-c", "from graphmem.embedding.onnx_model import OnnxModel"],
        env={"HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)},
        check=True,
    )
    assert list(tmp_path.rglob("*")) == []


# Embeds in a process of its own, and prints by how many megabytes that has grown.
GROWTH = """
import sys
from pathlib import Path
import psutil
from graphmem.embedding import local_embedder, onnx_model
onnx_model.BATCH_TOKENS = int(sys.argv[2])
model = local_embedder("all-MiniLM-L6-v2", exports=Path(sys.argv[1]), hub=False)
assert model.wait(), model.reason
model.query("a tide")
before = psutil.Process().memory_info().rss
model.documents(["tide and ebb " * (1 + number % 80) for number in range(int(sys.argv[3]))])
print((psutil.Process().memory_info().rss - before) // 1_000_000)
"""


@pytest.mark.parametrize(
    ("batch_tokens", "texts", "most"),
    [
        pytest.param(BATCH_TOKENS, 300, 150, id="batches"),
        pytest.param(40 * KEPT_TOKENS, 80, 300, id="more than is kept"),
    ],
)
def test_documents_leave_little_memory_taken(batch_tokens: int, texts: int, most: int) -> None:
    arguments = [str(Settings().cache / "models"), str(batch_tokens), str(texts)]
    assert int(run_python(GROWTH, *arguments, check=True).stdout) < most
