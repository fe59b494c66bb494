"""The relations of a Markdown note: those its front matter lists, and its links to other notes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from graphmem import text
from graphmem.errors import InvalidInput, shortened
from graphmem.importing.opening import File
from graphmem.importing.refusing import refused
from graphmem.importing.row import Row
from graphmem.model import Relation
from graphmem.transfer.markdown.notes import Notes
from graphmem.transfer.markdown.references import read_note_text

MENTION = "MENTIONS"
_WIKI_LINK = re.compile(r"\[\[[^\[\]]+\]\]")


def relations_of(
    name: str, relation_list: object, targets: Sequence[str], place: str
) -> Iterator[Row]:
    """The rows of a note's relations, and of its links that none of these follows.

    Args:
        name: The note's.
        relation_list: What its front matter lists; anything, as it was read.
        targets: The names of the notes that it links to.
        place: The file, for what is refused.
    """
    linked_names = {text.normalised(name)}
    if relation_list is not None and not isinstance(relation_list, list):
        reason = f"relations must be a list of {{relation, to}}, got {shortened(relation_list)}"
        yield replace(refused(place, reason, sort="relation", name=name), is_alone=True)
        relation_list = []
    for index, item in enumerate(relation_list or []):
        try:
            fields = {"from": name, **item} if isinstance(item, dict) else item
            relation = Relation.from_json(fields, argument=f"relations[{index}]")
        except InvalidInput as error:
            yield replace(refused(place, error, sort="relation", name=name), is_alone=True)
            continue
        linked_names.add(text.normalised(relation.end))
        yield Row(place, relation)
    for target in targets:
        folded_target = text.normalised(target)
        if folded_target not in linked_names:
            linked_names.add(folded_target)
            yield Row(place, Relation(name, MENTION, target), may_lead_nowhere=True)


def resolved(relation_list: object, notes: Notes, file: File) -> object:
    """What a note's front matter lists, wiki links replaced by the names that they lead to."""
    if not isinstance(relation_list, list):
        return relation_list
    return [
        {**item, "to": _end(item["to"], notes, file)}
        if isinstance(item, dict) and "to" in item
        else item
        for item in relation_list
    ]


def is_wiki_link(value: object) -> bool:
    """Whether what a relation leads to is read as a link, not as a name."""
    return isinstance(value, str) and _WIKI_LINK.fullmatch(value.strip()) is not None


def _end(value: object, notes: Notes, file: File) -> object:
    written = with_links(value)
    if not isinstance(written, str) or not is_wiki_link(written):
        return value
    links = read_note_text(written.strip()).links
    return (notes.target_of(links[0], file) if links else None) or value


def with_links(value: object) -> object:
    """A value in which `[[Home]]` without quotes, to YAML a list in a list, is a text again."""
    match value:
        case [[str() | int() | date() as name]] if not isinstance(name, bool):
            return f"[[{name}]]"
        case [*items]:
            return [with_links(item) for item in items]
    return value
