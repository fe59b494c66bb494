"""Resolves the names a caller gives to keys, and hides or unlinks what they name."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from graphmem import lucene, read, text
from graphmem.arguments import name_given
from graphmem.calls import recorded
from graphmem.errors import DatabaseError, NotFound, shortened
from graphmem.graph import Graph
from graphmem.memory.writing.hidden_notes import replaced_keys, unreplaced_notes
from graphmem.model import Item, Report, limits
from graphmem.model.identity import RelationIdentity
from graphmem.model.period import ALWAYS, Day, relation_name, since
from graphmem.model.report import Outcome
from graphmem.model.status import FORGOTTEN
from graphmem.project import LAYERS
from graphmem.write import are_alike, change_status, delete_relations
from graphmem.write.reshaping import SUPERSEDES

# Names that an error gives in place of one that leads nowhere.
SIMILAR_NAMES = 3
# Of so many names that lead nowhere, those are looked for that are but cased otherwise.
FEW_NAMES = 10


def keys_of(
    graph: Graph,
    project: str,
    names: Sequence[str],
    arguments: Sequence[str] = (),
    *,
    by_place: bool = False,
) -> list[str]:
    """The keys that names lead to, in the order given.

    Args:
        graph: The store.
        project: Where the names are looked for.
        names: Names, aliases, titles or keys.
        arguments: What errors call each of them; by default `names[0]` and so on.
        by_place: Whether a name that nothing has may say where code is, such as
            `app/store.py:120`; for what only reads.

    Raises:
        InvalidInput: A name is blank or no text.
        NotFound: A name leads to no entity, or to several.
    """
    resolved_names = _resolved(graph, project, names, arguments)
    keys: list[str] = []
    for name in names:
        resolved = resolved_names[name]
        if by_place and resolved.key is None and not resolved.candidates:
            resolved = _named_by_place(graph, project, name, resolved)
        if resolved.key is None:
            raise NotFound(missing(graph, project, name, resolved))
        keys.append(resolved.key)
    return keys


def _named_by_place(graph: Graph, project: str, name: str, unknown: read.Resolved) -> read.Resolved:
    """What code a name means by its place; `unknown` if it means none."""
    # Imported here for weight: few calls give a name that leads nowhere.
    from graphmem.memory.writing.names_of_code import code_named  # noqa: PLC0415

    resolved = code_named(graph, project, lucene.clean(name))
    return resolved if resolved.key or resolved.candidates else unknown


def missing(graph: Graph, project: str, name: str, resolved: read.Resolved) -> str:
    """Say why a name leads to no one entity, and what to do; a layer that has it is named.

    A search of the project shows what its layers hold.
    """
    layer = layer_with(graph, project, name, resolved)
    if layer is not None:
        return (
            f"there is no entity {shortened(name)} in {project}, but in {layer}: name that as "
            "the project"
        )
    return missing_here(graph, project, name, resolved)


def layer_with(graph: Graph, project: str, name: str, resolved: read.Resolved) -> str | None:
    """The layer in which a name leads to an entity that leads to none in the project."""
    if resolved.candidates:
        return None
    layers = (layer for layer in LAYERS if layer != project)
    return next(
        (layer for layer in layers if read.resolve(graph, layer, [name])[name].key is not None),
        None,
    )


def missing_here(graph: Graph, project: str, name: str, resolved: read.Resolved) -> str:
    """Say why a name leads to no one entity, whatever the layers have.

    Where nothing has the name, symbols of code are given that have it as their own, else names that
    begin with it, else similar ones.
    """
    if resolved.candidates:
        return read.not_found(name, resolved, project)
    # Imported here for weight: few calls give a name that leads nowhere.
    from graphmem.search.suggestions import similar_names  # noqa: PLC0415

    names: list[str] = []
    with suppress(DatabaseError):  # the answer stands without them
        names = (
            _names_of_symbols(graph, project, name)
            or _names_beginning(graph, project, name)
            or (
                similar_names(graph, project, name)
                if resolved.similar is None
                else list(resolved.similar)
            )
        )
    if names:
        shown = " or ".join(map(shortened, names))
        return f"there is no entity {shortened(name)} in {project}; did you mean {shown}?"
    return read.not_found(name, resolved, project)


def _names_of_symbols(graph: Graph, project: str, name: str) -> list[str]:
    """The names of a few symbols whose own name is a word, which is an alias with parentheses."""
    alias = f"{name}()"
    resolved = read.resolve(graph, project, [alias])[alias]
    if resolved.hidden is not None:
        return []
    names = resolved.candidates if resolved.name is None else (resolved.name,)
    return list(names[:SIMILAR_NAMES])


def _names_beginning(graph: Graph, project: str, name: str) -> list[str]:
    """A few names of living entities that begin with a name, in their order."""
    first = text.key(project, lucene.clean(name))
    rows = graph.read(
        "read/project_keys", first=first, last=f"{first}\uffff", after="", limit=SIMILAR_NAMES
    )
    keys = [row["key"] for row in rows if row["live"]]
    return [row["name"] for row in graph.read("read/names_of", keys=keys)] if keys else []


def unlink(
    graph: Graph,
    project: str,
    ends: tuple[str, str],
    relation: str | None,
    valid_from: Day | str | None,
) -> Report:
    """Delete the relations from one entity to another; see `Memory.unlink`."""
    if relation is not None:
        relation = limits.relation_type("relation", relation)
    beginning = None if valid_from is None else ALWAYS
    if valid_from:
        beginning = since(limits.day_or_moment("valid_from", valid_from))
    first, last = keys_of(graph, project, ends, ("start", "end"))
    with recorded("unlink"):
        deleted_identities = delete_relations(graph, first, last, relation, beginning)
    items = relation_items(graph, dict.fromkeys(deleted_identities, "removed"))
    notes = [] if items else [_missing(*ends, relation, valid_from)]
    if relation is not None and not items:
        rows = graph.read("read/relation_types", start=first, end=last)
        similar = [row["relation"] for row in rows if are_alike(row["relation"], relation)]
        notes += [
            f"there is {name}; case, spaces and punctuation matter in a relation type"
            for name in similar
        ]
    if any(identity.relation == SUPERSEDES for identity in deleted_identities):
        notes += unreplaced_notes(graph, [last])
    return Report(project, items, notes=tuple(notes))


def relation_items(graph: Graph, outcomes: Mapping[RelationIdentity, Outcome]) -> tuple[Item, ...]:
    """An item for each relation, whose ends are called as the entities are."""
    keys = sorted({key for identity in outcomes for key in (identity.start, identity.end)})
    rows = graph.read("read/names_of", keys=keys) if keys else []
    names = {key: text.name_of(key) for key in keys} | {row["key"]: row["name"] for row in rows}
    return tuple(
        Item(
            "relation",
            relation_name(
                names[identity.start], identity.relation, names[identity.end], identity.since
            ),
            outcome,
        )
        for identity, outcome in outcomes.items()
    )


def forget(graph: Graph, project: str, names: Sequence[str]) -> Report:
    """Give entities the status `forgotten`; a name that leads nowhere is refused.

    A note names what they had replaced.
    """
    forgotten_keys: list[str] = []

    def hide(keys: list[str]) -> Collection[str]:
        forgotten_keys.extend(keys)
        return change_status(graph, keys, FORGOTTEN)

    report = change_each(graph, project, names, hide, verb="forget")
    notes = unreplaced_notes(graph, replaced_keys(graph, forgotten_keys))
    return replace(report, notes=notes)


def change_each(
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
        Item("entity", name, "refused", missing(graph, project, name, resolved_names[name]))
        if key is None
        else Item("entity", name, "updated" if key in changed_keys else "unchanged")
        for name, key in zip(names, keys, strict=True)
    ]
    return Report(project, tuple(items))


def _missing(start: str, end: str, relation: str | None, valid_from: Day | str | None) -> str:
    """Say that there was no relation to delete."""
    sort = "relation" if relation is None else f"relation {relation}"
    beginning = ""
    if valid_from is not None:
        beginning = f" that holds from {valid_from}" if valid_from else " without a first day"
    return f"there is no {sort} from {start} to {end}{beginning}, so none was removed"


def _resolved(
    graph: Graph, project: str, names: Sequence[str], arguments: Sequence[str] = ()
) -> dict[str, read.Resolved]:
    for index, name in enumerate(names):
        name_given(arguments[index] if arguments else f"names[{index}]", name)
    clean_names = {name: lucene.clean(name) for name in names}
    resolved_names = read.resolve(graph, project, list(clean_names.values()))
    others = [
        name
        for name, resolved in resolved_names.items()
        if resolved.key is None and not resolved.candidates
    ]
    for name in others if len(others) <= FEW_NAMES else ():
        resolved_names |= {name: _otherwise_cased(graph, project, name)}
    return {name: resolved_names[clean_names[name]] for name in names}


def _otherwise_cased(graph: Graph, project: str, name: str) -> read.Resolved:
    """What the only name leads to that differs but in letters that some write otherwise: `İ`, `i`.

    If there is none, the names that are similar are in the answer.
    """
    # Imported here for weight: few calls give a name that leads nowhere.
    from graphmem.search.suggestions import similar_names  # noqa: PLC0415

    names: list[str] = []
    with suppress(DatabaseError):  # the name leads nowhere without them
        names = similar_names(graph, project, name)
    same_names = [other for other in names if text.caseless(other) == text.caseless(name)]
    if len(same_names) != 1:
        return read.Resolved(None, similar=tuple(names))
    return read.resolve(graph, project, same_names)[same_names[0]]
