"""A commit is a success or a failure, never twice: answers are lost for real, by a proxy."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Thread
from typing import TypeVar

import pytest

from fakes import FakeEmbedder
from fault_table import Record
from graphmem.adapters.memcp.profile.reflection import upkeep_of
from graphmem.errors import DatabaseError, DatabaseUnavailable, OutcomeUnknown, StartFailed
from graphmem.graph import Graph, Target, Transaction
from graphmem.graph.requests import REST_SECONDS, Writers
from graphmem.memory import Memory
from memories import memory_with
from neo4j_servers import until
from proxies import Proxy
from stores import is_blocked

Result = TypeVar("Result")

LONG_AGO = (datetime.now(UTC) - timedelta(days=90)).isoformat()
BOATS = [{"name": "Heron", "created_at": LONG_AGO}, {"name": "Tern"}]
MOORED = {"from": "Heron", "relation": "MOORED_AT", "to": "Tern"}


class Unlucky(Graph):
    """The connection, with something that happens to it between a write's work and its commit."""

    fault: Callable[[], None] | None = None
    worked = 0

    def write(self, work: Callable[[Transaction], Result]) -> Result:
        def working(transaction: Transaction) -> Result:
            value = work(transaction)
            self.worked += 1
            fault, self.fault = self.fault, None
            if fault is not None:
                fault()
            return value

        return super().write(working)


@pytest.fixture
def proxy(graph: Graph) -> Iterator[Proxy]:
    with Proxy(int(graph._target.uri.rpartition(":")[2])) as proxy:
        yield proxy


def through(graph: Graph, proxy: Proxy) -> Target:
    return replace(graph._target, uri=f"bolt://127.0.0.1:{proxy.port}")


@pytest.fixture
def unlucky(graph: Graph, proxy: Proxy) -> Iterator[Unlucky]:
    with Unlucky(lambda: through(graph, proxy), timeout=30) as unlucky:
        yield unlucky


@pytest.fixture
def lossy(unlucky: Unlucky, project: str) -> Iterator[Memory]:
    with memory_with(FakeEmbedder(), unlucky, project) as memory:
        yield memory


@pytest.fixture(params=["after the commit", "before the commit arrives"])
def fault(request: pytest.FixtureRequest, proxy: Proxy) -> Callable[[], None]:
    """What happens to the connection."""
    return proxy.lose_answer if request.param == "after the commit" else proxy.cut


def request_nodes(graph: Graph) -> set[str]:
    with graph._pool.driver.session(database=graph._target.database) as session:
        return set(session.run("MATCH (request:GraphmemRequest) RETURN request.id").value())


# Each happens once, and is reported as it happened


def test_a_weight_decays_once(
    lossy: Memory, unlucky: Unlucky, fault: Callable[[], None], project: str
) -> None:
    lossy.remember(BOATS)
    unlucky.fault = fault
    decayed = upkeep_of(lossy).decay(project)
    assert [(use.name, use.before, use.after) for use in decayed] == [("Heron", 1.0, 0.9)]
    assert upkeep_of(lossy).uses([decayed[0].key])[decayed[0].key].decay_weight == 0.9


def test_a_find_is_counted_once(lossy: Memory, unlucky: Unlucky, fault: Callable[[], None]) -> None:
    lossy.remember(BOATS)
    key = lossy.get("Heron")[0].entity.key or ""
    unlucky.fault = fault
    upkeep_of(lossy).note_use([key])
    assert upkeep_of(lossy).tracker.settle()
    assert upkeep_of(lossy).uses([key])[key].access_count == 1


def test_what_was_unlinked_is_counted(
    lossy: Memory, unlucky: Unlucky, fault: Callable[[], None]
) -> None:
    lossy.remember(BOATS, [MOORED])
    unlucky.fault = fault
    assert len(lossy.unlink("Heron", "Tern").items) == 1
    assert len(lossy.unlink("Heron", "Tern").items) == 0


def test_what_was_created_is_reported_as_created(
    lossy: Memory, unlucky: Unlucky, fault: Callable[[], None]
) -> None:
    lossy.remember([{"name": "Tern"}])
    unlucky.fault = fault
    report = lossy.remember([{"name": "Heron", "observations": ["A grey boat."]}])
    assert [item.outcome for item in report.items] == ["created"]
    again = lossy.remember([{"name": "Heron", "observations": ["A grey boat."]}])
    assert [item.outcome for item in again.items] == ["unchanged"]


def test_a_relation_that_was_created_is_reported_as_created(
    lossy: Memory, unlucky: Unlucky, fault: Callable[[], None]
) -> None:
    lossy.remember(BOATS)
    unlucky.fault = fault
    assert lossy.remember(relations=[MOORED]).items[0].outcome == "created"


# What is done, and how often


def test_work_whose_commit_was_kept_is_not_done_again(
    lossy: Memory, unlucky: Unlucky, proxy: Proxy
) -> None:
    lossy.remember([{"name": "Tern"}])
    unlucky.worked = 0
    unlucky.fault = proxy.lose_answer
    lossy.remember([{"name": "Heron"}])
    assert unlucky.worked == 1


