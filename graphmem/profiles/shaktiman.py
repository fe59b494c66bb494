"""Shaktiman's `search` and `context`, over what `import code` brought in.

A symbol is an entity with the attributes `path`, `start_line`, `end_line`, `symbol`, `language` and
`test`; entities without `test` are no code and never answer here.
"""

from typing import Annotated, Any, Literal

from pydantic import Field

from graphmem import text
from graphmem.arguments import QUERY_CHARACTERS
from graphmem.errors import InvalidInput
from graphmem.model import Answer, Entity, Hit, Via, limits
from graphmem.profiles.offer import Offer, Opened
from graphmem.search import Weights

# Whether a symbol is a test, by the scope asked for.
SCOPES: dict[str, list[bool]] = {"impl": [False], "test": [True], "all": [False, True]}
LINKS = 2
# The least score of the tool, .15 by default, is meant for a scale on which words of a query found
# in a symbol give more: graphmem's own is stretched, in the same way for every query.
SCALE = Weights(saturation=3.0, vector=0.5)

Query = Annotated[str, Field(min_length=1, max_length=QUERY_CHARACTERS)]


def offers(memory: Opened) -> list[Offer]:
    """The tools of this profile."""
    tools = Tools(memory)
    return [Offer(tools.search), Offer(tools.context)]


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
            Literal["locate", "full"], Field(description="locate: one line a hit; full: the source")
        ] = "locate",
        max_results: Annotated[int, Field(ge=1, le=200)] = 10,
        min_score: Annotated[float, Field(ge=0, le=1)] = 0.15,
        explain: Annotated[bool, Field(description="Add the parts of each score")] = False,  # noqa: FBT002 - likewise
        path: Annotated[
            str | None,
            Field(
                max_length=limits.NAME_CHARACTERS,
                description="Only this file, or below this folder",
            ),
        ] = None,
        scope: Annotated[
            Literal["impl", "test", "all"], Field(description="impl: no tests")
        ] = "impl",
    ) -> str:
        """Find code by words, meaning and identifier: ranked symbols with file and lines."""
        memory = self._memory()
        answer = memory.search(
            _said(query),
            limit=max_results,
            min_score=min_score,
            explain=explain,
            where=_code(scope, path),
            weights=SCALE,
        )
        pages = {}
        if answer.hits:
            found = memory.get([hit.key for hit in answer.hits])
            pages = {page.entity.key: page.entity for page in found}
        lines = [_counted(answer)]
        for hit in answer.hits:
            lines += _lines(hit, pages[hit.key], explain=explain, full=mode == "full")
        return "\n".join(lines)

    def context(
        self,
        query: Annotated[Query, Field(description="What the code is needed for")],
        budget_tokens: Annotated[int, Field(ge=256, le=32_768)] = 4096,
    ) -> str:
        """Pack the best code for a task into a budget of tokens, neighbours last."""
        found = self._memory().context(_said(query), budget=budget_tokens, where=_code("all", None))
        return found.text or "0 results"


def _said(query: str) -> str:
    """The query, and the parts of its identifiers as words of their own.

    Raises:
        InvalidInput: It is blank.
    """
    if not query.strip():
        raise InvalidInput("query", query, "it must not be blank")
    return f"{query} {text.identifier_parts(query)}".strip()[:QUERY_CHARACTERS]


def _code(scope: str, path: str | None) -> dict[str, Any]:
    """What an entity must be: code, of the scope, at or below the path."""
    attributes: dict[str, Any] = {"test": SCOPES[scope]}
    if path is not None:
        segments = [part for part in path.replace("\\", "/").split("/") if part not in {"", "."}]
        if ".." in segments:
            raise InvalidInput("path", path, "it is a file or folder as seen from the project")
        if segments:
            attributes["path"] = {"under": "/".join(segments)}
    return {"attributes": attributes}


def _counted(answer: Answer) -> str:
    """The first line: how many results, and what the answer had to do without."""
    counted = f"{answer.count} result{'' if answer.count == 1 else 's'}"
    said = [*([answer.degraded] if answer.degraded else []), *answer.notes]
    return f"{counted} ({'; '.join(said)})" if said else counted


def _lines(hit: Hit, entity: Entity, *, explain: bool, full: bool) -> list[str]:
    own = entity.attributes
    place = f"{own['path']}:{own['start_line']}-{own['end_line']}"
    reached = f"  {_reached(hit.via)}" if hit.via else ""
    lines = [
        f"{place}  {own.get('symbol') or hit.name} ({hit.kind.lower()})  {hit.score:.3f}{reached}"
    ]
    if explain:
        lines.append(f"    {_parts(hit)}")
    if full:
        lines += [entity.text or "", ""]
    return lines


def _reached(via: tuple[Via, ...]) -> str:
    """What links led to a neighbour, as seen from it."""
    said = [
        f"{link.relation} by {link.seed}"
        if link.direction == "out"
        else f"{link.relation} {link.seed}"
        for link in via[:LINKS]
    ]
    return f"<- {', '.join(said)}"


def _parts(hit: Hit) -> str:
    """The parts of a score: 1 - (1 - semantic)(1 - keyword)(1 - name)(1 - structural) gives it."""
    matched = hit.matched
    parts = {
        "semantic": matched.vector,
        "keyword": matched.text,
        "name": matched.name,
        "structural": matched.link,
    }
    shown = "  ".join(f"{name} {value:.6f}" for name, value in parts.items())
    return f"{shown}  score {hit.score:.6f} = 1 - product of (1 - part)"
