"""`Memory`, the one object with a lifetime: every door opens one and calls it.

What only some verbs need is imported by them: a search does without importers and writers.
"""

from collections.abc import Iterable, Mapping, Sequence

from graphmem import arguments
from graphmem.calls import recorded
from graphmem.memory.changing import Changing
from graphmem.memory.exploring import Exploring
from graphmem.model import Entity, Relation, Report
from graphmem.model.page import Page
from graphmem.model.period import Day
from graphmem.model.stats import Stats
from graphmem.progress import SILENT, Progress


class Memory(Changing, Exploring):
    """Entities and relations of a project, in Neo4j: remember, search, get, link, forget.

    Made by `open`; a context manager; safe to share between threads.
    """

    def get(self, names: str | Sequence[str], *, project: str | None = None) -> list[Page]:
        """Read entities whole, in the order asked; each once.

        Args:
            names: Names, aliases, titles or keys; one or a list.
            project: The project; by default the memory's own.

        Returns:
            A page for each entity, with at most 200 relations each way.

        Raises:
            InvalidInput: A name is blank or no text, or the project is not allowed.
            NotFound: A name leads to no entity, or to several; nothing is returned then.
        """
        from graphmem import read
        from graphmem.memory.writing.naming import keys_of

        checked_names = arguments.names(names)
        keys = keys_of(self.graph, self.project_name(project), checked_names)
        pages = {page.entity.key: page for page in read.pages(self.graph, keys)}
        return [pages[key] for key in dict.fromkeys(keys) if key in pages]

    def in_layers(self, names: Sequence[str], *, project: str | None = None) -> list[Entity]:
        """Read the entities of these names in the project and its layers, without relations.

        Args:
            names: The names, of today or earlier ones; no alias or title counts.
            project: The project; by default the memory's own.

        Returns:
            Those that are there, hidden ones too, ordered by key.

        Raises:
            InvalidInput: A name is blank or no text, or the project is not allowed.
        """
        from graphmem.memory.writing.layers import in_layers

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

        What is said of an entity replaces its fields; aliases, tags, attributes and observations
        are added to those it has. An entity that was forgotten lives again.

        Args:
            entities: Values, or objects in the shape of a JSON line.
            relations: Likewise; their ends are names, aliases, titles or keys.
            project: The project; by default the memory's own.
            overwrite: Whether aliases, tags, attributes and observations replace what is stored.
            stubs: Whether a relation to a missing entity makes it; otherwise it is refused.
            dry_run: Whether the report says what would happen and nothing is written.
            progress: Hears of the embedding and writing.

        Returns:
            An item for each entity and relation, in the order given.

        Raises:
            InvalidInput: The project is not allowed, or one object is given in place of a list.
            DatabaseError: The database does not answer or refuses; whole batches before it stay.
        """
        from graphmem.memory.writing.asserting import write
        from graphmem.memory.writing.remembering import Input
        from graphmem.write import WriteOptions

        project_name = self.project_name(project, writes=True)
        options = WriteOptions(project_name, overwrite=overwrite, dry_run=dry_run)
        assertions = Input.read(
            arguments.several("entities", entities), arguments.several("relations", relations)
        )
        try:
            with recorded("remember"):
                return write(
                    self.graph, self.model, assertions, options, stubs=stubs, progress=progress
                )
        finally:
            self._searches.samples.forget()

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
    ) -> Report:
        """Create or update one relation; idempotent.

        Args:
            start: The name of the entity where it begins.
            relation: Its type.
            end: The name of the entity where it ends.
            project: The project; by default the memory's own.
            note: Why they are linked.
            weight: What the link passes on of a hit's evidence, 0 to 1; by default 1.
            confidence: How sure it is, 0 to 1.
            source: Who or what says so.
            valid_from: The day or moment from which it holds, ISO 8601. It is part of what makes
                the relation the same one: another one is another relation.
            valid_until: The last day, or the moment, until which it holds.
            attributes: Custom attributes, added to those it has.
            unset: Fields that go: note, weight, confidence, source, valid_until, and
                `attributes.NAME` for a custom attribute.

        Returns:
            A report with one item: created, updated, unchanged, or refused with the reason where
            an end leads to no entity or a value is not allowed.

        Raises:
            InvalidInput: The project is not allowed.
            DatabaseError: The database does not answer or refuses.
        """
        fields = {
            "from": start, "relation": relation, "to": end, "note": note, "weight": weight,
            "confidence": confidence, "source": source, "valid_from": valid_from,
            "valid_until": valid_until, "attributes": attributes, "unset": unset,
        }  # fmt: skip
        return self.remember(relations=[fields], project=project)

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
            start: The name of the entity where they begin.
            end: The name of the entity where they end.
            relation: Their type; by default every type.
            valid_from: Only the one that holds from this day or moment, or with an empty text the
                one without; by default all of them.
            project: The project; by default the memory's own.

        Returns:
            An item for each, removed; none, and a note, where there was none.

        Raises:
            InvalidInput: A name is blank, or the relation, moment or project is not allowed.
            NotFound: One of the two names leads to no entity.
        """
        from graphmem.memory.writing.naming import unlink

        project_name = self.project_name(project, writes=True)
        return unlink(self.graph, project_name, (start, end), relation, valid_from)

    def forget(self, names: str | Sequence[str], *, project: str | None = None) -> Report:
        """Hide entities from searches; remembering one again brings it back.

        Args:
            names: Names, aliases, titles or keys; one or a list.
            project: The project; by default the memory's own.

        Returns:
            An item for each name: updated, unchanged (forgotten before) or refused (not there).

        Raises:
            InvalidInput: A name is blank or no text, or the project is not allowed.
        """
        from graphmem.memory.writing.naming import forget

        checked_names = arguments.names(names)
        with recorded("forget"):
            return forget(self.graph, self.project_name(project, writes=True), checked_names)

    def stats(self, *, project: str | None = None) -> Stats:
        """Count what a project holds, the hidden entities included.

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
