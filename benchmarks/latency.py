"""Times the search statement beside its legs, on a made graph with hubs; loaded once and kept.

    python benchmarks/latency.py [--entities 50000] [--queries 200] [--rounds 3]

The graph has two passages and four relations an entity, one entity in a thousand a hub; words
follow Zipf's law over 20,000 made words, embeddings lie around 300 centres. It lives under the
project `latency/ENTITIES`, in a store of its own below GRAPHMEM_HOME. Every round times each query
as the whole statement, as each leg alone and as a bare round trip, in turn, so that a slow moment
hits all of them; the ratio is taken within the run.
"""

import argparse
import hashlib
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import attrs
import neo4j
import numpy as np

from graphmem import settings
from graphmem.cli.progress import ProgressDisplay
from graphmem.embedding import TOGETHER, ModelIdentity, State, Vector
from graphmem.graph import Graph
from graphmem.graph.opening import open_driver
from graphmem.memory import Memory
from graphmem.model.filters import Filters
from graphmem.search import Plan, SearchRequest, parameters
from graphmem.search.request import PLAIN

DIMENSIONS = 384
CENTRES = 300
WORDS = 20_000
BATCH = 5_000
Work: TypeAlias = Callable[[dict[str, Any]], object]

LEGS = ("vector", "text", "name", "nothing")
FOLDER = Path(__file__).parent / "legs"


class MadeEmbedder:
    """Embeddings around centres that a text's digest names; no model is loaded."""

    state: State = "ready"
    reason: str | None = None
    together: int = TOGETHER

    def __init__(self, identity: ModelIdentity) -> None:
        self._identity = identity
        self._centres = np.random.default_rng(7).normal(size=(CENTRES, DIMENSIONS))

    def identity(self) -> ModelIdentity:
        """What the store was made with."""
        return self._identity

    def wait(self, seconds: float | None = None) -> bool:  # noqa: ARG002 - the protocol's
        """It is always ready."""
        return True

    def query(self, text: str) -> Vector:
        """A vector near a centre."""
        seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
        noise = np.random.default_rng(seed)
        made = self._centres[seed % CENTRES] + 1.2 * noise.normal(size=DIMENSIONS)
        return [float(part) for part in made / np.linalg.norm(made)]

    def documents(
        self, texts: Sequence[str], *, advance: Callable[[int], None] = lambda _: None
    ) -> list[Vector]:
        """A vector for each text."""
        advance(len(texts))
        return [self.query(text) for text in texts]


def main() -> int:
    """Load what is missing, measure, print."""
    arguments = options(__doc__, queries=200, rounds=3)
    with loaded(arguments.entities) as memory:
        stats = memory.stats()
        print(
            f"{stats.entities:,} entities, {stats.passages:,} passages, "
            f"{stats.relations:,} relations"
        )
        measure(memory, arguments.queries, arguments.rounds)
    return 0


def options(about: str | None, **numbers: float) -> argparse.Namespace:
    """Read the command line of a benchmark on the made graph: its size, and numbers by default."""
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawTextHelpFormatter
    )
    for name, default in {"entities": 50_000, **numbers}.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    return parser.parse_args()


@contextmanager
def loaded(entities: int) -> Iterator[Memory]:
    """Open the store of the made graph; what is not there yet is written first."""
    config = settings.load()
    config = attrs.evolve(config, home=config.home / "latency")
    with Memory.open(
        project=f"latency/{entities}",
        config=config,
        embedder=MadeEmbedder(ModelIdentity("made", "1", DIMENSIONS)),
        progress=ProgressDisplay(),
    ) as memory:
        load(memory, entities)
        yield memory


def load(memory: Memory, count: int) -> None:
    """Write the graph where it is not there yet."""
    have = memory.stats()
    if have.entities >= count and have.relations >= count:
        return
    chance = random.Random(11)
    vocabulary = words(chance)
    with ProgressDisplay() as shown:
        for start in range(0, count, BATCH):
            ahead = range(start, min(start + BATCH, count))
            memory.remember([entity(i, chance, vocabulary) for i in ahead], progress=shown)
        for start in range(0, count, BATCH):
            ahead = range(start, min(start + BATCH, count))
            memory.remember(
                relations=[one for i in ahead for one in relations(i, count, chance)],
                progress=shown,
            )


def words(chance: random.Random) -> list[str]:
    """20,000 made words."""
    letters = "abcdefghiklmnoprstuvz"
    return ["".join(chance.choices(letters, k=chance.randint(3, 9))) for _ in range(WORDS)]


