"""The state file: which keeper and which JVM run, and where they listen."""

from __future__ import annotations

import json
import socket
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from graphmem.neo4j_process.machine.files import replace_file
from graphmem.neo4j_process.machine.processes import Identity, is_alive

if TYPE_CHECKING:
    from graphmem.neo4j_process.home.paths import Home


@dataclass(frozen=True, slots=True)
class Ports:
    """The two ports on 127.0.0.1 on which the server listens."""

    bolt: int
    http: int


@dataclass(frozen=True, slots=True)
class State:
    """One run of the server.

    Args:
        keeper: The process that watches the JVM.
        server: The JVM.
        ports: Where it listens.
        java: Path of the `java` it runs on; empty when the JVM was found without a state file.
        started_at: When the JVM was started, with time zone.
        certificate: The one that the server proves to own, as PEM.
        version: The server's version as it says itself; None until it has answered.
        plans: Whether its keeper has it plan the first statement just now.
        host: The name of the machine that runs it, which matters where others share its home.
    """

    keeper: Identity
    server: Identity
    ports: Ports
    java: str
    started_at: datetime
    certificate: str
    version: str | None = None
    plans: bool = False
    host: str = field(default_factory=socket.gethostname)

    @property
    def answers(self) -> bool:
        """Whether the server has answered and lives; its keeper may have been killed."""
        return self.version is not None and is_alive(self.server)

    @property
    def is_ready(self) -> bool:
        """Whether the server answers and a keeper watches it."""
        return self.answers and is_alive(self.keeper)

    @property
    def is_elsewhere(self) -> bool:
        """Whether another machine started it: this one may have got another name meanwhile."""
        is_here = is_alive(self.keeper) or is_alive(self.server)
        return self.host != socket.gethostname() and not is_here


def read(home: Home) -> State | None:
    """Read the state file; None when there is none that can be understood.

    Likewise for one that came with a copy of a home: it names the server of the other folder.
    """
    try:
        fields = json.loads(home.state.read_text(encoding="utf-8"))
        state = State(
            keeper=Identity(**fields["keeper"]),
            server=Identity(**fields["server"]),
            ports=Ports(**fields["ports"]),
            java=fields["java"],
            started_at=datetime.fromisoformat(fields["started_at"]),
            certificate=fields["certificate"],
            version=fields["version"],
            plans=fields["plans"],
            host=fields["host"],
        )
        is_copy = fields["lock"] not in {None, lock_inode(home)}
    except (OSError, ValueError, KeyError, TypeError):
        return None
    # Without a certificate, passwords would be sent in clear.
    return None if is_copy or not isinstance(state.certificate, str) else state


def write(home: Home, state: State) -> None:
    """Replace the state file in one step.

    Raises:
        OSError: when the folder is gone or full.
    """
    place = {"started_at": state.started_at.isoformat(), "lock": lock_inode(home)}
    replace_file(home.state, json.dumps(asdict(state) | place, indent=1))


def lock_inode(home: Home) -> int | None:
    """The inode of the keeper's lock, by which a home is told from its copies; None without one.

    Raises:
        OSError: when the disk fails.
    """
    try:
        return home.keeper_lock.stat().st_ino
    except (FileNotFoundError, NotADirectoryError):
        return None
