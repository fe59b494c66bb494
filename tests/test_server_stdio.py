"""An agent's session: a real client and `graphmem serve` over stdio, on the run's own Neo4j."""

import fcntl
import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from agents import CLIENT, SERVE, Agent, agent_of, checkout
from graphmem.memory import Memory
from graphmem.packing.tokens import tokens

SAMPLE = Path(__file__).parents[1] / "examples" / "sample"
REMOTE = "example.org/tests/server-stdio"
# As estimated, with a project that has a digest in its name.
ANSWER_TOKENS = 3_000
HANDSHAKE = (
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
    '"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}\n'
    '{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
    '{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n'
)


@pytest.fixture(scope="module")
def agent(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    with agent_of(environment, checkout(tmp_path_factory.mktemp("checkout"), REMOTE)) as agent:
        yield agent


CACHE = {
    "name": "Redis cache",
    "kind": "Decision",
    "title": "Cache sessions in Redis",
    "text": "Logins were slow.",
    "observations": ["halved the time of a login"],
    "tags": ["infra"],
}
STORE = {"name": "Session store", "kind": "Service", "text": "Keeps who is signed in."}
LINK = {"from": "Redis cache", "relation": "DEPENDS_ON", "to": "Session store", "note": "reads it"}


@pytest.fixture
def remembered(agent: Agent, project: str) -> str:
    """A project with two linked entities."""
    agent.call("remember", entities=[CACHE, STORE], relations=[LINK], project=project)
    return project


# What an agent does


def test_what_was_remembered_is_reported_item_by_item(agent: Agent, project: str) -> None:
    reply = agent.call("remember", entities=[CACHE, STORE], relations=[LINK], project=project)
    assert [(item["what"], item["outcome"]) for item in reply["items"]] == [
        ("entity", "created"),
        ("entity", "created"),
        ("relation", "created"),
    ]
    again = agent.call("remember", entities=[CACHE, STORE], relations=[LINK], project=project)
    assert {item["outcome"] for item in again["items"]} == {"unchanged"}


def test_a_search_names_the_link_that_led_to_a_hit(agent: Agent, remembered: str) -> None:
    reply = agent.call("search", query="slow logins", mode="keyword", project=remembered)
    first, second = reply["hits"]
    assert (first["name"], first["origin"]) == ("Redis cache", "direct")
    assert (second["name"], second["origin"]) == ("Session store", "expanded")
    (via,) = second["via"]
    assert via["from"] == "Redis cache"
    assert via["relation"] == "DEPENDS_ON"
    assert via["direction"] == "out"
    assert via["note"] == "reads it"


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"expand": False}, ["Redis cache"]),
        ({"limit": 1}, ["Redis cache"]),
        ({"kinds": ["service"]}, ["Session store"]),
        ({"tags": "infra"}, ["Redis cache"]),
        ({"status": ["superseded"]}, []),
        ({"min_score": 0.999}, []),
        ({"scope": "project", "ranking": "rrf"}, ["Redis cache", "Session store"]),
    ],
)
def test_a_search_keeps_to_its_options(
    agent: Agent, remembered: str, options: dict[str, Any], names: list[str]
) -> None:
    reply = agent.call(
        "search", query="logins who is signed in" if "kinds" in options else "slow logins",
        mode="keyword", project=remembered, **options,
    )  # fmt: skip
    assert [hit["name"] for hit in reply["hits"]] == names


@pytest.mark.parametrize("explain", [False, True])
def test_an_answer_has_the_keys_of_the_facade(agent: Agent, memory: Memory, explain: bool) -> None:  # noqa: FBT001 - a table
    memory.remember([CACHE, STORE], [LINK])
    own = memory.search("slow logins", explain=explain).to_json()
    sent = agent.call("search", query="slow logins", project=memory.project, explain=explain)
    assert list(sent) == list(own)
    own_hits, sent_hits = own["hits"], sent["hits"]
    assert isinstance(own_hits, list)
    for own_hit, sent_hit in zip(own_hits, sent_hits, strict=True):
        assert list(sent_hit) == list(own_hit)
        assert list(sent_hit["matched"]) == list(own_hit["matched"])
        assert [list(via) for via in sent_hit["via"]] == [list(via) for via in own_hit["via"]]
        assert [list(p) for p in sent_hit["passages"]] == [list(p) for p in own_hit["passages"]]


def test_an_entity_is_read_whole(agent: Agent, memory: Memory) -> None:
    memory.remember([CACHE, STORE], [LINK])
    sent = agent.call("get", names=["redis  CACHE", "Session store"], project=memory.project)
    pages = memory.get(["Redis cache", "Session store"])
    assert sent == {"entities": [page.to_json() for page in pages]}


