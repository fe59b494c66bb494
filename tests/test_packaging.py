"""What ships is what is here: the wheel, the pins, the containers and the two commands."""

import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

import graphmem
from graphmem.neo4j_process.home.configuration import FIXED_SETTINGS
from graphmem.neo4j_process.machine.jars import VERSION as NEO4J_VERSION

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WHEEL_BYTES = 2_000_000
PROGRAM = """
from importlib.resources import files
import graphmem, graphmem.statements as statements
print(graphmem.__file__)
print(statements.load("read/search_plain").name)
print(len(list(statements.folder().rglob("*.cypher"))))
print((files("graphmem") / "sample").is_dir())
"""


def run(*command: str | Path, cwd: Path) -> str:
    inherited = {"PYTHONPATH", "MAKEFLAGS", "MAKELEVEL"}
    variables = {name: value for name, value in os.environ.items() if name not in inherited}
    process = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=variables,
        check=False,
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


def wheel_of(folder: Path) -> zipfile.ZipFile:
    (wheel,) = folder.glob("*.whl")
    return zipfile.ZipFile(wheel)


def contents(folder: Path) -> dict[str, int]:
    """The files of a folder's wheel with their checksums, but for the list of them."""
    with wheel_of(folder) as wheel:
        return {
            file.filename: file.CRC for file in wheel.infolist() if "RECORD" not in file.filename
        }


# The wheel


