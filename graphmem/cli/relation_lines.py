"""What the lines on a relation share: which way it leads, when it holds and why it is there."""

from typing import TYPE_CHECKING, Literal

from rich.text import Text

from graphmem.model.period import period
from graphmem.model.visible import visible_line

if TYPE_CHECKING:
    from graphmem.model.answer import Via
    from graphmem.model.exploration import ExploredEntity
    from graphmem.model.page import Neighbour
    from graphmem.model.relation_fields import RelationDirection


def arrow_and_preposition(
    direction: "RelationDirection", *, seen_from: Literal["owner", "named"]
) -> tuple[str, str]:
    """`⟶` and `to` of a relation that leads away from the entity below which its line stands.

    Args:
        direction: `out` or `in`.
        seen_from: Whether as seen from that entity, the line's owner, or from the one that the
            line names.
    """
    leads_away = (direction == "out") == (seen_from == "owner")
    return ("⟶", "to") if leads_away else ("⟵", "from")


def append_period(line: Text, relation: "Via | ExploredEntity | Neighbour") -> None:
    """Append when the relation holds, if that is known."""
    if dates := period(relation.valid_from, relation.valid_until):
        line.append(f"  {dates}", "dim")


def append_note(line: Text, relation: "Via | ExploredEntity | Neighbour") -> None:
    """Append why the two entities are linked, if that is known."""
    if relation.note:
        line.append(f" — {visible_line(relation.note)}", "dim")
