"""`graphmem db compact`."""

from typing import Annotated

from cyclopts import Parameter

from graphmem import moments
from graphmem.cli import output, session
from graphmem.cli.confirmation import Yes, check_answerable, confirm
from graphmem.cli.options import Json
from graphmem.errors import quantity
from graphmem.model import limits
from graphmem.model.json_object import iso


def compact(
    *,
    history_before: Annotated[str, Parameter(help="The first day whose history is kept.")],
    yes: Yes = False,
    json: Json = False,
) -> int:
    """Delete history older than a day, in all projects; asks first.

    What is stored now stays. Afterwards, `history` and `--as-of` do not reach back
    beyond that day, and earlier changes cannot be undone.
    """
    kept_from = moments.past("history_before", history_before)
    # In words it would not be known which history that was.
    beginning = history_before if limits.is_day(history_before) else iso(kept_from)
    check_answerable(yes=yes)
    with session.open_memory(None) as (memory, progress):
        confirm(f"Delete the history of all projects from before {beginning} for good?", yes=yes)
        count = memory.compact(kept_from, progress=progress)
    if json:
        output.document({"history_before": beginning, "deleted": count})
    else:
        records = quantity(count, "history record", "history records")
        verb = "was" if count == 1 else "were"
        output.TextOutput().write(f"{records} from before {beginning} {verb} deleted")
    return 0
