"""Makes an evaluation set of a repository of code: its files, asked with its later commits.

    python benchmarks/commits.py GIT_DIR FOLDER --base COMMIT [--most N] [--leave-out REGEX]

FOLDER gets `tree`, the files of COMMIT that `import code` reads, and `questions.jsonl`: the subject
of each later commit as the question, and as gold what it changes of what COMMIT has. `gold` are the
paths of files; `symbols` are the innermost symbols whose lines it changes, or the file outside of
symbols, by the names of their entities; `tests` are those of the symbols that are tests. Nothing
that is asked about was yet written. A commit is not a question, and what it changes is not all that
is relevant: compare rankings with each other. `sets.py` reads a set whose folder is in `COMMITS`.

Left out are merges, routine such as new versions and formatting, subjects of fewer than four words,
and commits that change more than ten files or ten symbols, or mostly what is newer than COMMIT.
`named` says whether the subject has the name of a file or symbol of the gold in full.
"""

import argparse
import io
import json
import re
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from graphmem.model import Entity
from graphmem.transfer import FORMATS
from graphmem.transfer.code.languages import language_of

MOST_FILES, MOST_SYMBOLS, LEAST_WORDS = 10, 10, 4
ROUTINE = re.compile(
    r"^(merge|revert|reapply|release|bump|upgrade|update|pin|prepare|backport|cherry.?pick|wip|"
    r"format|reformat|rename|clean ?up|minor|tid[yi])\b|"
    r"^(chore|ci|build|style|release|revert|docs?)(\(.*?\))?!?:|"
    r"\b(typos?|lint(ing|er)?|clippy|rustfmt|prettier|eslint|changelog|copyright|licen[cs]e|"
    r"release notes?|maven-release-plugin|javadoc|readme|whitespace)\b",
    re.IGNORECASE,
)
ONE_PARENT = ("--min-parents=1", "--max-parents=1")
HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? ", re.MULTILINE)


