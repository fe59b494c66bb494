"""The server's jars: fetched once, each compared with the SHA-256 that ships with graphmem.

Signed jars lose their signatures then, and have a second SHA-256. A folder of jars is hashed whole
after every download, before it takes its final name. Its sizes and modification times are then
noted beside it; a later start compares only these (a few milliseconds) and hashes again (0.4 s)
when one differs.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from graphmem.errors import JarsUnavailable
from graphmem.neo4j_process.machine import locks, maven
from graphmem.neo4j_process.machine.files import replace_file
from graphmem.neo4j_process.machine.signatures import remove_signature
from graphmem.ownership import (
    exchange_risk,
    is_writable_by_others,
    make_folders_above,
    real_path,
    write_risk,
)
from graphmem.progress import SILENT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from graphmem.progress import Progress
    from graphmem.settings import Settings

VERSION = "2026.09.0"
LIST = Path(__file__).with_name("jars.sha256")
# The signed jars among them, once their signatures are removed.
UNSIGNED = Path(__file__).with_name("unsigned_jars.sha256")
SEAL = "checked.json"
SERVER_JAR = f"neo4j-{VERSION}.jar"
# More than Maven may take, and the checking of what it brought.
LOCK_SECONDS = maven.LONGEST_SECONDS + 300.0
BROWSER_PREFIX = "neo4j-browser-"


def fetch_jars(settings: Settings, *, progress: Progress = SILENT) -> Path:
    """Give the folder of the server's jars, every one checked; download them if need be.

    Args:
        settings: `neo4j_home` names a distribution to use instead; `cache` is where jars are kept.
        progress: Told of a download.

    Raises:
        JarsUnavailable: naming the jar that is not the pinned one, or why Maven brought none.
    """
    pins = read_pins()
    if settings.neo4j_home is not None:
        return jars_of_distribution(settings.neo4j_home, pins)
    return cached_jars(settings.cache, pins, progress=progress)


def read_pins(path: Path = LIST) -> dict[str, str]:
    """Read a list of jars as `sha256sum` writes it: the SHA-256 of each file name."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, name in (line.split(maxsplit=1) for line in lines)}


def jars_of_distribution(home: Path, pins: Mapping[str, str]) -> Path:
    """Check an unpacked Neo4j of the pinned version and give its folder of jars.

    A distribution may carry jars that the list does not know, and lack Browser; the person who
    set it chose them. What the list does know must be there and be the same.

    Raises:
        JarsUnavailable: naming the first jar that is missing or different, or who may write there.
    """
    folder = real_path(home / "lib")
    if not (folder / SERVER_JAR).is_file():
        raise JarsUnavailable(
            f"GRAPHMEM_NEO4J_HOME: {folder} has no {SERVER_JAR}; unpack Neo4j Community {VERSION} "
            "there, or unset the variable (and NEO4J_HOME) to have Maven fetch it"
        )
    risk = next(filter(None, map(write_risk, (folder, *folder.glob("*.jar")))), None)
    if risk is not None:
        raise JarsUnavailable(
            f"GRAPHMEM_NEO4J_HOME: {risk}, so others could exchange the programs in {folder}; take "
            "that right from them with `chmod go-w`, or name a folder of your own"
        )
    required = {name: pin for name, pin in pins.items() if not name.startswith(BROWSER_PREFIX)}
    fault = first_fault(folder, required, extra_allowed=True)
    if fault is not None:
        raise JarsUnavailable(
            f"GRAPHMEM_NEO4J_HOME: {fault}; unpack Neo4j Community {VERSION} again, or unset the "
            "variable (and NEO4J_HOME) to have Maven fetch it"
        )
    return folder


def cached_jars(cache: Path, pins: Mapping[str, str], *, progress: Progress = SILENT) -> Path:
    """Give the cache's folder of jars; make it, or make it anew, when it is not as it must be.

    Args:
        cache: The folder that holds the folder of jars; made when missing.
        pins: SHA-256 by file name.
        progress: Told of a download.

    Raises:
        JarsUnavailable: when what is needed cannot be fetched or kept, or is another user's.
    """
    folder = real_path(cache / f"neo4j-{VERSION}")
    try:
        refuse_other_user(folder)
        if not _is_as_sealed(folder, unsigned(pins)):
            _make(folder, pins, progress)
    except OSError as error:
        raise JarsUnavailable(
            f"GRAPHMEM_CACHE: {folder.parent} cannot keep Neo4j's jars ({error}); set it to a "
            "folder of your own whose disk has 500 MiB left"
        ) from None
    return folder


def refuse_other_user(folder: Path, user: int | None = None) -> None:
    """Raise where another user could exchange the jars; root could do so anywhere.

    Args:
        folder: The folder of jars, which need not be there.
        user: The number of the user who asks; None for that of this process.

    Raises:
        JarsUnavailable: naming who could, and what to do.
        OSError: when the folder cannot be looked at.
    """
    risk = exchange_risk(folder, user)
    if risk is not None:
        raise JarsUnavailable(
            f"GRAPHMEM_CACHE: {risk}, so others could exchange the programs in {folder}; set it "
            "to a folder of your own in a place of yours or of root's"
        )


