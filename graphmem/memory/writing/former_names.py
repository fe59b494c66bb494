"""Notes on entities that were written to by the name that they had before."""

import itertools
from collections.abc import Sequence

from graphmem import text
from graphmem.errors import shortened
from graphmem.model import Entity, Report

# Entities of one call that are named.
ENTITIES_NAMED = 20


def former_name_notes(entities: Sequence[object], report: Report) -> list[str]:
    """A sentence for each former name that was given, with the entity that it led to.

    Args:
        entities: What was given; others than entities are passed over.
        report: What became of it, item by item, each with the entity's current name.
    """
    current_names = {
        entity.name: item.name
        for entity, item in zip(entities, report.items, strict=False)
        if isinstance(entity, Entity)
        and item.outcome != "refused"
        and text.normalised(entity.name) != text.normalised(item.name)
    }
    return [
        f"{shortened(former_name)} is a former name of {shortened(current_name)}, "
        "so that entity is meant; a new one needs another name"
        for former_name, current_name in itertools.islice(current_names.items(), ENTITIES_NAMED)
    ]