def test_a_single_name_is_accepted_in_place_of_a_list(agent: Agent, remembered: str) -> None:
    for names in ("Redis cache", '["Redis cache"]'):
        (page,) = agent.call("get", names=names, project=remembered)["entities"]
        assert page["text"] == CACHE["text"]


def test_a_link_is_made_and_made_once(agent: Agent, remembered: str) -> None:
    said = {"from": "Session store", "relation": "OWNED_BY", "to": "Redis cache"}
    outcomes = [
        agent.call("link", **said, project=remembered)["items"][0]["outcome"] for _ in range(2)
    ]
    assert outcomes == ["created", "unchanged"]


def test_what_is_forgotten_is_found_no_more(agent: Agent, remembered: str) -> None:
    agent.call("forget", names="Redis cache", project=remembered)
    reply = agent.call("search", query="slow logins", mode="keyword", project=remembered)
    assert reply["hits"] == []
    agent.call("remember", entities={"name": "Redis cache"}, project=remembered)
    reply = agent.call("search", query="slow logins", mode="keyword", project=remembered)
    assert reply["hits"][0]["name"] == "Redis cache"


def cache(agent: Agent, project: str, name: str = "Redis cache") -> dict[str, Any]:
    """The entity of a project that says what the cache is."""
    (page,) = agent.call("get", names=name, project=project)["entities"]
    return page  # type: ignore[no-any-return]


def test_an_entity_is_corrected_as_it_was_read(agent: Agent, remembered: str) -> None:
    before = cache(agent, remembered)
    (note,) = before["observations"]
    correction = {
        "name": "Redis cache",
        "if_revision": before["revision"],
        "observations": [{"id": note["id"], "text": "a third of the time"}],
        "unset": ["title"],
        "remove": {"tags": ["infra"]},
    }
    first, again = (
        agent.call("remember", entities=[correction], project=remembered)["items"][0]
        for _ in range(2)
    )
    assert first["outcome"] == "updated"
    assert "its revision is 2" in again["reason"]
    now = cache(agent, remembered)
    assert ("title" in now, "tags" in now) == (False, False)
    assert [observation["text"] for observation in now["observations"]] == ["a third of the time"]
    then = agent.call("history", name="Redis cache", as_of=before["updated_at"], project=remembered)
    assert then["title"] == CACHE["title"]


def test_what_is_renamed_merged_and_unlinked_is_looked_back_on_and_undone(
    agent: Agent, remembered: str
) -> None:
    own = {"project": remembered}
    agent.call("change", action="rename", name="Redis cache", to="Cache", note="why", **own)
    agent.call("remember", entities=[{"name": "Sessions"}], **own)
    merged = agent.call("change", action="merge", name="Sessions", to="Session store", **own)
    assert merged["notes"]
    agent.call(
        "link", **{"from": "Cache", "relation": "DEPENDS_ON", "to": "Sessions"}, remove=True, **own
    )
    told = agent.call("history", name="Cache", **own)["revisions"]
    assert {change["by"] for change in told} == {CLIENT.name}
    assert [change["verb"] for change in told] == ["unlink", "rename", "remember"]
    assert told[1]["note"] == "why"
    changes = agent.call("history", **own)["changes"]
    assert [change["verb"] for change in changes][:2] == ["unlink", "merge"]
    assert agent.call("history", limit=1, **own)["truncated"]
    assert not cache(agent, remembered).get("relations")
    agent.call("change", action="undo", name=changes[0]["id"], **own)
    now = cache(agent, remembered)
    assert now["name"] == "Cache"
    assert [relation["name"] for relation in now["relations"]] == ["Session store"]


def test_what_was_superseded_is_restored(agent: Agent, remembered: str) -> None:
    own = {"project": remembered}
    agent.call("change", action="supersede", name="Redis cache", to="Session store", **own)
    assert cache(agent, remembered)["status"] == "superseded"
    agent.call("forget", names="Redis cache", action="restore", **own)
    assert cache(agent, remembered).get("status", "active") == "active"


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("history", {"name": "Redis cache", "as_of": "2026-01-01", "since": "2026-01-01"},
         "cannot be combined with `as_of`"),
        ("history", {"as_of": "2026-01-01"}, "must be given with `name`"),
        ("link", {"from": "a", "relation": "B", "to": "c", "remove": True, "note": "x"},
         "note cannot be combined with `remove`"),
        ("change", {"action": "undo", "name": "last", "to": "x"},
         "to cannot be combined with `undo`"),
        ("change", {"action": "rename", "name": "x"}, "to is required to rename"),
    ],
)  # fmt: skip
def test_arguments_that_do_not_go_together_are_refused(
    agent: Agent, project: str, tool: str, arguments: dict[str, object], reason: str
) -> None:
    assert reason in agent.refusal(tool, project=project, **arguments)


