"""What an import embedded and did not write is not embedded again."""

import logging
import sqlite3
import stat
from array import array
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from concurrent_calls import at_once
from fakes import FakeEmbedder
from graphmem.embedding import ModelIdentity, RecentEmbeddings, Vector, recent
from graphmem.memory.store.write_model import WriteModel
from log_records import own_records

MODEL = ModelIdentity("model", "1", 3)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "embeddings.sqlite"


@pytest.fixture
def embeddings_in(path: Path) -> RecentEmbeddings:
    return RecentEmbeddings(path)


def test_an_embedding_is_found_again_exactly_by_whoever_opens_the_file(
    embeddings_in: RecentEmbeddings, path: Path
) -> None:
    embeddings_in.add(MODEL, {"tide": [0.1, -0.25, 1e-17], "": [1.0, 0.0, 0.0]})
    again = RecentEmbeddings(path)
    assert again.find(MODEL, ["tide", "ebb", ""]) == {
        "tide": [0.1, -0.25, 1e-17], "": [1.0, 0.0, 0.0],
    }  # fmt: skip


def test_an_embedding_of_another_model_is_not_found(embeddings_in: RecentEmbeddings) -> None:
    embeddings_in.add(MODEL, {"tide": [0.1, 0.2, 0.3]})
    assert embeddings_in.find(ModelIdentity("model", "2", 3), ["tide"]) == {}
    assert embeddings_in.find(ModelIdentity("model", "1", 4), ["tide"]) == {}


def test_the_file_is_readable_by_its_owner_alone_and_holds_no_text(
    embeddings_in: RecentEmbeddings, path: Path
) -> None:
    embeddings_in.add(MODEL, {"a secret harbour": [0.1, 0.2, 0.3]})
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert b"harbour" not in path.read_bytes()


def test_the_oldest_are_dropped(
    embeddings_in: RecentEmbeddings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recent, "MOST_VECTORS", 5)
    for number in range(4):
        embeddings_in.add(MODEL, {f"{number} {n}": [1.0, 0.0, float(n)] for n in range(3)})
    texts = [f"{number} {n}" for number in range(4) for n in range(3)]
    assert list(embeddings_in.find(MODEL, texts)) == texts[-5:]


@pytest.mark.parametrize("content", [b"no database at all" * 100, b"SQLite format 3\0" * 50])
def test_a_damaged_file_is_named_once_and_nothing_fails(
    embeddings_in: RecentEmbeddings, path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with caplog.at_level(logging.WARNING):
        embeddings_in.add(MODEL, {"tide": [0.1, 0.2, 0.3]})
        assert embeddings_in.find(MODEL, ["tide"]) == {}
        embeddings_in.add(MODEL, {"tide": [0.1, 0.2, 0.3]})
    assert [record.getMessage().count(str(path)) for record in own_records(caplog)] == [1]


def test_a_folder_in_its_place_fails_nothing(embeddings_in: RecentEmbeddings, path: Path) -> None:
    path.mkdir(parents=True)
    embeddings_in.add(MODEL, {"tide": [0.1, 0.2, 0.3]})
    assert embeddings_in.find(MODEL, ["tide"]) == {}


def test_many_threads_share_the_file(path: Path) -> None:
    def write(number: int) -> None:
        RecentEmbeddings(path).add(MODEL, {f"{number}": [float(number), 0.0, 0.0]})

    at_once(*(partial(write, number) for number in range(20)))
    texts = [str(number) for number in range(20)]
    assert RecentEmbeddings(path).find(MODEL, texts) == {t: [float(t), 0.0, 0.0] for t in texts}


def test_only_what_is_not_kept_is_embedded(embeddings_in: RecentEmbeddings) -> None:
    texts = [f"Note {number} tells of the tide." for number in range(70)]
    first = FakeEmbedder()
    made = WriteModel(first, embeddings_in).documents(texts)
    assert made == FakeEmbedder().documents(texts)
    second = FakeEmbedder()
    counted: list[int] = []
    mixed = ["Another.", *texts, "Another.", texts[0]]
    again = WriteModel(second, embeddings_in).documents(mixed, advance=counted.append)
    assert again == FakeEmbedder().documents(mixed)
    assert second.embedded == ["Another."]
    assert sum(counted) == len(texts) + 2


class LearningEmbedder(FakeEmbedder):
    """Learns with each batch that it is slower than it was taken for."""

    def documents(
        self, texts: Sequence[str], *, advance: Callable[[int], None] = lambda _: None
    ) -> list[Vector]:
        self.together = max(1, self.together // 2)
        return super().documents(texts, advance=advance)


def test_the_model_says_before_each_batch_how_many_it_takes(
    embeddings_in: RecentEmbeddings,
) -> None:
    slow = LearningEmbedder(together=8)
    WriteModel(slow, embeddings_in).documents([f"Note {number}" for number in range(17)])
    assert slow.batches == [8, 4, 2, 1, 1, 1]


def test_what_is_cleared_leaves_no_bytes_in_the_file(
    embeddings_in: RecentEmbeddings, path: Path
) -> None:
    embeddings_in.add(MODEL, {str(number): [0.1, number / 7, 0.3] for number in range(500)})
    vector = array("d", [0.1, 3 / 7, 0.3]).tobytes()
    assert vector in path.read_bytes()
    embeddings_in.clear()
    assert embeddings_in.find(MODEL, ["3"]) == {}
    assert vector not in path.read_bytes()
    embeddings_in.add(MODEL, {"tide": [0.1, 0.2, 0.3]})
    assert embeddings_in.find(MODEL, ["tide"]) == {"tide": [0.1, 0.2, 0.3]}


def test_a_file_that_could_not_be_used_for_a_while_is_cleared(
    embeddings_in: RecentEmbeddings, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    embeddings_in.add(MODEL, {"tide": [0.1, 0.2, 0.3]})
    monkeypatch.setattr(recent, "BUSY_SECONDS", 0.0)
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert embeddings_in.find(MODEL, ["tide"]) == {}
    embeddings_in.clear()
    assert RecentEmbeddings(path).find(MODEL, ["tide"]) == {}


def test_clearing_makes_no_file(embeddings_in: RecentEmbeddings, path: Path) -> None:
    embeddings_in.clear()
    assert not path.exists()
