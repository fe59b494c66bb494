"""Commands that are typed wrongly are refused in one line, before a database is started."""

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from fakes import FakeEmbedder
from graphmem import cli
from graphmem.cli import demo, options, session
from graphmem.cli.search import projects_to_search
from graphmem.errors import GraphmemError
from graphmem.memory import Memory
from graphmem.memory.access import EVERYTHING, Access

Refusal = Callable[..., str]


@pytest.fixture
def refusal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Refusal:
    """The sentence with which a command is refused, alone on its line, before a store is opened."""

    def opened(*_: object, **__: object) -> None:
        raise AssertionError("the store was opened")

    monkeypatch.setattr(Memory, "open", opened)

    def refused(*tokens: str) -> str:
        code = cli.main(tokens)
        captured = capsys.readouterr()
        assert (code, captured.out, captured.err.count("\n")) == (2, "", 1)
        assert captured.err.startswith("graphmem: ")
        return captured.err.removeprefix("graphmem: ").removesuffix("\n")

    return refused


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
    refusal: Refusal, field: str, way: str
) -> None:
    assert way in refusal("edit", "A", "--set", field)


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
    refusal: Refusal, tokens: list[str], command: str
) -> None:
    assert refusal(*tokens).endswith(f" See `{command} --help`.")


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
        (["search", "x", "--mode", "magic"], 'Invalid value "magic" for --mode. Choose from: "hy'),
    ],
)
def test_what_the_command_line_does_not_know_is_named(
    refusal: Refusal, tokens: list[str], words: str
) -> None:
    assert refusal(*tokens).startswith(words)


@pytest.mark.parametrize(
    ("tokens", "sentence"),
    [
        (["show"], "NAME is missing."),
        (["forget"], "NAMES is missing."),
        (["restore"], "NAMES is missing."),
        (["link", "A"], "RELATION is missing."),
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
        (["search", "A", "--limit", "many"], "--limit must be a whole number, got 'many'."),
        (["remember", "A", "--confidence", "high"], "--confidence must be a number, got 'high'."),
    ],
)
def test_an_argument_that_is_missing_or_no_number_is_named(
    refusal: Refusal, tokens: list[str], sentence: str
) -> None:
    assert refusal(*tokens).startswith(f"{sentence} See `graphmem ")


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
    refusal: Refusal, content: bytes, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    standard_input = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", standard_input)
    assert refusal("remember", "A", "--text", "-").startswith(f"--text {words}")


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
        (["markdown", ""], "PATH must name a file or folder; `.` is the current folder, got ''"),
        (["jsonl", ".", "--all", "--history"], "--history cannot be combined with --all"),
        (["jsonl", ".", "--all", "--project", "p"], "--project cannot be combined with --all"),
    ],
)
def test_an_import_of_nothing_is_refused(refusal: Refusal, tokens: list[str], named: str) -> None:
    assert refusal("import", *tokens).startswith(named)


