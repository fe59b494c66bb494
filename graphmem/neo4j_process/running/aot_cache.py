"""The AOT cache: the server's classes as a former run left them, so that the JVM starts sooner.

Java 24 and newer can keep what it loaded, linked and learnt in one file of about 200 MB. It is
valid for one Java, one list of jars and one set of flags, so its name is a digest of these, and it
lies beside the jars. `aot_training` makes it. The JVM itself compares it with the jars and with
its own checksum, and does without it where anything differs.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphmem.neo4j_process.home import configuration
from graphmem.ownership import exchange_risk, is_writable_by_others

if TYPE_CHECKING:
    from pathlib import Path

    from graphmem.neo4j_process.running.launch import Launch

OLDEST_JAVA = 24
FOLDER = "aot"
SUFFIX = ".aot"
FAILED_SUFFIX = ".failed"
TRAINING_PREFIX = "training-"
# A cache that no server has used for so long belongs to jars or to a Java that were replaced.
KEPT_SECONDS = 7 * 24 * 3600.0
# A training that failed is not repeated before.
RETRY_SECONDS = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class AotCache:
    """The cache that fits one Java, its flags and the jars, whether it exists or not.

    Args:
        folder: Where caches lie.
        digest: What tells this one from others.
    """

    folder: Path
    digest: str

    @property
    def file(self) -> Path:
        """The cache, mode 0600; complete if it is there."""
        return self.folder / f"{self.digest}{SUFFIX}"

    @property
    def failure(self) -> Path:
        """Why the last training failed; its modification time says when."""
        return self.folder / f"{self.digest}{FAILED_SUFFIX}"

    @property
    def is_wanted(self) -> bool:
        """Whether it is missing, and no training failed during the last day."""
        return not self.file.exists() and _age(self.failure) > RETRY_SECONDS

    @property
    def is_own(self) -> bool:
        """Whether its folder is there, and no other user could write to it or exchange it."""
        return _is_ours(self.folder) and exchange_risk(self.folder) is None

    def options(self) -> list[str]:
        """The options of a JVM that starts from it; none where it is missing or not ours alone."""
        if not (self.is_own and _is_ours(self.file)):
            return []
        with suppress(OSError):
            os.utime(self.file)
        # Its checksum costs a tenth of a second; a damaged cache could crash the server.
        return [f"-XX:AOTCache={self.file}", "-XX:+VerifySharedSpaces"]

    def adopt(self, draft: Path) -> None:
        """Give a finished cache its name, in one step.

        Raises:
            OSError: when the disk is full or the folder is gone.
        """
        draft.chmod(0o600)
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        draft.replace(self.file)
        self.failure.unlink(missing_ok=True)

    def reject(self, reason: str) -> None:
        """Delete it, and note why none is made for a day."""
        with suppress(OSError):
            self.file.unlink(missing_ok=True)
        with suppress(OSError):
            self.failure.write_text(f"{reason}\n", encoding="utf-8")

    def discard_others(self) -> None:
        """Delete the caches that no server has used for a week."""
        for suffix in (SUFFIX, FAILED_SUFFIX):
            for file in self.folder.glob(f"*{suffix}"):
                if file.stem != self.digest and _age(file) > KEPT_SECONDS:
                    with suppress(OSError):
                        file.unlink()


def options(launch: Launch) -> list[str]:
    """The options by which the JVM of a launch uses its cache; none where there is none."""
    cache = cache_of(launch)
    return [] if cache is None else cache.options()


def reject(launch: Launch, reason: str) -> None:
    """Delete the cache of a launch whose JVM crashed, and note why none is made for a day."""
    cache = cache_of(launch)
    if cache is not None:
        cache.reject(reason)


def cache_of(launch: Launch) -> AotCache | None:
    """Name the cache that fits a launch; None where its Java knows none or cannot be read."""
    if launch.java.major < OLDEST_JAVA:
        return None
    try:
        digest = hashlib.sha256(json.dumps(_facts(launch)).encode()).hexdigest()[:16]
    except OSError:
        return None
    return AotCache(launch.cache / FOLDER, digest)


def _facts(launch: Launch) -> list[object]:
    """Everything that a cache depends on; the order of the jars is that of the class path."""
    home = launch.java.home
    release, modules = home / "release", home / "lib" / "modules"
    with os.scandir(launch.jars) as entries:
        jars = [
            (entry.name, entry.stat().st_size, entry.stat().st_mtime_ns)
            for entry in entries
            if entry.name.endswith(".jar")
        ]
    return [
        str(launch.jars),
        jars,
        # A program by the name of java may add options of its own.
        hashlib.sha256(launch.java.executable.read_bytes()).hexdigest(),
        release.read_text(encoding="utf-8") if release.exists() else "",
        modules.stat().st_mtime_ns if modules.exists() else 0,
        configuration.flags(launch.java),
        configuration.collector(launch.heap),
    ]


def _age(path: Path) -> float:
    """Seconds since a file was written or used; endless for one that is not there."""
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return float("inf")


def _is_ours(path: Path) -> bool:
    """Tell whether this user owns it and nobody else can write to it: it holds code."""
    try:
        return path.stat().st_uid == os.getuid() and not is_writable_by_others(path)
    except OSError:
        return False
