"""Source code cut into symbols, and how they call, inherit from, import and contain each other.

A symbol is an entity named `path::symbol`, such as `internal/mcp/server.go::Server.handle`; what
stands beside the symbols of a file is the entity named by the file's path. Their attributes are
`path`, `symbol`, `language`, `start_line`, `end_line`, `signature` and `test`; where a class's text
has its methods' signatures alone, `code` is its source. A file in a language without a
grammar is one entity with its text.
"""

from collections.abc import Iterator
from pathlib import Path

from graphmem.importing.format import Format
from graphmem.importing.row import Row
from graphmem.progress import SILENT, Progress


def rows(path: Path, progress: Progress = SILENT) -> Iterator[Row]:
    """Read a file of code, or all of a folder that git does not ignore.

    Left out are folders whose names begin with a dot, those of package managers such as
    `node_modules` and `vendor`, links, files in no known language, and minified ones, each of which
    is a row. A file that is too large, not UTF-8 or cannot be parsed is refused; of one with syntax
    errors what can be read is taken.

    Raises:
        InvalidInput: The folder cannot be listed, or the file is in no known language.
    """
    # Imported here for weight: the grammars are loaded with it.
    from graphmem.transfer.code.entities import rows_of  # noqa: PLC0415
    from graphmem.transfer.code.files.folder import folder_of  # noqa: PLC0415

    yield from rows_of(folder_of(path), progress)


def _reads(name: str) -> bool:
    from graphmem.transfer.code.files.folder import is_wanted  # noqa: PLC0415 - likewise

    return is_wanted(name)


FORMAT = Format(
    rows,
    "source code of a repository, folder or file, cut into symbols and linked",
    reads=_reads,
    whole=True,
    tells_moves=True,
)
