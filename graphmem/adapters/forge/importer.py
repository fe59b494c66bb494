"""Forge's learned patterns: JSON lines in `.forge/memory`, one pattern a line.

A line is `{id, timestamp, pattern, category, confidence, scope, tags?}`, of which Forge itself
needs no more than the pattern; its other fields are custom attributes. `project.jsonl` belongs to
the project and `global.jsonl` to the layer `@user`, whatever a line says of its scope; in a file of
another name the line's scope decides. A pattern is what its text is, whatever its case and spaces,
in its category: said twice, it is one entity with the higher confidence and the tags of both.
"""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from graphmem import text
from graphmem.adapters.forge.items import DEFAULT_CONFIDENCE, KIND
from graphmem.errors import InvalidInput
from graphmem.importing.fields import as_list, own_attributes, period_of, source_or_none
from graphmem.importing.format import Format
from graphmem.importing.json_text import parsed_lines
from graphmem.importing.merging import merge_attributes, unite_names
from graphmem.importing.opening import File, root_of
from graphmem.importing.reading import MIB, lines
from graphmem.importing.refusing import Refused, refused
from graphmem.importing.row import Row
from graphmem.importing.walking import entry_at, with_progress
from graphmem.model import Entity, limits
from graphmem.model.period import PERIOD
from graphmem.progress import SILENT, Progress

LAYERS: dict[str, str | None] = {"project": None, "global": "@user"}
# What stands for the category in the name of a pattern without one.
UNSORTED = "uncategorised"
NAME_CHARACTERS = 120
DIGEST_CHARACTERS = 8
# As many seconds as 3,000 years have; as many milliseconds are of the year 1973.
MILLISECONDS = 1e11
FILE_BYTES = 64 * MIB

_FILES = {f"{scope}.jsonl": scope for scope in LAYERS}
_JOINERS = "\u200c\u200d"
_OWN = frozenset({"timestamp", "pattern", "category", "confidence", "scope", "tags", *PERIOD})


def rows(path: Path, progress: Progress = SILENT) -> Iterator[Row]:
    """Read a repository, its `.forge` or `.forge/memory`, or one file.

    Raises:
        InvalidInput: The folder has no Forge memory.
    """
    files = _files(path)
    for file in with_progress(files, progress):
        if isinstance(file, Row):
            scope = _FILES.get(file.place.rpartition("/")[2], "project")
            yield replace(file, project=LAYERS[scope])
        else:
            yield from _file(file)


FORMAT = Format(
    rows,
    "Forge's learned patterns, of a repository, its .forge/memory or one of its files",
    whole=True,
    layers=("@user",),
    may_lower_confidence=False,
)


def name_of(pattern: str, category: str | None) -> str:
    """The name of a pattern: its category and its text, so that saying it twice makes one entity.

    A text over 120 characters is cut between two words and ends in a digest of the whole.
    """
    words = _visible(pattern)
    folded_words = text.normalised(words)
    if len(folded_words) > NAME_CHARACTERS:
        beginning = folded_words[: NAME_CHARACTERS - DIGEST_CHARACTERS]
        whole_words = beginning.rpartition(" ")[0] or beginning
        words = f"{whole_words} … {text.digest(folded_words)[:DIGEST_CHARACTERS]}"
    return f"{_visible(category or UNSORTED)}: {words}"


def pattern_entity(
    pattern: object,
    category: object,
    *,
    confidence: object,
    tags: object,
    extra_fields: Mapping[str, object] | None = None,
) -> Entity:
    """Make the entity of a pattern.

    Its text is the pattern. The category stands in its name as it is written and in an alias by its
    words, so that `test_command` and `test command` both find it.

    Args:
        pattern: What was learned, not blank.
        category: One of Forge's, another label, or None.
        confidence: In [0, 1].
        tags: A list of labels, or one.
        extra_fields: Other fields of the entity, in the shape of a JSON line.

    Raises:
        InvalidInput: naming the field that is not allowed.
    """
    content = limits.text("pattern", pattern)
    if not _visible(content):
        raise InvalidInput("pattern", pattern, "must not be blank")
    label = None if category is None or category == "" else limits.label("category", category)
    words = " ".join(text.split_identifier(label or ""))
    fields = {
        "name": name_of(content, label),
        "aliases": [] if words in {label, ""} else [name_of(content, words)],
        "kind": KIND,
        "text": content,
        "category": label,
        "confidence": limits.share("confidence", confidence),
        "tags": list(limits.labels("tags", as_list(tags))),
    }
    return Entity.from_json(fields | dict(extra_fields or {}), argument=KIND.lower())


