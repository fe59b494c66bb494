"""Resolves names in a dry run, also to entities that it would write."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from graphmem import read, text
from graphmem.graph import Graph
from graphmem.model import Entity, Item, Relation


@dataclass(slots=True)
class Planned:
    """What a dry run would write: the keys of its entities, and the names that lead to them.

    Args:
        keys: Of the entities.
        keys_by_form: The keys that names, aliases and titles lead to, by name form.
    """

    keys: set[str] = field(default_factory=set)
    keys_by_form: dict[str, str] = field(default_factory=dict)

    def add(self, project: str, entities: Iterable[Entity]) -> None:
        """Note the names, aliases and titles of entities; a name counts more than an alias."""
        keys_by_name: dict[str, str] = {}
        for entity in entities:
            key = text.key(project, entity.name)
            self.keys.add(key)
            keys_by_name[text.name_form(entity.name)] = key
            for name in filter(None, (entity.title, *entity.aliases)):
                self.keys_by_form.setdefault(text.name_form(name), key)
        self.keys_by_form |= keys_by_name


def resolved(
    graph: Graph,
    project: str,
    relations: Sequence[Relation | Item],
    planned: Planned,
    goes: read.Goes | None = None,
) -> dict[str, read.Resolved]:
    """What the names at the ends of relations lead to, in the store or among planned entities.

    The name of an entity counts more than what others have as an alias or title, wherever it is.
    """
    names = [
        name
        for relation in relations
        if isinstance(relation, Relation)
        for name in (relation.start, relation.end)
    ]
    ends = read.resolve(graph, project, names, goes=goes) if names else {}
    for name in names:
        own_key = text.key(project, name)
        key = planned.keys_by_form.get(text.name_form(name))
        if own_key in planned.keys:
            ends[name] = read.Resolved(own_key, name)
        elif key is not None and (ends[name].goes or not ends[name].leads_somewhere):
            ends[name] = read.Resolved(key, name)
    return ends
