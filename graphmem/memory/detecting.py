"""Which project a folder belongs to, found out while the database is waited for."""

import threading
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
        self._folder, self._project_name, self._setting = folder, project_name, setting
        self._thread: threading.Thread | None = None
        self._result: projects.Project | None = None
        self._error: GraphmemError | None = None

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
        return self._project().name

    def folder(self) -> Path | None:
        """The folder that the project was taken from; None where it was named.

        Raises:
            InvalidInput: As `name` does.
            ConfigurationError: As `name` does.
        """
        return self._project().folder

    def _project(self) -> projects.Project:
        if self._thread is not None:
            self._thread.join()
        if self._error is not None:
            raise self._error
        if self._result is None:
            self._result = self._detected()
        return self._result

    def _look(self) -> None:
        try:
            self._result = self._detected()
        except GraphmemError as error:
            self._error = error

    def _detected(self) -> projects.Project:
        return projects.detect(self._folder, given=self._project_name, setting=self._setting)
