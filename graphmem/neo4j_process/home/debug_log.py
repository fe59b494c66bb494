"""Why a database did not start, as Neo4j's own `debug.log` has it: one JSON document a line."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from graphmem.neo4j_process.home.paths import Home

TAIL_BYTES = 512 * 1024
FAILED = re.compile(r"^(Failed to start|Database panic)")
CAUSED_BY = re.compile(r"^Caused by: (.+)$", re.MULTILINE)


def why_offline(home: Home) -> str:
    """The innermost cause of the last failed start of a database; empty when there is none."""
    for line in reversed(tail(home.debug_log, TAIL_BYTES).splitlines()):
        entry = _entry(line)
        if FAILED.match(str(entry.get("message", ""))):
            causes = CAUSED_BY.findall(str(entry.get("stacktrace", "")))
            return causes[-1].strip() if causes else str(entry["message"])
    return ""


def tail(log: Path, size: int) -> str:
    """The last bytes of a log as text; empty when it cannot be read."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - size))
            return file.read(size).decode(errors="replace")
    except OSError:
        return ""


def _entry(line: str) -> dict[str, object]:
    try:
        entry = json.loads(line)
    except ValueError:
        return {}
    return entry if isinstance(entry, dict) else {}
