"""Values that wait on disk, so that memory does not grow with what an import reads."""

import pickle
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from typing import Generic, TypeVar

Value = TypeVar("Value")
# Up to this size a spool stays in memory.
BYTES = 4 * 1024 * 1024


class Spool(Generic[Value]):
    """A list on disk, to which values are added and which is read by place or from its beginning.

    The file has no name, so it is gone with the process.
    """

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=BYTES)  # noqa: SIM115 - closed by close
        self._end = 0
        self.count = 0

    def add(self, value: Value) -> int:
        """Append a value; gives its place for `at`.

        Raises:
            OSError: The disk of temporary files is full; it names their folder.
        """
        place = self._end
        try:
            self._file.seek(place)
            pickle.dump(value, self._file, pickle.HIGHEST_PROTOCOL)
            self._end = self._file.tell()
        except OSError as error:
            raise OSError(error.errno, error.strerror, tempfile.gettempdir()) from None
        self.count += 1
        return place

    def at(self, place: int) -> Value:
        """The value at a place that `add` gave."""
        self._file.seek(place)
        value: Value = pickle.load(self._file)  # noqa: S301 - written by this process alone
        return value

    def __iter__(self) -> Iterator[Value]:
        """Every value, in the order they were added."""
        place = 0
        for _ in range(self.count):
            value = self.at(place)
            place = self._file.tell()
            yield value

    def close(self) -> None:
        """Give the disk back; what could not be written to it does not matter any more."""
        with suppress(OSError):
            self._file.close()
