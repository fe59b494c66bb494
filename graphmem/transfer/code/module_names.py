"""What others write before the name of a symbol: `fs` in `fs::read`, `url` in `url.parse`."""

from graphmem.transfer.code.modules import SOURCE_FOLDERS
from graphmem.transfer.code.outline import Outline

# Files that stand for the folder they are in.
_OF_FOLDERS = {
    "python": frozenset({"__init__", "__main__"}),
    "ecmascript": frozenset({"index"}),
    "rust": frozenset({"lib", "main", "mod"}),
}
_GO_PROGRAM = "main"


def module_names(outline: Outline) -> list[str]:
    """The names of a file's module and of the package it is in, the nearer one first.

    A package often exports what its modules define: what `fs/read.rs` has is `fs::read` to others.
    The files of C and C++ are no modules, and those of Java have types, of which others speak.
    """
    if outline.language.family == "go":
        return [outline.package] if outline.package not in {"", _GO_PROGRAM} else []
    if outline.language.family not in _OF_FOLDERS:
        return []
    *folders, file = outline.path.split("/")
    names = [folder for folder in folders if folder not in SOURCE_FOLDERS][-1:]
    stem = file.partition(".")[0]
    return names if stem in _OF_FOLDERS[outline.language.family] else [stem, *names]
