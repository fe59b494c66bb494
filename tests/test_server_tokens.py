"""Named callers over HTTP: the file of their tokens, what each may reach, who is noted."""

import asyncio
import json
import os
import pwd
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from anyio.from_thread import start_blocking_portal
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from mcp import MCPError
from mcp_types import Implementation

from agents import Agent
from graphmem.errors import ConfigurationError
from graphmem.model.secret import Secret
from graphmem.server import http
from graphmem.server.tokens import Caller, KnownCallers, callers_of
from log_records import own_records
from test_server_http import TOKEN, Door, door_of, logged
from test_server_tools import READING, WRITING

ALICE, BOB, NEXT = "alice-alice-alice-1", "bobby-bobby-bobby-2", "alice-alice-alice-3"
ANYONE = Secret(TOKEN)


def written(folder: Path, *lines: str, mode: int = 0o600) -> Path:
    file = folder / "tokens.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    file.chmod(mode)
    return file


def refused(folder: Path, *lines: str, token: Secret | None = None) -> str:
    with pytest.raises(ConfigurationError) as raised:
        callers_of(token, written(folder, *lines))
    message = str(raised.value)
    assert message.startswith(f"GRAPHMEM_TOKENS: {folder}")
    assert not any(secret in message for secret in (ALICE, BOB, NEXT, TOKEN))
    return message


# The file


def test_a_table_names_a_caller_its_tokens_and_its_limits(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        "[alice]",
        f'token = ["{ALICE}", "{NEXT}"]',
        'projects = ["https://github.com/acme/shop.git", "notes"]',
        '["Bob of night shift"]',
        f'token = "{BOB}"',
        "read_only = true",
    )
    alice = Caller("alice", frozenset({"github.com/acme/shop", "notes"}))
    bob = Caller("Bob of night shift", read_only=True)
    assert callers_of(None, file) == [
        (Secret(ALICE), alice), (Secret(NEXT), alice), (Secret(BOB), bob),
    ]  # fmt: skip


def test_the_anonymous_token_stands_beside_them(tmp_path: Path) -> None:
    file = written(tmp_path, "[alice]", f'token = "{ALICE}"')
    (token, anyone), _ = callers_of(ANYONE, file)
    assert token == ANYONE
    assert anyone == Caller(reserved=frozenset({"alice"}))


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o644])
def test_a_file_that_others_can_read_or_write_is_refused(tmp_path: Path, mode: int) -> None:
    file = written(tmp_path, "[alice]", f'token = "{ALICE}"', mode=mode)
    with pytest.raises(ConfigurationError, match=f"run `chmod 600 {file}`"):
        callers_of(None, file)


def test_a_file_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = written(tmp_path, "[alice]", f'token = "{ALICE}"')
    if (owner := pwd.getpwuid(os.geteuid()).pw_name) == "root":  # whose files may be trusted
        owner = "nobody"
        os.chown(file, pwd.getpwnam(owner).pw_uid, -1)
    else:
        stranger = os.geteuid() + 1
        monkeypatch.setattr(os, "geteuid", lambda: stranger)
    with pytest.raises(
        ConfigurationError, match=f"{file}: it belongs to the user {owner}, who could"
    ):
        callers_of(None, file)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"GRAPHMEM_TOKENS: .*nowhere: it cannot be read"):
        callers_of(None, tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([], "it names no caller"),
        (["[alice", "bob"], "line 1 is not TOML"),
        (["[alice]", f"token = {ALICE}"], "line 2 is not TOML"),
        ([f'token = "{ALICE}"'], "every key must be in the table of a caller"),
        ([f'{ALICE} = "alice"'], "every key must be in the table of a caller"),
        (["[alice]", f'{ALICE} = "token"'], "alice has a key that is not known; the keys are"),
        (["[alice]"], "the token of alice must be a text, or a list of texts"),
        (["[alice]", "token = []"], "alice must have a token"),
        (["[alice]", f'token = ["{ALICE}", 7]'], "the token of alice must be a text"),
        (["[alice]", 'token = "fifteen-letters"'], "the token of alice has 15 characters"),
        (["[alice]", 'token = "öpen-sesame-öpen-sesame"'], "at least 16 ASCII letters"),
        (["[alice]", 'token = "x"'], "has 1 character; it must have at least 16"),
        (["[alice]", 'token = "open-sesame, open-sesame"'], "without spaces"),
        (["[alice]", f'token = "{ALICE}"', 'read_only = "yes"'], "read_only of alice must be true"),
        (["[alice]", f'token = "{ALICE}"', "projects = []"], "leave it out to allow all"),
        (["[alice]", f'token = "{ALICE}"', 'projects = "notes"'], "must be a list of projects"),
        (["[alice]", f'token = "{ALICE}"', 'projects = ["a#b"]'], "projects[0] of alice must not"),
        (["[alice]", f'token = "{ALICE}"', 'projects = ["@user"]'], "must not be the layer @user"),
        (['[" "]', f'token = "{ALICE}"'], "a caller's name must not be blank"),
        (['["al\\u200bice"]', f'token = "{ALICE}"'], "must be written as it is shown"),
        (['[" alice"]', f'token = "{ALICE}"'], "must be written as it is shown: 'alice'"),
        (["[alice]", f'token = "{ALICE}"', "[bob]", f'token = "{ALICE}"'], "alice and bob have"),
        (["[alice]", f'token = ["{ALICE}", "{ALICE}"]'], "alice and alice have the same token"),
    ],
)
def test_what_cannot_be_used_is_refused_without_a_secret(
    tmp_path: Path, lines: list[str], told: str
) -> None:
    assert told in refused(tmp_path, *lines)


