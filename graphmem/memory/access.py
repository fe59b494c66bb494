"""What a memory may reach: the project it is limited to, layers it may write, folders it may read.

The one place where this is decided. `Memory` asks before it reads or writes a project, upkeep asks
for each project and key, and an import asks for each row.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from graphmem import project as projects
from graphmem.errors import InvalidInput
from graphmem.model import Entity, Item, Relation
from graphmem.model.report import refused_item
from graphmem.text import project_of

if TYPE_CHECKING:
    from graphmem.transfer import Row


@dataclass(frozen=True, slots=True)
class Access:
    """What calls may reach; without arguments everything, which is the default in Python.

    Args:
        project: The only project that may be read and written, besides the layers, which may be
            read; None for any project.
        layers: The layers that may be written, `@user` and `@system` at most. All may be read.
        folders: The folders of this machine that a caller may name, with everything below them;
            None for any.
        projects: The projects that this caller may reach, among those that the memory may; None
            for all of them.
        read_only: Whether every write is refused.
    """

    project: str | None = None
    layers: frozenset[str] = frozenset(projects.LAYERS)
    folders: tuple[Path, ...] | None = None
    projects: frozenset[str] | None = None
    read_only: bool = False

    def narrowed(self, projects: Iterable[str] | None, *, read_only: bool) -> "Access":
        """Narrow the access to fewer projects; what is out of reach already stays so.

        Args:
            projects: The names of those that remain in reach; None for all.
            read_only: Whether nothing may be written.
        """
        reach = self.projects
        if projects is not None:
            reach = frozenset(projects) if reach is None else reach.intersection(projects)
        return replace(self, projects=reach, read_only=self.read_only or read_only)

    @property
    def is_limited(self) -> bool:
        """Whether the store may hold projects that are out of reach."""
        return self.project is not None or self.projects is not None

    def reading(self, project: str, *, argument: str = "project") -> str:
        """Check a project that is to be read; a remote's URL stands for its canonical form.

        Returns:
            Its name.

        Raises:
            InvalidInput: The name is not allowed, or out of reach.
        """
        name = self._project_name(project, argument)
        if not self._reads(name):
            raise InvalidInput(argument, project, self._expected(), hint=self._limits())
        return name

    def writing(self, project: str, *, argument: str = "project") -> str:
        """Check a project that is to be written.

        Returns:
            Its name.

        Raises:
            InvalidInput: The name is not allowed, or out of reach; the sentence names the option
                that lets a layer be written.
        """
        name = self._project_name(project, argument)
        reason = self._refusal(name)
        if reason is not None:
            raise InvalidInput(argument, project, "must be a project open to writing", hint=reason)
        return name

    def readable(self, key: str) -> bool:
        """Whether the entity of a key may be read."""
        return self._reads(project_of(key))

    def writable(self, key: str) -> bool:
        """Whether the entity of a key may be changed."""
        return self._refusal(project_of(key)) is None

    def readable_keys(self, keys: Iterable[str]) -> list[str]:
        """Those of some keys whose entities may be read, in order."""
        return [key for key in keys if self.readable(key)]

    def writable_layers(self, layers: Iterable[str]) -> tuple[str, ...]:
        """Those of some layers that may be written, in order."""
        return tuple(layer for layer in layers if self._refusal(layer) is None)

    def checked_row(self, row: "Row") -> "Row":
        """A row of an import, or its refusal where it belongs to what may not be written.

        Raises:
            InvalidInput: The name of its project is not allowed.
        """
        if row.project is None:
            return row
        reason = self._refusal(self._project_name(row.project, "project"))
        if reason is None:
            return row
        return replace(row, value=_refused(row, reason), project=None)

    def _project_name(self, project: str, argument: str) -> str:
        """The name of a project; one that is known also by its remote in git's short form."""
        name = projects.check_project_name(project, argument=argument)
        known_names = self._known()
        remote = None if name in known_names else projects.canonical_remote(project)
        return remote if remote is not None and remote in known_names else name

    def _known(self) -> frozenset[str]:
        """The projects in reach that are known by name."""
        own_name = frozenset() if self.project is None else frozenset({self.project})
        return own_name | (self.projects or frozenset())

    def _reads(self, name: str) -> bool:
        if name in projects.LAYERS:
            return True
        return self.project in {None, name} and (self.projects is None or name in self.projects)

    def _refusal(self, name: str) -> str | None:
        """Why a project may not be written; None where it may."""
        if self.read_only:
            return "This caller may only read."
        if name in projects.LAYERS:
            if name in self.layers:
                return None
            option = f"--layers {name.removeprefix('@')}"
            return (
                "All projects read this layer; whoever starts the server opens it to writing by "
                f"`graphmem serve {option}`, and an import by `graphmem import {option}`."
            )
        return None if self._reads(name) else self._limits()

    def _expected(self) -> str:
        if self.projects is None:
            return f"must be {self.project}"
        allowed = sorted(name for name in self.projects if self._reads(name))
        if not allowed:
            return "must be a project in reach"
        return f"must be {'one of ' if len(allowed) > 1 else ''}{', '.join(allowed)}"

    def _limits(self) -> str:
        """Whose limits a project is beyond: the server's, the caller's or those of both."""
        limits = [] if self.project is None else [f"This server is limited to {self.project}."]
        if self.projects is not None:
            limits.append(f"This caller is limited to {', '.join(sorted(self.projects))}.")
        return " ".join(limits)


EVERYTHING = Access()


def _refused(row: "Row", reason: str) -> Item:
    """What a report says of a row of a project that is closed to writing."""
    sentence = f"{row.project} is closed to writing. {reason}"
    if isinstance(row.value, Entity | Relation | Item):
        return refused_item(row.value, sentence)
    return Item("entity", row.place, "refused", sentence)
