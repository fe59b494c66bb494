"""Lines of an export with history: how tests write, read and compare them."""

import json
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from graphmem.calls import acting
from graphmem.memory import Memory

Line = dict[str, Any]
BEGINNING = "2000-01-01"


def told(memory: Memory, tmp_path: Path, **options: Any) -> Path:  # noqa: ANN401
    """A file of the project's export."""
    return written(tmp_path / f"{uuid.uuid4().hex}.jsonl", list(memory.export(**options)))


def written(path: Path, lines: list[Line]) -> Path:
    path.write_text("\n".join(json.dumps(line) for line in lines))
    return path


def history(memory: Memory, name: str, project: str | None = None) -> list[Line]:
    """The history of an entity without the ids of changes and where they are known from."""
    revisions = memory.history(name, project=project).to_json()["revisions"]
    return [
        {field: value for field, value in revision.items() if field not in {"change", "source"}}
        for revision in revisions  # type: ignore[attr-defined]
    ]


def live_through(memory: Memory, tmp_path: Path, moments: list[datetime]) -> Memory:
    """A project in which everything happened that is recorded."""
    facts = written(
        tmp_path / "facts.jsonl",
        [
            {"type": "entity", "name": "Imported", "tags": ["file"], "title": "From a file"},
            {"type": "relation", "from": "Imported", "relation": "USES", "to": "Cache"},
        ],
    )
    with acting("Anna"):
        memory.remember(
            [
                {"name": "Redis cache", "title": "First", "tags": ["a"], "observations": ["Fast."]},
                {"name": "Cache", "text": "A text.", "attributes": {"cost": 5}},
                {"name": "Store"},
                {"name": "Old"},
                {"name": "Slip"},
            ],
            [
                {"from": "Redis cache", "relation": "USES", "to": "Store", "note": "hot"},
                {"from": "Cache", "relation": "IN", "to": "Store"},
            ],
        )
    moments.append(datetime.now(UTC))
    memory.import_("jsonl", facts)
    with acting("Ben"):
        memory.edit({"name": "Redis cache", "title": "Second", "remove": {"tags": ["a"]}})
        memory.rename("Redis cache", "Valkey cache")
    moments.append(datetime.now(UTC))
    memory.merge("Cache", "Valkey cache")
    memory.supersede("Old", "Valkey cache", note="it was slow")
    memory.link("Valkey cache", "USES", "Store", note="cold", unset=["weight"])
    memory.unlink("Imported", "Valkey cache")
    moments.append(datetime.now(UTC))
    memory.forget("Store")
    memory.edit({"name": "Imported", "title": "By hand"})
    memory.undo("last")
    memory.purge("Slip")
    return memory


NAMES = ("Valkey cache", "Store", "Old", "Imported")


def entity(name: str, **provenance: object) -> Line:
    told = {"asserted_by": ["caller"], "revision": 2, "change": "", **provenance}
    return {"type": "entity", "name": name, "provenance": told}


def change(made_id: str, **more: object) -> Line:
    return {
        "type": "change",
        "id": made_id,
        "at": datetime.now(UTC).isoformat(),
        "verb": "remember",
        "by": "Anna",
        **more,
    }


def revision(key: str, made_id: str, number: int = 2, **more: object) -> Line:
    told = {"type": "revision", "key": key, "revision": number, "change": made_id}
    # Of now: another test may have deleted all history of before.
    return {**told, "at": datetime.now(UTC).isoformat(), "before": {"name": "Was"}, **more}
