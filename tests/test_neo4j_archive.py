"""The file of a backup: what is written is read, and what is damaged or foreign is refused."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
import os
import random
import stat
import subprocess
import tarfile
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from graphmem.errors import BackupRefused
from graphmem.neo4j_process.backup import archive
from graphmem.neo4j_process.backup.admin import DUMP
from graphmem.neo4j_process.backup.archive import BackupManifest
from graphmem.neo4j_process.machine.disk import MEBIBYTE
from graphmem.progress import SILENT
from neo4j_servers import no_file_beyond

if TYPE_CHECKING:
    from pathlib import Path

CHANCE = random.Random(7)  # noqa: S311 - the same bytes in every run
CONTENT = CHANCE.randbytes(70_000)
MANIFEST = BackupManifest(
    graphmem="0.1.0",
    neo4j="2026.09.0",
    schema_version=1,
    created_at=datetime(2026, 3, 1, tzinfo=UTC),
    counts={"nodes": 3, "entities": 2},
    store_bytes=1000,
    dump_bytes=len(CONTENT),
)


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    dump, file = tmp_path / "dump", tmp_path / "backup"
    dump.write_bytes(CONTENT)
    archive.write(file, MANIFEST, dump, SILENT)
    return file


def test_what_was_written_is_read(backup: Path, tmp_path: Path) -> None:
    assert archive.verify(backup, SILENT) == MANIFEST
    folder = tmp_path / "out"
    folder.mkdir()
    assert archive.extract(backup, folder, SILENT).read_bytes() == CONTENT


def test_a_backup_is_for_its_owner_alone(backup: Path) -> None:
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    with tarfile.open(backup, "r:") as opened:
        assert {member.mode for member in opened} == {0o600}


def test_a_file_that_is_there_is_not_written_over(backup: Path, tmp_path: Path) -> None:
    with pytest.raises(FileExistsError):
        archive.write(backup, MANIFEST, tmp_path / "dump", SILENT)


def test_a_backup_that_the_disk_has_no_room_for_names_the_folder_and_the_size(
    tmp_path: Path,
) -> None:
    dump = tmp_path / "dump"
    dump.write_bytes(bytes(4 * MEBIBYTE))
    manifest = dataclasses.replace(MANIFEST, dump_bytes=4 * MEBIBYTE)
    with (
        no_file_beyond(os.getpid(), MEBIBYTE),
        pytest.raises(BackupRefused, match=rf"{tmp_path}: File too large; it takes 4\.0 MiB"),
    ):
        archive.write(tmp_path / "backup", manifest, dump, SILENT)


def test_tar_reads_a_backup_too(backup: Path, tmp_path: Path) -> None:
    subprocess.run(["tar", "xf", backup, "-C", tmp_path], check=True)
    assert (tmp_path / "neo4j.dump").read_bytes() == CONTENT
    assert json.loads((tmp_path / "manifest.json").read_text())["counts"] == MANIFEST.counts


def sealed(file: Path) -> Path:
    """Make a tar archive a backup that anybody could have made."""
    seal = archive.SEAL + hashlib.sha256(file.read_bytes()).hexdigest().encode() + b"\n"
    with file.open("ab") as end:
        end.write(seal)
    return file


# Enough to be seen; were it written after all, a disk has room for it.
SPARSE = {"GNU.sparse.map": f"{2**30},0", "GNU.sparse.size": str(2**30)}


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        (DUMP, {"pax_headers": SPARSE}),
        (DUMP, {"type": tarfile.SYMTYPE, "linkname": archive.MANIFEST}),
        ("other.dump", {}),
    ],
    ids=["sparse", "link", "missing"],
)
def test_what_holds_no_plain_dump_is_refused_and_takes_no_room(
    tmp_path: Path, name: str, fields: dict[str, object]
) -> None:
    (tmp_path / archive.MANIFEST).write_text(MANIFEST.to_json())
    with tarfile.open(tmp_path / "backup", "w", format=tarfile.PAX_FORMAT) as tar:
        tar.add(tmp_path / archive.MANIFEST, archive.MANIFEST)
        member = tarfile.TarInfo(name)
        for field, value in fields.items():
            setattr(member, field, value)
        tar.addfile(member)
    backup, folder = sealed(tmp_path / "backup"), tmp_path / "out"
    folder.mkdir()
    assert archive.verify(backup, SILENT) == MANIFEST
    with pytest.raises(BackupRefused, match="holds no dump"):
        archive.extract(backup, folder, SILENT)
    assert not (folder / DUMP).stat().st_size


def test_a_byte_that_changed_anywhere_is_refused(backup: Path) -> None:
    whole = backup.read_bytes()
    places = [0, 100, 150, 257, 511, 512, 700, 1024, 1500, 2000, len(whole) - 73, len(whole) - 1]
    places += CHANCE.sample(range(len(whole)), 40)
    for place in places:
        changed = bytearray(whole)
        changed[place] ^= 0x01
        backup.write_bytes(changed)
        with pytest.raises(BackupRefused):
            archive.verify(backup, SILENT)


def test_a_file_cut_off_anywhere_is_refused(backup: Path) -> None:
    whole = backup.read_bytes()
    for length in (0, 1, 72, 73, 512, 600, 1024, 5000, len(whole) - 73, len(whole) - 1):
        backup.write_bytes(whole[:length])
        with pytest.raises(BackupRefused):
            archive.verify(backup, SILENT)


def test_a_file_with_more_at_its_end_is_refused(backup: Path) -> None:
    backup.write_bytes(backup.read_bytes() + b"more")
    with pytest.raises(BackupRefused, match="damaged or cut off"):
        archive.verify(backup, SILENT)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 a zip", b"{}" * 600, b"\x00" * 20_000])
def test_a_foreign_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(BackupRefused, match="is not a backup"):
        archive.verify(tmp_path / "file", SILENT)


def test_another_tar_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("notes")
    with tarfile.open(tmp_path / "file", "w") as other:
        other.add(tmp_path / "notes.md", "notes.md")
    with pytest.raises(BackupRefused, match="is not a backup"):
        archive.verify(tmp_path / "file", SILENT)


def with_first(file: Path, name: str, content: bytes) -> Path:
    """Make a sealed tar archive of one member."""
    with tarfile.open(file, "w") as made:
        made.addfile(archive._member(name, len(content), MANIFEST), io.BytesIO(content))
    return sealed(file)


@pytest.mark.parametrize(
    "content", [b"[]", b"7", b'{"format": "other", "format_version": 1}', b"[" * 100_000, b"{"]
)
def test_a_manifest_of_something_else_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(BackupRefused, match="is not a backup"):
        archive.verify(with_first(tmp_path / "file", archive.MANIFEST, content), SILENT)


def test_a_manifest_under_another_name_is_none(tmp_path: Path) -> None:
    content = MANIFEST.to_json().encode()
    with pytest.raises(BackupRefused, match="is not a backup"):
        archive.verify(with_first(tmp_path / "file", "notes.json", content), SILENT)


def test_a_backup_of_many_chunks_is_read(
    backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "CHUNK_BYTES", 1000)
    assert archive.verify(backup, SILENT) == MANIFEST
    folder = tmp_path / "out"
    folder.mkdir()
    assert archive.extract(backup, folder, SILENT).read_bytes() == CONTENT


def test_a_manifest_of_megabytes_is_not_read(tmp_path: Path) -> None:
    text = MANIFEST.to_json().encode() + b" " * archive.LARGEST_MANIFEST
    with pytest.raises(BackupRefused, match="is not a backup"):
        archive.verify(with_first(tmp_path / "file", archive.MANIFEST, text), SILENT)


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("format_version", "1", "is a backup of format 1, made by graphmem 0.1.0"),
        ("format_version", None, "is a backup of format None, made by graphmem 0.1.0"),
        ("schema_version", None, "has a manifest without what is needed"),
        ("schema_version", "one", "has a manifest without what is needed"),
        ("created_at", "today", "has a manifest without what is needed"),
        ("counts", None, "has a manifest without what is needed"),
        ("counts", {"nodes": []}, "has a manifest without what is needed"),
        ("", {}, "has a manifest without what is needed: 'graphmem'"),
    ],
)
def test_a_manifest_of_another_shape_is_refused(
    tmp_path: Path, field: str, value: object, told: str
) -> None:
    fields = json.loads(MANIFEST.to_json()) | {field: value}
    if not field:
        del fields["graphmem"]
    text = json.dumps(fields).encode()
    with pytest.raises(BackupRefused, match=told):
        archive.verify(with_first(tmp_path / "file", archive.MANIFEST, text), SILENT)


def test_a_newer_format_is_refused_with_the_version_to_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dump").write_bytes(CONTENT)
    with monkeypatch.context() as newer:
        newer.setattr(archive, "FORMAT_VERSION", 2)
        later = dataclasses.replace(MANIFEST, graphmem="7.0.0")
        archive.write(tmp_path / "file", later, tmp_path / "dump", SILENT)
    with pytest.raises(BackupRefused, match=r"format 2, made by graphmem 7\.0\.0"):
        archive.verify(tmp_path / "file", SILENT)
