"""Measures how many answers an agent can read in a search's text, without a call of `get`.

    python benchmarks/shown_answers.py FOLDER [--sets NAME …] [--characters N …]

FOLDER is that of `sets.py`, which loads the same projects. Each question is searched for once, ten
hits, and the answer is cut as it is over MCP, within 7,500 characters by default. Of the questions
whose answer is more than yes or no, the table has the share whose answer stands in the passages
shown, all of its words in their order; and what a model is shown, in tokens as graphmem counts.
The last row has all passages of the hits in full.
"""

import argparse
import re
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from evaluation_sets import SETS, EvaluationSet, Question

from graphmem.cli.progress import ProgressDisplay
from graphmem.memory import Memory
from graphmem.model import Answer
from graphmem.model.json_object import compact_json
from graphmem.packing import tokens
from graphmem.server import brief
from graphmem.server.concise_json import concise_json

HITS = 10
WITH_ANSWERS = ("2wiki", "locomo")


def main() -> int:
    """Load what is missing, search, print a table for each set."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sets", nargs="+", choices=WITH_ANSWERS, default=WITH_ANSWERS)
    parser.add_argument("--characters", nargs="+", type=int, default=[brief.ANSWER_CHARACTERS])
    arguments = parser.parse_args()
    for evaluation_set in SETS:
        if evaluation_set.name in arguments.sets:
            folder = arguments.folder / evaluation_set.folder
            print(
                table(evaluation_set.name, answers_of(evaluation_set, folder), arguments.characters)
            )
    return 0


def answers_of(evaluation_set: EvaluationSet, folder: Path) -> list[tuple[Question, Answer]]:
    """Ask the questions of a set that have an answer to look for."""
    with Memory.open(project=f"sets/{evaluation_set.name}", progress=ProgressDisplay()) as memory:
        questions = evaluation_set.load(memory, folder).questions
        return [
            (question, memory.search(question.text, project=question.project, limit=HITS))
            for question in questions
            if words_of(question.answer) not in {"", "yes", "no"}
        ]


def table(name: str, answers: Sequence[tuple[Question, Answer]], budgets: Sequence[int]) -> str:
    """A row for each number of characters, and one for all that was found."""
    lines = [
        f"| {name}, {len(answers)} questions | tokens, mean | tokens, most | answer shown |",
        "|---|---|---|---|",
    ]
    for characters in budgets:
        brief.ANSWER_CHARACTERS = characters
        lines.append(row(f"{characters:,} characters", answers, brief.brief))
    lines.append(row("in full", answers, lambda answer: answer))
    return "\n".join(lines)


def row(
    name: str, answers: Sequence[tuple[Question, Answer]], cut: Callable[[Answer], Answer]
) -> str:
    """One way to cut answers: what they take, and how many say what was asked."""
    sizes, shown = [], []
    for question, answer in answers:
        cut_answer = cut(answer)
        sizes.append(tokens(compact_json(concise_json(cut_answer.to_json()))))
        texts = [passage.text for hit in cut_answer.hits for passage in hit.passages]
        shown.append(f" {words_of(question.answer)} " in f" {words_of(' '.join(texts))} ")
    share = 100 * statistics.fmean(shown)
    return f"| {name} | {statistics.fmean(sizes):,.0f} | {max(sizes):,} | {share:.1f} % |"


def words_of(text: str) -> str:
    """The words of a text, without case and what stands between them."""
    return " ".join(re.findall(r"\w+", text.casefold()))


if __name__ == "__main__":
    sys.exit(main())
