"""`graphmem db backup|restore|reset-password`: the private store in one file, and back."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from graphmem.cli import output, session
from graphmem.cli.options import Json
from graphmem.cli.progress import Shown
from graphmem.errors import ConfigurationError
from graphmem.memory import backups
from graphmem.memory.backups import Report
from graphmem.settings import Settings

MEBIBYTE = 1024 * 1024


def backup(
    file: Annotated[Path, Parameter(help="The file to write.")],
    /,
    *,
    force: Annotated[bool, Parameter(help="Replace the file when it is there.")] = False,
    json: Json = False,
) -> int:
    """Write the private store to one file, checked by a digest.

    The server pauses for the dump, usually 10 to 20 seconds; callers wait. The
    dump is opened once before the file gets its name. The file holds all that
    is stored, so only you may read it (mode 0600); the password is not in it.
    """
    config = _private("`graphmem export --all` writes all projects of any server to a file")
    with Shown() as progress:
        report = backups.backup(config, file, force=force, progress=progress)
    if json:
        output.document(report.to_dict())
    else:
        _show(report, "Backed up", "The server paused for")
    return 0


def restore(
    file: Annotated[Path, Parameter(help="A file that `graphmem db backup` wrote.")],
    /,
    *,
    json: Json = False,
) -> int:
    """Put the store of a backup in place of the private one.

    The file is checked, loaded beside the store in use, opened and counted
    before anything is replaced; a damaged, foreign or newer file is refused. All
    that was stored since the backup is gone afterwards.
    """
    config = _private("`graphmem import jsonl FILE` reads what `graphmem export --all` wrote")
    with Shown() as progress:
        report = backups.restore(config, file, progress=progress)
    if json:
        output.document(report.to_dict())
    else:
        _show(report, "Brought back", "The store before it was deleted. The server paused for")
    return 0


def reset_password(*, json: Json = False) -> int:
    """Give the private Neo4j a new password when its file was lost.

    The password is random and stays in a file of mode 0600; nothing that is
    stored changes. Every graphmem that runs takes the new one by itself.
    """
    config = _private("change the password there, then NEO4J_PASSWORD")
    with Shown() as progress:
        backups.reset_password(config, progress=progress)
    if json:
        output.document({"reset": True})
    else:
        output.TextOutput().write(
            "The private Neo4j has a new password; nothing stored was changed."
        )
    return 0


def _private(instead: str) -> Settings:
    config = session.configure()
    if config.neo4j_uri is not None:
        raise ConfigurationError(
            f"NEO4J_URI is set, and this command is for the private server: {instead}"
        )
    return config


def _show(report: Report, verb: str, pause: str) -> None:
    manifest, counts, paper = report.manifest, report.manifest.counts, output.TextOutput()
    paper.write(
        f"{verb} {counts['entities']:,} entities with {counts['passages']:,} passages "
        f"({counts['nodes']:,} nodes, {counts['relationships']:,} relationships)."
    )
    paper.write(f"file     {report.file}, {report.file_bytes / MEBIBYTE:,.1f} MiB", indent=2)
    made = f"{manifest.created_at:%Y-%m-%d %H:%M:%S} UTC"
    paper.write(f"made     {made}, Neo4j {manifest.neo4j}", indent=2)
    if report.paused_seconds:
        paper.write(f"{pause} {report.paused_seconds:.0f} s.", indent=2)
