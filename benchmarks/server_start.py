"""Times the private Neo4j from nothing to the first search, and its memory on the way.

    python benchmarks/server_start.py [--rounds 5] [--beside CHECKOUT]

Each round starts a server on a store with the sample project, connects, searches for the first
time, imports the sample once more, searches a hundred times and stops: with this checkout, without
and with an AOT cache, and with another checkout, in turn, each in a process of its own. The cache
is made first, in a folder of its own, which takes a minute or two. A fake model stands in for the
embeddings. Seconds of the processor are those of the JVM, which a busy machine changes least.
"""

import argparse
import importlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parents[1]
PROJECT = "example.org/server-start"
MEBIBYTE = 1024 * 1024
WARM_SEARCHES = 100
QUESTIONS = (
    "expired certificate",
    "who knows about Pagoluz",
    "berth booking",
    "sessions",
    "webhook secrets",
)


def main() -> int:
    """Time all of them, in turn; or, as a process of its own, one."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--beside", type=Path, default=None, help="another checkout")
    parser.add_argument("--work", choices=("once", "fill", "train"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.work:
        print(json.dumps({"once": worked, "fill": filled, "train": trained}[arguments.work]()))
        return 0
    with tempfile.TemporaryDirectory(prefix="graphmem-start-") as folder:
        _print(_measured(Path(folder), arguments.rounds, arguments.beside))
    return 0


def _measured(folder: Path, rounds: int, beside: Path | None) -> dict[str, list[dict[str, float]]]:
    """What each variant took in each round."""
    variants = {"this, no cache": (HERE, "plain"), "this, cache": (HERE, "cached")}
    if beside is not None:
        variants = {"beside": (beside.resolve(), "plain"), **variants}
    template = folder / "template"
    for cache in ("plain", "cached"):
        _link_jars(folder / cache)
    _run(HERE, "train", folder / "home", folder / "cached")
    _run(HERE, "fill", template, folder / "plain")
    measurements: dict[str, list[dict[str, float]]] = {name: [] for name in variants}
    for turn in range(rounds):
        for name, (checkout, cache) in list(variants.items())[:: -1 if turn % 2 else 1]:
            shutil.rmtree(folder / "home", ignore_errors=True)
            shutil.copytree(template, folder / "home")
            measurements[name].append(_run(checkout, "once", folder / "home", folder / cache))
    return measurements


def _link_jars(cache: Path) -> None:
    """Make a cache folder that holds this machine's jars and nothing else."""
    from graphmem import neo4j_process, settings  # noqa: PLC0415 - of this checkout

    jars = neo4j_process.fetch_jars(settings.load())
    cache.mkdir(mode=0o700)
    (cache / jars.name).symlink_to(jars)


def _run(checkout: Path, work: str, home: Path, cache: Path) -> dict[str, float]:
    # Older checkouts have the helpers of the tests beside these.
    folders = (checkout, checkout / "tests" / "helpers", checkout / "tests")
    paths = {"PYTHONPATH": os.pathsep.join(map(str, folders))}
    places = {"GRAPHMEM_HOME": str(home), "GRAPHMEM_CACHE": str(cache)}
    process = subprocess.run(  # noqa: S603 - this script
        [sys.executable, "-P", __file__, "--work", work],
        env=os.environ | paths | places,
        cwd=checkout,
        stdout=subprocess.PIPE,
        check=True,
    )
    return dict(json.loads(process.stdout))


def module(name: str, earlier: str) -> Any:  # noqa: ANN401 - of the checkout that is timed
    """Give a module of graphmem that older checkouts have elsewhere."""
    try:
        return importlib.import_module(f"graphmem.{name}")
    except ModuleNotFoundError:
        return importlib.import_module(f"graphmem.{earlier}")


def connecting() -> Any:  # noqa: ANN401 - a module of the checkout that is timed
    """Give the module that connects."""
    return module("memory.store.connecting", "memory.connecting")