def test_a_caller_with_less_access_than_the_server_is_limited() -> None:
    limited = (Caller(read_only=True), Caller(projects=frozenset({"notes"})))
    assert [caller.is_limited for caller in (*limited, Caller())] == [True, True, False]


def test_a_token_of_sixteen_characters_is_long_enough(tmp_path: Path) -> None:
    ((token, _),) = callers_of(None, written(tmp_path, "[alice]", 'token = "sixteen--letters"'))
    assert token == Secret("sixteen--letters")


def test_no_caller_has_the_anonymous_token(tmp_path: Path) -> None:
    message = refused(tmp_path, "[alice]", f'token = "{TOKEN}"', token=ANYONE)
    assert "GRAPHMEM_TOKEN and alice have the same token" in message


def test_a_file_of_tokens_admits_other_machines_and_each_token_its_caller(tmp_path: Path) -> None:
    file = written(tmp_path, "[alice]", f'token = ["{ALICE}", "{NEXT}"]')
    door = http.bearer(ANYONE, "0.0.0.0", file)  # noqa: S104 - with tokens
    assert door is not None
    found = {token: asyncio.run(door.verify_token(token)) for token in (ALICE, NEXT, TOKEN, BOB)}
    assert [known and known.caller.name for known in found.values()] == [
        "alice",
        "alice",
        None,
        None,
    ]
    assert found[TOKEN] is not None
    assert found[BOB] is None


# A file that is changed


def names_of(callers: KnownCallers) -> list[str | None]:
    """Whom three tokens let in; `-` for nobody."""
    found = [callers.caller_with(token) for token in (ALICE, BOB, NEXT)]
    return [caller.name if caller else "-" for caller in found]


def test_a_changed_file_counts_from_the_next_call_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    callers = KnownCallers(None, written(tmp_path, "[alice]", f'token = "{ALICE}"'))
    assert names_of(callers) == ["alice", "-", "-"]
    written(tmp_path, "[alice]", f'token = "{NEXT}"', "[bob]", f'token = "{BOB}"')
    assert names_of(callers) == ["-", "bob", "alice"]
    assert names_of(callers) == ["-", "bob", "alice"]
    assert [record.getMessage() for record in own_records(caplog)] == [
        f"GRAPHMEM_TOKENS: {tmp_path / 'tokens.toml'} was changed and has been read again"
    ]


def test_a_token_of_the_same_length_counts_though_the_file_looks_as_old_as_before(
    tmp_path: Path,
) -> None:
    file = written(tmp_path, "[alice]", f'token = "{ALICE}"')
    callers, before = KnownCallers(None, file), file.stat()
    written(tmp_path, "[alice]", f'token = "{NEXT}"')
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert names_of(callers) == ["-", "-", "alice"]


