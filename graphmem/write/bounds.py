"""Whether an entity may hold what a merge would make of it."""

from graphmem.errors import InvalidInput
from graphmem.model.accumulated import Holding, within_limits
from graphmem.write.shape import Stored, Wanted
from graphmem.write.shared import own_attributes


def refusal(stored: Stored, wanted: Wanted) -> str | None:
    """Why a merge would take an entity beyond what one holds in all, or None where it does not."""
    try:
        within_limits(_holding(wanted), _holding(stored))
    except InvalidInput as error:
        return str(error)
    return None


def _holding(entity: Stored | Wanted) -> Holding:
    texts: dict[str, list[str]] = {"text": [], "observation": [], "card": []}
    for passage in entity.passages:
        texts[passage["origin"]].append(passage["text"])
    return Holding.of(
        aliases=entity.properties.get("aliases") or (),
        tags=entity.properties.get("tags") or (),
        attributes=own_attributes(entity.properties),
        text=texts["text"],
        observations=texts["observation"],
    )