def test_an_overview_counts_what_a_project_holds(agent: Agent, remembered: str) -> None:
    reply = agent.call("overview", project=remembered)
    assert (reply["project"], reply["entities"], reply["relations"]) == (remembered, 2, 1)
    assert reply["kinds"] == {"Decision": 1, "Service": 1}


def test_the_project_is_by_default_that_of_the_folder(agent: Agent) -> None:
    assert agent.call("overview")["project"] == REMOTE


# What it refuses


def test_a_write_that_begins_a_project_says_so(agent: Agent, remembered: str) -> None:
    misspelt = f"{remembered}s"
    notes = [
        agent.call("remember", entities=[{"name": name}], project=misspelt)["notes"]
        for name in ("A", "B")
    ]
    begun = f"the project `{misspelt}` is new; did you mean "
    assert notes[0][0].startswith(begun)
    assert f"`{remembered}`" in notes[0][0]
    assert notes[1] == []
    assert agent.call("remember", entities=[{"name": "Boat of the folder"}])["notes"] == []


def test_one_bad_item_refuses_itself_alone(agent: Agent, project: str) -> None:
    reply = agent.call(
        "remember",
        entities=[STORE, {"name": "  "}, {"name": "b", "colour": "red"}, 7, {"title": "no name"}],
        relations=[{"from": "Session store", "relation": "USES", "to": "nobody"}],
        project=project,
    )
    assert [item["outcome"] for item in reply["items"]] == ["created", *["refused"] * 5]
    reasons = [item["reason"] for item in reply["items"][1:]]
    assert "entities[1].name" in reasons[0]
    assert "'colour'" in reasons[1]
    assert "must be an object" in reasons[2]
    assert "entities[4].name" in reasons[3]
    assert "no entity 'nobody'" in reasons[4]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"relation": " "}, "relation must not be blank, got ' '"),
        ({"to": " "}, "to must not be blank, got ' '"),
        ({"valid_from": "soon"}, "valid_from must be a date such as 2026-03-01 or"),
        ({"valid_until": "2023-01-01"}, "valid_until must not be before valid_from, which is"),
        ({"unset": ["colour"]}, "unset must name fields of note, weight,"),
    ],
)
def test_a_link_that_is_refused_names_the_argument_of_the_call(
    agent: Agent, remembered: str, arguments: dict[str, object], reason: str
) -> None:
    link = LINK | {"valid_from": "2024-01-01"} | arguments
    (item,) = agent.call("link", **link, project=remembered)["items"]
    assert item["outcome"] == "refused"
    assert item["reason"].startswith(reason)


def test_a_missing_end_is_made_where_that_is_asked_for(agent: Agent, project: str) -> None:
    reply = agent.call("remember", relations=[LINK], stubs=True, project=project)
    assert reply["entities"]["created"] == 2
    assert reply["relations"]["created"] == 1


def test_an_unknown_name_is_reported_with_the_next_step(agent: Agent, project: str) -> None:
    message = agent.refusal("get", names="nobody", project=project)
    assert (
        message == f"there is no entity 'nobody' in {project}; search for it, or remember it first"
    )


def test_one_unknown_name_hides_no_other(agent: Agent, remembered: str) -> None:
    reply = agent.call("get", names=["nobody", "Redis cache", "redis cache"], project=remembered)
    assert [page["name"] for page in reply["entities"]] == ["Redis cache"]
    assert reply["notes"] == [
        f"there is no entity 'nobody' in {remembered}; search for it, or remember it first"
    ]
    refusal = agent.refusal("get", names=["nobody", "no one"], project=remembered)
    assert [line.partition(" in ")[0] for line in refusal.splitlines()] == [
        "there is no entity 'nobody'", "there is no entity 'no one'",
    ]  # fmt: skip


def test_an_overview_says_that_nothing_is_stored(agent: Agent, remembered: str) -> None:
    reply = agent.call("overview", project=f"{remembered}s")
    note, step = reply["notes"]
    begun = f"the project `{remembered}s` has no entities; did you mean "
    assert note.startswith(begun)
    assert f"`{remembered}`" in note.removeprefix(begun)
    assert step == (
        "`remember` stores what is to be known, and the user can import notes, code or chats by "
        "`graphmem import`"
    )
    assert "notes" not in agent.call("overview", project=remembered)


