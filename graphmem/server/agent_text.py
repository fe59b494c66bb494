"""What an answer shows an agent: nothing that no person sees, wherever it stands in it."""

from collections.abc import Mapping
from typing import Any

from fastmcp.tools import ToolResult
from mcp_types import ContentBlock, TextContent
from pydantic import BaseModel

from graphmem.model import Context
from graphmem.model.visible import visible

# What a sentence of graphmem's own says, and what it says to an agent.
FOR_AGENTS = (
    ("run `graphmem ", "ask the user to run `graphmem "),
    (" (`graphmem show`)", ""),
    ("unlink the other", "remove the other by `link` with `remove`"),
)


def for_agents(sentence: str) -> str:
    """A sentence of graphmem's own, in which it is the user who runs commands."""
    for words, agents_words in FOR_AGENTS:
        sentence = sentence.replace(words, agents_words)
    return sentence


def answer_for_agents(fields: Mapping[str, object]) -> dict[str, object]:
    """An answer's JSON as agents see it, its notes and the reasons of refusals in their words."""
    changed: dict[str, object] = {}
    if isinstance(degraded := fields.get("degraded"), str):
        changed["degraded"] = for_agents(degraded)
    if isinstance(notes := fields.get("notes"), list):
        changed["notes"] = [for_agents(note) for note in notes]
    if isinstance(items := fields.get("items"), list):
        changed["items"] = [
            item | {"reason": for_agents(item["reason"])}
            if isinstance(item, dict) and isinstance(item.get("reason"), str)
            else item
            for item in items
        ]
    return _shown_fields({**fields, **changed})


def prose(context: Context) -> str:
    """The text of a context; a sentence where it is blank, since many clients show nothing else."""
    if context.text:
        return context.text
    notes = [for_agents(note) for note in (context.degraded or "", *context.notes)]
    return ". ".join([f"Nothing was found in {context.project}", *filter(None, notes)])


def shown(value: object) -> object:
    """A tool's result without what no person sees, names of fields included; of the same type."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, Mapping):
        return _shown_fields(value)
    if isinstance(value, list | tuple):
        return [shown(item) for item in value]
    if isinstance(value, ToolResult):
        return _result(value)
    if isinstance(value, BaseModel):
        fields = value.model_dump(by_alias=True)
        clean = shown(fields)
        return value if clean == fields else type(value).model_validate(clean)
    return value


def _shown_fields(fields: Mapping[Any, object]) -> dict[Any, object]:
    return {shown(name): shown(item) for name, item in fields.items()}


def _result(result: ToolResult) -> ToolResult:
    return ToolResult(
        content=[_block(block) for block in result.content],
        structured_content=shown(result.structured_content),
        meta=result.meta,
        is_error=result.is_error,
    )


def _block(block: ContentBlock) -> ContentBlock:
    if isinstance(block, TextContent):
        return block.model_copy(update={"text": visible(block.text)})
    return block
