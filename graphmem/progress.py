"""How long work tells its caller what it is doing, without knowing who listens."""

from typing import Protocol


class Progress(Protocol):
    """What the floors below call while something takes long; a door shows it to a person."""

    def say(self, sentence: str) -> None:
        """Say in one sentence what happens now."""

    def advance(self, task: str, done: int, total: int) -> None:
        """Report that `done` of `total` steps of `task` are finished; both are equal at last."""


class Silent:
    """A listener that shows nothing."""

    def say(self, sentence: str) -> None:
        """Show nothing."""

    def advance(self, task: str, done: int, total: int) -> None:
        """Show nothing."""


SILENT: Progress = Silent()
