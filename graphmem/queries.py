"""The statements: one `.cypher` file each, its header the documentation of the call.

The folder is the access mode: `schema`, `read` or `write`. The top-level `cypher/` folder is in the
wheel as `graphmem/cypher`; a checkout is read in place.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Literal

Access = Literal["schema", "read", "write"]
ACCESSES: tuple[Access, ...] = ("schema", "read", "write")

_PARAMETER = re.compile(r"^// \$(\w+)\s", re.MULTILINE)
_COLUMNS = re.compile(r"^// -> (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Query:
    """A statement as its file has it.

    Args:
        name: `folder/stem`, such as `read/search`.
        access: The folder: schema, read or write.
        text: The whole file, header included.
        parameters: The names the header declares.
        columns: The names the header declares after `->`, in order; empty for none.
    """

    name: str
    access: Access
    text: str
    parameters: frozenset[str]
    columns: tuple[str, ...]


def folder() -> Traversable:
    """The folder of the statements: in the wheel beside this module, in a checkout above it."""
    packaged = files("graphmem") / "cypher"
    return packaged if packaged.is_dir() else Path(__file__).resolve().parents[1] / "cypher"


@cache
def load(name: str) -> Query:
    """Read one statement by its name, such as `read/search`.

    Raises:
        FileNotFoundError: No file has that name.
    """
    access, _, stem = name.partition("/")
    if access not in ACCESSES:
        raise FileNotFoundError(f"cypher/{name}.cypher: the folder is one of {', '.join(ACCESSES)}")
    text = (folder() / access / f"{stem}.cypher").read_text(encoding="utf-8-sig")
    columns = ",".join(_COLUMNS.findall(text))
    return Query(
        name=name,
        access=access,
        text=text,
        parameters=frozenset(_PARAMETER.findall(text)),
        columns=tuple(part.split(":")[0].strip() for part in columns.split(",") if part.strip()),
    )


def names(access: Access) -> tuple[str, ...]:
    """The names of all statements of one folder, in the order of their file names."""
    found = (folder() / access).iterdir()
    return tuple(
        sorted(
            f"{access}/{file.name.removesuffix('.cypher')}"
            for file in found
            if file.name.endswith(".cypher")
        )
    )
