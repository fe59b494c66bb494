"""`Memory`, the one object with a lifetime: Python, the terminal and MCP open one and call it.

A method imports what it alone needs, so that a search does without importers and writers.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from graphmem import arguments
from graphmem.calls import recorded
from graphmem.memory.changing import Changing
from graphmem.memory.exploring import Exploring
from graphmem.model import Entity, Relation, Report
from graphmem.model.correction import SharedEnd
from graphmem.model.page import Page
from graphmem.model.period import Day
from graphmem.model.stats import Stats
from graphmem.progress import SILENT, Progress

if TYPE_CHECKING:
    from graphmem.memory.writing.remembering import Input
    from graphmem.write import WriteOptions


class Memory(Changing, Exploring):
    """Entities and relations of a project, in Neo4j: remember, search, get, link, forget.

    Made by `open`; a context manager; safe to share between threads.
    """

    def get(self, names: str | Sequence[str], *, project: str | None = None) -> list[Page]:
        """Read entities in full, in the order of the names; each once.

        Args:
            names: Names, aliases, titles or keys, or places of code such as `app/store.py:12`; one
                or a list.
            project: The project; by default the memory's own.

        Returns:
            A page for each entity, with at most 200 relations each way.

        Raises:
            InvalidInput: A name is blank or not a text, or the project is not allowed.
            NotFound: A name leads to no entity, or to several; then nothing is returned.
        """
        from graphmem import read
        from graphmem.memory.names.resolving import keys_of

        checked_names = arguments.names(names)
        keys = keys_of(self.graph, self.project_name(project), checked_names, by_place=True)
        pages = {page.entity.key: page for page in read.pages(self.graph, keys)}
        return [pages[key] for key in dict.fromkeys(keys) if key in pages]

    def in_layers(self, names: Sequence[str], *, project: str | None = None) -> list[Entity]:
        """Read the entities with these names in the project and its layers, without relations.

        Args:
            names: Current or former names; aliases and titles do not count.
            project: The project; by default the memory's own.

        Returns:
            Those that exist, including hidden ones, ordered by key.

        Raises:
            InvalidInput: A name is blank or not a text, or the project is not allowed.
        """
        from graphmem.memory.names.layers import in_layers

        return in_layers(self.graph, self.project_name(project), arguments.names(names))

    def remember(
        self,
        entities: Iterable[Entity | Mapping[str, object]] = (),
        relations: Iterable[Relation | Mapping[str, object]] = (),
        *,
        project: str | None = None,
        overwrite: bool = False,
        stubs: bool = False,
        dry_run: bool = False,
        progress: Progress = SILENT,
    ) -> Report:
        """Create or update entities, then relations between them; idempotent.

        The given fields replace those of a stored entity; aliases, tags, attributes and
        observations are added to the stored ones. An entity that was forgotten is active again.

        Args:
            entities: `Entity` values, or objects with the same fields, as in a JSON line.
            relations: Likewise; their ends are names, aliases, titles or keys.
            project: The project; by default the memory's own.
            overwrite: Whether aliases, tags, attributes and observations replace the stored ones.
            stubs: Whether a missing end of a relation is created; otherwise the relation is
                refused.
            dry_run: Whether to write nothing and report what would happen.
            progress: Receives the progress of embedding and writing.

        Returns:
            An item for each entity and relation, in the order given.

        Raises:
            InvalidInput: The project is not allowed, or one object is given instead of a list.
            DatabaseError: The database does not answer or refuses; earlier batches stay written.
        """
        from graphmem.memory.writing.former_names import former_name_notes
        from graphmem.memory.writing.remembering import Input
        from graphmem.write import WriteOptions

        arguments.methods("progress", progress, Progress)
        arguments.flags(overwrite=overwrite, stubs=stubs, dry_run=dry_run)
        project_name = self.project_name(project, writes=True)
        options = WriteOptions(project_name, overwrite=overwrite, dry_run=dry_run)
        assertions = Input.read(
            arguments.several("entities", entities), arguments.several("relations", relations)
        )
        report = self._write(assertions, options, stubs=stubs, progress=progress)
        notes = former_name_notes(assertions.entities, report)
        return replace(report, notes=(*report.notes, *notes)) if notes else report

    def link(
        self,
        start: str,
        relation: str,
        end: str,
        *,
        project: str | None = None,
        note: str | None = None,
        weight: float | None = None,
        confidence: float | None = None,
        source: str | None = None,
        valid_from: Day | str | None = None,
        valid_until: Day | str | None = None,
        attributes: Mapping[str, object] | None = None,
        unset: Sequence[str] = (),
        replaces: SharedEnd | None = None,
    ) -> Report:
        """Create or update one relation; idempotent.

        Args:
            start: The name of the entity where it starts.
            relation: Its type.
            end: The name of the entity where it ends.
            project: The project; by default the memory's own.
            note: Why they are linked.
            weight: The share of a hit's evidence that the link passes on, 0 to 1; by default 1.
            confidence: How certain it is, 0 to 1.
            source: Who or what stated it.
            valid_from: The day or moment from which it is valid, ISO 8601. It is part of the
                relation's identity: with another one, it is another relation.
            valid_until: The last day, or the moment, until which it is valid. Without `valid_from`
                it ends the relation of this type that holds then, whenever that one began.
            attributes: Custom attributes, added to the stored ones.
            unset: Fields to clear: note, weight, confidence, source, valid_until, and
                `attributes.NAME` for a custom attribute.
            replaces: With `from`, the other relations of this type from `start` that hold when
                this one begins end the day before, as for a new employer; with `to`, those to
                `end`, as for a new owner. Without `valid_from`, this one begins today. If more
                than 20 would end, it is refused.

        Returns:
            A report with one item: created, updated, unchanged, or refused with the reason if
            an end leads to no entity or a value is not allowed; then one for each relation that
            is replaced.

        Raises:
            InvalidInput: The project is not allowed.
            DatabaseError: The database does not answer or refuses.
        """
        fields = {
            "from": start, "relation": relation, "to": end, "note": note, "weight": weight,
            "confidence": confidence, "source": source, "valid_from": valid_from,
            "valid_until": valid_until, "attributes": attributes, "unset": unset,
            "replaces": replaces,
        }  # fmt: skip
        from graphmem.memory.writing.remembering import Input
        from graphmem.write import WriteOptions

        options = WriteOptions(self.project_name(project, writes=True))
        with recorded("link"):
            return self._write(Input.of_link(fields), options)

    def unlink(
        self,
        start: str,
        end: str,
        relation: str | None = None,
        *,
        valid_from: Day | str | None = None,
        project: str | None = None,
    ) -> Report:
        """Delete the relations from one entity to another.

        Args:
            start: The name of the entity where they start.
            end: The name of the entity where they end.
            relation: Their type; by default every type.
            valid_from: Only those valid from this day or moment, or with an empty text those
                without a beginning; by default all of them.
            project: The project; by default the memory's own.

        Returns:
            An item for each relation, `removed`; no items, but a note, if there was none.

        Raises:
            InvalidInput: A name is blank, or the relation, moment or project is not allowed.
            NotFound: One of the two names leads to no entity.
        """
        from graphmem.memory.writing.unlinking import unlink

        project_name = self.project_name(project, writes=True)
        return unlink(self.graph, project_name, (start, end), relation, valid_from)

    def forget(self, names: str | Sequence[str], *, project: str | None = None) -> Report:
        """Hide entities from searches; remembering one again brings it back.

        Args:
            names: Names, aliases, titles or keys; one or a list.
            project: The project; by default the memory's own.

        Returns:
            An item for each name: updated, unchanged (already forgotten) or refused (no such
            entity).

        Raises:
            InvalidInput: A name is blank or not a text, or the project is not allowed.
        """
        from graphmem.memory.writing.hiding import forget

        checked_names = arguments.names(names)
        with recorded("forget"):
            return forget(self.graph, self.project_name(project, writes=True), checked_names)

    def stats(self, *, project: str | None = None) -> Stats:
        """Count what a project holds, including hidden entities.

        Args:
            project: The project; by default the memory's own.

        Returns:
            The counts; all 0 for a project that holds nothing.

        Raises:
            InvalidInput: The project's name is not allowed, or out of reach.
            DatabaseError: The database does not answer, is too slow or refuses.
        """
        from graphmem import read

        return read.stats(self.graph, self.project_name(project))

    def _write(
        self,
        assertions: "Input",
        options: "WriteOptions",
        *,
        stubs: bool = False,
        progress: Progress = SILENT,
    ) -> Report:
        from graphmem.memory.writing.asserting import write

        try:
            with recorded("remember"):
                return write(
                    self.graph, self.model, assertions, options, stubs=stubs, progress=progress
                )
        finally:
            self._searches.samples.forget()
