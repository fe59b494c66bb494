"""The table that `make faults` prints: what was done, how often, what was lost, how long."""

from collections.abc import Callable
from dataclasses import asdict, dataclass

import pytest


@dataclass(frozen=True)
class Row:
    """One experiment's row of the table that `make faults` prints.

    Args:
        done: What was done.
        times: How often.
        lost: What was lost.
        seconds: How long until it answered again; None where it never stopped answering.
    """

    done: str
    times: int
    lost: str
    seconds: float | None = None


# Properties of a test reach the end of the run from another process as well.
_PROPERTY = "fault"
Record = Callable[..., None]


@pytest.fixture
def record(request: pytest.FixtureRequest) -> Record:
    """Adds a row to the table; called at the end of an experiment that held."""

    def add(done: str, *, times: int, lost: str = "nothing", seconds: float | None = None) -> None:
        request.node.user_properties.append((_PROPERTY, asdict(Row(done, times, lost, seconds))))

    return add


def summarise(terminalreporter: pytest.TerminalReporter) -> None:
    rows = [
        Row(**value)
        for report in terminalreporter.getreports("passed")
        for name, value in report.user_properties
        if name == _PROPERTY
    ]
    if not rows:
        return
    terminalreporter.section("faults")
    head = ("what was done", "times", "what was lost", "answered again after")
    cells = [
        (row.done, str(row.times), row.lost, "-" if row.seconds is None else f"{row.seconds:.1f} s")
        for row in rows
    ]
    widths = [max(len(line[column]) for line in (head, *cells)) for column in range(len(head))]
    for line in (head, *cells):
        padded = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        terminalreporter.write_line("  ".join(padded).rstrip())