@pytest.fixture(scope="module")
def by_way_of_the_sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def from_the_checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = (sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", folder, ROOT)
    run(*command, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def bare(from_the_checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel alone; the libraries are borrowed, 3 GB need no copy."""
    folder = tmp_path_factory.mktemp("bare")
    run(sys.executable, "-m", "venv", "--without-pip", folder, cwd=folder)
    (wheel,) = from_the_checkout.glob("*.whl")
    python = folder / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "install")
    run(*pip, "--quiet", "--no-deps", "--no-index", wheel, cwd=folder)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return folder


@pytest.mark.live
def test_the_wheel_is_the_same_by_way_of_the_sdist(
    by_way_of_the_sdist: Path, from_the_checkout: Path
) -> None:
    assert contents(by_way_of_the_sdist) == contents(from_the_checkout)


@pytest.mark.live
@pytest.mark.parametrize(
    ("folder", "inside"), [("cypher", "graphmem/cypher"), ("examples/sample", "graphmem/sample")]
)
def test_the_wheel_holds_the_files_beside_the_code(
    folder: str, inside: str, from_the_checkout: Path
) -> None:
    here = {
        f"{inside}/{path.relative_to(ROOT / folder).as_posix()}"
        for path in (ROOT / folder).rglob("*")
        if path.is_file()
    }

    assert {name for name in contents(from_the_checkout) if name.startswith(f"{inside}/")} == here


@pytest.mark.live
def test_the_wheel_holds_every_module_and_nothing_that_is_not_ours(from_the_checkout: Path) -> None:
    packed = contents(from_the_checkout)
    code = {path.relative_to(ROOT).as_posix() for path in (ROOT / "graphmem").rglob("*.py")}

    assert {name for name in packed if name.endswith((".py", ".pyc"))} == code
    assert {name.split("/")[0] for name in packed} == {
        "graphmem",
        f"graphmem-{graphmem.__version__}.dist-info",
    }


@pytest.mark.live
@pytest.mark.parametrize(
    "name",
    [
        "graphmem/py.typed",
        "graphmem/neo4j_process/machine/jars.sha256",
        "graphmem/neo4j_process/machine/pom.xml",
        *(
            f"graphmem/view/assets/{path.name}"
            for path in (ROOT / "graphmem/view/assets").iterdir()
        ),
        f"graphmem-{graphmem.__version__}.dist-info/licenses/LICENSE",
    ],
)
def test_the_wheel_holds_what_is_no_module(name: str, from_the_checkout: Path) -> None:
    assert name in contents(from_the_checkout)


@pytest.mark.live
def test_the_wheel_is_small(from_the_checkout: Path) -> None:
    (wheel,) = from_the_checkout.glob("*.whl")

    assert wheel.stat().st_size < WHEEL_BYTES


@pytest.mark.live
def test_the_installed_command_runs_from_its_own_environment(bare: Path) -> None:
    assert run(bare / "bin" / "graphmem", "--version", cwd=bare).strip() == graphmem.__version__


@pytest.mark.live
def test_the_installed_package_finds_its_statements_and_its_sample(bare: Path) -> None:
    file, name, statements, has_sample = run(
        bare / "bin" / "python", "-c", PROGRAM, cwd=bare
    ).splitlines()

    assert Path(file).is_relative_to(bare)
    assert name == "read/search_plain"
    assert int(statements) == len(list((ROOT / "cypher").rglob("*.cypher")))
    assert has_sample == "True"


# Versions


def test_one_version_is_written_everywhere() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

    assert PROJECT["version"] == graphmem.__version__
    assert re.findall(r"^## (\S+)", changelog, re.MULTILINE)[0] == graphmem.__version__


def test_the_same_versions_of_python_are_named_everywhere() -> None:
    versions = [line.rsplit(" ", 1)[1] for line in PROJECT["classifiers"] if ":: 3." in line]
    allowed = SpecifierSet(PROJECT["requires-python"])
    assert [f"3.{minor}" for minor in range(99) if f"3.{minor}" in allowed] == versions
    words = f"Python {versions[0]} to {versions[-1]}"
    for name in ("README.md", "Makefile"):
        assert words in (ROOT / name).read_text(encoding="utf-8")


def test_every_requirement_is_pinned_to_a_version_it_allows() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = {
        canonicalize_name(name): version for name, _, version in (x.partition("==") for x in lines)
    }
    wanted = [Requirement(line) for line in PROJECT["dependencies"]]
    for extra in PROJECT["optional-dependencies"].values():
        wanted += [Requirement(line) for line in extra]

    for requirement in wanted:
        pin = pins.get(canonicalize_name(requirement.name))
        assert pin is not None, requirement.name
        assert requirement.specifier.contains(pin), f"{requirement} is not {pin}"


def test_the_licence_is_the_one_the_project_names() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")

    assert PROJECT["license"] == "Apache-2.0"
    assert "Apache License\n                           Version 2.0, January 2004" in text
    assert text.rstrip().endswith("limitations under the License.")


# The containers; no engine is needed to see what they say


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    loaded = yaml.safe_load((ROOT / "docker" / "compose.yaml").read_text(encoding="utf-8"))
    assert isinstance(loaded, dict)
    return loaded


def dockerfile() -> list[str]:
    text = (ROOT / "docker" / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def test_the_containers_are_reachable_from_this_machine_alone(compose: dict[str, Any]) -> None:
    ports = [port for service in compose["services"].values() for port in service["ports"]]

    assert len(ports) == 3
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_every_container_says_whether_it_is_well(compose: dict[str, Any]) -> None:
    assert compose["services"]["neo4j"]["healthcheck"]["test"][0] == "CMD"
    assert any(line.startswith("HEALTHCHECK") and "/health" in line for line in dockerfile())
    assert compose["services"]["graphmem"]["depends_on"] == {
        "neo4j": {"condition": "service_healthy"}
    }


def test_the_database_in_a_container_reports_as_little_as_the_private_one(
    compose: dict[str, Any],
) -> None:
    variables = compose["services"]["neo4j"]["environment"]
    reporting = [
        name
        for name in FIXED_SETTINGS
        if any(word in name for word in ("telemetry", "usage_report", "fleet"))
    ]
    assert len(reporting) == 5
    for name in reporting:
        assert variables[f"NEO4J_{name.replace('_', '__').replace('.', '_')}"] == "false"


def test_the_database_in_a_container_has_time_to_end(compose: dict[str, Any]) -> None:
    assert compose["services"]["neo4j"]["stop_grace_period"] == "2m"


def test_the_data_outlive_the_container_in_a_volume_with_a_name(compose: dict[str, Any]) -> None:
    assert compose["services"]["neo4j"]["volumes"] == ["neo4j-data:/data"]
    assert compose["services"]["graphmem"]["volumes"] == ["graphmem-data:/data"]
    assert set(compose["volumes"]) == {"neo4j-data", "graphmem-data"}


def test_the_home_and_the_exported_model_are_in_the_volume_and_its_users_own() -> None:
    (variables,) = (line.split()[1:] for line in dockerfile() if line.startswith("ENV "))
    folders = dict(variable.split("=") for variable in variables)
    made = next(line for line in dockerfile() if "install --directory" in line)

    assert set(folders) == {"GRAPHMEM_HOME", "GRAPHMEM_CACHE"}
    assert all(folder.startswith("/data/") for folder in folders.values())
    assert "--owner graphmem" in made
    assert made.split()[-3:] == ["/data", *folders.values()]


def test_other_containers_reach_the_server_by_its_host_name(compose: dict[str, Any]) -> None:
    server = compose["services"]["graphmem"]

    # The server answers to the name of its machine; otherwise that is the container's id.
    assert server["hostname"] == "graphmem"
    assert server["environment"]["GRAPHMEM_PROJECT"] == "${GRAPHMEM_PROJECT:-}"


def test_secrets_of_the_containers_come_from_the_environment_and_must_be_given(
    compose: dict[str, Any],
) -> None:
    secrets = {
        name: value
        for service in compose["services"].values()
        for name, value in service["environment"].items()
        if re.search("AUTH|PASSWORD|TOKEN|SECRET|KEY", name)
    }

    assert set(secrets) == {"NEO4J_AUTH", "NEO4J_PASSWORD", "GRAPHMEM_TOKEN"}
    for value in secrets.values():
        assert re.fullmatch(r"(neo4j/)?\$\{[A-Z0-9_]+:\?[^}]+\}", value)


def test_the_container_runs_the_neo4j_that_graphmem_was_tested_with(
    compose: dict[str, Any],
) -> None:
    assert compose["services"]["neo4j"]["image"] == f"neo4j:{NEO4J_VERSION}-community"


def test_what_the_image_copies_is_here_and_sent_to_the_engine() -> None:
    sent = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    copied = [
        source for line in dockerfile() if line.startswith("COPY ") for source in line.split()[1:-1]
    ]

    assert copied
    assert [name for name in copied if not (ROOT / name).exists()] == []
    assert [name for name in copied if f"!{name}" not in sent] == []


def test_the_image_does_not_run_as_root() -> None:
    users = [line.split()[1] for line in dockerfile() if line.startswith("USER ")]

    assert users == ["graphmem"]


# The two commands


def test_make_lists_its_targets() -> None:
    listed = run("make", "--no-print-directory", "--directory", ROOT, cwd=ROOT)

    assert [line.split()[1] for line in listed.splitlines()] == [
        "help", "demo", "test", "check", "thorough", "faults", "bench", "clean",
    ]  # fmt: skip


def test_make_test_ends_with_pytest_and_ci_runs_it() -> None:
    steps = run("make", "--no-print-directory", "-n", "test", cwd=ROOT).splitlines()

    assert [re.sub(r"\S*/", "", step) for step in steps[-4:-1]] == [
        "ruff format --check .", "ruff check .", "mypy",
    ]  # fmt: skip
    assert re.fullmatch(r"\S*/pytest --numprocesses 3 .*", steps[-1])
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").endswith("\nexec make test\n")
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_the_demo_is_set_up_from_the_pins_and_says_what_it_downloads() -> None:
    planned = run("make", "--no-print-directory", "-n", "-B", "demo", cwd=ROOT)

    assert "-c constraints.txt -e '.[offline,java]'" in planned
    assert "3 GB" in planned
    assert planned.splitlines()[-1].endswith("/graphmem demo")
