"""Rows of exports that name their project: refused, or brought into another one."""

from dataclasses import replace

from graphmem import text
from graphmem.importing.refusing import refused
from graphmem.model import Entity, Item, Relation
from graphmem.model.exported_history import ExportedChange, ExportedRevision
from graphmem.model.provenance import Provenance
from graphmem.transfer import Row
from graphmem.write.assertions.states import translated
from graphmem.write.history.recording import ID_CHARACTERS
from graphmem.write.project_moves.move import Move


def without_projects(row: Row) -> Row:
    """A row, or its refusal where it is one of an export that names its project."""
    if row.project is None or isinstance(row.value, Item):
        return row
    return _refused(
        row,
        f"the line belongs to {row.project}; use --all to import each line into its own project, "
        "or --history to import one project with its history into this one",
    )


class OneProject:
    """Brings the rows of one project, the first that is named, into another.

    Args:
        into: The project.
    """

    def __init__(self, into: str) -> None:
        self._into = into
        self._origin: str | None = None

    def __call__(self, row: Row) -> Row:
        """The row as one of the other project, or its refusal where it belongs to a third one."""
        if row.project is None or isinstance(row.value, Item):
            return row
        self._origin = self._origin or row.project
        if row.project != self._origin:
            return _refused(
                row,
                f"the line belongs to {row.project}, and those before it to {self._origin}; use "
                "--all to import each line into its own project",
            )
        return replace(_moved(row, Move(self._origin, self._into)), project=None)


def _refused(row: Row, reason: str) -> Row:
    is_relation = isinstance(row.value, Relation)
    return refused(row.place, reason, sort="relation" if is_relation else "entity")


def _moved(row: Row, move: Move) -> Row:
    value = row.value
    if move.start == move.into:
        return row
    if isinstance(value, Entity | Relation) and value.provenance is not None:
        return replace(row, value=replace(value, provenance=_provenance(value.provenance, move)))
    if isinstance(value, ExportedChange):
        undoes = None if value.undoes is None else _id(value.undoes, move)
        return replace(row, value=replace(value, id=_id(value.id, move), undoes=undoes))
    if isinstance(value, ExportedRevision):
        return replace(row, value=_revision(value, move))
    return row


def _id(change: str, move: Move) -> str:
    """The id of a change in the other project: no two projects share a change."""
    return text.digest(change, move.into)[:ID_CHARACTERS]


def _provenance(value: Provenance, move: Move) -> Provenance:
    change = _id(value.change, move) if value.change else value.change
    return replace(value, unlinked=tuple(map(move.token, value.unlinked)), change=change)


def _revision(value: ExportedRevision, move: Move) -> ExportedRevision:
    before = translated(value.before, move.key, move.token, lambda change: _id(change, move))
    return replace(value, key=move.key(value.key), change=_id(value.change, move), before=before)
