"""A search whose dates are said in words: they become filters, and leave the query."""

from dataclasses import replace

from graphmem import dates
from graphmem.model.where import Condition
from graphmem.search import Filters

CREATED = "created_at"
ONLY_DATES = "the query names nothing beside its dates, so there is nothing to search for"


def dated(query: str, filters: Filters) -> tuple[str, Filters, tuple[str, ...]]:
    """Take the dates out of a query.

    Args:
        query: As somebody asks it, by the clock of this machine.
        filters: What a hit must be otherwise.

    Returns:
        The query without its dates, the filters with them, and how each date was understood.
    """
    found = dates.read(query)
    conditions = list(filters.where.conditions)
    if found.since is not None:
        conditions.append(Condition(CREATED, ">=", (found.since,)))
    if found.until is not None:
        conditions.append(Condition(CREATED, "<=", (found.until,)))
    where = replace(filters.where, conditions=tuple(conditions))
    notes = found.notes if found.text or not found.notes else (*found.notes, ONLY_DATES)
    return found.text, replace(filters, where=where), notes
