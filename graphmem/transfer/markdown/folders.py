"""Which folders of notes are read; an export writes no note into the others."""

from collections.abc import Sequence

from graphmem.transfer.markdown import logseq

# Folders of package managers, full of files that others wrote.
_DOWNLOADED = frozenset({"node_modules", "bower_components", "site-packages"})


def is_read(parts: Sequence[str]) -> bool:
    """Whether a folder is no settings, bin, backups, repository or downloads of a tool.

    Args:
        parts: Its path as seen from the folder that is imported, of one part at least.
    """
    name = parts[-1]
    return (
        not name.startswith(".") and name not in _DOWNLOADED and tuple(parts[-2:]) != logseq.BACKUPS
    )
