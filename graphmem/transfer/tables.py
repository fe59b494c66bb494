"""Tables in CSV or TSV: one entity or one relation a row, one field a column.

The first line names the columns. With `from`, `relation` and `to` a row is a relation, else with
`name` an entity. Other columns are fields as JSON lines have them; any other becomes a custom
attribute, with numbers, `true`, `false` and days as such. An empty cell says nothing. `aliases` and
`tags` are separated by `;`, and each line of `observations` is one.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from graphmem.errors import InvalidInput, shortened
from graphmem.importing.fields import own_attributes, source_or_none, typed_text
from graphmem.importing.format import Format
from graphmem.importing.opening import File
from graphmem.importing.reading import FILE_BYTES, text_of
from graphmem.importing.refusing import Refused, refused
from graphmem.importing.row import Row
from graphmem.importing.walking import files_at, with_progress
from graphmem.model import Entity, Relation, limits
from graphmem.model.entity_fields import FIELD_NAMES as ENTITY_FIELDS
from graphmem.model.relation_fields import FIELD_NAMES as RELATION_FIELDS
from graphmem.model.relation_fields import IDENTITY_NAMES, RESERVED_RELATION_ATTRIBUTES
from graphmem.model.report import ItemSort
from graphmem.progress import SILENT, Progress

ENDINGS = (".csv", ".tsv")
SEPARATORS = (",", ";", "\t")
LISTS = ("aliases", "tags")
OF_AN_ENTITY = frozenset({"name", "observations", "created_at", *LISTS, *ENTITY_FIELDS})
OF_A_RELATION = frozenset({*IDENTITY_NAMES, *RELATION_FIELDS})
NUMBERS = frozenset({"confidence", "weight"})
# As spreadsheets and pandas write them.
BOOLEANS = frozenset({"TRUE", "FALSE", "True", "False"})
_COLUMNS = "the first line must name the columns, among them `name`, or `from`, `relation` and `to`"
_QUOTATION = re.compile('"(?:[^"]|"")*+"')
# The cells of a row that a separator ends, quoted or not.
_WHOLE_CELLS = '(?:(?:"(?:[^"]|"")*+"|[^"{separator}\n][^{separator}\n]*+)?+{separator})*+'
_LINES = re.compile(r"\r?\n")


def rows(path: Path, progress: Progress = SILENT) -> Iterator[Row]:
    """Read one file, or every `*.csv` and `*.tsv` of a folder and its subfolders."""
    listing = files_at(path, takes=lambda parts: _is_table(parts[-1]))
    yield from listing.refusals
    for file in with_progress(listing.files, progress):
        yield from _file(file)


def _is_table(name: str) -> bool:
    return name.lower().endswith(ENDINGS)


FORMAT = Format(
    rows,
    "tables in CSV or TSV, an entity or a relation a row",
    reads=_is_table,
    whole=True,
    sources_are_files=False,  # `source` is what the column says, if there is one
)


def _file(file: File) -> Iterator[Row]:
    # The library refuses cells that are longer than 128 KiB, of which one may be a text.
    csv.field_size_limit(FILE_BYTES)
    try:
        content = text_of(file)
        separator = _separator(file, content.partition("\n")[0])
        table = csv.reader(io.StringIO(content, newline=""), delimiter=separator, strict=True)
        columns = _columns(next(table, []))
    except Refused as reason:
        yield refused(file.place, reason)
        return
    except csv.Error:
        error = _open_quotation(content, separator, 1, table.line_num)
        yield refused(file.place, error, line=error.line)
        return
    sort: ItemSort = "relation" if {"from", "relation", "to"} <= {*columns} else "entity"
    first_line = table.line_num + 1
    try:
        for cells in table:
            line, first_line = first_line, table.line_num + 1
            if any(cell.strip() for cell in cells):
                yield _row(cells, columns, file, line, sort)
    except csv.Error:
        error = _open_quotation(content, separator, first_line, table.line_num)
        yield refused(file.place, error, sort=sort, line=error.line)


def _open_quotation(content: str, separator: str, first_line: int, last_line: int) -> Refused:
    """Why a row ends in a quotation without an end, or with text after it, and where it begins.

    Args:
        content: The text of the table.
        separator: What separates its columns.
        first_line: Where the row begins.
        last_line: The last line that was read of it.
    """
    row = "\n".join(content.split("\n")[first_line - 1 : last_line])
    whole_cells = re.match(_WHOLE_CELLS.format(separator=separator), row)
    start = whole_cells.end() if whole_cells else 0
    if _QUOTATION.match(row, start):
        reason = f"the quotation that begins here ends in line {last_line:,} with text after it"
    else:
        reason = "the quotation that begins here has no end"
    return Refused(f"{reason}; what follows is not read", first_line + row.count("\n", 0, start))


def _separator(file: File, header: str) -> str:
    """What separates columns: a tab in TSV, else the one that the first line has most of."""
    return "\t" if file.path.suffix.lower() == ".tsv" else max(SEPARATORS, key=header.count)


def _columns(header: Sequence[str]) -> list[str]:
    """The names of the columns; those of fields in lower case.

    Raises:
        Refused: They are not those of a table of entities or relations, or one stands twice.
    """
    names = [name.strip() for name in header]
    lower = {name.casefold() for name in names}
    is_of_relations = {"from", "to"} <= lower and not lower.isdisjoint({"relation", "type"})
    if not is_of_relations and "name" not in lower:
        raise Refused(f"{_COLUMNS}, got {shortened(', '.join(names))}")
    known_names = OF_A_RELATION if is_of_relations else OF_AN_ENTITY
    type_name = "relation" if is_of_relations else "kind"
    columns = [folded if (folded := name.casefold()) in known_names else name for name in names]
    if type_name not in columns:  # others call it the type
        columns = [type_name if column.casefold() == "type" else column for column in columns]
    twice = next((name for name in columns if name and columns.count(name) > 1), None)
    if twice is not None:
        raise Refused(f"the column {shortened(twice)} stands twice")
    return columns


def _row(
    cells: Sequence[str], columns: Sequence[str], file: File, line: int, sort: ItemSort
) -> Row:
    place = f"{file.place}:{line}"
    values = {
        column: cell.strip()
        for column, cell in zip(columns, cells, strict=False)
        if column and cell.strip()
    }
    try:
        _check_length(cells, columns)
        if sort == "relation":
            return Row(place, _relation(values))
        return Row(place, _entity(values, file))
    except (InvalidInput, Refused) as error:
        name = values.get("name") if sort == "entity" else None
        row = refused(file.place, error, sort=sort, name=name, line=line)
        # Of a row with too many cells, any may be in the column of another.
        has_name = isinstance(error, InvalidInput) and limits.or_none(limits.name, name) is not None
        return replace(row, is_alone=sort == "relation" or has_name)


def _check_length(cells: Sequence[str], columns: Sequence[str]) -> None:
    if any(cell.strip() for cell in cells[len(columns) :]):
        raise Refused(f"it has {len(cells)} cells, and the first line names {len(columns)} columns")


def _entity(values: Mapping[str, str], file: File) -> Entity:
    fields: dict[str, object] = {"source": source_or_none(file.place)}
    fields |= _fields(values, OF_AN_ENTITY)
    for name in LISTS:
        if name in values:
            fields[name] = [item for part in values[name].split(";") if (item := part.strip())]
    if "observations" in values:
        lines = _LINES.split(values["observations"])
        fields["observations"] = [line.strip() for line in lines if line.strip()]
    others = {name: value for name, value in values.items() if name not in OF_AN_ENTITY}
    return Entity.from_json(fields | {"attributes": own_attributes(others, convert=_value)})


def _relation(values: Mapping[str, str]) -> Relation:
    others = {name: value for name, value in values.items() if name not in OF_A_RELATION}
    attributes = own_attributes(others, convert=_value, reserved=RESERVED_RELATION_ATTRIBUTES)
    return Relation.from_json(_fields(values, OF_A_RELATION) | {"attributes": attributes})


def _value(cell: str) -> object:
    return typed_text(cell.lower() if cell in BOOLEANS else cell)


def _fields(values: Mapping[str, str], known_names: frozenset[str]) -> dict[str, object]:
    return {
        name: typed_text(value) if name in NUMBERS else value
        for name, value in values.items()
        if name in known_names
    }
