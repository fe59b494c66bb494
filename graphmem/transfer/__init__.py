"""The formats that can be imported, by name: graphmem's own and those of foreign tools.

To add one, write a module with a `FORMAT` and name it here: see `docs/adding-a-format.md`.
"""

from graphmem.adapters.conversations import importer as conversations
from graphmem.adapters.forge import importer as forge
from graphmem.adapters.forgeplan import importer as forgeplan
from graphmem.adapters.memcp import importer as memcp
from graphmem.adapters.memory_server import importer as memory_server
from graphmem.adapters.rye import importer as rye
from graphmem.errors import InvalidInput
from graphmem.importing.format import Format
from graphmem.importing.row import LeftOut, Row
from graphmem.transfer import code, jsonl, markdown, tables

__all__ = ["EXPORT_FORMAT", "FORMATS", "TABLE_FORMAT", "Format", "LeftOut", "Row", "chosen"]

# The format that `graphmem export` writes.
EXPORT_FORMAT = "jsonl"
# That of tables, whose columns may be anything.
TABLE_FORMAT = "csv"

FORMATS: dict[str, Format] = {
    "code": code.FORMAT,
    "conversations": conversations.FORMAT,
    TABLE_FORMAT: tables.FORMAT,
    "forge": forge.FORMAT,
    "forgeplan": forgeplan.FORMAT,
    "jsonl": jsonl.FORMAT,
    "markdown": markdown.FORMAT,
    "memcp": memcp.FORMAT,
    "memory-server": memory_server.FORMAT,
    "rye": rye.FORMAT,
}


def chosen(form: str) -> Format:
    """The format of that name.

    Raises:
        InvalidInput: There is none.
    """
    if not isinstance(form, str) or form not in FORMATS:
        raise InvalidInput("format", form, f"must be one of {', '.join(sorted(FORMATS))}")
    return FORMATS[form]
