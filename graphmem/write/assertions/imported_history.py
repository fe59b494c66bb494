"""The fields of a new entity whose history is imported with it. Pure."""

from datetime import datetime
from typing import Any

from graphmem.model.provenance import Provenance
from graphmem.write.options import WriteOptions


def history_fields(provenance: Provenance, options: WriteOptions, now: datetime) -> dict[str, Any]:
    """The fields; none if its history is not imported."""
    if provenance.revision is None or not options.is_import:
        return {}
    return {
        "graphmem_revision": provenance.revision if provenance.revision > 1 else None,
        "graphmem_brought": provenance.revision,
        "graphmem_source": options.author,
        "graphmem_history_from": provenance.history_from,
        "updated_at": min(provenance.updated_at or now, now),
    }
