"""What a profile gives to the server."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphmem.memory import Memory
    from graphmem.view import Picture

# Gives the open memory, waiting for it a while.
Opened = Callable[[], "Memory"]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool under its own name.

    Args:
        tool: A bound method or function: its name is the tool's, its annotated parameters are the
            input schema, its docstring is the description.
        writes: Whether it changes the store; a read-only server leaves it out.
        hides: Whether what it writes takes something away.
        told: Whether the list of tools says what it answers; those that answer alike say it once.
        draw: Makes a picture of what it gives, for clients that show one; None gives none.
    """

    tool: Callable[..., object]
    writes: bool = False
    hides: bool = False
    told: bool = True
    draw: "Callable[[Any], Picture | None] | None" = None

    @property
    def name(self) -> str:
        """The tool's name."""
        return self.tool.__name__
