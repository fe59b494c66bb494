"""What a command works with: the settings, the log on stderr, an open memory and its listener.

Everything is imported when it is used: the help of a command needs none of it.
"""

import logging
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from graphmem import import_cost
from graphmem.cli import earlier_project
from graphmem.cli.progress import ProgressDisplay
from graphmem.errors import ConfigurationError

# What a person does next where a project holds nothing.
FIRST_STEP = (
    "To begin, `graphmem remember` stores an entity, and `graphmem import` reads notes, code or "
    "chats."
)
GOING_BACK = "Taking back what has changed since …"

if TYPE_CHECKING:
    from graphmem.embedding import Embedder
    from graphmem.memory import Memory
    from graphmem.memory.access import Access
    from graphmem.settings import Settings


def configure(*, warns: bool = True) -> "Settings":
    """Read the settings and send the log to stderr at their level.

    Args:
        warns: Whether the log names variables that begin like graphmem's and have no effect.

    Raises:
        ConfigurationError: A setting cannot be used.
    """
    from graphmem import settings

    config = settings.load()
    log = logging.getLogger("graphmem")
    log.setLevel(config.log_level)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("graphmem: %(levelname)s: %(message)s"))
    log.handlers[:] = [handler]
    log.propagate = False
    if warns:
        from graphmem.settings import ineffective

        ineffective.warn()
    return config


def private_settings(instead: str) -> "Settings":
    """Read the settings for a command that is for the private server alone.

    Args:
        instead: What can be done with another server.

    Raises:
        ConfigurationError: Another server is set, or a setting cannot be used.
    """
    config = configure()
    if config.neo4j_uri is not None:
        raise ConfigurationError(
            f"this command is for the private server, but NEO4J_URI is set: {instead}"
        )
    return config


def embedder(config: "Settings", *, soon: bool, say: Callable[[str], None]) -> "Embedder":
    """The model of the settings. Tests put a light one here.

    Args:
        config: Names it.
        soon: Whether it begins to load now, beside the connecting; otherwise when it is needed.
        say: Called with a sentence when something takes long.
    """
    from graphmem.embedding import configured_embedder

    return configured_embedder(config, start=soon, say=say)


@contextmanager
def open_memory(
    project: str | None,
    *,
    model_soon: bool = False,
    access: "Access | None" = None,
    check: Callable[[], None] | None = None,
) -> Iterator["tuple[Memory, ProgressDisplay]"]:
    """Open the memory of a project, with a listener that shows what takes long.

    Args:
        project: As the command line has it; None for the setting, git remote or folder.
        model_soon: Whether the command needs the embedding model for certain.
        access: What the command may reach; by default everything.
        check: Refuses arguments of the command, before a database is started for them.
    """
    with import_cost.uncollected(), import_cost.without(*import_cost.DRIVER_EXTRAS):
        config = configure()
        # Before the model begins to load, which may import numpy in a thread of its own.
        from graphmem.memory import Memory
        from graphmem.memory.access import EVERYTHING

        import_cost.keep_imported()
    if check is not None:
        check()
    with ProgressDisplay() as progress:
        model = embedder(config, soon=model_soon, say=progress.say)
        with Memory.open(
            project=project,
            config=config,
            embedder=model,
            access=access or EVERYTHING,
            progress=progress,
        ) as memory:
            progress.finish()  # a spinner would write over a question
            earlier_project.remind(memory, config.home)
            if model_soon and model.state == "loading":
                progress.say("Loading the embedding model …")
            yield memory, progress


def empty_project_note(
    memory: "Memory", project: str, predicate: str = "has no entities"
) -> str | None:
    """A sentence on a project in which nothing was found, as answers have it.

    Args:
        memory: The memory of the command.
        project: The name of the project.
        predicate: What the sentence says of it.

    Returns:
        That it holds nothing, and others that may be meant; None if it has an entity.
    """
    from graphmem.memory.searches import empty_projects

    return empty_projects.empty_project_note(memory.graph, memory.access, project, predicate)


def says_empty(notes: Sequence[str], project: str) -> bool:
    """Whether the notes of an answer say that its project has no entities."""
    from graphmem.memory.searches import empty_projects

    return empty_projects.says_empty(notes, project)


@contextmanager
def open_search(
    project: str | None, query: str, options: Mapping[str, object]
) -> Iterator["Memory"]:
    """Open the memory of a project for one search, and say what that takes longer for.

    Args:
        project: As for `open_memory`.
        query: What is searched for; it is refused before a database is started for it.
        options: As `Memory.search` has them, likewise.
    """

    def check() -> None:
        from graphmem.memory.searches.options import check_search

        check_search(query, options)

    model_soon = bool(query.strip()) and options.get("mode") != "keyword"
    with open_memory(project, model_soon=model_soon, check=check) as (memory, progress):
        if options.get("as_of") is not None:
            progress.say(GOING_BACK)
        if memory.reranker is not None and options.get("sort", "score") == "score":
            progress.say("Loading the reranker …")
        yield memory


def check_listing(options: Mapping[str, object]) -> None:
    """Refuse the options of a listing as `Memory.recent` does."""
    from graphmem.memory.searches.options import planned

    planned((), options)
