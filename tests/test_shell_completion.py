"""The scripts by which shells complete the command line."""

import os
import pty
import re
import subprocess
from pathlib import Path
from typing import get_args

import pytest

from graphmem import cli
from graphmem.cli import completion, options
from graphmem.model.status import ACTIVE, HIDDEN_STATUSES
from terminals import read_all

COMPLETING = """
. "$1"
complete -p graphmem
press() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _graphmem
  echo "${COMPREPLY[*]}"
}
press graphmem se
press graphmem db st
press graphmem search --li
press graphmem search tide --mode ""
press graphmem search restore --li
press graphmem import mark
press graphmem serve --profile memc
press graphmem import jsonl notes --layers ""
press graphmem search --status re
cd "$(dirname "$1")"
press graphmem db restore scr
"""


def test_bash_completes_commands_options_and_their_values(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["completion", "bash"]) == 0
    script = tmp_path / "script"
    script.write_text(capsys.readouterr().out)
    ran = subprocess.run(
        ["bash", "-c", COMPLETING, "bash", str(script)], capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines() == [
        "complete -o default -F _graphmem graphmem",
        "search serve", "start stop status", "--limit", "hybrid keyword semantic",
        "--limit",  # `restore` is no command there
        "markdown", "memcp", "user system user\\,system", "removed",
        "",  # bash completes the names of files itself
    ]  # fmt: skip


def test_zsh_finds_the_function_by_the_name_of_its_file_and_completes_the_names_of_files(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["completion", "zsh"]) == 0
    script = capsys.readouterr().out
    assert "\n_graphmem() {\n" in script
    assert "'2:The file or folder to import.:_files'" in script
    assert "'--mentions[" in script  # with a star before it, zsh would ask for a value


def test_fish_takes_the_first_words_alone_for_commands_and_completes_no_files_there(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["completion", "fish"]) == 0
    script = capsys.readouterr().out
    assert '; and contains -- "$subcommands" "" db project\n' in script
    assert "\ncomplete -c graphmem -n __fish_use_subcommand -f\nfor group in db project\n" in script


def test_fish_offers_files_only_for_options_that_name_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["completion", "fish"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if " -r " in line]
    assert lines
    assert all(re.search(r" -l (output|folder) -r -F | -s o -r -F ", line) for line in lines)


def test_bash_offers_files_only_where_a_file_is_meant(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["completion", "bash"]) == 0
    script = tmp_path / "completion"
    script.write_text(capsys.readouterr().out)
    (tmp_path / "script.jsonl").touch()
    lines = [
        "graphmem db restore scr", "graphmem export --output scr", "graphmem import jsonl scr",
        "graphmem search --limit scr", "graphmem search --status scr",
        "graphmem import jsonl notes --layers scr", "graphmem search scr",
    ]  # fmt: skip

    command = 'graphmem() { echo "ran graphmem $*"; }'
    shown = pressed(f". {script}", command, *(f"{line}\t" for line in lines), folder=tmp_path)

    assert [f"ran {line}ipt.jsonl" in shown for line in lines] == [True] * 3 + [False] * 4


def pressed(*lines: str, folder: Path) -> str:
    """What an interactive bash shows when lines are typed in a folder."""
    ours, theirs = pty.openpty()
    shell = ["bash", "--norc", "--noprofile", "-i"]
    with subprocess.Popen(shell, stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder):
        os.close(theirs)
        os.write(ours, "\n".join([*lines, "exit", ""]).encode())
        return read_all(ours)


def test_the_statuses_that_shells_offer_are_those_that_mean_something() -> None:
    assert get_args(get_args(options.Status)[0]) == (ACTIVE, *HIDDEN_STATUSES)


def test_the_scripts_know_every_group_of_commands() -> None:
    commands = {name for name, _, _ in cli.COMMANDS}
    groups = [name for name in cli.make_app() if not name.startswith("-") and name not in commands]
    assert " ".join(groups) == completion.GROUPS
