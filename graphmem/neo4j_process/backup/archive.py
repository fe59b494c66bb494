"""A backup as one file: a tar archive of a manifest and a dump, then the SHA-256 of all before it.

`tar` reads it too: `manifest.json`, `neo4j.dump`, and past the end of the archive one line,
`sha256 ` and 64 hexadecimal digits. The digest covers every byte before that line.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import tarfile
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, BinaryIO, cast

from graphmem.errors import BackupRefused
from graphmem.neo4j_process.backup.admin import DUMP
from graphmem.neo4j_process.machine.disk import MEBIBYTE

if TYPE_CHECKING:
    from pathlib import Path

    from graphmem.progress import Progress

FORMAT = "graphmem-backup"
FORMAT_VERSION = 1
MANIFEST = "manifest.json"
LARGEST_MANIFEST = 1024 * 1024
SEAL = b"sha256 "
SEAL_BYTES = len(SEAL) + 64 + 1
ALL = 100
CHUNK_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class BackupManifest:
    """What a backup says of itself.

    Args:
        graphmem: The version of graphmem that made it.
        neo4j: The version of Neo4j that dumped it.
        schema_version: The version of graphmem's schema in it.
        created_at: When the server was stopped for it, with time zone.
        counts: What the store held, by noun: nodes, relationships, entities, passages.
        store_bytes: What the data took on the disk.
        dump_bytes: What the dump takes.
    """

    graphmem: str
    neo4j: str
    schema_version: int
    created_at: datetime
    counts: dict[str, int]
    store_bytes: int
    dump_bytes: int

    def to_json(self) -> str:
        """Write it as it stands in the file."""
        fields = asdict(self) | {"created_at": self.created_at.isoformat()}
        head = {"format": FORMAT, "format_version": FORMAT_VERSION}
        return json.dumps(head | fields, indent=1)


class _DigestingFile(io.RawIOBase):
    """A file that digests what is written to it, and tells how much of it that is."""

    def __init__(self, file: BinaryIO, task: str, total: int, progress: Progress) -> None:
        super().__init__()
        self._file, self._task, self._total, self._progress = file, task, total, progress
        self._count = self._percent = 0
        self.digest = hashlib.sha256()

    def write(self, data: object) -> int:
        """Write and digest."""
        content = bytes(cast("bytes", data))
        self._file.write(content)
        self.digest_and_count(content)
        return len(content)

    def digest_and_count(self, content: bytes) -> None:
        """Digest bytes that were written or read, and tell how many there are by now."""
        self.digest.update(content)
        self._count += len(content)
        percent = 100 * self._count // max(1, self._total)
        if percent != self._percent and percent < ALL:
            self._percent = percent
            self._progress.advance(self._task, percent, ALL)


def write(draft: Path, manifest: BackupManifest, dump: Path, progress: Progress) -> None:
    """Write a backup to a file that is not there yet, mode 0600, and have the disk keep it.

    Raises:
        BackupRefused: when the disk is full or fails.
        OSError: when the file is there, or cannot be made.
    """
    task = "Writing the backup"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor, not a path
            digesting_file = _DigestingFile(file, task, manifest.dump_bytes, progress)
            with tarfile.open(
                fileobj=digesting_file, mode="w|", format=tarfile.PAX_FORMAT
            ) as archive:
                text = manifest.to_json().encode()
                archive.addfile(_member(MANIFEST, len(text), manifest), io.BytesIO(text))
                with dump.open("rb") as content:
                    archive.addfile(_member(DUMP, manifest.dump_bytes, manifest), content)
            file.write(SEAL + digesting_file.digest.hexdigest().encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise BackupRefused(
            f"the backup could not be written to {draft.parent}: {error.strerror}; it takes "
            f"{manifest.dump_bytes / MEBIBYTE:,.1f} MiB: free that much there, or name a file on "
            "another disk"
        ) from None
    progress.advance(task, ALL, ALL)


def verify(path: Path, progress: Progress) -> BackupManifest:
    """Read a whole backup, compare its digest and give what it says of itself.

    Raises:
        BackupRefused: when it is no backup, a damaged one, or one of a newer graphmem.
        OSError: when it cannot be read.
    """
    fields = _fields(path)
    version = fields.get("format_version")
    if not isinstance(version, int) or version > FORMAT_VERSION:
        raise BackupRefused(
            f"{path} is a backup of format {version}, made by graphmem {fields.get('graphmem')}; "
            f"this graphmem reads format {FORMAT_VERSION}: bring it back with that version or newer"
        )
    _compare_digest(path, progress)
    try:
        return BackupManifest(
            graphmem=str(fields["graphmem"]),
            neo4j=str(fields["neo4j"]),
            schema_version=int(cast("int", fields["schema_version"])),
            created_at=datetime.fromisoformat(str(fields["created_at"])),
            counts={name: int(n) for name, n in cast("dict[str, int]", fields["counts"]).items()},
            store_bytes=int(cast("int", fields["store_bytes"])),
            dump_bytes=int(cast("int", fields["dump_bytes"])),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BackupRefused(f"{path} has a manifest without what is needed: {error}") from None


def extract(path: Path, folder: Path, progress: Progress) -> Path:
    """Copy the dump out of a backup that was verified.

    Returns:
        The file, named as Neo4j's own program expects it.

    Raises:
        BackupRefused: when it holds no dump as a plain file; what tar calls a sparse one may be
            a small file that stands for any number of bytes.
        OSError: when the disk is full.
    """
    task, target = "Unpacking the backup", folder / DUMP
    refusal = BackupRefused(f"{path} holds no dump that `graphmem db backup` made")
    with tarfile.open(path, "r:") as archive, target.open("wb") as file:
        try:
            member = archive.getmember(DUMP)
        except (KeyError, tarfile.TarError):
            raise refusal from None
        content = archive.extractfile(member) if member.isreg() else None
        if content is None or member.issparse():
            raise refusal
        digesting_file = _DigestingFile(cast("BinaryIO", file), task, member.size, progress)
        while chunk := content.read(CHUNK_BYTES):
            digesting_file.write(chunk)
    progress.advance(task, ALL, ALL)
    return target


def _member(name: str, size: int, manifest: BackupManifest) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, 0o600
    member.mtime = int(manifest.created_at.timestamp())
    return member


def _fields(path: Path) -> dict[str, object]:
    """Read the manifest, which stands first."""
    refusal = BackupRefused(f"{path} is not a backup that `graphmem db backup` made, or is cut off")
    try:
        with tarfile.open(path, "r:") as archive:
            first_member = archive.next()
            if (
                first_member is None
                or first_member.name != MANIFEST
                or first_member.size > LARGEST_MANIFEST
            ):
                raise refusal
            content = archive.extractfile(first_member)
            fields = json.loads(content.read()) if content else None
    except (tarfile.TarError, ValueError, RecursionError, EOFError):
        raise refusal from None
    if not isinstance(fields, dict) or fields.get("format") != FORMAT:
        raise refusal
    return fields


def _compare_digest(path: Path, progress: Progress) -> None:
    task, size = "Checking the backup", path.stat().st_size
    with path.open("rb") as file:
        digesting_file = _DigestingFile(file, task, size, progress)
        remaining_bytes = size - SEAL_BYTES
        while remaining_bytes > 0 and (chunk := file.read(min(CHUNK_BYTES, remaining_bytes))):
            digesting_file.digest_and_count(chunk)
            remaining_bytes -= len(chunk)
        seal = file.read()
    progress.advance(task, ALL, ALL)
    if seal != SEAL + digesting_file.digest.hexdigest().encode() + b"\n":
        raise BackupRefused(
            f"{path} is damaged or cut off: its content does not match the SHA-256 checksum at "
            "its end; copy it again from its source, or use another backup"
        )
