"""The history of an entity, computed from its present state back, revision by revision."""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from graphmem import read, text
from graphmem.errors import NotFound
from graphmem.graph import Graph, Row
from graphmem.memory.past.created_relations import (
    caller_fields,
    creations_of_relations,
    relation_fields,
)
from graphmem.memory.past.steps import Step, steps_back
from graphmem.model.history import (
    UNREADABLE,
    Change,
    Changes,
    Difference,
    History,
    Revision,
)
from graphmem.model.identity import RelationIdentity
from graphmem.model.json_object import to_json_value
from graphmem.model.paths import RELATION
from graphmem.model.relation_fields import CREATED_BY
from graphmem.write.assertions import states
from graphmem.write.assertions.facts import DEFAULTS
from graphmem.write.assertions.provenance import EPOCH
from graphmem.write.assertions.shape import Stored
from graphmem.write.entities import snapshots

# The most names, and links, of a change that is listed.
NAMES_LISTED = 5
_NOTHING_CREATED: Row = {"entities": 0, "names": (), "relations": 0, "origins": (), "links": ()}


def history(graph: Graph, key: str, *, since: datetime | None, limit: int) -> History:
    """What is recorded of an entity, the newest first.

    Args:
        graph: The store.
        key: The entity's.
        since: The moment from which on; None for its beginning.
        limit: The most revisions.

    Raises:
        NotFound: There is no such entity.
    """
    stored = stored_entity(graph, key)
    # One more than is given tells whether there are more.
    rows = graph.read("read/revisions", keys=[key], limit=limit + 1)
    steps = list(steps_back(stored, rows))
    names = _names_of_ends(graph, steps, key)
    revisions = list(_walked(stored, steps, _outgoing(graph, key, rows), names))
    created_by = steps[-1].created_by if steps else stored.properties.get(CREATED_BY)
    if len(rows) <= limit and (created := creation(graph, created_by)) is not None:
        revisions.append(created)
    revisions = _with_relations(revisions, creations_of_relations(graph, key, limit=limit + 1))
    revisions = _newest_first(revisions)
    name = stored.properties["name"]
    if since is not None:
        revisions = [
            revision for revision in revisions if revision.at is not None and revision.at >= since
        ]
    return History(
        key, name, text.project_of(key), tuple(revisions[:limit]), truncated=len(revisions) > limit
    )


def _outgoing(graph: Graph, key: str, revisions: Sequence[Row]) -> dict[str, Any]:
    """The relations that begin at an entity, by path, where any revision has a relation."""
    if not any(f'"{RELATION}' in str(row["before"]) for row in revisions):
        return {}
    rows = graph.read("read/incident_relations", keys=[key])
    identities = [(RelationIdentity.of_row(row), row["stored"]) for row in rows]
    return {
        RELATION + identity.token: states.encoded_relation(identity, properties)
        for identity, properties in identities
        if identity.start == key
    }


def _newest_first(revisions: Sequence[Revision]) -> list[Revision]:
    """Revisions by their numbers, which no clock changes, and those without a number by moment.

    If the clock was set back by much, earlier revisions have later moments. They are placed as if
    they had that of the revision after them.
    """
    numbered = [revision for revision in revisions if revision.revision is not None]
    numbered.sort(key=lambda revision: revision.revision or 0, reverse=True)
    moments = [revision.at or EPOCH for revision in numbered]
    places = dict(
        zip((r.revision for r in numbered), itertools.accumulate(moments, min), strict=True)
    )

    def place(revision: Revision) -> tuple[datetime, int]:
        return places.get(revision.revision, revision.at or EPOCH), revision.revision or 0

    return sorted(revisions, key=place, reverse=True)


def changes(
    graph: Graph, project: str, since: datetime, until: datetime | None, *, limit: int
) -> Changes:
    """The changes of a project in a time, both ends included, the newest first."""
    rows = graph.read("read/changes", project=project, since=since, until=until, limit=limit + 1)
    truncated, rows = len(rows) > limit, rows[:limit]
    ids = [row["change"]["id"] for row in rows]
    created_rows = (
        graph.read("read/created_counts", project=project, changes=ids, limit=NAMES_LISTED)
        if ids
        else ()
    )
    created = {row["change"]: row for row in created_rows}
    return Changes(project, tuple(_change(row, created) for row in rows), truncated=truncated)


def stored_entity(graph: Graph, key: str) -> Stored:
    """An entity as it is stored.

    Raises:
        NotFound: There is none.
    """
    stored = next(entity for _, entity, _ in snapshots(graph, [key]))
    if not stored.properties:
        raise NotFound(f"there is no entity {text.name_of(key)}")
    return stored


