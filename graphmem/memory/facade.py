"""`Memory`, the one object with a lifetime: every door opens one and calls it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Self, Unpack

from graphmem import arguments, read, schema, settings
from graphmem import project as projects
from graphmem import search as searching
from graphmem.embedding import Embedder
from graphmem.errors import InvalidInput
from graphmem.graph import Graph
from graphmem.memory.connecting import connect, loading_model
from graphmem.memory.importing import imported
from graphmem.memory.model import StoreModel
from graphmem.memory.naming import forget, keys_of
from graphmem.memory.options import SearchOptions, planned
from graphmem.memory.remembering import Said, remember
from graphmem.model import Answer, Entity, Relation, Report, limits
from graphmem.progress import SILENT, Progress
from graphmem.write import Writing, delete_relations


class Memory:
    """Entities and relations of a project, in Neo4j: remember, search, get, link, forget.

    Made by `open`; a context manager; safe to share between threads.
    """

    def __init__(self, graph: Graph, model: StoreModel, project: str | None) -> None:
        self.graph = graph
        self.model = model
        self.project = project

    @classmethod
    def open(
        cls,
        *,
        project: str | None = None,
        folder: Path | str | None = None,
        config: settings.Settings | None = None,
        embedder: Embedder | None = None,
        waits: bool = True,
        detects: bool = True,
        read_only: bool = False,
        progress: Progress = SILENT,
    ) -> Self:
        """Connect, starting the private Neo4j where no `NEO4J_URI` is set, and set up the schema.

        Args:
            project: The project; by default the setting, the git remote or the folder.
            folder: Where the project is looked for; by default the current folder.
            config: The settings; by default those of the environment.
            embedder: The model; by default the one of the settings, loaded in the background.
            waits: Whether calls wait for the model. A server says False: its searches answer from
                words and links until it is loaded, and its writes are embedded later.
            detects: Whether the project is looked for at all; else every call names one.
            read_only: Whether every write is refused.
            progress: Hears of the server's start and the making of indexes.

        Raises:
            ConfigurationError: A setting cannot be used.
            InvalidInput: The project's name is not allowed.
            PrivateServerError: The private Neo4j does not start.
            DatabaseError: The database does not answer or refuses.
        """
        config = config or settings.load()
        name = None
        if project is not None or config.project is not None or detects:
            name = projects.detect(folder, given=project, setting=config.project).name
        embedder = embedder or loading_model(config)
        graph = connect(config, read_only=read_only, progress=progress)
        try:
            if not read_only:
                schema.ensure(graph, progress=progress)
            if not waits:
                searching.warm(graph)
            return cls(graph, StoreModel(graph, embedder, waits=waits, read_only=read_only), name)
        except BaseException:
            graph.close()
            raise

    def __enter__(self) -> Self:
        """Give the memory itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the memory."""
        self.close()

    def close(self) -> None:
        """Close the connection; the private server stays until it has been idle."""
        self.model.close()
        self.graph.close()

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
        embed = None if plan.mode == "keyword" else self.model.query
        cursor = options.get("cursor")
        return searching.search(self.graph, query, filters, plan, embed=embed, cursor=cursor)

    def get(self, names: str | Sequence[str], *, project: str | None = None) -> list[read.Page]:
        """Read entities whole, by name, alias, title or key, in the order asked; each once.

        Raises:
            NotFound: A name leads to no entity, or to several; nothing is returned then.
        """
        asked = arguments.names(names)
        keys = keys_of(self.graph, self.project_name(project), asked)
        pages = {page.entity.key: page for page in read.pages(self.graph, keys)}
        return [pages[key] for key in dict.fromkeys(keys) if key in pages]

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
        how = Writing(self.project_name(project), overwrite=overwrite, dry_run=dry_run)
        return self._write(Said.read(entities, relations), how, stubs=stubs, progress=progress)

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
        first, last = keys_of(self.graph, self.project_name(project), [start, end])
        return len(delete_relations(self.graph, first, last, relation))

    def forget(self, names: str | Sequence[str], *, project: str | None = None) -> Report:
        """Hide entities from every search; remembering one again brings it back.

        Returns:
            An item for each name: updated, unchanged (forgotten before) or refused (not there).
        """
        asked = arguments.names(names)
        return forget(self.graph, self.project_name(project), asked)

    def import_(
        self,
        form: str,
        path: Path | str,
        *,
        project: str | None = None,
        dry_run: bool = False,
        progress: Progress = SILENT,
    ) -> Report:
        """Read a file or folder in one of the formats of `transfer.FORMATS`; idempotent.

        Returns:
            An item for each entity and relation, with its place; refused rows with the reason, and
            what an earlier import of the same path said and this one does not (`Format.whole`).

        Raises:
            InvalidInput: There is no such format or path.
        """
        how = Writing(self.project_name(project), overwrite=True, dry_run=dry_run)
        write = partial(self._write, stubs=False, progress=progress)
        return imported(self.graph, write, form, Path(path), how, progress=progress)

    def export(self, *, project: str | None = None) -> Iterator[dict[str, object]]:
        """Every entity, then every relation, as objects of JSON lines; importing restores them."""
        own = self.project_name(project)
        for entity in read.all_entities(self.graph, own):
            yield entity.to_json()
        for relation in read.all_relations(self.graph, own):
            yield relation.to_json()

    def stats(self, *, project: str | None = None) -> read.Stats:
        """Count what a project holds."""
        return read.stats(self.graph, self.project_name(project))

    def project_name(self, given: str | None = None) -> str:
        """The project a call works on: the one given, else the memory's own.

        Raises:
            InvalidInput: The name is not allowed, or there is none.
        """
        if given is not None:
            return projects.check_project_name(given)
        if self.project is None:
            raise InvalidInput("project", None, "this server knows no folder: name the project")
        return self.project

    def _write(self, said: Said, how: Writing, *, stubs: bool, progress: Progress) -> Report:
        model = None
        if said.entities and not how.dry_run:
            model = self.model.usable(progress)
        report = remember(self.graph, model, said, how, stubs=stubs, progress=progress)
        if how.dry_run or not (said.entities or stubs):  # relations alone need no model
            return report
        return replace(report, notes=self.model.finish(progress))