@pytest.mark.parametrize("tool", ["search", "context"])
def test_a_search_of_an_empty_project_says_what_to_do_first(
    agent: Agent, project: str, tool: str
) -> None:
    (*_, step) = agent.call(tool, query="logins", project=project)["notes"]
    assert step.startswith("`remember` stores ")
    (note,) = agent.call(tool, query="logins", project="@system")["notes"]
    assert "has no entities" in note


def test_an_entity_as_it_was_fits_into_an_answer(agent: Agent, project: str) -> None:
    agent.call(
        "remember", entities={"name": "Log", "text": "many words " * 20_000}, project=project
    )
    now = datetime.now(UTC).isoformat()
    reply = agent.call("history", name="Log", as_of=now, project=project)
    assert len(reply["text"]) < 101_000
    assert "`search` with `as_of` finds what the rest says" in reply["notes"][0]


def test_a_blank_query_is_told_what_is_allowed(agent: Agent, project: str) -> None:
    assert "query must not be blank" in agent.refusal("search", query=" ", project=project)


def test_a_mistake_of_an_agent_is_not_logged(
    environment: dict[str, str], tmp_path: Path, project: str
) -> None:
    with agent_of(environment, tmp_path, "--project", project) as agent:
        agent.refusal("search", query="a", limit=0)
        agent.refusal("search", query=" ")
        agent.refusal("Search", query="a")
    assert (tmp_path / "log").read_text() == ""


def test_any_text_is_a_query(agent: Agent, project: str) -> None:
    for query in ('AND OR ) ("', "\0\x1b[31m", "пароль 🦊", "a" * 10_000):
        assert agent.call("search", query=query, mode="keyword", project=project)["hits"] == []


# How much an agent has to read


def test_a_default_answer_takes_about_two_and_a_half_thousand_tokens(
    agent: Agent, memory: Memory
) -> None:
    memory.import_("markdown", SAMPLE)
    for query in (
        "why are sessions cached in redis",
        "payment incident",
        "who owns the search service",
        "deployment",
        "webhooks double booking berth",
    ):
        text = agent.text("search", query=query, project=memory.project)
        assert '"count":10' in text
        assert tokens(text) < ANSWER_TOKENS, query


# Deleting for good


def test_a_server_that_was_allowed_to_deletes_for_good(
    agent: Agent, environment: dict[str, str], tmp_path: Path, remembered: str
) -> None:
    message = agent.refusal("forget", names="Redis cache", action="purge", project=remembered)
    assert message == "action must be 'forget' or 'restore', got 'purge'"
    with agent_of(environment, tmp_path, "--allow-purge", "--project", remembered) as purging:
        purging.call("forget", names="Redis cache", action="purge")
        assert "there is no entity" in purging.refusal("get", names="Redis cache")


# Reading alone


def test_a_read_only_server_reads_and_offers_nothing_that_writes(
    environment: dict[str, str], tmp_path: Path, remembered: str
) -> None:
    with agent_of(environment, tmp_path, "--read-only", "--project", remembered) as reader:
        assert reader.tools() == {"search", "context", "get", "explore", "overview", "history"}
        assert "there is no tool 'remember'" in reader.refusal("remember", entities=[STORE])
        assert reader.call("overview")["entities"] == 2


# Start and end


