"""The parts of a memory and its lifetime: opened, used as a context manager, closed."""

import copy
import logging
from collections.abc import Callable, Collection
from contextlib import ExitStack
from functools import wraps
from inspect import signature
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import ParamSpec, Self

from graphmem import arguments, migrations, schema, settings
from graphmem import search as searching
from graphmem.embedding import (
    Embedder,
    RecentEmbeddings,
    Reranker,
    configured_embedder,
    configured_reranker,
)
from graphmem.errors import NOT_SHOWN, InvalidInput
from graphmem.graph import Graph
from graphmem.memory.access import EVERYTHING, Access
from graphmem.memory.detecting import Detection
from graphmem.memory.store.connecting import connect, is_up, plan_waiter
from graphmem.memory.store.languages import StoreLanguages
from graphmem.memory.store.model import StoreModel
from graphmem.progress import SILENT, Progress
from graphmem.settings import ineffective

log = logging.getLogger("graphmem")

# A search waits for its turn as long as this many may take; a cold server takes long for the first.
WAITS = 3
# Projects that an error names.
NAMES_SHOWN = 10
# In the home: what a killed import embedded and did not write.
RECENT_EMBEDDINGS = "embeddings.sqlite"


P = ParamSpec("P")


def _names_open(initialize: Callable[P, None]) -> Callable[P, None]:
    """Have wrong arguments of a class that is not made directly answered by what makes it."""

    @wraps(initialize)
    def checked(*args: P.args, **options: P.kwargs) -> None:
        try:
            signature(initialize).bind(*args, **options)
        except TypeError as error:
            name = type(args[0]).__name__
            raise TypeError(f"{name} is made by `{name}.open()`, not directly: {error}") from None
        initialize(*args, **options)

    return checked


