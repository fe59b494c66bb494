"""Embeds a whole store with another model, while others go on reading and writing."""

from dataclasses import asdict, dataclass

from graphmem import schema, statements
from graphmem.embedding import MOST_DIMENSIONS, ModelIdentity, StoredModels, described
from graphmem.errors import DatabaseError, EmbeddingError, EmbeddingsReplaced
from graphmem.graph import Graph
from graphmem.memory.store.model import StoreModel
from graphmem.memory.store.write_model import WriteModel
from graphmem.progress import SILENT, Progress
from graphmem.write import remove_leftover
from graphmem.write.embeddings.reembedding import Tally, begin, make, search_next, start_again

# How often all passages are gone through for what was written meanwhile; the rest is embedded last.
MOST_PASSES = 5


@dataclass(frozen=True, slots=True)
class Reembedded:
    """What a store is embedded with now, and what was done for that.

    Args:
        model: The model whose embeddings are searched.
        previous: The one before; None where it was this one.
        embedded: Passages that were embedded.
        reused: Passages that were embedded before, by a call that was killed or another process.
        pending: Passages that have no embedding: the model failed on them, or they were just
            written.
    """

    model: ModelIdentity
    previous: ModelIdentity | None
    embedded: int
    reused: int
    pending: int

    def to_json(self) -> dict[str, object]:
        """Write it as JSON values."""
        return asdict(self)


def reembed(graph: Graph, model: StoreModel, *, progress: Progress = SILENT) -> Reembedded:
    """Embed a store with a model; see `Memory.reembed`."""
    if graph.read_only:
        raise DatabaseError(
            "this store was opened read-only; open it without read_only to embed it"
        )
    embedder = model.loaded(progress)
    identity = embedder.identity()
    if identity.dimensions > MOST_DIMENSIONS:
        raise EmbeddingError(
            f"the embeddings of {described(identity)} have {identity.dimensions:,} dimensions, and "
            f"Neo4j indexes at most {MOST_DIMENSIONS:,}; set GRAPHMEM_MODEL to another model"
        )
    models = _begun(graph, identity, progress)
    previous = None if models.searches(identity) else models.current
    work = _Work(graph, embedder, models, progress)
    if previous is not None:
        work.make()
    _remove(graph, progress)
    model.fill(progress)
    return Reembedded(
        model=identity,
        previous=previous,
        embedded=work.tally.embedded,
        reused=work.reused,
        pending=_counts(graph, schema.stored_models(graph).number)[1],
    )


class _Work:
    """The making of one set of embeddings.

    Args:
        graph: The store.
        embedder: The model of the set.
        models: What the store noted when the set was begun.
        progress: Receives its progress.
    """

    def __init__(
        self, graph: Graph, embedder: WriteModel, models: StoredModels, progress: Progress
    ) -> None:
        self._graph = graph
        self._embedder = embedder
        self._models = models
        self._progress = progress
        self._total = self._done = 0
        self.tally = Tally()
        self.reused = 0

    def make(self) -> None:
        """Embed every passage, and have the set be searched.

        Raises:
            DatabaseError: Another process gave the set up for another model.
        """
        self._total, missing = _counts(self._graph, self._models.number + 1)
        self._done = self.reused = self._total - missing
        try:
            self._make_all()
        except EmbeddingsReplaced:
            self._progress.say("Another process has finished the embeddings …")
        current_models = search_next(self._graph, self._models)
        if current_models.current != self._models.next:
            raise DatabaseError(
                "another process embeds the store with another model; let it finish, or run "
                "`graphmem reembed` again to give up what it has made"
            )
        self._advance(max(0, self._total - self._done))

    def _make_all(self) -> None:
        """Go through all passages until a pass after the making of the index finds none left."""
        is_indexed = False
        for _ in range(MOST_PASSES):
            passage_count = make(
                self._graph, self._embedder, self._models, self.tally, advance=self._advance
            )
            if passage_count is None or (is_indexed and passage_count == 0):
                return
            if not is_indexed:
                schema.index_next(self._graph, self._models, progress=self._progress)
                is_indexed = True
            start_again(self._graph, self._models)

    def _advance(self, more: int) -> None:
        self._done += more
        self._total = max(self._total, self._done)
        self._progress.advance("Embedding passages", self._done, self._total)


def _begun(graph: Graph, identity: ModelIdentity, progress: Progress) -> StoredModels:
    """Begin a set of embeddings, or find the one that was begun, once leftovers are removed."""
    while True:
        models = begin(graph, identity)
        if not models.leftover or models.searches(identity):
            return models
        _remove(graph, progress)


def _remove(graph: Graph, progress: Progress) -> None:
    """Remove embeddings that are not searched."""
    total = int(graph.read("read/store_counts")[0]["entities"])
    done = 0

    def advance(entities: int) -> None:
        nonlocal done
        done = min(done + entities, total)
        progress.advance("Removing earlier embeddings", done, total)

    models = schema.stored_models(graph)
    if models.leftover:
        remove_leftover(graph, models, advance=advance)
        advance(total)


def _counts(graph: Graph, number: int) -> tuple[int, int]:
    """How many passages there are, and how many have no embedding of a set."""
    row = graph.read(statements.of_embeddings("read/embedding_counts", number))[0]
    return row["passages"], row["missing"]
