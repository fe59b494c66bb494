"""Which project a folder belonged to before its git remote was moved or renamed.

git keeps no former addresses, so the home has a small file for each folder with the project that
the folder belongs to. Where the two agree, a command reads that file and nothing else.
"""

import hashlib
import os
import shlex
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from graphmem.cli import output
from graphmem.errors import GraphmemError, InvalidInput, quantity

if TYPE_CHECKING:
    from graphmem.memory import Memory

FOLDERS = "folders"
# Far more than the longest name of a project takes.
LONGEST = 4096


def remind(memory: "Memory", home: Path) -> None:
    """Say in a line on stderr that the folder's entities are in the project it belonged to before.

    Only where the folder's project holds nothing and the earlier one does. It is no reason for a
    command to fail: a home that cannot be read or written is passed over.

    Args:
        memory: Open; of a project that was found by a folder, or named.
        home: That of the settings.
    """
    if memory.folder is None or memory.project is None:
        return
    file = home / FOLDERS / hashlib.sha256(os.fsencode(memory.folder)).hexdigest()
    # What does not answer here does not answer the command either, which says so.
    with suppress(OSError, GraphmemError):
        earlier = _read_project(file)
        if earlier == memory.project:
            return
        if earlier is None or not _say_if_moved(memory, earlier, memory.project):
            _write(file, memory.project)


def _say_if_moved(memory: "Memory", earlier: str, current: str) -> bool:
    """Tell the user if the folder's entities are in its earlier project; whether they are."""
    entity_counts = {
        summary.project: summary.entities for summary in memory.projects([earlier, current])
    }
    if entity_counts[current] or not entity_counts[earlier]:
        return False
    entities = quantity(entity_counts[earlier], "entity", "entities")
    command = f"graphmem project rename {shlex.quote(earlier)} {shlex.quote(current)}"
    output.say(
        f"{current} holds nothing; this folder was {earlier} before, which holds {entities}: "
        f"`{command}` moves them."
    )
    return True


def _read_project(file: Path) -> str | None:
    """The project's name in the file; None if there is no file or no valid name in it."""
    from graphmem.project import check_project_name

    try:
        with file.open("rb") as stream:
            return check_project_name(stream.read(LONGEST).decode())
    except (FileNotFoundError, UnicodeDecodeError, InvalidInput):
        return None


def _write(file: Path, project: str) -> None:
    """Write a project's name to the file, whole or not at all."""
    from graphmem.neo4j_process.machine.files import replace_file
    from graphmem.ownership import make_folders_above

    make_folders_above(file.parent)
    file.parent.mkdir(mode=0o700, exist_ok=True)
    replace_file(file, project)
