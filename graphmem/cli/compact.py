"""`graphmem db compact`."""

from typing import Annotated

from cyclopts import Parameter

from graphmem.cli import output, session
from graphmem.cli.options import Json
from graphmem.model import limits


def compact(
    *,
    history_before: Annotated[str, Parameter(help="The first day of which history stays.")],
    json: Json = False,
) -> int:
    """Delete history older than a day, in all projects.

    What is known now stays. `history` and `--as-of` tell nothing of before that day
    from then on, and what was changed before it cannot be undone.
    """
    limits.past("history_before", history_before)
    with session.open_memory(None) as (memory, progress):
        count = memory.compact(history_before, progress=progress)
    if json:
        output.document({"history_before": history_before, "deleted": count})
    else:
        records = output.quantity(count, "history record", "history records")
        verb = "was" if count == 1 else "were"
        output.TextOutput().write(f"{records} from before {history_before} {verb} deleted")
    return 0
