"""`graphmem db backup|restore|reset-password`: the private store in one file, and back."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from graphmem import neo4j_process
from graphmem.cli import output, session
from graphmem.cli.confirmation import Yes, check_answerable, confirm
from graphmem.cli.options import Json
from graphmem.cli.progress import ProgressDisplay
from graphmem.errors import quantity
from graphmem.memory.store import backups
from graphmem.memory.store.backups import BackupReport
from graphmem.neo4j_process.backup.archive import BackupManifest
from graphmem.neo4j_process.machine.disk import MEBIBYTE


def backup(
    file: Annotated[Path, Parameter(help="The file to write.")],
    /,
    *,
    force: Annotated[bool, Parameter(help="Replace the file if it exists.")] = False,
    json: Json = False,
) -> int:
    """Back up the private store to one file with a checksum.

    The server pauses for the dump, usually 10 to 20 seconds; callers wait. The
    dump is opened once as a test before the file gets its name. The file holds
    everything stored, so only you can read it (mode 0600), but not the password.
    """
    config = session.private_settings("to save another server, use `graphmem export --all`")
    with ProgressDisplay() as progress:
        report = backups.backup(config, file, force=force, progress=progress)
    if json:
        output.document(report.to_dict())
    else:
        _show(report, "Backed up", "The server paused for")
    return 0


def restore(
    file: Annotated[Path, Parameter(help="A file written by `graphmem db backup`.")],
    /,
    *,
    yes: Yes = False,
    json: Json = False,
) -> int:
    """Replace the private store with the one in a backup; asks first.

    The file is checked, loaded beside the current store, opened and counted
    before anything is replaced; a damaged, foreign or newer file is refused.
    Everything stored since the backup is lost. It does not ask if no store exists.
    """
    config = session.private_settings(
        "to fill another server, use `graphmem import jsonl FILE --all`"
    )
    current_bytes = neo4j_process.status(config).store_bytes
    if current_bytes:
        check_answerable(yes=yes)
    with ProgressDisplay() as progress:

        def agree(manifest: BackupManifest) -> None:
            progress.finish()
            if current_bytes:
                confirm(_question(manifest, config.home, current_bytes), yes=yes)

        report = backups.restore(config, file, agree=agree, progress=progress)
    if json:
        output.document(report.to_dict())
    else:
        _show(report, "Restored", "The previous store was deleted. The server paused for")
    return 0


def reset_password(*, json: Json = False) -> int:
    """Give the private Neo4j a new password after its password file was lost.

    The password is random and is kept in a file of mode 0600; nothing stored
    changes. Every running graphmem picks up the new password by itself.
    """
    config = session.private_settings("change the password on that server, then NEO4J_PASSWORD")
    with ProgressDisplay() as progress:
        backups.reset_password(config, progress=progress)
    if json:
        output.document({"reset": True})
    else:
        output.TextOutput().write(
            "The private Neo4j has a new password; nothing stored was changed."
        )
    return 0


def _question(manifest: BackupManifest, home: Path, current_bytes: int) -> str:
    entities = quantity(manifest.counts["entities"], "entity", "entities")
    return (
        f"Replace the store in {home} ({current_bytes / MEBIBYTE:,.0f} MiB) with the backup of "
        f"{_moment(manifest)} ({entities})? What was stored since then is lost."
    )


def _moment(manifest: BackupManifest) -> str:
    return f"{manifest.created_at:%Y-%m-%d %H:%M:%S} UTC"


def _show(report: BackupReport, verb: str, pause: str) -> None:
    manifest, counts, out = report.manifest, report.manifest.counts, output.TextOutput()
    entities = quantity(counts["entities"], "entity", "entities")
    passages = quantity(counts["passages"], "passage", "passages")
    nodes = quantity(counts["nodes"], "node", "nodes")
    relationships = quantity(counts["relationships"], "relationship", "relationships")
    out.write(f"{verb} {entities} with {passages} ({nodes}, {relationships}).")
    out.write(f"file     {report.file}, {report.file_bytes / MEBIBYTE:,.1f} MiB", indent=2)
    out.write(f"made     {_moment(manifest)}, Neo4j {manifest.neo4j}", indent=2)
    if report.paused_seconds:
        out.write(f"{pause} {report.paused_seconds:.0f} s.", indent=2)
