"""Which of some entities pass filters, one by one: no index is asked and nothing is ranked."""

from collections.abc import Callable, Sequence
from typing import Any

from graphmem.graph import Row
from graphmem.search.compiled_filters import NO_FILTERS, compile_filters
from graphmem.search.plan import Filters

# Runs a statement by its name, in a transaction or by itself.
Run = Callable[..., Sequence[Row]]


def passing(
    run: Run, keys: Sequence[str], filters: Filters | None, *, among: Sequence[str] = ()
) -> Sequence[Row]:
    """Those of some entities that pass, with how much goes when they are deleted.

    Args:
        run: Reads.
        keys: Of the entities.
        filters: What they must be; None for anything.
        among: The keys that may be selected, where not all of the project may.
    """
    compiled = NO_FILTERS if filters is None else compile_filters(filters)
    is_any = filters is None or bool(filters.statuses)
    search: dict[str, Any] = {
        "live": [True, False] if is_any else [True],
        "required": compiled.required,
        "forbidden": compiled.forbidden,
        "comparisons": compiled.comparisons,
        "relations": compiled.relations,
    }
    return run("read/selection", keys=list(keys), among=list(among), search=search)
