"""Which project a folder belongs to, found out while the database is waited for."""

import threading
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path

from graphmem import project as projects
from graphmem.errors import GraphmemError


class Detection:
    """Finds a project once, when it is asked for, or before that in a thread of its own.

    To import GitPython takes as long as the first statements of a connection.

    Args:
        folder: Where the project is looked for; by default the current folder.
        project_name: A name from the caller.
        setting: The same, from `GRAPHMEM_PROJECT`.
    """

    def __init__(
        self, folder: Path | str | None, *, project_name: str | None, setting: str | None
    ) -> None:
        self._detect = partial(projects.detect, folder, given=project_name, setting=setting)
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Look now; returns at once."""
        self._thread = threading.Thread(target=self._look, name="graphmem-project", daemon=True)
        self._thread.start()

    def name(self) -> str:
        """The project's name.

        Raises:
            InvalidInput: A name is not allowed, or there is no such folder.
            ConfigurationError: The folder's git configuration cannot be read.
        """
        return self._awaited().name

    def folder(self) -> Path | None:
        """The folder that the project was taken from; None where it was named.

        Raises:
            InvalidInput: As `name` does.
            ConfigurationError: As `name` does.
        """
        return self._awaited().folder

    def _awaited(self) -> projects.Project:
        if self._thread is not None:
            self._thread.join()
        return self._project

    @cached_property
    def _project(self) -> projects.Project:
        return self._detect()

    def _look(self) -> None:
        with suppress(GraphmemError):  # it is raised where the project is asked for
            _ = self._project
