"""Write a small store as text: its nodes and relations, and what the code that made it answers.

Run it with a checkout of the version whose stores are to be opened for ever:

    PYTHONPATH=CHECKOUT:CHECKOUT/tests/helpers python scripts/write_store_file.py FILE

Then add the file to `tests/store_files`: `tests/test_migrations.py` loads each, brings it up
to date and compares the answers. Only calls are made here that every version has.
"""  # noqa: INP001 - a script, not a package

from __future__ import annotations

import json
import sys
import tempfile
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import neo4j
import neo4j.time

from fakes import FakeEmbedder
from graphmem.embedding import ModelIdentity
from graphmem.memory import Memory
from graphmem.memory.store.connecting import connect
from graphmem.progress import SILENT
from neo4j_servers import fresh_home, small

# Embeddings of a few numbers keep the file short.
IDENTITY = ModelIdentity("made-for-tests", "1", 8)
PROJECT = "example.org/team/notes"
# Stands for the folder that was imported, wherever it was.
FOLDER = "{folder}"

NOTES = {
    "Redis cache.md": "---\nkind: Decision\ntags: [infra]\nowner: ops\n---\n"
    "Sessions are kept in Redis.\n\nIt serves the [[Session store]].\n",
    "Session store.md": "Keeps who is signed in. См. также [[Old plan]].\n",
    "Old plan.md": "---\nstatus: active\n---\nSessions on disk, next to [[Redis cache]].\n",
    "Lone page.md": "Nobody has said anything of it but its file.\n",
}
ROWS: list[dict[str, object]] = [
    {"type": "entity", "name": "Ticket 7", "kind": "Ticket", "title": "Slow sign-in",
     "observations": ["Seen on Monday.", {"text": "Again on Friday.", "source": "ops"}]},
    {"type": "entity", "name": "Ticket 8", "kind": "Ticket", "text": "Signing in fails."},
    {"type": "relation", "from": "Ticket 8", "relation": "BLOCKS", "to": "Ticket 7",
     "note": "from the tracker", "weight": 0.5, "attributes": {"since": 3}},
    {"type": "relation", "from": "Ticket 7", "relation": "ABOUT", "to": "Redis cache"},
]  # fmt: skip
LONG = "\n\n".join(
    f"## Part {part}\n\n" + f"The lighthouse keeper wrote line {part} of the log. " * 12
    for part in range(4)
)
BY_HAND: list[dict[str, Any]] = [
    {"name": "Redis cache", "tags": ["by-hand"], "observations": ["Runs on two machines."]},
    {"name": "Harbour", "kind": "Place", "title": "The harbour", "aliases": ["Hafen", "Гавань"],
     "tags": ["sea", "infra"], "category": "places", "confidence": 0.75, "source": "walk",
     "created_at": "2025-03-01T10:00:00Z", "text": LONG,
     "attributes": {"depth": 12, "open": True, "path": "docs/sea/harbour.md",
                    "built": {"date": "1890-05-01"}, "berths": ["north", "south"]}},
    {"name": "Café ☕", "text": "Where the keeper reads the log.", "status": "draft"},
    {"name": "Bare"},
    {"name": "Closed pier", "observations": [
        {"text": "Shut for repairs.", "valid_from": "2020-01-01", "valid_until": "2020-02-01"}]},
    {"name": "app.py::serve", "tags": ["slow"], "observations": ["Takes a second."]},
]  # fmt: skip
CODE = {
    "app.py": 'def serve():\n    """Answers requests."""\n    return helper()\n\n\n'
    "def helper():\n    return 1\n",
    "old.py": "def gone():\n    return 2\n",
}
QUERIES = (
    "sessions redis",
    "lighthouse keeper",
    "Гавань",
    "Session AND disk",
    "signing",
    "answers requests",
)


