"""Without a model, with a broken one, or with an index that is being filled: the best answer there
is, and a sentence that says which."""

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from fakes import OddEmbedder
from graphmem.embedding import BackgroundEmbedder, Vector
from graphmem.embedding.background_model import LoadProgress
from graphmem.embedding.embedder import LoadedModel
from graphmem.errors import DatabaseError, DatabaseTimeout, IndexNotReady
from graphmem.graph import Graph, Row
from graphmem.memory import Memory
from memories import memory_with

BOATS = [{"name": "Heron", "text": "A berth by the harbour wall."}]


@pytest.mark.parametrize(
    ("gives", "said"),
    [
        (None, "letters too many"),
        ([0.0] * 384, "no usable embedding"),
        ([float("nan")] * 384, "no usable embedding"),
        ([1.0] * 3, "no usable embedding"),
    ],
)
@pytest.mark.parametrize("mode", ["hybrid", "semantic"])
def test_a_query_that_cannot_be_embedded_is_answered_by_words(
    graph: Graph, project: str, gives: Vector | None, said: str, mode: str
) -> None:
    memory = memory_with(OddEmbedder(gives=gives), graph, project)
    memory.remember(BOATS)
    answer = memory.search("berth", mode=mode)  # type: ignore[arg-type]
    assert [hit.name for hit in answer.hits] == ["Heron"]
    assert answer.degraded is not None
    assert said in answer.degraded
    assert "searched by words and links only" in answer.degraded


@dataclass
class Refusing:
    """The connection, with searches that fail: the server's own refusals cannot be had on demand.

    Args:
        fails: By which of them, counted from 1, what is raised.
        filling: Whether indexes say that they are being filled.
    """

    fails: Mapping[int, DatabaseError]
    filling: bool = False
    searches: int = 0

    def patch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Have every connection read so."""
        reading = Graph.read

        def read(graph: Graph, name: str, /, **parameters: object) -> list[Row]:
            searching = name.startswith("read/search_")
            self.searches += searching
            if searching and self.searches in self.fails:
                raise self.fails[self.searches]
            rows = reading(graph, name, **parameters)
            if name == "read/indexes" and self.filling:
                return [row | {"state": "POPULATING"} for row in rows]
            return rows

        monkeypatch.setattr(Graph, "read", read)


FILLING = IndexNotReady("an index is still being filled; try again soon")
SLOW = DatabaseTimeout("the database took longer than the time limit")
REFUSED = DatabaseError(
    "the database refused the statement: the index did not come online within 30 seconds"
)


@pytest.mark.parametrize(
    ("fails", "filling", "said"),
    [
        ({1: FILLING}, False, "searched by words and links only"),
        ({1: FILLING, 2: FILLING}, False, "searched by meaning and links only"),
        ({1: SLOW}, True, "searched by meaning and links only"),
        ({1: REFUSED}, True, "searched by meaning and links only"),
    ],
)
def test_while_an_index_is_filled_the_others_answer(
    memory: Memory,
    monkeypatch: pytest.MonkeyPatch,
    fails: Mapping[int, DatabaseError],
    *,
    filling: bool,
    said: str,
) -> None:
    memory.remember(BOATS)
    Refusing(fails, filling).patch(monkeypatch)
    answer = memory.search("berth by the harbour wall")
    assert [hit.name for hit in answer.hits] == ["Heron"]
    assert said in (answer.degraded or "")


@pytest.mark.parametrize("error", [SLOW, REFUSED])
def test_a_slow_answer_is_an_error_where_every_index_is_there(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, error: DatabaseError
) -> None:
    memory.remember(BOATS)
    Refusing({1: error, 2: error}).patch(monkeypatch)
    with pytest.raises(type(error), match=str(error)):
        memory.search("berth")


def test_words_alone_wait_for_their_index(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.remember(BOATS)
    Refusing({1: SLOW}, filling=True).patch(monkeypatch)
    with pytest.raises(IndexNotReady, match="still being filled; try again soon"):
        memory.search("berth", mode="keyword")


def test_a_model_whose_files_are_broken_fails_with_a_sentence() -> None:
    def broken(_: LoadProgress) -> LoadedModel:
        raise KeyError("weights")

    embedder = BackgroundEmbedder("broken", broken, hint="; try another")
    assert not embedder.wait()
    assert "cannot be loaded" in (embedder.reason or "")
