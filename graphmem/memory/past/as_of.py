"""What was known at a moment: one entity, or a search of the store brought back to it."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar

from graphmem import read, text
from graphmem.embedding import Vector
from graphmem.errors import DatabaseError, DatabaseTimeout, EmbeddingError, NotFound
from graphmem.graph import Graph, Reader, Row, Transaction, rehearse
from graphmem.memory.past.walk_back import creation, stored_entity
from graphmem.memory.store.model import StoreModel
from graphmem.model import Answer
from graphmem.model.identity import RelationIdentity
from graphmem.model.json_object import iso
from graphmem.model.page import Direction, Neighbour, Page
from graphmem.search.plan import DEEP_POOL
from graphmem.search.request import Rewritten
from graphmem.search.statement import MOST_OF_VECTOR_INDEX
from graphmem.search.target import SearchTarget
from graphmem.write.assertions import entity_changes, states
from graphmem.write.time_travel.apply import Rewound, rewind
from graphmem.write.time_travel.plan import EmbedTexts, RewindPlan, planned

# More revisions than there are, in practice.
ALL = 100_000
# Texts that are embedded while other searches of the past wait.
FEW = 256
# The most passages that are set aside: a vector index still returns these, so its answer must have
# room for a pool of others.
MOST_ASIDE = MOST_OF_VECTOR_INDEX - DEEP_POOL

# Runs a search at a target.
Search = Callable[[SearchTarget], Answer]
Result = TypeVar("Result")

READ_ONLY = (
    "a search with as_of writes what was known into a transaction that is rolled back, which is "
    "not allowed read-only; `show NAME --as-of` (`get_as_of`, over MCP `history` with `as_of`) "
    "tells what one entity was"
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
        if self.graph.read_only or not self.may_write:
            raise DatabaseError(READ_ONLY)
        (row,) = self.graph.read("read/history_begins", projects=list(projects))
        require_history(self.graph, moment, row["first"])
        if self.embeds:
            self.model.usable()  # loaded before anybody waits for this transaction
        target = _PastTarget(self.graph, tuple(projects), moment, self._embed)
        answer = run(target)
        reasons = [*([answer.degraded] if answer.degraded else ()), *self._lacking(target.rewound)]
        return replace(answer, degraded="; ".join(reasons) or None)

    def _lacking(self, rewound: Rewound) -> Iterator[str]:
        """Reasons why a search by meaning may miss something."""
        number = rewound.without_embedding
        if self.embeds and number:
            yield (
                "1 passage of that time has no embedding any more and was searched by words only"
                if number == 1
                else f"{number} passages of that time have no embedding any more and were searched "
                "by their words only"
            )
        if self.embeds and rewound.passages > MOST_ASIDE:
            yield (
                f"{rewound.passages} passages have changed since, so some of what has not may be "
                "missing among what is near in meaning; a later moment has fewer"
            )

    def _embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        attempt = self.model.attempt() if self.embeds and len(texts) <= FEW else None
        if attempt is None:
            return ()
        try:
            return attempt.documents(list(texts))
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
        plan: What it takes to bring it back, found out when its turn comes.
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
            self.plan = planned(self.graph, self.projects, self.moment, embed=self.embed)
            yield
        finally:
            _TURN.release()

    def run(self, work: Callable[[Reader, Rewritten | None], Result]) -> Result:
        """Run a function on the past, in a transaction of its own that only writes and searches."""

        def rehearsed(transaction: Transaction) -> Result:
            self.rewound = rewind(transaction, self.plan)
            return work(transaction, Rewritten(self.rewound.keys, self.rewound.passages))

        return rehearse(self.graph, rehearsed)


def page_at(graph: Graph, key: str, moment: datetime) -> Page:
    """An entity as it was at a moment, with the relations that were there.

    Raises:
        NotFound: It was not there yet.
    """
    stored = stored_entity(graph, key)
    require_history(graph, moment, stored.properties.get("graphmem_history_from"))
    state = states.stored_state(stored)
    links = _relations(graph, key)
    rows = graph.read("read/revisions", keys=[key], limit=ALL)
    for row in rows:
        if row["at"] <= moment:
            break
        before = json.loads(row["before"])
        state = states.overlaid(state, before)
        _overlay_relations(links, key, before)
    for other, before in _of_others(graph, key, moment):
        _overlay_relations(links, other, before, end=key)
    created = creation(graph, stored)
    created_at = created.at if created is not None and created.at is not None else None
    name = stored.properties["name"]
    if (created_at is not None and created_at > moment) or not state:
        raise NotFound(
            f"{name} was not there yet at {iso(moment)}; it was created at {iso(created_at)}"
        )
    earlier_entity = entity_changes.of_state(
        replace(stored, passages=()), state, project=text.project_of(key)
    )
    properties = {**earlier_entity.properties, "updated_at": _updated(rows, moment) or created_at}
    entity = read.entity(properties, earlier_entity.passages, ids=True)
    number = next((row["revision"] for row in rows if row["at"] <= moment), 1)
    return Page(
        entity=replace(entity, revision=number),
        neighbours=_neighbours(graph, key, links, moment),
    )


def _of_others(graph: Graph, key: str, moment: datetime) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The revisions of other entities of the project, from now back to the moment."""
    after = graph.read("read/changes_after", projects=[text.project_of(key)], moment=moment)
    ids = [row["id"] for row in after]
    rows = graph.read("read/revisions_after", changes=ids, moment=moment, limit=ALL) if ids else []
    written_key = json.dumps(key, ensure_ascii=False)[1:-1]
    for row in rows:
        if row["key"] != key and written_key in row["before"]:
            yield row["key"], json.loads(row["before"])


