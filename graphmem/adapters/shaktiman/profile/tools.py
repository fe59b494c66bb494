"""The two tools: each a typed signature, a few sentences for the agent, and a search."""

from typing import Annotated, Literal

from pydantic import Field

from graphmem import packing
from graphmem.adapters.shaktiman.profile import output
from graphmem.arguments import QUERY_CHARACTERS
from graphmem.model import limits
from graphmem.model.answer import MOST_HITS
from graphmem.model.context import BUDGET, BUDGETS
from graphmem.profiles.tool_spec import Opened

Query = Annotated[str, Field(min_length=1, max_length=QUERY_CHARACTERS)]
Scope = Annotated[Literal["impl", "test", "all"], Field(description="impl: no tests")]


class Tools:
    """The two tools.

    Args:
        memory: Gives the open memory.
    """

    def __init__(self, memory: Opened) -> None:
        self._memory = memory

    def search(  # noqa: PLR0917 - a tool's arguments have names
        self,
        query: Annotated[Query, Field(description="Words, a question or an identifier")],
        mode: Annotated[
            Literal["locate", "full"],
            Field(description="locate: one line a hit; full: the source, quoted after >"),
        ] = "locate",
        max_results: Annotated[int, Field(ge=1, le=MOST_HITS)] = 10,
        min_score: Annotated[float, Field(ge=0, le=1)] = 0.15,
        explain: Annotated[bool, Field(description="Add the parts of each score")] = False,  # noqa: FBT002 - likewise
        path: Annotated[
            str | None,
            Field(
                max_length=limits.NAME_CHARACTERS,
                description="Only this file, or below this folder",
            ),
        ] = None,
        scope: Scope = "impl",
    ) -> str:
        """Find code by words, meaning and identifier: ranked symbols with file and lines."""
        # Imported here for weight: the driver comes with it.
        from graphmem.adapters.shaktiman.profile.search import search_code  # noqa: PLC0415

        answer = search_code(
            self._memory(), query, scope=scope, path=path, limit=max_results, min_score=min_score
        )
        lines = [output.summary_line(answer)]
        for symbol in answer.symbols:
            lines += output.lines(symbol, explain=explain, full=mode == "full")
        return "\n".join(lines)

    def context(
        self,
        query: Annotated[Query, Field(description="What the code is needed for")],
        budget_tokens: Annotated[int, Field(ge=BUDGETS[0], le=BUDGETS[1])] = BUDGET,
        scope: Scope = "impl",
    ) -> str:
        """Pack the best code for a task into a budget of tokens, neighbours last."""
        # Imported here for weight: the driver comes with it.
        from graphmem.adapters.shaktiman.profile.search import search_code  # noqa: PLC0415
        from graphmem.memory.searches.context import packed, widened  # noqa: PLC0415

        memory = self._memory()
        limit = widened(budget_tokens, {})["limit"]
        answer = search_code(memory, query, scope=scope, limit=limit, detail="full")
        summary = output.summary_line(answer, tokens=output.SUMMARY_TOKENS)
        if not answer.symbols:
            return summary
        heading = f"{summary}\n\n"
        remainder = budget_tokens - packing.tokens(heading)
        return heading + packed(memory.graph, output.answer_at_places(answer), remainder).text
