"""What callers learn of the private server: how to reach it, and how it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from graphmem.model.json_object import JsonField, JsonObject, as_json, rounded

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from graphmem.neo4j_process.running.failures import Failure


@dataclass(frozen=True, slots=True)
class Connection:
    """How to reach the server.

    Args:
        uri: Its address, `bolt://127.0.0.1:PORT`.
        username: The user.
        password: Their password; never shown.
        certificate: The one that the server proves to own, as PEM; trust no other.
    """

    uri: str
    username: str
    password: str = field(repr=False)
    certificate: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ServerStatus(JsonObject):
    """What is known of the private server without starting it.

    Args:
        running: Whether it runs and has answered.
        pid: Pid of the JVM; None when it does not run, like all that follow up to `home`.
        uri: Its Bolt address.
        browser: The address of Neo4j Browser.
        version: Its version, as it says itself.
        java: Path of the `java` it runs on.
        started_at: When it was started, with time zone.
        home: The folder of its data, logs and secrets.
        store_bytes: Size of the data in that folder.
        idle_minutes: Minutes since it was last used; 0 when it does not run.
        stops_after_minutes: Minutes without use after which it stops.
        other_host: The name of the other machine that runs it; None when none does.
        other_version: Whether another version of graphmem runs it; nothing else is known of it.
        last_failure: The last time it failed, whenever that was; None when it never did.
        retry_at: When it is started again after a failure; None when that is not planned.
        backup_runs: Whether a backup or restore is under way, for which the server pauses.
        old_data: Data that a restore replaced and that were not deleted; None when there are none.
    """

    running: bool
    pid: int | None
    uri: str | None
    browser: str | None
    version: str | None
    java: str | None
    started_at: datetime | None
    home: Path
    store_bytes: int
    idle_minutes: float = field(metadata=as_json(JsonField(write=rounded(2))))
    stops_after_minutes: float
    other_host: str | None
    other_version: bool
    last_failure: Failure | None
    retry_at: datetime | None
    backup_runs: bool
    old_data: Path | None
