"""Who waits for a search of the past, and what it answers where the server refuses a part of it."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest
from neo4j.exceptions import Neo4jError

from concurrent_calls import at_once
from fakes import FakeEmbedder
from graphmem.embedding import Vector
from graphmem.errors import DatabaseTimeout, IndexNotReady
from graphmem.graph import Graph, Row, Transaction, rehearsal
from graphmem.memory import Memory
from graphmem.memory.past import as_of
from graphmem.model import Answer
from graphmem.model.filters import Filters
from graphmem.search import Plan
from graphmem.search.concurrency import AT_ONCE
from neo4j_servers import until
from past_searches import search_as_of
from stores import is_blocked

NOT_READY = ("Neo.ClientError.Procedure.ProcedureCallFailed", "51N63: it is populating")
SLOW = ("Neo.ClientError.Transaction.TransactionTimedOut", "it was terminated")
LARGE = ("Neo.TransientError.General.MemoryPoolOutOfMemoryError", "too much")
REFUSED = (
    "Neo.ClientError.Procedure.ProcedureCallFailed",
    "the index did not come online within 30 seconds",
)


@dataclass
class WritingEmbedder(FakeEmbedder):
    """Has somebody write, once, before it embeds a query or documents."""

    before_query: Callable[[], object] | None = None
    before_documents: Callable[[], object] | None = None

    def query(self, text: str) -> Vector:
        write, self.before_query = self.before_query, None
        if write is not None:
            write()
        return super().query(text)

    def documents(
        self, texts: Sequence[str], *, advance: Callable[[int], None] = lambda _: None
    ) -> list[Vector]:
        write, self.before_documents = self.before_documents, None
        if write is not None:
            write()
        return super().documents(texts, advance=advance)


@dataclass
class Refusing:
    """A server that refuses some searches in transactions, which are broken off by that.

    Args:
        fails: With what, by which of them, counted from 1: a code and a message.
    """

    fails: dict[int, tuple[str, str]]
    searches: list[str] = field(default_factory=list)

    def patch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        running = Transaction.run

        def run(transaction: Transaction, name: str, /, **parameters: object) -> list[Row]:
            if name.startswith("read/search_"):
                self.searches.append(name)
                if refused := self.fails.get(len(self.searches)):
                    with pytest.raises(Neo4jError):
                        transaction._driver_transaction.run("RETURN 1 / 0").consume()
                    raise Neo4jError._hydrate_neo4j(code=refused[0], message=refused[1])
            return running(transaction, name, **parameters)

        monkeypatch.setattr(Transaction, "run", run)


@pytest.fixture
def embedder() -> WritingEmbedder:
    """The embedder of the memory of these tests."""
    return WritingEmbedder()


@pytest.fixture
def moment(memory: Memory) -> datetime:
    """When the cache was of amber; it is of emerald now."""
    memory.remember([{"name": "Cache", "text": "amber"}, {"name": "Queue", "text": "basalt"}])
    then = datetime.now(UTC)
    memory.edit({"name": "Cache", "text": "emerald"})
    return then


def names(answer: Answer) -> list[str]:
    return [hit.name for hit in answer.hits]


@contextmanager
def in_thread(call: Callable[[], object]) -> Iterator[list[Any]]:
    """Make a call meanwhile; what it gives is in the list at the end."""
    given: list[Any] = []
    thread = threading.Thread(target=lambda: given.append(call()))
    thread.start()
    try:
        yield given
    finally:
        thread.join()


# Who waits


def test_a_writer_does_not_wait_while_a_query_of_the_past_is_embedded(
    memory: Memory, embedder: WritingEmbedder
) -> None:
    memory.remember([{"name": "Cache", "text": "basalt"}])
    then = datetime.now(UTC)
    memory.edit({"name": "Cache", "text": "emerald"})
    embedder.before_query = lambda: memory.edit({"name": "Cache", "title": "Written meanwhile"})

    answer = memory.search("basalt", as_of=then)

    assert [hit.title for hit in answer.hits] == [None]
    assert memory.get("Cache")[0].entity.title == "Written meanwhile"


def test_a_writer_does_not_wait_while_texts_of_the_past_are_embedded(
    memory: Memory, embedder: WritingEmbedder
) -> None:
    memory.remember([{"name": "Cache", "text": "amber"}, {"name": "Queue", "text": "basalt"}])
    then = datetime.now(UTC)
    memory.edit({"name": "Cache", "text": "emerald"})

    def meanwhile() -> None:
        memory.edit({"name": "Cache", "text": "granite"})
        memory.merge("Queue", "Cache")

    answers = []
    for write in (lambda: memory.edit({"name": "Cache", "text": "granite"}), meanwhile):
        embedder.before_documents = write
        answers.append(memory.search("amber", mode="semantic", as_of=then, scope="project"))
        assert embedder.before_documents is None

    for answer in answers:
        assert names(answer)[0] == "Cache"
        assert answer.hits[0].passages[0].text == "amber"
    assert answers[0].degraded is None


@pytest.mark.parametrize("changed", [["Cache"], []])
def test_what_changes_for_the_first_time_before_anything_is_locked_is_taken_back(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, changed: list[str]
) -> None:
    memory.remember([{"name": "Cache", "text": "amber"}, {"name": "Queue", "text": "basalt"}])
    then = datetime.now(UTC)
    for name in changed:
        memory.edit({"name": name, "text": "emerald"})
    running = rehearsal.rehearse

    def rehearse(*arguments: Any) -> Any:  # noqa: ANN401
        memory.edit({"name": "Queue", "text": "granite"})
        memory.remember([{"name": "Made meanwhile", "text": "basalt"}])
        return running(*arguments)

    monkeypatch.setattr("graphmem.memory.past.as_of.rehearse", rehearse)

    answer = memory.search("basalt", mode="keyword", as_of=then, scope="project")

    assert [(hit.name, hit.passages[0].text) for hit in answer.hits] == [("Queue", "basalt")]


def test_a_search_of_the_past_locks_in_the_order_in_which_writers_lock(
    memory: Memory, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.remember([{"name": "Alpha"}, {"name": "Cache", "text": "amber"}])
    memory.link("Cache", "USES", "Alpha")
    then = datetime.now(UTC)
    memory.edit({"name": "Cache", "text": "emerald"})
    holds, goes_on = threading.Event(), threading.Event()
    tries: list[str] = []
    running = Transaction.run

    def run(transaction: Transaction, name: str, /, **parameters: object) -> list[Row]:
        if name in {"write/set_entities_aside", "write/lock_keys"}:
            tries.append(name)
        return running(transaction, name, **parameters)

    def write(transaction: Transaction) -> None:
        transaction.run("write/lock_keys", keys=[f"{project}#alpha"])
        holds.set()
        goes_on.wait()
        transaction.run("write/lock_keys", keys=[f"{project}#cache"])

    monkeypatch.setattr(Transaction, "run", run)
    with in_thread(lambda: memory.graph.write(write)):
        holds.wait()
        with in_thread(lambda: memory.search("amber", as_of=then)) as answers:
            until(lambda: is_blocked(memory.graph))
            goes_on.set()

    assert names(answers[0])[0] == "Cache"
    assert sorted(tries) == ["write/lock_keys", "write/lock_keys", "write/set_entities_aside"]


def test_a_writer_does_not_wait_while_a_search_of_the_past_waits_for_others(
    memory: Memory, moment: datetime
) -> None:
    with in_thread(lambda: None), ExitStack() as others:
        for _ in range(AT_ONCE):
            others.enter_context(memory._searches.limiter.slot())
        with in_thread(lambda: memory.search("amber", as_of=moment)) as answers:
            until(lambda: bool(memory._searches.limiter._waiting))
            memory.edit({"name": "Cache", "title": "Written meanwhile"})
            others.close()
    assert names(answers[0]) == ["Cache"]


def test_searches_of_the_past_take_turns_so_that_writers_come_in_between(
    memory: Memory, moment: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside: list[int] = []
    most: list[int] = []
    rehearse = rehearsal.rehearse

    def counted(*arguments: Any) -> Any:  # noqa: ANN401 - whatever it gives
        inside.append(1)
        most.append(len(inside))
        try:
            return rehearse(*arguments)
        finally:
            inside.pop()

    monkeypatch.setattr(as_of, "rehearse", counted)
    at_once(
        *(lambda: memory.search("amber", as_of=moment) for _ in range(3)),
        lambda: memory.search("", kinds=["Concept"], as_of=moment),
    )
    assert most == [1, 1, 1, 1]


# What the server refuses


@pytest.mark.parametrize(
    ("fails", "filling", "said"),
    [
        ({1: NOT_READY}, False, "searched by words and links only"),
        ({1: NOT_READY, 2: NOT_READY}, False, "searched by meaning and links only"),
        ({1: SLOW}, True, "searched by meaning and links only"),
        ({1: REFUSED}, True, "searched by meaning and links only"),
    ],
)
def test_while_an_index_is_filled_the_others_answer_of_the_past(
    memory: Memory,
    moment: datetime,
    monkeypatch: pytest.MonkeyPatch,
    fails: dict[int, tuple[str, str]],
    *,
    filling: bool,
    said: str,
) -> None:
    read = Graph.read

    def reading(graph: Graph, name: str, /, **parameters: object) -> list[Row]:
        rows = read(graph, name, **parameters)
        return [
            row | {"state": "POPULATING"} if filling and name == "read/indexes" else row
            for row in rows
        ]

    monkeypatch.setattr(Graph, "read", reading)
    Refusing(fails).patch(monkeypatch)

    answer = memory.search("amber", as_of=moment, scope="project")

    assert names(answer) == ["Cache"]
    assert said in (answer.degraded or "")


def test_words_alone_of_the_past_wait_for_their_index(
    memory: Memory, moment: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    Refusing({1: NOT_READY}).patch(monkeypatch)
    with pytest.raises(IndexNotReady, match="still being filled; try again soon"):
        memory.search("amber", as_of=moment, mode="keyword")


@pytest.mark.parametrize("refused", [SLOW, LARGE])
@pytest.mark.usefixtures("moment")
def test_where_the_second_question_to_the_past_is_refused_the_first_answer_stands(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, refused: tuple[str, str]
) -> None:
    near = [{"name": f"Near {number}", "text": "amber cobalt"} for number in range(150)]
    far = [
        {"name": f"Far {number}", "text": "amber of another sort altogether", "tags": ["odd"]}
        for number in range(30)
    ]
    memory.remember([*near, *far, {"name": "Best", "text": "amber cobalt", "tags": ["odd"]}])
    then = datetime.now(UTC)
    memory.edit({"name": "Cache", "text": "granite"})
    filters = Filters((memory.project_name(),), tags=("odd",))
    plan = Plan(pool=10, exact_limit=20, mode="semantic", expand=False, as_of=then)
    refusing = Refusing({2: refused})
    refusing.patch(monkeypatch)

    answer = search_as_of(memory, then, "amber cobalt", filters, plan)

    assert len(refusing.searches) == 2
    assert names(answer) == ["Best"]
    assert not answer.total_exact


def test_a_search_of_the_past_that_takes_too_long_is_an_error(
    memory: Memory, moment: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    Refusing({1: SLOW}).patch(monkeypatch)
    with pytest.raises(DatabaseTimeout, match="GRAPHMEM_QUERY_SECONDS"):
        memory.search("amber", as_of=moment)
