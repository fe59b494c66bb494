"""A server plans its first search while its callers still connect, and they wait for that plan."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from graphmem import search, statements
from graphmem.neo4j_process import await_plan
from graphmem.neo4j_process.home import password
from graphmem.neo4j_process.home import state as states
from graphmem.neo4j_process.home.paths import Home
from graphmem.neo4j_process.home.state import Ports, State
from graphmem.neo4j_process.machine.java import Java
from graphmem.neo4j_process.machine.processes import identify
from graphmem.neo4j_process.running import health, plans_ahead
from graphmem.neo4j_process.running.launch import Launch, Preparation
from graphmem.neo4j_process.running.plans_ahead import PlansAhead
from listeners import Listener
from neo4j_servers import small, state_of, until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from graphmem.graph import Graph
    from graphmem.settings import Settings


@dataclass
class Door:
    """The HTTP side of a server that this process plays.

    Args:
        notes: What its store notes of itself, which it tells at once.
        answer: What it answers to other statements.
        asked: The other statements it was sent.
        opens: It answers them when this is set.
    """

    notes: dict[str, object] = field(default_factory=dict)
    answer: dict[str, object] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    opens: threading.Event = field(default_factory=threading.Event)


@pytest.fixture
def door() -> Door:
    return Door()


@pytest.fixture
def port(door: Door) -> Iterator[int]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            statement = json.loads(self.rfile.read(int(self.headers["Content-Length"])))[
                "statement"
            ]
            reply: dict[str, object] = {"data": {"values": [[door.notes]]}}
            if statement != statements.load("read/store").sent_text:
                door.asked.append(statement)
                door.opens.wait()
                reply = door.answer
            answer = json.dumps(reply).encode()
            self.send_response(202)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server.server_port
        door.opens.set()
        server.shutdown()


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "home")
    home.create()
    password.ensure(home)
    return home


@pytest.fixture
def state(port: int) -> State:
    """The state of a server that runs: this process."""
    myself = identify(os.getpid())
    assert myself is not None
    ports = Ports(bolt=1, http=port)
    now = datetime.now(UTC)
    return State(myself, myself, ports, "java", now, version="2026.09.0", certificate="its own")


@pytest.fixture
def launch(home: Home, tmp_path: Path) -> Launch:
    return Launch(
        home=home,
        java=Java(tmp_path, 25, has_vectors=False),
        jars=tmp_path,
        cache=tmp_path,
        heap="256m",
        page_cache="64m",
        idle_minutes=5,
        start_seconds=60,
        preparation=Preparation("graphmem.memory.store.exercise", "read/ping", {}),
    )


def begun(launch: Launch) -> PlansAhead:
    plan = PlansAhead(launch)
    plan.renew()
    return plan


def test_a_server_plans_once(launch: Launch, state: State, door: Door) -> None:
    plan = begun(launch)
    plan.begin_when_due(state)
    until(lambda: door.asked)
    plan.begin_when_due(state)
    door.opens.set()
    until(lambda: not plan.plans_first)
    plan.begin_when_due(state)
    until(lambda: not plan.plans_first)
    assert len(door.asked) == 1


def test_a_new_server_plans_again(launch: Launch, state: State, door: Door) -> None:
    door.opens.set()
    plan = begun(launch)
    for times in (1, 2):
        plan.renew()
        plan.begin_when_due(state)
        until(lambda: not plan.plans_first)
        assert len(door.asked) == times


def test_a_plan_that_fails_is_tried_again_later_and_not_for_ever(
    launch: Launch, state: State, door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store that is being made has no indexes yet, without which no search is planned."""
    door.answer = {"errors": [{"code": "Neo.ClientError.Procedure.ProcedureCallFailed"}]}
    door.opens.set()
    plan = begun(launch)
    plan.begin_when_due(state)
    until(lambda: not plan.plans_first)
    plan.begin_when_due(state)
    until(lambda: not plan.plans_first)
    assert len(door.asked) == 1
    monkeypatch.setattr(plans_ahead, "RETRY_SECONDS", 0)
    plan._due = 0
    for _ in range(2 * plans_ahead.MOST_TRIES):
        plan.begin_when_due(state)
        until(lambda: not plan.plans_first)
    assert len(door.asked) == plans_ahead.MOST_TRIES


