"""How much an entity may hold in all, however many writes it came in.

One transaction writes an entity whole. With 5,000 observations and 4 MiB of text it takes 250 MiB
of the 358 that the private server's heap of 512 MiB leaves to transactions; a test holds that.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from graphmem.errors import InvalidInput
from graphmem.model import limits

_NEXT = "Overwrite it with less, or put the rest into another entity and link the two."


@dataclass(frozen=True, slots=True)
class Holding:
    """How much an entity holds.

    Args:
        aliases: How many there are.
        tags: How many there are.
        attributes: How many custom attributes there are.
        values: How many values they have; each item of a list counts.
        attribute_bytes: How many bytes their texts take as UTF-8.
        observations: How many there are.
        text_bytes: How many bytes its text and observations take together as UTF-8.
    """

    aliases: int = 0
    tags: int = 0
    attributes: int = 0
    values: int = 0
    attribute_bytes: int = 0
    observations: int = 0
    text_bytes: int = 0

    @classmethod
    def of(
        cls,
        *,
        aliases: Collection[str] = (),
        tags: Collection[str] = (),
        attributes: Mapping[str, limits.Attribute] | None = None,
        text: Iterable[str] = (),
        observations: Collection[str] = (),
    ) -> Self:
        """Count what an entity holds.

        Args:
            aliases: Its other names.
            tags: Its tags.
            attributes: Its custom attributes.
            text: Its text, in any number of pieces.
            observations: The texts of its observations.
        """
        custom_attributes = attributes or {}
        return cls(
            aliases=len(aliases),
            tags=len(tags),
            attributes=len(custom_attributes),
            values=sum(
                len(value) if isinstance(value, list) else 1 for value in custom_attributes.values()
            ),
            attribute_bytes=sum(map(limits.attribute_bytes, custom_attributes.values())),
            observations=len(observations),
            text_bytes=sum(limits.utf8_bytes(piece) for piece in (*text, *observations)),
        )


# The field that an error names, the attribute of `Holding`, its unit, and the most there may be.
_BOUNDS = (
    ("aliases", "aliases", "aliases", limits.LIST_ITEMS),
    ("tags", "tags", "tags", limits.LIST_ITEMS),
    ("attributes", "attributes", "attributes", limits.ATTRIBUTES),
    ("attributes", "values", "values of attributes", limits.VALUES),
    ("attributes", "attribute_bytes", "bytes of text in attributes", limits.ATTRIBUTE_BYTES),
    ("observations", "observations", "observations", limits.OBSERVATIONS),
    ("observations", "text_bytes", "bytes of text and observations", limits.CONTENT_BYTES),
)


def within_limits(
    after: Holding, before: Holding | None = None, *, argument: str = "entity"
) -> None:
    """Check what an entity would hold; what it held beyond a limit before may stay or shrink.

    Args:
        after: What it would hold.
        before: What it holds, or None where it is new.
        argument: What the entity is called in the error.

    Raises:
        InvalidInput: naming what there is, what is added, what is allowed and what to do.
    """
    old = before or Holding()
    for field, count, unit, most in _BOUNDS:
        old_count, new_count = getattr(old, count), getattr(after, count)
        if new_count > most and new_count > old_count:
            added = (
                f" ({old_count:,} are stored, {new_count - old_count:,} would be added)"
                if old_count
                else ""
            )
            raise InvalidInput(
                f"{argument}.{field}",
                new_count,
                f"must hold at most {most:,} {unit}{added}",
                hint=_NEXT,
            )
