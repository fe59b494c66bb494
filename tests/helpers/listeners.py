"""Who hears how far long work is."""

from dataclasses import dataclass, field

from graphmem.progress import Silent


@dataclass
class Listener:
    """Remembers what it hears.

    Args:
        sentences: What it was told, in order.
        steps: Of each step its task, how many are done, and the total.
    """

    sentences: list[str] = field(default_factory=list)
    steps: list[tuple[str, int, int]] = field(default_factory=list)

    def say(self, sentence: str) -> None:
        self.sentences.append(sentence)

    def advance(self, task: str, done: int, total: int) -> None:
        self.steps.append((task, done, total))


@dataclass
class Interruption(Silent):
    """Interrupts a call at the first step of a task, as Ctrl-C would."""

    task: str

    def advance(self, task: str, done: int, total: int) -> None:  # noqa: ARG002 - the protocol's
        if task == self.task:
            raise KeyboardInterrupt
