"""`graphmem completion`."""

import sys
from typing import Annotated, Literal

from cyclopts import Parameter

from graphmem.cli import make_app

# Commands that have commands of their own.
GROUPS = "db project"
# What cyclopts's scripts lack, by shell: each text of a script, and what replaces it.
CORRECTIONS = {
    "bash": (
        # bash completes the names of files itself where the script leaves that to it, and unlike
        # the script it knows folders and spaces. bash 3.2 has no compopt, and offers files always.
        ("complete -F _graphmem", "complete -o default -F _graphmem"),
        ("COMPREPLY=()", "COMPREPLY=(); compopt +o default 2> /dev/null"),
        ('COMPREPLY=( $(compgen -f -- "${cur}") )', "COMPREPLY=()"),
        # Only the first words are commands: in `search restore` the second one is not.
        (
            'if [[ " $all_commands " =~ " $word " ]]; then',
            'if [[ " $all_commands " =~ " $word " && "  $GROUPS " == *" ${cmd_path[*]} "* ]]; then',
        ),
    ),
    "fish": (
        (
            'if string match -q -- "* $word *" " $all_commands "',
            (
                'if string match -q -- "* $word *" " $all_commands "; '
                'and contains -- "$subcommands" "" $GROUPS'
            ),
        ),
        # A value is a file only where the script says so, by -F.
        (" -r -d '", " -x -d '"),
        # No file is a command.
        (
            "# Root-level commands",
            (
                "complete -c graphmem -n __fish_use_subcommand -f\n"
                "for group in $GROUPS\n"
                '    complete -c graphmem -n "__fish_graphmem_using_command $group" -f\n'
                "end"
            ),
        ),
    ),
    # zsh finds the function of a command by the name of its file.
    "zsh": (("_cyclopts_graphmem", "_graphmem"),),
}


def completion(
    shell: Annotated[
        Literal["bash", "fish", "zsh"], Parameter(help="The shell that reads the script.")
    ],
    /,
) -> int:
    """Print a script by which a shell completes commands and options.

    For bash, write it to a file, as by `graphmem completion bash >
    ~/.graphmem-completion`, and add `source ~/.graphmem-completion` to ~/.bashrc.

    For fish, write it to ~/.config/fish/completions/graphmem.fish.

    For zsh, run `mkdir -p ~/.zfunc` and `graphmem completion zsh >
    ~/.zfunc/_graphmem`, and add `fpath+=~/.zfunc` to ~/.zshrc, before the line that
    calls compinit; if there is none, add `autoload -Uz compinit && compinit`.

    New shells complete. A newer graphmem may have more to complete: then write the
    file again.
    """
    script = make_app().generate_completion(shell=shell)
    for text, replacement in CORRECTIONS[shell]:
        script = script.replace(text, replacement.replace("$GROUPS", GROUPS))
    sys.stdout.write(script)
    return 0
