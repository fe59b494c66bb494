"""Resolves the names a caller gives to keys, and says why one leads nowhere."""

from collections.abc import Sequence
from contextlib import suppress

from graphmem import lucene, read, text
from graphmem.arguments import name_given
from graphmem.errors import DatabaseError, NotFound, shortened
from graphmem.graph import Graph
from graphmem.project import LAYERS

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
    resolved_names = resolve_names(graph, project, names, arguments)
    keys: list[str] = []
    for name in names:
        resolved = resolved_names[name]
        if by_place and not resolved.leads_somewhere:
            resolved = _named_by_place(graph, project, name, resolved)
        if resolved.key is None:
            raise NotFound(missing(graph, project, name, resolved))
        keys.append(resolved.key)
    return keys


def resolve_names(
    graph: Graph, project: str, names: Sequence[str], arguments: Sequence[str] = ()
) -> dict[str, read.Resolved]:
    """What each name leads to, if it leads anywhere.

    Args:
        graph: The store.
        project: Where the names are looked for.
        names: Names, aliases, titles or keys.
        arguments: What errors call each of them; by default `names[0]` and so on.

    Raises:
        InvalidInput: A name is blank or no text.
    """
    for index, name in enumerate(names):
        name_given(arguments[index] if arguments else f"names[{index}]", name)
    clean_names = {name: lucene.clean(name) for name in names}
    resolved_names = read.resolve(graph, project, list(clean_names.values()))
    others = [name for name, resolved in resolved_names.items() if not resolved.leads_somewhere]
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


def _named_by_place(graph: Graph, project: str, name: str, unknown: read.Resolved) -> read.Resolved:
    """What code a name means by its place; `unknown` if it means none."""
    # Imported here for weight: few calls give a name that leads nowhere.
    from graphmem.memory.names.code_places import code_named  # noqa: PLC0415

    resolved = code_named(graph, project, lucene.clean(name))
    return resolved if resolved.leads_somewhere else unknown


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
    return list(read.names_of(graph, [row["key"] for row in rows if row["live"]]).values())
