"""What a run in several processes needs: an order, and no server left behind."""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest

from graphmem import neo4j_process
from graphmem.settings import Settings
from neo4j_servers import Homes

# Of the files that need a server: those that look at all that the run's own one holds, which is
# little at first; then those that take longest: a run ends sooner when none of them begins last.
FIRST = (
    "test_browser_page.py",
    "test_cli.py",
    "test_cli_transfer.py",
    "test_export_all.py",
    "test_history_transfer.py",
    "test_forged_history.py",
    "test_repair.py",
    "test_reembedding.py",
    "test_export_cache.py",
    "test_neo4j_restarts.py",
    "test_languages.py",
    "test_port_thief.py",
    "test_commands_page.py",
    "test_neo4j_process.py",
    "test_fakes.py",
    "test_neo4j_failed_starts.py",
    "test_graph.py",
    "test_neo4j_backup.py",
    "test_browser_in_chromium.py",
    "test_embedding.py",
    "test_server_stdio.py",
    "test_search_several_projects.py",
    "test_migrations.py",
    "test_export_roundtrip_properties.py",
    "test_candidate_pools.py",
    "test_cypher_files.py",
    "test_server_http.py",
    "test_profile_memory_server_reading.py",
    "test_moving_from_other_tools.py",
    "test_word_weights.py",
    "test_access.py",
    "test_profile_memcp.py",
    "test_profile_memcp_graph.py",
    "test_search_as_of.py",
    "test_killed_import.py",
    "test_embedding_endpoint_outage.py",
    "test_cli_process.py",
    "test_neo4j_aot_cache.py",
    "test_concurrent_changes.py",
    "test_concurrent_calls.py",
    "test_neo4j_recovery.py",
)
# Of the files without a server, those that take longest, for the same reason.
FIRST_WITHOUT = (
    "test_view_in_a_browser.py",
    "test_hostile_patterns.py",
    "test_hostile_files.py",
    "test_server_opening.py",
    "test_cli_process.py",
    "test_server_slow_connections.py",
    "test_architecture.py",
)

_HOMES = pytest.StashKey[Path]()


def is_worker(config: pytest.Config) -> bool:
    """Whether this process runs tests for another one, which hands them out."""
    return hasattr(config, "workerinput")


def order(items: list[pytest.Item]) -> None:
    """Order tests by their files, those of one file staying as they are.

    Files without a server end it: they are short, so that all processes are busy until then.
    """
    live = {item.path for item in items if item.get_closest_marker("live")}

    def place(item: pytest.Item) -> tuple[bool, int]:
        first = FIRST if item.path in live else FIRST_WITHOUT
        name = item.path.name
        return item.path not in live, first.index(name) if name in first else len(first)

    items.sort(key=place)


def run(config: pytest.Config) -> int:
    """The process that lives as long as this run of tests."""
    return os.getppid() if is_worker(config) else os.getpid()


def homes(config: pytest.Config) -> Path | None:
    """The folder for the homes of this run's servers, from which the first process clears them."""
    given: dict[str, str] = getattr(config, "workerinput", {})
    return Path(given["homes"]) if given else None


@pytest.hookimpl(optionalhook=True)
def pass_homes(node: Any) -> None:  # noqa: ANN401 - xdist names no type for it
    """Tell a worker where its server's home belongs."""
    stash = node.config.stash
    if _HOMES not in stash:
        stash[_HOMES] = Path(tempfile.mkdtemp(prefix="graphmem-tests-", dir=Homes.place)).resolve()
    node.workerinput["homes"] = str(stash[_HOMES])


def stop_servers(config: pytest.Config) -> None:
    """Stop the servers of workers that were ended before they could do it."""
    folder = config.stash.get(_HOMES, None)
    if folder is None:
        return
    for home in folder.glob("*/home"):
        neo4j_process.stop(Settings(home=home))
    shutil.rmtree(folder, ignore_errors=True)
