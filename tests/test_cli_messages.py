"""What the terminal says without a database: usage, help, shortening, progress."""

import importlib
import io
import json
import subprocess
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from inspect import getdoc
from pathlib import Path
from typing import NoReturn

import pytest
from rich.console import Console

from fakes import FakeEmbedder
from graphmem import __version__, cli, server
from graphmem.cli import (
    answers,
    demo,
    explanations,
    history,
    options,
    output,
    pages,
    session,
)
from graphmem.cli import progress as progress_module
from graphmem.cli.progress import ProgressDisplay
from graphmem.cli.search import projects_to_search
from graphmem.errors import GraphmemError
from graphmem.memory import Memory
from graphmem.memory.access import EVERYTHING, Access
from graphmem.model import (
    Answer,
    Entity,
    Explanation,
    Hit,
    Item,
    LegPart,
    LinkPart,
    Passage,
    Report,
    Via,
    limits,
)
from graphmem.model.history import Change, Difference, Revision
from graphmem.model.page import Neighbour, Page
from graphmem.model.projects import ProjectChange, ProjectSummary
from graphmem.model.visible import visible
from graphmem.progress import Continued
from graphmem.transfer import FORMATS
from graphmem.write.write_progress import WriteProgress
from sample_hits import made_hit

COLUMNS = 80
EVERY_COMMAND = (
    *cli.COMMANDS,
    *((f"db {name}", place, text) for name, place, text in cli.DB_COMMANDS),
    *((f"project {name}", place, text) for name, place, text in cli.PROJECT_COMMANDS),
)


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


# What bash does when somebody presses the tabulator key behind these words.
def paper(width: int | None) -> tuple[output.TextOutput, io.StringIO]:
    """TextOutput as wide as a terminal, or the paper of a pipe."""
    stream = io.StringIO()
    console = Console(file=stream, width=width, force_terminal=width is not None, color_system=None)
    return output.TextOutput(console), stream


