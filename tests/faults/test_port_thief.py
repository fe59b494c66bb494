"""Whoever takes the private server's port when it has stopped learns nothing.

Real servers are stopped and killed here, and real processes listen where they were.
"""

from __future__ import annotations

import socket
import ssl
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import neo4j
import pytest
from neo4j.exceptions import DriverError
from port_thief import listening

from fakes import FakeEmbedder
from graphmem import encryption
from graphmem.encryption import trusting
from graphmem.errors import DatabaseUnavailable
from graphmem.graph import Graph, Target
from graphmem.memory import Memory
from graphmem.neo4j_process import ensure_running, stop
from graphmem.neo4j_process.home.paths import Home
from neo4j_servers import fresh_home, kill, small, state_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fault_table import Record
    from graphmem.settings import Settings

pytestmark = pytest.mark.live
MODES = ["plain", "encrypted", "silent"]


@pytest.fixture(scope="module")
def private() -> Iterator[Settings]:
    with fresh_home() as folder:
        # A busy machine plans a statement for seconds on a server that has just started.
        yield small(folder, query_seconds=120)


@pytest.fixture(scope="module")
def target(private: Settings) -> Target:
    server = ensure_running(private)
    return Target(server.uri, server.username, server.password, "neo4j", server.certificate)


@pytest.fixture
def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port


def opened(settings: Settings) -> Memory:
    return Memory.open(project="example.org/tests/thief", config=settings, embedder=FakeEmbedder())


def at(port: int, target: Target) -> Target:
    return replace(target, uri=f"bolt://127.0.0.1:{port}")


@pytest.mark.parametrize("mode", ["plain", "encrypted"])
def test_a_thief_does_get_the_password_of_a_client_that_trusts_anyone(
    mode: str, free_port: int, target: Target
) -> None:
    """What the other tests rest on: these thieves are able to."""
    scheme = "bolt+ssc" if mode == "encrypted" else "bolt"
    login = (target.username, target.password or "")
    uri = f"{scheme}://127.0.0.1:{free_port}"
    with (
        listening(mode, free_port) as record,
        neo4j.GraphDatabase.driver(
            uri, auth=login, connection_acquisition_timeout=2, max_transaction_retry_time=0
        ) as driver,
    ):
        with pytest.raises((DriverError, OSError)):
            driver.verify_connectivity()
        assert record.holds(target.password or "")


@pytest.mark.parametrize("mode", MODES)
def test_a_connection_that_reaches_a_thief_is_ended_before_anything_secret(
    mode: str, free_port: int, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The address is the thief's at first, as when a server dies while a client connects."""
    # Long enough for the real server; thieves who say nothing are waited for as long.
    monkeypatch.setattr(encryption, "HANDSHAKE_SECONDS", 2.0)
    targets = iter([at(free_port, target)])
    with (
        listening(mode, free_port) as record,
        Graph(lambda: next(targets, target), timeout=60) as graph,
    ):
        assert graph.read("read/ping") == [{"answered": True}]
        assert record.connections >= 1
        for secret in (target.password or "", "neo4j", "graphmem", "credentials"):
            assert not record.holds(secret)


def test_the_certificate_counts_for_the_addresses_of_this_machine_alone(target: Target) -> None:
    port = int(target.uri.rpartition(":")[2])
    context = trusting(target.certificate or "")
    for name in ("127.0.0.1", "localhost"):
        with socket.create_connection(("127.0.0.1", port)) as plain:
            context.wrap_socket(plain, server_hostname=name).close()
    with (
        socket.create_connection(("127.0.0.1", port)) as plain,
        pytest.raises(ssl.SSLCertVerificationError, match="mismatch"),
    ):
        context.wrap_socket(plain, server_hostname="example.org")


@pytest.mark.parametrize("killed", [False, True])
def test_a_search_and_a_write_go_on_at_a_new_server_while_a_thief_has_the_old_port(
    private: Settings, record: Record, *, killed: bool
) -> None:
    with opened(private) as writer, opened(private) as reader:
        writer.remember([{"name": "Cormorant", "text": "dries its wings"}])
        assert reader.search("wings").hits[0].name == "Cormorant"
        before = state_of(Home(private.home))
        if killed:  # nobody is left to take the state file away
            kill(before.keeper)
            kill(before.server)
        else:
            stop(private)
        with listening("plain", before.ports.bolt) as thief:
            began = time.monotonic()
            # A write transaction, which the driver would try again for 15 s at the old port.
            assert writer.graph.write(lambda transaction: transaction.run("read/ping"))
            seconds = time.monotonic() - began
            assert writer.remember([{"name": "Gannet", "text": "dives"}]).items
            assert reader.search("wings").hits[0].name == "Cormorant"
            with opened(private) as newcomer:
                assert newcomer.search("dives").hits[0].name == "Gannet"
            assert state_of(Home(private.home)).ports.bolt != before.ports.bolt
            assert thief.connections == 0
    how = "killed" if killed else "stopped"
    record(f"server {how}, a thief on its port", times=1, lost="nothing; the thief was asked "
           "nothing", seconds=seconds)  # fmt: skip


def test_an_unused_port_is_not_asked_repeatedly(target: Target) -> None:
    targets: list[Target] = []
    gone: list[Target] = []

    def is_served(target: Target) -> bool:
        gone.append(target)
        return False

    def find() -> Target:
        targets.append(target)
        return target

    with Graph(find, timeout=60, is_served=is_served) as graph:
        with pytest.raises(DatabaseUnavailable, match=r"no longer answers at .*graphmem doctor"):
            graph.write(lambda transaction: transaction.run("read/ping"))
        # Each try asked once: the driver's own retries, many in 15 s, are not waited for.
        assert len(gone) == len(targets)


def test_a_home_without_a_certificate_gets_one(private: Settings) -> None:
    home = Home(private.home)
    with opened(private) as memory:
        memory.remember([{"name": "Shag", "text": "nests on ledges"}])
        stop(private)
        home.certificate.unlink()
        home.key.unlink()
        assert memory.search("ledges").hits[0].name == "Shag"
    assert home.key.stat().st_mode & 0o777 == 0o600
