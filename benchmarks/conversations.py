"""Measures retrieval of evidence turns in long conversations, through the public API.

    python benchmarks/conversations.py FILE [--project NAME]

FILE holds one conversation a line: {conversation, turns: [{id, session, time, speaker, text,
image}], questions: [{question, gold}]}, the form of LoCoMo. Every turn becomes an entity of its
own, linked to the next one of its session and to the one after that; its speaker is its title, its
date a tag (searched by words, not embedded), and the caption of a shared image stays with its text.
R@k is the share of a question's evidence turns among the first k hits, in percent, averaged over
the questions whose evidence exists.
"""

import argparse
import json
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from graphmem.cli.progress import Shown
from graphmem.memory import Memory
from graphmem.memory.options import SearchOptions

CUTS = (2, 5, 10, 25)
SHORT: SearchOptions = {"scope": "project", "limit": max(CUTS), "detail": "names"}
WEIGHTS = {1: 0.55, 2: 0.5}


def main() -> int:
    """Load every conversation, measure and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--project", default="benchmark-conversations")
    arguments = parser.parse_args()
    lines = arguments.file.read_text(encoding="utf-8").splitlines()
    conversations = [json.loads(line) for line in lines]
    with Memory.open(project=arguments.project, progress=Shown()) as memory:
        for conversation in conversations:
            load(memory, arguments.project, conversation)
        print("\n| ranking | " + " | ".join(f"R@{cut}" for cut in CUTS) + " |")
        print("|---|" + "---|" * len(CUTS))
        for row, options in rows():
            print(f"| {row} | {measure(memory, arguments.project, conversations, options)} |")
    return 0


def load(memory: Memory, project: str, conversation: dict[str, Any]) -> None:
    """Write one conversation into a project of its own."""
    turns = conversation["turns"]
    entities = [
        {
            "name": turn["id"],
            "kind": "Turn",
            "title": turn["speaker"],
            "text": spoken(turn),
            "tags": [turn["time"]],
            "attributes": {"session": turn["session"], "speaker": turn["speaker"]},
        }
        for turn in turns
    ]
    relations = [
        {"from": a["id"], "relation": f"NEXT_{step}", "to": b["id"], "weight": weight}
        for step, weight in WEIGHTS.items()
        for a, b in zip(turns, turns[step:], strict=False)
        if a["session"] == b["session"]
    ]
    where = f"{project}/{conversation['conversation']}"
    report = memory.remember(entities, relations, project=where, progress=Shown())
    assert not report.refused, report.refused[:3]


def spoken(turn: dict[str, Any]) -> str:
    """What was said, and the caption of the image that was shared."""
    caption = f"\n[shared {turn['image']}]" if turn["image"] else ""
    return f"{turn['text']}{caption}"


def rows() -> Sequence[tuple[str, SearchOptions]]:
    """What is measured."""
    return (
        ("text", {"mode": "keyword", "expand": False}),
        ("vector", {"mode": "semantic", "expand": False}),
        ("text + vector, RRF", {"ranking": "rrf", "expand": False}),
        ("evidence, no links", {"expand": False}),
        ("evidence, links", {}),
    )


def measure(
    memory: Memory,
    project: str,
    conversations: Sequence[dict[str, Any]],
    options: SearchOptions,
) -> str:
    """R@k of one row, as cells of the table."""
    shares: dict[int, list[float]] = {cut: [] for cut in CUTS}
    for conversation in conversations:
        there = {turn["id"] for turn in conversation["turns"]}
        for question in conversation["questions"]:
            gold = set(question["gold"]) & there
            if not gold:
                continue
            answer = memory.search(
                question["question"],
                project=f"{project}/{conversation['conversation']}",
                **SHORT | options,
            )
            found = [hit.name for hit in answer.hits]
            for cut in CUTS:
                shares[cut].append(len(gold & set(found[:cut])) / len(gold))
    return " | ".join(f"{100 * statistics.fmean(shares[cut]):.1f}" for cut in CUTS)


if __name__ == "__main__":
    sys.exit(main())