@pytest.mark.parametrize(
    "tokens",
    [
        ["serch", "x"],
        ["search", "x", "--mode", "magic"],
        ["search", "x", "--limit", "many"],
        ["link", "A"],
        ["show"],
        ["remember", "A", "--confidence", "3"],
        ["export", "--json"],
        ["import", "markdown", ""],
        ["serve", "--transport", "http", "--folder", ""],
        ["serve", "--folder", "/srv/checkouts"],
        ["serve", "--host", "127.0.0.1"],
        ["serve", "--port", "8765"],
        ["edit", "A", "--set", "name=B"],
        ["edit", "A", "--set", "if_revision=3"],
        ["edit", "A", "--set", "colour=red"],
        ["edit", "A"],
        ["forget"],
        ["restore"],
        ["serve", "--transport", "http", "--port", "99999"],
    ],
)
def test_wrong_usage_is_one_line_on_stderr_and_exit_code_2(
    tokens: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(tokens) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("graphmem: ")
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize(
    ("field", "way"),
    [
        ("name=B", "`graphmem rename`"),
        ("if_revision=3", "--if-revision NUMBER"),
        ("tags=x", "`graphmem remember --tag`"),
        ("unset=text", "--unset FIELD"),
    ],
)
def test_a_field_that_set_does_not_change_names_what_does(
    field: str, way: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["edit", "A", "--set", field]) == 2
    assert way in capsys.readouterr().err


@pytest.mark.parametrize(
    ("tokens", "command"),
    [
        (["serch", "x"], "graphmem"),
        (["search", "x", "--limt", "3"], "graphmem search"),
        (["db", "strat"], "graphmem db"),
        (["db", "backup", "--nothing"], "graphmem db backup"),
    ],
)
def test_wrong_usage_names_the_help_of_its_command(
    tokens: list[str], command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(tokens) == 2
    assert capsys.readouterr().err.endswith(f" See `{command} --help`.\n")


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (["serch", "x"], 'Unknown command "serch". Did you mean "search"?'),
        (["db", "strat"], 'Unknown command "strat". Did you mean "start"?'),
        (["xyzzy"], 'Unknown command "xyzzy". See'),
        (["--verbose", "stats"], "Unknown option: --verbose. See"),
        (["get", "x"], 'Unknown command "get". Did you mean "show"?'),
        (["recall", "x"], 'Unknown command "recall". Did you mean "search"?'),
        (["project", "alias", "A", "B"], 'Unknown command "alias". Did you mean "rename"?'),
        (["show", "A", "B"], 'Unexpected argument "B". Put a name of several words in quotes. See'),
        (["show", "A", "B c"], 'Unexpected argument "B c". See'),
        (["remember", "A", "A b."], 'Unexpected argument "A b.". If it is a text, put --text'),
        (
            ["link", "A", "R", "B", "C d"],
            'Unexpected argument "C d". If it is a note, put --note before it.',
        ),
        (["stats", "A"], 'Unexpected argument "A". See'),
        (["stats", "-v"], "Unknown option: -v. See"),
    ],
)
def test_what_the_command_line_does_not_know_is_named(
    tokens: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(tokens) == 2
    assert capsys.readouterr().err.startswith(f"graphmem: {words}")


@pytest.mark.parametrize(
    ("tokens", "sentence"),
    [
        (["show"], "NAME is missing."),
        (["link", "A", "USES"], "TO is missing."),
        (["search", "A", "--limit"], "--limit needs a value."),
        (["search", "A", "--kind", "--json"], "--kind needs a value."),
        (
            ["remember", "A", "--observation", "-5 degrees"],
            "--observation needs a value. If it begins with a hyphen, write --observation='…'.",
        ),
        (
            ["search", "-Xmx is too small"],
            ("Unknown option: -Xmx is too small. Put `--` before words that begin with a hyphen."),
        ),
        (["view", "A", "--as-of", "2026-01-01"], "Unknown option: --as-of."),
        (["view", "A", "--tag", "infra"], "Unknown option: --tag."),
        (["view", "A", "--limt", "3"], "Unknown option: --limt. Did you mean --limit?"),
        (["view", "A", "--type", "B"], "Unknown option: --type. Did you mean --kind?"),
        (["remember", "A", "--content", "B"], "Unknown option: --content. Did you mean --text?"),
        (
            ["search", "-Xmx"],
            "Unknown option: -Xmx. Put `--` before words that begin with a hyphen.",
        ),
        (
            ["remember", "--kind", "Flag", "-x"],
            "Unknown option: -x. Put `--` before words that begin with a hyphen.",
        ),
        (
            ["remember", "--", "-Xmx", "--kind", "Flag"],
            "Put --kind before the `--`: what follows it is not read as an option.",
        ),
        (["context"], "QUERY is missing."),
        (["db", "compact"], "--history-before is missing."),
        (
            ["db", "compact", "--history-befor", "2026-01-01"],
            (
                "--history-before is missing. Did you mean --history-before instead of "
                "--history-befor?"
            ),
        ),
        (["search", "A", "-n", "many"], "-n must be a whole number, got 'many'."),
        (["remember", "A", "--confidence", "high"], "--confidence must be a number, got 'high'."),
    ],
)
def test_an_argument_that_is_missing_or_no_number_is_named(
    tokens: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(tokens) == 2
    assert capsys.readouterr().err.startswith(f"graphmem: {sentence} See `graphmem ")


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


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"caf\xe9", "must be UTF-8. Standard input is not from its byte 4 on"),
        (b"a" * (1024 * 1024 + 1), "must have at most 1 MiB"),
        (b"\xef\xbb\xbf" + b"a" * (1024 * 1024 + 1), "must have at most 1 MiB"),
        ("é".encode() * (512 * 1024) + b"\xc3", "must have at most 1 MiB"),
    ],
)
def test_standard_input_that_is_no_text_is_refused(
    content: bytes,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    standard_input = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", standard_input)
    assert cli.main(["remember", "A", "--text", "-"]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"graphmem: --text {words}")
    assert error.count("\n") == 1


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_standard_input_is_read_whole_but_for_its_byte_order_mark(
    mark: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    longest = "é" * (512 * 1024)
    content = io.BytesIO(mark + longest.encode())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(content, encoding="ascii"))
    assert options.standard_input("--text") == longest


@pytest.mark.parametrize(
    ("tokens", "named"),
    [
        (["no-format", "."], 'Invalid value "no-format" for FORMAT. Choose from: "code", '),
        (["markdown", "no-folder"], "PATH must"),
        (["jsonl", ".", "--all", "--history"], "--history cannot be combined with --all"),
        (["jsonl", ".", "--all", "--project", "p"], "--project cannot be combined with --all"),
    ],
)
def test_an_import_of_nothing_starts_no_database(
    tokens: list[str],
    named: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def opened(*_: object, **__: object) -> None:
        raise AssertionError("the store was opened")

    monkeypatch.setattr(session, "open_memory", opened)
    assert cli.main(["import", *tokens]) == 2
    assert named in capsys.readouterr().err


@pytest.mark.parametrize(
    ("tokens", "named"),
    [
        (["search", ""], "QUERY must not be blank"),
        (["search", "x" * 10_001], "QUERY must"),
        (["search", "tide", "--limit", "0"], "--limit must"),
        (["search", "tide", "--follow", '{"seeds": "none"}'], "--follow seeds must"),
        (["search", "--kind", "Decision", "--min-score", ".5"], "--min-score must be 0"),
        (["search", "tide", "--all-projects", "--project", "p"], "--all-projects cannot be"),
        (["search", "tide", "--any-time", "--at", "2026-01-01"], "--any-time cannot be"),
        (["recent", "--all-projects", "--project", "p"], "--all-projects cannot be"),
        (["context", ""], "QUERY must not be blank, got ''\n"),
        (["context", "", "--kind", "Decision"], "QUERY must not be blank, got ''\n"),
        (["context", "tide", "--since", "soon"], "--since must"),
        (["context", "tide", "--budget", "5"], "--budget must"),
        (["recent", "--limit", "201"], "--limit must"),
        (["view", "tide", "--limit", "0"], "--limit must"),
        (["view", "tide", "--at", "soon"], "--at must"),
        (["view", "tide", "-o", "no/t.html"], "--output must be a file in an existing folder"),
        (["export", "--output", "no/t.jsonl"], "--output must be a file in an existing folder"),
        (["export", "--output", "."], "--output must be a file, not a folder"),
        (["view", "--entity", "A", "--limit", "201"], "--limit must"),
        (["view", "--entity", " "], "--entity must"),
        (["show", ""], "NAME must"),
        (["show", "A", "--as-of", "2999-01-01"], "--as-of must not lie in the future"),
        (["explore", "A", "--depth", "9"], "--depth must"),
        (["explore", "A", "", "--at", "now"], "TO must"),
        (
            ["remember", "A", "--observation-from", "2026-01-01"],
            "--observation-from must be given with --observation",
        ),
        (["remember", "A", "--confidence", "2"], "--confidence must"),
        (
            ["remember", "A", "--text", " "],
            "--text must not be blank. To delete the text of an entity, use `graphmem edit NAME",
        ),
        (["link", "A", "USES", "B", "--weight", "2"], "--weight must"),
        (["link", "A", "USES", "B", "--unset", "title"], "--unset must"),
        (["unlink", "A"], "TO must be given"),
        (["unlink", "A", ""], "TO must"),
        (["unlink", "A", "", "B"], "RELATION must"),
        (["unlink", "A", "USES", ""], "TO must"),
        (["unlink", "A", "USES", "B", "--relation", "USES"], "--relation must"),
        (["unlink", "A", "B", "--relation", ""], "--relation must"),
        (["unlink", "A", "B", "--valid-from", "soon"], "--valid-from must"),
        (["edit", "A", "--set", "confidence=2"], "--set confidence must"),
        (["edit", "A", "--unset", "name"], "--unset must"),
        (["rename", "A", ""], "NEW_NAME must"),
        (["rename", "A", "B", "--note", "x" * (2**20 + 1)], "--note must"),
        (["merge", "A", "", "--yes"], "INTO must"),
        (["supersede", "", "B"], "OLD must"),
        (["forget", "A", ""], "NAMES must"),
        (["restore", ""], "NAMES must"),
        (["undo", "last", "--note", "x" * (2**20 + 1)], "--note must"),
        (["purge"], "NAMES must"),
        (["purge", "A", "--since", "soon"], "--since must"),
        (["purge", "", "--history"], "NAMES must"),
        (["purge", "--history"], "NAMES must be given with --history, and filters must not\n"),
        (["history", "A", "--limit", "0"], "--limit must"),
        (["history", "A", "--since", "soon"], "--since must"),
        (["changes", "--until", "soon"], "--until must"),
        (["changes", "--since", ""], "--since must"),
        (
            ["changes", "--since", "soon"],
            (
                "--since must be a day such as 2026-03-01, a moment, or words such as `monday`, "
                "`last week` or `3 days ago`, got 'soon'\n"
            ),
        ),
        (["duplicates", "--threshold", "2"], "--threshold must be from 0 to 1, got 2.0"),
        (["db", "compact", "--history-before", "2999-01-01"], "--history-before must"),
        (
            ["db", "compact", "--history-before", "2026-01-01"],
            "--yes is required when stdin is not a terminal",
        ),
        (["project", "rename", "a", "b#c"], "NEW must"),
        (["project", "merge", "a", "@b"], "INTO must"),
        (["project", "delete", ""], "NAME must"),
        (["project", "delete", "a"], "--yes is required when stdin is not a terminal"),
        (["project", "rename", "a", "b"], "--yes is required"),
        (["project", "merge", "a", "b"], "--yes is required"),
        (["merge", "A", "B"], "--yes is required"),
        (["purge", "A"], "--yes is required"),
        (["purge", "A", "--history"], "--yes is required"),
        (["search", "tide", "--kind", ""], "--kind must"),
        (["search", "tide", "--where", "[1]"], "--where must be a JSON object, got '[1]'\n"),
        (
            ["search", "tide", "--where", "{tags_all: [a]}"],
            (
                "--where must be a JSON object, got '{tags_all: [a]}'. Its fields and texts stand "
                "in double quotes; put single quotes around all of it, or the shell takes it "
                "apart.\n"
            ),
        ),
        (["search", "tide", "--where", "[" * 100_000], "--where must be a JSON object"),
        (["search", "tide", "--where", '{"confidence": 2}'], "--where confidence must"),
        (["edit", "A", "--remove-tag", ""], "--remove-tag must"),
        (["edit", "A", "--replace", "text"], "--replace must be ID=TEXT"),
        (["edit", "A", "--attribute", "=ops"], "--attribute must be NAME=TEXT or NAME:=JSON"),
        (["edit", "A", "--attribute", "owner"], "--attribute must be NAME=TEXT or NAME:=JSON"),
    ],
)
def test_what_no_store_can_do_is_refused_before_a_database_is_started(
    tokens: list[str],
    named: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def opened(**_: object) -> None:
        raise AssertionError("the store was opened")

    monkeypatch.setattr(Memory, "open", opened)
    assert cli.main(tokens) == 2
    assert capsys.readouterr().err.startswith(f"graphmem: {named}")


@pytest.mark.parametrize(
    ("tokens", "access"),
    [
        ([], Access(layers=frozenset())),
        (["--layers", "user"], Access(layers=frozenset({"@user"}))),
        (["--project", "@system"], Access(layers=frozenset({"@system"}))),
        (["--all"], EVERYTHING),
    ],
)
def test_an_import_writes_to_no_layer_that_is_not_allowed(
    tokens: list[str], access: Access, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[object] = []

    def opened(**options: object) -> NoReturn:
        given.append(options["access"])
        raise GraphmemError("opened")

    monkeypatch.setattr(Memory, "open", opened)
    monkeypatch.setattr(session, "embedder", lambda *_, **__: FakeEmbedder())
    (tmp_path / "file.jsonl").touch()
    assert cli.main(["import", "jsonl", str(tmp_path / "file.jsonl"), *tokens]) == 1
    assert given == [access]


@pytest.mark.parametrize(
    ("named", "everywhere", "searched"),
    [
        ((), False, (None, None)),
        ((), True, (None, "*")),
        (("a",), False, ("a", None)),
        (("a", "b"), False, ("a", ("a", "b"))),
    ],
)
def test_one_project_is_searched_unless_several_are_named(
    named: tuple[str, ...],
    everywhere: bool,  # noqa: FBT001 - a table
    searched: tuple[object, object],
) -> None:
    assert projects_to_search(named, all_projects=everywhere) == searched


def test_a_setting_that_cannot_be_used_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GRAPHMEM_QUERY_SECONDS", "soon")
    assert cli.main(["stats"]) == 1
    assert "GRAPHMEM_QUERY_SECONDS" in capsys.readouterr().err


def test_the_demo_names_the_program_as_it_can_be_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "graphmem"
    script.touch(0o755)
    monkeypatch.setattr(sys, "argv", [str(script), "demo"])
    monkeypatch.setenv("PATH", str(tmp_path))
    assert demo._program() == "graphmem"
    monkeypatch.setenv("PATH", "")
    assert demo._program() == str(script)


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
    shown = capsys.readouterr().out
    for name, _, text in cli.COMMANDS:
        assert f"{name} " in shown
        assert text in shown
    assert "Examples:" in shown


@pytest.mark.parametrize(("name", "place", "text"), EVERY_COMMAND)
def test_every_command_is_there_and_its_summary_is_its_docstring_first_line(
    name: str, place: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    module, _, function = place.partition(":")
    command = getattr(importlib.import_module(f"graphmem.cli.{module}"), function)
    told = (getdoc(command) or "").splitlines()
    assert told[0] == text
    assert max(map(len, told)) <= COLUMNS  # a terminal would break each of them in two
    assert cli.main([*name.split(), "--help"]) == 0
    assert text in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("tokens", "beginning"),
    [
        (["remember", "A", "--confidence", "3"], "--confidence must be from 0 to 1, got 3.0"),
        (["remember", "A", "--tag", ""], "--tag must not be blank"),
        (["remember", "A", "--valid-from", "x"], "--valid-from must be a date"),
        (["remember", "A", "--attribute", "a#=1"], "--attribute name must begin"),
        (["remember", "A", "--observation", ""], "--observation must not be blank"),
        (
            ["remember", "A", "--observation", "x", "--observation-until", "no"],
            "--observation-until must be a date",
        ),
        (["remember", ""], "NAME must not be blank"),
        (["link", "A", "R", "B", "--weight", "3"], "--weight must be from 0 to 1"),
        (["link", "", "R", "B"], "FROM must not be blank"),
        (["link", "A", "HAS_PASSAGE", "B"], "RELATION must not be one of graphmem's own types"),
    ],
)
def test_an_error_names_the_option_that_was_given(
    tokens: list[str], beginning: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(tokens) == 2
    assert capsys.readouterr().err.startswith(f"graphmem: {beginning}")


def test_the_help_of_import_says_what_each_format_reads(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["import", "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.replace("│", " ").split())
    assert [name for name, form in FORMATS.items() if f"{name}: {form.about}" not in shown] == []


def test_help_needs_neither_the_driver_nor_the_model() -> None:
    script = (
        "import sys; from graphmem import cli; cli.main(['--help']);"
        "print({'neo4j', 'torch', 'fastmcp', 'numpy'} & set(sys.modules), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stderr == "set()\n"


def test_serve_hands_its_options_to_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, object] = {}

    def run(**options: object) -> int:
        seen.update(options)
        return 3

    monkeypatch.setattr(server, "run", run)
    tokens = ["--project", "p", "--transport", "http", "--port", "9", "--profile", "rye"]
    tokens += ["--profile", "forge", "--layers", "user", "--folder", "/srv/checkouts"]
    assert cli.main(["serve", *tokens]) == 3
    assert seen == {
        "project": "p", "transport": "http", "host": "127.0.0.1", "port": 9, "read_only": False,
        "profiles": ["rye", "forge"], "layers": {"@user"}, "folders": (Path("/srv/checkouts"),),
        "allow_purge": False,
    }  # fmt: skip
    assert cli.main(["serve", "--allow-purge"]) == 3
    assert (seen["allow_purge"], seen["read_only"]) == (True, False)
    assert cli.main(["serve", "--read-only", "--project", "@user"]) == 3
    assert (seen["read_only"], seen["layers"]) == (True, {"@user"})


@pytest.mark.parametrize("layers", ["team", "user,team", "", " , "])
def test_only_layers_that_there_are_may_be_written(
    layers: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["serve", "--layers", layers]) == 2
    assert "--layers must be user, system, or user,system" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "value"),
    [("--folder", "/srv/checkouts"), ("--host", "127.0.0.1"), ("--port", "8765")],
)
@pytest.mark.parametrize("transport", [[], ["--transport", "stdio"]])
def test_serve_refuses_over_stdio_what_only_http_reads(
    transport: list[str], option: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["serve", option, value, *transport]) == 2
    assert f"{option} must be given with --transport http, got" in capsys.readouterr().err


@pytest.mark.parametrize("host", ["", " "])
def test_serve_does_not_take_an_unset_variable_for_every_address(
    host: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(server, "run", lambda **_: 0)
    assert cli.main(["serve", "--transport", "http", "--host", host]) == 2
    assert "--host must be an address or a name" in capsys.readouterr().err


def test_serve_listens_where_its_help_says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: dict[str, object] = {}

    def run(**options: object) -> int:
        seen.update(options)
        return 0

    monkeypatch.setattr(server, "run", run)
    assert cli.main(["serve", "--transport", "http"]) == 0
    assert cli.main(["serve", "--help"]) == 0
    told = capsys.readouterr().out
    assert f"[default: {seen['host']}]" in told
    assert f"[default: {seen['port']}]" in told


@pytest.mark.parametrize("other", [["--read-only"], ["--profile", "memcp"]])
def test_serve_refuses_to_allow_what_it_does_not_offer(
    other: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["serve", "--allow-purge", *other]) != 0
    assert f"--allow-purge cannot be combined with {other[0]}" in capsys.readouterr().err


def test_project_show_says_which_and_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GRAPHMEM_PROJECT", "example.org/a/b")
    assert cli.main(["project", "show"]) == 0
    assert capsys.readouterr().out == "example.org/a/b  (setting)\n"


def test_an_interruption_exits_with_130_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(session, "configure", interrupted)
    assert cli.main(["stats"]) == 130
    assert capsys.readouterr().err == "graphmem: interrupted\n"


def test_an_error_of_the_system_is_one_line_and_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused() -> None:
        raise PermissionError(13, "Permission denied", "/some/file")

    monkeypatch.setattr(session, "configure", refused)
    assert cli.main(["stats"]) == 1
    assert capsys.readouterr().err == "graphmem: /some/file: Permission denied\n"


def test_a_link_is_read_from_the_hit_in_the_direction_of_the_relation() -> None:
    out = Via("Redis cache", "DEPENDS_ON", "out", None, 1.0, 0.5)
    back = Via("Redis cache", "DEPENDS_ON", "in", None, 1.0, 0.5)
    assert answers.link_words(out) == "⟵ DEPENDS_ON from Redis cache"
    assert answers.link_words(back) == "⟶ DEPENDS_ON to Redis cache"


def refused_items(reasons: list[str]) -> tuple[Item, ...]:
    return tuple(
        Item("entity", f"all.jsonl:{line}", "refused", reason)
        for line, reason in enumerate(reasons, start=1)
    )


@pytest.mark.parametrize(
    ("reasons", "shown", "end"),
    [
        (["no"] * 20, 20, None),
        (["no"] * 57, 3, "and 54 more were refused for the same reason; --json lists them all"),
        (["no"] * 56 + ["yes"], 20, "and 37 more were refused; --json lists them all"),
    ],
)
def test_many_refusals_for_one_reason_show_it_a_few_times(
    reasons: list[str], shown: int, end: str | None
) -> None:
    sheet, stream = paper(None)
    pages.write_report(Report("p", refused_items(reasons)), sheet)
    lines = stream.getvalue().splitlines()
    assert lines[1] == "  refused  all.jsonl:1: no"
    assert [line.startswith("  refused  ") for line in lines].count(True) == shown
    assert lines[shown + 1 :] == ([] if end is None else [f"  {end}"])


def test_what_stays_in_a_project_beyond_the_first_is_counted() -> None:
    sheet, stream = paper(None)
    stayed = refused_items(["too many tags"] * 21)
    pages.write_project_change(ProjectChange("a", "b", 0, 0, 0, stayed), sheet, verb="moved")
    assert stream.getvalue().endswith("\n  and 1 more stayed; --json lists them all\n")


def test_the_heads_of_a_list_of_projects_stay_on_one_line_of_a_narrow_terminal() -> None:
    sheet, stream = paper(40)
    pages.write_projects([ProjectSummary("p", 1, 2, 3, None)], sheet, own_project=None)
    assert stream.getvalue().splitlines()[0].split() == [
        "entities", "relations", "changed", "project",
    ]  # fmt: skip


def test_an_attribute_stands_beside_the_field_that_is_shown_by_the_same_name() -> None:
    sheet, stream = paper(None)
    entity = Entity(
        "Tides", updated_at=datetime(2026, 3, 2, tzinfo=UTC), attributes={"updated": "by hand"}
    )
    pages.write_page(Page(entity, ()), sheet)
    rows = [line.split(maxsplit=1) for line in stream.getvalue().splitlines()]
    assert rows[1:] == [["updated", "2026-03-02"], ["revision", "1"], ["updated", "by hand"]]


def test_an_attribute_of_a_relation_makes_no_line_of_its_own() -> None:
    sheet, stream = paper(None)
    neighbour = Neighbour(
        "USES", "out", "Quay", "Place", None, 1.0, attributes={"x": "a\nstatus  b"}
    )
    pages.write_page(Page(Entity("Tides"), (neighbour,)), sheet)
    assert "USES to Quay  Place  x: a status b" in stream.getvalue()


def test_a_relation_to_what_was_superseded_says_so() -> None:
    sheet, stream = paper(None)
    neighbour = Neighbour(
        "SUPERSEDES", "out", "Quay", "Place", "too small", 1.0, status="superseded"
    )
    pages.write_page(Page(Entity("Tides"), (neighbour,)), sheet)
    assert "SUPERSEDES to Quay  Place  superseded — too small" in stream.getvalue()


def hit(*passages: str, because: Explanation | None = None) -> Hit:
    """A hit with these passages, the beginning of each its snippet."""
    told = (Passage(text, None, None, snippet=text[:9]) for text in passages)
    return made_hit("a", *told, because=because)


def shown(of: Hit, **how: bool) -> list[str]:
    sheet, stream = paper(None)
    answers.write(
        Answer(
            query="q", project="p", mode="keyword", hits=(of,), total=1, degraded=None, took_ms={}
        ),
        sheet,
        **how,
    )
    return stream.getvalue().splitlines()


def test_full_detail_shows_every_passage_whole() -> None:
    long = "word " * 100
    lines = shown(hit(f"# Head\n\n{long}", "second", "third"), full=True)
    assert lines[3:8] == [
        "           - # Head",
        "",
        f"             {long.rstrip()}",
        "           - second",
        "           - third",
    ]
    assert "second" not in "\n".join(shown(hit(long, "second")))


def test_a_long_query_is_repeated_by_its_beginning() -> None:
    sheet, stream = paper(None)
    answer = Answer(
        query=f"a\n{'b' * 5000}", project="p", mode="keyword", hits=(), total=0, degraded=None,
        took_ms={},
    )  # fmt: skip
    answers.write(answer, sheet)
    assert f"for “a {'b' * 197}…”." in stream.getvalue()


@pytest.mark.parametrize(
    ("projects", "line"),
    [
        (
            (),
            (
                "No hits in p for “q”. `graphmem stats` counts what the project holds, --status "
                "and --any-time find what is hidden or not valid now, and --project searches "
                "another one of `graphmem project list`."
            ),
        ),
        (
            ("p", "r"),
            (
                "No hits in p and r for “q”. --status and --any-time find what is hidden or not "
                "valid now."
            ),
        ),
    ],
)
def test_another_project_is_advised_only_where_one_was_searched(
    projects: tuple[str, ...], line: str
) -> None:
    sheet, stream = paper(None)
    answer = Answer(
        query="q", project="p", projects=projects, mode="keyword", hits=(), total=0,
        degraded=None, took_ms={},
    )  # fmt: skip
    answers.write(answer, sheet)
    assert stream.getvalue() == f"{line}\n"


def test_the_help_says_that_a_status_may_be_repeated(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["search", "--help"]) == 0
    assert "--status STR...  " in capsys.readouterr().out


def test_a_hit_has_the_day_on_which_its_passage_was_said() -> None:
    written, said = datetime(2026, 2, 1, tzinfo=UTC), datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
    noted = made_hit("a", Passage("noted", said, None), at=written)
    assert shown(noted)[-1] == "           2026-03-01  text 0.50"
    assert shown(made_hit("a", at=written))[-1] == "           2026-02-01  text 0.50"
    assert shown(made_hit("a"))[-1] == "           text 0.50"


def test_full_detail_shows_what_is_marked() -> None:
    marked = replace(hit("a berth"), passages=(Passage("a berth", None, None, "", "a **berth**"),))
    assert "           - a **berth**" in shown(marked, full=True)


def explained(found: str, *shares: float) -> Explanation:
    """One leg and, where there are shares, a link and these of its seeds."""
    via = Via("Seed", "USES", "out", None, 1.0, 0.2)
    link = LinkPart(via, 0.85, 0.3, 1.5, 1, 0.4, 1, 0.2, shares, 0.255) if shares else None
    return Explanation((LegPart("text", 1, 8.0, 0.5, found),), link, 0.5, "")


def test_a_find_without_its_passage_is_shown_without_quotation_marks() -> None:
    (line,) = [one for one in shown(hit(because=explained("")), explain=True) if "BM25" in one]
    assert line.endswith("text    0.5000: rank 1, BM25 score 8")
    (line,) = [one for one in shown(hit(because=explained("a b")), explain=True) if "BM25" in one]
    assert line.endswith("BM25 score 8  “a b”")


def test_words_that_count_less_are_named() -> None:
    because = replace(explained(""), word_weights={"otter": 0.149, "pier": 0.5})
    (line,) = [one for one in shown(hit(because=because), explain=True) if "BM25" in one]
    assert line.endswith(
        "8, where otter counts 0.15, pier counts 0.5, since these projects repeat them"
    )


def test_the_shares_of_further_seeds_are_named() -> None:
    def link(*shares: float) -> str:
        lines = shown(hit(because=explained("", *shares)), explain=True)
        return next(one for one in lines if "USES" in one)

    assert "seeds" not in link(0.2)
    assert link(0.2, 0.1).endswith(
        "; and 1 more seed: 0.1000; together 1 - Π(1 - share) = 0.2800, 0.2550 at most"
    )
    assert "; and 6 more seeds: 0.1000, 0.1000, 0.1000, 0.1000 and 2 smaller;" in link(
        0.2, *[0.1] * 4, 0.05, 0.05
    )


def test_on_a_terminal_each_part_of_a_score_has_a_bar_from_0_to_1() -> None:
    sheet, stream = paper(100)
    explanations.write(hit(because=explained("a b", 0.2)), sheet, indent=2)
    bars = {line[2:10].strip(): line[10:30] for line in stream.getvalue().splitlines()}

    assert bars["text"] == bars["direct"] == "█" * 10 + "·" * 10
    assert bars["link"] == "·" * 20
    assert bars["score"].startswith("█")


@pytest.mark.parametrize("width", [None, 60])
def test_without_a_terminal_or_room_there_are_no_bars(width: int | None) -> None:
    sheet, stream = paper(width)
    explanations.write(hit(because=explained("a b")), sheet, indent=2)

    assert "·" not in stream.getvalue()
    assert stream.getvalue().startswith("  text    0.5000: rank 1, BM25 score 8")


def test_a_passage_takes_two_lines_of_a_terminal() -> None:
    sheet, stream = paper(40)
    sheet.write_short("word " * 100, indent=4)
    lines = stream.getvalue().splitlines()
    assert len(lines) == 2
    assert all(len(line) <= 40 and line.startswith("    word") for line in lines)
    assert lines[1].endswith("…")


def test_without_a_terminal_a_passage_is_one_line_cut_at_a_fixed_length() -> None:
    sheet, stream = paper(None)
    sheet.write_short("word\n" * 100)
    assert stream.getvalue().count("\n") == 1
    assert len(stream.getvalue().strip()) <= output.PASSAGE_CHARACTERS


def test_further_lines_keep_the_indent_and_the_head_stands_before_the_first() -> None:
    sheet, stream = paper(28)
    sheet.write("some words that need two lines", indent=6, head="head")
    assert stream.getvalue().splitlines() == [
        "head  some words that need",
        "      two lines",
    ]


def test_what_would_steer_a_terminal_is_dropped() -> None:
    assert visible("a\x1b[31mb\x9b2Jc\u202ed\n") == "a[31mb2Jcd\n"


def test_json_steers_no_terminal_and_says_the_same() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    name = "a\x1b[31mb\x9b2Jc\u202ed é"
    shown = output.one_json({"name": name}, Terminal())
    assert not {"\x1b", "\x9b", "\u202e"} & set(shown)
    assert "é" in shown
    assert json.loads(shown) == {"name": name}
    assert "\u202e" in output.one_json({"name": name}, io.StringIO())  # as it is, for a program


def test_an_error_steers_no_terminal_and_stays_on_its_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    output.complain("there is no a\x1b[31mb\u202e\nc")
    assert capsys.readouterr() == ("", "graphmem: there is no a[31mb c\n")


def test_why_a_change_was_made_steers_no_terminal_and_stays_on_its_line() -> None:
    by, note, author = "an agent\x1b", "a\x1b]0;b\x07c\nd", "markdown:x\x1b[2Jy"
    sheet, stream = paper(None)
    history._write_change(
        Change("c1", None, by, "rename", note=note, author=author, changed=1), sheet
    )
    history._write_revision(
        Revision(1, "c1", None, by, "rename", (), note=note, author=author), sheet
    )
    line = "  —  c1  rename by an agent (markdown:x[2Jy, a]0;bc d)"
    assert stream.getvalue().splitlines() == [line, "      1 changed", line]


@pytest.mark.parametrize(
    ("field", "before", "after", "line"),
    [
        ("created", None, True, "created"),
        ("title", None, "Keeper", "title: nothing → 'Keeper'"),
        ("attribute due", None, {"date": "2026-03-01"}, "attribute due: nothing → 2026-03-01"),
        (
            "the relation USES to b",
            None,
            {"weight": 0.5, "valid_until": "2026-03-01"},
            "the relation USES to b created: weight 0.5, valid_until '2026-03-01'",
        ),
        (
            "the relation USES to b",
            {"note": "fast", "weight": 0.5},
            {"note": "fast", "due": {"date": "2026-03-01"}},
            "the relation USES to b changed: weight: 0.5 → nothing, due: nothing → 2026-03-01",
        ),
        ("the relation USES to b", {"weight": 0.5}, None, "the relation USES to b deleted"),
    ],
)
def test_a_difference_names_what_changed_and_nothing_else(
    field: str, before: object, after: object, line: str
) -> None:
    assert history._difference_line(Difference(field, before, after)) == line


def test_the_moment_of_a_change_is_one_that_options_read_as_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TZ", "America/Los_Angeles")
    time.tzset()
    try:
        at = datetime(2026, 3, 1, 23, 30, 59, 999_001, tzinfo=UTC)
        sheet, stream = paper(None)
        history._write_change(Change("c1", at, "me", "rename", changed=1), sheet)
    finally:
        monkeypatch.undo()
        time.tzset()
    shown, *_ = stream.getvalue().split()
    assert shown == "2026-03-01T23:31:00.000Z"
    assert timedelta(0) <= limits.moment("as_of", shown) - at < timedelta(milliseconds=1)


def test_a_character_that_stdout_cannot_show_ends_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bytes_written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(bytes_written, encoding="ascii"))
    output.prepare()
    sys.stdout.write("причал\n")
    output.document({"name": "причал"})
    sys.stdout.flush()
    assert bytes_written.getvalue().splitlines()[1].decode() == '{"name": "причал"}'


def test_a_write_of_one_passage_tells_no_progress(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    with ProgressDisplay() as shown:
        counts = WriteProgress(shown)
        counts.to_embed = 1
        counts.add_embedded(1)
        counts.finish()
    assert capsys.readouterr().err == ""


def test_progress_without_a_terminal_is_a_line_at_the_beginning(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with ProgressDisplay() as progress:
        progress.say("Starting …")
        progress.say("Starting …")
        for done in range(1, 1001):
            progress.advance("Writing", done, 1000)
        progress.advance("Finishing", 1, 1)
    assert capsys.readouterr().err.splitlines() == ["Starting …", "Writing …"]


def test_progress_without_a_terminal_is_counted_after_a_pause(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_module, "PAUSE", 0)
    with ProgressDisplay() as progress:
        for done in (1, 2, 3):
            progress.advance("Writing", done, 1000)
        for done in (500, 1000, 1500):  # parts, of which each is complete
            progress.advance("Linking", done, done)
    assert capsys.readouterr().err.splitlines() == [
        "Writing …",
        "Writing: 2 of 1,000 …",
        "Writing: 3 of 1,000 …",
        "Linking …",
        "Linking: 1,500 …",
    ]


def test_progress_of_a_part_goes_on_from_the_parts_before_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_module, "PAUSE", 0)
    with ProgressDisplay() as progress:
        for before in (0, 500, 1000):
            Continued(progress, before).advance("Writing relations", 250, 500)
    assert capsys.readouterr().err.splitlines() == [
        "Writing relations …",
        "Writing relations: 750 of 1,000 …",
        "Writing relations: 1,250 of 1,500 …",
    ]


def test_progress_on_a_terminal_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with ProgressDisplay() as progress:
        progress.say("Starting …")
        progress.advance("Writing", 1, 2)
        progress.advance("Writing", 2, 2)
    assert "2 of 2" in stream.getvalue()
    assert stream.getvalue().endswith("\x1b[2K")
