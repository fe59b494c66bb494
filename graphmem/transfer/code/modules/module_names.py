"""How others call a file and what is in it: `fs::read` of Rust, `url.parse` of Python."""

from graphmem.transfer.code.modules.files import SOURCE_FOLDERS
from graphmem.transfer.code.outlines.outline import Outline

# Files that stand for the folder they are in, in languages whose files are modules.
_OF_FOLDERS = {
    "python": frozenset({"__init__", "__main__"}),
    "ecmascript": frozenset({"index"}),
    "rust": frozenset({"lib", "main", "mod"}),
}
_GO_PROGRAM = "main"
# Parts of a path that say which of several modules of a name is meant.
_PARTS = 2


def module_names(outline: Outline) -> list[str]:
    """What stands before a name of a file: its module and the package of that, the nearer first.

    A package often exports what its modules define: what `fs/read.rs` has is `fs::read` to others.
    """
    if outline.language.family in {"go", "java", "csharp", "php"}:
        package = outline.package.replace("\\", ".").rpartition(".")[2]
        return [package] if package not in {"", _GO_PROGRAM} else []
    if outline.language.family == "swift":
        module = outline.package.rpartition("/")[2]
        return [module] if module else []
    return [*_stem(outline), *_folders(outline)[-1:]]


def file_names(outline: Outline) -> list[str]:
    """What a file is called beside its path: `url.py`, and a module `net.url` and `app.net.url`.

    A module that has a symbol of its own name leaves the name to that: `fs::read` is the function.
    """
    names = [outline.path.rpartition("/")[2]]
    module = [*_folders(outline), *_stem(outline)]
    if len(module) >= _PARTS and (module[-1],) not in {symbol.path for symbol in outline.symbols}:
        names += [outline.language.separator.join(part) for part in (module[-_PARTS:], module)]
    return [name for name in dict.fromkeys(names) if name != outline.path]


def _folders(outline: Outline) -> list[str]:
    """The folders of a module, as code calls them; none in a language without modules."""
    if outline.language.family not in _OF_FOLDERS:
        return []
    folders = outline.path.split("/")[:-1]
    return [_in_code(folder, outline) for folder in folders if folder not in SOURCE_FOLDERS]


def _stem(outline: Outline) -> list[str]:
    """The name of a module in its folder; none of what stands for the folder."""
    stem = outline.path.rpartition("/")[2].lstrip(".").partition(".")[0]
    files = _OF_FOLDERS.get(outline.language.family)
    return [] if files is None or stem in files else [_in_code(stem, outline)]


def _in_code(name: str, outline: Outline) -> str:
    """Code calls the crate `tokio-stream` `tokio_stream`."""
    return name.replace("-", "_") if outline.language.family == "rust" else name
