"""Reading without ranking: names to entities, whole entities, and what a project holds."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from graphmem import lucene, text
from graphmem.batches import batches
from graphmem.errors import shortened
from graphmem.graph import Graph, Reader, Row
from graphmem.model.page import Neighbour, Page
from graphmem.model.relation_fields import RelationDirection
from graphmem.read.contents import (
    all_entities,
    all_relations,
    entity,
    projects,
    readable,
    whole,
)
from graphmem.read.counts import commonest, stats, summaries
from graphmem.read.exported_history import all_changes, all_redirects, all_revisions
from graphmem.read.overviews import overview

__all__ = [
    "Goes",
    "Resolved",
    "all_changes",
    "all_entities",
    "all_redirects",
    "all_relations",
    "all_revisions",
    "commonest",
    "entity",
    "existing",
    "names_of",
    "not_found",
    "overview",
    "pages",
    "projects",
    "resolve",
    "stats",
    "summaries",
    "whole",
]

NAMES_A_QUERY = 400
# So many are resolved in one round trip, whatever they are.
FEW_NAMES = 20
PAGE = 500
# The most relations of an entity that a page shows in each direction.
RELATIONS = 200
# Whether an import takes back an entity, given its key, its authors, its source and its status.
Goes = Callable[[str, Sequence[str], str | None, str], bool]


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a name leads to: one key, several (`candidates`), or nothing.

    `hidden` is the status of an entity that searches leave out for it. `similar` are names that are
    nearly that of nobody; None where they were not looked for. `goes` says that an import takes the
    entity back, or that one has done so before.
    """

    key: str | None
    name: str | None = None
    candidates: tuple[str, ...] = ()
    hidden: str | None = None
    similar: tuple[str, ...] | None = None
    goes: bool = False

    @property
    def leads_somewhere(self) -> bool:
        """Whether there is an entity of that name, or several."""
        return self.key is not None or bool(self.candidates)


def resolve(
    graph: Graph, project: str, names: Sequence[str], *, goes: Goes | None = None
) -> dict[str, Resolved]:
    """Find the entities of a project that names lead to.

    A name leads to the entity of that name or key, else to the one entity that has it as alias or
    title. Several of those are an ambiguity, and a living one is preferred to a hidden one. A name
    that is nobody's leads to the entity that was called so before a rename or a merge. With `goes`,
    what an import takes back counts least: a renamed note may have its old name as an alias.
    """
    resolved: dict[str, Resolved] = {}
    for some_names in batches(dict.fromkeys(names), most=NAMES_A_QUERY):
        resolved |= _resolve_some(graph, project, some_names, goes)
    unknown_names = [name for name, entity in resolved.items() if not entity.leads_somewhere]
    return resolved | _resolve_former(graph, project, unknown_names)


def existing(graph: Graph, project: str, names: Iterable[str]) -> set[str]:
    """Those of some names that are names of entities; aliases and titles do not count."""
    keys = {name: text.key(project, name) for name in names}
    existing_keys = {
        row["key"]
        for page in batches(sorted(set(keys.values())), most=PAGE)
        for row in graph.read("read/resolve_names", keys=page, handles=[], forms=[])
    }
    return {name for name, key in keys.items() if key in existing_keys}


def names_of(graph: Reader, keys: Iterable[str]) -> dict[str, str]:
    """What entities are called, by their keys; those that are deleted are left out."""
    return {
        row["key"]: row["name"]
        for page in batches(keys, most=PAGE)
        for row in graph.read("read/names_of", keys=page)
    }


def _resolve_some(
    graph: Graph, project: str, names: Sequence[str], goes: Goes | None
) -> dict[str, Resolved]:
    """Find what names lead to; of many, the index of names is asked only for those that are no key.

    An import names entities mostly as they are called, and asking that index takes longest.
    """
    if len(names) <= FEW_NAMES:
        return _resolve_by_index(graph, project, names, goes)
    keys = {name: text.key(project, name) for name in names}
    possible_keys = [*keys.values(), *_literal_keys(project, names)]
    rows = graph.read("read/resolve_names", keys=possible_keys, handles=[], forms=[])
    by_key = {row["key"]: row for row in rows}
    exact_rows = {name: by_key.get(key) or by_key.get(name) for name, key in keys.items()}
    others = [name for name, row in exact_rows.items() if row is None or _is_going(row, goes)]
    resolved = _resolve_by_index(graph, project, others, goes) if others else {}
    return {name: resolved.get(name) or _resolved(row, ()) for name, row in exact_rows.items()}


