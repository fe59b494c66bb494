"""The errors graphmem raises, each naming the thing, the value and the next step.

GraphmemError
├── InvalidInput             an argument is not allowed: argument, value, what is expected
├── NotFound                 a name leads to no entity, or to several
├── Conflict                 the entity or change was changed since the caller read it
├── ConfigurationError       a setting cannot be used
├── EmbeddingError           the embedding model cannot be loaded or used
│   └── ModelUnavailable     it cannot be used for a while, and is tried again
├── DatabaseError            the database refused a statement
│   ├── DatabaseUnavailable  no server answers
│   ├── DatabaseTimeout      a statement took longer than its time limit
│   ├── OutcomeUnknown       the server did not confirm a commit
│   ├── PartialWrite         some batches were written before one failed; `model.report` has it
│   ├── DatabaseMemory       a statement needed more memory than it may take
│   ├── IndexNotReady        an index is still being filled
│   ├── EmbeddingsReplaced   another process changed the embedding model a moment ago
│   └── SchemaMismatch       a newer graphmem made the store, or its indexes differ
└── PrivateServerError       the Neo4j that graphmem starts itself
    ├── JavaNotFound         no Java that Neo4j can run on
    ├── JarsUnavailable      the server's jars cannot be fetched or are not the pinned ones
    ├── StartFailed          the server did not start
    └── BackupRefused        a backup cannot be made or restored
"""

from collections.abc import Sequence
from enum import Enum
from typing import Final

# The next step of errors whose cause `graphmem doctor` can find; doctor itself leaves it out.
ASK_DOCTOR = "; run `graphmem doctor` to find out why"
# The most of a value that a message shows.
VALUE_CHARACTERS = 80


class NotShown(Enum):
    """What stands for a value where there is none that a message could show; None is shown."""

    NOT_SHOWN = "not shown"


NOT_SHOWN: Final = NotShown.NOT_SHOWN


class GraphmemError(Exception):
    """The root of every error graphmem raises on purpose."""

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle it by its message and attributes, as a process pool does with an error."""
        return _unpickled, (type(self), self.args, vars(self))


class InvalidInput(GraphmemError):
    """An argument that is not allowed.

    Args:
        argument: The argument's name, as the caller wrote it.
        value: The given value, which is shown shortened; `NOT_SHOWN` if there is none to show,
            and the attribute is None then.
        expected: What is allowed, as the predicate of a sentence: `must be from 1 to 200`.
        hint: The next step, as a sentence of its own, if `expected` does not make it obvious.
    """

    def __init__(
        self, argument: str, value: object, expected: str, *, hint: str | None = None
    ) -> None:
        self.argument = argument
        self.value = None if value is NOT_SHOWN else value
        self._is_shown = value is not NOT_SHOWN
        self.expected = expected
        self.hint = hint
        value_note = f", got {shortened(value)}" if self._is_shown else ""
        advice = "" if hint is None else f". {hint}"
        super().__init__(f"{argument} {expected}{value_note}{advice}")

    def renamed(self, argument: str) -> "InvalidInput":
        """The same error with the argument's name that the caller knows."""
        value = self.value if self._is_shown else NOT_SHOWN
        return InvalidInput(argument, value, self.expected, hint=self.hint)


class Conflict(GraphmemError):
    """The entity or change was changed since the caller read it; the message says by whom."""


class NotFound(GraphmemError):
    """A name leads to no entity of the project, or to several."""


class ConfigurationError(GraphmemError):
    """A setting that cannot be used as it stands."""


class EmbeddingError(GraphmemError):
    """The embedding model cannot be loaded or used."""


class ModelUnavailable(EmbeddingError):
    """The embedding model cannot be used for a while, whatever the text; it is tried again.

    Args:
        message: What happened, as a sentence with the next step.
        pause: The least number of seconds until it is tried again.
    """

    def __init__(self, message: str, *, pause: float = 0.0) -> None:
        super().__init__(message)
        self.pause = pause


class DatabaseError(GraphmemError):
    """The database refused a statement."""


class DatabaseUnavailable(DatabaseError):
    """No database server answers."""


class DatabaseTimeout(DatabaseError):
    """A statement took longer than its time limit."""


class OutcomeUnknown(DatabaseError):
    """The server did not confirm a commit, so it is unknown whether it happened.

    Either the connection was lost and nothing answers since, or the server broke the commit off.

    Args:
        reason: What is known of it.
    """

    def __init__(self, reason: object) -> None:
        super().__init__(
            f"the server did not confirm a commit ({reason}), so it is unknown whether this was "
            "written; check before you write it again"
        )


class DatabaseMemory(DatabaseError):
    """A statement needed more memory than it may take."""


class IndexNotReady(DatabaseError):
    """An index is still being filled."""


class EmbeddingsReplaced(DatabaseError):
    """Another process has just replaced the store's embeddings by those of another model."""

    def __init__(self) -> None:
        super().__init__(
            "the store's embeddings were just replaced by those of another model; try again"
        )


class SchemaMismatch(DatabaseError):
    """A newer graphmem made the store, or its constraints or indexes differ from what is needed."""


class PrivateServerError(GraphmemError):
    """The Neo4j that graphmem starts itself cannot be used."""


class JavaNotFound(PrivateServerError):
    """No Java that Neo4j can run on was found."""


class JarsUnavailable(PrivateServerError):
    """The server's jars cannot be fetched, or are not the pinned ones."""


class StartFailed(PrivateServerError):
    """The private server did not start."""


class BackupRefused(PrivateServerError):
    """A backup cannot be made or restored; nothing was changed."""


def _unpickled(
    error_class: type[GraphmemError], args: tuple[object, ...], attributes: dict[str, object]
) -> GraphmemError:
    """An error as it was pickled: `__init__` would compose its message anew."""
    error = error_class.__new__(error_class, *args)
    vars(error).update(attributes)
    return error


def quantity(count: int, singular: str, plural: str) -> str:
    """Write a number and what it counts: `1 entity`, `1,200 entities`."""
    return f"{count:,} {singular if count == 1 else plural}"


def listed(words: Sequence[str], most: int | None = None) -> str:
    """Write words, at least one: `a, b and c`; of more than `most`, such as `a, b and 4 more`."""
    more = 0 if most is None else len(words) - most
    *first, last = [*words[:most], f"{more:,} more"] if more > 0 else words
    return f"{', '.join(first)} and {last}" if first else last


def first_line(error: BaseException) -> str:
    """The first line of an error's message, or the name of its class if it has none."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def shortened(value: object) -> str:
    """Write a value for an error message: its repr, in at most 80 characters.

    The middle is cut out, since the last part of a path matters most. Python cannot write numbers
    of more than 4,300 digits and deeply nested lists: for them, the type is named.
    """
    try:
        value_text = repr(value)
    except (ValueError, RecursionError):
        value_text = f"<{type(value).__name__}>"
    if len(value_text) <= VALUE_CHARACTERS:
        return value_text
    head = VALUE_CHARACTERS // 2
    return f"{value_text[:head]}…{value_text[head + 1 - VALUE_CHARACTERS :]}"
