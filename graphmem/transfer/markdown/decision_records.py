"""What a numbered note, such as a decision record, says of its status and of what it replaces.

adr-tools, MADR, log4brains and people write it as fields below the title (`- Status: accepted`), in
a section `Status`, or in front matter. A record that is replaced says so (`Superseded by [5. Use
Kafka](0005-use-kafka.md)`, `status: superseded by ADR-0005`), or the one that replaces it does
(`Supersedes [2. Use Redis](0002-use-redis.md)`), or both. What else a text says is left alone:
"partly superseded by" replaces nothing.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from graphmem.importing.front_matter import Field
from graphmem.importing.opening import File
from graphmem.model.status import SUPERSEDED
from graphmem.transfer.markdown.front_matter import front_matter_of, read_fields
from graphmem.transfer.markdown.references import NoteLink, read_note_text
from graphmem.transfer.markdown.relations import with_links

# The numbered notes in such folders are decisions, whatever they are called.
FOLDERS = frozenset(
    {
        "adr", "adrs", "architectural-decisions", "architecture-decision-records",
        "architecture-decisions", "decision-records", "decisions",
    }
)  # fmt: skip
SERIES = "adr"
STATUSES = frozenset(
    {
        "accepted", "active", "adopted", "approved", "deferred", "deprecated", "draft",
        "implemented", "pending", "proposed", "rejected", "withdrawn",
    }
)  # fmt: skip
# Lines of statements are shorter.
LINE_CHARACTERS = 1000

_REPLACED_BY = r"(?:superseded|superceded|replaced|obsoleted)[ _-]by"
_REPLACES = r"(?:supersedes|supercedes|replaces|obsoletes)"
_STEM = re.compile(r"(?:([a-z]{2,9})[-_ ]?)?(\d{1,8})(?=[-_. ]|$)", re.IGNORECASE)
# "Superseded in part" is not meant.
_IS_REPLACED = re.compile(
    rf"(?:{_REPLACED_BY}\b|super[sc]eded(?!\s+(?:in\s+part|part))\b):?(.*)", re.IGNORECASE
)
_IS_REPLACING = re.compile(rf"{_REPLACES}\b:?(.*)", re.IGNORECASE)
_REPLACED_FIELD = re.compile("super[sc]eded[_-]by")
_REPLACING_FIELD = re.compile("super[sc]edes")
_FIELD = re.compile(rf"(status|date|{_REPLACED_BY}|{_REPLACES})\s*[:|]\s*(.*)", re.IGNORECASE)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})\s+(?:[\d.]+\s+)?(.*)")
_UNDERLINE = re.compile(r" {0,3}([=-])\1{2,}\s*$")
_STATUS = re.compile(r"\W*status\b", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->")
# Marks of lists, quotes and emphasis, and pictures.
_MARKS = re.compile(r"[^\w\[]+")
_WORD = re.compile(r"[a-z]+", re.IGNORECASE)
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
# `ADR-0005`, `ADR 5` and `0005`, but neither `#5` nor `M5` nor a day.
_NUMBERED = re.compile(r"(?<![\w#.-])(?:([a-z]{2,9})[-_ ]?)?(\d{1,8})(?![\w-])", re.IGNORECASE)
# Reading front matter takes long, and most has no such field.
_IN_FRONT_MATTER = re.compile(r"super[sc]ede", re.IGNORECASE)
_NOTHING = frozenset({"", "-", "false", "n/a", "na", "nil", "no", "none", "null", "~"})


@dataclass(frozen=True, slots=True)
class Number:
    """How a record is called by its number.

    Args:
        series: What stands before it, such as `adr`, in lower case; empty for nothing.
        digits: The number as it is written.
        stands_alone: Whether there is nothing else where it stands.
    """

    series: str
    digits: str
    stands_alone: bool = False

    @property
    def value(self) -> int:
        """The number itself."""
        return int(self.digits)


Reference = NoteLink | Number
# Below the title and before all other headings, under the heading Status, or under any other.
Place = Literal["top", "status", "below"]


@dataclass(slots=True)
class Record:
    """What a note says as a record.

    Args:
        status: A label in lower case; None where it says none.
        day: The day of its date, `2026-03-01`; None where it says none.
        replaces: What it replaces, in order.
        replaced_by: What it is replaced by, in order.
    """

    status: str | None = None
    day: str | None = None
    replaces: list[Reference] = field(default_factory=list)
    replaced_by: list[Reference] = field(default_factory=list)


def number_of(file: File) -> Number | None:
    """The number with which the name of a file begins, perhaps behind the name of its series."""
    match = _STEM.match(file.path.stem)
    return None if match is None else _number(match)


def as_number(name: str) -> Number | None:
    """What a name such as `ADR-0003` or `ADR-0003: Use Kafka` says; None for any other."""
    match = _NUMBERED.match(name.strip())
    is_number = match and (match[1] or match.end() == len(match.string))
    if match is None or not is_number:
        return None
    return replace(_number(match), stands_alone=match.end() == len(match.string))


def _number(match: re.Match[str]) -> Number:
    return Number((match[1] or "").casefold(), match[2])


def is_decision(file: File) -> bool:
    """Whether a file is a decision record, by its name and its folders."""
    number = number_of(file)
    folders = (file.root.name, *file.shown_path[:-1])
    is_kept_with_decisions = any(name.casefold().replace("_", "-") in FOLDERS for name in folders)
    return number is not None and (number.series == SERIES or is_kept_with_decisions)


def states_replacement(status: object) -> bool:
    """Whether a status is a statement such as `superseded by ADR-0005`."""
    return isinstance(status, str) and _IS_REPLACED.match(status) is not None


def is_replacement_field(name: str) -> bool:
    """Whether a field of this name in front matter says what replaces the note, or the reverse."""
    form = name.casefold().replace(" ", "_")
    return any(pattern.fullmatch(form) for pattern in (_REPLACED_FIELD, _REPLACING_FIELD))


def read_record(file: File, content: str) -> Record:
    """Read what a file says as a record; one without a number says it in its front matter alone.

    Raises:
        Refused: Its front matter cannot be read.
    """
    record = Record()
    parts = front_matter_of(content)
    body = content if parts is None else parts.body
    if parts is not None and _IN_FRONT_MATTER.search(parts.text):
        fields, body = read_fields(content)
        _add_fields(record, fields)
    if number_of(file) is not None:
        for line, place in _lines(body):
            _add_line(record, line, place)
    return record


def _add_fields(record: Record, fields: Mapping[str, Field]) -> None:
    for name, value in ((name.casefold().replace(" ", "_"), f.value) for name, f in fields.items()):
        items = with_links(value)
        texts = [str(item) for item in (items if isinstance(items, list) else [items])]
        if name == "status":
            for text in texts:
                _add_status(record, text)
        elif _REPLACED_FIELD.fullmatch(name):
            record.replaced_by += [part for text in texts for part in _named(text)]
        elif _REPLACING_FIELD.fullmatch(name):
            record.replaces += [part for text in texts for part in _named(text)]


def _lines(body: str) -> Iterator[tuple[str, Place]]:
    """The lines outside of code without their marks, and where each stands."""
    fence = ""
    place: Place = "top"
    lines = body.split("\n")
    for line, next_line in zip(lines, [*lines[1:], ""], strict=True):
        if mark := _FENCE.match(line):
            if not fence:
                fence = mark[1]
            elif mark[1].startswith(fence):
                fence = ""
        if fence or len(line) > LINE_CHARACTERS:
            continue
        underline = _UNDERLINE.match(next_line) if line.strip() else None
        heading = _HEADING.match(
            f"{'#' if underline[1] == '=' else '##'} {line}" if underline else line
        )
        if heading is None:
            bare = _COMMENT.sub("", line).replace("**", "").replace("__", "")
            mark = _MARKS.match(bare)
            yield bare[mark.end() if mark else 0 :].strip(" |*_"), place
        elif _STATUS.match(heading[2]):
            place = "status"
        elif place != "top" or heading[1] != "#":
            place = "below"


def _add_line(record: Record, line: str, place: Place) -> None:
    named_field = _FIELD.match(line) if place != "below" else None
    name, value = (
        (named_field[1].casefold(), named_field[2].strip(" *_")) if named_field else ("", line)
    )
    if name == "date":
        day = _DAY.match(value)
        record.day = record.day or (day[0] if day else None)
    elif name == "status" or (not name and place == "status"):
        _add_status(record, value)
    elif name or _IS_REPLACING.match(line):
        _add_status(record, line)


def _add_status(record: Record, statement: str) -> None:
    """Add what one statement says, unless it lists what may be said, as a template does."""
    word = _WORD.match(statement)
    if "|" in statement or word is None:
        return
    if replaced := _IS_REPLACED.match(statement):
        record.status = SUPERSEDED
        record.replaced_by += _references(replaced[1])
    elif replacing := _IS_REPLACING.match(statement):
        record.replaces += _references(replacing[1])
    elif word[0].casefold() in STATUSES:
        record.status = record.status or word[0].casefold()


def _references(statement: str) -> list[Reference]:
    """The links in a statement, or if there is none, the numbers of records in it."""
    if links := read_note_text(statement.strip()).links:
        return [*links]
    return [_number(match) for match in _NUMBERED.finditer(statement)]


def _named(value: str) -> list[Reference]:
    """What a field names: by links, by numbers, or as a link in brackets does."""
    if value.strip().casefold() in _NOTHING:
        return []
    if number := as_number(value):
        return [number]
    if "](" in value or "[[" in value:
        return _references(value)
    return [NoteLink(value.strip(), "wiki")]
