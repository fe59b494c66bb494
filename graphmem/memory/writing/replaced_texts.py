"""Notes on texts of others that a write has replaced."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from graphmem import calls, read
from graphmem.batches import batches
from graphmem.errors import DatabaseError, shortened
from graphmem.graph import Graph
from graphmem.model import Entity, Report
from graphmem.model.language import listed
from graphmem.model.provenance import CALLER, UNKNOWN
from graphmem.write.assertions.facts import TEXT
from graphmem.write.assertions.states import word_path
from graphmem.write.history.recording import change_id

# Entities whose earlier texts, each of up to a megabyte, are read at once.
PAGE = 20
# Entities that a note names.
NAMES_IN_NOTE = 5


def replaced_text_notes(
    graph: Graph, project: str, entities: Sequence[object], report: Report
) -> list[str]:
    """A sentence for each author, other than the caller, whose texts were replaced.

    Args:
        graph: The store.
        project: Where they were written.
        entities: What was given; others than entities are passed over.
        report: What became of it, item by item.
    """
    names = [
        item.name
        for value, item in zip(entities, report.items, strict=False)
        if isinstance(value, Entity)
        and value.text is not None
        and value.provenance is None
        and item.outcome == "updated"
    ]
    if not names or report.dry_run:
        return []
    call = calls.current()
    change = change_id(call, project)
    names_by_author: dict[str, list[str]] = defaultdict(list)
    try:
        names_by_key = {to.key: name for name, to in read.resolve(graph, project, names).items()}
        for page in batches(sorted(filter(None, names_by_key)), most=PAGE):
            for row in graph.read(
                "read/replaced_texts", keys=page, change=change, path=f'"{word_path(TEXT)}":'
            ):
                author = _author(json.loads(row["before"])[word_path(TEXT)], row["author"])
                if author not in {None, call.by}:
                    names_by_author[str(author)].append(names_by_key[row["key"]])
    except DatabaseError:  # what was written stands without the notes
        return []
    return [_note(author, others) for author, others in sorted(names_by_author.items())]


def _author(words: Mapping[str, Sequence[Any]] | None, by: str | None) -> str | None:
    """Whose text stood there, as a sentence names them; None where there was none."""
    spoken = {author: word for author, word in (words or {}).items() if word[1] is not None}
    if not spoken:
        return None
    author = max(spoken, key=lambda speaker: (spoken[speaker][0], speaker == CALLER))
    if author == CALLER:
        return by or "another author"
    return "an earlier import" if author == UNKNOWN else f"the import {author}"


def _note(author: str, names: Sequence[str]) -> str:
    more = [f"{len(names) - NAMES_IN_NOTE:,} more"] if len(names) > NAMES_IN_NOTE else []
    texts = "the text" if len(names) == 1 else "the texts"
    return (
        f"{texts} of {listed([*map(shortened, names[:NAMES_IN_NOTE]), *more])} by {author} "
        f"{'was' if len(names) == 1 else 'were'} replaced; `undo` takes that back, and "
        "`observations` add to an entity instead"
    )
