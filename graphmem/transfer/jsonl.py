"""graphmem's own JSON lines: an entity, a relation or a piece of history each, in any order."""

from collections.abc import Iterator
from pathlib import Path

from graphmem import project as projects
from graphmem.errors import NOT_SHOWN, InvalidInput
from graphmem.importing.format import Format
from graphmem.importing.json_text import parsed_lines
from graphmem.importing.opening import File
from graphmem.importing.reading import streamed_lines
from graphmem.importing.refusing import Refused, refused
from graphmem.importing.row import Row, Value
from graphmem.model import Entity, Relation
from graphmem.model.exported_history import ExportedChange, ExportedRevision, Redirect
from graphmem.progress import SILENT, Progress

# What a line may be.
SORTS = ("entity", "relation", "redirect", "change", "revision")


def rows(path: Path, progress: Progress = SILENT) -> Iterator[Row]:  # noqa: ARG001 - read as fast as it is written
    """Read a file of JSON lines; a line that cannot be used is refused and the others go on.

    One line is in memory at a time.

    Raises:
        InvalidInput: The path is a folder.
    """
    if path.is_dir():
        raise InvalidInput("path", str(path), "must be a file of JSON lines")
    file = File.alone(path)
    for number, value in parsed_lines(streamed_lines(file)):
        yield _row(value, file.place_of(number))


FORMAT = Format(rows, "graphmem's own JSON lines, those of `graphmem export`")


def _row(value: object, place: str) -> Row:
    if isinstance(value, Refused):
        return refused(place, value)
    sort = value.get("type") if isinstance(value, dict) else None
    try:
        project = value.pop("project", None) if isinstance(value, dict) else None
        if project is not None:
            project = projects.check_project_name(project)
        # Only a line that names its project may say who asserted what, or what was before.
        return Row(place, _value(sort, value, project), project)
    except InvalidInput as error:
        return refused(place, error, sort="relation" if sort == "relation" else "entity")


def _value(sort: object, value: object, project: str | None) -> Value:
    if sort == "relation":
        return Relation.from_json(value, exported=project is not None)
    if sort == "entity":
        return Entity.from_json(value, exported=project is not None)
    if not isinstance(value, dict) or sort not in SORTS:
        choices = ", ".join(SORTS)
        if sort is None:
            raise InvalidInput("type", NOT_SHOWN, f"is required in every line: one of {choices}")
        raise InvalidInput("type", sort, f"must be one of {choices}")
    if sort == "redirect":
        return Redirect.from_json(value)
    if project is None:
        raise InvalidInput("project", NOT_SHOWN, f"is required in a line of the type {sort}")
    if sort == "change":
        return ExportedChange.from_json(value)
    return ExportedRevision.from_json(value, project=project)
