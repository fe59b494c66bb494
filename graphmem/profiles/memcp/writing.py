"""What `remember` is given becomes entities and relations, and its report memcp's answer."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphmem.errors import InvalidInput
from graphmem.profiles.memcp import replies
from graphmem.profiles.memcp.contexts import GONE, entities, plain
from graphmem.profiles.memcp.parameters import EntityGiven, RelationGiven

if TYPE_CHECKING:
    from graphmem.memory import Memory
    from graphmem.model import Item

KIND = "concept"
SURE = 1.0


def written(
    memory: "Memory",
    project: str,
    given: Sequence[EntityGiven],
    joined: Sequence[RelationGiven],
) -> tuple[replies.RememberAnswer, bool]:
    """Write entities and relations; gives the answer, and whether something was not stored.

    Raises:
        InvalidInput: Nothing was given, or an entity has no name.
    """
    if not given and not joined:
        raise InvalidInput("entities", [], "give at least one entity or relation")
    from graphmem import text  # noqa: PLC0415 - for weight: the server lists its tools before

    names = [_name(one, index) for index, one in enumerate(given)]
    keys = [text.key(project, name) for name in names]
    before = entities(memory, project, keys)
    report = memory.remember(
        [
            _fields(one, name, known=key in before and before[key].status not in GONE)
            for one, name, key in zip(given, names, keys, strict=True)
        ],
        [
            {"from": plain(one.start), "to": plain(one.to), "relation": one.type,
             "weight": one.weight}
            for one in joined
        ],
        project=project,
    )  # fmt: skip
    of_entities, of_relations = report.items[: len(given)], report.items[len(given) :]
    now = entities(memory, project, keys)
    stored = [
        replies.Remembered.model_validate(
            replies.described(memory, now[key])
            | {"action": "created" if item.outcome == "created" else "updated"}
        )
        for key, item in zip(keys, of_entities, strict=True)
        if item.outcome != "refused" and key in now
    ]
    outcomes = [item.outcome for item in of_relations]
    answer = replies.RememberAnswer(
        entities=stored,
        created=sum(one.action == "created" for one in stored),
        updated=sum(one.action == "updated" for one in stored),
        relations_created=outcomes.count("created"),
        relations_updated=outcomes.count("updated") + outcomes.count("unchanged"),
        entity_errors=_errors(of_entities),
        relation_errors=_errors(of_relations),
        notes=list(report.notes),
    )
    return answer, bool(report.refused)


def _name(given: EntityGiven, index: int) -> str:
    name = plain(given.name or given.id or "")
    if not name:
        raise InvalidInput(f"entities[{index}].name", given.name, "it must not be blank")
    return name


def _fields(given: EntityGiven, name: str, *, known: bool) -> dict[str, object]:
    """An entity as graphmem takes it; one that is new is a concept that is sure."""
    return {
        "name": name,
        "text": given.content,
        "kind": given.type or (None if known else KIND),
        "tags": list(given.labels),
        "confidence": SURE if given.confidence is None and not known else given.confidence,
        "source": given.source or None,
    }


def _errors(items: Sequence["Item"]) -> list[str]:
    return [f"{item.name}: {item.reason}" for item in items if item.outcome == "refused"]
