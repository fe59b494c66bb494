"""`graphmem completion`."""

import sys
from typing import Annotated, Literal

from cyclopts import Parameter

# With it, bash completes the names of files where the script has nothing to offer.
FILES_TOO = "-o default"


def completion(
    shell: Annotated[
        Literal["bash", "fish", "zsh"], Parameter(help="The shell that reads the script.")
    ],
    /,
) -> int:
    """Print a script by which a shell completes commands and options.

    For bash, add `source <(graphmem completion bash)` to ~/.bashrc. For fish, run
    `graphmem completion fish > ~/.config/fish/completions/graphmem.fish`. For zsh,
    write it to a file `_graphmem` in a folder of $fpath. A newer graphmem may have
    more to complete: then write the file again.
    """
    from graphmem.cli import make_app

    script = make_app().generate_completion(shell=shell)
    sys.stdout.write(script.replace("complete -F _graphmem", f"complete {FILES_TOO} -F _graphmem"))
    return 0
