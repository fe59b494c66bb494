"""Files as nobody should write them, for every importer, and the folders they are put into."""

import json
import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from graphmem.model import Entity, Item
from graphmem.transfer import FORMATS, Row

NOBODY = 65534
ENTITY = b'{"type": "entity", "name": "Good"}\n'
PATTERN = b'{"pattern": "Good", "category": "convention"}\n'
TURN = b'{"conversation": "a", "id": "good", "speaker": "Ana", "text": "Good."}\n'
MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Shape:
    """Where the files of a format lie and what a good one is.

    Args:
        form: The name of the format.
        folder: Where its files lie below the imported folder.
        ending: Of their names.
        good: What a good file says.
        bad: The name of a bad one, without its ending.
    """

    form: str
    folder: str
    ending: str
    good: bytes
    bad: str = "bad"

    @property
    def own(self) -> str:
        """The name of the test."""
        return f"{self.form}{self.ending}" if self.form != "rye" else f"{self.folder}{self.ending}"

    @property
    def reads_folders(self) -> bool:
        """Whether it reads all files of a folder that have the ending."""
        return self.form not in {"forge", "jsonl"}

    @property
    def is_streamed(self) -> bool:
        """Whether its rows are given while the file is still being read."""
        return self.ending == ".jsonl" and self.form != "forge"

    @property
    def other(self) -> bytes:
        """What a second good file says."""
        return self.good.replace(b"PRD-1", b"PRD-2").replace(b"good", b"other")

    def place(self, name: str) -> str:
        """A file's path below the imported folder."""
        return "/".join(part for part in (self.folder, f"{name}{self.ending}") if part)

    def put(self, folder: Path, content: bytes | None) -> Path:
        """Write a good file and a bad one; gives the path of the bad one."""
        good = folder / self.place("good" if self.form != "forge" else "project")
        good.parent.mkdir(parents=True, exist_ok=True)
        good.write_bytes(self.good)
        path = folder / self.place(self.bad)
        if content is not None:
            path.write_bytes(content)
        return path

    def read(self, folder: Path) -> list[Row]:
        """What the importer makes of the folder, or of the bad file where it reads one alone."""
        path = folder / self.place(self.bad) if self.form == "jsonl" else folder
        return list(FORMATS[self.form].read(path))

    def has_good(self, rows: list[Row]) -> bool:
        """Whether the good file came in."""
        good = self.place("good" if self.form != "forge" else "project")
        said = {row.file for row in rows if isinstance(row.value, Entity)}
        return self.form == "jsonl" or good in said


