"""`graphmem context`."""

import sys
from typing import TYPE_CHECKING, Annotated, cast

from cyclopts import Parameter

from graphmem import arguments
from graphmem.cli import output, session
from graphmem.cli.options import WITH_DEFAULT, Json, Project
from graphmem.cli.search import (
    WORDS,
    AnyTime,
    At,
    Dates,
    Kinds,
    SearchMode,
    Since,
    Statuses,
    Tags,
    Until,
    Where,
    filters,
    time,
)
from graphmem.errors import quantity
from graphmem.model.context import BUDGET, BUDGETS
from graphmem.model.visible import visible

if TYPE_CHECKING:
    from graphmem.memory.searches.options import SearchOptions
    from graphmem.model import Context

Budget = Annotated[
    int,
    Parameter(name=("--budget", "-b"), help="Maximum number of tokens in the text, 256 to 32768."),
    WITH_DEFAULT,
]


def context(
    *query: Annotated[str, Parameter(help=WORDS, required=True)],
    budget: Budget = BUDGET,
    project: Project = None,
    kind: Kinds = (),
    tag: Tags = (),
    status: Statuses = (),
    since: Since = None,
    until: Until = None,
    dates: Dates = False,
    where: Where = None,
    at: At = None,
    any_time: AnyTime = False,
    mode: SearchMode = "hybrid",
    json: Json = False,
) -> int:
    """Print the best results of a search as one text for a prompt.

    The text has at most --budget tokens, by a cautious estimate. Lines of stored
    text begin with `>`. The number of tokens is printed to stderr. The exit code is
    1 if nothing is found.
    """
    arguments.number("budget", budget, *BUDGETS)
    moment = time(at, any_time=any_time)
    text = arguments.query(" ".join(query))
    search_options: SearchOptions = {"mode": mode, "dates": dates, "at": moment}
    filter_options = filters(kind, tag, status, since=since, until=until, where=where)
    search_options |= cast("SearchOptions", filter_options)
    with session.open_search(project, text, search_options) as memory:
        result = memory.context(text, budget=budget, **search_options)
    if json:
        output.document(result.to_json())
    else:
        if result.text:
            sys.stdout.write(f"{visible(result.text)}\n")
        output.say(_summary(result))
        for note in filter(None, (result.degraded, *result.notes)):
            output.say(f"Note: {output.sentence(note)}")
        if session.says_empty(result.notes, result.project):
            output.say(session.FIRST_STEP)
    return 0 if result.hits else 1


def _summary(result: "Context") -> str:
    if not result.hits:
        words = output.query_words(result.query)
        return f"No hits in {result.project}" + (f" for “{words}”." if words else ".")
    omission = f", {result.omitted:,} more left out" if result.omitted else ""
    entities = quantity(result.hits, "entity", "entities")
    tokens = f"{result.tokens:,} of {result.budget:,} tokens"
    return f"{tokens}: {entities} of {result.project}{omission}"