def main() -> int:
    """Write the tree and the questions."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("git", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--base", required=True)
    parser.add_argument("--most", type=int, default=400, help="the most questions")
    parser.add_argument("--leave-out", default=r"^$", help="paths of files that are not read")
    arguments = parser.parse_args()
    repository = Repository(arguments.git, re.compile(arguments.leave_out))
    repository.write(arguments.base, arguments.folder / "tree")
    known = {entity.name: entity for entity in entities_of(arguments.folder / "tree")}
    left_out = Counter[str]()
    questions: list[dict[str, Any]] = []
    for commit, subject in repository.commits_after(arguments.base):
        if len(questions) == arguments.most:
            break
        question = question_of(repository, commit, subject, known)
        if isinstance(question, str):
            left_out[question] += 1
        else:
            questions.append(question)
    lines = [json.dumps(question) + "\n" for question in questions]
    (arguments.folder / "questions.jsonl").write_text("".join(lines), encoding="utf-8")
    print(f"{len(known)} entities, {len(questions)} questions; left out: {dict(left_out)}")
    return 0


class Repository:
    """A git directory, of which only code is read."""

    def __init__(self, git: Path, left_out: re.Pattern[str]) -> None:
        self._git = git
        self._left_out = left_out

    def commits_after(self, base: str) -> Iterator[tuple[str, str]]:
        """The hash and the subject of each commit after one, oldest first."""
        log = self._run("log", *ONE_PARENT, "--reverse", "--format=%H %s", f"{base}..HEAD")
        for line in log.decode("utf-8", "replace").splitlines():
            commit, _, subject = line.partition(" ")
            yield commit, subject

    def changed(self, commit: str) -> list[str]:
        """The files of code that a commit changes; none where it changes too many files."""
        names = self._run("diff", "--name-only", "--no-renames", "-z", f"{commit}^", commit)
        paths = names.decode().split("\0")[:-1]
        return [] if len(paths) > MOST_FILES else list(filter(self._is_code, paths))

    def places(self, commit: str, path: str) -> Iterator[tuple[int, int]]:
        """The first and last line of each place that a commit changes, in the version before.

        A line that it replaces is a place of its own; what it adds is between two lines.
        """
        patch = self._run("diff", "--unified=0", "--no-renames", f"{commit}^", commit, "--", path)
        for start, count in HUNK.findall(patch.decode("utf-8", "replace")):
            first, replaced = int(start), int(count or 1)
            yield from ((line, line) for line in range(first, first + replaced))
            if not replaced:
                yield first, first + 1

    def write(self, commit: str, folder: Path, among: Sequence[str] = ()) -> None:
        """Write the files of code of a commit, all or those among some, into a folder."""
        names = self._run("ls-tree", "-r", "-z", "--name-only", commit, "--", *among)
        paths = list(filter(self._is_code, names.decode().split("\0")[:-1]))
        if not paths:  # or all files would be written
            return
        archive = self._run("archive", "--format=tar", commit, "--", *paths)
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(folder, filter="data")

    def _is_code(self, path: str) -> bool:
        return bool(language_of(path.rpartition("/")[2])) and not self._left_out.search(path)

    def _run(self, *arguments: str) -> bytes:
        command = ["git", "--literal-pathspecs", "--git-dir", str(self._git), *arguments]
        return subprocess.run(command, check=True, capture_output=True).stdout  # noqa: S603 - git


def entities_of(folder: Path) -> list[Entity]:
    """The files and symbols of a folder, as `import code` reads them."""
    return [row.value for row in FORMATS["code"].read(folder) if isinstance(row.value, Entity)]


def question_of(
    repository: Repository, commit: str, subject: str, known: Mapping[str, Entity]
) -> dict[str, Any] | str:
    """What a commit asks, or why it is left out."""
    text = cleaned(subject)
    if ROUTINE.search(subject) or ROUTINE.search(text):
        return "routine"
    if len(re.findall(r"[^\W\d_]{2,}", text)) < LEAST_WORDS:
        return "few words"
    changed = repository.changed(commit)
    gold = [path for path in changed if path in known]
    if not gold or len(gold) < len(changed) / 2:
        return "other files"
    touched = touched_by(repository, commit, gold)
    symbols = [name for name in touched if name in known]
    if not 0 < len(symbols) <= MOST_SYMBOLS or len(symbols) < len(touched) / 2:
        return "other symbols"
    return {
        "question": text,
        "gold": gold,
        "symbols": symbols,
        "tests": [name for name in symbols if known[name].attributes["test"]],
        "named": any(is_named(text, known[name]) for name in symbols),
        "commit": commit,
    }


def touched_by(repository: Repository, commit: str, paths: Sequence[str]) -> list[str]:
    """The innermost symbols, or else files, whose lines a commit changes, by their names before."""
    with tempfile.TemporaryDirectory() as folder:
        repository.write(f"{commit}^", Path(folder), paths)
        entities = entities_of(Path(folder))
    touched: dict[str, None] = {}
    for path in paths:
        lines = {entity.name: lines_of(entity) for entity in entities if entity.source == path}
        for first, last in repository.places(commit, path):
            around = {
                name: end - start
                for name, (start, end) in lines.items()
                if start <= first and last <= end
            }
            touched[min(around, key=around.__getitem__, default=path)] = None
    return list(touched)


def lines_of(entity: Entity) -> tuple[int, int]:
    """The first and the last line of a file, or of a symbol with the comments above it."""
    start, end = (entity.attributes[name] for name in ("start_line", "end_line"))
    assert isinstance(start, int)
    assert isinstance(end, int)
    text = str(entity.attributes.get("code") or entity.text or "")
    return start if entity.kind == "File" else min(start, end - text.count("\n")), end


def cleaned(subject: str) -> str:
    """A subject without numbers of issues, and without `fix(scope):`, which names the place."""
    text = re.sub(r"\([^()]*(?:#|GH-)\d+[^()]*\)|(?:#|GH-)\d+|\[[\w ]+\]", " ", subject)
    text = re.sub(r"^\s*[\w*/.,+ -]{1,40}(?:\([^)]*\))?!?:\s+(?=\S)", "", text)
    return " ".join(text.split()).strip(" -:;,.")


def is_named(text: str, entity: Entity) -> bool:
    """Whether a text has the name of a file, or a name of several words of a symbol, in full."""
    names = (entity.name, *entity.aliases, entity.name.rpartition("/")[2].partition(".")[0])
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for name in names)


if __name__ == "__main__":
    sys.exit(main())
