"""What an import said the last time and says no more: entities hidden, relations deleted."""

from collections.abc import Collection
from dataclasses import dataclass

from graphmem.graph import Graph
from graphmem.model import Item
from graphmem.write.entities import change_status
from graphmem.write.merge import REMOVED
from graphmem.write.relations import Ends, delete_all
from graphmem.write.writing import Writing

BATCH = 500


@dataclass(frozen=True, slots=True)
class SaidNow:
    """What an import says this time.

    Args:
        keys: Keys of its entities.
        ends: Its relations.
        texts: Keys of the entities whose texts were looked at for names, or are not to be.
        unread: Files that could not be read, whose earlier content stays as it is; None among them
            stands for entities that have no file.
    """

    keys: Collection[str]
    ends: Collection[Ends]
    texts: Collection[str]
    unread: Collection[str | None]


def remove_unsaid(graph: Graph, how: Writing, now: SaidNow) -> list[Item]:
    """Give entities that are gone the status `removed`, and delete relations that are gone.

    Returns:
        An item for each, entities first.
    """
    asked = {"project": how.project, "imported": how.imported}
    gone = {
        row["key"]: row["name"]
        for row in graph.read("read/imported_entities", **asked)
        if row["key"] not in now.keys and row["source"] not in now.unread
    }
    lost = [
        ends
        for row in graph.read("read/imported_relations", **asked, texts=sorted(now.texts))
        if (ends := Ends(row["start"], row["end"], row["relation"])) not in now.ends
        and ends.start not in gone
        and (row["source"] not in now.unread or (row["derived"] and ends.start in now.texts))
    ]
    if not how.dry_run:
        keys = sorted(gone)
        for start in range(0, len(keys), BATCH):
            change_status(graph, keys[start : start + BATCH], REMOVED)
        delete_all(graph, lost)
    reason = f"{how.imported or 'its text'} does not say it any more"
    return [
        *(Item("entity", name, "removed", reason) for name in gone.values()),
        *(Item("relation", _shown(ends), "removed", reason) for ends in lost),
    ]


def _shown(ends: Ends) -> str:
    start, end = (key.partition("#")[2] for key in (ends.start, ends.end))
    return f"{start} -[{ends.relation}]-> {end}"
