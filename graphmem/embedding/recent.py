"""The embeddings made last, on disk: an import that is killed embeds nothing twice."""

import hashlib
import logging
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from graphmem.embedding.embedder import ModelIdentity, Vector
from graphmem.ownership import make_folders_above

# More than all imports of a home hold between the model and the store at a time.
MOST_VECTORS = 8192
BUSY_SECONDS = 5.0

_TABLE = "CREATE TABLE IF NOT EXISTS embeddings (digest BLOB PRIMARY KEY, vector BLOB NOT NULL)"

log = logging.getLogger("graphmem")


class RecentEmbeddings:
    """The last 8,192 embeddings of documents, about 25 MB; safe to share between processes.

    Holds digests and vectors, no texts. Where the file cannot be used, nothing is kept: a warning
    is logged once and documents are embedded anew.

    Args:
        path: The SQLite file; made where it is missing.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._is_usable = True

    def find(self, model: ModelIdentity, texts: Iterable[str]) -> dict[str, Vector]:
        """The embeddings that are kept, by text."""
        digests = {_digest(model, text): text for text in texts}
        vectors: dict[str, Vector] = {}
        with self._tolerating_failure(), closing(self._connect()) as connection:
            for digest, text in digests.items():
                row = connection.execute(
                    "SELECT vector FROM embeddings WHERE digest = ?", (digest,)
                ).fetchone()
                if row is not None and len(row[0]) == 8 * model.dimensions:
                    vectors[text] = array("d", row[0]).tolist()
        return vectors

    def add(self, model: ModelIdentity, vectors: Mapping[str, Vector]) -> None:
        """Keep embeddings by text, and drop the oldest."""
        rows = [
            (_digest(model, text), array("d", vector).tobytes()) for text, vector in vectors.items()
        ]
        with (
            self._tolerating_failure(),
            closing(self._connect()) as connection,
            connection,
        ):
            connection.executemany("INSERT OR REPLACE INTO embeddings VALUES (?, ?)", rows)
            connection.execute(
                "DELETE FROM embeddings WHERE rowid <= (SELECT max(rowid) FROM embeddings) - ?",
                (MOST_VECTORS,),
            )

    def clear(self) -> None:
        """Forget all embeddings, and leave no bytes of them in the file.

        A file that could not be used before is tried again: what it holds was to be deleted.
        """
        if not self._path.exists():
            return
        self._is_usable = True
        with self._tolerating_failure(), closing(self._connect()) as connection:
            connection.execute("PRAGMA secure_delete = ON")
            with connection:
                connection.execute("DELETE FROM embeddings")
            with suppress(sqlite3.OperationalError):  # an import writes just now; nothing is left
                connection.execute("VACUUM")

    @contextmanager
    def _tolerating_failure(self) -> Iterator[None]:
        """Go on without the file where it fails; the first failure is logged."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            if self._is_usable:
                log.warning(
                    "embeddings are not kept for an import that is killed: %s: %s; delete the file "
                    "if this happens again",
                    self._path,
                    error,
                )
            self._is_usable = False

    def _connect(self) -> sqlite3.Connection:
        if self._is_usable:
            make_folders_above(self._path.parent)
            self._path.parent.mkdir(mode=0o700, exist_ok=True)
            self._path.touch(mode=0o600)
        file = self._path if self._is_usable else ":memory:"
        connection = sqlite3.connect(file, timeout=BUSY_SECONDS)
        try:
            # What a killed process wrote is kept by the system; only a loss of power loses it.
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute(_TABLE)
        except sqlite3.Error:
            connection.close()
            raise
        return connection


def _digest(model: ModelIdentity, text: str) -> bytes:
    return hashlib.blake2b(f"{model!r}\n{text}".encode(), digest_size=16).digest()
