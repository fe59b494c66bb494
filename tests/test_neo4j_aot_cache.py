"""The AOT cache: what it is bound to, who may write it, and trainings that fail. No JVM here."""

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys
import time
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from graphmem.memory.store import exercise
from graphmem.neo4j_process import ensure_running
from graphmem.neo4j_process.home import configuration
from graphmem.neo4j_process.home.paths import Home
from graphmem.neo4j_process.machine.java import Java
from graphmem.neo4j_process.running import aot_cache, aot_training
from graphmem.neo4j_process.running.launch import Launch, Preparation
from neo4j_servers import ROOT, holding, until
from stores import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from graphmem.neo4j_process.running.aot_cache import AotCache
    from graphmem.settings import Settings

DAY = 24 * 3600


@pytest.fixture
def launch(tmp_path: Path) -> Iterator[Launch]:
    """A launch whose Java is a program that waits; none is left in the end."""
    jars, java = tmp_path / "jars", tmp_path / "java"
    jars.mkdir()
    (jars / "a.jar").write_text("a")
    (java / "bin").mkdir(parents=True)
    (java / "release").write_text('JAVA_VERSION="25.0.3"\n')
    program(java, "exec sleep 600")
    home = Home(tmp_path / "home")
    home.create()
    launch = Launch(
        home=home,
        java=Java(java, 25, has_vectors=False),
        jars=jars,
        cache=tmp_path / "cache",
        heap="256m",
        page_cache="64m",
        idle_minutes=5,
        start_seconds=60,
        preparation=Preparation("graphmem.memory.store.exercise", "read/ping", {}),
    )
    yield launch
    for pid in servers(launch):
        psutil.Process(pid).kill()


def program(java: Path, line: str) -> None:
    (java / "bin" / "java").write_text(f"#!/bin/sh\n{line}\n")
    (java / "bin" / "java").chmod(0o755)


def cache_of(launch: Launch) -> AotCache:
    cache = aot_cache.cache_of(launch)
    assert cache is not None
    return cache


def made_cache(launch: Launch, content: str = "classes") -> AotCache:
    """Put a cache in its place, as a training does."""
    cache = cache_of(launch)
    cache.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = cache.folder / "draft"
    draft.write_text(content)
    cache.adopt(draft)
    return cache


