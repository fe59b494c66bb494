"""An artifact: what its front matter and body say becomes an entity.

Its id, in the form ForgePlan writes it, is the entity's name; the id with and without leading
zeros is an alias. The slug is none: ForgePlan's search does not look into front matter, and an
alias is looked for like a title. A file that says no id has the one its name begins with. `created`
dates the entity; without it, or where it is no date, the row "Created" of a table in the
body does, else the earliest moment at which the artifact was changed. `valid_until`, if it is a
date, is the last day on which it holds. Any other field is an attribute.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from graphmem.adapters.forgeplan.importer import evidence, prose
from graphmem.adapters.forgeplan.importer.front_matter import Document
from graphmem.importing.fields import (
    as_json,
    moment_or_none,
    own_attribute_name,
    source_or_none,
    uniform,
)
from graphmem.importing.refusing import Refused
from graphmem.model import Entity, limits
from graphmem.model.period import PERIOD

# What ForgePlan takes an artifact for that says no status.
NEW_STATUS = "draft"
# Whole numbers beyond it are kept as text.
MOST_NUMBER = 2**63
KINDS = {
    "adr": "ADR", "epic": "Epic", "evidence": "Evidence", "evidencepack": "Evidence",
    "memory": "Memory", "note": "Note", "prd": "PRD", "problem": "Problem",
    "problemcard": "Problem", "refresh": "Refresh", "refreshreport": "Refresh", "rfc": "RFC",
    "solution": "Solution", "solutionportfolio": "Solution", "spec": "Spec",
}  # fmt: skip
# What an id begins with where that is not the kind.
PREFIXES = {
    "evid": "Evidence", "mem": "Memory", "prob": "Problem", "ref": "Refresh", "sol": "Solution",
}  # fmt: skip

_NUMBERED = re.compile(r"([A-Za-z][A-Za-z_]*)-(\d{1,9})")
_STEM = re.compile(r"([A-Za-z]{2,}-\d{1,9})(?![^\W_])")
_CREATED = re.compile(r"\|\s*(?:Created|Создано|Создан)\s*\|\s*(\d{4}-\d{2}-\d{2})\s*\|?\s*")
OTHER_NAMES = ("slug", "aliases")
CREATED = ("created", "created_at")
_CHANGED = ("updated", "updated_at", "last_modified_at", "last_modified")
_OWN_FIELDS = frozenset(
    {"category", "created", "created_at", "id", "kind", "links", "status", "tags", "title"}
)


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file that was read, and the id it has."""

    id: str
    document: Document

    @classmethod
    def of(cls, document: Document, stem: str) -> "Artifact":
        """Find the id of a file whose name, without its ending, is the stem.

        Raises:
            Refused: It is a template: its id was never filled in.
        """
        identifier = document.fields.get("id")
        if identifier is None:
            match = _STEM.match(stem)
            if match is None and "id" in document.lines:
                raise Refused("id: it is empty, or still that of a template", document.lines["id"])
            identifier = match[1] if match else stem
        return cls(canonical(str(identifier)), document)

    @property
    def other_names(self) -> list[str]:
        """Other names by which links may call it: its slug, and the aliases of its front matter."""
        return [alias for field in OTHER_NAMES for alias in _texts(self.document.fields.get(field))]

    @property
    def undated(self) -> object | None:
        """The value of a creation date that cannot be read as a date; None without one."""
        dates = (self.document.fields.get(name) for name in CREATED)
        return next(
            (date for date in dates if date is not None and moment_or_none(date) is None), None
        )

    def line_of(self, argument: str) -> int | None:
        """The line of the field that an error is about; None for another argument."""
        return self.document.lines.get(argument.rpartition(".")[2].partition("[")[0])

    def lines(self) -> Iterator[tuple[int, str]]:
        """The lines of the body outside of code and comments, with their numbers in the file."""
        for number, (line, is_code) in enumerate(
            prose.lines(self.document.body), self.document.body_line
        ):
            if not is_code:
                yield number, line


def canonical(name: str) -> str:
    """An id as ForgePlan writes it: a kind and a number in upper case, `PRD-042`."""
    identifier = " ".join(name.split())
    return identifier.upper() if _NUMBERED.fullmatch(identifier) else identifier


