"""What was done to an entity after a change that is to be undone. Pure."""

from collections.abc import Sequence

from graphmem import text
from graphmem.errors import Conflict, shortened
from graphmem.graph import Row
from graphmem.model.identity import RelationIdentity
from graphmem.model.json_object import iso
from graphmem.write.assertions.states import describe_path


def standing_of(later: Sequence[Row]) -> list[Row]:
    """The revisions, newest first, without those that were undone and those that undid them."""
    ids = {row["change"]["id"] for row in later}
    undone: set[str] = set()
    standing: list[Row] = []
    for row in later:
        undoes = row["change"].get("undoes")
        if row["change"]["id"] in undone:
            continue
        if undoes is not None:
            undone.add(undoes)
        if undoes is None or undoes not in ids:
            standing.append(row)
    return standing


def conflict(row: Row, path: str) -> Conflict:
    """The refusal to undo a change where a later revision changed a path again."""
    later, key = row["change"], row["key"]
    return Conflict(
        f"{describe_path(path, key)} of {shortened(text.name_of(key))} was changed since, by "
        f"{later.get('by')} at {iso(row['at'])} (change {later['id']}); undo that first, "
        "or write what you want to be there"
    )


def later_relation(identity: RelationIdentity, change: str | None) -> Conflict:
    """The refusal to merge an entity again, with a relation that it got since from a change."""
    maker = f" by change {change}; undo that first, or" if change else ";"
    return Conflict(f"{identity} was made since{maker} `unlink` it and link the other entity")


def lost(name: str) -> Conflict:
    """The refusal to undo the creation of an entity whose later history was deleted."""
    return Conflict(
        f"{shortened(name)} was changed since it was created, and the history of that was deleted, "
        "so its creation cannot be undone; `forget` hides it and `purge` deletes it"
    )
