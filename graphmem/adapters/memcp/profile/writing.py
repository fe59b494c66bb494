"""What `remember` is given becomes entities and relations, and its report memcp's answer."""

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from graphmem import text
from graphmem.adapters.memcp.items import DEFAULT_KIND
from graphmem.adapters.memcp.profile import replies
from graphmem.adapters.memcp.profile.contexts import (
    FORGOTTEN_STATUSES,
    bare_id,
    entity_of,
    shorts,
)
from graphmem.adapters.memcp.profile.parameters import EntityGiven, RelationGiven
from graphmem.errors import InvalidInput
from graphmem.profiles.reading import entities_by_key

if TYPE_CHECKING:
    from graphmem.memory import Memory
    from graphmem.model import Item

SURE = 1.0
# The beginning of an error's sentence, which names the argument.
_ARGUMENT = re.compile(r"(?:entities|relations)\[\d+\][\w.\[\]]*")


def remember_all(
    memory: "Memory",
    project: str,
    context: str | None,
    entities_given: Sequence[EntityGiven],
    relations_given: Sequence[RelationGiven],
) -> tuple[replies.RememberAnswer, bool]:
    """Write entities and relations; gives the answer, and whether something was not stored.

    Raises:
        InvalidInput: Nothing was given, or an entity has no name.
    """
    if not entities_given and not relations_given:
        raise InvalidInput("entities", [], "must hold at least one entity or relation")
    names = [_name(entity, index) for index, entity in enumerate(entities_given)]
    keys = _keys(memory, project, names)
    new_names = {text.normalised(name) for name in names}
    entities_before = entities_by_key(memory, keys, project=project)
    alive = {
        key for key, entity in entities_before.items() if entity.status not in FORGOTTEN_STATUSES
    }
    report = memory.remember(
        [
            _fields(entity, name, is_known=key in alive)
            for entity, name, key in zip(entities_given, names, keys, strict=True)
        ],
        [
            {"from": _end(memory, link.start, context, new_names),
             "to": _end(memory, link.to, context, new_names),
             "relation": link.type, "weight": link.weight}
            for link in relations_given
        ],
        project=project,
    )  # fmt: skip
    count = len(entities_given)
    of_entities, of_relations = report.items[:count], report.items[count:]
    entities_after = entities_by_key(memory, keys, project=project)
    answer_entities = [
        replies.Remembered.model_validate(
            replies.entity_fields(memory, entities_after[key])
            | {"action": "created" if item.outcome == "created" else "updated"}
        )
        for key, item in zip(keys, of_entities, strict=True)
        if item.outcome != "refused" and key in entities_after
    ]
    outcomes = [item.outcome for item in of_relations]
    answer = replies.RememberAnswer(
        entities=answer_entities,
        created=sum(entity.action == "created" for entity in answer_entities),
        updated=sum(entity.action == "updated" for entity in answer_entities),
        relations_created=outcomes.count("created"),
        relations_updated=outcomes.count("updated") + outcomes.count("unchanged"),
        entity_errors=_errors(of_entities),
        relation_errors=_errors(of_relations),
        notes=list(report.notes),
    )
    return answer, bool(report.refused)


def _name(entity: EntityGiven, index: int) -> str:
    name = bare_id(entity.name or entity.id or "")
    if not name:
        raise InvalidInput(f"entities[{index}].name", entity.name, "must not be blank")
    return name


def _keys(memory: "Memory", project: str, names: Sequence[str]) -> list[str]:
    """The key of each name, which an entity may have had before it was renamed or merged."""
    # Imported here for weight: the driver comes with it.
    from graphmem.write import Redirects  # noqa: PLC0415

    redirects = Redirects.of(memory.graph, project, names).names
    return [text.key(project, redirects.get(text.normalised(name), name)) for name in names]


def _fields(entity: EntityGiven, name: str, *, is_known: bool) -> dict[str, object]:
    """An entity as graphmem takes it; one that is new is a concept that is sure."""
    return {
        "name": name,
        "text": entity.content,
        "kind": entity.type or (None if is_known else DEFAULT_KIND),
        "tags": list(entity.labels),
        "confidence": SURE if entity.confidence is None and not is_known else entity.confidence,
        "source": entity.source or None,
    }


@contextmanager
def memcp_names() -> Iterator[None]:
    """Have errors name arguments as memcp does."""
    try:
        yield
    except InvalidInput as error:
        raise error.renamed(_memcp_argument(error.argument)) from error


def _end(memory: "Memory", identifier: str, context: str | None, new_names: Collection[str]) -> str:
    """The name or key that an end of a relation means; `context:name` is one in the context."""
    name = bare_id(identifier)
    short_names = shorts(memory, name, context)
    if not short_names or text.normalised(name) in new_names:
        return name
    if any(text.normalised(name) in new_names for name in short_names):
        return next(name for name in short_names if text.normalised(name) in new_names)
    entity = entity_of(memory, identifier, context)
    return name if entity is None else entity.key or name


def _errors(items: Sequence["Item"]) -> list[str]:
    return [
        f"{item.name}: {_ARGUMENT.sub(lambda match: _memcp_argument(match[0]), item.reason or '')}"
        for item in items
        if item.outcome == "refused"
    ]


def _memcp_argument(argument: str) -> str:
    # Imported here for weight: what reads Markdown comes with it.
    from graphmem.adapters.memcp.importer import memcp_argument  # noqa: PLC0415

    words = memcp_argument(argument)
    is_type = words.startswith("relations[") and words.endswith(".relation")
    return f"{words.removesuffix('relation')}type" if is_type else words
