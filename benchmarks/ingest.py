"""Times a whole import with the real model beside the model alone, and beside another checkout.

    python benchmarks/ingest.py CORPUS.jsonl [--most 2000] [--rounds 1] [--beside ../earlier]
    python benchmarks/ingest.py FOLDER --format code

A line of the corpus is one of `import jsonl`, or {title, text}. The model alone gets the passages
of the same corpus in one call, which lets it put those of one length side by side: the best it can
do. Each import goes into a project of its own, in a process of its own, at the same server; the
ratios are taken within the run.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

import psutil

HERE = Path(__file__).resolve().parents[1]


def main() -> int:
    """Time the model alone and the imports, in turn; or, as a process of its own, one of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--format", default="jsonl")
    parser.add_argument("--most", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--beside", type=Path)
    parser.add_argument("--work", choices=("import", "model"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.work:
        work = imported if arguments.work == "import" else embedded
        print(json.dumps(work(arguments.corpus, arguments.format)))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        corpus = arguments.corpus.resolve()
        if arguments.format == "jsonl":
            corpus = Path(folder) / "corpus.jsonl"
            _cut(arguments.corpus, corpus, arguments.most)
        _compare(corpus, arguments)
    return 0


def _cut(corpus: Path, target: Path, most: int) -> None:
    """Write a corpus's first entities and the relations between them as JSON lines."""
    names: set[str] = set()
    with target.open("w") as written:
        for line in corpus.read_text().splitlines():
            row = json.loads(line)
            if row.get("type") == "relation":
                if not {row["from"], row["to"]} <= names:
                    continue
            elif len(names) < most:
                row = row if "name" in row else {"name": row["title"], "text": row["text"]}
                row.setdefault("type", "entity")
                names.add(row["name"])
            else:
                continue
            written.write(f"{json.dumps(row)}\n")


def _compare(corpus: Path, arguments: argparse.Namespace) -> None:
    from graphmem import neo4j_process, settings  # noqa: PLC0415 - of this checkout

    server = neo4j_process.ensure_running(settings.load())
    environment = os.environ | {
        "NEO4J_URI": server.uri, "NEO4J_USERNAME": server.username,
        "NEO4J_PASSWORD": server.password,
    }  # fmt: skip
    others = [] if arguments.beside is None else [arguments.beside.resolve()]
    print(f"{'':34}{'seconds':>9}{'passages':>10}{'a second':>10}{'peak MB':>9}")
    for _ in range(arguments.rounds):
        alone = _run(HERE, "model", corpus, environment, arguments.format)
        _line("the model alone, here", alone)
        before = [_run(one, "import", corpus, environment, arguments.format) for one in others]
        for one, measurement in zip(others, before, strict=True):
            _line(f"import, {one.name}", measurement)
        now = _run(HERE, "import", corpus, environment, arguments.format)
        _line("import, here", now)
        print(f"import to the model alone {now['seconds'] / alone['seconds']:.2f}")
        for measurement in before:
            print(f"import here to there {now['seconds'] / measurement['seconds']:.2f}")


def _line(what: str, measurement: dict[str, float]) -> None:
    rate = measurement["passages"] / measurement["seconds"]
    print(
        f"{what:34}{measurement['seconds']:>9.1f}{measurement['passages']:>10.0f}{rate:>10.1f}"
        f"{measurement['megabytes']:>9.0f}",
        flush=True,
    )


def _run(
    checkout: Path, work: str, corpus: Path, environment: dict[str, str], form: str
) -> dict[str, float]:
    command = [sys.executable, __file__, str(corpus), "--work", work, "--format", form]
    process = subprocess.run(  # noqa: S603 - this script
        command,
        env=environment | {"PYTHONPATH": str(checkout)},
        cwd=checkout,
        stdout=subprocess.PIPE,
        check=True,
    )
    return dict(json.loads(process.stdout))


def imported(corpus: Path, form: str) -> dict[str, float]:
    """An import into a new project, the model loaded before."""
    from graphmem.memory import Memory  # noqa: PLC0415 - of the checkout that is timed

    project = f"example.org/ingest/{uuid.uuid4().hex}"
    with Memory.open(project=project) as memory:
        memory.remember([{"name": "The model is loaded"}])
        began = time.perf_counter()
        report = memory.import_(form, corpus)
        seconds = time.perf_counter() - began
        assert not report.refused, report.refused[:3]
        assert memory.stats().pending == 0
        return _measurement(seconds, memory.stats().passages - 1)


def embedded(corpus: Path, form: str) -> dict[str, float]:
    """The passages of the corpus through the model alone, in one call."""
    from graphmem import settings, transfer  # noqa: PLC0415
    from graphmem.embedding import configured_embedder, document  # noqa: PLC0415
    from graphmem.model import Entity  # noqa: PLC0415
    from graphmem.progress import SILENT  # noqa: PLC0415
    from graphmem.write.assertions.splitting import split_text  # noqa: PLC0415

    texts = [
        document(row.value.name, row.value.title, passage, row.value.lead_in)
        for row in transfer.chosen(form).read(corpus, SILENT)
        if isinstance(row.value, Entity)
        for passage in split_text(row.value.text or "") or [""]
    ]
    model = configured_embedder(settings.load(), start=True)
    assert model.wait(), model.reason
    model.query("The model is loaded")
    began = time.perf_counter()
    model.documents(texts)
    return _measurement(time.perf_counter() - began, len(texts))


def _measurement(seconds: float, passages: int) -> dict[str, float]:
    megabytes = psutil.Process().memory_info().rss / 1_000_000
    return {"seconds": seconds, "passages": passages, "megabytes": megabytes}


if __name__ == "__main__":
    sys.exit(main())
