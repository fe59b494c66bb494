"""Measures what filters lose: the ten nearest of what passes, against every passing text compared.

    python benchmarks/filters.py [--entities 50000] [--queries 20]

The store is that of `latency.py`, loaded where it is missing; one in twenty of its entities is
given a category, a confidence, a date and attributes. Each query is searched by meaning alone, so
that the vector index is what is measured; recall is the share of the exact ten, of those near
enough to be a find, that the search found, in the mean over the queries that have any.
"""

import statistics
import sys
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import neo4j
from latency import BATCH, FOLDER, bare, loaded, options
from latency import queries as made_queries

from graphmem.embedding.cosines import cosine_distribution
from graphmem.memory import Memory
from graphmem.search import Weights

BEST = 10
EVERY = 20
CITIES = ("Oslo", "Bergen", "Narvik", "Tromsø")
# A filter as a search takes it, and as a condition on an entity in Cypher.
FILTERS: dict[str, tuple[dict[str, Any], str]] = {
    "none": ({}, "true"),
    "kind": ({"kinds": ["Kind 3"]}, "entity.kind = 'Kind 3'"),
    "two kinds": ({"kinds": ["Kind 3", "Kind 4"]}, "entity.kind IN ['Kind 3', 'Kind 4']"),
    "tag": ({"tags": ["tag 7"]}, "'tag 7' IN entity.tags"),
    "kind and tag": (
        {"kinds": ["Kind 3"], "tags": ["tag 7"]},
        "entity.kind = 'Kind 3' AND 'tag 7' IN entity.tags",
    ),
    "no such tag": ({"where": {"tags_none": ["tag 7"]}}, "NOT 'tag 7' IN entity.tags"),
    "any of two tags": (
        {"tags": ["tag 7", "tag 8"]},
        "any(tag IN entity.tags WHERE tag IN ['tag 7', 'tag 8'])",
    ),
    "all of two tags, none such": ({"where": {"tags_all": ["tag 7", "tag 8"]}}, "false"),
    "category": ({"where": {"category": "area/2"}}, "entity.category = 'area/2'"),
    "category under": (
        {"where": {"category": {"under": "area"}}},
        "entity.category STARTS WITH 'area/'",
    ),
    "confidence": ({"where": {"confidence": {">=": 0.5}}}, "entity.confidence >= 0.5"),
    "since": ({"since": "2020-07-01"}, "entity.created_at >= datetime('2020-07-01T00:00Z')"),
    "until": ({"until": "2020-06-30"}, "entity.created_at < datetime('2020-07-01T00:00Z')"),
    "a day": (
        {"where": {"created_at": "2020-03-04"}},
        "date(entity.created_at) = date('2020-03-04')",
    ),
    "attribute": ({"where": {"attributes": {"city": "oslo"}}}, "entity.city = 'Oslo'"),
    "attribute in": (
        {"where": {"attributes": {"city": ["Oslo", "Narvik"]}}},
        "entity.city IN ['Oslo', 'Narvik']",
    ),
    "attribute not": (
        {"where": {"attributes": {"city": {"!=": "Oslo"}}}},
        "coalesce(entity.city <> 'Oslo', true)",
    ),
    "attribute less": ({"where": {"attributes": {"cost": {"<": 200}}}}, "entity.cost < 200"),
    "attribute between": (
        {"where": {"attributes": {"cost": {">=": 100, "<": 110}}}},
        "entity.cost >= 100 AND entity.cost < 110",
    ),
    "path under": (
        {"where": {"attributes": {"path": {"under": "src/3"}}}},
        "entity.path STARTS WITH 'src/3/'",
    ),
    "kind, city and cost": (
        {"kinds": ["Kind 8"], "where": {"attributes": {"city": "Oslo", "cost": {"<": 500}}}},
        "entity.kind = 'Kind 8' AND entity.city = 'Oslo' AND entity.cost < 500",
    ),
    "relation in": (
        {"where": {"has_relation": {"relation": "TYPE_3", "direction": "in"}}},
        "EXISTS { (entity)<-[:TYPE_3]-() }",
    ),
    "no relation in": (
        {"where": {"lacks_relation": {"relation": "TYPE_3", "direction": "in"}}},
        "NOT EXISTS { (entity)<-[:TYPE_3]-() }",
    ),
}


def main() -> int:
    """Load what is missing, search with every filter, print."""
    arguments = options(__doc__, queries=20)
    with loaded(arguments.entities) as memory, bare(memory.graph) as session:
        mark(memory, arguments.entities)
        print("| filter | passes, % | recall at 10, queries | statements | p50 ms |")
        print("|---|---|---|---|---|")
        for name, (narrowing, condition) in FILTERS.items():
            query_texts = made_queries(arguments.queries)
            print(f"| {name} | {measure(memory, session, query_texts, narrowing, condition)} |")
    return 0


def mark(memory: Memory, count: int) -> None:
    """Give one in twenty entities what filters ask for, where they do not have it yet."""
    for start in range(0, count, BATCH):
        numbers = range(start, min(start + BATCH, count), EVERY)
        pages = memory.get([f"E-{number}" for number in numbers])
        if pages[0].entity.category is None:
            memory.remember(
                marked(page.entity.name, number)
                for number, page in zip(numbers, pages, strict=True)
            )


def marked(name: str, number: int) -> dict[str, Any]:
    """What an entity is given by its number."""
    turn = number // EVERY
    day = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(days=turn % 366, hours=turn % 24)
    return {
        "name": name,
        "category": f"area/{turn % 5}",
        "confidence": turn % 10 / 10,
        "created_at": day.isoformat(),
        "attributes": {
            "city": CITIES[turn % len(CITIES)],
            "cost": turn % 1000,
            "path": f"src/{turn % 7}/{number}.py",
        },
    }


def measure(
    memory: Memory,
    session: neo4j.Session,
    query_texts: list[str],
    options: dict[str, Any],
    condition: str,
) -> str:
    """What passes, recall, statements a search and its time, as cells of a row."""
    exact = (FOLDER / "eligible.cypher").read_text(encoding="utf-8")
    exact = exact.replace("$condition", condition)
    scope = {"project": memory.project_name(), "best": BEST}
    shares: list[float] = []
    milliseconds: list[float] = []
    passing_count = 0
    before = memory.graph.statements
    for query in query_texts:
        began = time.perf_counter()
        answer = memory.search(query, mode="semantic", expand=False, limit=BEST, **options)
        milliseconds.append((time.perf_counter() - began) * 1000)
        vector, _ = memory.model.query(query)
        assert vector is not None
        sample = memory._searches.samples.of(
            (memory.project_name(),), memory.model.stored().number
        ).embeddings
        near = cosine_distribution(vector, sample, memory.model.calibration)
        least = near.cosine(Weights().deviations_low)
        best = session.run(exact, scope | {"vector": vector, "least": least}).single(strict=True)
        passing_count = best["passing"]
        if keys := set(best["keys"]):
            shares.append(len({hit.key for hit in answer.hits} & keys) / len(keys))
    statements = (memory.graph.statements - before) / len(query_texts)
    percent = 100 * passing_count / memory.stats().entities
    recall = f"{statistics.mean(shares):.3f} of {len(shares)}" if shares else "nothing to find"
    return f"{percent:.2g} | {recall} | {statements:.1f} | {statistics.median(milliseconds):.1f}"


if __name__ == "__main__":
    sys.exit(main())
