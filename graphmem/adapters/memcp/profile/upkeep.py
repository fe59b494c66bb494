"""Decay and doubles of one or several contexts as memcp answers them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphmem.adapters.memcp.profile import replies
from graphmem.adapters.memcp.profile.contexts import entities, id_of
from graphmem.model import Entity

if TYPE_CHECKING:
    from graphmem.memory import Memory

DECAYED_SHOWN = 100


def doubles(
    memory: "Memory", projects: Sequence[str], threshold: float, limit: int
) -> replies.SimilarAnswer:
    """The nearest pairs of some projects, both of a pair in the same."""
    found: list[replies.Pair] = []
    whole = True
    for project in projects:
        pairs = memory.upkeep.similar(project, threshold=threshold, limit=limit)
        whole = whole and pairs.whole
        there = entities(memory, project, {key for p in pairs.pairs for key in (p.one, p.other)})
        found += [
            replies.Pair(
                entity1_id=id_of(memory, there[pair.one]),
                entity1_name=there[pair.one].name,
                entity2_id=id_of(memory, there[pair.other]),
                entity2_name=there[pair.other].name,
                similarity=round(pair.cosine, 4),
            )
            for pair in pairs.pairs
            if pair.one in there and pair.other in there
        ]
    shown = sorted(found, key=lambda pair: -pair.similarity)[:limit]
    return replies.SimilarAnswer(pairs=shown, count=len(shown), complete=whole)


def decayed(
    memory: "Memory", projects: Sequence[str], days: int, *, dry_run: bool
) -> replies.DecayAnswer:
    """What of some projects lost weight, or would."""
    lost = [
        (project, one)
        for project in projects
        for one in memory.upkeep.decay(project, days=days, dry_run=dry_run)
    ]
    shown = [
        replies.Decayed(
            id=id_of(memory, Entity(one.name, key=one.key, project=project)),
            name=one.name,
            old_decay_weight=one.before,
            new_decay_weight=one.after,
        )
        for project, one in lost[:DECAYED_SHOWN]
    ]
    return replies.DecayAnswer(affected=len(lost), dry_run=dry_run, entities=shown)
