"""Profiles: other tools' names, parameters and answers over the same `Memory`.

To add one, write a module with `offers(memory)` and name it here. A module is imported when it is
asked for, so a server pays only for its own.
"""

from collections.abc import Sequence
from importlib import import_module

from graphmem.errors import ConfigurationError
from graphmem.profiles.tool_spec import Opened, ToolSpec

__all__ = ["PROFILES", "Opened", "ToolSpec", "offered"]

PROFILES: tuple[str, ...] = (
    # one a line
    "forge",
    "forgeplan",
    "memcp",
    "memory-server",
    "rye",
    "shaktiman",
)


def offered(names: Sequence[str], memory: Opened) -> list[ToolSpec]:
    """The tools of several profiles together, in order.

    Args:
        names: Names out of `PROFILES`; one named twice counts once.
        memory: Gives the open memory.

    Raises:
        ConfigurationError: There is no such profile, or two have a tool of the same name.
    """
    owners: dict[str, str] = {}
    offers: list[ToolSpec] = []
    for name in dict.fromkeys(names):
        if name not in PROFILES:
            raise ConfigurationError(f"profile must be one of {', '.join(PROFILES)}, got {name!r}")
        made: list[ToolSpec] = import_module(_module(name)).offers(memory)
        for offer in made:
            other = owners.setdefault(offer.name, name)
            if other != name:
                raise ConfigurationError(
                    f"the profiles {other} and {name} both have a tool {offer.name}; "
                    "serve them separately"
                )
        offers += made
    return offers


def _module(name: str) -> str:
    return f"graphmem.adapters.{name.replace('-', '_')}.profile"
