"""What the server's last words mean: the cause and the cure, in one sentence."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from graphmem.errors import StartFailed
from graphmem.neo4j_process.machine import disk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SILENT = (
    "the private Neo4j stopped answering: it restarts by itself; if this happens often, this "
    "machine is too small or too busy for it"
)
# The first that matches counts: the cause of an error stands in the same lines as its effects.
SENTENCES = (
    (
        r"java\.lang\.OutOfMemoryError|GC overhead limit exceeded",
        (
            "the private Neo4j ran out of memory: raise GRAPHMEM_NEO4J_HEAP, now {heap}, then run "
            "`graphmem db stop`; the next call starts it with more"
        ),
    ),
    (
        r"Could not reserve enough space|insufficient memory for the Java|Cannot allocate memory",
        (
            "this machine does not have the memory that the private Neo4j needs: lower "
            "GRAPHMEM_NEO4J_HEAP, now {heap}, or end other programs"
        ),
    ),
    (
        r"Read-only file system|EROFS",
        (
            "the disk of {root} is read-only: mount it for writing, or set GRAPHMEM_HOME to a "
            "folder that can be written"
        ),
    ),
    (
        r"Input/output error|\bEIO\b",
        (
            "the disk of {root} fails (input/output error): check the disk, then restore the last "
            "backup with `graphmem db restore FILE`"
        ),
    ),
    (
        r"Permission denied|AccessDeniedException",
        (
            "{root} cannot be written: make the user who runs graphmem its owner (`chown -R`), "
            "with mode 0600 for files and 0700 for folders"
        ),
    ),
    (
        r"has been locked by another process|store_lock",
        "another server uses the data in {root}: stop it, or set GRAPHMEM_HOME to another folder",
    ),
    (
        r"[Aa]ddress already in use|is already in use, cannot bind",
        (
            "a port of the private Neo4j is taken by another program: run `graphmem db stop`; the "
            "next call chooses free ports"
        ),
    ),
    (
        (
            r"UnsupportedClassVersionError|Unrecognized VM option|Unrecognized option: --|"
            r"java\.lang\.module\.FindException"
        ),
        "this Java cannot run Neo4j: set GRAPHMEM_JAVA_HOME to a JDK of version 21 or newer",
    ),
    (
        (
            r"store version|StoreVersion|[Uu]nable ?[Tt]o ?[Mm]igrate|newer version|not supported "
            r"by this version|store format|kernel version|KernelVersion|Unknown store"
        ),
        (
            "the data in {root} were written by another version of Neo4j: use the graphmem that "
            "wrote them, or restore a backup with `graphmem db restore FILE`"
        ),
    ),
)


def explain(words: str, root: Path, heap: str) -> str | None:
    """Give the cause of a failure and its cure in one sentence; None for an unknown one.

    Args:
        words: What the server or the system said.
        root: The home, for the sentence.
        heap: The heap the server was given, such as `512m`.
    """
    if disk.NO_ROOM.search(words):
        return disk.shortage(root)
    for pattern, sentence in SENTENCES:
        if re.search(pattern, words):
            return sentence.format(root=root, heap=heap)
    return None


def means_full_disk(words: str) -> bool:
    """Tell whether these words speak of a disk without room."""
    return disk.NO_ROOM.search(words) is not None


def killed_sentence(number: int, heap: str) -> str:
    """Say that a signal ended the server, and what that may mean."""
    return (
        f"the private Neo4j was killed by signal {number}, by a user or by a system short of "
        f"memory: if this happens again, lower GRAPHMEM_NEO4J_HEAP, now {heap}"
    )


def ended_sentence(log: Path) -> str:
    """Say that the server ended without a word that is known."""
    return f"the private Neo4j ended unexpectedly: it restarts by itself; its log is {log}"


def broken(reason: str) -> str:
    """Say that the database stopped working inside a server that runs, for a reason of its own."""
    return (
        f"the database of the private Neo4j stopped working ({reason}): it restarts by itself; "
        "if it fails again, restore a backup with `graphmem db restore FILE`"
    )


@contextmanager
def home_errors(root: Path, heap: str) -> Iterator[None]:
    """Raise that the home cannot be used, with the cause and the cure, in place of an OSError."""
    try:
        yield
    except OSError as error:
        raise StartFailed(home_sentence(error, root, heap)) from None


def home_sentence(error: OSError, root: Path, heap: str) -> str:
    """Say that the home cannot be used, with the cause and the cure if they are known."""
    cause = explain(str(error), root, heap)
    return f"{root} cannot be used: {error}" if cause is None else f"{cause} ({error})"


def sentence(error: Exception, root: Path, heap: str) -> str:
    """Put the cause and the cure before an error's own words; those alone when none is known."""
    cause = explain(str(error), root, heap)
    return str(error) if cause is None else f"{cause} ({error})"
