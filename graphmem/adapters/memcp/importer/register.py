"""The entities of an import: each once, and found again by the ends of relations."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from graphmem import text
from graphmem.adapters.memcp.importer.fields import merge_versions, name_of
from graphmem.adapters.memcp.items import DEFAULT_KIND
from graphmem.importing.row import Row
from graphmem.model import Entity


@dataclass(slots=True)
class Register:
    """The entities of an import: by name and context, by id, and the contexts of each name."""

    versions: dict[tuple[str, str | None], list[Entity]] = field(default_factory=dict)
    places: dict[tuple[str, str | None], str] = field(default_factory=dict)
    by_id: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    by_name: dict[str, set[str | None]] = field(default_factory=dict)

    def add(self, identifier: object, entity: Entity, project: str | None, place: str) -> None:
        """Note an entity; said again in its context, it updates the one said before."""
        folded_name = text.normalised(entity.name)
        self.versions.setdefault((folded_name, project), []).append(entity)
        self.places.setdefault((folded_name, project), place)
        self.by_name.setdefault(folded_name, set()).add(project)
        own_id = name_of(identifier, None)
        if own_id is not None:
            self.by_id.setdefault(own_id, (entity.name, project))

    def entities(self) -> Iterator[Row]:
        """The entities in the order they were said first, each with a kind."""
        for (name, project), versions in self.versions.items():
            entity = merge_versions(versions)
            yield Row(
                self.places[name, project],
                replace(entity, kind=entity.kind or DEFAULT_KIND),
                project,
            )

    def end(self, identifier: object, context: str | None) -> tuple[str | None, str | None]:
        """The entity that an end of a relation means: its name and project."""
        full_id = name_of(identifier, None)
        if full_id is None:
            return None, context
        owner = self.by_id.get(full_id)
        if owner is not None and context in {None, owner[1]}:
            return owner
        name = name_of(identifier, context) or full_id
        contexts = self.by_name.get(text.normalised(name), set())
        return name, next(iter(contexts)) if context is None and len(contexts) == 1 else context