class Lifetime:
    """A connection, a model and a project, opened and closed together.

    Attributes:
        project: The project of calls that name none; None where each names one.
        folder: Where the project was found; None where it was named.
        access: The projects, layers and folders that calls may reach.
        graph: The connection, for statements that no method of a memory has.
        model: The model of the store's embeddings.
        languages: Those of the store's text indexes.
        reranker: What reorders the best hits of a search; None where no setting names one.
        closing: Callbacks of what works with the connection in the background, to be called before
            it is closed.
    """

    @_names_open
    def __init__(
        self,
        graph: Graph,
        model: StoreModel,
        project: str | None,
        *,
        languages: StoreLanguages | None = None,
        access: Access = EVERYTHING,
        await_plan: Callable[[], None] = lambda: None,
        reranker: Reranker | None = None,
    ) -> None:
        self.reranker = reranker
        self._await_plan = await_plan
        self.graph = graph
        self.access = access
        self.languages = languages or StoreLanguages(graph)
        self._searches = searching.SharedState.of(graph, seconds=WAITS * graph.timeout)
        self.closing = ExitStack()
        self.model = model
        self.project = project
        self.folder: Path | None = None

    @classmethod
    def open(
        cls,
        *,
        project: str | None = None,
        folder: Path | str | None = None,
        config: settings.Settings | None = None,
        embedder: Embedder | None = None,
        wait_for_model: bool = True,
        detect_project: bool = True,
        read_only: bool = False,
        access: Access = EVERYTHING,
        progress: Progress = SILENT,
    ) -> Self:
        """Connect and prepare the store; without `NEO4J_URI`, start the private Neo4j first.

        A new store gets its indexes, and an older one is brought up to date. With `read_only`, an
        older store is read as it is, with a warning in the log.

        Args:
            project: The project; by default the setting, the git remote or the folder.
            folder: The folder whose remote or path names the project; by default the current one.
            config: The settings; by default those of the environment.
            embedder: The model; by default the one of the settings, loaded in the background.
            wait_for_model: Whether calls wait for the model, as long as the setting allows. A
                server passes False: until the model is loaded, its searches answer from words and
                links, and what it writes is embedded later.
            detect_project: Whether a folder may name the project; if not, and none is given, every
                call must name one.
            read_only: Whether every write is refused.
            access: The projects, layers and folders that calls may reach; by default all.
            progress: Receives the progress of the server's start, of indexes and of migrations.

        Returns:
            The memory; use it in a `with` statement, or call `close` at the end.

        Raises:
            ConfigurationError: A setting cannot be used.
            InvalidInput: The project's name is not allowed.
            PrivateServerError: The private Neo4j does not start.
            SchemaMismatch: A newer graphmem made the store.
            DatabaseError: The database does not answer or refuses.
        """
        arguments.instance("config", config, settings.Settings | None)
        arguments.instance("folder", folder, str | PathLike | None)
        arguments.instance("access", access, Access)
        arguments.methods("embedder", embedder, Embedder)
        arguments.methods("progress", progress, Progress)
        if config is None:
            config = settings.load()
            ineffective.warn()
        detection = _detection(config, project, folder, detects=detect_project)
        embedder = embedder or configured_embedder(config, start=True)
        graph = connect(config, read_only=read_only, progress=progress, prepared=True)
        try:
            languages = _prepared(graph, config, read_only=read_only, progress=progress)
            name = None if detection is None else detection.name()
            await_plan = plan_waiter(config, progress)
            if not wait_for_model:
                await_plan()
                _warm(graph, languages)
            model = _model(graph, embedder, config, waits=wait_for_model, read_only=read_only)
            reranker = configured_reranker(config, waits=wait_for_model)
            memory = cls(
                graph, model, name,
                languages=languages, access=access, await_plan=await_plan, reranker=reranker,
            )  # fmt: skip
            memory.folder = None if detection is None else detection.folder()
        except BaseException:
            graph.close()
            raise
        return memory

    def limited(self, projects: Collection[str] | None = None, *, read_only: bool = False) -> Self:
        """Give this memory to a caller that may reach less; both are closed together.

        It has this memory's own project if that is in reach, else the only project that is.

        Args:
            projects: The names of the projects in reach; by default all of this memory's.
            read_only: Whether every write to a project is refused.
        """
        view = copy.copy(self)
        view.access = self.access.narrowed(projects, read_only=read_only)
        if projects is not None and self.project not in projects:
            reached = [name for name in projects if view.access.readable(name)]
            view.project = reached[0] if len(reached) == 1 else None
        return view

    def __enter__(self) -> Self:
        """Return the memory itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the memory."""
        self.close()

    def close(self) -> None:
        """Close the connection; the private server runs on until it has been idle for a while.

        Waits up to ten seconds for a write of the background that has begun. Passages without an
        embedding still wait for one afterwards.
        """
        self.closing.close()
        self.model.close()
        self.graph.close()

    def ping(self) -> None:
        """Check that the database can read its store.

        Raises:
            DatabaseError: It does not answer or refuses.
        """
        self.graph.read("read/store")

    def project_name(
        self, given: str | None = None, *, writes: bool = False, argument: str = "project"
    ) -> str:
        """The project that a call works on: the given one, else the memory's own.

        Args:
            given: As the caller wrote it.
            writes: Whether the call writes to the project.
            argument: The name of the caller's argument, for errors.

        Raises:
            InvalidInput: The name is not allowed, out of reach, or there is none.
        """
        name = self.project if given is None else given
        if name is None:
            raise InvalidInput(
                argument,
                NOT_SHOWN,
                "is required: the server has no project folder",
                hint=self._known_projects(),
            )
        check = self.access.writing if writes else self.access.reading
        return check(name, argument=argument)

    def _known_projects(self) -> str:
        """A sentence that names projects a caller may choose."""
        from graphmem.memory.searches.reach import in_reach  # noqa: PLC0415 - few calls need it

        names = list(islice(in_reach(self.graph, self.access), NAMES_SHOWN + 1))
        if not names:
            return "Name any, such as github.com/owner/repo; the first write to it creates it."
        shown = ", ".join(names[:NAMES_SHOWN])
        more = ", and there are more" if len(names) > NAMES_SHOWN else ""
        return f"Name it in every call. Known projects are {shown}{more}."


def _detection(
    config: settings.Settings, project: str | None, folder: Path | str | None, *, detects: bool
) -> Detection | None:
    """Look for the project: on a thread of its own if the server is up, otherwise at once.

    So an error is raised before a server starts. A project that was named is checked even if no
    folder may name it.
    """
    is_named = project is not None or config.project is not None
    if not is_named and not detects:
        return None
    detection = Detection(folder, project_name=project, setting=config.project)
    if is_named or not is_up(config):
        detection.name()
    else:
        detection.begin()
    return detection


def _prepared(
    graph: Graph, config: settings.Settings, *, read_only: bool, progress: Progress
) -> StoreLanguages:
    """Bring the store up to date, or say what an older one lacks; gives its languages."""
    indexes = None
    if not read_only:
        indexes = migrations.prepare(graph, config.languages, progress=progress)
    elif reason := migrations.check(graph):
        log.warning("%s", reason)
    return StoreLanguages.of(graph, config, indexes)


def _warm(graph: Graph, languages: StoreLanguages) -> None:
    """Have the server be ready for searches, before the first of them."""
    number = schema.stored_models(graph).number
    searching.warm(graph, languages.known, embedding_set=number)


def _model(
    graph: Graph, embedder: Embedder, config: settings.Settings, *, waits: bool, read_only: bool
) -> StoreModel:
    return StoreModel(
        graph,
        embedder,
        wait_for_model=waits,
        read_only=read_only,
        seconds=config.model_seconds,
        recent=RecentEmbeddings(config.home / RECENT_EMBEDDINGS),
    )
