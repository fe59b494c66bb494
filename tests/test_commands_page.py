"""Every command of the terminal has an example in docs/commands.md, and the examples work."""

import shlex
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cyclopts import App

from doc_pages import blocks, page
from fakes import FakeEmbedder
from graphmem import cli
from graphmem.cli import session
from neo4j_servers import fresh_home, small, variables_of
from terminals import at_terminal, in_background

PAGE = page("commands")
BROWSER = ["db", "browser"]
PASSWORD = ["db", "password"]


def examples() -> Iterator[list[str]]:
    """The arguments of every example, in the order of the page; today is when one is taken."""
    for block in blocks(PAGE, "console"):
        for line in block.splitlines():
            today = datetime.now(UTC).date().isoformat()
            yield shlex.split(line.replace("$(date +%F)", today), comments=True)[1:]


def commands(app: App, *above: str) -> Iterator[tuple[str, ...]]:
    """The words of every command that the terminal takes."""
    for name in app:
        if not name.startswith("-"):
            below = list(commands(app[name], *above, name))
            yield from below or [(*above, name)]


def is_endless(tokens: list[str]) -> bool:
    """Whether an example runs until it is told to end; `db browser` runs with its server."""
    return tokens[0] == "serve" or "--watch" in tokens


COMMANDS = sorted(commands(cli.make_app()))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder the page speaks of, the current one; embeddings are the fake's."""
    (note,) = blocks(PAGE, "markdown")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "berths.md").write_text(note, encoding="utf-8")
    model = FakeEmbedder()
    monkeypatch.setattr(session, "embedder", lambda *_, **__: model)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_commands_are_those_of_the_help() -> None:
    listed = len(cli.COMMANDS) + len(cli.DB_COMMANDS) + len(cli.PROJECT_COMMANDS)
    assert len(COMMANDS) == listed


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_has_an_example(command: tuple[str, ...]) -> None:
    assert [words for words in examples() if tuple(words[: len(command)]) == command]


def test_every_line_of_a_console_block_is_a_command() -> None:
    lines = [line for block in blocks(PAGE, "console") for line in block.splitlines()]
    assert [line for line in lines if not line.startswith("graphmem ")] == []


def test_the_examples_without_an_end_are_understood() -> None:
    endless = [tokens for tokens in examples() if is_endless(tokens)]
    assert {tokens[0] for tokens in endless} == {"import", "serve"}
    for tokens in endless:
        command, _, _ = cli.make_app().parse_args(tokens, exit_on_error=False)
        assert command.__name__.strip("_") == tokens[0]


@pytest.mark.usefixtures("environment", "folder")
def test_the_examples_work_in_order(project: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMEM_PROJECT", project)
    for tokens in examples():
        if tokens[0] != "db" and not is_endless(tokens):
            assert cli.main(tokens) == 0, tokens


@pytest.mark.live
@pytest.mark.usefixtures("folder")
def test_the_examples_of_the_private_server_work_in_order(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with fresh_home() as home:
        for name, value in variables_of(small(home)).items():
            monkeypatch.setenv(name, value)
        browsers = []
        for tokens in examples():
            if tokens[:2] == BROWSER:
                browsers.append(in_background(*tokens, until="Ctrl-C"))
            elif tokens[:2] == PASSWORD:
                assert at_terminal(*tokens) == (home / "password").read_text(encoding="utf-8")
            elif tokens[0] == "db":
                assert cli.main(tokens) == 0, tokens
        for browser in browsers:
            # It outlived a backup, a restore and a new password, and ends once the server stops.
            assert browser.ended().endswith("was stopped; `graphmem db browser` starts it again.\n")
        assert browsers
        assert "Starting the private Neo4j (about 10 seconds) …" in capsys.readouterr().err