def spellings(name: str) -> list[str]:
    """The other ways to write a numbered id: `PRD-42` for `PRD-042`, and the other way round."""
    match = _NUMBERED.fullmatch(name)
    if match is None:
        return []
    forms = (f"{match[1]}-{int(match[2])}", f"{match[1]}-{int(match[2]):03d}")
    return [form for form in dict.fromkeys(forms) if form != name]


def entity(artifact: Artifact, name: str, place: str) -> Entity:
    """Make an entity of an artifact.

    Args:
        artifact: What was read.
        name: What the entity is called: the id, or the file's name where another has that id.
        place: The file, as seen from the folder that is imported.

    Raises:
        InvalidInput: A field is not allowed; its argument names the field.
    """
    fields = artifact.document.fields
    kind = _kind(fields.get("kind"), artifact.id, place)
    remaining_fields = {key: value for key, value in fields.items() if key not in _OWN_FIELDS}
    if name != artifact.id:
        remaining_fields["id"] = artifact.id
    if kind == KINDS["evidence"]:
        remaining_fields = evidence.fields(
            remaining_fields, (line for line, _ in prose.lines(artifact.document.body))
        )
    period = {
        name: remaining_fields.pop(name)
        for name in PERIOD
        if moment_or_none(remaining_fields.get(name)) is not None
    }
    return Entity.from_json(
        {
            "name": name,
            "kind": kind,
            "title": _title(artifact, name),
            "text": prose.text_of(artifact.document.body),
            "aliases": spellings(name),
            "tags": _texts(fields.get("tags")),
            "status": str(fields.get("status", NEW_STATUS)),
            "category": fields.get("category"),
            "created_at": _created(artifact),
            "source": source_or_none(place),
            "attributes": {
                own_attribute_name(field): _attribute(value)
                for field, value in remaining_fields.items()
            },
            **period,
        },
        argument="artifact",
    )


def _kind(field_value: object, name: str, place: str) -> str:
    """The kind that is said, else that of the id, else that of the folder."""
    if field_value is not None:
        kind_name = str(field_value).strip()
        folded_name = re.sub(r"[\W_]", "", kind_name.casefold())
        return KINDS.get(folded_name) or f"{kind_name[:1].upper()}{kind_name[1:]}"
    prefix = name.partition("-")[0].casefold()
    folder = place.rpartition("/")[0].rpartition("/")[2].casefold()
    kinds = KINDS | PREFIXES
    return kinds.get(prefix) or kinds.get(folder) or kinds.get(folder.removesuffix("s"), "Artifact")


def _title(artifact: Artifact, name: str) -> str:
    title = artifact.document.fields.get("title")
    if title is not None:
        return str(title)
    for _, line in artifact.lines():
        heading = prose.heading(line, deepest=1)
        if heading:
            heading_text = re.sub(rf"(?i)^{re.escape(artifact.id)}\s*[:—–-]*\s*", "", heading)
            return heading_text if heading_text and not prose.is_placeholder(heading_text) else name
    return name


def _created(artifact: Artifact) -> object:
    fields = artifact.document.fields
    dates = (moment_or_none(fields[name]) for name in CREATED if name in fields)
    creation = next(filter(None, dates), None)
    if creation is not None:
        return creation
    rows = (_CREATED.fullmatch(line.strip()) for _, line in artifact.lines())
    moments = [match[1] for match in rows if match and moment_or_none(match[1])]
    if moments:
        return moments[0]
    changes = [moment_or_none(fields[name]) for name in _CHANGED if name in fields]
    return min(filter(None, changes), default=None)


def _texts(value: object) -> list[str]:
    """A list of texts, or one of them with commas."""
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list | tuple):
        parts = [] if parts is None else [parts]
    return [item for part in parts if (item := str(part).strip())]


def _attribute(value: object) -> limits.Attribute:
    """A value as an attribute may be: what is not flat as JSON text."""
    if isinstance(value, list) and all(_is_scalar(item) for item in value):
        return uniform(value)  # type: ignore[return-value]  # values of one type
    if _is_scalar(value):
        return value  # type: ignore[return-value]  # narrowed just above
    return as_json(value)


def _is_scalar(value: object) -> bool:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return math.isfinite(value) and abs(value) < MOST_NUMBER
    return isinstance(value, str | bool | date)
