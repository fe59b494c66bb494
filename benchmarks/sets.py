"""Measures retrieval on every evaluation set of a folder, through the public API.

    python benchmarks/sets.py FOLDER [--sets NAME …] [--rows NAME …] [--json FILE] [--against FILE]

FOLDER holds a folder for each set that is listed in `evaluation_sets.py`; those that are not there
are left out. Each is imported into a project of its own, `sets/NAME`, unless that holds as many
entities already: a second run only measures. R@k is the share of a question's gold among the first
k hits, nDCG@10 the discounted gain of the first ten over that of the best order; both in percent,
averaged over the questions. The macro average gives each set the same weight, whatever its number
of questions.

--json keeps the figures of each question. --against reads such a file and prints the paired
differences to its default row, with the 95 % interval of 2,000 bootstrap samples of the questions.
"""

import argparse
import json
import math
import statistics
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from evaluation_sets import DEPTH, SETS, EvaluationSet, Loaded, Question
from rankings import ROWS, Ranker

from graphmem.cli.progress import ProgressDisplay
from graphmem.memory import Memory

FIGURES = ("R@2", "R@5", "R@10", "nDCG@10")
SAMPLES = 2000

# Of each set and row: of each question its figures, in the order of FIGURES, 0 to 1.
Results: TypeAlias = dict[str, dict[str, list[list[float]]]]


def main() -> int:
    """Load what is missing, measure every row on every set, print the tables."""
    arguments = read_arguments()
    results: Results = {}
    for evaluation_set in SETS:
        folder = arguments.folder / evaluation_set.folder
        if evaluation_set.name not in arguments.sets or not folder.is_dir():
            continue
        results[evaluation_set.name] = results_of(evaluation_set, folder, arguments.rows)
    if arguments.json:
        arguments.json.write_text(json.dumps(results) + "\n", encoding="utf-8")
    print(table(results))
    for row in arguments.rows:
        if row != "default":
            print(f"\ndefault, compared with {row}:")
            print(differences(results, results, row))
    if arguments.against:
        print(f"\ndefault, compared with {arguments.against.name}:")
        print(differences(results, json.loads(arguments.against.read_text()), "default"))
    return 0


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    names = [evaluation_set.name for evaluation_set in SETS]
    parser.add_argument("--sets", nargs="+", choices=names, default=names)
    parser.add_argument("--rows", nargs="+", choices=list(ROWS), default=list(ROWS))
    parser.add_argument("--json", type=Path, help="write the figures of each question there")
    parser.add_argument("--against", type=Path, help="compare with the figures of an earlier run")
    return parser.parse_args()


def results_of(
    evaluation_set: EvaluationSet, folder: Path, rows: Sequence[str]
) -> dict[str, list[list[float]]]:
    """Load one set and measure each row on it."""
    with Memory.open(project=f"sets/{evaluation_set.name}", progress=ProgressDisplay()) as memory:
        loaded = evaluation_set.load(memory, folder)
        results = {}
        for row in rows:
            ranker = ROWS[row](memory, loaded)
            results[row] = [figures(ranker, question, loaded) for question in loaded.questions]
            print(f"{evaluation_set.name}, {row}: {average(results[row], 1):.1f}", file=sys.stderr)
    return results


def figures(ranker: Ranker, question: Question, loaded: Loaded) -> list[float]:
    """Measure one question: its figures in the order of FIGURES, 0 to 1."""
    ranked = list(dict.fromkeys(map(loaded.document_of, ranker(question))))
    relevant = [name in question.gold for name in ranked[:DEPTH]]
    recalls = [sum(relevant[:cut]) / len(question.gold) for cut in (2, 5, 10)]
    gain = sum(hit / math.log2(place + 2) for place, hit in enumerate(relevant))
    best = sum(1 / math.log2(place + 2) for place in range(min(DEPTH, len(question.gold))))
    return [*recalls, gain / best]


def average(rows: Sequence[Sequence[float]], figure: int) -> float:
    """One figure over all questions, in percent."""
    return 100 * statistics.fmean(row[figure] for row in rows)


def table(results: Results) -> str:
    """Every row on every set, R@5 / nDCG@10, and the macro averages of all figures."""
    heads = [f"{name} ({len(next(iter(of_set.values())))})" for name, of_set in results.items()]
    lines = [
        "| ranking | macro R@2 / R@5 / R@10 / nDCG@10 | " + " | ".join(heads) + " |",
        "|---|---|" + "---|" * len(heads),
    ]
    for row in next(iter(results.values()), {}):
        macro = [
            statistics.fmean(average(of_set[row], number) for of_set in results.values())
            for number in range(len(FIGURES))
        ]
        cells = [
            f"{average(of_set[row], 1):.1f} / {average(of_set[row], 3):.1f}"
            for of_set in results.values()
        ]
        averages = " / ".join(f"{figure:.1f}" for figure in macro)
        lines.append(f"| {row} | {averages} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def differences(results: Results, others: Mapping[str, Any], row: str) -> str:
    """Compare the default with another row question by question: mean of R@5 and nDCG@10."""
    chance = np.random.default_rng(0)
    means, samples, lines = [], [], []
    for name, of_set in results.items():
        if "default" not in of_set or row not in others.get(name, {}):
            continue
        paired = 100 * (_merit(of_set["default"]) - _merit(others[name][row]))
        drawn = chance.integers(len(paired), size=(SAMPLES, len(paired)))
        means.append(float(paired.mean()))
        samples.append(paired[drawn].mean(axis=1))
        lines.append(f"  {name}: {means[-1]:+.1f} ({_interval(samples[-1])})")
    if means:
        macro = np.mean(samples, axis=0)
        lines.append(f"  macro: {statistics.fmean(means):+.1f} ({_interval(macro)})")
    return "\n".join(lines)


_Array: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"


def _merit(rows: Sequence[Sequence[float]]) -> _Array:
    """What a question is compared by: the mean of R@5 and nDCG@10."""
    array = np.array(rows)
    merit: _Array = (array[:, 1] + array[:, 3]) / 2
    return merit


def _interval(samples: _Array) -> str:
    low, high = np.percentile(samples, [2.5, 97.5])
    return f"{low:+.1f} to {high:+.1f}"


if __name__ == "__main__":
    sys.exit(main())
