"""What the notes of a folder replace: relations SUPERSEDES, and what decision records are called.

What replaces a record replaces all that this one had replaced, as `supersede` has it: a search for
the first of three is led to the last in one step.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from graphmem import text
from graphmem.importing.opening import File
from graphmem.transfer.markdown.decision_records import (
    SERIES,
    Number,
    Record,
    Reference,
    as_number,
    is_decision,
    number_of,
)
from graphmem.transfer.markdown.notes import Notes
from graphmem.transfer.markdown.references import NoteLink

SUPERSEDES = "SUPERSEDES"
# Replacements, one after the other, that are followed.
MOST_STEPS = 50
# What people say before the number of a decision whose file has nothing there.
_DECISION_SERIES = frozenset({SERIES, "madr", "decision", "record"})
# Longer numbers are days.
_DIGITS_OF_A_NAME = 5


class Supersessions:
    """Which notes of one import replace which.

    Args:
        files: The files, in any order.
        records: What they say as records, by place.
        notes: What they are called.
    """

    def __init__(self, files: Sequence[File], records: Mapping[str, Record], notes: Notes) -> None:
        self._notes = notes
        self._by_number: dict[tuple[tuple[str, ...], int], list[File]] = defaultdict(list)
        self._decisions: dict[int, list[str]] = defaultdict(list)
        for file in files:
            if number := number_of(file):
                self._by_number[file.shown_path[:-1], number.value].append(file)
                if is_decision(file):
                    self._decisions[number.value].append(file.place)
        self._places = {text.normalised(notes.name_of(file)): file.place for file in files}
        self._names: dict[str, str] = {}
        # Of each that replaces some, by folded names, these and the files that say so.
        self._replaced: dict[str, dict[str, str]] = defaultdict(dict)
        for file in files:
            if file.place in records:
                self._add(file, records[file.place])
        self._joined: dict[str, set[str]] = defaultdict(set)
        self._relations: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for start in self._replaced:
            for end, place in self._all_of(start).items():
                self._joined[start].add(end)
                self._joined[end].add(start)
                owner = self._places.get(start, place)
                self._relations[owner].append((self._names[start], self._names[end]))

    def relations_of(self, file: File) -> Sequence[tuple[str, str]]:
        """The names of what replaces and of what is replaced, as far as a file is to say so.

        That is the file of what replaces, or where none has this name, the one that names it.
        """
        return self._relations.get(file.place, ())

    def are_joined(self, file: File, name: str) -> bool:
        """Whether one of a file's note and of what has a name replaces the other."""
        own_name = text.normalised(self._notes.name_of(file))
        return text.normalised(name) in self._joined.get(own_name, ())

    def target_of(self, link: NoteLink, file: File) -> str | None:
        """What a link leads to, as `Notes` has it; `[[ADR-3]]` also to the record so called."""
        name = self._notes.target_of(link, file)
        number = as_number(name) if name and text.normalised(name) not in self._places else None
        return (number and self._numbered(number, file)) or name

    def aliases_of(self, file: File) -> list[str]:
        """What people call a decision record by its number: `ADR-0003` and `ADR-3`."""
        number = number_of(file)
        if number is None or len(number.digits) > _DIGITS_OF_A_NAME:
            return []
        if self._decisions.get(number.value) != [file.place]:
            return []
        series = (number.series or SERIES).upper()
        return [f"{series}-{digits}" for digits in (number.digits, number.value)]

    def _add(self, file: File, record: Record) -> None:
        name = self._notes.name_of(file)
        pairs: list[tuple[str | None, str | None]] = [
            *((name, self._name_of(other, file)) for other in record.replaces),
            *((self._name_of(other, file), name) for other in record.replaced_by),
        ]
        for start_name, end_name in pairs:
            if start_name is None or end_name is None:
                continue
            start, end = text.normalised(start_name), text.normalised(end_name)
            self._names |= {start: start_name, end: end_name}
            self._replaced[start].setdefault(end, file.place)

    def _name_of(self, reference: Reference, file: File) -> str | None:
        """What a reference leads to; None where it is no note."""
        if isinstance(reference, Number):
            return self._numbered(reference, file)
        return self.target_of(reference, file)

    def _numbered(self, number: Number, file: File) -> str | None:
        """The name of the only note beside a file that has a number."""
        files = self._by_number.get((file.shown_path[:-1], number.value), [])
        own = number_of(files[0]) if len(files) == 1 else None
        if own is None:
            return None
        if number.series:
            is_meant = number.series == own.series or (
                not own.series and number.series in _series_of(files[0])
            )
        else:  # "Supersedes 3 services" is about something else than `0003-use-redis.md`
            is_meant = number.stands_alone or number.digits == own.digits
        return self._notes.name_of(files[0]) if is_meant else None

    def _all_of(self, start: str) -> dict[str, str]:
        """What a note replaces, directly or by way of others, and the file that says so."""
        replaced: dict[str, str] = {}
        step = {start: ""}
        for _ in range(MOST_STEPS):
            step = {
                end: place
                for name in step
                for end, place in self._replaced.get(name, {}).items()
                if end != start and end not in replaced
            }
            replaced |= step
        return replaced


def _series_of(file: File) -> set[str]:
    """What people say before the number of a file that has nothing there: `rfc` below `rfcs`."""
    folders = {name.casefold() for name in (file.root.name, *file.shown_path[:-1])}
    of_decisions = _DECISION_SERIES if is_decision(file) else frozenset[str]()
    return folders | {name.removesuffix("s") for name in folders} | of_decisions
