"""Which project `rye_search` looks into, from the command line's import to the server's answer."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents import Agent, agent_of, checkout
from graphmem import project as projects
from graphmem.adapters.rye.profile.projects import project_of
from graphmem.memory import Memory
from rye_items import Tree, ids


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    tree = Tree(tmp_path / "tree")
    tree.tool("own/kiwi", description="A kiwi of its own.")
    return tree


def answer_to(agent: Agent, path: Path | str, **more: object) -> dict[str, Any]:
    options = {"query": "kiwi", "scope": "tool", "project_path": str(path)} | more
    return agent.call("rye_search", **options)


def test_what_was_imported_from_elsewhere_is_found_by_its_path(
    environment: dict[str, str], tree: Tree, tmp_path: Path
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    command = [sys.executable, "-m", "graphmem", "import", "rye", str(tree.folder)]
    subprocess.run(command, cwd=work, env=environment, check=True, capture_output=True)
    with agent_of(environment, work, "--profile", "rye") as agent:
        answer = answer_to(agent, tree.folder)
        assert ids(answer) == ["own/kiwi"]
        (note,) = answer["notes"]
        assert note.endswith(f"{projects.detect(work).name} was searched instead")
        assert "notes" not in answer_to(agent, work)
        nowhere = answer_to(agent, tmp_path / "nowhere")
        assert (nowhere["total"], nowhere["results"]) == (0, [])
        loaded = agent.call(
            "rye_load", item_type="tool", item_id="own/kiwi", project_path=str(tree.folder)
        )
        assert loaded["id"] == "own/kiwi"


def test_the_project_of_the_setting_wins_over_that_of_the_path(
    environment: dict[str, str],
    memory_of: Callable[[str], Memory],
    tree: Tree,
    tmp_path: Path,
) -> None:
    other = Tree(checkout(tmp_path / "other", "example.org/tests/rye-other"))
    other.tool("own/other_kiwi", description="Another kiwi.")
    memory_of("example.org/tests/rye-other").import_("rye", other.folder)
    here = checkout(tmp_path / "here", "example.org/tests/rye-here")
    memory_of("example.org/tests/rye-here").import_("rye", tree.folder)
    told = environment | {"GRAPHMEM_PROJECT": "example.org/tests/rye-here"}
    with agent_of(told, here, "--profile", "rye") as agent:
        assert ids(answer_to(agent, other.folder)) == ["own/kiwi"]
    with agent_of(environment, here, "--profile", "rye") as agent:
        assert ids(answer_to(agent, other.folder)) == ["own/other_kiwi"]
        nulls = {"max_distance": None}
        answer = answer_to(
            agent,
            other.folder,
            fuzzy={"enabled": True} | nulls,
            proximity={"enabled": None} | nulls,
            fields={"name": None, "description": "kiwi"},
        )
        assert ids(answer) == ["own/other_kiwi"]


def test_a_tilde_in_the_path_is_the_home(
    memory_of: Callable[[str], Memory],
    tree: Tree,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    named = projects.detect(tree.folder).name
    memory_of(named).import_("rye", tree.folder)
    place = project_of(memory_of(projects.detect().name), "~/tree")
    assert place is not None
    assert (place.project, place.notes) == (named, ())
    assert project_of(memory_of(named), "~/nowhere") is None
