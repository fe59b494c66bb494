"""Measures retrieval on a corpus of articles and multi-hop questions, through the public API.

    python benchmarks/retrieval.py FOLDER [--questions N] [--project NAME] [--json FILE]

FOLDER holds `corpus.jsonl` ({id, title, text}) and `questions.jsonl` ({question, gold}), the form
in which 2WikiMultihopQA is used for measuring retrieval. The articles are imported as entities with
`mentions`, so that every name of another one in a text becomes a relation; no language model is
asked. Loading is idempotent, so a second run only measures. R@k is the share of a question's gold
articles among the first k hits, averaged over the questions, in percent.
"""

import argparse
import json
import platform
import re
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from graphmem.cli.progress import Shown
from graphmem.memory import Memory
from graphmem.search import Weights
from graphmem.text import name_tokens, normalised

CUTS = (2, 5, 10)
Ranker = Callable[[str], list[str]]


def main() -> int:
    """Load the corpus, measure every row and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=int, default=None, help="only the first N")
    parser.add_argument("--project", default="benchmark-retrieval")
    parser.add_argument("--json", type=Path, default=None, help="write the figures there as well")
    arguments = parser.parse_args()
    corpus = _lines(arguments.folder / "corpus.jsonl")
    questions = _lines(arguments.folder / "questions.jsonl")[: arguments.questions]
    with Memory.open(project=arguments.project, progress=Shown()) as memory:
        names = load(memory, corpus)
        figures = [measure(row, rank, questions, names) for row, rank in rows(memory, corpus)]
        speed = latency(memory, questions)
    table(figures, speed, len(corpus), len(questions))
    if arguments.json:
        arguments.json.write_text(json.dumps({"rows": figures, "speed": speed}, indent=1) + "\n")
    return 0


def load(memory: Memory, corpus: Sequence[dict[str, Any]]) -> dict[str, str]:
    """Write the corpus and its mentions; gives the entity's name of every article id."""
    names = names_by_id(corpus)
    lines = [
        {
            "type": "entity",
            "name": names[one["id"]],
            "kind": "Article",
            "text": one["text"],
            "aliases": [name for name in names_of(one["title"]) if name != names[one["id"]]],
        }
        for one in corpus
    ]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "corpus.jsonl"
        file.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
        report = memory.import_("jsonl", file, mentions=True, progress=Shown())
    assert not report.refused, report.refused[:3]
    return names


def names_by_id(corpus: Sequence[dict[str, Any]]) -> dict[str, str]:
    """The entity's name of every article id: its title, with the id where it is taken."""
    taken = Counter[str]()
    names: dict[str, str] = {}
    for article in corpus:
        folded = normalised(article["title"])
        taken[folded] += 1
        again = taken[folded] > 1
        names[article["id"]] = (
            f"{article['title']} ({article['id']})" if again else article["title"]
        )
    return names


def names_of(title: str) -> list[str]:
    """A title and, where it ends in a parenthesis that tells it from others, the part before."""
    plain = re.sub(r"\s*\([^()]*\)\s*$", "", title)
    return [title] if plain in {"", title} else [title, plain]


def rows(memory: Memory, corpus: Sequence[dict[str, Any]]) -> Iterable[tuple[str, Ranker]]:
    """What is measured: each leg alone, both fused by RRF, grep, and the evidence ranking."""
    words_only = replace(Weights(), name=0.0)

    def search(**options: Any) -> Ranker:  # noqa: ANN401 - passed on to Memory.search as they are
        def rank(question: str) -> list[str]:
            found = memory.search(question, scope="project", limit=max(CUTS), **options)
            assert found.degraded is None, found.degraded
            return [hit.name for hit in found.hits]

        return rank

    yield "text", search(mode="keyword", expand=False, weights=words_only)
    yield "vector", search(mode="semantic", expand=False)
    yield "text + vector, RRF", search(ranking="rrf", expand=False, weights=words_only)
    yield "grep", grep(corpus)
    yield "evidence, no links", search(expand=False)
    yield "evidence, links", search()


def grep(corpus: Sequence[dict[str, Any]]) -> Ranker:
    """Rank articles by how many distinct words of the question they contain, then by title."""
    bags = {one["title"]: set(name_tokens(f"{one['title']} {one['text']}")) for one in corpus}

    def rank(question: str) -> list[str]:
        words = {word for word in name_tokens(question) if word.isalnum()}
        ordered = sorted(bags, key=lambda title: (-len(words & bags[title]), title))
        return ordered[: max(CUTS)]

    return rank


def measure(
    row: str, rank: Ranker, questions: Sequence[dict[str, Any]], names: dict[str, str]
) -> dict[str, Any]:
    """R@k of one row."""
    shares: dict[int, list[float]] = {cut: [] for cut in CUTS}
    for question in questions:
        found = rank(question["question"])
        gold = {names[one] for one in question["gold"]}
        for cut in CUTS:
            shares[cut].append(len(gold & set(found[:cut])) / len(gold))
    return {"row": row} | {f"R@{cut}": 100 * statistics.fmean(shares[cut]) for cut in CUTS}


def latency(memory: Memory, questions: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Database milliseconds of a search and statements a question, questions already embedded."""
    before = memory.graph.statements
    taken = sorted(
        memory.search(one["question"], scope="project").took_ms["database"] for one in questions
    )
    return {
        "p50_ms": statistics.median(taken),
        "p95_ms": taken[int(0.95 * (len(taken) - 1))],
        "statements": (memory.graph.statements - before) / len(questions),
    }


def table(
    figures: Sequence[dict[str, Any]], speed: dict[str, float], articles: int, questions: int
) -> None:
    """Print the figures as a Markdown table."""
    print(f"\n{questions} questions over {articles} articles; Python {platform.python_version()}\n")
    print("| ranking | " + " | ".join(f"R@{cut}" for cut in CUTS) + " |")
    print("|---|" + "---|" * len(CUTS))
    for figure in figures:
        shares = " | ".join(f"{figure[f'R@{cut}']:.1f}" for cut in CUTS)
        print(f"| {figure['row']} | {shares} |")
    print(
        f"\nsearch, database time: p50 {speed['p50_ms']:.1f} ms, p95 {speed['p95_ms']:.1f} ms; "
        f"{speed['statements']:g} statement a question"
    )


def _lines(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


if __name__ == "__main__":
    sys.exit(main())
