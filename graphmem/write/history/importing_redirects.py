"""Writes the redirects in an export beside those of the store, which stay as they are."""

from collections.abc import Mapping, Sequence

from graphmem import calls, text
from graphmem.graph import Graph, Row, Transaction
from graphmem.model.paths import REDIRECT
from graphmem.write.entities import locked
from graphmem.write.history import recording
from graphmem.write.redirects import put as put_rows


def put_redirects(
    graph: Graph, rows: Sequence[tuple[str, str]], *, source: str
) -> list[str | None]:
    """Make keys of one project redirect to entities, unless they lead to others already.

    Args:
        graph: The store.
        rows: Pairs of a key and another one, which leads to the entity.
        source: The import.

    Returns:
        Of each pair why the key does not lead to the entity, or None if it does now.
    """
    keys = sorted({key for pair in rows for key in pair})

    def work(transaction: Transaction) -> list[str | None]:
        rows_by_key = target_rows(transaction, keys)
        free_keys = sorted({key for key, _ in rows} - rows_by_key.keys())
        locked(transaction, free_keys, follows=False)
        transaction.run(
            "write/lock_keys", keys=sorted({row["target"] for row in rows_by_key.values()})
        )
        rows_by_key = target_rows(transaction, keys)
        targets = {key: row["target"] for key, row in rows_by_key.items()}
        new_targets: dict[str, str] = {}
        refusals: list[str | None] = []
        for key, to in rows:
            target, present_target = targets.get(to), targets.get(key)
            refusals.append(_redirect_refusal(key, to, target, present_target))
            if target is not None and present_target is None:
                new_targets[key] = targets[key] = target
        transaction.run("write/delete_blanks", keys=free_keys)
        put_rows(transaction, [{"key": k, "target": t} for k, t in sorted(new_targets.items())])
        _note_redirects(
            transaction, new_targets, {row["target"]: row for row in rows_by_key.values()}, source
        )
        return refusals

    return graph.write(work)


def target_rows(transaction: Transaction, keys: Sequence[str]) -> dict[str, Row]:
    """The entities that keys lead to, as `read/imported_targets` describes them, by these keys."""
    return {row["key"]: row for row in transaction.run("read/imported_targets", keys=list(keys))}


def _redirect_refusal(
    key: str, to: str, target: str | None, present_target: str | None
) -> str | None:
    """Why a key cannot lead to a target, or None if it can.

    Args:
        key: The key.
        to: The key through which it would lead to the target.
        target: The key of an entity; None where `to` leads to none.
        present_target: To which entity the key leads already; None for none.
    """
    if target is None:
        return f"there is no entity {text.name_of(to)} that {text.name_of(key)} could lead to"
    if present_target not in {None, target}:
        return f"{text.name_of(key)} leads to {text.name_of(present_target)} here, and stays so"
    return None


def _note_redirects(
    transaction: Transaction,
    new_targets: Mapping[str, str],
    entities: Mapping[str, Row],
    source: str,
) -> None:
    """Record new redirects in the history of entities, except of those this import brings.

    Args:
        transaction: The one that made the redirects.
        new_targets: The keys of the entities, by the keys that redirect to them now.
        entities: Rows of `read/imported_targets`, by the keys of the entities.
        source: The import.
    """
    call = calls.current()
    before: dict[str, dict[str, object]] = {}
    for key, target in new_targets.items():
        row = entities[target]
        is_own_change = row["change"] == recording.change_id(call, text.project_of(target))
        if not is_own_change and row["source"] != source:
            before.setdefault(target, {})[REDIRECT + key] = None
    projects = sorted({text.project_of(target) for target in new_targets.values()})
    now = recording.moment(transaction, projects)
    for project in projects:
        states = [(key, state) for key, state in before.items() if text.project_of(key) == project]
        recording.note(transaction, call, project, sorted(states), now=now)
