"""Observations that a caller repeats after another one, which undoing the first leaves in place."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from graphmem import calls
from graphmem.graph import Row, Transaction
from graphmem.model import Entity
from graphmem.model.json_object import compact_json
from graphmem.model.paths import OBSERVATION
from graphmem.model.provenance import CALLER
from graphmem.write.assertions.corrections import observation_id
from graphmem.write.assertions.shape import Desired, Stored
from graphmem.write.assertions.states import State, state_of, stored_state
from graphmem.write.history.changed_entity import ChangedEntity
from graphmem.write.history.later import standing_of

# Revisions of an entity in which those who said something before are looked for.
REVISIONS = 1000


def repeated_paths(stored: Stored, entity: Entity) -> list[str]:
    """The paths of the observations that an entity has already, without those named by an id."""
    given = {observation_id(item) for item in entity.observations if item.id is None}
    return [OBSERVATION + row["id"] for row in stored.observations if row["id"] in given]


def repetitions(
    transaction: Transaction, assertions: Iterable[tuple[Stored, Desired, Entity]]
) -> dict[str, State]:
    """The observations that the present caller repeats after others, by entity and path.

    Noted in a revision as what was there before, they tell that the caller said them too. What the
    same caller said before is left out, so saying the same again and again writes nothing.

    Args:
        transaction: The one that has locked the entities.
        assertions: Entities as they are stored and as they shall be, and what a caller said.
    """
    repeated: dict[str, State] = {}
    for stored, desired, entity in assertions:
        paths = repeated_paths(stored, entity)
        if not paths:
            continue
        before, after = stored_state(stored), state_of(desired.properties, desired.passages)
        if same := {path: before[path] for path in paths if before[path] == after.get(path)}:
            repeated[stored.key] = same
    rows = [
        {"key": key, "path": f"{compact_json(path)}:"}
        for key, state in repeated.items()
        for path in state
    ]
    if not rows:
        return {}
    by = calls.current().by
    for row in transaction.run("read/observers", rows=rows, by=by, limit=REVISIONS):
        repeated[row["key"]].pop(json.loads(row["path"][:-1]))
    return {key: state for key, state in repeated.items() if state}


def keep_repeated(
    entity: ChangedEntity, change: Row, stored: Stored, rows: Sequence[Row]
) -> set[str]:
    """Have an undo leave the observations of which others said the same.

    Args:
        entity: What the change did to it; the observations that stay are changed in `before`.
        change: The change that is undone.
        stored: The entity as it is.
        rows: All its revisions, the newest first.

    Returns:
        The paths of observations that were only repeated since, which is no conflict.
    """
    paths = [path for path in entity.before if path.startswith(OBSERVATION)]
    if not paths:
        return set()
    state = stored_state(stored)
    author = _author(change)
    standing = [row for row in standing_of(rows) if row["change"]["id"] != change["id"]]
    standing_by_path, noted_by_path = _by_path(standing, paths), _by_path(rows, paths)
    repeated: set[str] = set()
    for path in paths:
        if path not in state:
            continue
        before, others = entity.before[path], standing_by_path.get(path, [])
        later = [(row, noted) for row, noted in others if entity.is_before(row)]
        if before is None and later and _are_repetitions(state[path], [one for _, one in later]):
            repeated.add(path)
            if author in {_author(row["change"]) for row, _ in later}:
                entity.before[path] = state[path]
            else:
                entity.before[path] = _without_author(state[path], author)
        elif (later or before == state[path]) and all(one == state[path] for _, one in later):
            repeated.add(path)
            if not others and any(one is None for _, one in noted_by_path[path]):
                # The others who said it have undone that, so nobody but this change says it.
                entity.before[path] = _without_author(state[path], author)
    return repeated


def unchanged_observations(entity: ChangedEntity, stored: Stored) -> State:
    """The observations that an undo leaves as they are, so that its revision tells of them."""
    state = stored_state(stored)
    return {
        path: before
        for path, before in entity.before.items()
        if path.startswith(OBSERVATION) and before is not None and before == state.get(path)
    }


def _are_repetitions(
    current: Mapping[str, Any], earlier: Sequence[Mapping[str, Any] | None]
) -> bool:
    """Whether an observation was the same all along, apart from authors who were added."""
    after = current
    for before in earlier:
        if before is None or _content(before) != _content(after):
            return False
        if not set(_authors(before)) <= set(_authors(after)):
            return False
        after = before
    return True


def _content(observation: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in observation.items() if name != "asserted_by"}


def _without_author(observation: Mapping[str, Any], author: str) -> dict[str, Any] | None:
    others = [name for name in _authors(observation) if name != author]
    return {**observation, "asserted_by": others} if others else None


def _by_path(
    rows: Sequence[Row], paths: Sequence[str]
) -> dict[str, list[tuple[Row, dict[str, Any] | None]]]:
    """By path, the revisions that tell of it, the newest first, and what was there before each."""
    noted_by_path: dict[str, list[tuple[Row, dict[str, Any] | None]]] = {}
    for row in rows:
        noted = json.loads(row["before"])
        for path in noted.keys() & set(paths):
            noted_by_path.setdefault(path, []).append((row, noted[path]))
    return noted_by_path


def _author(change: Row) -> str:
    return str(change.get("author") or CALLER)


def _authors(observation: Mapping[str, Any]) -> list[str]:
    return list(observation.get("asserted_by") or [CALLER])
