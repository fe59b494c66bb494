"""memcp's entities and relations as JSON, in a file or a folder of them.

A file is one document or JSON lines. In it stand objects `{entities: […], relations: […]}`, what a
query of SurrealDB gives (`[{result: […]}]`), entities and relations by themselves, or lists of all
of these. An entity is `{id | name, type, labels, content, confidence, source, context, created}`, a
relation `{from | in, to | out, type | rel_type, weight}`; their other fields are custom attributes,
as JSON text where they hold objects. A name given twice in a context is one entity: the later one
updates it, and its labels are added.

A context is a project; what has none belongs to the one imported into. How an entity was used
(`accessed`, `access_count`, `decay_weight`) is kept; its embedding is not, since graphmem makes its
own.
"""

from collections.abc import Iterator
from pathlib import Path

from graphmem.adapters.memcp.importer import fields, reading
from graphmem.adapters.memcp.importer.fields import memcp_argument, name_of
from graphmem.adapters.memcp.importer.reading import ParsedValue
from graphmem.adapters.memcp.importer.register import Register
from graphmem.errors import InvalidInput
from graphmem.importing.format import Format
from graphmem.importing.refusing import Refused
from graphmem.importing.row import Row
from graphmem.importing.walking import files_at, with_progress
from graphmem.progress import SILENT, Progress

__all__ = ["FORMAT", "memcp_argument", "name_of", "rows"]


def rows(path: Path, progress: Progress = SILENT) -> Iterator[Row]:
    """Read a file, or every `*.json`, `*.jsonl` and `*.ndjson` of a folder and its subfolders.

    What a later line says updates an entity, so none is given before all files are read.
    """
    listing = files_at(path, takes=lambda parts: reading.is_wanted(parts[-1]))
    yield from listing.refusals
    register = Register()
    relations: list[ParsedValue] = []
    for file in with_progress(listing.files, progress):
        for parsed_value in reading.read(file):
            if parsed_value.sort == "relation":
                relations.append(parsed_value)
            else:
                yield from _note_entity(parsed_value, register)
    yield from register.entities()
    for parsed_value in relations:
        yield _relation_row(parsed_value, register)


FORMAT = Format(
    rows, "memcp's entities and relations as JSON, in a file or a folder", has_short_projects=True
)


def _note_entity(parsed_value: ParsedValue, register: Register) -> Iterator[Row]:
    """Note an entity; gives the row of what cannot be used."""
    if parsed_value.sort == "refused":
        yield parsed_value.refused(str(parsed_value.value))
        return
    try:
        members = fields.members_of(parsed_value.value, parsed_value.label)
        project = fields.context(members, parsed_value.label)
        register.add(
            members.get("id"),
            fields.entity(members, parsed_value.label),
            project,
            parsed_value.place,
        )
    except (InvalidInput, Refused) as error:
        yield parsed_value.refused(_in_memcp_words(error))


def _relation_row(parsed_value: ParsedValue, register: Register) -> Row:
    try:
        members = fields.members_of(parsed_value.value, parsed_value.label)
        context = fields.context(members, parsed_value.label)
        start, end = fields.ends(members)
        start_name, of_start = register.end(start, context)
        end_name, of_end = register.end(end, context)
        relation = fields.relation(members, start_name, end_name, parsed_value.label)
    except (InvalidInput, Refused) as error:
        return parsed_value.refused(_in_memcp_words(error))
    if of_start != of_end:
        contexts = " and ".join(project or "none" for project in (of_start, of_end))
        return parsed_value.refused(f"its ends are in two contexts: {contexts}")
    return Row(parsed_value.place, relation, of_start)


def _in_memcp_words(error: InvalidInput | Refused) -> str:
    if isinstance(error, InvalidInput):
        error = error.renamed(memcp_argument(error.argument))
    return str(error)