def test_a_changed_file_that_cannot_be_used_changes_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    callers = KnownCallers(ANYONE, written(tmp_path, "[alice]", f'token = "{ALICE}"'))
    written(tmp_path, "[alice]", f'token = "{NEXT}', "[bob]")
    assert names_of(callers) == ["alice", "-", "-"]
    written(tmp_path, "[bob]", f'token = "{BOB}"', mode=0o640)
    assert names_of(callers) == ["alice", "-", "-"]
    (tmp_path / "tokens.toml").unlink()
    assert names_of(callers) == ["alice", "-", "-"]
    messages = [record.getMessage() for record in own_records(caplog)]
    reasons = [message.split(": ")[2] for message in messages]
    assert [reason.split("; ")[0] for reason in reasons] == [
        "line 2 is not TOML",
        "other users can read or write it",
        "it cannot be read (No such file or directory)",
    ]
    assert all(message.endswith("; the previous tokens stay in use") for message in messages)
    assert not any(secret in caplog.text for secret in (ALICE, BOB, NEXT, TOKEN))
    written(tmp_path, "[bob]", f'token = "{BOB}"')
    assert names_of(callers) == ["-", "bob", "-"]


# A server of theirs


@dataclass
class Team:
    """A running server, and the project that alice is limited to."""

    door: Door
    mine: str
    other: str


@pytest.fixture(scope="module")
def team(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    own = uuid.uuid4().hex
    mine, other = f"example.org/team/{own}", f"example.org/others/{own}"
    file = written(
        tmp_path_factory.mktemp("tokens"),
        "[alice]", f'token = "{ALICE}"', f'projects = ["{mine}"]',
        "[bob]", f'token = "{BOB}"', "read_only = true",
    )  # fmt: skip
    told = environment | {"GRAPHMEM_TOKEN": TOKEN, "GRAPHMEM_TOKENS": str(file)}
    with door_of(told, "--layers", "user") as door:
        with agent(door, TOKEN) as anyone:
            for project in (mine, other):
                anyone.call("remember", entities=[{"name": f"Boat {own}"}], project=project)
        yield Team(door, mine, other)


@contextmanager
def agent(door: Door, token: str, name: str = "an editor") -> Iterator[Agent]:
    transport = StreamableHttpTransport(door.url, auth=token)
    client = Client(transport, client_info=Implementation(name=name, version="1"))
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client):
        yield Agent(portal, client)


def test_a_change_is_recorded_under_the_name_of_the_token(team: Team) -> None:
    with agent(team.door, ALICE) as alice:
        alice.call("remember", entities=[{"name": "Hers"}])
        assert alice.call("history", name="Hers")["revisions"][0]["by"] == "alice"


def test_nobody_takes_the_name_of_a_token_by_saying_so(team: Team) -> None:
    by = {}
    for name in ("Alice", "an editor"):
        with agent(team.door, TOKEN, name) as anyone:
            anyone.call("remember", entities=[{"name": f"By {name}"}], project=team.mine)
            reply = anyone.call("history", name=f"By {name}", project=team.mine)
            by[name] = reply["revisions"][0]["by"]
    assert by == {"Alice": "an agent", "an editor": "an editor"}


def test_a_caller_who_only_reads_has_no_prompt_to_write(team: Team) -> None:
    prompts = {}
    for token in (ALICE, BOB):
        with agent(team.door, token) as caller:
            listed = caller.portal.call(caller.client.list_prompts)
            prompts[token] = [prompt.name for prompt in listed]
    assert prompts == {ALICE: ["recall", "remember"], BOB: ["recall"]}


def test_a_prompt_and_a_resource_reach_what_their_caller_reaches(team: Team) -> None:
    with agent(team.door, ALICE) as alice:
        question = {"question": "Boat"}
        (message,) = alice.portal.call(alice.client.get_prompt, "recall", question).messages
        assert f"From the memory of {team.mine}" in message.content.text
        with pytest.raises(MCPError, match="project"):
            alice.portal.call(alice.client.get_prompt, "recall", question | {"project": team.other})
        with pytest.raises(MCPError, match="project"):
            alice.portal.call(alice.client.read_resource, f"memory://overview?project={team.other}")


def test_the_only_project_of_a_caller_need_not_be_named(team: Team) -> None:
    with agent(team.door, ALICE) as alice:
        assert alice.call("overview")["project"] == team.mine


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search", {"query": "boat"}),
        ("context", {"query": "boat"}),
        ("get", {"names": ["Boat"]}),
        ("overview", {}),
        ("history", {}),
        ("remember", {"entities": [{"name": "Boat", "text": "mine now"}]}),
        ("link", {"from": "Boat", "relation": "NEAR", "to": "Boat"}),
        ("forget", {"names": ["Boat"]}),
        ("change", {"action": "undo", "name": "last"}),
    ],
)
def test_a_caller_with_projects_reaches_no_other(
    team: Team, tool: str, arguments: dict[str, object]
) -> None:
    with agent(team.door, ALICE) as alice:
        message = alice.refusal(tool, project=team.other, **arguments)
    assert message.endswith(f"got {team.other!r}. This caller is limited to {team.mine}.")


