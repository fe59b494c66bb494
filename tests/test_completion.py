"""The scripts by which shells complete the command line."""

import subprocess
from pathlib import Path

import pytest

from graphmem import cli
from graphmem.cli import completion

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
        "markdown", "memcp",
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


def test_the_scripts_know_every_group_of_commands() -> None:
    commands = {name for name, _, _ in cli.COMMANDS}
    groups = [name for name in cli.make_app() if not name.startswith("-") and name not in commands]
    assert " ".join(groups) == completion.GROUPS