@contextmanager
def listed(
    environment: Mapping[str, str], log: Path, *options: str, first: str = ""
) -> Iterator[subprocess.Popen[str]]:
    """A server that has just answered `tools/list`, and before it what came first."""
    with (
        log.open("w") as errors,
        subprocess.Popen(
            [sys.executable, *options, *SERVE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=dict(environment),
            text=True,
        ) as server,
    ):
        try:
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write(first + HANDSHAKE)
            server.stdin.flush()
            assert '"id":1' in server.stdout.readline()
            while '"id":2' not in (line := server.stdout.readline()):
                assert first
                assert line
            assert '"tools":' in line
            yield server
        finally:
            server.kill()


def test_nothing_heavy_is_imported_before_the_tools_are_listed(
    environment: dict[str, str], tmp_path: Path
) -> None:
    log = tmp_path / "log"
    with listed(environment, log, "-X", "importtime") as server:
        server.kill()
    imported = {line.rpartition("|")[2].strip() for line in log.read_text().splitlines()}
    assert "fastmcp" in imported
    model = {"torch", "sentence_transformers", "transformers", "onnxruntime", "tokenizers"}
    assert imported.isdisjoint(model)


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_half_a_character_and_a_mark_of_byte_order_leave_no_call_without_an_answer(
    environment: dict[str, str], tmp_path: Path, mark: str
) -> None:
    call = (
        mark + '{"jsonrpc":"2.0","id":3,"method":"tools/call",'
        '"params":{"name":"\\ud83d\\ude00 \\ud83d","arguments":{}}}\n'
    )
    with listed(environment, tmp_path / "log") as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(call)
        server.stdin.flush()
        assert "there is no tool '😀 �'" in server.stdout.readline()


def test_the_messages_of_a_batch_are_answered_each_on_its_own(
    environment: dict[str, str], tmp_path: Path
) -> None:
    batch = [
        {"jsonrpc": "2.0", "id": 3, "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 4, "method": "nothing"},
    ]
    with listed(environment, tmp_path / "log") as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(f"{json.dumps(batch)}\n")
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for _ in range(2)]
    assert {answer["id"]: "error" in answer for answer in answers} == {3: False, 4: True}


def test_a_client_that_gave_up_the_newest_protocol_is_served_in_an_older_one(
    environment: dict[str, str], tmp_path: Path
) -> None:
    prefix = "io.modelcontextprotocol/"
    meta = {
        f"{prefix}protocolVersion": "2026-07-28",
        f"{prefix}clientInfo": {"name": "test", "version": "1"},
        f"{prefix}clientCapabilities": {},
    }
    asked = {"jsonrpc": "2.0", "id": 0, "method": "server/discover", "params": {"_meta": meta}}
    with listed(environment, tmp_path / "log", first=f"{json.dumps(asked)}\n") as server:
        server.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("busy", [False, True])
def test_a_signal_ends_the_server(
    environment: dict[str, str],
    tmp_path: Path,
    number: signal.Signals,
    busy: bool,  # noqa: FBT001 - a table
) -> None:
    log = tmp_path / "log"
    with listed(environment, log) as server:
        if busy:
            wait_until_open(server)
        server.send_signal(number)
        assert server.wait(120) == 0
    assert log.read_text() == ""


def test_whoever_runs_it_in_a_terminal_is_told_what_it_waits_for(
    environment: dict[str, str],
) -> None:
    ours, theirs = pty.openpty()
    try:
        with subprocess.Popen(
            [sys.executable, *SERVE], env=environment, stdin=theirs, stderr=subprocess.PIPE
        ) as server:
            assert server.stderr is not None
            assert server.stderr.readline().startswith(b"graphmem serves MCP over stdio: a client")
            os.write(ours, b"\x04")  # the end of the input, as Ctrl-D
    finally:
        os.close(ours)
        os.close(theirs)
    assert server.returncode == 0


@pytest.mark.parametrize("busy", [False, True])
def test_the_end_of_input_ends_the_server(
    environment: dict[str, str],
    tmp_path: Path,
    busy: bool,  # noqa: FBT001 - a table
) -> None:
    log = tmp_path / "log"
    with listed(environment, log) as server:
        if busy:
            wait_until_open(server)
        assert server.stdin is not None
        server.stdin.close()
        assert server.wait(120) == 0
    assert log.read_text() == ""


@pytest.mark.parametrize("ended", [True, False])
def test_a_client_that_does_not_read_an_answer_to_its_end_ends_the_server(
    environment: dict[str, str],
    tmp_path: Path,
    ended: bool,  # noqa: FBT001 - a table
) -> None:
    log = tmp_path / "log"
    with listed(environment, log) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        # So that the server cannot write an answer at once, and is in the middle of it.
        fcntl.fcntl(server.stdout, fcntl.F_SETPIPE_SZ, 4096)
        server.stdin.write('{"jsonrpc":"2.0","id":3,"method":"tools/list"}\n')
        server.stdin.flush()
        assert os.read(server.stdout.fileno(), 1) == b"{"
        server.stdout.close()
        if ended:
            server.stdin.close()
        assert server.wait(120) == 0
    assert log.read_text() == ""


def wait_until_open(server: subprocess.Popen[str]) -> None:
    """Wait for an answer from the memory: from then on the model is being imported."""
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write(
        '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"overview","arguments":{}}}\n'
    )
    server.stdin.flush()
    assert '"isError":false' in server.stdout.readline()


def test_a_server_without_a_database_lists_its_tools_and_says_what_is_wrong(
    environment: dict[str, str], tmp_path: Path
) -> None:
    nowhere = environment | {"NEO4J_URI": "bolt://127.0.0.1:1"}
    with agent_of(nowhere, tmp_path) as agent:
        assert "search" in agent.tools()
        for _ in range(2):
            assert "no Neo4j answers at bolt://127.0.0.1:1" in agent.refusal("overview")