def trained() -> dict[str, float]:
    """Make the AOT cache; gives the seconds that takes."""
    from graphmem.neo4j_process import server  # noqa: PLC0415
    from graphmem.settings import load  # noqa: PLC0415

    began = time.perf_counter()
    aot_training = module("neo4j_process.running.aot_training", "neo4j_process.aot_training")
    launch = server.launch_of(load(), preparation=connecting().preparation())
    assert aot_training.train(launch), "no AOT cache was made: is Java older than 24?"
    return {"seconds": time.perf_counter() - began}


def filled() -> dict[str, float]:
    """Make the store with the sample project."""
    from fakes import FakeEmbedder  # noqa: PLC0415 - of the checkout that is timed
    from graphmem import neo4j_process  # noqa: PLC0415
    from graphmem.memory import Memory  # noqa: PLC0415
    from graphmem.settings import load  # noqa: PLC0415

    with Memory.open(project=PROJECT, embedder=FakeEmbedder()) as memory:
        memory.import_("markdown", HERE / "examples" / "sample")
    neo4j_process.stop(load())
    return {}


def worked() -> dict[str, float]:
    """Start, search, import and stop once; seconds, milliseconds and mebibytes by name."""
    from fakes import FakeEmbedder  # noqa: PLC0415 - of the checkout that is timed
    from graphmem import neo4j_process  # noqa: PLC0415
    from graphmem.memory import Memory  # noqa: PLC0415
    from graphmem.progress import SILENT  # noqa: PLC0415
    from graphmem.settings import load  # noqa: PLC0415

    os.environ["GRAPHMEM_QUERY_SECONDS"] = "600"
    settings = load()
    began = time.perf_counter()
    # An earlier checkout starts a server as it is.
    start = getattr(connecting(), "start_private", neo4j_process.ensure_running)
    start(settings)
    measurements = {"start, s": time.perf_counter() - began}
    with connecting().connect(settings, read_only=True, progress=SILENT) as graph:
        graph.read("read/ping")
        measurements["start to the first Bolt answer, s"] = time.perf_counter() - began
    pid = neo4j_process.status(settings).pid
    assert pid is not None
    measurements["processor time until then, s"] = _processor_seconds(pid)
    measurements["memory after the start, MiB"] = _resident(pid)
    with Memory.open(project=PROJECT, config=settings, embedder=FakeEmbedder()) as memory:
        memory.search(QUESTIONS[0])
        measurements["start to the first search's answer, s"] = time.perf_counter() - began
        measurements["processor time until that, s"] = _processor_seconds(pid)
        measurements["memory after the first search, MiB"] = _resident(pid)
        memory.import_("markdown", HERE / "examples" / "sample", project=f"{PROJECT}/again")
        measurements["memory after the demo's import, MiB"] = _resident(pid)
        times = []
        for number in range(WARM_SEARCHES):
            asked = time.perf_counter()
            memory.search(f"{QUESTIONS[number % len(QUESTIONS)]} {number}")
            times.append((time.perf_counter() - asked) * 1000)
        measurements["next 50 searches, p50 ms"] = statistics.median(times[:50])
        measurements["50 searches after those, p50 ms"] = statistics.median(times[50:])
    stopped = time.perf_counter()
    neo4j_process.stop(settings)
    return measurements | {"stop, s": time.perf_counter() - stopped}


def _resident(pid: int) -> float:
    import psutil  # noqa: PLC0415 - comes with graphmem, of the checkout that is timed

    return float(psutil.Process(pid).memory_info().rss) / MEBIBYTE


def _processor_seconds(pid: int) -> float:
    import psutil  # noqa: PLC0415

    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


def _print(measurements: dict[str, list[dict[str, float]]]) -> None:
    """Print medians, and the last variant's ratio to the first."""
    print(f"| what | {' | '.join(measurements)} | ratio of the last to the first |")
    print("|---|" + "---|" * (len(measurements) + 1))
    first, *_, last = measurements.values()
    for what in first[0]:
        medians = [statistics.median(run[what] for run in runs) for runs in measurements.values()]
        ratio = statistics.median(
            after[what] / before[what] for before, after in zip(first, last, strict=True)
        )
        cells = (f"{median:,.0f}" if median >= 100 else f"{median:.1f}" for median in medians)
        print(f"| {what} | {' | '.join(cells)} | {ratio:.2f} |")


if __name__ == "__main__":
    sys.exit(main())
