"""The evaluation sets that rankings are measured on: a row each in `SETS`.

Most are a folder with `corpus.jsonl`, graphmem's own JSON lines, and `questions.jsonl`, lines of
{question, gold}, where gold are names of entities. `commits.py` makes those of `COMMITS`.
"""

import json
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graphmem.cli.progress import ProgressDisplay
from graphmem.memory import Memory
from graphmem.model import Entity
from graphmem.text import normalised
from graphmem.transfer import FORMATS

DEPTH = 10
SYMBOLS = 50
# Folders that `commits.py` made, of repositories of code.
COMMITS = ("gson", "vue", "redis", "gh", "tokio")


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the project it is asked in, the documents that answer it, and the answer.

    The answer is empty where a set has only documents.
    """

    text: str
    project: str
    gold: frozenset[str]
    answer: str = ""


def _own_name(name: str) -> str:
    return name


@dataclass(frozen=True, slots=True)
class Loaded:
    """A set in the store.

    Args:
        questions: What is asked.
        texts: Of each project the text of each document, by its name.
        document_of: The document that an entity of this name is part of.
        hits: How many hits hold ten documents: a document counts once, with its best entity.
    """

    questions: Sequence[Question]
    texts: Mapping[str, Mapping[str, str]]
    document_of: Callable[[str], str] = _own_name
    hits: int = DEPTH


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    """A set: its name, its folder, and how it comes into the store."""

    name: str
    folder: str
    load: Callable[[Memory, Path], Loaded]


def load_lines(memory: Memory, folder: Path) -> Loaded:
    """Import graphmem's own JSON lines; gold are names."""
    entities = [row for row in _rows(folder / "corpus.jsonl") if row["type"] == "entity"]
    if not _holds(memory, len(entities)):
        _import(memory, "jsonl", folder / "corpus.jsonl")
    texts = {row["name"]: f"{row['name']} {row.get('text', '')}" for row in entities}
    return Loaded(_questions(memory, folder, texts), {_project(memory): texts})


def load_articles(memory: Memory, folder: Path) -> Loaded:
    """Import articles, linked where a text names another one; gold are ids."""
    corpus = _rows(folder / "corpus.jsonl")
    names = _names_by_id(corpus)
    if not _holds(memory, len(corpus)):
        lines = [
            {
                "type": "entity",
                "name": names[row["id"]],
                "kind": "Article",
                "text": row["text"],
                "aliases": [name for name in _called(row["title"]) if name != names[row["id"]]],
            }
            for row in corpus
        ]
        _import_lines(memory, "jsonl", lines, mentions=True)
    texts = {names[row["id"]]: f"{row['title']} {row['text']}" for row in corpus}
    questions = [
        Question(
            row["question"],
            _project(memory),
            frozenset(names[gold] for gold in row["gold"]),
            row["answer"],
        )
        for row in _rows(folder / "questions.jsonl")
    ]
    return Loaded(questions, {_project(memory): texts})


def load_conversations(memory: Memory, folder: Path) -> Loaded:
    """Import each conversation into a project of its own; gold are turns."""
    questions: list[Question] = []
    texts = {}
    for row in _rows(folder / "conversations.jsonl"):
        project = f"{_project(memory)}/{row['conversation']}"
        names = {
            turn["id"]: f"{row['conversation']}/session {turn['session']}/{turn['id']}"
            for turn in row["turns"]
        }
        texts[project] = {names[turn["id"]]: _spoken(turn) for turn in row["turns"]}
        if not _holds(memory, len(row["turns"]), project):
            lines = [
                {
                    "conversation": row["conversation"],
                    "session": turn["session"],
                    "id": turn["id"],
                    "speaker": turn["speaker"],
                    "text": _spoken(turn),
                    "said": turn["time"],
                }
                for turn in row["turns"]
            ]
            _import_lines(memory, "conversations", lines, project=project)
        for question in row["questions"]:
            gold = frozenset(names[turn] for turn in question["gold"] if turn in names)
            answer = str(question.get("answer", ""))
            if gold:
                questions.append(Question(question["question"], project, gold, answer))
    return Loaded(questions, texts)


def _spoken(turn: Mapping[str, Any]) -> str:
    """What was said, and the caption of the image that was shared."""
    caption = f"\n[shared {turn['image']}]" if turn["image"] else ""
    return f"{turn['text']}{caption}"


def _called(title: str) -> list[str]:
    """A title and, where it ends in a parenthesis that tells it from others, the part before."""
    plain = re.sub(r"\s*\([^()]*\)\s*$", "", title)
    return [title] if plain in {"", title} else [title, plain]