def sentence(chance: random.Random, vocabulary: Sequence[str], length: int) -> str:
    """Words by Zipf's law."""
    weights = ZIPF[: len(vocabulary)]
    return " ".join(chance.choices(vocabulary, cum_weights=weights, k=length))


ZIPF = list(np.cumsum([1 / (rank + 10) for rank in range(WORDS)]))


def entity(number: int, chance: random.Random, vocabulary: Sequence[str]) -> dict[str, Any]:
    """An entity with two observations."""
    return {
        "name": f"{sentence(chance, vocabulary, 2)} {number}",
        "kind": f"Kind {number % 12}",
        "tags": [f"tag {number % 40}"],
        "aliases": [f"E-{number}"],
        "observations": [sentence(chance, vocabulary, 40), sentence(chance, vocabulary, 25)],
    }


def relations(number: int, count: int, chance: random.Random) -> list[dict[str, Any]]:
    """Four relations: three to anywhere, one to a hub."""
    hub = chance.randrange(max(1, count // 1_000)) * 1_000
    ends = [*(chance.randrange(count) for _ in range(3)), hub]
    return [
        {
            "from": f"E-{number}",
            "relation": f"TYPE_{i}",
            "to": f"E-{end}",
            "weight": chance.random(),
        }
        for i, end in enumerate(ends)
    ]


def measure(memory: Memory, count: int, rounds: int) -> None:
    """Time every query as a whole, leg by leg, and as nothing."""
    prepared = [made(memory, query) for query in queries(count)]
    milliseconds: dict[str, list[float]] = {name: [] for name in ("search", *LEGS)}
    with bare(memory.graph) as session:
        works: dict[str, Work] = {"search": partial(whole, memory.graph)}
        for name in LEGS:
            works[name] = partial(leg, session, (FOLDER / f"{name}.cypher").read_text())
        for turn in range(rounds + 1):
            for parameter in prepared:
                for name, work in works.items():
                    began = time.perf_counter()
                    work(parameter)
                    if turn:
                        milliseconds[name].append((time.perf_counter() - began) * 1000)
    print("\n| what | p50 ms | p95 ms |\n|---|---|---|")
    for name, figures_of in milliseconds.items():
        ordered = sorted(figures_of)
        p95 = ordered[int(0.95 * (len(ordered) - 1))]
        print(f"| {name} | {statistics.median(ordered):.1f} | {p95:.1f} |")
    legs = sum(statistics.median(milliseconds[name]) for name in ("vector", "text", "name"))
    searched = statistics.median(milliseconds["search"])
    print(f"\nsearch / sum of its legs: {searched / legs:.2f}")


def queries(count: int) -> list[str]:
    """Queries of six words and one name, the same every time."""
    chance = random.Random(5)
    vocabulary = words(random.Random(11))
    return [f"{sentence(chance, vocabulary, 6)} E-{chance.randrange(50_000)}" for _ in range(count)]


def made(memory: Memory, query: str) -> dict[str, Any]:
    """The parameter of one search."""
    vector, degraded = memory.model.query(query)
    assert degraded is None, degraded
    filters = Filters(projects=(memory.project_name(),))
    legs = memory._searches.adaptive.unfiltered_legs(filters.projects)
    request = SearchRequest.parsed(query, filters, Plan(), vector=vector)
    return parameters(request, unfiltered_legs=legs)


def bare(graph: Graph) -> neo4j.Session:
    """A session beside graphmem's own, for the legs alone."""
    driver, database = driver_of(graph)
    return driver.session(database=database, default_access_mode=neo4j.READ_ACCESS)


def driver_of(graph: Graph) -> tuple[neo4j.Driver, str]:
    """Another driver of the same server, encrypted alike, and the name of the database."""
    target = graph._target  # the same server, without graphmem between
    return open_driver(target, lambda: True), target.database


def whole(graph: Graph, parameter: dict[str, Any]) -> object:
    """The statement, as graphmem runs it where one project fills the store."""
    rows = graph.read(PLAIN, search=parameter)
    assert not rows[0]["refilled_legs"], "another project fills this store"
    return rows


def leg(session: neo4j.Session, text: str, parameter: dict[str, Any]) -> object:
    """One leg's statement."""
    return list(session.run(text, parameter))


if __name__ == "__main__":
    sys.exit(main())
