"""SQLite databases of other programs, which may write into them meanwhile."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from graphmem.importing.opening import File, opened_file
from graphmem.importing.reading import errors_refused
from graphmem.importing.refusing import Refused

_BEGINNING = b"SQLite format 3\0"


@contextmanager
def opened_database(file: File, *, program: str) -> Iterator[sqlite3.Connection]:
    """Open a database for reading alone; what is no UTF-8 in it is read with U+FFFD.

    Args:
        file: The database.
        program: Whose it should be, as refusals say it.

    Raises:
        Refused: It cannot be read, or lacks what a statement asks for.
    """
    with errors_refused(), opened_file(file) as handle:
        reason = f"cannot be read as a database of {program}"
        if os.read(handle, len(_BEGINNING)) != _BEGINNING:
            raise Refused(f"{reason}: it is not an SQLite database")
        address = f"{Path(file.root, *file.parts).as_uri()}?mode=ro"
        try:
            with closing(sqlite3.connect(address, uri=True)) as connection:
                connection.text_factory = partial(str, encoding="utf-8", errors="replace")
                connection.row_factory = sqlite3.Row
                yield connection
        except sqlite3.Error as error:
            raise Refused(f"{reason}: {error}") from error
