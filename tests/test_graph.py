"""The door to the driver: parameters are checked, errors are ours, a lost server comes back."""

import itertools
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace

import neo4j
import neo4j.exceptions
import pytest

from fakes import FakeEmbedder
from graphmem import migrations
from graphmem.errors import (
    ConfigurationError,
    DatabaseError,
    DatabaseTimeout,
    DatabaseUnavailable,
    GraphmemError,
    StartFailed,
)
from graphmem.graph import Graph, Target, Transaction, connection, server_version
from graphmem.graph.conflicts import again_if_deadlocked
from graphmem.graph.errors import our_errors
from graphmem.memory import Memory
from graphmem.memory.store.connecting import connect
from graphmem.memory.store.model import StoreModel
from graphmem.neo4j_process.home.paths import Home
from graphmem.progress import SILENT
from graphmem.settings import Settings
from neo4j_servers import kill, state_of, until
from python_programs import run_python


def test_a_missing_or_misspelt_parameter_is_refused(graph: Graph) -> None:
    with pytest.raises(TypeError, match="project"):
        graph.read("read/stats")
    with pytest.raises(TypeError, match="prject"):
        graph.read("read/stats", prject="x")


def test_reading_runs_only_what_reads(graph: Graph) -> None:
    with pytest.raises(TypeError, match="not a reading statement"):
        graph.read("write/note_model", properties={})


def test_a_read_only_graph_refuses_to_write(graph: Graph) -> None:
    with Graph(lambda: graph._target, timeout=60, read_only=True) as reader:
        assert reader.read("read/ping") == [{"answered": True}]
        with pytest.raises(DatabaseError, match="read-only"):
            reader.write(lambda transaction: transaction.run("write/note_model", properties={}))


def test_a_failed_transaction_leaves_nothing(memory: Memory, graph: Graph) -> None:
    def work(transaction: Transaction) -> None:
        transaction.run("write/lock_entities", keys=[f"{memory.project}#half"])
        raise RuntimeError("killed half-way")

    with pytest.raises(RuntimeError, match="half-way"):
        graph.write(work)
    keys = [f"{memory.project}#half"]
    assert graph.read("read/entities", keys=keys, relations=1) == []


@pytest.mark.parametrize(
    ("is_private", "remedy"),
    [
        (True, "run `graphmem db reset-password`"),
        (False, "check NEO4J_USERNAME and NEO4J_PASSWORD"),
    ],
)
def test_a_wrong_password_is_an_error_without_the_password(
    graph: Graph, monkeypatch: pytest.MonkeyPatch, *, is_private: bool, remedy: str
) -> None:
    questions: list[object] = []
    monkeypatch.setattr(neo4j.Driver, "get_server_info", questions.append)  # another attempt
    wrong = replace(graph._target, password="not-the-password")  # noqa: S106 - a wrong one on purpose
    if not is_private:
        address = wrong.uri.replace("bolt://", "bolt+ssc://")
        wrong = replace(wrong, uri=address, certificate=None)
    with (
        Graph(lambda: wrong, timeout=60) as stranger,
        pytest.raises(DatabaseError, match=f"user name or password; .*{remedy}") as caught,
    ):
        stranger.read("read/ping")
    assert "not-the-password" not in str(caught.value)
    assert "not-the-password" not in repr(wrong)
    assert questions == []


@pytest.mark.parametrize(
    ("address", "cause"),
    [
        ("bolt://127.0.0.1:1", "Connection refused"),
        ("neo4j://127.0.0.1:1", "Connection refused"),
        ("bolt://127.0.0.1:{http}", "speaks HTTP, not Bolt"),
        ("bolt+s://127.0.0.1:{http}", r"TLS, which \+s .* ask for, failed: "),
        (
            "bolt+s://127.0.0.1:{bolt}",
            r"not trusted: self-signed certificate; \+ssc instead of \+s ",
        ),
    ],
)
def test_no_server_is_an_error_that_tells_the_cause_and_the_next_step(
    graph: Graph, config: Settings, address: str, cause: str
) -> None:
    graph.read("read/ping")
    ports = state_of(Home(config.home)).ports
    nowhere = Target(address.format(bolt=ports.bolt, http=ports.http), "neo4j", None, "neo4j")
    with (
        Graph(lambda: nowhere, timeout=5) as lost,
        pytest.raises(DatabaseUnavailable, match=rf"\(.*{cause}.*\); run `graphmem doctor"),
    ):
        lost.read("read/ping")


