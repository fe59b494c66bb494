"""graphmem's own JSON lines: one entity or relation a line, in any order."""

import json
from collections.abc import Iterator
from pathlib import Path

from graphmem import project as projects
from graphmem.errors import InvalidInput
from graphmem.model import Entity, Item, Relation
from graphmem.progress import SILENT, Progress
from graphmem.transfer.row import Row


def rows(path: Path, progress: Progress = SILENT) -> Iterator[Row]:  # noqa: ARG001 - read as fast as it is written
    """Read a file of JSON lines; a line that cannot be used is refused and the others go on.

    Raises:
        InvalidInput: The path is a folder.
    """
    if path.is_dir():
        raise InvalidInput("path", str(path), "it must be a file of JSON lines")
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield _row(line, f"{path.name}:{number}")


def _row(line: bytes, place: str) -> Row:
    try:
        value = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        return Row(place, Item("entity", place, "refused", f"no JSON: {error}"))
    sort = value.get("type") if isinstance(value, dict) else None
    try:
        project = value.pop("project", None) if isinstance(value, dict) else None
        if project is not None:
            project = projects.check_project_name(project)
        return Row(place, _value(sort, value), project)
    except InvalidInput as error:
        refused = Item("relation" if sort == "relation" else "entity", place, "refused", str(error))
        return Row(place, refused)


def _value(sort: object, value: object) -> Entity | Relation:
    if sort == "relation":
        return Relation.from_json(value)
    if sort == "entity":
        return Entity.from_json(value)
    raise InvalidInput("type", sort, "it is `entity` or `relation`")
