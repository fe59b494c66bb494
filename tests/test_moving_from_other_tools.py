"""Moving from another tool as a user does: its data imported by one process, served by another."""

import json
import subprocess
import sys
import uuid
from collections.abc import Mapping
from pathlib import Path

import pytest

from agents import agent_of
from code_folders import write


def imported(
    environment: Mapping[str, str], form: str, path: Path, project: str, *options: str
) -> str:
    """What `graphmem import` says; its exit status is that of a success."""
    command = [sys.executable, "-m", "graphmem", "import", form, str(path), "--project", project]
    command += options
    ended = subprocess.run(
        command, env=dict(environment), capture_output=True, text=True, timeout=300, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_forges_patterns_are_recalled_and_the_global_ones_by_every_project(
    environment: dict[str, str], tmp_path: Path
) -> None:
    own = f"w{uuid.uuid4().hex[:12]}"
    lines = {
        scope: {"id": f"mem_{scope}", "timestamp": "2026-03-01T10:00:00.000Z", "scope": scope,
                "pattern": f"{scope} {own}", "category": "dependency", "confidence": 0.6}
        for scope in ("project", "global")
    }  # fmt: skip
    folder = write(
        tmp_path / "one",
        {f".forge/memory/{scope}.jsonl": json.dumps(line) for scope, line in lines.items()},
    )
    projects = [f"example.org/tests/{own}-{name}" for name in ("one", "two")]
    imported(environment, "forge", folder, projects[0], "--layers", "user")
    options = [
        ("--profile", "forge", "--project", project, "--layers", "user") for project in projects
    ]
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
    with (
        agent_of(environment, tmp_path / "first", *options[0]) as first,
        agent_of(environment, tmp_path / "second", *options[1]) as second,
    ):
        assert first.text("memory_recall", query=own).splitlines() == [
            "Found 2 matches in project and global memory:",
            f"[dependency] 0.6 — project {own} (project, 2026-03-01T10:00:00Z)",
            f"[dependency] 0.6 — global {own} (global, 2026-03-01T10:00:00Z)",
        ]
        said = {"pattern": f"later {own}", "category": "convention", "scope": "global"}
        second.text("memory_save", **said)
        for agent in (first, second):
            found = agent.text("memory_recall", query=own, scope="global").splitlines()
            assert [line.partition(" — ")[2].partition(" (")[0] for line in found[1:]] == [
                f"later {own}", f"global {own}",
            ]  # fmt: skip
        assert "project memory" in second.text("memory_recall", query=own, scope="project")
        assert "Found 0" in second.text("memory_recall", query=own, scope="project")


def test_memcps_entities_are_found_with_their_links(
    environment: dict[str, str], tmp_path: Path, project: str
) -> None:
    dump = {
        "entities": [
            {"id": "entity:cart", "content": "Holds what is bought.", "labels": ["shop"]},
            {"id": "entity:till", "content": "Takes money.", "type": "tool"},
            {"id": "entity:cart", "labels": ["web"], "meta": {"a": {"b": 1}}},
        ],
        "relations": [{"in": "entity:cart", "out": "entity:till", "rel_type": "asks"}],
    }
    path = tmp_path / "dump.json"
    path.write_text(json.dumps(dump))
    imported(environment, "memcp", path, project)
    with agent_of(environment, tmp_path, "--profile", "memcp", "--project", project) as agent:
        first, second = agent.call("search", query="bought")["entities"]
        assert (first["name"], first["labels"]) == ("cart", ["shop", "web"])
        assert (second["name"], second["via"][0]["relation"]) == ("till", "asks")


def test_the_memory_servers_graph_is_read_and_continued(
    environment: dict[str, str], tmp_path: Path, project: str
) -> None:
    lines: list[dict[str, object]] = [
        {"type": "entity", "name": "Cart", "entityType": "Entity", "observations": ["Holds it."]},
        {"type": "entity", "name": "Till", "entityType": "tool", "observations": []},
        {"type": "relation", "from": "Cart", "to": "Till", "relationType": "asks"},
    ]
    path = tmp_path / "memory.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    imported(environment, "memory-server", path, project)
    options = ("--profile", "memory-server", "--project", project)
    graph = [{name: line[name] for name in line if name != "type"} for line in lines]
    with agent_of(environment, tmp_path, *options) as agent:
        assert agent.call("read_graph") == {"entities": graph[:2], "relations": graph[2:]}
        assert agent.call("create_entities", entities=graph[:1]) == {"entities": []}
        agent.call("delete_entities", entityNames=["Till"])
        assert agent.call("read_graph") == {"entities": graph[:1], "relations": []}


CODE = {
    "shop/server.go": "package shop\n\n// Serve takes orders.\nfunc Serve(port int) error {\n"
    "\treturn listenForOrders(port)\n}\n\nfunc listenForOrders(port int) error {\n"
    "\treturn nil\n}\n",
    "shop/server_test.go": "package shop\n\nfunc TestServe(t *testing.T) {\n\tServe(1)\n}\n",
    "tools/keeper.py": "class Keeper:\n    def count(self, marmots):\n        return len(marmots)\n"
    "\n    def feed(self):\n        return self.count([])\n",
}


@pytest.fixture
def code(tmp_path: Path) -> Path:
    return write(tmp_path / "code", CODE)


def test_code_is_located_and_shown(
    environment: dict[str, str], tmp_path: Path, project: str, code: Path
) -> None:
    imported(environment, "code", code, project)
    with agent_of(environment, tmp_path, "--profile", "shaktiman", "--project", project) as agent:
        found = agent.text("search", query="listenForOrders").split("\n")
        assert found[1].startswith("shop/server.go:8-10  listenForOrders (function)  0.")
        assert "_test.go" not in "".join(found)
        tests = agent.text("search", query="Serve", scope="test", min_score=0)
        assert "shop/server_test.go:3-5  TestServe (function)" in tests
        whole = agent.text("search", query="Keeper", mode="full", max_results=1)
        source = CODE["tools/keeper.py"].strip().split("\n")
        assert "\n".join(f"> {line}".rstrip() for line in source) in whole
        packed = agent.text("context", query="take orders", budget_tokens=512)
        assert "## shop/server.go:4-6 Serve (function)" in packed
        assert "_test.go" not in packed