def _names_by_id(corpus: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The entity's name of every article id: its title, with the id where it is taken."""
    title_counts = Counter[str]()
    names: dict[str, str] = {}
    for row in corpus:
        folded = normalised(row["title"])
        title_counts[folded] += 1
        again = title_counts[folded] > 1
        names[row["id"]] = f"{row['title']} ({row['id']})" if again else row["title"]
    return names


def load_code(memory: Memory, folder: Path) -> Loaded:
    """Import a tree of source files as symbols; gold are paths of files below `tree`."""
    _import(memory, "code", folder / "tree")
    texts = {
        path.relative_to(folder / "tree").as_posix(): path.read_text("utf-8", "replace")
        for path in sorted((folder / "tree").rglob("*"))
        if path.is_file()
    }
    questions = _questions(memory, folder, texts)
    return Loaded(questions, {_project(memory): texts}, _file_of_symbol, SYMBOLS)


def load_symbols(memory: Memory, folder: Path) -> Loaded:
    """Import a tree of source files that `commits.py` made; gold are names of symbols and files."""
    _import(memory, "code", folder / "tree")
    texts = {
        row.value.name: f"{row.value.name} {row.value.text or ''}"
        for row in FORMATS["code"].read(folder / "tree")
        if isinstance(row.value, Entity)
    }
    questions = [
        Question(row["question"], _project(memory), frozenset(row["symbols"]))
        for row in _rows(folder / "questions.jsonl")
    ]
    return Loaded(questions, {_project(memory): texts})


def load_repository(memory: Memory, folder: Path) -> Loaded:
    """Import a tree of source files and documents; gold are paths of files below `tree`."""
    loaded = load_code(memory, folder)
    _import(memory, "markdown", folder / "tree")
    sources = {
        row.value.name: row.place
        for row in FORMATS["markdown"].read(folder / "tree")
        if isinstance(row.value, Entity)
    }
    return replace(loaded, document_of=lambda name: sources.get(name, _file_of_symbol(name)))


SETS = (
    EvaluationSet("2wiki", "2wiki", load_articles),
    EvaluationSet("hotpotqa", "hotpotqa", load_lines),
    EvaluationSet("musique", "musique", load_lines),
    EvaluationSet("ottqa", "ottqa", load_lines),
    EvaluationSet("cacm", "cacm", load_lines),
    EvaluationSet("cisi", "cisi", load_lines),
    EvaluationSet("mitmproxy", "code/mitmproxy", load_lines),
    EvaluationSet("mitmproxy-symbols", "code/mitmproxy", load_code),
    EvaluationSet("mitmproxy-repository", "code/mitmproxy", load_repository),
    *(
        EvaluationSet(f"{name}-{gold}", f"code/{name}", load)
        for name in COMMITS
        for gold, load in (("files", load_code), ("symbols", load_symbols))
    ),
    EvaluationSet("locomo", "locomo", load_conversations),
)


def _project(memory: Memory) -> str:
    return memory.project_name(None)


def _holds(memory: Memory, entities: int, project: str | None = None) -> bool:
    """Whether a project holds so many entities already, and their relations."""
    stats = memory.stats(project=project)
    return stats.entities >= entities and stats.relations > 0 and not stats.pending


def _import_lines(
    memory: Memory,
    format_name: str,
    lines: Sequence[Mapping[str, Any]],
    *,
    project: str | None = None,
    mentions: bool = False,
) -> None:
    """Import lines by way of a file."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "lines.jsonl"
        file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        _import(memory, format_name, file, project=project, mentions=mentions)


def _import(
    memory: Memory,
    format_name: str,
    path: Path,
    *,
    project: str | None = None,
    mentions: bool = False,
) -> None:
    report = memory.import_(
        format_name, path, project=project, mentions=mentions, progress=ProgressDisplay()
    )
    if report.refused:
        raise SystemExit(f"{path}: {report.refused[:3]}")


def _questions(memory: Memory, folder: Path, document_names: Iterable[str]) -> list[Question]:
    """The questions with gold, among the documents that are known."""
    documents = frozenset(document_names)
    questions_with_gold = [
        (row["question"], documents & set(row["gold"])) for row in _rows(folder / "questions.jsonl")
    ]
    return [Question(text, _project(memory), gold) for text, gold in questions_with_gold if gold]


def _file_of_symbol(name: str) -> str:
    return name.partition("::")[0]


def _rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
