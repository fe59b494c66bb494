"""Which compilers and pages the server's JVM has, by the size of its store, as a real Java says."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from graphmem.neo4j_process.home.configuration import (
    SMALL_STORE_BYTES,
    by_store_size,
    huge_pages,
)
from graphmem.neo4j_process.home.paths import Home
from graphmem.neo4j_process.machine.java import find_java
from graphmem.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path


def home_of(folder: Path, size: int) -> Home:
    """Make a home whose databases take so many bytes."""
    home = Home(folder)
    databases = home.data / "databases" / "neo4j"
    databases.mkdir(parents=True)
    with (databases / "neostore").open("wb") as file:
        file.truncate(size)
    return home


@pytest.mark.live
@pytest.mark.parametrize(
    ("size", "bound"), [(SMALL_STORE_BYTES // 2, None), (SMALL_STORE_BYTES, "50000")]
)
def test_a_large_store_has_the_optimising_compiler_for_what_runs_often_and_huge_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, bound: str | None
) -> None:
    monkeypatch.delenv("GRAPHMEM_JAVA_HOME", raising=False)  # that of tests has options of its own
    java = find_java(Settings()).executable
    output = subprocess.run(
        [java, *by_store_size(home_of(tmp_path, size)), "-XX:+PrintFlagsFinal", "-version"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    flags = {words[1]: words[3] for words in map(str.split, output.splitlines()) if len(words) > 3}
    assert flags["TieredStopAtLevel"] == ("1" if bound is None else "4")
    if bound is not None:
        assert flags["Tier4InvocationThreshold"] == bound
    has_huge_pages = bound is not None and bool(huge_pages())
    assert flags.get("UseTransparentHugePages", "false") == str(has_huge_pages).lower()


@pytest.mark.parametrize(
    ("mode", "count"),
    [("always [madvise] never", 1), ("[always] madvise never", 1), ("always madvise [never]", 0)],
)
def test_huge_pages_are_used_unless_the_system_keeps_them_back(
    tmp_path: Path, mode: str, count: int
) -> None:
    offered = tmp_path / "enabled"
    offered.write_text(f"{mode}\n")
    assert len(huge_pages(offered)) == count


def test_a_system_without_huge_pages_has_none(tmp_path: Path) -> None:
    assert huge_pages(tmp_path / "enabled") == []
