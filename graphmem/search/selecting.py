"""Which of some entities pass filters, one by one: no index is asked and nothing is ranked."""

from collections.abc import Sequence
from typing import Any

from graphmem import text
from graphmem.graph import Reader, Row
from graphmem.model.filters import Filters
from graphmem.model.period import time_parameter
from graphmem.search.compiled_filters import NO_FILTERS, compile_filters


def selected_rows(
    reader: Reader, keys: Sequence[str], filters: Filters | None, *, among: Sequence[str] = ()
) -> list[Row]:
    """The entities of these keys that pass, with how much deleting each one removes.

    An entity that has the mark of these filters (`mark_of`) passes as well, even if it has lost the
    relations by now.

    Args:
        reader: The store.
        keys: Of the entities.
        filters: What they must be; None for anything.
        among: The keys that may be selected, where not all of the project may.
    """
    compiled_filters = NO_FILTERS if filters is None else compile_filters(filters)
    mark = mark_of(filters)
    is_any = filters is None or bool(filters.statuses)
    search: dict[str, Any] = {
        "live": [True, False] if is_any else [True],
        "required": compiled_filters.required,
        "forbidden": compiled_filters.forbidden,
        "comparisons": compiled_filters.comparisons,
        "relations": [
            rule | {"mark": mark} if rule["present"] else rule
            for rule in compiled_filters.relations
        ],
        **time_parameter(None),
    }
    return reader.read("read/selection", keys=list(keys), among=list(among), search=search)


def mark_of(filters: Filters | None) -> str | None:
    """What marks entities that a purge chose by the relations they have; None for other filters.

    A purge deletes relations, also those by which it chose what it has not deleted yet.
    """
    if filters is None or not any(rule.wanted for rule in filters.where.related):
        return None
    return text.digest(filters.where.related)
