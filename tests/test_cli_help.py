"""What `--help` and `--version` show, and what they do without."""

import importlib
from inspect import getdoc

import pytest

from graphmem import __version__, cli
from graphmem.transfer import FORMATS

COLUMNS = 80
EVERY_COMMAND = (
    *cli.COMMANDS,
    *((f"db {name}", place, text) for name, place, text in cli.DB_COMMANDS),
    *((f"project {name}", place, text) for name, place, text in cli.PROJECT_COMMANDS),
)


def test_a_narrow_terminal_gets_help_whose_paragraphs_are_wrapped_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    assert cli.main(["search", "--help"]) == 0
    head = capsys.readouterr().out.partition("╭")[0]
    _, _, paragraph, _ = head.split("\n\n")
    lengths = [len(line) for line in paragraph.splitlines()[:-1]]
    assert min(lengths) > 35
    assert max(lengths) <= 50


def test_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"{__version__}\n"


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("search", "[OPTIONS] [QUERY...]"),
        ("explore", "[OPTIONS] NAME [TO]"),
        ("unlink", "[OPTIONS] FROM [RELATION] TO"),
        ("show", "[OPTIONS] NAME"),
        ("purge", "[OPTIONS] [NAMES...]"),
        ("db", "COMMAND"),
    ],
)
def test_the_usage_line_names_every_argument(
    command: str, arguments: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([command, "--help"]) == 0
    usage = capsys.readouterr().out.splitlines()[0]
    assert usage == f"Usage: graphmem {command} {arguments}"


def test_help_names_every_command_and_shows_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--help"]) == 0
    output = capsys.readouterr().out
    for name, _, text in cli.COMMANDS:
        assert f"{name} " in output
        assert text in output
    assert "Examples:" in output


@pytest.mark.parametrize(("name", "place", "text"), EVERY_COMMAND)
def test_every_command_is_there_and_its_summary_is_its_docstring_first_line(
    name: str, place: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    module, _, function = place.partition(":")
    command = getattr(importlib.import_module(f"graphmem.cli.{module}"), function)
    messages = (getdoc(command) or "").splitlines()
    assert messages[0] == text
    assert max(map(len, messages)) <= COLUMNS  # a terminal would break each of them in two
    assert cli.main([*name.split(), "--help"]) == 0
    assert text in " ".join(capsys.readouterr().out.split())


def test_the_help_of_import_says_what_each_format_reads(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["import", "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.replace("│", " ").split())
    assert [name for name, form in FORMATS.items() if f"{name}: {form.about}" not in shown] == []


def test_the_help_says_that_a_status_may_be_repeated(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["search", "--help"]) == 0
    assert "--status STR...  " in capsys.readouterr().out


@pytest.mark.parametrize("command", ["remember", "link"])
def test_a_period_is_described_alike_for_entities_and_relations(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    cli.main([command, "--help"])
    words = " ".join(capsys.readouterr().out.replace("│", " ").split())
    assert "The first day, or the moment, from which it is valid." in words
    assert "The last day, or the moment, until which it is valid." in words
