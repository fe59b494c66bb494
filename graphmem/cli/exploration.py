"""What is around an entity, or the path to another one, as a tree for people to read."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from graphmem.cli.output import TextOutput
from graphmem.cli.relation_lines import append_note, append_period, arrow_and_preposition
from graphmem.model.visible import visible

if TYPE_CHECKING:
    from graphmem.model.exploration import Exploration, ExploredEntity

INDENT = 2


def write_exploration(exploration: "Exploration", out: TextOutput) -> None:
    """Write the first entity, and each other one below the one that leads to it."""
    out.write(Text(visible(exploration.name), "bold"))
    for entity in _ordered(exploration):
        arrow, _ = arrow_and_preposition(entity.direction, seen_from="owner")
        head = Text(" " * INDENT * entity.depth + arrow, "magenta")
        out.write(_line(entity), indent=INDENT * entity.depth + 2, head=head)
    for note in exploration.notes:
        out.write_note(note, style="dim")


def _ordered(exploration: "Exploration") -> Iterator["ExploredEntity"]:
    """The entities in the order of the tree."""
    children: dict[str, list[ExploredEntity]] = {}
    for entity in exploration.entities:
        children.setdefault(entity.previous, []).append(entity)
    waiting = children.pop(exploration.name, [])
    while waiting:
        entity = waiting.pop(0)
        yield entity
        waiting = children.pop(entity.name, []) + waiting


def _line(entity: "ExploredEntity") -> Text:
    _, preposition = arrow_and_preposition(entity.direction, seen_from="owner")
    line = Text.assemble(
        (f"{entity.relation} {preposition} ", "magenta"),
        visible(entity.name),
        (f"  {visible(entity.kind)}", "cyan"),
    )
    append_period(line, entity)
    append_note(line, entity)
    return line