def test_a_key_of_another_project_leads_nowhere(team: Team) -> None:
    with agent(team.door, TOKEN) as anyone:
        (hit,) = anyone.call("search", query="boat", mode="keyword", project=team.other)["hits"]
        key = f"{team.other}#{hit['name'].casefold()}"
        assert anyone.call("get", names=[key], project=team.other)["entities"]
    with agent(team.door, ALICE) as alice:
        assert "no entity" in alice.refusal("get", names=[key])
        assert json.loads(alice.text("forget", names=[key]))["entities"]["refused"] == 1


def test_a_caller_with_projects_reads_and_writes_layers_as_the_server_does(team: Team) -> None:
    name = f"Rule {uuid.uuid4().hex}"
    with agent(team.door, ALICE) as alice:
        alice.call("remember", entities=[{"name": name}], project="@user")
        assert alice.call("get", names=[name], project="@user")["entities"]
        message = alice.refusal("remember", entities=[{"name": name}], project="@system")
    assert "--layers system" in message


def test_a_caller_that_only_reads_is_offered_and_allowed_nothing_else(team: Team) -> None:
    with agent(team.door, BOB) as bob:
        assert bob.tools() == READING
        assert bob.call("overview", project=team.other)["entities"] == 1
        message = bob.refusal("remember", entities=[{"name": "His"}], project=team.other)
        past = {"project": team.other, "as_of": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"}
        refusals = [
            bob.refusal("search", query="boat", **past),
            bob.refusal("search", query="", kinds=["Thing"], **past),
        ]
    assert message.startswith("remember writes, but this caller may only read")
    assert all("which is not allowed read-only" in refusal for refusal in refusals)
    with agent(team.door, ALICE) as alice:
        assert alice.tools() == READING | WRITING


def test_the_log_names_the_caller_and_its_only_project(
    environment: dict[str, str], tmp_path: Path, project: str
) -> None:
    file = written(
        tmp_path, "[alice]", f'token = "{ALICE}"', f'projects = ["{project}"]', "read_only = true"
    )
    with door_of(environment | {"GRAPHMEM_TOKENS": str(file)}) as door:
        with agent(door, ALICE) as alice:
            alice.call("overview")
            alice.refusal("remember", entities=[{"name": "Hers"}])
        assert logged(door) == [
            f"INFO graphmem.calls: call tool={tool} project={project} caller=alice outcome={end}"
            for tool, end in [("overview", "ok"), ("remember", "ToolError")]
        ]


def test_a_caller_with_projects_is_told_of_these_alone(
    environment: dict[str, str], team: Team, tmp_path: Path
) -> None:
    empty = f"example.org/team/{uuid.uuid4().hex}"
    file = written(
        tmp_path, "[alice]", f'token = "{ALICE}"', f'projects = ["{team.mine}", "{empty}"]'
    )
    with (
        door_of(environment | {"GRAPHMEM_TOKENS": str(file)}) as door,
        agent(door, ALICE) as alice,
    ):
        seen = alice.call("overview")["projects"]
        message = alice.refusal("search", query="boat")
    assert [listed_project["project"] for listed_project in seen] == [team.mine]
    assert message.endswith(f"Known projects are {', '.join(sorted([team.mine, empty]))}.")


def test_a_wrong_token_is_refused(team: Team) -> None:
    statuses = [team.door.status(Authorization=f"Bearer {one}") for one in (ALICE, BOB, NEXT)]
    assert statuses == [200, 200, 401]


def test_a_token_is_taken_back_while_the_server_runs(
    environment: dict[str, str], tmp_path: Path
) -> None:
    file = written(tmp_path, "[alice]", f'token = "{ALICE}"', "[bob]", f'token = "{BOB}"')
    with door_of(environment | {"GRAPHMEM_TOKENS": str(file)}) as door:
        tokens = {"alice": ALICE, "bob": BOB}
        before = {name: door.status(Authorization=f"Bearer {tokens[name]}") for name in tokens}
        written(tmp_path, "[alice]", f'token = "{ALICE}"')
        after = {name: door.status(Authorization=f"Bearer {tokens[name]}") for name in tokens}
    assert (before, after) == ({"alice": 200, "bob": 200}, {"alice": 200, "bob": 401})
