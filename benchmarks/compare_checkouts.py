"""Times this checkout beside another one, an earlier commit for example, at the same server.

    git worktree add ../earlier COMMIT
    python benchmarks/compare_checkouts.py ../earlier [--entities 2000] [--rounds 3] [--real-model]

Both run the same work in processes of their own, in turn, each in a project of its own: a first
import, the same import again, an import of which every tenth entity changed, remembering one entity
fifty times, and a hundred searches. A fake model stands in for the embeddings, which are the same
in both; `--real-model` loads the one of the settings. The ratios are taken within the run.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
WORK = ("import", "import again", "import, a tenth changed", "remember 50", "search 100")


def main() -> int:
    """Time both, in turn; or, as a process of its own, work once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path)
    parser.add_argument("--entities", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--real-model", action="store_true")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.work:
        print(json.dumps(worked(arguments.entities, real_model=arguments.real_model)))
        return 0
    from graphmem import neo4j_process, settings  # noqa: PLC0415 - of this checkout

    server = neo4j_process.ensure_running(settings.load())
    environment = os.environ | {
        "NEO4J_URI": server.uri, "NEO4J_USERNAME": server.username,
        "NEO4J_PASSWORD": server.password,
    }  # fmt: skip
    seconds_of: dict[Path, list[dict[str, float]]] = {HERE: [], arguments.other.resolve(): []}
    for turn in range(arguments.rounds + 1):
        for checkout in list(seconds_of)[:: 1 if turn % 2 else -1]:
            run = _run(checkout, environment, arguments)
            if turn:  # the first round plans the statements
                seconds_of[checkout].append(run)
    _print(seconds_of, arguments.other)
    return 0


def _run(
    checkout: Path, environment: dict[str, str], arguments: argparse.Namespace
) -> dict[str, float]:
    command = [sys.executable, __file__, ".", "--work", "--entities", str(arguments.entities)]
    command += ["--real-model"] if arguments.real_model else []
    # Older checkouts have the helpers of the tests beside these.
    folders = (checkout, checkout / "tests" / "helpers", checkout / "tests")
    paths = {"PYTHONPATH": os.pathsep.join(map(str, folders))}
    process = subprocess.run(  # noqa: S603 - this script
        command, env=environment | paths, cwd=checkout, stdout=subprocess.PIPE, check=True
    )
    return dict(json.loads(process.stdout))


def worked(entities: int, *, real_model: bool = False) -> dict[str, float]:
    """The seconds that each piece of work took."""
    from fakes import FakeEmbedder  # noqa: PLC0415 - of the checkout that is timed
    from graphmem.memory import Memory  # noqa: PLC0415

    project = f"example.org/beside/{uuid.uuid4().hex}"
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory.open(project=project, embedder=None if real_model else FakeEmbedder()) as memory,
    ):
        memory.remember([{"name": "The model is loaded"}])
        file = Path(folder) / "all.jsonl"
        _write(file, entities, changed=0)
        seconds_of = {WORK[0]: _seconds(lambda: memory.import_("jsonl", file))}
        seconds_of[WORK[1]] = _seconds(lambda: memory.import_("jsonl", file))
        _write(file, entities, changed=10)
        seconds_of[WORK[2]] = _seconds(lambda: memory.import_("jsonl", file))
        seconds_of[WORK[3]] = _seconds(
            lambda: [
                memory.remember([{"name": f"Entity {n}", "observations": ["Seen by hand."]}])
                for n in range(50)
            ]
        )
        memory.search("warm words")
        seconds_of[WORK[4]] = _seconds(
            lambda: [memory.search(f"tide feed {n} of harbour {n * 7}") for n in range(100)]
        )
    return seconds_of


def _write(file: Path, entities: int, *, changed: int) -> None:
    run = uuid.uuid5(uuid.NAMESPACE_URL, str(file)).hex  # texts that no earlier run has embedded
    with file.open("w", encoding="utf-8") as lines:
        for n in range(entities):
            edited = " Edited." if changed and n % changed == 0 else ""
            entity = {
                "type": "entity", "name": f"Entity {n}", "kind": "Note", "tags": [f"t{n % 9}"],
                "text": f"The tide feed {n} tells harbour {n * 7 % entities} of it.{edited} {run}",
                "observations": [f"It ran late {n % 5} times.", f"Asked for by team {n % 11}."],
            }  # fmt: skip
            lines.write(f"{json.dumps(entity)}\n")
            if n:
                relation = {
                    "type": "relation", "from": f"Entity {n}", "relation": "FOLLOWS",
                    "to": f"Entity {n - 1}",
                }  # fmt: skip
                lines.write(f"{json.dumps(relation)}\n")


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _print(seconds_of: dict[Path, list[dict[str, float]]], other: Path) -> None:
    here, there = seconds_of[HERE], seconds_of[other.resolve()]
    print("| what | the other, s | this one, s | ratio |\n|---|---|---|---|")
    for what in WORK:
        ours, theirs = (statistics.median(run[what] for run in runs) for runs in (here, there))
        print(f"| {what} | {theirs:.2f} | {ours:.2f} | {ours / theirs:.2f} |")


if __name__ == "__main__":
    sys.exit(main())
