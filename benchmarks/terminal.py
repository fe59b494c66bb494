"""Times the terminal's commands and the server's handshake against the least they could take.

    python benchmarks/terminal.py [--beside CHECKOUT] [--rounds 11]

Every round runs each command once, as a process of its own, in turn with `benchmarks/connect.py`,
which imports the driver and connects, and `graphmem serve` in turn with
`benchmarks/empty_server.py`. With `--beside` the same commands of another checkout take turns too.
They work in a project of a git repository of their own, which holds one entity afterwards. The
private server must be up (`graphmem db start`); GRAPHMEM_HOME says which.

Seconds and seconds of the processor are medians; on a machine that does other work the latter say
more. Memory is the most that a process ever held; for a server, what it holds once its tools are
listed.
"""

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from handshake import EMPTY, ENVIRONMENT, GRAPHMEM, handshake

from graphmem import neo4j_process, settings

HERE = Path(__file__).resolve().parents[1]
CONNECT = (sys.executable, str(Path(__file__).with_name("connect.py")))
REMEMBER = ("remember", "Redis cache", "--kind", "Decision", "--text", "Sessions are in Redis.")
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("--version",),
    ("--help",),
    ("search", "--mode", "keyword", "redis cache"),
    ("search", "redis cache"),
    REMEMBER,
)
MEBIBYTE = 1024 * 1024


@dataclass
class RunCosts:
    """What the runs of one command took, a value for each run.

    Args:
        seconds: From its start to its end.
        processor: Seconds of the processor, of the system's too.
        mebibytes: Of memory.
    """

    seconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    mebibytes: list[float] = field(default_factory=list)

    def add(self, seconds: float, processor: float, mebibytes: float) -> None:
        """Take in one run."""
        self.seconds.append(seconds)
        self.processor.append(processor)
        self.mebibytes.append(mebibytes)

    def medians(self) -> tuple[float, float, float]:
        """The medians of the three."""
        return (
            statistics.median(self.seconds),
            statistics.median(self.processor),
            statistics.median(self.mebibytes),
        )


def main() -> int:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--beside", type=Path, help="Another checkout to measure in turn.")
    parser.add_argument("--rounds", type=int, default=11)
    arguments = parser.parse_args()
    config = settings.load()
    if config.neo4j_uri is not None or not neo4j_process.is_ready(config):
        raise SystemExit("start the private server first: graphmem db start")
    checkouts = {"this": HERE}
    if arguments.beside is not None:
        checkouts["the other"] = arguments.beside.resolve()
    with tempfile.TemporaryDirectory() as folder:
        _make_repository(Path(folder))
        costs = _measured(checkouts, neo4j_process.ensure_running(config), folder, arguments.rounds)
    _print(costs, arguments.rounds)
    return 0


def _make_repository(folder: Path) -> None:
    remote = f"https://example.org/benchmarks/{uuid.uuid4().hex}.git"
    for words in (("init", "--quiet"), ("remote", "add", "origin", remote)):
        git = ("git", *words)
        subprocess.run(git, cwd=folder, check=True)  # noqa: S603 - our own words


def _measured(
    checkouts: Mapping[str, Path], server: neo4j_process.Connection, folder: str, rounds: int
) -> dict[tuple[str, str], RunCosts]:
    """What was taken, by what ran and of which checkout."""
    connect = ENVIRONMENT | {
        "CONNECT_URI": server.uri, "CONNECT_PASSWORD": server.password,
        "CONNECT_CERTIFICATE": server.certificate,
    }  # fmt: skip
    environments = {
        name: ENVIRONMENT | {"PYTHONPATH": str(path)} for name, path in checkouts.items()
    }
    for environment in environments.values():  # bytecode is written, and an entity is there
        _run((*GRAPHMEM[:-1], *REMEMBER), environment, folder)
    costs: dict[tuple[str, str], RunCosts] = {}
    for turn in range(rounds + 1):
        runs = [("import the driver, connect", "", _run(CONNECT, connect, folder))]
        for words in COMMANDS:
            shown = " ".join(words[:3] if words[1:2] == ("--mode",) else words[:1])
            for name, environment in environments.items():
                runs.append((shown, name, _run((*GRAPHMEM[:-1], *words), environment, folder)))
        runs.append(("an empty FastMCP server", "", _served(EMPTY, ENVIRONMENT, folder)))
        for name, environment in environments.items():
            runs.append(("serve", name, _served(GRAPHMEM, environment, folder)))
        for what, name, figures in runs if turn else ():  # the first round plans the statements
            costs.setdefault((what, name), RunCosts()).add(*figures)
    return costs


def _run(
    command: Sequence[str], environment: Mapping[str, str], folder: str
) -> tuple[float, float, float]:
    began = time.perf_counter()
    process = subprocess.Popen(  # noqa: S603 - our own commands
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read()
    error = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    took = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    process.stderr.close()
    assert process.returncode == 0, f"{' '.join(command)}: {error}"
    # Linux counts in kibibytes, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    return took, used.ru_utime + used.ru_stime, used.ru_maxrss * unit / MEBIBYTE


def _served(
    command: Sequence[str], environment: Mapping[str, str], folder: str
) -> tuple[float, float, float]:
    used = (0.0, 0.0)

    def look(pid: int) -> None:
        nonlocal used
        server = psutil.Process(pid)
        times = server.cpu_times()
        used = times.user + times.system, server.memory_info().rss / MEBIBYTE

    took, _ = handshake(command, environment=environment, folder=folder, listed=look)
    return took, *used


def _print(costs: Mapping[tuple[str, str], RunCosts], rounds: int) -> None:
    print(
        f"{rounds} rounds, Python {platform.python_version()}, {os.cpu_count()} cores, load",
        end=" ",
    )
    print(f"{os.getloadavg()[0]:.1f} at the end\n")
    least = costs["import the driver, connect", ""].medians()
    empty = costs["an empty FastMCP server", ""].medians()
    keyword = costs["search --mode keyword", "this"].medians()
    print("| what | of | s | processor s | MiB | ratio of s | ratio of processor s | to |")
    print("|---|---|---|---|---|---|---|---|")
    for (what, name), each in costs.items():
        seconds, processor, mebibytes = each.medians()
        to, than = {
            "serve": ("the empty server", empty),
            "search": ("search --mode keyword", keyword),
        }.get(what, ("the connection", least))
        ratios = f"{seconds / than[0]:.2f} | {processor / than[1]:.2f} | {to}" if name else "| |"
        print(f"| {what} | {name} | {seconds:.3f} | {processor:.3f} | {mebibytes:.0f} | {ratios} |")


if __name__ == "__main__":
    sys.exit(main())
