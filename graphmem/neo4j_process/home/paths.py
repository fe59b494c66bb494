"""Where the private server keeps what: one folder, readable by its owner alone."""

from __future__ import annotations

import shlex
import stat
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphmem.errors import StartFailed
from graphmem.ownership import make_folders_above

if TYPE_CHECKING:
    from pathlib import Path

# The database that holds the store; Neo4j keeps users in another.
DATABASE = "neo4j"
FOLDERS = ("conf", "logs", "data", "certificates")


@dataclass(frozen=True, slots=True)
class Home:
    """The files below `GRAPHMEM_HOME`; Neo4j adds its own `data` and `logs` beside ours.

    Args:
        root: The folder; absolute, since the keeper leaves the caller's working folder.
    """

    root: Path

    @property
    def state(self) -> Path:
        """The state file, which says what runs: written by the keeper, replaced whole."""
        return self.root / "state.json"

    @property
    def failure(self) -> Path:
        """Why the last start failed, in a sentence for the callers who wait."""
        return self.root / "failure.txt"

    @property
    def failures(self) -> Path:
        """The last failures and their causes: written by the keeper, replaced whole."""
        return self.root / "failures.json"

    @property
    def data(self) -> Path:
        """Neo4j's data: the databases, their logs, and the first user."""
        return self.root / "data"

    @property
    def old_data(self) -> Path:
        """The data that a restore replaced, until the new ones were seen to open."""
        return self.root / "data.before-restore"

    @property
    def backup_lock(self) -> Path:
        """Held by the one caller that makes a backup or brings one back."""
        return self.root / "backup.lock"

    @property
    def password(self) -> Path:
        """The password of the user neo4j, mode 0600."""
        return self.root / "password"

    @property
    def key(self) -> Path:
        """The private key of the server's certificate, mode 0600."""
        return self.root / "certificates" / "bolt" / "private.key"

    @property
    def certificate(self) -> Path:
        """The certificate by which callers know the server; replaced when it is renewed."""
        return self.root / "certificates" / "bolt" / "public.crt"

    @property
    def activity(self) -> Path:
        """An empty file whose modification time is the last use of the server."""
        return self.root / "activity"

    @property
    def start_lock(self) -> Path:
        """Held by the one caller that starts or stops the server; others wait."""
        return self.root / "start.lock"

    @property
    def keeper_lock(self) -> Path:
        """Held by the keeper as long as it lives."""
        return self.root / "keeper.lock"

    @property
    def configuration(self) -> Path:
        """The server's own configuration, written anew at every start."""
        return self.root / "conf" / "neo4j.conf"

    @property
    def initial_password(self) -> Path:
        """The file from which Neo4j takes its first user, read at the very first start only."""
        return self.root / "data" / "dbms" / "auth.ini"

    @property
    def system_database(self) -> Path:
        """The store that holds users; once it is there, the password is settled."""
        return self.root / "data" / "databases" / "system"

    @property
    def console_log(self) -> Path:
        """The log of what the JVM prints."""
        return self.root / "logs" / "console.log"

    @property
    def debug_log(self) -> Path:
        """Neo4j's debug log, a JSON document a line."""
        return self.root / "logs" / "debug.log"

    @property
    def keeper_log(self) -> Path:
        """The log of what the keeper prints: nothing, unless it breaks."""
        return self.root / "logs" / "keeper.log"

    def create(self) -> None:
        """Make the folders that are not there, each with mode 0700; leave the others as they are.

        Raises:
            OSError: when a folder cannot be made.
            StartFailed: when other users can write to a folder, and so exchange what is in it.
        """
        if not self.root.is_dir():
            make_folders_above(self.root)
        for folder in (self.root, *(self.root / name for name in FOLDERS)):
            with suppress(FileExistsError):
                folder.mkdir(mode=0o700)
            self.refuse_other_writers(folder)

    def refuse_other_writers(self, folder: Path) -> None:
        """Raise where other users could exchange what is in a folder of the home, or in itself.

        Raises:
            OSError: when it is not there, or cannot be looked at.
            StartFailed: naming the folder, and what to do.
        """
        mode = folder.stat().st_mode
        if mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise StartFailed(
                f"GRAPHMEM_HOME: other users can write to {folder} (mode "
                f"{stat.S_IMODE(mode):04o}), where the secrets of the private Neo4j are kept; "
                f"set it to a folder of your own, such as {self.root / 'graphmem'}, or take "
                f"that right from them: chmod go-w {shlex.quote(str(folder))}"
            )

    def store_bytes(self) -> int:
        """Add up the sizes of the files of the store; files that come and go meanwhile count 0."""
        return _bytes_below(self.data)

    def database_bytes(self) -> int:
        """Likewise, without the logs of its transactions."""
        return _bytes_below(self.data / "databases")


def _bytes_below(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):
            total += path.stat().st_size
    return total
