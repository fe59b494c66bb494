"""What is wrong with the arguments of a call, and what there is instead, in plain words."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import pydantic
from pydantic_core import ErrorDetails

from graphmem.errors import VALUE_CHARACTERS, InvalidInput, shortened
from graphmem.model.intended_names import intended_names
from graphmem.server.request_types import ToolCall

PROBLEMS_SHOWN = 5
# What pydantic calls an argument that no parameter takes, and a field that no object has.
UNKNOWN, UNKNOWN_FIELD = "unexpected_keyword_argument", "extra_forbidden"
# What it calls a number of 4,300 digits and more, or one such as 1e300.
TOO_MANY_DIGITS = "int_parsing_size"
# What it calls the name of a field, where that is what is wrong.
KEY = "[key]"
# What pydantic begins its sentences with.
_SUBJECT = re.compile(r"^\w+ should")
_PLAIN = {
    "greater than or equal to": "at least",
    "less than or equal to": "at most",
    "a valid string": "text",
    "a valid integer": "a whole number",
    "a valid number": "a number",
    "a valid boolean": "true or false",
    "a valid list": "a list",
    "a valid tuple": "a list",
    "a valid dictionary": "an object",
}


async def sentences(
    context: ToolCall,
    error: pydantic.ValidationError,
    tools: Sequence[str],
) -> list[str]:
    """What is wrong with the arguments of a called tool, then what stands for unknown names.

    Args:
        context: The call.
        error: What pydantic says of it.
        tools: The names of the tools that the caller may use.
    """
    # Of a list whose items are wrong, pydantic says that it is empty, too.
    problems = [
        problem
        for problem in _problems(error)
        if problem["type"] != "too_short" or not problem["input"]
    ]
    unknown: dict[tuple[int | str, ...], list[str]] = {}
    for problem in problems:
        if problem["type"] in {UNKNOWN, UNKNOWN_FIELD}:
            *owner, field = problem["loc"]
            unknown.setdefault(tuple(owner), []).append(str(field))
    listings = [await _listing(context, *names, tools) for names in unknown.items()]
    return [*map(_sentence, problems[:PROBLEMS_SHOWN]), *listings]


def first_sentences(error: pydantic.ValidationError) -> str:
    """What is wrong with a request, a line for each of the first five problems."""
    return "\n".join(map(_sentence, _problems(error)[:PROBLEMS_SHOWN]))


def _problems(error: pydantic.ValidationError) -> list[ErrorDetails]:
    return error.errors(include_url=False, include_context=False)


async def _listing(
    context: ToolCall,
    owner: tuple[int | str, ...],
    unknown: Sequence[str],
    tools: Sequence[str],
) -> str:
    """The parameters that the called tool has, or the fields of an object in one of them.

    Of the first names that are none of them, it asks whether one of these is meant, or says which
    of the tools have such a parameter.
    """
    name = context.message.name
    schema = await _parameters(context, name)
    for step in owner:
        schema = schema.get("items" if isinstance(step, int) else "properties", {})
        schema = schema if isinstance(step, int) else schema.get(step, {})
    names = list(schema.get("properties", {}))
    whose = f"fields of {_path(owner)}" if owner else f"parameters of {name}"
    shown_names = unknown[:PROBLEMS_SHOWN]
    list_name, fields = _list_of(schema, shown_names)
    question = intended_names([field for field in shown_names if field not in fields], names)
    belonging = [f"`{field}`" for field in shown_names if field in fields]
    place = f"{' and '.join(belonging)} may be in an object of `{list_name}`" if belonging else None
    if place is None and question is None and not owner:
        schemas = {tool: await _parameters(context, tool) for tool in tools}
        place = "; ".join(_owners(shown_names, schemas))
    return "; ".join(filter(None, [f"The {whose} are {', '.join(names)}", place, question]))


async def _parameters(context: ToolCall, tool_name: str) -> Mapping[str, Any]:
    """The schema of the arguments of a tool; empty where there is no such tool."""
    server = context.fastmcp_context
    tool = None if server is None else await server.fastmcp.get_tool(tool_name)
    return {} if tool is None else tool.parameters


def _owners(names: Sequence[str], schemas: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Which tools have parameters of some names, a clause for each that any has."""
    for name in names:
        tools = [tool for tool, schema in schemas.items() if name in schema.get("properties", {})]
        if tools:
            yield f"`{name}` is one of {', '.join(tools)}"


def _list_of(schema: Mapping[str, Any], names: Sequence[str]) -> tuple[str, Collection[str]]:
    """The list whose objects have most of some names as fields, and all fields of these."""
    fields_by_list: dict[str, Collection[str]] = {
        name: parameter.get("items", {}).get("properties", {})
        for name, parameter in schema.get("properties", {}).items()
    }
    most = max(
        fields_by_list,
        key=lambda name: sum(field in fields_by_list[name] for field in names),
        default="",
    )
    return most, fields_by_list.get(most, ())


def _path(steps: tuple[int | str, ...]) -> str:
    """An argument, or a part of one, as `entities[0].name`."""
    parameter, *path = steps or ("arguments",)
    return _name(parameter) + "".join(
        f"[{step}]" if isinstance(step, int) else f".{_name(step)}" for step in path if step != KEY
    )


def _name(step: int | str) -> str:
    """A name as it was sent; as an error shows a value if it is long or not to be seen whole."""
    name = str(step)
    return name if name.isprintable() and len(name) <= VALUE_CHARACTERS else shortened(name)


def _sentence(problem: ErrorDetails) -> str:
    """Write one of pydantic's problems as graphmem writes its own."""
    argument = _path(problem["loc"])
    kind = problem["type"]
    if kind in {"missing", "missing_argument"}:
        return f"{argument} is required"
    if kind == UNKNOWN:
        return f"{argument} is not a parameter of this tool"
    if kind == UNKNOWN_FIELD:
        return f"{argument} is not a field that this tool takes"
    if kind == TOO_MANY_DIGITS:
        return str(InvalidInput(argument, problem["input"], "must be a smaller whole number"))
    requirement = _SUBJECT.sub("must", problem["msg"])
    for ending in (" after validation", " or instance of", ", unable to", ", got a number"):
        requirement = requirement.partition(ending)[0]
    for technical_words, plain_words in _PLAIN.items():
        requirement = requirement.replace(technical_words, plain_words)
    return str(InvalidInput(argument, problem["input"], requirement))
