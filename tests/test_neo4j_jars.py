"""The server's jars are the pinned ones or none; the jars and the Maven here are made up."""

from __future__ import annotations

import hashlib
import os
import re
import signal
import stat
import subprocess
import sys
import tempfile
import time
import zipfile
from functools import partial
from pathlib import Path

import pytest

from concurrent_calls import at_once
from graphmem.errors import JarsUnavailable
from graphmem.neo4j_process.machine import jars, maven
from graphmem.neo4j_process.machine.signatures import remove_signature
from listeners import Listener
from other_users import given_away

ROOT = Path(__file__).parents[1]
CONTENTS = {"a.jar": b"first", "b.jar": b"second", jars.SERVER_JAR: b"server"}
PINS = {name: hashlib.sha256(content).hexdigest() for name, content in CONTENTS.items()}
FOLDER = f"neo4j-{jars.VERSION}"


class MadeUpMaven:
    """A `mvn` at the front of PATH that copies the jars of a folder, and counts its runs."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.runs, self.stock = folder / "runs", folder / "stock"
        self.stock.mkdir(parents=True)
        self.runs.touch()
        self.program = folder / "mvn"
        for name, content in CONTENTS.items():
            (self.stock / name).write_bytes(content)
        self.does('cp "$stock"/*.jar "$out"')
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def does(self, script: str) -> None:
        self.program.write_text(
            "#!/bin/sh\n"
            'for word; do case "$word" in -DoutputDirectory=*) out="${word#*=}";; esac; done\n'
            f"stock='{self.stock}'\necho run >> '{self.runs}'\n{script}\n"
        )
        self.program.chmod(0o755)

    @property
    def count(self) -> int:
        return len(self.runs.read_text().splitlines())


@pytest.fixture
def mvn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MadeUpMaven:
    return MadeUpMaven(tmp_path / "maven", monkeypatch)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def test_jars_are_fetched_once(mvn: MadeUpMaven, cache: Path) -> None:
    folder = jars.cached_jars(cache, PINS)
    assert folder == cache / FOLDER
    assert {jar.name: jar.read_bytes() for jar in folder.glob("*.jar")} == CONTENTS
    assert jars.cached_jars(cache, PINS) == folder
    assert mvn.count == 1


def test_maven_gets_the_variables_of_its_user_but_no_password_of_ours(
    mvn: MadeUpMaven, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", "hunter2")
    monkeypatch.setenv("GRAPHMEM_TOKEN", "hunter3")
    monkeypatch.setenv("MIRROR_PASSWORD", "of Maven's own settings")
    mvn.does(f'env > \'{tmp_path}/variables\'\ncp "$stock"/*.jar "$out"')
    jars.cached_jars(cache, PINS)
    variables = (tmp_path / "variables").read_text()
    assert "hunter" not in variables
    assert "MIRROR_PASSWORD=" in variables


def test_maven_takes_no_options_from_a_folder_that_other_users_made_above_its_own(
    mvn: MadeUpMaven, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / ".mvn").mkdir()
    as_maven_looks = 'base="$PWD"; until [ -d "$base/.mvn" ]; do base="${base%/*}"; done'
    mvn.does(f'{as_maven_looks}; echo "$base" > \'{tmp_path}/base\'; cp "$stock"/*.jar "$out"')
    jars.cached_jars(cache, PINS)
    assert (tmp_path / "base").read_text().startswith(f"{tmp_path}/graphmem-maven-")


def test_the_files_that_arrive_are_the_steps_of_the_progress(mvn: MadeUpMaven, cache: Path) -> None:
    mvn.does(
        'echo "[INFO] Downloading from here: scheme://host/x/a.jar"\n'
        'echo "[INFO] Downloaded from here: scheme://host/x/a.jar (5 kB at 1 kB/s)"\n'
        'echo "[INFO] Downloaded from here: scheme://host/x/b.pom (5 kB at 1 kB/s)"\n'
        'echo "Downloaded from here: scheme://host/x/plugin.jar (5 kB at 1 kB/s)"\n'
        'echo "Downloaded from here: scheme://host/x/b.jar (5 kB at 1 kB/s)"\n'
        'cp "$stock"/*.jar "$out"'
    )
    listener = Listener()
    jars.cached_jars(cache, PINS, progress=listener)
    total = maven.DESCRIPTIONS + len(PINS)
    assert listener.steps == [(maven.TASK, step, total) for step in (1, 2, 3, total)]
    assert "Downloading" in listener.sentences[0]


def test_without_maven_the_error_lists_the_choices(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(JarsUnavailable) as caught:
        jars.cached_jars(cache, PINS)
    for choice in ("Maven", "NEO4J_URI", "Docker", "GRAPHMEM_NEO4J_HOME"):
        assert choice in str(caught.value)


def test_when_maven_fails_its_reason_is_told_and_nothing_is_left(
    mvn: MadeUpMaven, cache: Path
) -> None:
    mvn.does(
        'echo "[INFO] Scanning"; echo "[ERROR] Could not resolve dependencies: no route to host"\n'
        'echo "[ERROR] "; echo "[ERROR] Re-run Maven with -X"; touch "$out/a.jar"; exit 1'
    )
    with pytest.raises(JarsUnavailable, match="Could not resolve dependencies: no route to host;"):
        jars.cached_jars(cache, PINS)
    assert list(cache.glob("*.part-*")) == []
    assert not (cache / FOLDER).exists()


def test_when_maven_has_no_network_the_cause_and_its_own_remedy_are_reported(
    mvn: MadeUpMaven, cache: Path
) -> None:
    mvn.does(
        f"echo '[ERROR] No artifact: {'in words ' * 100}: Connection refused -> [Help 1]'; exit 1"
    )
    with pytest.raises(JarsUnavailable) as caught:
        jars.cached_jars(cache, PINS)
    message = str(caught.value)
    assert "No artifact" in message
    assert "Connection refused; check the network" in message
    assert "settings.xml" in message
    assert "install" not in message  # Maven is there


@pytest.mark.parametrize(
    ("tampering", "words"),
    [
        ('echo evil > "$out/a.jar"', "a.jar in .* differs"),
        ('rm "$out/a.jar"', "a.jar is missing"),
        ('cp "$out/a.jar" "$out/more.jar"', "more.jar in .* is not one of Neo4j's jars"),
    ],
)
def test_jars_that_are_not_the_pinned_ones_are_refused_by_name(
    mvn: MadeUpMaven, cache: Path, tampering: str, words: str
) -> None:
    mvn.does(f'cp "$stock"/*.jar "$out"; {tampering}')
    with pytest.raises(JarsUnavailable, match=f"{words}.*Maven's local repository"):
        jars.cached_jars(cache, PINS)
    assert not (cache / FOLDER).exists()


@pytest.mark.parametrize("content", [b"FIRST", b"fir", b""])
def test_a_jar_damaged_in_the_cache_is_noticed_and_fetched_again(
    mvn: MadeUpMaven, cache: Path, content: bytes
) -> None:
    folder = jars.cached_jars(cache, PINS)
    (folder / "a.jar").write_bytes(content)
    listener = Listener()
    jars.cached_jars(cache, PINS, progress=listener)
    assert (folder / "a.jar").read_bytes() == CONTENTS["a.jar"]
    assert "a.jar" in listener.sentences[0]
    assert mvn.count == 2
    assert [path.name for path in cache.iterdir() if path.is_dir()] == [FOLDER]


@pytest.mark.usefixtures("mvn")
def test_jars_of_another_user_are_refused(cache: Path) -> None:
    folder = jars.cached_jars(cache, PINS)
    owner = given_away(folder)
    with pytest.raises(JarsUnavailable, match=f"GRAPHMEM_CACHE: .* belongs to the user {owner}"):
        jars.refuse_other_user(folder, user=os.geteuid() + 1)


@pytest.mark.usefixtures("mvn")
def test_jars_in_a_cache_where_every_user_can_write_are_refused(cache: Path) -> None:
    jars.cached_jars(cache, PINS)
    cache.chmod(0o777)
    with pytest.raises(JarsUnavailable, match=f"GRAPHMEM_CACHE: every user can write to {cache}"):
        jars.cached_jars(cache, PINS)
    cache.chmod(0o1777)
    assert jars.cached_jars(cache, PINS) == cache / FOLDER


def test_a_cache_of_another_user_is_refused_before_anything_is_in_it(cache: Path) -> None:
    cache.mkdir()
    owner = given_away(cache)
    with pytest.raises(JarsUnavailable, match=f"{cache} belongs to the user {owner}"):
        jars.refuse_other_user(cache / FOLDER, user=os.geteuid() + 1)


def test_a_cache_below_a_folder_of_another_user_is_refused(cache: Path) -> None:
    (place := cache.parent).mkdir(exist_ok=True)
    owner = given_away(place)
    with pytest.raises(JarsUnavailable, match=f"{place} belongs to the user {owner}, so others"):
        jars.refuse_other_user(cache / FOLDER, user=os.geteuid() + 1)


@pytest.mark.usefixtures("mvn")
def test_a_cache_below_a_folder_where_every_user_can_write_is_refused(cache: Path) -> None:
    jars.cached_jars(cache, PINS)
    cache.parent.chmod(0o777)
    with pytest.raises(JarsUnavailable, match=f"every user can write to {cache.parent}, so"):
        jars.cached_jars(cache, PINS)


@pytest.mark.usefixtures("mvn")
def test_a_link_to_the_cache_is_followed_once(cache: Path, tmp_path: Path) -> None:
    """Its owner could lead it elsewhere before the server starts."""
    link = tmp_path / "link"
    link.symlink_to(cache)
    assert jars.cached_jars(link, PINS) == cache / FOLDER


def test_a_cache_that_cannot_be_looked_at_is_not_taken_for_safe(cache: Path) -> None:
    cache.mkdir()
    with pytest.raises(OSError, match="File name too long"):
        jars.refuse_other_user(cache / ("x" * 300) / FOLDER)


@pytest.mark.parametrize("right", [0o770, 0o702])
def test_jars_that_others_could_exchange_are_fetched_again(
    mvn: MadeUpMaven, cache: Path, right: int
) -> None:
    folder = jars.cached_jars(cache, PINS)
    folder.chmod(right)
    listener = Listener()
    jars.cached_jars(cache, PINS, progress=listener)
    assert "other users can write to" in listener.sentences[0]
    assert mvn.count == 2
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_disk_that_is_full_is_reported_however_long_the_words_before(
    mvn: MadeUpMaven, cache: Path
) -> None:
    mvn.does(f"echo '[ERROR] {'words ' * 100}: No space left on device'; exit 1")
    with pytest.raises(JarsUnavailable, match=r"a disk is full: .*GRAPHMEM_CACHE"):
        jars.cached_jars(cache, PINS)


def test_a_cache_that_takes_no_files_is_named_with_the_remedy(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(JarsUnavailable, match=r"GRAPHMEM_CACHE: .*file.* cannot keep .* 500 MiB"):
        jars.cached_jars(file / "cache", PINS)


@pytest.mark.usefixtures("mvn")
def test_the_lock_of_a_download_is_for_its_owner_alone(cache: Path) -> None:
    jars.cached_jars(cache, PINS)
    assert stat.S_IMODE((cache / f"{FOLDER}.lock").stat().st_mode) == 0o600


def test_a_damaged_jar_is_named_when_it_cannot_be_fetched_again(
    mvn: MadeUpMaven, cache: Path
) -> None:
    (jars.cached_jars(cache, PINS) / "b.jar").write_bytes(b"damage")
    mvn.does("exit 1")
    with pytest.raises(JarsUnavailable, match=r"b\.jar in .* differs .* Maven could not fetch"):
        jars.cached_jars(cache, PINS)


def test_jars_that_were_only_touched_are_hashed_and_kept(mvn: MadeUpMaven, cache: Path) -> None:
    (jars.cached_jars(cache, PINS) / "a.jar").touch()
    jars.cached_jars(cache, PINS)
    assert mvn.count == 1


def test_a_download_killed_half_way_starts_over(mvn: MadeUpMaven, cache: Path) -> None:
    mvn.does(f'cp "$stock/a.jar" "$out"; echo $$ > {cache}/pid; exec sleep 600')
    fetch = (
        "from graphmem.neo4j_process.machine import jars; from pathlib import Path;"
        f"jars.cached_jars(Path({str(cache)!r}), {PINS!r})"
    )
    environment = os.environ | {"TMPDIR": str(cache)}  # where a killed process leaves a folder
    with subprocess.Popen([sys.executable, "-c", fetch], cwd=ROOT, env=environment) as process:
        until(lambda: (cache / "pid").exists() and (cache / "pid").read_text().strip() != "")
        process.kill()
    os.kill(int((cache / "pid").read_text()), signal.SIGTERM)
    assert len(list(cache.glob("*.part-*"))) == 1
    assert not (cache / FOLDER).exists()
    mvn.does('cp "$stock"/*.jar "$out"')
    assert jars.first_fault(jars.cached_jars(cache, PINS), PINS) is None
    assert list(cache.glob("*.part-*")) == []


def test_two_at_once_download_once(mvn: MadeUpMaven, cache: Path) -> None:
    mvn.does('sleep 1; cp "$stock"/*.jar "$out"')
    listeners = [Listener() for _ in range(4)]
    at_once(*(partial(jars.cached_jars, cache, PINS, progress=listener) for listener in listeners))
    assert mvn.count == 1
    assert sum("waiting for it" in "".join(listener.sentences) for listener in listeners) == 3


def test_a_distribution_may_carry_more_and_lack_browser(tmp_path: Path) -> None:
    lib = tmp_path / "lib"
    lib.mkdir()
    for name, content in (CONTENTS | {"more.jar": b"more"}).items():
        (lib / name).write_bytes(content)
    pins = PINS | {"neo4j-browser-5.24.0.jar": "0" * 64}
    assert jars.jars_of_distribution(tmp_path, pins) == lib


def test_a_distribution_that_every_user_can_write_to_is_refused(tmp_path: Path) -> None:
    lib = tmp_path / "neo4j" / "lib"
    lib.mkdir(parents=True)
    for name, content in CONTENTS.items():
        (lib / name).write_bytes(content)
    for place in (lib / "b.jar", lib, lib.parent):
        mode = place.stat().st_mode
        place.chmod(0o777)
        with pytest.raises(JarsUnavailable, match=f"HOME: every user can write to {place}, so oth"):
            jars.jars_of_distribution(lib.parent, PINS)
        place.chmod(mode)
    assert jars.jars_of_distribution(lib.parent, PINS) == lib


def test_a_distribution_with_another_jar_of_the_same_name_is_refused(tmp_path: Path) -> None:
    lib = tmp_path / "lib"
    lib.mkdir()
    for name, content in (CONTENTS | {"b.jar": b"evil"}).items():
        (lib / name).write_bytes(content)
    with pytest.raises(JarsUnavailable, match=r"GRAPHMEM_NEO4J_HOME: b\.jar in .* differs"):
        jars.jars_of_distribution(tmp_path, PINS)


def signed_jar(file: Path) -> bytes:
    with zipfile.ZipFile(file, "w") as jar:
        jar.writestr("META-INF/MANIFEST.MF", "Name: A.class\r\nSHA-256-Digest: X\r\n")
        jar.writestr("META-INF/SOMEONE.SF", "SHA-256-Digest-Manifest: X")
        jar.writestr("META-INF/SOMEONE.RSA", b"\x30\x82")
        jar.writestr("A.class", b"\xca\xfe\xba\xbe")
    return file.read_bytes()


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_a_signed_jar_loses_its_signature_and_nothing_else(tmp_path: Path) -> None:
    jar = tmp_path / "a.jar"
    before = signed_jar(jar)
    remove_signature(jar)
    assert len(jar.read_bytes()) == len(before)
    with zipfile.ZipFile(jar) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert archive.read("A.class") == b"\xca\xfe\xba\xbe"
    signed = ["META-INF/MANIFEST.MF", "META-INF/SOMEONE._F", "META-INF/SOMEONE._SA", "A.class"]
    assert names == signed


def test_signed_jars_lose_their_signatures_once_they_are_fetched(
    mvn: MadeUpMaven, cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    content = signed_jar(mvn.stock / "a.jar")
    jar = tmp_path / "a.jar"
    jar.write_bytes(content)
    remove_signature(jar)
    unsigned = jar.read_bytes()
    (tmp_path / "unsigned").write_text(f"{digest(unsigned)}  a.jar\n")
    monkeypatch.setattr(jars, "UNSIGNED", tmp_path / "unsigned")
    folder = jars.cached_jars(cache, PINS | {"a.jar": digest(content)})
    assert (folder / "a.jar").read_bytes() == unsigned


def test_the_pinned_jars_that_are_signed_are_known() -> None:
    assert jars.read_pins(jars.UNSIGNED).keys() <= jars.read_pins().keys()


def test_a_distribution_of_another_version_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JarsUnavailable, match=rf"has no {re.escape(jars.SERVER_JAR)}"):
        jars.jars_of_distribution(tmp_path, PINS)


def test_the_list_that_ships_is_sorted_and_names_the_versions_of_the_pom() -> None:
    pins = jars.read_pins()
    pom = maven.POM.read_text()
    assert list(pins) == sorted(pins)
    assert len(pins) == 231
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in pins.values())
    assert {jars.SERVER_JAR, "neo4j-browser-5.24.0.jar"} <= pins.keys()
    assert f"<version>{jars.VERSION}</version>" in pom
    assert "<version>5.24.0</version>" in pom
    assert f"<version>{maven.GOAL.split(':')[2]}</version>" in pom


def test_the_pom_names_no_repository_and_excludes_nothing() -> None:
    pom = maven.POM.read_text()
    assert "repositor" not in pom.lower()
    assert "exclusion" not in pom.lower()


def until(condition: object, seconds: float = 280) -> None:
    assert callable(condition)
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)
