"""`Memory`, the one object with a lifetime: every door opens one and calls it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from graphmem import arguments, packing, read, search
from graphmem.errors import DatabaseError
from graphmem.memory.context import packed, widened
from graphmem.memory.importing import import_path
from graphmem.memory.importing_project import ImportOptions
from graphmem.memory.layers import in_layers
from graphmem.memory.lifetime import Lifetime
from graphmem.memory.naming import forget, keys_of
from graphmem.memory.options import SearchOptions, planned
from graphmem.memory.remembering import Input
from graphmem.memory.writing import write
from graphmem.model import Answer, Context, Entity, Relation, Report, limits
from graphmem.progress import SILENT, Progress
from graphmem.search import SearchRequest
from graphmem.write import WriteOptions, delete_relations


class Memory(Lifetime):
    """Entities and relations of a project, in Neo4j: remember, search, get, link, forget.

    Made by `open`; a context manager; safe to share between threads.
    """

    def search(
        self, query: str, *, project: str | None = None, **options: Unpack[SearchOptions]
    ) -> Answer:
        """Find entities by words, meaning and name, and those one relation away from them.

        Args:
            query: 1 to 10,000 characters; a text without words finds nothing. Operators, phrases,
                patterns and fields are those of `docs/query-language.md`.
            project: The project; by default the memory's own.
            options: Filters, bounds and ways of ranking; see `SearchOptions`.

        Returns:
            The hits, best first, ties by key.

        Raises:
            InvalidInput: An argument is not allowed.
            DatabaseError: The database does not answer, is too slow or refuses.
        """
        arguments.query(query)
        filters, plan = planned(self.project_name(project), options)
        plan = replace(plan, calibration=self.model.calibration)
        cursor = options.get("cursor")
        try:
            plan = replace(plan, languages=self.languages.known)
            return self._answer(SearchRequest.parsed(query, filters, plan, cursor=cursor))
        except DatabaseError as error:
            plan = replace(plan, languages=self.languages.changed(error))
        return self._answer(SearchRequest.parsed(query, filters, plan, cursor=cursor))

    def _answer(self, request: SearchRequest) -> Answer:
        embed = None if request.plan.mode == "keyword" else self.model.query
        self.await_plan()
        return search.search(
            self.graph, request, embed=embed, adaptive=self.adaptive, limiter=self.limiter
        )

    def context(
        self,
        query: str,
        *,
        project: str | None = None,
        budget: int = packing.BUDGET,
        **options: Unpack[SearchOptions],
    ) -> Context:
        """Fill a budget of tokens with the best passages of a search, as one text for a prompt.

        Args:
            query: As for `search`.
            project: The project; by default the memory's own.
            budget: The most tokens the text takes, 256 to 32,768, counted as `Context` says.
            options: As for `search`; by default as many hits as the budget may hold.

        Returns:
            The text and what is in it; blank only where nothing was found.

        Raises:
            InvalidInput: An argument is not allowed.
            DatabaseError: The database does not answer, is too slow or refuses.
        """
        answer = self.search(query, project=project, **widened(budget, options))
        return packed(self.graph, answer, budget)

    def get(self, names: str | Sequence[str], *, project: str | None = None) -> list[read.Page]:
        """Read entities whole, by name, alias, title or key, in the order asked; each once.

        Raises:
            NotFound: A name leads to no entity, or to several; nothing is returned then.
        """
        asked = arguments.names(names)
        keys = keys_of(self.graph, self.project_name(project), asked)
        pages = {page.entity.key: page for page in read.pages(self.graph, keys)}
        return [pages[key] for key in dict.fromkeys(keys) if key in pages]

    def in_layers(self, names: Sequence[str], *, project: str | None = None) -> list[Entity]:
        """Read the entities of these names in the project and its layers, without relations.

        Those that are there are given, dead ones too, ordered by key; no alias or title counts.
        """
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
            InvalidInput: The project is not allowed.
            DatabaseError: The database does not answer or refuses; whole batches before it stay.
        """
        own = self.project_name(project, writes=True)
        how = WriteOptions(own, overwrite=overwrite, dry_run=dry_run)
        given = Input.read(entities, relations)
        return write(self.graph, self.model, given, how, stubs=stubs, progress=progress)

    def link(
        self,
        start: str,
        relation: str,
        end: str,
        *,
        project: str | None = None,
        note: str | None = None,
        weight: float | None = None,
    ) -> Report:
        """Create or update one relation; its report has one item."""
        said = Relation(start, relation, end, note=note, weight=weight)
        return self.remember(relations=[said], project=project)

    def unlink(
        self, start: str, end: str, relation: str | None = None, *, project: str | None = None
    ) -> int:
        """Delete the relations of one type, or of every type, from one entity to another.

        Returns:
            How many there were.

        Raises:
            NotFound: One of the two names leads to no entity.
        """
        if relation is not None:
            relation = limits.relation_type("relation", relation)
        first, last = keys_of(self.graph, self.project_name(project, writes=True), [start, end])
        return len(delete_relations(self.graph, first, last, relation))

    def forget(self, names: str | Sequence[str], *, project: str | None = None) -> Report:
        """Hide entities from every search; remembering one again brings it back.

        Returns:
            An item for each name: updated, unchanged (forgotten before) or refused (not there).
        """
        asked = arguments.names(names)
        return forget(self.graph, self.project_name(project, writes=True), asked)

    def import_(
        self,
        form: str,
        path: Path | str,
        *,
        project: str | None = None,
        mentions: bool | None = None,
        allow_removals: bool = False,
        everything: bool = False,
        dry_run: bool = False,
        progress: Progress = SILENT,
    ) -> Report:
        """Read a file or folder in one of the formats of `transfer.FORMATS`; idempotent.

        What is read is written batch by batch; a second run goes on where a first was killed. An
        import replaces what an earlier import of the same path asserted, and nothing else.

        Args:
            form: A name of `transfer.FORMATS`.
            path: A file or folder.
            project: The project; by default the memory's own.
            mentions: Whether texts are linked to what they name; by default the format does.
            allow_removals: Whether more than a fifth of what earlier imports of the path brought in
                (and more than 20 entities) may be removed.
            everything: Whether rows that name a project of their own belong to it, as those of
                `export_all` do; otherwise they are refused.
            dry_run: Whether the report says what would happen and nothing is written.
            progress: Hears of the reading, embedding and writing.

        Returns:
            An item for each entity and relation, with its place; refused rows with the reason, and
            what an earlier import of the same path said and this one does not (`Format.whole`).

        Raises:
            InvalidInput: There is no such format or path.
            DatabaseError: The database does not answer or refuses; whole batches before it stay.
        """
        how = WriteOptions(self.project_name(project, writes=True), dry_run=dry_run)
        model = None if dry_run else self.model.attempt(progress, resumable=True)
        options = ImportOptions(mentions, allow_removals, everything)
        report = import_path(
            self.graph, model, form, Path(path), how,
            access=self.access, options=options, progress=progress,
        )  # fmt: skip
        if dry_run:
            return report
        return replace(report, notes=(*report.notes, *self.model.notes(model)))

    def export(self, *, project: str | None = None) -> Iterator[dict[str, object]]:
        """Every entity, then every relation, as objects of JSON lines; importing restores them."""
        own = self.project_name(project)
        for entity in read.all_entities(self.graph, own):
            yield entity.to_json()
        for relation in read.all_relations(self.graph, own):
            yield relation.to_json()

    def export_all(self) -> Iterator[dict[str, object]]:
        """Every project and layer as JSON lines that name it and who asserted what.

        `import_("jsonl", path, everything=True)` restores them, into an empty store or beside what
        is there: of two words of one author on one fact the later counts.
        """
        for own in read.projects(self.graph):
            self.access.reading(own)
            for entity in read.all_entities(self.graph, own, provenance=True):
                yield {**entity.to_json(), "project": own}
            for relation in read.all_relations(self.graph, own, provenance=True):
                yield {**relation.to_json(), "project": own}

    def stats(self, *, project: str | None = None) -> read.Stats:
        """Count what a project holds."""
        return read.stats(self.graph, self.project_name(project))
