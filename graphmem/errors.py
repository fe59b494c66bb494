"""The errors graphmem raises, each naming the thing, the value and the next step.

GraphmemError
├── InvalidInput             an argument is not allowed: argument, value, what is allowed
├── NotFound                 no entity answers to a name
├── ConfigurationError       a setting cannot be used
├── EmbeddingError           the embedding model cannot be loaded or used
├── DatabaseError            the database refused a statement
│   ├── DatabaseUnavailable  no server answers
│   ├── DatabaseTimeout      a statement took longer than its time limit
│   ├── DatabaseMemory       a statement needed more memory than it may take
│   ├── IndexNotReady        an index is still being filled
│   └── SchemaMismatch       constraints or indexes differ from what graphmem needs
└── PrivateServerError       the Neo4j that graphmem starts itself
    ├── JavaNotFound         no Java that Neo4j can run on
    ├── JarsUnavailable      the server's jars cannot be fetched or are not the pinned ones
    └── StartFailed          the server did not come up
"""


class GraphmemError(Exception):
    """The root of every error graphmem raises on purpose."""


class InvalidInput(GraphmemError):
    """An argument that is not allowed.

    Args:
        argument: The argument's name, as the caller wrote it.
        value: The value given; shown shortened.
        allowed: What would have been allowed, as the rest of a sentence.
    """

    def __init__(self, argument: str, value: object, allowed: str) -> None:
        self.argument = argument
        self.value = value
        self.allowed = allowed
        super().__init__(f"{argument}: {shortened(value)} is not allowed; {allowed}")


class NotFound(GraphmemError):
    """No entity answers to a name in a project."""


class ConfigurationError(GraphmemError):
    """A setting that cannot be used as it stands."""


class EmbeddingError(GraphmemError):
    """The embedding model cannot be loaded or used."""


class DatabaseError(GraphmemError):
    """The database refused a statement."""


class DatabaseUnavailable(DatabaseError):
    """No database server answers."""


class DatabaseTimeout(DatabaseError):
    """A statement took longer than its time limit."""


class DatabaseMemory(DatabaseError):
    """A statement needed more memory than it may take."""


class IndexNotReady(DatabaseError):
    """An index is still being filled."""


class SchemaMismatch(DatabaseError):
    """Constraints or indexes differ from what graphmem needs."""


class PrivateServerError(GraphmemError):
    """The Neo4j that graphmem starts itself cannot be used."""


class JavaNotFound(PrivateServerError):
    """No Java that Neo4j can run on was found."""


class JarsUnavailable(PrivateServerError):
    """The server's jars cannot be fetched, or are not the pinned ones."""


class StartFailed(PrivateServerError):
    """The private server did not come up."""


def shortened(value: object, *, limit: int = 80) -> str:
    """Write a value for an error message: its repr, at most `limit` characters long."""
    written = repr(value)
    return written if len(written) <= limit else f"{written[: limit - 1]}…"
