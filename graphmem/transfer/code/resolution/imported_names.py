"""The names that a file's imports make known in it."""

import re
from dataclasses import dataclass, field

from graphmem.transfer.code.modules import files
from graphmem.transfer.code.modules.files import Modules
from graphmem.transfer.code.outlines.outline import Import, Outline, Path
from graphmem.transfer.code.resolution.index import Index

# Every name that is not known otherwise is looked for in all of them.
MOST_WILDCARDS = 200
# A person's module is in fewer packages.
MOST_PARTS = 30

_GO_VERSION = re.compile(r"(?:/v\d+|\.v\d+)$")


@dataclass(frozen=True, slots=True)
class ImportedNames:
    """What a file imports.

    Args:
        names: By the name it has in the file; Python's `import a.b` has its dotted name.
        wildcards: The imports of everything that a module has.
    """

    names: dict[str, Import] = field(default_factory=dict)
    wildcards: list[Import] = field(default_factory=list)

    def at_start(self, path: Path) -> tuple[Import, int] | None:
        """What is imported under the first names of a path, the most that are one, and how many."""
        if path[0] not in self.names:  # as the first of a dotted name is, too
            return None
        for count in range(min(len(path), MOST_PARTS), 0, -1):
            if (statement := self.names.get(".".join(path[:count]))) is not None:
                return statement, count
        return None


def imported_names(outline: Outline, modules: Modules, index: Index) -> ImportedNames:
    """What the imports of a file make known in it."""
    bound = ImportedNames()
    for statement in outline.imports:
        if statement.wildcard:
            bound.wildcards.extend([statement] if len(bound.wildcards) < MOST_WILDCARDS else [])
        elif name := _local(outline, statement, modules, index):
            bound.names[name] = statement
            if outline.language.family == "python" and name == statement.module:
                # `import a.b` makes `a` known as well, whatever else is asked of it.
                first_name = name.partition(".")[0]
                bound.names.setdefault(first_name, Import(first_name))
    return bound


def _local(outline: Outline, statement: Import, modules: Modules, index: Index) -> str | None:
    """The name by which a file knows what it imports; None where it only runs it."""
    match outline.language.family:
        case "python":
            return statement.alias or statement.name or statement.module
        case "ecmascript" | "rust":
            return statement.alias or statement.name
        case "java" | "csharp":
            return statement.alias or statement.module.rpartition(".")[2]
        case "php":
            return (statement.alias or statement.name or statement.module).rpartition("\\")[2]
        case "go":
            return statement.alias or _go_name(statement.module, modules, index)
        case _:
            return None


def _go_name(module_path: str, modules: Modules, index: Index) -> str:
    """The name of a Go package: the one its files say, else the end of its path."""
    folder = files.go_folder(modules, module_path)
    symbols_by_name = index.packages.get(("go", folder or ""), {}) if folder is not None else {}
    if (symbols := next(iter(symbols_by_name.values()), None)) is not None:
        return index.outlines[symbols[0].file].package.removesuffix("_test")
    return _GO_VERSION.sub("", module_path).rpartition("/")[2]