def test_what_the_driver_logs_of_a_lost_connection_is_not_printed() -> None:
    program = (
        "import logging; from graphmem.graph import Graph;"
        "logging.getLogger('neo4j.io').error('Failed to read from defunct connection')"
    )
    assert run_python(program, check=True).stderr == ""


@pytest.mark.parametrize(
    ("agent", "version"),
    [
        ("Neo4j/5.26.0", "5.26.0"),
        ("Neo4j/4.4.30", "4.4.30"),
        ("Neo4j/2026.05.0", "2026.05.0"),
        ("Neo4j/2025.12-aura", "2025.12-aura"),
        ("Neo4j/2026.07.1", None),
        ("Neo4j/2026.11-aura", None),
        ("Neo4j/2027.01.0", None),
        ("Memgraph/3.1", None),
        ("", None),
    ],
)
def test_a_server_is_too_old_before_july_2026(agent: str, version: str | None) -> None:
    assert server_version.too_old(agent) == version


def test_an_old_server_that_refuses_a_statement_is_named(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_version, "OLDEST", (2999, 1))

    with pytest.raises(
        DatabaseError, match=r"is Neo4j 20\d\d\.\d.*, and graphmem needs 2999\.01 or newer: update"
    ):
        graph.read("read/entity_keys", after="", limit="many")


def test_an_unknown_database_is_named(graph: Graph) -> None:
    elsewhere = replace(graph._target, database="nope")
    with (
        Graph(lambda: elsewhere, timeout=5) as stranger,
        pytest.raises(DatabaseError, match="no database `nope`; check NEO4J_DATABASE"),
    ):
        stranger.read("read/ping")


def test_the_database_of_users_and_settings_is_refused_by_name(graph: Graph) -> None:
    elsewhere = replace(graph._target, database="system")
    with (
        Graph(lambda: elsewhere, timeout=5) as stranger,
        pytest.raises(
            DatabaseError, match="NEO4J_DATABASE must name a database that holds a graph"
        ),
    ):
        stranger.read("read/store")


def test_a_password_that_must_be_changed_first_is_reported() -> None:
    target = Target("bolt://127.0.0.1:1", "late", "hunter2", "neo4j")
    expired = neo4j.exceptions.Neo4jError._hydrate_neo4j(
        code="Neo.ClientError.Security.CredentialsExpired", message="ACCESS is not allowed."
    )
    with (
        pytest.raises(DatabaseError, match=r"a new password for the user `late` first.*PASSWORD"),
        our_errors(target),
    ):
        raise expired


@pytest.mark.parametrize("password", ["hunter2", "hunter/2", "hunter#2", "2?hunter"])
def test_a_password_in_the_address_is_never_shown(password: str) -> None:
    target = Target(f"bolt://neo4j:{password}@127.0.0.1:1", "neo4j", None, "neo4j")
    with pytest.raises(DatabaseError) as caught, Graph(lambda: target, timeout=5) as lost:
        lost.read("read/ping")
    assert "127.0.0.1:1" in str(caught.value)
    assert "set NEO4J_USERNAME and NEO4J_PASSWORD" in str(caught.value)
    assert "hunter" not in str(caught.value) + repr(target)


@pytest.mark.parametrize(
    "address",
    ["bolt://neo4j:hunter2", "bolt://:hunter2", "bolt://a?password=hunter2", "bolt://a#hunter2",
     "neo4j+s://a b:hunter2", "neo4j://a:hunter2?policy=b", "bolt://[::1]:hunter2"],
)  # fmt: skip
def test_a_password_in_place_of_a_port_or_parameter_is_never_shown(address: str) -> None:
    target = Target(address, "neo4j", None, "neo4j")
    with pytest.raises(ConfigurationError, match="NEO4J_PASSWORD") as caught:
        Graph(lambda: target, timeout=5)
    assert "hunter2" not in str(caught.value) + repr(target)


