"""What needs rich's console: colours, wrapped lines, bars. Imported at a terminal only."""

from typing import NoReturn

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn
from rich.progress import Task as RichTask
from rich.text import Text


class Terminal(Console):
    """Rich's own console would end the process when nobody reads any more."""

    def on_broken_pipe(self) -> NoReturn:
        """Leave it to `main`."""
        raise BrokenPipeError


class _Bar(BarColumn):
    """A bar for what can be counted; nothing beside a sentence."""

    def render(self, task: RichTask) -> Text:  # type: ignore[override]  # both can be shown
        return Text() if task.total is None else super().render(task)  # type: ignore[return-value]


class Bars:
    """A sentence with a spinner, and a bar for each task, on stderr; `stop` takes them away.

    Args:
        console: A console on stderr.
    """

    def __init__(self, console: Console) -> None:
        self._bars = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            _Bar(),
            TextColumn("{task.fields[count]}"),
            console=console,
            transient=True,
        )
        self._sentence: TaskID | None = None
        self._tasks: dict[str, TaskID] = {}
        self._bars.start()

    def say(self, sentence: str) -> None:
        """Show a sentence in place of the one before."""
        self._hush()
        self._sentence = self._bars.add_task(sentence, total=None, count="")

    def advance(self, task: str, done: int, total: int) -> None:
        """Move a task's bar, which takes the place of a sentence."""
        self._hush()
        if task not in self._tasks:
            self._tasks[task] = self._bars.add_task(task, total=total, count="")
        count = f"{done:,} of {total:,}"
        self._bars.update(self._tasks[task], completed=done, total=total, count=count)

    def stop(self) -> None:
        """Take everything off the screen."""
        self._bars.stop()

    def _hush(self) -> None:
        if self._sentence is not None:
            self._bars.remove_task(self._sentence)
            self._sentence = None
