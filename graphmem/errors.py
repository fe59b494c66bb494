"""The errors graphmem raises, each naming the thing, the value and the next step.

GraphmemError
├── InvalidInput             an argument is not allowed: argument, value, what is expected
├── NotFound                 a name leads to no entity, or to several
├── Conflict                 what is to be changed was changed meanwhile
├── ConfigurationError       a setting cannot be used
├── EmbeddingError           the embedding model cannot be loaded or used
│   └── ModelUnavailable     nor for a while, whatever the text
├── DatabaseError            the database refused a statement
│   ├── DatabaseUnavailable  no server answers
│   ├── DatabaseTimeout      a statement took longer than its time limit
│   ├── OutcomeUnknown       a commit was sent, and nothing says whether it happened
│   ├── PartialWrite         some batches were written before one failed; `model.report` has it
│   ├── DatabaseMemory       a statement needed more memory than it may take
│   ├── IndexNotReady        an index is still being filled
│   ├── EmbeddingsReplaced   those of another model are searched since a moment ago
│   └── SchemaMismatch       a newer graphmem made the store, or its indexes differ
└── PrivateServerError       the Neo4j that graphmem starts itself
    ├── JavaNotFound         no Java that Neo4j can run on
    ├── JarsUnavailable      the server's jars cannot be fetched or are not the pinned ones
    ├── StartFailed          the server did not come up
    └── BackupRefused        a backup cannot be made, or not be brought back
"""

# The next step of errors whose cause only a look at the whole machine tells; the command itself
# leaves it out.
ASK_DOCTOR = "; run `graphmem doctor` to find out why"


class GraphmemError(Exception):
    """The root of every error graphmem raises on purpose."""


class InvalidInput(GraphmemError):
    """An argument that is not allowed.

    Args:
        argument: The argument's name, as the caller wrote it.
        value: The value given, shown shortened; None where none was given, which is not shown.
        expected: What is allowed, as the predicate of a sentence: `must be from 1 to 200`.
        hint: The next step, as a sentence of its own, where what is expected does not tell it.
    """

    def __init__(
        self, argument: str, value: object, expected: str, *, hint: str | None = None
    ) -> None:
        self.argument = argument
        self.value = value
        self.expected = expected
        self.hint = hint
        value_note = "" if value is None else f", got {shortened(value)}"
        advice = "" if hint is None else f". {hint}"
        super().__init__(f"{argument} {expected}{value_note}{advice}")

    def renamed(self, argument: str) -> "InvalidInput":
        """The same error, its argument called as the caller knows it."""
        return InvalidInput(argument, self.value, self.expected, hint=self.hint)


class Conflict(GraphmemError):
    """What is to be changed was changed meanwhile, by whom the sentence says."""


class NotFound(GraphmemError):
    """No entity answers to a name in a project."""


class ConfigurationError(GraphmemError):
    """A setting that cannot be used as it stands."""


class EmbeddingError(GraphmemError):
    """The embedding model cannot be loaded or used."""


class ModelUnavailable(EmbeddingError):
    """The embedding model cannot be used for a while, whatever the text; it is tried again.

    Args:
        message: What happened, as a sentence with the next step.
        pause: Seconds that it is left alone for at least.
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
    """A commit was sent, and nothing answers that could say whether it happened.

    Args:
        reason: Why nothing could be learnt.
    """

    def __init__(self, reason: object) -> None:
        super().__init__(
            f"the connection was lost during a commit ({reason}), so it is unknown whether "
            "this was written; check before you write it again"
        )


class DatabaseMemory(DatabaseError):
    """A statement needed more memory than it may take."""


class IndexNotReady(DatabaseError):
    """An index is still being filled."""


class EmbeddingsReplaced(DatabaseError):
    """Embeddings of another model took the place of those that were used, a moment ago."""

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
    """The private server did not come up."""


class BackupRefused(PrivateServerError):
    """A backup cannot be made here, or cannot be brought back; nothing was changed."""


def first_line(error: BaseException) -> str:
    """The first line of an error's message, or the name of its class if it has none."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def shortened(value: object, *, limit: int = 80) -> str:
    """Write a value for an error message: its repr, at most `limit` characters long.

    Both ends stay: of a path the last part matters most.

    Python refuses to write a number of more than 4,300 digits, and lists nested too deeply: then
    the type is named.
    """
    try:
        value_text = repr(value)
    except (ValueError, RecursionError):
        value_text = f"<{type(value).__name__}>"
    if len(value_text) <= limit:
        return value_text
    head = limit // 2
    return f"{value_text[:head]}…{value_text[head + 1 - limit :]}"
