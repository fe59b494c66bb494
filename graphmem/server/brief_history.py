"""Histories cut to what an agent can read at once; `history` with `as_of` has more."""

from collections.abc import Mapping
from dataclasses import replace

from graphmem.model.history import Changes, Difference, History, Revision
from graphmem.server.brief import (
    ANSWER_CHARACTERS,
    LITTLE,
    MOST_QUARTERS,
    MUCH,
    beginning,
    compact,
    fitting,
    fitting_count,
)

# What is left of each value, until all of them fit.
VALUES = (2000, 500, MUCH, LITTLE)
# The most things that one change is shown to have changed of an entity.
DIFFERENCES = 20


def brief_history(history: History) -> History:
    """Cut the values that changed where the answer would take 7,500 characters or more.

    What an entity was then is told whole by `history` with `as_of`. Of a change that did very much
    to an entity, 20 differences stay, and a last one says how many there are beside them. Of many
    revisions the newest stay that take 25,000 tokens.
    """
    for characters in VALUES:
        if len(compact(history)) < ANSWER_CHARACTERS:
            break
        revisions = tuple(_brief_revision(revision, characters) for revision in history.revisions)
        history = replace(history, revisions=revisions)
    count = fitting(history.revisions, MOST_QUARTERS)
    if count == len(history.revisions):
        return history
    return replace(history, revisions=history.revisions[:count], truncated=True)


def _brief_revision(revision: Revision, characters: int) -> Revision:
    differences = [
        replace(
            difference,
            before=_brief_value(difference.before, characters),
            after=_brief_value(difference.after, characters),
        )
        for difference in revision.differences[:DIFFERENCES]
    ]
    omitted = len(revision.differences) - len(differences)
    if omitted:
        differences.append(Difference(f"and {omitted:,} more", before=None, after=None))
    note = beginning(revision.note, characters)
    return replace(revision, differences=tuple(differences), note=note)


def _brief_value(value: object, characters: int) -> object:
    if isinstance(value, str):
        return beginning(value, characters)
    if isinstance(value, Mapping):
        return {name: _brief_value(item, characters) for name, item in value.items()}
    return _brief_list(value, characters) if isinstance(value, list) else value


def _brief_list(values: list[object], characters: int) -> list[object]:
    """The first of some values that fit, one at least, and `…` where there are more."""
    count = max(1, fitting_count((len(str(value)) for value in values), characters))
    first_values = [_brief_value(value, characters) for value in values[:count]]
    return [*first_values, "…"] if values[count:] else first_values


def brief_changes(changes: Changes) -> Changes:
    """Cut the notes on changes, and leave out their links, from 7,500 characters on.

    Of many changes the newest stay that take 25,000 tokens.
    """
    if len(compact(changes)) < ANSWER_CHARACTERS:
        return changes
    short_changes = [
        replace(change, note=beginning(change.note, MUCH), links=()) for change in changes.changes
    ]
    count = fitting(short_changes, MOST_QUARTERS)
    truncated = changes.truncated or count < len(short_changes)
    return replace(changes, changes=tuple(short_changes[:count]), truncated=truncated)
