"""What `remember` is given becomes entities and relations, and its report memcp's answer."""

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from graphmem.adapters.memcp.profile import replies
from graphmem.adapters.memcp.profile.contexts import GONE, entities, entity_of, plain, shorts
from graphmem.adapters.memcp.profile.parameters import EntityGiven, RelationGiven
from graphmem.errors import InvalidInput

if TYPE_CHECKING:
    from graphmem.memory import Memory
    from graphmem.model import Item

KIND = "concept"
SURE = 1.0
# The beginning of an error's sentence, which names the argument.
_ARGUMENT = re.compile(r"(?:entities|relations)\[\d+\][\w.\[\]]*")


def remember_all(
    memory: "Memory",
    project: str,
    context: str | None,
    given: Sequence[EntityGiven],
    joined: Sequence[RelationGiven],
) -> tuple[replies.RememberAnswer, bool]:
    """Write entities and relations; gives the answer, and whether something was not stored.

    Raises:
        InvalidInput: Nothing was given, or an entity has no name.
    """
    if not given and not joined:
        raise InvalidInput("entities", [], "must hold at least one entity or relation")
    from graphmem import text  # noqa: PLC0415 - for weight: the server lists its tools before

    names = [_name(one, index) for index, one in enumerate(given)]
    keys = [text.key(project, name) for name in names]
    new = {text.normalised(name) for name in names}
    before = entities(memory, project, keys)
    report = memory.remember(
        [
            _fields(one, name, known=key in before and before[key].status not in GONE)
            for one, name, key in zip(given, names, keys, strict=True)
        ],
        [
            {"from": _end(memory, one.start, context, new),
             "to": _end(memory, one.to, context, new), "relation": one.type, "weight": one.weight}
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
        raise InvalidInput(f"entities[{index}].name", given.name, "must not be blank")
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


@contextmanager
def memcp_names() -> Iterator[None]:
    """Have errors name arguments as memcp does."""
    try:
        yield
    except InvalidInput as error:
        raise error.renamed(_worded(error.argument)) from error


def _end(memory: "Memory", written: str, context: str | None, new: Collection[str]) -> str:
    """The name or key that an end of a relation means; `context:name` is one in the context."""
    from graphmem import text  # noqa: PLC0415 - for weight, as above

    name = plain(written)
    inside = shorts(memory, name, context)
    if not inside or text.normalised(name) in new:
        return name
    if any(text.normalised(one) in new for one in inside):
        return next(one for one in inside if text.normalised(one) in new)
    there = entity_of(memory, written, context)
    return name if there is None else there.key or name


def _errors(items: Sequence["Item"]) -> list[str]:
    return [
        f"{item.name}: {_ARGUMENT.sub(lambda said: _worded(said[0]), item.reason or '')}"
        for item in items
        if item.outcome == "refused"
    ]


def _worded(argument: str) -> str:
    # Imported here for weight: what reads Markdown comes with it.
    from graphmem.adapters.memcp.importer import worded  # noqa: PLC0415

    said = worded(argument)
    is_type = said.startswith("relations[") and said.endswith(".relation")
    return f"{said.removesuffix('relation')}type" if is_type else said
