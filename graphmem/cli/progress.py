"""Shows on stderr what takes long: a spinner and bars, or a few lines without a terminal."""

import sys
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Self

from graphmem.cli import output

if TYPE_CHECKING:
    from graphmem.cli.terminal import Bars


# Without a terminal, the least number of seconds between two lines on one task.
PAUSE = 30


class ProgressDisplay:
    """Listens to long work; a context manager that leaves nothing behind on a terminal.

    Args:
        delay: Without a terminal, seconds before the first line on a task.
    """

    def __init__(self, *, delay: float = 0) -> None:
        self._delay = delay
        self._may_be_terminal = output.may_be_terminal(sys.stderr)
        self._bars: Bars | None = None
        self._next_lines: dict[str, float] = {}
        self._last_sentence = ""

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
        if sentence == self._last_sentence:
            return
        self._last_sentence = sentence
        if (bars := self._open_bars()) is not None:
            bars.say(output.visible(sentence))
        else:
            output.say(sentence)

    def advance(self, task: str, done: int, total: int) -> None:
        """Move a task's bar; without a terminal, print its beginning, and now and then a count."""
        if total == 0:
            return
        if (bars := self._open_bars()) is not None:
            bars.advance(task, done, total)
        else:
            self._print(task, done, total)

    def finish(self) -> None:
        """Take everything off the screen; called before something is printed."""
        if self._bars is not None:
            self._bars.stop()
        self._bars = None

    def _open_bars(self) -> "Bars | None":
        """What shows bars, begun now if need be; None without a terminal."""
        if self._bars is None and self._may_be_terminal:
            # Imported here for weight: most commands have nothing to show.
            from graphmem.cli.terminal import Bars, Terminal

            console = Terminal(stderr=True, highlight=False)
            self._may_be_terminal = console.is_terminal
            self._bars = Bars(console) if console.is_terminal else None
        return self._bars

    def _print(self, task: str, done: int, total: int) -> None:
        now = monotonic()
        if self._delay and task not in self._next_lines:
            self._next_lines[task] = now + self._delay
        next_line = self._next_lines.get(task)
        if next_line is None and done >= total:  # over already, unless another part follows
            self._next_lines[task] = 0
        elif not next_line or now >= next_line:
            of_total = f" of {total:,}" if done < total else ""
            output.say(f"{task}: {done:,}{of_total} …" if next_line else f"{task} …")
            self._next_lines[task] = now + PAUSE
