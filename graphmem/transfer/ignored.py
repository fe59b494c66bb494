"""What git ignores in a folder that is looked through, by the rules of its whole repository.

It ignores nothing that it tracks, whatever the rules say.
"""

import os
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

from graphmem.git_files import tracked_paths
from graphmem.importing.opening import File, place
from graphmem.importing.reading import content
from graphmem.importing.refusing import Refused, refused
from graphmem.importing.row import Row
from graphmem.importing.walking import FolderListing, entry_at, list_files
from graphmem.transfer.ignore_rules import PATTERNS, IgnoreRules, ignore_rules

IGNORE = ".gitignore"
IGNORE_BYTES = 256 * 1024

Parts = tuple[str, ...]


class Ignored:
    """What git ignores below a folder, which is looked through from the top down.

    Rules are those of `.git/info/exclude` and of each `.gitignore` in the folder and above it, as
    far as its repository goes. A folder that is itself ignored and is imported all the same is
    meant to be, and only its own rules count.

    Args:
        root: The folder that is imported.
        above: The folders above it as far as its repository goes, nearest first.
        rows: Gets a row for each file of rules that is not followed.

    Attributes:
        places: The folders, with `/` at the end, and files that were asked for and are ignored.
    """

    def files(
        self, *, takes: Callable[[str], bool], enters: Callable[[Parts], bool], follows: bool = True
    ) -> FolderListing:
        """Look through the folder as `list_files` does, and leave out what git ignores.

        Args:
            takes: Whether a file of a name is wanted.
            enters: Whether a folder is looked through, by its path below the root.
            follows: Whether links that stay inside are followed.
        """
        return list_files(
            self._root,
            takes=lambda parts: takes(parts[-1]) and self._takes(parts),
            enters=lambda parts, names: self._entered(
                parts, [name for name in names if enters((*parts, name))]
            ),
            follows=follows,
        )

    def __init__(self, root: Path, above: Sequence[Path], rows: list[Row]) -> None:
        self.places: dict[str, None] = {}
        self._root = root
        self._rows = rows
        self._repository = above[-1] if above else root
        self._prefix = root.relative_to(self._repository).parts
        exclude = (".git", "info", "exclude")
        rules = self._with_rules_of(File(self._repository, exclude, exclude), (), [])
        for end in range(len(self._prefix)):
            folder = self._prefix[:end]
            path_from_root = (*[".."] * (len(self._prefix) - end), IGNORE)
            file = File(self._repository, (*folder, IGNORE), path_from_root)
            rules = self._with_rules_of(file, folder, rules)
        is_meant = _is_ignored(self._prefix, rules, folder=True)
        self._inherited: dict[Parts, list[IgnoreRules]] = {(): [] if is_meant else rules}
        self._rules: dict[Parts, list[IgnoreRules]] = {}
        # Folders that are ignored and hold files that git tracks.
        self._partly: set[Parts] = set()

    def _entered(self, parts: Parts, names: Sequence[str]) -> list[str]:
        """The folders of a folder that are not ignored.

        Args:
            parts: The path of the folder, whose own rules are read.
            names: Those of the folders in it that would be entered.
        """
        folder = (*self._prefix, *parts)
        rules = self._with_rules_of(self._own_file(parts), folder, self._inherited.pop(parts))
        self._rules[parts] = rules
        kept_names: list[str] = []
        for name in names:
            path = (*folder, name)
            is_ignored = parts in self._partly or _is_ignored(path, rules, folder=True)
            if is_ignored and not self._is_tracked(path, folder=True):
                self.places[f"{place((*parts, name))}/"] = None
                continue
            if is_ignored:
                self._partly.add((*parts, name))
            kept_names.append(name)
            self._inherited[*parts, name] = rules
        return kept_names

    def _takes(self, parts: Parts) -> bool:
        """Whether a file in a folder that was entered is not ignored."""
        path, folder = (*self._prefix, *parts), parts[:-1]
        is_ignored = folder in self._partly or _is_ignored(path, self._rules[folder], folder=False)
        if not is_ignored or self._is_tracked(path, folder=False):
            return True
        self.places[place(parts)] = None
        return False

    @cached_property
    def _tracked_paths(self) -> list[str]:
        return tracked_paths(self._repository)

    def _is_tracked(self, path: Parts, *, folder: bool) -> bool:
        """Whether git tracks a file, or one in a folder, by its path in the repository."""
        start = "/".join(path) + "/" * folder
        index = bisect_left(self._tracked_paths, start)
        following = self._tracked_paths[index] if index < len(self._tracked_paths) else ""
        return following.startswith(start) if folder else following == start

    def _own_file(self, parts: Parts) -> File:
        """The file of rules in a folder, which may be seen through a link."""
        folder = entry_at(self._root, parts)
        real_parts = folder.parts if isinstance(folder, File) else parts
        return File(self._root, (*real_parts, IGNORE), (*parts, IGNORE))

    def _with_rules_of(
        self, file: File, folder: Parts, above: list[IgnoreRules]
    ) -> list[IgnoreRules]:
        """The rules that hold in a folder: those from above it and those of its own file."""
        content = text_or_row(file, self._rows, IGNORE_BYTES)
        if not content:
            return above
        pattern_budget = PATTERNS - sum(len(rules.patterns) for rules in above)
        own_rules = ignore_rules(folder, content, limit=pattern_budget)
        if own_rules.left_out is not None:
            self._rows.append(refused(file.place, own_rules.left_out))
        return [*above, own_rules]


def folders_above(root: Path) -> list[Path]:
    """The folders above one as far as its repository goes, nearest first; none outside of one."""
    if (root / ".git").exists():
        return []
    folders: list[Path] = []
    for folder in root.parents:
        folders.append(folder)
        if (folder / ".git").exists():
            return folders
    return []


def text_or_row(file: File, rows: list[Row], limit: int) -> str | None:
    """The text of a file that says how to read others; None, and a row, if it cannot be read."""
    if not os.path.lexists(Path(file.root, *file.parts)):
        return None
    try:
        return content(file, limit=limit).decode("utf-8", "replace")
    except Refused as error:
        rows.append(refused(file.place, error))
        return None


def _is_ignored(path: Parts, rules: Sequence[IgnoreRules], *, folder: bool) -> bool:
    """Whether git ignores a path: the innermost file that names it decides, its last line first."""
    for rules_of_folder in reversed(rules):
        decision = (
            None if path == rules_of_folder.folder else rules_of_folder.decides(path, folder=folder)
        )
        if decision is not None:
            return decision
    return False
