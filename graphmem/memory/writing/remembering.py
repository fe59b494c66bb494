"""What a caller asserts becomes entities and relations: checked, resolved, written, reported."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self, TypeVar

from graphmem import text
from graphmem.embedding import DocumentEmbedder
from graphmem.errors import DatabaseError, InvalidInput, shortened
from graphmem.graph import Graph
from graphmem.memory.writing.planned import Planned, resolved
from graphmem.memory.writing.problems import problems_of
from graphmem.memory.writing.relating import relate_all
from graphmem.model import Entity, Item, PartialWrite, Relation, Report
from graphmem.model.parsing import FIELDS
from graphmem.model.period import relation_name
from graphmem.model.report import refused_item
from graphmem.progress import SILENT, Progress
from graphmem.write import (
    EntityWriter,
    PendingEntity,
    Redirects,
    WriteOptions,
    chunked,
    refusals,
)

Checked = TypeVar("Checked", Entity, Relation)


@dataclass(frozen=True, slots=True)
class Input:
    """Checked entities and relations; an Item stands where one was refused."""

    entities: tuple[Entity | Item, ...]
    relations: tuple[Relation | Item, ...]

    @classmethod
    def read(
        cls,
        entities: Iterable[Entity | Mapping[str, object]],
        relations: Iterable[Relation | Mapping[str, object]],
    ) -> Self:
        """Check values, or objects in the shape of JSON lines."""
        listed: dict[str, str] = {}
        return cls(
            tuple(_entity(value, f"entities[{i}]", listed) for i, value in enumerate(entities)),
            tuple(_relation(value, f"relations[{i}]", listed) for i, value in enumerate(relations)),
        )

    @classmethod
    def of_link(cls, fields: Mapping[str, object]) -> Self:
        """Check one relation, whose fields are the arguments of the call."""
        return cls((), (_relation(fields, "", {}),))


def remember(
    graph: Graph,
    embedder: DocumentEmbedder | None,
    assertions: Input,
    options: WriteOptions,
    *,
    stubs: bool = False,
    progress: Progress = SILENT,
) -> Report:
    """Write entities, then the relations between them, and report on each in the order given.

    Raises:
        PartialWrite: The database failed after some batches were written.
        DatabaseError: It failed before anything was written.
    """
    assertions = _with_room(graph, assertions)
    items = {i: value for i, value in enumerate(assertions.entities) if isinstance(value, Item)}
    try:
        return _remember(
            graph, embedder, assertions, options, items, stubs=stubs, progress=progress
        )
    except DatabaseError as error:
        report = Report(options.project, tuple(items[i] for i in sorted(items)))
        if report.changes and not options.dry_run:
            raise PartialWrite(report, error) from error
        raise


def _remember(
    graph: Graph,
    embedder: DocumentEmbedder | None,
    assertions: Input,
    options: WriteOptions,
    items: dict[int, Item],
    *,
    stubs: bool,
    progress: Progress,
) -> Report:
    checked = [
        (i, value) for i, value in enumerate(assertions.entities) if isinstance(value, Entity)
    ]
    redirects = Redirects.of(graph, options.project, (value.name for _, value in checked))
    indexed_entities = [(i, redirects(value)) for i, value in checked]
    items.update(_write(graph, embedder, indexed_entities, options, progress))
    planned = Planned()
    if options.dry_run:
        planned.add(options.project, (entity for _, entity in indexed_entities))
    ends = resolved(graph, options.project, assertions.relations, planned)
    stub_items: list[Item] = []
    if stubs:
        missing = [Entity(name) for name, to in ends.items() if not to.leads_somewhere]
        stubbed = list(enumerate(_distinct(missing)))
        stub_items = [
            replace(item, reason="a placeholder, known only as an end of a relation")
            for _, item in sorted(_write(graph, embedder, stubbed, options, SILENT))
        ]
        if options.dry_run:
            planned.add(options.project, missing)
        ends = resolved(graph, options.project, assertions.relations, planned)
    relation_items, notes = relate_all(
        graph, assertions.relations, ends, options, planned=planned, progress=progress
    )
    entities = (items[i] for i in range(len(assertions.entities)))
    return Report(
        options.project,
        (*entities, *relation_items, *stub_items),
        dry_run=options.dry_run,
        notes=tuple(notes),
    )


def _with_room(graph: Graph, assertions: Input) -> Input:
    """What is given, with an Item for each thing that the store has no room for."""
    refused = refusals(graph, [*assertions.entities, *assertions.relations])
    if not refused:
        return assertions
    offset = len(assertions.entities)
    return Input(
        tuple(
            refused_item(value, refused[i]) if i in refused else value
            for i, value in enumerate(assertions.entities)
        ),
        tuple(
            refused_item(value, refused[offset + i]) if offset + i in refused else value
            for i, value in enumerate(assertions.relations)
        ),
    )


def _write(
    graph: Graph,
    embedder: DocumentEmbedder | None,
    entities: Sequence[tuple[int, Entity]],
    options: WriteOptions,
    progress: Progress,
) -> Iterator[tuple[int, Item]]:
    seen_names: set[str] = set()
    pending_entities: list[PendingEntity] = []
    for index, entity in entities:
        folded = text.normalised(entity.name)
        pending_entities.append(PendingEntity(index, entity, again=folded in seen_names))
        seen_names.add(folded)
    with EntityWriter(graph, embedder, options, progress=progress) as writer:
        for chunk in chunked(pending_entities, options.project):
            yield from writer.add(chunk)
        yield from writer.finish()


def _distinct(entities: Sequence[Entity]) -> list[Entity]:
    return list({text.normalised(entity.name): entity for entity in entities}.values())


def fields_of(value: object) -> object:
    """The object of an entity or relation, its attributes as given; any other value as it is.

    JSON would make a text of a value that no attribute may have.
    """
    if isinstance(value, Entity | Relation):
        return replace(value, attributes={}).to_json() | {"attributes": value.attributes}
    return value


def _listed_once(error: InvalidInput, listed: dict[str, str]) -> InvalidInput:
    """The same error; the fields that there are, only if no item before has been told of them.

    Args:
        error: What is wrong with an item.
        listed: The items that were told of fields, by what they were told; another is added.
    """
    if FIELDS not in error.expected:
        return error
    first = listed.setdefault(error.expected, error.argument)
    if first == error.argument:
        return error
    expected = f"may only have the fields of {first}, listed there"
    return InvalidInput(error.argument, error.value, expected, hint=error.hint)


def _entity(
    value: Entity | Mapping[str, object], argument: str, listed: dict[str, str]
) -> Entity | Item:
    fields = fields_of(value)
    checked = _checked(Entity, fields, argument, listed)
    if isinstance(checked, Entity):
        return checked
    return Item("entity", _name_in(fields, "name"), "refused", checked)


def _relation(
    value: Relation | Mapping[str, object], argument: str, listed: dict[str, str]
) -> Relation | Item:
    fields = fields_of(value)
    checked = _checked(Relation, fields, argument, listed)
    if isinstance(checked, Relation):
        return checked
    start, kind, end = (_name_in(fields, field) for field in ("from", "relation", "to"))
    return Item("relation", relation_name(start, kind, end), "refused", checked)


def _checked(
    sort: type[Checked], fields: object, argument: str, listed: dict[str, str]
) -> Checked | str:
    """The entity or relation of some fields, or all that is wrong with it."""

    def check(fields: object) -> Checked:
        return sort.from_json(fields, argument=argument, corrects=True)

    try:
        return check(fields)
    except InvalidInput as error:
        problems = problems_of(check, fields, argument, error)
        told_once = [_listed_once(problem, listed) for problem in problems]
        # The arguments of a call that links are its fields.
        return "; ".join(
            str(problem.renamed(problem.argument.removeprefix("."))) for problem in told_once
        )


def _name_in(value: object, field: str) -> str:
    content = value.get(field) if isinstance(value, Mapping) else value
    if content is None:
        return "?"
    return content[:200] if isinstance(content, str) else shortened(content)
