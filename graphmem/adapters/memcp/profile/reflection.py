"""The upkeep of a memory, and decay and duplicates of several contexts as memcp answers them."""

from collections.abc import Sequence
from threading import Lock
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from graphmem import read, settings
from graphmem.adapters.memcp.profile import replies
from graphmem.adapters.memcp.profile.contexts import id_of
from graphmem.adapters.memcp.upkeep import Upkeep
from graphmem.model import Entity
from graphmem.profiles.reading import entities_by_key

if TYPE_CHECKING:
    from graphmem.memory import Memory

DECAYED_SHOWN = 100

_upkeeps: "WeakKeyDictionary[Memory, Upkeep]" = WeakKeyDictionary()
_lock = Lock()


def upkeep_of(memory: "Memory") -> Upkeep:
    """The upkeep of a memory, the same one in every call; it is closed with the memory.

    What searches give is noted unless the memory is read-only or `GRAPHMEM_TRACK_ACCESS` is false.

    Raises:
        ConfigurationError: A setting cannot be used.
    """
    with _lock:
        upkeep = _upkeeps.get(memory)
        if upkeep is None:
            tracks = not memory.graph.read_only and settings.load().track_access
            upkeep = Upkeep(memory.graph, tracks=tracks, access=memory.access)
            memory.closing.callback(upkeep.close)
            _upkeeps[memory] = upkeep
        return upkeep


def projects_in_reach(memory: "Memory", *, to_write: bool = False) -> list[str]:
    """Every project that holds anything and may be read, or written; layers too, in order."""
    is_allowed = memory.access.writable if to_write else memory.access.readable
    return [project for project in read.projects(memory.graph) if is_allowed(project)]


def similar_answer(
    memory: "Memory", projects: Sequence[str], threshold: float, limit: int
) -> replies.SimilarAnswer:
    """The nearest pairs of some projects, both of a pair in the same."""
    answer_pairs: list[replies.Pair] = []
    complete = True
    for project in projects:
        pairs = memory.duplicates(
            threshold=threshold, limit=limit, by_meaning_only=True, project=project
        )
        complete = complete and pairs.complete
        keys = {key for pair in pairs.pairs for key in pair.keys}
        by_key = entities_by_key(memory, keys, project=project)
        answer_pairs += [
            replies.Pair(
                entity1_id=id_of(memory, by_key[pair.keys[0]]),
                entity1_name=pair.first,
                entity2_id=id_of(memory, by_key[pair.keys[1]]),
                entity2_name=pair.second,
                similarity=round(pair.cosine or 0.0, 4),
            )
            for pair in pairs.pairs
            if by_key.keys() >= set(pair.keys)
        ]
    nearest = sorted(answer_pairs, key=lambda pair: -pair.similarity)[:limit]
    return replies.SimilarAnswer(pairs=nearest, count=len(nearest), complete=complete)


def decay_answer(
    memory: "Memory", projects: Sequence[str], days: int, *, dry_run: bool
) -> replies.DecayAnswer:
    """The entities of some projects that lost weight, or in a dry run would lose it."""
    decayed_entities = [
        (project, entity)
        for project in projects
        for entity in upkeep_of(memory).decay(project, days=days, dry_run=dry_run)
    ]
    answer_entities = [
        replies.Decayed(
            id=id_of(memory, Entity(entity.name, key=entity.key, project=project)),
            name=entity.name,
            old_decay_weight=entity.before,
            new_decay_weight=entity.after,
        )
        for project, entity in decayed_entities[:DECAYED_SHOWN]
    ]
    return replies.DecayAnswer(
        affected=len(decayed_entities), dry_run=dry_run, entities=answer_entities
    )
