"""`graphmem db start|stop|status`: the private Neo4j."""

from graphmem import migrations, neo4j_process
from graphmem.cli import output, session
from graphmem.cli.options import Json
from graphmem.cli.progress import ProgressDisplay
from graphmem.memory.store.connecting import start_private
from graphmem.model.visible import visible
from graphmem.neo4j_process import ServerStatus
from graphmem.neo4j_process.machine import disk
from graphmem.neo4j_process.machine.disk import MEBIBYTE
from graphmem.settings import Settings

OWN_SERVER = "start and stop that server yourself, or unset NEO4J_URI"


def start(*, json: Json = False) -> int:
    """Start the private Neo4j unless it is running."""
    config = session.private_settings(OWN_SERVER)
    with ProgressDisplay() as progress:
        start_private(config, progress=progress)
    return _show(config, json=json)


def stop(*, json: Json = False) -> int:
    """Stop the private Neo4j; the next command that needs it starts it again."""
    config = session.private_settings(OWN_SERVER)
    with ProgressDisplay() as progress:
        was_running = neo4j_process.stop(config, progress=progress)
    if json:
        output.document({"stopped": was_running})
    else:
        output.TextOutput().write(
            "The private Neo4j was stopped."
            if was_running
            else "The private Neo4j was not running."
        )
    return 0


def status(*, json: Json = False) -> int:
    """Show whether the private Neo4j is running, where, and its size.

    While it runs, the version of its store is shown, too. This never starts it.
    The exit code is 0 in either case.
    """
    config = session.configure()
    if config.neo4j_uri is not None and not json:
        output.say("NEO4J_URI is set, so graphmem uses that server, not the private one below.")
    return _show(config, json=json)


def _show(config: Settings, *, json: bool) -> int:
    status = neo4j_process.status(config)
    notes = neo4j_process.store_notes(config) if status.running else None
    version = None if notes is None else notes.get("schema_version")
    if json:
        output.document(status.to_json() | {"store_version": version})
        return 0
    out = output.TextOutput()
    _show_state(status, version, out)
    _show_trouble(status, out)
    return 0


def _show_state(status: ServerStatus, version: int | None, out: output.TextOutput) -> None:
    size = f"{status.store_bytes / MEBIBYTE:,.0f} MiB in {status.home}"
    if status.other_host is not None:
        out.write(f"The private Neo4j is running on the machine {status.other_host}; data: {size}.")
        return
    if status.other_version:
        out.write(f"Another version of graphmem runs the private Neo4j; data: {size}.")
        out.write(
            "To use it with this version, end the `graphmem serve` processes of the other one and "
            "run `graphmem db stop`.",
            indent=2,
        )
        return
    if not status.running:
        out.write(f"The private Neo4j is not running; data: {size}.")
        return
    out.write(f"The private Neo4j {status.version} is running, pid {status.pid}.")
    out.write(f"address  {status.uri}", indent=2)
    out.write(f"browser  {status.browser} (log in by `graphmem db browser`)", indent=2)
    out.write(f"data     {size}", indent=2)
    if version is not None:
        out.write(f"store    version {version}; {_age(version)}", indent=2)
    out.write(f"java     {status.java}", indent=2)
    out.write(
        f"idle     {status.idle_minutes:.0f} minutes; stops after {status.stops_after_minutes:g}",
        indent=2,
    )


def _age(version: int) -> str:
    """How a store's version compares with what this graphmem writes."""
    if version > migrations.VERSION:
        return "a newer graphmem wrote it; upgrade graphmem to open it"
    if version < migrations.VERSION:
        return "the next call that may write brings it up to date"
    return "up to date"


def _show_trouble(status: ServerStatus, out: output.TextOutput) -> None:
    # A keeper cannot note a failure on a disk that is full.
    if status.store_bytes and disk.is_full(status.home):
        out.write(disk.shortage(status.home), indent=2)
    if status.last_failure is not None:
        at = f"{status.last_failure.time:%Y-%m-%d %H:%M:%S} UTC"
        out.write(f"last failure, {at}: {visible(status.last_failure.cause)}", indent=2)
    if status.retry_at is not None:
        out.write(f"next start  {status.retry_at:%H:%M:%S} UTC", indent=2)
    if status.backup_runs:
        out.write(
            "A backup or restore is under way; while the server pauses for it, calls wait.",
            indent=2,
        )
        return
    if status.old_data is not None:
        out.write(
            f"The data from before the last restore are in {status.old_data}; delete them when "
            "you no longer need them.",
            indent=2,
        )
