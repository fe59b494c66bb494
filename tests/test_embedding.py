"""The real model: loaded in the background, the same wherever it comes from, known texts kept."""

import math
from pathlib import Path

import pytest

from fakes import DEFAULT_IDENTITY
from graphmem.embedding import SentenceEmbedder, document, packaged_model
from graphmem.errors import EmbeddingError
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.memory.model import StoreModel

pytestmark = pytest.mark.live


def cosine(a: list[float], b: list[float]) -> float:
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def test_the_model_is_the_one_the_fake_stands_in_for(real_model: SentenceEmbedder) -> None:
    assert real_model.identity() == DEFAULT_IDENTITY


def test_embeddings_have_length_one_and_know_meaning(real_model: SentenceEmbedder) -> None:
    cat, kitten, tax = real_model.documents(["A cat sleeps.", "The kitten naps.", "Tax law."])
    assert cosine(cat, cat) == pytest.approx(1, abs=1e-5)
    assert cosine(cat, kitten) > 0.4 > cosine(cat, tax)


def test_documents_come_back_in_their_order(real_model: SentenceEmbedder) -> None:
    texts = [f"text {'long ' * (i % 7)}{i}" for i in range(70)]
    together = real_model.documents(texts)
    for index in (0, 33, 69):
        assert cosine(together[index], real_model.documents([texts[index]])[0]) > 0.9999


def test_the_same_question_is_embedded_once(real_model: SentenceEmbedder) -> None:
    before = real_model.encoded
    assert real_model.query("one question only") == real_model.query("one question only")
    assert real_model.encoded == before + 1


def test_an_empty_text_and_a_huge_one_are_embedded(real_model: SentenceEmbedder) -> None:
    for text in ("", "word " * 20_000, "🦀", "\u0000"):
        assert len(real_model.documents([text])[0]) == 384


def test_a_model_from_a_folder_is_the_same_model(real_model: SentenceEmbedder) -> None:
    folder = packaged_model()
    assert folder is not None
    other = SentenceEmbedder(str(folder), hub=False)
    assert other.wait(), other.reason
    assert other.identity().revision == real_model.identity().revision


@pytest.mark.parametrize("name", ["no-such-model-anywhere", "/no/such/folder"])
def test_a_model_that_is_not_there_fails_with_the_next_step(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    missing = SentenceEmbedder(name, hub=False)
    assert not missing.wait()
    assert missing.state == "failed"
    assert name in (missing.reason or "")
    assert "GRAPHMEM_MODEL" in (missing.reason or "")
    with pytest.raises(EmbeddingError, match="GRAPHMEM_MODEL"):
        missing.query("x")


def test_an_empty_folder_is_no_model(tmp_path: Path) -> None:
    empty = SentenceEmbedder(str(tmp_path), hub=False)
    assert not empty.wait()
    assert empty.reason is not None


def test_name_and_title_stand_above_the_text() -> None:
    assert document("A", "B", " text\n") == "A\nB\ntext"
    assert document("A", "A", "text") == document("A", None, "text") == "A\ntext"


def test_search_by_meaning_finds_what_shares_no_word(
    graph: Graph, real_model: SentenceEmbedder, project: str
) -> None:
    memory = Memory(graph, StoreModel(graph, real_model, waits=True, read_only=False), project)
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
