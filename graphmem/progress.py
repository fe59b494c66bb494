"""How long work tells its caller what it is doing, without knowing who listens."""

from typing import Protocol


class Progress(Protocol):
    """What the floors below call while something takes long; an interface shows it to a person."""

    def say(self, sentence: str) -> None:
        """Say in one sentence what happens now."""

    def advance(self, task: str, done: int, total: int) -> None:
        """Report that `done` of `total` steps of `task` are finished; both are equal at last."""


class Silent:
    """A listener that shows nothing."""

    def __repr__(self) -> str:
        """Name it as `help` of a method shows its default."""
        return "SILENT"

    def say(self, sentence: str) -> None:
        """Show nothing."""

    def advance(self, task: str, done: int, total: int) -> None:
        """Show nothing."""


SILENT: Progress = Silent()


class Continued:
    """A listener to a part of a task, which tells another one of all of it so far.

    Args:
        progress: The other one.
        before: The number of steps that were finished before this part.
    """

    def __init__(self, progress: Progress, before: int) -> None:
        self._progress = progress
        self._before = before

    def say(self, sentence: str) -> None:
        """Say what happens now."""
        self._progress.say(sentence)

    def advance(self, task: str, done: int, total: int) -> None:
        """Report what is finished of this part and of those before it."""
        self._progress.advance(task, self._before + done, self._before + total)
