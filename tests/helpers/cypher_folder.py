"""What the folder of statements holds: names by access mode, fragments, declared columns."""

import re
from pathlib import Path

from graphmem import statements

SUFFIX = ".cypher"

_COLUMNS = re.compile(r"^// -> (.*)$", re.MULTILINE)


def names(folder: str) -> list[str]:
    """The names of all files in a folder, as `read/memcp/use`, sorted."""
    root = Path(str(statements.folder()))
    files = (root / folder).rglob(f"*{SUFFIX}")
    return sorted(file.relative_to(root).with_suffix("").as_posix() for file in files)


def fragments() -> list[str]:
    """The names of all fragments, as `search/expand`, sorted."""
    return [name.removeprefix(f"{statements.FRAGMENTS}/") for name in names(statements.FRAGMENTS)]


def columns(name: str) -> tuple[str, ...]:
    """The names that the header of a statement declares after `->`, in order; empty for none."""
    declared = ",".join(_COLUMNS.findall(statements.load(name).text))
    return tuple(part.split(":")[0].strip() for part in declared.split(",") if part.strip())
