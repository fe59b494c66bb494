"""An AOT cache is made of a real server, used by the next one, and harmless when it is damaged."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from graphmem.memory.store.connecting import preparation
from graphmem.neo4j_process import ensure_running, fetch_jars, stop
from graphmem.neo4j_process.home.paths import Home
from graphmem.neo4j_process.machine import processes
from graphmem.neo4j_process.running import aot_cache, aot_training
from graphmem.neo4j_process.running.aot_cache import TRAINING_PREFIX
from graphmem.neo4j_process.server import launch_of
from graphmem.settings import Settings
from neo4j_servers import answers, small, state_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fault_table import Record
    from graphmem.neo4j_process.running.aot_cache import AotCache
    from graphmem.neo4j_process.running.launch import Launch

pytestmark = [pytest.mark.live, pytest.mark.faults, pytest.mark.timeout(1800)]
DAMAGED_BYTES = 4096


@pytest.fixture(scope="module")
def own(private: Settings, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A server with a cache folder of its own, which holds nothing but the jars."""
    jars = fetch_jars(Settings())
    folder = tmp_path_factory.mktemp("cache", numbered=False)
    (folder / jars.name).symlink_to(jars)
    return small(private.home, cache=folder)


@pytest.fixture(scope="module")
def launch(own: Settings) -> Launch:
    return launch_of(own, preparation=preparation())


@pytest.fixture(scope="module")
def cache(launch: Launch) -> AotCache:
    """The cache that a training makes."""
    aot_training.start_training(launch).wait()
    cache = aot_cache.cache_of(launch)
    assert cache is not None
    assert cache.file.exists(), cache.failure.read_text()
    return cache


@pytest.fixture(autouse=True)
def stopped(own: Settings) -> Iterator[None]:
    yield
    stop(own)


def maps_cache(own: Settings, cache: AotCache) -> bool:
    """Tell whether the JVM of a server that starts now has the cache in its memory."""
    assert answers(ensure_running(own))
    server = state_of(Home(own.home)).server
    assert processes.is_alive(server)
    return str(cache.file) in Path(f"/proc/{server.pid}/maps").read_text()


def test_a_server_starts_from_the_cache_that_was_made(own: Settings, cache: AotCache) -> None:
    assert [path.name for path in cache.folder.glob(f"{TRAINING_PREFIX}*")] == []
    assert maps_cache(own, cache)


@pytest.mark.parametrize("left", ["half", "nothing", "flipped"])
def test_a_server_starts_without_a_cache_that_is_damaged(
    own: Settings, cache: AotCache, left: str, record: Record
) -> None:
    whole = cache.file.read_bytes()
    middle = len(whole) // 2
    flipped = bytes(byte ^ 0xFF for byte in whole[middle : middle + DAMAGED_BYTES])
    damaged = {
        "half": whole[:middle],
        "nothing": b"",
        "flipped": whole[:middle] + flipped + whole[middle + DAMAGED_BYTES :],
    }
    try:
        cache.file.write_bytes(damaged[left])
        began = time.monotonic()
        assert not maps_cache(own, cache)
        record(f"the AOT cache damaged ({left})", times=1, seconds=time.monotonic() - began)
    finally:
        cache.file.write_bytes(whole)