def fill(memory: Memory, folder: Path) -> None:
    """Write what a team writes: imports, notes by hand, links, and things taken back."""
    notes = folder / "notes"
    notes.mkdir()
    for name, text in NOTES.items():
        (notes / name).write_text(text, encoding="utf-8")
    rows = folder / "tickets.jsonl"
    rows.write_text("\n".join(map(json.dumps, ROWS)), encoding="utf-8")
    memory.import_("markdown", notes)
    memory.import_("jsonl", rows)
    code = folder / "code"
    code.mkdir()
    for name, text in CODE.items():
        (code / name).write_text(text, encoding="utf-8")
    memory.import_("code", code)
    (code / "old.py").unlink()
    memory.import_("code", code)
    memory.remember(BY_HAND)
    memory.remember([{"name": "House style", "text": "Write plainly."}], project="@user")
    memory.remember(
        relations=[
            {"from": "Harbour", "relation": "NEAR", "to": "Café ☕", "note": "two minutes",
             "weight": 0.25, "confidence": 0.5, "source": "walk", "attributes": {"metres": 150}},
            {"from": "Café ☕", "relation": "NEAR", "to": "Harbour"},
            {"from": "Ticket 8", "relation": "BLOCKS", "to": "Ticket 7", "source": "by hand"},
        ]
    )  # fmt: skip
    memory.link("Bare", "ABOUT", "Harbour")
    memory.unlink("Bare", "Harbour")
    memory.forget("Old plan")
    memory.forget(["Bare", "app.py::helper"])


def answers(memory: Memory) -> dict[str, object]:
    """What the store answers, in the terms that stay the same between versions."""
    return {
        "export": {own: list(memory.export(project=own)) for own in (PROJECT, "@user")},
        "get": {
            name: memory.get(name)[0].to_json()
            for name in (
                "Redis cache",
                "Harbour",
                "Ticket 7",
                "Гавань",
                "Bare",
                "Old plan",
                "app.py::serve",
                "app.py::helper",
                "old.py::gone",
            )
        },
        "search": {
            query: sorted(hit.name for hit in memory.search(query, mode="keyword").hits)
            for query in QUERIES
        },
    }


def contents(session: neo4j.Session) -> dict[str, object]:
    """Every node and relation; writers' marks, which are swept, left out."""
    nodes = session.run(
        "MATCH (node) WHERE NOT node:GraphmemRequest "
        "RETURN elementId(node) AS id, labels(node) AS labels, properties(node) AS properties "
        "ORDER BY labels(node)[0], node.key, node.text"
    )
    numbers: dict[str, int] = {}
    made: list[object] = []
    for number, row in enumerate(nodes):
        numbers[row["id"]] = number
        made.append({"labels": sorted(row["labels"]), "properties": plain(row["properties"])})
    relations = session.run(
        "MATCH (start)-[relation]->(end) RETURN elementId(start) AS start, "
        "elementId(end) AS end, type(relation) AS type, properties(relation) AS properties"
    )
    links = [
        {
            "start": numbers[row["start"]],
            "type": row["type"],
            "end": numbers[row["end"]],
            "properties": plain(row["properties"]),
        }
        for row in relations
    ]
    links.sort(key=lambda link: (link["start"], link["type"], link["end"]))
    return {"nodes": made, "relations": links}


def plain(value: Any) -> Any:  # noqa: ANN401 - whatever a property holds
    """A property as JSON has it; a moment and a day as an object that says which."""
    if isinstance(value, neo4j.time.DateTime | neo4j.time.Date):
        return plain(value.to_native())
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {name: plain(item) for name, item in sorted(value.items())}
    if isinstance(value, datetime):
        value = {"datetime": value.astimezone(UTC).isoformat()}
    elif isinstance(value, date):
        value = {"date": value.isoformat()}
    return round(value, 6) if isinstance(value, float) else value


def main() -> None:
    """Make a store in a home of its own and write it to the file that was named."""
    target = Path(sys.argv[1])
    with fresh_home() as home, tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        settings = small(home, query_seconds=120)
        model = FakeEmbedder(made_with=IDENTITY)
        with Memory.open(project=PROJECT, config=settings, embedder=model) as memory:
            fill(memory, folder)
            said = answers(memory)
        with (
            connect(settings, read_only=True, progress=SILENT) as graph,
            graph._session("READ") as session,  # noqa: SLF001 - every version has it
        ):
            store = contents(session)
        written = json.dumps({"answers": said, **store}, ensure_ascii=False, indent=1)
    target.write_text(written.replace(str(folder), FOLDER) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
