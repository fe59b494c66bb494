"""What a process of the terminal imports: no more than it needs, as that is most of its start."""

import importlib
import json
import subprocess
import sys
import threading
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from fakes import FakeEmbedder
from graphmem import embedding, import_cost
from graphmem import project as projects
from graphmem.embedding import State
from graphmem.errors import InvalidInput
from graphmem.graph import Graph
from graphmem.memory.detecting import Detection
from graphmem.server import running
from graphmem.settings import Settings
from python_programs import run_python

# Runs a command, then names on stderr what was imported.
PROGRAM = """
import sys
from graphmem.cli import main

code = main(sys.argv[1:])
print("\\nimported:", *sys.modules, file=sys.stderr)
sys.exit(code)
"""
MODEL = {"torch", "sentence_transformers", "transformers", "onnxruntime", "tokenizers", "numpy"}
SERVER = {"fastmcp", "mcp_types", "starlette", "uvicorn"}
IMPORTERS = {
    "markdown_it",
    "yaml",
    "tree_sitter",
    "pathspec",
    "pathvalidate",
    "graphmem.transfer",
    "graphmem.write",
}
STARTING = {"filelock", "http.client", "cryptography"}


def imported(*tokens: str, environment: Mapping[str, str] | None = None) -> set[str]:
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, *tokens],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.returncode in {0, 1}, ran.stderr
    return set(ran.stderr.rpartition("imported:")[2].split())


def test_the_version_needs_no_library() -> None:
    own = imported("--version")

    assert "graphmem.cli" in own
    assert own.isdisjoint(
        {"cyclopts", "rich", "pydantic", "attrs", "git", "neo4j", *MODEL, *SERVER}
    )


# By command, those of some modules that were imported once its help was shown.
HELP = """
import sys
from graphmem.cli import main

commands, modules = (words.split(",") for words in sys.argv[1:])
for command in commands:
    assert main([*command.split(), "--help"]) == 0
    print(f"imported by {command!r}:", *sorted({*modules} & {*sys.modules}), file=sys.stderr)
"""


def test_help_needs_no_database_no_model_and_no_server() -> None:
    commands = ("", "search", "remember", "show", "serve", "db")
    heavy = {"neo4j", "git", "pydantic", *MODEL, *SERVER}
    ran = run_python(HELP, ",".join(commands), ",".join(["cyclopts", *heavy]), check=True)

    assert ran.stderr.splitlines() == [f"imported by {name!r}: cyclopts" for name in commands]


def test_a_search_by_words_needs_the_driver_and_little_else(environment: dict[str, str]) -> None:
    project = f"example.org/tests/{uuid.uuid4().hex}"
    words = ("search", "redis cache", "--mode", "keyword")

    own = imported(*words, "--project", project, environment=environment)

    assert "neo4j" in own
    unused = {"git", "pydantic", "rich.console", "rich.progress", *MODEL, *SERVER}
    assert own.isdisjoint(unused | IMPORTERS | STARTING)


def test_settings_need_no_library_of_models() -> None:
    script = "import sys, graphmem.settings as s; s.load(); print(*sys.modules)"
    ran = run_python(script, check=True)

    assert {"pydantic", "pydantic_settings", "dotenv"}.isdisjoint(ran.stdout.split())


# Imports that fail for a while


def names_of_driver(script: str) -> dict[str, bool]:
    ran = run_python(script, check=True)
    found: dict[str, bool] = json.loads(ran.stdout)
    return found


def test_the_driver_does_without_numpy_and_numpy_is_there_afterwards() -> None:
    assert names_of_driver(
        "import json, sys; from graphmem import import_cost as q\n"
        "with q.without(*q.DRIVER_EXTRAS): import neo4j\n"
        "before = 'numpy' in sys.modules\n"
        "import numpy\n"
        "print(json.dumps({'before': before, 'after': hasattr(numpy, 'array')}))"
    ) == {"before": False, "after": True}


def test_modules_imported_before_stay() -> None:
    with import_cost.without("json"):
        assert sys.modules["json"] is json


def test_blocked_modules_can_be_imported_again_after_an_error() -> None:
    name = "this_is_no_module"
    with pytest.raises(ModuleNotFoundError), import_cost.without(name):
        importlib.import_module(name)

    assert name not in sys.modules


def test_blocking_a_module_twice_leaves_nothing_behind() -> None:
    name = "this_is_no_module"
    with import_cost.without(name), import_cost.without(name):
        assert sys.modules[name] is None

    assert name not in sys.modules


@pytest.mark.parametrize("enabled", [True, False])
def test_garbage_is_collected_afterwards_as_it_was_before(
    enabled: bool,  # noqa: FBT001 - a table
) -> None:
    script = (
        "import gc, sys; from graphmem import import_cost\n"
        f"gc.enable() if {enabled} else gc.disable()\n"
        "with import_cost.uncollected(): assert not gc.isenabled()\n"
        f"assert gc.isenabled() is {enabled}"
    )
    run_python(script, check=True)


def test_what_is_kept_once_is_not_looked_through_again() -> None:
    script = (
        "import gc; from graphmem import import_cost\n"
        "import_cost.keep_imported(); kept = gc.get_freeze_count()\n"
        "own = [[] for _ in range(99)]\n"
        "import_cost.keep_imported(); assert gc.get_freeze_count() == kept > 1000"
    )
    run_python(script, check=True)


# The project, looked for meanwhile


def test_a_project_is_found_once_in_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[str] = []
    detect = projects.detect

    def recorded(*arguments: Any, **options: Any) -> projects.Project:  # noqa: ANN401 - as given
        threads.append(threading.current_thread().name)
        return detect(*arguments, **options)

    monkeypatch.setattr(projects, "detect", recorded)
    detection = Detection(None, project_name="example.org/a/b", setting=None)
    detection.begin()

    assert [detection.name() for _ in range(2)] == ["example.org/a/b"] * 2
    assert threads == ["graphmem-project"]


@pytest.mark.parametrize("at_once", [True, False])
def test_an_error_of_the_search_for_a_project_reaches_whoever_asks(
    at_once: bool,  # noqa: FBT001 - a table
) -> None:
    detection = Detection("/this/folder/is/not/there", project_name=None, setting=None)
    if not at_once:
        detection.begin()

    for _ in range(2):
        with pytest.raises(InvalidInput, match="/this/folder/is/not/there"):
            detection.name()


# The server's first search


@dataclass
class SlowEmbedder(FakeEmbedder):
    """A model that is ready once somebody has waited for it; keeps how long they would have."""

    state: State = "loading"
    waited: list[float | None] = field(default_factory=list)

    def wait(self, seconds: float | None = None) -> bool:
        self.waited.append(seconds)
        self.state = "ready"
        return True


def test_a_servers_first_search_uses_a_model_that_is_soon_there(
    config: Settings,
    graph: Graph,  # noqa: ARG001 - the server runs
    project: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = SlowEmbedder()
    monkeypatch.setattr(embedding, "configured_embedder", lambda *_, **__: model)
    opened = running._open(
        config, project, layers=frozenset(), folders=None, detect_project=True, read_only=False
    )
    with opened as memory:
        assert memory.search("redis cache").degraded is None
        assert model.waited[0] == running.FIRST_SEARCH_SECONDS