@pytest.mark.parametrize(
    ("tokens", "named"),
    [
        (["search", ""], "QUERY must not be blank"),
        (["search", "x" * 10_001], "QUERY must"),
        (["search", "tide", "--limit", "0"], "--limit must"),
        (["search", "tide", "--follow", '{"seeds": "none"}'], "--follow seeds must"),
        (["search", "--kind", "Decision", "--min-score", ".5"], "--min-score must be 0"),
        (
            ["search", "tide", "--all-projects", "--project", "p"],
            "--all-projects cannot be combined with",
        ),
        (["search", "tide", "--any-time", "--at", "2026-01-01"], "--any-time cannot be"),
        (["context", "tide", "--any-time", "--at", "2026-01-01"], "--any-time cannot be"),
        (["view", "tide", "--any-time", "--at", "2026-01-01"], "--any-time cannot be"),
        (["search", "tide", "--at", "soon"], "--at must be a day such as 2026-03-01"),
        (["context", "tide", "--at", "soon"], "--at must be a day such as 2026-03-01"),
        (["recent", "--all-projects", "--project", "p"], "--all-projects cannot be"),
        (["context", ""], "QUERY must not be blank, got ''\n"),
        (["context", "", "--kind", "Decision"], "QUERY must not be blank, got ''\n"),
        (["context", "tide", "--since", "soon"], "--since must"),
        (["context", "tide", "--budget", "5"], "--budget must"),
        (["recent", "--limit", "201"], "--limit must"),
        (["view", "tide", "--limit", "0"], "--limit must"),
        (["view", "tide", "--at", "soon"], "--at must be a day such as 2026-03-01"),
        (["view", "--entity", "A", "--at", "2026-01-01"], "--at is for searches"),
        (["view", "tide", "-o", "no/t.html"], "--output must be a file in an existing folder"),
        (["export", "--output", "no/t.jsonl"], "--output must be a file in an existing folder"),
        (["export", "--output", "."], "--output must be a file, not a folder"),
        (["export", "--json"], "--output is required with --json"),
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
        (
            ["remember", "A", "--observation-until", "2026-01-01"],
            "--observation-until must be given with --observation",
        ),
        (["remember", "A", "--confidence", "2"], "--confidence must be from 0 to 1, got 2.0"),
        (["remember", "A", "--tag", ""], "--tag must not be blank"),
        (["remember", "A", "--valid-from", "x"], "--valid-from must be a date"),
        (["remember", "A", "--attribute", "a#=1"], "--attribute name must begin"),
        (["remember", "A", "--observation", ""], "--observation must not be blank"),
        (
            ["remember", "A", "--observation", "x", "--observation-until", "no"],
            "--observation-until must be a date",
        ),
        (["remember", ""], "NAME must not be blank"),
        (
            ["remember", "A", "--text", " "],
            "--text must not be blank. To delete the text of an entity, use `graphmem edit NAME",
        ),
        (["link", "A", "USES", "B", "--weight", "2"], "--weight must be from 0 to 1"),
        (["link", "", "USES", "B"], "FROM must not be blank"),
        (["link", "A", "HAS_PASSAGE", "B"], "RELATION must not be one of graphmem's own types"),
        (["link", "A", "USES", "B", "--unset", "title"], "--unset must"),
        (["unlink", "A"], "TO must be given"),
        (["unlink", "A", ""], "TO must"),
        (["unlink", "A", "", "B"], "RELATION must"),
        (["unlink", "A", "USES", ""], "TO must"),
        (["unlink", "A", "USES", "B", "--relation", "USES"], "--relation must"),
        (["unlink", "A", "B", "--relation", ""], "--relation must"),
        (["unlink", "A", "B", "--valid-from", "soon"], "--valid-from must"),
        (["edit", "A"], "--set must be given, or another option with a change"),
        (["edit", "A", "--set", "colour=red"], "--set must be one of kind, title, text, status,"),
        (["edit", "A", "--set", "confidence=2"], "--set confidence must"),
        (["edit", "A", "--unset", "name"], "--unset must"),
        (["rename", "A", ""], "NEW_NAME must"),
        (["rename", "A", "B", "--note", "x" * (2**20 + 1)], "--note must"),
        (["merge", "A", "", "--yes"], "INTO must"),
        (["supersede", "", "B"], "OLD must"),
        (["forget", "A", ""], "NAMES must"),
        (["restore", ""], "NAMES must"),
        (["undo", "last", "--note", "x" * (2**20 + 1)], "--note must"),
        (
            ["purge", "--yes"],
            (
                "NAMES must name at least one entity, if no filter is given. To take every entity "
                "of the project, say `everything` (--everything) as well.\n"
            ),
        ),
        (["purge", "A", "--since", "soon"], "--since must"),
        (["purge", "", "--history"], "NAMES must"),
        (["purge", "--history"], "NAMES must be given with --history, and filters must not\n"),
        (
            ["purge", "A", "--history", "--kind", "Draft"],
            "NAMES must be given with --history, and filters must not\n",
        ),
        (["history", "A", "--limit", "0"], "--limit must"),
        (["history", "A", "--since", "soon"], "--since must"),
        (["changes", "--until", "soon"], "--until must"),
        (["changes", "--since", "2026-03-02", "--until", "2026-03-01"], "--until must not be"),
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
        (["serve", "--transport", "http", "--folder", ""], "--folder must name a file or folder"),
        (["serve", "--transport", "http", "--port", "99999"], "--port must be from 0 to 65535"),
        (["serve", "--folder", "/srv"], "--folder must be given with --transport http, got '/srv'"),
        (["serve", "--host", "::1"], "--host must be given with --transport http, got '::1'"),
        (["serve", "--port", "8765"], "--port must be given with --transport http, got 8765"),
    ],
)
def test_what_no_store_can_do_is_refused_before_a_database_is_started(
    refusal: Refusal, tokens: list[str], named: str
) -> None:
    assert f"{refusal(*tokens)}\n".startswith(named)


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
