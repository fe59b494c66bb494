"""`graphmem import --watch`: an import that is repeated whenever its files change."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

from watchfiles import BaseFilter, Change, DefaultFilter, watch

from graphmem.cli import output
from graphmem.errors import ConfigurationError, DatabaseError, EmbeddingError, PrivateServerError
from graphmem.importing.format import Format

# Milliseconds without a change after which the changes are given, and the most they are held back.
QUIET = 500
LONGEST_WAIT = 10_000
# Seconds until the next import: after a failure of the database, and at most after a long import.
PAUSE = 60
# Its lines say which files are read.
RULES = ".gitignore"


def import_on_changes(
    import_once: Callable[[], object], source: Path, source_format: Format
) -> None:
    """Import now and after each change of the files, until Ctrl-C.

    What changes during an import is imported by the next one, which begins no sooner than the last
    one took, so that a file that is written all the time does not keep the machine busy. While the
    database does not answer, the import is tried again.

    Args:
        import_once: Imports, and shows what was done.
        source: The file or folder.
        source_format: Tells which files of a folder it reads.

    Raises:
        ConfigurationError: The system cannot watch so many folders.
        GraphmemError: The first import failed, or there is nothing to import any more.
    """
    changes = _changes(source, source_format)
    next(changes)  # from here on the system tells what changes
    import_once()
    output.say(f"Watching {source} for changes, until Ctrl-C.")
    try:
        _repeat(import_once, changes)
    except KeyboardInterrupt:
        output.say("")  # what follows does not stand behind `^C`


def _repeat(import_once: Callable[[], object], changes: Iterator[bool]) -> None:
    is_due, next_start = False, 0.0
    for has_changed in changes:
        is_due = is_due or has_changed
        if not is_due or monotonic() < next_start:
            continue
        start = monotonic()
        try:
            import_once()
        except (DatabaseError, EmbeddingError, PrivateServerError) as error:
            output.complain(f"{error}; the import is tried again in {PAUSE} seconds")
            next_start = monotonic() + PAUSE
        else:
            is_due = False
            next_start = monotonic() + min(monotonic() - start, PAUSE)


def _changes(source: Path, source_format: Format) -> Iterator[bool]:
    """Whether the files have changed, at every change and twice a second.

    Raises:
        ConfigurationError: The system cannot watch so many folders.
    """
    real_source = Path(os.path.realpath(source))
    is_folder = real_source.is_dir()
    # An editor may put another file in the place of a file, so the folder of a file is watched.
    folder = real_source if is_folder else real_source.parent
    watch_filter = FolderFilter(folder, source_format) if is_folder else FileFilter(real_source)
    is_replaced = False
    try:
        while True:
            for changes in watch(
                folder,
                watch_filter=watch_filter,
                debounce=LONGEST_WAIT,
                step=QUIET,
                rust_timeout=QUIET,
                yield_on_timeout=True,
                recursive=is_folder,
                ignore_permission_denied=True,
            ):
                yield bool(changes) or is_replaced
                # The system goes on with the folder that was moved; watch the one of its name.
                is_replaced = (Change.deleted, str(folder)) in changes
                if is_replaced:
                    break
    except (OSError, RuntimeError) as error:
        raise ConfigurationError(
            f"the changes of {source} cannot be watched ({error}); WATCHFILES_FORCE_POLLING=true "
            "looks at its files again and again instead"
        ) from error


class FileFilter(BaseFilter):
    """Takes the changes of one file, and of its folder itself."""

    def __init__(self, file: Path) -> None:
        self._file = file
        super().__init__()

    def __call__(self, _: Change, path: str) -> bool:
        """Whether the path is that of the file or of its folder."""
        return Path(path) in {self._file, self._file.parent}


class FolderFilter(DefaultFilter):
    """Takes the changes of files and folders that an import of a folder reads."""

    def __init__(self, folder: Path, source_format: Format) -> None:
        self._folder = folder
        self._reads = source_format.reads
        super().__init__()

    def __call__(self, change: Change, path: str) -> bool:
        """Whether the path may be one that is read: that of a file, or of a folder that moved."""
        name = Path(path).name
        if Path(path) == self._folder:
            return True
        # What the folder is in does not matter.
        if not super().__call__(change, os.path.relpath(path, self._folder)):
            return False
        if self._reads is None or self._reads(name) or name == RULES:
            return True
        if change is Change.deleted:
            return not Path(name).suffix
        return change is Change.added and Path(path).is_dir()