def _resolve_former(graph: Graph, project: str, names: Sequence[str]) -> dict[str, Resolved]:
    """Find the entities of former names, those of them that have one."""
    keys = {name: text.key(project, name) for name in names}
    targets = {
        row["key"]: row["target"]
        for page in batches(sorted(set(keys.values())), most=PAGE)
        for row in graph.read("read/redirects", keys=page)
        if row["target"] is not None
    }
    if not targets:
        return {}
    rows = graph.read(
        "read/resolve_names", keys=sorted(set(targets.values())), handles=[], forms=[]
    )
    by_key = {row["key"]: row for row in rows}
    return {
        name: _resolved(by_key[targets[key]], ())
        for name, key in keys.items()
        if targets.get(key) in by_key
    }


def _literal_keys(project: str, names: Sequence[str]) -> list[str]:
    """The names that are keys as they stand."""
    return [name for name in names if name.startswith(f"{project}#")]


def _resolve_by_index(
    graph: Graph, project: str, names: Sequence[str], goes: Goes | None
) -> dict[str, Resolved]:
    keys = {name: text.key(project, name) for name in names}
    forms = {name: text.name_form(name) for name in names}
    distinct_forms = [form for form in dict.fromkeys(forms.values()) if form]
    query = lucene.handles(distinct_forms, required=[[text.token("project", project)]])
    rows = graph.read(
        "read/resolve_names",
        keys=[*keys.values(), *_literal_keys(project, names)],
        handles=[query] if query else [],
        forms=distinct_forms,
    )
    by_key = {row["key"]: row for row in rows}
    # An entity that was renamed keeps the key of its first name.
    by_name = {text.normalised(row["name"]): row for row in rows}
    by_form: dict[str, list[Row]] = {}
    for row in rows:
        for form in row["forms"]:
            by_form.setdefault(form, []).append(row)
    return {
        name: _resolved(
            by_key.get(key) or by_key.get(name) or by_name.get(text.normalised(name)),
            by_form.get(forms[name], []),
            goes,
        )
        for name, key in keys.items()
    }


def _resolved(
    exact_row: Row | None, candidates: Sequence[Row], goes: Goes | None = None
) -> Resolved:
    living = [row for row in candidates if row["live"]]
    staying = [row for row in living if not _is_going(row, goes)]
    row = exact_row
    if row is None or (staying and _is_going(row, goes)):
        candidates = staying or living or candidates
        row = candidates[0] if len(candidates) == 1 else None
    if row is None:
        return Resolved(None, candidates=tuple(other["name"] for other in candidates))
    hidden = None if row["live"] else row["status"]
    return Resolved(row["key"], row["name"], hidden=hidden, goes=_is_going(row, goes))


def _is_going(row: Row, goes: Goes | None) -> bool:
    """Whether an import takes an entity back; False where it is not told what goes."""
    return goes is not None and goes(row["key"], row["authors"] or (), row["source"], row["status"])


def not_found(name: str, resolved: Resolved, project: str) -> str:
    """Say why a name leads to no one entity, and what to do."""
    if resolved.candidates:
        candidates = ", ".join(shortened(candidate) for candidate in resolved.candidates[:5])
        return f"{shortened(name)} is ambiguous: it may mean {candidates}; give one of these names"
    return f"there is no entity {shortened(name)} in {project}; search for it, or remember it first"


def pages(graph: Reader, keys: Sequence[str], *, relations: int = RELATIONS) -> list[Page]:
    """Read entities whole, in the order of their keys."""
    rows = [
        row
        for batch in readable(graph, list(dict.fromkeys(keys)))
        for row in graph.read("read/entities", keys=batch, relations=relations)
        if "name" in row["entity"]  # or it is deleted meanwhile
    ]
    rows.sort(key=lambda row: str(row["entity"]["key"]))
    return [
        Page(
            entity=entity(row["entity"], row["passages"], ids=True),
            neighbours=tuple(
                Neighbour.of_stored(link["stored"], link["relation"], direction, link)
                for direction, links in _sides(row)
                for link in links
            ),
            omitted_relations=_omitted(row) or None,
        )
        for row in rows
    ]


def _omitted(row: Row) -> int:
    shown_count: int = len(row["outgoing"]) + len(row["incoming"])
    return int(row["relations"]) - shown_count


def _sides(row: Row) -> tuple[tuple[RelationDirection, list[Row]], ...]:
    return (("out", row["outgoing"]), ("in", row["incoming"]))
