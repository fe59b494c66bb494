"""The way into Neo4j Browser: who sees the password, what opens, and how long the server waits."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

import pytest
from neo4j import GraphDatabase

from graphmem import cli
from graphmem.memory import Memory
from graphmem.neo4j_process import browsing, status
from graphmem.neo4j_process.home import activity, browser_style
from graphmem.neo4j_process.home.paths import Home
from graphmem.settings import Settings
from neo4j_servers import until
from terminals import Background, at_terminal, in_background

SECRET = "correct-horse-battery-staple"  # noqa: S105 - of no server

Shown = tuple[int, str, str]
Run = Callable[..., Shown]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process, whose output is no terminal."""

    def run(*tokens: str) -> Shown:
        code = cli.main(tokens)
        return (code, *capsys.readouterr())

    return run


@pytest.fixture
def secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of the password in a home whose server does not run."""
    monkeypatch.setenv("GRAPHMEM_HOME", str(tmp_path))
    file = tmp_path / "password"
    file.write_text(SECRET, encoding="utf-8")
    file.chmod(0o600)
    return file


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Makes programs, the only ones there are beside those of a shell, at a screen."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)

    def make(name: str, script: str) -> None:
        file = folder / name
        file.write_text(f"#!/bin/sh\nPATH=/usr/bin:/bin\ncd {folder}\n{script}\n", encoding="utf-8")
        file.chmod(0o755)

    return make


# The password


@pytest.mark.usefixtures("secret")
def test_the_password_is_shown_on_a_terminal_alone(run: Run) -> None:
    assert at_terminal("db", "password") == SECRET
    code, out, err = run("db", "password")
    assert (code, out) == (1, "")
    assert "graphmem db password --copy" in err
    assert SECRET not in err


@pytest.mark.usefixtures("secret")
def test_it_goes_to_the_clipboard_by_no_argument(
    run: Run, program: Callable[[str, str], None], tmp_path: Path
) -> None:
    program("xclip", 'echo "$@" >> arguments\ncase "$*" in *-o*) cat board;; *) cat > board;; esac')
    code, out, err = run("db", "password", "--copy")
    assert (code, err) == (0, "")
    assert out == "The password is on the clipboard. The user is neo4j.\n"
    assert (tmp_path / "programs" / "board").read_text() == SECRET
    assert SECRET not in (tmp_path / "programs" / "arguments").read_text()


@pytest.mark.usefixtures("secret")
def test_a_clipboard_that_fails_in_silence_is_noticed(
    run: Run, program: Callable[[str, str], None]
) -> None:
    program("xclip", "exit 1")
    code, out, err = run("db", "password", "--copy")
    assert (code, out) == (1, "")
    assert "no clipboard can be used here" in err


@pytest.mark.usefixtures("secret")
def test_a_missing_clipboard_is_reported(
    run: Run, program: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    program("xclip", "touch called")
    monkeypatch.delenv("DISPLAY")
    code, out, err = run("db", "password", "--copy")
    assert (code, out) == (1, "")
    assert "install xclip, xsel or wl-clipboard" in err


@pytest.mark.usefixtures("secret")
def test_a_clipboard_that_takes_its_text_as_an_argument_is_refused(
    run: Run, program: Callable[[str, str], None], tmp_path: Path
) -> None:
    program("klipper", "exit 0")
    program("qdbus", "touch called")
    code, out, err = run("db", "password", "--copy")
    assert (code, out) == (1, "")
    assert "shows its text to other users" in err
    assert not (tmp_path / "programs" / "called").exists()


def test_a_server_that_never_ran_has_no_password_yet(run: Run, secret: Path) -> None:
    secret.unlink()
    code, out, err = run("db", "password", "--copy")
    assert (code, out) == (1, "")
    assert "`graphmem db start` makes one" in err


def test_a_password_that_others_can_read_is_refused(run: Run, secret: Path) -> None:
    secret.chmod(0o644)
    code, out, err = run("db", "password", "--copy")
    assert (code, out) == (1, "")
    assert f"chmod 600 {secret}" in err


@pytest.mark.usefixtures("secret")
def test_the_password_of_another_server_is_that_of_the_setting(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://db.example.org")
    monkeypatch.setenv("NEO4J_PASSWORD", "hush")
    code, out, err = run("db", "password")
    assert (code, out) == (1, "")
    assert "gave in NEO4J_PASSWORD" in err
    assert "hush" not in err
    assert SECRET not in err


# Browser of another server


@pytest.mark.parametrize(
    ("uri", "place"),
    [
        ("neo4j+s://0a1b2c3d.databases.neo4j.io", "https://console.neo4j.io"),
        ("bolt://me:hush@db.example.org:7687", "http://db.example.org:7474"),
        ("neo4j://[2001:db8::1]:7687", "http://[2001:db8::1]:7474"),
        ("neo4j+s://db.example.org", "https://db.example.org:7473"),
        ("bolt+ssc://db.example.org:7687", "https://db.example.org:7473"),
    ],
)
def test_browser_of_another_server_is_named_and_nothing_is_started(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, uri: str, place: str
) -> None:
    monkeypatch.setenv("GRAPHMEM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("NEO4J_URI", uri)
    monkeypatch.setenv("NEO4J_USERNAME", "somebody")
    monkeypatch.setenv("NEO4J_PASSWORD", "hush")
    code, out, err = run("db", "browser")
    assert (code, err) == (0, "")
    assert place in out.split()
    assert "somebody" in out
    assert "hush" not in out
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("uri", ["db.example.org", "bolt://", "bolt://[::1", ":7687"])
def test_an_address_without_a_host_is_refused(
    run: Run, monkeypatch: pytest.MonkeyPatch, uri: str
) -> None:
    monkeypatch.setenv("NEO4J_URI", uri)
    code, out, err = run("db", "browser")
    assert (code, out) == (1, "")
    assert "NEO4J_URI names no host" in err


# Browser of the private server


def opened(*options: str, **variables: str) -> Background:
    """A `db browser` that has said all it has to say."""
    return in_background("db", "browser", *options, until="Ctrl-C", **variables)


def test_the_server_waits_while_someone_looks(
    environment: dict[str, str], config: Settings
) -> None:
    home = Home(config.home)
    browser = opened(DISPLAY="", WAYLAND_DISPLAY="")
    try:
        for _ in range(2):
            long_ago = time.time() - 600
            os.utime(home.activity, (long_ago, long_ago))
            until(lambda: activity.idle_minutes(home) < 5)
    finally:
        shown = browser.interrupted()
    found = status(config)
    assert found.browser is not None
    address = next(line.strip() for line in shown.splitlines() if found.browser in line)
    (server,) = parse_qs(urlsplit(address).query)["connectURL"]
    assert server == str(found.uri).replace("://", "://neo4j@")
    assert "`graphmem db password`" in shown
    assert "`:server disconnect`" in shown
    assert "ssh -L" in shown
    assert home.password.read_text() not in shown
    assert f"{environment['GRAPHMEM_IDLE_MINUTES'].removesuffix('.0')} minutes" in shown


@pytest.mark.usefixtures("environment")
def test_a_web_browser_gets_the_address_and_no_password(config: Settings, tmp_path: Path) -> None:
    opener = tmp_path / "opener"
    opener.write_text(
        f'#!/bin/sh\necho "$@" > {tmp_path}/new\nmv {tmp_path}/new {tmp_path}/opened\n'
    )
    opener.chmod(0o755)
    browser = opened(DISPLAY=":0", BROWSER=str(opener))
    try:
        until((tmp_path / "opened").exists)
    finally:
        shown = browser.interrupted()
    address = (tmp_path / "opened").read_text().strip()
    with urlopen(address) as page:  # noqa: S310 - of our own server
        assert b"Neo4j Browser" in page.read()
    assert address in shown
    assert "Opening your web browser." in shown
    assert address.startswith(str(status(config).browser))
    assert Home(config.home).password.read_text() not in address


@pytest.mark.usefixtures("environment")
@pytest.mark.parametrize("place", ["", "/browser/", "/db/neo4j/query/v2"])
def test_no_page_of_another_address_may_read_what_the_server_answers(
    config: Settings, place: str
) -> None:
    own_page = str(status(config).browser).removesuffix("/browser/")
    request = Request(own_page + place, headers={"Origin": "http://example.org"})  # noqa: S310 - likewise
    try:
        answer = urlopen(request)  # noqa: S310 - likewise
    except HTTPError as error:
        answer = error
    with answer:
        assert answer.headers.get("Access-Control-Allow-Origin") in {None, own_page}


@pytest.mark.usefixtures("environment")
def test_the_address_filled_in_takes_the_user_and_the_password(config: Settings) -> None:
    """As the page does it: it cannot trust a certificate, and connects unencrypted."""
    address = browsing.login_address(status(config))
    assert address is not None
    server = urlsplit(parse_qs(urlsplit(address).query)["connectURL"][0])
    place = f"{server.scheme}://{server.hostname}:{server.port}"
    login = (server.username or "", browsing.read_password(config))
    with GraphDatabase.driver(place, auth=login, encrypted=False) as driver:
        driver.verify_connectivity()


@pytest.mark.usefixtures("environment")
def test_new_kinds_are_told_and_drawn_from_the_next_start_on(
    config: Settings, memory: Memory
) -> None:
    memory.remember([{"name": "Albatross", "kind": "Ship of the line"}])
    shown = opened("--no-open").interrupted()
    assert "at its next start" in " ".join(shown.split())
    home = Home(config.home)
    assert "Ship of the line" in browser_style.read(home).kinds
    assert "node.Ship of the line" in browser_style.settings(home)[browser_style.SETTING]
    assert "node.Ship of the line" not in home.configuration.read_text()


@pytest.mark.usefixtures("environment")
def test_no_open_opens_nothing(tmp_path: Path) -> None:
    opener = tmp_path / "opener"
    opener.write_text(f"#!/bin/sh\ntouch {tmp_path}/opened\n")
    opener.chmod(0o755)
    browser = opened("--no-open", DISPLAY=":0", BROWSER=str(opener))
    shown = browser.interrupted()
    assert "Opening" not in shown
    assert not (tmp_path / "opened").exists()


@pytest.mark.usefixtures("environment")
def test_status_prints_the_address_of_browser(run: Run, config: Settings) -> None:
    _, out, _ = run("db", "status")
    assert f"browser  {status(config).browser} " in out
