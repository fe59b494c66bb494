"""Notes on what others said that a write has replaced: a text, or that an entity is forgotten."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from graphmem import calls, read
from graphmem.batches import batches
from graphmem.errors import DatabaseError, listed, shortened
from graphmem.graph import Graph
from graphmem.model import Entity, Report
from graphmem.model.provenance import CALLER, UNKNOWN
from graphmem.model.status import FORGOTTEN
from graphmem.write.assertions.facts import TEXT
from graphmem.write.assertions.provenance import STATUS, Fact
from graphmem.write.assertions.states import word_path
from graphmem.write.history.recording import change_id

# Entities whose earlier texts, each of up to a megabyte, are read at once.
PAGE = 20
# Entities that a note names.
NAMES_IN_NOTE = 5

# By each author, when and what.
Words = Mapping[str, Sequence[Any]]


def replaced_word_notes(
    graph: Graph,
    project: str,
    entities: Sequence[object],
    report: Report,
    resolved: Mapping[str, read.Resolved],
) -> list[str]:
    """A sentence for each author whose texts were replaced, or who had forgotten what is not now.

    Args:
        graph: The store.
        project: Where they were written.
        entities: What was given; others than entities are passed over. A text of the caller is
            not told, nor that an entity is not forgotten whose status was given.
        report: What became of it, item by item.
        resolved: To what the names of entities lead that were there before.
    """
    caller = calls.current().by
    texts: dict[str, list[str]] = defaultdict(list)
    revivals: dict[str, list[str]] = defaultdict(list)
    written = {} if report.dry_run else _updated(entities, report, resolved)
    for key, fact, words, by in _replaced(graph, project, list(written)):
        name, entity = written[key]
        author = _author(words, by)
        if fact == TEXT and entity.text is not None and author not in {None, caller}:
            texts[str(author)].append(name)
        elif fact == STATUS and entity.status is None and _was_forgotten(words):
            revivals[by or ""].append(name)
    return [
        *(_text_note(author, names) for author, names in sorted(texts.items())),
        *(_revival_note(author, names) for author, names in sorted(revivals.items())),
    ]


def _updated(
    entities: Sequence[object], report: Report, resolved: Mapping[str, read.Resolved]
) -> dict[str, tuple[str, Entity]]:
    """What a caller wrote to entities that were there: by their keys their names, and that."""
    return {
        key: (item.name, value)
        for value, item in zip(entities, report.items, strict=False)
        if isinstance(value, Entity) and value.provenance is None and item.outcome == "updated"
        if (key := resolved[value.name].key) is not None
    }


def _replaced(
    graph: Graph, project: str, keys: Sequence[str]
) -> Iterator[tuple[str, Fact, Words, str | None]]:
    """What was said before this call's change: the entity's key, the fact, the words, by whom."""
    change = change_id(calls.current(), project)
    facts = {f'"{word_path(fact)}":': fact for fact in (TEXT, STATUS)}
    try:
        for page in batches(sorted(keys), most=PAGE):
            for row in graph.read(
                "read/replaced_words", keys=page, change=change, paths=list(facts)
            ):
                fact = facts[row["path"]]
                words = json.loads(row["before"])[word_path(fact)] or {}
                yield row["key"], fact, words, row["author"]
    except DatabaseError:  # what was written stands without the notes
        return


def _was_forgotten(words: Words) -> bool:
    return CALLER in words and words[CALLER][1] == FORGOTTEN


def _author(words: Words, by: str | None) -> str | None:
    """Whose text stood there, as a sentence names them; None where there was none."""
    spoken = {author: word for author, word in words.items() if word[1] is not None}
    if not spoken:
        return None
    author = max(spoken, key=lambda speaker: (spoken[speaker][0], speaker == CALLER))
    if author == CALLER:
        return by or "another author"
    return "an earlier import" if author == UNKNOWN else f"the import {author}"


def _text_note(author: str, names: Sequence[str]) -> str:
    texts, were = ("the text", "was") if len(names) == 1 else ("the texts", "were")
    return (
        f"{texts} of {_listed(names)} by {author} {were} replaced; `undo` takes that back, and "
        "`observations` add to an entity instead"
    )


def _revival_note(author: str, names: Sequence[str]) -> str:
    were, are, them = ("was", "is", "it") if len(names) == 1 else ("were", "are", "them")
    by = f" by {author}" if author else ""
    return f"{_listed(names)} {were} forgotten{by} and {are} no longer; `forget` hides {them} again"


def _listed(names: Sequence[str]) -> str:
    return listed(list(map(shortened, names)), NAMES_IN_NOTE)
