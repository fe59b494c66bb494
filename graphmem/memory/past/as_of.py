"""A search of the store brought back to what was known at a moment."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeVar

from graphmem.embedding import Vector
from graphmem.errors import DatabaseError, DatabaseTimeout, EmbeddingError, quantity
from graphmem.graph import Graph, Reader, Transaction, rehearse
from graphmem.memory.past.beginning import require_history
from graphmem.memory.store.model import StoreModel
from graphmem.model import Answer
from graphmem.model.json_object import iso
from graphmem.search.plan import DEEP_POOL
from graphmem.search.request import Rewritten
from graphmem.search.statement import MOST_OF_VECTOR_INDEX
from graphmem.search.target import SearchTarget
from graphmem.write.time_travel.apply import Rewound, rewind
from graphmem.write.time_travel.plan import EmbedTexts, RewindPlan, plan_rewind

# Texts that are embedded while other searches of the past wait.
TEXTS_EMBEDDED_WHILE_LOCKED = 256
# The most passages that are set aside: a vector index still returns these, so its answer must have
# room for a pool of others.
MOST_ASIDE = MOST_OF_VECTOR_INDEX - DEEP_POOL

# Runs a search at a target.
Search = Callable[[SearchTarget], Answer]
Result = TypeVar("Result")

READ_ONLY = (
    "{} with as_of writes what was known into a transaction that is rolled back, which is "
    "not allowed read-only; `show NAME --as-of` (`get_as_of`, over MCP `history` with `as_of`) "
    "shows one entity as it was"
)

# One search of the past at a time in a process, so that a waiting writer gets its turn between.
_TURN = threading.Lock()


@dataclass(frozen=True, slots=True)
class Past:
    """Searches the store as it was.

    Args:
        graph: The store; it has to be open for writing, for it is written to and rolled back.
        model: Embeds what was said otherwise then.
        embeds: Whether anything is compared by meaning.
        may_write: Whether who asks may write, so that others may wait for it.
    """

    graph: Graph
    model: StoreModel
    embeds: bool = True
    may_write: bool = True

    def search(self, projects: Sequence[str], moment: datetime, run: Search) -> Answer:
        """Give the answer of a search of some projects at a moment.

        Changes since the moment are taken back in a transaction, which the search's statements run
        in and which is rolled back: nobody else sees it. Writers of the same entities, and of those
        they are linked with, wait until it ends.

        Raises:
            NotFound: History of that time was deleted.
            InvalidInput: Too much has changed since.
            DatabaseError: Nothing may be written, or the database does not answer, is too slow or
                refuses.
        """
        self.require_writing("a search")
        self._require_history(projects, moment)
        if self.embeds:
            self.model.usable()  # loaded before anybody waits for this transaction
        target = _PastTarget(self.graph, tuple(projects), moment, self._embed)
        answer = run(target)
        self._require_history(projects, moment)  # somebody may have deleted it meanwhile
        reasons = [*([answer.degraded] if answer.degraded else ()), *self._lacking(target.rewound)]
        notes = () if answer.hits else self.early_notes(projects, moment)
        return replace(answer, degraded="; ".join(reasons) or None, notes=(*answer.notes, *notes))

    def read(
        self, projects: Sequence[str], moment: datetime, work: Callable[[Reader], Result]
    ) -> Result:
        """Run a function that reads some projects as they were at a moment, as `search` does.

        Raises:
            NotFound: History of that time was deleted.
            InvalidInput: Too much has changed since.
            DatabaseError: The database does not answer, is too slow or refuses.
        """
        self._require_history(projects, moment)
        target = _PastTarget(self.graph, tuple(projects), moment, self._embed)
        with target.turn():
            result = target.run(lambda reader, _: work(reader))
        self._require_history(projects, moment)  # somebody may have deleted it meanwhile
        return result

    def require_writing(self, what: str) -> None:
        """Refuse to look at the past where nothing may be written.

        Args:
            what: What looks there, for the error.

        Raises:
            DatabaseError: Nothing may be written.
        """
        if self.graph.read_only or not self.may_write:
            raise DatabaseError(READ_ONLY.format(what))

    def _require_history(self, projects: Sequence[str], moment: datetime) -> None:
        (row,) = self.graph.read("read/history_begins", projects=list(projects))
        require_history(self.graph, moment, row["first"])

    def early_notes(self, projects: Sequence[str], moment: datetime) -> tuple[str, ...]:
        """A note on a moment before all that is recorded, when nothing may have been there yet."""
        (row,) = self.graph.read("read/first_change", projects=list(projects))
        first = row["at"]
        if first is None or first <= moment:
            return ()
        return (f"the first recorded change is of {iso(first)}, after {iso(moment)}",)

    def _lacking(self, rewound: Rewound) -> Iterator[str]:
        """Reasons why a search by meaning may miss something."""
        number = rewound.without_embedding
        if self.embeds and number:
            were_searched = quantity(
                number,
                "passage of that time has no embedding any more and was",
                "passages of that time have no embedding any more and were",
            )
            yield f"{were_searched} searched by words only"
        if self.embeds and rewound.passages > MOST_ASIDE:
            yield (
                f"{rewound.passages:,} passages have changed since, so some of what has not may be "
                "missing among what is near in meaning; a later moment has fewer"
            )

    def _embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        write_model = (
            self.model.for_write()
            if self.embeds and len(texts) <= TEXTS_EMBEDDED_WHILE_LOCKED
            else None
        )
        if write_model is None:
            return ()
        try:
            return write_model.documents(list(texts))
        except EmbeddingError:
            return ()


@dataclass(slots=True)
class _PastTarget:
    """The store brought back to a moment, for as long as a search's statements run.

    Args:
        graph: The store.
        projects: Those that are brought back.
        moment: Changes that were made after it count for nothing.
        embed: Embeds what was said otherwise then.
        plan: What brings it back; made when its turn comes.
        rewound: What was written for it the last time.
    """

    graph: Graph
    projects: tuple[str, ...]
    moment: datetime
    embed: EmbedTexts
    plan: RewindPlan = field(init=False)
    rewound: Rewound = field(default_factory=Rewound)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait until no other search of the past runs in this process, as long as a statement may.

        What changed is read then, and what was said is embedded: other searches of the past wait
        for that, and nobody else does.

        Raises:
            DatabaseTimeout: One still does.
            InvalidInput: Too much has changed since.
        """
        if not _TURN.acquire(timeout=self.graph.timeout):
            raise DatabaseTimeout("other searches of the past are running; try again soon")
        try:
            self.plan = plan_rewind(self.graph, self.projects, self.moment, embed=self.embed)
            yield
        finally:
            _TURN.release()

    def run(self, work: Callable[[Reader, Rewritten | None], Result]) -> Result:
        """Run a function on the past, in a transaction of its own that only writes and searches."""

        def rehearsed(transaction: Transaction) -> Result:
            self.rewound = rewind(transaction, self.plan)
            return work(transaction, Rewritten(self.rewound.keys, self.rewound.passages))

        return rehearse(self.graph, rehearsed)