def aged(path: Path, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(path, (then, then))


# What it is bound to


def test_the_same_jars_and_the_same_java_have_the_same_cache(launch: Launch) -> None:
    assert cache_of(launch) == cache_of(dataclasses.replace(launch, home=Home(Path("other"))))


def test_other_jars_have_another_cache(launch: Launch) -> None:
    before = cache_of(launch)
    (launch.jars / "b.jar").write_text("b")
    added = cache_of(launch)
    aged(launch.jars / "a.jar", DAY)
    assert len({before, added, cache_of(launch)}) == 3


def test_files_that_are_no_jars_do_not_change_the_cache_key(launch: Launch) -> None:
    before = cache_of(launch)
    (launch.jars / "checked.json").write_text("{}")
    assert cache_of(launch) == before


def test_another_java_or_another_collector_has_another_cache(launch: Launch) -> None:
    caches = [cache_of(launch)]
    (launch.java.home / "release").write_text('JAVA_VERSION="25.0.4"\n')
    caches.append(cache_of(launch))
    program(launch.java.home, "exec sleep 601")
    caches.append(cache_of(launch))
    caches.append(cache_of(dataclasses.replace(launch, heap="4g")))
    vectors = dataclasses.replace(launch.java, has_vectors=True)
    caches.append(cache_of(dataclasses.replace(launch, java=vectors)))
    assert len(set(caches)) == len(caches)


def test_a_java_that_knows_no_cache_starts_without_one(launch: Launch) -> None:
    old = dataclasses.replace(launch, java=dataclasses.replace(launch.java, major=21))
    assert aot_cache.cache_of(old) is None
    assert aot_cache.options(old) == []
    assert not aot_training.train(old)


def test_jars_or_a_java_that_cannot_be_read_have_no_cache(launch: Launch) -> None:
    gone = dataclasses.replace(launch, jars=launch.jars / "gone")
    assert aot_cache.options(gone) == []
    (launch.java.home / "bin" / "java").unlink()
    assert aot_cache.options(launch) == []


# How it is used


def test_a_cache_that_is_there_is_used_and_verified(launch: Launch) -> None:
    assert aot_cache.options(launch) == []
    cache = made_cache(launch)
    assert aot_cache.options(launch) == [f"-XX:AOTCache={cache.file}", "-XX:+VerifySharedSpaces"]
    assert cache.file.stat().st_mode & 0o777 == 0o600
    assert cache.folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("open_to_others", ["file", "folder", "folder.parent"])
def test_a_cache_that_others_can_write_to_is_not_used(launch: Launch, open_to_others: str) -> None:
    """It holds code that the server runs."""
    cache = made_cache(launch)
    path: Path = attrgetter(open_to_others)(cache)
    path.chmod(0o722)
    assert aot_cache.options(launch) == []


def test_the_options_stand_before_the_class_path(launch: Launch) -> None:
    command = configuration.command(launch, ["-XX:AOTCache=x"])
    assert command.index("-XX:AOTCache=x") < command.index("-cp")


def test_caches_that_nobody_used_for_a_week_are_deleted(launch: Launch) -> None:
    cache = made_cache(launch)
    old, young = (cache.folder / f"{name}.aot" for name in ("old", "young"))
    for other, days in ((old, 8), (young, 6), (cache.file, 30)):
        other.touch()
        aged(other, days * DAY)
    cache.discard_others()
    assert not old.exists()
    assert young.exists()
    assert cache.file.exists()


def test_a_cache_that_is_used_does_not_age(launch: Launch) -> None:
    cache = made_cache(launch)
    aged(cache.file, 30 * DAY)
    aot_cache.options(launch)
    assert time.time() - cache.file.stat().st_mtime < DAY


def test_a_cache_with_which_the_server_crashed_is_gone_for_a_day(launch: Launch) -> None:
    cache = made_cache(launch)
    aot_cache.reject(launch, "the JVM crashed")
    assert aot_cache.options(launch) == []
    assert not cache.is_wanted
    aged(cache.failure, 2 * DAY)
    assert cache.is_wanted


def test_a_folder_that_cannot_be_written_harms_nobody(launch: Launch) -> None:
    """A file stands where the folder belongs, so that not even root can write below it."""
    launch.cache.write_text("")
    aot_cache.reject(launch, "the JVM crashed")
    assert aot_cache.options(launch) == []


# Trainings


def test_a_training_that_fails_leaves_its_reason_and_nothing_else(launch: Launch) -> None:
    program(launch.java.home, "echo no such option; exit 1")
    aot_training.start_training(launch).wait()
    cache = cache_of(launch)
    assert not cache.file.exists()
    assert "no such option" in cache.failure.read_text()
    assert {path.suffix for path in cache.folder.iterdir()} == {".failed", ".lock"}
    assert not aot_training.Trainer(launch)._is_due


@pytest.mark.parametrize("open_to_others", ["folder", "folder.parent"])
def test_nothing_is_trained_where_others_could_choose_what_the_server_runs(
    launch: Launch, open_to_others: str
) -> None:
    program(launch.java.home, f"touch {launch.jars}/ran")
    cache = cache_of(launch)
    cache.folder.mkdir(mode=0o700, parents=True)
    path: Path = attrgetter(open_to_others)(cache)
    path.chmod(0o777)
    assert not aot_training.train(launch)
    assert not (launch.jars / "ran").exists()
    assert [*cache.folder.iterdir()] == []


def test_one_process_trains_at_a_time(launch: Launch) -> None:
    cache = cache_of(launch)
    cache.folder.mkdir(mode=0o700, parents=True)
    with holding(cache.folder / "training.lock"):
        assert not aot_training.train(launch)
    assert not cache.failure.exists()


@pytest.mark.parametrize("resource", ["LEAST_FREE_BYTES", "LEAST_FREE_MEMORY"])
def test_no_cache_is_trained_without_disk_space(
    launch: Launch, monkeypatch: pytest.MonkeyPatch, resource: str
) -> None:
    monkeypatch.setattr(aot_training, resource, 1 << 62)
    assert not aot_training.train(launch)
    assert cache_of(launch).is_wanted


def test_a_cache_that_is_there_is_not_made_again(launch: Launch) -> None:
    cache = made_cache(launch)
    assert aot_training.train(launch)
    assert cache.file.read_text() == "classes"


def folders(launch: Launch) -> list[Path]:
    return list((launch.cache / "aot").glob("training-*"))


def servers(launch: Launch) -> list[int]:
    """The processes that were started as this launch's Java on a home of a training."""
    mark = f"--home-dir={launch.cache}"
    return [
        process.pid
        for process in psutil.process_iter(["cmdline"])
        if any(argument.startswith(mark) for argument in process.info["cmdline"] or ())
    ]


def kept_arguments(launch: Launch) -> None:
    """Have its Java wait under the arguments it was given, as a server does."""
    waiting = f"{sys.executable} -c 'import time; time.sleep(600)'"
    program(launch.java.home, f'exec {waiting} "$@"')


def test_a_training_that_is_told_to_end_leaves_nothing(launch: Launch) -> None:
    kept_arguments(launch)
    training = aot_training.start_training(launch)
    until(lambda: servers(launch))
    training.send_signal(signal.SIGTERM)
    training.wait()
    assert servers(launch) == []
    assert folders(launch) == []
    assert cache_of(launch).is_wanted


def test_what_a_killed_training_left_is_removed_by_the_next(launch: Launch) -> None:
    kept_arguments(launch)
    training = aot_training.start_training(launch)
    until(lambda: servers(launch))
    training.kill()
    training.wait()
    assert servers(launch)
    made_cache(launch)
    assert aot_training.train(launch)
    until(lambda: servers(launch) == [])
    assert folders(launch) == []


# When it begins


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Launch]:
    """The launches that a training was started for; none is."""
    launches: list[Launch] = []

    def start(launch: Launch) -> None:
        launches.append(launch)

    monkeypatch.setattr(aot_training, "start_training", start)
    return launches


