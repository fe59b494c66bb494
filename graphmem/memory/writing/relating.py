"""Writes relations once the entities at their ends are there, and reports on each."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from graphmem import read
from graphmem.graph import Graph
from graphmem.memory.writing.ending import with_beginnings
from graphmem.memory.writing.joining import joined_relation
from graphmem.memory.writing.missing_ends import reasons_of
from graphmem.memory.writing.planned import Planned
from graphmem.memory.writing.replacing import end_others, following_note, replacement_of
from graphmem.memory.writing.second_notes import second_notes
from graphmem.model import Item, Relation
from graphmem.model.identity import RelationIdentity
from graphmem.model.period import relation_name, since
from graphmem.model.report import Outcome, refused_item
from graphmem.progress import SILENT, Progress
from graphmem.write import WriteOptions, write_relations, write_to_present_ends


def relate_all(
    graph: Graph,
    relations: Sequence[Relation | Item],
    ends_of: Mapping[str, read.Resolved],
    options: WriteOptions,
    *,
    planned: Planned,
    progress: Progress,
) -> tuple[list[Item], list[str]]:
    """Write a caller's relations, those that replace others last, and end what these replace.

    Returns:
        An item for each in the order given, then one for each relation that is replaced; and notes
        that say what became of these, and which relations may be in the place of others.
    """
    relations = with_beginnings(graph, relations, ends_of)
    replacing = {
        i: relation
        for i, relation in enumerate(relations)
        if isinstance(relation, Relation) and relation.replaces is not None
    }
    others = [relation for i, relation in enumerate(relations) if i not in replacing]
    other_items = iter(relate(graph, others, ends_of, options, planned=planned, progress=progress))
    replaced: list[tuple[Item, str]] = []
    notes: list[str] = []
    items: dict[int, Item] = {}
    for index, relation in replacing.items():
        replacement = replacement_of(graph, relation, ends_of)
        if replacement is not None and replacement.refusal is not None:
            items[index] = refused_item(relation, replacement.refusal)
            continue
        dated = relation if replacement is None else replacement.relation
        (items[index],) = relate(graph, [dated], ends_of, options, planned=planned)
        if replacement is not None and items[index].outcome != "refused":
            replaced += end_others(graph, replacement, options)
            notes += filter(None, [following_note(graph, replacement)])
    ordered = [items[i] if i in replacing else next(other_items) for i, _ in enumerate(relations)]
    notes = [*(note for _, note in replaced), *notes]
    notes += second_notes(graph, options.project, relations, ordered, ends_of)
    return [*ordered, *(item for item, _ in replaced)], notes


def relate(
    graph: Graph,
    relations: Sequence[Relation | Item],
    ends_of: Mapping[str, read.Resolved],
    options: WriteOptions,
    *,
    planned: Planned,
    again: Collection[RelationIdentity] = (),
    held: set[RelationIdentity] | None = None,
    on_resolved: Callable[[RelationIdentity, Relation], None] = lambda *_: None,
    progress: Progress = SILENT,
) -> list[Item]:
    """Write relations whose ends are resolved, and report on each in the order given.

    Args:
        graph: Where to.
        relations: What is asserted; an Item stands for itself.
        ends_of: What each name leads to.
        options: The author, and whether anything is kept.
        planned: What a dry run would have made.
        again: Those of which the same import has spoken already.
        held: Gets those that are held back; see `write_relations`.
        on_resolved: Told of every relation whose ends are there.
        progress: Receives the progress of the writing.
    """
    given = _Given()
    for index, relation in enumerate(relations):
        if isinstance(relation, Relation):
            start, end = ends_of[relation.start].key, ends_of[relation.end].key
            if start is not None and end is not None:
                identity = RelationIdentity.between(start, end, relation)
                given.add(index, identity, relation)
                on_resolved(identity, relation)
    outcomes = write_relations(
        graph, given.relations, options, again=again, held=held, progress=progress
    )
    if not options.is_import:
        outcomes |= write_to_present_ends(graph, given.relations, outcomes, options)
    reasons = reasons_of(graph, ends_of, options)
    items: list[Item] = []
    for index, relation in enumerate(relations):
        if isinstance(relation, Item):
            items.append(relation)
            continue
        name = relation.display_name
        identity_or_none = given.identities.get(index)
        if identity_or_none is None:
            items.append(Item("relation", name, "refused", _why(relation, reasons)))
        elif identity_or_none in outcomes:
            # What a caller's short name or alias leads to is what the caller should know.
            written_name = name if options.is_import else _called(relation, ends_of)
            outcome = given.outcome(index, outcomes[identity_or_none])
            items.append(Item("relation", written_name, outcome))
        elif {identity_or_none.start, identity_or_none.end} & planned.keys:
            items.append(Item("relation", name, given.outcome(index, "created")))
        else:
            reason = "one of its ends was merged or deleted meanwhile; look it up, and try again"
            items.append(Item("relation", name, "refused", reason))
    return items


class _Given:
    """The relations of a call whose ends are there.

    Attributes:
        identities: The identity of each, by its place in the call.
        relations: What is asserted of each identity.
    """

    def __init__(self) -> None:
        self.identities: dict[int, RelationIdentity] = {}
        self.relations: dict[RelationIdentity, Relation] = {}
        # Of relations that were given before in the call, what they add to that.
        self._later_outcomes: dict[int, Outcome] = {}

    def add(self, index: int, identity: RelationIdentity, relation: Relation) -> None:
        """Take a relation, which is joined with an earlier one of its identity."""
        earlier = self.relations.get(identity)
        joined = joined_relation(earlier, relation)
        if earlier is not None:
            is_same = replace(joined, start=earlier.start, end=earlier.end) == earlier
            self._later_outcomes[index] = "unchanged" if is_same else "updated"
        self.identities[index] = identity
        self.relations[identity] = joined

    def outcome(self, index: int, outcome: Outcome) -> Outcome:
        """What the relation of a place did, if that is what all of its identity did together."""
        return outcome if outcome == "unchanged" else self._later_outcomes.get(index, outcome)


def _called(relation: Relation, ends_of: Mapping[str, read.Resolved]) -> str:
    """Write a relation with its ends called as the entities are."""
    start, end = (ends_of[name].name or name for name in (relation.start, relation.end))
    return relation_name(start, relation.relation, end, since(relation.valid_from))


def _why(relation: Relation, reasons: Mapping[str, str]) -> str:
    names = dict.fromkeys((relation.start, relation.end))
    return "; ".join(reasons[name] for name in names if name in reasons)