def require_history(
    graph: Graph, moment: datetime, entity_history_from: datetime | None = None
) -> None:
    """Refuse a moment whose history was deleted.

    Args:
        graph: The store.
        moment: Of which is asked.
        entity_history_from: From when on the history of one entity is whole; None for always.

    Raises:
        NotFound: The moment lies before it.
    """
    (row,) = graph.read("read/store") or [{"store": {}}]
    first = max(filter(None, (row["store"].get("history_from"), entity_history_from)), default=None)
    if first is not None and moment < first:
        raise NotFound(f"history before {iso(first)} was deleted by `graphmem db compact`")


def _relations(graph: Graph, key: str) -> dict[RelationIdentity, Mapping[str, Any]]:
    rows = graph.read("read/incident_relations", keys=[key])
    return {RelationIdentity.of_row(row): row["stored"] for row in rows}


def _overlay_relations(
    links: dict[RelationIdentity, Mapping[str, Any]],
    key: str,
    before: Mapping[str, Any],
    *,
    end: str | None = None,
) -> None:
    """Restore relations that begin at an entity, or only those of them that end at another."""
    for path, value in before.items():
        if not path.startswith(states.RELATION):
            continue
        identity = RelationIdentity.of_token(key, path.removeprefix(states.RELATION))
        if end is not None and identity.end != end:
            continue
        if value is None:
            links.pop(identity, None)
        else:
            links[identity] = states.decoded_relation(key, value)[1]


def _updated(rows: Sequence[Row], moment: datetime) -> datetime | None:
    return next((row["at"] for row in rows if row["at"] <= moment), None)


def _neighbours(
    graph: Graph, key: str, links: Mapping[RelationIdentity, Mapping[str, Any]], moment: datetime
) -> tuple[Neighbour, ...]:
    """Relations that were there at a moment, as seen from the entity they are read of."""
    change_ids = sorted(
        {str(p["graphmem_change"]) for p in links.values() if p.get("graphmem_change")}
    )
    moments = (
        {row["id"]: row["at"] for row in graph.read("read/moments", ids=change_ids)}
        if change_ids
        else {}
    )
    relations = {
        identity: properties
        for identity, properties in links.items()
        if moments.get(str(properties.get("graphmem_change")), moment) <= moment
    }
    keys = sorted({end for identity in relations for end in (identity.start, identity.end)})
    names = {row["key"]: row for row in graph.read("read/names_of", keys=keys)} if keys else {}
    return tuple(_as_neighbours(key, relations, names))


def _as_neighbours(
    key: str, links: Mapping[RelationIdentity, Mapping[str, Any]], names: Mapping[str, Row]
) -> Iterator[Neighbour]:
    for identity, properties in sorted(links.items()):
        outward = identity.start == key
        other = names.get(identity.end if outward else identity.start)
        if other is not None:
            direction: Direction = "out" if outward else "in"
            yield Neighbour.of_stored(properties, identity.relation, direction, other)