def test_work_whose_commit_never_arrived_is_done_again(
    lossy: Memory, unlucky: Unlucky, proxy: Proxy
) -> None:
    lossy.remember([{"name": "Tern"}])
    unlucky.worked = 0
    unlucky.fault = proxy.cut
    lossy.remember([{"name": "Heron"}])
    assert unlucky.worked == 2


def test_answers_may_be_lost_again_and_again(
    lossy: Memory, unlucky: Unlucky, proxy: Proxy, project: str, record: Record
) -> None:
    lossy.remember(BOATS)

    def fault() -> None:
        proxy.losing = 3

    unlucky.fault = fault
    assert [decayed.after for decayed in upkeep_of(lossy).decay(project)] == [0.9]
    assert proxy.losing == 0
    record("the answer to a commit lost, three times in a row", times=1, lost="nothing; done once")


@pytest.mark.faults
def test_a_commit_without_an_answer_is_asked_about_again(
    lossy: Memory, unlucky: Unlucky, proxy: Proxy, project: str, record: Record
) -> None:
    lossy.remember(BOATS)
    unlucky.fault = proxy.swallow_answer
    begin = time.monotonic()
    assert [decayed.after for decayed in upkeep_of(lossy).decay(project)] == [0.9]
    seconds = time.monotonic() - begin
    proxy.swallow_answer()
    assert lossy.get("Heron")[0].entity.name == "Heron"
    assert proxy.swallowing == 0
    record("an answer lost, its connection still open", times=2, seconds=seconds)


@pytest.mark.parametrize("arrives", [True, False])
def test_a_commit_that_is_still_on_its_way_is_waited_for(
    lossy: Memory, unlucky: Unlucky, proxy: Proxy, graph: Graph, project: str, *, arrives: bool
) -> None:
    lossy.remember(BOATS)
    unlucky.worked = 0
    unlucky.fault = proxy.hold
    decayed: list[float] = []
    writing = Thread(
        target=lambda: decayed.extend(use.after for use in upkeep_of(lossy).decay(project))
    )
    writing.start()
    until(lambda: proxy.held is not None and proxy.dropped is not None)
    assert proxy.held is not None
    assert proxy.dropped is not None
    until(lambda: is_blocked(graph))
    if arrives:
        proxy.held()
    else:
        proxy.dropped()
    writing.join()
    assert decayed == [0.9]
    assert unlucky.worked == (1 if arrives else 2)


# What is not known is said


def test_an_outcome_that_cannot_be_known_is_said_to_be_unknown(
    graph: Graph, proxy: Proxy, project: str
) -> None:
    targets: list[Target] = []

    def find() -> Target:
        if targets:
            raise StartFailed("the private Neo4j does not start")
        targets.append(through(graph, proxy))
        return targets[0]

    def lock(transaction: Transaction) -> None:
        transaction.run("write/lock_entities", keys=[f"{project}#locked"])

    with Unlucky(find, timeout=30) as unlucky:
        unlucky.fault = proxy.lose_answer
        with pytest.raises(
            OutcomeUnknown,
            match="unknown whether this was written; check before you write it again",
        ):
            unlucky.write(lock)


def test_what_the_server_refused_is_not_said_to_be_unknown(graph: Graph, project: str) -> None:
    def refused(transaction: Transaction) -> None:
        transaction.run("write/lock_entities", keys=[project, None])

    with pytest.raises(DatabaseError, match="refused") as caught:
        graph.write(refused)
    assert not isinstance(caught.value, OutcomeUnknown | DatabaseUnavailable)


# What it leaves behind


def test_a_writer_leaves_one_node_however_much_it_writes(graph: Graph, project: str) -> None:
    before = request_nodes(graph)
    with Graph(lambda: graph._target, timeout=30) as writer:
        for number in range(5):
            keys = [f"{project}#{number}"]
            writer.write(lambda one, keys=keys: one.run("write/lock_entities", keys=keys))  # type: ignore[misc]
    assert len(request_nodes(graph) - before) == 1


def test_nodes_of_writers_that_are_gone_are_swept(graph: Graph, project: str) -> None:
    with graph._pool.driver.session(database=graph._target.database) as session:
        session.run(
            "UNWIND range(1, 3) AS n CREATE (r:GraphmemRequest {id: $project + n}) "
            "SET r.at = datetime() - duration({minutes: 59 + 30 * (n % 2)})",
            project=project,
        ).consume()
    with Graph(lambda: graph._target, timeout=30) as writer:
        writer.write(lambda one: one.run("write/lock_entities", keys=[f"{project}#any"]))
    assert {f"{project}{n}" for n in (1, 2, 3)} & request_nodes(graph) == {f"{project}2"}


def test_a_writer_is_lent_to_one_write_at_a_time_and_again_after_it() -> None:
    writers = Writers()
    with writers.lent() as one, writers.lent() as other:
        assert one.id != other.id
    with writers.lent() as again:
        assert again.id in {one.id, other.id}
        assert again.number == 2


def test_a_writer_that_rested_for_long_takes_another_node() -> None:
    writers = Writers()
    with writers.lent() as writer:
        pass
    writer.used -= REST_SECONDS
    with writers.lent() as other:
        assert other.id != writer.id


def test_a_writer_whose_commit_is_under_way_is_not_lent_again() -> None:
    writers = Writers()
    with writers.lent() as writer:
        writer.committing = True
    with writers.lent() as other:
        assert other.id != writer.id
