"""Graphs of Logseq: folders of notes whose file names are encoded."""

from pathlib import Path
from urllib.parse import unquote

# Where Logseq keeps earlier versions of notes, as seen from a graph.
BACKUPS = ("logseq", "bak")
_CONFIGURATION = Path("logseq", "config.edn")
_NOTE_FOLDERS = frozenset({"pages", "journals"})


def is_graph(root: Path) -> bool:
    """Whether a folder is a graph of Logseq, or one of its folders of notes."""
    folder = root.parent if root.name in _NOTE_FOLDERS else root
    return (folder / _CONFIGURATION).is_file()


def page_name(stem: str) -> str:
    """The name of a page by that of its file, without the ending: `a/b` for `a___b` and `a%2Fb`."""
    return unquote(stem.replace("___", "/"))