def test_a_training_begins_once_when_the_server_has_been_idle(
    launch: Launch, started: list[Launch]
) -> None:
    trainer = aot_training.Trainer(launch)
    launch.home.activity.touch()
    trainer.begin_when_idle()
    assert started == []
    aged(launch.home.activity, aot_training.IDLE_SECONDS + 1)
    trainer.begin_when_idle()
    trainer.begin_when_idle()
    assert started == [launch]
    trainer.end()


def test_no_training_begins_for_a_caller_without_a_preparation(
    launch: Launch, started: list[Launch]
) -> None:
    launch.home.activity.touch()
    aged(launch.home.activity, DAY)
    unprepared = dataclasses.replace(launch, preparation=None)
    aot_training.Trainer(unprepared).begin_when_idle()
    assert started == []


def test_a_launch_survives_its_way_to_another_process(launch: Launch) -> None:
    assert Launch.from_json(launch.to_json()) == launch


@pytest.mark.live
def test_what_an_aot_cache_is_recorded_of_runs_on_an_empty_store(empty: Settings) -> None:
    ensure_running(empty)
    environment = os.environ | {"GRAPHMEM_HOME": str(empty.home)}
    command = [sys.executable, "-m", "graphmem.memory.store.exercise"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    assert count(empty) == exercise.ENTITIES
    # What is planned for a new store serves it on.
    log = (Home(empty.home).root / "logs" / "debug.log").read_text()
    assert "Cached query plan is not used" not in log