def _make(folder: Path, pins: Mapping[str, str], progress: Progress) -> None:
    """Make the folder right, once for all processes that ask at the same time."""
    make_folders_above(folder)
    lock = folder.with_name(f"{folder.name}.lock")
    late = JarsUnavailable(
        f"another process has been downloading Neo4j for more than {LOCK_SECONDS / 60:.0f} minutes "
        f"(it holds {lock}); stop it and try again"
    )
    waiting = "Another process is downloading Neo4j; waiting for it …"
    with locks.held(lock, seconds=LOCK_SECONDS, progress=progress, waiting=waiting, late=late):
        if not _is_as_sealed(folder, unsigned(pins)):
            _repair(folder, pins, progress)


def first_fault(
    folder: Path, pins: Mapping[str, str], *, extra_allowed: bool = False
) -> str | None:
    """Hash a folder's jars and say what is wrong first, in half a sentence; None when nothing is.

    Args:
        folder: Where the jars are.
        pins: SHA-256 by file name.
        extra_allowed: Whether jars that are not pinned may be there too.
    """
    if not extra_allowed and is_writable_by_others(folder):
        return f"other users can write to {folder}"
    names = {path.name for path in folder.glob("*.jar")}
    for name in sorted(pins.keys() - names):
        return f"{name} is missing from {folder}"
    for name in sorted(names - pins.keys()):
        if not extra_allowed:
            return f"{name} in {folder} is not one of Neo4j's jars"
    for name in sorted(pins):
        if digest_of(folder / name) != pins[name]:
            return f"{name} in {folder} differs from the one graphmem was made with"
    return None


def unsigned(pins: Mapping[str, str]) -> dict[str, str]:
    """The SHA-256 of each jar by its name, once signatures are removed."""
    return {**pins, **{name: pin for name, pin in read_pins(UNSIGNED).items() if name in pins}}


def digest_of(path: Path) -> str:
    """Compute the SHA-256 of a file, as hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _repair(folder: Path, pins: Mapping[str, str], progress: Progress) -> None:
    """Make the folder right, under the lock: keep it if its hashes are, else fetch it whole."""
    fault = None
    if folder.is_dir():
        fault = first_fault(folder, unsigned(pins))
        if fault is None:
            _seal(folder, unsigned(pins))
            return
        progress.say(f"The jars are not as they were fetched ({fault}); fetching them again …")
    for old_part in folder.parent.glob(f"{folder.name}.part-*"):
        shutil.rmtree(old_part, ignore_errors=True)
    part = Path(tempfile.mkdtemp(prefix=f"{folder.name}.part-", dir=folder.parent))
    try:
        _download(part, pins, progress)
        _swap(part, folder)
    except JarsUnavailable as error:
        raise JarsUnavailable(f"{fault}, and: {error}" if fault else str(error)) from None
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _download(part: Path, pins: Mapping[str, str], progress: Progress) -> None:
    maven.copy_jars(part, pins.keys(), progress=progress)
    progress.say("Checking the jars …")
    fault = first_fault(part, pins)
    if fault is not None:
        raise JarsUnavailable(
            f"{fault}; delete that jar from Maven's local repository and try again; if that does "
            f"not help, your Maven mirror may serve altered files; or {maven.OTHER_WAYS}"
        )
    for name in read_pins(UNSIGNED).keys() & pins.keys():
        remove_signature(part / name)
    fault = first_fault(part, unsigned(pins))
    if fault is not None:
        raise JarsUnavailable(f"{fault}, after its signature was removed; {maven.OTHER_WAYS}")
    _seal(part, unsigned(pins))


def _swap(part: Path, folder: Path) -> None:
    """Give the new folder its name in one rename; a server on the old jars keeps them open."""
    if folder.is_dir():
        folder.rename(part.with_name(f"{part.name}-old"))
    part.rename(folder)
    shutil.rmtree(part.with_name(f"{part.name}-old"), ignore_errors=True)


def _seal(folder: Path, pins: Mapping[str, str]) -> None:
    replace_file(folder / SEAL, json.dumps(_outward(folder, pins)))


def _is_as_sealed(folder: Path, pins: Mapping[str, str]) -> bool:
    try:
        seal = json.loads((folder / SEAL).read_text(encoding="utf-8"))
        return bool(seal == _outward(folder, pins)) and not is_writable_by_others(folder)
    except (OSError, ValueError):
        return False


def _outward(folder: Path, pins: Mapping[str, str]) -> dict[str, object]:
    """Describe a folder by what can be seen without reading the jars."""
    facts = {path.name: path.stat() for path in folder.glob("*.jar")}
    sizes_and_times = {name: [fact.st_size, fact.st_mtime_ns] for name, fact in facts.items()}
    return {"pins": dict(pins), "jars": sizes_and_times}
