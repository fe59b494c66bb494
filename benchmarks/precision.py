"""Measures what the precision of a model costs and brings, on every evaluation set of a folder.

    python benchmarks/precision.py FOLDER [--sets NAME …]

Each set is loaded as `sets.py` loads it, embedded in float32. Its passages are embedded again by
the quantized copy of the exported model (int8) and by torch in bfloat16; questions stay in
float32. Ranking is by exact cosines alone, an entity by its best passage. Cosines are those of a
passage's embedding with that in float32; seconds are those of embedding the passages.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from evaluation_sets import SETS, EvaluationSet, Loaded
from latency import FOLDER, driver_of
from numpy.typing import NDArray
from sets import figures

from graphmem import text
from graphmem.cli.progress import ProgressDisplay
from graphmem.embedding import DEFAULT_MODEL, document, local_embedder
from graphmem.embedding.models import on_disk
from graphmem.memory import Memory
from graphmem.settings import Settings

Vectors: TypeAlias = NDArray[np.float32]
PRECISIONS = ("float32", "int8", "bfloat16")
HEAD = "| set | passages, questions | " + " | ".join(
    f"{name}: R@5, R@10, nDCG@10" for name in PRECISIONS
)
BATCH = 32


def main() -> int:
    """Load what is missing, embed, rank, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    names = [one.name for one in SETS]
    parser.add_argument("--sets", nargs="+", choices=names, default=names)
    arguments = parser.parse_args()
    print(f"{HEAD} | cosine, mean and least: int8, bfloat16 | seconds: int8, bfloat16 |")
    print("|---" * 7 + "|")
    for one in SETS:
        if one.name in arguments.sets and (arguments.folder / one.folder).is_dir():
            print(row_of(one, arguments.folder / one.folder), flush=True)
    return 0


def row_of(one: EvaluationSet, folder: Path) -> str:
    """Measure one set."""
    with Memory.open(project=f"sets/{one.name}", progress=ProgressDisplay()) as memory:
        loaded = one.load(memory, folder)
        projects = sorted({question.project for question in loaded.questions})
        rows = [row for row in embedded(memory, projects) if is_reproduced(row)]
        questions = np.array(
            [memory.model.query(question.text)[0] for question in loaded.questions], np.float32
        )
    texts = [made_of(row) for row in rows]
    vectors = {"float32": np.array([row["embedding"] for row in rows], np.float32)}
    seconds, cosines = [], []
    for name, embed in (("int8", with_int8), ("bfloat16", with_bfloat16)):
        began = time.perf_counter()
        vectors[name] = embed(texts)
        seconds.append(f"{time.perf_counter() - began:.0f}")
        alike = (vectors[name] * vectors["float32"]).sum(axis=1)
        cosines.append(f"{alike.mean():.3f} and {alike.min():.3f}")
    cells = [ranked(loaded, rows, vectors[name], questions) for name in PRECISIONS]
    return (
        f"| {one.name} | {len(rows)}, {len(questions)} | {' | '.join(cells)} "
        f"| {', '.join(cosines)} | {', '.join(seconds)} |"
    )


def embedded(memory: Memory, projects: Sequence[str]) -> list[dict[str, Any]]:
    """The passages of some projects with their embeddings."""
    driver, database = driver_of(memory.graph)
    with driver, driver.session(database=database) as session:
        statement = (FOLDER / "embedded.cypher").read_text(encoding="utf-8")
        return session.run(statement, projects=list(projects)).data()


def made_of(row: dict[str, Any]) -> str:
    """What was embedded of a passage."""
    return document(row["name"], row["title"], row["text"], row["lead_in"])


def is_reproduced(row: dict[str, Any]) -> bool:
    """Whether that is what the stored embedding was made of."""
    return bool(text.digest(made_of(row)) == row["digest"])


def with_int8(texts: Sequence[str]) -> Vectors:
    """Embeddings by the quantized copy of the exported model."""
    exports = Settings().cache / "models"
    embedder = local_embedder(DEFAULT_MODEL, exports=exports, precision="int8")
    embedder.wait()
    return np.array(embedder.documents(list(texts)), np.float32)


def with_bfloat16(texts: Sequence[str]) -> Vectors:
    """Embeddings by torch in bfloat16, those of like length together."""
    import torch  # noqa: PLC0415 - seconds of import
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415

    model = SentenceTransformer(str(on_disk(DEFAULT_MODEL)), local_files_only=True, device="cpu")
    made = model.to(torch.bfloat16).encode_document(
        list(texts), batch_size=BATCH, convert_to_numpy=False, normalize_embeddings=True
    )
    vectors = torch.stack(list(made)).to(torch.float32).numpy()
    normalised: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return normalised


def ranked(
    loaded: Loaded, rows: Sequence[dict[str, Any]], vectors: Vectors, questions: Vectors
) -> str:
    """R@5, R@10 and nDCG@10 of exact cosines, in percent."""
    measured = []
    for question, vector in zip(loaded.questions, questions, strict=True):
        own = [number for number, row in enumerate(rows) if row["project"] == question.project]
        order = np.argsort(-(vectors[own] @ vector), kind="stable")
        names = dict.fromkeys(str(rows[own[number]]["name"]) for number in order)
        measured.append(figures(lambda _, names=names: list(names), question, loaded))  # type: ignore[misc]
    return ", ".join(
        f"{100 * statistics.fmean(one[figure] for one in measured):.1f}" for figure in (1, 2, 3)
    )


if __name__ == "__main__":
    sys.exit(main())
