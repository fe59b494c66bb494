"""The names that an agent may have meant, where one that it gave leads to no entity."""

import functools
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from graphmem.errors import NotFound, shortened
from graphmem.model import Report
from graphmem.server.brief_pages import Pages
from graphmem.text import normalised

if TYPE_CHECKING:
    from graphmem.memory import Memory

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

# Names that are looked for in one call, the hits that are looked at, and the names that are told.
MOST, LOOKED_AT, TOLD = 3, 10, 3
# What tools call the names that they take.
NAMING = ("name", "names", "start", "end", "to")
_WORD = re.compile(r"[^\W_]{3,}")


def with_nearest_names(
    memory: "Callable[[], Memory]", tool: Callable[Parameters, Result]
) -> Callable[Parameters, Result]:
    """Have errors and refused items of a tool name entities that are called almost as was given.

    Args:
        memory: Gives the memory that is searched for them.
        tool: Takes names as `name`, `names`, `start`, `end` or `to`, or `relations` between them.
    """
    signature = inspect.signature(tool)

    @functools.wraps(tool)
    def naming(*arguments: Parameters.args, **keywords: Parameters.kwargs) -> Result:
        given = signature.bind(*arguments, **keywords).arguments
        try:
            result = tool(*arguments, **keywords)
        except NotFound as error:
            (sentence,) = _with_names(memory(), [str(error)], given)
            raise NotFound(sentence) from error
        if isinstance(result, Pages) and result.notes:
            notes = _with_names(memory(), list(result.notes), given)
            return replace(result, notes=tuple(notes))
        if not isinstance(result, Report) or not result.refused:
            return result
        reasons = _with_names(memory(), [item.reason or "" for item in result.items], given)
        items = [
            replace(item, reason=reason or None)
            for item, reason in zip(result.items, reasons, strict=True)
        ]
        return replace(result, items=tuple(items))

    return naming


def _with_names(memory: "Memory", sentences: list[str], given: Mapping[str, object]) -> list[str]:
    # Imported here for weight: a server lists its tools before it needs a graph.
    from graphmem.read import NEXT_STEP, Resolved, not_found  # noqa: PLC0415

    asked_project = given.get("project")
    project = memory.project_name(asked_project if isinstance(asked_project, str) else None)
    told = "\n".join(sentences)
    left = MOST
    names = dict.fromkeys(_names(given))
    for name in names:
        missing = not_found(name, Resolved(None), project)
        if missing not in told or not left:
            continue
        left -= 1
        if similar_names := [
            other for other in _similar(memory, name, project) if other not in names
        ]:
            shown = " or ".join(map(shortened, similar_names[:TOLD]))
            better = missing.replace(NEXT_STEP, f"it may be {shown}, else remember it first")
            sentences = [sentence.replace(missing, better) for sentence in sentences]
    return sentences


def _names(given: Mapping[str, object]) -> Iterator[str]:
    """The names of entities among a tool's arguments."""
    for argument in NAMING:
        value = given.get(argument)
        if isinstance(value, str):
            yield value
        elif isinstance(value, Iterable):
            yield from (name for name in value if isinstance(name, str))
    relations = given.get("relations")
    for relation in relations if isinstance(relations, Iterable) else ():
        if isinstance(relation, Mapping):
            ends = (relation.get("from"), relation.get("to"))
            yield from (end for end in ends if isinstance(end, str))


def _similar(memory: "Memory", name: str, project: str) -> Iterator[str]:
    """Names of hits that share a word with a name."""
    words = _words(name)
    answer = memory.search(
        name, project=project, scope="project", limit=LOOKED_AT, expand=False, detail="names"
    )
    return (hit.name for hit in answer.hits if words & _words(hit.name))


def _words(name: str) -> set[str]:
    return set(_WORD.findall(normalised(name)))
