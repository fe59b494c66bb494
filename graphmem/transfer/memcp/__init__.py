"""memcp's entities and relations as JSON: a file or a folder of them.

A file is one document or JSON lines. In it stand objects `{entities: […], relations: […]}`, what a
query of SurrealDB gives (`[{result: […]}]`), entities and relations by themselves, or lists of all
of these. An entity is `{id | name, type, labels, content, confidence, source, context, created}`, a
relation `{from | in, to | out, type | rel_type, weight}`; their other fields are own attributes, as
JSON text where they hold objects. A name said twice in a context is one entity: what is said later
updates it, and its labels are added.

A context is a project; what has none belongs to the one imported into. How an entity was used
(`accessed`, `access_count`, `decay_weight`) is kept; its embedding is not, since graphmem makes its
own.
"""

from collections.abc import Iterator
from pathlib import Path

from graphmem.errors import InvalidInput
from graphmem.progress import SILENT, Progress
from graphmem.transfer.memcp import fields, reading
from graphmem.transfer.memcp.fields import name_of, worded
from graphmem.transfer.memcp.known import Known
from graphmem.transfer.row import Row

__all__ = ["name_of", "rows", "worded"]


def rows(path: Path, progress: Progress = SILENT) -> Iterator[Row]:
    """Read a file, or every `*.json`, `*.jsonl` and `*.ndjson` of a folder and its subfolders."""
    root = path if path.is_dir() else path.parent
    files = sorted(reading.files(path)) if path.is_dir() else [path]
    found: list[reading.Found] = []
    for done, file in enumerate(files, 1):
        found += reading.read(file, file.relative_to(root).as_posix())
        progress.advance("Reading files", done, len(files))
    known = Known()
    for one in found:
        if one.sort == "entity":
            yield from _refusal(one, known)
        elif one.sort == "refused":
            yield one.refused(str(one.value))
    yield from known.entities()
    for one in found:
        if one.sort == "relation":
            yield _relation_row(one, known)


def _refusal(found: reading.Found, known: Known) -> Iterator[Row]:
    """Note an entity; gives the row of one that cannot be used."""
    try:
        said = fields.kept(found.value, found.label)
        project = fields.context(said, found.label)
        known.add(said.get("id"), fields.entity(said, found.label), project, found.place)
    except InvalidInput as error:
        yield found.refused(_told(error))


def _relation_row(found: reading.Found, known: Known) -> Row:
    try:
        said = fields.kept(found.value, found.label)
        context = fields.context(said, found.label)
        start, end = fields.ends(said)
        start_name, of_start = known.end(start, context)
        end_name, of_end = known.end(end, context)
        relation = fields.relation(said, start_name, end_name, found.label)
    except InvalidInput as error:
        return found.refused(_told(error))
    if of_start != of_end:
        both = " and ".join(one or "none" for one in (of_start, of_end))
        return found.refused(f"its ends are in two contexts: {both}")
    return Row(found.place, relation, of_start)


def _told(error: InvalidInput) -> str:
    return str(InvalidInput(worded(error.argument), error.value, error.allowed))