def _visible(words: str) -> str:
    """A text as a name may hold it: without control characters, spaces collapsed."""
    normal = unicodedata.normalize("NFKC", words)
    hidden = {
        mark for mark in normal
        if unicodedata.category(mark) in {"Cc", "Cf"} and mark not in _JOINERS
    }  # fmt: skip
    return " ".join("".join(" " if mark in hidden else mark for mark in normal).split())


def _files(path: Path) -> list[File | Row]:
    """The files of a memory that there are; none is an error only where no memory can be."""
    if not path.is_dir():
        return [File.alone(path)]
    root = root_of(path)
    folders = [(".forge", "memory"), *([("memory",)] if root.name == ".forge" else [])]
    folder = next((parts for parts in folders if _may_be_folder(root, parts)), ())
    files_or_none = [entry_at(root, (*folder, name)) for name in _FILES]
    files = [file for file in files_or_none if file is not None]
    if not folder and root.name != "memory" and not files:
        requirement = "must be a repository with .forge/memory, that folder, or one of its files"
        raise InvalidInput("path", str(path), requirement)
    return files


def _may_be_folder(root: Path, parts: tuple[str, ...]) -> bool:
    """Whether there is a folder, or something that cannot be known to be none."""
    entry = entry_at(root, parts)
    return isinstance(entry, Row) or (entry is not None and root.joinpath(*entry.parts).is_dir())


def _file(file: File) -> Iterator[Row]:
    """The rows of a file, each pattern once, at the line that says it first."""
    scope = _FILES.get(file.path.name)
    repetitions: dict[object, list[Row]] = {}
    for number, value in parsed_lines(lines(file, limit=FILE_BYTES)):
        row = _row(value, file.place, number, scope)
        repetitions.setdefault(_identity(row), []).append(row)
    yield from map(_join_patterns, repetitions.values())


def _identity(row: Row) -> object:
    """What makes two lines the same: scope, category and text; a refused line is like no other."""
    if isinstance(row.value, Entity):
        return row.project, text.normalised(row.value.name)
    return row.place


def _row(value: object, place: str, line: int, scope: str | None) -> Row:
    try:
        if isinstance(value, Refused):
            raise value
        entity = _entity(value, place)
        return Row(f"{place}:{line}", entity, LAYERS[scope or _scope(value)])
    except (InvalidInput, Refused) as error:
        return refused(place, error, line=line or None, project=LAYERS[scope or "project"])


def _scope(value: object) -> str:
    scope = (value.get("scope") if isinstance(value, Mapping) else None) or "project"
    if not isinstance(scope, str) or scope not in LAYERS:
        raise InvalidInput("scope", scope, f"must be one of {', '.join(LAYERS)}")
    return scope


def _entity(value: object, file: str) -> Entity:
    if not isinstance(value, dict):
        raise InvalidInput("line", value, "must be an object")
    confidence, timestamp = value.get("confidence"), value.get("timestamp")
    return pattern_entity(
        value.get("pattern"),
        value.get("category"),
        confidence=DEFAULT_CONFIDENCE if confidence is None else confidence,
        tags=value.get("tags") or (),
        extra_fields={
            "created_at": None if timestamp is None else _moment(timestamp),
            "source": source_or_none(file),
            "attributes": own_attributes(
                {name: field_value for name, field_value in value.items() if name not in _OWN}
            ),
            **period_of(value),
        },
    )


def _moment(timestamp: object) -> datetime:
    """A moment as ISO 8601, or since 1970 in milliseconds, as JavaScript has it, or seconds."""
    if isinstance(timestamp, int | float) and not isinstance(timestamp, bool):
        seconds = timestamp if abs(timestamp) < MILLISECONDS else timestamp / 1000
        try:
            return datetime.fromtimestamp(seconds, UTC)
        except (ValueError, OverflowError, OSError):
            raise InvalidInput("timestamp", timestamp, "must be milliseconds since 1970") from None
    return limits.moment("timestamp", timestamp)


def _join_patterns(rows: Sequence[Row]) -> Row:
    """A pattern said several times: the highest confidence, the first moment, the tags of all."""
    patterns = [row.value for row in rows if isinstance(row.value, Entity)]
    if len(patterns) < len(rows) or len(rows) == 1:
        return rows[-1]
    joint_pattern = replace(
        patterns[0],
        confidence=max(pattern.confidence or 0.0 for pattern in patterns),
        created_at=min(
            (pattern.created_at for pattern in patterns if pattern.created_at), default=None
        ),
        tags=unite_names(pattern.tags for pattern in patterns),
        attributes=merge_attributes(pattern.attributes for pattern in patterns),
    )
    return replace(rows[0], value=joint_pattern)