def _names_of_ends(graph: Graph, steps: Sequence[Step], key: str) -> dict[str, str]:
    """What the other ends of the relations that changed are called, by their keys."""
    ends = {
        RelationIdentity.of_token(key, path.removeprefix(RELATION)).end
        for step in steps
        for path in step.noted
        if path.startswith(RELATION)
    }
    return read.names_of(graph, sorted(ends))


def _walked(
    stored: Stored, steps: Sequence[Step], links: dict[str, Any], names: Mapping[str, str]
) -> Iterator[Revision]:
    """The revisions of an entity, each with what it changed.

    Args:
        stored: The entity as it is.
        steps: Back from there.
        links: Its relations, by path.
        names: What their other ends are called, by their keys.
    """
    state = states.stored_state(stored)
    for step in steps:
        differences = [
            *_differences(step.earlier, state),
            *_relation_differences(step.noted, links, stored.key, names),
        ]
        if not step.is_readable:
            differences.append(Difference(UNREADABLE, before=None, after=None))
        links |= {path: value for path, value in step.noted.items() if path.startswith(RELATION)}
        state = step.earlier
        change = step.row["change"]
        yield Revision(
            revision=step.row["revision"],
            change=change["id"],
            at=step.row["at"],
            differences=tuple(differences),
            **caller_fields(change),
        )


def _differences(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> Iterator[Difference]:
    before, after = _visible_fields(earlier), _visible_fields(later)
    for name in sorted({*before, *after}):
        if before.get(name) != after.get(name):
            yield Difference(name, before.get(name), after.get(name))


def _visible_fields(state: Mapping[str, Any]) -> dict[str, object]:
    """The fields of a state that count, by names for people."""
    if not state:
        return {}
    content = states.content(state)
    facts = {
        " ".join(fact).strip(): to_json_value(value)
        for fact, value in content.ledger.facts().items()
    }
    observations = {
        f"observation {observation['id']}": states.describe_observation(observation)
        for observation in content.observations
    }
    removal = {"removed": True} if content.is_hidden else {}
    return {"name": content.name, **DEFAULTS, **facts, **observations, **removal}


def _relation_differences(
    before: Mapping[str, Any], later: Mapping[str, Any], key: str, names: Mapping[str, str]
) -> Iterator[Difference]:
    for path, value in before.items():
        if path.startswith(RELATION):
            later_value = later.get(path)
            if value and later_value and _created_by(value) != _created_by(later_value):
                later_value = None  # deleted; a later change created it again
            name = states.describe_path(path, key, names)
            yield Difference(name, relation_fields(value), relation_fields(later_value))


def _created_by(relation: Mapping[str, Any]) -> object:
    """The change that created a relation; None if it was not recorded."""
    return relation["properties"].get(CREATED_BY)


def creation(graph: Graph, change_id: str | None) -> Revision | None:
    """The first revision of an entity that a change created, or None if none is recorded."""
    rows = graph.read("read/change", id=change_id) if change_id else []
    if not rows:
        return None
    change = rows[0]["change"]
    return Revision(
        revision=1,
        change=change["id"],
        at=change["at"],
        differences=(Difference("created", before=None, after=True),),
        **caller_fields(change),
    )


def _with_relations(revisions: Sequence[Revision], creations: Iterable[Revision]) -> list[Revision]:
    """The revisions with the relations their changes created; other changes get a new revision."""
    result = list(revisions)
    places = {revision.change: place for place, revision in enumerate(result)}
    for revision in creations:
        place = places.setdefault(revision.change, len(result))
        if place == len(result):
            result.append(revision)
        else:
            differences = (*result[place].differences, *revision.differences)
            result[place] = replace(result[place], differences=differences)
    return result


def _change(row: Row, created: Mapping[str, Row]) -> Change:
    change = row["change"]
    created_row = created.get(change["id"], _NOTHING_CREATED)
    names = (*created_row["names"], *row["names"], *created_row["origins"])
    return Change(
        id=change["id"],
        at=change.get("at"),
        **caller_fields(change),
        undoes=change.get("undoes"),
        created=created_row["entities"],
        changed=row["revised"],
        relations=created_row["relations"],
        names=tuple(dict.fromkeys(names))[:NAMES_LISTED],
        links=tuple(
            f"{link['start_name']} -[{link['relation']}]-> {link['end_name']}"
            for link in created_row["links"]
        ),
    )
