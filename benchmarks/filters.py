"""Measures what filters lose: the ten nearest of what passes, against every passing text compared.

    python benchmarks/filters.py [--entities 50000] [--queries 20]

The store is that of `latency.py`, loaded where it is missing. Each query is searched by meaning
alone, so that the vector index is what is measured; recall is the share of the exact ten, of those
near enough to count as a find, that the search found, in the mean over the queries that have any.
"""

import statistics
import sys
import time
from typing import Any

import neo4j
from latency import FOLDER, bare, loaded, options
from latency import queries as made_queries

from graphmem.memory import Memory
from graphmem.search import Weights

BEST = 10
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
        print("| filter | passes, % | recall at 10, queries | statements | p50 ms |")
        print("|---|---|---|---|---|")
        for name, (narrowing, condition) in FILTERS.items():
            asked = made_queries(arguments.queries)
            print(f"| {name} | {measure(memory, session, asked, narrowing, condition)} |")
    return 0


def measure(
    memory: Memory,
    session: neo4j.Session,
    asked: list[str],
    options: dict[str, Any],
    condition: str,
) -> str:
    """What passes, recall, statements a search and its time, as cells of a row."""
    exact = (FOLDER / "eligible.cypher").read_text(encoding="utf-8")
    exact = exact.replace("$condition", condition)
    scope = {"project": memory.project_name(), "best": BEST, "least": Weights().cosine_low}
    shares: list[float] = []
    taken: list[float] = []
    passing = 0
    before = memory.graph.statements
    for query in asked:
        began = time.perf_counter()
        answer = memory.search(query, mode="semantic", expand=False, limit=BEST, **options)
        taken.append((time.perf_counter() - began) * 1000)
        vector, _ = memory.model.query(query)
        best = session.run(exact, scope | {"vector": vector}).single(strict=True)
        passing = best["passing"]
        if keys := set(best["keys"]):
            shares.append(len({hit.key for hit in answer.hits} & keys) / len(keys))
    statements = (memory.graph.statements - before) / len(asked)
    percent = 100 * passing / memory.stats().entities
    return (
        f"{percent:.2g} | {statistics.mean(shares):.3f} of {len(shares)} | {statements:.1f} "
        f"| {statistics.median(taken):.1f}"
    )


if __name__ == "__main__":
    sys.exit(main())
