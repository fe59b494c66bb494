"""Let Apache Maven resolve the server's jars; where from is Maven's business."""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from graphmem.errors import JarsUnavailable
from graphmem.neo4j_process.machine import disk, programs

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from graphmem.progress import Progress

POM = Path(__file__).with_name("pom.xml")
GOAL = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
TASK = "Downloading Neo4j"
OTHER_WAYS = (
    "set GRAPHMEM_NEO4J_HOME to an unpacked Neo4j, or set NEO4J_URI to use a server that runs "
    "elsewhere, such as one started by Docker Compose"
)
LONGEST_REASON = 400
# Maven says nothing while one file arrives, the largest of which has some 20 MB.
SILENT_SECONDS = 600.0
LONGEST_SECONDS = 3600.0
# Maven reads the descriptions (pom) of everything before it fetches the first jar, and takes most
# of its time for that. So many they are when its local repository is empty.
DESCRIPTIONS = 536
# How an error refers to an explanation that Maven prints below it.
HELP = re.compile(r" -> \[Help \d+\]\s*$")
DOWNLOADED = re.compile(r"(?:\[INFO\] )?Downloaded from .*/([^/ ]+\.(?:jar|pom)) ")


def copy_jars(folder: Path, names: Collection[str], *, progress: Progress) -> None:
    """Have Maven put the jars of our pom, and all they need, into a folder.

    Args:
        folder: An empty folder.
        names: The file names expected.
        progress: Told of every file that arrived, descriptions first; files that Maven had
            already are skipped over at the end.

    Raises:
        JarsUnavailable: when Maven is missing, or when it fails, with its own reason.
    """
    program = shutil.which("mvn")
    if program is None:
        raise JarsUnavailable(
            "Maven is needed to download Neo4j, and it is not installed; install Apache Maven "
            f"(`mvn`), or {OTHER_WAYS}"
        )
    progress.say("Downloading the Neo4j server through Maven, once (180 MB, a minute or two) …")
    with tempfile.TemporaryDirectory(prefix="graphmem-maven-") as workplace:
        reason = _run(program, Path(workplace), folder, names, progress)
    if reason is not None and disk.NO_ROOM.search(reason):
        raise JarsUnavailable(
            f"a disk is full: Neo4j's jars need 200 MiB in {folder.parent} (GRAPHMEM_CACHE) and as "
            "much in Maven's local repository; free some space and try again, or set "
            "GRAPHMEM_CACHE to a folder on another disk"
        )
    if reason is not None:
        raise JarsUnavailable(
            f"Maven could not fetch Neo4j's jars: {_shortened(reason)}; check the network, or name "
            "your proxy or mirror in Maven's ~/.m2/settings.xml, since Maven does not read "
            f"HTTPS_PROXY, and try again; or {OTHER_WAYS}"
        )
    progress.advance(TASK, DESCRIPTIONS + len(names), DESCRIPTIONS + len(names))


def _shortened(reason: str) -> str:
    """A reason without its middle if it is long; Maven names the task first and the cause last."""
    if len(reason) <= LONGEST_REASON:
        return reason
    half = LONGEST_REASON // 2
    return f"{reason[:half]} … {reason[-half:]}"


def _run(
    program: str, workplace: Path, folder: Path, names: Collection[str], progress: Progress
) -> str | None:
    """Run Maven; None when it succeeded, else why it did not."""
    shutil.copy(POM, workplace / "pom.xml")
    # Maven takes options of its JVM and extensions from the nearest folder of this name, here or
    # above: without one here, from one that any user may have made among the temporary files.
    (workplace / ".mvn").mkdir()
    arguments = ["--batch-mode", "-Dstyle.color=never", f"-DoutputDirectory={folder}", GOAL]
    try:
        with programs.started([program, *arguments], folder=workplace) as process:
            lines = programs.lines_of(
                process, silent_seconds=SILENT_SECONDS, longest_seconds=LONGEST_SECONDS
            )
            complaint = _follow(lines, names, progress)
    except programs.SilentProgram as silence:
        return f"{silence}, so it was stopped; the network may be slow or blocked"
    return None if process.returncode == 0 else complaint


def _follow(lines: Iterable[str], names: Collection[str], progress: Progress) -> str:
    """Count the files Maven reports, to the end of its output; give back its complaint.

    Maven's first line marked as an error says why; those after it say how to ask for more.
    """
    files: set[str] = set()
    total = DESCRIPTIONS + len(names)
    reason = last_line = ""
    for line in lines:
        last_line = line.strip() or last_line
        if line.startswith("[ERROR]") and not reason:
            reason = HELP.sub("", line.removeprefix("[ERROR]")).strip()
        download = DOWNLOADED.match(line)
        if download and (download[1] in names or download[1].endswith(".pom")):
            files.add(download[1])
            progress.advance(TASK, min(len(files), total - 1), total)
    return reason or last_line or "it said nothing"
