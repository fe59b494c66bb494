"""The states of an entity, from the present one back, revision by revision. Pure."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphmem.graph import Row
from graphmem.model.paths import CREATED_IN
from graphmem.model.relation_fields import CREATED_BY
from graphmem.write.assertions.earlier_states import overlaid
from graphmem.write.assertions.noted import noted
from graphmem.write.assertions.shape import Stored
from graphmem.write.assertions.states import State, stored_state


@dataclass(frozen=True, slots=True)
class Step:
    """A step back over a revision.

    Args:
        row: The revision, as `read/revisions` gives it.
        noted: What was there before, of the paths that it changed.
        earlier: The whole state before it; empty where the entity was not there.
        created_by: The id of the change that had created the entity by then; None if it is not
            recorded.
        is_readable: Whether the record of the revision can be read; if not, nothing is noted.
    """

    row: Row
    noted: State
    earlier: State
    created_by: str | None
    is_readable: bool = True


def steps_back(stored: Stored, rows: Sequence[Row]) -> Iterator[Step]:
    """Walk back from an entity as it is stored.

    A merge deletes an entity, and undoing the merge creates it again. In between it was not there,
    and before the merge its creation is the one that the merge has noted.

    Args:
        stored: The entity.
        rows: Its revisions, the newest first.
    """
    state = stored_state(stored)
    created_by = stored.properties.get(CREATED_BY)
    noted_rows = ((row, noted(row["before"])) for row in rows)
    for (row, noted_state), (_, noted_before) in itertools.pairwise(
        itertools.chain(noted_rows, [({}, {})])
    ):
        before = noted_state or {}
        is_return = CREATED_IN in (noted_before or {})
        state = {} if is_return else overlaid(state, before)
        created_by = before.get(CREATED_IN, created_by)
        yield Step(row, before, state, created_by, is_readable=noted_state is not None)