def test_a_server_without_a_preparation_plans_nothing(launch: Launch, state: State) -> None:
    plan = begun(replace(launch, preparation=None))
    plan.begin_when_due(state)
    assert not plan.plans_first


def test_other_statements_are_planned_later_one_after_the_other_and_once(
    launch: Launch, state: State, door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a keeper reads it, which is told by JSON; nobody waits for them."""
    assert launch.preparation is not None
    later = (("read/names", {"keys": ""}), ("read/sizes", {"keys": ""}))
    prepared = replace(launch, preparation=replace(launch.preparation, later=later))
    read = Launch.from_json(prepared.to_json())
    assert read == prepared
    plan = begun(read)
    door.opens.set()
    for _ in range(3):
        plan.begin_when_due(state)
        until(lambda: not plan.plans_first)
    assert len(door.asked) == 1

    monkeypatch.setattr(plans_ahead, "LATER_SECONDS", 0)
    door.opens.clear()
    plan._later_due = 0
    plan.begin_when_due(state)
    until(lambda: len(door.asked) == 2)
    plan.begin_when_due(state)
    assert not plan.plans_first
    assert len(door.asked) == 2
    door.opens.set()

    def begin() -> bool:
        plan.begin_when_due(state)
        return len(door.asked) == 3

    until(begin)
    plan.begin_when_due(state)
    assert door.asked[1:] == [statements.load(name).sent_text for name, _ in later]


@pytest.mark.parametrize(("number", "suffix"), [(1, "@2"), (2, "")])
def test_the_searches_of_a_store_that_was_embedded_again_are_planned(
    number: int, suffix: str, launch: Launch, state: State, door: Door
) -> None:
    statement, parameter = search.first_search()
    later = tuple((name, {"search": other}) for name, other in search.later_searches())
    preparation = Preparation("none", statement, {"search": parameter}, later)
    door.notes = {"embedding_set": number}
    door.opens.set()
    plan = begun(replace(launch, preparation=preparation))
    plan._later_due = 0

    def begin() -> bool:
        plan.begin_when_due(state)
        return len(door.asked) == 3

    until(begin)
    names = [f"{name}{suffix}" for name in (statement, *(name for name, _ in later))]
    assert door.asked == [statements.load(name).sent_text for name in names]


def test_a_caller_waits_until_the_plan_is_there_and_says_so_once(home: Home, state: State) -> None:
    states.write(home, replace(state, plans=True))
    words = Listener()
    waiting = threading.Thread(
        target=await_plan, args=(small(home.root),), kwargs={"seconds": 600, "progress": words}
    )
    waiting.start()
    until(lambda: words.sentences)
    assert waiting.is_alive()
    states.write(home, state)
    waiting.join()
    assert words.sentences == ["Waiting until the private Neo4j has planned its first search …"]


def test_a_caller_does_not_wait_for_ever(home: Home, state: State) -> None:
    states.write(home, replace(state, plans=True))
    await_plan(small(home.root), seconds=0.1)


def test_nobody_waits_where_nothing_is_planned(home: Home, state: State) -> None:
    words = Listener()
    await_plan(small(home.root), seconds=600, progress=words)
    states.write(home, state)
    await_plan(small(home.root), seconds=600, progress=words)
    states.write(home, replace(state, version=None, plans=True))
    await_plan(small(home.root), seconds=600, progress=words)
    assert words.sentences == []


def test_a_real_server_plans_the_searches(config: Settings, graph: Graph) -> None:
    assert graph.read("read/ping")
    home = Home(config.home)
    statement, parameter = search.first_search()
    assert health.plan(home, state_of(home), statement, {"search": parameter})
    assert not health.plan(home, state_of(home), statement, {})
    others = search.later_searches()
    assert [name for name, _ in others] == ["read/search_filtered", "read/search_strict"]
    for name, parameter in others:
        assert health.plan(home, state_of(home), name, {"search": parameter})
