"""What a run in several processes needs: long files first, quick starts, no server left behind."""

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import platformdirs
import pytest

import short_lived_java
from graphmem import neo4j_process
from graphmem.errors import JavaNotFound
from graphmem.memory.connecting import preparation
from graphmem.neo4j_process import aot_training
from graphmem.neo4j_process.server import launch_of
from graphmem.settings import Settings

# The files that take longest, the longest first: a run ends sooner when none of them begins last.
LONGEST = (
    "test_neo4j_backup.py",
    "test_neo4j_recovery.py",
    "test_neo4j_comes_back.py",
    "test_neo4j_process.py",
    "test_profile_memcp.py",
    "test_profile_forge.py",
    "test_profile_forgeplan.py",
    "test_packaging.py",
    "test_cli_process.py",
    "test_languages.py",
    "test_profile_forgeplan_answers.py",
    "test_profile_rye.py",
    "test_lucene.py",
    "test_hostile_patterns.py",
    "test_moving.py",
)

_HOMES = pytest.StashKey[Path]()
_TRAINING = pytest.StashKey[subprocess.Popen[bytes] | None]()


def is_worker(config: pytest.Config) -> bool:
    """Whether this process runs tests for another one, which hands them out."""
    return hasattr(config, "workerinput")


def long_files_first(items: list[pytest.Item]) -> None:
    """Order tests by how long their files take; those of one file stay as they are."""
    rank = {name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: rank.get(item.path.name, len(rank)))


def homes(config: pytest.Config) -> Path | None:
    """The folder for the homes of this run's servers, from which the first process clears them."""
    given: dict[str, str] = getattr(config, "workerinput", {})
    return Path(given["homes"]) if given else None


@pytest.hookimpl(optionalhook=True)
def pass_homes(node: Any) -> None:  # noqa: ANN401 - xdist names no type for it
    """Tell a worker where its server's home belongs."""
    stash = node.config.stash
    if _HOMES not in stash:
        stash[_HOMES] = Path(tempfile.mkdtemp(prefix="graphmem-tests-")).resolve()
        if "not live" not in node.config.option.markexpr:
            stash[_TRAINING] = _train(stash[_HOMES])
    node.workerinput["homes"] = str(stash[_HOMES])


def _train(folder: Path) -> subprocess.Popen[bytes] | None:
    """Make the AOT cache of the tests' servers in the background, where this machine has none.

    They are some sixty, and each starts in two thirds of the processor time with it. Nothing is
    downloaded for it.
    """
    cache = platformdirs.user_cache_path("graphmem")
    if not (cache / f"neo4j-{neo4j_process.VERSION}").is_dir():
        return None
    try:
        java = short_lived_java.make(folder / "training-java")
    except JavaNotFound:  # tests without a server need no Java
        return None
    settings = Settings(home=folder, cache=cache, java_home=java)
    return aot_training.start_training(launch_of(settings, preparation=preparation()))


def stop_servers(config: pytest.Config) -> None:
    """Stop the servers of workers that were ended before they could do it."""
    folder = config.stash.get(_HOMES, None)
    if folder is None:
        return
    training = config.stash.get(_TRAINING, None)
    if training is not None:
        training.terminate()
        training.wait()
    for home in folder.glob("*/home"):
        neo4j_process.stop(Settings(home=home))
    shutil.rmtree(folder, ignore_errors=True)
