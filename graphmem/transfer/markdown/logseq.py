"""Graphs of Logseq: notes whose file names are encoded, and journals that are named after days."""

import re
import stat
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Self
from urllib.parse import unquote

from graphmem.importing.opening import File
from graphmem.importing.reading import MIB, text_of
from graphmem.importing.refusing import Refused
from graphmem.ownership import mode_of

# Where Logseq keeps earlier versions of notes, as seen from a graph.
BACKUPS = ("logseq", "bak")
TITLE_FORMAT = "MMM do, yyyy"

_CONFIGURATION = ("logseq", "config.edn")
_NOTE_FOLDERS = frozenset({"pages", "journals"})
_TITLE_SETTING = re.compile(r'^\s*:journal/page-title-format\s+"([^"\n]+)"', re.MULTILINE)
_JOURNAL = re.compile(r"(\d{4})[_-](\d\d)[_-](\d\d)")
_TOKEN = re.compile(r"yyyy|MMMM|MMM|MM|M|EEEE|EEE|E|do|dd|d")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_TEENS = (11, 12, 13)
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True)
class Graph:
    """How a graph calls its pages.

    Args:
        title_format: How links name the journal of a day, such as `MMM do, yyyy`.
    """

    title_format: str = TITLE_FORMAT

    @classmethod
    def around(cls, root: Path) -> Self | None:
        """The graph that a folder is, or whose folder of pages or journals it is; else None."""
        folder = root.parent if root.name in _NOTE_FOLDERS else root
        if not stat.S_ISREG(mode_of(Path(folder, *_CONFIGURATION))):
            return None
        try:
            setting = _TITLE_SETTING.search(
                text_of(File(folder, _CONFIGURATION, _CONFIGURATION), limit=MIB)
            )
        except Refused:
            setting = None
        return cls() if setting is None else cls(setting[1])

    def page_name(self, stem: str) -> str:
        """The name of a page by that of its file: `a/b` for `a___b` and `a%2Fb`."""
        return unquote(stem.replace("___", "/"))

    def journal_title(self, stem: str) -> str | None:
        """What links call the journal of a day, such as `Mar 1st, 2026`; None for other pages."""
        numbers = _JOURNAL.fullmatch(stem)
        try:
            day = date(*map(int, numbers.groups())) if numbers else None
        except ValueError:
            return None
        return None if day is None else _TOKEN.sub(lambda t: _written(t[0], day), self.title_format)


def _written(token: str, day: date) -> str:
    month, weekday = _MONTHS[day.month - 1], _WEEKDAYS[day.weekday()]
    number = day.day
    ending = "th" if number in _TEENS else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return {
        "yyyy": f"{day.year:04}", "MMMM": month, "MMM": month[:3], "MM": f"{day.month:02}",
        "M": f"{day.month}", "EEEE": weekday, "EEE": weekday[:3], "E": weekday[:3],
        "do": f"{number}{ending}", "dd": f"{number:02}", "d": f"{number}",
    }[token]  # fmt: skip
