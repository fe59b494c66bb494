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
        destructive: Whether what it writes takes something away.
        idempotent: Whether a second call with the same arguments changes nothing more.
        has_output_schema: Whether `tools/list` includes the output schema; of tools with the same
            result type only one includes it.
        ignores_unknown: Whether arguments that it does not know are passed over; otherwise they are
            refused.
        draw: Makes a picture of what it gives, for clients that show one; None gives none.
    """

    tool: Callable[..., object]
    writes: bool = False
    destructive: bool = False
    idempotent: bool = True
    has_output_schema: bool = True
    ignores_unknown: bool = False
    draw: "Callable[[Any], Picture | None] | None" = None

    @property
    def name(self) -> str:
        """The tool's name."""
        return self.tool.__name__