SHAPES = (
    Shape("code", "", ".py", b"def good(): ...\n"),
    Shape("code", "", ".ts", b"function good() {}\n"),
    Shape("conversations", "", ".jsonl", TURN),
    Shape("csv", "", ".csv", b"name,text\ngood,Good.\n"),
    Shape("forge", ".forge/memory", ".jsonl", PATTERN, bad="global"),
    Shape("forgeplan", ".forgeplan/prds", ".md", b"---\nid: PRD-1\n---\nGood.\n"),
    Shape("jsonl", "", ".jsonl", ENTITY),
    Shape("markdown", "", ".md", b"Good.\n"),
    Shape("memcp", "", ".json", b'{"id": "good", "content": "Good."}'),
    Shape("memcp", "", ".jsonl", b'{"id": "good", "content": "Good."}\n'),
    Shape("memory-server", "", ".jsonl", ENTITY),
    Shape("rye", ".ai/directives", ".md", b"# Good\n\nGood.\n"),
    Shape("rye", ".ai/knowledge", ".md", b"---\ntitle: Good\n---\nGood.\n"),
    Shape("rye", ".ai/knowledge", ".yaml", b"title: Good\n"),
    Shape("rye", ".ai/tools", ".yaml", b"tool_type: good\n"),
    Shape("rye", ".ai/tools", ".json", b'{"tool_type": "good"}'),
    Shape("rye", ".ai/tools", ".toml", b'tool_type = "good"\n'),
    Shape("rye", ".ai/tools", ".py", b'__version__ = "1"\n'),
    Shape("rye", ".ai/tools", ".sh", b'# __version__ = "1"\n'),
)
# What no format takes for a file of its own.
NEVER = frozenset({"UTF-16", "20 MiB", "binary"})
# What no front matter, and no YAML, may say.
FIELDS = {
    "an empty number": 'a: !!int ""',
    "no day": "a: !!timestamp tomorrow",
    "no boolean": "a: !!bool maybe",
    "a number of 5,000 digits": f"a: {'9' * 5_000}",
    "a number to the base of 16": f"a: 0x{'f' * 5_000}",
    "a number to the base of 60": f"a: !!int 1{':1' * 5_000}",
    "a list as a name": "a: {[1]: 2}",
    "an object of Python": "a: !!python/object/apply:os.system [id]",
    "a billion laughs": "\n".join(
        ["a0: &a0 [lol]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 20))]
    ),
    "a billion merges": "\n".join(
        [
            "a0: &a0 {x: 1}",
            *(f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, 20)),
        ]
    ),
    "itself": "a: &a [*a]",
    "deep lists": f"a: {'[' * 3_000}{']' * 3_000}",
    "half a list": "a: [",
    "too much": f"a: {'b' * 300_000}",
}
# What is no JSON, or none that can be read.
VALUES = {
    "deep lists": "[" * 100_000,
    "deep objects": '{"a":' * 600 + "1" + "}" * 600,
    "a number of 5,000 digits": '{"a": ' + "9" * 5_000 + "}",
    "a name twice": '{"name": "a", "name": "b"}',
    "half an object": '{"name": "a',
    "two bytes order marks": '\ufeff\ufeff{"name": "a"}',
}
# What may be read or refused, and ends nothing.
ODD = {
    "empty": b"",
    "a byte order mark": b"\xef\xbb\xbf",
    "zeros": b"\0" * 1_000,
    "a long line": b"a " * (MIB // 2),
    "no number": b'{"type": "entity", "name": "a", "confidence": NaN, "pattern": "a", "id": "b"}',
    "half a letter": b'{"type": "entity", "name": "\\ud800", "pattern": "\\ud800", "id": "a"}',
    "a deep value": b'{"type": "entity", "name": ' + b"[" * 90 + b"]" * 90 + b"}",
    "quotes in quotes": b">" * 50_000,
    "lists in lists": b"- " * 20_000,
    "links in links": b"[" * 20_000 + b"a" + b"](b)" * 20_000,
    "stars": b"*a _b " * 20_000,
    "code": b"`a` ` b ` `` c` " * 10_000,
    "brackets": b"(" * 5_000,
    "tags": b"<a " * 50_000,
    "elements": b"```xml\n<directive name='a'>" + b"<a>" * 50_000 + b"\n```\n",
    "keys of many parts": b"executor_id" + b".a" * 100_000 + b" = 1",
}


def contents() -> dict[str, bytes]:
    """Everything a bad file may hold, by name."""
    made = {
        "UTF-16": "---\nname: x\n---\nText.\n".encode("utf-16"),
        "20 MiB": b"x = 1\n" * (20 * MIB // 6),
        "binary": random.Random(1).randbytes(100_000),  # noqa: S311 - the same bytes each time
    }
    for name, fields in FIELDS.items():
        made[f"front matter: {name}"] = f"---\nid: PRD-2\n{fields}\n---\nText.\n".encode()
        made[f"YAML: {name}"] = f"tool_type: x\n{fields}\n".encode()
    for name, value in VALUES.items():
        made[f"JSON: {name}"] = value.encode()
    return made | ODD


def is_refused(shape: Shape, content: str) -> bool:
    """Whether a format refuses a file that holds this."""
    if content in NEVER:
        return True
    in_front = shape.ending == ".md" and shape.folder != ".ai/directives"
    if content.startswith("front matter: "):
        return in_front
    if content.startswith("YAML: "):
        return shape.ending == ".yaml"
    return (
        content.startswith("JSON: ") and shape.ending in {".json", ".jsonl"} and shape.form != "rye"
    )


def line(**fields: object) -> bytes:
    """A line of JSON."""
    return json.dumps(fields).encode() + b"\n"


def reasons(rows: list[Row]) -> dict[str, str]:
    """Why rows were refused, by place."""
    return {row.place: row.value.reason or "" for row in rows if isinstance(row.value, Item)}


@contextmanager
def as_somebody_else() -> Iterator[None]:
    """Read as a user who may not read all: root may."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
