"""Variables that begin like graphmem's and have no effect.

Who misspells the address of a server would otherwise write to the private one and not be told.
"""

import logging
import os
from collections.abc import Collection, Mapping

import attrs

from graphmem.settings import Settings, env_file_path
from graphmem.settings.env_file import read_env_file
from graphmem.settings.setting import by_name

PREFIX = "GRAPHMEM_"
log = logging.getLogger("graphmem")


def warn() -> None:
    """Log a warning on each.

    Raises:
        ConfigurationError: `.env` in the home cannot be read.
    """
    for sentence in sentences():
        log.warning(sentence)


def sentences() -> list[str]:
    """A sentence on each.

    Raises:
        ConfigurationError: `.env` in the home cannot be read.
    """
    environment = by_name(os.environ)
    file = env_file_path(environment)
    file_values = read_env_file(file)
    known_names = {name for field in attrs.fields(Settings) for name in field.metadata["variables"]}
    reasons = []
    for name in sorted({*environment, *file_values}.difference(known_names)):
        if name.startswith(PREFIX):
            near = _nearest(name, known_names)
            advice = f"did you mean {near}?" if near else "`.env.example` lists all settings"
            reasons.append(f"{name} is not a setting, so it has no effect; {advice}")
    home = environment.get("GRAPHMEM_HOME")
    if home is not None and file_values.get("GRAPHMEM_HOME", home) != home:
        reasons.append(
            f"GRAPHMEM_HOME in {file} has no effect, since the environment has it, too; remove it "
            "there, or change that of the environment"
        )
    return reasons


def _nearest(name: str, known_names: Collection[str]) -> str | None:
    """The setting that a name is like, or the shortest one that ends as it does, if any."""
    import difflib  # noqa: PLC0415 - for weight

    bare_name = name.removeprefix(PREFIX)
    bare_names: Mapping[str, str] = {known.removeprefix(PREFIX): known for known in known_names}
    near_names = difflib.get_close_matches(bare_name, bare_names, n=1)
    if near_names:
        return bare_names[near_names[0]]
    ending = f"_{bare_name}"
    alike = (known for known in known_names if known.endswith(ending))
    return min(alike, key=lambda known: (len(known), known), default=None)