def test_an_address_is_shown_by_its_host_and_port() -> None:
    for address in ("bolt://localhost:7687", "neo4j://[::1]:7687", "bolt://[::1]", "neo4j+s://a.b"):
        assert Target(f"{address}/x", "neo4j", None, "neo4j").address == address


@pytest.mark.parametrize("address", ["nonsense://x", "localhost:7687", "bolt", "bolt+unix://x"])
def test_an_address_of_another_scheme_is_an_error_that_names_those_allowed(address: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        Graph(lambda: Target(address, "neo4j", None, "neo4j"), timeout=5)
    assert str(caught.value) == (
        "NEO4J_URI must begin with bolt://, bolt+s://, bolt+ssc://, neo4j://, neo4j+s:// or "
        f"neo4j+ssc://, got '{address}'"
    )


@pytest.mark.parametrize("scheme", ["http", "https", "HTTP"])
def test_the_address_of_neo4j_browser_is_an_error_that_names_the_port_of_bolt(scheme: str) -> None:
    with pytest.raises(ConfigurationError, match=r"Neo4j Browser, not the one of Bolt.* 7687"):
        Graph(lambda: Target(f"{scheme}://localhost:7474", "neo4j", None, "neo4j"), timeout=5)


@pytest.mark.parametrize("scheme", ["http", "nonsense"])
def test_an_address_of_another_scheme_shows_no_password(scheme: str) -> None:
    target = Target(f"{scheme}://neo4j:hunter2@127.0.0.1:7474", "neo4j", None, "neo4j")
    with pytest.raises(GraphmemError) as caught:
        Graph(lambda: target, timeout=5)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("scheme", ["bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+ssc", "BOLT"])
def test_an_address_of_bolt_is_allowed(scheme: str) -> None:
    Graph(lambda: Target(f"{scheme}://127.0.0.1:1", "neo4j", None, "neo4j"), timeout=5).close()


def test_a_statement_over_its_time_limit_is_an_error_of_its_own(graph: Graph, project: str) -> None:
    """A writer waits for a lock that another transaction does not give back."""

    def lock(transaction: Transaction) -> None:
        transaction.run("write/lock_entities", keys=[f"{project}#locked"])

    def hold(transaction: Transaction) -> None:
        lock(transaction)
        with Graph(lambda: graph._target, timeout=0.3) as hasty:
            hasty.write(lock)

    with pytest.raises(DatabaseTimeout, match="GRAPHMEM_QUERY_SECONDS"):
        graph.write(hold)


def test_a_statement_of_the_schema_ends_though_its_limit_is_longer(
    graph: Graph, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any statement shows it: this one waits for a lock that is not given back."""
    monkeypatch.setattr(connection, "_SCHEMA_SECONDS", 0.5)
    keys = [f"{project}#locked"]

    def hold(transaction: Transaction) -> None:
        transaction.run("write/lock_entities", keys=keys)
        with Graph(lambda: graph._target, timeout=0.1) as hasty:
            hasty.define("write/lock_entities", keys=keys)

    with pytest.raises(DatabaseTimeout):
        graph.write(hold)


def test_an_interrupt_waits_for_no_answer_and_what_comes_later_is_answered(graph: Graph) -> None:
    text = "UNWIND range(1, 1000000000000) AS number RETURN count(number * 2) AS numbers"
    endless = neo4j.Query(text, timeout=4 * graph.timeout)

    def be_interrupted() -> None:
        with graph._session(neo4j.READ_ACCESS) as session:
            session.run(endless)
            raise KeyboardInterrupt

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        be_interrupted()
    assert time.monotonic() - began < graph.timeout
    assert graph.read("read/ping")


def test_a_memory_goes_on_when_its_server_was_taken_away(
    empty: Settings, embedder: FakeEmbedder
) -> None:
    with connect(empty, read_only=False, progress=SILENT) as graph:
        migrations.prepare(graph)
        model = StoreModel(graph, embedder, wait_for_model=True, read_only=False)
        with closing(model):
            memory = Memory(graph, model, "example.org/tests")
            memory.remember([{"name": "Acknowledged", "text": "A word of honour."}])
            kill(state_of(Home(empty.home)).server)
            assert memory.search("honour").hits[0].name == "Acknowledged"
            assert memory.remember([{"name": "After"}]).items[0].outcome == "created"


def test_a_driver_is_replaced_under_threads_that_use_it(graph: Graph) -> None:
    """Two addresses of one server: the connection moves from one to the other again and again."""
    here = graph._target
    target = replace(here, uri=here.uri.replace("127.0.0.1", "localhost"))
    assert target != here
    targets = itertools.cycle([here, target])
    done = threading.Event()

    with Graph(lambda: next(targets), timeout=30) as moving, ThreadPoolExecutor(6) as threads:
        asked = [0] * 6

        def ask(number: int) -> None:
            while not done.is_set():
                assert moving.read("read/ping") == [{"answered": True}]
                asked[number] += 1

        asking = [threads.submit(ask, number) for number in range(6)]
        drivers = []
        for _ in range(10):
            drivers.append(moving._pool.driver)
            moving._reconnect(moving._pool)
            moving.read("read/ping")
        until(lambda: all(asked) or any(search.done() for search in asking))
        done.set()
        for one in asking:
            one.result()
        assert all(driver._closed for driver in drivers)


def test_one_thread_looks_for_a_lost_server_and_the_others_use_what_it_found(graph: Graph) -> None:
    nowhere = Target("bolt://127.0.0.1:1", "neo4j", None, "neo4j")
    looked: list[Target] = []

    def find() -> Target:
        looked.append(nowhere if not looked else graph._target)
        return looked[-1]

    with Graph(find, timeout=30) as lost, ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: lost.read("read/ping"), range(8)))

    assert answers == [[{"answered": True}]] * 8
    assert len(looked) == 2


def test_threads_that_lost_a_server_which_does_not_start_wait_for_one_start_not_for_one_each() -> (
    None
):
    nowhere = Target("bolt://127.0.0.1:1", "neo4j", None, "neo4j")
    looked: list[Target] = []
    reading = threading.Barrier(8)

    def find() -> Target:
        looked.append(nowhere)
        if len(looked) > 1:
            time.sleep(0.5)
            raise StartFailed("the private Neo4j does not start")
        return nowhere

    def ask(lost: Graph) -> type[Exception]:
        reading.wait()
        with pytest.raises((StartFailed, DatabaseUnavailable)) as error:
            lost.read("read/ping")
        return error.type

    with Graph(find, timeout=30) as lost, ThreadPoolExecutor(8) as threads:
        errors = list(threads.map(ask, [lost] * 8))

    assert StartFailed in errors
    assert len(looked) < 1 + 8


@pytest.mark.parametrize(
    ("code", "times"),
    [
        ("Neo.TransientError.Transaction.DeadlockDetected", 5),
        ("Neo.ClientError.Schema.IndexAlreadyExists", 1),
    ],
)
def test_a_schema_statement_is_run_again_after_a_deadlock(code: str, times: int) -> None:
    calls = []

    def define() -> None:
        calls.append(code)
        cause = neo4j.exceptions.Neo4jError._hydrate_neo4j(code=code, message="No.")
        raise DatabaseError("the database refused the statement") from cause

    with pytest.raises(DatabaseError):
        again_if_deadlocked(define)
    assert len(calls) == times


def test_a_closed_memory_says_that_it_is_closed() -> None:
    target = Target("bolt://127.0.0.1:1", "neo4j", None, "neo4j")
    driver = neo4j.GraphDatabase.driver(target.uri)
    driver.close()
    with (
        pytest.raises(DatabaseError, match="the memory is closed; open it again"),
        our_errors(target),
    ):
        driver.verify_connectivity()


def test_every_error_of_the_driver_has_a_place_among_ours() -> None:
    """New kinds of errors in a newer driver are looked at before they reach a user."""
    roots = (neo4j.exceptions.Neo4jError, neo4j.exceptions.DriverError)
    found = [
        value
        for value in vars(neo4j.exceptions).values()
        if isinstance(value, type)
        and issubclass(value, Exception)
        and value.__module__.startswith("neo4j")
    ]
    assert len(found) > 10
    strangers = [error.__name__ for error in found if not issubclass(error, roots)]
    assert strangers == ["GqlError"]  # the root of Neo4jError, never raised itself
