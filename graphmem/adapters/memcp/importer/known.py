"""The entities of an import: each once, and found again by the ends of relations."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from graphmem import text
from graphmem.adapters.memcp.importer.fields import KIND, name_of, together
from graphmem.importing.row import Row
from graphmem.model import Entity


@dataclass(slots=True)
class Known:
    """The entities of an import: by name and context, by id, and the contexts of each name."""

    versions: dict[tuple[str, str | None], list[Entity]] = field(default_factory=dict)
    places: dict[tuple[str, str | None], str] = field(default_factory=dict)
    by_id: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    by_name: dict[str, set[str | None]] = field(default_factory=dict)

    def add(self, written: object, entity: Entity, project: str | None, place: str) -> None:
        """Note an entity; said again in its context, it updates the one said before."""
        folded = text.normalised(entity.name)
        self.versions.setdefault((folded, project), []).append(entity)
        self.places.setdefault((folded, project), place)
        self.by_name.setdefault(folded, set()).add(project)
        own = name_of(written, None)
        if own is not None:
            self.by_id.setdefault(own, (entity.name, project))

    def entities(self) -> Iterator[Row]:
        """The entities in the order they were said first, each with a kind."""
        for (name, project), versions in self.versions.items():
            entity = together(versions)
            yield Row(
                self.places[name, project], replace(entity, kind=entity.kind or KIND), project
            )

    def end(self, written: object, context: str | None) -> tuple[str | None, str | None]:
        """The entity that an end of a relation means: its name and project."""
        whole = name_of(written, None)
        if whole is None:
            return None, context
        named = self.by_id.get(whole)
        if named is not None and context in {None, named[1]}:
            return named
        name = name_of(written, context) or whole
        contexts = self.by_name.get(text.normalised(name), set())
        return name, next(iter(contexts)) if context is None and len(contexts) == 1 else context
