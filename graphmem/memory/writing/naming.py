"""Resolves the names a caller gives to keys, and hides or unlinks what they name."""

from collections.abc import Callable, Collection, Sequence

from graphmem import lucene, read
from graphmem.calls import recorded
from graphmem.errors import InvalidInput, NotFound
from graphmem.graph import Graph
from graphmem.model import Item, Report, limits
from graphmem.model.identity import RelationIdentity
from graphmem.model.period import ALWAYS, Day, since
from graphmem.model.status import FORGOTTEN
from graphmem.write import change_status, delete_relations


def keys_of(graph: Graph, project: str, names: Sequence[str]) -> list[str]:
    """The keys that names lead to, in the order given.

    Raises:
        InvalidInput: A name is blank or no text.
        NotFound: A name leads to no entity, or to several.
    """
    resolved_names = _resolved(graph, project, names)
    keys: list[str] = []
    for name in names:
        key = resolved_names[name].key
        if key is None:
            raise NotFound(read.not_found(name, resolved_names[name], project))
        keys.append(key)
    return keys


def unlink(
    graph: Graph,
    project: str,
    ends: tuple[str, str],
    relation: str | None,
    valid_from: Day | str | None,
) -> list[RelationIdentity]:
    """Delete the relations from one entity to another; see `Memory.unlink`."""
    if relation is not None:
        relation = limits.relation_type("relation", relation)
    beginning = None if valid_from is None else ALWAYS
    if valid_from:
        beginning = since(limits.day_or_moment("valid_from", valid_from))
    first, last = keys_of(graph, project, ends)
    with recorded("unlink"):
        return delete_relations(graph, first, last, relation, beginning)


def missing(start: str, end: str, relation: str | None, valid_from: Day | str | None) -> str:
    """Say that there was no relation to delete."""
    sort = "relation" if relation is None else f"relation {relation}"
    beginning = ""
    if valid_from is not None:
        beginning = f" that holds from {valid_from}" if valid_from else " without a first day"
    return f"there is no {sort} from {start} to {end}{beginning}, so none was removed"


def forget(graph: Graph, project: str, names: Sequence[str]) -> Report:
    """Give entities the status `forgotten`; a name that leads nowhere is refused."""
    return of_each(
        graph, project, names, lambda keys: change_status(graph, keys, FORGOTTEN), verb="forget"
    )


def of_each(
    graph: Graph,
    project: str,
    names: Sequence[str],
    change: Callable[[list[str]], Collection[str]],
    *,
    verb: str,
) -> Report:
    """Change what names lead to, with an item for each name; one that leads nowhere is refused.

    Args:
        graph: The store.
        project: Where the names are looked for.
        names: Names, aliases, titles or keys.
        change: Changes the entities of keys; returns the keys of those it changed.
        verb: What the record of changes calls it.

    Raises:
        InvalidInput: A name is blank or no text.
    """
    resolved_names = _resolved(graph, project, names)
    keys = [resolved_names[name].key for name in names]
    with recorded(verb):
        changed_keys = set(change([key for key in keys if key is not None]))
    items = [
        Item("entity", name, "refused", read.not_found(name, resolved_names[name], project))
        if key is None
        else Item("entity", name, "updated" if key in changed_keys else "unchanged")
        for name, key in zip(names, keys, strict=True)
    ]
    return Report(project, tuple(items))


def _resolved(graph: Graph, project: str, names: Sequence[str]) -> dict[str, read.Resolved]:
    for index, name in enumerate(names):
        if not isinstance(name, str) or not name.strip():
            raise InvalidInput(f"names[{index}]", name, "must be a name that is not blank")
    clean_names = {name: lucene.clean(name) for name in names}
    resolved_names = read.resolve(graph, project, list(clean_names.values()))
    return {name: resolved_names[clean_names[name]] for name in names}
