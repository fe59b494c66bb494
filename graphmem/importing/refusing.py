"""What cannot be used is refused with its place and the reason; the rest goes on."""

from graphmem import text
from graphmem.importing.row import Row
from graphmem.model import Item
from graphmem.model.report import ItemSort

REASON_CHARACTERS = 500


class Refused(Exception):
    """What keeps a file, or a part of one, from being used.

    Args:
        reason: Why, as a part of a sentence.
        line: The line of the file that says so, from 1; None where the whole file is meant.
    """

    def __init__(self, reason: str, line: int | None = None) -> None:
        self.line = line
        super().__init__(shorten_reason(reason))


def shorten_reason(reason: str) -> str:
    """A reason on one line, at most 500 characters long."""
    line = " ".join(reason.split())
    return line if len(line) <= REASON_CHARACTERS else f"{line[: REASON_CHARACTERS - 1]}…"


def refused(
    place: str,
    reason: object,
    *,
    sort: ItemSort = "entity",
    name: str | None = None,
    line: int | None = None,
    project: str | None = None,
) -> Row:
    """The row of something that cannot be used.

    Args:
        place: The file as seen from the folder that is imported; for a folder it ends in `/`.
        reason: Why, or the error that says so.
        sort: What it would have been.
        name: What it would have been called; the place, with its line, where None.
        line: The line of the file, from 1.
        project: The project or layer it would have been in.
    """
    full_place = place if line is None else f"{place}:{line}"
    item = Item(sort, full_place if name is None else name, "refused", shorten_reason(str(reason)))
    return Row(full_place, item, project)


class Names:
    """The places that said each name first, so that a second one is noticed."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}

    def owner(self, name: str, place: str) -> str:
        """The place that said a name first, which is this one where none had."""
        return self._first.setdefault(text.normalised(name), place)
