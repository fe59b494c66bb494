"""Shows on stderr what takes long: a spinner and bars, or sentences without a terminal."""

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, SpinnerColumn, TaskID, TextColumn
from rich.progress import Progress as Bars
from rich.progress import Task as RichTask
from rich.text import Text

from graphmem.cli import output
from graphmem.model.visible import visible


class _Bar(BarColumn):
    """A bar for what can be counted; nothing beside a sentence."""

    def render(self, task: RichTask) -> Text:  # type: ignore[override]  # both can be shown
        return Text() if task.total is None else super().render(task)  # type: ignore[return-value]


class Shown:
    """Listens to long work; a context manager that leaves nothing behind on a terminal."""

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._bars: Bars | None = None
        self._sentence: TaskID | None = None
        self._tasks: dict[str, TaskID] = {}
        self._begun: set[str] = set()
        self._said = ""

    def __enter__(self) -> Self:
        """Give the listener itself; nothing is shown before there is something to say."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take everything off the screen."""
        self.finish()

    def say(self, sentence: str) -> None:
        """Show a sentence with a spinner until the next one, or print it; a repeated one once."""
        if sentence == self._said:
            return
        self._said = sentence
        if not self._console.is_terminal:
            output.say(sentence)
            return
        bars = self._started()
        if self._sentence is not None:
            bars.remove_task(self._sentence)
        self._sentence = bars.add_task(visible(sentence), total=None, count="")

    def advance(self, task: str, done: int, total: int) -> None:
        """Move a task's bar; without a terminal, print its beginning and its end."""
        if total == 0:
            return
        if not self._console.is_terminal:
            self._print(task, done, total)
            return
        bars = self._started()
        if self._sentence is not None:
            bars.remove_task(self._sentence)
            self._sentence = None
        if task not in self._tasks:
            self._tasks[task] = bars.add_task(task, total=total, count="")
        count = f"{done:,} of {total:,}"
        bars.update(self._tasks[task], completed=done, total=total, count=count)

    def finish(self) -> None:
        """Take everything off the screen; called before something is printed."""
        if self._bars is not None:
            self._bars.stop()
        self._bars, self._sentence = None, None
        self._tasks.clear()

    def _started(self) -> Bars:
        if self._bars is None:
            self._bars = Bars(
                SpinnerColumn(),
                TextColumn("{task.description}", markup=False),
                _Bar(),
                TextColumn("{task.fields[count]}"),
                console=self._console,
                transient=True,
            )
            self._bars.start()
        return self._bars

    def _print(self, task: str, done: int, total: int) -> None:
        if done >= total:
            output.say(f"{task}: {total:,} done")
            self._begun.discard(task)
        elif task not in self._begun:
            output.say(f"{task}: {total:,} …")
            self._begun.add(task)
