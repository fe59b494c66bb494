"""What a file holds: within bounds, as it stands at one moment, as text in UTF-8."""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager

from graphmem.importing.opening import File, opened_file
from graphmem.importing.refusing import Refused

MIB = 1024 * 1024
FILE_BYTES = 16 * MIB
LINE_BYTES = 64 * MIB
# A file that others write into is read so often, to have it as it stands at one moment.
ATTEMPTS = 3

_PIECE = MIB
_CHANGED = "it changed while it was read; import it again"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_SAVE = "save it as UTF-8"
_OTHER_ENCODING = f"cannot be read: it seems to be UTF-16; {_SAVE}"
# What archives begin with, which no text does.
_COMPRESSED = (
    (b"\x1f\x8b", "gzip"),
    (b"PK\x03\x04", "ZIP"),
    (b"\x28\xb5\x2f\xfd", "Zstandard"),
    (b"\xfd7zX", "xz"),
)
# UTF-16 and UTF-32 without a mark have a zero among so many bytes of a text that begins in ASCII.
_FIRST_BYTES = 4


def content(file: File, *, limit: int = FILE_BYTES) -> bytes:
    """The bytes of a file, all of one moment.

    A file that is gone since its folder was listed is refused, too: it may be back in a moment, and
    the next import sees whether it stays away.

    Raises:
        Refused: It cannot be read, has more bytes than the limit, or changes all the time.
    """
    for _ in range(ATTEMPTS):
        with errors_refused(), opened_file(file) as handle:
            state = os.fstat(handle)
            _check_size(state.st_size, limit)
            file_bytes = _read_bytes(handle, limit)
            if _is_same(state, os.fstat(handle)) and len(file_bytes) == state.st_size:
                return file_bytes
    raise Refused(f"cannot be read: {_CHANGED}")


def text_of(file: File, *, limit: int = FILE_BYTES) -> str:
    """The text of a file: UTF-8, without a byte order mark, lines ended by a line feed.

    Raises:
        Refused: Likewise, or it is no UTF-8.
    """
    return decode(content(file, limit=limit)).replace("\r\n", "\n").replace("\r", "\n")


def decode(content: bytes) -> str:
    """Bytes as text, without a byte order mark.

    Raises:
        Refused: They are no UTF-8.
    """
    _check_compression(content)
    if content.startswith(_UTF_16):
        raise Refused(_OTHER_ENCODING)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        reason = (
            f"cannot be read: it is not UTF-8 ({error.reason} at byte {error.start:,}); {_SAVE}"
        )
        raise Refused(reason) from error


def lines(file: File, *, limit: int = FILE_BYTES) -> Iterator[tuple[int, bytes | Refused]]:
    """The lines of a file with their numbers, from 1, all of one moment.

    A file that cannot be read is `Refused`, under the number 0.
    """
    try:
        file_bytes = content(file, limit=limit)
        _check_encoding(file_bytes[:_FIRST_BYTES])
    except Refused as error:
        yield 0, error
    else:
        yield from enumerate(file_bytes.split(b"\n"), 1)


def streamed_lines(file: File, *, limit: int = LINE_BYTES) -> Iterator[tuple[int, bytes | Refused]]:
    """The lines of a file with their numbers, one at a time however large the file is.

    What is refused stands in the place of the line, and number 0 means the file. One that changes
    meanwhile is reported at its end: what was read of it has been given by then.
    """
    try:
        with errors_refused(), opened_file(file) as handle:
            state = os.fstat(handle)
            with io.BufferedReader(io.FileIO(handle, closefd=False), _PIECE) as stream:
                _check_encoding(stream.peek(_FIRST_BYTES)[:_FIRST_BYTES])
                yield from enumerate(_lines(stream, limit), 1)
            if not _is_same(state, os.fstat(handle)):
                yield 0, Refused(_CHANGED)
    except Refused as error:
        yield 0, error


def _lines(stream: "io.BufferedReader[io.FileIO]", limit: int) -> Iterator[bytes | Refused]:
    while line := stream.readline(limit + 1):
        if len(line) <= limit:
            yield line
            continue
        size = len(line)
        while not line.endswith(b"\n") and (line := stream.readline(_PIECE)):
            size += len(line)
        yield Refused(f"a line has at most {measure(limit)}; this one has {size:,} bytes")


def _check_encoding(beginning: bytes) -> None:
    _check_compression(beginning)
    if beginning.startswith(_UTF_16) or b"\0" in beginning:
        raise Refused(_OTHER_ENCODING)


def _check_compression(content: bytes) -> None:
    for beginning, name in _COMPRESSED:
        if content.startswith(beginning):
            raise Refused(
                f"cannot be read: it is compressed ({name}); unpack it, and import what it contains"
            )


def _check_size(size: int, limit: int) -> None:
    if size > limit:
        raise Refused(
            f"cannot be read: it has {size:,} bytes, and at most {measure(limit)} are read"
        )


def measure(size: int) -> str:
    """A number of bytes as people say it: `16 MiB`."""
    return f"{size // MIB} MiB" if size % MIB == 0 else f"{size:,} bytes"


def _read_bytes(handle: int, limit: int) -> bytes:
    """All of a file, or a little more than the limit of one that grows."""
    pieces: list[bytes] = []
    size = 0
    while size <= limit and (piece := os.read(handle, _PIECE)):
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)


def _is_same(earlier: os.stat_result, later: os.stat_result) -> bool:
    return (earlier.st_size, earlier.st_mtime_ns) == (later.st_size, later.st_mtime_ns)


@contextmanager
def errors_refused() -> Iterator[None]:
    """Turn an error of the operating system into a refusal with its reason."""
    try:
        yield
    except FileNotFoundError as error:
        raise Refused("cannot be read: it vanished after its folder was listed") from error
    except OSError as error:
        raise Refused(f"cannot be read: {error.strerror or error}") from error
