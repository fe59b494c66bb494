"""The largest entity that is allowed, on a private server of the default heap."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from fakes import FakeEmbedder
from graphmem.errors import DatabaseMemory
from graphmem.graph import Graph, Transaction
from graphmem.memory import Memory
from graphmem.model.filters import Filters
from graphmem.model.limits import (
    CONTENT_BYTES,
    LIST_ITEMS,
    NAME_CHARACTERS,
    OBSERVATIONS,
    TEXT_BYTES,
)
from graphmem.search import Plan, SearchRequest, parameters

pytestmark = pytest.mark.faults


def test_thousands_of_passages_that_pass_a_filter_are_compared_within_the_servers_memory(
    memory: Memory, graph: Graph, embedder: FakeEmbedder
) -> None:
    memory.remember(
        [
            {"name": f"E{n}", "tags": ["odd"], "observations": [f"harbour {n}", f"berth {n}"]}
            for n in range(4000)
        ]
    )
    filters = Filters((memory.project_name(None),), tags=("odd",))
    vector = embedder.query("harbour")
    request = SearchRequest.parsed("harbour", filters, Plan(), vector=vector)

    made = parameters(request, second_pass=True)
    row = graph.read(request.statement, search=made)[0]

    assert (row["total"], row["truncated_legs"]) == (4000, [])


def test_a_transaction_beyond_the_servers_memory_is_refused_and_the_server_goes_on(
    memory: Memory, graph: Graph
) -> None:
    keys = [f"{memory.project_name(None)}#{n:02}" for n in range(40)]
    text = identifiers(random.Random(0), 4 * TEXT_BYTES)  # noqa: S311 - no secret

    def work(transaction: Transaction) -> None:
        transaction.run("write/lock_entities", keys=keys)
        for key in keys:
            properties = {"key": key, "text": text}
            row = {"key": key, "properties": properties, "add": [], "remove": []}
            transaction.run("write/put_entities", rows=[row])

    with pytest.raises(DatabaseMemory, match="GRAPHMEM_NEO4J_HEAP and run `graphmem db stop`"):
        graph.write(work)

    assert memory.stats().entities == 0


def identifiers(made: random.Random, size: int) -> str:
    """Text that takes the most room: the parts of identifiers are stored beside them."""
    words = [f"part{made.randrange(10**6)}_of_{made.randrange(10**6)}" for _ in range(size // 12)]
    return " ".join(words)[:size]


def test_the_largest_entity_is_written_searched_changed_exported_and_imported_again(
    memory: Memory, tmp_path: Path
) -> None:
    made = random.Random(0)  # noqa: S311 - no secret
    each = (CONTENT_BYTES - TEXT_BYTES) // OBSERVATIONS
    said: dict[str, Any] = {
        "name": "N" * NAME_CHARACTERS,
        "title": "T" * NAME_CHARACTERS,
        "text": identifiers(made, TEXT_BYTES),
        "observations": [
            f"{number} {identifiers(made, each)}"[:each] for number in range(OBSERVATIONS)
        ],
        "aliases": [f"alias {number} ".ljust(500, "a") for number in range(LIST_ITEMS)],
        "tags": [f"tag {number} ".ljust(190, "t") for number in range(LIST_ITEMS)],
        "attributes": {
            f"a{number}": [f"{number} {item} ".ljust(500, "v") for item in range(10)]
            for number in range(200)
        },
    }
    name = said["name"]
    assert [(i.outcome, i.reason) for i in memory.remember([said]).items] == [("created", None)]

    for more in (
        {"tags": [said["tags"][0]], "observations": [said["observations"][0]]},
        {"title": "quite another title"},
        {"status": "draft"},
        {"text": identifiers(made, TEXT_BYTES)},
    ):
        outcome = memory.remember([{"name": name, **more}]).items[0]
        assert (outcome.outcome, outcome.reason) == (
            "unchanged" if "tags" in more else "updated", None,
        )  # fmt: skip
    hits = memory.search("part", tags=[said["tags"][700]], status=["draft"]).hits
    assert [hit.name for hit in hits] == [name]
    (refused,) = memory.remember([{"name": name, "observations": ["one more"]}]).items
    assert refused.outcome == "refused"
    assert "5,000 are stored, 1 would be added" in (refused.reason or "")

    file = tmp_path / "largest.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in memory.export()), encoding="utf-8")
    report = memory.import_("jsonl", file, project=f"{memory.project}/again")
    assert [(item.outcome, item.reason) for item in report.items] == [("created", None)]
    assert memory.forget(name).items[0].outcome == "updated"
