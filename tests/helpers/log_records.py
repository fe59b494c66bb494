"""What a test itself logs."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import logging

    import pytest


def own_records(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    """The records of this thread; a model of an earlier test may still be tried in another."""
    return [record for record in caplog.records if record.thread == threading.get_ident()]
