"""Why the server failed, kept in a small file: the last failures, and when the next try is due.

`failures.json` holds at most `MOST_FAILURES` of them. A keeper that cannot write it goes on, and
writes it as soon as it can.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from graphmem.model.json_object import JsonObject, iso
from graphmem.neo4j_process.machine.files import replace_file

if TYPE_CHECKING:
    from graphmem.neo4j_process.home.paths import Home

MOST_FAILURES = 20
LONGEST_CAUSE = 500
LONGEST_WORDS = 800


@dataclass(frozen=True, slots=True)
class Failure(JsonObject):
    """One failure of the server.

    Args:
        time: When it was noticed, with time zone.
        cause: The cause and the cure in one sentence.
        words: The last words of the server; empty when it had none.
    """

    time: datetime
    cause: str
    words: str


@dataclass(frozen=True, slots=True)
class Record:
    """What the file says.

    Args:
        failures: The last failures, the newest last.
        retry_at: When the keeper starts the server again; None when it does not wait to.
    """

    failures: tuple[Failure, ...] = ()
    retry_at: datetime | None = None

    @property
    def last(self) -> Failure | None:
        """The newest failure."""
        return self.failures[-1] if self.failures else None


def read(home: Home) -> Record:
    """Read the file; an empty record when there is none that can be understood."""
    try:
        fields = json.loads(home.failures.read_text(encoding="utf-8"))
        return Record(
            failures=tuple(
                Failure(datetime.fromisoformat(failure["time"]), failure["cause"], failure["words"])
                for failure in fields["failures"]
            ),
            retry_at=datetime.fromisoformat(fields["retry_at"]) if fields["retry_at"] else None,
        )
    except (OSError, ValueError, KeyError, TypeError):
        return Record()


class Journal:
    """The keeper's side: the record in memory, and in the file whenever that can be written."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.record = Record(read(home).failures)
        self._saved: Record | None = None

    def add(self, cause: str, words: str = "") -> None:
        """Note a failure that was noticed now."""
        failure = Failure(datetime.now(UTC), cause[:LONGEST_CAUSE], words[-LONGEST_WORDS:])
        failures = (*self.record.failures, failure)[-MOST_FAILURES:]
        self.record = replace(self.record, failures=failures)
        self.save()

    def note_retry(self, at: datetime | None) -> None:
        """Note when the server is started again; None when it runs or nobody will."""
        self.record = replace(self.record, retry_at=at)
        self.save()

    def save(self) -> None:
        """Write what is not yet in the file; what cannot be written stays for the next time."""
        if self.record == self._saved or self.record == Record() == read(self.home):
            return
        fields = {
            "retry_at": iso(self.record.retry_at),
            "failures": [failure.to_json() for failure in self.record.failures],
        }
        try:
            replace_file(self.home.failures, json.dumps(fields, indent=1, ensure_ascii=False))
        except OSError:
            self._saved = None
        else:
            self._saved = self.record
