"""About how many bytes a transaction holds of an entity, so that it is not given too many."""

from collections.abc import Sequence

from graphmem.batches import size
from graphmem.graph import Graph
from graphmem.model import Entity
from graphmem.write.assertions.splitting import PASSAGE_CHARACTERS

# A text stands in its passage, and in the entity; the parts of its identifiers stand in both.
COPIES = 4
# An embedding of 384 numbers and what a passage repeats of its entity.
PASSAGE_BYTES = 4096


def content_weight(entity: Entity) -> int:
    """Bytes for what is said of an entity."""
    texts = [entity.text or "", *(observation.text for observation in entity.observations)]
    passages = len(entity.observations) + len(texts[0]) // PASSAGE_CHARACTERS[0] + 1
    beside = (entity.aliases, entity.tags, entity.attributes)
    repeated = PASSAGE_BYTES + 2 * size((entity.name, entity.title or ""))
    return COPIES * (sum(map(size, texts)) + sum(map(size, beside))) + passages * repeated


def stored_weights(graph: Graph, keys: Sequence[str]) -> dict[str, int]:
    """Bytes for what is stored, by key; entities that are not there weigh nothing."""
    return {
        row["key"]: COPIES * row["characters"] + row["passages"] * PASSAGE_BYTES
        for row in graph.read("read/sizes", keys=list(keys))
    }
