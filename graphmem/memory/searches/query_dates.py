"""A search whose dates are said in words: they become filters, and leave the query."""

from dataclasses import replace

from graphmem import dates, lucene
from graphmem.model.filters import Filters
from graphmem.model.where import created_within

ONLY_DATES = (
    "the query has no words besides its dates, so there is nothing to search for; `recent` with "
    "`since` and `until` lists what was created then"
)


def dated(query: str, filters: Filters) -> tuple[str, Filters, tuple[str, ...]]:
    """Take the dates out of a query.

    Args:
        query: As somebody asks it, by the clock of this machine.
        filters: What a hit must be otherwise.

    Returns:
        The query without its dates, the filters with them, and how each date was understood.
    """
    understood = dates.read(lucene.keyboard_marks(query))
    bounds = created_within(understood.since, understood.until)
    where = replace(filters.where, conditions=(*filters.where.conditions, *bounds))
    notes = (
        understood.notes
        if understood.text or not understood.notes
        else (*understood.notes, ONLY_DATES)
    )
    return understood.text, replace(filters, where=where), notes
