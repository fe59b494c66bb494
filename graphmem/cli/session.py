"""What a command works with: the settings, the log on stderr, an open memory and its listener."""

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from graphmem import settings
from graphmem.cli.progress import Shown
from graphmem.embedding import Embedder, configured
from graphmem.memory import Memory
from graphmem.memory.access import EVERYTHING, Access


def configure() -> settings.Settings:
    """Read the settings and send the log to stderr at their level.

    Raises:
        ConfigurationError: A setting cannot be used.
    """
    config = settings.load()
    log = logging.getLogger("graphmem")
    log.setLevel(config.log_level)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("graphmem: %(levelname)s: %(message)s"))
    log.handlers[:] = [handler]
    log.propagate = False
    return config


def embedder(config: settings.Settings, *, soon: bool, say: Callable[[str], None]) -> Embedder:
    """The model of the settings. Tests put a light one here.

    Args:
        config: Names it.
        soon: Whether it begins to load now, beside the connecting; otherwise when it is needed.
        say: Hears what takes long before the model is ready.
    """
    return configured(config, start=soon, say=say)


@contextmanager
def opened(
    project: str | None, *, model_soon: bool = False, access: Access = EVERYTHING
) -> Iterator[tuple[Memory, Shown]]:
    """Open the memory of a project, with a listener that shows what takes long.

    Args:
        project: As the command line has it; None for the setting, git remote or folder.
        model_soon: Whether the command needs the embedding model for certain.
        access: What the command may reach.
    """
    config = configure()
    with Shown() as progress:
        model = embedder(config, soon=model_soon, say=progress.say)
        with Memory.open(
            project=project, config=config, embedder=model, access=access, progress=progress
        ) as memory:
            if model_soon and model.state == "loading":
                progress.say("Loading the embedding model …")
            yield memory, progress
